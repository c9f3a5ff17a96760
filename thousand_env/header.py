"""Header: the lines between a deal and its moves, on what fell before its cards were given out.

An address tells which attempts at a deal were dealt again by themselves, so that only the fines are written. Without
an address they are written out as well, where they are not the next ones: `attempt 3`, `redeals 0`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from numpy.typing import NDArray

from thousand_env import deck, match
from thousand_env.errors import NotationError
from thousand_env.layout import Deal, deal_out
from thousand_env.lines import Line, LineError, at
from thousand_env.rules import RuleSet
from thousand_env.sheet import Sheet, early_fine, in_golden_deals, sheet_of, write_sheet
from thousand_env.spelling import parse_number, parse_numbers, parse_seat
from thousand_env.state import new_states

MAX_FINES = 10_000  # a text may claim, before one deal

Note = Callable[[int, str], None]


def after_redeal(states: NDArray[Any], rules: RuleSet) -> Sheet:
    """Return the sheet of the next attempt, from an attempt that is dealt again: its redeal counted and fined (R10)."""
    counted = states.copy()
    deck.count_redeal(counted[0], rules.array()[0])
    return sheet_of(counted[0], rules)


# -- writing ---------------------------------------------------------------------------------------------------------


def header_lines(state: Any, before: Sheet, early: Sequence[int], rules: RuleSet, *, addressed: bool) -> list[str]:
    """Return the header of a deal whose cards were given out with the sheet `before`.

    `early` are the points of early fines, by seat, that the lines before it have told of.
    """
    lines: list[str] = []
    if not addressed and state.attempt != before.attempt:
        lines.append(f"attempt {state.attempt}")
    if not addressed and state.redeal_run != before.redeals:
        lines.append(f"redeals {state.redeal_run}")
    return [*lines, *fine_lines(state, early), *(["golden"] if in_golden_deals(before, rules) else [])]


def fine_lines(state: Any, early: Sequence[int]) -> list[str]:
    """Return the fines that fell before the deal was played and have not been told of."""
    points = [int(state.early[seat]) - told for seat, told in enumerate(early)]
    return [f"fine {seat} {number}" for seat, number in enumerate(points) if number]


# -- reading ---------------------------------------------------------------------------------------------------------


@dataclass
class Header:
    """What the header of a deal states, each with its line."""

    numbers: dict[str, tuple[Line, int]] = field(default_factory=dict[str, tuple[Line, int]])  # attempt, redeals
    fines: list[Line] = field(default_factory=list[Line])
    golden: list[Line] = field(default_factory=list[Line])


def read_header(lines: Sequence[Line]) -> Header:
    """Return the header that some lines make."""
    header = Header()
    for line in lines:
        word, entries = line.words[0], line.words[1:]
        with at(line):
            if word == "fine":
                header.fines.append(line)
            elif word == "golden":
                header.golden.append(line)
                if entries or len(header.golden) > 1:
                    raise NotationError(f"found {line.text!r}, expected golden alone and once")
            else:
                if word in header.numbers:
                    raise NotationError(f"found {line.text!r}, expected {word} once")
                header.numbers[word] = line, parse_numbers(entries, 1, f"a number after {word}")[0]
    return header


def dealt_by_deck(
    deal: Deal, header: Header, sheet: Sheet, early: Sequence[int], rules: RuleSet, note: Note
) -> NDArray[Any]:
    """Return the states of a deal with an address; a fine that its header states wrongly is noted."""
    for line, _ in header.numbers.values():
        raise LineError(line.number, f"found {line.text!r}, expected no such line: the address tells the attempt")
    states = deal_out(deal, sheet, rules)
    truth = fine_lines(states[0], early)
    for place, line in enumerate(header.fines):
        if place >= len(truth) or line.text != truth[place]:
            expected = repr(truth[place]) if place < len(truth) else "no such fine"
            note(line.number, f"found {line.text!r}, expected {expected}")
            return states
    if len(truth) > len(header.fines):
        raise NotationError(f"found no line {truth[len(header.fines)]!r}, expected it before the moves")
    return states


def stands_on_start(deal: Deal, header: Header, sheet: Sheet) -> bool:
    """Whether a record may begin with a sheet on which the early fines of its first deal stand already."""
    fined = any(column.early for column in sheet.seats) and not header.fines
    return deal.address is not None and fined and sheet.attempt == deal.address.attempt


def fined_sheet(deal: Deal, header: Header, sheet: Sheet, early: Sequence[int], rules: RuleSet) -> Sheet:
    """Return the sheet for a deal without an address, with the attempt and the fines that its header states.

    The fine for the third redeal stands on the sheet already (R10), but its line is missed all the same.
    """
    numbers = {word: number for word, (_, number) in header.numbers.items()}
    sheet = replace(sheet, **numbers)
    states = new_states(1)
    write_sheet(states[0], sheet)
    due = {seat: column.early - early[seat] for seat, column in enumerate(sheet.seats) if column.early > early[seat]}
    for line in header.fines:
        with at(line):
            _impose(states[0], line, due, deal, rules)
    for seat, points in due.items():
        raise NotationError(f"found no line 'fine {seat} {points}', expected it before the moves")
    return sheet_of(states[0], rules)


def _impose(state: Any, line: Line, due: dict[int, int], deal: Deal, rules: RuleSet) -> None:
    """Impose the fine of a line, but for what was `due` from its seat and has been imposed."""
    if len(line.words) != 3:
        raise NotationError(f"found {line.text!r}, expected fine, a seat and points")
    seat, points = parse_seat(line.words[1], rules.players), parse_number(line.words[2], "points, as in 120")
    each, dealer, cutter = early_fine(sheet_of(state, rules), rules), deal.dealer, (deal.dealer - 1) % rules.players
    fined = {dealer: rules.dealer_errors > 0 or rules.triple_redeal_fine, cutter: rules.cut_ceremony}
    more = points - due.pop(seat, 0)
    if points <= 0 or not 0 <= more <= MAX_FINES * each or more % each or not fined.get(seat):
        expected = f"{each} or a multiple of it from the dealer (D3, R10) or who cuts (D2), where the table fines them"
        raise NotationError(f"found {line.text!r}, expected {expected}")
    for _ in range(more // each):
        match.impose_early_fine(state, rules.array()[0], seat)
