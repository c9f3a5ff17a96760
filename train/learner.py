"""The learner: actor, critic and optimiser, and one PPO update on an iteration's experience."""

import math
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import torch
from torch import Tensor, nn

from agents.network import Actor, perceptron
from thousand_env.errors import ThousandError
from thousand_env.features import NUM_FEATURES, NUM_HIDDEN
from thousand_env.state import AUCTION
from train.config import Config
from train.ppo import Minibatch, advantages, centred, divergences, losses, masked_log_softmax, normalised
from train.selfplay import Experience

WARM_START_RATE = 1e-3  # Adam's step size at the start of imitation; it falls linearly to a tenth
WARM_START_MINIBATCH = 1024

LossOf = Callable[[Tensor], dict[str, Tensor]]
"""Rows of an experience -> the parts of a network's loss; a part without a gradient is only reported."""


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
    """Two networks and what changes them. They share nothing, so they learn side by side, a thread each."""

    def __init__(self, config: Config) -> None:
        torch.manual_seed(config.seed)
        self.config = config
        self.actor = Actor(config.width)
        self.critic = Critic(config.width)
        self.anchor = Actor(config.width)
        with torch.no_grad():  # begin nearly uniform, whatever the last layer's luck
            list(self.actor.parameters())[-2].mul_(0.01)
        self.drop_anchor()
        self.optimisers = {
            name: torch.optim.Adam(network.parameters(), eps=1e-5) for name, network in self.networks().items()
        }

    def networks(self) -> dict[str, nn.Module]:
        """Return what learns, by name."""
        return {"actor": self.actor, "critic": self.critic}

    def drop_anchor(self) -> None:
        """Remember the actor as it is now: what follows starts out bound to it."""
        self.anchor.load_state_dict(self.actor.state_dict())

    # -- what is learned ---------------------------------------------------------------------------------------------

    def imitate(self, experience: Experience, key: int, place: str, progress: float) -> dict[str, float]:
        """Learn to do what `experience` did, and to value it by how the deals ended; return means of the losses."""
        returns = self._returns(experience, torch.zeros(len(experience)), trace=1.0)

        def imitation(rows: Tensor) -> dict[str, Tensor]:
            log_probs = masked_log_softmax(self.actor(experience.features[rows]), experience.masks[rows])
            return {"imitation": -log_probs.gather(1, experience.actions[rows].unsqueeze(1)).mean()}

        return self._learn(
            {"actor": imitation, "critic": self._value_loss(experience, returns)},
            [self.minibatches(len(experience), WARM_START_MINIBATCH, key)],
            WARM_START_RATE * (1 - 0.9 * progress),
            place,
        )

    def compare(self, experience: Experience, key: int, place: str, progress: float) -> dict[str, float]:
        """Prefer what would have brought more, deal by deal, without straying far from the anchor; return mean losses.

        The loss is the expected worth of the policy itself, no action is sampled: over the deals that look alike to a
        seat it averages to what each action is worth there.
        """
        returns = self._returns(experience, torch.zeros(len(experience)), trace=1.0)
        assert experience.worths is not None, "the experience was collected without playouts"
        advantages_of = centred(experience.worths)
        with torch.inference_mode():
            anchored = masked_log_softmax(self.anchor(experience.features), experience.masks).clone()

        def comparison(rows: Tensor) -> dict[str, Tensor]:
            masks = experience.masks[rows]
            log_probs = masked_log_softmax(self.actor(experience.features[rows]), masks)
            return {
                "comparison": -(log_probs.exp() * advantages_of[rows]).sum(1).mean(),
                "anchor": self.config.comparison_anchor * divergences(anchored[rows], log_probs, masks).mean(),
            }

        return self._learn(
            {"actor": comparison, "critic": self._value_loss(experience, returns)},
            [self.minibatches(len(experience), WARM_START_MINIBATCH, key)],
            WARM_START_RATE * (1 - 0.95 * progress),
            place,
        )

    def improve(self, experience: Experience, key: int, place: str, progress: float) -> dict[str, float]:
        """Do one iteration of PPO; `progress` in 0 … 1 anneals what falls in a run; return means of the losses."""
        config = self.config
        whole, returns = self._prepared(experience, progress)

        def policy(rows: Tensor) -> dict[str, Tensor]:
            batch = Minibatch(*(part[rows] for part in whole))
            return losses(self.actor(experience.features[rows]), batch, clip=config.clip)._asdict()

        return self._learn(
            {"actor": policy, "critic": self._value_loss(experience, returns)},
            [self.minibatches(len(experience), config.minibatch, key + epoch) for epoch in range(config.epochs)],
            config.learning_rate * (1 - 0.95 * progress),
            place,
        )

    def _value_loss(self, experience: Experience, returns: Tensor) -> LossOf:
        def value(rows: Tensor) -> dict[str, Tensor]:
            values = self.critic(experience.features[rows], experience.hidden[rows])
            return {"value": 0.5 * (values - returns[rows]).square().mean()}

        return value

    def _prepared(self, experience: Experience, progress: float) -> tuple[Minibatch, Tensor]:
        """Return all of an iteration's decisions as one batch, with advantages and weights, and their returns."""
        config, masks, bidding = self.config, experience.masks, experience.phases == AUCTION
        values = self._values(experience)
        returns = self._returns(experience, values, trace=config.trace)
        anchored = torch.zeros(masks.shape)
        with torch.inference_mode():
            anchored[bidding] = masked_log_softmax(self.anchor(experience.features[bidding]), masks[bidding])
        entropy_weights = torch.where(experience.in_play, config.entropy_play, config.entropy_auction)
        batch = Minibatch(
            masks=masks,
            actions=experience.actions,
            old_log_probs=experience.log_probs,
            estimates=normalised(returns - values, experience.stages),
            entropy_weights=entropy_weights * (1 - 0.8 * progress),
            anchor_log_probs=anchored,
            anchor_weights=bidding * config.anchor * (1 - progress),
        )
        return batch, returns

    def _values(self, experience: Experience) -> Tensor:
        """Return the critic's values of an experience's decisions, computed in two threads."""

        def half(rows: slice) -> Tensor:
            torch.set_num_threads(1)
            with torch.inference_mode():
                return self.critic(experience.features[rows], experience.hidden[rows])

        middle = len(experience) // 2
        with ThreadPoolExecutor(2) as threads:
            return torch.cat(list(threads.map(half, (slice(0, middle), slice(middle, None))))).clone()

    def _returns(self, experience: Experience, values: Tensor, *, trace: float) -> Tensor:
        ended = torch.zeros(len(experience))  # every deal was played to its end
        estimates = advantages(
            experience.rewards, values, experience.ends, ended, discount=self.config.discount, trace=trace
        )
        return estimates + values

    # -- how it is learned -------------------------------------------------------------------------------------------

    def minibatches(self, count: int, size: int, key: int) -> list[Tensor]:
        """Return the rows of each gradient step of one pass over `count` decisions, in an order fixed by `key`."""
        generator = torch.Generator().manual_seed(key)
        return list(torch.randperm(count, generator=generator).split(size))

    def _learn(
        self, losses_of: dict[str, LossOf], epochs: list[list[Tensor]], rate: float, place: str
    ) -> dict[str, float]:
        """Let both networks descend their losses over the epochs' minibatches; return the means of all losses."""
        batches = [rows for epoch in epochs for rows in epoch]
        with ThreadPoolExecutor(len(losses_of)) as threads:
            work = [
                threads.submit(self._descend_all, name, loss_of, batches, rate, place)
                for name, loss_of in losses_of.items()
            ]
        return {name: mean for done in work for name, mean in done.result().items()}

    def _descend_all(
        self, name: str, loss_of: LossOf, batches: list[Tensor], rate: float, place: str
    ) -> dict[str, float]:
        torch.set_num_threads(1)
        for group in self.optimisers[name].param_groups:
            group["lr"] = rate
        sums: dict[str, float] = defaultdict(float)
        for number, rows in enumerate(batches):
            parts = loss_of(rows)
            loss = torch.stack([part for part in parts.values() if part.requires_grad]).sum()
            sums[f"{name} gradient"] += self.descend(name, loss, f"{place}, batch {number}")
            for part, value in parts.items():
                sums[part] += float(value.detach())
        return {part: total / len(batches) for part, total in sums.items()}

    def descend(self, name: str, loss: Tensor, place: str) -> float:
        """Take one gradient step; return the gradient's norm. A number that is not finite stops the run at `place`."""
        optimiser, parameters = self.optimisers[name], list(self.networks()[name].parameters())
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        norm = float(nn.utils.clip_grad_norm_(parameters, self.config.max_gradient))
        value = float(loss.detach())
        if not (math.isfinite(value) and math.isfinite(norm)):
            raise ThousandError(f"{place}: {name} loss {value}, gradient norm {norm}: expected finite numbers")
        optimiser.step()
        return norm
