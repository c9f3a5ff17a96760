"""Notation: text for whole positions (NOTATION.md).

A position is one line, the parts of a transcript side by side: the rules, the score sheet if it is not blank, the deal
as its cards were given out, every action since, and for a scored deal what it brought. Reading it lays the deal out and
acts it through again, so that a position which cannot come about is refused.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

from thousand_env.columns import completed_sheet, parse_sheet, sheet_text, told
from thousand_env.errors import NotationError, RuleError
from thousand_env.keyhole import seen_deal_text, seen_move_lines
from thousand_env.layout import Deal, deal_of, lay_out
from thousand_env.moves import move_lines, trick_lines
from thousand_env.origins import Outcome, sheets_before
from thousand_env.reading import MoveReader
from thousand_env.replay import Course
from thousand_env.rules import RuleSet
from thousand_env.sheet import Sheet, events_of, sheet_of, sheet_stands
from thousand_env.spelling import (
    deal_text,
    parse_cards,
    parse_deal,
    parse_number,
    parse_numbers,
    parse_seat,
    parse_set,
    set_text,
)
from thousand_env.state import EVENT_WORDS, NONE, OVER, SCORED

__all__ = ["parse_cards", "parse_position", "parse_set", "position_text", "read_position", "set_text"]

_BONUS_UNITS = {"hands": 1, "suits": 1 << 8}  # what a bonus adds to those used; a card is the third kind
_CARD_UNIT = 1 << 16


# -- writing ---------------------------------------------------------------------------------------------------------


def position_text(state: Any, rules: RuleSet, seat: int = NONE) -> str:
    """Return a position on one line: all of it, or what `seat` knows with `?` for the rest."""
    deal = deal_of(state, rules)
    viewed = seat != NONE
    parts = [
        str(rules),
        _sheet_part(state, rules, replace(deal, address=None) if viewed else deal, seat),
        seen_deal_text(state, deal, rules, seat) if viewed else deal_text(deal),
        *(seen_move_lines(state, rules, seat) if viewed else move_lines(state, rules)),
        *trick_lines(state, rules),
    ]
    if state.phase >= SCORED:
        parts.append(" ".join([outcome_word(state), score_text(state, rules.players), *events_of(state, rules)]))
    return " | ".join(part for part in parts if part)


def _sheet_part(state: Any, rules: RuleSet, deal: Deal, seat: int) -> str:
    sheet = sheet_of(state, rules)
    attempt = deal.address.attempt if deal.address else NONE
    known = told(sheet, deal.address, int(state.phase >= SCORED), attempt)
    bonuses = rules.bonus_hands + rules.bonus_suits + rules.bonus_card > 0
    return sheet_text(sheet, known, seat, hides_bonuses=bonuses and seat != NONE)


def outcome_word(state: Any) -> str:
    """Return the word for the end of a deal: `over` if the match ended with it, else `scored`."""
    return "over" if state.phase == OVER else "scored"


def score_text(state: Any, players: int) -> str:
    """Return what a deal was worth to each seat: `-170 +30 0`."""
    return " ".join(f"{int(state.score[seat]):+d}" if state.score[seat] else "0" for seat in range(players))


def totals_text(state: Any, rules: RuleSet) -> str:
    """Return the totals by seat: `0 -30 60`."""
    return " ".join(str(int(total)) for total in state.totals[: rules.players])


# -- reading ---------------------------------------------------------------------------------------------------------


def parse_position(text: str) -> tuple[NDArray[Any], RuleSet]:
    """Return the states, shape (1,), and the rules of a position; raises `NotationError` if it cannot come about.

    >>> line = "core | deal 0 hATKQdATKQ/hJ9dJ9cATKQ/cJ9sATKQJ9 - | play 1:120 | 1:cA cJ dQ"
    >>> states, rules = parse_position(line)
    >>> position_text(states[0], rules) == line
    True
    """
    course, _ = read_position(text)
    return course.states, course.rules


def read_position(text: str) -> tuple[Course, Sheet]:
    """Return the course to a position from the layout of its deal, and a score sheet that may have stood beside it."""
    parts = [part.split() for part in text.split("|")]
    try:
        rules = RuleSet.parse(" ".join(parts.pop(0)))
        sheet_words = parts.pop(0) if parts and parts[0][:1] != ["deal"] else []
        if not parts or parts[0][:1] != ["deal"]:
            raise NotationError(f"found {' '.join(parts[0]) if parts else 'the end'!r}, expected deal and its cards")
        deal = parse_deal(parts.pop(0)[1:], rules.players)
        outcome = parts.pop() if parts and parts[-1][:1] in (["scored"], ["over"]) else []
        if not deal.talon:
            deal, parts = bind(deal, parts, rules)
        sheet = _read_sheet(sheet_words, deal, rules, completed=len(outcome[:1]))
        if outcome:
            return _replay_scored(rules, sheet, deal, parts, outcome)
        sheet = _less_bonuses(sheet, _bonuses_in(parts, rules))
        return _replay(rules, sheet, deal, parts), sheet
    except (NotationError, RuleError) as error:
        raise NotationError(f"position {text.strip()!r}: {error}") from None


def bind(deal: Deal, parts: Sequence[list[str]], rules: RuleSet) -> tuple[Deal, list[list[str]]]:
    """Return a deal that begins at the first lead with what its lines `blind` and `play 0:120` say, and the others."""
    rest = list(parts)
    blind = rest[:1] == [["blind"]]
    words = rest.pop(0) if blind else []
    words = rest.pop(0) if rest else []
    seat, colon, points = words[1].partition(":") if len(words) == 2 and words[0] == "play" else ("", "", "")
    if not colon:
        found, cards = " ".join(words) or "the end", {2: "eleven"}.get(rules.players, "eight")
        raise NotationError(f"found {found!r}, expected play seat:contract after {cards} cards a hand")
    declarer, contract = parse_seat(seat, rules.players), parse_number(points, "the contract")
    return replace(deal, declarer=declarer, contract=contract, blind=blind), rest


def _read_sheet(words: Sequence[str], deal: Deal, rules: RuleSet, completed: int) -> Sheet:
    sheet, given = parse_sheet(words, rules.players)
    attempt = deal.address.attempt if deal.address else NONE
    return completed_sheet(sheet, given, told(sheet, deal.address, completed, attempt))


def _bonuses_in(parts: Sequence[Sequence[str]], rules: RuleSet) -> list[int]:
    """Return the bonuses that the lines of a deal use, packed as on the sheet, by seat."""
    used = [0] * rules.players
    for entry in (entry for words in parts if list(words[:1]) == ["bonus"] for entry in words[1:]):
        seat, _, kind = entry.partition(":")
        used[parse_seat(seat, rules.players)] += _BONUS_UNITS.get(kind, _CARD_UNIT)
    return used


def _less_bonuses(sheet: Sheet, used: Sequence[int]) -> Sheet:
    """Return the sheet as it was before bonuses were used in this deal; it stands as after them in a position."""
    columns: list[Any] = []
    for seat, (column, packed) in enumerate(zip(sheet.seats, used, strict=True)):
        if any(column.bonuses >> shift & 255 < packed >> shift & 255 for shift in (0, 8, 16)):
            raise NotationError(f"found a bonus of seat {seat}, expected it among the bonuses used on the sheet (X1)")
        columns.append(column._replace(bonuses=column.bonuses - packed))
    return replace(sheet, seats=tuple(columns))


def _replay(rules: RuleSet, sheet: Sheet, deal: Deal, parts: Sequence[Sequence[str]]) -> Course:
    course = Course(lay_out(deal, sheet, rules), rules)
    reader = MoveReader(course)
    for words in parts:
        if not words:
            raise NotationError("found nothing between two |, expected a move")
        if words[0] in ("redeal", "offence"):
            raise NotationError(f"found {' '.join(words)!r}, expected {reader.expected()}: the sheet tells of that")
        reader.read(words)
    if reader.dealt_again:
        raise NotationError(f"found nothing more, expected {reader.expected()}, and so another position")
    return course


def _replay_scored(
    rules: RuleSet, after: Sheet, deal: Deal, parts: Sequence[Sequence[str]], words: Sequence[str]
) -> tuple[Course, Sheet]:
    """Find a sheet before the deal from which it leads to the sheet after it, and replay the deal from there."""
    outcome = _read_outcome(rules, deal, parts, words)
    _less_bonuses(after, outcome.bonuses)
    fault = NotationError(f"found {' '.join(words)!r} with its score sheet, expected what this deal can lead to")
    for sheet in sheets_before(after, outcome, rules):
        if not sheet_stands(sheet, rules):
            continue
        try:
            course = _replay(rules, sheet, deal, parts)
            _expect_outcome(course, words[0], outcome.score)
        except NotationError as error:
            fault = error
            continue
        if sheet_of(course.state, rules) == after and events_of(course.state, rules) == outcome.events:
            return course, sheet
    raise fault


def _read_outcome(rules: RuleSet, deal: Deal, parts: Sequence[Sequence[str]], words: Sequence[str]) -> Outcome:
    return Outcome(
        dealer=deal.dealer,
        score=parse_numbers(words[1 : 1 + rules.players], rules.players, "the score by seat"),
        events=_split_events(words[1 + rules.players :], rules.players),
        bonuses=_bonuses_in(parts, rules),
        wrote_off=["writeoff"] in [list(part[:1]) for part in parts],
        baptised=["baptise"] in [list(part[:1]) for part in parts],
    )


def _expect_outcome(course: Course, word: str, score: Sequence[int]) -> None:
    state, rules = course.state, course.rules
    if state.phase < SCORED:
        raise NotationError(f"found {word!r}, expected {MoveReader(course).expected()}")
    if word != outcome_word(state):
        raise NotationError(f"found {word!r}, expected {outcome_word(state)!r}")
    if [int(points) for points in state.score[: rules.players]] != list(score):
        found = " ".join(map(str, score))
        raise NotationError(f"found the score {found}, expected {score_text(state, rules.players)}")


def _split_events(words: Sequence[str], players: int) -> list[str]:
    events: list[str] = []
    for word in words:
        if word in EVENT_WORDS:
            events.append(word)
        elif not events:
            raise NotationError(f"found {word!r}, expected an event: one of {', '.join(EVENT_WORDS)}")
        else:
            events[-1] += f" {parse_number(word, 'a number')}"
    for event in events:
        word, *numbers = event.split()
        if len(numbers) != (2 if word == "fine" else 1):
            raise NotationError(
                f"found {event!r}, expected the seat it befell{', and points' if word == 'fine' else ''}"
            )
        parse_seat(numbers[0], players)
    return events
