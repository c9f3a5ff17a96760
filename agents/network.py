"""The policy network, and how its weights are kept: safetensors for the numbers, JSON for what they mean.

One masked actor over the flat action space serves every phase of the game. torch lives here, in `agents.policy` and in
`train`, nowhere else.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from thousand_env.actions import NUM_ACTIONS
from thousand_env.errors import ThousandError
from thousand_env.features import FEATURES_VERSION, NUM_FEATURES

FORMAT = 1
WEIGHTS_FILE = "policy.safetensors"
META_FILE = "checkpoint.json"
CHECKPOINT_PREFIX = "checkpoint-"


def perceptron(inputs: int, width: int, outputs: int) -> nn.Sequential:
    """Return a network of two hidden layers."""
    return nn.Sequential(
        nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, outputs)
    )


class Actor(nn.Module):
    """Features (N, NUM_FEATURES) -> one logit an action (N, NUM_ACTIONS); the caller masks illegal ones."""

    def __init__(self, width: int = 256) -> None:
        super().__init__()
        self.width = width
        self.body = perceptron(NUM_FEATURES, width, NUM_ACTIONS)

    def forward(self, features: Tensor) -> Tensor:
        """Return the logits."""
        return self.body(features)


def weights_hash(tensors: dict[str, Tensor]) -> str:
    """Return a SHA-256 over names and values of tensors: equal hashes mean equal networks, bit for bit."""
    digest = hashlib.sha256()
    for name in sorted(tensors):
        digest.update(name.encode())
        digest.update(tensors[name].detach().contiguous().numpy().tobytes())
    return digest.hexdigest()


def network_meta(actor: Actor) -> dict[str, Any]:
    """Return what a reader must know to use the weights."""
    return {
        "format": FORMAT,
        "features_version": FEATURES_VERSION,
        "num_features": NUM_FEATURES,
        "num_actions": NUM_ACTIONS,
        "width": actor.width,
        "weights_sha256": weights_hash(actor.state_dict()),
    }


def save_actor(folder: Path, actor: Actor, meta: dict[str, Any]) -> None:
    """Write the actor's weights and `meta` beside them into an existing folder."""
    save_file({name: tensor.contiguous() for name, tensor in actor.state_dict().items()}, folder / WEIGHTS_FILE)
    text = json.dumps(network_meta(actor) | meta, indent=1, ensure_ascii=False)
    (folder / META_FILE).write_text(text + "\n", encoding="utf-8")


def find_checkpoint(path: Path) -> Path:
    """Return `path` if it is a checkpoint folder, else the newest checkpoint of the run it holds."""
    if (path / META_FILE).is_file():
        return path
    found = sorted(p for p in path.glob(CHECKPOINT_PREFIX + "*") if (p / META_FILE).is_file())
    if not found:
        raise ThousandError(f"path={path}: expected a checkpoint folder, or a run folder with a checkpoint in it")
    return found[-1]


def read_meta(folder: Path) -> dict[str, Any]:
    """Return the JSON of a checkpoint; raises `ThousandError` when this version cannot use its weights."""
    try:
        meta: dict[str, Any] = json.loads((folder / META_FILE).read_text(encoding="utf-8"))
    except (OSError, json.JSONDecodeError) as error:
        raise ThousandError(f"{folder / META_FILE}: cannot be read: {error}") from None
    expected = {
        "format": FORMAT,
        "features_version": FEATURES_VERSION,
        "num_features": NUM_FEATURES,
        "num_actions": NUM_ACTIONS,
    }
    for name, value in expected.items():
        if meta.get(name) != value:
            raise ThousandError(f"{folder / META_FILE}: {name} is {meta.get(name)}, expected {value}")
    return meta


def load_actor(path: Path) -> tuple[Actor, dict[str, Any]]:
    """Return the actor of a checkpoint and its JSON; raises `ThousandError` when the files do not belong together."""
    folder = find_checkpoint(path)
    meta = read_meta(folder)
    actor = Actor(meta["width"])
    actor.load_state_dict(load_file(folder / WEIGHTS_FILE))
    actor.eval()
    if weights_hash(actor.state_dict()) != meta["weights_sha256"]:
        raise ThousandError(f"{folder / WEIGHTS_FILE}: its hash is not the one {META_FILE} names; the files differ")
    return actor, meta
