"""Scene: what a picture of the table shows, and to whom.

A spectator sees every card. A seat sees what `view.look` lets it see; the other cards lie there face down. What is not
in a scene cannot be in its picture.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thousand_env.cards import NUM_CARDS, rank_of, suit_of
from thousand_env.engine import deal_score
from thousand_env.jit import highest, popcount
from thousand_env.rules import MIN_BID, RuleSet
from thousand_env.scoring import is_golden
from thousand_env.seats import is_active
from thousand_env.state import (
    BLIND_CHOSEN,
    BLIND_LIT,
    EVENT_WORDS,
    NONE,
    OVER,
    PHASE_NAMES,
    SCORED,
    SILENT,
)
from thousand_env.view import look, relative, talon_is_taken

_SUIT_ORDER = (1, 3, 0, 2)  # where ♠ ♣ ♦ ♥ stand in a hand: hearts, spades, diamonds, clubs; the colours take turns


@dataclass(frozen=True)
class SeatScene:
    """What a picture shows of one seat; `known` are its cards that are face up, `hidden` counts those face down."""

    seat: int
    known: tuple[int, ...]
    hidden: int
    call: str  # what it said last: bid, pass, contract
    marks: tuple[str, ...]  # of dealer, declarer, turn, winner
    played: int  # its card in the trick on the table, NONE if there is none
    declared: bool  # it was led as a declaration
    total: int
    bolts: int
    falls: int
    barrel: str  # attempts used there, empty for a seat that is not on the barrel
    points: int  # captured and declared in this deal
    tricks: int
    score: int | None  # of a finished deal
    events: tuple[str, ...]


@dataclass(frozen=True)
class Scene:
    """What a picture shows; a card that is face down is NONE."""

    rules: str
    address: str
    phase: str
    notes: tuple[str, ...]
    trump: int
    seats: tuple[SeatScene, ...]
    talon: tuple[tuple[int, ...], ...]  # one heap, two in the two-hand game, as laid
    taken: tuple[bool, ...]  # which of them the declarer has taken
    last_trick: tuple[tuple[int, int], ...]  # seat and card
    viewer: int | None


def scene_of(states: NDArray[Any], rules: RuleSet, viewer: int | None = None) -> Scene:
    """Return what one game, `states` (1,), shows a spectator, or the seat `viewer`."""
    state, record = states[0], rules.array()[0]
    view: Any = None if viewer is None else look(states, rules.array(), np.array([viewer]))[0]
    points = deal_score(states, rules.array())[0]
    seats = range(rules.players)
    face_up = [int(state.hands[seat]) for seat in seats]
    if viewer is not None:
        face_up = [int(view.held[relative(seat, viewer, state.dealer, rules.players)]) for seat in seats]
    return Scene(
        rules=str(rules),
        address=f"match {state.match}, deal {state.deal}" + (f", attempt {state.attempt}" if state.attempt else ""),
        phase=PHASE_NAMES[int(state.phase)],
        notes=tuple(_notes(state, record)),
        trump=int(state.trump),
        seats=tuple(_seat(state, rules, seat, face_up[seat], int(points[seat])) for seat in seats),
        talon=_talon(state, rules, view),
        taken=_taken(state, rules),
        last_trick=_last_trick(state, rules),
        viewer=viewer,
    )


def in_hand_order(cards: int) -> tuple[int, ...]:
    """Return the cards of a set as a player sorts them: suits of alternating colours, ranks from the top."""
    held = [card for card in range(NUM_CARDS) if cards >> card & 1]
    return tuple(sorted(held, key=lambda card: (_SUIT_ORDER[suit_of(card)], -rank_of(card))))


def _notes(state: Any, record: Any) -> list[str]:
    """Return what else is to be known of the deal, in words."""
    notes = ["golden deal"] if is_golden(state, record) else []
    if state.blind in (BLIND_CHOSEN, BLIND_LIT):
        notes.append("blind" if state.blind == BLIND_CHOSEN else "blind, lit")
    if state.phase >= SCORED and state.contract == 0:
        notes.append("baptised" if record.baptism else "written off")
    if talon_is_taken(state, record):
        notes.append("talon shown" if state.talon_open else "talon closed")
    return notes


def _seat(state: Any, rules: RuleSet, seat: int, face_up: int, points: int) -> SeatScene:
    over = state.phase >= SCORED
    played, declared = _in_trick(state, rules, seat)
    barrel = f"{state.attempts[seat]}/{rules.barrel_attempts or '-'}" if state.mounted[seat] else ""
    return SeatScene(
        seat=seat,
        known=in_hand_order(face_up),
        hidden=int(popcount(state.hands[seat]) - popcount(face_up)),
        call=_call(state, rules, seat),
        marks=tuple(_marks(state, seat)),
        played=played,
        declared=declared,
        total=int(state.totals[seat]),
        bolts=int(state.bolts[seat]),
        falls=int(state.falls[seat]),
        barrel=barrel,
        points=points,
        tricks=int(state.tricks[seat]),
        score=int(state.score[seat]) if over else None,
        events=tuple(word for bit, word in enumerate(EVENT_WORDS) if over and state.events[seat] >> bit & 1),
    )


def _marks(state: Any, seat: int) -> list[str]:
    holders = {"dealer": state.dealer, "declarer": state.declarer, "turn": state.turn, "winner": NONE}
    if state.phase == OVER:
        holders["winner"] = state.winner
    return [mark for mark, holder in holders.items() if holder == seat]


def _call(state: Any, rules: RuleSet, seat: int) -> str:
    """Return what a seat has said last in the auction, or what it plays."""
    if not is_active(state, rules.array()[0], seat):
        return "sits out"
    if seat == state.declarer:
        return f"contract {state.contract}" if state.contract else f"bid {state.bid}"
    if not state.bids.any():
        return ""  # there was no auction
    if state.passed >> seat & 1:
        return "pass"
    return f"bid {MIN_BID + 5 * highest(state.bids[seat])}" if state.bids[seat] else ""


def _in_trick(state: Any, rules: RuleSet, seat: int) -> tuple[int, bool]:
    """Return a seat's card in the trick on the table, and whether it was declared with."""
    first = state.num_plays - state.num_plays % rules.active
    for play in state.plays[first : state.num_plays]:
        if play >> 8 == seat:
            return int(play & 31), bool(play >> 5 & 7 != SILENT)
    return NONE, False


def _last_trick(state: Any, rules: RuleSet) -> tuple[tuple[int, int], ...]:
    end = state.num_plays - state.num_plays % rules.active
    return tuple((int(play >> 8), int(play & 31)) for play in state.plays[max(0, end - rules.active) : end])


def _talon(state: Any, rules: RuleSet, view: Any) -> tuple[tuple[int, ...], ...]:
    """Return the talon as laid, of the two-hand game both; cards that the view does not show are NONE."""
    order = [int(state.talon_order) >> 5 * place & 31 for place in range(4 if rules.players == 2 else 3)]
    if view is not None:
        order = [card if (view.talon | view.other_talon) >> card & 1 else NONE for card in order]
    return (tuple(order[:2]), tuple(order[2:])) if rules.players == 2 else (tuple(order),)


def _taken(state: Any, rules: RuleSet) -> tuple[bool, ...]:
    taken = bool(talon_is_taken(state, rules.array()[0]))
    return (taken and state.picked == 1, taken and state.picked == 2) if rules.players == 2 else (taken,)
