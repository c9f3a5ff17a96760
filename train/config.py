"""What a training run is: one flat, frozen record; the command line and the checkpoint's JSON show the same fields."""

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from thousand_env.errors import ThousandError
from thousand_env.rules import RuleSet


@dataclass(frozen=True)
class Config:
    """Train a bot by PPO self-play and show what it does to the baselines."""

    run: Path = Path("runs/default")
    """Folder of the run: checkpoints, TensorBoard events, the final table."""
    resume: bool = False
    """Go on with the run in that folder; every other field is then taken from it."""
    seed: int = 1
    """Everything random follows from it."""
    rules: str = "core"
    """The table: a preset and differences."""
    decisions: int = 4_000_000
    """Budget of PPO: decisions of learning seats with more than one legal action."""
    warm_start: int = 6_000_000
    """Decisions of the heuristic imitated at first; 0 starts from nothing."""
    compared: int = 3_500_000
    """Decisions of self-play before PPO in which every alternative is played out by the heuristic, and compared."""
    comparison_anchor: float = 0.01
    """Weight of the divergence from the imitated policy while alternatives are compared."""
    deals: int = 1536
    """Deals collected in each iteration, each to its end."""
    width: int = 256
    """Units in each of the two hidden layers of actor and critic."""
    learning_rate: float = 4e-4
    """Adam's step size at the start of self-play; it falls linearly to a twentieth."""
    epochs: int = 2
    """How often each iteration's decisions are used."""
    minibatch: int = 4096
    """Decisions in one gradient step."""
    clip: float = 0.2
    """PPO's clipping range of the probability ratio."""
    discount: float = 1.0
    """Discount between a seat's decisions; a deal is short and its reward comes at its end."""
    trace: float = 0.75
    """Lambda of the advantage estimates."""
    anchor: float = 0.1
    """Weight of the auction's divergence from the warm start's; it falls linearly to 0. A bot whose card play is still
    weak learns to refuse the auction, and then never learns to play a contract."""
    exploration: float = 0.05
    """Share of auction decisions made by a coin between pass and lowest raise; it falls linearly to a fifth."""
    entropy_auction: float = 0.003
    """Weight of the entropy bonus for decisions before the play; it falls linearly to a fifth."""
    entropy_play: float = 0.003
    """The same for decisions of the play."""
    max_gradient: float = 0.5
    """Gradient norm above which a step is scaled down."""
    pool_size: int = 8
    """How many past selves are kept as opponents: the first, and the latest."""
    pool_share: float = 0.25
    """Share of the deals in which one learning seat meets copies of a past self."""
    snapshots: int = 20
    """How often in a run the current self joins the pool."""
    evaluations: int = 10
    """How often in a run the policy is measured against the baselines."""
    evaluation_deals: int = 2000
    """Deals of each such measurement, every one played from each seat."""
    final_deals: int = 20_000
    """Deals of the final table."""
    checkpoints: int = 20
    """How often in a run a checkpoint is written."""

    def __post_init__(self) -> None:
        for name in ("decisions", "deals", "width", "epochs", "minibatch", "pool_size", "snapshots", "checkpoints"):
            if getattr(self, name) < 1:
                raise ThousandError(f"{name}={getattr(self, name)}: expected at least 1")
        for name in ("discount", "trace", "pool_share", "exploration"):
            if not 0 <= getattr(self, name) <= 1:
                raise ThousandError(f"{name}={getattr(self, name)}: expected a number from 0 to 1")
        for name in ("evaluations", "warm_start", "compared"):
            if getattr(self, name) < 0:
                raise ThousandError(f"{name}={getattr(self, name)}: expected at least 0")
        RuleSet.parse(self.rules)

    def as_dict(self) -> dict[str, Any]:
        """Return field: value, ready for JSON."""
        return {**dataclasses.asdict(self), "run": str(self.run), "resume": False}

    @classmethod
    def from_dict(cls, fields: dict[str, Any]) -> "Config":
        """Return the configuration that `as_dict` wrote."""
        values: dict[str, Any] = {**fields, "run": Path(fields["run"])}
        return cls(**values)
