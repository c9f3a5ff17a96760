"""Every deal has a number: all hands out of one random word, in a few nanoseconds and without a shuffle.

The number of a deal is taken apart into numbers of its hands; a hand is the n-th set of its size among the cards left.
Sets of 12 cards are listed by size, 8 KB in all. A choice from more cards is one set of the lower 12 and one of those
above: its number first tells how many cards lie above, then which pair of sets it is.

A random word is read as a fraction of 2**64. The deal's number is floor(fraction * deals), which favours no deal by
more than deals / 2**64; what the product leaves below the point is the fraction that numbers the next hand.
"""

from math import comb
from typing import Any

import numpy as np

from thousand_env.cards import FULL_PACK, NUM_RANKS, NUM_SUITS, SUIT
from thousand_env.jit import kernel, mulhi, mullo, popcount

_LOWER = 12
_EIGHT_OF_24, _EIGHT_OF_16, _SEVEN_OF_24, _SEVEN_OF_17 = range(4)
_CHOICES = ((24, 8), (16, 8), (24, 7), (17, 7))
_C24_8, _C16_8, _C24_7, _C17_7 = (comb(cards, size) for cards, size in _CHOICES)
_C10_3 = comb(10, 3)
NUM_EVEN_DEALS = _C24_8 * _C16_8  # eight cards each
NUM_DEALS = _C24_7 * _C17_7 * _C10_3  # seven cards each and a talon of three

_SETS = np.array(sorted(range(1 << _LOWER), key=lambda cards: (cards.bit_count(), cards)), np.int16)
_FIRST_SET = np.array([sum(comb(_LOWER, size) for size in range(below)) for below in range(_LOWER)])  # of its size
_IN_SETS = (1 << _LOWER) - 1  # spares the check for a negative index
_FIRST_OF_THREE = int(_FIRST_SET[3])

# By choice and by how many cards lie above: the first number, the ways to choose those, and 2**32 / ways rounded up.
_UNREACHED = 1 << 32
_FIRST_NUMBER = np.full((len(_CHOICES), 9), _UNREACHED)
_WAYS = np.ones((len(_CHOICES), 9), np.int64)
for _choice, (_cards, _size) in enumerate(_CHOICES):
    _number = 0
    for _above in range(min(_size, _cards - _LOWER) + 1):
        _FIRST_NUMBER[_choice, _above], _WAYS[_choice, _above] = _number, comb(_cards - _LOWER, _above)
        _number += comb(_cards - _LOWER, _above) * comb(_LOWER, _size - _above)
_INVERSE = -(-(1 << 32) // _WAYS)


def _deposit(cards: int, room: int) -> int:
    deposited = 0
    for place in (1 << rank for rank in range(NUM_RANKS)):
        if room & place:
            deposited |= place * (cards & 1)
            cards >>= 1
    return deposited


_DEPOSITS = np.array([_deposit(cards, room) for room in range(SUIT + 1) for cards in range(SUIT + 1)], np.int8)


@kernel
def deposit(cards: int, room: int) -> int:
    """Return the cards of `room` whose places, counted from its lowest card, are set in `cards`."""
    deposited = 0
    for suit in range(NUM_SUITS):
        suit_room = room >> (NUM_RANKS * suit) & SUIT
        deposited |= int(_DEPOSITS[suit_room << NUM_RANKS | (cards & SUIT)]) << (NUM_RANKS * suit)
        cards >>= popcount(suit_room)
    return deposited


@kernel
def _chosen(number: int, choice: int, size: int) -> int:
    above = 0
    for count in range(1, 9):
        above += number >= _FIRST_NUMBER[choice, count]
    number -= _FIRST_NUMBER[choice, above]
    lower = number * _INVERSE[choice, above] >> 32  # number // ways
    upper = number - lower * _WAYS[choice, above]
    lower_set = int(_SETS[(_FIRST_SET[size - above] + lower) & _IN_SETS])
    return lower_set | int(_SETS[(_FIRST_SET[above] + upper) & _IN_SETS]) << _LOWER


@kernel
def deal_hands(fraction: int) -> tuple[int, int, int]:
    """Return three hands of eight: deal number floor(fraction * NUM_EVEN_DEALS)."""
    hand0 = _chosen(mulhi(fraction, _C24_8), _EIGHT_OF_24, 8)
    fraction = mullo(fraction, _C24_8)
    rest = hand0 ^ FULL_PACK
    hand1 = deposit(_chosen(mulhi(fraction, _C16_8), _EIGHT_OF_16, 8), rest)
    return hand0, hand1, rest ^ hand1


@kernel
def deal_hands_and_talon(fraction: int) -> tuple[int, int, int, int]:
    """Return three hands of seven and the talon: deal number floor(fraction * NUM_DEALS)."""
    hand0 = _chosen(mulhi(fraction, _C24_7), _SEVEN_OF_24, 7)
    fraction = mullo(fraction, _C24_7)
    rest = hand0 ^ FULL_PACK
    hand1 = deposit(_chosen(mulhi(fraction, _C17_7), _SEVEN_OF_17, 7), rest)
    fraction = mullo(fraction, _C17_7)
    rest ^= hand1
    talon = deposit(int(_SETS[(_FIRST_OF_THREE + mulhi(fraction, _C10_3)) & _IN_SETS]), rest)
    return hand0, hand1, rest ^ talon, talon


@kernel
def fill_hands(fractions: Any, hands: Any) -> None:
    """Deal three hands of eight for each of `fractions`, int64 (N,), into `hands` (N, 3)."""
    for i in range(fractions.shape[0]):
        hands[i, 0], hands[i, 1], hands[i, 2] = deal_hands(fractions[i])


@kernel
def fill_hands_and_talons(fractions: Any, hands: Any) -> None:
    """Deal three hands of seven and the talon for each of `fractions`, int64 (N,), into `hands` (N, 4)."""
    for i in range(fractions.shape[0]):
        hands[i, 0], hands[i, 1], hands[i, 2], hands[i, 3] = deal_hands_and_talon(fractions[i])


def fraction_of(number: int, deals: int) -> int:
    """Return the smallest fraction, as int64, that is dealt as number `number` of `deals`.

    >>> mulhi(fraction_of(123456789, NUM_DEALS), NUM_DEALS)
    123456789
    """
    return mullo(-(-(number << 64) // deals), 1)
