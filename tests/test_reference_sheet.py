"""The score sheet of the reference, proved on cases worked by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from tests.reference_sheet import Event, Result, Sheet, shared_stakes
from tests.reference_tables import CLASSIC, CORE, ONLINE, Rules


def settle(sheet: Sheet, score: Sequence[int], contract: int = 100, tricks: Sequence[int] = (3, 3, 2)) -> list[Event]:
    """Settle deal 6, forehand 1, declarer 0."""
    return sheet.settle(Result(6, 1, 0, contract, score, tricks))


@pytest.mark.parametrize(
    ("rules", "bolts", "tricks", "after", "events"),
    [
        (CLASSIC, (0, 2, 0), (4, 0, 4), [0, 0, 0], [("bolt", 1), ("fine", 1, 120)]),
        (CLASSIC, (1, 2, 1), (8, 0, 0), [0, 0, 2], [("bolt", 1), ("bolt", 2), ("fine", 1, 120)]),
        (CLASSIC, (0, 2, 1), (1, 1, 6), [0, 0, 0], []),
        (ONLINE, (0, 2, 1), (1, 1, 6), [0, 2, 1], []),
        (ONLINE, (2, 0, 0), (0, 4, 4), [0, 0, 0], [("bolt", 0), ("fine", 0, 120)]),
        (ONLINE | {"declarer_bolts": False}, (2, 0, 0), (0, 4, 4), [2, 0, 0], []),
        (CLASSIC | {"declarer_bolts": False}, (2, 0, 1), (0, 8, 0), [2, 0, 2], [("bolt", 2)]),
        (CLASSIC | {"bolts": "off"}, (0, 0, 0), (0, 0, 8), [0, 0, 0], []),
    ],
)
def test_every_third_bolt_costs_the_fine(
    rules: Rules, bolts: Sequence[int], tricks: Sequence[int], after: list[int], events: list[Event]
) -> None:
    sheet = Sheet(rules, totals=(300, 300, 300), bolts=bolts)
    assert settle(sheet, (-100, 0, 0), tricks=tricks) == events
    assert sheet.bolts == after
    fined = [event[1] for event in events if event[0] == "fine"]
    assert sheet.totals == [300 - 100 * (seat == 0) - 120 * (seat in fined) for seat in range(3)]


@pytest.mark.parametrize(("before", "score", "after"), [(870, 10, 880), (850, 50, 880), (800, 210, 880), (870, 5, 875)])
def test_a_total_of_880_or_more_sits_on_the_barrel_at_880(before: int, score: int, after: int) -> None:
    sheet = Sheet(CLASSIC, totals=(0, before, 0), attempts=(0, 2, 0))
    events = settle(sheet, (100, score, 0))
    assert sheet.totals == [100, after, 0]
    assert events == ([("barrel", 1)] if after == 880 else [])
    assert (sheet.mounted[1], sheet.attempts[1]) == ((7, 0) if after == 880 else (0, 2))


def test_a_sitter_has_three_deals_and_then_falls() -> None:
    sheet = Sheet(CLASSIC, totals=(0, 870, 0))
    seen: list[tuple[int, int]] = []
    for score in (30, 50, 0, 50):
        settle(sheet, (100, score, 0))
        seen.append((sheet.totals[1], sheet.attempts[1]))
    assert seen == [(880, 0), (880, 1), (880, 2), (760, 3)]
    assert (sheet.falls[1], sheet.mounted[1]) == (1, 0)


def test_attempts_may_be_without_end() -> None:
    sheet = Sheet(CLASSIC | {"barrel_attempts": 0}, totals=(0, 880, 0), mounted=(0, 1, 0))
    assert [settle(sheet, (100, 20, 0)) for _ in range(5)] == [[]] * 5


@pytest.mark.parametrize(
    ("rules", "contract", "made", "total"),
    [
        (ONLINE, 120, True, 1000), (CLASSIC, 125, True, 1005), (CLASSIC, 130, True, 1010), (CLASSIC, 120, True, 880),
        (CLASSIC, 100, True, 880), (CLASSIC, 125, False, 880), (CLASSIC | {"barrel_needs": 100}, 100, True, 980),
    ],
)  # fmt: skip
def test_a_sitter_wins_by_a_contract_that_is_high_enough_and_loses_nothing_by_another(
    rules: Rules,
    contract: int,
    made: bool,
    total: int,
) -> None:
    sheet = Sheet(rules, totals=(880, 40, 60), mounted=(2, 0, 0), attempts=(2 if total > 880 else 1, 0, 0))
    events = settle(sheet, (contract if made else -contract, 10, 10), contract)
    assert sheet.totals == [total, 50, 70]
    assert events == ([("win", 0)] if total > 880 else [])
    assert sheet.winner == (0 if total > 880 else None)


def test_the_third_fall_of_whatever_cause_sets_the_total_to_zero() -> None:
    failed = Sheet(CLASSIC, totals=(0, 880, 0), mounted=(0, 1, 0), attempts=(0, 2, 0), falls=(0, 2, 0))
    assert settle(failed, (100, 30, 0)) == [("fall", 1)]
    fined = Sheet(CLASSIC, totals=(0, 880, 0), mounted=(0, 1, 0), bolts=(0, 2, 0), falls=(0, 2, 0))
    assert settle(fined, (100, 0, 0), tricks=(4, 0, 4)) == [("bolt", 1), ("fine", 1, 120), ("fall", 1)]
    knocked = Sheet(CLASSIC, totals=(800, 880, 0), mounted=(0, 1, 0), falls=(0, 2, 0))
    assert settle(knocked, (100, 30, 0)) == [("fall", 1), ("barrel", 0)]
    tied = Sheet(CLASSIC, totals=(800, 870, 0), falls=(0, 2, 0))
    assert settle(tied, (100, 30, 0)) == [("fall", 0), ("fall", 1)]
    for sheet in (failed, fined, knocked, tied):
        assert (sheet.totals[1], sheet.falls[1], sheet.mounted[1]) == (0, 0, 0)
    online = Sheet(ONLINE, totals=(0, 880, 0), mounted=(0, 1, 0), attempts=(0, 2, 0), falls=(0, 7, 0))
    assert (settle(online, (100, 30, 0)), online.totals[1], online.falls[1]) == ([("fall", 1)], 760, 8)


def test_a_fine_takes_a_sitter_off_without_a_second_one() -> None:
    sheet = Sheet(CLASSIC, totals=(0, 880, 0), mounted=(0, 1, 0), bolts=(0, 2, 0), attempts=(0, 2, 0))
    assert settle(sheet, (100, 0, 0), tricks=(4, 0, 4)) == [("bolt", 1), ("fine", 1, 120), ("fall", 1)]
    assert (sheet.totals, sheet.falls, sheet.mounted) == ([100, 760, 0], [0, 1, 0], [0, 0, 0])


def test_a_newcomer_knocks_the_sitter_off() -> None:
    sheet = Sheet(CLASSIC, totals=(880, 870, 0), mounted=(3, 0, 0))
    assert settle(sheet, (-100, 30, 0)) == [("fall", 0), ("barrel", 1)]
    assert (sheet.totals, sheet.mounted, sheet.falls) == ([760, 880, 0], [0, 7, 0], [1, 0, 0])


def test_a_last_attempt_settles_before_a_knock_off_and_a_seat_falls_once() -> None:
    sheet = Sheet(CLASSIC, totals=(880, 870, 0), mounted=(3, 0, 0), attempts=(2, 0, 0))
    assert settle(sheet, (-100, 30, 0)) == [("fall", 0), ("barrel", 1)]
    assert (sheet.totals, sheet.falls) == ([760, 880, 0], [1, 0, 0])


@pytest.mark.parametrize(
    ("mounted", "attempts", "off"),
    [((3, 2, 0), (0, 0, 0), 1), ((2, 3, 0), (0, 0, 0), 0), ((2, 2, 0), (0, 0, 0), 0), ((2, 3, 0), (0, 2, 0), 1)],
)
def test_of_two_sitters_the_longest_is_knocked_off_and_of_equals_the_furthest_from_forehand(
    mounted: Sequence[int], attempts: Sequence[int], off: int
) -> None:
    sheet = Sheet(CLASSIC | {"barrel_seats": 2}, totals=(880, 880, 870), mounted=mounted, attempts=attempts)
    assert settle(sheet, (-100, 30, 30)) == [("fall", off), ("barrel", 2)]
    assert sheet.totals == [760 if seat == off else 880 for seat in range(3)]


@pytest.mark.parametrize(
    ("rules", "totals", "events"),
    [
        (CLASSIC, (850, 870, 0), [("fall", 0), ("fall", 1)]),
        (ONLINE, (850, 870, 0), [("fall", 1), ("barrel", 0)]),  # the declarer stays
        (ONLINE, (0, 870, 870), [("fall", 2), ("barrel", 1)]),  # the first from forehand stays
        (ONLINE | {"barrel_seats": 2}, (850, 870, 870), [("fall", 2), ("barrel", 0), ("barrel", 1)]),
        (ONLINE | {"barrel_seats": 3}, (850, 870, 870), [("barrel", 0), ("barrel", 1), ("barrel", 2)]),
    ],
)
def test_seats_that_mount_together_fall_together_or_but_for_one(
    rules: Rules, totals: Sequence[int], events: list[Event]
) -> None:
    sheet = Sheet(rules, totals=totals)
    assert settle(sheet, (100, 30, 30)) == events
    fallen = [event[1] for event in events if event[0] == "fall"]
    assert [sheet.totals[seat] for seat in fallen] == [760] * len(fallen)
    assert [sheet.falls[seat] for seat in fallen] == [1] * len(fallen)


def test_two_falling_together_leave_the_old_sitter_alone() -> None:
    sheet = Sheet(CLASSIC, totals=(880, 870, 870), mounted=(2, 0, 0))
    assert settle(sheet, (-100, 20, 20)) == [("fall", 1), ("fall", 2)]
    assert sheet.totals == [880, 760, 760]


def test_all_falls_of_a_deal_are_told_in_order_of_seats() -> None:
    sheet = Sheet(CLASSIC, totals=(870, 870, 880), mounted=(0, 0, 2), attempts=(0, 0, 2))
    assert settle(sheet, (100, 20, 20)) == [("fall", 0), ("fall", 1), ("fall", 2)]
    assert sheet.totals == [760, 760, 760]


def test_the_winner_knocks_nobody_off_and_the_rest_of_the_barrel_is_settled() -> None:
    sheet = Sheet(CLASSIC | {"barrel_seats": 2}, totals=(880, 880, 870), mounted=(2, 3, 0), attempts=(0, 1, 0))
    assert settle(sheet, (130, 20, 20), contract=130) == [("win", 0), ("barrel", 2)]
    assert (sheet.totals, sheet.mounted) == ([1010, 880, 880], [0, 3, 7])


@pytest.mark.parametrize(
    ("number", "before", "score", "after"),
    [
        (555, 435, 120, 0), (555, 455, 100, 0), (555, -435, -120, 0), (555, 530, 24, 554), (555, -530, -25, 0),
        (550, 500, 50, 0), (550, 500, 55, 555), (0, 500, 55, 555),
    ],
)  # fmt: skip
def test_the_dump_truck_empties_a_total_of_exactly_its_number(number: int, before: int, score: int, after: int) -> None:
    sheet = Sheet(CLASSIC | {"dump_truck": number}, totals=(before, 0, 0))
    assert settle(sheet, (score, 0, 0)) == ([("dump", 0)] if after == 0 else [])
    assert sheet.totals[0] == after


def test_a_fine_that_lands_on_555_is_dumped_too() -> None:
    sheet = Sheet(CLASSIC, totals=(0, 675, 0), bolts=(0, 2, 0))
    assert settle(sheet, (100, 0, 0), tricks=(4, 0, 4)) == [("bolt", 1), ("fine", 1, 120), ("dump", 1)]
    assert sheet.totals[1] == 0


@pytest.mark.parametrize(
    ("totals", "score", "winner"),
    [((950, 950, 0), (100, 60, 0), 0), ((0, 980, 990), (-100, 20, 30), 2), ((0, 980, 980), (100, 30, 30), 1)],
)
def test_without_a_barrel_the_target_wins_for_the_declarer_the_highest_or_the_first(
    totals: Sequence[int], score: Sequence[int], winner: int
) -> None:
    sheet = Sheet(ONLINE | {"barrel_at": 0}, totals=totals)
    assert settle(sheet, score) == [("win", winner)]
    assert sheet.winner == winner


@pytest.mark.parametrize(
    ("standing", "stakes"),
    [
        ([(True, 1005), (False, 300), (False, 200)], [2, 0, -2]),
        ([(False, 300), (True, 1005), (False, 300)], [-1, 2, -1]),
        ([(False, 300), (False, 500), (False, 300)], [-1, 2, -1]),
        ([(False, 500), (False, 500), (False, 300)], [1, 1, -2]),
        ([(False, 0)] * 3, [0, 0, 0]),
    ],
)
def test_the_last_pays_the_winner_and_equal_places_share(standing: list[tuple[bool, int]], stakes: list[float]) -> None:
    assert shared_stakes(standing, bank=2) == stakes


# -- bolts and fines that count otherwise -----------------------------------------------------------------------------

GOLDEN = CORE | {"golden": True, "golden_none_made": "repeat"}


@pytest.mark.parametrize(
    ("rules", "result", "bolts", "after", "fines"),
    [
        (GOLDEN, {"deal": 0}, (0, 1, 2), [0, 0, 1], {1: 120, 2: 120}),
        (GOLDEN, {"deal": 0}, (0, 0, 0), [0, 2, 2], {}),
        (CORE, {"blind": True}, (0, 1, 2), [0, 2, 0], {2: 120}),
        (CORE, {"blind": True, "declarer": 2}, (0, 1, 2), [0, 2, 0], {2: 240}),
        (CORE | {"blind_bolts": "count"}, {"blind": True, "declarer": 2}, (0, 1, 2), [0, 0, 1], {1: 120, 2: 120}),
        (CORE, {"ending": "baptised"}, (2, 2, 0), [2, 0, 1], {1: 120}),
        (CORE, {"ending": "written off"}, (2, 2, 0), [2, 2, 0], {}),
    ],
)
def test_bolts_count_twice_in_golden_and_perhaps_in_blind_deals(
    rules: Rules, result: dict[str, Any], bolts: Sequence[int], after: list[int], fines: dict[int, int]
) -> None:
    sheet = Sheet(rules, bolts=bolts)
    deal = Result(6, 1, 0, 100, (0, 0, 0), (8, 0, 0) if not result.get("ending") else (0, 0, 0))
    events = sheet.settle(replace(deal, **result))
    assert sheet.bolts == after
    assert {event[1]: event[2] for event in events if event[0] == "fine" and len(event) == 3} == fines
    assert sheet.totals == [-fines.get(seat, 0) for seat in range(3)]


def test_offences_are_fined_after_the_bolts_and_twice_as_high_in_a_golden_deal() -> None:
    deal = Result(6, 1, 0, 100, (-100, 0, 10), (4, 0, 4), offences=(1, 2, 0))
    sheet = Sheet(CORE, bolts=(0, 2, 0))
    assert sheet.settle(deal) == [("bolt", 1), ("fine", 0, 120), ("fine", 1, 360)]
    assert sheet.totals == [-220, -360, 10]
    golden = Sheet(GOLDEN)
    golden.settle(replace(deal, deal=1))
    assert golden.totals == [-340, -480, 10]


def test_fines_one_after_another_take_a_sitter_off_once() -> None:
    sheet = Sheet(CORE, totals=(0, 880, 0), mounted=(0, 1, 0), bolts=(0, 2, 0), falls=(0, 2, 0))
    sheet.settle(Result(6, 1, 0, 100, (-100, 0, 10), (4, 0, 4), offences=(0, 1, 0)))
    assert (sheet.totals[1], sheet.falls[1]) == (-120, 0)  # zero for the third fall, then the second fine


# -- the barrel of other tables ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("skippable", "total", "score", "after", "winner"),
    [(True, 780, 250, 1030, 1), (True, 780, 200, 880, None), (False, 780, 250, 880, None)],
)
def test_the_barrel_may_be_skipped(skippable: bool, total: int, score: int, after: int, winner: int | None) -> None:
    sheet = Sheet(CORE | {"barrel_skippable": skippable}, totals=(0, total, 0))
    events = settle(sheet, (-100, score, 10))
    assert (sheet.totals[1], sheet.winner) == (after, winner)
    assert events == ([("barrel", 1)] if winner is None else [("win", 1)])


@pytest.mark.parametrize(("falls", "total", "events"), [(0, 740, [("fall", 0)]), (2, 0, [("fall", 0)])])
def test_a_failed_contract_may_be_deducted_from_a_sitter_without_a_fine(
    falls: int, total: int, events: list[Event]
) -> None:
    rules = CORE | {"barrel_failed_contract": "deduct"}
    sheet = Sheet(rules, totals=(880, 0, 880), mounted=(1, 0, 2), falls=(falls, 0, 0))
    assert settle(sheet, (-140, 10, 20), contract=140) == events
    assert sheet.totals == [total, 10, 880]


def test_the_dealer_of_four_uses_no_attempt_but_mounts_and_is_knocked_off() -> None:
    rules = CORE | {"players": 4, "dealer_scores": "fixed"}
    sheet = Sheet(rules, totals=(880, 0, 0, 0), mounted=(1, 0, 0, 0), attempts=(2, 0, 0, 0))
    deal = Result(6, 1, 1, 100, (25, 100, 10, 10), (0, 4, 2, 2))
    assert sheet.settle(deal) == []
    assert (sheet.totals, sheet.attempts) == ([880, 100, 10, 10], [2, 0, 0, 0])
    mounting = Sheet(rules, totals=(860, 880, 0, 0), mounted=(0, 1, 0, 0))
    assert mounting.settle(deal) == [("fall", 1), ("barrel", 0)]
    knocked = Sheet(rules, totals=(880, 0, 0, 875), mounted=(1, 0, 0, 0))
    assert knocked.settle(deal) == [("fall", 0), ("barrel", 3)]


# -- the reverse barrel and the end -----------------------------------------------------------------------------------

DEEP = CORE | {"reverse_barrel": 750, "dump_truck": 0}


def test_a_seat_on_the_reverse_barrel_has_three_deals() -> None:
    sheet = Sheet(DEEP, totals=(0, 0, -870))
    seen: list[tuple[int, int, bool]] = []
    for score in (-20, 5, 0, -10):
        events = settle(sheet, (100, 10, score))
        seen.append((sheet.totals[2], sheet.reverse[2], ("reverse", 2) in events))
    assert seen == [(-890, 1, True), (-885, 2, False), (-885, 3, False), (-750, 0, True)]


@pytest.mark.parametrize(
    ("total", "reverse", "score", "after"),
    [(-880, 3, 5, (-875, 0)), (-881, 3, 0, (-750, 0)), (-880, 3, -120, (-1000, 3)), (-885, 0, 0, (-885, 1))],
)
def test_rising_above_880_ends_it_and_1000_below_loses(
    total: int, reverse: int, score: int, after: tuple[int, int]
) -> None:
    sheet = Sheet(DEEP, totals=(50, 300, total), reverse=(0, 0, reverse))
    events = settle(sheet, (-100, 10, score))
    assert (sheet.totals[2], sheet.reverse[2]) == after
    assert sheet.winner == (1 if after[0] == -1000 else None)
    assert (("win", 1) in events) == (after[0] == -1000)


def test_of_several_that_would_win_by_anothers_ruin_the_declarer_comes_first() -> None:
    sheet = Sheet(DEEP, totals=(500, 590, -990))
    settle(sheet, (100, 10, -20))
    assert sheet.winner == 0
    sheet = Sheet(DEEP, totals=(880, 590, -990), mounted=(1, 0, 0))
    settle(sheet, (125, 10, -20), contract=125)
    assert (sheet.winner, sheet.totals) == (0, [1005, 600, -1010])


@pytest.mark.parametrize(
    ("made", "deal", "score", "totals", "over"),
    [
        ((0, 0, 0), 1, -240, [-240, 330, 30], False), ((0, 0, 0), 2, -240, [0, 0, 0], False),
        ((0, 0, 0), 2, 240, [240, 330, 30], True), ((0, 1, 0), 5, -240, [-240, 330, 30], True),
    ],
)  # fmt: skip
def test_golden_deals_are_repeated_until_somebody_makes_one(
    made: Sequence[int], deal: int, score: int, totals: list[int], over: bool
) -> None:
    sheet = Sheet(GOLDEN, totals=(0, 300, 0), golden_made=made)
    sheet.settle(Result(deal, 0, 0, 120, (score, 30, 30), (3, 3, 2)))
    assert (sheet.totals, sheet.golden_over) == (totals, over)
    assert sheet.golden(deal + 1) != over
