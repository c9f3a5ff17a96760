"""The auction, in positions (A1–A4, L3)."""

from __future__ import annotations

import pytest

from tests.reference_sheet import Columns
from tests.table import Table, card_set
from thousand_env import auction
from thousand_env.actions import PASS, action_text, bid_action, bid_points
from thousand_env.rules import RuleSet

# Marriages: clubs at seat 0, none at seat 1, spades at seat 2, hearts by the talon. Seat 0 is forehand.
PLAIN = "2 hQdTcAKQJs9/hTdAKJcTsAJ/hAJ9c9sTKQ hKdQ9"


@pytest.mark.parametrize(
    ("hand", "limit"),
    [
        ("h9dA", 120), ("sKQ", 160), ("cKQ", 180), ("dKQ", 200), ("hKQ", 220), ("sKQcKQ", 220), ("hKQsKQ", 260),
        ("hKsQdKcQ", 120), ("dKQhKQcKQsKQ", 400), ("cKQdKQhKQ", 360),
    ],
)  # fmt: skip
def test_a_hand_may_bid_120_and_its_marriages(hand: str, limit: int) -> None:
    assert auction.bid_limit(card_set(hand), RuleSet().array()[0]) == limit


@pytest.mark.parametrize("hand", ["h9dA", "dKQhKQcKQsKQ"])
def test_without_the_cap_every_hand_may_bid_400(hand: str) -> None:
    assert auction.bid_limit(card_set(hand), RuleSet(bid_cap=False).array()[0]) == 400


@pytest.mark.parametrize(
    ("bid", "rules", "off", "on"),
    [
        (100, "classic", 105, 125),  # 121 are needed: 125 in steps of five
        (100, "online", 105, 120),
        (115, "online", 120, 120),
        (120, "online", 125, 125),
        (135, "classic", 140, 140),
        (100, "classic bid_step=20", 120, 140),  # 100, 120, 140
        (100, "classic bid_step=15", 115, 130),
        (100, "online barrel_at=900", 105, 105),  # 100 are needed
        (300, "classic", 305, 305),
    ],
)
def test_the_lowest_raise_is_one_step_and_from_the_barrel_one_that_wins(
    bid: int, rules: str, off: int, on: int
) -> None:
    array = RuleSet.parse(rules).array()[0]
    assert auction.lowest_raise(bid, False, array) == off
    assert auction.lowest_raise(bid, True, array) == on


@pytest.mark.parametrize(
    ("points", "bid", "step", "raised"),
    [(100, 100, 5, 105), (121, 100, 5, 125), (121, 100, 20, 140), (120, 100, 10, 120), (140, 120, 15, 150)],
)
def test_a_raise_that_reaches_some_points_is_a_multiple_of_the_step_over_the_bid(
    points: int, bid: int, step: int, raised: int
) -> None:
    assert auction.raise_to(points, bid, step) == raised


def test_a_sitter_raises_the_blind_120_by_whole_steps() -> None:
    rules = "core blind=yes bid_step=15 bid_cap=no barrel_needs=140"
    table = Table(rules, PLAIN, "blind", asks=True, totals=(0, 880, 0), mounted=(0, 1, 0))
    assert table.levels()[:2] == [150, 165]


def test_levels_are_bits_from_100_to_400() -> None:
    assert [auction.level_bit(points) for points in (100, 105, 400)] == [1, 2, 1 << 60]
    assert [bid_points(bid_action(points)) for points in (100, 255, 400)] == [100, 255, 400]


def test_forehand_opens_with_100_or_more_up_to_his_cap_and_may_not_pass() -> None:
    table = Table("core", PLAIN)
    assert (table.state.turn, table.levels()) == (0, list(range(100, 185, 5)))
    assert "pass" not in table.legal()


def test_the_opening_may_have_to_be_exactly_100() -> None:
    table = Table("core opening=exactly_100", PLAIN)
    assert table.legal() == {"100"}
    assert table.act("100").legal() == {"pass", "105", "110", "115", "120"}


def test_each_seat_raises_within_its_own_cap_or_passes() -> None:
    table = Table("core", PLAIN, "110")
    assert table.legal() == {"pass", "115", "120"}
    table.act("120")
    assert table.legal() == {"pass", *map(str, range(125, 165, 5))}
    table.act("160")
    assert table.legal() == {"pass", "165", "170", "175", "180"}
    table.act("180")
    assert table.legal() == {"pass"}


def test_bids_rise_in_steps() -> None:
    assert Table("core bid_step=10", PLAIN, "100").levels() == [110, 120]
    assert Table("core bid_step=20 bid_cap=no", PLAIN, "120").levels() == list(range(140, 401, 20))


def test_a_pass_is_final_and_the_last_seat_left_is_declarer() -> None:
    table = Table("core", PLAIN, "100 105 pass")
    assert table.state.turn == 0
    table.act("110 120")
    assert table.state.turn == 0  # seat 2 has passed and is not asked again
    table.act("pass")
    assert (table.state.declarer, table.state.bid, table.state.turn) == (1, 120, 1)
    assert table.state.passed == 0b101


def test_everybody_passing_leaves_the_opener_with_his_bid() -> None:
    table = Table("core", PLAIN, "115 pass pass")
    assert (table.state.declarer, table.state.bid) == (0, 115)


def test_all_bids_of_a_seat_are_remembered_as_levels() -> None:
    table = Table("core", PLAIN, "100 110 115 120 pass 160 pass")
    levels = [[100 + 5 * bit for bit in range(61) if int(bids) >> bit & 1] for bids in table.state.bids]
    assert levels == [[100, 120], [110], [115, 160], []]


SEAT_1_SITS = Columns(totals=(0, 880, 0), mounted=(0, 1, 0))
SEAT_2_SITS = Columns(totals=(0, 0, 880), mounted=(0, 0, 1))


def test_a_sitter_without_a_marriage_can_only_pass_where_121_are_needed() -> None:
    assert Table("classic", PLAIN, "100", **SEAT_1_SITS).legal() == {"pass"}
    assert Table("online", PLAIN, "100", **SEAT_1_SITS).legal() == {"pass", "120"}
    assert Table("online", PLAIN, "120", **SEAT_1_SITS).legal() == {"pass"}


def test_a_sitter_with_a_marriage_bids_what_wins_or_more() -> None:
    assert Table("classic", PLAIN, "100 pass", **SEAT_2_SITS).levels() == list(range(125, 165, 5))
    assert Table("classic", PLAIN, "100 105", **SEAT_2_SITS).levels() == list(range(125, 165, 5))
    assert Table("online", PLAIN, "150 pass", **SEAT_2_SITS).levels() == [155, 160]


@pytest.mark.parametrize(
    ("rules", "levels"),
    [
        ("classic", [100, *range(125, 185, 5)]),
        ("online", [100, *range(120, 185, 5)]),
        ("classic opening=exactly_100", [100]),
        ("classic bid_step=20", [100, 140, 160, 180]),
    ],
)
def test_a_sitter_opens_with_what_wins_or_with_exactly_100(rules: str, levels: list[int]) -> None:
    table = Table(rules, PLAIN, totals=(880, 0, 0), mounted=(1, 0, 0))
    assert table.levels() == levels
    assert "pass" not in table.legal()


def test_the_others_bid_freely_against_a_sitter() -> None:
    table = Table("classic", PLAIN, "100", totals=(880, 0, 0), mounted=(1, 0, 0))
    assert table.legal() == {"pass", "105", "110", "115", "120"}


def test_pass_and_bids_have_texts() -> None:
    assert [action_text(PASS), action_text(bid_action(100)), action_text(bid_action(400))] == ["pass", "100", "400"]
