"""The keyhole: what one seat may know of a state, and nothing else.

Agents get views, never states. Seats are relative: 0 is the viewer, 1 the next active seat clockwise, and so on. A view
remembers what an attentive player does: bids, plays in order with their declarations, cards given and seen, voids.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thousand_env.cards import KING, QUEEN
from thousand_env.jit import kernel, record_dtype
from thousand_env.rules import OPEN_GIFTS
from thousand_env.state import AUCTION, KING_DECLARED, MAX_PLAYS, MAX_SEATS, NONE, QUEEN_DECLARED

_SEAT_FIELD = (np.int32, (MAX_SEATS,))

assert KING == QUEEN ^ 1, "the cards of a marriage differ in the lowest bit"

VIEW_DTYPE = record_dtype(
    [
        ("bids", np.int64, (MAX_SEATS,)),  # bid levels each seat has named: bit (points - 100) / 5
        ("players", np.int32),
        ("deal", np.int32),
        ("attempt", np.int32),
        ("phase", np.int32),
        ("turn", np.int32),
        ("dealer", np.int32),
        ("winner", np.int32),
        ("totals", *_SEAT_FIELD),
        ("bolts", *_SEAT_FIELD),
        ("mounted", *_SEAT_FIELD),
        ("attempts", *_SEAT_FIELD),
        ("falls", *_SEAT_FIELD),
        ("reverse", *_SEAT_FIELD),
        ("write_offs", *_SEAT_FIELD),
        ("bonuses", *_SEAT_FIELD),
        ("baptised", np.int32),  # seats, a bit each, as are golden_made, asked and passed
        ("golden_made", np.int32),
        ("redeal_run", np.int32),
        ("dealt", np.int32),  # own hand as dealt
        ("hand", np.int32),  # own hand now
        ("held", *_SEAT_FIELD),  # cards known to be in each hand now
        ("talon", np.int32),  # talon cards the viewer has seen
        ("talon_open", np.int32),
        ("talon_suits", np.int32),  # what a bonus told of the talon: a count for each suit, two bits each
        ("blind", np.int32),
        ("asked", np.int32),
        ("bid", np.int32),
        ("declarer", np.int32),
        ("passed", np.int32),
        ("gifts", *_SEAT_FIELD),  # card given to each seat, NONE when there is none or the viewer did not see it
        ("given", np.int32),  # how many cards the declarer has given
        ("contract", np.int32),
        ("trump", np.int32),
        ("leader", np.int32),
        ("best", np.int32),
        ("best_seat", np.int32),
        ("four_aces", np.int32),
        ("num_plays", np.int32),
        ("plays", np.int32, (MAX_PLAYS,)),  # card | way << 5 | relative seat << 8
        ("played", *_SEAT_FIELD),
        ("captured", *_SEAT_FIELD),
        ("tricks", *_SEAT_FIELD),
        ("marriages", *_SEAT_FIELD),
        ("voids", *_SEAT_FIELD),
        ("score", *_SEAT_FIELD),
        ("events", *_SEAT_FIELD),
    ]
)


@kernel
def relative(seat: int, viewer: int, players: int) -> int:
    """Return how many places clockwise of the viewer a seat sits; NONE stays NONE."""
    return NONE if seat == NONE else (seat - viewer) % players


@kernel
def relative_mask(seats: int, viewer: int, players: int) -> int:
    """Return a mask of seats turned so that the viewer is bit 0."""
    return (seats >> viewer | seats << (players - viewer)) & ((1 << players) - 1)


@kernel
def sees_gift(state: Any, rules: Any, viewer: int, receiver: int) -> bool:
    """Whether the viewer knows the card given to `receiver`: all do, or only giver and receiver (T3)."""
    return rules.exchange == OPEN_GIFTS or viewer == state.declarer or viewer == receiver


@kernel
def sees_talon(state: Any, viewer: int) -> bool:
    """Whether the viewer has seen the talon: it was shown to all, or he took it (T2)."""
    return state.phase > AUCTION and (state.talon_open > 0 or viewer == state.declarer)


@kernel
def look_row(state: Any, rules: Any, viewer: int, view: Any) -> None:
    """Fill `view` with what the seat `viewer` knows of `state`."""
    players = rules.players
    view.players, view.deal, view.attempt = players, state.deal, state.attempt
    view.phase, view.bid, view.contract = state.phase, state.bid, state.contract
    view.redeal_run, view.blind, view.talon_open = state.redeal_run, state.blind, state.talon_open
    view.trump, view.best, view.four_aces, view.talon_suits = state.trump, state.best, NONE, 0
    view.turn = relative(state.turn, viewer, players)
    view.dealer = relative(state.dealer, viewer, players)
    view.winner = relative(state.winner, viewer, players)
    view.declarer = relative(state.declarer, viewer, players)
    view.leader = relative(state.leader, viewer, players)
    view.best_seat = relative(state.best_seat, viewer, players)
    view.baptised = relative_mask(state.baptised, viewer, players)
    view.golden_made = relative_mask(state.golden_made, viewer, players)
    view.asked = relative_mask(state.asked, viewer, players)
    view.passed = relative_mask(state.passed, viewer, players)
    view.dealt, view.hand = state.dealt[viewer], state.hands[viewer]
    for distance in range(players):
        look_at_seat(state, (viewer + distance) % players, distance, view)
    for place in range(players, MAX_SEATS):
        view.gifts[place] = NONE
    look_at_plays(state, viewer, players, view)
    look_at_exchange(state, rules, viewer, view)


@kernel
def look_at_seat(state: Any, seat: int, place: int, view: Any) -> None:
    """Fill what everybody knows about one seat."""
    view.bids[place] = state.bids[seat]
    view.totals[place] = state.totals[seat]
    view.bolts[place] = state.bolts[seat]
    view.mounted[place] = state.mounted[seat]
    view.attempts[place] = state.attempts[seat]
    view.falls[place] = state.falls[seat]
    view.reverse[place] = state.reverse[seat]
    view.write_offs[place] = state.write_offs[seat]
    view.bonuses[place] = state.bonuses[seat]
    view.captured[place] = state.captured[seat]
    view.tricks[place] = state.tricks[seat]
    view.marriages[place] = state.marriages[seat]
    view.voids[place] = state.voids[seat]
    view.score[place] = state.score[seat]
    view.events[place] = state.events[seat]
    view.played[place] = 0
    view.held[place] = state.shown[seat] & state.hands[seat]
    view.gifts[place] = NONE


@kernel
def look_at_plays(state: Any, viewer: int, players: int, view: Any) -> None:
    """Fill the plays of the deal in order, seats turned to the viewer."""
    view.num_plays = state.num_plays
    for i in range(state.num_plays):
        play = state.plays[i]
        place = relative(play >> 8, viewer, players)
        view.plays[i] = play & 255 | place << 8
        view.played[place] |= 1 << (play & 31)
    for i in range(state.num_plays, MAX_PLAYS):
        view.plays[i] = 0
    for i in range(state.num_plays):
        way, place = view.plays[i] >> 5 & 7, view.plays[i] >> 8
        mate = 1 << ((view.plays[i] & 31) ^ 1)
        if way in (QUEEN_DECLARED, KING_DECLARED) and not view.played[place] & mate:
            view.held[place] |= mate  # the other half of a marriage declared is still in the hand that declared it


@kernel
def look_at_exchange(state: Any, rules: Any, viewer: int, view: Any) -> None:
    """Fill what the viewer knows of talon and gifts, and which hands that places cards in."""
    players = rules.players
    view.talon = state.talon if sees_talon(state, viewer) else 0
    view.given = 0
    known_to_leave, all_seen = 0, True
    for distance in range(players):
        seat = (viewer + distance) % players
        if state.gifts[seat] == NONE:
            continue
        view.given += 1
        if sees_gift(state, rules, viewer, seat):
            card = 1 << state.gifts[seat]
            view.gifts[distance] = state.gifts[seat]
            view.held[distance] |= card & ~view.played[distance]
            known_to_leave |= card
        else:
            all_seen = False
    if all_seen and view.talon != 0:
        view.held[view.declarer] |= view.talon & ~known_to_leave & ~view.played[view.declarer]
    view.held[0] = view.hand


@kernel
def _look_all(states: Any, rules: Any, viewers: Any, views: Any) -> None:
    for i in range(states.shape[0]):
        look_row(states[i], rules[0], viewers[i], views[i])


def look(states: NDArray[Any], rules: NDArray[Any], viewers: NDArray[Any]) -> NDArray[Any]:
    """Return what seat `viewers[i]` knows of `states[i]`: views (N,), dtype `VIEW_DTYPE`.

    `viewers` is an integer array (N,) of seats at the table; `states["turn"]` looks through the eyes of whoever is to
    act, in states where somebody is.
    """
    views = np.zeros(len(states), VIEW_DTYPE)
    _look_all(states, rules, np.ascontiguousarray(viewers, np.int64), views)
    return views
