"""Endings for tests of searches, and what they are worth by trying everything: the whole tree, laid out by the engine.

A tree is a list of levels. A level is the seats to act in its states, the number of the state each child of the next
level comes from, and the action that leads there; the last states are those of scored deals.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thousand_env import engine
from thousand_env.actions import BAPTISE, CLAIM_REDEAL, DECLARE_QUEEN, PASS, WRITE_OFF
from thousand_env.rules import FIELDS, RuleSet
from thousand_env.state import NONE, PLAY, new_states, taken

Floats = NDArray[np.float64]

PLAY_FIELDS = (
    *("must_trump", "must_beat", "must_overtrump", "declare", "declare_with", "trump_from", "marriage_first_lead"),
    *(
        "ace_marriage",
        "ace_marriage_trump",
        "round_to",
        "round_declarer",
        "golden",
        "golden_doubles_marriages",
        "blind",
    ),
)


def random_play_rules(rng: random.Random) -> RuleSet:
    """A table of any size at which anything may be agreed on that matters in the play or for its score."""
    rules = RuleSet.parse(rng.choice(("core", "classic", "online", "tysiac"))).without_redeals()
    for name in rng.sample(PLAY_FIELDS, rng.randrange(len(PLAY_FIELDS))):
        metadata = FIELDS[name].metadata
        choices = metadata["range"] if "range" in metadata else metadata.get("choices", (False, True))
        rules = rules.replace(**{name: rng.choice(choices)})
    rules = rules.replace(players=rng.choice((2, 3, 3, 4)), blind_bonus=rng.choice((0, 25)))
    return rules.replace(dealer_scores=rng.choice(("none", "talon", "fixed"))) if rules.players == 4 else rules


def first_leads(count: int, rules: RuleSet, seed: int) -> NDArray[Any]:
    """States (count,) at the first lead, after random auctions and exchanges in which nobody gives up."""
    states, table = new_states(count), rules.array()
    engine.start_matches(states, table, np.full(count, seed), np.arange(count))
    rng = np.random.default_rng(seed)
    while len(earlier := np.flatnonzero(states["phase"] < PLAY)):
        deals = taken(states, earlier)
        masks = engine.legal_actions(deals, table)
        masks[:, [CLAIM_REDEAL, WRITE_OFF, BAPTISE]] = 0
        engine.step(deals, table, (masks * rng.random(masks.shape)).argmax(axis=1))
        states[earlier] = deals
    return states


def endings(count: int, rules: RuleSet, seed: int, *, cards: int, laid: int = 0) -> NDArray[Any]:
    """States (count,) in which `laid` seats have played to a trick and the others hold `cards` each."""
    return played_on(first_leads(count, rules, seed), rules, seed, cards=cards, laid=laid)


def played_on(leads: NDArray[Any], rules: RuleSet, seed: int, *, cards: int, laid: int = 0) -> NDArray[Any]:
    """Copies of states at the first lead, played on at random; declarations come about more often than other leads."""
    states, table = leads.copy(), rules.array()
    rng = np.random.default_rng(seed)
    for _ in range(rules.active * ((11 if rules.players == 2 else 8) - cards) + laid):
        chances = engine.legal_actions(states, table) * rng.random((len(states), engine.NUM_ACTIONS))
        chances[:, DECLARE_QUEEN:PASS] *= 3
        engine.step(states, table, chances.argmax(axis=1))
    return states


@dataclass
class Tree:
    """Every way the play can go on from some states."""

    turns: list[NDArray[Any]]
    parents: list[NDArray[np.int64]]
    actions: list[NDArray[np.int64]]
    ends: NDArray[Any]

    def roots(self) -> NDArray[np.int64]:
        """The number of the state that each end comes from."""
        roots = np.arange(len(self.ends))
        for parents in reversed(self.parents):
            roots = parents[roots]
        return roots

    def values(self, ends: Floats, seats: NDArray[Any]) -> tuple[Floats, Floats]:
        """What each state is worth, and each action in it (in order), if one seat maximises and all others minimise.

        `ends` (ends,) is what the scored deals are worth, `seats` (N,) who maximises in the tree of each state.
        """
        best = [seats]
        for parents in self.parents:
            best.append(best[-1][parents])
        values = actions = ends
        for turns, parents, who in zip(self.turns[::-1], self.parents[::-1], best[-2::-1], strict=True):
            starts = np.flatnonzero(np.diff(parents, prepend=-1))
            highest, lowest = np.maximum.reduceat(values, starts), np.minimum.reduceat(values, starts)
            actions, values = values, np.where(turns == who, highest, lowest)
        return values, actions


def whole_tree(states: NDArray[Any], rules: RuleSet) -> Tree:
    """The tree of some states in the play phase."""
    tree, table = Tree([], [], [], states), rules.array()
    while (tree.ends["turn"] != NONE).any():
        parents, actions = np.nonzero(engine.legal_actions(tree.ends, table))
        tree.turns.append(tree.ends["turn"].copy())
        tree.parents.append(parents)
        tree.actions.append(actions)
        tree.ends = taken(tree.ends, parents)
        engine.step(tree.ends, table, actions)
    return tree
