"""Many games a step: the kernels under the vector environment.

One call takes a whole batch one action further: check, step, pay, deal again, look, features, masks.
"""

from typing import Any

from thousand_env.actions import NUM_ACTIONS
from thousand_env.deck import next_deal
from thousand_env.enforcement import counts_as, try_row
from thousand_env.engine import legal_row, step_row
from thousand_env.envs.observation import observe_row
from thousand_env.envs.openings import open_row
from thousand_env.envs.rewards import fill_rewards
from thousand_env.jit import kernel
from thousand_env.state import NONE, OVER, SCORED


@kernel
def first_refused(states: Any, rules: Any, legal: Any, actions: Any) -> int:
    """Return the first game whose action is not taken, neither as it is nor as the table takes it (N2), else NONE."""
    for i in range(actions.shape[0]):
        if 0 <= actions[i] < NUM_ACTIONS and legal[i, actions[i]]:
            continue
        if counts_as(states[i], rules[0], actions[i], legal[i]) == NONE:
            return i
    return NONE


@kernel
def take_row(state: Any, rules: Any, action: int, legal: Any) -> None:
    """Apply an action that is not refused; `legal` (NUM_ACTIONS,) holds what is legal, and may be filled anew."""
    if legal[action]:
        step_row(state, rules, action)
    else:
        try_row(state, rules, action, legal)


@kernel
def show_row(state: Any, rules: Any, views: Any, i: int, legal: Any, observations: Any, masks: Any, seats: Any) -> None:
    """Fill place `i` of the outputs with what the seat to act observes; `legal` is the environment's own copy."""
    seats[i] = state.turn
    observe_row(state, rules, state.turn, views[0], observations[i])
    legal_row(state, rules, legal[i])
    for action in range(NUM_ACTIONS):  # an assignment of slices looks first whether they overlap, which costs more
        masks[i, action] = legal[i, action]


@kernel
def open_games(
    states: Any, rules: Any, seed: int, matches: Any, sheet: Any, views: Any, legal: Any,
    observations: Any, masks: Any, seats: Any,
) -> None:  # fmt: skip
    """Open game i on match number matches[i], and fill the outputs for whoever is to act."""
    for i in range(states.shape[0]):
        open_row(states[i], rules[0], seed, matches[i], sheet)
        show_row(states[i], rules[0], views, i, legal, observations, masks, seats)


@kernel
def step_games(
    states: Any, rules: Any, actions: Any, match_mode: bool, kind: int, seed: int, matches: Any, sheet: Any,
    views: Any, legal: Any, finished: Any, games: Any,
    observations: Any, masks: Any, seats: Any, rewards: Any, terminations: Any, truncations: Any,
) -> int:  # fmt: skip
    """Apply one action in every game, deal again where a deal is scored, and fill the outputs.

    Return how many deals were scored: their final states are the first rows of `finished`, their places the first
    entries of `games`. When an action is refused nothing changes, and -1 minus the place of the first one is returned.
    """
    wrong = first_refused(states, rules, legal, actions)
    if wrong != NONE:
        return -1 - wrong
    scored = 0
    for i in range(states.shape[0]):
        take_row(states[i], rules[0], actions[i], legal[i])
        for seat in range(rules[0].players):
            rewards[i, seat] = 0
        terminations[i] = truncations[i] = False
        if states[i].phase >= SCORED:
            fill_rewards(states[i], rules[0], kind, rewards[i])
            finished[scored] = states[i]
            games[scored] = i
            scored += 1
            if match_mode and states[i].phase != OVER:
                next_deal(states[i], rules[0])
            else:
                truncations[i] = match_mode and states[i].winner == NONE
                terminations[i] = not truncations[i]
                matches[i] += states.shape[0]
                open_row(states[i], rules[0], seed, matches[i], sheet)
        show_row(states[i], rules[0], views, i, legal, observations, masks, seats)
    return scored


@kernel
def observe_finished(states: Any, rules: Any, views: Any, observations: Any) -> None:
    """Fill `observations`, float32 (N, players, NUM_FEATURES), with what every seat sees of finished games."""
    for i in range(states.shape[0]):
        for seat in range(rules[0].players):
            observe_row(states[i], rules[0], seat, views[0], observations[i, seat])
