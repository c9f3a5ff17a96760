"""Transcripts: whole deals and matches as text, written from states and read with every word of them verified.

A *record* is what a file calls a game: `rules`, perhaps a `start` that gives the score sheet, then deals, a block each.
Cards and moves are acted through the engine; what the text claims besides (who won a trick, the score, the events of
the match, the totals) is compared with what came out. A wrong claim is noted and reading goes on with the truth. A move
that cannot be ends its deal; the deals after it are still checked, from the totals that the text states, but no longer
what the match makes of them.
"""

import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import takewhile, zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thousand_env.errors import NotationError, ThousandError
from thousand_env.notation import (
    MOVE_WORDS,
    bind,
    move_lines,
    read_moves,
    read_sheet,
    score_text,
    trick_lines,
    trick_winners,
)
from thousand_env.replay import Deal, check_deal, deal_of, expected_now, lay_out
from thousand_env.rules import RuleSet
from thousand_env.sheet import SeatSheet, Sheet, blank_sheet, check_sheet, events_of, sheet_of, sheet_stands
from thousand_env.spelling import deal_text, deals_told, parse_deal, parse_numbers, sheet_text
from thousand_env.state import EVENT_WORDS, OVER, PLAY, SCORED

UNFINISHED = "unfinished"
WORDS = ("rules", "start", "deal", *MOVE_WORDS, "score", *EVENT_WORDS, "total", UNFINISHED)

_TRICK = re.compile(r"\d{1,2}\.", re.ASCII)


class LineError(NotationError):
    """A fault of a transcript: `message` says what was found in `line` and what was expected."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(line, message)
        self.line = line
        self.message = message

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


@dataclass(frozen=True)
class Record:
    """A game on paper.

    `start` is the sheet before the first deal; `states`, shape (deals,), holds every deal as it ended, the last one
    perhaps unfinished. A record that `keeps_totals` is a match: events and totals follow each score.
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
    start = sheet_text(record.start, deals_told(record.start.seats, address, completed=0))
    head = [f"rules {rules}", *([f"start {start}"] if start else [])]
    blocks = [_deal_lines(record, state) for state in record.states]
    return "\n".join("\n".join(block) + "\n" for block in [head + (blocks[0] if blocks else []), *blocks[1:]])


def _deal_lines(record: Record, state: Any) -> list[str]:
    rules = record.rules
    lines = [deal_text(deal_of(state, rules)), *move_lines(state, rules)]
    winners = trick_winners(state, rules.players)
    for number, trick in enumerate(trick_lines(state, rules.players), start=1):
        winner = f" -> {winners[number - 1]}" if number <= len(winners) else ""
        lines.append(f"{number}. {trick}{winner}")
    if state.phase < SCORED:
        lines.append(UNFINISHED)
    else:
        lines.append(f"score {score_text(state, rules.players)}")
        lines += [*events_of(state, rules), f"total {totals_text(state, rules)}"] if record.keeps_totals else []
    return [_aligned(line) for line in lines]


def _aligned(line: str) -> str:
    word, _, rest = line.partition(" ")
    return f"{word:<5} {rest}".rstrip()


def totals_text(state: Any, rules: RuleSet) -> str:
    """Return the totals by seat: `0 -30 60`."""
    return " ".join(str(int(total)) for total in state.totals[: rules.players])


# -- reading ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Line:
    number: int
    words: list[str]

    @property
    def text(self) -> str:
        return " ".join(self.words)


@dataclass
class _Cursor:
    """The lines of one deal, and the number of the last line for what is missing at its end."""

    lines: list[_Line]
    end: int

    def word(self) -> str:
        return self.lines[0].words[0] if self.lines else ""

    def take(self) -> _Line:
        return self.lines.pop(0)

    def missing(self, expected: str) -> LineError:
        """Return the fault of finding anything else here."""
        if not self.lines:
            return LineError(self.end, f"found nothing more, expected {expected}")
        line = self.lines[0]
        known = line.words[0] in WORDS or _TRICK.fullmatch(line.words[0])
        hint = "" if known else f"; the words are {', '.join(WORDS)}"
        return LineError(line.number, f"found {line.text!r}, expected {expected}{hint}")


@contextmanager
def _at(line: _Line) -> Generator[None]:
    try:
        yield
    except LineError:
        raise
    except ThousandError as error:
        raise LineError(line.number, str(error)) from None


def read(text: str) -> list[Record]:
    r"""Return the records of a transcript; raises `LineError` for the first fault.

    >>> read("rules core\ndeal 0 -/-/- -")
    Traceback (most recent call last):
    ...
    thousand_env.transcript.LineError: line 2: found 0 cards in the hand of seat 0, expected 8
    """
    records, faults = examine(text)
    if faults:
        raise faults[0]
    return records


def examine(text: str) -> tuple[list[Record], list[LineError]]:
    """Return the records of a transcript that hold, and every fault of those that do not."""
    lines = [_Line(number, line.partition(";")[0].split()) for number, line in enumerate(text.split("\n"), start=1)]
    lines = [line for line in lines if line.words]
    faults: list[LineError] = []
    records: list[Record] = []
    if not lines or lines[0].words[0] != "rules":
        faults.append(_Cursor(lines, end=1).missing("rules and a preset, as in: rules classic"))
    for game in _split(lines, "rules"):
        reader = _Reader()
        reader.read(game)
        faults += reader.faults
        if not reader.faults:
            records.append(reader.record())
    return records, sorted(faults, key=lambda fault: fault.line)


def _split(lines: Sequence[_Line], word: str) -> list[list[_Line]]:
    """Return the stretches of lines that begin with a word; what comes before the first is left out."""
    groups: list[list[_Line]] = []
    for line in lines:
        if line.words[0] == word:
            groups.append([line])
        elif groups:
            groups[-1].append(line)
    return groups


def likely_sheet(totals: Sequence[int], deals: int, rules: RuleSet) -> Sheet:
    """Return a sheet on which these totals can stand, with a seat on the barrel where its total says so."""
    sitter = SeatSheet(rules.barrel_at, mounted=deals)
    sheet = Sheet(tuple(SeatSheet(total) if total < rules.barrel_at else sitter for total in totals), deals)
    return sheet if sheet_stands(sheet, rules) else replace(blank_sheet(rules), deals=deals)


@dataclass
class _Reader:
    """Reads one record, deal by deal."""

    rules: RuleSet = field(default_factory=RuleSet)
    start: Sheet | None = None
    states: list[NDArray[Any]] = field(default_factory=list[NDArray[Any]])
    faults: list[LineError] = field(default_factory=list[LineError])
    sheet: Sheet | None = None  # before the next deal, None before the first
    certain: bool = True  # no fault has hidden how the match stands
    previous: Deal | None = None
    keeps_totals: bool = False
    over: bool = False

    def record(self) -> Record:
        assert self.start is not None, "a record without faults has a deal, and so a start"
        return Record(self.rules, self.start, np.concatenate(self.states), self.keeps_totals)

    def note(self, line: int, message: str) -> None:
        self.faults.append(LineError(line, message))

    def read(self, lines: list[_Line]) -> None:
        blocks = _split(lines, "deal")
        head = _Cursor(lines[: len(lines) - sum(map(len, blocks))], lines[-1].number)
        try:
            line = head.take()
            with _at(line):
                self.rules = RuleSet.parse(" ".join(line.words[1:]))
            start = head.take() if head.word() == "start" else None
            if head.lines or not blocks:
                raise head.missing("deal and its cards")
        except LineError as fault:
            self.faults.append(fault)
            return
        for block in blocks:
            self.read_block(block, start, last=block is blocks[-1])

    def read_block(self, block: list[_Line], start: _Line | None, last: bool) -> None:
        cursor = _Cursor(list(block), block[-1].number)
        try:
            states = self.read_deal(cursor, start)
            self.read_outcome(cursor, states[0], last)
        except LineError as fault:
            self.faults.append(fault)
            self.certain = False
            self.sheet = self.stated_sheet(block)
            return
        self.states.append(states)
        self.sheet = sheet_of(states[0], self.rules) if self.certain else self.stated_sheet(block)
        self.over = self.certain and states[0].phase == OVER

    def stated_sheet(self, block: list[_Line]) -> Sheet:
        """Return a sheet with the totals that a block states, for the deals after a fault."""
        before = self.sheet or blank_sheet(self.rules)
        totals = [column.total for column in before.seats]
        for line in block:
            if line.words[0] == "total" and len(line.words) == self.rules.players + 1:
                with suppress(NotationError):
                    totals = parse_numbers(line.words[1:], self.rules.players, "totals")
        return likely_sheet(totals, before.deals + 1, self.rules)

    # -- cards and moves ---------------------------------------------------------------------------------------------

    def read_deal(self, cursor: _Cursor, start: _Line | None) -> NDArray[Any]:
        line = cursor.take()
        previous, self.previous = self.previous, None
        with _at(line):
            deal = parse_deal(line.words[1:], self.rules.players)
            self.check_follows(deal, previous)
            self.previous = deal
        sheet = self.sheet_before(deal, start)
        with _at(line):
            check_deal(deal, sheet, self.rules)
        if not deal.talon:
            if cursor.word() != "play":
                raise cursor.missing("play seat:contract, after eight cards a hand")
            line = cursor.take()
        with _at(line):
            deal = deal if deal.talon else bind(deal, line.words, self.rules)
            states = lay_out(deal, sheet, self.rules)
        named = not deal.talon
        while cursor.word() in MOVE_WORDS or _TRICK.fullmatch(cursor.word()):
            named = named or cursor.word() == "play"
            if states[0].phase == PLAY and not named:
                raise cursor.missing(f"play {states[0].declarer}:{states[0].contract}")
            line = cursor.take()
            with _at(line):
                self.read_move_line(states, line)
        return states

    def check_follows(self, deal: Deal, previous: Deal | None) -> None:
        if self.over:
            raise NotationError("found another deal, expected the next rules: the match is over")
        if previous is None:
            return
        seat = (previous.dealer + 1) % self.rules.players
        if deal.dealer != seat:
            raise NotationError(f"found dealer {deal.dealer}, expected seat {seat} to deal (S2)")
        if deal.address and previous.address and deal.address[:2] != previous.address[:2]:
            raise NotationError(f"found the address {deal.address}, expected the match of {previous.address}")

    def sheet_before(self, deal: Deal, start: _Line | None) -> Sheet:
        if not self.certain and self.sheet is not None and deal.address is not None:
            return likely_sheet([column.total for column in self.sheet.seats], deal.address.deal, self.rules)
        if self.sheet is not None:
            return self.sheet
        if start is None:
            self.start = read_sheet(None, deal, self.rules, completed=0)
        else:
            with _at(start):
                self.start = read_sheet(start.words[1:], deal, self.rules, completed=0)
                check_sheet(self.start, self.rules)
        self.sheet = self.start
        return self.start

    def read_move_line(self, states: NDArray[Any], line: _Line) -> None:
        if line.words[0] in MOVE_WORDS:
            read_moves(states, self.rules, line.words)
            return
        state: Any = states[0]
        number = f"{state.num_plays // self.rules.players + 1}."
        if state.phase == PLAY and line.words[0] != number:
            raise NotationError(f"found trick {line.words[0]}, expected trick {number}")
        cards, arrow, winner = " ".join(line.words[1:]).partition("->")
        if not cards.split():
            raise NotationError(f"found {line.text!r}, expected {expected_now(state, self.rules)}")
        read_moves(states, self.rules, cards.split())
        if state.num_plays % self.rules.players == 0:
            truth = f"-> {trick_winners(state, self.rules.players)[-1]}"
            found = f"-> {winner.strip()}" if arrow else "no winner at the end of the trick"
            if found != truth:
                self.note(line.number, f"found {found}, expected {truth}")
        elif arrow:
            raise NotationError(f"found '->', expected {expected_now(state, self.rules)}")

    # -- what the text claims of a deal ------------------------------------------------------------------------------

    def read_outcome(self, cursor: _Cursor, state: Any, last: bool) -> None:
        if state.phase < SCORED:
            if cursor.word() != UNFINISHED:
                raise cursor.missing(expected_now(state, self.rules))
            line = cursor.take()
            if not last:
                raise LineError(line.number, "found 'unfinished', expected it of the last deal only")
        else:
            if cursor.word() != "score":
                raise cursor.missing(f"score {score_text(state, self.rules.players)}")
            line = cursor.take()
            self.claim(line, state.score, f"score {score_text(state, self.rules.players)}")
            events = [cursor.take() for _ in takewhile(lambda line: line.words[0] in EVENT_WORDS, list(cursor.lines))]
            if self.keeps_totals or events or cursor.word() == "total" or not last:
                self.read_sheet_lines(cursor, events, state)
        if cursor.lines:
            raise cursor.missing("the next deal or rules")

    def read_sheet_lines(self, cursor: _Cursor, events: list[_Line], state: Any) -> None:
        self.keeps_totals = True
        total = f"total {totals_text(state, self.rules)}" if self.certain else "total and numbers"
        if cursor.word() != "total":
            raise cursor.missing(total)
        line = cursor.take()
        if not self.certain:
            return
        for found, event in zip_longest(events, events_of(state, self.rules)):
            if not (found and event and found.words == event.split()):
                place = found or line
                self.note(place.number, f"found {place.text!r}, expected {event or total!r}")
                break
        self.claim(line, state.totals, total)

    def claim(self, line: _Line, numbers: Any, truth: str) -> None:
        """Note a fault unless the numbers of a line are those of a field of the state."""
        try:
            stated = parse_numbers(line.words[1:], self.rules.players, "by seat")
        except NotationError:
            stated = None
        if stated != [int(number) for number in numbers[: self.rules.players]]:
            self.note(line.number, f"found {line.text!r}, expected {truth!r}")
