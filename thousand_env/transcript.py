"""Transcripts: whole deals and matches as text, written from states and read with every word of them verified.

A *record* is what a file calls a game: `rules`, perhaps a `start` that gives the score sheet, then deals, a block each.
Cards and moves are acted through the engine; what the text claims besides (who won a trick, the score, the events of
the match, the totals) is compared with what came out. A wrong claim is noted and reading goes on with the truth. A move
that cannot be ends its deal; the deals after it are still checked, from the totals that the text states, but no longer
what the match makes of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thousand_env.columns import sheet_text, told
from thousand_env.header import after_redeal, header_lines
from thousand_env.layout import deal_of
from thousand_env.lines import UNFINISHED, Cursor, LineError, cut, split
from thousand_env.moves import move_lines, redeal_line, trick_lines, trick_winners
from thousand_env.notation import score_text, totals_text
from thousand_env.record_reader import RecordReader
from thousand_env.rules import RuleSet
from thousand_env.sheet import Sheet, events_of, sheet_of
from thousand_env.spelling import deal_text
from thousand_env.state import SCORED

__all__ = ["LineError", "Record", "examine", "read", "write"]


@dataclass(frozen=True)
class Record:
    """A game on paper.

    `start` is the sheet before the first deal; `states`, shape (deals,), holds every deal as it ended, the last one
    perhaps unfinished. An attempt at a deal that was dealt again stands among them as it was at that moment. A record
    that `keeps_totals` is a match: events and totals follow each score.
    """

    rules: RuleSet
    start: Sheet
    states: NDArray[Any]
    keeps_totals: bool = True


# -- writing ---------------------------------------------------------------------------------------------------------


def write(*records: Record) -> str:
    """Return the transcript of some records; `read` is its inverse."""
    return "\n".join(_record_text(record) for record in records)


def _record_text(record: Record) -> str:
    rules = record.rules
    address = deal_of(record.states[0], rules).address if len(record.states) else None
    start = sheet_text(record.start, told(record.start, address, completed=0))
    head = [f"rules {rules}", *([f"start {start}"] if start else [])]
    blocks: list[list[str]] = []
    sheet = record.start
    early = [column.early for column in sheet.seats]
    for place, state in enumerate(record.states):
        dealt_again = state.phase < SCORED and place + 1 < len(record.states)
        blocks.append([_aligned(line) for line in _deal_lines(record, state, sheet, early, dealt_again=dealt_again)])
        sheet = sheet_of(state, rules) if dealt_again else sheet_of(state, rules).before_next_deal()
        early = [column.early for column in sheet.seats]
        if dealt_again:
            sheet = after_redeal(record.states[place : place + 1], rules)
    return "\n".join("\n".join(block) + "\n" for block in [head + (blocks[0] if blocks else []), *blocks[1:]])


def _deal_lines(record: Record, state: Any, sheet: Sheet, early: Sequence[int], *, dealt_again: bool) -> list[str]:
    rules, deal = record.rules, deal_of(state, record.rules)
    lines = [deal_text(deal), *header_lines(state, sheet, early, rules, addressed=deal.address is not None)]
    offences = [int(state.offences[seat]) - column.offences for seat, column in enumerate(sheet.seats)]
    lines += [f"offence {seat} {count}" for seat, count in enumerate(offences) if count]
    moves = move_lines(state, rules)
    if dealt_again:
        told_by_claim = ("look", "noredeal") if state.bid == 0 else ()
        return [*lines, *(move for move in moves if not move.startswith(told_by_claim)), redeal_line(state, rules)]
    winners = trick_winners(state, rules)
    lines += moves
    for number, trick in enumerate(trick_lines(state, rules), start=1):
        winner = f" -> {winners[number - 1]}" if number <= len(winners) else ""
        lines.append(f"{number}. {trick}{winner}")
    if state.phase < SCORED:
        return [*lines, UNFINISHED]
    lines.append(f"score {score_text(state, rules.players)}")
    return lines + ([*events_of(state, rules), f"total {totals_text(state, rules)}"] if record.keeps_totals else [])


def _aligned(line: str) -> str:
    word, _, rest = line.partition(" ")
    return f"{word:<5} {rest}".rstrip()


# -- reading ---------------------------------------------------------------------------------------------------------


def read(text: str) -> list[Record]:
    r"""Return the records of a transcript; raises `LineError` for the first fault.

    >>> read("rules core\ndeal 0 -/-/- -")
    Traceback (most recent call last):
    ...
    thousand_env.lines.LineError: line 2: found 0 cards in the hand of seat 0, expected 8
    """
    records, faults = examine(text)
    if faults:
        raise faults[0]
    return records


def examine(text: str) -> tuple[list[Record], list[LineError]]:
    """Return the records of a transcript that hold, and every fault of those that do not."""
    lines = cut(text)
    faults: list[LineError] = []
    records: list[Record] = []
    if not lines or lines[0].words[0] != "rules":
        faults.append(Cursor(lines, end=1).missing("rules and a preset, as in: rules classic"))
    for game in split(lines, "rules"):
        reader = RecordReader()
        reader.read(game)
        faults += reader.faults
        if not reader.faults:
            assert reader.start is not None, "a record without faults has a deal, and so a start"
            states = np.concatenate(reader.states)
            records.append(Record(reader.rules, reader.start, states, reader.keeps_totals))
    return records, sorted(faults, key=lambda fault: fault.line)
