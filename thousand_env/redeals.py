"""Redeals (§4): who may ask for the cards to be dealt again, and when they are dealt again by themselves.

A condition is `off`, on `offer` (the entitled seat is asked) or `force` (it happens by itself). Hand claims come before
the auction, clockwise from forehand; talon claims before the declarer gives a card.
"""

from typing import Any

from thousand_env.cards import JACKS, NINES, set_points
from thousand_env.jit import kernel, popcount
from thousand_env.rules import OFFER
from thousand_env.seats import forehand_of, is_active, next_seat
from thousand_env.state import NONE

TALON_ASKED = 1 << 4  # the bit of `asked` that says the declarer was asked about the talon


@kernel
def hand_entitles(state: Any, rules: Any, seat: int, way: int) -> bool:
    """Whether a hand meets a condition that is played in this `way`, OFFER or FORCE (R1–R5)."""
    hand = state.hands[seat]
    nines = popcount(hand & NINES)
    return (
        (rules.redeal_forehand_nines == way and nines >= 2 and seat == forehand_of(state, rules))
        or (rules.redeal_three_nines == way and nines >= 3)
        or (rules.redeal_four_nines == way and nines == 4)
        or (rules.redeal_four_jacks == way and hand & JACKS == JACKS)
        or (rules.redeal_low_hand == way and set_points(hand) < rules.redeal_hand_below)
    )


@kernel
def talon_entitles(state: Any, rules: Any, way: int) -> bool:
    """Whether the talon meets a condition that is played in this `way` (R6–R8, R12); two-hand talons hold two cards."""
    nines, jacks = popcount(state.talon & NINES), popcount(state.talon & JACKS)
    return (
        (rules.redeal_talon_nines == way and nines >= 2)
        or (rules.redeal_low_talon == way and set_points(state.talon) < rules.redeal_talon_below)
        or (rules.redeal_talon_jacks == way and jacks == 3)
        or (rules.redeal_talon_jacks_and_nine == way and jacks == 2 and nines == 1)
    )


@kernel
def any_hand_entitles(state: Any, rules: Any, way: int) -> bool:
    """Whether any active hand meets a condition that is played in this `way`."""
    for seat in range(rules.players):
        if is_active(state, rules, seat) and hand_entitles(state, rules, seat, way):
            return True
    return False


@kernel
def asks_hands(rules: Any) -> bool:
    """Whether some hand condition is on offer, so that every active seat is asked (R9)."""
    return (
        rules.redeal_forehand_nines == OFFER
        or rules.redeal_three_nines == OFFER
        or rules.redeal_four_nines == OFFER
        or rules.redeal_four_jacks == OFFER
        or rules.redeal_low_hand == OFFER
    )


@kernel
def next_asked(state: Any, rules: Any) -> int:
    """Return the next seat to be asked for a claim on its hand, clockwise from forehand; NONE when all were."""
    seat = forehand_of(state, rules)
    for _ in range(rules.active):
        if not state.asked >> seat & 1:
            return seat
        seat = next_seat(seat, state.dealer, rules.players)
    return NONE
