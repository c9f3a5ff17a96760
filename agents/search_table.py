"""The transposition table of the search: what is known of the positions met on lead.

A row is a key and what it stands for: two bounds, the move to try first, and the stamp of the question it belongs to,
for a position names no hands. A new row takes the place of the old one: a small table that stays in the processor's
cache serves better than a large one that remembers more.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thousand_env.jit import kernel, mullo

BITS = 15
ROWS = 1 << BITS
STAMPS = 1 << 24

_SPREAD = 0x1E37_79B9_7F4A_7C15  # an odd number of no pattern
_BOUND_BITS, _BOUND = 16, (1 << 16) - 1
_ZERO = 1 << 15  # bounds are written as numbers from 0 on
_MOVE_BITS, _MOVE = 6, (1 << 6) - 1
NO_MOVE = 62


def new_table() -> NDArray[np.int64]:
    """Return an empty table: int64 (ROWS, 2)."""
    return np.zeros((ROWS, 2), np.int64)


@kernel
def row_of(key: int) -> int:
    """Return the row in which a key is kept."""
    return mullo(key, _SPREAD) >> (63 - BITS) & (ROWS - 1)


@kernel
def entry(low: int, high: int, move: int, stamp: int) -> int:
    """Return what a row says, in one number."""
    bounds = (low + _ZERO) | (high + _ZERO) << _BOUND_BITS
    return bounds | (move | stamp << _MOVE_BITS) << 2 * _BOUND_BITS


@kernel
def low_of(data: int) -> int:
    """Return the lower bound."""
    return (data & _BOUND) - _ZERO


@kernel
def high_of(data: int) -> int:
    """Return the upper bound."""
    return (data >> _BOUND_BITS & _BOUND) - _ZERO


@kernel
def move_of(data: int) -> int:
    """Return the move to try first."""
    return data >> 2 * _BOUND_BITS & _MOVE


@kernel
def stamp_of(data: int) -> int:
    """Return the stamp of the question."""
    return data >> (2 * _BOUND_BITS + _MOVE_BITS)


@kernel
def look_up(table: Any, key: int, stamp: int) -> int:
    """Return the entry of a key, 0 when there is none."""
    row = row_of(key)
    if table[row, 0] == key and stamp_of(table[row, 1]) == stamp:
        return table[row, 1]
    return 0


@kernel
def store(table: Any, key: int, data: int) -> None:
    """Keep an entry."""
    row = row_of(key)
    table[row, 0], table[row, 1] = key, data
