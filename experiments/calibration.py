"""Is a chance to make the contract what it says? Forecasts from seven and from ten cards, against what then happened.

    python -m experiments.calibration --deals 10000 --seed 1

The heuristic bids and plays at every seat of fresh deals. The declarer is asked twice, before and after the talon, for
the chance that he makes the contract he will name. The forecast is the share of sampled deals in which he makes it, and
what is sampled is decisive: deals around the cards he knows in which the same auction would have been held. Without the
second condition a pass or a raise of the others would count for nothing (`--no-listens` shows what that costs).

The yardstick is a player who counts points: a logistic regression (Berkson 1944) on the card points and marriages of
the same seven or ten cards and on the bid, fitted to deals under other seeds. Brier's score (1950) is the mean squared
error of a forecast; the expected calibration error (Naeini, Cooper and Hauskrecht 2015) is how far the forecasts of
each tenth of the scale are from what happened, on average over the forecasts.
"""

import sys
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import tyro
from numpy.typing import NDArray

from agents.agent import ask
from agents.table import questions
from experiments.command import run_command
from experiments.forced import finished, step_rows
from experiments.parts import Columns, Options, run_parts
from experiments.reliability import report
from experiments.samples import SAMPLES, Cards, Place, fitting, known_cards
from thousand_env.cards import marriages_value, set_points
from thousand_env.engine import start_matches
from thousand_env.rng import derive
from thousand_env.rules import CORE
from thousand_env.sheet import blank_sheet
from thousand_env.state import AUCTION, NONE, new_states

NAME = "calibration"
DEALS_A_PART = 250
MOST_SAID = 64  # actions of an auction
TRIES = 100  # deals tried for each one wanted
_FITTED = 0xF17  # the namespace of the seeds that the yardstick is fitted to


@dataclass(frozen=True)
class Calibration(Options):
    """Options of the experiment."""

    deals: int = 10_000
    """deals forecast, and as many others for the yardstick"""
    worlds: int = 200
    """sampled deals for each forecast"""
    listens: bool = True
    """whether only deals count in which the same auction would have been held"""

    def sized(self) -> "Calibration":
        """Return these options, or with `quick` their small form."""
        return replace(self, deals=80, worlds=20) if self.quick else self


# -- deals and forecasts ---------------------------------------------------------------------------------------------


def part(options: Calibration, number: int) -> Columns:
    """Return what was forecast in the deals of one part, and what happened."""
    count = min(DEALS_A_PART, options.deals - number * DEALS_A_PART)
    columns = played(count, int(derive(options.seed, number)), options)
    fitted = played(count, int(derive(derive(_FITTED, options.seed), number)), replace(options, worlds=0))
    return {**columns, **{f"fitted_{name}": column for name, column in fitted.items()}}


def played(count: int, seed: int, options: Calibration) -> Columns:
    """Play deals and forecast them; a chance is not a number where no world was sampled, or none fitted the auction."""
    states, rules = new_states(count), CORE.array()
    start_matches(states, rules, np.full(count, derive(SAMPLES, seed)), np.arange(count))
    auctions = held_auctions(states)
    seats = states["declarer"].astype(np.int64)
    rows = np.arange(count)
    seven, talons = states["dealt"][rows, seats].astype(np.int64), states["talon"].astype(np.int64)
    columns: Columns = {"bid": states["bid"].astype(np.float64)}
    for cards, hands in (("seven", seven), ("ten", seven | talons)):
        columns[f"points_{cards}"] = np.array([set_points(int(hand)) for hand in hands], np.float64)
        columns[f"marriages_{cards}"] = np.array([marriages_value(int(hand)) for hand in hands], np.float64)
        columns[f"chance_{cards}"] = np.full(count, np.nan)
    for i in rows if options.worlds else ():
        place = Place(CORE, int(states["dealer"][i] - seats[i]) % CORE.players, blank_sheet(CORE))
        for cards, talon in (("seven", 0), ("ten", talons[i])):
            known, own = known_cards(seven[i], talon), int(derive(seed, int(i)))
            columns[f"chance_{cards}"][i] = chance(place, known, auctions[i], own, options)
    finished(states, Place(CORE, 0, blank_sheet(CORE)))
    columns["made"] = (states["score"][rows, seats] > 0).astype(np.float64)
    return columns


def held_auctions(states: NDArray[Any]) -> list[Cards]:
    """Let the heuristic bid to the end of every auction, in place; return the actions of each in order."""
    place, said = Place(CORE, 0, blank_sheet(CORE)), np.full((MOST_SAID, len(states)), NONE)
    for turn in range(MOST_SAID):
        rows = np.flatnonzero(states["phase"] == AUCTION)
        if not len(rows):
            break
        said[turn, rows] = ask(place.heuristic, *questions(states, CORE.array(), rows))
        step_rows(states, place, rows, said[turn, rows])
    return [column[column != NONE] for column in said.T]


def chance(place: Place, known: Cards, said: Cards, seed: int, options: Calibration) -> float:
    """Return in what share of the sampled deals seat 0 makes what it names, not a number where no deal fits."""
    worlds, _ = fitting(
        place, known, said, count=options.worlds, seed=seed, listens=options.listens, tries=TRIES
    )  # fmt: skip
    return float(finished(worlds, place)["made"].mean()) if len(worlds) else np.nan


def main(arguments: list[str] | None = None) -> int:
    """Play and forecast, or go on, and report."""

    def work() -> None:
        options = tyro.cli(Calibration, prog=f"python -m experiments.{NAME}", args=arguments, description=__doc__)
        options = options.sized()
        folder = options.folder(NAME)
        columns = run_parts(
            partial(part, options), -(-options.deals // DEALS_A_PART), folder=folder, settings=options.settings(),
            workers=options.workers, title=NAME,
        )  # fmt: skip
        print(f"{options.deals} deals, {options.worlds} sampled for each forecast, seed {options.seed}")
        report(columns, folder, options.seed)

    return run_command(NAME, work)


if __name__ == "__main__":
    sys.exit(main())
