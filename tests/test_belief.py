"""What an auction says about the hands behind it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from agents.belief import FLOOR, auction_chance, believed, chance_worth
from agents.determinize import count_worlds, enumerate_worlds, sample
from tests.table import Table
from thousand_env import view
from thousand_env.errors import RuleError
from thousand_env.rules import CORE

HANDS = "2 hATKQJ9dA/dKQJcATKQ/cJsATKQJ9 dT9c9"
NAN = math.nan


def worth(value: float, points: int) -> float:
    """The chance that a hand of this value is taken for worth so many points, by the normal distribution."""
    return FLOOR + (1 - 2 * FLOOR) * 0.5 * (1 + math.erf((value - points) / 15 / math.sqrt(2)))


def test_half_of_all_players_take_a_hand_for_worth_its_value() -> None:
    assert chance_worth(120.0, 120) == pytest.approx(0.5)
    assert chance_worth(500.0, 100) == pytest.approx(1 - FLOOR)
    assert chance_worth(0.0, 300) == pytest.approx(FLOOR)
    assert chance_worth(130.0, 120) == pytest.approx(worth(130, 120))


@pytest.mark.parametrize(
    ("actions", "value", "expected"),
    [
        # The forced opening says nothing; nothing is asked of seat 0, who is the viewer.
        ("100", (NAN, 90, 90), 1.0),
        ("100 105", (NAN, 90, 80), worth(90, 105)),
        # Who passes would not have bid the next level: 105 over 100, 110 over 105.
        ("100 pass pass", (NAN, 90, 80), (1 - worth(90, 105)) * (1 - worth(80, 105))),
        ("100 105 pass", (NAN, 90, 80), worth(90, 105) * (1 - worth(80, 110))),
        ("100 105 pass 110 pass", (NAN, 112, 80), worth(112, 105) * (1 - worth(80, 110)) * (1 - worth(112, 115))),
        ("100 105 110 pass 115", (NAN, 112, 80), worth(112, 105) * worth(80, 110) * worth(112, 115)),
        ("100 pass 120 130", (NAN, 90, 80), (1 - worth(90, 105)) * worth(80, 120)),
        # Nothing is asked of a seat whose acts say nothing.
        ("100 105 110", (NAN, NAN, 80), worth(80, 110)),
    ],
)  # fmt: skip
def test_the_chance_of_an_auction_is_that_of_its_bids_and_passes(
    actions: str, value: tuple[float, float, float], expected: float
) -> None:
    table = Table("core", HANDS, actions)
    assert auction_chance(table.state, table.array[0], np.array([*value, NAN])) == pytest.approx(expected)


def test_at_a_table_of_four_the_dealer_says_nothing() -> None:
    table = Table("core players=4", "1 hATKQJ9dA/-/dKQJcATKQ/cJsATKQJ9 dT9c9", "100 105 pass")
    chance = auction_chance(table.state, table.array[0], np.array([NAN, NAN, 90.0, 80.0]))
    assert chance == pytest.approx(worth(80, 105))  # forehand is seat 2, seat 3 raises, seat 0 passes


def test_a_seat_that_bid_is_believed_to_hold_more_than_one_that_passed() -> None:
    table = Table("core", HANDS, "100 pass 105 130")
    views = view.look(table.states, table.array, np.array([2]))
    worlds = believed(views, table.array, 400, np.array([3]))[0]
    aces = np.bitwise_count(worlds["dealt"][:, :3] & 0o40404040).mean(
        axis=0
    )  # places: the viewer, forehand, who passed
    assert aces[1] > aces[2] + 0.2
    assert (view.look(worlds, table.array, np.zeros(400, np.int64)) == views[0]).all()


def test_rules_are_taken_as_an_array_as_a_value_and_as_text() -> None:
    table = Table("core", HANDS, "100 pass 105 pass cJ d9")
    views, keys = view.look(table.states, table.array, np.array([2])), np.array([3])
    for draw in (sample, believed):
        drawn = {draw(views, rules, 9, keys).tobytes() for rules in (table.array, CORE, "core")}
        assert len(drawn) == 1
    assert count_worlds(views, "core") == count_worlds(views, CORE) == len(enumerate_worlds(views, "core", 10_000))


@pytest.mark.parametrize("rules", [None, 3, np.zeros(1), CORE.array()[0], CORE.array().repeat(2)])
def test_what_are_no_rules_is_named(rules: Any) -> None:
    table = Table("core", HANDS, "100 pass 105")
    views = view.look(table.states, table.array, np.array([0]))
    with pytest.raises(RuleError, match=r"^rules: found .*, expected a RuleSet, a text"):
        believed(views, rules, 1, np.array([3]))
    with pytest.raises(RuleError, match=r"^rules: found .*, expected a RuleSet, a text"):
        count_worlds(views, rules)
