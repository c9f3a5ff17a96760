"""Rule lists: a few questions about a hand that a human can answer at the table, each with what to do then.

A list is read from the top, and the first rule that fits decides. It grows from the bottom: it begins with the one
action that brings most for all hands, and step by step the rule is put in front that adds most points to what the list
brings. Conditions are facts about the cards, or two of them together.
"""

import math
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from experiments.figures import Z
from experiments.samples import Cards
from thousand_env.cards import ACES, MARRIAGE, NUM_RANKS, NUM_SUITS, SUIT, SUIT_SYMBOLS, TENS, set_points

FEWEST = 0.005  # of the hands that a rule must be for
SURELY = 3.0  # standard errors above zero that its gain must be

Flags = NDArray[np.bool_]


class Rule(NamedTuple):
    """What to do, an alternative's number, with a hand of which all the facts hold."""

    facts: tuple[str, ...]
    action: int

    def __str__(self) -> str:
        return " and ".join(self.facts) or "any other hand"


# -- facts -----------------------------------------------------------------------------------------------------------


def facts_of(hands: Cards) -> dict[str, Flags]:
    """Return what can be said of hands (N,), each fact with whether it holds (N,)."""
    suits = [hands >> (NUM_RANKS * suit) & SUIT for suit in range(NUM_SUITS)]
    marriages = np.array([own & MARRIAGE == MARRIAGE for own in suits])
    lengths = np.array([np.bitwise_count(own) for own in suits])
    aces, tens = hands & ACES, hands & TENS
    counts = {
        "aces": np.bitwise_count(aces),
        "aces and tens": np.bitwise_count(aces | tens),
        "tens with their ace": np.bitwise_count(aces >> 1 & tens),
        "marriages": marriages.sum(axis=0),
        "cards in the longest suit": lengths.max(axis=0),
        "cards in the suit of the best marriage": (lengths * marriages).max(axis=0),
    }
    facts = {f"{SUIT_SYMBOLS[suit]} marriage": marriages[suit] for suit in range(NUM_SUITS)}
    facts["a marriage in ♦ or ♥"] = marriages[2] | marriages[3]
    for name, count in counts.items():
        for least in range(1, int(count.max()) + 1):
            facts[f"{least}+ {name}"] = count >= least
    points = np.array([set_points(int(hand)) for hand in hands])
    facts |= {f"{least}+ card points": points >= least for least in range(20, 65, 5)}
    facts |= {f"not {name}": ~flags for name, flags in facts.items()}
    return {name: flags for name, flags in facts.items() if 0 < np.count_nonzero(flags) < len(hands)}


# -- lists -----------------------------------------------------------------------------------------------------------


def fit_list(facts: dict[str, Flags], values: NDArray[np.float64], most: int) -> list[Rule]:
    """Return up to `most` rules and the action for all other hands, last; values (N, K) are of each alternative."""
    rules = [Rule((), int(values.mean(axis=0).argmax()))]
    conditions = _conditions(facts)
    while len(rules) <= most:
        present = np.take_along_axis(values, actions_of(rules, facts)[:, None], axis=1)
        rule = _best_rule(conditions, facts, values - present)
        if rule is None:
            break
        rules.insert(0, rule)
    return rules


def actions_of(rules: Sequence[Rule], facts: dict[str, Flags]) -> NDArray[np.int64]:
    """Return what a list does with each hand (N,)."""
    actions = np.full(len(next(iter(facts.values()))), rules[-1].action)
    for rule in reversed(rules[:-1]):
        actions[_holds(rule.facts, facts)] = rule.action
    return actions


def _holds(names: Sequence[str], facts: dict[str, Flags]) -> Flags:
    return np.logical_and.reduce([facts[name] for name in names])


def _conditions(facts: dict[str, Flags]) -> list[tuple[str, ...]]:
    """Return facts and pairs of them that hold for enough hands."""
    count = len(next(iter(facts.values())))
    names: list[tuple[str, ...]] = [*((name,) for name in facts), *combinations(facts, 2)]
    return [condition for condition in names if _holds(condition, facts).sum() >= max(2, FEWEST * count)]


def _best_rule(
    conditions: Sequence[tuple[str, ...]], facts: dict[str, Flags], gains: NDArray[np.float64]
) -> Rule | None:
    """Return the rule that gains most, None where none surely gains."""
    totals = [gains[_holds(condition, facts)].sum(axis=0) for condition in conditions]
    for place in sorted(range(len(totals)), key=lambda place: -totals[place].max()):
        action = int(totals[place].argmax())
        chosen = gains[_holds(conditions[place], facts), action]
        if chosen.sum() > SURELY * float(chosen.std(ddof=1)) * math.sqrt(len(chosen)):
            return Rule(conditions[place], action)
    return None


assert Z < SURELY, "a rule is picked from many, so its gain must be surer than an interval asks"
