"""What is a card, a marriage or a void worth? Fits the table of `agents.hand_value` to what the heuristic bot makes.

    python -m experiments.fit_hand_value --deals 120000 --rounds 5 --seed 1
    python -m experiments.fit_hand_value --deals 120000 --rounds 5 --seed 1 --players 2

Every deal is played by copies of the bot that never raise, so that forehand declares with whatever it was dealt.
Expected points are regressed on the features of its seven and eight cards. What to keep is fitted to whole results
(own points minus the mean of the others): each of the 45 pairs of cards is given away in turn, the deal is played out,
and the pairs of a deal are compared with each other, those near the best above all. Two players choose between two
cards only, and give away whatever leaves more points to be expected. The first round plays with zeros for what it fits,
each later one with the table of the round before.
"""

import sys
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.giving import given_half
from agents.hand_value import ELEVEN, FEATURES, KEEPING, QUESTIONS, TEN_OF_TWO, WEIGHTS_DTYPE, hand_value, weights
from agents.heuristic import Heuristic
from agents.table import play_deals, play_until
from experiments.command import parser_of, run_command
from thousand_env.cards import NUM_CARDS, marriages_in
from thousand_env.engine import deal_score, new_states, start_matches, step
from thousand_env.jit import kernel, popcount
from thousand_env.rng import derive
from thousand_env.rules import RuleSet
from thousand_env.state import EXCHANGE, PLAY

NAME = "fit_hand_value"
NEAR = 20.0  # points below the best pair of a deal within which a pair is one to choose from
FAR = 0.05  # how much a pair counts that is not near
RIDGE = 20.0
_FITTING = 0xF17  # the namespace of the seeds used here
_PAIRS = tuple(combinations(range(10), 2))
_CORE = RuleSet()
_CORE_OF_TWO = RuleSet(players=2)


@kernel
def _fill_features(hands: Any, units: Any, rows: Any) -> None:
    for i in range(hands.shape[0]):
        for k in range(units.shape[0]):
            rows[i, k] = hand_value(hands[i], units[k])


def features(hands: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the features of hands (N,): (N, len(FEATURES)), each the hand's value when only it weighs."""
    units = np.zeros(len(FEATURES), WEIGHTS_DTYPE)
    for i, name in enumerate(FEATURES):
        units[name][i] = 1.0
    rows = np.zeros((len(hands), len(FEATURES)))
    _fill_features(np.ascontiguousarray(hands, np.int64), units, rows)
    return rows


def declared_deals(bot: Heuristic, deals: int, seed: int) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return fresh deals (N,) bid until the exchange, and the declarer of each."""
    states, rules = new_states(deals), bot.rules.array()
    start_matches(states, rules, np.full(deals, derive(_FITTING, seed)), np.arange(deals))
    play_until(states, rules, bot, EXCHANGE)
    return states, states["declarer"].astype(np.int64)


def fit_points(bot: Heuristic, deals: int, seed: int) -> tuple[NDArray[np.float64], NDArray[np.float64], str]:
    """Return weights for a hand before the talon and after the exchange, and how well they explain the points made."""
    states, declarer = declared_deals(bot, deals, seed)
    rows, rules = np.arange(deals), bot.rules.array()
    dealt = features(states["dealt"][rows, declarer])
    play_until(states, rules, bot, PLAY)
    kept = features(states["hands"][rows, declarer])
    play_deals(states, rules, [bot], np.zeros((deals, bot.rules.players), np.int64))
    points = deal_score(states, rules)[rows, declarer].astype(np.float64)
    fits = [_least_squares(x, points) for x in (dealt, kept)]
    quality = ", ".join(
        f"{hand}: R² {1 - (points - x @ w).var() / points.var():.3f}, residual {(points - x @ w).std():.1f} points"
        for hand, x, w in zip(("dealt", "kept"), (dealt, kept), fits, strict=True)
    )
    made = (states["score"][rows, declarer] > 0).mean()
    return fits[0], fits[1], f"{quality}; mean {points.mean():.1f} points, {made:.3f} of the contracts made"


def pair_results(bot: Heuristic, deals: int, seed: int) -> tuple[NDArray[np.float64], NDArray[np.float64], Any]:
    """Return features (pairs, N, F) and results (pairs, N) of giving away each pair, and the marriages held (N,)."""
    states, declarer = declared_deals(bot, deals, seed)
    rows = np.arange(deals)
    hands = states["hands"][rows, declarer].astype(np.int64)
    cards = np.array([[card for card in range(NUM_CARDS) if hand >> card & 1] for hand in hands])
    swapped = (np.arange(len(_PAIRS))[:, None] + rows) % 2 == 1
    x, y = np.zeros((len(_PAIRS), deals, len(FEATURES))), np.zeros((len(_PAIRS), deals))
    for k, (i, j) in enumerate(_PAIRS):
        first, second = np.where(swapped[k], cards[:, i], cards[:, j]), np.where(swapped[k], cards[:, j], cards[:, i])
        after = states.copy()
        step(after, _CORE.array(), first)
        step(after, _CORE.array(), second)
        play_deals(after, _CORE.array(), [bot], np.zeros((deals, _CORE.players), np.int64))
        own, total = after["score"][rows, declarer], after["score"].sum(axis=1)
        y[k] = own - (total - own) / (_CORE.players - 1)
        x[k] = features(hands ^ (1 << first) ^ (1 << second))
        x[k, :, -1] = [given_half(h, a) + given_half(h, b) for h, a, b in zip(hands, first, second, strict=True)]
    return x, y, np.array([min(2, popcount(marriages_in(int(hand)))) for hand in hands])


def fit_keep(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return weights that rank the pairs of a deal by their results; x (pairs, N, F), y (pairs, N)."""
    fit = _compare(x, y, np.ones(y.shape))
    for _ in range(6):
        promise = x @ fit
        fit = (fit + _compare(x, y, np.where(promise > promise.max(axis=0) - NEAR, 1.0, FAR))) / 2
    return fit


def chosen(x: NDArray[np.float64], y: NDArray[np.float64], fit: NDArray[np.float64]) -> float:
    """Return the mean result of giving the pair that the weights like best."""
    return float(np.take_along_axis(y, (x @ fit).argmax(axis=0)[None], axis=0).mean())


def _compare(x: NDArray[np.float64], y: NDArray[np.float64], weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return weights that explain the differences between the pairs of a deal; `weight` (pairs, N) is their count."""
    total = weight.sum(axis=0)
    x_gap = x - (x * weight[..., None]).sum(axis=0) / total[:, None]
    y_gap = y - (y * weight).sum(axis=0) / total
    root = np.sqrt(weight)
    return _least_squares((x_gap * root[..., None]).reshape(-1, x.shape[-1]), (y_gap * root).ravel())


def _least_squares(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.linalg.solve(x.T @ x + RIDGE * np.eye(x.shape[1]), x.T @ y), np.float64)


def table_text(table: NDArray[Any]) -> str:
    """Return the weights as the lines of `FEATURES`."""
    lines: list[str] = []
    for name, (_, meaning) in FEATURES.items():
        values = ", ".join(f"{float(value):.2f}" for value in table[name])
        lines.append(f'    "{name}": (({values}), "{meaning}"),')
    return "\n".join(lines)


def fitted(table: NDArray[Any], deals: int, seed: int) -> tuple[NDArray[Any], str]:
    """Return the table with everything asked at a table of three fitted anew, and how well it fits."""
    bot = Heuristic(_CORE, bid=False, table=table)
    seven, eight, quality = fit_points(bot, deals, seed)
    x, y, marriages = pair_results(bot, deals // 4, seed + 1)
    keep = [fit_keep(x[:, marriages == count], y[:, marriages == count]) for count in range(3)]
    for count, fit in enumerate(keep):
        group = marriages == count
        quality += f"\n    keeping, {QUESTIONS[KEEPING + count]}: result {chosen(x[:, group], y[:, group], fit):.1f}"
    return _replaced(table, dict(enumerate((seven, eight, *keep)))), quality


def fitted_of_two(table: NDArray[Any], deals: int, seed: int) -> tuple[NDArray[Any], str]:
    """Return the table with everything asked at a table of two fitted anew, and how well it fits."""
    ten, eleven, quality = fit_points(Heuristic(_CORE_OF_TWO, bid=False, table=table), deals, seed)
    return _replaced(table, {TEN_OF_TWO: ten, ELEVEN: eleven}), quality


def _replaced(table: NDArray[Any], fits: dict[int, NDArray[np.float64]]) -> NDArray[Any]:
    replaced = table.copy()
    for question, fit in fits.items():
        replaced[question] = tuple(fit)
    return replaced


def run(given: list[str] | None = None) -> None:
    """Fit the table in rounds and print it."""
    parser = parser_of(NAME, __doc__)
    parser.add_argument(
        "--deals", type=int, default=120_000, help="deals a round for the points; a quarter for the pairs"
    )
    parser.add_argument(
        "--rounds", type=int, default=5, help="how often all is fitted, each time to play by the last fit"
    )
    parser.add_argument("--seed", type=int, default=1, help="which deals")
    parser.add_argument("--players", type=int, choices=(2, 3), default=3, help="whose questions to fit")
    arguments = parser.parse_args(given)
    table = weights()
    table[TEN_OF_TWO:] = 0
    if arguments.players == 3:
        table[:TEN_OF_TWO] = 0
    fit = fitted if arguments.players == 3 else fitted_of_two
    for number in range(arguments.rounds):
        table, quality = fit(table, arguments.deals, derive(arguments.seed, number))
        print(f"round {number + 1}: {quality}", flush=True)
    print(table_text(table))


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    return run_command(NAME, lambda: run(arguments), stopped="stopped")


if __name__ == "__main__":
    sys.exit(main())
