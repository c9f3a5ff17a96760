"""Seats: who is next clockwise, and who is first, at tables of two, three and four (S1, F1).

With four players the dealer sits out, so that a deal has three *active* seats; with two or three all are active.
"""

from typing import Any

from thousand_env.jit import kernel


@kernel
def next_seat(seat: int, dealer: int, players: int) -> int:
    """Return the next active seat clockwise."""
    seat = seat + 1 if seat + 1 < players else 0
    if players == 4 and seat == dealer:
        seat = seat + 1 if seat + 1 < players else 0
    return seat


@kernel
def distance(seat: int, other: int, players: int) -> int:
    """Return how many places clockwise of `seat` another one sits."""
    places = other - seat
    return places + players if places < 0 else places


@kernel
def forehand_of(state: Any, rules: Any) -> int:
    """Return the first hand: the active seat to the dealer's left."""
    return next_seat(state.dealer, state.dealer, rules.players)


@kernel
def is_active(state: Any, rules: Any, seat: int) -> bool:
    """Whether a seat plays this deal."""
    return rules.players != 4 or seat != state.dealer


@kernel
def active_seats(state: Any, rules: Any) -> int:
    """Return the seats that play this deal, a bit each."""
    seats = (1 << rules.players) - 1
    return seats & ~(1 << state.dealer) if rules.players == 4 else seats
