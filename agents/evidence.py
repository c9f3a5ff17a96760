"""From what was played to figures: sums over the seats a bot held in each block, and intervals from the blocks.

A figure is a ratio of two sums over blocks, and its interval draws whole blocks anew. Blocks of a pilot are never among
them.
"""

from collections.abc import Iterable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.arena import DEAL, stake_bounds
from agents.lineups import ALONE, PILOT, SILENT, Chunk, Lineup, Plan
from agents.luck import controls_of, fit, means_of
from agents.ratings import Orders, orders, together
from agents.resampling import Figure, Resamples
from agents.store import RECORD_DTYPE, Book
from agents.tally import ANYTHING, SHARE, STAKE_PARTS
from thousand_env.deck import lot

SHARES = {  # what is shown of every bot: a sum over blocks, what it is a share of, and the bounds of that
    "contract": ("own_contracts", "own_declared", ANYTHING),
    "contested": ("own_contested", "own_followed", SHARE),
    "declares": ("own_declared", "deals", SHARE),
    "made": ("own_made", "own_declared", SHARE),
}

Cell = tuple[int, int]
"""(line-up, bot): the seats that a bot holds in a line-up, by their numbers."""


class Games(NamedTuple):
    """The games of a line-up: the numbers of its blocks (N,), what each bot did in all its seats of each block, as
    `sums` (N,) of dtype `RECORD_DTYPE`, and what each seat got in each game, as `results` (N, seatings, players).
    """

    blocks: NDArray[np.int64]
    sums: dict[int, NDArray[Any]]
    results: NDArray[np.int32]


class Evidence:
    """What a league's book says about its bots, but for the blocks from `end` on."""

    def __init__(self, plan: Plan, book: Book, end: int = PILOT) -> None:
        self.plan, self._book, self._end = plan, book, end
        self._games: dict[int, Games] = {}

    # -- what was played -----------------------------------------------------------------------------------------------

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
            sums = {bot: _sums(games, np.array(lineup.seatings) == bot) for bot in lineup.bots}
            parts.append(Games(numbers, sums, games[self.unit[0]]))
        return Games(
            np.concatenate([part.blocks for part in parts]),
            {bot: np.concatenate([part.sums[bot] for part in parts]) for bot in lineup.bots},
            np.concatenate([part.results for part in parts]),
        )

    @cached_property
    def blocks(self) -> int:
        """How many blocks the league has come to."""
        found = [self.games(number).blocks for number in range(len(self.plan.lineups))]
        return max((int(blocks[-1]) + 1 for blocks in found if len(blocks)), default=0)

    @property
    def played(self) -> int:
        """How many games the league has played."""
        return sum(self.games(number).results[..., 0].size for number in range(len(self.plan.lineups)))

    @cached_property
    def resamples(self) -> Resamples:
        """The draws that all intervals come from."""
        return Resamples(self.blocks, self.plan.seed)

    @property
    def unit(self) -> tuple[str, str, int]:
        """What an advantage is: a sum over blocks, what it is counted by, and how many of its parts make one."""
        others = self.plan.rules.players - 1
        return ("points", "deals", others) if self.plan.mode == DEAL else ("stakes", "matches", STAKE_PARTS * others)

    # -- figures -------------------------------------------------------------------------------------------------------

    def everywhere(self, bot: int) -> list[Cell]:
        """Return every seat a bot holds, but for those with its mouth shut."""
        lineups = enumerate(self.plan.lineups)
        return [(number, bot) for number, lineup in lineups if lineup.kind != SILENT and bot in lineup.members]

    def ratio(
        self,
        cells: Iterable[Cell],
        total: str,
        count: str,
        *,
        parts: int = 1,
        bounds: tuple[float, float] = ANYTHING,
    ) -> Figure | None:
        """Return what the sums `total` of some seats are of the sums `count`, a whole of `parts` each."""
        sums = np.zeros((2, self.blocks))
        for number, bot in cells:
            games = self.games(number)
            sums[0, games.blocks] += games.sums[bot][total]
            sums[1, games.blocks] += games.sums[bot][count] * float(parts)
        return self.resamples.ratio(sums[0], sums[1], bounds)

    def advantage(self, cells: Iterable[Cell]) -> Figure | None:
        """Return the advantage of the bot in some seats."""
        total, count, parts = self.unit
        bounds = ANYTHING if self.plan.mode == DEAL else stake_bounds(self.plan.rules.players)
        return self.ratio(cells, total, count, parts=parts, bounds=bounds)

    def wins(self, cells: Iterable[Cell]) -> Figure | None:
        """Return the share of the matches that the bot in some seats won."""
        return self.ratio(cells, "wins", "matches", parts=STAKE_PARTS, bounds=SHARE)

    def shares(self, cells: list[Cell]) -> dict[str, Figure | None]:
        """Return what kind of bidder the bot in some seats is."""
        return {name: self.ratio(cells, total, count, bounds=bounds) for name, (total, count, bounds) in SHARES.items()}

    def orders(self) -> Orders:
        """Return in which orders the bots came out, over all line-ups; deals by points, matches by stakes."""
        parts: list[tuple[NDArray[np.int64], Orders]] = []
        for number, lineup in enumerate(self.plan.lineups):
            games = self.games(number)
            if lineup.kind != SILENT and len(games.blocks):
                seats = np.array(lineup.seatings)
                parts.append((games.blocks, orders(seats, games.results, self._idle(games.blocks))))
        return together(parts, self.blocks)

    # -- a bot against copies of another -------------------------------------------------------------------------------

    def duel(self, bot: int, other: int) -> Cell:
        """Return the seats of a bot that meets copies of another."""
        return self.plan.find(ALONE, bot, other), bot

    def silent(self, bot: int, other: int) -> Cell:
        """Return the seats of a bot that meets copies of another with its mouth shut."""
        shut = bot + len(self.plan.bots)
        return self.plan.find(SILENT, shut, other), shut

    def results(self, cell: Cell) -> NDArray[np.float64]:
        """Return a bot's advantage on each block of a line-up (N,): points a deal, or stakes a match."""
        return self._results(self.games(cell[0]), cell[1])

    def _results(self, games: Games, bot: int) -> NDArray[np.float64]:
        total, count, parts = self.unit
        return games.sums[bot][total] / games.sums[bot][count] / parts

    def gains(self, bot: int, other: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the blocks in which a bot met copies of another, and in each what its own bids gained (N,)."""
        spoken, silent = self.duel(bot, other), self.silent(bot, other)
        mine, its = self.games(spoken[0]).blocks, self.games(silent[0]).blocks
        blocks, mine, its = np.intersect1d(mine, its, assume_unique=True, return_indices=True)
        return blocks, self.results(spoken)[mine] - self.results(silent)[its]

    def bids_gain(self, bot: int, others: Iterable[int]) -> Figure | None:
        """Return what a bot's own bids gain over forced passing with the same cards, against copies of others."""
        sums = np.zeros((2, self.blocks))
        for other in others:
            blocks, gains = self.gains(bot, other)
            sums[0, blocks] += gains
            sums[1, blocks] += 1
        return self.resamples.ratio(sums[0], sums[1])

    def fair_results(self, bot: int, other: int) -> NDArray[np.float64] | None:
        """Return a bot's results against copies of another (N,) without the luck of the cards; None without a pilot."""
        cell = self.duel(bot, other)
        pilot = self._read(cell[0], PILOT, 2 * PILOT)
        if not len(pilot.blocks):
            return None
        luck = fit(self._results(pilot, bot), self._controls(pilot.blocks), means_of(self.plan.rules))
        return luck.adjusted(self.results(cell), self._controls(self.games(cell[0]).blocks))

    def fair_figures(self, bot: int, other: int) -> tuple[Figure | None, Figure | None]:
        """Return a bot's advantage over copies of another without the luck of the cards, and the variance left."""
        fair, cell = self.fair_results(bot, other), self.duel(bot, other)
        if fair is None:
            return None, None
        values = np.zeros((3, self.blocks))
        values[:, self.games(cell[0]).blocks] = fair, self.results(cell), np.ones(len(fair))
        return self.resamples.ratio(values[0], values[2]), self.resamples.variance_ratio(*values)

    # -- the cards -----------------------------------------------------------------------------------------------------

    def _controls(self, blocks: NDArray[np.int64]) -> NDArray[np.float64]:
        return controls_of(self.plan.rules, self._seed_of(blocks), blocks)

    def _idle(self, blocks: NDArray[np.int64]) -> NDArray[np.int64] | None:
        """Return the seat that sits out the deal of each block (F1), None where nobody does."""
        if self.plan.rules.players < 4 or self.plan.mode != DEAL:
            return None
        rules, seed = self.plan.rules.array()[0], self._seed_of(blocks)
        return np.array([lot(rules, seed, int(block)) for block in blocks])

    def _seed_of(self, blocks: NDArray[np.int64]) -> int:
        return self.plan.seed_of(Chunk(0, int(blocks[0]), len(blocks)))


def _nothing(lineup: Lineup) -> Games:
    none = np.zeros(0, np.int64)
    sums = {bot: np.zeros(0, RECORD_DTYPE) for bot in lineup.bots}
    return Games(none, sums, np.zeros((0, len(lineup.seatings), len(lineup.members)), np.int32))


def _sums(games: NDArray[Any], held: NDArray[np.bool_]) -> NDArray[Any]:
    """Return tallies (N, seatings, players) summed over the seats of a bot, `held` (seatings, players)."""
    sums = np.zeros(len(games), RECORD_DTYPE)
    for name in RECORD_DTYPE.names or ():
        sums[name] = games[name][:, held].sum(axis=1)
    return sums
