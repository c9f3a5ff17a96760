"""The score sheet of a match as a value: totals, bolts, barrel and falls by seat, between two deals.

`check_sheet` refuses what cannot stand there. `sheets_before` goes back over a scored deal: a state keeps the sheet as
the deal left it, and a text that shows such a state is verified by finding a sheet from which the deal leads to it.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from thousand_env.errors import NotationError
from thousand_env.match import BOLTS_FOR_FINE
from thousand_env.rules import RuleSet
from thousand_env.state import EVENT_WORDS, SCORED


class SeatSheet(NamedTuple):
    """One seat's column of the score sheet; `mounted` is the number of the deal that put it on the barrel, or 0."""

    total: int = 0
    bolts: int = 0
    mounted: int = 0
    attempts: int = 0
    falls: int = 0


@dataclass(frozen=True)
class Sheet:
    """The score sheet between two deals; `deals` counts the completed ones."""

    seats: tuple[SeatSheet, ...]
    deals: int = 0


def blank_sheet(rules: RuleSet) -> Sheet:
    """Return the sheet a match starts with."""
    return Sheet((SeatSheet(),) * rules.players)


def sheet_of(state: Any, rules: RuleSet) -> Sheet:
    """Return the score sheet as it stands in a state."""
    fields = (state.totals, state.bolts, state.mounted, state.attempts, state.falls)
    seats = tuple(SeatSheet(*(int(field[seat]) for field in fields)) for seat in range(rules.players))
    return Sheet(seats, int(state.deal) + int(state.phase >= SCORED))


def events_of(state: Any, rules: RuleSet) -> list[str]:
    """Return what befell the seats when the deal was scored, in the order of K4: `bolt 1`, `fine 1 120`."""
    events = [
        (bit, seat)
        for bit in range(len(EVENT_WORDS))
        for seat in range(rules.players)
        if int(state.events[seat]) >> bit & 1
    ]
    return [
        f"{EVENT_WORDS[bit]} {seat} {rules.fine}" if EVENT_WORDS[bit] == "fine" else f"{EVENT_WORDS[bit]} {seat}"
        for bit, seat in events
    ]


# -- what may stand on a sheet ----------------------------------------------------------------------------------------


def expect(fact: bool, found: str, expected: str) -> None:
    """Raise `NotationError` unless the fact holds."""
    if not fact:
        raise NotationError(f"found {found}, expected {expected}")


def check_sheet(sheet: Sheet, rules: RuleSet) -> None:
    """Raise `NotationError` unless a match under these rules can stand so between two deals."""
    for seat, column in enumerate(sheet.seats):
        if column.mounted:
            _check_sitter(seat, column, sheet.deals, rules)
        else:
            found = f"total {column.total} of seat {seat}, who is not on the barrel"
            expect(column.total < rules.barrel_at, found, f"less than {rules.barrel_at} (L1)")
        dumped = rules.dump_truck > 0 and abs(column.total) == rules.dump_truck
        expect(not dumped, f"total {column.total} of seat {seat}", "0 in its place (L8)")
        most_bolts = 0 if rules.bolts == "off" else BOLTS_FOR_FINE - 1
        expect(0 <= column.bolts <= most_bolts, f"{column.bolts} bolts of seat {seat}", f"at most {most_bolts} (B2)")
        fits = column.falls >= 0 and (column.falls < rules.barrel_falls_to_zero or not rules.barrel_falls_to_zero)
        expect(fits, f"{column.falls} falls of seat {seat}", f"less than {rules.barrel_falls_to_zero} (L5)")
    sitters = sum(column.mounted > 0 for column in sheet.seats)
    expect(sitters <= rules.barrel_seats, f"{sitters} seats on the barrel", f"at most {rules.barrel_seats} (L6)")
    expect(
        not rules.max_deals or sheet.deals < rules.max_deals,
        f"a deal after {sheet.deals} completed ones",
        f"at most {rules.max_deals} deals (E3)",
    )


def sheet_stands(sheet: Sheet, rules: RuleSet) -> bool:
    """Whether a match under these rules can stand so between two deals."""
    try:
        check_sheet(sheet, rules)
    except NotationError:
        return False
    return True


def _check_sitter(seat: int, column: SeatSheet, deals: int, rules: RuleSet) -> None:
    place = f"of seat {seat}, who is on the barrel"
    expect(column.total == rules.barrel_at, f"total {column.total} {place}", f"{rules.barrel_at} (L1)")
    found = f"{column.attempts} attempts {place}"
    expect(0 < column.mounted <= deals, f"deal {column.mounted} as the mount {place}", f"1 to {deals} (L1)")
    expect(column.attempts == deals - column.mounted, found, f"{deals - column.mounted}: every deal uses one (L4)")
    most = rules.barrel_attempts
    expect(not most or column.attempts < most, found, f"less than {most} (L4)")


# -- the sheet before a scored deal ----------------------------------------------------------------------------------


def sheets_before(after: Sheet, score: Sequence[int], events: Sequence[str], rules: RuleSet) -> Iterator[Sheet]:
    """Yield sheets from which a deal with this score and these events may have led to the sheet `after`.

    If any sheet did, one of these does: where the deal wiped out what was before (the total of a seat that mounted,
    the attempts of one that fell) one value stands for all that act alike.
    """
    columns: list[list[SeatSheet]] = []
    for seat, column in enumerate(after.seats):
        words = {event.split()[0] for event in events if event.split()[1] == str(seat)}
        columns.append(list(_columns_before(column, score[seat], words, after.deals - 1, rules)))
    for seats in itertools.product(*columns):
        yield Sheet(seats, after.deals - 1)


def _columns_before(column: SeatSheet, score: int, words: set[str], deals: int, rules: RuleSet) -> Iterator[SeatSheet]:
    fine = rules.fine if "fine" in words else 0
    if "bolt" in words:
        column = column._replace(bolts=BOLTS_FOR_FINE - 1 if fine else column.bolts - 1)
    almost = column._replace(total=rules.barrel_at - 1, mounted=0, attempts=0)
    if "fall" in words:
        falls = (column.falls or rules.barrel_falls_to_zero) - 1
        yield almost._replace(falls=falls)
        most = rules.barrel_attempts
        for mounted in {deals - most + 1, max(1, deals - most + 2) if most else 1, deals}:
            yield SeatSheet(rules.barrel_at, column.bolts, mounted, deals - mounted, falls)
    elif "win" in words:
        yield SeatSheet(rules.barrel_at, column.bolts, deals, 0, column.falls)
    elif "barrel" in words:
        yield almost
    elif column.mounted:
        yield column._replace(attempts=column.attempts - 1)
    else:
        for total in (rules.dump_truck, -rules.dump_truck) if "dump" in words else (column.total,):
            yield column._replace(total=total - score + fine)
