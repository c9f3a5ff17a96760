"""`policy path=FOLDER`: a trained network as an agent.

The network always runs on one thread and on batches padded to one size: torch's rows differ in the last bits between
batch sizes, and an agent's move must not depend on who else is asked.
"""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from agents.network import Actor, load_actor
from thousand_env.actions import NUM_ACTIONS
from thousand_env.features import NUM_FEATURES, encode
from thousand_env.jit import kernel
from thousand_env.rng import word
from thousand_env.state import NONE

BATCH = 256


@kernel
def unit(random_word: int) -> float:
    """Return a number in [0, 1) from a random word."""
    return ((random_word >> 11) & 0x1F_FFFF_FFFF_FFFF) / 9007199254740992.0


@kernel
def log_total(logits: Any, mask: Any) -> float:
    """Return the logarithm of the legal actions' summed exponentials: log-probability = logit - this."""
    top, total = -np.inf, 0.0
    for action in range(NUM_ACTIONS):
        if mask[action]:
            top = max(top, float(logits[action]))
    for action in range(NUM_ACTIONS):
        if mask[action]:
            total += np.exp(float(logits[action]) - top)
    return top + np.log(total)


@kernel
def likeliest(logits: Any, mask: Any) -> int:
    """Return the legal action with the highest logit."""
    best = NONE
    for action in range(NUM_ACTIONS):
        if mask[action] and (best == NONE or logits[action] > logits[best]):
            best = action
    return best


@kernel
def draw(logits: Any, mask: Any, key: int) -> int:
    """Return a legal action drawn from the masked softmax by the key's first word."""
    total, left, last = log_total(logits, mask), unit(word(key, 0)), NONE
    for action in range(NUM_ACTIONS):
        if mask[action]:
            last = action
            left -= np.exp(float(logits[action]) - total)
            if left < 0:
                break
    return last


@kernel
def _choose_all(logits: Any, masks: Any, keys: Any, sample: int, actions: Any, log_probs: Any) -> None:
    for i in range(logits.shape[0]):
        actions[i] = draw(logits[i], masks[i], keys[i]) if sample else likeliest(logits[i], masks[i])
        log_probs[i] = logits[i, actions[i]] - log_total(logits[i], masks[i])


def choose(
    logits: NDArray[np.float32], masks: NDArray[np.int8], keys: NDArray[np.int64], *, sample: bool
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return actions (N,) and their log-probabilities (N,) under the masked softmax of `logits` (N, NUM_ACTIONS).

    With `sample` the draw of row i depends on `keys[i]` alone; without it the likeliest legal action is taken.
    """
    actions = np.empty(len(logits), np.int64)
    log_probs = np.empty(len(logits), np.float32)
    _choose_all(logits, masks, keys, int(sample), actions, log_probs)
    return actions, log_probs


@contextmanager
def one_thread() -> Generator[None]:
    """Let torch use one thread, for results that do not depend on the machine's cores."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def padded_logits(actor: Actor, features: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return logits (N, NUM_ACTIONS) computed in batches of one fixed size, so that no row depends on the others."""
    logits = np.empty((len(features), NUM_ACTIONS), np.float32)
    padded: NDArray[np.float32] = torch.zeros((BATCH, NUM_FEATURES)).numpy()  # aligned alike in every process
    with torch.inference_mode(), one_thread():
        for start in range(0, len(features), BATCH):
            rows = features[start : start + BATCH]
            padded[: len(rows)] = rows
            logits[start : start + BATCH] = actor(torch.from_numpy(padded)).numpy()[: len(rows)]
    return logits


class Policy:
    """A trained network; `sample` draws from its probabilities instead of taking the likeliest action."""

    def __init__(self, actor: Actor, *, sample: bool = False, name: str = "policy") -> None:
        self.actor = actor
        self.sample = sample
        self.name = name

    def __str__(self) -> str:
        return self.name

    @classmethod
    def from_path(cls, path: str, *, sample: bool = False) -> "Policy":
        """Return the policy of a checkpoint folder, or of a run's newest checkpoint."""
        name = f"policy path={path}" + (" sample=yes" if sample else "")
        return cls(load_actor(Path(path))[0], sample=sample, name=name)

    def act(self, views: NDArray[Any], masks: NDArray[np.int8], keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return one legal action for each view: int64 (N,); where only one is legal the network is not asked."""
        actions = masks.argmax(axis=1).astype(np.int64)
        open_rows = np.flatnonzero(masks.sum(axis=1) > 1)
        if len(open_rows):
            logits = padded_logits(self.actor, encode(views[open_rows]))
            actions[open_rows] = choose(logits, masks[open_rows], keys[open_rows], sample=self.sample)[0]
        return actions
