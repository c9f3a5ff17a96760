"""How many worlds a second are sampled, on one thread: `python -m benchmarks.worlds [--json] [--rules SPEC]`.

The views are those of the seat to act along uniform play, many of each phase. From each view as many worlds are drawn
as a search takes for one decision, so a figure holds the working out of the view, too; `views` are worked out alone,
one world each. The rows are measured in turn, again and again; a row shows the median, the lowest and the highest.
"""

import argparse
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.determinize import sample
from agents.table import play_step
from agents.uniform import Uniform
from benchmarks.layers import SEED, Layer
from benchmarks.rollouts import Result, as_json, machine, show, table
from thousand_env import engine
from thousand_env.rules import RuleSet
from thousand_env.state import AUCTION, EXCHANGE, NONE, PLAY, new_states
from thousand_env.view import look

VIEWS, WORLDS = 100, 50
REPETITIONS = 9


def views_by_name(rules: RuleSet) -> dict[str, NDArray[Any]]:
    """Return the views to sample from: of the auction, the exchange, and the first, third and sixth trick."""
    states = new_states(8 * VIEWS)
    array = rules.array()
    engine.start_matches(states, array, np.full(len(states), SEED), np.arange(len(states)))
    found: dict[str, list[NDArray[Any]]] = {}
    agents, seats = [Uniform(rules)], np.zeros((len(states), rules.players), np.int64)
    while (states["turn"] != NONE).any():
        for name, chosen in moments(states, rules.active):
            met = states[chosen]
            found.setdefault(name, []).append(look(met, array, met["turn"]))
        play_step(states, array, agents, seats)
    return {name: np.concatenate(views)[:VIEWS] for name, views in found.items()}


def moments(states: NDArray[Any], active: int) -> Iterator[tuple[str, NDArray[Any]]]:
    """Yield what is measured and the states, if any, that are there now."""
    phases, plays = states["phase"], states["num_plays"]
    yield "auction", np.flatnonzero(phases == AUCTION)
    yield "exchange", np.flatnonzero(phases == EXCHANGE)
    for trick in (1, 3, 6):
        yield (
            f"trick {trick}",
            np.flatnonzero((phases == PLAY) & (plays // active == trick - 1) & (plays % active == 1)),
        )


def layers(rules: RuleSet) -> list[Layer]:
    """Return what is measured, warmed up."""
    rows: list[Layer] = []
    for name, views in views_by_name(rules).items():
        for things, count in (("worlds", WORLDS), ("views", 1)):
            keys = np.arange(len(views), dtype=np.int64)
            work = partial(sample, views, rules.array(), count, keys)
            work()
            rows.append(Layer(f"{name}, {things}", things, count * len(views), "world", 1, work))
    return rows


def measure(rows: list[Layer], repetitions: int) -> list[Result]:
    """Measure every row so often, in turn."""
    results = [Result(row, []) for row in rows]
    for _ in range(repetitions):
        for result in results:
            start = time.perf_counter()
            result.layer.work()
            result.seconds.append(time.perf_counter() - start)
    return results


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.worlds", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--rules", type=RuleSet.parse, default="core", help="the table (core)")
    parser.add_argument("--repetitions", type=int, default=REPETITIONS, help=f"of every row ({REPETITIONS})")
    options = parser.parse_args()
    results = measure(layers(options.rules), options.repetitions)
    if options.json:
        print(as_json(results, {}))
        return
    print(", ".join(f"{name} {version}" for name, version in machine().items()))
    print(f"{options.rules}, one thread, median of {options.repetitions} interleaved repetitions")
    print(f"{VIEWS} views a row, {WORLDS} worlds or one from each")
    show(table(results))


if __name__ == "__main__":
    main()
