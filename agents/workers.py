"""Workers: processes that play chunks of a league, each with its own bots.

A chunk depends on nothing but the plan: cards and keys come from addresses, bots are built from their specs. So it does
not matter who plays it, or when. Workers are spawned, never forked; the parent has played a deal with every bot before,
so that all kernels are compiled and the workers only load them.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from hashlib import sha256
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.agent import Agent
from agents.arena import DEAL, MATCH, play_games
from agents.lineups import Chunk, Plan, seats_of
from agents.passer import PassingBids
from agents.spec import load
from agents.stopwatch import Stopwatch
from agents.store import Played, pack_moves, pack_tallies
from agents.tally import TALLY_DTYPE, count_deals, count_matches
from thousand_env.actions import NUM_ACTIONS
from thousand_env.errors import ThousandError

_WARM_UP_SEED = 0x3A93
_IN_HAND = 2  # chunks given to each worker at a time, so that none waits

assert NUM_ACTIONS <= 256, "an action is stored as a byte"


class Diary:
    """Every action of some games, in order."""

    def __init__(self, games: int) -> None:
        self._games = games
        self._rows: list[NDArray[np.int64]] = []
        self._actions: list[NDArray[np.int64]] = []

    def note(self, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """Take down one action in each of some games."""
        self._rows.append(rows)
        self._actions.append(actions)

    def games(self) -> list[bytes]:
        """Return the actions of each game, a byte each."""
        rows = np.concatenate(self._rows)
        actions = np.concatenate(self._actions)[rows.argsort(kind="stable")].astype(np.uint8).tobytes()
        ends = np.cumsum(np.bincount(rows, minlength=self._games))
        return [actions[start:end] for start, end in zip([0, *ends[:-1]], ends, strict=True)]


class Player:
    """Plays chunks of a plan in this process; a bot is built when it is first needed, and kept."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._bots: dict[int, Agent] = {}

    def bot(self, number: int) -> Agent:
        """Return a bot by its number; one that is timed plays a deal first, so that its kernels are loaded."""
        if number not in self._bots:
            spoken = number % len(self.plan.bots)
            agent = load(self.plan.bots[spoken], self.plan.rules)
            self._bots[number] = agent if spoken == number else PassingBids(agent)
            if self.plan.move_ms:
                self.signature(number)
        return self._bots[number]

    def signature(self, number: int) -> str:
        """Return a fingerprint of a bot: of the actions of a deal in which it plays every seat."""
        seats = np.zeros((1, self.plan.rules.players), np.int64)
        _, diary = self._games([self.bot(number)], seats, _WARM_UP_SEED, np.zeros(1, np.int64), DEAL)
        return sha256(diary.games()[0]).hexdigest()[:16]

    def play(self, chunk: Chunk) -> Played:
        """Play a chunk: every seating of its line-up, block by block."""
        plan, lineup = self.plan, self.plan.lineups[chunk.lineup]
        seats = np.searchsorted(lineup.bots, seats_of(lineup, chunk.blocks))
        bots = [Stopwatch(self.bot(number), plan.move_ms) for number in lineup.bots]
        blocks = chunk.first + np.arange(len(seats)) // len(lineup.seatings)
        tallies, diary = self._games(bots, seats, plan.seed_of(chunk), blocks, plan.mode)
        times = {number: bot.times for number, bot in zip(lineup.bots, bots, strict=True)}
        return Played(chunk, pack_tallies(tallies.T), pack_moves(diary.games()), times)

    def _games(
        self, bots: Sequence[Agent], seats: NDArray[np.int64], seed: int, blocks: NDArray[np.int64], mode: str
    ) -> tuple[NDArray[Any], Diary]:
        """Play the games of some seats (N, players); return a tally of each seat (players, N) and the actions."""
        rules, table, diary = self.plan.rules, self.plan.rules.array(), Diary(len(seats))
        tallies = np.zeros((rules.players, len(seats)), TALLY_DTYPE)
        owners = [np.full(len(seats), seat) for seat in range(rules.players)]

        def scored(states: NDArray[Any], rows: NDArray[np.int64]) -> None:
            for own, tally in zip(owners, tallies, strict=True):
                count_deals(states, table, rows, own, tally)

        states, _ = play_games(bots, seats, rules, seed=seed, blocks=blocks, mode=mode, scored=scored, acted=diary.note)
        if mode == MATCH:
            for own, tally in zip(owners, tallies, strict=True):
                count_matches(states, table, own, tally)
        return tallies, diary


def play_all(
    player: Player,
    chunks: Iterable[Chunk],
    *,
    workers: int,
    done: Callable[[Played], None],
    stopped: Callable[[], bool],
) -> None:
    """Play chunks and hand each to `done`, in whatever order they are finished, until `stopped` says so.

    One worker plays in this process. Chunks in hand are finished and handed over before it returns.
    """
    if workers > 1:
        _play_spawned(player.plan, iter(chunks), workers=workers, done=done, stopped=stopped)
        return
    for chunk in chunks:
        if stopped():
            return
        done(player.play(chunk))


def _play_spawned(
    plan: Plan, chunks: Iterable[Chunk], *, workers: int, done: Callable[[Played], None], stopped: Callable[[], bool]
) -> None:
    queue = iter(chunks)
    spawn = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, spawn, initializer=_start_worker, initargs=(plan,))
    try:
        given: set[Future[Played]] = {pool.submit(_play_here, chunk) for chunk in islice(queue, _IN_HAND * workers)}
        while given:
            finished, given = wait(given, return_when=FIRST_COMPLETED)
            for future in finished:
                done(future.result())
            if stopped():
                given = {future for future in given if not future.cancel()}
            else:
                given |= {pool.submit(_play_here, chunk) for chunk in islice(queue, len(finished))}
    except KeyboardInterrupt:
        for child in multiprocessing.active_children():
            child.terminate()
        raise
    except BrokenProcessPool:
        raise ThousandError("a worker process ended by itself; expected it to play: is there enough memory?") from None
    finally:
        pool.shutdown(cancel_futures=True)


# -- in a worker -----------------------------------------------------------------------------------------------------

_player: Player | None = None


def _start_worker(plan: Plan) -> None:
    global _player
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the parent decides what it means
    threading.Thread(target=_die_with_parent, daemon=True).start()
    _player = Player(plan)


def _die_with_parent() -> None:
    """A worker waits for work on a pipe that it holds open itself, so it would outlive a parent that was killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _play_here(chunk: Chunk) -> Played:
    assert _player is not None, "started by `_start_worker`"
    return _player.play(chunk)
