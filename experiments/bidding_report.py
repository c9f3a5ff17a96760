"""What a comparison of bidding strategies showed: figures of any selection of games, tables, files and a picture."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from agents.league_tables import plain_table
from experiments.figures import Figure, drawing, mean, plot_figures, ratio, save, with_interval, write_csv
from experiments.parts import Columns

POPULATION = -1  # "against" which a game was played that was not against copies of one strategy
TALLY_NAMES = ("deals", "points", "own_declared", "own_made", "own_contracts", "own_followed", "own_contested")
PRICE_NAMES = (  # of the deals declared and played
    "played",
    "overpaid",
    "left_over",
    "above",  # ... for which more than 100 was bid
    "above_made",
    "above_overpaid",
)
SEATS = {2: ("forehand", "dealer"), 3: ("forehand", "middle", "dealer"), 4: ("forehand", "middle", "last", "dealer")}
WIDTH = 200  # of tables that no terminal shows


class Showing(NamedTuple):
    """What a strategy showed in some games; the head of `experiments.compare_bidding` says what is meant."""

    advantage: Figure
    declares: Figure
    contested: Figure
    contract: Figure
    made: Figure
    overpaid: Figure
    left_over: Figure
    made_above: Figure
    overpaid_above: Figure


_SHARES = ("declares", "contested", "made", "made_above")
_HEADS = (
    *("advantage", "declares", "contested", "contract", "made", "over-payment", "left over"),
    *("made above 100", "over-payment above 100"),
)
_PLOTTED_SHARES = {"declares": "deals declared", "made": "contracts made", "made_above": "made above 100"}
_PLOTTED_POINTS = {"overpaid": "over-payment", "overpaid_above": "above 100", "left_over": "left over"}


class Found:
    """The games of a comparison of some strategies."""

    def __init__(self, columns: Columns, names: Sequence[str], players: int) -> None:
        self.columns, self.names, self.players = columns, list(names), players
        self._deals = int(columns["deal"].max()) + 1

    def showing(self, strategy: int, *, against: int | None = POPULATION, seat: int | None = None) -> Showing:
        """Return what a strategy showed against the population, another strategy, or each of the others (None)."""
        sums = self._sums(strategy, against, seat)
        declared, played, above = (sums(name) for name in ("own_declared", "played", "above"))
        return Showing(
            ratio(sums("points"), sums("deals") * (self.players - 1)),
            ratio(declared, sums("deals")),
            ratio(sums("own_contested"), sums("own_followed")),
            ratio(sums("own_contracts"), declared),
            ratio(sums("own_made"), declared),
            ratio(sums("overpaid"), played),
            ratio(sums("left_over"), played),
            ratio(sums("above_made"), above),
            ratio(sums("above_overpaid"), above),
        )

    def behind(self) -> list[Figure]:
        """Return how far each strategy is behind the best against the population, in the same deals."""
        points = [self._sums(number, POPULATION, None)("points") for number in self.strategies]
        best, unit = max(points, key=np.sum), self.players * (self.players - 1)
        return [mean((best - own) / unit) for own in points]

    def _sums(self, strategy: int, against: int | None, seat: int | None) -> Callable[[str], NDArray[np.float64]]:
        """Return what sums up a column of some games of a strategy by deal: (deals,)."""
        met = self.columns["against"]
        chosen = self.columns["strategy"] == strategy
        chosen &= met != POPULATION if against is None else met == against
        if seat is not None:
            chosen &= self.columns["seat"] == seat
        rows = np.flatnonzero(chosen)
        deals = self.columns["deal"][rows]
        return lambda name: np.bincount(deals, self.columns[name][rows], self._deals).astype(np.float64)

    @property
    def strategies(self) -> range:
        """The numbers of the strategies."""
        return range(len(self.names))

    @property
    def seats(self) -> tuple[str, ...]:
        """What the seats are called, from forehand on."""
        return SEATS[self.players]


# -- saying it -------------------------------------------------------------------------------------------------------


def figure_text(name: str, figure: Figure) -> str:
    """Return a figure and how far its interval reaches: `+1.5 ± 0.5`, `62.5 ± 2.5 %`."""
    if np.isnan(figure.value):
        return "-"
    scale, unit = (100, " %") if name in _SHARES else (1, "")
    sign = "+" if name == "advantage" else ""
    return f"{scale * figure.value:{sign}.1f} ± {scale * (figure.high - figure.value):.1f}{unit}"


def population_table(found: Found) -> Table:
    """Return how each strategy fares against the others, drawn anew each deal, and how it bids."""
    heads = ("strategy", *_HEADS[:1], "behind the best", *_HEADS[1:])
    table = plain_table("against the population of the others, 95 % intervals", *heads)
    for number, (name, behind) in enumerate(zip(found.names, found.behind(), strict=True)):
        cells = [figure_text(*pair) for pair in found.showing(number)._asdict().items()]
        table.add_row(name, cells[0], figure_text("behind", behind), *cells[1:])
    return table


def seat_table(found: Found) -> Table:
    """Return the advantage and the share of contracts made of each strategy by the seat it bids from."""
    heads = [f"{name}, {seat}" for name in ("advantage", "made") for seat in found.seats]
    table = plain_table("by seat, against the population of the others", "strategy", *heads)
    for number, name in enumerate(found.names):
        showings = [found.showing(number, seat=seat) for seat in range(found.players)]
        advantages = [figure_text("advantage", showing.advantage) for showing in showings]
        table.add_row(name, *advantages, *(figure_text("made", showing.made) for showing in showings))
    return table


def tournament_table(found: Found) -> Table:
    """Return the advantage of each strategy against copies of each other one, and on average over them."""
    table = plain_table("tournament: advantage of row against copies of column", "strategy", *found.names, "on average")
    for number, name in enumerate(found.names):
        showings = [None if other == number else found.showing(number, against=other) for other in found.strategies]
        cells = ["0" if showing is None else figure_text("advantage", showing.advantage) for showing in showings]
        table.add_row(name, *cells, figure_text("advantage", found.showing(number, against=None).advantage))
    return table


def write_tables(found: Found, folder: Path) -> None:
    """Write strategies, strategies by seat, and pairs of strategies as CSV, all with the same figures."""
    figures = [part for name in Showing._fields for part in with_interval(name)]
    names, numbers, seats = found.names, found.strategies, range(found.players)
    strategies = [[names[one], *found.showing(one), behind] for one, behind in enumerate(found.behind())]
    write_csv(folder / "strategies.csv", ["strategy", *figures, *with_interval("behind_best")], strategies)
    by_seat = [[names[one], found.seats[seat], *found.showing(one, seat=seat)] for one in numbers for seat in seats]
    write_csv(folder / "seats.csv", ["strategy", "seat", *figures], by_seat)
    pairs = [(one, other) for one in numbers for other in numbers if one != other]
    tournament = [[names[one], names[other], *found.showing(one, against=other)] for one, other in pairs]
    write_csv(folder / "tournament.csv", ["strategy", "against", *figures], tournament)


def plot(found: Found, path: Path) -> None:
    """Draw what the strategies showed against the population, those that declare more often further to the right."""
    everything = [found.showing(number) for number in found.strategies]
    order = sorted(found.strategies, key=lambda number: everything[number].declares.value)
    showings, places = [everything[number] for number in order], list(found.strategies)
    paper, (left, middle, right) = drawing(15, panels=3)
    plot_figures(left, places, [showing.advantage for showing in showings], "all seats")
    for seat, name in enumerate(found.seats):
        advantages = [found.showing(number, seat=seat).advantage for number in order]
        plot_figures(left, [place + 0.1 * (seat + 1) for place in places], advantages, name)
    left.set_ylabel("points a deal over the mean of the others")
    for axes, names in ((middle, _PLOTTED_SHARES), (right, _PLOTTED_POINTS)):
        for field, label in names.items():
            plot_figures(axes, places, [getattr(showing, field) for showing in showings], label)
    middle.set_ylabel("share")
    right.set_ylabel("points a deal declared")
    for axes in (left, middle, right):
        axes.set_xticks(places, [found.names[number] for number in order], rotation=60, ha="right")
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=4, fontsize="small")
    save(paper, path)


def report(columns: Columns, names: Sequence[str], players: int, folder: Path) -> None:
    """Print and write what was found."""
    found, console = Found(columns, names, players), Console(width=None if sys.stdout.isatty() else WIDTH)
    for table in (population_table(found), seat_table(found), tournament_table(found)):
        console.print(table)
    write_tables(found, folder)
    plot(found, folder / "compare_bidding.png")
    print(f"\nwritten to {folder}")
