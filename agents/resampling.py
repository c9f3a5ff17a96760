"""Intervals: blocks drawn anew with replacement, the same draws for every figure of a league (Efron 1979).

A block is a deal in every seating of every line-up, and the block is what is independent. Whatever is compared is thus
resampled together, and a figure over many line-ups counts what they have in common. Where all blocks agree on the most
or the least that a figure can be, the interval is the arena's for that case.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.tally import ANYTHING, beyond_seen

RESAMPLES = 1000
_SLICE = 100  # draws turned into floating point at a time


class Figure(NamedTuple):
    """A value and its 95 % interval."""

    value: float
    low: float
    high: float


class Resamples:
    """How often each of some blocks is drawn in each resample."""

    def __init__(self, blocks: int, seed: int) -> None:
        rng = np.random.default_rng([seed & 0xFFFF_FFFF, blocks])
        draws = (np.bincount(rng.integers(0, blocks, blocks), minlength=blocks) for _ in range(RESAMPLES))
        self._weights = np.array([np.minimum(draw, 255).astype(np.uint8) for draw in draws])

    def sums(self, columns: NDArray[Any]) -> NDArray[np.float64]:
        """Return what columns (blocks, K) sum up to in each resample: (RESAMPLES, K)."""
        parts = range(0, RESAMPLES, _SLICE)
        return np.concatenate([self._weights[part : part + _SLICE].astype(np.float64) @ columns for part in parts])

    def ratio(
        self, totals: NDArray[Any], counts: NDArray[Any], bounds: tuple[float, float] = ANYTHING
    ) -> Figure | None:
        """Return sum(totals) / sum(counts), both (blocks,), None where nothing was counted.

        `bounds` are the least and the most that a block's total / count can be.
        """
        if not counts.any():
            return None
        sums = self.sums(np.stack([totals, counts], axis=1))
        drawn = sums[sums[:, 1] > 0]
        ends = np.quantile(drawn[:, 0] / drawn[:, 1], [0.025, 0.975])
        low, high = beyond_seen(totals, counts, bounds) or ends
        return Figure(float(totals.sum() / counts.sum()), float(low), float(high))

    def variance_ratio(
        self, values: NDArray[np.float64], others: NDArray[np.float64], counts: NDArray[np.float64]
    ) -> Figure | None:
        """Return the variance of values over that of others where `counts` is 1 and not 0, all (blocks,).

        None where the others are all the same.
        """
        columns = np.stack([values, values**2, others, others**2, counts], axis=1)
        sums = np.concatenate([columns.sum(axis=0)[None], self.sums(columns)])
        means = sums[:, :4] / np.maximum(sums[:, 4:], 1)
        spread = means[:, 1::2] - means[:, ::2] ** 2
        if spread[0, 1] <= 0:
            return None
        ratios = spread[:, 0] / np.maximum(spread[:, 1], 1e-12)
        low, high = np.quantile(ratios[1:], [0.025, 0.975])
        return Figure(float(ratios[0]), float(low), float(high))
