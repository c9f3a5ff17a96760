"""`pimc`: perfect-information Monte Carlo. Every action is solved exactly in some sampled worlds, and averaged.

What the solver assumes, that all see all cards, makes a declarer look weaker than he is and a bot careless of what it
gives away (Levy 1989; Long, Sturtevant, Buro and Furtak 2010). So worlds are also played out by the heuristic, who
sees his own cards only, and half of an action's value comes from either. The heuristic's own action is taken unless
another is better by more than chance: an average over few worlds errs, and the best of some erring averages errs most.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.belief import believed
from agents.determinize import sample
from agents.heuristic import Heuristic
from agents.monte_carlo import candidates
from agents.open_values import OpenValues
from thousand_env.rng import derive
from thousand_env.rules import RuleSet

RULED_OUT = 3  # standard errors below the heuristic's action that spare an action from being solved
_BATCH = 5  # worlds between two looks at the clock

Value = Callable[[NDArray[Any], NDArray[np.int64]], NDArray[np.float64]]


@dataclass(frozen=True)
class Pimc:
    """Solves the actions that have a chance in sampled worlds, after playing all out in more of them.

    For each decision `playouts` worlds are played out, none if 0, and `worlds` solved. They are as likely as the
    auction makes them, with `belief` off each as likely as any other. Another action than the heuristic's must look
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
        found: list[tuple[NDArray[np.float64], NDArray[np.float64]]] = []
        if self.playouts:
            gains, errors = _gains(question.played(tried), tried == usual)
            hopeful = gains + RULED_OUT * errors >= 0
            found.append((gains[hopeful], errors[hopeful]))
            tried = tried[hopeful]
        if len(tried) > 1:
            found.append(_gains(question.solved(tried), tried == usual))
        gains, errors = np.mean(found, axis=0)
        return int(tried[(gains - self.caution / 100 * errors).argmax()])


class _Question:
    """A view whose worlds are drawn as they are wanted."""

    def __init__(self, bot: Pimc, views: NDArray[Any], key: int) -> None:
        self.bot, self.views, self.key = bot, views, key
        self.until = time.monotonic() + bot.ms / 1000

    def played(self, tried: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return what each action brings in worlds played out (W, A); with a clock for half of the time."""
        return self._valued(self.bot.room.played, tried, self.bot.playouts, self.until - self.bot.ms / 2000)

    def solved(self, tried: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return what each action is worth in worlds that are solved (W, A); with a clock while there is time."""
        return self._valued(self.bot.room.solved, tried, self.bot.worlds, self.until)

    def _valued(self, value: Value, tried: NDArray[np.int64], count: int, until: float) -> NDArray[np.float64]:
        if not self.bot.ms:
            return value(self._worlds(count, self.key), tried)
        found: list[NDArray[np.float64]] = []
        while not found or time.monotonic() < until:
            found.append(value(self._worlds(_BATCH, int(derive(self.key, len(found)))), tried))
        return np.concatenate(found)

    def _worlds(self, count: int, key: int) -> NDArray[Any]:
        draw = believed if self.bot.belief else sample
        return draw(self.views, self.bot.rules.array(), count, np.array([key]))[0]


def _gains(values: NDArray[np.float64], at: NDArray[np.bool_]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return by how much each column of (W, A) exceeds the one `at` in the mean, and the standard errors of that."""
    differences = values - values[:, at]
    return differences.mean(axis=0), differences.std(axis=0) / np.sqrt(len(values))
