"""Sheets: the score sheet before a deal, as the options of a reset may write it.

Each column is an option, a number for each seat; what is not given is zero, or follows from the rest. What no match
under the rules of the table can have on its sheet before a deal is refused.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from thousand_env.envs.options import whole_number
from thousand_env.errors import ThousandError
from thousand_env.match import BOLTS_FOR_FINE, LOST_AT, REVERSE_AT, REVERSE_DEALS
from thousand_env.rules import RuleSet
from thousand_env.state import GOLDEN_OVER

MAX_TOTAL = 100_000
BONUSES = ("bonus_hands", "bonus_suits", "bonus_card")

Fact = tuple[bool, str, str]  # whether it holds, what was found, what was expected


class Column(NamedTuple):
    """One seat's column of the score sheet; the fields are the options, and but for the last five those of a state."""

    totals: int = 0
    bolts: int = 0
    mounted: int = 0  # the number of the deal after which the seat mounted the barrel, 0 = not on it
    attempts: int = 0
    falls: int = 0
    reverse: int = 0
    write_offs: int = 0
    baptised: int = 0
    golden_made: int = 0
    bonus_hands: int = 0
    bonus_suits: int = 0
    bonus_card: int = 0


COLUMNS = Column._fields
_OF_STATE = COLUMNS[: COLUMNS.index("baptised")]


class Sheet(NamedTuple):
    """The score sheet before a deal: a column for each seat, the completed deals, whether golden deals go on."""

    columns: tuple[Column, ...]
    deals: int
    golden: bool


def read_sheet(given: Mapping[str, Any], rules: RuleSet) -> Sheet:
    """Return the sheet that options ask for; raises `ThousandError` saying what cannot stand on it."""
    deals = int(given.get("deal", 0))
    golden = rules.golden and not given.get("golden_over", deals >= rules.players)
    values = {name: _numbers(name, given, rules) for name in COLUMNS}
    columns = [Column(*numbers) for numbers in zip(*values.values(), strict=True)]
    if "mounted" not in given and not golden:
        columns = [column._replace(mounted=_mount(seat, column, deals, rules)) for seat, column in enumerate(columns)]
    if "reverse" not in given and rules.reverse_barrel and not golden:
        columns = [column._replace(reverse=int(column.totals <= REVERSE_AT)) for column in columns]
    sheet = Sheet(tuple(columns), deals, golden)
    for holds, found, expected in _facts(sheet, rules):
        if not holds:
            raise ThousandError(f"options: found {found}, expected {expected}")
    return sheet


def write_sheet(sheet: Sheet, rules: RuleSet, state: Any) -> None:
    """Write a sheet into a blank state."""
    for seat, column in enumerate(sheet.columns):
        for name in _OF_STATE:
            state[name][seat] = getattr(column, name)
        state.baptised |= column.baptised << seat
        state.golden_made |= column.golden_made << seat
        state.bonuses[seat] = column.bonus_hands | column.bonus_suits << 8 | column.bonus_card << 16
    if rules.golden and not sheet.golden:
        state.golden_made |= GOLDEN_OVER


def _numbers(name: str, given: Mapping[str, Any], rules: RuleSet) -> list[int]:
    """Return one column option, a number for each seat."""
    value = given.get(name, [0] * rules.players)
    values: list[Any] = list(value) if np.iterable(value) else []
    if len(values) != rules.players:
        raise ThousandError(f"options: {name}={value!r}: expected {rules.players} numbers, one for each seat")
    low = -MAX_TOTAL if name == "totals" else 0
    high = 1 if name in ("baptised", "golden_made") else MAX_TOTAL
    return [whole_number(f"options: {name} of seat {seat}", value, low, high) for seat, value in enumerate(values)]


def _mount(seat: int, column: Column, deals: int, rules: RuleSet) -> int:
    """Return the number of the deal by which a seat mounted the barrel, 0 when it is not there (L1, L4)."""
    if rules.barrel_at == 0 or column.totals != rules.barrel_at:
        return 0
    sat_out = column.attempts // 3 if rules.players == 4 else 0  # of four deals, one as the dealer
    mounted = deals - column.attempts - sat_out
    if mounted < 1:
        raise ThousandError(
            f"options: total {column.totals} of seat {seat} is the barrel, which an earlier deal leads to: expected "
            "`deal` above the seat's `attempts`"
        )
    return mounted


# -- what may stand on it --------------------------------------------------------------------------------------------


def _facts(sheet: Sheet, rules: RuleSet) -> Iterator[Fact]:
    """Yield all that must hold of a sheet."""
    deals, most = sheet.deals, rules.max_deals
    yield not most or deals < most, f"a deal after {deals} completed ones", f"at most {most} deals (E3)"
    sitters = sum(column.mounted > 0 for column in sheet.columns)
    yield sitters <= rules.barrel_seats, f"{sitters} seats on the barrel", f"at most {rules.barrel_seats} (L6)"
    yield from _golden_facts(sheet, rules)
    for seat, column in enumerate(sheet.columns):
        yield from _total_facts(seat, column, sheet, rules)
        yield from _barrel_facts(seat, column, sheet, rules)
        yield from _use_facts(seat, column, rules)


def _golden_facts(sheet: Sheet, rules: RuleSet) -> Iterator[Fact]:
    """Yield whether the golden deals are over when they can be, and by how many they may have been made (G1, G2)."""
    made, players = sum(column.golden_made for column in sheet.columns), rules.players
    if not rules.golden:
        yield made == 0, f"{made} seats that made a golden deal", "0: the table plays none (G1)"
        return
    first_round = sheet.deals < players
    fits = sheet.golden == first_round or (rules.golden_none_made == "repeat" and not first_round)
    found = f"golden deals {'still played' if sheet.golden else 'over'} after {sheet.deals} deals"
    yield fits, found, f"the first {players} deals to be golden (G1, G2)"
    most = sheet.deals % players if sheet.golden else players
    yield made <= most, f"{made} seats that made a golden deal", f"at most {most} after {sheet.deals} deals (G1)"


def _total_facts(seat: int, column: Column, sheet: Sheet, rules: RuleSet) -> Iterator[Fact]:
    total, found = column.totals, f"total {column.totals} of seat {seat}"
    dumped = rules.dump_truck > 0 and abs(total) == rules.dump_truck
    yield not dumped, found, "0 in its place (L8)"
    if sheet.golden:
        return  # no barrel of either kind before the last golden deal
    if rules.barrel_at == 0:
        yield total < rules.target, found, f"less than {rules.target}, which wins (E1)"
    elif column.mounted == 0:
        yield total < rules.barrel_at, f"{found}, who is not on the barrel", f"less than {rules.barrel_at} (L1)"
    if rules.reverse_barrel:
        yield total > LOST_AT, found, f"more than {LOST_AT}, which loses (L9)"


def _barrel_facts(seat: int, column: Column, sheet: Sheet, rules: RuleSet) -> Iterator[Fact]:
    """Yield what holds of a seat's attempts and falls, and of its deals on the reverse barrel (L1, L4, L5, L9)."""
    if column.mounted == 0:
        yield column.attempts == 0, f"{column.attempts} attempts of seat {seat}, who is not on the barrel", "0"
    else:
        yield from _sitter_facts(f"of seat {seat}, who is on the barrel", column, sheet, rules)
    most = 1 if rules.barrel_at == 0 else rules.barrel_falls_to_zero or MAX_TOTAL
    yield column.falls < most, f"{column.falls} falls of seat {seat}", f"less than {most} (L5)"
    sits = rules.reverse_barrel > 0 and not sheet.golden and column.totals <= REVERSE_AT
    low, high = (1, min(REVERSE_DEALS, sheet.deals)) if sits else (0, 0)
    found = f"{column.reverse} deals of seat {seat} on the reverse barrel with a total of {column.totals}"
    yield low <= column.reverse <= high, found, f"{low} to {high} after {sheet.deals} deals (L9)"


def _sitter_facts(place: str, column: Column, sheet: Sheet, rules: RuleSet) -> Iterator[Fact]:
    """Yield what holds of a seat on the barrel."""
    attempts, mounted, at = column.attempts, column.mounted, rules.barrel_at
    yield at > 0 and not sheet.golden, f"deal {mounted} as the mount {place}", "nobody there (L1, G1)"
    yield column.totals == at, f"total {column.totals} {place}", f"{at} (L1)"
    first = rules.players if rules.golden else 1
    fits = first <= mounted <= sheet.deals
    yield fits, f"deal {mounted} as the mount {place}", f"{first} to {sheet.deals}, the completed deals (L1)"
    since = sheet.deals - mounted
    most_out, least_out = (-(-since // 4), since // 4) if rules.players == 4 else (0, 0)
    fits, most = since - most_out <= attempts <= since - least_out, rules.barrel_attempts
    expected = f"{since - most_out} to {since - least_out}: every deal it plays uses one (L4)"
    yield fits, f"{attempts} attempts {place}", expected
    yield not most or attempts < most, f"{attempts} attempts {place}", f"less than {most} (L4)"


def _use_facts(seat: int, column: Column, rules: RuleSet) -> Iterator[Fact]:
    """Yield how many bolts, write-offs, baptisms and bonuses a seat may have had (B2, W1, W2, W4, X1)."""
    most = 0 if rules.bolts == "off" else BOLTS_FOR_FINE - 1
    yield column.bolts <= most, f"{column.bolts} bolts of seat {seat}", f"at most {most} (B2)"
    limit = rules.write_off_limit or MAX_TOTAL
    most = 0 if rules.write_off == "off" else limit
    yield column.write_offs <= most, f"{column.write_offs} write-offs of seat {seat}", f"at most {most} (W1, W2)"
    most = int(rules.baptism)
    yield column.baptised <= most, f"seat {seat} baptised", "nobody: the table does not play it (W4)"
    for name in BONUSES:
        used, most = int(getattr(column, name)), int(getattr(rules, name))
        yield used <= most, f"{name}={used} of seat {seat}", f"at most {most} (X1)"
