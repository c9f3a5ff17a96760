"""The league's book: what has been played, in one SQLite file that only grows.

A chunk of games is written in one transaction, so a run that is killed loses the chunks in hand and nothing else; the
same command goes on with the rest. Every game is kept whole: what each seat did as a tally, and every action, from
which the game can be replayed. Times are kept apart, since they are all that two runs may differ in.

The settings a league was begun with stand in the book, and the moves of each bot in a deal of its own: a book is not
continued under other settings, nor with a bot that plays otherwise than it did.
"""

import itertools
import json
import sqlite3
import zlib
from collections.abc import Iterator
from dataclasses import astuple
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.lineups import Chunk
from agents.stopwatch import Times
from agents.tally import TALLY_DTYPE
from thousand_env.errors import ThousandError

FORMAT = "1"
RECORD_DTYPE = np.dtype([(name, np.int32) for name in TALLY_DTYPE.names or ()])  # a tally, in half the room

_TABLES = (
    "CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE chunks (lineup INTEGER, first INTEGER, blocks INTEGER NOT NULL, tallies BLOB NOT NULL,"
    " moves BLOB NOT NULL, PRIMARY KEY (lineup, first))",
    "CREATE TABLE times (lineup INTEGER, first INTEGER, bot INTEGER, moves INTEGER NOT NULL, seconds REAL NOT NULL,"
    " late INTEGER NOT NULL, worst_ms REAL NOT NULL, PRIMARY KEY (lineup, first, bot))",
)


class Played(NamedTuple):
    """A chunk that was played: tallies (games, players) and moves as they are stored, and times by bot."""

    chunk: Chunk
    tallies: bytes
    moves: bytes
    times: dict[int, Times]


def pack_tallies(tallies: NDArray[Any]) -> bytes:
    """Return tallies (games, players) as they are stored."""
    return zlib.compress(tallies.astype(RECORD_DTYPE).tobytes(), 1)


def unpack_tallies(stored: bytes, players: int) -> NDArray[Any]:
    """Return the tallies (games, players), dtype `RECORD_DTYPE`, that `pack_tallies` packed."""
    return np.frombuffer(zlib.decompress(stored), RECORD_DTYPE).reshape(-1, players)


def pack_moves(games: list[bytes]) -> bytes:
    """Return the actions of some games, a byte each, as they are stored."""
    lengths = np.array([len(games), *map(len, games)], np.int32)
    return zlib.compress(lengths.tobytes() + b"".join(games), 1)


def unpack_moves(stored: bytes) -> list[bytes]:
    """Return the actions of each game that `pack_moves` packed.

    >>> unpack_moves(pack_moves([bytes([37, 36, 36]), bytes([38])]))
    [b'%$$', b'&']
    """
    raw = zlib.decompress(stored)
    count = int(np.frombuffer(raw, np.int32, 1)[0])
    ends = np.cumsum(np.frombuffer(raw, np.int32, count + 1)) - count + 4 * (count + 1)
    return [raw[start:end] for start, end in itertools.pairwise(ends)]


class Book:
    """An open league file, or a book in memory where there is no path."""

    def __init__(self, path: Path | None, settings: dict[str, Any]) -> None:
        self._name = str(path) if path else ":memory:"
        if path:
            path.parent.mkdir(parents=True, exist_ok=True)
        self._rows = sqlite3.connect(self._name, isolation_level=None)
        try:
            self._rows.execute("PRAGMA journal_mode=WAL")
            self._begin({"format": FORMAT} | {name: json.dumps(value) for name, value in settings.items()})
        except sqlite3.Error as error:
            self.close()
            raise ThousandError(f"{self._name}: {error}; expected a league's database, or a new file") from None
        except ThousandError:
            self.close()
            raise

    def _begin(self, settings: dict[str, str]) -> None:
        self._rows.execute("BEGIN IMMEDIATE")
        if not self._rows.execute("SELECT 1 FROM sqlite_master").fetchone():
            for table in _TABLES:
                self._rows.execute(table)
            self._rows.executemany("INSERT INTO settings VALUES (?, ?)", settings.items())
        self._rows.execute("COMMIT")
        known = dict(self._rows.execute("SELECT name, value FROM settings"))  # another program's file has no such table
        for name in [*settings, *(known.keys() - settings.keys())]:
            if known.get(name) != settings.get(name):
                raise ThousandError(
                    f"{self._name}: {name} is {known.get(name, 'not set')} in this database, "
                    f"{settings.get(name, 'not set')} was asked for; expected the same settings, or another file"
                )

    def add(self, played: Played) -> None:
        """Write a chunk, whole or not at all."""
        chunk = played.chunk
        times = [(chunk.lineup, chunk.first, bot, *astuple(times)) for bot, times in played.times.items()]
        try:
            self._rows.execute("BEGIN IMMEDIATE")
            self._rows.execute("INSERT INTO chunks VALUES (?, ?, ?, ?, ?)", (*chunk, played.tallies, played.moves))
            self._rows.executemany("INSERT INTO times VALUES (?, ?, ?, ?, ?, ?, ?)", times)
            self._rows.execute("COMMIT")
        except sqlite3.Error as error:
            if self._rows.in_transaction:
                self._rows.execute("ROLLBACK")
            raise ThousandError(
                f"{self._name}: {error} at line-up {chunk.lineup}, block {chunk.first}; expected one run at a time"
            ) from None

    def done(self) -> dict[int, list[tuple[int, int]]]:
        """Return what has been played: (first block, blocks) of each chunk, by line-up."""
        found: dict[int, list[tuple[int, int]]] = {}
        for lineup, first, blocks in self._rows.execute("SELECT lineup, first, blocks FROM chunks ORDER BY 1, 2"):
            found.setdefault(lineup, []).append((first, blocks))
        return found

    def tallies(self, lineup: int, players: int, first: int, end: int) -> Iterator[tuple[Chunk, NDArray[Any]]]:
        """Yield the chunks of a line-up that begin from block `first` to `end`, with tallies (games, players)."""
        query = "SELECT first, blocks, tallies FROM chunks WHERE lineup = ? AND first >= ? AND first < ? ORDER BY first"
        for start, blocks, stored in self._rows.execute(query, (lineup, first, end)):
            yield Chunk(lineup, start, blocks), unpack_tallies(stored, players)

    def games(self) -> Iterator[tuple[Chunk, bytes, bytes]]:
        """Yield every chunk, in order, with its tallies and moves as they are stored."""
        query = "SELECT lineup, first, blocks, tallies, moves FROM chunks ORDER BY first, lineup"
        for lineup, first, blocks, tallies, moves in self._rows.execute(query):
            yield Chunk(lineup, first, blocks), tallies, moves

    def times(self) -> dict[int, Times]:
        """Return how long each bot thought, by its number."""
        query = "SELECT bot, sum(moves), sum(seconds), sum(late), max(worst_ms) FROM times GROUP BY bot ORDER BY bot"
        return {bot: Times(*values) for bot, *values in self._rows.execute(query)}

    def close(self) -> None:
        """Leave the file in one piece, without a log beside it."""
        self._rows.close()
