"""How fast peers do the same kind of work, side by side in one run: `python -m benchmarks.peers [--json]`.

A pair is one kind of work at uniform random play, done once by us and once by a peer. Its sides take turns, ours,
theirs, ours, theirs, and each ratio is that of two neighbours. Shown are medians over the rounds, and of the ratios the
lowest and the highest too. A second is one of this process's processor time, all threads together: both sides are
measured as one thread, and the time that other programs take is not counted.

No two games are the same, and this is what the kinds of work do not have in common:

- The games and their lengths. A ratio of rollouts compares deals (one of Thousand has 31 decisions, 24 of them cards,
  one of Leduc hold'em 3), a ratio of decisions compares steps. Both are printed.
- Rollouts: ours deal the cards afresh every time, colver and OpenSpiel play out deals that lie there dealt. They do not
  tell how long those were, so their decisions are the mean length of a sample times their rollouts.
- Python loops without observations: `Game` checks every action and can take it back; a batch of one, like OpenSpiel,
  checks nothing.
- Python loops with observations: what a player is told differs in size, from Leduc's 36 numbers to hearts' 5,088.
- Batched steps: OpenSpiel's vector environment loops over games in Python. CartPole has no cards, no illegal actions,
  four numbers to look at and two actions: it shows what NumPy can do, and is not the same work.
"""

import argparse
import contextlib
import importlib.metadata
import json
import statistics
import sys
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from benchmarks.layers import NotHere
from benchmarks.pairs import PEERS, WORKS, Pair, Work
from benchmarks.rollouts import machine, quantity, show

PACKAGES = ("colver", "open_spiel", "rlcard", "pettingzoo", "gymnasium")
ROUNDS = 7
SLICE = 0.1  # seconds a side works for in a round


class Rate(NamedTuple):
    """What one side did in a second of one round."""

    rollouts: float
    decisions: float


class Figures(NamedTuple):
    """Ours and theirs a second and their ratio, medians; the lowest and the highest ratio."""

    ours: float
    theirs: float
    ratio: float
    lowest: float
    highest: float


@dataclass(frozen=True)
class Result:
    """The rounds of a pair."""

    pair: Pair
    ours: list[Rate]
    theirs: list[Rate]

    @property
    def rollouts(self) -> Figures:
        """The figures by rollout."""
        return figures([rate.rollouts for rate in self.ours], [rate.rollouts for rate in self.theirs])

    @property
    def decisions(self) -> Figures:
        """The figures by decision."""
        return figures([rate.decisions for rate in self.ours], [rate.decisions for rate in self.theirs])


def figures(ours: list[float], theirs: list[float]) -> Figures:
    """Compare the rounds of both sides.

    >>> figures([40.0, 30.0, 50.0], [10.0, 10.0, 20.0])
    Figures(ours=40.0, theirs=10.0, ratio=3.0, lowest=2.5, highest=4.0)
    """
    ratios = [our / their for our, their in zip(ours, theirs, strict=True)]
    median = statistics.median
    return Figures(median(ours), median(theirs), median(ratios), min(ratios), max(ratios))


# -- measuring -------------------------------------------------------------------------------------------------------


def find_pairs() -> tuple[list[Pair], dict[str, str]]:
    """Return the pairs of all peers, and why other peers are missing."""
    pairs: list[Pair] = []
    missing: dict[str, str] = {}
    for peer in PEERS:
        print(f"preparing {peer.__name__}", file=sys.stderr)
        try:
            pairs += peer()
        except NotHere as reason:
            missing[peer.__name__] = str(reason)
    return pairs, missing


def measure(pairs: list[Pair], rounds: int) -> Iterator[Result]:
    """Measure pair by pair, saying on stderr which one it is."""
    for number, pair in enumerate(pairs, 1):
        print(f"{number} of {len(pairs)}: {pair.peer} {pair.game}, {pair.work}", file=sys.stderr)
        yield compare(pair, rounds)


def compare(pair: Pair, rounds: int) -> Result:
    """Measure the sides of a pair in turn."""
    result, ours, theirs = Result(pair, [], []), fill_slice(pair.ours), fill_slice(pair.theirs)
    for _ in range(rounds):
        result.ours.append(timed(pair.ours, ours)[0])
        result.theirs.append(timed(pair.theirs, theirs)[0])
    return result


def fill_slice(work: Work) -> int:
    """Return how many units of work take about a SLICE; the work is warm afterwards."""
    work(1)
    count = 1
    while (seconds := timed(work, count)[1]) < SLICE / 4:
        count *= 4
    return max(1, round(count * SLICE / seconds))


def timed(work: Work, count: int) -> tuple[Rate, float]:
    """Do so many units of work; return how much that was a second, and the seconds."""
    start = time.process_time()
    rollouts, decisions = work(count)
    seconds = time.process_time() - start
    return Rate(rollouts / seconds, decisions / seconds), seconds


# -- showing ---------------------------------------------------------------------------------------------------------


def versions() -> dict[str, str]:
    """Return what the figures depend on: the machine, and the versions of the peers that are here."""
    found = {**machine()}
    for package in PACKAGES:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            found[package] = importlib.metadata.version(package)
    return found


def as_json(results: list[Result], missing: dict[str, str]) -> str:
    """Return the results as JSON; `spread` is the lowest and the highest ratio."""
    rows = [
        {
            "peer": result.pair.peer,
            "game": result.pair.game,
            "work": result.pair.work,
            "ours_rollouts": result.rollouts.ours,
            "theirs_rollouts": result.rollouts.theirs,
            "ratio_rollouts": result.rollouts.ratio,
            "ours_decisions": result.decisions.ours,
            "theirs_decisions": result.decisions.theirs,
            "ratio_decisions": result.decisions.ratio,
            "spread": {
                "ratio_rollouts": [result.rollouts.lowest, result.rollouts.highest],
                "ratio_decisions": [result.decisions.lowest, result.decisions.highest],
            },
        }
        for result in results
    ]
    return json.dumps({"machine": versions(), "results": rows, "missing": missing}, indent=2)


def tables(results: list[Result]) -> dict[str, list[list[str]]]:
    """Return a table for every kind of work, its first row the head: two rows a pair, by rollout and by decision."""
    head = ["peer", "a second", "ours", "theirs", "ratio", "lowest – highest"]
    found = {work: [head] for work in WORKS}
    for result in results:
        found[result.pair.work] += [
            [result.pair.peer, "rollouts", *cells(result.rollouts)],
            [f"  {result.pair.game}", "decisions", *cells(result.decisions)],
        ]
    return {work: rows for work, rows in found.items() if len(rows) > 1}


def cells(shown: Figures) -> list[str]:
    """Return figures as a table shows them.

    >>> cells(Figures(4_600_000, 520, 8846.2, 0.0872, 9012.3))
    ['4.60 M', '520', '8846', '0.0872 – 9012']
    """
    ours, theirs = (quantity(number) if number >= 1000 else f"{number:.0f}" for number in shown[:2])
    ratio, lowest, highest = (
        f"{number:#.3g}".rstrip(".") if number < 1000 else f"{number:.0f}" for number in shown[2:]
    )
    return [ours, theirs, ratio, f"{lowest} – {highest}"]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"of every pair ({ROUNDS})")
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # the peers' own, about themselves
    pairs, missing = find_pairs()
    results = list(measure(pairs, options.rounds))
    if options.json:
        print(as_json(results, missing))
        return
    print(", ".join(f"{name} {version}" for name, version in versions().items()))
    print(f"one thread, medians of {options.rounds} rounds; a ratio is ours by theirs")
    for work, rows in tables(results).items():
        print(f"\n{work}")
        show(rows)
    for name, reason in missing.items():
        print(f"{name} is missing: {reason}")


if __name__ == "__main__":
    main()
