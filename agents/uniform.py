"""The bot that knows the rules and nothing else."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thousand_env.engine import count_legal, nth_legal
from thousand_env.jit import kernel, mulhi
from thousand_env.rng import word
from thousand_env.rules import RuleSet


@kernel
def any_action(mask: Any, key: int) -> int:
    """Return one of the legal actions of a mask row, each with the same chance."""
    return nth_legal(mask, mulhi(word(key, 0), count_legal(mask)))


@kernel
def _act_all(masks: Any, keys: Any, actions: Any) -> None:
    for i in range(masks.shape[0]):
        actions[i] = any_action(masks[i], keys[i])


@dataclass(frozen=True)
class Uniform:
    """Takes any legal action, each with the same chance."""

    rules: RuleSet

    def __str__(self) -> str:
        return "uniform"

    def act(self, views: NDArray[Any], masks: NDArray[np.int8], keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return a legal action for each mask, uniformly drawn from its key."""
        actions = np.empty(len(views), np.int64)
        _act_all(masks, keys, actions)
        return actions
