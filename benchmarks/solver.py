"""How fast the exact solver is, on one thread: `python -m benchmarks.solver [--json]`.

The positions are deals of `core`: bid, exchanged and, for the endings, played on by the heuristic. The measures take
turns, again and again; a figure is the median over these rounds, and the times of single positions are the lowest of
theirs. Nodes are the same on every machine; trust ratios within a run, not figures across runs.
"""

import argparse
import json
import time
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

import agents
from agents.solver import MADE, POINTS, SCORE, UNROUNDED, Solver
from agents.table import play_step, play_until
from benchmarks.rollouts import machine, quantity, show
from thousand_env import engine
from thousand_env.rules import CORE
from thousand_env.state import PLAY, new_states

SEED = 1
POSITIONS, ROUNDS = 500, 5


@dataclass(frozen=True)
class Measure:
    """Something to solve: positions in which every seat holds so many cards."""

    name: str
    cards: int
    objective: int = POINTS
    moves: bool = False  # whether every legal action is valued


MEASURES = (
    Measure("exact_8", 8),
    Measure("null_8", 8, MADE),
    Measure("exact_6", 6),
    Measure("exact_4", 4),
    Measure("moves_8", 8, moves=True),
    Measure("moves_6", 6, moves=True),
    Measure("unrounded_8", 8, UNROUNDED),
    Measure("unrounded_6", 6, UNROUNDED),
    Measure("score_6", 6, SCORE),
)


@dataclass
class Result:
    """The rounds of a measure: seconds each position took, and the nodes it took."""

    measure: Measure
    nodes: NDArray[np.int64]
    rounds: list[NDArray[np.float64]] = field(default_factory=list[NDArray[np.float64]])

    @property
    def per_second(self) -> float:
        """Positions a second, the median of the rounds."""
        return len(self.nodes) / float(np.median([seconds.sum() for seconds in self.rounds]))

    def figures(self) -> dict[str, float]:
        """What is printed, by name; times in microseconds."""
        times = np.min(self.rounds, axis=0) * 1e6
        return {
            "per_second": self.per_second,
            "mean_us": float(times.mean()),
            "median_us": float(np.median(times)),
            "p95_us": float(np.percentile(times, 95)),
            "nodes": float(self.nodes.mean()),
            "nodes_per_second": self.per_second * float(self.nodes.mean()),
        }


# -- measuring -------------------------------------------------------------------------------------------------------


@cache
def first_leads(count: int) -> NDArray[Any]:
    """Return states (count,) at the first lead."""
    states = new_states(count)
    engine.start_matches(states, CORE.array(), np.full(count, SEED), np.arange(count))
    play_until(states, CORE.array(), agents.load("heuristic", CORE), PLAY)
    return states


@cache
def positions(count: int, cards: int) -> NDArray[Any]:
    """Return states (count,) in which every seat holds so many cards."""
    states = first_leads(count).copy()
    players, seats = [agents.load("heuristic", CORE)], np.zeros((count, CORE.players), np.int64)
    for _ in range(CORE.active * (8 - cards)):
        play_step(states, CORE.array(), players, seats)
    return states


def one_round(measure: Measure, solver: Solver, states: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Solve the positions one by one; return the seconds and the nodes of each."""
    seconds, nodes = np.zeros(len(states)), np.zeros(len(states), np.int64)
    work = solver.move_values if measure.moves else solver.solve
    for i in range(len(states)):
        before, start = solver.nodes, time.perf_counter()
        work(states[i : i + 1], measure.objective)
        seconds[i], nodes[i] = time.perf_counter() - start, solver.nodes - before
    return seconds, nodes


def measure_all(count: int, rounds: int) -> list[Result]:
    """Measure everything so often, in turn, on so many positions; one solver serves all, as in a bot."""
    solver, results = Solver(CORE), list[Result]()
    for measure in MEASURES:
        _, nodes = one_round(measure, solver, positions(count, measure.cards)[:1])
        results.append(Result(measure, nodes))
    for _ in range(rounds):
        for result in results:
            seconds, result.nodes = one_round(result.measure, solver, positions(count, result.measure.cards))
            result.rounds.append(seconds)
    return results


# -- showing ---------------------------------------------------------------------------------------------------------


def table(results: list[Result]) -> list[list[str]]:
    """Return the rows of the table, the first one its head."""
    rows = [["measure", "a second", "mean µs", "median", "95 %", "nodes", "nodes/s"]]
    for result in results:
        figures = result.figures()
        times = [f"{figures[name]:.0f}" for name in ("mean_us", "median_us", "p95_us", "nodes")]
        rows.append(
            [
                result.measure.name,
                f"{figures['per_second']:.0f}",
                *times,
                quantity(figures["nodes_per_second"]),
            ]
        )
    return rows


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.solver", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--positions", type=int, default=POSITIONS, help=f"to solve of each kind ({POSITIONS})")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"of all measures ({ROUNDS})")
    options = parser.parse_args()
    results = measure_all(options.positions, options.rounds)
    if options.json:
        rows = [{"name": result.measure.name, **result.figures()} for result in results]
        print(json.dumps({"machine": machine(), "positions": options.positions, "results": rows}, indent=2))
        return
    print(", ".join(f"{name} {version}" for name, version in machine().items()))
    print(f"one thread, {options.positions} positions of seed {SEED}, median of {options.rounds} rounds in turn")
    show(table(results))


if __name__ == "__main__":
    main()
