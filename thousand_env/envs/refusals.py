"""Refusals: the error for an action that is not taken, saying where, what was given, and what was expected."""

import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thousand_env.actions import NUM_ACTIONS
from thousand_env.errors import IllegalAction
from thousand_env.forbidden import forbidden_by
from thousand_env.replay import legal_actions, listing
from thousand_env.rules import RuleSet
from thousand_env.state import PHASE_NAMES


def as_number(action: Any, states: NDArray[Any]) -> int:
    """Return an action as an int; raises `IllegalAction`, saying where `states` (1,) stand, for no whole number."""
    try:
        if isinstance(action, bool | np.bool_):
            raise TypeError
        return operator.index(action)
    except TypeError:
        raise IllegalAction(
            f"{place_of(states)}: action {action!r} is no whole number; expected one from 0 to {NUM_ACTIONS - 1}"
        ) from None


def refusal(states: NDArray[Any], rules: RuleSet, action: int) -> IllegalAction:
    """Return the error that says which rule forbids an action in `states` (1,), and what is legal there."""
    rule, reason = forbidden_by(states, rules, action)
    return IllegalAction(f"{place_of(states)}: {rule}: {reason}; legal: {listing(legal_actions(states, rules))}")


def place_of(states: NDArray[Any]) -> str:
    """Return where a game, `states` (1,), stands: who is to act, in which phase of which deal."""
    turn, phase, deal, match = (int(states[name][0]) for name in ("turn", "phase", "deal", "match"))
    return f"player_{turn}, {PHASE_NAMES[phase]} of deal {deal} of match {match}"
