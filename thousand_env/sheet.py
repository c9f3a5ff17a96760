"""The score sheet of a match as a value: what is noted of every seat, as it stands before, during or after a deal.

`sheet_of` and `write_sheet` take it from a state and put it into one. `check_sheet` refuses what cannot stand on it
when the cards of a deal are given out.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from thousand_env.errors import NotationError
from thousand_env.match import BOLTS_FOR_FINE, LOST_AT, REVERSE_AT, REVERSE_DEALS
from thousand_env.rules import FIELDS, REDEAL_CHOICES, RuleSet
from thousand_env.state import EVENT_WORDS, GOLDEN_OVER, SCORED

REDEALS = tuple(name for name, field in FIELDS.items() if field.metadata.get("choices") == REDEAL_CHOICES)
BONUS_KINDS = ("bonus_hands", "bonus_suits", "bonus_card")  # a byte each of `bonuses`

MAX_OFFENCES = 999  # a text may claim, in one deal

Fact = tuple[bool, str, str]  # whether it holds, what was found, what was expected


class SeatSheet(NamedTuple):
    """One seat's column of the score sheet; the names are those of the state's fields."""

    total: int = 0
    bolts: int = 0
    mounted: int = 0  # the number of the deal that put it on the barrel, 0 = not on it
    attempts: int = 0
    falls: int = 0
    reverse: int = 0
    write_offs: int = 0
    baptised: int = 0
    golden_made: int = 0
    bonuses: int = 0  # hands | suits << 8 | card << 16
    early: int = 0  # points of fines that fell before this deal was played
    offences: int = 0  # illegal actions of this deal, still to be fined


@dataclass(frozen=True)
class Sheet:
    """The score sheet; `deals` counts the completed ones, `attempt` and `redeals` belong to the deal being played."""

    seats: tuple[SeatSheet, ...]
    deals: int = 0
    golden_over: bool = False
    redeals: int = 0
    attempt: int = 0

    def before_next_deal(self) -> "Sheet":
        """Return the sheet that the next deal begins with."""
        seats = tuple(column._replace(early=0, offences=0) for column in self.seats)
        return replace(self, seats=seats, redeals=0, attempt=0)


_OF_STATE = ("bolts", "mounted", "attempts", "falls", "reverse", "write_offs", "bonuses", "early", "offences")


def blank_sheet(rules: RuleSet) -> Sheet:
    """Return the sheet a match starts with."""
    return Sheet((SeatSheet(),) * rules.players)


def sheet_of(state: Any, rules: RuleSet) -> Sheet:
    """Return the score sheet as it stands in a state."""
    return Sheet(
        seats=tuple(_column_of(state, seat) for seat in range(rules.players)),
        deals=int(state.deal) + int(state.phase >= SCORED),
        golden_over=bool(state.golden_made & GOLDEN_OVER),
        redeals=int(state.redeal_run),
        attempt=int(state.attempt),
    )


def _column_of(state: Any, seat: int) -> SeatSheet:
    return SeatSheet(
        total=int(state.totals[seat]),
        baptised=int(state.baptised) >> seat & 1,
        golden_made=int(state.golden_made) >> seat & 1,
        **{name: int(state[name][seat]) for name in _OF_STATE},
    )


def write_sheet(state: Any, sheet: Sheet) -> None:
    """Put a sheet into a blank state: the inverse of `sheet_of`."""
    state.deal, state.attempt, state.redeal_run = sheet.deals, sheet.attempt, sheet.redeals
    state.golden_made = GOLDEN_OVER if sheet.golden_over else 0
    for seat, column in enumerate(sheet.seats):
        state.totals[seat] = column.total
        state.baptised |= column.baptised << seat
        state.golden_made |= column.golden_made << seat
        for name in _OF_STATE:
            state[name][seat] = getattr(column, name)


def bonuses_used(packed: int) -> tuple[int, int, int]:
    """Return how many bonuses of each kind a seat has used: hands, suits, card (X1)."""
    return packed & 255, packed >> 8 & 255, packed >> 16 & 255


def events_of(state: Any, rules: RuleSet) -> list[str]:
    """Return what befell the seats when the deal was scored, in the order of K4: `bolt 1`, `fine 1 120`."""
    events = [
        (bit, seat)
        for bit in range(len(EVENT_WORDS))
        for seat in range(rules.players)
        if int(state.events[seat]) >> bit & 1
    ]
    return [
        f"{EVENT_WORDS[bit]} {seat} {int(state.fined[seat])}"
        if EVENT_WORDS[bit] == "fine"
        else f"{EVENT_WORDS[bit]} {seat}"
        for bit, seat in events
    ]


# -- what may stand on a sheet ----------------------------------------------------------------------------------------


def expect(fact: bool, found: str, expected: str) -> None:
    """Raise `NotationError` unless the fact holds."""
    if not fact:
        raise NotationError(f"found {found}, expected {expected}")


def check_sheet(sheet: Sheet, rules: RuleSet) -> None:
    """Raise `NotationError` unless a match under these rules can stand so when the cards of a deal are given out."""
    for fact, found, expected in _facts(sheet, rules):
        expect(fact, found, expected)


def sheet_stands(sheet: Sheet, rules: RuleSet) -> bool:
    """Whether a match under these rules can stand so when the cards of a deal are given out."""
    return all(fact for fact, _, _ in _facts(sheet, rules))


def in_golden_deals(sheet: Sheet, rules: RuleSet) -> bool:
    """Whether the deal that this sheet begins is a golden one (G1)."""
    return rules.golden and not sheet.golden_over


def _facts(sheet: Sheet, rules: RuleSet) -> Iterator[Fact]:
    yield from _golden_facts(sheet, rules)
    for seat, column in enumerate(sheet.seats):
        yield from _barrel_facts(seat, column, sheet, rules)
        yield from _total_facts(seat, column, sheet, rules)
        yield from _count_facts(seat, column, rules)
        yield from _fine_facts(seat, column, sheet, rules)
    sitters = sum(column.mounted > 0 for column in sheet.seats)
    yield sitters <= rules.barrel_seats, f"{sitters} seats on the barrel", f"at most {rules.barrel_seats} (L6)"
    most = rules.max_deals
    yield not most or sheet.deals < most, f"a deal after {sheet.deals} completed ones", f"at most {most} deals (E3)"
    yield from _attempt_facts(sheet, rules)


def _golden_facts(sheet: Sheet, rules: RuleSet) -> Iterator[Fact]:
    made, deals, players = sum(column.golden_made for column in sheet.seats), sheet.deals, rules.players
    if not rules.golden:
        yield not made and not sheet.golden_over, "golden deals", "none: the table plays none (G1)"
        return
    later = rules.golden_none_made == "repeat" and deals >= players
    found = f"golden deals {'over' if sheet.golden_over else 'not over'} after {deals} deals"
    expected = "them golden over" if deals >= players else f"the first {players} deals to be golden"
    yield later or sheet.golden_over == (deals >= players), found, f"{expected} (G1)"
    most = players if sheet.golden_over else deals % players
    yield made <= most, f"{made} golden deals made", f"at most {most} after {deals} deals (G1)"


def _barrel_facts(seat: int, column: SeatSheet, sheet: Sheet, rules: RuleSet) -> Iterator[Fact]:
    limit = rules.barrel_falls_to_zero if rules.barrel_at else 1
    if column.mounted:
        yield from _sitter_facts(f"of seat {seat}, who is on the barrel", column, sheet, rules)
    elif not in_golden_deals(sheet, rules):
        at, rule = (rules.barrel_at, "L1") if rules.barrel_at else (rules.target, "E1")
        place = ", who is not on the barrel" if rules.barrel_at else ""
        yield column.total < at, f"total {column.total} of seat {seat}{place}", f"less than {at} ({rule})"
    if not column.mounted:
        found = f"{column.attempts} attempts of seat {seat}, who is not on the barrel"
        yield column.attempts == 0, found, "0 (L4)"
    fits = column.falls >= 0 and (column.falls < limit or not limit)
    yield fits, f"{column.falls} falls of seat {seat}", f"less than {limit} (L5)"


def _sitter_facts(place: str, column: SeatSheet, sheet: Sheet, rules: RuleSet) -> Iterator[Fact]:
    attempts, since = column.attempts, sheet.deals - column.mounted
    yield rules.barrel_at > 0 and not in_golden_deals(sheet, rules), f"a barrel {place}", "none (L1, G1)"
    yield column.total == rules.barrel_at, f"total {column.total} {place}", f"{rules.barrel_at} (L1)"
    first = rules.players if rules.golden else 1
    fits, found = first <= column.mounted <= sheet.deals, f"deal {column.mounted} as the mount {place}"
    yield fits, found, f"{first} to {sheet.deals} (L1)"
    least, most = since, since
    if rules.players == 4:  # of four deals in a row a seat sits out one
        least, most = since - (since + 3) // 4, since - since // 4
    expected = f"{least}" if least == most else f"{least} or {most}"
    every = "every deal uses one" if rules.players < 4 else "every deal it plays uses one"
    yield least <= attempts <= most, f"{attempts} attempts {place}", f"{expected}: {every} (L4)"
    most = rules.barrel_attempts
    yield not most or attempts < most, f"{attempts} attempts {place}", f"less than {most} (L4)"


def attempts_since(mounted: int, deals: int, seat: int, dealer: int, rules: RuleSet) -> int:
    """Return how many attempts a sitter has used when seat `dealer` deals after so many `deals` (L4, F1)."""
    since, first = deals - mounted, (dealer - seat) % rules.players or rules.players
    return since - (since - first + rules.players) // rules.players if rules.players == 4 else since


def _total_facts(seat: int, column: SeatSheet, sheet: Sheet, rules: RuleSet) -> Iterator[Fact]:
    """Yield what the dump truck and the reverse barrel leave; an early fine waits for them (L8, L9)."""
    total, found = column.total, f"total {column.total} of seat {seat}"
    dumped = rules.dump_truck > 0 and abs(total) == rules.dump_truck
    yield column.early > 0 or not dumped, found, "0 in its place (L8)"
    closed = in_golden_deals(sheet, rules) or not rules.reverse_barrel
    yield closed or column.early > 0 or total > LOST_AT, found, f"more than {LOST_AT}, which loses the match (L9)"
    low, high = (0, 0)
    if not closed and total <= REVERSE_AT:
        low, high = int(column.early == 0), min(REVERSE_DEALS, sheet.deals)
    deals = f"{column.reverse} as the reverse barrel of seat {seat} with {total}"
    yield low <= column.reverse <= high, deals, "0 (L9)" if high == 0 else f"{low} to {high} (L9)"


def _count_facts(seat: int, column: SeatSheet, rules: RuleSet) -> Iterator[Fact]:
    most = 0 if rules.bolts == "off" else BOLTS_FOR_FINE - 1
    yield 0 <= column.bolts <= most, f"{column.bolts} bolts of seat {seat}", f"at most {most} (B2)"
    found = f"{column.write_offs} write-offs of seat {seat}"
    yield column.write_offs >= 0 and (rules.write_off != "off" or not column.write_offs), found, "0 (W1)"
    limit = rules.write_off_limit
    yield not limit or column.write_offs <= limit, found, f"at most {limit} (W2)"
    yield column.baptised <= rules.baptism, f"seat {seat} baptised", "nobody: the table does not play it (W4)"
    for name, used in zip(BONUS_KINDS, bonuses_used(column.bonuses), strict=True):
        most = getattr(rules, name)
        yield used <= most, f"{used} of {name} used by seat {seat}", f"at most {most} (X1)"


def _fine_facts(seat: int, column: SeatSheet, sheet: Sheet, rules: RuleSet) -> Iterator[Fact]:
    found, each = f"{column.early} points of early fines of seat {seat}", early_fine(sheet, rules)
    played = rules.dealer_errors or rules.cut_ceremony or rules.triple_redeal_fine
    yield column.early == 0 or bool(played), found, "0: nothing is fined before a deal (D2, D3, R10)"
    yield column.early >= 0 and column.early % each == 0, found, f"a multiple of {each} (D2, D3, R10)"
    most = MAX_OFFENCES if rules.enforcement == "table" else 0
    yield 0 <= column.offences <= most, f"{column.offences} offences of seat {seat}", f"at most {most} (N2)"


def early_fine(sheet: Sheet, rules: RuleSet) -> int:
    """Return the points of one fine that falls before a deal: golden deals double it (D2, D3, R10, G1)."""
    return 2 * rules.fine if in_golden_deals(sheet, rules) else rules.fine


def _attempt_facts(sheet: Sheet, rules: RuleSet) -> Iterator[Fact]:
    redealt = any(getattr(rules, name) != "off" for name in REDEALS)
    most = 0 if not redealt else min(2, sheet.attempt) if rules.triple_redeal_fine else sheet.attempt
    yield 0 <= sheet.redeals <= most, f"{sheet.redeals} redeals in a row", f"at most {most} (R10)"
    fits = sheet.attempt == 0 or (sheet.attempt > 0 and (redealt or rules.dealer_errors > 0))
    yield fits, f"attempt {sheet.attempt}", "0: nothing is dealt again at this table (R9, D3)"
