"""How the layers fare beside those of another checkout: `python -m benchmarks.versus PATH [--json]`.

Each checkout has a process of its own, with its own benchmarks; they do the same layer in turn, again and again, and
start anew a few times, as speed depends on where code and arrays happen to lie. A figure is the median for a second of
one processor, whatever else the machine was doing; a ratio is that of neighbours in a round, above 1 where this
checkout is faster.
"""

import argparse
import contextlib
import json
import statistics
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import NamedTuple

from benchmarks.layers import ROOT
from benchmarks.rollouts import machine, quantity, show

LAYERS = ("deal", "play_rollout", "deal_rollout", "engine_step", "vector_step", "aec_step", "clone")  # of one thread
STARTS, ROUNDS = 4, 7
WORKER = """
import contextlib, sys, time
from benchmarks import layers
made = {}
with contextlib.ExitStack() as stack:
    for name in map(str.strip, sys.stdin):
        if name not in made:
            made[name] = getattr(layers, name)(stack)
            made[name].work()
        start = time.process_time()
        made[name].work()
        print((time.process_time() - start) / made[name].count, flush=True)
"""


class Result(NamedTuple):
    """A layer in both checkouts: seconds a thing, round by round."""

    layer: str
    ours: list[float]
    theirs: list[float]

    @property
    def ratios(self) -> list[float]:
        """How many times as fast this checkout was, round by round."""
        return [theirs / ours for ours, theirs in zip(self.ours, self.theirs, strict=True)]


@contextlib.contextmanager
def worker(checkout: Path) -> Generator["subprocess.Popen[str]", None, None]:
    """Run a process in a checkout that answers the name of a layer with the seconds a thing took."""
    command = [sys.executable, "-c", WORKER]
    with subprocess.Popen(command, cwd=checkout, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.terminate()


def ask(process: "subprocess.Popen[str]", layer: str) -> float:
    """Return the seconds a thing takes in a layer; raises `SystemExit` when the process has ended."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{layer}\n")
    process.stdin.flush()
    seconds = process.stdout.readline()
    if not seconds:
        raise SystemExit(f"{layer}: the process in one of the checkouts ended early; what it said stands above")
    return float(seconds)


def measure(other: Path, layers: list[str], starts: int, rounds: int) -> list[Result]:
    """Measure layers in this checkout and in another one."""
    results = [Result(layer, [], []) for layer in layers]
    for _ in range(starts):
        with worker(ROOT) as our, worker(other) as their:
            for layer, ours, theirs in results:
                for number in range(rounds):
                    sides = [(our, ours), (their, theirs)]
                    for process, seconds in sides if number % 2 else reversed(sides):
                        seconds.append(ask(process, layer))
    return results


def as_json(results: list[Result]) -> str:
    """Return the results as JSON; `spread` is the lowest and the highest ratio."""
    rows = [
        {
            "layer": result.layer,
            "ours": 1 / statistics.median(result.ours),
            "theirs": 1 / statistics.median(result.theirs),
            "ratio": statistics.median(result.ratios),
            "spread": [min(result.ratios), max(result.ratios)],
        }
        for result in results
    ]
    return json.dumps({"machine": machine(), "results": rows}, indent=2)


def rows_of(results: list[Result]) -> list[list[str]]:
    """Return the rows of the table, the first one its head."""
    rows = [["layer", "ours", "theirs", "ratio", "lowest – highest"]]
    for result in results:
        ours, theirs = (quantity(1 / statistics.median(side)) for side in (result.ours, result.theirs))
        ratios = result.ratios
        rows.append(
            [
                *(result.layer, ours, theirs),
                *(f"{statistics.median(ratios):.2f}", f"{min(ratios):.2f} – {max(ratios):.2f}"),
            ]
        )
    return rows


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.versus", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("checkout", type=Path, help="the folder of another checkout, such as a git worktree")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--layers", nargs="+", choices=LAYERS, default=LAYERS, metavar="LAYER", help=f"of {', '.join(LAYERS)}"
    )
    parser.add_argument("--starts", type=int, default=STARTS, help=f"of the processes ({STARTS})")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"of every layer after a start ({ROUNDS})")
    options = parser.parse_args()
    if not (options.checkout / "benchmarks" / "layers.py").is_file():
        parser.error(f"{options.checkout}: expected a checkout with benchmarks/layers.py")
    results = measure(options.checkout, options.layers, options.starts, options.rounds)
    if options.json:
        print(as_json(results))
        return
    print(", ".join(f"{name} {version}" for name, version in machine().items()))
    print(f"things for a second of one processor, median of {options.starts} starts with {options.rounds} rounds")
    show(rows_of(results))


if __name__ == "__main__":
    main()
