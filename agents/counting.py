"""Every world has a number: how many there are, counted without listing them, and which one has number n.

The cards are taken two by two, queen and king of a suit together. `ways[pair, rooms, needs]` is in how many ways the
pairs from there on can fill the rooms left and meet the needs left; it is filled from the last pair back, and the world
of a number is read off from the first pair on: a number tells at each pair which option it falls into.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.fates import (
    AT_LEAD,
    FIRST_GIFT,
    IN_OTHER_TALON,
    IN_TALON,
    NUM_FATES,
    NUM_NEEDS,
    NUM_PLACES,
    dealt_to,
    gift_of,
    holder_of,
)
from thousand_env.cards import KING, NUM_CARDS, NUM_RANKS, NUM_SUITS, QUEEN, marriage_value
from thousand_env.jit import kernel
from thousand_env.state import MAX_SEATS, NONE

NUM_PAIRS = NUM_CARDS // 2
PAIRS_A_SUIT = NUM_RANKS // 2
MAX_OPTIONS = 36  # of a pair: no card can have met more than six fates

# An option: the fates of both cards, the room they take (packed), what that takes off the number of the rooms left,
# and the needs they serve (a bit each).
FIRST_FATE, SECOND_FATE, TAKES, STEP, SERVES = range(5)

_BITS = 5  # of a packed room: four for the number and one on guard
_GUARDS = sum(1 << (_BITS * place + _BITS - 1) for place in range(NUM_PLACES))


class Tables(NamedTuple):
    """Where the worlds of one view are counted."""

    counts: NDArray[np.int64]  # (NUM_PAIRS,) options of each pair
    options: NDArray[np.int64]  # (NUM_PAIRS, MAX_OPTIONS, 5)
    free: NDArray[np.int64]  # (NUM_PAIRS,) cards of each pair that may have met several fates
    rooms: NDArray[np.int64]  # (num_rooms,) rooms left, packed, by their number
    sums: NDArray[np.int64]  # (num_rooms,) cards that they take together
    sizes: NDArray[np.int64]  # (3,) num_rooms, num_needs, room of the hand that is not numbered
    steps: NDArray[np.int64]  # (NUM_PLACES + NUM_NEEDS,) by how much one more in a place changes the number
    ways: NDArray[np.int64]  # (at least (NUM_PAIRS + 1) * num_rooms * num_needs,)
    fates: NDArray[np.int64]  # (NUM_FATES,) the cards of each fate, in the world read off last


def new_tables(num_rooms: int, num_ways: int) -> Tables:
    """Return tables with room for so many rooms and ways."""
    return Tables(
        np.zeros(NUM_PAIRS, np.int64),
        np.zeros((NUM_PAIRS, MAX_OPTIONS, 5), np.int64),
        np.zeros(NUM_PAIRS, np.int64),
        np.zeros(num_rooms, np.int64),
        np.zeros(num_rooms, np.int64),
        np.zeros(3, np.int64),
        np.zeros(NUM_PLACES + NUM_NEEDS, np.int64),
        np.zeros(num_ways, np.int64),
        np.zeros(NUM_FATES, np.int64),
    )


# -- how large the tables are ----------------------------------------------------------------------------------------


@kernel
def measure(plan: Any, tables: Any) -> None:
    """Fill the sizes and steps of the tables. The fullest hand is not numbered: it takes what is left."""
    fullest = 0
    for seat in range(1, MAX_SEATS):
        if plan.room[seat] > plan.room[fullest]:
            fullest = seat
    num_rooms = num_needs = 1
    for place in range(NUM_PLACES):
        tables.steps[place] = 0
        if place != fullest:
            tables.steps[place] = num_rooms
            num_rooms *= plan.room[place] + 1
    for need in range(NUM_NEEDS):
        tables.steps[NUM_PLACES + need] = num_needs
        num_needs *= plan.needs[need] + 1
    tables.sizes[0], tables.sizes[1], tables.sizes[2] = num_rooms, num_needs, plan.room[fullest]


@kernel
def settle_single(state: Any, plan: Any) -> bool:
    """Take the cards with one possible fate out of the rooms; return whether no card is left without one."""
    for card in range(NUM_CARDS):
        fate = only_fate(plan, card)
        if fate == NUM_FATES:
            return False
        if fate != NONE:
            place, gift = dealt_to(fate, state.declarer), gift_of(fate)
            plan.room[place] -= 1
            if gift != NONE:
                plan.room[FIRST_GIFT + gift] -= 1
            if place in (IN_TALON, IN_OTHER_TALON) and plan.told[card // NUM_RANKS] != NONE:
                plan.told[card // NUM_RANKS] -= 1
    least = 0
    for place in range(NUM_PLACES):
        least = min(least, plan.room[place])
    return least == 0


@kernel
def only_fate(plan: Any, card: int) -> int:
    """Return the one fate that a card may have met; NONE of several, NUM_FATES of none."""
    only = NUM_FATES
    for fate in range(NUM_FATES):
        if plan.may[fate] >> card & 1:
            if only != NUM_FATES:
                return NONE
            only = fate
    return only


# -- options ---------------------------------------------------------------------------------------------------------


@kernel
def fill_options(state: Any, plan: Any, tables: Any) -> None:
    """List for every pair of cards the fates they may have met together."""
    for pair in range(NUM_PAIRS):
        count, card = 0, 2 * pair
        free, free_mate = only_fate(plan, card) == NONE, only_fate(plan, card + 1) == NONE
        for fate in range(NUM_FATES):
            if not plan.may[fate] >> card & 1:
                continue
            for mate_fate in range(NUM_FATES):
                if not plan.may[mate_fate] >> (card + 1) & 1:
                    continue
                option = tables.options[pair, count]
                count += 1
                option[FIRST_FATE], option[SECOND_FATE] = fate, mate_fate
                option[TAKES] = option[STEP] = 0
                if free:
                    take(state, fate, tables.steps, option)
                if free_mate:
                    take(state, mate_fate, tables.steps, option)
                option[SERVES] = served(state, plan, card, fate, mate_fate)
        tables.counts[pair], tables.free[pair] = count, free + free_mate


@kernel
def take(state: Any, fate: int, steps: Any, option: Any) -> None:
    """Add to an option the room that one card takes; what is not numbered is not counted."""
    place, gift = dealt_to(fate, state.declarer), gift_of(fate)
    option[STEP] += steps[place]
    option[TAKES] += (steps[place] > 0) << (_BITS * place)
    if gift != NONE:
        option[STEP] += steps[FIRST_GIFT + gift]
        option[TAKES] += 1 << (_BITS * (FIRST_GIFT + gift))


@kernel
def served(state: Any, plan: Any, card: int, fate: int, mate_fate: int) -> int:
    """Return the needs, a bit each, that two cards of these fates serve: a marriage in one hand."""
    needs = 0
    if card % NUM_RANKS != QUEEN:
        return needs
    place, holder = dealt_to(fate, state.declarer), holder_of(fate, state, plan)
    if place < MAX_SEATS and place == dealt_to(mate_fate, state.declarer) and plan.needs[place]:
        needs |= 1 << place
    if plan.needs[AT_LEAD] and holder == state.declarer == holder_of(mate_fate, state, plan):
        needs |= 1 << AT_LEAD
    return needs


@kernel
def fits(room: int, takes: int) -> bool:
    """Whether packed rooms hold what an option takes."""
    return ((room | _GUARDS) - takes) & _GUARDS == _GUARDS


@kernel
def needs_after(left: int, serves: int, pair: int, plan: Any, steps: Any) -> int:
    """Return the number of the needs left when a marriage serves some of them."""
    units = marriage_value(pair // PAIRS_A_SUIT) // 20
    for need in range(NUM_NEEDS):
        if serves >> need & 1:
            step = steps[NUM_PLACES + need]
            missing = left // step % (plan.needs[need] + 1)
            left -= min(missing, units) * step
    return left


# -- counting and reading off ----------------------------------------------------------------------------------------


@kernel
def fill_rooms(plan: Any, tables: Any) -> None:
    """Fill what each number of rooms left stands for."""
    for number in range(tables.sizes[0]):
        packed = cards = 0
        for place in range(NUM_PLACES):
            if tables.steps[place] > 0:
                room = number // tables.steps[place] % (plan.room[place] + 1)
                packed, cards = packed | room << (_BITS * place), cards + (room if place < FIRST_GIFT else 0)
        tables.rooms[number], tables.sums[number] = packed, cards


@kernel
def agrees_with_told(plan: Any, pair: int, room: int) -> bool:
    """Whether the talon cards still to come are as many as was told, where a suit begins (X1)."""
    if plan.told[0] == NONE or pair % PAIRS_A_SUIT > 0:
        return True
    left = 0
    for suit in range(pair // PAIRS_A_SUIT, NUM_SUITS):
        left += plan.told[suit]
    talons = (room >> (_BITS * IN_TALON) & 15) + (room >> (_BITS * IN_OTHER_TALON) & 15)
    return talons == left


@kernel
def count_ways(plan: Any, tables: Any) -> int:
    """Fill `ways` from the last pair of cards back, and return how many worlds there are."""
    num_rooms, num_needs = tables.sizes[0], tables.sizes[1]
    row = num_rooms * num_needs
    ways = tables.ways
    for i in range((NUM_PAIRS + 1) * row):
        ways[i] = 0
    ways[NUM_PAIRS * row] = 1
    cards = 0
    for pair in range(NUM_PAIRS - 1, -1, -1):
        cards += tables.free[pair]
        for number in range(num_rooms):
            room, here = tables.rooms[number], pair * row + number * num_needs
            others = cards - tables.sums[number]  # that the hand which is not numbered takes
            if not 0 <= others <= tables.sizes[2] or not agrees_with_told(plan, pair, room):
                continue
            for k in range(tables.counts[pair]):
                option = tables.options[pair, k]
                if not fits(room, option[TAKES]):
                    continue
                there = (pair + 1) * row + (number - option[STEP]) * num_needs
                for needs in range(num_needs):
                    left = needs
                    if option[SERVES]:
                        left = needs_after(needs, option[SERVES], pair, plan, tables.steps)
                    ways[here + needs] += ways[there + left]
    return ways[row - 1]


@kernel
def read_off(number: int, plan: Any, tables: Any) -> None:
    """Fill `fates` with the cards of each fate in the world with this number."""
    num_needs = tables.sizes[1]
    row = tables.sizes[0] * num_needs
    room, needs = tables.sizes[0] - 1, num_needs - 1
    for fate in range(NUM_FATES):
        tables.fates[fate] = 0
    for pair in range(NUM_PAIRS):
        for k in range(tables.counts[pair]):
            option = tables.options[pair, k]
            if not fits(tables.rooms[room], option[TAKES]):
                continue
            left = needs
            if option[SERVES]:
                left = needs_after(needs, option[SERVES], pair, plan, tables.steps)
            ways = tables.ways[(pair + 1) * row + (room - option[STEP]) * num_needs + left]
            if number < ways:
                tables.fates[option[FIRST_FATE]] |= 1 << (2 * pair)
                tables.fates[option[SECOND_FATE]] |= 2 << (2 * pair)
                room, needs = room - option[STEP], left
                break
            number -= ways


assert KING == QUEEN + 1, "queen and king are a pair"
assert QUEEN % 2 == 0, "queen and king are a pair"
