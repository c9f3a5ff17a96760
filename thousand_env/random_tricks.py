"""Uniformly random tricks at any table, in local variables: what `random_play` does for plain tables alone.

Seats and hands go by their order in the trick, the leader first, and turn when another seat leads; where two play, the
third of either is nobody's. What a card may be and who takes a trick is asked of `play`, so that every table is served
but those whose trump turns at the end of a trick.
"""

from typing import Any

from thousand_env.actions import card_of, way_of
from thousand_env.cards import ACES, suit_of
from thousand_env.deck import draw_card
from thousand_env.jit import kernel, lowest
from thousand_env.play import beats, declarable, declare, has_undeclared_aces, leads, playable
from thousand_env.random_play import Hands, Seats, note
from thousand_env.rng import word
from thousand_env.seats import next_seat
from thousand_env.state import ACE_DECLARED, NONE, SILENT


@kernel
def seats_in_order(state: Any, rules: Any) -> Seats:
    """Return the seats clockwise from the one that leads."""
    first = int(state.turn)
    second = int(next_seat(first, state.dealer, rules.players))
    return first, second, int(next_seat(second, state.dealer, rules.players))


@kernel
def turn_to(taker: int, order: Seats, rules: Any) -> Seats:
    """Return what goes by the order in the trick as it goes from the taker on, whose place was `taker`."""
    first, second, third = order
    if taker == 0:
        return first, second, third
    if rules.active == 2:
        return second, first, third
    return (second, third, first) if taker == 1 else (third, first, second)


@kernel
def aces_seat(state: Any, rules: Any) -> int:
    """Return the seat that may still come to declare the ace marriage, NONE when there is none (M7)."""
    if rules.ace_marriage:
        for seat in range(rules.players):
            if has_undeclared_aces(state, seat):
                return seat
    return NONE


@kernel
def draw_lead(state: Any, rules: Any, seat: int, hand: int, aces: int, random: int) -> int:
    """Return the action that leads to a trick, perhaps declaring a marriage or one of `aces` (M2, M7)."""
    suits = declarable(hand, state.tricks[seat], state.num_plays, rules)
    plays = leads(hand, suits, aces, rules) if suits | aces else hand
    return lowest(draw_card(plays, random))


@kernel
def follow_out(
    card: int, hands: Hands, trump: int, rules: Any, key: int, decision: int, trace: Any
) -> tuple[Hands, int, int]:
    """Let the others play to a trick led with `card`, which has left its hand; return hands, trick, place of the taker.

    `decision` is the number of the first of theirs.
    """
    first, second, third = hands
    led, best, taker, trick = suit_of(card), card, 0, 1 << card
    played = draw_card(playable(second, led, best, trump, rules), word(key, decision))
    note(trace, decision, lowest(played))
    second, trick = second ^ played, trick | played
    if beats(lowest(played), best, trump):
        best, taker = lowest(played), 1
    if rules.active == 2:
        return (first, second, third), trick, taker
    played = draw_card(playable(third, led, best, trump, rules), word(key, decision + 1))
    note(trace, decision + 1, lowest(played))
    if beats(lowest(played), best, trump):
        taker = 2
    return (first, second, third ^ played), trick | played, taker


@kernel
def play_from_lead(state: Any, rules: Any, key: int, decision: int, trace: Any) -> int:
    """Play a deal out from a lead; return the number of the decision that comes next.

    Of the record only what the score asks for follows the play: `captured`, `tricks`, `marriages`.
    """
    seats, may_declare = seats_in_order(state, rules), aces_seat(state, rules)
    hands = int(state.hands[seats[0]]), int(state.hands[seats[1]]), int(state.hands[seats[2]])
    while hands[0] > 0:
        seat = seats[0]
        aces = hands[0] & ACES if seat == may_declare and state.tricks[seat] > 0 else 0
        action = draw_lead(state, rules, seat, hands[0], aces, word(key, decision))
        note(trace, decision, action)
        card, way = card_of(action), way_of(action)
        if way != SILENT:
            declare(state, rules, seat, suit_of(card), way)
        if way == ACE_DECLARED:
            may_declare = NONE
        hands = hands[0] ^ 1 << card, hands[1], hands[2]
        hands, trick, taker = follow_out(card, hands, int(state.trump), rules, key, decision + 1, trace)
        seats, hands = turn_to(taker, seats, rules), turn_to(taker, hands, rules)
        state.captured[seats[0]] |= trick
        state.tricks[seats[0]] += 1
        decision += rules.active
    state.captured[seats[0]] |= state.other_talon  # H4
    return decision
