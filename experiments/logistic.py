"""Logistic regression by iteratively reweighted least squares (Green 1984): a few features, thousands of rows."""

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

_STEPS = 25
_RIDGE = 1e-6  # keeps a feature that never varies from making the equations singular


def fitted_logistic(features: Numbers, happened: Numbers) -> Numbers:
    """Return the weights (F + 1,), the constant first, that make `happened` (N,) of 0 and 1 likeliest."""
    x = _with_constant(features)
    weights = np.zeros(x.shape[1])
    for _ in range(_STEPS):
        chances = _logistic(x @ weights)
        spread = chances * (1 - chances)
        slope = x.T @ (happened - chances)
        weights = weights + np.linalg.solve(x.T @ (x * spread[:, None]) + _RIDGE * np.eye(x.shape[1]), slope)
    return weights


def predicted(features: Numbers, weights: Numbers) -> Numbers:
    """Return the chance of each row (N,)."""
    return _logistic(_with_constant(features) @ weights)


def _logistic(scores: Numbers) -> Numbers:
    return 1 / (1 + np.exp(-np.clip(scores, -30, 30)))


def _with_constant(features: Numbers) -> Numbers:
    return np.column_stack([np.ones(len(features)), features])
