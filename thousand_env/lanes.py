"""Many play rollouts at once: games lie side by side in *lanes*, and all of them take a step before any takes the next.

A row has one number of every game, a loop over a row has no branches and no calls, and so the compiler turns it into
instructions that work on 4, 8 or 16 games at once. The games are those of `random_play` for the same keys, card for
card; names, hands and sets mean what they mean there.

Rows have 32 bits, as wider numbers would halve the games an instruction works on. numba widens whatever it computes:
`narrow` cuts a result back. A random word has 64 bits, of which a lane keeps the upper ones. They tell which card is
drawn unless the bits below might carry into them, which happens in one game of about two million: `DOUBT` marks it, and
it is played again on its own.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thousand_env.cards import (
    FULL_PACK,
    NUM_CARDS,
    NUM_RANKS,
    PACK_POINTS,
    SUIT,
    marriage_value,
    marriages_in,
    set_points,
)
from thousand_env.jit import add, kernel, mix, mullo, popcount
from thousand_env.random_play import play_tricks, seat_points
from thousand_env.rng import GOLDEN, derive, word
from thousand_env.unranking import deal_hands

LANES = 64  # games side by side: their rows stay in a core's first-level cache
TRICKS = 8
DEAL_WORD = -1  # the random word of a key that deals the cards

# Where the rows begin. When all tricks are played, the points lie where the hands lay.
_ROWS = range(0, 17 * LANES, LANES)
FIRST, SECOND, THIRD = POINTS0, POINTS1, POINTS2 = _ROWS[:3]
LEADER, TRUMP, QUEENS, CAPTURED0, CAPTURED1, MARRIAGES, DOUBT = _ROWS[3:10]
LED, DECLARED, MIDDLE, LAST = _ROWS[10:14]
RANDOM = _ROWS[14]  # three rows, a number for each card of a trick

_LOWEST = FULL_PACK // SUIT  # the lowest card of every suit
_NEXT_SUIT = marriage_value(1) - marriage_value(0)
_RANDOM_BITS = 27  # of a word: times the number of cards they stay below 2**31
_RANDOM = (1 << _RANDOM_BITS) - 1
_SEAT_BITS = 10  # of a seat in MARRIAGES
_SEAT = (1 << _SEAT_BITS) - 1


# -- one number of a lane --------------------------------------------------------------------------------------------


@kernel
def narrow(number: Any) -> Any:
    """Return the number in 32 bits."""
    return np.int32(number)


@kernel
def size(cards: Any) -> Any:
    """Return how many cards are in a set."""
    return narrow(popcount(cards & FULL_PACK))


@kernel
def suit_around(card: Any) -> Any:
    """Return all cards of the suit of `card`, both as sets."""
    spread = narrow(card | card >> 1)
    spread = narrow(spread | spread >> 2)
    lowest = narrow((spread | spread >> 2) & _LOWEST)
    return narrow((lowest << NUM_RANKS) - lowest)


@kernel
def pick(cards: Any, n: Any) -> Any:
    """Return the n-th lowest of at most eight cards: take the lowest away n times."""
    for taken in range(TRICKS - 1):
        cards &= cards - int(n > taken)
    return narrow(cards & -cards)


@kernel
def choices(hand: Any, suit: Any, trump: Any) -> Any:
    """Return the cards that may be played to a trick of the cards `suit` (P2)."""
    following, trumps = narrow(hand & suit), narrow(hand & trump)
    others = trumps if trumps > 0 else hand
    return following if following > 0 else others


@kernel
def strength(card: Any, suit: Any, trump: Any) -> Any:
    """Return a number for what a card is worth in a trick of the cards `suit`: the greatest takes it (P3)."""
    as_trump = card & trump
    return narrow(card & suit | as_trump | int(as_trump > 0) << NUM_CARDS)


@kernel
def turn(first: Any, second: Any, third: Any, second_leads: Any, third_leads: Any) -> tuple[Any, Any, Any]:
    """Return the hands from the next leader on."""
    one = second if second_leads else first
    two = third if second_leads else second
    three = first if second_leads else third
    return third if third_leads else one, first if third_leads else two, second if third_leads else three


@kernel
def drawn(random: Any, number: Any) -> Any:
    """Return which of a number of choices is drawn."""
    return narrow(random * number >> _RANDOM_BITS)


@kernel
def doubtful(random: Any, number: Any) -> Any:
    """Return 0 if the draw is the same whatever the lower bits of the random word are."""
    return narrow((random * number >> _RANDOM_BITS) ^ (random * number + number >> _RANDOM_BITS))


# -- a step of all lanes ---------------------------------------------------------------------------------------------


@kernel
def address(first: int, seed: int, keys: Any) -> None:
    """Fill `keys` with the keys of the rollouts from number `first` on."""
    for i in range(LANES):
        keys[i] = derive(seed, first + i)


@kernel
def clear(rows: Any) -> None:
    """Begin a deal: seat 0 leads, nothing is declared or captured."""
    for i in range(LEADER, LED):
        rows[i] = 0


@kernel
def deal(keys: Any, rows: Any) -> None:
    """Deal eight cards to each seat."""
    for i in range(LANES):
        rows[FIRST + i], rows[SECOND + i], rows[THIRD + i] = deal_hands(word(keys[i], DEAL_WORD))


@kernel
def draw_words(keys: Any, decision: int, rows: Any) -> None:
    """Draw the random numbers of a trick whose lead is decision number `decision`."""
    for card in range(3):
        step = mullo(decision + card + 1, GOLDEN)
        for i in range(LANES):
            rows[RANDOM + card * LANES + i] = mix(add(keys[i], step)) >> 64 - _RANDOM_BITS & _RANDOM


@kernel
def lead(cards: Any, rows: Any) -> None:
    """Lead one of `cards` cards or declare a marriage of one of QUEENS: DECLARED is -1 where that is done, else 0."""
    for i in range(LANES):
        hand, queens, random = rows[FIRST + i], rows[QUEENS + i], rows[RANDOM + i]
        number = narrow(cards + size(queens))
        n = drawn(random, number)
        declares = narrow(-int(n >= cards))
        rows[LED + i] = pick(narrow(queens & declares | hand & ~declares), narrow(n - (cards & declares)))
        rows[DECLARED + i] = declares
        rows[DOUBT + i] |= doubtful(random, number)


@kernel
def choose(rows: Any) -> None:
    """Enter a declared marriage, and put the cards that the others may play into MIDDLE and LAST."""
    for i in range(LANES):
        led, declares = rows[LED + i], rows[DECLARED + i]
        suit = suit_around(led)
        trump = narrow(rows[TRUMP + i] & ~declares | suit & declares)
        higher = int(led >= 1 << NUM_RANKS) + int(led >= 1 << 2 * NUM_RANKS) + int(led >= 1 << 3 * NUM_RANKS)
        value = narrow((marriage_value(0) + _NEXT_SUIT * higher) & declares)
        rows[MARRIAGES + i] += value << narrow(_SEAT_BITS * rows[LEADER + i])
        rows[TRUMP + i] = trump
        rows[MIDDLE + i] = choices(rows[SECOND + i], suit, trump)
        rows[LAST + i] = choices(rows[THIRD + i], suit, trump)


@kernel
def follow(rows: Any) -> None:
    """Play one of the cards of MIDDLE and one of LAST."""
    for i in range(LANES):
        middle, last = rows[MIDDLE + i], rows[LAST + i]
        random, other_random = rows[RANDOM + LANES + i], rows[RANDOM + 2 * LANES + i]
        number, other_number = size(middle), size(last)
        rows[MIDDLE + i] = pick(middle, drawn(random, number))
        rows[LAST + i] = pick(last, drawn(other_random, other_number))
        rows[DOUBT + i] |= doubtful(random, number) | doubtful(other_random, other_number)


@kernel
def play_last(rows: Any) -> None:
    """Play the only card of every hand."""
    for i in range(LANES):
        rows[LED + i], rows[MIDDLE + i], rows[LAST + i] = rows[FIRST + i], rows[SECOND + i], rows[THIRD + i]


@kernel
def take(rows: Any) -> None:
    """Give the trick to its taker, who leads next."""
    for i in range(LANES):
        led, middle, last, trump = rows[LED + i], rows[MIDDLE + i], rows[LAST + i], rows[TRUMP + i]
        suit = suit_around(led)
        lead_strength, answer = strength(led, suit, trump), strength(middle, suit, trump)
        best = max(lead_strength, answer)
        end = strength(last, suit, trump)
        second_leads, third_leads = (answer > lead_strength) & (end <= best), end > best
        first, second, third = turn(
            narrow(rows[FIRST + i] ^ led),
            narrow(rows[SECOND + i] ^ middle),
            narrow(rows[THIRD + i] ^ last),
            second_leads,
            third_leads,
        )
        leader = narrow(rows[LEADER + i] + int(second_leads) + 2 * int(third_leads))
        leader = narrow(leader - (3 & -int(leader >= 3)))
        trick = led | middle | last
        rows[FIRST + i], rows[SECOND + i], rows[THIRD + i] = first, second, third
        rows[LEADER + i], rows[QUEENS + i] = leader, marriages_in(first)  # who leads now has won a trick (M5)
        rows[CAPTURED0 + i] |= trick & -int(leader == 0)
        rows[CAPTURED1 + i] |= trick & -int(leader == 1)


@kernel
def count(rows: Any) -> None:
    """Put the deal points of the seats where their hands were; who declared has a trick, so marriages count (M8)."""
    for i in range(LANES):
        points0, points1 = set_points(rows[CAPTURED0 + i]), set_points(rows[CAPTURED1 + i])
        marriages = rows[MARRIAGES + i]
        rows[POINTS0 + i] = points0 + (marriages & _SEAT)
        rows[POINTS1 + i] = points1 + (marriages >> _SEAT_BITS & _SEAT)
        rows[POINTS2 + i] = PACK_POINTS - points0 - points1 + (marriages >> 2 * _SEAT_BITS)


@kernel
def replay(keys: Any, rows: Any) -> None:
    """Play the games in doubt again, each on its own, and put their points right."""
    for i in range(LANES):
        if rows[DOUBT + i]:
            captured, marriages = play_tricks(0, deal_hands(word(keys[i], DEAL_WORD)), 0, 0, 0, 0, keys[i], 0, None)
            rows[POINTS0 + i], rows[POINTS1 + i], rows[POINTS2 + i] = seat_points(captured, marriages)


# -- whole rollouts --------------------------------------------------------------------------------------------------


@kernel
def play(keys: Any, rows: Any) -> None:
    """Play eight tricks in every lane."""
    for trick in range(TRICKS - 1):
        draw_words(keys, 3 * trick, rows)
        lead(narrow(TRICKS - trick), rows)
        choose(rows)
        follow(rows)
        take(rows)
    play_last(rows)
    take(rows)


@kernel
def fill_points(first: int, seed: int, keys: Any, rows: Any, points: Any) -> None:
    """Fill `points`, int32 (3, N), with the deal points of the play rollouts of `seed` from number `first` on."""
    for start in range(0, points.shape[1], LANES):
        address(first + start, seed, keys)
        clear(rows)
        deal(keys, rows)
        play(keys, rows)
        count(rows)
        replay(keys, rows)
        for i in range(min(LANES, points.shape[1] - start)):
            for seat in range(3):
                points[seat, start + i] = rows[POINTS0 + seat * LANES + i]


def scratch() -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return room for the keys and the rows of the lanes."""
    return np.empty(LANES, np.int64), np.empty(LANES * len(_ROWS), np.int32)


def rollout_points(first: int, number: int, seed: int) -> NDArray[np.int32]:
    """Return the deal points, int32 (3, number), of the play rollouts of `seed` from number `first` on."""
    points = np.empty((3, number), np.int32)
    fill_points(first, seed, *scratch(), points)
    return points
