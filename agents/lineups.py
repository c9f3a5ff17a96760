"""Line-ups: who meets whom in a league, and in which seatings.

A *line-up* is who sits at a table; a *seating* is who sits where. A line-up is played in every seating that looks
different, so that each of its bots sits in each seat, and to each other's left, equally often, with the same cards and
the same random keys: three seatings for one bot against two copies of another, six for three different bots.

Two bots meet as one against copies of the other, both ways round; at a table of two that is one line-up, at a table of
four there is two against two as well, and in each seating another bot deals and sits out. Three bots or more also meet
as mixed line-ups, as many different bots as there are seats; three bots at a table of four, where one sits twice.

For what a bot's own bids gain, one bot meets copies of another once more with its mouth shut.
"""

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.arena import evaluation_seed
from thousand_env.errors import ThousandError
from thousand_env.rng import derive
from thousand_env.rules import RuleSet

ALONE, EVEN, MIXED, SILENT = "alone", "even", "mixed", "silent"
PILOT = 1 << 30  # blocks from this number on are a pilot's: other deals, under another seed, than any that count
_PILOT_SEED = 0x9170


class Lineup(NamedTuple):
    """Who sits at a table: `members` are numbers of bots, the challenger of the kinds alone and silent first."""

    kind: str
    members: tuple[int, ...]

    @property
    def bots(self) -> tuple[int, ...]:
        """The different bots of the line-up, in ascending order."""
        return tuple(sorted(set(self.members)))

    @property
    def seatings(self) -> list[tuple[int, ...]]:
        """Every seating that looks different: the number of the bot in each seat."""
        return sorted(set(itertools.permutations(self.members)))


class Chunk(NamedTuple):
    """A piece of work: the blocks numbered from `first`, all seatings of one line-up."""

    lineup: int
    first: int
    blocks: int


@dataclass(frozen=True)
class Plan:
    """A league: its bots by spec, and all that decides what happens in its games.

    A bot's number is its place in `bots`; with its mouth shut it has that number plus `len(bots)`.
    """

    bots: tuple[str, ...]
    rules: RuleSet
    mode: str
    seed: int
    mixed: bool = True
    bids: bool = True
    move_ms: float = 0

    def __post_init__(self) -> None:
        if len(self.bots) < 2:
            raise ThousandError(f"bots {', '.join(self.bots) or 'none'}: expected at least two")
        twice = sorted({spec for spec in self.bots if self.bots.count(spec) > 1})
        if twice:
            raise ThousandError(f"bot {twice[0]!r}: expected every bot once; a league seats its copies by itself")

    @cached_property
    def lineups(self) -> list[Lineup]:
        """Every line-up of the league, in the order of their numbers."""
        count, players = len(self.bots), self.rules.players
        found = [line for pair in itertools.combinations(range(count), 2) for line in _of_two(*pair, players)]
        if self.mixed and players > 2:
            found += _of_many(count, players)
        if self.bids:
            pairs = itertools.permutations(range(count), 2)
            found += [Lineup(SILENT, (count + one, *[other] * (players - 1))) for one, other in pairs]
        return found

    def seed_of(self, chunk: Chunk) -> int:
        """Return the seed under which the cards of a chunk are dealt; no training run deals under it."""
        seed = evaluation_seed(self.seed)
        return seed if chunk.first < PILOT else int(derive(seed, _PILOT_SEED))

    def find(self, kind: str, challenger: int, other: int) -> int:
        """Return the number of the line-up in which one bot meets copies of another."""
        wanted = sorted((challenger, *[other] * (self.rules.players - 1)))
        lineups = enumerate(self.lineups)
        return next(number for number, (found, seated) in lineups if found == kind and sorted(seated) == wanted)

    def name(self, lineup: Lineup) -> str:
        """Return a line-up in words: `heuristic, passer, passer`."""
        return ", ".join(self.bot_name(bot) for bot in lineup.members)

    def bot_name(self, bot: int) -> str:
        """Return a bot's spec, or that of the bot whose mouth is shut."""
        count = len(self.bots)
        return self.bots[bot] if bot < count else f"passing bids ({self.bots[bot - count]})"


def seats_of(lineup: Lineup, blocks: int) -> NDArray[np.int64]:
    """Return who sits where in every game of some blocks: (blocks * seatings, players), block by block."""
    return np.tile(np.array(lineup.seatings, np.int64), (blocks, 1))


def missing(done: list[tuple[int, int]], first: int, end: int, size: int) -> list[tuple[int, int]]:
    """Return the pieces (first block, blocks) of at most `size` that are not `done` yet from block `first` to `end`.

    >>> missing([(10, 10), (0, 5)], 0, 30, 4)
    [(5, 4), (9, 1), (20, 4), (24, 4), (28, 2)]
    """
    pieces: list[tuple[int, int]] = []
    start = first
    for place, count in sorted([*done, (end, 0)]):
        stop = min(place, end)
        pieces += [(piece, min(size, stop - piece)) for piece in range(start, stop, size)]
        start = max(start, place + count)
    return pieces


def _of_two(one: int, other: int, players: int) -> list[Lineup]:
    if players == 2:
        return [Lineup(ALONE, (one, other))]
    lineups = [Lineup(ALONE, (one, *[other] * (players - 1))), Lineup(ALONE, (other, *[one] * (players - 1)))]
    return [*lineups, *([Lineup(EVEN, (one, one, other, other))] if players == 4 else [])]


def _of_many(count: int, players: int) -> list[Lineup]:
    if count == 3 and players == 4:
        return [Lineup(MIXED, tuple(sorted((0, 1, 2, twice)))) for twice in range(3)]
    return [Lineup(MIXED, members) for members in itertools.combinations(range(count), players)]
