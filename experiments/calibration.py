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

from experiments.command import run_command
from experiments.forced import OUTCOME, finish
from experiments.parts import Columns, Options, run_parts
from experiments.reliability import CARDS, report
from experiments.samples import SAMPLES, Place, Player, fill_worlds, heuristic_action, known_cards, player
from thousand_env.cards import marriages_value, set_points
from thousand_env.engine import start_matches, step_row
from thousand_env.jit import kernel
from thousand_env.rng import derive
from thousand_env.rules import CORE
from thousand_env.sheet import blank_sheet
from thousand_env.state import AUCTION, new_states

NAME = "calibration"
DEALS_A_PART = 250
MOST_SAID = 64  # actions of an auction
TRIES = 200  # deals tried for each one wanted
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


@kernel
def hold_auction(state: Any, rules: Any, player: Player, said: Any) -> int:
    """Bid to the end of the auction, writing down what is said; return how many actions that were."""
    count = 0
    while state.phase == AUCTION:
        said[count] = heuristic_action(state, rules, player)
        step_row(state, rules, said[count])
        count += 1
    return count


@kernel
def chance(
    worlds: Any, base: Any, rules: Any, known: Any, hand_size: int, said: Any, listens: bool, key: int, tries: int,
    player: Player, outcome: Any,
) -> float:  # fmt: skip
    """Return in what share of sampled deals seat 0 makes what it names, not a number where no deal fits the auction."""
    found, _ = fill_worlds(worlds, base, rules, known, hand_size, said, listens, key, tries, player)
    made = 0
    for i in range(found):
        finish(worlds[i], rules[0], player, outcome[0])
        made += outcome[0].made
    return made / found if found else np.nan


def part(options: Calibration, number: int) -> Columns:
    """Return what was forecast in the deals of one part, and what happened."""
    count = min(DEALS_A_PART, options.deals - number * DEALS_A_PART)
    columns = played(count, int(derive(options.seed, number)), options)
    fitted = played(count, int(derive(derive(_FITTED, options.seed), number)), replace(options, worlds=0))
    return {**columns, **{f"fitted_{name}": column for name, column in fitted.items()}}


def played(count: int, seed: int, options: Calibration) -> Columns:
    """Play deals and forecast them; a chance is not a number where no world was sampled, or none fitted the auction."""
    states, rules, mine = new_states(count), CORE.array(), player()
    start_matches(states, rules, np.full(count, derive(SAMPLES, seed)), np.arange(count))
    columns: Columns = {name: np.zeros(count) for name in ("made", "bid", "contract")}
    columns |= {f"{name}_{cards}": np.zeros(count) for cards in CARDS for name in ("points", "marriages")}
    columns |= {f"chance_{cards}": np.full(count, np.nan) for cards in CARDS}
    said, outcome = np.zeros(MOST_SAID, np.int64), np.zeros(1, OUTCOME)
    worlds = new_states(options.worlds)
    for i, state in enumerate(states):
        length = hold_auction(state, rules[0], mine, said)
        seat, talon = int(state.declarer), int(state.talon)
        seven = int(state.dealt[seat])
        place = Place(CORE, (int(state.dealer) - seat) % CORE.players, blank_sheet(CORE))
        for cards, hand, seen in (("seven", seven, 0), ("ten", seven | talon, talon)):
            columns[f"points_{cards}"][i], columns[f"marriages_{cards}"][i] = set_points(hand), marriages_value(hand)
            if options.worlds:
                columns[f"chance_{cards}"][i] = chance(
                    worlds, place.base(), rules, known_cards(seven, seen), place.hand_size, said[:length],
                    options.listens, derive(seed, i), TRIES * options.worlds, mine, outcome,
                )  # fmt: skip
        finish(state, rules[0], mine, outcome[0])
        columns["made"][i] = int(state.score[seat]) > 0
        columns["bid"][i], columns["contract"][i] = int(state.bid), int(state.contract)
    return columns


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
