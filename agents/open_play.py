"""The play with all hands open, as a search sees it: what never changes in a `game`, the rest in a `frame` a card deep.

Seats count from the declarer on, 0, 1, 2 clockwise. Hands are never copied: who holds a card does not change, so a hand
is what its seat held at the root and is still among the cards `left`. Rules are those of `thousand_env.play`.
"""

from typing import Any

import numpy as np

from thousand_env import play
from thousand_env.actions import card_of, way_of
from thousand_env.cards import ACES, NUM_CARDS, highest_card, marriages_in, set_points, suit_of
from thousand_env.jit import kernel, record_dtype
from thousand_env.rules import NO_TRUMP
from thousand_env.scoring import round_points
from thousand_env.seats import next_seat
from thousand_env.state import ACE_DECLARED, NONE, SILENT

MAX_ACTIVE = 3
DEPTH = NUM_CARDS + 1  # frames of the longest line: a card each, and the end

_BY_SEAT = (np.int64, (MAX_ACTIVE,))

GAME_DTYPE = record_dtype(
    [
        # The cards at the root.
        ("hands", *_BY_SEAT),  # with the cards each seat has laid to the trick on the table
        ("active", np.int64),
        ("opening", np.int64),  # the cards left at the first lead of the deal, NONE if that is past
        ("ace_seat", np.int64),  # who was given all four aces, NONE if nobody or if they do not count (M7)
        ("last_points", np.int64),  # of the talon that goes to the last trick (H4)
        ("turning", np.int64),  # whether the ace marriage may turn trump (M7)
        # What is to be won: payoffs to the side that maximises, for every point to come.
        ("side", *_BY_SEAT),  # 1: the seat maximises, -1: it minimises
        ("gain", *_BY_SEAT),  # for a point captured by the seat
        ("worth", *_BY_SEAT),  # for a point of its marriages
        ("low_gain", np.int64),
        ("high_gain", np.int64),
        ("bonus", np.int64),  # if the declarer reaches what he needs, 0 if it does not matter
        ("round_to", np.int64),  # of the defenders' captured points in the end (K3), 0 if they are not rounded
        ("united", np.int64),  # whether it does not matter who of a side captures a card
        # The search.
        ("stamp", np.int64),
        ("nodes", np.int64),
        ("killers", np.int64, (MAX_ACTIVE, NUM_CARDS)),  # the lead that last cut off, by seat and by cards left
    ]
)

FRAME_DTYPE = record_dtype(
    [
        # The position.
        ("left", np.int64),  # the cards in the hands
        ("rest", np.int64),  # their points, those of the trick on the table, and those of the last trick's talon
        ("turn", np.int64),
        ("trump", np.int64),
        ("pending", np.int64),  # the declarer's marriage, while he has no trick to keep it by (M8)
        ("told", np.int64),  # whether the ace marriage was declared
        ("need", np.int64),  # points the declarer still needs
        ("taken", *_BY_SEAT),  # points captured by the defenders; seat 0 is not counted
        # The trick on the table.
        ("laid", np.int64),
        ("table", np.int64),
        ("led", np.int64),
        ("way", np.int64),
        ("best", np.int64),
        ("best_seat", np.int64),
        # The search: payoffs to come, from this trick on.
        ("step", np.int64),  # the payoff of the way here from the frame before
        ("alpha", np.int64),
        ("beta", np.int64),
        ("value", np.int64),
        ("low", np.int64),  # what is known of the value before it is searched
        ("high", np.int64),
        ("floor", np.int64),  # the window it is searched in
        ("ceiling", np.int64),
        ("key", np.int64),
        ("moves", np.int64),  # actions not tried yet, as a set
        ("action", np.int64),  # being tried
        ("choice", np.int64),  # the best so far, or the one to try first
        ("tried", np.int64),  # cards whose limit is known
        ("limits", np.int64, (NUM_CARDS,)),  # what playing a card is worth at most, for who minimises at least
    ]
)


# -- from a state ----------------------------------------------------------------------------------------------------


@kernel
def seat_at(state: Any, rules: Any, place: int) -> int:
    """Return the seat so many active seats clockwise from the declarer."""
    seat = state.declarer
    for _ in range(place):
        seat = next_seat(seat, state.dealer, rules.players)
    return seat


@kernel
def place_of(state: Any, rules: Any, seat: int) -> int:
    """Return how many active seats clockwise from the declarer a seat is, NONE of no seat."""
    for place in range(rules.active):
        if seat_at(state, rules, place) == seat:
            return place
    return NONE


@kernel
def open_game(state: Any, rules: Any, game: Any) -> None:
    """Fill the cards of `game` from a state in the play phase."""
    game.active, game.ace_seat = rules.active, NONE
    game.last_points = set_points(state.other_talon)
    game.turning = rules.ace_marriage_trump != NO_TRUMP
    game.hands[2] = 0
    for place in range(rules.active):
        seat = seat_at(state, rules, place)
        game.hands[place] = state.hands[seat]
        if rules.ace_marriage and play.was_given_aces(state, seat):
            game.ace_seat = place
    for i in range(state.num_plays - state.num_plays % rules.active, state.num_plays):
        game.hands[place_of(state, rules, state.plays[i] >> 8)] |= 1 << (state.plays[i] & 31)
    game.opening = NONE
    if state.num_plays == 0:
        game.opening = game.hands[0] | game.hands[1] | game.hands[2]


@kernel
def open_frame(state: Any, rules: Any, game: Any, frame: Any) -> None:
    """Fill the position of `frame` from a state in the play phase; what the declarer needs is left open."""
    frame.left = frame.table = 0
    frame.rest = game.last_points
    frame.laid = state.num_plays % rules.active
    frame.taken[2] = 0
    for place in range(game.active):
        seat = seat_at(state, rules, place)
        frame.left |= state.hands[seat]
        frame.rest += set_points(game.hands[place])
        frame.taken[place] = set_points(state.captured[seat])
    first = state.num_plays - frame.laid
    frame.led, frame.way = NONE, SILENT
    for i in range(first, state.num_plays):
        frame.table |= 1 << (state.plays[i] & 31)
    if frame.laid > 0:
        frame.led, frame.way = suit_of(state.plays[first] & 31), state.plays[first] >> 5 & 7
    frame.turn, frame.trump, frame.best = place_of(state, rules, state.turn), state.trump, state.best
    frame.best_seat = place_of(state, rules, state.best_seat)
    frame.told = rules.ace_marriage and play.four_aces_seat(state) != NONE
    frame.pending = state.marriages[state.declarer] if state.tricks[state.declarer] == 0 else 0
    frame.need = frame.step = 0


# -- what may be played ----------------------------------------------------------------------------------------------


@kernel
def aces_to_declare(game: Any, frame: Any, seat: int) -> int:
    """Return the aces with which a seat that is on lead may declare the ace marriage (M7)."""
    if seat != game.ace_seat or frame.told or frame.left == game.opening:
        return 0
    return game.hands[seat] & frame.left & ACES


@kernel
def legal_plays(game: Any, rules: Any, frame: Any) -> int:
    """Return the legal actions of the seat to act, as a set."""
    hand = game.hands[frame.turn] & frame.left
    if frame.laid > 0:
        return play.playable(hand, frame.led, frame.best, frame.trump, rules)
    suits, aces, led_before = 0, aces_to_declare(game, frame, frame.turn), int(frame.left != game.opening)
    if marriages_in(hand):
        suits = play.declarable(hand, led_before, led_before, rules)  # who leads later has won a trick
    return play.leads(hand, suits, aces, rules) if suits | aces else hand


# -- playing ---------------------------------------------------------------------------------------------------------


@kernel
def lay(game: Any, rules: Any, frame: Any, child: Any, action: int) -> None:
    """Play an action of `frame`: fill the position of `child` and the payoff of the step to it."""
    seat, card, way = frame.turn, card_of(action), way_of(action)
    child.left, child.rest, child.need = frame.left ^ (1 << card), frame.rest, frame.need
    child.trump, child.pending, child.told = frame.trump, frame.pending, frame.told
    child.taken[1], child.taken[2] = frame.taken[1], frame.taken[2]
    child.table, child.laid, child.step = frame.table | 1 << card, frame.laid + 1, 0
    if frame.laid == 0:
        child.led, child.way = suit_of(card), way
        if way != SILENT:
            declare(game, rules, child, seat, way)
        child.best, child.best_seat = card, seat
    else:
        child.led, child.way, child.best, child.best_seat = frame.led, frame.way, frame.best, frame.best_seat
        if play.beats(card, frame.best, frame.trump):
            child.best, child.best_seat = card, seat
    if child.laid < game.active:
        child.turn = seat + 1 if seat + 1 < game.active else 0
    else:
        gather(game, rules, child)


@kernel
def declare(game: Any, rules: Any, child: Any, seat: int, way: int) -> None:
    """Score what was declared, or put it off until the declarer has a trick to keep it by (M4, M8)."""
    value = play.declared_value(child.led, way)
    child.trump = play.trump_at_lead(child.trump, child.led, way, rules)
    if way == ACE_DECLARED:
        child.told = 1
    if seat > 0:
        child.step += game.worth[seat] * value
    elif child.left | child.table == game.opening:
        child.pending = value
    else:
        score_marriage(game, child, value)


@kernel
def score_marriage(game: Any, child: Any, value: int) -> None:
    """Give the declarer the points of a marriage."""
    child.step += game.worth[0] * value
    child.need -= value


@kernel
def gather(game: Any, rules: Any, child: Any) -> None:
    """Give the trick on the table to its winner, who leads next; the last trick takes the talon with it (H4)."""
    winner, points = child.best_seat, set_points(child.table)
    if child.left == 0:
        points += game.last_points
    child.step += game.gain[winner] * points
    child.rest -= points
    if winner > 0:
        child.taken[winner] += points
    else:
        child.need -= points
        score_marriage(game, child, child.pending)
        child.pending = 0
    child.trump = play.trump_after_trick(child.trump, child.led, child.way, last_ace(game, child), rules)
    child.turn, child.laid, child.table, child.led = winner, 0, 0, NONE


@kernel
def last_ace(game: Any, child: Any) -> int:
    """Return the suit of the fourth ace, if who declared the ace marriage has played it to the trick on the table."""
    if not child.told:
        return NONE
    played = game.hands[game.ace_seat] & child.table & ACES
    if played == 0 or game.hands[game.ace_seat] & child.left & ACES:
        return NONE
    return suit_of(highest_card(played))


# -- the end ---------------------------------------------------------------------------------------------------------


@kernel
def last_trick(game: Any, frame: Any) -> int:
    """Return the payoff of the last trick, led by the seat to act, when nobody can declare anything."""
    best, winner = highest_card(game.hands[frame.turn] & frame.left), frame.turn
    seat = winner
    for _ in range(game.active - 1):
        seat = seat + 1 if seat + 1 < game.active else 0
        card = highest_card(game.hands[seat] & frame.left)
        if play.beats(card, best, frame.trump):
            best, winner = card, seat
    return end_payoff(game, frame, winner)


@kernel
def end_payoff(game: Any, frame: Any, winner: int) -> int:
    """Return the payoff when `winner` captures all the rest and the deal is over."""
    payoff, need = game.gain[winner] * frame.rest, frame.need
    if winner == 0:
        payoff += game.worth[0] * frame.pending
        need -= frame.rest + frame.pending
    if need <= 0:
        payoff += game.bonus
    if game.round_to > 0:
        payoff += rounding(game, frame, 1, winner) + rounding(game, frame, 2, winner)
    return payoff


@kernel
def rounding(game: Any, frame: Any, seat: int, winner: int) -> int:
    """Return what rounding a defender's points in the end is worth, when `winner` captures all the rest (K3)."""
    points = frame.taken[seat] + (frame.rest if seat == winner else 0)
    rounded = round_points(points, 5) if game.round_to == 5 else round_points(points, 10)  # constants divide faster
    return game.gain[seat] * (rounded - points)
