"""Worlds: they agree with the view, could have been played, are all there are, and come up equally often."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from math import comb
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from agents.determinize import NoWorld, count_worlds, enumerate_worlds, sample
from tests import generator
from tests.histories import retraced
from tests.random_matches import random_action, random_rules, random_start
from tests.table import Table
from tests.trials import cards_of, number_of_trials, worlds_by_trial
from thousand_env import engine
from thousand_env.replay import Course
from thousand_env.rules import RuleSet
from thousand_env.state import (
    AUCTION,
    BLIND,
    CLAIM,
    CONTRACT,
    EXCHANGE,
    PLAY,
    SCORED,
    TALON,
    check_state,
    new_states,
)
from thousand_env.view import look, relative

PRESETS = ("core", "classic", "online", "tysiac")
Cards = tuple[int, ...]


def seen(states: NDArray[Any], rules: NDArray[Any], seat: int) -> NDArray[Any]:
    """What one seat sees, shape (1,)."""
    return look(states, rules, np.array([seat]))


def dealt(rules: str, match: int = 0) -> tuple[NDArray[Any], NDArray[Any]]:
    """The first deal of a match, and the rules as kernels read them."""
    states, array = new_states(1), RuleSet.parse(rules).array()
    engine.start_matches(states, array, np.array([3]), np.array([match]))
    return states, array


# -- along matches ---------------------------------------------------------------------------------------------------


def played_deals(texts: list[str], seed: int, count: int) -> Iterator[Course]:
    """Deals of these tables, or of random ones, as they are before each action."""
    for number in range(count):
        rng = random.Random(f"{seed}/{number}")
        drawn = random_rules(rng) if number % 2 else generator.random_rules(rng)
        rules = RuleSet.parse(texts[number % len(texts)]) if texts else drawn
        course = Course(random_start(rules, rng)[1], rules)
        while course.state.phase < SCORED:
            yield course
            course.take(random_action(course, rng))


def tells_forehand(states: NDArray[Any], rules: NDArray[Any]) -> bool:
    """Whether four players see in their views who was forehand, or it does not matter (R1).

    They do by the opening, unless a sitter was granted the contract (L7) or somebody was kept out (A5).
    """
    granted = bool(rules["barrel_auction"][0] == 1 and states["mounted"].any())
    kept_out = bool(rules["negative_auction"][0] > 0 and (states["totals"] < 0).any())
    return rules["players"][0] < 4 or rules["redeal_forehand_nines"][0] < 2 or not (granted or kept_out)


def assert_worlds_agree(states: NDArray[Any], rules: NDArray[Any], seat: int, key: int) -> None:
    views = seen(states, rules, seat)
    worlds = sample(views, rules, 2, np.array([key]))[0]
    assert [back.tobytes() for back in look(worlds, rules, np.zeros(2))] == 2 * [views[0].tobytes()]
    for world in worlds:
        check_state(world, rules)
        assert retraced(world, rules) == "" or not tells_forehand(states, rules)


@pytest.mark.parametrize("preset", PRESETS)
def test_worlds_give_the_view_back_and_their_past_is_legal(preset: str) -> None:
    tables = [f"{preset} players={players}" for players in (2, 3, 4)]
    phases: set[int] = set()
    for ply, course in enumerate(played_deals(tables, seed=1, count=12)):
        assert_worlds_agree(course.states, course.rules.array(), ply % course.rules.players, ply)
        phases.add(int(course.state.phase))
    assert {AUCTION, TALON, EXCHANGE, CONTRACT, PLAY} <= phases
    assert preset == "core" or CLAIM in phases
    assert preset != "classic" or BLIND in phases


def test_so_do_worlds_at_tables_where_anything_may_be_agreed_on() -> None:
    for ply, course in enumerate(played_deals([], seed=2, count=80)):
        assert_worlds_agree(course.states, course.rules.array(), ply % course.rules.players, ply)


def test_the_cards_as_they_are_make_one_of_the_worlds() -> None:
    found = 0
    for ply, course in enumerate(played_deals([], seed=3, count=60)):
        rules, seat, true = course.rules.array(), ply % course.rules.players, course.state
        try:
            worlds = enumerate_worlds(seen(course.states, rules, seat), rules, 3000)
        except NoWorld:
            continue  # too many
        dealer, seats = int(worlds["dealer"][0]), range(course.rules.players)
        at = {relative(other, seat, true.dealer, len(seats)): other for other in seats}
        here = [at[relative(other, 0, dealer, len(seats))] for other in seats]
        same = (worlds["talon"] == true.talon) & (worlds["other_talon"] == true.other_talon)
        for name in ("dealt", "hands", "gifts"):
            same &= (worlds[name][:, seats] == true[name][here]).all(axis=1)
        assert same.sum() == 1
        found += 1
    assert found > 400


# -- how many --------------------------------------------------------------------------------------------------------


# Marriages: clubs at seat 0, none at seat 1, spades at seat 2, hearts by the talon. Seat 0 is forehand.
PLAIN = "2 hQdTcAKQJs9/hTdAKJcTsAJ/hAJ9c9sTKQ hKdQ9"
LEAD = "2 hKQdTcAKQJs9/hTdAKQJcTsAJ/hAJ9d9c9sTKQ -"
OF_TWO = "1 hKQdTcAKQJs9TJ/hTAdAKJQcTsAKQ h9d9+hJc9"


@pytest.mark.parametrize(
    ("rules", "position", "actions", "seat", "worlds"),
    [
        ("core", PLAIN, "", 0, comb(17, 7) * comb(10, 7)),
        ("classic", PLAIN, "blind", 0, comb(24, 7) * comb(17, 7) * comb(10, 7)),
        ("core", PLAIN, "105 pass pass", 0, comb(14, 7)),
        ("core", PLAIN, "105 pass pass", 1, comb(14, 7)),
        ("core", PLAIN, "105 pass pass cJ d9 pass", 0, comb(14, 7)),
        # cJ, given openly, was not dealt to the other defender.
        ("core", PLAIN, "105 pass pass cJ", 1, comb(13, 7)),
        ("core", PLAIN, "105 pass pass cJ d9 pass", 1, comb(13, 7)),
        # Nobody else saw what was given: one of nine cards.
        ("online", PLAIN, "105 pass pass cJ d9 pass", 1, comb(13, 7) * 9),
        # A talon that stayed closed: any three of the ten cards that the declarer had.
        ("core", PLAIN, "100 pass pass", 1, comb(17, 7) * comb(10, 3)),
        ("core", PLAIN, "100 pass pass cJ d9 pass", 1, comb(15, 7) * comb(10, 3)),
        ("online", PLAIN, "100 pass pass cJ d9 pass", 1, comb(16, 7) * comb(10, 3) * 9),
        ("core", LEAD, "", 1, comb(16, 8)),
        ("core players=2", OF_TWO, "", 1, comb(14, 10) * comb(4, 2)),
        ("core players=2", OF_TWO, "105 pass talonB", 0, comb(12, 10)),
        ("core players=2", OF_TWO, "105 pass talonB", 1, comb(12, 10)),
        ("core players=2", OF_TWO, "100 pass talonB c9", 1, comb(13, 10) * 3),
    ],
)
def test_the_number_of_worlds(rules: str, position: str, actions: str, seat: int, worlds: int) -> None:
    table = Table(rules, position, actions, asks="blind" in actions)
    assert count_worlds(seen(table.states, table.array, seat), table.array) == worlds


# -- all there are ---------------------------------------------------------------------------------------------------

# Tables at which much can be worked out from what was done, or not done, and much is hidden.
TELLING = [
    "core talon_at_100=closed", "online ace_marriage=yes declare=automatic", "tysiac", "tysiac must_trump=no bid_cap=no",
    "classic marriage_first_lead=unbeatable declare=automatic declare_with=king_or_queen blind=no", "tysiac players=2",
    "core players=2 redeal_low_hand=force redeal_hand_below=30 redeal_forehand_nines=force", "online players=2",
    "core must_beat=yes must_trump=no must_overtrump=yes exchange=closed", "core redeal_three_nines=force exchange=closed",
]  # fmt: skip
MAX_TRIALS = 130


@pytest.mark.parametrize("rules", TELLING)
def test_the_worlds_are_all_there_are_and_no_more(rules: str) -> None:
    compared: Counter[int] = Counter()
    for number, course in enumerate(played_deals([rules], seed=4, count=12)):
        array = course.rules.array()
        if number % 3 or number_of_trials(course.states, array) > MAX_TRIALS:
            continue
        worlds = enumerate_worlds(seen(course.states, array, 0), array, MAX_TRIALS)
        expected = worlds_by_trial(course.states, array)
        assert {cards_of(world) for world in worlds} == expected
        assert len(worlds) == len(expected)
        compared[len(worlds)] += 1
    assert compared.total() > 10
    assert len(compared) > 3
