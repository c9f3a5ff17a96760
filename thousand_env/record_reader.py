"""The reader of one record: deal by deal, every card, move and claim verified.

A wrong claim is noted and reading goes on with the truth. A move that cannot be ends its deal; the deals after it are
still replayed, from the totals that the text states, but what the match makes of them can no longer be verified.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any

from numpy.typing import NDArray

from thousand_env.columns import completed_sheet, parse_sheet, told
from thousand_env.errors import NotationError
from thousand_env.header import Header, after_redeal, dealt_by_deck, fined_sheet, read_header, stands_on_start
from thousand_env.layout import Deal, check_deal, lay_out
from thousand_env.lines import HEADER_WORDS, UNFINISHED, Cursor, Line, LineError, at, split
from thousand_env.match import REVERSE_AT
from thousand_env.moves import MOVE_WORDS, trick_winners
from thousand_env.notation import bind, score_text, totals_text
from thousand_env.reading import TRICK, MoveReader
from thousand_env.replay import Course
from thousand_env.rules import RuleSet
from thousand_env.sheet import (
    SeatSheet,
    Sheet,
    blank_sheet,
    check_sheet,
    events_of,
    in_golden_deals,
    sheet_of,
    sheet_stands,
)
from thousand_env.spelling import parse_deal, parse_numbers
from thousand_env.state import EVENT_WORDS, OVER, PLAY, SCORED


def likely_sheet(totals: Sequence[int], deals: int, rules: RuleSet) -> Sheet:
    """Return a sheet on which these totals can stand, with a seat on a barrel where its total says so."""
    golden = rules.golden and deals < rules.players

    def column(total: int) -> SeatSheet:
        if not golden and 0 < rules.barrel_at <= total:
            return SeatSheet(rules.barrel_at, mounted=deals)
        return SeatSheet(total, reverse=int(not golden and rules.reverse_barrel > 0 and total <= REVERSE_AT))

    sheet = Sheet(tuple(map(column, totals)), deals, golden_over=rules.golden and not golden)
    return (
        sheet if sheet_stands(sheet, rules) else replace(blank_sheet(rules), deals=deals, golden_over=sheet.golden_over)
    )


@dataclass
class RecordReader:
    """Reads one record; `faults` is what is wrong in it, `states` how each of its deals ended."""

    rules: RuleSet = field(default_factory=RuleSet)
    start: Sheet | None = None
    states: list[NDArray[Any]] = field(default_factory=list[NDArray[Any]])
    faults: list[LineError] = field(default_factory=list[LineError])
    keeps_totals: bool = False
    sheet: Sheet | None = None  # that the next deal begins with, None before the first
    early: list[int] = field(default_factory=list[int])  # points of early fines that were told of in this deal
    certain: bool = True  # no fault has hidden how the match stands
    previous: Deal | None = None
    dealt_again: bool = False  # the next deal is another attempt
    over: bool = False

    def note(self, line: int, message: str) -> None:
        """Note a wrong claim."""
        self.faults.append(LineError(line, message))

    def read(self, lines: list[Line]) -> None:
        """Read the lines from `rules` on."""
        blocks = split(lines, "deal")
        head = Cursor(lines[: len(lines) - sum(map(len, blocks))], lines[-1].number)
        try:
            line = head.take()
            with at(line):
                self.rules = RuleSet.parse(" ".join(line.words[1:]))
            start = head.take() if head.word() == "start" else None
            if head.lines or not blocks:
                raise head.missing("deal and its cards")
        except LineError as fault:
            self.faults.append(fault)
            return
        for block in blocks:
            self._read_block(block, start, last=block is blocks[-1])

    def _read_block(self, block: list[Line], start: Line | None, *, last: bool) -> None:
        cursor = Cursor(list(block), block[-1].number)
        try:
            reader = self._read_deal(cursor, start)
            if reader.dealt_again:
                self._read_end_of_attempt(cursor, reader, last=last)
            else:
                self._read_outcome(cursor, reader, last=last)
        except LineError as fault:
            self.faults.append(fault)
            self.certain = False
            self.sheet = self._stated_sheet(block)
            return
        self.dealt_again = reader.dealt_again
        states = reader.course.ended[0] if self.dealt_again else reader.course.states
        self.states.append(states)
        self.over = self.certain and states[0].phase == OVER
        if not self.certain:
            self.sheet = self._stated_sheet(block)
            return
        sheet = sheet_of(states[0], self.rules)
        sheet = sheet if self.dealt_again else sheet.before_next_deal()
        self.early = [column.early for column in sheet.seats]
        self.sheet = after_redeal(states, self.rules) if self.dealt_again else sheet

    def _stated_sheet(self, block: list[Line]) -> Sheet:
        """Return a sheet with the totals that a block states, for the deals after a fault."""
        before = self.sheet or blank_sheet(self.rules)
        totals = [column.total for column in before.seats]
        self.dealt_again = any(line.words[0] == "redeal" for line in block)
        for line in block:
            if line.words[0] == "total" and len(line.words) == self.rules.players + 1:
                with suppress(NotationError):
                    totals = parse_numbers(line.words[1:], self.rules.players, "totals")
        return likely_sheet(totals, before.deals + (not self.dealt_again), self.rules)

    # -- the cards ---------------------------------------------------------------------------------------------------

    def _read_deal(self, cursor: Cursor, start: Line | None) -> MoveReader:
        line = cursor.take()
        previous, self.previous = self.previous, None
        with at(line):
            deal = parse_deal(line.words[1:], self.rules.players)
            self._check_follows(deal, previous)
            self.previous = deal
        header = read_header(cursor.take_while(HEADER_WORDS))
        sheet = self._sheet_before(deal, start)
        with at(line):
            check_deal(deal, sheet, self.rules)
        if not deal.talon:
            lines = cursor.take_while(["blind"])
            if cursor.word() != "play":
                raise cursor.missing("play seat:contract, after the cards of the first lead")
            lines.append(line := cursor.take())
            with at(line):
                deal, _ = bind(deal, [line.words for line in lines], self.rules)
        with at(line):
            states = self._give_out(deal, header, sheet)
        if self.certain and in_golden_deals(sheet, self.rules) != bool(header.golden):
            self._note_golden(header, line)
        reader = MoveReader(Course(states, self.rules))
        while cursor.word() in MOVE_WORDS or TRICK.fullmatch(cursor.word()):
            line = cursor.take()
            with at(line):
                self._read_move_line(reader, line)
        return reader

    def _check_follows(self, deal: Deal, previous: Deal | None) -> None:
        if self.over:
            raise NotationError("found another deal, expected the next rules: the match is over")
        if previous is None:
            return
        seat = previous.dealer if self.dealt_again else (previous.dealer + 1) % self.rules.players
        if deal.dealer != seat:
            raise NotationError(f"found dealer {deal.dealer}, expected seat {seat} to deal (S2)")
        if deal.address and previous.address and deal.address[:2] != previous.address[:2]:
            raise NotationError(f"found the address {deal.address}, expected the match of {previous.address}")

    def _sheet_before(self, deal: Deal, start: Line | None) -> Sheet:
        if not self.certain and self.sheet is not None and deal.address is not None:
            totals = [column.total for column in self.sheet.seats]
            return replace(likely_sheet(totals, deal.address.deal, self.rules), attempt=deal.address.attempt)
        if self.sheet is not None:
            return self.sheet
        sheet, given = parse_sheet([], self.rules.players)
        if start is not None:
            with at(start):
                sheet, given = parse_sheet(start.words[1:], self.rules.players)
        sheet = completed_sheet(sheet, given, told(sheet, deal.address, completed=0))
        self.start = sheet
        if start is not None:
            with at(start):
                check_sheet(sheet, self.rules)
        self.sheet = sheet
        self.early = [column.early for column in sheet.seats]
        return sheet

    def _give_out(self, deal: Deal, header: Header, sheet: Sheet) -> NDArray[Any]:
        if not self.certain or (not self.states and stands_on_start(deal, header, sheet)):
            return lay_out(deal, sheet, self.rules)
        if deal.address is not None:
            return dealt_by_deck(deal, header, sheet, self.early, self.rules, self.note)
        return lay_out(deal, fined_sheet(deal, header, sheet, self.early, self.rules), self.rules)

    def _note_golden(self, header: Header, line: Line) -> None:
        if header.golden:
            self.note(header.golden[0].number, "found 'golden', expected no such line: this is no golden deal (G1)")
        else:
            self.note(line.number, "found no line 'golden', expected it after deal: this is a golden deal (G1)")

    # -- the moves ---------------------------------------------------------------------------------------------------

    def _read_move_line(self, reader: MoveReader, line: Line) -> None:
        unnamed = reader.state.phase == PLAY and not reader.named and line.words[0] not in ("play", "offence")
        if unnamed:
            raise NotationError(f"found {line.text!r}, expected {reader.expected()}")
        if line.words[0] in MOVE_WORDS:
            reader.read(line.words)
            return
        active = self.rules.active
        number = f"{reader.state.num_plays // active + 1}."
        if reader.state.phase == PLAY and line.words[0] != number:
            raise NotationError(f"found trick {line.words[0]}, expected trick {number}")
        cards, arrow, winner = " ".join(line.words[1:]).partition("->")
        if not cards.split():
            raise NotationError(f"found {line.text!r}, expected {reader.expected()}")
        reader.read(cards.split())
        if reader.state.num_plays % active == 0:
            truth = f"-> {trick_winners(reader.state, self.rules)[-1]}"
            found = f"-> {winner.strip()}" if arrow else "no winner at the end of the trick"
            if found != truth:
                self.note(line.number, f"found {found}, expected {truth}")
        elif arrow:
            raise NotationError(f"found '->', expected {reader.expected()}")

    # -- what the text claims of a deal ------------------------------------------------------------------------------

    def _read_end_of_attempt(self, cursor: Cursor, reader: MoveReader, *, last: bool) -> None:
        if not reader.closed:
            raise cursor.missing(reader.expected())
        if cursor.lines or last:
            raise cursor.missing("deal and the cards of the next attempt")

    def _read_outcome(self, cursor: Cursor, reader: MoveReader, *, last: bool) -> None:
        state = reader.state
        if state.phase < SCORED:
            if cursor.word() != UNFINISHED:
                raise cursor.missing(reader.expected())
            line = cursor.take()
            if not last:
                raise LineError(line.number, "found 'unfinished', expected it of the last deal only")
        else:
            if cursor.word() != "score":
                raise cursor.missing(f"score {score_text(state, self.rules.players)}")
            self._claim(cursor.take(), state.score, f"score {score_text(state, self.rules.players)}")
            events = cursor.take_while(EVENT_WORDS)
            if self.keeps_totals or events or cursor.word() == "total" or not last:
                self._read_sheet_lines(cursor, events, state)
        if cursor.lines:
            raise cursor.missing("the next deal or rules")

    def _read_sheet_lines(self, cursor: Cursor, events: list[Line], state: Any) -> None:
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
        self._claim(line, state.totals, total)

    def _claim(self, line: Line, numbers: Any, truth: str) -> None:
        """Note a fault unless the numbers of a line are those of a field of the state."""
        try:
            stated = parse_numbers(line.words[1:], self.rules.players, "by seat")
        except NotationError:
            stated = None
        if stated != [int(number) for number in numbers[: self.rules.players]]:
            self.note(line.number, f"found {line.text!r}, expected {truth!r}")
