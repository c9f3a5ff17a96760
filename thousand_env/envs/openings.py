"""Openings: which deal an episode begins with.

A deal is addressed by (seed, match, deal, attempt). The options of `reset` choose match, deal and attempt, and may
write a score sheet as it stands before that deal. They are checked here, before anything changes.
"""

import operator
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thousand_env import deck
from thousand_env.errors import NotationError, ThousandError
from thousand_env.jit import kernel
from thousand_env.rules import RuleSet
from thousand_env.sheet import SeatSheet, Sheet, check_sheet
from thousand_env.state import NONE, new_states

MAX_NUMBER = 2**31 - 1  # of a match, a deal or an attempt
MAX_TOTAL = 100_000
NUMBERS = ("match", "deal", "attempt", "dealer")
COLUMNS = ("totals", "bolts", "attempts", "falls")
OPTIONS = (*NUMBERS, *COLUMNS)
_SHEET_FIELDS = ("totals", "bolts", "mounted", "attempts", "falls")  # of a state, in the order of a `SeatSheet`
_TOLERATED = "options"  # PettingZoo's api_test resets with {"options": 1} to see that options are taken at all


@dataclass(frozen=True)
class Opening:
    """What the options of a reset ask for: the match's number if they name it, and the sheet if they write one."""

    match: int | None
    sheet: NDArray[Any]  # states, length 1, or 0 for the first deal of a match on a clean sheet


@kernel
def open_row(state: Any, rules: Any, seed: int, match: int, sheet: Any) -> None:
    """Deal the first deal of an episode: of a fresh match, or as `sheet` says when it is not empty."""
    deck.begin_match(state, rules, seed, match)
    if sheet.shape[0] == 0:
        return
    wanted = sheet[0]
    state.deal, state.attempt = wanted.deal, wanted.attempt
    state.dealer = wanted.dealer if wanted.dealer != NONE else (state.dealer + wanted.deal) % rules.players
    for seat in range(rules.players):
        state.totals[seat], state.bolts[seat] = wanted.totals[seat], wanted.bolts[seat]
        state.mounted[seat] = wanted.mounted[seat]
        state.attempts[seat], state.falls[seat] = wanted.attempts[seat], wanted.falls[seat]
    deck.begin_deal(state, rules)


@kernel
def open_first(states: Any, rules: Any, seed: int, match: int, sheet: Any) -> None:
    """Deal the first deal of an episode in a batch of one."""
    open_row(states[0], rules[0], seed, match, sheet)


def check_seed(seed: object) -> int:
    """Return a seed as an int; raises `ThousandError` for what is not one of 64 bits."""
    return whole_number("seed", seed, -(2**63), 2**63 - 1)


def read_options(options: Mapping[str, Any] | None, rules: RuleSet) -> Opening:
    """Return the opening that options ask for; raises `ThousandError` naming the option that cannot be."""
    given = {name: value for name, value in (options or {}).items() if name != _TOLERATED}
    for name in given:
        if name not in OPTIONS:
            raise ThousandError(f"options: {name!r} is not one of {', '.join(OPTIONS)}")
    for name in NUMBERS:
        if name in given:
            most = rules.players - 1 if name == "dealer" else MAX_NUMBER
            given[name] = whole_number(f"options: {name}", given[name], 0, most)
    match = given.pop("match", None)
    return Opening(match, _written(given, rules) if given else new_states(0))


def _written(given: dict[str, Any], rules: RuleSet) -> NDArray[Any]:
    """Return the deal, dealer and score sheet that options ask for, as a state of which only these count."""
    totals, bolts, attempts, falls = (_column(name, given, rules) for name in COLUMNS)
    deals = given.get("deal", 0)
    mounted = [_mount(seat, totals[seat], attempts[seat], deals, rules) for seat in range(rules.players)]
    seats = tuple(map(SeatSheet, totals, bolts, mounted, attempts, falls))
    try:
        check_sheet(Sheet(seats, deals), rules)
    except NotationError as error:
        raise ThousandError(f"options: {error}") from None
    sheet = new_states(1)
    sheet["deal"], sheet["attempt"], sheet["dealer"] = deals, given.get("attempt", 0), given.get("dealer", NONE)
    for field, column in zip(_SHEET_FIELDS, zip(*seats, strict=True), strict=True):
        sheet[field][0, : rules.players] = column
    return sheet


def _column(name: str, given: dict[str, Any], rules: RuleSet) -> list[int]:
    """Return one column of the score sheet, a number for each seat."""
    value = given.get(name, [0] * rules.players)
    values: list[Any] = list(value) if np.iterable(value) else []
    if len(values) != rules.players:
        raise ThousandError(f"options: {name}={value!r}: expected {rules.players} numbers, one for each seat")
    low = -MAX_TOTAL if name == "totals" else 0
    return [whole_number(f"options: {name} of seat {seat}", value, low, MAX_TOTAL) for seat, value in enumerate(values)]


def _mount(seat: int, total: int, attempts: int, deals: int, rules: RuleSet) -> int:
    """Return the number of the deal by which a seat mounted the barrel, 0 when it is not there (L1, L4)."""
    if total != rules.barrel_at:
        if attempts:
            raise ThousandError(f"options: {attempts} attempts of seat {seat}, who is not on the barrel, expected 0")
        return 0
    if attempts >= deals:
        raise ThousandError(
            f"options: total {total} of seat {seat} is the barrel, which an earlier deal leads to: expected `deal` "
            "above the seat's `attempts`"
        )
    return deals - attempts


def whole_number(name: str, value: Any, low: int, high: int) -> int:
    """Return a number as an int; raises `ThousandError` naming it when it is none, or out of bounds."""
    try:
        number = low - 1 if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = low - 1
    if not low <= number <= high:
        raise ThousandError(f"{name}={value!r}: expected a whole number from {low} to {high}")
    return number
