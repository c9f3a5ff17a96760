"""Small endings with every hand open and every seat for itself: max-n (Luckhardt and Irani 1986).

Each seat takes the action that is best for its own advantage on the score sheet; of equal ones it takes the first in
the order of the action space. What it should take then, the theory does not say, and the others' values hang on it
(Sturtevant 2004): the values are exact for seats that choose so. Nothing can be cut off, so this is for the last
five tricks.

Like `agents.solver` it is told states, not views.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thousand_env import play, scoring
from thousand_env.actions import NUM_ACTIONS
from thousand_env.errors import ThousandError
from thousand_env.jit import kernel, lowest
from thousand_env.rules import RuleSet, as_rules
from thousand_env.state import MAX_PLAYS, MAX_SEATS, NONE, PHASE_NAMES, PLAY, new_states


@kernel
def enter(state: Any, rules: Any, value: Any) -> int:
    """Begin a frame: fill what the deal has come to, or return what may be played, as a set of actions."""
    value[:] = -np.inf
    if state.phase == PLAY:
        return play.legal_plays(state, rules)
    for seat in range(rules.players):
        value[seat] = scoring.advantage(state, rules, seat)
    return 0


@kernel
def search(states: Any, rules: Any, left: Any, values: Any) -> None:
    """Fill `values[0]` (MAX_SEATS,) with what `states[0]` is worth to each seat; one row of everything a card.

    `left` (plies,) are the actions still to be tried, as sets.
    """
    ply = 0
    left[0] = enter(states[0], rules, values[0])
    while True:
        if left[ply]:
            states[ply + 1] = states[ply]
            play.step(states[ply + 1], rules, lowest(left[ply]))
            left[ply] &= left[ply] - 1
            ply += 1
            left[ply] = enter(states[ply], rules, values[ply])
        elif ply == 0:
            return
        else:
            ply -= 1
            seat = states[ply].turn
            if values[ply + 1, seat] > values[ply, seat]:
                values[ply] = values[ply + 1]


@kernel
def _values_all(positions: Any, rules: Any, states: Any, left: Any, rows: Any, values: Any, moves: Any) -> None:
    for i in range(positions.shape[0]):
        seat, best = positions[i].turn, NONE
        actions = enter(positions[i], rules[0], rows[0])
        while actions:
            action = lowest(actions)
            actions &= actions - 1
            states[1] = positions[i]
            play.step(states[1], rules[0], action)
            search(states[1:], rules[0], left, rows[1:])
            moves[i, action] = rows[1, seat]
            if best == NONE or moves[i, action] > moves[i, best]:
                best = action
                values[i] = rows[1]


def selfish_values(
    states: NDArray[Any], rules: RuleSet | str = "core"
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return what states (N,) in the play phase are worth, and what their moves are worth to the seat to act.

    The first is float64 (N, players), each seat's score for the deal minus the mean of the others'; the second
    float64 (N, NUM_ACTIONS), NaN where an action is illegal. Raises `ThousandError` naming the first state that is not
    being played.
    """
    rules = as_rules(rules)
    wrong = np.flatnonzero(states["phase"] != PLAY)
    if len(wrong):
        phase = PHASE_NAMES[states["phase"][wrong[0]]]
        raise ThousandError(f"state {wrong[0]}: found the phase {phase}, expected play: only tricks are solved")
    values, moves = np.zeros((len(states), MAX_SEATS)), np.full((len(states), NUM_ACTIONS), np.nan)
    depth = MAX_PLAYS + 1
    left, rows = np.zeros(depth, np.int64), np.zeros((depth, MAX_SEATS))
    _values_all(states, rules.array(), new_states(depth), left, rows, values, moves)
    return values[:, : rules.players], moves
