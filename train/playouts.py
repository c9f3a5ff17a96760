"""What each alternative of a decision would have brought: the deal played out from there by the heuristic.

All cards are known here and everybody goes on as the heuristic does, so that two alternatives differ by what they lead
to and by nothing else. One deal says little about a decision; the mean over all deals that look the same to the seat is
what the alternative is worth (Tesauro and Galperin 1996), and that is what a network learns from many of them.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.playouts import Playouts, play_out
from thousand_env import engine
from thousand_env.actions import NUM_ACTIONS, is_bid
from thousand_env.jit import kernel
from thousand_env.scoring import advantage

POINTS = 100.0  # worths and rewards are in units of 100 points
MOST_BIDS = 4  # levels tried in one decision, the lowest ones: nobody sensible jumps further


@kernel
def try_all(
    states: Any, rules: Any, rows: Any, masks: Any, copies: Any, views: Any, mask: Any, table: Any, habits: Any,
    room: Any, worths: Any,
) -> None:  # fmt: skip
    """Fill `worths` as `Alternatives.try_all` does; the arguments between are scratch and the heuristic's weights."""
    for j in range(rows.shape[0]):
        seat, bids = states[rows[j]].turn, 0
        for action in range(NUM_ACTIONS):
            worths[j, action] = np.nan
            if not masks[j, action] or (bids == MOST_BIDS and is_bid(action)):
                continue
            bids += is_bid(action)
            copies[0] = states[rows[j]]
            engine.step_row(copies[0], rules[0], action)
            play_out(copies[0], rules[0], views[0], mask, table, habits[0], room)
            worths[j, action] = advantage(copies[0], rules[0], seat) / POINTS


class Alternatives(Playouts):
    """The room a thread needs for `try_all`; `rules` (1,) is the table."""

    def try_all(
        self, states: NDArray[Any], rows: NDArray[np.int64], masks: NDArray[np.int8], worths: NDArray[np.float32]
    ) -> None:
        """Fill `worths` (N, NUM_ACTIONS) with what each legal action of `states[rows]` brings the seat to act.

        `masks` (N, NUM_ACTIONS) are the legal actions. Illegal ones, and bids beyond the lowest, are NaN.
        """
        try_all(
            states, self.rules, rows, masks, self.copies, self.views, self.mask, self.table, self.habits, self.room,
            worths,
        )  # fmt: skip
