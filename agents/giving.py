"""Which cards the heuristic bot gives away: those whose absence leaves its hand the best."""

import math
from typing import Any

from agents.hand_value import ELEVEN, KEEPING, hand_value
from thousand_env.cards import KING, NUM_CARDS, QUEEN, marriage_value, marriages_in, rank_of, suit_of
from thousand_env.jit import kernel, lowest, popcount
from thousand_env.state import NONE


@kernel
def given_half(hand: int, card: int) -> int:
    """Return the value of the marriage whose half the card is, 0 when the giver keeps, or gives too, the other half."""
    if rank_of(card) != KING and rank_of(card) != QUEEN:
        return 0
    return 0 if hand >> (card ^ 1) & 1 else marriage_value(suit_of(card))


@kernel
def best_gift(hand: int, choices: int, whole: int, weights: Any, best: Any) -> float:
    """Find which of the cards `choices` a hand should give, into `best[0]`, and return what it is worth then.

    `whole` is the hand before any gift.
    """
    value = -math.inf
    rest = choices
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        kept = hand_value(hand ^ (1 << card), weights) + weights.give_half * given_half(whole, card)
        if kept > value:
            value, best[0] = kept, card
    return value


@kernel
def best_pair(whole: int, weights: Any, best: Any) -> int:
    """Return the first of the two cards that a hand of ten should give."""
    choice, value = NONE, -math.inf
    rest = whole
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        other = best_gift(whole ^ (1 << card), rest, whole, weights, best)
        kept = other + weights.give_half * given_half(whole, card)
        if kept > value:
            choice, value = card, kept
    return choice


@kernel
def next_gift(hand: int, choices: int, whole: int, players: int, table: Any, best: Any) -> int:
    """Return the card of `choices` to give next from what is left of the `whole` hand, the other gift chosen well.

    `table` are the weights for the questions of `agents.hand_value`; `best` (1,) is room for a card.
    """
    weights = table[ELEVEN if players == 2 else KEEPING + min(2, popcount(marriages_in(whole)))]
    if players > 2 and whole == hand:
        return best_pair(whole, weights, best)
    best_gift(hand, choices, whole, weights, best)
    return best[0]


@kernel
def give(view: Any, mask: Any, table: Any, best: Any) -> int:
    """Return the card to give next: any of the hand, of two players one of the talon's (T3, H3)."""
    whole, choices = view.hand, 0
    for seat in range(1, view.players):
        if view.gifts[seat] != NONE:
            whole |= 1 << view.gifts[seat]
    for card in range(NUM_CARDS):
        if mask[card]:
            choices |= 1 << card
    return next_gift(view.hand, choices, whole, view.players, table, best)


@kernel
def kept_hand(view: Any, table: Any, best: Any) -> int:
    """Return what a declarer who has just taken the talon will hold after the exchange."""
    hand, choices = int(view.hand), int(view.talon) if view.players == 2 else int(view.hand)
    for _ in range(min(view.players, 3) - 1):
        hand ^= 1 << next_gift(hand, choices & hand, view.hand, view.players, table, best)
    return hand


assert KING ^ 1 == QUEEN, "given_half finds the other half by flipping the lowest bit of the card"
