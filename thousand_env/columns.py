"""Columns: text for score sheets, a word and a number for every seat, written only where they are not all zero.

`totals 880 300 -40 bolts 0 2 0 barrel 5.1 - - falls 1 0 0` is a sheet with seat 0 on the barrel since deal 5.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from thousand_env.errors import NotationError
from thousand_env.layout import Address
from thousand_env.sheet import SeatSheet, Sheet, bonuses_used
from thousand_env.spelling import EMPTY, HIDDEN, parse_numbers
from thousand_env.state import NONE

T = TypeVar("T")

OVER = "over"  # after the columns of `golden`
NUMBERS = {  # word: the field of a seat's column
    "totals": "total",
    "bolts": "bolts",
    "falls": "falls",
    "reverse": "reverse",
    "writeoffs": "write_offs",
    "baptised": "baptised",
    "golden": "golden_made",
    "early": "early",
    "offences": "offences",
}
COUNTS = ("deals", "redeals", "attempt")
SHEET_WORDS = (
    *("deals", "totals", "bolts", "barrel", "falls", "reverse", "writeoffs", "baptised", "golden"),
    *("bonuses", "redeals", "attempt", "early", "offences"),
)

_PAIR = re.compile(r"(\d{1,9})\.(\d{1,9})", re.ASCII)
_TRIPLE = re.compile(r"(\d{1,3})\.(\d{1,3})\.(\d{1,3})", re.ASCII)


class Told(NamedTuple):
    """What the rest of a text tells of a sheet, so that the sheet need not say it."""

    deals: int
    attempt: int


def told(sheet: Sheet, address: Address | None, completed: int, attempt: int = NONE) -> Told:
    """Return what is told of the completed deals and of the attempt.

    The address of a deal counts those before it, and it is itself `completed` (1) or not (0); without an address a
    sitter tells: he mounted after a deal, and every deal since has used an attempt. The attempt is `attempt`, if that
    is told; else as many as there were redeals in a row.
    """
    deals = max(completed, *(_deals_of(column, len(sheet.seats)) for column in sheet.seats))
    if address is not None:
        deals = address.deal + completed
    return Told(deals, sheet.redeals if attempt == NONE else attempt)


def _deals_of(column: SeatSheet, players: int) -> int:
    return column.mounted + (column.attempts if players < 4 else 0)  # a seat of four sits out now and then


# -- writing ---------------------------------------------------------------------------------------------------------


def sheet_text(sheet: Sheet, known: Told, viewer: int = NONE, *, hides_bonuses: bool = False) -> str:
    """Return a score sheet, only what is not zero and not told already.

    Where bonuses are played nobody but a `viewer` at the table knows how many he has used.
    """
    parts = [_part(sheet, word, known) for word in SHEET_WORDS]
    if hides_bonuses:
        entries = [_bonus_entry(c.bonuses) if seat == viewer else HIDDEN for seat, c in enumerate(sheet.seats)]
        parts[SHEET_WORDS.index("bonuses")] = " ".join(["bonuses", *entries])
    return " ".join(part for part in parts if part)


def _part(sheet: Sheet, word: str, known: Told) -> str:
    columns = sheet.seats
    if word in COUNTS:
        number = getattr(sheet, word)
        return f"{word} {number}" if number != getattr(known, word, 0) else ""
    if word == "barrel":
        entries = [f"{c.mounted}.{c.attempts}" if c.mounted else EMPTY for c in columns]
        return _entries(word, entries, EMPTY)
    if word == "bonuses":
        return _entries(word, [_bonus_entry(c.bonuses) for c in columns], EMPTY)
    entries = [str(getattr(column, NUMBERS[word])) for column in columns]
    if word == "golden" and sheet.golden_over:
        return " ".join([word, *entries, OVER])
    return _entries(word, entries, "0")


def _entries(word: str, entries: Sequence[str], zero: str) -> str:
    return " ".join([word, *entries]) if any(entry != zero for entry in entries) else ""


def _bonus_entry(packed: int) -> str:
    return ".".join(map(str, bonuses_used(packed))) if packed else EMPTY


# -- reading ---------------------------------------------------------------------------------------------------------


def parse_sheet(words: Sequence[str], players: int) -> tuple[Sheet, set[str]]:
    """Return the score sheet some words give, and which of `SHEET_WORDS` they were."""
    fields: dict[str, list[str]] = {}
    for word in words:
        if word in SHEET_WORDS and word not in fields:
            fields[word] = []
        elif not fields or word in SHEET_WORDS:
            raise NotationError(f"found {word!r}, expected each of {', '.join(SHEET_WORDS)} once at most")
        else:
            fields[list(fields)[-1]].append(word)
    golden = fields.get("golden", [])
    golden_over = golden[-1:] == [OVER]
    if golden_over:
        golden.pop()
    columns = {name: _numbers(fields, word, players) for word, name in NUMBERS.items()}
    barrel = _parsed(fields, "barrel", players, _parse_sitter)
    columns["mounted"], columns["attempts"] = [pair[0] for pair in barrel], [pair[1] for pair in barrel]
    columns["bonuses"] = _parsed(fields, "bonuses", players, _parse_bonuses)
    seats = tuple(SeatSheet(**{name: numbers[seat] for name, numbers in columns.items()}) for seat in range(players))
    deals, redeals, attempt = (_count(fields, word) for word in COUNTS)
    return Sheet(seats, deals, golden_over, redeals, attempt), set(fields)


def completed_sheet(sheet: Sheet, given: set[str], known: Told) -> Sheet:
    """Return a sheet with what the rest of its text tells where its own words, `given`, do not."""
    deals = sheet.deals if "deals" in given else known.deals
    attempt = sheet.attempt if "attempt" in given else known.attempt
    return Sheet(sheet.seats, deals, sheet.golden_over, sheet.redeals, attempt)


def _numbers(fields: dict[str, list[str]], word: str, players: int) -> list[int]:
    numbers = parse_numbers(fields.get(word, ["0"] * players), players, f"{word} by seat")
    if word in ("baptised", "golden") and not {*numbers} <= {0, 1}:
        raise NotationError(f"found {' '.join(fields[word])!r} after {word}, expected 0 or 1 for every seat")
    return numbers


def _count(fields: dict[str, list[str]], word: str) -> int:
    what = {"deals": "completed deals", "redeals": "redeals in a row", "attempt": "the attempt"}[word]
    return parse_numbers(fields.get(word, ["0"]), 1, what)[0]


def _parsed(fields: dict[str, list[str]], word: str, players: int, parse: Callable[[str], T]) -> list[T]:
    entries = fields.get(word, [EMPTY] * players)
    if len(entries) != players:
        raise NotationError(f"found {' '.join(entries)!r} after {word}, expected {players} entries")
    return [parse(entry) for entry in entries]


def _parse_sitter(text: str) -> tuple[int, int]:
    if text == EMPTY:
        return 0, 0
    match = _PAIR.fullmatch(text)
    if not match or int(match[1]) == 0:
        raise NotationError(f"found {text!r}, expected - or deal.attempts: 5.1 is on since deal 5, one attempt used")
    return int(match[1]), int(match[2])


def _parse_bonuses(text: str) -> int:
    if text == EMPTY:
        return 0
    match = _TRIPLE.fullmatch(text)
    used = [int(number) for number in match.groups()] if match else [256]
    if max(used) > 255:
        raise NotationError(f"found {text!r}, expected - or hands.suits.card: 1.0.2 has seen hands once and two cards")
    return used[0] | used[1] << 8 | used[2] << 16


assert {*NUMBERS, *COUNTS, "barrel", "bonuses"} == {*SHEET_WORDS}, "every word has its reader"
