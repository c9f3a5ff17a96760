"""State: everything there is to know about one game, deal and match together, as one named record.

An array of states is a batch, a copied row is a clone, and its bytes are a save file. There is room for four seats and
for every action of the rule book; unused seats stay at their resting values. Seats are absolute here, 0 … 3 clockwise.
Only `view.look` may decide what of this a seat gets to see.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thousand_env.cards import FULL_PACK, NUM_CARDS, PACK_POINTS, set_points
from thousand_env.errors import ThousandError
from thousand_env.jit import popcount, record_dtype

NONE = -1  # no seat, no card, no suit
MAX_SEATS = 4
MAX_PLAYS = 24

# Phases, in the order of a deal.
BLIND, CLAIM, AUCTION, TALON, EXCHANGE, CONTRACT, PLAY, SCORED, OVER = range(9)
PHASE_NAMES = ("blind", "claim", "auction", "talon", "exchange", "contract", "play", "scored", "over")
NUM_PHASES = len(PHASE_NAMES)
AGAIN = -1  # no phase: the cards must be dealt again, which the engine does before anybody sees it

BLIND_POSSIBLE, BLIND_CHOSEN, BLIND_LIT = 1, 2, 3  # `blind`: forehand is asked; went blind; was overbid and looks
GOLDEN_OVER = 1 << 4  # of `golden_made`: the golden deals are behind

# What befell a seat when the last deal was scored: bits of `events`, in the order of K4.
BOLT_EVENT, FINE_EVENT, WIN_EVENT, FALL_EVENT, BARREL_EVENT, DUMP_EVENT, REVERSE_EVENT = (1 << bit for bit in range(7))
EVENT_WORDS = ("bolt", "fine", "win", "fall", "barrel", "dump", "reverse")

# A play is card | way << 5 | seat << 8.
SILENT, QUEEN_DECLARED, KING_DECLARED, ACE_DECLARED = range(4)

_SEAT_FIELD = (np.int32, (MAX_SEATS,))

STATE_DTYPE = record_dtype(
    [
        # The address of the deal (D1): it fixes the cards.
        ("seed", np.int64),
        ("bids", np.int64, (MAX_SEATS,)),  # bid levels each seat has named: bit (points - 100) / 5
        ("match", np.int32),
        ("deal", np.int32),  # completed deals before this one
        ("attempt", np.int32),
        # The table.
        ("phase", np.int32),
        ("turn", np.int32),  # seat to act, NONE when nobody is
        ("dealer", np.int32),
        # The score sheet of the match.
        ("winner", np.int32),
        ("totals", *_SEAT_FIELD),
        ("bolts", *_SEAT_FIELD),
        ("mounted", *_SEAT_FIELD),  # 1 + number of the deal after which the seat mounted the barrel, 0 = not on it
        ("attempts", *_SEAT_FIELD),  # barrel attempts used
        ("falls", *_SEAT_FIELD),
        ("reverse", *_SEAT_FIELD),  # deals begun on the reverse barrel, 0 = not on it
        ("write_offs", *_SEAT_FIELD),
        ("baptised", np.int32),  # seats, a bit each
        ("golden_made", np.int32),  # seats, a bit each, and GOLDEN_OVER
        ("redeal_run", np.int32),
        ("bonuses", *_SEAT_FIELD),  # information bonuses used: hands | suits << 8 | card << 16
        # The cards.
        ("dealt", *_SEAT_FIELD),  # hands as dealt
        ("hands", *_SEAT_FIELD),
        ("talon", np.int32),
        ("other_talon", np.int32),  # the two-hand game's talon nobody picked
        ("talon_order", np.int32),  # the talon as laid, five bits a card, first card lowest
        # Auction and exchange.
        ("blind", np.int32),
        ("asked", np.int32),  # seats that declined a redeal claim on their hand, a bit each, and TALON_ASKED
        ("bid", np.int32),  # highest bid, 0 before the opening
        ("declarer", np.int32),  # highest bidder so far
        ("passed", np.int32),  # seats, a bit each
        ("talon_open", np.int32),  # the talon was shown to all
        ("picked", np.int32),  # the two-hand talon picked: 1 = A, 2 = B, 0 = none yet
        ("gifts", *_SEAT_FIELD),  # card the declarer gave to each seat
        ("peeks", *_SEAT_FIELD),  # what bonuses showed each seat in this deal
        ("contract", np.int32),  # 0 until the play begins
        # Play.
        ("trump", np.int32),
        ("leader", np.int32),
        ("best", np.int32),  # card now winning the trick, NONE before the lead
        ("best_seat", np.int32),
        ("num_plays", np.int32),
        ("plays", np.int32, (MAX_PLAYS,)),
        ("captured", *_SEAT_FIELD),
        ("tricks", *_SEAT_FIELD),
        ("marriages", *_SEAT_FIELD),  # points declared
        ("voids", *_SEAT_FIELD),  # suits each seat has shown to be out of, a bit each
        # Fines of this deal, in points but for `offences`.
        ("early", *_SEAT_FIELD),  # that fell before it was played: the dealer's errors, the cut, redeals (D2, D3, R10)
        ("offences", *_SEAT_FIELD),  # illegal actions that are to be fined (N2)
        ("fined", *_SEAT_FIELD),  # that fell when it was scored
        # What the last completed deal brought.
        ("score", *_SEAT_FIELD),
        ("events", *_SEAT_FIELD),
    ]
)


def new_states(count: int) -> NDArray[Any]:
    """Return `count` blank states, shape (count,), dtype `STATE_DTYPE`; they must be dealt before use."""
    return states_of(np.zeros((count, STATE_DTYPE.itemsize), np.uint8))


def states_of(rows: NDArray[np.uint8]) -> NDArray[Any]:
    """Return the states that rows of bytes are: NumPy takes longer to allocate, or to view, an array of records."""
    return np.ndarray(len(rows), STATE_DTYPE, rows)


def copied(states: NDArray[Any]) -> NDArray[Any]:
    """Return a copy of contiguous states, as bytes: NumPy by itself copies a record field by field."""
    return states_of(np.ascontiguousarray(states).view(np.uint8).reshape(len(states), STATE_DTYPE.itemsize).copy())


def taken(states: NDArray[Any], rows: NDArray[Any]) -> NDArray[Any]:
    """Return copies of some rows of contiguous states, as `copied` does."""
    bytes_of = np.ascontiguousarray(states).view(np.uint8).reshape(len(states), STATE_DTYPE.itemsize)
    return states_of(np.take(bytes_of, rows, axis=0))


def check_state(state: Any, rules: Any) -> None:
    """Raise `ThousandError` naming the first invariant of a dealt state that does not hold.

    `state` is one record, `rules` the one-element array of its rules.
    """
    for fact, holds in _facts(state, rules[0]):
        if not holds:
            raise ThousandError(f"state: expected that {fact}; that does not hold in {state}")


def _facts(state: Any, rules: Any) -> list[tuple[str, bool]]:
    hands, captured = [int(cards) for cards in state.hands], [int(cards) for cards in state.captured]
    in_trick, played_out = int(state.num_plays % rules.active), state.phase >= SCORED and state.contract > 0
    table = _union([1 << (int(play) & 31) for play in state.plays[state.num_plays - in_trick : state.num_plays]])
    unpicked = state.phase == TALON and rules.players == 2 and state.picked == 0
    untaken = state.phase in (BLIND, AUCTION) or (state.phase == CLAIM and state.bid == 0) or unpicked
    talon = int(state.talon) if untaken else 0
    other = 0 if played_out else int(state.other_talon)
    places = [*hands, *captured, table, talon, other]
    points = sum(map(set_points, captured))
    sitters = [int(total) for total, mounted in zip(state.totals, state.mounted, strict=True) if mounted]
    return [
        ("every card is in one place", sum(map(popcount, places)) == NUM_CARDS and _union(places) == FULL_PACK),
        ("captured points are at most the pack's", points <= PACK_POINTS),
        ("a deal played out has captured the whole pack", not played_out or points == PACK_POINTS),
        ("a seat on the barrel has exactly its points", all(total == rules.barrel_at for total in sitters)),
        ("no more seats sit on the barrel than it has places", len(sitters) <= rules.barrel_seats),
        ("all tricks were won at the end", not played_out or sum(state.tricks) * rules.active == state.num_plays),
        ("somebody is to act until the deal is scored", (state.turn == NONE) == (state.phase >= SCORED)),
        ("the contract is not below the bid", state.contract == 0 or state.contract >= state.bid),
        ("the highest bidder has not passed", state.declarer == NONE or not state.passed >> int(state.declarer) & 1),
    ]


def _union(sets: list[int]) -> int:
    union = 0
    for cards in sets:
        union |= cards
    return union
