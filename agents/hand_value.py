"""What a hand is worth to its declarer, as a player adds it up: aces, tens, marriages, long suits, voids.

The weights are points, and come from play: `python -m experiments.fit_hand_value` deals, lets the heuristic bot play,
and prints the table below. Seven questions are answered with the same features:

- seven:    how many points will I make? asked with seven cards, before the talon
- eight:    the same with the eight cards kept after the exchange
- plain:    which eight of ten cards shall I keep? asked by a hand without a marriage
- marriage: the same, asked by a hand with one
- several:  the same, asked by a hand with more
- ten:      how many points will I make? asked at a table of two, before the talon
- eleven:   the same with the eleven cards kept after the exchange
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

QUESTIONS = ("seven", "eight", "plain", "marriage", "several", "ten", "eleven")
SEVEN, EIGHT, KEEPING, TEN_OF_TWO, ELEVEN = 0, 1, 2, 5, 6  # KEEPING + 0, 1 or 2, by the number of marriages

# feature: weight for each question, what it counts
FEATURES: dict[str, tuple[tuple[float, ...], str]] = {
    "always": ((25.18, -16.46, 0.00, 0.00, 0.00, 11.54, -1.75), "once, in any hand"),
    "ace": ((17.86, 17.23, 12.36, 22.90, 40.25, 12.25, 10.88), "each ace"),
    "ten_with_ace": ((7.50, 9.68, 8.21, 21.67, 13.76, 6.49, 5.89), "each ten whose ace is in the hand"),
    "ten_guarded": ((3.64, 5.54, 1.11, 12.54, 12.64, 9.69, 10.05), "each other ten with a card beside it"),
    "ten_bare": ((4.17, -0.27, -2.39, -4.99, -5.24, 6.24, 3.21), "each other ten without"),
    "court": ((1.96, 4.53, 1.59, 6.12, 9.80, -0.33, 0.57), "each king and each queen"),
    "winner": (
        (3.64, 3.68, 9.10, 13.70, 19.02, 3.61, 4.34),
        "each card that wins a trick when the suits are led from the top",
    ),
    "length": ((-0.18, 1.19, 4.04, -6.06, -19.84, -2.69, -4.69), "each card of a suit beyond the third"),
    "singleton": ((3.90, 6.94, 1.61, 6.49, 14.51, 2.34, 3.81), "each suit of one card"),
    "void": ((9.46, 16.71, 12.74, 15.77, 34.03, 7.26, 8.12), "each suit of none"),
    "half": (
        (0.09, -0.05, 0.03, 0.02, -0.20, 0.14, 0.04),
        "a king or queen without the other, each point of their marriage",
    ),
    "marriage": ((0.88, 1.05, 0.00, 2.01, 1.51, 0.95, 0.99), "each point of a marriage"),
    "marriage_length": ((2.34, 0.70, 0.00, 10.88, 19.70, 4.63, 5.53), "each card beside a marriage"),
    "second": ((-0.40, -0.31, 0.00, 0.00, -2.25, -0.26, -0.39), "each point of a marriage that is not the best"),
    "no_entry": (
        (-0.39, -1.00, 0.00, -1.61, -0.64, -0.26, -0.43),
        "each point of a marriage in a hand without aces to come on lead by",
    ),
    "give_half": ((0.00, 0.00, -0.03, -0.07, -0.35, 0.00, 0.00), "each point of a marriage whose half is given away"),
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
    value, best, marriages = weights.always, 0, 0
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
