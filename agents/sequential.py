"""When are the deals enough? A test that may look at the results as often as it likes.

A fixed sample answers once. Who stops as soon as an interval looks good is wrong more often than the interval says, so
the intervals here hold at all sample sizes together: with probability 1 - error the true mean is in every one of them,
from the first look to the last. They are the asymptotic confidence sequences of Waudby-Smith, Arbour, Sinha, Kennedy
and Ramdas ("Time-uniform central limit theory and asymptotic confidence sequences", Annals of Statistics 2024), which
go back to Robbins' normal mixture (1970): blocks are independent, and all that is asked of a block's result is a
variance. They are exact for normal results of a known variance, and near enough when there are many blocks, so the
first look comes after `LOOK` of them; a test plays what blocks really scatter like and counts the wrong decisions.

A decision is one of three, and it is wrong only if the sequence misses the true mean, so at most `error` of all runs
end with a wrong one: the challenger gains more than the margin, it loses more than the margin, or neither.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LOOK = 500  # blocks from one look at the results to the next
ERROR = 0.05
TUNED_FOR = 10_000  # blocks at which the interval is as narrow as it can be
MARGINS = {"deal": 1.0, "match": 0.05}  # points a deal, stakes a match
WINS, LOSES, EQUAL, OPEN = "wins", "loses", "no difference", "undecided"


@dataclass(frozen=True)
class Verdict:
    """What the blocks so far say: `decision`, and the interval of the mean that holds whenever one looks."""

    decision: str
    low: float
    high: float
    blocks: int
    margin: float
    error: float

    def __str__(self) -> str:
        seen = f"{self.low:+.2f} to {self.high:+.2f} at every look, {self.blocks} blocks, error {self.error:g}"
        early = f" before the first look, at {LOOK} blocks" if self.blocks < LOOK else ""
        words = {
            WINS: f"beats by more than {self.margin:g}",
            LOSES: f"loses by more than {self.margin:g}",
            EQUAL: f"no difference of more than {self.margin:g}",
            OPEN: f"undecided about {self.margin:g}{early}",
        }
        return f"{words[self.decision]} ({seen})"


def half_width(blocks: int, deviation: float, *, error: float = ERROR, tuned_for: int = TUNED_FOR) -> float:
    """Return how far the interval reaches to each side after so many blocks of standard deviation `deviation`.

    >>> round(half_width(10_000, 40.0), 2), round(1.96 * 40 / 100, 2)  # the price of looking at any time
    (1.21, 0.78)
    """
    spread = -2 * math.log(error)
    rate = (spread + math.log(spread + 1)) / tuned_for  # of the mixture's variance
    scale = blocks * rate + 1
    return deviation * math.sqrt(2 * scale / (blocks * blocks * rate) * math.log(math.sqrt(scale) / error))


def verdict(results: NDArray[np.float64], *, margin: float, error: float = ERROR) -> Verdict:
    """Return what block results (N,) decide about the challenger's true advantage, N at least 2; nothing before `LOOK`.

    >>> verdict(np.tile([5.0, -3.0], 5000), margin=0.5).decision
    'wins'
    """
    mean, reach = float(results.mean()), half_width(len(results), float(results.std(ddof=1)), error=error)
    low, high = mean - reach, mean + reach
    decision = OPEN
    if len(results) < LOOK:
        pass
    elif low > margin:
        decision = WINS
    elif high < -margin:
        decision = LOSES
    elif -margin <= low and high <= margin:
        decision = EQUAL
    return Verdict(decision, low, high, len(results), margin, error)


def next_look(blocks: int) -> int:
    """Return when to look again where a look takes long: after a tenth more, in whole steps of `LOOK`.

    >>> [next_look(blocks) for blocks in (500, 5000, 20_000)]
    [1000, 5500, 22000]
    """
    return blocks + max(1, blocks // (10 * LOOK)) * LOOK


def until_decided(*, margin: float, error: float = ERROR) -> Callable[[NDArray[np.float64]], bool]:
    """Return what `arena.duel` asks after every batch: whether the blocks so far (N,) decide."""

    def enough(results: NDArray[np.float64]) -> bool:
        return verdict(results, margin=margin, error=error).decision != OPEN

    return enough
