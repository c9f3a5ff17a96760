"""The keyhole: what one seat may know of a state, and nothing else.

Agents get views, never states. Seats are relative: 0 is the viewer, 1 the next active seat clockwise, and so on; the
dealer of four, who sits out, comes last. A view remembers what an attentive player does: bids, plays in order with
their declarations, cards given and seen, voids.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thousand_env.cards import KING, NUM_SUITS, QUEEN, suit_cards
from thousand_env.errors import ThousandError
from thousand_env.jit import kernel, popcount, record_dtype
from thousand_env.play import four_aces_seat
from thousand_env.redeals import TALON_ASKED
from thousand_env.rules import OPEN_GIFTS
from thousand_env.scoring import is_doubled
from thousand_env.seats import distance, is_active
from thousand_env.state import (
    AUCTION,
    BLIND,
    BLIND_CHOSEN,
    CLAIM,
    GOLDEN_OVER,
    KING_DECLARED,
    MAX_PLAYS,
    MAX_SEATS,
    NONE,
    QUEEN_DECLARED,
    SILENT,
    TALON,
)

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
        ("bonuses", np.int32),  # the viewer's own: hands | suits << 8 | card << 16; nobody else knows of them
        ("baptised", np.int32),  # seats, a bit each, as are golden_made, asked and passed
        ("golden_made", np.int32),
        ("doubled", np.int32),  # points of this deal count twice
        ("redeal_run", np.int32),
        ("dealt", np.int32),  # own hand as dealt
        ("hand", np.int32),  # own hand now
        ("held", *_SEAT_FIELD),  # cards known to be in each hand now
        ("talon", np.int32),  # talon cards the viewer has seen
        ("other_talon", np.int32),  # of two talons B, once one is picked the other: its cards that the viewer has seen
        ("picked", np.int32),  # the two-hand talon picked: 1 = A, 2 = B
        ("talon_open", np.int32),
        ("talon_suits", np.int32),  # what a bonus told of the talon: a count for each suit, three bits each
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
def relative(seat: int, viewer: int, dealer: int, players: int) -> int:
    """Return the place of a seat as the viewer counts: active seats clockwise, the dealer of four last."""
    if seat == NONE:
        return NONE
    place = distance(viewer, seat, players)
    if players < 4 or viewer == dealer:
        return place
    if seat == dealer:
        return players - 1
    return place - 1 if distance(viewer, dealer, players) < place else place


@kernel
def places_around(viewer: int, dealer: int, players: int) -> int:
    """Return the places of all seats as the viewer counts, four bits each, seat 0 lowest."""
    places = 0
    for seat in range(players):
        places |= relative(seat, viewer, dealer, players) << (4 * seat)
    return places


@kernel
def place_in(places: int, seat: int) -> int:
    """Return the place of a seat in what `places_around` returns; NONE is nowhere."""
    return NONE if seat == NONE else places >> (4 * seat) & 15


@kernel
def relative_mask(seats: int, viewer: int, dealer: int, players: int) -> int:
    """Return a mask of seats turned so that the viewer is bit 0."""
    if players < 4:
        return (seats >> viewer | seats << (players - viewer)) & ((1 << players) - 1)
    turned = 0
    for seat in range(players):
        turned |= (seats >> seat & 1) << relative(seat, viewer, dealer, players)
    return turned


@kernel
def sees_hand(state: Any, viewer: int) -> bool:
    """Whether the viewer has looked at the own cards: nobody has while blind is asked, nor who went blind (Z1)."""
    if state.phase == BLIND:
        return False
    return not (state.blind == BLIND_CHOSEN and state.phase == AUCTION and viewer == state.declarer)


@kernel
def sees_gift(state: Any, rules: Any, viewer: int, receiver: int) -> bool:
    """Whether the viewer knows the card given to `receiver`: all do, or only giver and receiver (T3)."""
    return rules.exchange == OPEN_GIFTS or viewer == state.declarer or viewer == receiver


@kernel
def talon_is_taken(state: Any, rules: Any) -> bool:
    """Whether the declarer has taken the talon, or one of two (T1, H3)."""
    if state.phase == CLAIM:
        return state.bid > 0
    return state.phase > AUCTION and not (rules.players == 2 and state.phase == TALON and state.picked == 0)


@kernel
def sees_talon(state: Any, rules: Any, viewer: int) -> bool:
    """Whether the viewer has seen the talon: as all did, as declarer, or as the dealer of four (T2, F2)."""
    if not is_active(state, rules, viewer):
        return True
    return talon_is_taken(state, rules) and (state.talon_open > 0 or viewer == state.declarer)


@kernel
def peeked_cards(state: Any, viewer: int) -> int:
    """Return the cards of the talon, or of two, that bonuses showed the viewer (X1)."""
    seen = 0
    if state.peeks[viewer] == 0:
        return seen
    for place in range(4):
        if state.peeks[viewer] >> (2 + place) & 1:
            seen |= 1 << (state.talon_order >> (5 * place) & 31)
    return seen


@kernel
def suits_told(state: Any, viewer: int) -> int:
    """Return how many cards of each suit a bonus told the viewer of in the talon, three bits a suit (X1)."""
    if not state.peeks[viewer] & 2:
        return 0
    counts = 0
    for suit in range(NUM_SUITS):
        counts |= popcount((state.talon | state.other_talon) & suit_cards(suit)) << (3 * suit)
    return counts


@kernel
def look_row(state: Any, rules: Any, viewer: int, view: Any) -> None:
    """Fill `view` with what the seat `viewer` knows of `state`."""
    players, dealer = rules.players, state.dealer
    places = places_around(viewer, dealer, players)
    view.players, view.deal, view.attempt = players, state.deal, state.attempt
    view.phase, view.bid, view.contract = state.phase, state.bid, state.contract
    view.redeal_run, view.blind, view.talon_open = state.redeal_run, state.blind, state.talon_open
    view.trump, view.best, view.picked, view.doubled = state.trump, state.best, state.picked, is_doubled(state, rules)
    view.turn, view.dealer = place_in(places, state.turn), place_in(places, dealer)
    view.winner, view.declarer = place_in(places, state.winner), place_in(places, state.declarer)
    view.leader, view.best_seat = place_in(places, state.leader), place_in(places, state.best_seat)
    view.four_aces = place_in(places, four_aces_seat(state)) if rules.ace_marriage else NONE
    view.baptised = relative_mask(state.baptised, viewer, dealer, players)
    view.golden_made = relative_mask(state.golden_made & (GOLDEN_OVER - 1), viewer, dealer, players)
    view.asked = relative_mask(state.asked & (TALON_ASKED - 1), viewer, dealer, players)
    view.passed = relative_mask(state.passed, viewer, dealer, players)
    view.dealt, view.hand, view.bonuses = 0, 0, state.bonuses[viewer]
    if sees_hand(state, viewer):
        view.dealt, view.hand = state.dealt[viewer], state.hands[viewer]
    for seat in range(players):
        look_at_seat(state, seat, place_in(places, seat), view)
    for place in range(players, MAX_SEATS):
        view.gifts[place] = NONE
    look_at_plays(state, places, view)
    look_at_exchange(state, rules, viewer, places, view)
    look_by_bonus(state, rules, viewer, view)


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
    view.captured[place] = state.captured[seat]
    view.tricks[place] = state.tricks[seat]
    view.marriages[place] = state.marriages[seat]
    view.voids[place] = state.voids[seat]
    view.score[place] = state.score[seat]
    view.events[place] = state.events[seat]
    view.played[place] = 0
    view.held[place] = 0
    view.gifts[place] = NONE


@kernel
def look_at_plays(state: Any, places: int, view: Any) -> None:
    """Fill the plays of the deal in order, seats turned to the viewer."""
    view.num_plays = state.num_plays
    declared = SILENT
    for i in range(state.num_plays):
        play = state.plays[i]
        place = place_in(places, play >> 8)
        view.plays[i] = play & 255 | place << 8
        view.played[place] |= 1 << (play & 31)
        declared |= play >> 5 & 7
    for i in range(state.num_plays, MAX_PLAYS):
        view.plays[i] = 0
    if declared != SILENT:
        place_declared(view)


@kernel
def place_declared(view: Any) -> None:
    """Place the other half of every marriage declared in the hand that declared it, until it is played."""
    for i in range(view.num_plays):
        way, place = view.plays[i] >> 5 & 7, view.plays[i] >> 8
        mate = 1 << ((view.plays[i] & 31) ^ 1)
        if way in (QUEEN_DECLARED, KING_DECLARED) and not view.played[place] & mate:
            view.held[place] |= mate


@kernel
def look_at_exchange(state: Any, rules: Any, viewer: int, places: int, view: Any) -> None:
    """Fill what the viewer knows of talon and gifts, and which hands that places cards in."""
    peeked = peeked_cards(state, viewer)
    view.talon = state.talon if sees_talon(state, rules, viewer) else peeked & state.talon
    view.other_talon = peeked & state.other_talon
    view.given = 0
    known_to_leave, all_seen = 0, True
    for seat in range(rules.players):
        if state.gifts[seat] == NONE:
            continue
        view.given += 1
        place = place_in(places, seat)
        if sees_gift(state, rules, viewer, seat):
            card = 1 << state.gifts[seat]
            view.gifts[place] = state.gifts[seat]
            view.held[place] |= card & ~view.played[place]
            known_to_leave |= card
        else:
            all_seen = False
    if all_seen and view.talon != 0 and talon_is_taken(state, rules):
        view.held[view.declarer] |= view.talon & ~known_to_leave & ~view.played[view.declarer]
    view.held[0] = view.hand


@kernel
def look_by_bonus(state: Any, rules: Any, viewer: int, view: Any) -> None:
    """Fill what information bonuses told the viewer (X1): the hands as they were then, the suits of the talon.

    A card seen in a hand is there until it is played or, in the declarer's hand, until he might have given it away.
    """
    view.talon_suits = suits_told(state, viewer)
    if not state.peeks[viewer] & 1:
        return
    for seat in range(rules.players):
        place = relative(seat, viewer, state.dealer, rules.players)
        if seat == viewer or not is_active(state, rules, seat):
            continue
        known = state.dealt[seat] & ~view.played[place]
        if seat == state.declarer and gift_unseen(state, rules, viewer):
            known = 0
        for other in range(rules.players):
            if sees_gift(state, rules, viewer, other) and state.gifts[other] != NONE:
                known &= ~(1 << state.gifts[other]) if seat == state.declarer else known
        view.held[place] |= known


@kernel
def gift_unseen(state: Any, rules: Any, viewer: int) -> bool:
    """Whether the declarer has given a card that the viewer did not see."""
    unseen = False
    for seat in range(rules.players):
        unseen |= state.gifts[seat] != NONE and not sees_gift(state, rules, viewer, seat)
    return unseen


@kernel
def _look_all(states: Any, rules: Any, viewers: Any, views: Any) -> None:
    for i in range(states.shape[0]):
        look_row(states[i], rules[0], viewers[i], views[i])


def look(states: NDArray[Any], rules: NDArray[Any], viewers: NDArray[Any]) -> NDArray[Any]:
    """Return what seat `viewers[i]` knows of `states[i]`: views (N,), dtype `VIEW_DTYPE`.

    `viewers` is an integer array (N,) of seats at the table; `states["turn"]` looks through the eyes of whoever is to
    act, in states where somebody is. Raises `ThousandError` unless there is one viewer a state.
    """
    viewers = np.ascontiguousarray(viewers, np.int64)
    if states.ndim != 1 or viewers.shape != states.shape:
        raise ThousandError(
            f"viewers of shape {viewers.shape} for states of shape {states.shape}: expected (N,) of both"
        )
    views = np.zeros(len(states), VIEW_DTYPE)
    _look_all(states, rules, viewers, views)
    return views
