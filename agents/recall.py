"""From a view back to a state: everything that all at the table have seen, with the cards nobody has seen left out.

The viewer sits at seat 0 and the others clockwise from there, so the seats of the state are the places of the view.
Only the dealer of four, whom a view counts last, goes back to where he sits: his left-hand neighbour was forehand. The
tricks are played again by the engine itself, which tells on the way what each play denies.
"""

from typing import Any

from thousand_env import play
from thousand_env.actions import DECLARE_QUEEN
from thousand_env.auction import kept_out
from thousand_env.cards import ACE, ACES, KING, NUM_CARDS, NUM_SUITS, QUEEN, rank_of, suit_of
from thousand_env.deck import clear_deal, clear_fines
from thousand_env.jit import kernel, lowest, popcount
from thousand_env.redeals import TALON_ASKED, talon_entitles
from thousand_env.rules import ALWAYS, AUTOMATIC, OFFER, WITH_QUEEN_OR_KING
from thousand_env.state import (
    AUCTION,
    BLIND,
    BLIND_CHOSEN,
    CLAIM,
    GOLDEN_OVER,
    MAX_SEATS,
    NONE,
    PLAY,
    SILENT,
)

_MORE = 1 << NUM_CARDS  # no card: it keeps a hand that is played again from running out, which would score the deal
_ACTIVE_OF_FOUR = 3


# -- seats -----------------------------------------------------------------------------------------------------------


@kernel
def seat_at(place: int, dealer: int, players: int) -> int:
    """Return the seat of a place in the view of seat 0: the inverse of `view.relative`."""
    if place == NONE or players < MAX_SEATS or dealer == 0:
        return place
    if place == players - 1:
        return dealer
    return place if place < dealer else place + 1


@kernel
def seats_at(places: int, dealer: int, players: int) -> int:
    """Return the seats of several places, a bit each."""
    seats = 0
    for place in range(players):
        seats |= (places >> place & 1) << seat_at(place, dealer, players)
    return seats


@kernel
def first_bidder(view: Any) -> int:
    """Return the place whose first bid was the lowest of the auction, NONE before the first."""
    first = NONE
    for place in range(view.players):
        if view.bids[place] and (first == NONE or lowest(view.bids[place]) < lowest(view.bids[first])):
            first = place
    return first


@kernel
def forehand_of_four(view: Any) -> int:
    """Return the place of forehand as an active seat of four knows it, from who was asked or bid first (S2, R9, A1).

    Where forehand was kept out of the auction (A5) the opener stands for it, and without an auction (G1, L7) the
    declarer: the view does not tell more.
    """
    if view.phase == BLIND:
        return view.turn
    if view.phase == CLAIM and view.bid == 0:
        return (view.turn - popcount(view.asked)) % _ACTIVE_OF_FOUR
    opener = first_bidder(view)
    if opener != NONE:
        return opener
    return view.turn if view.phase == AUCTION else view.declarer


@kernel
def knows_forehand(view: Any, rules: Any, state: Any) -> bool:
    """Whether forehand is who stands for it, in a `state` whose public part is filled."""
    if rules.players < MAX_SEATS or view.dealer == 0 or (view.phase <= CLAIM and view.bid == 0):
        return True
    granted = view.bid > 0 and view.bids[view.declarer] == 0
    return not granted and kept_out(state, rules) == 0


@kernel
def dealer_seat(view: Any) -> int:
    """Return the seat of the dealer."""
    if view.players < MAX_SEATS or view.dealer == 0:
        return view.dealer
    forehand = forehand_of_four(view)
    return forehand if forehand > 0 else MAX_SEATS - 1


# -- the table -------------------------------------------------------------------------------------------------------


@kernel
def recall(view: Any, rules: Any, state: Any, lacks: Any) -> int:
    """Fill `state` with what is public in `view`, and the unplayed cards that the plays deny each seat in `lacks` (4,).

    Returns the seats that cannot have had all four aces, a bit each.
    """
    clear_deal(state)
    clear_fines(state)
    dealer, players = dealer_seat(view), rules.players
    state.dealer, state.deal, state.attempt, state.redeal_run = dealer, view.deal, view.attempt, view.redeal_run
    state.phase, state.bid, state.contract = view.phase, view.bid, view.contract
    state.blind, state.talon_open, state.picked = view.blind, view.talon_open, view.picked
    state.winner, state.turn = NONE, seat_at(view.turn, dealer, players)
    state.declarer = seat_at(view.declarer, dealer, players)
    state.passed = seats_at(view.passed, dealer, players)
    state.asked = seats_at(view.asked, dealer, players)
    state.baptised = seats_at(view.baptised, dealer, players)
    state.golden_made = seats_at(view.golden_made, dealer, players)
    if rules.golden and not (view.doubled and view.blind != BLIND_CHOSEN):
        state.golden_made |= GOLDEN_OVER
    for place in range(players):
        recall_seat(view, place, state, seat_at(place, dealer, players))
    state.bonuses[0] = view.bonuses
    state.talon, state.other_talon = view.talon, view.other_talon
    if view.talon_open and talon_entitles(state, rules, OFFER):
        state.asked |= TALON_ASKED
    return play_again(view, rules, state, lacks)


@kernel
def recall_seat(view: Any, place: int, state: Any, seat: int) -> None:
    """Fill what everybody knows about one seat before the play."""
    state.bids[seat] = view.bids[place]
    state.totals[seat] = view.totals[place]
    state.bolts[seat] = view.bolts[place]
    state.mounted[seat] = view.mounted[place]
    state.attempts[seat] = view.attempts[place]
    state.falls[seat] = view.falls[place]
    state.reverse[seat] = view.reverse[place]
    state.write_offs[seat] = view.write_offs[place]
    state.gifts[seat] = view.gifts[place]


# -- the play --------------------------------------------------------------------------------------------------------


@kernel
def play_again(view: Any, rules: Any, state: Any, lacks: Any) -> int:
    """Play the cards of `view` in `state`, and fill `lacks` (4,) by the way; returns as `recall` does."""
    not_four_aces = 0
    for seat in range(MAX_SEATS):
        state.hands[seat], lacks[seat] = _MORE, 0
    if view.phase == PLAY:
        play.begin_play(state, view.contract)
    holder = seat_at(view.four_aces, state.dealer, rules.players)
    if holder != NONE:
        state.hands[holder] |= ACES
    for number in range(view.num_plays):
        card, way, seat = view.plays[number] & 31, view.plays[number] >> 5 & 7, state.turn
        led = play.led_suit(state, play.cards_in_trick(state.num_plays, rules.active))
        if led != NONE:
            lacks[seat] |= denied(card, led, state.best, state.trump, rules)
        elif way == SILENT and rules.declare == AUTOMATIC:
            lacks[seat] |= undeclared(card, number, rules)
            if rules.ace_marriage and rank_of(card) == ACE and number > 0 and seat != holder:
                not_four_aces |= 1 << seat  # M7: he would have declared
        play.step(state, rules, card if way == SILENT else DECLARE_QUEEN + NUM_SUITS * (way - 1) + suit_of(card))
    for seat in range(MAX_SEATS):
        state.hands[seat] = 0
    return not_four_aces


@kernel
def denied(card: int, led: int, best: int, trump: int, rules: Any) -> int:
    """Return the cards that whoever plays `card` to a trick cannot hold: with any one of them he may not (P2)."""
    cards = 0
    for other in range(NUM_CARDS):
        if play.playable(1 << card | 1 << other, led, best, trump, rules) >> card & 1 == 0:
            cards |= 1 << other
    return cards


@kernel
def can_declare(card: int, rules: Any) -> bool:
    """Whether a marriage is declared with this card (M2)."""
    return rank_of(card) == QUEEN or (rank_of(card) == KING and rules.declare_with == WITH_QUEEN_OR_KING)


@kernel
def undeclared(card: int, number: int, rules: Any) -> int:
    """Return the other half of a marriage that play `number`, a silent lead, denies where all are declared (M2, M5).

    On the first lead that holds only where any marriage may be declared; an unbeatable hand is looked at as a whole.
    """
    if not can_declare(card, rules) or (number == 0 and rules.marriage_first_lead != ALWAYS):
        return 0
    return 1 << (card ^ 1)
