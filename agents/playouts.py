"""What an action leads to: the deal played out from there, by the heuristic or by any legal actions.

A state tells all cards, so a playout is for whoever may know them or has guessed them: `agents.monte_carlo` plays out
worlds that its view allows, `train.playouts` the deal itself.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.habits import habits
from agents.hand_value import weights
from agents.heuristic import decide
from thousand_env import engine
from thousand_env.actions import NUM_ACTIONS
from thousand_env.jit import kernel, mulhi
from thousand_env.rng import derive, word
from thousand_env.scoring import advantage
from thousand_env.state import MAX_PLAYS, PLAY, SCORED, new_states
from thousand_env.view import VIEW_DTYPE, look_row

HEURISTIC, UNIFORM = 0, 1
ROLLOUT_POLICIES = ("heuristic", "uniform")


@kernel
def play_out(
    state: Any, rules: Any, view: Any, mask: Any, table: Any, habits: Any, room: Any, until: int = MAX_PLAYS
) -> None:
    """Let the heuristic decide for every seat until the deal is scored, or so many cards are played."""
    while state.phase < SCORED and not (state.phase == PLAY and state.num_plays >= until):
        engine.legal_row(state, rules, mask)
        if engine.count_legal(mask) == 1:
            action = engine.nth_legal(mask, 0)
        else:
            look_row(state, rules, state.turn, view)
            action = decide(view, mask, rules, 0, table, habits, room)
        engine.step_row(state, rules, action)


@kernel
def play_anything(state: Any, rules: Any, mask: Any, key: int) -> None:
    """Take any legal action, each with the same chance, for every seat until the deal is scored."""
    ply = 0
    while state.phase < SCORED:
        engine.legal_row(state, rules, mask)
        engine.step_row(state, rules, engine.nth_legal(mask, mulhi(word(key, ply), engine.count_legal(mask))))
        ply += 1


@kernel
def play_out_all(
    worlds: Any, rules: Any, actions: Any, policy: int, key: int, copies: Any, views: Any, mask: Any, table: Any,
    habits: Any, room: Any, worths: Any,
) -> None:  # fmt: skip
    """Fill `worths` as `Playouts.try_actions` does; the arguments between are scratch and the heuristic's weights."""
    for i in range(worlds.shape[0]):
        seat = worlds[i].turn
        for j in range(actions.shape[0]):
            copies[0] = worlds[i]
            engine.step_row(copies[0], rules[0], actions[j])
            if policy == HEURISTIC:
                play_out(copies[0], rules[0], views[0], mask, table, habits[0], room)
            else:
                play_anything(copies[0], rules[0], mask, derive(key, i))
            worths[i, j] = advantage(copies[0], rules[0], seat)


@kernel
def play_on_all(
    worlds: Any, rules: Any, actions: Any, until: int, ends: Any, views: Any, mask: Any, table: Any, habits: Any,
    room: Any,
) -> None:  # fmt: skip
    """Fill `ends` as `Playouts.play_on` does; the arguments behind are scratch and the heuristic's weights."""
    for i in range(worlds.shape[0]):
        for j in range(actions.shape[0]):
            ends[i, j] = worlds[i]
            engine.step_row(ends[i, j], rules[0], actions[j])
            play_out(ends[i, j], rules[0], views[0], mask, table, habits[0], room, until)


class Playouts:
    """The room a thread needs for playouts at one table; `rules` (1,) is the table."""

    def __init__(self, rules: NDArray[Any]) -> None:
        self.rules = rules
        self.copies, self.views = new_states(1), np.zeros(1, VIEW_DTYPE)
        self.mask, self.room = np.zeros(NUM_ACTIONS, np.int8), np.zeros(1, np.int64)
        self.table, self.habits = weights(), habits()

    def try_actions(
        self, worlds: NDArray[Any], actions: NDArray[np.int64], policy: int = HEURISTIC, key: int = 0
    ) -> NDArray[np.float64]:
        """Return what each action brings the seat to act in each world: its score minus the mean of the others'.

        `actions` (A,) are legal in each of the `worlds` (W,); the result has shape (W, A). Where any legal actions are
        taken, the playouts of a world draw the same numbers from `key`.
        """
        worths = np.empty((len(worlds), len(actions)), np.float64)
        play_out_all(
            worlds, self.rules, actions, policy, key, self.copies, self.views, self.mask, self.table, self.habits,
            self.room, worths,
        )  # fmt: skip
        return worths

    def play_on(self, worlds: NDArray[Any], actions: NDArray[np.int64], until: int) -> NDArray[Any]:
        """Return each world after each action, played on by the heuristic until `until` cards are played, or scored.

        `actions` (A,) are legal in each of the `worlds` (W,); the states have shape (W, A).
        """
        ends = new_states(len(worlds) * len(actions)).reshape(len(worlds), len(actions))
        play_on_all(worlds, self.rules, actions, until, ends, self.views, self.mask, self.table, self.habits, self.room)
        return ends
