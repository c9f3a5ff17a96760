"""The training loop: imitate the heuristic, play oneself and compare what else one might have done, then PPO.

It measures and writes checkpoints on the way, and stops when asked.

Each iteration's randomness is derived from (seed, iteration) and budgets count decisions, never seconds: a run that was
interrupted and resumed ends with the same weights as one that was not.
"""

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.utils.tensorboard import SummaryWriter

import agents
from agents.agent import Agent
from agents.network import Actor
from thousand_env.errors import ThousandError
from thousand_env.rng import derive
from thousand_env.rules import RuleSet
from thousand_env.state import PHASE_NAMES
from train import checkpoint
from train.config import Config
from train.learner import Learner
from train.pool import Pool
from train.ppo import divergences, entropies, masked_log_softmax
from train.report import Measurement, measure
from train.selfplay import TRAINING, Choice, Chooser, Collectors, Experience, network_chooser

BASELINES = ("heuristic", "passer")
SURVEYED = 2048  # decisions of an iteration whose probabilities are compared before and after

Progress = dict[str, Any]
Report = Callable[[Progress, dict[str, float]], None]


def agent_chooser(agent: Agent) -> Chooser:
    """Return a chooser that asks an agent; its log-probabilities are 0."""

    def choose_by_agent(
        _features: NDArray[np.float32], masks: NDArray[np.int8], views: NDArray[Any], keys: NDArray[np.int64]
    ) -> Choice:
        return agent.act(views, masks, keys), np.zeros(len(keys), np.float32)

    return choose_by_agent


class Run:
    """One training run, new or resumed; `progress` counts what has been done."""

    def __init__(self, config: Config, learner: Learner, pool: Pool, progress: Progress) -> None:
        self.config, self.learner, self.pool, self.progress = config, learner, pool, progress
        self.rules = RuleSet.parse(config.rules)
        self.collectors = Collectors(self.rules.array(), config.deals)
        self.stop = False
        self.self_play_seconds, self.self_play_decisions = 0.0, 0  # of this process, for the speed it reports

    @classmethod
    def start(cls, config: Config) -> "Run":
        """Return a new run; raises `ThousandError` when its folder already holds one."""
        if any(config.run.glob("checkpoint-*")):
            raise ThousandError(f"run={config.run}: holds a run already; go on with --resume, or name another folder")
        config.run.mkdir(parents=True, exist_ok=True)
        counts = dict.fromkeys(("iteration", "imitated", "compared", "decisions", "pool"), 0)
        progress: Progress = {**counts, "measurements": []}
        return cls(config, Learner(config), Pool(config), progress)

    @classmethod
    def resume(cls, config: Config) -> "Run":
        """Return the run of the folder's newest checkpoint."""
        return cls(*checkpoint.load(config.run))

    @property
    def finished(self) -> bool:
        """Whether the budget is used up."""
        return self.progress["decisions"] >= self.config.decisions

    def train(self, report: Report) -> None:
        """Train until the budget is used up or `stop` is set; always leave a checkpoint behind."""
        torch.set_num_threads(1)  # what runs side by side here are whole networks and whole deals
        with self._events() as events:
            while not (self.finished or self.stop):
                before = dict(self.progress)
                began = time.perf_counter()
                scalars = self._iterate()
                scalars["speed/decisions per second"] = self._speed(before, time.perf_counter() - began)
                self._mark_events(before, scalars)
                for name, value in scalars.items():
                    events.add_scalar(name, value, self.progress["iteration"])
                report(self.progress, scalars)
        checkpoint.save(self.config.run, self.learner, self.pool, self.progress)

    @contextmanager
    def _events(self) -> Generator[SummaryWriter]:
        writer = SummaryWriter(str(self.config.run), purge_step=self.progress["iteration"] + 1)
        try:
            yield writer
        finally:
            writer.close()

    def _speed(self, before: Progress, seconds: float) -> float:
        learned, *others = (self.progress[name] - before[name] for name in ("decisions", "imitated", "compared"))
        if learned:
            self.self_play_decisions += learned
            self.self_play_seconds += seconds
        return (learned + sum(others)) / seconds

    def _iterate(self) -> dict[str, float]:
        self.progress["iteration"] += 1
        key = derive(derive(TRAINING, self.config.seed), self.progress["iteration"])
        if self.progress["imitated"] < self.config.warm_start:
            return self._imitate(key)
        if self.progress["compared"] < self.config.compared:
            return self._compare(key)
        return self._self_play(key)

    def _imitate(self, key: int) -> dict[str, float]:
        teacher = agent_chooser(agents.load("heuristic", self.rules))
        experience = self.collectors.collect(key, teacher, teacher, 0)
        done = self.progress["imitated"] / self.config.warm_start
        losses = self.learner.imitate(experience, key, f"iteration {self.progress['iteration']}", done)
        self.progress["imitated"] += len(experience)
        return {f"warm start/{name}": value for name, value in losses.items()} | deal_scalars(
            experience.states, self.rules.players
        )

    def _compare(self, key: int) -> dict[str, float]:
        if not self.progress["compared"]:
            self.learner.drop_anchor()
        experience = self.collectors.compare(key, network_chooser(self.learner.actor))
        done = self.progress["compared"] / self.config.compared
        losses = self.learner.compare(experience, key, f"iteration {self.progress['iteration']}", done)
        self.progress["compared"] += len(experience)
        return {f"comparison/{name}": value for name, value in losses.items()} | deal_scalars(
            experience.states, self.rules.players
        )

    def _self_play(self, key: int) -> dict[str, float]:
        config = self.config
        if not self.pool.members:
            self.learner.drop_anchor()
            self._snapshot()
        done = self.progress["decisions"] / config.decisions
        learning = network_chooser(self.learner.actor, config.exploration * (1 - 0.8 * done))
        past = network_chooser(self.pool.pick(key))
        against_pool = round(config.pool_share * config.deals)
        experience = self.collectors.collect(key, learning, past, against_pool)
        survey = Survey(self.learner.actor, experience)
        losses = self.learner.improve(experience, key, f"iteration {self.progress['iteration']}", done)
        self.progress["decisions"] += len(experience)
        scalars = {f"loss/{name}": value for name, value in losses.items()}
        return scalars | survey.scalars() | deal_scalars(experience.states, self.rules.players)

    def _snapshot(self) -> None:
        self.pool.add(self.learner.actor)
        self.progress["pool"] = len(self.pool.members)

    def _mark_events(self, before: Progress, scalars: dict[str, float]) -> None:
        """Take snapshots, measure and checkpoint where the budget's marks were passed."""
        if self._passed(self.config.snapshots, before):
            self._snapshot()
        if self._passed(self.config.evaluations, before) or (self.config.evaluations and self._stage_ended(before)):
            for baseline in BASELINES:
                measurement = self.measure(baseline, self.config.evaluation_deals)
                self.progress["measurements"].append(
                    {"after": self.progress["decisions"], "baseline": baseline, **measurement.as_dict()}
                )
                scalars |= {f"against {baseline}/{name}": value for name, value in measurement.scalars().items()}
        if self._passed(self.config.checkpoints, before) or self._stage_ended(before):
            checkpoint.save(self.config.run, self.learner, self.pool, self.progress)

    def _passed(self, marks: int, before: Progress) -> bool:
        budget = self.config.decisions
        return self.progress["decisions"] * marks // budget > before["decisions"] * marks // budget

    def _stage_ended(self, before: Progress) -> bool:
        stages = (("imitated", self.config.warm_start), ("compared", self.config.compared))
        return any(before[name] < budget <= self.progress[name] for name, budget in stages)

    def measure(self, baseline: str, deals: int) -> Measurement:
        """Return how the current policy does against copies of a baseline."""
        return measure(self.learner.actor, baseline, self.rules, deals, self.config.seed)


class Survey:
    """A policy's own probabilities at some decisions of an iteration, before it learns from them and after."""

    def __init__(self, actor: Actor, experience: Experience) -> None:
        self.actor = actor
        rows = slice(None, None, max(1, len(experience) // SURVEYED))
        self.features, self.masks, self.phases = (
            part[rows] for part in (experience.features, experience.masks, experience.phases)
        )
        self.before = self.log_probs()

    def log_probs(self) -> Tensor:
        """Return the log-probabilities as the actor stands now."""
        with torch.inference_mode():
            return masked_log_softmax(self.actor(self.features), self.masks)

    def scalars(self) -> dict[str, float]:
        """Return how far the policy has moved, in nats, and the entropy it had in each phase."""
        moved = divergences(self.before, self.log_probs(), self.masks).mean()
        found = entropies(self.before, self.masks)
        by_phase = {
            f"entropy/{PHASE_NAMES[phase]}": float(found[self.phases == phase].mean())
            for phase in self.phases.unique().tolist()
        }
        return {"policy/divergence of the update": float(moved), **by_phase}


def deal_scalars(states: NDArray[Any], players: int) -> dict[str, float]:
    """Return what the auctions of an iteration's deals were like, those against past selves among them."""
    declarers = states["declarer"]
    openers = (states["dealer"] + 1) % players
    made = states["score"][np.arange(len(states)), declarers] > 0
    return {
        "deals/mean contract": float(np.maximum(states["contract"], states["bid"]).mean()),
        "deals/contested share": float((declarers != openers).mean()),
        "deals/bid above 100": float((states["bid"] > 100).mean()),
        "deals/make rate": float(made.mean()),
    }
