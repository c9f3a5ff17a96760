"""The league's tables: standings, the payoff matrix, pairs and other line-ups, as rich prints them.

A table that is wider than the terminal is turned, a line for each of its cells: figures cut to pieces say nothing.
"""

from rich.console import Console
from rich.table import Table

from agents.resampling import Figure
from agents.sequential import LOOK
from agents.standings import Report, Standing

AS_WIDE_AS_NEEDED = 10_000  # columns of a file or a pipe
_PER_CENT = ("contested", "declares", "made", "variance left")


def print_report(report: Report, console: Console) -> None:
    """Print all that a league has shown."""
    tables = [_standings(report), _matrix(report), _pairs(report)]
    for table in [*tables, *([_lineups(report)] if report.lineups else [])]:
        width = console.measure(table, options=console.options.update(max_width=AS_WIDE_AS_NEEDED)).maximum
        console.print(table if width <= console.width else turned(table))
    late = [standing for standing in report.standings if standing.times.late]
    for standing in late:
        times = standing.times
        console.print(
            f"{standing.bot}: {times.late} of {times.moves} moves took longer than {report.move_ms:g} ms, the worst "
            f"{times.worst_ms:.0f} ms; they stand, the bot has no place",
            markup=False,
            highlight=False,
        )


def turned(table: Table) -> Table:
    """Return a table with a line for each cell, behind the name of its column, and the rows below each other."""
    tall = Table(title=table.title, caption=table.caption, show_header=False)
    for _ in ("name", "cell"):
        tall.add_column(overflow="fold")
    for row in zip(*(column.cells for column in table.columns), strict=True):
        for column, cell in zip(table.columns, row, strict=True):
            tall.add_row(column.header, cell)
        tall.add_section()
    return tall


def figure_text(figure: Figure | None, places: int = 2, scale: float = 1) -> str:
    """Return a figure and its interval.

    >>> figure_text(Figure(0.5, 0.25, 0.75)), figure_text(None)
    ('+0.50 [+0.25, +0.75]', '-')
    """
    if figure is None:
        return "-"
    value, low, high = (part * scale for part in figure)
    return f"{value:+.{places}f} [{low:+.{places}f}, {high:+.{places}f}]"


def _share_text(name: str, figure: Figure | None) -> str:
    text = figure_text(figure, 1 if name in _PER_CENT else 0, 100 if name in _PER_CENT else 1)
    return text.replace("+", "") + (" %" if name in _PER_CENT and figure else "")


def plain_table(title: str, *columns: str) -> Table:
    """Return an empty table: names on the left, figures on the right."""
    table = Table(title=title)
    for place, column in enumerate(columns):
        table.add_column(column, justify="left" if place == 0 else "right", overflow="fold")
    return table


def _standings(report: Report) -> Table:
    played = f"{report.blocks} blocks, {report.games} games"
    title = f"{report.mode} league, rules {report.rules}, seed {report.seed}: {played}; {report.unit}, 95 % intervals"
    shares = list(report.standings[0].shares)
    wins = ["win rate"] if report.standings[0].wins else []
    timed = ["late moves"] if report.move_ms else []
    table = plain_table(
        title, "bot", "place", "rating", "advantage", "own bids gain", *wins, *shares, "ms a move", *timed
    )
    for standing in report.standings:
        table.add_row(*_standing_row(standing, has_late=bool(timed)))
    return table


def _standing_row(standing: Standing, *, has_late: bool) -> list[str]:
    times = standing.times
    return [
        standing.bot,
        "late" if standing.place is None else str(standing.place),
        figure_text(standing.rating, 0),
        figure_text(standing.advantage),
        figure_text(standing.bids_gain),
        *([figure_text(standing.wins, 3).replace("+", "")] if standing.wins else []),
        *(_share_text(name, figure) for name, figure in standing.shares.items()),
        f"{1000 * times.seconds / max(times.moves, 1):.3g}",
        *([f"{times.late}, worst {times.worst_ms:.0f} ms" if times.late else "none"] if has_late else []),
    ]


def _matrix(report: Report) -> Table:
    gains = {standing.bot: standing.bids_gain for standing in report.standings}
    table = plain_table(f"payoff: row against copies of column, {report.unit}", "bot", *report.bots, "own bids gain")
    for bot in report.bots:
        cells = ["0" if other == bot else figure_text(report.pair(bot, other).advantage) for other in report.bots]
        table.add_row(bot, *cells, figure_text(gains[bot]))
    return table


def _pairs(report: Report) -> Table:
    shares = list(report.pairs[0].shares)
    lucky = ["without luck", "variance left"] if report.pilot else []
    title = f"pairs, {report.unit}; verdicts hold at any number of blocks, all together"
    table = plain_table(title, "bot", "against", "advantage", *lucky, "own bids gain", *shares, "verdict")
    for pair in report.pairs:
        table.add_row(
            pair.bot,
            pair.other,
            figure_text(pair.advantage),
            *([figure_text(pair.adjusted), _share_text("variance left", pair.variance_left)] if lucky else []),
            figure_text(pair.bids_gain),
            *(_share_text(name, figure) for name, figure in pair.shares.items()),
            f"{pair.verdict.decision} ({pair.verdict.low:+.2f} to {pair.verdict.high:+.2f})",
        )
    if min(pair.verdict.blocks for pair in report.pairs) < LOOK:
        table.caption = f"no verdict before the first look, at {LOOK} blocks"
    return table


def _lineups(report: Report) -> Table:
    gains = {standing.bot: standing.bids_gain for standing in report.standings}
    table = plain_table(f"other line-ups, {report.unit}", "line-up", "bot", "advantage", "own bids gain")
    for seated in report.lineups:
        table.add_row(seated.lineup, seated.bot, figure_text(seated.advantage), figure_text(gains[seated.bot]))
    return table
