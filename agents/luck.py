"""Control variates: what the cards alone say about a block, subtracted from its result.

In every seating of a block the same cards are played, so nobody is dealt better cards than others; but some deals bring
out a difference between two bots and others do not, and that is noise. The controls below describe the cards of a deal;
their means are known, from a million deals, so subtracting a multiple of what they deviate leaves the expected
advantage as it is and lessens its variance (Hammersley and Handscomb 1964, chapter 5; for games: White and Bowling
2009, "Learning a value analysis tool for agent evaluation").

The multiples are fitted on a pilot: other deals, under another seed, played before any deal that counts. Fitted on the
same deals they would bias the result; so they are fixed, and whatever they are, the adjusted mean is true.
"""

import functools
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.hand_value import EIGHT, SEVEN, TEN_OF_TWO, hand_value, weights
from thousand_env.cards import MARRIAGE, NUM_RANKS, NUM_SUITS, SUIT, marriage_value, set_points
from thousand_env.engine import new_states, start_matches
from thousand_env.jit import kernel
from thousand_env.rules import RuleSet
from thousand_env.seats import is_active

CONTROLS = (
    "best hand",  # deal luck: what the hands are worth
    "worst hand",
    "hands together",
    "marriages held",
    "best hand with the talon",  # talon luck: what it makes of them
    "that above 120",
    "marriages the talon completes",
    "points in the talon",
)
LEAST_PILOT = 10 * len(CONTROLS)
_MEAN_SEED, _MEAN_DEALS, _MEAN_PARTS = 0x10C7, 1 << 20, 64
_GOOD_HAND = 120


class Luck(NamedTuple):
    """What is subtracted for each point that a control (K,) lies above its mean (K,)."""

    coefficients: NDArray[np.float64]
    means: NDArray[np.float64]

    def adjusted(self, results: NDArray[np.float64], controls: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return block results (N,) with the luck of their cards, controls (N, K), taken out."""
        return results - (controls - self.means) @ self.coefficients


def fit(results: NDArray[np.float64], controls: NDArray[np.float64], means: NDArray[np.float64]) -> Luck:
    """Return the multiples that fit a pilot's block results (N,) and controls (N, K) best; `means` are `means_of`'s."""
    centred = np.column_stack([np.ones(len(results)), controls - means])
    coefficients = np.linalg.lstsq(centred, results, rcond=None)[0]
    return Luck(coefficients[1:].astype(np.float64), means)


def controls_of(rules: RuleSet, seed: int, blocks: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the controls (N, K) of the first deal of each block, dealt under `seed`."""
    states = new_states(len(blocks))
    start_matches(states, rules.array(), np.full(len(blocks), seed), blocks)
    controls = np.zeros((len(blocks), len(CONTROLS)))
    question = TEN_OF_TWO if rules.players == 2 else SEVEN
    _describe_all(states, rules.array(), weights()[question : question + 1], weights()[EIGHT : EIGHT + 1], controls)
    return controls


@functools.cache
def means_of(rules: RuleSet) -> NDArray[np.float64]:
    """Return the mean of each control (K,), from so many deals that its own error is a 1024th of a deal's spread."""
    deals = np.arange(_MEAN_DEALS)
    parts = [controls_of(rules, _MEAN_SEED, part).sum(axis=0) for part in np.split(deals, _MEAN_PARTS)]
    return np.sum(parts, axis=0) / _MEAN_DEALS


@kernel
def marriages_in(cards: int) -> int:
    """Return the points of all marriages among some cards.

    >>> marriages_in(0o14_00_00_14)
    140
    """
    points = 0
    for suit in range(NUM_SUITS):
        if cards >> (NUM_RANKS * suit) & SUIT & MARRIAGE == MARRIAGE:
            points += marriage_value(suit)
    return points


@kernel
def describe(state: Any, rules: Any, before: Any, after: Any, controls: Any) -> None:
    """Fill `controls` (K,) for a deal; `before` and `after` are the weights of a hand without and with the talon."""
    best, worst, together, held = -1e9, 1e9, 0.0, 0
    with_talon, completed = -1e9, 0
    for seat in range(rules.players):
        if not is_active(state, rules, seat):
            continue
        hand = state.dealt[seat]
        value = hand_value(hand, before)
        best, worst, together = max(best, value), min(worst, value), together + value
        held += marriages_in(hand)
        with_talon = max(with_talon, hand_value(hand | state.talon, after))
        completed += marriages_in(hand | state.talon) - marriages_in(hand)
    controls[0], controls[1], controls[2], controls[3] = best, worst, together, held
    controls[4], controls[5], controls[6] = with_talon, max(0.0, with_talon - _GOOD_HAND), completed
    controls[7] = set_points(state.talon)


@kernel
def _describe_all(states: Any, rules: Any, before: Any, after: Any, controls: Any) -> None:
    for i in range(states.shape[0]):
        describe(states[i], rules[0], before[0], after[0], controls[i])
