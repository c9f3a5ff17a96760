"""What a hand is worth to its declarer, as a player adds it up: aces, tens, marriages, long suits, voids.

The weights are points, and come from play: `python -m experiments.fit_hand_value` deals, lets the heuristic bot play,
and prints the table below. Four questions are answered with the same features:

- seven:    how many points will I make? asked with seven cards, before the talon
- eight:    the same with the eight cards kept after the exchange
- marriage: which eight of ten cards shall I keep? asked by a hand that holds a marriage
- plain:    the same, asked by a hand without one
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thousand_env.cards import (
    ACE,
    ACES,
    KING,
    MARRIAGE,
    NUM_RANKS,
    NUM_SUITS,
    QUEEN,
    SUIT,
    TEN,
    marriage_value,
)
from thousand_env.jit import highest, kernel, popcount, record_dtype

QUESTIONS = ("seven", "eight", "marriage", "plain")

# feature: weight for each question, what it counts
FEATURES: dict[str, tuple[tuple[float, float, float, float], str]] = {
    "any": ((26.36, -16.21, 0.00, 0.00), "once, in any hand"),
    "ace": ((17.52, 16.95, 26.28, 12.68), "each ace"),
    "ten_with_ace": ((8.16, 9.96, 19.59, 8.76), "each ten whose ace is in the hand"),
    "ten_guarded": ((3.66, 5.61, 12.99, 1.17), "each other ten with a card beside it"),
    "ten_bare": ((3.95, -3.26, -4.74, -2.56), "each other ten without"),
    "court": ((1.09, 4.62, 4.20, 1.54), "each king and each queen"),
    "winner": ((3.62, 3.74, 15.29, 8.61), "each card that wins a trick when the suits are led from the top"),
    "length": ((0.54, 0.98, -8.69, 3.93), "each card of a suit beyond the third"),
    "singleton": ((3.80, 7.27, 6.71, 1.89), "each suit of one card"),
    "void": ((9.16, 16.93, 18.42, 13.49), "each suit of none"),
    "half": ((0.10, -0.05, -0.08, 0.03), "a king or queen without the other, each point of their marriage"),
    "marriage": ((0.88, 1.04, 1.84, 0.00), "each point of a marriage"),
    "marriage_length": ((1.87, 0.50, 12.94, 0.00), "each card beside a marriage"),
    "second": ((-0.51, -0.28, -2.40, 0.00), "each point of a marriage that is not the best"),
    "no_entry": ((-0.36, -0.97, -1.17, 0.00), "each point of a marriage in a hand without aces to come on lead by"),
    "give_half": ((0.00, 0.00, -0.22, -0.03), "each point of a marriage whose half is given away"),
}
WEIGHTS_DTYPE = record_dtype([(name, np.float64) for name in FEATURES])


def weights() -> NDArray[Any]:
    """Return the table as kernels read it: a record for each of `QUESTIONS`."""
    array = np.zeros(len(QUESTIONS), WEIGHTS_DTYPE)
    for name, (values, _) in FEATURES.items():
        array[name] = values
    return array


@kernel
def sure_tricks(own: int) -> int:
    """Return how many tricks the cards of a suit, six bits, win in a row when led from the top and nobody trumps.

    >>> [sure_tricks(own) for own in (0o40, 0o20, 0o60, 0o61, 0o33)]  # A, T, AT, AT9, TKJ9
    [1, 0, 2, 2, 0]
    """
    others, length, tricks = own ^ SUIT, popcount(own), 0
    while own and (tricks >= NUM_RANKS - length or own > others):
        own ^= 1 << highest(own)
        tricks += 1
    return tricks


@kernel
def suit_value(own: int, suit: int, weights: Any) -> float:
    """Return what the cards of one suit, six bits, add to a hand."""
    length = popcount(own)
    if length == 0:
        return weights.void
    king, queen, ace = own >> KING & 1, own >> QUEEN & 1, own >> ACE & 1
    value = weights.ace * ace + weights.court * (king + queen) + weights.winner * sure_tricks(own)
    value += weights.length * max(0, length - 3)
    if length == 1:
        value += weights.singleton
    if own >> TEN & 1:
        value += ten_value(ace, length, weights)
    if king and queen:
        value += weights.marriage * marriage_value(suit) + weights.marriage_length * (length - 2)
    elif king or queen:
        value += weights.half * marriage_value(suit)
    return value


@kernel
def ten_value(ace: int, length: int, weights: Any) -> float:
    """Return what a ten adds: safe under its ace, guarded by a small card, or bare."""
    if ace:
        return weights.ten_with_ace
    return weights.ten_guarded if length > 1 else weights.ten_bare


@kernel
def hand_value(hand: int, weights: Any) -> float:
    """Return what a hand is worth by the weights of one question, in points."""
    value, best, marriages = weights.any, 0, 0
    for suit in range(NUM_SUITS):
        own = hand >> (NUM_RANKS * suit) & SUIT
        value += suit_value(own, suit, weights)
        if own & MARRIAGE == MARRIAGE:
            best = marriage_value(suit)
            marriages += best
    value += weights.second * (marriages - best)
    if hand & ACES == 0:
        value += weights.no_entry * marriages
    return value
