"""What a deal is worth to each seat (K1–K3, M8)."""

from __future__ import annotations

import pytest

from tests.table import Settled, card_set
from thousand_env import scoring
from thousand_env.rules import RuleSet


@pytest.mark.parametrize(
    ("points", "five", "ten"),
    [
        (0, 0, 0), (2, 0, 0), (3, 5, 0), (4, 5, 0), (5, 5, 10), (7, 5, 10), (8, 10, 10), (12, 10, 10), (13, 15, 10),
        (15, 15, 20), (17, 15, 20), (18, 20, 20), (22, 20, 20), (23, 25, 20), (27, 25, 30), (73, 75, 70),
        (120, 120, 120), (223, 225, 220), (400, 400, 400),
    ],
)  # fmt: skip
def test_points_round_to_the_nearest_step_halves_up(points: int, five: int, ten: int) -> None:
    assert (scoring.round_points(points, 5), scoring.round_points(points, 10)) == (five, ten)


def test_deal_points_are_captured_points_and_marriages() -> None:
    assert scoring.deal_points(card_set("hAKQ"), 100) == 118
    assert scoring.deal_points(0, 0) == 0
    assert scoring.deal_points(card_set("sAcAdAhAsTcTdThT"), 40) == 124


@pytest.mark.parametrize(
    ("points", "contract", "exact", "with_rounding"),
    [
        (120, 120, True, True), (119, 120, False, True), (118, 120, False, True), (117, 120, False, False),
        (169, 170, False, True), (220, 130, True, True), (98, 100, False, True), (97, 100, False, False),
    ],
)  # fmt: skip
def test_one_point_short_fails_unless_the_declarer_is_rounded(
    points: int, contract: int, exact: bool, with_rounding: bool
) -> None:
    assert scoring.makes_contract(points, contract, RuleSet().array()[0]) == exact
    assert scoring.makes_contract(points, contract, RuleSet(round_declarer=True).array()[0]) == with_rounding


def test_a_declarer_rounded_to_ten_makes_95_of_100() -> None:
    rules = RuleSet(round_declarer=True, round_to=10).array()[0]
    assert scoring.makes_contract(95, 100, rules)
    assert not scoring.makes_contract(94, 100, rules)


@pytest.mark.parametrize(("marriages", "score"), [((60, 0, 0), [120, 35, 25]), ((40, 0, 20), [-120, 35, 45])])
def test_the_declarer_scores_the_contract_or_loses_it_and_defenders_their_points(
    marriages: tuple[int, int, int], score: list[int]
) -> None:
    settled = Settled("core").enter([60, 37, 23], contract=120, marriages=marriages)
    assert settled.column("score") == score


def test_no_declarer_scores_more_than_his_contract() -> None:
    settled = Settled("core").enter([120, 0, 0], contract=100, marriages=(100, 0, 0), tricks=(8, 0, 0))
    assert settled.column("score") == [100, 0, 0]


def test_a_defender_scores_his_own_marriage() -> None:
    settled = Settled("core").enter([97, 3, 20], declarer=2, marriages=(0, 100, 0))
    assert settled.column("score") == [95, 105, -100]


def test_with_ten_the_defenders_are_rounded_to_tens() -> None:
    assert Settled("core round_to=10").enter([80, 25, 15]).column("score") == [-100, 30, 20]


def test_marriages_of_a_seat_without_a_trick_are_struck() -> None:
    settled = Settled("core").enter([0, 60, 60], marriages=(100, 40, 0), tricks=(0, 4, 4))
    assert settled.column("marriages") == [0, 40, 0]
    assert settled.column("score") == [-100, 100, 60]
