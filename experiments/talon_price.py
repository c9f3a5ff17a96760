"""What does a hand know of its own worth before the talon, and how far should it bid?

    python -m experiments.talon_price --hands 20000 --seed 1

Forehand's seven cards are drawn, for each hand some talons, for each talon some hands of the others. Forehand declares
at 100 in all of them (nobody is asked whether he would have passed), the heuristic takes the talon, gives, names the
contract and plays for everybody. A nested analysis of variance (Searle, Casella and McCulloch 1992) splits the variance
of what this brings into three parts: what seven cards tell, what the three of the talon add, and what the others' hands
leave open.

How far to bid is asked of the same hands where it matters: in deals in which forehand has opened with 100 and one of
the others, played by the heuristic, has raised. Forehand then raises as little as possible up to each limit and passes.
"""

import sys
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import tyro
from numpy.typing import NDArray

from agents.bidding import CAUTION
from agents.hand_value import SEVEN, hand_value, weights
from experiments.command import run_command
from experiments.figures import Figure, drawing, mean, plot_figures, resampled, save, with_interval, write_csv
from experiments.forced import declared
from experiments.limits import LIMITS, limit_values
from experiments.parts import Columns, Options, run_parts
from experiments.samples import SAMPLES, Cards, Place, derive_all, drawn_hands, known_cards
from thousand_env.rng import derive
from thousand_env.rules import CORE, MIN_BID

NAME = "talon_price"
HANDS_A_PART = 250
BIN = 10  # points of hand value
MEASURES = {"points": "deal points", "value": "own score minus the mean of the others'", "made": "contract made"}


@dataclass(frozen=True)
class Price(Options):
    """Options of the experiment."""

    hands: int = 20_000
    talons: int = 6
    """talons for each hand"""
    others: int = 4
    """hands of the others for each talon"""
    contested: int = 8
    """deals for each hand in which somebody has raised"""

    def sized(self) -> "Price":
        """Return these options, or with `quick` their small form."""
        return replace(self, hands=60, talons=3, others=2, contested=2) if self.quick else self


# -- sampling --------------------------------------------------------------------------------------------------------


def part(options: Price, number: int) -> Columns:
    """Return what the hands of one part are worth: each measure (N, talons, others) flattened, limits (N, L)."""
    place, seed = Place.at(CORE), int(derive(options.seed, number))
    count = min(HANDS_A_PART, options.hands - number * HANDS_A_PART)
    hands = drawn_hands(count, place.hand_size, seed)
    outcomes = declared(_nested(place, hands, options, seed), place, MIN_BID)
    columns: Columns = {"hand": hands, **{name: outcomes[name].astype(np.float32) for name in MEASURES}}
    for name in MEASURES:
        columns[name] = columns[name].reshape(count, -1)
    values = limit_values(place, hands, options.contested, seed)
    columns["contested"] = (~np.isnan(values[:, :, 0])).sum(axis=1)
    columns["limits"] = np.nansum(values, axis=1) / np.maximum(columns["contested"], 1)[:, None]
    return columns


def _nested(place: Place, hands: NDArray[np.int64], options: Price, seed: int) -> NDArray[Any]:
    """Return deals (hands * talons * others,) before the first bid, talon by talon of each hand."""
    key, others = int(derive(SAMPLES, seed)), options.talons * options.others
    with_talons = place.deals(known_cards(np.repeat(hands, options.talons)), _keys(key, len(hands) * options.talons))
    talons = np.repeat(with_talons["talon"], options.others)
    return place.deals(known_cards(np.repeat(hands, others), talons), _keys(derive(key, 1), len(hands) * others))


def _keys(key: int, count: int) -> Cards:
    return derive_all(key, np.arange(count))


# -- how much is known -----------------------------------------------------------------------------------------------


def explained(values: NDArray[np.float64]) -> tuple[float, float]:
    """Return the shares of the variance that seven and that ten cards explain; values (hands, talons, others)."""
    hands, talons, others = values.shape
    of_talon, of_hand = values.mean(axis=2), values.mean(axis=(1, 2))
    within = ((values - of_talon[:, :, None]) ** 2).sum() / (hands * talons * (others - 1))
    between_talons = others * ((of_talon - of_hand[:, None]) ** 2).sum() / (hands * (talons - 1))
    between_hands = talons * others * ((of_hand - values.mean()) ** 2).sum() / (hands - 1)
    talon_part = (between_talons - within) / others
    hand_part = (between_hands - between_talons) / (talons * others)
    whole = within + talon_part + hand_part
    return hand_part / whole, (hand_part + talon_part) / whole


def shares(columns: Columns, options: Price) -> list[tuple[str, Figure, Figure]]:
    """Return for each measure what seven and what ten cards explain, with intervals over hands."""
    rows: list[tuple[str, Figure, Figure]] = []
    for name in MEASURES:
        values = columns[name].reshape(-1, options.talons, options.others).astype(np.float64)

        def known(chosen: NDArray[np.int64], cards: int, values: NDArray[np.float64] = values) -> float:
            return explained(values[chosen])[cards]

        seven, ten = (resampled(partial(known, cards=cards), len(values), options.seed) for cards in (0, 1))
        rows.append((name, seven, ten))
    return rows


# -- how far to bid --------------------------------------------------------------------------------------------------


def heuristic_value(hands: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return what the heuristic expects each hand to make, in points."""
    table = weights()
    return np.array([hand_value(int(hand), table[SEVEN]) for hand in hands])


@dataclass(frozen=True)
class Step:
    """Hands of about one value: what they are worth, and what each limit brings over passing in contested deals."""

    value: int  # the middle of the bin
    hands: int
    worth: Figure  # declared at 100
    limits: list[Figure]

    @property
    def best(self) -> int:
        """The place among LIMITS of the one that brings most."""
        return int(np.argmax([figure.value for figure in self.limits]))


def steps(columns: Columns) -> list[Step]:
    """Return the curve over hand value: a step for each BIN points with enough contested deals to say anything."""
    bins = np.floor(heuristic_value(columns["hand"]) / BIN).astype(int)
    found: list[Step] = []
    for number in np.unique(bins):
        inside = bins == number
        heard = inside & (columns["contested"] > 0)
        if np.count_nonzero(heard) < 10:
            continue
        values = columns["limits"][heard]
        limits = [mean(values[:, column] - values[:, 0]) for column in range(len(LIMITS))]
        worth = mean(columns["value"][inside].mean(axis=1))
        found.append(Step(int(number) * BIN + BIN // 2, int(inside.sum()), worth, limits))
    return found


# -- saying it -------------------------------------------------------------------------------------------------------


def write_tables(folder: Path, known: list[tuple[str, Figure, Figure]], curve: list[Step]) -> None:
    """Write the two tables as CSV."""
    header = ["measure", *with_interval("seven_cards"), *with_interval("ten_cards")]
    write_csv(folder / "variance.csv", header, known)
    limits = [name for limit in LIMITS for name in with_interval(f"up_to_{limit}" if limit else "pass")]
    header = ["hand_value", "hands", *with_interval("worth_at_100"), "best_limit", *limits]
    rows = [[step.value, step.hands, step.worth, LIMITS[step.best], *step.limits] for step in curve]
    write_csv(folder / "limits.csv", header, rows)


def plot(path: Path, known: list[tuple[str, Figure, Figure]], curve: list[Step]) -> None:
    """Draw both answers side by side."""
    paper, (left, right) = drawing(11, panels=2)
    names = [name for name, _, _ in known]
    plot_figures(left, range(len(names)), [seven for _, seven, _ in known], "seven cards")
    plot_figures(left, range(len(names)), [ten for _, _, ten in known], "ten cards")
    left.set_xticks(range(len(names)), names)
    left.set_ylim(0, 1)
    left.set_ylabel("share of the variance that is known")
    left.legend()
    values = [step.value for step in curve]
    right.step(values, [LIMITS[step.best] or MIN_BID for step in curve], where="mid", label="best limit")
    right.plot(values, [max(MIN_BID, value - CAUTION) for value in values], "--", label="the heuristic's own")
    right.set_xlabel("points the heuristic expects of the seven cards")
    right.set_ylabel("bid up to, against a raise")
    right.legend()
    save(paper, path)


def report(columns: Columns, options: Price, folder: Path) -> None:
    """Print and write what was found."""
    known, curve = shares(columns, options), steps(columns)
    print(f"{len(columns['hand'])} hands × {options.talons} talons × {options.others} deals, seed {options.seed}")
    for name, seven, ten in known:
        print(f"{MEASURES[name]:42} known from seven cards {seven.percent:18} from ten {ten.percent}")
    print("\nhand value   hands   worth at 100           against a raise   brings over passing")
    for step in curve:
        limit = f"up to {LIMITS[step.best]}" if step.best else "pass"
        print(f"{step.value:10} {step.hands:7}   {step.worth!s:22} {limit:17} {step.limits[step.best]}")
    write_tables(folder, known, curve)
    plot(folder / "talon_price.png", known, curve)
    print(f"\nwritten to {folder}")


def main(arguments: list[str] | None = None) -> int:
    """Sample, or go on sampling, and report."""

    def work() -> None:
        options = tyro.cli(Price, prog=f"python -m experiments.{NAME}", args=arguments, description=__doc__).sized()
        folder = options.folder(NAME)
        parts = -(-options.hands // HANDS_A_PART)
        columns = run_parts(
            partial(part, options), parts, folder=folder, settings=options.settings(), workers=options.workers,
            title=NAME,
        )  # fmt: skip
        report(columns, options, folder)

    return run_command(NAME, work)


if __name__ == "__main__":
    sys.exit(main())
