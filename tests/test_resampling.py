"""Intervals of a league: blocks drawn anew, and what is known about such draws."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from agents.resampling import RESAMPLES, Resamples
from agents.tally import SHARE, bootstrap

BLOCKS = 3000


def test_an_interval_is_that_of_the_arena() -> None:
    values = np.random.default_rng(1).integers(-100, 100, BLOCKS)
    found = Resamples(BLOCKS, seed=2).ratio(values, np.full(BLOCKS, 2.0))
    assert found is not None
    assert found.value == pytest.approx(values.mean() / 2)
    assert found[1:] == pytest.approx(bootstrap(values, np.full(BLOCKS, 2.0), seed=3), abs=0.15)


def test_blocks_that_were_not_played_do_not_count() -> None:
    values, counts = np.zeros(BLOCKS), np.zeros(BLOCKS)
    values[::3], counts[::3] = 6, 2
    assert Resamples(BLOCKS, seed=2).ratio(values, counts) == (3, 3, 3)
    assert Resamples(BLOCKS, seed=2).ratio(values, np.zeros(BLOCKS)) is None


def test_a_share_of_nothing_or_all_has_the_interval_of_the_arena() -> None:
    draws, counts = Resamples(BLOCKS, seed=2), np.full(BLOCKS, 3)
    for share in (0, 1):
        assert draws.ratio(share * counts, counts, SHARE) == (share, *bootstrap(share * counts, counts, 1, SHARE))
        assert draws.ratio(share * counts, counts) == (share, share, share)


def test_every_resample_draws_as_many_blocks_as_there_are() -> None:
    draws = Resamples(50, seed=1).sums(np.eye(50))
    assert (draws.sum(axis=1) == 50).all()
    assert draws.shape == (RESAMPLES, 50)
    assert draws.var() == pytest.approx(1, abs=0.05)


def test_a_ratio_of_variances_has_the_interval_of_many_samples() -> None:
    rng = np.random.default_rng(4)

    def sample() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        others = rng.normal(3, 10, BLOCKS)
        return 0.6 * others + rng.normal(0, 6, BLOCKS), others

    shares = [values.var() / others.var() for values, others in (sample() for _ in range(300))]
    (values, others), counts = sample(), np.ones(BLOCKS)
    found = Resamples(BLOCKS, seed=1).variance_ratio(values, others, counts)
    assert found is not None
    assert found.value == pytest.approx(values.var() / others.var())
    assert found.high - found.low == pytest.approx(4 * np.std(shares), rel=0.25)
    assert Resamples(BLOCKS, seed=1).variance_ratio(values, counts, counts) is None
