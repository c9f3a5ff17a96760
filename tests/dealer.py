"""A second dealer: the pack of every address, in NumPy and in the order the cards are dealt.

Written from the description of the shuffle (`thousand_env.deck`, `thousand_env.rng`), a batch at a time; it shares no
code with the kernels and keeps the order of the cards, which the engine forgets.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Words: TypeAlias = NDArray[np.uint64]
Packs: TypeAlias = NDArray[np.int64]

MASK64 = 0xFFFF_FFFF_FFFF_FFFF
STEP = 0x9E37_79B9_7F4A_7C15  # 2**64 / golden ratio
CARDS_A_WORD = 6

# D1: the places in the pack of the three talon cards, and of the cards of each seat clockwise from forehand.
TALON_PLACES = [3, 7, 11]
ROUNDS = [place for place in range(24) if place not in TALON_PLACES]
HAND_PLACES = [ROUNDS[distance::3] for distance in range(3)]


def shifted(words: Words, places: int) -> Words:
    return words >> np.uint64(places)


def mixed(words: Words) -> Words:
    """The splitmix64 finalizer."""
    words = (words ^ shifted(words, 30)) * np.uint64(0xBF58_476D_1CE4_E5B9)
    words = (words ^ shifted(words, 27)) * np.uint64(0x94D0_49BB_1331_11EB)
    return words ^ shifted(words, 31)


def derived(keys: Words, part: Words) -> Words:
    return mixed(mixed(keys + np.uint64(STEP)) + part * np.uint64(STEP))


def times(words: Words, number: int) -> tuple[Words, Words]:
    """The upper and the lower 64 bits of a product with a small number."""
    low = (words & np.uint64(0xFFFF_FFFF)) * np.uint64(number)
    high = shifted(words, 32) * np.uint64(number) + shifted(low, 32)
    return shifted(high, 32), words * np.uint64(number)


def packs(seeds: Words, matches: Words, deals: Words, attempts: Words) -> Packs:
    """The cards of the addresses in the order they are dealt, shape (N, 24)."""
    keys = derived(derived(derived(mixed(seeds), matches), deals), attempts)
    left = np.tile(np.arange(24), (len(keys), 1))
    dealt = np.empty((len(keys), 24), np.int64)
    fractions = keys
    for place in range(24):
        if place % CARDS_A_WORD == 0:
            fractions = mixed(keys + np.uint64((place // CARDS_A_WORD + 1) * STEP & MASK64))
        chosen, fractions = times(fractions, 24 - place)
        index = chosen.astype(np.int64)[:, None]
        dealt[:, place] = np.take_along_axis(left, index, axis=1)[:, 0]
        keep = np.arange(left.shape[1])[None, :] != index
        left = left[keep].reshape(len(keys), 23 - place)
    return dealt


def packs_of_matches(count: int, *, seed: int, first: int = 0, deal: int = 0, attempt: int = 0) -> Packs:
    """The packs of `count` matches one after another, at the same seed, deal and attempt."""
    seeds, deals, attempts = (np.full(count, part, np.uint64) for part in (seed, deal, attempt))
    return packs(seeds, np.arange(first, first + count).astype(np.uint64), deals, attempts)


def sets(cards: Packs) -> NDArray[np.int64]:
    """Card sets (N,) from rows of cards (N, any)."""
    return (np.int64(1) << cards).sum(axis=1)
