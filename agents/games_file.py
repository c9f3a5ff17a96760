"""Every game of a league as a Parquet file: who sat where, what it brought, and its transcript.

Games are replayed from their addresses and actions with every action checked, so a file is also a proof that the book
holds games by the rules.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from agents.lineups import PILOT, Chunk, Plan, seats_of
from agents.store import Book, unpack_moves, unpack_tallies
from agents.tally import STAKE_PARTS
from thousand_env.game import Game

_SCHEMA = pa.schema(
    [
        ("kind", pa.string()),  # of the line-up
        ("pilot", pa.bool_()),
        ("seed", pa.int64()),
        ("block", pa.int64()),
        ("seating", pa.int32()),
        ("bots", pa.list_(pa.string())),  # by seat, as all lists
        ("points", pa.list_(pa.int32())),  # of the deal, or of all deals of the match
        ("stakes", pa.list_(pa.float64())),  # of the match, in parts of the bank
        ("deals", pa.int32()),
        ("transcript", pa.string()),
    ]
)


def write_games(plan: Plan, book: Book, path: Path, told: Callable[[int], None]) -> int:
    """Write every game of a book and return how many there are; `told` hears of the games after each chunk."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished, count = path.with_name(path.name + ".part"), 0
    with pq.ParquetWriter(unfinished, _SCHEMA, compression="zstd") as file:
        for chunk, tallies, moves in book.games():
            rows = game_rows(plan, chunk, tallies, moves)
            file.write_table(pa.Table.from_pylist(rows, _SCHEMA))
            count += len(rows)
            told(len(rows))
    unfinished.replace(path)
    return count


def read_games(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a file that `write_games` wrote."""
    return pq.read_table(path).to_pylist()


def game_rows(plan: Plan, chunk: Chunk, tallies: bytes, moves: bytes) -> list[dict[str, Any]]:
    """Return a chunk's games, one a row of the file."""
    lineup, players = plan.lineups[chunk.lineup], plan.rules.players
    seats, found = seats_of(lineup, chunk.blocks), unpack_tallies(tallies, players)
    stakes = _own(found["stakes"]) / STAKE_PARTS
    seed, seatings = plan.seed_of(chunk), len(lineup.seatings)
    rows: list[dict[str, Any]] = []
    for place, actions in enumerate(unpack_moves(moves)):
        block = chunk.first + place // seatings
        points, transcript = _replayed(plan, seed, block, actions)
        rows.append(
            {
                "kind": lineup.kind,
                "pilot": block >= PILOT,
                "seed": seed,
                "block": block,
                "seating": place % seatings,
                "bots": [plan.bot_name(int(bot)) for bot in seats[place]],
                "points": points,
                "stakes": stakes[place].tolist(),
                "deals": int(found["deals"][place, 0]),
                "transcript": transcript,
            }
        )
    return rows


def _replayed(plan: Plan, seed: int, block: int, actions: bytes) -> tuple[list[int], str]:
    """Return the points of each seat over a game's deals, and its transcript."""
    game, points = Game(plan.rules, seed, block), np.zeros(plan.rules.players, np.int64)
    for action in actions:
        if game.phase == "scored":
            game.next_deal()
        game.play(action)
        if game.phase in ("scored", "over"):
            points += game.score
    return points.tolist(), game.transcript()


def _own(stakes: Any) -> Any:
    """Return each seat's own stake of matches (N, players); a tally has it times the seats, less all, which is none."""
    return stakes / stakes.shape[1]
