"""A league: any number of bots, each meeting all others, on the same deals.

    python -m agents.league heuristic "heuristic margin=20" passer --deals 2000
    python -m agents.league heuristic passer uniform --rules "classic players=4" --mode match --deals 200
    python -m agents.league heuristic "policy path=runs/default" --database runs/league.db --until-decided

With a database, the same command goes on after Ctrl-C, or worse, and --deals may grow. Deals and matches are leagues of
their own. What the tables show is in agents/lineups.py (who meets whom), agents/ratings.py, agents/sequential.py
(verdicts), agents/luck.py (--pilot) and agents/stopwatch.py (--move-ms).
"""

import dataclasses
import itertools
import json
import os
import signal
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent
from types import FrameType
from typing import Any, Literal

import tyro
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from agents.arena import MATCH, MAX_DEALS
from agents.evidence import Evidence
from agents.league_tables import AS_WIDE_AS_NEEDED, print_report
from agents.lineups import ALONE, PILOT, SILENT, Chunk, Plan, missing, seats_of
from agents.luck import LEAST_PILOT
from agents.ratings import Live
from agents.scoreboard import Ticker
from agents.sequential import LOOK, MARGINS, OPEN, next_look
from agents.spec import bots_help
from agents.standings import Report, decide, report
from agents.store import Book, Played, unpack_tallies
from agents.workers import Player, play_all
from thousand_env.engine import warm_up
from thousand_env.errors import ThousandError
from thousand_env.output import reader_may_leave
from thousand_env.rules import as_rules

_LIVE_GAMES = 20  # of each chunk go into the live figure: it must cost nothing beside the games


@dataclass(frozen=True)
class Config:
    """What the league is, how it is played, and what is written."""

    bots: tyro.conf.Positional[tuple[str, ...]]
    """Bots, two or more, such as heuristic or "heuristic margin=10"."""
    deals: int = 1000
    """Blocks: deals, or matches, each played in every seating of every line-up."""
    mode: Literal["deal", "match"] = "deal"
    """Single deals for points, or whole matches for stakes."""
    rules: str = "core"
    """The table: a preset and differences, such as "classic players=4"."""
    seed: int = 0
    """Which deals: they are the same for all bots."""
    max_deals: int = MAX_DEALS
    """Where endless matches are truncated."""
    mixed: bool = True
    """Play line-ups of three and more different bots, too."""
    bids: bool = True
    """Play every pair again with the bot's mouth shut, for what its own bids gain."""
    pilot: int = 0
    """Deals played first to learn what the cards alone decide, which is then taken out of the results."""
    until_decided: bool = False
    """Stop before --deals as soon as every pair is decided."""
    margin: float | None = None
    """The difference that verdicts are about; 1 point a deal, 0.05 stakes a match."""
    move_ms: float = 0
    """Time limit for a move; 0 is none. A late move stands, but the bot has no place in the table."""
    workers: int = os.cpu_count() or 1
    """Processes that play; no figure depends on it."""
    chunk: int = 100
    """Blocks a worker plays at a time, of one line-up: few for slow bots. No figure depends on it."""
    database: Path | None = None
    """The file that keeps the games, to go on with; without one they are forgotten."""
    json: bool = False
    """Print one JSON object instead of tables."""
    parquet: Path | None = None
    """A file for every game with its transcript; large, and slow to write."""
    plots: Path | None = None
    """A folder for pictures: payoff matrix and ratings."""

    def __post_init__(self) -> None:
        for name, least in (("deals", 2), ("max_deals", 1), ("pilot", 0), ("move_ms", 0), ("workers", 1), ("chunk", 1)):
            if getattr(self, name) < least:
                raise ThousandError(f"{name}={getattr(self, name)}: expected at least {least}")
        if max(self.deals, self.pilot) >= PILOT:
            raise ThousandError(f"deals={self.deals} pilot={self.pilot}: expected fewer than {PILOT}")
        if self.pilot and (self.pilot < LEAST_PILOT or self.mode == MATCH):
            raise ThousandError(
                f"pilot={self.pilot} mode={self.mode}: expected 0, or at least {LEAST_PILOT} in deal mode"
            )
        if self.margin is not None and self.margin <= 0:
            raise ThousandError(f"margin={self.margin:g}: expected more than 0")
        as_rules(self.rules)

    def plan(self) -> Plan:
        """Return all that decides what happens in the league's games."""
        rules = as_rules(self.rules)
        if self.mode == MATCH and not rules.max_deals:
            rules = rules.replace(max_deals=self.max_deals)
        return Plan(self.bots, rules, self.mode, self.seed, self.mixed, self.bids, self.move_ms)


class League:
    """A league being played: a plan, a book, and how far they have come."""

    def __init__(self, config: Config) -> None:
        self.config, self.plan = config, config.plan()
        self.player = Player(self.plan)
        warm_up()
        moves = {spec: self.player.signature(bot) for bot, spec in enumerate(self.plan.bots)}
        self.book = Book(config.database, _settings(self.plan, config) | {"moves of a first deal": moves})
        self.margin = MARGINS[config.mode] if config.margin is None else config.margin
        self.live = Live(self.plan.bots)
        self.stop = False

    def chunks(self, first: int, end: int) -> list[Chunk]:
        """Return what is still to be played of the blocks from `first` to `end`, all line-ups side by side."""
        done, found = self.book.done(), list[Chunk]()
        for number, lineup in enumerate(self.plan.lineups):
            if first < PILOT or lineup.kind == ALONE:
                pieces = missing(done.get(number, []), first, end, self.config.chunk)
                found += [Chunk(number, *piece) for piece in pieces]
        return sorted(found, key=lambda chunk: (chunk.first, chunk.lineup))

    def play(self, progress: Progress) -> int:
        """Play the pilot, then the league, and return how many blocks it came to."""
        config = self.config
        if config.pilot:
            self._play(self.chunks(PILOT, PILOT + config.pilot), progress, progress.add_task("pilot", note=""))
        bar = progress.add_task("games", total=self.games_of(self.chunks(0, config.deals)), note="")
        end = min(LOOK, config.deals) if config.until_decided else config.deals
        while not self.stop:
            self._play(self.chunks(0, end), progress, bar)
            if self.stop or end == config.deals or self.decided(end):
                break
            end = min(next_look(end), config.deals)
        return end

    def games_of(self, chunks: list[Chunk]) -> int:
        """Return how many games some chunks are."""
        return sum(chunk.blocks * len(self.plan.lineups[chunk.lineup].seatings) for chunk in chunks)

    def _play(self, chunks: list[Chunk], progress: Progress, bar: TaskID) -> None:
        if progress.tasks[bar].total is None:
            progress.update(bar, total=self.games_of(chunks))
        ticker = Ticker("games")

        def done(played: Played) -> None:
            self.book.add(played)
            self._see(played)
            progress.update(bar, advance=self.games_of([played.chunk]), note=str(self.live))
            if not progress.console.is_terminal:
                ticker(int(progress.tasks[bar].completed), int(progress.tasks[bar].total or 0))

        play_all(self.player, chunks, workers=self.config.workers, done=done, stopped=lambda: self.stop)

    def _see(self, played: Played) -> None:
        lineup = self.plan.lineups[played.chunk.lineup]
        if lineup.kind != SILENT:
            column = "stakes" if self.plan.mode == MATCH else "points"
            tallies = unpack_tallies(played.tallies, self.plan.rules.players)[column][:_LIVE_GAMES]
            self.live.see(seats_of(lineup, played.chunk.blocks)[:_LIVE_GAMES], tallies)

    def decided(self, end: int) -> bool:
        """Whether the first `end` blocks decide between all bots."""
        evidence = Evidence(self.plan, self.book, end)
        pairs = itertools.permutations(range(len(self.plan.bots)), 2)
        return all(decide(evidence, *pair, self.margin).decision != OPEN for pair in pairs)

    def has_figures(self, end: int) -> bool:
        """Whether every line-up has the two blocks that an interval needs."""
        evidence = Evidence(self.plan, self.book, end)
        return all(len(evidence.games(number).blocks) > 1 for number in range(len(self.plan.lineups)))

    def report(self, end: int) -> Report:
        """Return what the first `end` blocks show, as far as they are played."""
        evidence = Evidence(self.plan, self.book, end)
        return report(evidence, self.book.times(), margin=self.margin, pilot=self.config.pilot)


def _settings(plan: Plan, config: Config) -> dict[str, Any]:
    """Return what two runs must have in common to share a book."""
    shared = dataclasses.asdict(plan) | {"rules": str(plan.rules), "bots": list(plan.bots)}
    return shared | {"pilot": config.pilot}


@contextmanager
def _asked_to_stop(league: League, console: Console) -> Generator[None]:
    """Let the first Ctrl-C stop the league after the chunks in hand; the second one ends it at once."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        if league.stop:
            raise KeyboardInterrupt
        league.stop = True
        console.print("stopping after the games in hand; once more to leave them ...")

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def play(config: Config, console: Console) -> tuple[League, int]:
    """Play a league with a bar on `console`; return it and how many blocks it came to."""
    with console.status("every bot plays a first deal ..."):
        league = League(config)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    note = TextColumn("{task.fields[note]}", markup=False)
    with _asked_to_stop(league, console), Progress(*columns, note, console=console) as progress:
        return league, league.play(progress)


def show(league: League, end: int, console: Console) -> None:
    """Print what a league has shown and write the files that were asked for."""
    config, found = league.config, league.report(end)
    if config.json:
        print(json.dumps(found.as_dict()))
    else:
        print_report(found, Console(width=None if sys.stdout.isatty() else AS_WIDE_AS_NEEDED))
    if config.plots:
        from agents.plots import save_plots

        save_plots(found, config.plots)
    if config.parquet:
        from agents.games_file import write_games

        with Progress(console=console) as progress:
            bar = progress.add_task("transcripts", total=found.games)
            write_games(league.plan, league.book, config.parquet, lambda games: progress.advance(bar, games))


def _stopped(config: Config) -> str:
    return (
        f"stopped; the same command goes on with {config.database}" if config.database else "stopped, nothing is kept"
    )


@reader_may_leave()
def main(arguments: list[str] | None = None) -> int:
    """Play a league as the command line says; return the exit status."""
    console = Console(stderr=True)
    try:
        description = f"{__doc__}\nbots, and what a spec may set:\n\n{indent(bots_help(), '    ')}"
        config = tyro.cli(Config, prog="python -m agents.league", args=arguments, description=description)
        league, end = play(config, console)
        if not league.stop or league.has_figures(end):
            show(league, end, console)
        league.book.close()
        if league.stop:
            console.print(_stopped(config), markup=False, highlight=False)
            return 130
    except KeyboardInterrupt:
        console.print("stopped; chunks that were finished are kept in the database, if there is one")
        return 130
    except ThousandError as error:
        console.print(f"league: {error}", style="red", markup=False, highlight=False)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
