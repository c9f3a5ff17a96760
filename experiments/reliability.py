"""Reliability: how far forecasts are from what happened, beside a yardstick that counts points."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from experiments.figures import Figure, drawing, mean, plot_figures, resampled, save, share, with_interval, write_csv
from experiments.logistic import fitted_logistic, predicted
from experiments.parts import Columns

BINS = 10
CARDS = ("seven", "ten")
ECE_AT_MOST, BRIER_BELOW = 0.03, 0.20  # what the forecasts are asked to reach

Numbers = NDArray[np.float64]


class Forecasts(NamedTuple):
    """Forecasts of one or both kinds, the yardstick's of the same deals, and what happened: each (deals, kinds)."""

    cards: str
    chances: Numbers
    yardstick: Numbers
    made: Numbers


class Bin(NamedTuple):
    """A tenth of the scale: how many forecasts fell there, their mean, and the share that came true."""

    size: int
    forecast: float
    made: Figure


def brier(chances: Numbers, made: Numbers) -> float:
    """Return the mean squared error of forecasts."""
    return float(np.mean((chances - made) ** 2))


def places_of(chances: Numbers) -> NDArray[np.int64]:
    """Return the tenth of the scale of each forecast (N,)."""
    return np.minimum(chances * BINS, BINS - 1).astype(np.int64)


def calibration_error(chances: Numbers, made: Numbers) -> float:
    """Return the expected calibration error."""
    chances, made = chances.ravel(), made.ravel()
    return float(np.abs(np.bincount(places_of(chances), chances - made, BINS)).sum() / len(made))


def bins_of(chances: Numbers, made: Numbers) -> list[Bin]:
    """Return the bins that hold any forecast."""
    chances, made = chances.ravel(), made.ravel()
    places = places_of(chances)
    return [
        Bin(int((places == k).sum()), float(chances[places == k].mean()), share(made[places == k]))
        for k in np.unique(places)
    ]


def forecasts_of(columns: Columns) -> list[Forecasts]:
    """Return the forecasts from seven and from ten cards, and both together."""
    known = ~np.isnan([columns[f"chance_{cards}"] for cards in CARDS]).any(axis=0)
    kinds: list[Forecasts] = []
    for cards in CARDS:
        weights = fitted_logistic(_features(columns, "fitted_", cards), columns["fitted_made"])
        yardstick = predicted(_features(columns, "", cards), weights)
        parts = (columns[f"chance_{cards}"], yardstick, columns["made"])
        kinds.append(Forecasts(cards, *(part[known][:, None] for part in parts)))
    both = [np.concatenate(parts, axis=1) for parts in zip(*(kind[1:] for kind in kinds), strict=True)]
    return [*kinds, Forecasts("both", *both)]


def _features(columns: Columns, prefix: str, cards: str) -> Numbers:
    names = (f"points_{cards}", f"marriages_{cards}", "bid")
    return np.column_stack([columns[prefix + name] / 100 for name in names])


# -- saying it -------------------------------------------------------------------------------------------------------


def report(columns: Columns, folder: Path, seed: int) -> None:
    """Print the figures, and write them, the bins and a picture into the folder."""
    kinds, deals = forecasts_of(columns), len(columns["made"])
    scores = [_scores(kind, seed) for kind in kinds]
    print(
        f"made: {share(columns['made']).percent}; asked for: error at most {ECE_AT_MOST}, Brier {BRIER_BELOW:.0%} below"
    )
    print(f"{'cards':6} {'deals':>6}  {'calibration error':24} {'Brier':24} {'at best':24} {'points':24} below them by")
    for kind, figures in zip(kinds, scores, strict=True):
        print(f"{kind.cards:6} {len(kind.made):6}  " + " ".join(f"{_small(figure):24}" for figure in figures))
    if len(kinds[0].made) < deals:
        print(f"{deals - len(kinds[0].made)} auctions were found again in no sampled deal, and left out")
    names = ("calibration_error", "brier", "brier_at_best", "brier_of_points", "below")
    rows = [[kind.cards, *figures] for kind, figures in zip(kinds, scores, strict=True)]
    write_csv(folder / "scores.csv", ["cards", *(part for name in names for part in with_interval(name))], rows)
    bins = [[kind.cards, *one] for kind in kinds for one in bins_of(kind.chances, kind.made)]
    write_csv(folder / "bins.csv", ["cards", "size", "forecast", *with_interval("made")], bins)
    plot(kinds, folder / "calibration.png")
    print(f"\nwritten to {folder}")


def _scores(kind: Forecasts, seed: int) -> tuple[Figure, ...]:
    """Return the figures of a kind; "at best" is what chances like these score if each is exactly right."""
    _, chances, yardstick, made = kind

    def below(rows: NDArray[np.int64]) -> float:
        return 1 - brier(chances[rows], made[rows]) / brier(yardstick[rows], made[rows])

    def error(rows: NDArray[np.int64]) -> float:
        return calibration_error(chances[rows], made[rows])

    return (
        resampled(error, len(made), seed),
        mean(((chances - made) ** 2).mean(axis=1)),
        mean((chances * (1 - chances)).mean(axis=1)),
        mean(((yardstick - made) ** 2).mean(axis=1)),
        resampled(below, len(made), seed),
    )


def _small(figure: Figure) -> str:
    return f"{figure.value:.3f} [{figure.low:.3f}, {figure.high:.3f}]"


def plot(kinds: list[Forecasts], path: Path) -> None:
    """Draw what happened over what was forecast, a panel for each number of cards."""
    paper, panels = drawing(10, panels=len(CARDS))
    for axes, kind in zip(panels, kinds, strict=False):
        axes.plot([0, 1], [0, 1], color="grey", linewidth=0.8)
        for chances, label in ((kind.chances, "sampled deals"), (kind.yardstick, "counting points")):
            bins = bins_of(chances, kind.made)
            plot_figures(axes, [one.forecast for one in bins], [one.made for one in bins], label)
        axes.set_title(f"from {kind.cards} cards")
        axes.set_xlabel("forecast")
    panels[0].set_ylabel("contracts made")
    panels[0].legend()
    save(paper, path)
