"""Ratings: how strong each bot is, from the order of the seats' results in every game.

The model is Plackett's and Luce's: whoever is ahead is drawn with a chance in proportion to his strength, then the next
from those left. Copies of a bot at one table are drawn separately and share a strength; seats with equal results count
as each order of them, in equal parts. It is fitted by the iterated spectral ranking of Maystre and Grossglauser (2015),
on counts, because a league has few different orders and many games: the stationary distribution is `choix`'s, and a
test compares the fit with `choix.ilsr_rankings`, which takes one ranking at a time.

A rating is 400 log10 of a strength, their mean 0: with 400 more, a bot is ahead of another ten times in eleven.
"""

import itertools
from typing import Any, NamedTuple

import numpy as np
from choix.utils import exp_transform, log_transform, statdist
from numpy.typing import NDArray
from openskill.models import PlackettLuce

from agents.resampling import Resamples

SCALE = 400 / np.log(10)
RATED_DRAWS = 400  # of the resamples: a fit takes longer than a sum
PRIOR = 0.02  # games: what everybody has won against everybody, so that a bot that never lost has a rating too
_STEPS, _CLOSE = 500, 1e-8


class Orders(NamedTuple):
    """Which orders of bots were seen: `patterns` (K, seats) of bots, the first ahead, and `counts` (blocks, K)."""

    patterns: NDArray[np.int64]
    counts: NDArray[np.float64]


def orders(seats: NDArray[np.int64], results: NDArray[Any], idle: NDArray[np.int64] | None = None) -> Orders:
    """Return the orders in which bots came out.

    `seats` (seatings, players) holds the bot in each seat, `results` (blocks, seatings, players) what each got; `idle`
    (blocks,) is a seat that does not count, the dealer's of a single deal at a table of four.

    >>> seen = orders(np.array([[0, 1, 1]]), np.array([[[60, 20, 20]]]))
    >>> seen.patterns.tolist(), seen.counts.tolist()
    ([[0, 1, 1]], [[1.0]])
    """
    players = seats.shape[1]
    seated = players if idle is None else players - 1
    ranks: list[tuple[int, ...]] = [*itertools.permutations([*range(players)], seated)]
    columns: dict[tuple[int, ...], NDArray[np.float64]] = {}
    for seating, bots in enumerate(seats):
        fits = np.array([_holds(results[:, seating], rank, idle) for rank in ranks], np.float64)  # (orders, blocks)
        shares = fits / fits.sum(axis=0)
        for rank, share in zip(ranks, shares, strict=True):
            pattern = tuple(int(bot) for bot in bots[list(rank)])
            columns[pattern] = columns.get(pattern, 0) + share
    patterns = sorted(pattern for pattern, counts in columns.items() if counts.any())
    return Orders(np.array(patterns), np.column_stack([columns[pattern] for pattern in patterns]))


def strengths(patterns: NDArray[np.int64], counts: NDArray[np.float64], bots: int) -> NDArray[np.float64]:
    """Return the log-strengths (bots,) that make orders `patterns` (K, seats) seen `counts` (K,) times likeliest."""
    found = np.zeros(bots)
    for _ in range(_STEPS):
        weights, chain = exp_transform(found), np.full((bots, bots), PRIOR)
        at_table = weights[patterns]
        for place in range(patterns.shape[1] - 1):
            flow = counts / at_table[:, place:].sum(axis=1)
            for behind in range(place + 1, patterns.shape[1]):
                np.add.at(chain, (patterns[:, behind], patterns[:, place]), flow)
        chain -= np.diag(chain.sum(axis=1))
        before, found = found, log_transform(statdist(chain))
        if np.abs(found - before).sum() < _CLOSE:
            break
    return found


class Ratings(NamedTuple):
    """The rating of each bot (bots,), and the ends of its 95 % interval."""

    value: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


def rate(seen: Orders, bots: int, resamples: Resamples) -> Ratings:
    """Return ratings with intervals from a bootstrap over blocks: whole deals with all their seatings and line-ups."""
    draws = resamples.sums(seen.counts)[:RATED_DRAWS]
    fits = np.array([_rated(seen.patterns, counts, bots) for counts in draws])
    low, high = np.quantile(fits, [0.025, 0.975], axis=0)
    return Ratings(_rated(seen.patterns, seen.counts.sum(axis=0), bots), low, high)


def together(parts: list[tuple[NDArray[np.int64], Orders]], blocks: int) -> Orders:
    """Return the orders of several line-ups side by side, each with the numbers of its blocks, of `blocks` in all."""
    counts = np.zeros((blocks, sum(len(seen.patterns) for _, seen in parts)))
    column = 0
    for numbers, seen in parts:
        counts[numbers, column : column + len(seen.patterns)] = seen.counts
        column += len(seen.patterns)
    return Orders(np.concatenate([seen.patterns for _, seen in parts]), counts)


class Live:
    """The figure shown while a league runs: OpenSkill's ratings (Weng and Lin 2011), game by game as they come in.

    They depend on the order of the games and weigh the latest more, so they are for looking at, not for keeping.
    """

    def __init__(self, bots: tuple[str, ...]) -> None:
        self._bots, self._model = bots, PlackettLuce()
        self._ratings = {bot: self._model.rating() for bot in range(len(bots))}

    def see(self, seats: NDArray[np.int64], results: NDArray[Any]) -> None:
        """Take in games: `seats` and `results` (games, players)."""
        for bots, points in zip(seats.tolist(), results.tolist(), strict=True):
            teams = [[self._model.create_rating([self._ratings[bot].mu, self._ratings[bot].sigma])] for bot in bots]
            rated = self._model.rate(teams, scores=points)
            for bot in set(bots):
                copies = [team[0] for team, seated in zip(rated, bots, strict=True) if seated == bot]
                self._ratings[bot].mu = float(np.mean([copy.mu for copy in copies]))
                self._ratings[bot].sigma = float(np.mean([copy.sigma for copy in copies]))

    def __str__(self) -> str:
        best = sorted(self._ratings, key=lambda bot: -self._ratings[bot].mu)[:3]
        return ", ".join(f"{self._bots[bot]} {self._ratings[bot].mu:.1f}" for bot in best)


def _rated(patterns: NDArray[np.int64], counts: NDArray[np.float64], bots: int) -> NDArray[np.float64]:
    found = strengths(patterns, counts, bots)
    return SCALE * (found - found.mean())


def _holds(results: NDArray[Any], rank: tuple[int, ...], idle: NDArray[np.int64] | None) -> NDArray[np.bool_]:
    """Whether an order of seats is one of those in which the results (blocks, players) came out."""
    holds = np.ones(len(results), np.bool_)
    for ahead, behind in itertools.pairwise(rank):
        holds &= results[:, ahead] >= results[:, behind]
    for seat in rank if idle is not None else ():
        holds &= idle != seat
    return holds
