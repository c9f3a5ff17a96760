"""Policies: who decides where an environment's agents do not.

The play environment needs somebody to bid before its first lead, the bidding environment somebody to play the deal out.
Both take any callable `(views, masks, keys) -> actions` over a batch of decisions; an agent's `act` is one.
"""

import functools
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from thousand_env import engine
from thousand_env.actions import (
    BAPTISE,
    CLAIM_REDEAL,
    NUM_ACTIONS,
    WRITE_OFF,
    bid_points,
    is_bid,
)
from thousand_env.envs.observation import ILLEGAL, act
from thousand_env.envs.refusals import place_of
from thousand_env.errors import IllegalAction
from thousand_env.jit import kernel, mulhi
from thousand_env.replay import listing
from thousand_env.rng import word
from thousand_env.state import NONE
from thousand_env.view import VIEW_DTYPE, look_row


class Policy(Protocol):
    """A callable that answers a batch of decisions."""

    def __call__(self, views: NDArray[Any], masks: NDArray[np.int8], keys: NDArray[np.int64], /) -> NDArray[np.int64]:
        """Return one legal action for each decision: int64 (N,).

        `views` (N,), dtype `VIEW_DTYPE`, are what the seats to act know; `masks` (N, NUM_ACTIONS) hold 1 where an
        action is legal; `keys` (N,) are random numbers made of each decision's address (seed, match, deal, attempt,
        seat, ply). Who draws from the keys alone answers the same in any batch and on any machine.
        """
        ...


# -- keys ------------------------------------------------------------------------------------------------------------


@kernel
def _fill_keys(states: Any, keys: Any) -> None:
    for i in range(states.shape[0]):
        keys[i] = engine.decision_key(states[i])


def decision_keys(states: NDArray[Any]) -> NDArray[np.int64]:
    """Return the random keys (N,) of the decisions that states (N,) ask of their seats to act."""
    keys = np.empty(len(states), np.int64)
    _fill_keys(states, keys)
    return keys


# -- two policies ----------------------------------------------------------------------------------------------------


@kernel
def _draw_all(masks: Any, keys: Any, actions: Any) -> None:
    for i in range(masks.shape[0]):
        legal = engine.count_legal(masks[i])
        actions[i] = engine.nth_legal(masks[i], mulhi(word(keys[i], 0), legal))


@dataclass(frozen=True)
class Uniform:
    """Takes any legal action, each with the same chance."""

    def __call__(self, views: NDArray[Any], masks: NDArray[np.int8], keys: NDArray[np.int64], /) -> NDArray[np.int64]:
        """Return an action for each mask, drawn from its key."""
        actions = np.empty(len(masks), np.int64)
        _draw_all(masks, keys, actions)
        return actions


@dataclass(frozen=True)
class CappedUniform:
    """Takes any legal action, each with the same chance, that bids no more than `cap` and leaves the deal to be played.

    >>> CappedUniform()
    CappedUniform(cap=120)
    """

    cap: int = 120

    def __call__(self, views: NDArray[Any], masks: NDArray[np.int8], keys: NDArray[np.int64], /) -> NDArray[np.int64]:
        """Return an action for each mask, drawn from its key; any legal one where the cap leaves none."""
        kept = masks & _within(self.cap)
        stuck = ~kept.any(axis=1)
        kept[stuck] = masks[stuck]
        return Uniform()(views, kept, keys)


@functools.cache
def _within(cap: int) -> NDArray[np.int8]:
    """Return a mask of all actions but higher bids and what ends a deal before its play."""
    ending = (CLAIM_REDEAL, WRITE_OFF, BAPTISE)
    return np.array(
        [action not in ending and not (is_bid(action) and bid_points(action) > cap) for action in range(NUM_ACTIONS)],
        np.int8,
    )


# -- asking ----------------------------------------------------------------------------------------------------------


@kernel
def _ask(states: Any, rules: Any, views: Any, masks: Any, keys: Any) -> None:
    look_row(states[0], rules[0], states[0].turn, views[0])
    engine.legal_row(states[0], rules[0], masks[0])
    keys[0] = engine.decision_key(states[0])


def decide_until(phase: int, states: NDArray[Any], rules: NDArray[Any], policy: Policy) -> None:
    """Let `policy` decide for every seat of one game, `states` (1,), until the deal is in `phase` or beyond it.

    Raises `IllegalAction` naming the policy and its answer; the game then stands where it was asked.
    """
    views, keys = np.zeros(1, VIEW_DTYPE), np.empty(1, np.int64)
    masks, legal = np.empty((1, NUM_ACTIONS), np.int8), np.empty(NUM_ACTIONS, np.int8)
    while states["phase"][0] < phase:
        _ask(states, rules, views, masks, keys)
        answer = np.asarray(policy(views, masks, keys))
        action = int(answer[0]) if answer.shape == (1,) and answer.dtype.kind in "iu" else NONE
        if act(states, rules, action, legal) == ILLEGAL:
            raise IllegalAction(
                f"policy {policy!r} answered {answer!r}, {place_of(states)}; expected an integer array (1,) of one of "
                f"{listing([int(number) for number in np.flatnonzero(legal)])}"
            )
