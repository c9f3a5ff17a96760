"""Agents at tables: who is asked, in one batch an agent, until every deal is scored."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.agent import Agent, ask, sees_all
from thousand_env.actions import NUM_ACTIONS
from thousand_env.engine import decision_key, legal_row, step_row
from thousand_env.jit import kernel
from thousand_env.state import NONE, taken
from thousand_env.view import VIEW_DTYPE, look_row

Acted = Callable[[NDArray[np.int64], NDArray[np.int64]], None]
"""Told of (rows, actions): in which states something was done, and what."""


@kernel
def _fill_questions(states: Any, rules: Any, chosen: Any, views: Any, masks: Any, keys: Any) -> None:
    for i in range(chosen.shape[0]):
        state = states[chosen[i]]
        look_row(state, rules[0], state.turn, views[i])
        legal_row(state, rules[0], masks[i])
        keys[i] = decision_key(state)


@kernel
def _step_chosen(states: Any, rules: Any, chosen: Any, actions: Any) -> None:
    for i in range(chosen.shape[0]):
        step_row(states[chosen[i]], rules[0], actions[i])


def questions(
    states: NDArray[Any], rules: NDArray[Any], chosen: NDArray[np.int64]
) -> tuple[NDArray[Any], NDArray[np.int8], NDArray[np.int64]]:
    """Return what the seats to act in `states[chosen]` are asked: views, masks and keys, as `Agent.act` takes them."""
    views = np.zeros(len(chosen), VIEW_DTYPE)
    masks = np.empty((len(chosen), NUM_ACTIONS), np.int8)
    keys = np.empty(len(chosen), np.int64)
    _fill_questions(states, rules, chosen, views, masks, keys)
    return views, masks, keys


def play_step(
    states: NDArray[Any], rules: NDArray[Any], agents: Sequence[Agent], seats: NDArray[Any], acted: Acted | None = None
) -> int:
    """Let the seat to act take one action in every state, and return how many did.

    `seats` (N, players) holds the number in `agents` of whoever plays each seat; `acted` is told what is done before it
    is. Agents that cheat are shown the states. Raises `IllegalAction` naming the agent, the view and the action.
    """
    turns = states["turn"]
    acting = np.flatnonzero(turns != NONE)
    agent_of = seats[acting, turns[acting]]
    for number, agent in enumerate(agents):
        chosen = acting[agent_of == number]
        if len(chosen):
            shown = taken(states, chosen) if sees_all(agent) else None
            actions = ask(agent, *questions(states, rules, chosen), shown)
            if acted is not None:
                acted(chosen, actions)
            _step_chosen(states, rules, chosen, actions)
    return len(acting)


def play_deals(
    states: NDArray[Any], rules: NDArray[Any], agents: Sequence[Agent], seats: NDArray[Any], acted: Acted | None = None
) -> int:
    """Play the deal in every state until it is scored, in place, and return the number of decisions."""
    decisions = 0
    while played := play_step(states, rules, agents, seats, acted):
        decisions += played
    return decisions


def play_until(states: NDArray[Any], rules: NDArray[Any], agent: Agent, phase: int) -> None:
    """Let one agent play every seat until no deal is in an earlier phase than `phase`."""
    while len(chosen := np.flatnonzero(states["phase"] < phase)):
        _step_chosen(states, rules, chosen, ask(agent, *questions(states, rules, chosen)))
