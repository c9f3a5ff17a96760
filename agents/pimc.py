"""`pimc`: perfect-information Monte Carlo. Every action is solved exactly in some sampled worlds, and averaged.

What the solver assumes, that all see all cards, makes a declarer look weaker than he is and a bot careless of what it
gives away (Levy 1989; Long, Sturtevant, Buro and Furtak 2010). So worlds are also played out by the heuristic, who
sees his own cards only, and an action is worth the mean of both. Playouts are cheap: many worlds are played out, and
a few of them solved, which tells by how much to correct the many (a control variate: what is lucky in a world is lucky
both ways). The heuristic's own action is taken unless another is better by more than chance: an average over some
worlds errs, and the best of some erring averages errs most.
"""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.belief import worlds_of
from agents.heuristic import Heuristic
from agents.monte_carlo import candidates
from agents.open_values import OpenValues
from thousand_env.errors import ThousandError
from thousand_env.rng import derive
from thousand_env.rules import RuleSet

RULED_OUT = 3  # standard errors below the heuristic's action that spare an action from being solved
_BATCH = 5  # worlds between two looks at the clock

Value = Callable[[NDArray[Any], NDArray[np.int64]], NDArray[np.float64]]


@dataclass(frozen=True)
class Pimc:
    """Solves the actions that have a chance in sampled worlds, after playing all out in more of them.

    For each decision `playouts` worlds are played out, none if 0, and `worlds` of them solved. They are as likely as
    the auction makes them, with `belief` off each as likely as any other. Another action than the heuristic's must look
    better by `caution` hundredths of a standard error. When `ms` is not 0 there are as many worlds as so many
    milliseconds allow, and a seed no longer tells the moves.
    """

    rules: RuleSet
    worlds: int = 30
    playouts: int = 300
    caution: int = 100
    belief: bool = True
    ms: int = 0
    heuristic: Heuristic = field(init=False, repr=False, compare=False)
    room: OpenValues = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.ms and 0 < self.playouts < self.worlds:
            raise ThousandError(
                f"pimc: playouts={self.playouts} and worlds={self.worlds}: expected no playouts, or no fewer than "
                "worlds are solved"
            )
        object.__setattr__(self, "heuristic", Heuristic(self.rules))
        object.__setattr__(self, "room", OpenValues(self.rules))

    def __str__(self) -> str:
        budget = f"ms={self.ms}" if self.ms else f"worlds={self.worlds}"
        playouts = "" if self.playouts == 300 else f" playouts={self.playouts}"
        caution = "" if self.caution == 100 else f" caution={self.caution}"
        return f"pimc {budget}{playouts}{caution}{'' if self.belief else ' belief=no'}"

    def act(self, views: NDArray[Any], masks: NDArray[np.int8], keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the action that looks best for each view."""
        usual = self.heuristic.act(views, masks, keys)
        actions = usual.copy()
        for i in range(len(views)):
            tried = np.union1d(candidates(views[i], masks[i]), usual[i : i + 1])
            if len(tried) > 1:
                actions[i] = self._best(_Question(self, views[i : i + 1], int(keys[i])), tried, int(usual[i]))
        return actions

    def _best(self, question: "_Question", tried: NDArray[np.int64], usual: int) -> int:
        """Return the action that gains most over the usual one, the error of what it gains taken off."""
        if not self.playouts:
            gains = question.gains(self.room.solved, tried, usual, self._most(self.worlds), question.until)
            return self._safest(tried, gains.mean(axis=0), _error(gains))
        played = question.gains(
            self.room.playouts.try_actions, tried, usual, self._most(self.playouts), question.half_way
        )
        hopeful = played.mean(axis=0) + RULED_OUT * _error(played) >= 0
        tried, played = tried[hopeful], played[:, hopeful]
        if len(tried) == 1:
            return usual
        most = min(self._most(self.worlds), len(played))
        solved = question.gains(self.room.solved, tried, usual, most, question.until)
        turned = (solved - played[: len(solved)]) / 2
        error = np.hypot(_error(played), _error(turned))
        return self._safest(tried, played.mean(axis=0) + turned.mean(axis=0), error)

    def _most(self, count: int) -> int:
        """Return how many worlds to value at most, `count` of them unless the clock decides."""
        return sys.maxsize if self.ms else count

    def _safest(self, tried: NDArray[np.int64], gains: NDArray[np.float64], errors: NDArray[np.float64]) -> int:
        return int(tried[(gains - self.caution / 100 * errors).argmax()])


class _Question:
    """A view whose worlds are drawn as they are wanted: the same ones to be played out and to be solved."""

    def __init__(self, bot: Pimc, views: NDArray[Any], key: int) -> None:
        self.bot, self.views, self.key = bot, views, key
        self.half_way, self.until = (time.monotonic() + bot.ms / 1000 * part for part in (0.5, 1))
        self._drawn: list[NDArray[Any]] = []

    def gains(self, value: Value, tried: NDArray[np.int64], usual: int, most: int, until: float) -> NDArray[np.float64]:
        """Return by how much each action exceeds the usual one in each of at most `most` worlds (W, A)."""
        values = [value(self._batch(0)[:most], tried)]
        while self.bot.ms and len(values) * _BATCH < most and time.monotonic() < until:
            values.append(value(self._batch(len(values)), tried))
        found = np.concatenate(values)
        return found - found[:, tried == usual]

    def _batch(self, number: int) -> NDArray[Any]:
        """Return the worlds of a batch; without a clock there is but one."""
        if number == len(self._drawn):
            count = _BATCH if self.bot.ms else max(self.bot.worlds, self.bot.playouts)
            bot, key = self.bot, int(derive(self.key, number))
            self._drawn.append(worlds_of(self.views, bot.rules.array(), count, key, belief=bot.belief))
        return self._drawn[number]


def _error(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the standard error of the mean of each column."""
    return values.std(axis=0) / np.sqrt(len(values))
