"""Dealing odds: a quarter of a million addressed deals against exact counts, by chi-square.

Seeds are fixed, so a test passes or fails for good. Of about a hundred tests one in ten thousand each would fail a fair
dealer by chance.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from tests.dealer import HAND_PLACES, TALON_PLACES, Packs, packs_of_matches, sets
from tests.positions import DATA
from thousand_env import engine
from thousand_env.rules import RuleSet
from thousand_env.state import new_states

Sets: TypeAlias = NDArray[np.int64]

SEED, DEALS = 11, 240_000
BY_CHANCE = 1e-4
CHUNK = 40_000

ODDS: dict[str, Any] = json.loads((DATA / "odds.json").read_text(encoding="ascii"))
PLACES = {"forehand": 7, "second": 7, "third": 7, "talon": 3, "forehand and talon": 10}


@dataclass(frozen=True)
class Deals:
    """What the engine dealt: card sets (N,) by who got them, and the dealers."""

    hands: dict[str, Sets]
    dealers: Sets


@functools.cache
def deals() -> Deals:
    """The first deal of matches 0, 1, 2 … of one seed."""
    rules = RuleSet().array()
    chunks: list[Sets] = []
    for first in range(0, DEALS, CHUNK):
        states = new_states(CHUNK)
        engine.start_matches(states, rules, np.full(CHUNK, SEED), np.arange(first, first + CHUNK))
        columns = np.column_stack([states["dealer"], states["talon"], states["hands"][:, :3]])
        chunks.append(columns.astype(np.int64))
    table = np.concatenate(chunks)
    dealers, talon = table[:, 0], table[:, 1]
    by_seat = [table[np.arange(DEALS), 2 + (dealers + place) % 3] for place in (1, 2, 3)]
    hands = dict(zip(("forehand", "second", "third"), by_seat, strict=True))
    return Deals(hands | {"talon": talon, "forehand and talon": by_seat[0] | talon}, dealers)


# -- what a set of cards is worth ------------------------------------------------------------------------------------


def suits(cards: Sets) -> list[Sets]:
    """The four suits of the sets, six bits each."""
    return [cards >> 6 * suit & 63 for suit in range(4)]


def of_rank(cards: Sets, rank: int) -> Sets:
    """How many cards of a rank, 0 (nine) … 5 (ace)."""
    return sum((suit >> rank & 1 for suit in suits(cards)), np.zeros_like(cards))


def points(cards: Sets) -> Sets:
    return sum((value * of_rank(cards, rank) for rank, value in enumerate((0, 2, 3, 4, 10, 11))), np.zeros_like(cards))


def pairs(cards: Sets) -> list[Sets]:
    """By suit, how many of king and queen are held."""
    return [(suit >> 2 & 1) + (suit >> 3 & 1) for suit in suits(cards)]


def marriages(cards: Sets) -> Sets:
    return sum((held // 2 for held in pairs(cards)), np.zeros_like(cards))


def halves(cards: Sets) -> Sets:
    return sum((held % 2 for held in pairs(cards)), np.zeros_like(cards))


def marriage_sum(cards: Sets) -> Sets:
    return sum((value * (held // 2) for value, held in zip((40, 60, 80, 100), pairs(cards), strict=True)), 0 * cards)


def lengths(cards: Sets) -> NDArray[np.uint8]:
    return np.bitwise_count(np.stack(suits(cards)))


FACTS: dict[str, Callable[[Sets], Sets]] = {
    "points": points,
    "nines": lambda cards: of_rank(cards, 0),
    "jacks": lambda cards: of_rank(cards, 1),
    "aces": lambda cards: of_rank(cards, 5),
    "tens": lambda cards: of_rank(cards, 4),
    "marriages": marriages,
    "marriage_sum": marriage_sum,
    "longest_suit": lambda cards: lengths(cards).max(axis=0).astype(np.int64),
    "voids": lambda cards: (lengths(cards) == 0).sum(axis=0),
}


def fits(observed: Sequence[float], expected: Sequence[float]) -> float:
    """The chance of a fit as bad as this, by chi-square; counts expected below five go together."""
    seen, due = np.asarray(observed, float), np.asarray(expected, float)
    due *= seen.sum() / due.sum()
    rare = due < 5
    if rare.any():
        seen = np.append(seen[~rare], seen[rare].sum())
        due = np.append(due[~rare], due[rare].sum())
    return float(stats.chisquare(seen, due).pvalue) if len(due) > 1 else 1.0


def happens_as_often(happened: NDArray[np.bool_], count: int, total: int) -> float:
    """The chance of a frequency as far as this from an exact probability."""
    hits = int(happened.sum())
    if count == 0:
        return float(hits == 0)
    return fits([hits, len(happened) - hits], [count, total - count])


# -- the odds --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fact", FACTS)
@pytest.mark.parametrize("holder", PLACES)
def test_hands_and_talon_are_as_good_as_the_exact_count_says(holder: str, fact: str) -> None:
    exact = {int(value): count for value, count in ODDS["hands"][str(PLACES[holder])][fact].items()}
    values = FACTS[fact](deals().hands[holder])
    assert set(np.unique(values).tolist()) <= set(exact)
    assert fits([int((values == value).sum()) for value in exact], list(exact.values())) > BY_CHANCE


def test_kings_and_queens_are_split_and_paired_as_the_exact_count_says() -> None:
    hand = deals().hands["second"]
    kinds = [f"{split}+{paired}" for split, paired in zip(halves(hand), marriages(hand), strict=True)]
    exact: dict[str, int] = ODDS["halves"]
    assert set(kinds) <= set(exact)
    assert fits([kinds.count(kind) for kind in exact], list(exact.values())) > BY_CHANCE


@pytest.mark.parametrize("split", range(5))
def test_the_talon_completes_marriages_as_the_exact_count_says(split: int) -> None:
    hand, talon = deals().hands["forehand"], deals().hands["talon"]
    whole = hand | talon
    exact = ODDS["talon_completes"][str(split)]
    with_halves = halves(hand) == split
    mates = [(held == 1) & (more == 2) for held, more in zip(pairs(hand), pairs(whole), strict=True)]
    mate = np.logical_or.reduce(mates)[with_halves]
    assert happens_as_often(mate, *exact["a mate of a half marriage"]) > BY_CHANCE
    unmarried = with_halves & (marriages(hand) == 0)
    any_new = marriages(whole)[unmarried] > 0
    assert happens_as_often(any_new, *exact["any marriage, none held before"]) > BY_CHANCE


def deal_facts() -> Mapping[str, NDArray[np.bool_]]:
    """What a whole deal may be, by the names of the exact counts."""
    by_seat = np.stack([deals().hands[name] for name in ("forehand", "second", "third")])
    talon = deals().hands["talon"]
    hand_points, nines, jacks = points(by_seat), of_rank(by_seat, 0), of_rank(by_seat, 1)
    married = marriages(by_seat) > 0
    heart = by_seat >> 18 & 0b1100 == 0b1100
    facts: dict[str, Any] = {f"a hand below {limit}": (hand_points < limit).any(axis=0) for limit in (13, 14, 15, 16)}
    facts |= {f"talon below {limit}": points(talon) < limit for limit in (4, 5, 6)}
    facts |= {
        "forehand below 13": hand_points[0] < 13,
        "forehand below 16": hand_points[0] < 16,
        "forehand with two nines": nines[0] >= 2,
        "forehand with three nines": nines[0] >= 3,
        "a hand with three nines": (nines >= 3).any(axis=0),
        "a hand with four nines": (nines == 4).any(axis=0),
        "a hand with four jacks": (jacks == 4).any(axis=0),
        "talon with two nines": of_rank(talon, 0) >= 2,
        "talon with three jacks": of_rank(talon, 1) == 3,
        "forehand with a marriage": married[0],
        "a hand with a marriage": married.any(axis=0),
        "no hand with a marriage": ~married.any(axis=0),
        "two hands with a marriage": married.sum(axis=0) >= 2,
        "talon with a marriage": marriages(talon) > 0,
        "a hand with the marriage of hearts": heart.any(axis=0),
        "every marriage split": ~(married.any(axis=0) | (marriages(talon) > 0)),
    }
    return facts | claims(facts)


def claims(facts: Mapping[str, Any]) -> dict[str, Any]:
    """What tables deal again, by the names of the exact counts."""
    four_nines, two_nines = facts["a hand with four nines"], facts["talon with two nines"]
    online = facts["a hand below 13"] | facts["a hand with three nines"] | facts["a hand with four jacks"]
    poor = facts["talon below 5"] | two_nines | facts["talon with three jacks"]
    online_hands = "a hand below 13, with three nines or with four jacks"
    found = {
        online_hands: online,
        "talon below 5, with two nines or with three jacks": poor,
        f"{online_hands}, talon below 5, with two nines or with three jacks": online | poor,
        "a hand below 14 or with four nines": facts["a hand below 14"] | four_nines,
        "a hand below 13 or with four nines, talon with two nines or below 4": (
            facts["a hand below 13"] | four_nines | two_nines | facts["talon below 4"]
        ),
    }
    classic = "forehand with two nines, a hand with four nines or below"
    for limit in (13, 14, 16):
        found[f"{classic} {limit}"] = facts["forehand with two nines"] | four_nines | facts[f"a hand below {limit}"]
    for limit in (4, 5):
        talon = two_nines | facts[f"talon below {limit}"]
        found[f"{classic} 13, talon with two nines or below {limit}"] = found[f"{classic} 13"] | talon
    return found


def test_whole_deals_happen_as_often_as_the_exact_count_says() -> None:
    facts, exact = deal_facts(), ODDS["deals"]
    assert set(facts) == set(exact)
    chances = {name: happens_as_often(facts[name], *exact[name]) for name in exact}
    assert {name: chance for name, chance in chances.items() if chance < BY_CHANCE} == {}


# -- the shuffle -----------------------------------------------------------------------------------------------------


@functools.cache
def shuffled() -> Packs:
    """The packs of the same deals in the order they were dealt, by the second dealer."""
    return packs_of_matches(DEALS, seed=SEED)


def test_cards_go_clockwise_from_forehand_and_one_to_the_talon_after_each_of_three_rounds() -> None:
    hands = deals().hands
    for name, places in zip(("forehand", "second", "third"), HAND_PLACES, strict=True):
        assert (sets(shuffled()[:, places]) == hands[name]).all()
    assert (sets(shuffled()[:, TALON_PLACES]) == hands["talon"]).all()
    last = np.int64(1) << shuffled()[:, 23]
    assert (hands["third"] & last == last).all()  # so it never goes to the talon


def test_every_card_is_equally_likely_at_every_place_of_the_pack() -> None:
    counts = np.stack([np.bincount(shuffled()[:, place], minlength=24) for place in range(24)])
    # Rows and columns both sum to the number of packs: 23 of 24 parts of the statistic have 23 * 23 degrees of freedom.
    statistic = float(((counts - DEALS / 24) ** 2).sum() / (DEALS / 24)) * 23 / 24
    assert stats.chi2.sf(statistic, 23 * 23) > BY_CHANCE
    assert stats.chi2.cdf(statistic, 23 * 23) > BY_CHANCE


@pytest.mark.parametrize(("place", "other"), [(0, 1), (5, 6), (11, 12), (17, 18), (0, 23), (3, 7)])
def test_every_two_cards_are_equally_likely_at_two_places(place: int, other: int) -> None:
    pairs_seen = np.bincount(24 * shuffled()[:, place] + shuffled()[:, other], minlength=576).reshape(24, 24)
    apart = ~np.eye(24, dtype=bool)
    assert int(pairs_seen[~apart].sum()) == 0
    assert fits(pairs_seen[apart].tolist(), [1] * 552) > BY_CHANCE


NEIGHBOURS: dict[str, Callable[[int], Packs]] = {
    "the next seed": lambda count: packs_of_matches(count, seed=SEED + 1),
    "the next match": lambda count: packs_of_matches(count, seed=SEED, first=1),
    "the next deal": lambda count: packs_of_matches(count, seed=SEED, deal=1),
    "the next attempt": lambda count: packs_of_matches(count, seed=SEED, attempt=1),
    "a far seed": lambda count: packs_of_matches(count, seed=SEED + (1 << 40)),
}


@pytest.mark.parametrize("neighbour", NEIGHBOURS)
def test_the_deals_of_neighbouring_addresses_have_nothing_in_common(neighbour: str) -> None:
    here, there = shuffled()[: DEALS // 4], NEIGHBOURS[neighbour](DEALS // 4)
    in_place = (here == there).sum(axis=1)
    unmoved = [1 / math.factorial(count) for count in range(7)]  # of random permutations, nearly
    assert fits(np.bincount(in_place, minlength=24)[:7].tolist(), unmoved) > BY_CHANCE
    common = np.bitwise_count(sets(here[:, HAND_PLACES[0]]) & sets(there[:, HAND_PLACES[0]]))
    hypergeometric = [math.comb(7, count) * math.comb(17, 7 - count) for count in range(8)]
    assert fits(np.bincount(common, minlength=8).tolist(), hypergeometric) > BY_CHANCE


def test_the_lot_makes_every_seat_the_first_dealer_equally_often() -> None:
    assert fits(np.bincount(deals().dealers).tolist(), [1, 1, 1]) > BY_CHANCE
    states = new_states(30_000)
    engine.start_matches(states, RuleSet().array(), np.arange(30_000), np.zeros(30_000))
    assert fits(np.bincount(states["dealer"]).tolist(), [1, 1, 1]) > BY_CHANCE
    tables = np.zeros((3, 3))
    np.add.at(tables, (deals().dealers[:-1], deals().dealers[1:]), 1)
    assert fits(tables.ravel().tolist(), [1] * 9) > BY_CHANCE  # nor does one lot follow from another
