"""What a league writes: every game with a transcript that holds, and pictures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from agents.games_file import read_games
from agents.league import main
from thousand_env.transcript import read


@pytest.mark.parametrize("mode", ["deal", "match"])
@pytest.mark.parametrize("table", ["classic", "online players=2", "core players=4"])
def test_every_game_is_in_the_file_with_its_transcript(tmp_path: Path, mode: str, table: str) -> None:
    path = tmp_path / "games.parquet"
    options = ["--deals", "2", "--workers", "1", "--max-deals", "4", "--mode", mode, "--rules", table, "--no-bids"]
    assert main(["heuristic", "uniform", *options, "--json", "--parquet", str(path)]) == 0
    rows = read_games(path)
    players = {"classic": 3, "online players=2": 2, "core players=4": 4}[table]
    assert len(rows) == 2 * {2: 2, 3: 6, 4: 14}[players]
    assert {bot for row in rows for bot in row["bots"]} == {"heuristic", "uniform"}
    for row in rows:
        record = read(row["transcript"])[0]
        scored = [state for state in record.states if state.phase >= 7]
        assert len(scored) == row["deals"] == (1 if mode == "deal" else 4)
        assert np.sum([state.score[:players] for state in scored], axis=0).tolist() == row["points"]
        assert (int(record.states[0].seed), int(record.states[0].match)) == (row["seed"], row["block"])
        assert sum(row["stakes"]) == pytest.approx(0)


def test_pictures_are_drawn(tmp_path: Path) -> None:
    folder = tmp_path / "plots"
    options = ["--deals", "10", "--workers", "1", "--json", "--plots", str(folder)]
    assert main(["heuristic", "uniform", "passer", *options]) == 0
    for name in ("payoffs.png", "ratings.png"):
        assert (folder / name).read_bytes().startswith(b"\x89PNG")
        assert (folder / name).stat().st_size > 5000
