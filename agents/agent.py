"""What a bot is: something that answers a batch of questions, each "this is what you know, what do you do?".

A question is a view from `view.look` (never a state), the legal mask that goes with it, and a key: a random number made
of the decision's address (seed, match, deal, attempt, seat, ply). A bot that needs chance draws it from the key alone,
so the same question gets the same answer in any batch, in any order, on any machine.
"""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from thousand_env.actions import ACTION_TEXTS, NUM_ACTIONS
from thousand_env.cards import NUM_CARDS, card_name
from thousand_env.errors import IllegalAction
from thousand_env.jit import kernel
from thousand_env.state import NONE, PHASE_NAMES


class Agent(Protocol):
    """A bot, built for one rule set. Its `str()` names it in tables and messages."""

    def act(self, views: NDArray[Any], masks: NDArray[np.int8], keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return one legal action for each view.

        `views` (N,) have dtype `VIEW_DTYPE`, the seat to act is seat 0 of each; `masks` (N, NUM_ACTIONS) hold 1 where
        an action is legal; `keys` (N,) are the decisions' random keys. The answer to a row must not depend on the rows
        beside it, and the arrays must not be kept: the caller fills them anew.

        A bot whose attribute `sees_all` is true cheats: in place of views it is given the states.
        """
        ...


def sees_all(agent: Agent) -> bool:
    """Whether the agent cheats: whoever asks it must show it states in place of views."""
    return bool(getattr(agent, "sees_all", False))


@kernel
def first_illegal(masks: Any, actions: Any) -> int:
    """Return the first row whose action its mask forbids, NONE when all are legal."""
    for i in range(masks.shape[0]):
        if not 0 <= actions[i] < NUM_ACTIONS or masks[i, actions[i]] == 0:
            return i
    return NONE


def ask(
    agent: Agent,
    views: NDArray[Any],
    masks: NDArray[np.int8],
    keys: NDArray[np.int64],
    states: NDArray[Any] | None = None,
) -> NDArray[np.int64]:
    """Return the agent's actions (N,); raises `IllegalAction` naming the agent, the view and the action.

    `states` (N,) are shown in place of the views to an agent that `sees_all`, and to no other.
    """
    shown = states if states is not None and sees_all(agent) else views
    actions = np.ascontiguousarray(agent.act(shown, masks, keys), np.int64)
    if actions.shape != (len(views),):
        raise IllegalAction(f"{agent}: actions of shape {actions.shape} for {len(views)} views; expected one a view")
    wrong = first_illegal(masks, actions)
    if wrong != NONE:
        raise IllegalAction(
            f"{agent}: {_action_name(actions[wrong])} is illegal in {describe(views[wrong])}; "
            f"expected one of {_texts(masks[wrong])}"
        )
    return actions


def describe(view: Any) -> str:
    """Return in a few words what the viewer has before him: phase, hand, bid, trump and trick."""
    in_trick = int(view.num_plays % min(view.players, 3))
    trick = [card_name(play & 31) for play in view.plays[view.num_plays - in_trick : view.num_plays]]
    hand = [card_name(card) for card in range(NUM_CARDS) if view.hand >> card & 1]
    trump = "none" if view.trump == NONE else "scdh"[view.trump]
    return (
        f"the view [{PHASE_NAMES[view.phase]}, hand {' '.join(hand)}, bid {view.bid}, contract {view.contract}, "
        f"trump {trump}, trick {' '.join(trick) or 'empty'}]"
    )


def _action_name(action: int) -> str:
    return ACTION_TEXTS[action] if 0 <= action < NUM_ACTIONS else f"action {action}"


def _texts(mask: NDArray[np.int8]) -> str:
    return " ".join(ACTION_TEXTS[action] for action in np.flatnonzero(mask))
