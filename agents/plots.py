"""Pictures of a league: the payoff matrix as a heat map, ratings with their intervals. Drawn without a screen."""

from pathlib import Path

import matplotlib as mpl
import numpy as np

from agents.standings import Report

mpl.use("Agg")

import matplotlib.pyplot as plt


def save_plots(report: Report, folder: Path) -> list[Path]:
    """Write `payoffs.png` and `ratings.png` into a folder, and return where they are."""
    folder.mkdir(parents=True, exist_ok=True)
    return [_payoffs(report, folder / "payoffs.png"), _ratings(report, folder / "ratings.png")]


def _payoffs(report: Report, path: Path) -> Path:
    bots = report.bots
    size = 2 + 1.1 * len(bots)
    drawing, axes = plt.subplots(figsize=(size + 1, size), layout="constrained")
    values = np.zeros((len(bots), len(bots)))
    for row, bot in enumerate(bots):
        for column, other in enumerate(bots):
            found = report.pair(bot, other).advantage if bot != other else None
            if found is not None:
                values[row, column] = found.value
                reach = (found.high - found.low) / 2
                axes.text(column, row, f"{found.value:+.2f}\n± {reach:.2f}", ha="center", va="center", fontsize=8)
    most = max(float(np.abs(values).max()), 1e-9)
    image = axes.imshow(values, cmap="RdYlGn", vmin=-most, vmax=most)
    drawing.colorbar(image, label=report.unit)
    axes.set_xticks(range(len(bots)), bots, rotation=45, ha="right")
    axes.set_yticks(range(len(bots)), bots)
    axes.set_title(f"row against copies of column, {report.blocks} blocks")
    drawing.savefig(path, dpi=150)
    plt.close(drawing)
    return path


def _ratings(report: Report, path: Path) -> Path:
    standings = report.standings[::-1]
    drawing, axes = plt.subplots(figsize=(7, 1.5 + 0.5 * len(standings)), layout="constrained")
    for place, standing in enumerate(standings):
        rating = standing.rating
        axes.plot([rating.low, rating.high], [place, place], color="tab:blue", linewidth=2)
        axes.plot([rating.value], [place], "o", color="tab:blue" if standing.place else "tab:red")
    axes.set_yticks(range(len(standings)), [standing.bot for standing in standings])
    axes.grid(axis="x", alpha=0.3)
    axes.set_xlabel("rating (400 = ahead ten times in eleven), 95 % intervals over blocks")
    axes.set_title(f"{report.mode} league, {report.blocks} blocks")
    drawing.savefig(path, dpi=150)
    plt.close(drawing)
    return path
