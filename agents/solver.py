"""The exact solver: what a position in the play is worth with every hand open, the declarer against all others.

It is told states, not views: it sees every card on purpose. A bot that does not cheat gives it worlds it has imagined;
one that hands over the true state should say so in its name.

Objectives, all in the declarer's favour but the last one:

- `POINTS`: his deal points (K1), captured cards and marriages.
- `MADE`: 1 if he makes the contract (K2), else 0. The quickest by far.
- `SCORE`: his advantage on the score sheet (§9), his score for the deal minus the mean of the other seats'.
- `UNROUNDED`: the same with the defenders' points as they are, not rounded (K3). Quicker than `SCORE`, and at most two
  points away from it where points are rounded to five and the deal is not doubled.
- `ALONE`: the advantage of the seat to act, whom all others play against (paranoid: Sturtevant and Korf 2000). For the
  declarer that is `SCORE`.

The barrel, bolts and fines do not count: they belong to the match.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.open_play import DEPTH, FRAME_DTYPE, GAME_DTYPE, lay, legal_plays, open_frame, open_game
from agents.payoffs import ALONE, MADE, OBJECTIVE_NAMES, POINTS, SCORE, UNROUNDED, payoff_so_far, set_payoffs
from agents.search import INFINITE, search
from agents.search_table import NO_MOVE, STAMPS, new_table
from thousand_env.actions import NUM_ACTIONS, PASS
from thousand_env.errors import ThousandError
from thousand_env.jit import kernel
from thousand_env.rules import RuleSet, as_rules
from thousand_env.state import PHASE_NAMES, PLAY

__all__ = ["ALONE", "MADE", "POINTS", "SCORE", "UNROUNDED", "Solver", "best_moves", "move_values", "solve"]


class Solver:
    """Solves positions of one table; it keeps the room a search needs, so one solver serves one thread.

    What it has met before changes no value.

    >>> from thousand_env.game import Game
    >>> game = Game("core", seed=7)
    >>> for action in "100 pass pass cJ s9 pass".split():
    ...     game.play(action)
    >>> Solver("core").solve(game.states, POINTS).tolist()
    [53.0]
    """

    def __init__(self, rules: RuleSet | str = "core") -> None:
        self.rules = as_rules(rules)
        self._rules = self.rules.array()
        self._game = np.zeros(1, GAME_DTYPE)
        self._frames = np.zeros(DEPTH + 1, FRAME_DTYPE)
        self._table = new_table()

    @property
    def nodes(self) -> int:
        """How many positions this solver has entered so far."""
        return int(self._game["nodes"][0])

    def solve(self, states: NDArray[Any], objective: int = POINTS) -> NDArray[np.float64]:
        """Return the value of each state (N,), dtype `STATE_DTYPE`, in the play phase: float64 (N,).

        The states stay as they are. Raises `ThousandError` naming the first state that is not being played.
        """
        values = np.empty(len(states))
        self._prepare(states, objective)
        _solve_all(states, self._rules, objective, self._game, self._frames, self._table, values)
        return values

    def move_values(
        self, states: NDArray[Any], objective: int = POINTS, actions: NDArray[np.integer[Any]] | None = None
    ) -> NDArray[np.float64]:
        """Return what each legal action of the seat to act is worth: float64 (N, NUM_ACTIONS), NaN where illegal.

        With `actions` only those are solved, the others left NaN.
        Values are in the declarer's favour, so a defender to act wants the smallest; those of `ALONE` are in favour of
        the seat to act. `best_moves` knows the difference. Raises as `solve` does.

        >>> from thousand_env.game import Game
        >>> game = Game("core", seed=7)
        >>> for action in "100 pass pass cJ s9 pass sQ".split():
        ...     game.play(action)
        >>> solver = Solver("core")
        >>> values = solver.move_values(game.states)[0]  # a defender follows the queen of spades
        >>> values[~np.isnan(values)].tolist(), float(values[solver.best_moves(game.states)[0]])
        ([54.0, 48.0], 48.0)
        """
        values = np.full((len(states), NUM_ACTIONS), np.nan)
        asked = (1 << PASS) - 1 if actions is None else sum({1 << int(action) for action in actions if action < PASS})
        self._prepare(states, objective)
        _move_values_all(states, self._rules, asked, objective, self._game, self._frames, self._table, values)
        return values

    def best_moves(self, states: NDArray[Any], objective: int = POINTS) -> NDArray[np.int64]:
        """Return the best action of the seat to act in each state, of equals the first: int64 (N,)."""
        values = self.move_values(states, objective)
        if objective != ALONE:
            values *= np.where(states["turn"] == states["declarer"], 1, -1)[:, None]
        return np.nanargmax(values, axis=1)

    def _prepare(self, states: NDArray[Any], objective: int) -> None:
        if not POINTS <= objective <= ALONE:
            raise ThousandError(f"objective {objective}: expected one of 0 … 4, {', '.join(OBJECTIVE_NAMES)}")
        wrong = np.flatnonzero(states["phase"] != PLAY)
        if len(wrong):
            phase = PHASE_NAMES[states["phase"][wrong[0]]]
            raise ThousandError(f"state {wrong[0]}: found the phase {phase}, expected play: only tricks are solved")
        if self._game["stamp"][0] + len(states) >= STAMPS:
            self._table[:], self._game["stamp"] = 0, 0


@kernel
def _begin(state: Any, rules: Any, objective: int, game: Any, frame: Any) -> int:
    """Set a search up, and return the payoff of all that has happened."""
    game.stamp += 1
    game.killers[:] = NO_MOVE
    open_game(state, rules, game)
    open_frame(state, rules, game, frame)
    set_payoffs(state, rules, game, frame, objective)
    return payoff_so_far(state, rules, game, frame, objective)


@kernel
def _window(objective: int, frame: Any) -> None:
    """Open the window of a frame: the value is wanted, or only whether the contract is made."""
    frame.alpha, frame.beta = -INFINITE, INFINITE
    if objective == MADE:
        frame.alpha, frame.beta = frame.need - 1, frame.need


@kernel
def _value(objective: int, payoff: int, need: int, rules: Any) -> float:
    if objective == POINTS:
        return payoff
    if objective == MADE:
        return 1.0 if payoff >= need else 0.0
    return payoff / (rules.players - 1)


@kernel
def _solve_all(states: Any, rules: Any, objective: int, game: Any, frames: Any, table: Any, values: Any) -> None:
    for i in range(states.shape[0]):
        so_far = _begin(states[i], rules[0], objective, game[0], frames[0])
        need = so_far + frames[0].need
        _window(objective, frames[0])
        values[i] = _value(objective, so_far + search(game[0], rules[0], frames, table), need, rules[0])


@kernel
def _move_values_all(
    states: Any, rules: Any, asked: int, objective: int, game: Any, frames: Any, table: Any, values: Any
) -> None:
    for i in range(states.shape[0]):
        so_far = _begin(states[i], rules[0], objective, game[0], frames[0])
        need = so_far + frames[0].need
        moves, child = legal_plays(game[0], rules[0], frames[0]) & asked, frames[1]
        for action in range(PASS):
            if moves >> action & 1:
                lay(game[0], rules[0], frames[0], child, action)
                _window(objective, child)
                payoff = so_far + child.step + search(game[0], rules[0], frames[1:], table)
                values[i, action] = _value(objective, payoff, need, rules[0])


def solve(states: NDArray[Any], rules: RuleSet | str, objective: int = POINTS) -> NDArray[np.float64]:
    """Return the values of states, as `Solver.solve` does."""
    return Solver(rules).solve(states, objective)


def move_values(states: NDArray[Any], rules: RuleSet | str, objective: int = POINTS) -> NDArray[np.float64]:
    """Return the values of moves, as `Solver.move_values` does."""
    return Solver(rules).move_values(states, objective)


def best_moves(states: NDArray[Any], rules: RuleSet | str, objective: int = POINTS) -> NDArray[np.int64]:
    """Return the best moves, as `Solver.best_moves` does."""
    return Solver(rules).best_moves(states, objective)
