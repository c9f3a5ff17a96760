"""`oracle`: a cheat. It sees every card, talon and redeals to come: a yardstick of what there is to know, no player.

It values every action in the one true state as `agents.pimc` does in worlds it has imagined.
"""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from agents.monte_carlo import candidates
from agents.open_values import OpenValues
from thousand_env.errors import ThousandError
from thousand_env.rules import RuleSet
from thousand_env.state import STATE_DTYPE


@dataclass(frozen=True)
class Oracle:
    """Solves every action with open cards and plays it out, in the true deal. It cheats."""

    rules: RuleSet
    room: OpenValues = field(init=False, repr=False, compare=False)

    sees_all: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "room", OpenValues(self.rules))

    def __str__(self) -> str:
        return "oracle"

    def act(self, views: NDArray[Any], masks: NDArray[np.int8], keys: NDArray[np.int64]) -> NDArray[np.int64]:  # noqa: ARG002 it leaves nothing to chance
        """Return the action worth most in each state; in place of views it wants the states (N,) themselves.

        Raises `ThousandError` when it gets views.
        """
        if views.dtype != STATE_DTYPE:
            raise ThousandError(
                "oracle: found views, expected states: it cheats, and only agents.arena and agents.league let it"
            )
        actions = np.empty(len(views), np.int64)
        for i in range(len(views)):
            tried = candidates(views[i], masks[i])
            actions[i] = tried[0]
            if len(tried) > 1:
                state = views[i : i + 1]
                worths = self.room.solved(state, tried) + self.room.playouts.try_actions(state, tried)
                actions[i] = tried[worths[0].argmax()]
        return actions
