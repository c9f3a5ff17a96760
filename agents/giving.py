"""Which two cards the heuristic bot gives away: those whose absence leaves its hand the best."""

import math
from typing import Any

from agents.hand_value import KEEPING, hand_value
from thousand_env.cards import KING, QUEEN, marriage_value, marriages_in, rank_of, suit_of
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
def give(view: Any, table: Any, best: Any) -> int:
    """Return the card to give next, the other one already chosen well.

    `table` are the weights for the questions of `agents.hand_value`; `best` (1,) is room for a card.
    """
    whole = view.hand
    for seat in range(1, view.players):
        if view.gifts[seat] != NONE:
            whole |= 1 << view.gifts[seat]
    weights = table[KEEPING + min(2, popcount(marriages_in(whole)))]
    if whole != view.hand:
        best_gift(view.hand, view.hand, whole, weights, best)
        return best[0]
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


assert KING ^ 1 == QUEEN, "given_half finds the other half by flipping the lowest bit of the card"
