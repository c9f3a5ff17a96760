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
from thousand_env.actions import NUM_ACTIONS, PASS
from thousand_env.errors import ThousandError
from thousand_env.jit import kernel
from thousand_env.rules import RuleSet, as_rules
from thousand_env.state import MAX_PLAYS, MAX_SEATS, NONE, PHASE_NAMES, PLAY, new_states


@kernel
def first_action(mask: Any, start: int) -> int:
    """Return the first action from `start` on that a mask (NUM_ACTIONS,) allows, NONE when there is none."""
    for action in range(start, PASS):
        if mask[action]:
            return action
    return NONE


@kernel
def enter(state: Any, rules: Any, mask: Any, value: Any) -> None:
    """Begin a frame: what may be played, or what the deal has come to."""
    mask[:] = 0
    value[:] = -np.inf
    if state.phase == PLAY:
        play.fill_legal(state, rules, mask)
        return
    for seat in range(rules.players):
        value[seat] = scoring.advantage(state, rules, seat)


@kernel
def search(states: Any, rules: Any, masks: Any, values: Any, actions: Any) -> None:
    """Fill `values[0]` (MAX_SEATS,) with what `states[0]` is worth to each seat; one row of everything a card."""
    ply = 0
    enter(states[0], rules, masks[0], values[0])
    actions[0] = NONE
    while True:
        actions[ply] = first_action(masks[ply], actions[ply] + 1)
        if actions[ply] != NONE:
            states[ply + 1] = states[ply]
            play.step(states[ply + 1], rules, actions[ply])
            ply += 1
            enter(states[ply], rules, masks[ply], values[ply])
            actions[ply] = NONE
        elif ply == 0:
            return
        else:
            ply -= 1
            seat = states[ply].turn
            if values[ply + 1, seat] > values[ply, seat]:
                values[ply] = values[ply + 1]


@kernel
def _values_all(
    positions: Any, rules: Any, states: Any, masks: Any, rows: Any, actions: Any, values: Any, moves: Any
) -> None:
    for i in range(positions.shape[0]):
        seat, best = positions[i].turn, NONE
        enter(positions[i], rules[0], masks[0], rows[0])
        for action in range(PASS):
            if masks[0, action]:
                states[1] = positions[i]
                play.step(states[1], rules[0], action)
                search(states[1:], rules[0], masks[1:], rows[1:], actions)
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
    masks, rows = np.zeros((depth, NUM_ACTIONS), np.int8), np.zeros((depth, MAX_SEATS))
    _values_all(states, rules.array(), new_states(depth), masks, rows, np.zeros(depth, np.int64), values, moves)
    return values[:, : rules.players], moves
