"""The learner: actor, critic and optimiser, and one PPO update on an iteration's experience."""

import math
from collections import defaultdict

import torch
from torch import Tensor, nn

from agents.network import Actor, perceptron
from thousand_env.errors import ThousandError
from thousand_env.features import NUM_FEATURES, NUM_HIDDEN
from train.config import Config
from train.ppo import Losses, advantages, losses, masked_log_softmax, normalised
from train.selfplay import Experience


class Critic(nn.Module):
    """Features and all hands -> the value of the deal for the seat to act (N,), in units of 100 points.

    It sees what no player may see, and therefore serves in training only (PerfectDou, Yang et al. 2022).
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.body = perceptron(NUM_FEATURES + NUM_HIDDEN, width, 1)

    def forward(self, features: Tensor, hidden: Tensor) -> Tensor:
        """Return the values."""
        return self.body(torch.cat([features, hidden], dim=1)).squeeze(1)


class Learner:
    """Two networks and what changes them."""

    def __init__(self, config: Config) -> None:
        torch.manual_seed(config.seed)
        self.config = config
        self.actor = Actor(config.width)
        self.critic = Critic(config.width)
        with torch.no_grad():  # begin nearly uniform, whatever the last layer's luck
            list(self.actor.parameters())[-2].mul_(0.01)
        self.optimiser = torch.optim.Adam([*self.actor.parameters(), *self.critic.parameters()], lr=1e-3, eps=1e-5)

    def minibatches(self, count: int, key: int) -> list[Tensor]:
        """Return the rows of each gradient step of one pass over `count` decisions, in an order fixed by `key`."""
        generator = torch.Generator().manual_seed(key)
        return list(torch.randperm(count, generator=generator).split(self.config.minibatch))

    def set_learning_rate(self, rate: float) -> None:
        """Set Adam's step size."""
        for group in self.optimiser.param_groups:
            group["lr"] = rate

    def descend(self, loss: Tensor, place: str) -> float:
        """Take one gradient step; return the gradient's norm. A number that is not finite stops the run at `place`."""
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        parameters = [*self.actor.parameters(), *self.critic.parameters()]
        norm = float(nn.utils.clip_grad_norm_(parameters, self.config.max_gradient))
        value = float(loss.detach())
        if not (math.isfinite(value) and math.isfinite(norm)):
            raise ThousandError(f"{place}: loss {value}, gradient norm {norm}: expected finite numbers")
        self.optimiser.step()
        return norm

    def imitate(self, experience: Experience, key: int, place: str) -> dict[str, float]:
        """Learn to do what `experience` did, and to value it by how the deals ended; return means of the losses."""
        returns = self._returns(experience, torch.zeros(len(experience)), trace=1.0)
        sums: dict[str, float] = defaultdict(float)
        batches = self.minibatches(len(experience), key)
        for number, rows in enumerate(batches):
            features, masks = experience.features[rows], experience.masks[rows]
            log_probs = masked_log_softmax(self.actor(features), masks)
            imitation = -log_probs.gather(1, experience.actions[rows].unsqueeze(1)).mean()
            value = 0.5 * (self.critic(features, experience.hidden[rows]) - returns[rows]).square().mean()
            self.descend(imitation + self.config.value_weight * value, f"{place}, batch {number}")
            sums["imitation"] += float(imitation.detach()) / len(batches)
            sums["value"] += float(value.detach()) / len(batches)
        return dict(sums)

    def improve(self, experience: Experience, key: int, place: str, progress: float) -> dict[str, float]:
        """Do one iteration of PPO; `progress` in 0 … 1 anneals step size and entropy; return means of the losses."""
        config = self.config
        self.set_learning_rate(config.learning_rate * (1 - 0.95 * progress))
        with torch.inference_mode():
            values = self.critic(experience.features, experience.hidden).clone()
        returns = self._returns(experience, values, trace=config.trace)
        estimates = normalised(returns - values)
        fade = 1 - 0.8 * progress
        weights = torch.where(experience.in_play, config.entropy_play * fade, config.entropy_auction * fade)
        sums: dict[str, float] = defaultdict(float)
        steps = 0
        for epoch in range(config.epochs):
            for rows in self.minibatches(len(experience), key + epoch):
                parts = self._losses(experience, rows, estimates, returns, weights)
                loss = parts.policy + config.value_weight * parts.value - parts.entropy
                sums["gradient"] += self.descend(loss, f"{place}, batch {steps}")
                for name, part in parts._asdict().items():
                    sums[name] += float(part.detach())
                steps += 1
        return {name: total / steps for name, total in sums.items()}

    def _returns(self, experience: Experience, values: Tensor, *, trace: float) -> Tensor:
        ended = torch.zeros(len(experience))  # every deal was played to its end
        estimates = advantages(
            experience.rewards, values, experience.ends, ended, discount=self.config.discount, trace=trace
        )
        return estimates + values

    def _losses(
        self, experience: Experience, rows: Tensor, estimates: Tensor, returns: Tensor, weights: Tensor
    ) -> Losses:
        features = experience.features[rows]
        return losses(
            self.actor(features),
            self.critic(features, experience.hidden[rows]),
            experience.masks[rows],
            experience.actions[rows],
            experience.log_probs[rows],
            estimates[rows],
            returns[rows],
            weights[rows],
            clip=self.config.clip,
        )
