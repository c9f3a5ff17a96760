"""Parts: stored as they are finished, never computed twice, never mixed with those of another experiment."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from experiments.parts import Columns, Options, claim_folder, read_columns, run_parts, write_columns
from thousand_env.errors import ThousandError

SETTINGS = {"seed": 1, "rules": "core"}


def squares(number: int) -> Columns:
    """A part that any process can compute."""
    return {"number": np.array([number]), "pair": np.array([[number, number**2]], np.float32)}


def run(part: Callable[[int], Columns], folder: Path, *, workers: int = 1, count: int = 5) -> Columns:
    return run_parts(part, count, folder=folder, settings=SETTINGS, workers=workers, title="squares")


def test_columns_are_read_as_they_were_written(tmp_path: Path) -> None:
    columns = {
        "whole": np.arange(3, dtype=np.int32),
        "parts": np.linspace(0, 1, 3),
        "unknown": np.array([[1.0, np.nan], [2.0, 3.0], [4.0, 5.0]], np.float32),
    }
    write_columns(tmp_path / "table.parquet", columns)
    found = read_columns(tmp_path / "table.parquet")
    assert {name: column.dtype for name, column in found.items()} == {n: c.dtype for n, c in columns.items()}
    for name, column in columns.items():
        np.testing.assert_array_equal(found[name], column)
    assert [path.name for path in tmp_path.iterdir()] == ["table.parquet"]


def test_parts_come_in_order_from_any_number_of_workers(tmp_path: Path) -> None:
    alone, together = run(squares, tmp_path / "a"), run(squares, tmp_path / "b", workers=2)
    assert alone["number"].tolist() == together["number"].tolist() == [0, 1, 2, 3, 4]
    assert alone["pair"][:, 1].tolist() == together["pair"][:, 1].tolist() == [0, 1, 4, 9, 16]


def interrupted(computed: list[int], number: int) -> Columns:
    """A part during which, the third time, somebody presses Ctrl-C."""
    if len(computed) == 2:
        raise KeyboardInterrupt
    computed.append(number)
    return squares(number)


def test_what_was_stopped_goes_on_with_what_is_missing(tmp_path: Path) -> None:
    computed: list[int] = []
    with pytest.raises(KeyboardInterrupt):
        run(partial(interrupted, computed), tmp_path)
    computed.append(-1)
    assert run(partial(interrupted, computed), tmp_path)["number"].tolist() == [0, 1, 2, 3, 4]
    assert computed == [0, 1, -1, 2, 3, 4]


def test_a_half_written_part_counts_for_nothing(tmp_path: Path) -> None:
    run(squares, tmp_path)
    whole = tmp_path / "part-00002.parquet"
    whole.rename(tmp_path / "part-00002.unfinished")
    assert run(squares, tmp_path)["number"].tolist() == [0, 1, 2, 3, 4]


def test_another_experiment_is_kept_out_of_the_folder(tmp_path: Path) -> None:
    claim_folder(tmp_path, SETTINGS)
    claim_folder(tmp_path, dict(SETTINGS))
    with pytest.raises(ThousandError) as error:
        claim_folder(tmp_path, SETTINGS | {"seed": 2, "deals": 5})
    found = str(error.value)
    assert "was begun with seed=1, deals=None; this is seed=2, deals=5" in found
    assert "rules" not in found
    assert "--out" in found


def test_where_and_how_fast_something_is_computed_is_no_setting(tmp_path: Path) -> None:
    options = Options(out=str(tmp_path / "new"), workers=3, quick=True, seed=9)
    assert options.settings() == {"seed": 9}
    assert options.folder("name") == tmp_path / "new"
    assert Options().folder("name") == Path("runs/experiments/name")
