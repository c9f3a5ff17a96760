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
    BONUS_HANDS,
    CLAIM_REDEAL,
    GO_BLIND,
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

    It never claims a redeal, writes off or is baptised, never goes blind, and keeps its information bonuses.

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
    """Return a mask of all actions but higher bids, what ends a deal before its play, going blind, and bonuses."""
    kept_from = {CLAIM_REDEAL, WRITE_OFF, BAPTISE, GO_BLIND, *range(BONUS_HANDS, NUM_ACTIONS)}
    kept_from |= {action for action in range(NUM_ACTIONS) if is_bid(action) and bid_points(action) > cap}
    return np.array([action not in kept_from for action in range(NUM_ACTIONS)], np.int8)


# -- asking ----------------------------------------------------------------------------------------------------------


@kernel
def _put(states: Any, rules: Any, views: Any, masks: Any, keys: Any) -> None:
    look_row(states[0], rules[0], states[0].turn, views[0])
    engine.legal_row(states[0], rules[0], masks[0])
    keys[0] = engine.decision_key(states[0])


class Question:
    """A batch of one decision, whose arrays are filled anew for every question."""

    def __init__(self) -> None:
        self.views, self.keys = np.zeros(1, VIEW_DTYPE), np.empty(1, np.int64)
        self.masks = np.empty((1, NUM_ACTIONS), np.int8)

    def put(self, states: NDArray[Any], rules: NDArray[Any], policy: Policy) -> int:
        """Return what `policy` answers for the seat to act in one game, `states` (1,).

        Raises `IllegalAction` naming the policy and its answer when that is no action.
        """
        _put(states, rules, self.views, self.masks, self.keys)
        answer: Any = np.asarray(policy(self.views, self.masks, self.keys))
        if answer.shape != (1,) or answer.dtype.kind not in "iu":
            raise wrong_answer(policy, answer, states, rules)
        return int(answer[0])


def wrong_answer(policy: Policy, answer: Any, states: NDArray[Any], rules: NDArray[Any]) -> IllegalAction:
    """Return the error for an answer that is no action, or one the rules forbid in `states` (1,)."""
    legal = [int(action) for action in np.flatnonzero(engine.legal_actions(states, rules)[0])]
    return IllegalAction(
        f"policy {policy!r} answered {answer!r}, {place_of(states)}; expected an integer array (1,) of one of "
        f"{listing(legal)}"
    )


def decide_until(phase: int, states: NDArray[Any], rules: NDArray[Any], policy: Policy) -> None:
    """Let `policy` decide for every seat of one game, `states` (1,), until the deal is in `phase` or beyond it.

    Raises `IllegalAction` naming the policy and its answer; the game then stands where it was asked.
    """
    question, legal = Question(), np.empty(NUM_ACTIONS, np.int8)
    while states["phase"][0] < phase:
        action = question.put(states, rules, policy)
        if act(states, rules, action, legal) == ILLEGAL:
            raise wrong_answer(policy, np.array([action]), states, rules)
