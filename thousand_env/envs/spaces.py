"""Spaces: what is observed and done, the same at every table."""

from typing import Any

import numpy as np
from gymnasium import Space, spaces
from numpy.typing import NDArray

from thousand_env.actions import NUM_ACTIONS
from thousand_env.features import FEATURES_HIGH, FEATURES_LOW, NUM_HIDDEN

Observation = dict[str, NDArray[Any]]


def action_space() -> spaces.Discrete[np.int64]:
    """Return the one action space of every table and every phase."""
    return spaces.Discrete(NUM_ACTIONS)


def features_space() -> spaces.Box:
    """Return the space of the features alone, float32 (NUM_FEATURES,)."""
    return spaces.Box(FEATURES_LOW, FEATURES_HIGH, dtype=np.float32)


def observation_space() -> Space[Any]:
    """Return the space of what a seat observes: the features, and the mask of its legal actions."""
    mask = spaces.Box(0, 1, (NUM_ACTIONS,), np.int8)
    return spaces.Dict({"observation": features_space(), "action_mask": mask})


def state_space() -> spaces.Box:
    """Return the space of `state()`: the features of the seat to act, then all hands and the talon."""
    low = np.concatenate([FEATURES_LOW, np.zeros(NUM_HIDDEN, np.float32)])
    high = np.concatenate([FEATURES_HIGH, np.ones(NUM_HIDDEN, np.float32)])
    return spaces.Box(low, high, dtype=np.float32)
