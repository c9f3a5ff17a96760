"""Ratings: the likeliest strengths, whatever the line-up, with copies, ties and a seat that sits out."""

from __future__ import annotations

import choix
import numpy as np
import pytest

from agents.ratings import PRIOR, SCALE, Live, Orders, orders, rate, strengths, together
from agents.resampling import Resamples

TRUE = np.array([1.0, 0.2, -0.4, -0.8])


def drawn(count: int, seed: int) -> list[tuple[int, ...]]:
    """Rankings of three of four bots, the way the model draws them."""
    rng = np.random.default_rng(seed)
    rankings: list[tuple[int, ...]] = []
    for _ in range(count):
        left = rng.choice(4, 3, replace=False).tolist()
        ranking: list[int] = []
        while left:
            chances = np.exp(TRUE[left])
            ranking.append(left.pop(rng.choice(len(left), p=chances / chances.sum())))
        rankings.append(tuple(ranking))
    return rankings


def test_strengths_are_those_of_choix() -> None:
    rankings = drawn(400, seed=1)
    patterns, counts = np.unique(rankings, axis=0, return_counts=True)
    expected = choix.ilsr_rankings(4, rankings, alpha=PRIOR)
    found = strengths(patterns, counts.astype(np.float64), 4)
    assert found - found.mean() == pytest.approx(expected - expected.mean(), abs=1e-6)


def test_copies_of_a_bot_count_as_choix_counts_them() -> None:
    rankings = [(0, 1, 1)] * 5 + [(1, 0, 1)] * 7 + [(1, 1, 0)] * 2
    patterns, counts = np.unique(rankings, axis=0, return_counts=True)
    expected = choix.ilsr_rankings(2, rankings, alpha=PRIOR)
    assert np.diff(strengths(patterns, counts.astype(np.float64), 2)) == pytest.approx(np.diff(expected), abs=1e-6)


def covered(seed: int, blocks: int = 300) -> int:
    """How many of the four true ratings are within the intervals of some games, two a block."""
    patterns, places = np.unique(drawn(2 * blocks, seed), axis=0, return_inverse=True)
    counts = np.zeros((blocks, len(patterns)))
    np.add.at(counts, (np.arange(2 * blocks) // 2, places.ravel()), 1)
    ratings = rate(Orders(patterns, counts), 4, Resamples(blocks, seed))
    assert (ratings.low < ratings.value).all()
    true = SCALE * (TRUE - TRUE.mean())
    return int(((ratings.low < true) & (true < ratings.high)).sum())


def test_true_strengths_are_within_their_intervals() -> None:
    assert 0.85 < sum(covered(seed) for seed in range(10)) / (4 * 10) <= 1


def test_a_tie_counts_as_each_order_in_equal_parts() -> None:
    seen = orders(np.array([[0, 1, 2]]), np.array([[[5, 5, 5]], [[9, 0, 0]], [[1, 2, 3]]]))
    assert len(seen.patterns) == 6
    assert seen.counts[0].tolist() == pytest.approx([1 / 6] * 6)
    half = seen.counts[1] > 0
    assert seen.patterns[half].tolist() == [[0, 1, 2], [0, 2, 1]]
    assert seen.counts[1, half].tolist() == [0.5, 0.5]
    assert seen.counts[2, seen.patterns.tolist().index([2, 1, 0])] == 1


def test_a_seat_that_sits_out_has_no_place_in_the_order() -> None:
    seats, results = np.array([[0, 1, 2, 3]]), np.array([[[60, 0, 20, 40]], [[60, 0, 20, 40]]])
    seen = orders(seats, results, idle=np.array([1, 3]))
    assert {tuple(pattern) for pattern in seen.patterns.tolist()} == {(0, 3, 2), (0, 2, 1)}
    assert seen.counts.sum(axis=1).tolist() == [1, 1]


def test_lineups_stand_side_by_side_by_block() -> None:
    one = Orders(np.array([[0, 1, 1]]), np.array([[3.0], [2.0]]))
    two = Orders(np.array([[1, 0, 0], [0, 1, 0]]), np.array([[1.0, 2.0]]))
    seen = together([(np.array([0, 2]), one), (np.array([2]), two)], blocks=3)
    assert seen.patterns.tolist() == [[0, 1, 1], [1, 0, 0], [0, 1, 0]]
    assert seen.counts.tolist() == [[3, 0, 0], [0, 0, 0], [2, 1, 2]]


def test_a_bot_that_never_lost_has_a_rating() -> None:
    found = strengths(np.array([[0, 1, 1]]), np.array([50.0]), 2)
    assert 2 < found[0] - found[1] < 20


def test_the_live_figure_puts_the_winner_first() -> None:
    live = Live(("loser", "winner"))
    live.see(np.array([[0, 1, 0]] * 5), np.array([[0, 60, 20]] * 5))
    assert str(live).startswith("winner")
