"""Observations and checked steps of one game, as kernels that take arrays: a record costs more to pass than to use."""

from typing import Any

from thousand_env.enforcement import try_row
from thousand_env.engine import legal_row
from thousand_env.features import NUM_FEATURES, encode_hidden_row, encode_row
from thousand_env.jit import kernel
from thousand_env.state import NONE
from thousand_env.view import look_row

ILLEGAL = -2  # a turn no game has


@kernel
def observe_row(state: Any, rules: Any, seat: int, view: Any, row: Any) -> None:
    """Fill `row`, float32 (NUM_FEATURES,), with what a seat observes; `view` is scratch."""
    look_row(state, rules, seat, view)
    encode_row(view, row)


@kernel
def observe_seat(states: Any, rules: Any, seat: int, views: Any, row: Any, mask: Any) -> None:
    """Fill `row` and `mask` for a seat of one game; the mask of a seat that is not to act stays all zero."""
    observe_row(states[0], rules[0], seat, views[0], row)
    if seat == states[0].turn:
        legal_row(states[0], rules[0], mask)
    else:
        mask[:] = 0


@kernel
def observe_everything(states: Any, rules: Any, seat: int, views: Any, row: Any) -> None:
    """Fill `row`, float32 (NUM_FEATURES + NUM_HIDDEN,), with what a seat observes and with all hands and the talon."""
    observe_row(states[0], rules[0], seat, views[0], row[:NUM_FEATURES])
    encode_hidden_row(states[0], rules[0], seat, row[NUM_FEATURES:])


@kernel
def act(states: Any, rules: Any, action: int, mask: Any) -> int:
    """Apply an action to one game and return whose turn it is then, NONE when the deal is scored.

    Return ILLEGAL, and change nothing, when the rules forbid the action. `mask` (NUM_ACTIONS,) is filled with what was
    legal before it.
    """
    if not try_row(states[0], rules[0], action, mask):
        return ILLEGAL
    return states[0].turn


assert ILLEGAL != NONE, "a finished deal is no illegal action"
