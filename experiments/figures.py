"""Figures: means and shares with 95 % intervals, tables as CSV, and pictures drawn without a screen."""

import csv
import math
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
import numpy as np
from numpy.typing import NDArray

mpl.use("Agg")

import matplotlib.pyplot as plt

Z = 1.96  # standard errors on each side of a 95 % interval
_RESAMPLES = 1000


class Figure(NamedTuple):
    """A number from a sample and its 95 % interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:+.1f} [{self.low:+.1f}, {self.high:+.1f}]"

    @property
    def percent(self) -> str:
        """The figure as a share in percent."""
        return f"{100 * self.value:.0f} % [{100 * self.low:.0f}, {100 * self.high:.0f}]"


NOTHING = Figure(math.nan, math.nan, math.nan)


def mean(values: NDArray[Any]) -> Figure:
    """Return a mean and its interval by the normal distribution; not numbers where there are fewer than two values."""
    if len(values) < 2:
        return NOTHING
    middle, reach = float(values.mean()), Z * float(values.std(ddof=1)) / math.sqrt(len(values))
    return Figure(middle, middle - reach, middle + reach)


def share(hits: NDArray[Any]) -> Figure:
    """Return the share of true values and its interval (Wilson 1927)."""
    count = len(hits)
    if count == 0:
        return NOTHING
    found = float(np.count_nonzero(hits)) / count
    scale = 1 + Z**2 / count
    middle = (found + Z**2 / (2 * count)) / scale
    reach = Z * math.sqrt(found * (1 - found) / count + Z**2 / (4 * count**2)) / scale
    return Figure(found, middle - reach, middle + reach)


def ratio(totals: NDArray[Any], counts: NDArray[Any]) -> Figure:
    """Return sum(totals) / sum(counts) and its interval, both (N,) of independent blocks (Cochran 1977, ch. 6)."""
    whole = float(counts.sum())
    if len(counts) < 2 or whole == 0:
        return NOTHING
    found = float(totals.sum()) / whole
    rest = mean((totals - found * counts) * (len(counts) / whole))
    return Figure(found, found + rest.low, found + rest.high)


def gap(values: NDArray[Any], inside: NDArray[np.bool_]) -> Figure:
    """Return by how much the mean of the values `inside` exceeds the mean of all."""
    some, others = values[inside], values[~inside]
    if len(some) < 2 or len(others) < 2:
        return NOTHING
    outside = len(others) / len(values)
    middle = outside * float(some.mean() - others.mean())
    error = outside * math.sqrt(float(some.var(ddof=1)) / len(some) + float(others.var(ddof=1)) / len(others))
    return Figure(middle, middle - Z * error, middle + Z * error)


def resampled(statistic: Callable[[NDArray[np.int64]], float], rows: int, seed: int) -> Figure:
    """Return statistic(all rows) and its bootstrap interval (Efron 1979); `statistic` takes row numbers."""
    rng = np.random.default_rng(seed)
    found = [float(statistic(rng.integers(0, rows, rows))) for _ in range(_RESAMPLES)]
    low, high = np.quantile(found, (0.025, 0.975))
    return Figure(float(statistic(np.arange(rows))), float(low), float(high))


# -- files -----------------------------------------------------------------------------------------------------------


def write_csv(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a table; a `Figure` takes three columns, named in the header by its first."""
    table = [_spread(row) for row in rows]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows(table)


def with_interval(name: str) -> tuple[str, str, str]:
    """Return the three column names of a figure."""
    return name, f"{name}_low", f"{name}_high"


def _spread(row: Sequence[object]) -> list[object]:
    cells: list[object] = []
    for cell in row:
        cells.extend([f"{part:.4f}" for part in cell] if isinstance(cell, Figure) else [cell])
    return cells


def drawing(width: float = 7, height: float = 4.5, panels: int = 1) -> tuple[Any, list[Any]]:
    """Return an empty drawing and its panels side by side."""
    paper, axes = plt.subplots(1, panels, figsize=(width, height), layout="constrained", squeeze=False)
    return paper, list(axes[0])


def save(paper: Any, path: Path) -> None:
    """Write a drawing as a file and forget it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    paper.savefig(path, dpi=150)
    plt.close(paper)


def plot_figures(axes: Any, places: Sequence[float], figures: Sequence[Figure], label: str) -> None:
    """Draw figures as a line with bars for their intervals."""
    values = np.array(figures, np.float64).reshape(-1, 3)
    reach = np.abs(values[:, 1:] - values[:, :1]).T
    axes.errorbar(places, values[:, 0], yerr=reach, marker="o", markersize=3, capsize=2, label=label)
