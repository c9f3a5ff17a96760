"""What to open with, how far to go against a raise, and on what to raise: an answer for each of the 346,104 hands.

    python -m experiments.opening_table --seed 1              all hands: resumable, minutes on a few cores
    python -m experiments.opening_table --hands 5000          a random sample of them
    python -m experiments.opening_table --find "hAKQ sT d9 cJ9"

No two hands are alike here, since every marriage has its own value. Each hand meets sampled deals three times:

- as forehand, which opens with each of OPENINGS, and everybody goes on as the heuristic; it also declares at 100 in all
  these deals, which is its worth;
- as forehand, which has opened with 100 and been raised, and goes up to each of LIMITS;
- in the middle, over forehand's 100, going up to each of LIMITS.

A bid above the cap of the hand is the cap. Alternatives meet the same cards, the others are played by the heuristic.

One hand's numbers are noisy: the error of a difference is some tens of points at 16 deals. The lowest alternative that
is within one standard error of the best is called the answer (the rule of Breiman et al. 1984), and the rules that a
human can learn (`experiments.rule_list`) are fitted to the points of all hands, where the noise averages out.
"""

import sys
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import tyro
from numpy.typing import NDArray

from experiments.command import run_command
from experiments.hand_text import DEALT, read_hand
from experiments.limits import LIMITS, limit_values
from experiments.opening_rules import QUESTIONS, action_words, report_rules
from experiments.openings import OPENINGS, opened
from experiments.parts import Columns, Options, read_columns, run_parts, write_columns
from experiments.samples import Cards, Place, generator
from thousand_env.cards import NUM_CARDS
from thousand_env.errors import ThousandError
from thousand_env.rng import derive
from thousand_env.rules import CORE
from thousand_env.spelling import set_text

NAME = "opening_table"
TABLE = "table.parquet"
HANDS_A_PART = 250
ALL_HANDS = 346_104


@dataclass(frozen=True)
class Opening(Options):
    """Options of the experiment."""

    hands: int = 0
    """a random sample of so many hands, 0 = all of them"""
    deals: int = 16
    """sampled deals for each hand and question"""
    find: str = ""
    """print the line of this hand instead, from the table in `out`"""

    def sized(self) -> "Opening":
        """Return these options, or with `quick` their small form."""
        return replace(self, hands=120, deals=8) if self.quick else self


# -- the table -------------------------------------------------------------------------------------------------------


@cache
def hands_of(options: Opening) -> Cards:
    """Return the hands the options ask for, in ascending order."""
    size = Place.at(CORE).hand_size
    sets = np.arange(1 << NUM_CARDS, dtype=np.uint32)
    hands = np.flatnonzero(np.bitwise_count(sets) == size)
    if not options.hands:
        return hands
    return np.sort(generator(options.seed).choice(hands, options.hands, replace=False))


def part(options: Opening, number: int) -> Columns:
    """Return the lines of the table for the hands of one part."""
    first, middle = Place.at(CORE), Place.at(CORE, "middle")
    hands = hands_of(options)[number * HANDS_A_PART : (number + 1) * HANDS_A_PART]
    openings, declared = opened(first, hands, options.deals, options.seed)
    limits = limit_values(first, hands, options.deals, int(derive(options.seed, 1)))
    raises = limit_values(middle, hands, options.deals, int(derive(options.seed, 2)))
    return {
        "hand": hands.astype(np.int32),
        "worth": declared["value"].mean(axis=1).astype(np.float32),
        "points": declared["points"].mean(axis=1).astype(np.float32),
        "made": declared["made"].mean(axis=1).astype(np.float32),
        **_answered("opening", OPENINGS, openings),
        **_answered("limit", LIMITS, limits),
        **_answered("raise", LIMITS, raises),
    }


def _answered(question: str, levels: tuple[int, ...], values: NDArray[np.float64]) -> Columns:
    """Return the answer to a question and the mean values of its alternatives, as columns of the table."""
    answer = np.array(levels, np.int32)[answers(values)]
    return {question: answer, f"{question}_values": means(values).astype(np.float32)}


def means(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the means (N, K) over the deals of values (N, D, K), not numbers where a hand met no deal."""
    found = (~np.isnan(values)).sum(axis=1)
    return np.where(found > 0, np.nansum(values, axis=1) / np.maximum(found, 1), np.nan)


def answers(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return for each hand the lowest alternative within one standard error of the best; values (N, D, K).

    The error is that of the difference, on the same deals. Where a hand met no deal it is the lowest of all.
    """
    middle = np.nan_to_num(means(values))
    best = middle.argmax(axis=1)
    behind = np.take_along_axis(values, best[:, None, None], axis=2) - values
    found = np.maximum((~np.isnan(behind)).sum(axis=1), 1)
    gap = np.nansum(behind, axis=1) / found
    variance = np.nansum((behind - gap[:, None]) ** 2, axis=1) / np.maximum(found - 1, 1)
    return (gap <= np.sqrt(variance / found)).argmax(axis=1)


# -- one hand --------------------------------------------------------------------------------------------------------


def line_of(hand: int, folder: Path) -> dict[str, Any]:
    """Return the table's line for a hand; raises `ThousandError` when there is none."""
    path = folder / TABLE
    if not path.exists():
        raise ThousandError(f"{path}: found no table, expected one: python -m experiments.{NAME} makes it")
    columns = read_columns(path)
    place = int(np.searchsorted(columns["hand"], hand))
    if place == len(columns["hand"]) or columns["hand"][place] != hand:
        raise ThousandError(f"{path}: found no line for {set_text(hand)}, expected a table of all {ALL_HANDS} hands")
    return {name: column[place] for name, column in columns.items()}


def line_text(line: dict[str, Any]) -> str:
    """Return a line of the table in words."""
    said = [action_words(question, int(line[question])) for question in QUESTIONS]
    return (
        f"opening table: {said[0]}; {said[1]} if raised; in the middle, over 100, {said[2]}; declared at 100 it is "
        f"worth {line['worth']:+.0f}: {line['points']:.0f} points, {100 * line['made']:.0f} % made"
    )


def main(arguments: list[str] | None = None) -> int:
    """Fill the table, or go on filling it, and say what a human can learn of it; or look up one hand."""

    def work() -> None:
        options = tyro.cli(Opening, prog=f"python -m experiments.{NAME}", args=arguments, description=__doc__).sized()
        folder = options.folder(NAME)
        if options.find:
            hand = read_hand(options.find, CORE)
            if hand.stage != DEALT:
                raise ThousandError(f"--find {options.find!r}: expected the seven cards before the auction")
            print(line_text(line_of(hand.cards, folder)))
            return
        parts = -(-len(hands_of(options)) // HANDS_A_PART)
        settings = {name: value for name, value in options.settings().items() if name != "find"}
        columns = run_parts(
            partial(part, options), parts, folder=folder, settings=settings, workers=options.workers, title=NAME
        )
        write_columns(folder / TABLE, columns)
        report_rules(columns, folder, options.seed)

    return run_command(NAME, work)


if __name__ == "__main__":
    sys.exit(main())
