"""A stopwatch beside a bot: how long its moves take, and how many took longer than allowed.

A move that comes too late stands. Who would replace it by another makes every result depend on the machine and on what
else it was doing, so that none could be repeated; instead the bot loses its place: a league counts its late moves,
shows the worst, and ranks it no more.
"""

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.agent import Agent, sees_all


@dataclass(frozen=True)
class Times:
    """How long a bot thought: moves and seconds in all; with a limit, late moves and the longest one too."""

    moves: int = 0
    seconds: float = 0.0
    late: int = 0
    worst_ms: float = 0.0

    def __add__(self, other: "Times") -> "Times":
        return Times(
            self.moves + other.moves,
            self.seconds + other.seconds,
            self.late + other.late,
            max(self.worst_ms, other.worst_ms),
        )


class Stopwatch:
    """Another bot, timed. With a limit it is asked one question at a time, which changes no answer, only the speed."""

    def __init__(self, agent: Agent, limit_ms: float = 0) -> None:
        self._agent, self._limit_ms = agent, limit_ms
        self.times = Times()
        self.sees_all = sees_all(agent)

    def __str__(self) -> str:
        return str(self._agent)

    def act(self, views: NDArray[Any], masks: NDArray[np.int8], keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the bot's own actions."""
        if not self._limit_ms:
            return self._timed(views, masks, keys)
        rows = range(len(views))
        answers = [self._timed(views[i : i + 1], masks[i : i + 1], keys[i : i + 1]) for i in rows]
        return np.concatenate(answers)

    def _timed(self, views: NDArray[Any], masks: NDArray[np.int8], keys: NDArray[np.int64]) -> NDArray[np.int64]:
        start = time.perf_counter()
        actions = self._agent.act(views, masks, keys)
        seconds = time.perf_counter() - start
        worst = 1000 * seconds if self._limit_ms else 0.0
        self.times += Times(len(views), seconds, int(worst > self._limit_ms), worst)
        return actions
