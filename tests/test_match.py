"""Between deals, in score sheets: bolts, barrel, dump truck, the end of a match (B1–B4, L1–L6, L8, E1–E3, K4)."""

from __future__ import annotations

import pytest

from tests.table import Settled
from thousand_env.rules import RuleError, RuleSet
from thousand_env.state import (
    BARREL_EVENT,
    BOLT_EVENT,
    DUMP_EVENT,
    EVENT_WORDS,
    FALL_EVENT,
    FINE_EVENT,
    NONE,
    OVER,
    REVERSE_EVENT,
    SCORED,
    WIN_EVENT,
)

# -- bolts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "bolts", "tricks", "after", "totals"),
    [
        ("classic", (0, 1, 1), (4, 0, 4), [0, 2, 0], [200, 300, 320]),  # a trick clears the count
        ("classic", (0, 2, 0), (4, 0, 4), [0, 0, 0], [200, 180, 320]),  # the third costs 120
        ("classic", (1, 2, 1), (8, 0, 0), [0, 0, 2], [200, 180, 320]),
        ("online", (0, 1, 1), (4, 0, 4), [0, 2, 1], [200, 300, 320]),  # in all deals of the match
        ("online", (2, 0, 0), (0, 4, 4), [0, 0, 0], [80, 300, 320]),  # the declarer too, beside his contract
        ("online declarer_bolts=no", (2, 0, 0), (0, 4, 4), [2, 0, 0], [200, 300, 320]),
        ("classic declarer_bolts=no", (2, 0, 1), (0, 8, 0), [2, 0, 2], [200, 300, 320]),
        ("classic bolts=off", (0, 0, 0), (0, 0, 8), [0, 0, 0], [200, 300, 320]),
        ("classic fine=300", (0, 2, 0), (4, 0, 4), [0, 0, 0], [200, 0, 320]),
    ],
)
def test_a_seat_without_a_trick_gets_a_bolt_and_the_third_costs_the_fine(
    rules: str, bolts: tuple[int, ...], tricks: tuple[int, ...], after: list[int], totals: list[int]
) -> None:
    settled = Settled(rules, totals=(300, 300, 300), bolts=bolts).enter([98, 0, 22], tricks=tricks)
    assert (settled.column("bolts"), settled.column("totals")) == (after, totals)


def test_a_trick_of_three_nines_saves_from_a_bolt() -> None:
    settled = Settled("classic", bolts=(0, 2, 0)).enter([100, 0, 20], tricks=(4, 1, 3))
    assert settled.column("bolts") == [0, 0, 0]
    assert settled.column("totals") == [100, 0, 20]


# -- the barrel ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "points", "after"), [(870, 10, 880), (850, 50, 880), (870, 120, 880), (870, 5, 875)]
)
def test_a_total_of_880_or_more_sits_on_the_barrel_at_880(before: int, points: int, after: int) -> None:
    settled = Settled("classic", totals=(0, before, 0)).enter([120 - points, points, 0])
    assert settled.column("totals")[1] == after
    assert settled.column("mounted") == [0, 7 * (after == 880), 0]  # entered after deal number 6, counted from 0


def test_a_sitter_gains_nothing_as_defender_and_nothing_by_a_small_contract() -> None:
    sheet = Settled("classic", totals=(880, 0, 0), mounted=(6, 0, 0))
    assert sheet.enter([30, 70, 20], declarer=1).column("totals") == [880, -100, 20]
    assert sheet.enter([60, 40, 20], contract=120, marriages=(60, 0, 0)).column("totals") == [880, -60, 40]
    assert sheet.column("attempts") == [2, 0, 0]


def test_a_failed_contract_is_not_taken_from_a_sitter() -> None:
    settled = Settled("classic", totals=(880, 0, 0), mounted=(6, 0, 0)).enter([60, 40, 20], contract=125)
    assert (settled.column("totals"), settled.column("score")) == ([880, 40, 20], [-125, 40, 20])


def test_a_sitter_has_three_deals_and_then_falls() -> None:
    sheet = Settled("classic", totals=(0, 870, 0))
    seen: list[tuple[int, int]] = []
    for points in (30, 50, 0, 50):
        sheet.enter([120 - points, points, 0])
        seen.append((sheet.column("totals")[1], sheet.column("attempts")[1]))
    assert seen == [(880, 0), (880, 1), (880, 2), (760, 0)]
    assert (sheet.column("falls"), sheet.column("mounted")) == ([0, 1, 0], [0, 0, 0])


def test_attempts_may_be_without_end() -> None:
    sheet = Settled("classic barrel_attempts=0", totals=(0, 880, 0), mounted=(0, 1, 0))
    for _ in range(9):
        sheet.enter([98, 22, 0])
    assert (sheet.column("totals")[1], sheet.column("falls")) == (880, [0, 0, 0])


@pytest.mark.parametrize(
    ("rules", "contract", "marriages", "total", "winner"),
    [
        ("online", 120, 60, 1000, 0),
        ("classic", 125, 80, 1005, 0),
        ("classic", 120, 60, 880, NONE),  # 121 are needed
        ("classic", 125, 60, 880, NONE),  # 120 points
        ("online", 100, 60, 880, NONE),
        ("classic barrel_needs=100", 100, 60, 980, 0),
        ("classic", 200, 160, 1080, 0),
    ],
)
def test_a_sitter_wins_by_making_a_contract_that_is_high_enough(
    rules: str, contract: int, marriages: int, total: int, winner: int
) -> None:
    settled = Settled(rules, totals=(880, 0, 0), mounted=(6, 0, 0), attempts=(2 * (winner == 0), 0, 0))
    settled.enter([60, 40, 20], contract=contract, marriages=(marriages, 0, 0))
    assert (settled.column("totals")[0], settled.state.winner) == (total, winner)
    assert settled.state.phase == (OVER if winner == 0 else SCORED)


def test_the_same_contract_wins_nothing_off_the_barrel() -> None:
    settled = Settled("online", totals=(879, 0, 0)).enter([60, 40, 20], contract=120, marriages=(60, 0, 0))
    assert (settled.column("totals"), settled.state.winner) == ([880, 40, 20], NONE)


def test_a_bolt_fine_takes_a_sitter_off_before_he_can_win_and_without_a_second_fine() -> None:
    sheet = Settled("classic barrel_needs=100", totals=(880, 0, 0), mounted=(6, 0, 0), bolts=(2, 0, 0))
    sheet.enter([0, 60, 60], tricks=(0, 4, 4))
    assert (sheet.column("totals"), sheet.column("falls"), sheet.column("mounted")) == (
        [760, 60, 60],
        [1, 0, 0],
        [0] * 3,
    )
    last = Settled("classic", totals=(0, 880, 0), mounted=(0, 1, 0), bolts=(0, 2, 0), attempts=(0, 2, 0))
    assert last.enter([100, 0, 20], tricks=(4, 0, 4)).column("totals") == [100, 760, 20]
    assert last.column("falls") == [0, 1, 0]


@pytest.mark.parametrize(
    ("totals", "mounted", "attempts", "bolts", "tricks"),
    [
        ((0, 880, 0), (0, 1, 0), (0, 2, 0), (0, 0, 0), (3, 3, 2)),  # out of attempts
        ((0, 880, 0), (0, 1, 0), (0, 0, 0), (0, 2, 0), (4, 0, 4)),  # fined
        ((800, 880, 0), (0, 1, 0), (0, 0, 0), (0, 0, 0), (3, 3, 2)),  # knocked off
        ((800, 880, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0), (3, 3, 2)),  # mounting with another
    ],
)
def test_the_third_fall_of_whatever_cause_sets_the_total_to_zero(
    totals: tuple[int, ...],
    mounted: tuple[int, ...],
    attempts: tuple[int, ...],
    bolts: tuple[int, ...],
    tricks: tuple[int, ...],
) -> None:
    settled = Settled("classic", totals=totals, mounted=mounted, attempts=attempts, bolts=bolts, falls=(0, 2, 0))
    settled.enter([100, 0, 20], tricks=tricks)
    assert (settled.column("totals")[1], settled.column("falls")[1], settled.column("mounted")[1]) == (0, 0, 0)


def test_online_every_fall_costs_the_fine() -> None:
    sheet = Settled("online", totals=(0, 880, 0), mounted=(0, 1, 0), attempts=(0, 2, 0), falls=(0, 7, 0))
    assert sheet.enter([100, 0, 20]).column("totals")[1] == 760
    assert sheet.column("falls") == [0, 8, 0]


def test_a_newcomer_knocks_the_sitter_off() -> None:
    sheet = Settled("classic", totals=(880, 870, 0), mounted=(3, 0, 0)).enter([80, 30, 10])
    assert (sheet.column("totals"), sheet.column("mounted"), sheet.column("falls")) == (
        [760, 880, 10],
        [0, 7, 0],
        [1, 0, 0],
    )


def test_a_seat_falls_at_most_once_a_deal() -> None:
    sheet = Settled("classic", totals=(880, 870, 0), mounted=(3, 0, 0), attempts=(2, 0, 0)).enter([80, 30, 10])
    assert (sheet.column("totals"), sheet.column("falls")) == ([760, 880, 10], [1, 0, 0])


@pytest.mark.parametrize(
    ("mounted", "attempts", "dealer", "off"),
    [
        ((3, 2, 0), (0, 0, 0), 2, 1),  # the longest sitter
        ((2, 3, 0), (0, 0, 0), 2, 0),
        ((2, 2, 0), (0, 0, 0), 2, 1),  # of equals the furthest clockwise from forehand, seat 0
        ((2, 2, 0), (0, 0, 0), 0, 0),  # forehand is seat 1
        ((2, 3, 0), (0, 2, 0), 2, 1),  # attempts settle first
    ],
)
def test_of_two_sitters_the_longest_is_knocked_off(
    mounted: tuple[int, ...], attempts: tuple[int, ...], dealer: int, off: int
) -> None:
    totals = (880, 880, 870)
    sheet = Settled("classic barrel_seats=2", dealer=dealer, totals=totals, mounted=mounted, attempts=attempts)
    sheet.enter([60, 30, 30])
    assert sheet.column("totals") == [760 if seat == off else 880 for seat in range(3)]


@pytest.mark.parametrize(
    ("rules", "totals", "declarer", "dealer", "sits"),
    [
        ("classic", (850, 870, 0), 0, 2, []),  # all fall
        ("online", (850, 870, 0), 0, 2, [0]),  # the declarer stays
        ("online", (850, 870, 870), 2, 2, [2]),
        ("online", (0, 870, 870), 0, 2, [1]),  # the first clockwise from forehand stays
        ("online", (870, 0, 870), 1, 1, [2]),
        ("online barrel_seats=2", (850, 870, 870), 2, 2, [0, 2]),
        ("online barrel_seats=3", (850, 870, 870), 0, 2, [0, 1, 2]),
        ("classic barrel_seats=3", (850, 870, 870), 0, 2, [0, 1, 2]),
        ("classic barrel_seats=2", (850, 870, 870), 0, 2, []),
    ],
)
def test_seats_that_mount_together_fall_together_or_but_for_some(
    rules: str, totals: tuple[int, ...], declarer: int, dealer: int, sits: list[int]
) -> None:
    marriages = [100 * (seat == declarer) for seat in range(3)]
    sheet = Settled(rules, dealer=dealer, totals=totals).enter([40, 40, 40], declarer=declarer, marriages=marriages)
    reached = [seat for seat in range(3) if totals[seat]]
    assert [seat for seat in range(3) if sheet.column("mounted")[seat]] == sits
    assert [sheet.column("totals")[seat] for seat in reached] == [880 if seat in sits else 760 for seat in reached]
    assert [sheet.column("falls")[seat] for seat in reached] == [int(seat not in sits) for seat in reached]


def test_two_falling_together_leave_the_old_sitter_alone() -> None:
    sheet = Settled("classic", totals=(880, 870, 870), mounted=(2, 0, 0)).enter([80, 20, 20])
    assert (sheet.column("totals"), sheet.column("mounted")) == ([880, 760, 760], [2, 0, 0])


def test_the_winner_knocks_nobody_off_and_the_rest_of_the_barrel_is_settled() -> None:
    sheet = Settled("classic barrel_seats=2", totals=(880, 880, 870), mounted=(2, 3, 0), attempts=(0, 1, 0))
    sheet.enter([70, 25, 25], contract=130, marriages=(60, 0, 0))
    assert (sheet.column("totals"), sheet.column("mounted")) == ([1010, 880, 880], [0, 3, 7])


# -- the dump truck --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "before", "points", "after"),
    [
        (555, 535, 20, 0),
        (555, 530, 20, 550),
        (550, 530, 20, 0),
        (0, 535, 20, 555),
        (555, -575, 20, 0),
        (100, 80, 20, 0),
    ],
)
def test_a_total_of_exactly_the_dump_trucks_number_becomes_zero(
    number: int, before: int, points: int, after: int
) -> None:
    sheet = Settled(f"classic dump_truck={number}", totals=(0, before, 0)).enter([120 - points, points, 0])
    assert sheet.column("totals")[1] == after


def test_a_contract_a_fine_and_a_fall_are_dumped_alike() -> None:
    assert Settled("classic", totals=(435, 0, 0)).enter([100, 20, 0], contract=120, marriages=(40, 0, 0)).column(
        "totals"
    ) == [0, 20, 0]
    fined = Settled("classic", totals=(0, 675, 0), bolts=(0, 2, 0)).enter([100, 0, 20], tricks=(4, 0, 4))
    assert fined.column("totals") == [100, 0, 20]
    fell = Settled("classic dump_truck=760", totals=(0, 880, 0), mounted=(0, 1, 0), attempts=(0, 2, 0))
    assert fell.enter([100, 10, 10]).column("totals") == [100, 0, 10]


@pytest.mark.parametrize("number", [880, 900])
def test_a_dump_truck_on_the_barrel_or_beyond_is_no_rule(number: int) -> None:
    with pytest.raises(RuleError, match=rf"dump_truck={number} with barrel_at=880: expected the dump truck below"):
        RuleSet(dump_truck=number)


# -- the end ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("deal", "phase"), [(0, SCORED), (3, SCORED), (4, OVER)])
def test_the_last_deal_ends_a_match_that_nobody_won(deal: int, phase: int) -> None:
    sheet = Settled("core max_deals=5", deal=deal).enter([60, 40, 20])
    assert (sheet.state.phase, sheet.state.winner, sheet.state.turn) == (phase, NONE, NONE)


def test_a_win_in_the_last_deal_is_a_win() -> None:
    sheet = Settled("online max_deals=5", deal=4, totals=(880, 0, 0), mounted=(2, 0, 0))
    sheet.enter([60, 40, 20], contract=120, marriages=(60, 0, 0))
    assert (sheet.state.phase, sheet.state.winner) == (OVER, 0)


@pytest.mark.parametrize(
    ("totals", "winner", "stakes"),
    [
        ((1005, 300, 200), 0, [6, 0, -6]),
        ((300, 1005, 300), 1, [-3, 6, -3]),  # equal last places share the payment
        ((980, 990, 700), 0, [6, 0, -6]),  # the winner wins whatever the totals
        ((980, 990, 990), 0, [6, -3, -3]),
        ((300, 500, 200), NONE, [0, 6, -6]),  # truncated: ranked by totals
        ((500, 500, 300), NONE, [3, 3, -6]),
        ((300, 500, 300), NONE, [-3, 6, -3]),
        ((0, 0, 0), NONE, [0, 0, 0]),
        ((-500, -500, -500), NONE, [0, 0, 0]),
    ],
)
def test_the_last_pays_the_winner_and_equal_places_share(
    totals: tuple[int, ...], winner: int, stakes: list[float]
) -> None:
    sheet = Settled("core bank=6", totals=totals)
    sheet.state.winner = winner
    assert sheet.payoff() == stakes


# -- the order -------------------------------------------------------------------------------------------------------


def test_events_are_bits_in_the_order_in_which_effects_fall() -> None:
    bits = [BOLT_EVENT, FINE_EVENT, WIN_EVENT, FALL_EVENT, BARREL_EVENT, DUMP_EVENT, REVERSE_EVENT]
    assert bits == sorted(bits)
    assert EVENT_WORDS == ("bolt", "fine", "win", "fall", "barrel", "dump", "reverse")


def test_one_deal_may_bring_all_effects_and_each_seat_keeps_its_own() -> None:
    sheet = Settled("online dump_truck=760", totals=(880, 875, 880), mounted=(2, 0, 1), bolts=(0, 0, 2))
    sheet.enter([60, 60, 0], contract=120, marriages=(60, 0, 0), tricks=(4, 4, 0))
    assert sheet.column("events") == [WIN_EVENT, BARREL_EVENT, BOLT_EVENT | FINE_EVENT | FALL_EVENT | DUMP_EVENT]
    assert sheet.column("totals") == [1000, 880, 0]
