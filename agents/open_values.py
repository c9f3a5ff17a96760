"""What actions are worth with every hand open: solved exactly, and played out by the heuristic.

Told a state, it sees every card. `agents.pimc` gives it worlds that its view allows, `agents.oracle` the state itself.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.knowledge import first_hand_size
from agents.payoffs import points_needed
from agents.playouts import Playouts
from agents.solver import POINTS, UNROUNDED, Solver
from thousand_env.actions import PASS, bid_points
from thousand_env.jit import kernel
from thousand_env.rules import RuleSet
from thousand_env.scoring import advantage
from thousand_env.state import CONTRACT, PLAY

MOST_CARDS = 8  # in a hand where solving begins: all but the first three tricks of two players


@kernel
def _fill_scored(states: Any, rules: Any, seats: Any, values: Any) -> None:
    for i in range(states.shape[0]):
        values[i] = advantage(states[i], rules[0], seats[i])


class OpenValues:
    """The room a thread needs to value actions at one table."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.playouts, self.solver = Playouts(rules.array()), Solver(rules)
        self.first_solved = rules.active * (first_hand_size(rules.players) - MOST_CARDS)  # cards played by then

    def solved(self, worlds: NDArray[Any], actions: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return what each action is worth to the seat to act if the tricks are played best: its advantage (W, A).

        All `worlds` (W,) are in one phase, and in each the `actions` (A,) are legal. Up to the first lead the heuristic
        plays on. What the declarer gains, the others lose in equal parts: as solved they play as one.
        """
        if worlds["phase"][0] == CONTRACT:
            return self._contracts(worlds, actions)
        if worlds["phase"][0] == PLAY and worlds["num_plays"][0] >= self.first_solved:
            values = self.solver.move_values(worlds, UNROUNDED, actions)[:, actions]
            return self._share(values, worlds["turn"] == worlds["declarer"])
        ends = self.playouts.play_on(worlds, actions, self.first_solved).reshape(-1)
        seats = np.repeat(worlds["turn"], len(actions)).astype(np.int64)
        values = np.empty(len(ends))
        _fill_scored(ends, self.playouts.rules, seats, values)
        rows = np.flatnonzero(ends["phase"] == PLAY)
        solved = self.solver.solve(ends[rows], UNROUNDED)[:, None]
        values[rows] = self._share(solved, ends["declarer"][rows] == seats[rows])[:, 0]
        return values.reshape(len(worlds), len(actions))

    def _share(self, values: NDArray[np.float64], declares: NDArray[np.bool_]) -> NDArray[np.float64]:
        return np.where(declares[:, None], values, -values / (self.rules.players - 1))

    def _contracts(self, worlds: NDArray[Any], actions: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return what the declarer scores for each contract, the others left out: they score the same for any.

        The play does not depend on it, so a world is solved once. In a doubled deal no contract is named (T4).
        """
        leads = self.playouts.play_on(worlds, actions[:1], self.first_solved)[:, 0]
        points = self.solver.solve(leads, POINTS)[:, None]
        bid = int(worlds["bid"][0])
        named = np.array([bid if action == PASS else bid_points(int(action)) for action in actions])
        needed = np.array([points_needed(int(contract), self.rules.array()[0]) for contract in named])
        return np.where(points >= needed, named, -named).astype(np.float64)
