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
from agents.tally import STAKE_PARTS, bootstrap
from thousand_env.deck import lot


class Figure(NamedTuple):
    """A value and its 95 % interval."""

    value: float
    low: float
    high: float


class Games(NamedTuple):
    """The games of a line-up: the numbers of its blocks (N,), and tallies (N, seatings, players)."""

    blocks: NDArray[np.int64]
    tallies: NDArray[Any]


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
        self._games = [self._read(number, 0, end) for number in range(len(plan.lineups))]

    def _read(self, number: int, first: int, end: int) -> Games:
        players, seatings = self.plan.rules.players, len(self.plan.lineups[number].seatings)
        blocks, tallies = [np.zeros(0, np.int64)], [np.zeros((0, seatings, players), RECORD_DTYPE)]
        for chunk, found in self._book.tallies(number, players, first, end):
            numbers = np.arange(chunk.first, chunk.first + chunk.blocks)
            blocks.append(numbers[numbers < end])
            tallies.append(found.reshape(-1, seatings, players)[numbers < end])
        return Games(np.concatenate(blocks), np.concatenate(tallies))

    def games(self, number: int) -> Games:
        """Return the games of a line-up by its number."""
        return self._games[number]

    @property
    def blocks(self) -> int:
        """How many blocks the league has come to."""
        return max((int(games.blocks[-1]) + 1 for games in self._games if len(games.blocks)), default=0)

    @property
    def unit(self) -> tuple[str, str, int]:
        """What an advantage is: a sum over blocks, what it is counted by, and how many of its parts make one."""
        others = self.plan.rules.players - 1
        return ("points", "deals", others) if self.plan.mode == DEAL else ("stakes", "matches", STAKE_PARTS * others)

    # -- one line-up ---------------------------------------------------------------------------------------------------

    def results(self, number: int, bot: int) -> NDArray[np.float64]:
        """Return a bot's advantage on each block of a line-up (N,): points a deal, or stakes a match."""
        return self._results(self._games[number], number, bot)

    def _results(self, games: Games, number: int, bot: int) -> NDArray[np.float64]:
        total, count, parts = self.unit
        held = _held(self.plan.lineups[number], bot)
        return games.tallies[total][:, held].sum(axis=1) / games.tallies[count][:, held].sum(axis=1) / parts

    def advantage(self, number: int, bot: int) -> Figure | None:
        """Return a bot's advantage in a line-up."""
        total, count, parts = self.unit
        return self.share(number, bot, total, count, parts)

    def share(self, number: int, bot: int, total: str, count: str, parts: int = 1) -> Figure | None:
        """Return what a bot's sums over the blocks of a line-up are a share of its others."""
        held, tallies = _held(self.plan.lineups[number], bot), self._games[number].tallies
        return figure(tallies[total][:, held].sum(axis=1), tallies[count][:, held].sum(axis=1) * parts, self.plan.seed)

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
        blocks, mine, its = np.intersect1d(
            self._games[spoken].blocks, self._games[silent].blocks, assume_unique=True, return_indices=True
        )
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
        results, controls = self._results(pilot, number, bot), self._controls(pilot.blocks)
        luck = fit(results, controls, means_of(self.plan.rules))
        return luck.adjusted(self.results(number, bot), self._controls(self._games[number].blocks))

    # -- all line-ups --------------------------------------------------------------------------------------------------

    def overall(self, bot: int, total: str, count: str, parts: int = 1) -> Figure | None:
        """Return what a bot's sums are a share of over all line-ups it is in, but for those with a shut mouth."""
        sums = np.zeros((2, self.blocks))
        for lineup, games in zip(self.plan.lineups, self._games, strict=True):
            if bot in lineup.members and lineup.kind != SILENT:
                held = _held(lineup, bot)
                sums[0, games.blocks] += games.tallies[total][:, held].sum(axis=1)
                sums[1, games.blocks] += games.tallies[count][:, held].sum(axis=1) * parts
        return figure(sums[0], sums[1], self.plan.seed)

    def overall_shares(self, bot: int) -> dict[str, Figure | None]:
        """Return what kind of bidder a bot is over all line-ups."""
        return {name: self.overall(bot, *columns) for name, columns in SHARES.items()}

    def orders(self) -> Orders:
        """Return in which orders the bots came out, over all line-ups; deals by points, matches by stakes."""
        column = "points" if self.plan.mode == DEAL else "stakes"
        parts: list[tuple[NDArray[np.int64], Orders]] = []
        for number, lineup in enumerate(self.plan.lineups):
            games = self._games[number]
            if lineup.kind != SILENT and len(games.blocks):
                seats = np.array(lineup.seatings)
                parts.append((games.blocks, orders(seats, games.tallies[column], self._idle(games.blocks))))
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


def _held(lineup: Lineup, bot: int) -> NDArray[np.bool_]:
    """Return which seats (seatings, players) a bot holds."""
    return np.array(lineup.seatings) == bot


def _by_block(numbers: NDArray[np.int64], values: NDArray[Any]) -> NDArray[np.float64]:
    """Return values (N,) summed over equal numbers."""
    return np.bincount(numbers, weights=values).astype(np.float64)
