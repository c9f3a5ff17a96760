"""Parts: an experiment in pieces that are stored as they are finished, so that it can be stopped and taken up again.

A part is a function of its number alone, computed by any worker in any order, and stored as one Parquet file. The
folder remembers the settings and the code it was begun with; parts of another experiment are never mixed in.
"""

import json
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pyarrow.parquet as untyped_parquet
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from thousand_env.errors import ThousandError

_arrow: Any = pyarrow  # it comes without types
_parquet: Any = untyped_parquet
_ROOT = Path(__file__).resolve().parent.parent
_WHERE = ("out", "workers", "quick")  # options that change nothing of what is computed

Columns = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Options:
    """What every experiment can be told on its command line."""

    out: str = ""
    """folder of the results, runs/experiments/NAME unless given"""
    seed: int = 1
    workers: int = 0
    """processes, 0 = one for each core"""
    quick: bool = False
    """a small form of everything, to see that it works"""

    def folder(self, name: str) -> Path:
        """Return where the results go."""
        return Path(self.out or f"runs/experiments/{name}")

    def settings(self) -> dict[str, Any]:
        """Return what decides the results."""
        return {name: value for name, value in asdict(self).items() if name not in _WHERE}


# -- tables of columns -----------------------------------------------------------------------------------------------


def write_columns(path: Path, columns: Mapping[str, NDArray[Any]]) -> None:
    """Write columns of one length as a Parquet file, whole or not at all; a column (N, K) becomes lists."""
    table = _arrow.table({name: _array(column) for name, column in columns.items()})
    unfinished = path.with_suffix(".unfinished")
    _parquet.write_table(table, unfinished, compression="zstd")
    unfinished.replace(path)


def _array(column: NDArray[Any]) -> Any:
    flat = _arrow.array(column.ravel())
    return flat if column.ndim == 1 else _arrow.FixedSizeListArray.from_arrays(flat, column.shape[1])


def read_columns(path: Path) -> Columns:
    """Return what `write_columns` wrote."""
    table = _parquet.read_table(path)
    return {name: _column(table[name].combine_chunks()) for name in table.column_names}


def _column(array: Any) -> NDArray[Any]:
    if _arrow.types.is_fixed_size_list(array.type):
        return np.asarray(array.flatten()).reshape(len(array), array.type.list_size)
    return np.asarray(array)


# -- the folder ------------------------------------------------------------------------------------------------------


def code_stamp() -> str:
    """Return a fingerprint of all code that an experiment may run."""
    digest = sha256()
    for package in ("thousand_env", "agents", "experiments"):
        for source in sorted((_ROOT / package).rglob("*.py")):
            digest.update(source.read_bytes())
    return digest.hexdigest()[:12]


def claim_folder(folder: Path, settings: Mapping[str, Any]) -> None:
    """Make a folder that of these settings and this code; raises `ThousandError` if it is that of others."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "settings.json"
    wanted = json.loads(json.dumps({**settings, "code": code_stamp()}))
    if not path.exists():
        path.write_text(json.dumps(wanted, indent=1) + "\n", encoding="utf-8")
        return
    begun = json.loads(path.read_text(encoding="utf-8"))
    differing = [name for name in {**begun, **wanted} if begun.get(name) != wanted.get(name)]
    if differing:
        was = ", ".join(f"{name}={begun.get(name)}" for name in differing)
        now = ", ".join(f"{name}={wanted.get(name)}" for name in differing)
        raise ThousandError(f"{folder} was begun with {was}; this is {now}: expected the same, or another --out")


def run_parts(
    part: Callable[[int], Columns], count: int, *, folder: Path, settings: Mapping[str, Any], workers: int, title: str
) -> Columns:
    """Return the columns of parts 0 … count - 1 one after the other; those stored already are not computed again.

    `part` can be pickled. It is called once in this process before any worker starts, so that kernels are compiled.
    Ctrl-C loses the parts in hand.
    """
    claim_folder(folder, settings)
    files = [folder / f"part-{number:05}.parquet" for number in range(count)]
    missing = [number for number, file in enumerate(files) if not file.exists()]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(title, total=count, completed=count - len(missing))
        for number, found in _computed(part, missing, workers or os.cpu_count() or 1):
            write_columns(files[number], found)
            bar.advance(task)
    stored = [read_columns(file) for file in files]
    return {name: np.concatenate([columns[name] for columns in stored]) for name in stored[0]}


# -- workers ---------------------------------------------------------------------------------------------------------


def _computed(part: Callable[[int], Columns], numbers: list[int], workers: int) -> Iterator[tuple[int, Columns]]:
    """Yield parts as they are finished: the first from this process, the others from workers if there are several."""
    for number in numbers[: len(numbers) if workers == 1 else 1]:
        yield number, part(number)
    if workers == 1 or len(numbers) < 2:
        return
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), initializer=_start_worker)
    try:
        waiting: dict[Future[Columns], int] = {pool.submit(part, number): number for number in numbers[1:]}
        for future in as_completed(waiting):
            yield waiting[future], future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _start_worker() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the parent decides what it means
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A worker waits on a pipe that it holds open itself, so it would outlive a parent that was killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
