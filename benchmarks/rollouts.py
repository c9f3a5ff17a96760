"""How fast the layers are, on one thread unless the name says two: `python -m benchmarks.rollouts [--json]`.

The layers are measured in turn, again and again, so that all of them meet the machine in the same moods. A row shows
the median of its repetitions, the lowest and the highest. Trust the ratios within a run, not figures across runs.
"""

import argparse
import contextlib
import importlib.metadata
import importlib.util
import json
import platform
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.layers import BATCH, LAYERS, Layer, NotHere

REPETITIONS = 9
RATIOS = (
    ("play_rollout", "native_play_rollout"),
    ("play_rollout", "play_rollout_alone"),
    ("play_rollout", "play_rollout_portable"),
    ("play_rollout_two_threads", "play_rollout"),
)


@dataclass(frozen=True)
class Result:
    """The repetitions of a layer, in seconds."""

    layer: Layer
    seconds: list[float]

    @property
    def per_second(self) -> float:
        """Things a second, the median."""
        return self.layer.count / statistics.median(self.seconds)

    @property
    def spread(self) -> tuple[float, float]:
        """Things a second, the lowest and the highest."""
        return self.layer.count / max(self.seconds), self.layer.count / min(self.seconds)

    @property
    def ns(self) -> float:
        """Nanoseconds a step, the median."""
        return 1e9 / self.per_second / self.layer.steps


# -- measuring -------------------------------------------------------------------------------------------------------


def measure(repetitions: int) -> tuple[list[Result], dict[str, str]]:
    """Measure every layer so often, in turn; return the results and why other layers are missing."""
    missing: dict[str, str] = {}
    with contextlib.ExitStack() as stack:
        layers: list[Layer] = []
        for make in LAYERS:
            try:
                layers.append(make(stack))
            except NotHere as reason:
                missing[make.__name__] = str(reason)
        return in_turn(layers, repetitions), missing


def in_turn(layers: list[Layer], repetitions: int, clock: Callable[[], float] = time.perf_counter) -> list[Result]:
    """Measure every layer so often, one after the other, again and again."""
    results = [Result(layer, []) for layer in layers]
    for _ in range(repetitions):
        for result in results:
            start = clock()
            result.layer.work()
            result.seconds.append(clock() - start)
    return results


def ratios(results: list[Result]) -> dict[str, float]:
    """Return the ratios of RATIOS, the median over repetitions, each of which met both layers in one mood."""
    found = {result.layer.name: result for result in results}
    return {
        f"{one}/{other}": statistics.median(
            theirs / found[other].layer.count * found[one].layer.count / ours
            for ours, theirs in zip(found[one].seconds, found[other].seconds, strict=True)
        )
        for one, other in RATIOS
        if one in found and other in found
    }


def machine() -> dict[str, str]:
    """Return what the figures depend on."""
    return {
        "cpu": processor(),
        "python": platform.python_version(),
        **{package: importlib.metadata.version(package) for package in ("numba", "numpy")},
    }


def processor() -> str:
    """Return the model of the processor."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


# -- showing ---------------------------------------------------------------------------------------------------------


def as_json(results: list[Result], missing: dict[str, str]) -> str:
    """Return the results as JSON."""
    rows = [
        {
            "name": result.layer.name,
            "per_second": result.per_second,
            "ns": result.ns,
            "spread": result.spread,
            "things": result.layer.things,
            "step": result.layer.step,
        }
        for result in results
    ]
    return json.dumps({"machine": machine(), "results": rows, "ratios": ratios(results), "missing": missing}, indent=2)


def table(results: list[Result]) -> list[list[str]]:
    """Return the rows of the table, the first one its head."""
    rows = [["layer", "per second", "ns", "lowest – highest"]]
    for result in results:
        layer, (low, high) = result.layer, result.spread
        rows.append(
            [
                layer.name,
                f"{quantity(result.per_second)} {layer.things}",
                f"{result.ns:.2f} a {layer.step}",
                f"{quantity(low)} – {quantity(high)}",
            ]
        )
    return rows


def quantity(number: float) -> str:
    """Return a number in a form to compare at a glance.

    >>> quantity(7_654_321), quantity(84_000)
    ('7.65 M', '84.0 k')
    """
    return f"{number / 1e6:.2f} M" if number >= 1e6 else f"{number / 1e3:.1f} k"


def show(rows: list[list[str]]) -> None:
    """Print a table, with rich where it is installed."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    if importlib.util.find_spec("rich"):
        from rich.console import Console
        from rich.table import Table

        shown = Table(box=None, pad_edge=False)
        for title in rows[0]:
            shown.add_column(title, no_wrap=True)
        for row in rows[1:]:
            shown.add_row(*row)
        Console(width=sum(widths) + 2 * len(widths)).print(shown)  # not the terminal's, which would cut figures off
        return
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.rollouts", description="Measure how fast the layers are."
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--repetitions", type=int, default=REPETITIONS, help=f"of every layer ({REPETITIONS})")
    options = parser.parse_args()
    results, missing = measure(options.repetitions)
    if options.json:
        print(as_json(results, missing))
        return
    print(", ".join(f"{name} {version}" for name, version in machine().items()))
    print(f"one thread, or two where named so, batches of {BATCH} states")
    print(f"median of {options.repetitions} interleaved repetitions")
    show(table(results))
    for name, ratio in ratios(results).items():
        print(f"{name}: {ratio:.2f}")
    for name, reason in missing.items():
        print(f"{name} is missing: {reason}")


if __name__ == "__main__":
    main()
