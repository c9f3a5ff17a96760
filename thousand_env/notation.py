"""Notation: text for moves and for whole positions (NOTATION.md); `spelling` has the words they are made of.

A position is one line, the parts of a transcript side by side: the rules, the score sheet if it is not blank, the deal
as its cards were given out, every action since, and for a scored deal what it brought. Reading it lays the deal out and
acts it through again, so that a position which cannot come about is refused.

Parts that a seat cannot know are written `?` in that seat's view of a position; such a line is for reading, it cannot
be played on.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

from thousand_env import exchange
from thousand_env.actions import (
    KEEP_TALON,
    LEVEL_STEP,
    PASS,
    SHOW_TALON,
    bid_action,
    card_of,
    parse_action,
    way_of,
)
from thousand_env.cards import MAX_CONTRACT, card_name, marriage_value, suit_of
from thousand_env.errors import NotationError, RuleError
from thousand_env.replay import (
    Deal,
    act,
    calls_of,
    chose_talon,
    deal_of,
    expected_now,
    gifts_of,
    lay_out,
)
from thousand_env.rules import MIN_BID, RuleSet
from thousand_env.sheet import Sheet, events_of, sheet_of, sheet_stands, sheets_before
from thousand_env.spelling import (
    HIDDEN,
    deal_text,
    deals_told,
    parse_cards,
    parse_deal,
    parse_number,
    parse_numbers,
    parse_one_card,
    parse_seat,
    parse_set,
    parse_sheet,
    set_text,
    sheet_text,
)
from thousand_env.state import AUCTION, CONTRACT, EVENT_WORDS, EXCHANGE, NONE, OVER, PLAY, SCORED, SILENT, TALON

__all__ = [
    "move_lines",
    "parse_cards",
    "parse_position",
    "parse_set",
    "position_text",
    "read_moves",
    "set_text",
    "trick_lines",
    "trick_winners",
]

MOVE_WORDS = ("bid", "talon", "give", "play")


# -- moves -----------------------------------------------------------------------------------------------------------


def move_lines(state: Any, rules: RuleSet, seat: int = NONE) -> list[str]:
    """Return what happened between deal and first lead, a line a step; a `seat` sees `?` for a card hidden from it."""
    lines: list[str] = []
    calls = calls_of(state, rules.players) if state.talon else []
    if calls:
        lines.append(" ".join(["bid", *(f"{caller}:{points or 'p'}" for caller, points in calls)]))
    if chose_talon(state, rules):
        lines.append("talon open" if state.talon_open else "talon closed")
    gifts = [
        f"{state.declarer}>{receiver}:{card_name(card) if _sees_gift(state, rules, receiver, seat) else HIDDEN}"
        for receiver, card in gifts_of(state, rules.players)
    ]
    if gifts:
        lines.append(" ".join(["give", *gifts]))
    if state.contract:
        lines.append(f"play {state.declarer}:{state.contract}")
    return lines


def _sees_gift(state: Any, rules: RuleSet, receiver: int, seat: int) -> bool:
    return rules.exchange == "open" or seat in (NONE, receiver, state.declarer)


def trick_lines(state: Any, players: int) -> list[str]:
    """Return the tricks so far, leader and cards: `0:dQ dK hJ`, with the value after a card that declares."""
    plays = [int(state.plays[place]) for place in range(state.num_plays)]
    tricks = [plays[first : first + players] for first in range(0, len(plays), players)]
    return [f"{trick[0] >> 8}:{' '.join(map(_play_text, trick))}" for trick in tricks]


def trick_winners(state: Any, players: int) -> list[int]:
    """Return who won each complete trick: the seat that leads next, or led last."""
    leaders = [int(state.plays[place]) >> 8 for place in range(players, state.num_plays, players)]
    return leaders if state.num_plays % players or not state.num_plays else [*leaders, int(state.leader)]


def _play_text(play: int) -> str:
    card = play & 31
    return card_name(card) + (f"+{marriage_value(suit_of(card))}" if play >> 5 & 7 != SILENT else "")


def read_moves(states: NDArray[Any], rules: RuleSet, words: Sequence[str]) -> None:
    """Act through a line of moves, `bid …`, `talon …`, `give …`, `play …` or a trick; in place, every one checked."""
    if words[0] not in MOVE_WORDS:
        return _read_trick(states, rules, words)
    if len(words) == 1:
        raise NotationError(f"found {words[0]!r} alone, expected {expected_now(states[0], rules)}")
    read = {"bid": _read_bid, "talon": _read_talon, "give": _read_gift, "play": _read_contract}[words[0]]
    for word in words[1:]:
        read(states, rules, word)
    return None


def _expect_phase(states: NDArray[Any], rules: RuleSet, phases: Sequence[int], word: str) -> None:
    if states[0].phase not in phases:
        raise NotationError(f"found {word!r}, expected {expected_now(states[0], rules)}")


def _split_turn(states: NDArray[Any], rules: RuleSet, word: str) -> str:
    seat, colon, rest = word.partition(":")
    if not colon or not rest:
        raise NotationError(f"found {word!r}, expected {expected_now(states[0], rules)}, written {states[0].turn}:...")
    if parse_seat(seat, rules.players) != states[0].turn:
        raise NotationError(f"found {word!r}, expected {expected_now(states[0], rules)}")
    return rest


def _level(text: str, rules: RuleSet) -> int:
    points = parse_number(text, "points, as in 120")
    if not MIN_BID <= points <= MAX_CONTRACT or points % LEVEL_STEP:
        levels = f"{MIN_BID} to {MAX_CONTRACT} in steps of {rules.bid_step} (A2)"
        raise NotationError(f"found {points} points, expected {levels}")
    return bid_action(points)


def _read_bid(states: NDArray[Any], rules: RuleSet, word: str) -> None:
    _expect_phase(states, rules, [AUCTION], f"bid {word}")
    call = _split_turn(states, rules, word)
    act(states, rules, PASS if call in ("p", "pass") else _level(call, rules))


def _read_talon(states: NDArray[Any], rules: RuleSet, word: str) -> None:
    _expect_phase(states, rules, [TALON], f"talon {word}")
    if word not in ("open", "closed"):
        raise NotationError(f"found 'talon {word}', expected talon open or talon closed")
    act(states, rules, SHOW_TALON if word == "open" else KEEP_TALON)


def _read_gift(states: NDArray[Any], rules: RuleSet, word: str) -> None:
    _expect_phase(states, rules, [EXCHANGE], f"give {word}")
    seats, _, card = word.partition(":")
    way = f"{states[0].turn}>{exchange.receiver(states[0], rules.array()[0])}"
    if seats != way:
        raise NotationError(f"found {word!r}, expected {expected_now(states[0], rules)}, written {way}:...")
    act(states, rules, parse_one_card(card))


def _read_contract(states: NDArray[Any], rules: RuleSet, word: str) -> None:
    state: Any = states[0]
    named_already = not rules.raise_contract and state.phase == PLAY and state.num_plays == 0
    _expect_phase(states, rules, [CONTRACT, *([PLAY] if named_already else [])], f"play {word}")
    action = _level(_split_turn(states, rules, word), rules)
    if action == bid_action(int(state.bid)):
        action = PASS
    if state.phase == CONTRACT:
        act(states, rules, action)
    elif action != PASS:
        raise NotationError(f"found the contract {word}, expected {state.turn}:{state.contract}, the bid (T4)")


def _read_trick(states: NDArray[Any], rules: RuleSet, words: Sequence[str]) -> None:
    _expect_phase(states, rules, [PLAY], words[0])
    if states[0].num_plays % rules.players:
        raise NotationError(f"found a new trick {words[0]!r}, expected {expected_now(states[0], rules)}")
    cards = [_split_turn(states, rules, words[0]), *words[1:]]
    for card in cards[: rules.players]:
        _read_play(states, rules, card)
    if len(cards) > rules.players:
        raise NotationError(f"found {cards[rules.players]!r}, expected the end of the trick: {rules.players} cards")


def _read_play(states: NDArray[Any], rules: RuleSet, word: str) -> None:
    card, plus, value = word.partition("+")
    action = parse_action(card_name(parse_one_card(card)) + plus)
    worth = marriage_value(suit_of(card_of(action)))
    if value and way_of(action) != SILENT and value != str(worth):
        raise NotationError(f"found {word!r}, expected {card}+{worth} (C3)")
    act(states, rules, action)


# -- positions -------------------------------------------------------------------------------------------------------


def position_text(state: Any, rules: RuleSet, seat: int = NONE) -> str:
    """Return a position on one line: all of it, or what `seat` knows with `?` for the rest."""
    deal, sheet = deal_of(state, rules), sheet_of(state, rules)
    address = deal.address if seat == NONE else None
    parts = [
        str(rules),
        sheet_text(sheet, deals_told(sheet.seats, address, int(state.phase >= SCORED))),
        deal_text(deal) if seat == NONE else _hidden_deal(state, deal, seat),
        *move_lines(state, rules, seat),
        *trick_lines(state, rules.players),
    ]
    if state.phase >= SCORED:
        parts.append(" ".join([outcome_word(state), score_text(state, rules.players), *events_of(state, rules)]))
    return " | ".join(part for part in parts if part)


def _hidden_deal(state: Any, deal: Deal, seat: int) -> str:
    hands = [set_text(hand) if holder == seat else HIDDEN for holder, hand in enumerate(deal.hands)]
    seen = not deal.talon or (state.phase > AUCTION and (state.talon_open or state.declarer == seat))
    return f"deal {deal.dealer} {'/'.join(hands)} {set_text(int(state.talon)) if seen else HIDDEN}"


def outcome_word(state: Any) -> str:
    """Return the word for the end of a deal: `over` if the match ended with it, else `scored`."""
    return "over" if state.phase == OVER else "scored"


def score_text(state: Any, players: int) -> str:
    """Return what a deal was worth to each seat: `-170 +30 0`."""
    return " ".join(f"{int(state.score[seat]):+d}" if state.score[seat] else "0" for seat in range(players))


def parse_position(text: str) -> tuple[NDArray[Any], RuleSet]:
    """Return the states, shape (1,), and the rules of a position; raises `NotationError` if it cannot come about.

    >>> line = "core | deal 0 hATKQdATKQ/hJ9dJ9cATKQ/cJ9sATKQJ9 - | play 1:120 | 1:cA cJ dQ"
    >>> states, rules = parse_position(line)
    >>> position_text(states[0], rules) == line
    True
    """
    states, rules, _ = read_position(text)
    return states, rules


def read_position(text: str) -> tuple[NDArray[Any], RuleSet, Sheet]:
    """Return the states (1,) and rules of a position, and a score sheet its deal may have started from."""
    parts = [part.split() for part in text.split("|")]
    try:
        rules = RuleSet.parse(" ".join(parts.pop(0)))
        sheet_words = parts.pop(0) if parts and parts[0][:1] != ["deal"] else None
        if not parts or parts[0][:1] != ["deal"]:
            raise NotationError(f"found {' '.join(parts[0]) if parts else 'the end'!r}, expected deal and its cards")
        deal = parse_deal(parts.pop(0)[1:], rules.players)
        outcome = parts.pop() if parts and parts[-1][:1] in (["scored"], ["over"]) else []
        if not deal.talon:
            deal = bind(deal, parts.pop(0) if parts else [], rules)
        sheet = read_sheet(sheet_words, deal, rules, completed=len(outcome[:1]))
        if outcome:
            states, sheet = _replay_scored(rules, sheet, deal, parts, outcome)
        else:
            states = _replay(rules, sheet, deal, parts)
    except (NotationError, RuleError) as error:
        raise NotationError(f"position {text.strip()!r}: {error}") from None
    return states, rules, sheet


def bind(deal: Deal, words: Sequence[str], rules: RuleSet) -> Deal:
    """Return a deal that begins at the first lead with the declarer and contract of its line `play 0:120`."""
    seat, colon, points = words[1].partition(":") if len(words) == 2 and words[0] == "play" else ("", "", "")
    if not colon:
        found = " ".join(words) or "the end"
        raise NotationError(f"found {found!r}, expected play seat:contract after eight cards a hand")
    return replace(deal, declarer=parse_seat(seat, rules.players), contract=parse_number(points, "the contract"))


def read_sheet(words: Sequence[str] | None, deal: Deal, rules: RuleSet, completed: int) -> Sheet:
    """Return the score sheet of some words, blank for None, with the deals the rest of the text tells if it must."""
    sheet, counted = parse_sheet([] if words is None else words, rules.players)
    return sheet if counted else replace(sheet, deals=deals_told(sheet.seats, deal.address, completed))


def _replay(rules: RuleSet, sheet: Sheet, deal: Deal, parts: Sequence[Sequence[str]]) -> NDArray[Any]:
    states = lay_out(deal, sheet, rules)
    for words in parts:
        if not words:
            raise NotationError("found nothing between two |, expected a move")
        read_moves(states, rules, words)
    return states


def _replay_scored(
    rules: RuleSet, after: Sheet, deal: Deal, parts: Sequence[Sequence[str]], outcome: Sequence[str]
) -> tuple[NDArray[Any], Sheet]:
    """Find a sheet before the deal from which it leads to the sheet after it, and replay the deal from there."""
    score = parse_numbers(outcome[1 : 1 + rules.players], rules.players, "the score by seat")
    events = _split_events(outcome[1 + rules.players :])
    fault = NotationError(f"found {' '.join(outcome)!r} with its score sheet, expected what this deal can lead to")
    for sheet in sheets_before(after, score, events, rules):
        if not sheet_stands(sheet, rules):
            continue
        try:
            states = _replay(rules, sheet, deal, parts)
            _expect_outcome(states[0], rules, outcome[0], score)
        except NotationError as error:
            fault = error
            continue
        if sheet_of(states[0], rules) == after and events_of(states[0], rules) == events:
            return states, sheet
    raise fault


def _expect_outcome(state: Any, rules: RuleSet, word: str, score: Sequence[int]) -> None:
    if state.phase < SCORED:
        raise NotationError(f"found {word!r}, expected {expected_now(state, rules)}")
    if word != outcome_word(state):
        raise NotationError(f"found {word!r}, expected {outcome_word(state)!r}")
    if [int(points) for points in state.score[: rules.players]] != list(score):
        found = " ".join(map(str, score))
        raise NotationError(f"found the score {found}, expected {score_text(state, rules.players)}")


def _split_events(words: Sequence[str]) -> list[str]:
    events: list[str] = []
    for word in words:
        if word in EVENT_WORDS:
            events.append(word)
        elif not events:
            raise NotationError(f"found {word!r}, expected an event: one of {', '.join(EVENT_WORDS)}")
        else:
            events[-1] += f" {parse_number(word, 'a number')}"
    for event in events:
        if len(event.split()) < 2:
            raise NotationError(f"found {event!r}, expected the seat it befell")
    return events
