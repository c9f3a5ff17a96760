"""Leagues: every seating of every line-up, the same figures as duels, and runs that may be cut off anywhere."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console
from rich.progress import Progress

from agents.arena import bids_gain, duel, evaluation_seed
from agents.evidence import Evidence
from agents.league import Config, League, main
from agents.league_tables import figure_text, print_report
from agents.lineups import SILENT, Chunk, Plan
from agents.standings import report
from agents.stopwatch import Stopwatch, Times
from agents.store import Book, unpack_moves
from agents.workers import Player, play_all
from thousand_env.errors import ThousandError
from thousand_env.game import Game
from thousand_env.rules import RuleSet

BOTS = ("uniform", "passer", "heuristic")
TABLES = ["core", "classic players=2", "classic players=4 dealer_scores=fixed"]


@pytest.fixture(autouse=True)
def _closed_books(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    opened: list[Book] = []

    def open_book(path: Path | None, settings: dict[str, Any]) -> Book:
        opened.append(Book(path, settings))
        return opened[-1]

    monkeypatch.setattr("agents.league.Book", open_book)
    yield
    for book in opened:
        book.close()


def league(*bots: str, database: Path | None = None, **fields: Any) -> League:
    """A league played to its end in this process."""
    settings: dict[str, Any] = {"workers": 1, "deals": 10, "database": database} | fields
    played = League(Config(bots, **settings))
    with Progress(console=Console(quiet=True)) as progress:
        played.play(progress)
    return played


def contents(book: Book) -> dict[tuple[int, int, int], bytes]:
    """Every game of a book, whatever the chunks it was played in: (line-up, block, number there) -> actions."""
    games: dict[tuple[int, int, int], bytes] = {}
    for chunk, _, moves in book.games():
        actions = unpack_moves(moves)
        each = len(actions) // chunk.blocks
        for place, game in enumerate(actions):
            key = chunk.lineup, chunk.first + place // each, place % each
            assert key not in games
            games[key] = game
    return games


def figures(played: League, end: int) -> dict[str, Any]:
    """Everything a league shows, but for times."""
    found = report(Evidence(played.plan, played.book, end), {}, margin=1, pilot=0).as_dict()
    return json.loads(json.dumps(found))


# -- figures ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("mode", ["deal", "match"])
def test_pairs_show_what_duels_show(table: str, mode: str) -> None:
    played = league("heuristic", "uniform", deals=6, rules=table, mode=mode, max_deals=10, seed=3, chunk=4)
    evidence = Evidence(played.plan, played.book)
    for bot, other in ((0, 1), (1, 0)):
        specs = played.plan.bots[bot], played.plan.bots[other]
        alone = duel(*specs, deals=6, rules=table, mode=mode, max_deals=10, seed=3)
        assert evidence.results(evidence.duel(bot, other)) == pytest.approx(alone.block_results)
        found = evidence.advantage([evidence.duel(bot, other)])
        assert found is not None
        assert found.value == pytest.approx(alone.advantage)
        assert evidence.gains(bot, other)[1].mean() == pytest.approx(bids_gain(alone, *specs)[0])
        shares = evidence.shares([evidence.duel(bot, other)])
        contract, declares = shares["contract"], shares["declares"]
        assert contract is not None
        assert declares is not None
        assert contract.value == pytest.approx(alone.own_mean_contract)
        assert declares.value == pytest.approx(alone.declarer_share)


def test_a_share_of_nothing_or_all_has_an_interval() -> None:
    evidence = Evidence((played := league("heuristic", "uniform", deals=6, mode="match")).plan, played.book)
    cells = [evidence.duel(0, 1)]
    won, advantage = evidence.wins(cells), evidence.advantage(cells)
    assert won is not None
    assert advantage is not None
    assert won.value == won.high == 1
    assert advantage.value == advantage.high == 1.5
    assert won.low == pytest.approx(0.025 ** (1 / 6))
    assert advantage.low == pytest.approx(1.5 - 3 * (1 - won.low))


@pytest.mark.parametrize("table", TABLES)
def test_the_advantages_of_a_lineup_cancel_out(table: str) -> None:
    played = league(*BOTS, deals=4, rules=table)
    evidence = Evidence(played.plan, played.book)
    for number, lineup in enumerate(played.plan.lineups):
        shares = [lineup.members.count(bot) * evidence.results((number, bot)) for bot in lineup.bots]
        assert sum(shares) == pytest.approx(np.zeros(4))


def test_every_figure_has_an_interval_around_it() -> None:
    shown = figures(league(*BOTS, deals=30), 30)

    found = [shown[part][place] for part in ("standings", "pairs", "lineups") for place in range(len(shown[part]))]
    named = [value for item in found for name, value in item.items() if name in ("rating", "advantage", "bids_gain")]
    shares = [value for item in found for value in item.get("shares", {}).values() if value is not None]
    assert (len(found), len(named)) == (3 + 6 + 3, 3 * 3 + 6 * 2 + 3)
    assert len(shares) > 4 * (3 + 6) / 2
    assert all(low <= value <= high for value, low, high in named + shares)


def test_a_game_of_the_book_replays_to_its_tally() -> None:
    played = league("heuristic", "passer", deals=3, rules="classic", seed=2)
    moves = contents(played.book)
    evidence = Evidence(played.plan, played.book)
    for (number, block, seating), actions in moves.items():
        game = Game("classic", evaluation_seed(2), block)
        for action in actions:
            game.play(action)
        total = sum(game.score)
        results = evidence.games(number).results[block, seating]
        assert [3 * score - total for score in game.score] == results.tolist()


# -- workers and books -----------------------------------------------------------------------------------------------


def test_neither_workers_nor_chunks_change_a_figure(tmp_path: Path) -> None:
    alone = league(*BOTS, deals=12, chunk=12)
    apart = league(*BOTS, deals=12, chunk=5, workers=2, database=tmp_path / "league.db")
    assert contents(alone.book) == contents(apart.book)
    assert figures(alone, 12) == figures(apart, 12)


def test_a_league_may_grow(tmp_path: Path) -> None:
    league(*BOTS, deals=5, chunk=2, database=tmp_path / "league.db").book.close()
    grown = league(*BOTS, deals=12, chunk=4, database=tmp_path / "league.db")
    assert contents(grown.book) == contents(league(*BOTS, deals=12).book)


def command(*arguments: str) -> subprocess.Popen[str]:
    """A league in a process of its own."""
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-m", "agents.league", *arguments], stdout=pipe, stderr=pipe, text=True, start_new_session=True
    )


def wait_for_chunks(path: Path, count: int) -> None:
    """Wait until a run has written so many chunks; it must not end before."""
    for _ in range(1200):
        time.sleep(0.05)
        if path.exists():
            try:
                with closing(sqlite3.connect(path)) as rows:
                    if rows.execute("SELECT count(*) FROM chunks").fetchone()[0] >= count:
                        return
            except sqlite3.OperationalError:
                continue  # not begun yet
    raise AssertionError("no chunk in a minute")


def test_a_run_that_is_killed_goes_on_to_the_same_end(tmp_path: Path) -> None:
    path, deals = tmp_path / "league.db", 400
    arguments = ("passer", "uniform", "--deals", str(deals), "--chunk", "1", "--workers", "2", "--database", str(path))
    with command(*arguments) as run:
        wait_for_chunks(path, 5)
        os.kill(run.pid, signal.SIGKILL)
    assert run.returncode == -signal.SIGKILL
    with closing(sqlite3.connect(path)) as rows:
        killed = rows.execute("SELECT count(*) FROM chunks").fetchone()[0]
    whole = league("passer", "uniform", deals=deals)
    assert 5 <= killed < deals * len(whole.plan.lineups)
    resumed = league("passer", "uniform", deals=deals, database=path)
    assert contents(resumed.book) == contents(whole.book)
    assert figures(resumed, deals) == figures(whole, deals)


def test_ctrl_c_keeps_what_is_done(tmp_path: Path) -> None:
    path = tmp_path / "league.db"
    arguments = ("passer", "uniform", "--deals", "100000", "--chunk", "2", "--workers", "1", "--database", str(path))
    with command(*arguments) as run:
        wait_for_chunks(path, 5)
        run.send_signal(signal.SIGINT)
        shown, said = run.communicate(timeout=60)
    assert run.returncode == 130
    assert "the same command goes on with" in said.replace("\n", " ")
    assert "payoff" in shown
    with closing(sqlite3.connect(path)) as rows:
        assert rows.execute("SELECT sum(blocks) FROM chunks").fetchone()[0] >= 5 * 2


def test_a_database_of_other_settings_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "league.db"
    league(*BOTS, deals=2, database=path).book.close()
    for change, said in (
        ({"seed": 1}, r"seed is 0 in this database, 1 was asked for"),
        ({"rules": "classic"}, r'rules is "core" in this database, "classic" was'),
        ({"bids": False}, r"bids is true in this database, false was"),
    ):
        with pytest.raises(ThousandError, match=said):
            league(*BOTS, deals=2, database=path, **change)


def test_a_bot_that_plays_otherwise_than_it_did_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "league.db"
    league(*BOTS, deals=2, database=path).book.close()
    monkeypatch.setattr("agents.workers._WARM_UP_SEED", 1)  # its first deal is another one
    with pytest.raises(ThousandError, match="moves of a first deal is"):
        league(*BOTS, deals=2, database=path)


def test_another_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "league.db"
    path.write_text("not a database, but long enough to be looked at " * 50)
    with pytest.raises(ThousandError, match=r"league\.db: file is not a database"):
        league(*BOTS, deals=2, database=path)


def test_two_runs_cannot_write_the_same_chunk() -> None:
    player = Player(Plan(BOTS, RuleSet(), "deal", 0))
    with closing(Book(None, {})) as book:
        book.add(player.play(Chunk(0, 0, 1)))
        with pytest.raises(ThousandError, match="expected one run at a time"):
            book.add(player.play(Chunk(0, 0, 2)))
        assert book.done() == {0: [(0, 1)]}


def test_a_league_that_is_stopped_finishes_no_more_than_the_chunks_in_hand() -> None:
    played = list[Chunk]()
    player = Player(Plan(BOTS, RuleSet(), "deal", 0))
    chunks = [Chunk(0, first, 1) for first in range(10)]
    play_all(player, chunks, workers=1, done=lambda found: played.append(found.chunk), stopped=lambda: len(played) > 2)
    assert played == chunks[:3]


# -- time ------------------------------------------------------------------------------------------------------------


def test_a_limit_changes_no_move_and_late_moves_are_counted() -> None:
    free, hurried = league(*BOTS, deals=2), league(*BOTS, deals=2, move_ms=1e-6)
    assert contents(free.book) == contents(hurried.book)
    standings = hurried.report(2).standings
    moves = sum(map(len, contents(hurried.book).values()))
    assert sum(standing.times.late for standing in standings) == moves
    assert all(standing.place is None and standing.times.worst_ms > 0 for standing in standings)
    assert [standing.place for standing in free.report(2).standings] == [1, 2, 3]


def test_a_stopwatch_tells_late_moves_from_others() -> None:
    class Sleepy:
        def act(self, views: Any, masks: Any, keys: Any) -> Any:  # noqa: ARG002 an agent's signature
            time.sleep(0.01 * len(views))
            return keys

    keys: Any = np.arange(3)
    strict, patient = Stopwatch(Sleepy(), 5), Stopwatch(Sleepy(), 60_000)
    assert strict.act(keys, keys, keys).tolist() == patient.act(keys, keys, keys).tolist() == [0, 1, 2]
    assert (strict.times.late, patient.times.late) == (3, 0)
    assert strict.times.worst_ms >= 10
    assert (strict.times + Times(1, 1.0, 1, 1e9)).worst_ms == 1e9


# -- the command line ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["deal", "match"])
def test_json_holds_the_figures(capsys: pytest.CaptureFixture[str], mode: str) -> None:
    arguments = ["--deals", "4", "--workers", "1", "--mode", mode, "--max-deals", "10", "--json"]
    assert main([*BOTS, *arguments]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["mode"], found["blocks"], found["bots"]) == (mode, 4, list(BOTS))
    assert found["unit"] == ("points a deal" if mode == "deal" else "stakes a match")
    assert len(found["standings"]) == 3
    assert len(found["pairs"]) == 6
    assert all((standing["wins"] is not None) == (mode == "match") for standing in found["standings"])


def test_tables_name_every_bot_and_what_its_bids_gain(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*BOTS, "--deals", "100", "--pilot", "80", "--workers", "1", "--seed", "2"]) == 0
    shown = capsys.readouterr().out
    assert shown.count("own bids gain") == 4
    assert "deal league, rules core, seed 2: 100 blocks" in shown
    for word in ("rating", "payoff", "without luck", "variance left", "verdict", *BOTS):
        assert word in shown


@pytest.mark.parametrize("width", [60, 80, 100, 250])
def test_no_figure_is_cut_however_narrow_the_terminal(width: int) -> None:
    played = league("heuristic", "heuristic margin=20", deals=5)
    shown = StringIO()
    print_report(found := played.report(5), Console(file=shown, width=width))
    lines = shown.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    for figure in (
        *(figure_text(standing.rating, 0) for standing in found.standings),
        *(figure_text(pair.advantage) for pair in found.pairs),
        *(figure_text(pair.bids_gain) for pair in found.pairs),
    ):
        assert any(figure in line for line in lines)


def test_before_the_first_look_the_tables_say_when_it_is() -> None:
    played = league("heuristic", "passer", deals=4)
    shown = StringIO()
    print_report(played.report(4), Console(file=shown, width=250))
    assert "no verdict before the first look, at 500 blocks" in shown.getvalue()


def test_a_league_stops_when_all_pairs_are_decided() -> None:
    played = league("heuristic", "passer", deals=1500, until_decided=True, bids=False)
    assert max(block for _, block, _ in contents(played.book)) == 499
    decisions = {(pair.bot, pair.other): pair.verdict.decision for pair in played.report(500).pairs}
    assert decisions == {("heuristic", "passer"): "wins", ("passer", "heuristic"): "loses"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("heuristic", "nobody"), "bot 'nobody': no bot has this name"),
        (("heuristic",), "bots heuristic: expected at least two"),
        (("heuristic", "passer", "--rules", "chess"), "'chess' is not a preset"),
        (("heuristic", "passer", "--deals", "1"), "deals=1: expected at least 2"),
        (("heuristic", "passer", "--pilot", "5"), "pilot=5 mode=deal: expected 0, or at least 80"),
        (("heuristic", "passer", "--margin", "0"), "margin=0: expected more than 0"),
    ],
)
def test_a_mistake_is_said_without_a_traceback(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    try:
        status = main(list(arguments))
    except SystemExit as left:  # the fields of the command line are checked while it is read
        status = left.code
    error = capsys.readouterr().err
    assert status == 2
    assert said in " ".join(error.split())
    assert "Traceback" not in error


def test_a_silent_bot_opens_at_100_or_passes() -> None:
    played = league("heuristic", "uniform", deals=3)
    silent = [number for number, lineup in enumerate(played.plan.lineups) if lineup.kind == SILENT]
    evidence = Evidence(played.plan, played.book)
    for number in silent:
        challenger = max(played.plan.lineups[number].bots)
        contested = evidence.ratio([(number, challenger)], "own_contested", "deals")
        assert contested is not None
        assert contested.value == 0
