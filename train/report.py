"""What a policy is worth: duels against fixed baselines, as numbers with intervals, and the table that shows them."""

import json
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.table import Table

from agents.arena import Result, bids_gain, duel
from agents.network import Actor
from agents.policy import Policy
from thousand_env.rules import RuleSet


@dataclass(frozen=True)
class Measurement:
    """A duel against copies of a baseline, and what the policy's own bids gained in it over forced passing."""

    result: Result
    bids: tuple[float, tuple[float, float]] | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as JSON gives them back."""
        figures = self.result.as_dict()
        if self.bids is not None:
            figures |= {"bids_gain": self.bids[0], "bids_gain_ci95": self.bids[1]}
        return json.loads(json.dumps(figures))

    def scalars(self) -> dict[str, float]:
        """Return the figures TensorBoard shows."""
        result = self.result
        named = {
            "advantage": result.advantage,
            "advantage low": result.ci95[0],
            "advantage high": result.ci95[1],
            "mean contract": result.own_mean_contract,
            "contested share": result.own_contested,
            "make rate": result.own_make_rate,
        }
        return {name: value for name, value in named.items() if value is not None}


def measure(
    actor: Actor, baseline: str, rules: RuleSet, deals: int, seed: int, *, with_bids: bool = False
) -> Measurement:
    """Play `deals` deals against copies of a baseline; `with_bids` plays them again with its mouth shut."""
    policy = Policy(actor)
    result = duel(policy, baseline, deals=deals, seed=seed, rules=rules)
    return Measurement(result, bids_gain(result, policy, baseline) if with_bids else None)


def print_table(measurements: list[Measurement], console: Console) -> None:
    """Print one row a baseline: points gained with interval, and what kind of bidder the policy is."""
    table = Table(title="the trained policy against copies of each baseline in the other seats, a deal, 95 % intervals")
    for column in ("baseline", "advantage", "contract", "contested", "declares", "made", "own bids gain", "deals"):
        table.add_column(column, justify="left" if column == "baseline" else "right")
    for measurement in measurements:
        result = measurement.result
        gain = "-" if measurement.bids is None else points(*measurement.bids)
        table.add_row(
            result.opponent,
            points(result.advantage, result.ci95),
            "-" if result.own_mean_contract is None else f"{result.own_mean_contract:.0f}",
            share(result.own_contested),
            share(result.declarer_share),
            share(result.own_make_rate),
            gain,
            f"{result.blocks} × {RuleSet.parse(result.rules).players}",
        )
    console.print(table)


def points(mean: float, interval: tuple[float, float]) -> str:
    """Return a figure and its interval as text."""
    return f"{mean:+.1f} [{interval[0]:+.1f}, {interval[1]:+.1f}]"


def share(value: float | None) -> str:
    """Return a share in per cent as text."""
    return "-" if value is None else f"{100 * value:.0f} %"
