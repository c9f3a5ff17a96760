"""From what was played to figures: sums over the seats a bot held in each block, and intervals from the blocks.

The block is what is independent: one deal, in every seating of every line-up. A figure is a ratio of two sums over
blocks, and its interval draws whole blocks anew. Blocks of a pilot are never among them.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.arena import DEAL
from agents.lineups import ALONE, PILOT, SILENT, Chunk, Lineup, Plan
from agents.luck import controls_of, fit, means_of
from agents.ratings import Orders, orders, together
from agents.store import RECORD_DTYPE, Book
from agents.tally import RESAMPLES, STAKE_PARTS, bootstrap
from thousand_env.deck import lot


class Figure(NamedTuple):
    """A value and its 95 % interval."""

    value: float
    low: float
    high: float


class Games(NamedTuple):
    """The games of a line-up: the numbers of its blocks (N,), what each bot did in all its seats of each block, as
    `sums` (N,) of dtype `RECORD_DTYPE`, and what each seat got in each game, as `results` (N, seatings, players).
    """

    blocks: NDArray[np.int64]
    sums: dict[int, NDArray[Any]]
    results: NDArray[np.int32]


SHARES = {  # what is shown of every bot: a sum over blocks, and what it is a share of
    "contract": ("own_contracts", "own_declared"),
    "contested": ("own_contested", "own_followed"),
    "declares": ("own_declared", "deals"),
    "made": ("own_made", "own_declared"),
}


class Evidence:
    """Everything a league's book says about its bots, but for the blocks from `end` on."""

    def __init__(self, plan: Plan, book: Book, end: int = PILOT) -> None:
        self.plan, self._book, self._end = plan, book, end
        self._games: dict[int, Games] = {}

    def games(self, number: int) -> Games:
        """Return the games of a line-up by its number; they are read when they are first asked for."""
        if number not in self._games:
            self._games[number] = self._read(number, 0, self._end)
        return self._games[number]

    def _read(self, number: int, first: int, end: int) -> Games:
        lineup, players = self.plan.lineups[number], self.plan.rules.players
        parts = [_nothing(lineup)]
        for chunk, tallies in self._book.tallies(number, players, first, end):
            numbers = np.arange(chunk.first, min(chunk.first + chunk.blocks, end))
            games = tallies.reshape(chunk.blocks, -1, players)[: len(numbers)]
            sums = {bot: _sums(games, _held(lineup, bot)) for bot in lineup.bots}
            parts.append(Games(numbers, sums, games[self.unit[0]]))
        return Games(
            np.concatenate([part.blocks for part in parts]),
            {bot: np.concatenate([part.sums[bot] for part in parts]) for bot in lineup.bots},
            np.concatenate([part.results for part in parts]),
        )

    @property
    def blocks(self) -> int:
        """How many blocks the league has come to."""
        found = [self.games(number).blocks for number in range(len(self.plan.lineups))]
        return max((int(blocks[-1]) + 1 for blocks in found if len(blocks)), default=0)

    @property
    def played(self) -> int:
        """How many games the league has played."""
        return sum(self.games(number).results[..., 0].size for number in range(len(self.plan.lineups)))

    @property
    def unit(self) -> tuple[str, str, int]:
        """What an advantage is: a sum over blocks, what it is counted by, and how many of its parts make one."""
        others = self.plan.rules.players - 1
        return ("points", "deals", others) if self.plan.mode == DEAL else ("stakes", "matches", STAKE_PARTS * others)

    # -- one line-up ---------------------------------------------------------------------------------------------------

    def results(self, number: int, bot: int) -> NDArray[np.float64]:
        """Return a bot's advantage on each block of a line-up (N,): points a deal, or stakes a match."""
        return self._results(self.games(number), bot)

    def _results(self, games: Games, bot: int) -> NDArray[np.float64]:
        total, count, parts = self.unit
        return games.sums[bot][total] / games.sums[bot][count] / parts

    def advantage(self, number: int, bot: int) -> Figure | None:
        """Return a bot's advantage in a line-up."""
        total, count, parts = self.unit
        return self.share(number, bot, total, count, parts)

    def share(self, number: int, bot: int, total: str, count: str, parts: int = 1) -> Figure | None:
        """Return the share that one of a bot's sums over the blocks of a line-up is of another."""
        sums = self.games(number).sums[bot]
        return figure(sums[total], sums[count] * parts, self.plan.seed)

    def shares(self, number: int, bot: int) -> dict[str, Figure | None]:
        """Return what kind of bidder a bot is in a line-up."""
        return {name: self.share(number, bot, *columns) for name, columns in SHARES.items()}

    # -- a pair --------------------------------------------------------------------------------------------------------

    def duel(self, bot: int, other: int) -> int:
        """Return the number of the line-up in which a bot meets copies of another."""
        return self.plan.find(ALONE, bot, other)

    def gains(self, bot: int, other: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the blocks in which a bot met copies of another, and in each what its own bids gained (N,)."""
        spoken, silent = self.duel(bot, other), self.plan.find(SILENT, bot + len(self.plan.bots), other)
        mine, its = self.games(spoken).blocks, self.games(silent).blocks
        blocks, mine, its = np.intersect1d(mine, its, assume_unique=True, return_indices=True)
        return blocks, self.results(spoken, bot)[mine] - self.results(silent, bot + len(self.plan.bots))[its]

    def bids_gain(self, bot: int, others: list[int]) -> Figure | None:
        """Return what a bot's own bids gain over forced passing with the same cards, against copies of others."""
        found = [self.gains(bot, other) for other in others]
        numbers, values = (np.concatenate(part) for part in zip(*found, strict=True))
        return figure(_by_block(numbers, values), _by_block(numbers, np.ones(len(values))), self.plan.seed)

    def fair_results(self, bot: int, other: int) -> NDArray[np.float64] | None:
        """Return a bot's results against copies of another (N,) without the luck of the cards; None without a pilot."""
        number = self.duel(bot, other)
        pilot = self._read(number, PILOT, 2 * PILOT)
        if not len(pilot.blocks):
            return None
        results, controls = self._results(pilot, bot), self._controls(pilot.blocks)
        luck = fit(results, controls, means_of(self.plan.rules))
        return luck.adjusted(self.results(number, bot), self._controls(self.games(number).blocks))

    # -- all line-ups --------------------------------------------------------------------------------------------------

    def overall(self, bot: int, total: str, count: str, parts: int = 1) -> Figure | None:
        """Return that share over all line-ups a bot is in, but for those with a shut mouth."""
        sums = np.zeros((2, self.blocks))
        for number, lineup in enumerate(self.plan.lineups):
            if bot in lineup.members and lineup.kind != SILENT:
                games = self.games(number)
                sums[0, games.blocks] += games.sums[bot][total]
                sums[1, games.blocks] += games.sums[bot][count] * parts
        return figure(sums[0], sums[1], self.plan.seed)

    def overall_shares(self, bot: int) -> dict[str, Figure | None]:
        """Return what kind of bidder a bot is over all line-ups."""
        return {name: self.overall(bot, *columns) for name, columns in SHARES.items()}

    def orders(self) -> Orders:
        """Return in which orders the bots came out, over all line-ups; deals by points, matches by stakes."""
        parts: list[tuple[NDArray[np.int64], Orders]] = []
        for number, lineup in enumerate(self.plan.lineups):
            games = self.games(number)
            if lineup.kind != SILENT and len(games.blocks):
                seats = np.array(lineup.seatings)
                parts.append((games.blocks, orders(seats, games.results, self._idle(games.blocks))))
        return together(parts)

    # -- the cards -----------------------------------------------------------------------------------------------------

    def _controls(self, blocks: NDArray[np.int64]) -> NDArray[np.float64]:
        seed = self.plan.seed_of(Chunk(0, int(blocks[0]), len(blocks)))
        return controls_of(self.plan.rules, seed, blocks)

    def _idle(self, blocks: NDArray[np.int64]) -> NDArray[np.int64] | None:
        """Return the seat that sits out the deal of each block (F1), None where nobody does."""
        if self.plan.rules.players < 4 or self.plan.mode != DEAL:
            return None
        rules, seed = self.plan.rules.array()[0], self.plan.seed_of(Chunk(0, int(blocks[0]), len(blocks)))
        return np.array([lot(rules, seed, int(block)) for block in blocks])


def figure(totals: NDArray[Any], counts: NDArray[Any], seed: int) -> Figure | None:
    """Return the ratio of two sums over blocks (N,), None where nothing was counted."""
    if not counts.sum():
        return None
    return Figure(float(totals.sum() / counts.sum()), *bootstrap(totals, counts, seed))


def variance_left(results: NDArray[np.float64], fair: NDArray[np.float64], seed: int) -> Figure | None:
    """Return what share of the variance of block results (N,) is left in the fair ones, None where there is none."""
    if not results.var():
        return None
    rng = np.random.default_rng([seed & 0xFFFF_FFFF, len(results)])
    draws = (rng.integers(0, len(results), len(results)) for _ in range(RESAMPLES // 10))
    low, high = np.quantile([fair[draw].var() / results[draw].var() for draw in draws], [0.025, 0.975])
    return Figure(float(fair.var() / results.var()), float(low), float(high))


def _nothing(lineup: Lineup) -> Games:
    none = np.zeros(0, np.int64)
    sums = {bot: np.zeros(0, RECORD_DTYPE) for bot in lineup.bots}
    return Games(none, sums, np.zeros((0, len(lineup.seatings), len(lineup.members)), np.int32))


def _sums(games: NDArray[Any], held: NDArray[np.bool_]) -> NDArray[Any]:
    """Return tallies (N, seatings, players) summed over the seats of a bot."""
    sums = np.zeros(len(games), RECORD_DTYPE)
    for name in RECORD_DTYPE.names or ():
        sums[name] = games[name][:, held].sum(axis=1)
    return sums


def _held(lineup: Lineup, bot: int) -> NDArray[np.bool_]:
    """Return which seats (seatings, players) a bot holds."""
    return np.array(lineup.seatings) == bot


def _by_block(numbers: NDArray[np.int64], values: NDArray[Any]) -> NDArray[np.float64]:
    """Return values (N,) summed over equal numbers."""
    return np.bincount(numbers, weights=values).astype(np.float64)
