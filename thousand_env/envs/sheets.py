"""Sheets: the score sheet before a deal, as the options of a reset may write it.

Each column is an option, a number for each seat; what is not given is zero, or follows from the rest. What no match
under the rules of the table can have on its sheet before a deal is refused.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from thousand_env.envs.options import whole_number
from thousand_env.errors import NotationError, ThousandError
from thousand_env.match import REVERSE_AT
from thousand_env.rules import RuleSet
from thousand_env.sheet import BONUS_KINDS, SeatSheet, Sheet, check_sheet

MAX_TOTAL = 100_000
_PLAIN = ("bolts", "mounted", "attempts", "falls", "reverse", "write_offs", "baptised", "golden_made")
COLUMNS = ("totals", *_PLAIN, *BONUS_KINDS)

Numbers = dict[str, int]  # one seat's number in each of `COLUMNS`


def read_sheet(given: Mapping[str, Any], rules: RuleSet) -> Sheet:
    """Return the sheet that options ask for; raises `ThousandError` saying what cannot stand on it."""
    deals = int(given.get("deal", 0))
    golden_over = bool(given.get("golden_over", rules.golden and deals >= rules.players))
    columns = {name: _numbers(name, given, rules) for name in COLUMNS}
    seats = [{name: columns[name][seat] for name in COLUMNS} for seat in range(rules.players)]
    if not rules.golden or golden_over:
        for seat, numbers in enumerate(seats):
            _complete(seat, numbers, given, deals, rules)
    sheet = Sheet(tuple(map(_seat_sheet, seats)), deals, golden_over)
    try:
        check_sheet(sheet, rules)
    except NotationError as error:
        raise ThousandError(f"options: {error}") from None
    return sheet


def _numbers(name: str, given: Mapping[str, Any], rules: RuleSet) -> list[int]:
    """Return one column option, a number for each seat."""
    value = given.get(name, [0] * rules.players)
    values: list[Any] = list(value) if np.iterable(value) else []
    if len(values) != rules.players:
        raise ThousandError(f"options: {name}={value!r}: expected {rules.players} numbers, one for each seat")
    low = -MAX_TOTAL if name == "totals" else 0
    high = {"baptised": 1, "golden_made": 1}.get(name, 255 if name in BONUS_KINDS else MAX_TOTAL)
    return [whole_number(f"options: {name} of seat {seat}", value, low, high) for seat, value in enumerate(values)]


def _complete(seat: int, numbers: Numbers, given: Mapping[str, Any], deals: int, rules: RuleSet) -> None:
    """Fill in what follows from a seat's total: when it mounted the barrel, that it is on the reverse barrel."""
    if "mounted" not in given:
        numbers["mounted"] = _mount(seat, numbers, deals, rules)
    if "reverse" not in given and rules.reverse_barrel:
        numbers["reverse"] = int(numbers["totals"] <= REVERSE_AT)


def _mount(seat: int, numbers: Numbers, deals: int, rules: RuleSet) -> int:
    """Return the number of the deal by which a seat mounted the barrel, 0 when it is not there (L1, L4)."""
    total, attempts = numbers["totals"], numbers["attempts"]
    if rules.barrel_at == 0 or total != rules.barrel_at:
        return 0
    sat_out = attempts // 3 if rules.players == 4 else 0  # of four deals, one as the dealer
    mounted = deals - attempts - sat_out
    if mounted < 1:
        raise ThousandError(
            f"options: total {total} of seat {seat} is the barrel, which an earlier deal leads to: expected "
            "`deal` above the seat's `attempts`"
        )
    return mounted


def _seat_sheet(numbers: Numbers) -> SeatSheet:
    hands, suits, card = (numbers[name] for name in BONUS_KINDS)
    plain = {name: numbers[name] for name in _PLAIN}
    return SeatSheet(numbers["totals"], bonuses=hands | suits << 8 | card << 16, **plain)
