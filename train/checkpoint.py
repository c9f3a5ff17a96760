"""Checkpoints: all a run needs to go on, as safetensors and JSON, written so that a kill never leaves half of one.

    runs/x/checkpoint-000123/policy.safetensors     the actor: all an agent needs
                             checkpoint.json        rules, configuration, feature version, progress
                             training.safetensors   critic, anchor, optimiser, pool

A checkpoint is written beside its place and moved there in one step.
"""

import os
import shutil
from pathlib import Path
from typing import Any

from safetensors.torch import load_file, save_file
from torch import Tensor

from agents.network import CHECKPOINT_PREFIX, find_checkpoint, load_actor, read_meta, save_actor
from thousand_env.rules import RuleSet
from train.config import Config
from train.learner import Learner
from train.pool import Pool

TRAINING_FILE = "training.safetensors"
KEEP = 3


def save(folder: Path, learner: Learner, pool: Pool, progress: dict[str, Any]) -> Path:
    """Write a checkpoint named after `progress["iteration"]` into the run's folder; return its path."""
    config = learner.config
    final = folder / f"{CHECKPOINT_PREFIX}{progress['iteration']:06d}"
    beside = folder / f".{final.name}.partial"
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir(parents=True)
    rules = RuleSet.parse(config.rules)
    meta = {"rules": rules.as_dict(), "rules_text": str(rules), "config": config.as_dict(), "progress": progress}
    save_actor(beside, learner.actor, meta)
    save_file(_training_tensors(learner, pool), beside / TRAINING_FILE)
    for file in beside.iterdir():
        _flush(file)
    shutil.rmtree(final, ignore_errors=True)
    beside.rename(final)
    _flush(folder)
    for old in sorted(folder.glob(CHECKPOINT_PREFIX + "*"))[:-KEEP]:
        shutil.rmtree(old, ignore_errors=True)
    return final


def load(folder: Path) -> tuple[Config, Learner, Pool, dict[str, Any]]:
    """Return configuration, learner, pool and progress of a run's newest checkpoint, exactly as they were saved."""
    path = find_checkpoint(folder)
    meta = read_meta(path)
    config = Config.from_dict(meta["config"])
    learner, pool = Learner(config), Pool(config)
    learner.actor.load_state_dict(load_actor(path)[0].state_dict())
    tensors = load_file(path / TRAINING_FILE)
    learner.critic.load_state_dict(_under("critic.", tensors))
    learner.anchor.load_state_dict(_under("anchor.", tensors))
    _load_optimisers(learner, tensors)
    for number in range(meta["progress"]["pool"]):
        pool.members.append(_under(f"pool.{number}.", tensors))
    return config, learner, pool, meta["progress"]


def _training_tensors(learner: Learner, pool: Pool) -> dict[str, Tensor]:
    tensors = {f"critic.{name}": tensor for name, tensor in learner.critic.state_dict().items()}
    tensors |= {f"anchor.{name}": tensor for name, tensor in learner.anchor.state_dict().items()}
    for network, optimiser in learner.optimisers.items():
        for index, state in optimiser.state_dict()["state"].items():
            tensors |= {f"{network} optimiser.{index}.{name}": tensor for name, tensor in state.items()}
    for number, member in enumerate(pool.members):
        tensors |= {f"pool.{number}.{name}": tensor for name, tensor in member.items()}
    return {name: tensor.contiguous().clone() for name, tensor in tensors.items()}


def _load_optimisers(learner: Learner, tensors: dict[str, Tensor]) -> None:
    for network, optimiser in learner.optimisers.items():
        state = optimiser.state_dict()
        for name, tensor in _under(f"{network} optimiser.", tensors).items():
            index, _, part = name.partition(".")
            state["state"].setdefault(int(index), {})[part] = tensor
        optimiser.load_state_dict(state)


def _under(prefix: str, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): tensor for name, tensor in tensors.items() if name.startswith(prefix)}


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
