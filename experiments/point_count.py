"""`points`: a bidder who counts his card points, marriages and aces, and looks at nothing else of a hand.

    python -m experiments.point_count --deals 120000 --seed 1

prints the table below. Every deal is played by copies of the heuristic that never raise, so that forehand declares with
whatever it was dealt, and the points it makes are regressed on the count by least squares (Legendre 1805), once for the
hand before the talon and once for the hand kept after the exchange.

With the points expected the counter does what the heuristic does with its own estimate (`agents.bidding`): it bids up
to them less the same caution, and names the contract that promises most. So two bidders differ by what they see in a
hand, and by nothing else.
"""

import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.bidding import best_contract, limit_of, peek_or_bid
from agents.heuristic import Heuristic
from agents.table import play_deals, play_until
from experiments.command import parser_of, run_command
from experiments.fit_hand_value import declared_deals
from thousand_env.actions import LOOK
from thousand_env.cards import ACES, marriages_value, set_points
from thousand_env.engine import deal_score
from thousand_env.jit import kernel, popcount
from thousand_env.rules import RuleSet
from thousand_env.state import AUCTION, CONTRACT, PLAY

NAME = "point_count"
COUNTED = ("once, in any hand", "each card point", "each point of a marriage", "each ace, besides its points")

# hand: points that it makes for each of COUNTED
COUNTS: dict[str, tuple[float, ...]] = {
    "seven": (39.91, 0.60, 0.69, 19.61),
    "eight": (-23.59, 0.90, 1.00, 24.53),
    "ten": (21.65, 1.04, 0.77, 7.65),
    "eleven": (-16.51, 1.13, 0.86, 9.79),
}
_HANDS = tuple(COUNTS)

Numbers = NDArray[np.float64]


# -- bidding ---------------------------------------------------------------------------------------------------------


@kernel
def count_of(hand: int, weights: Any) -> float:
    """Return the points expected of a hand by the weights (4,) of COUNTED."""
    counted = weights[0] + weights[1] * set_points(hand)
    return counted + weights[2] * marriages_value(hand) + weights[3] * popcount(hand & ACES)


@kernel
def bid_by_count(view: Any, mask: Any, rules: Any, counts: Any) -> int:
    """Return the bid, the contract, or the look at the cards of a seat; `counts` are the rows of COUNTS."""
    place = 2 if view.players == 2 else 0
    if view.phase == AUCTION:
        return peek_or_bid(view, mask, limit_of(view, count_of(view.hand, counts[place]), rules))
    if view.phase == CONTRACT:
        return best_contract(view, mask, count_of(view.hand, counts[place + 1]), rules)
    return LOOK


@kernel
def _bid_all(views: Any, masks: Any, rules: Any, counts: Any, actions: Any) -> None:
    for i in range(views.shape[0]):
        actions[i] = bid_by_count(views[i], masks[i], rules[0], counts)


@dataclass(frozen=True)
class PointCount:
    """Bids and names contracts by the count; it answers no other question."""

    rules: RuleSet

    def __str__(self) -> str:
        return "points"

    def act(self, views: NDArray[Any], masks: NDArray[np.int8], keys: NDArray[np.int64]) -> NDArray[np.int64]:  # noqa: ARG002 it leaves nothing to chance
        """Return the action for each view, which is in one of the phases blind, auction and contract."""
        actions = np.empty(len(views), np.int64)
        _bid_all(views, masks, self.rules.array(), np.array(list(COUNTS.values())), actions)
        return actions


# -- fitting ---------------------------------------------------------------------------------------------------------


def counted(hands: NDArray[np.int64]) -> Numbers:
    """Return what is counted of each hand: (N, len(COUNTED))."""
    units = np.eye(len(COUNTED))
    return np.array([[count_of(int(hand), unit) for unit in units] for hand in hands])


def fitted(players: int, deals: int, seed: int) -> dict[str, tuple[Numbers, str]]:
    """Return the weights of both hands at a table of so many, and how well they explain the points made."""
    bot = Heuristic(RuleSet(players=players), bid=False)
    states, declarer = declared_deals(bot, deals, seed)
    rows, rules = np.arange(deals), bot.rules.array()
    hands = [states["dealt"][rows, declarer]]
    play_until(states, rules, bot, PLAY)
    hands.append(states["hands"][rows, declarer])
    play_deals(states, rules, [bot], np.zeros((deals, players), np.int64))
    points = deal_score(states, rules)[rows, declarer].astype(np.float64)
    names = _HANDS[2:] if players == 2 else _HANDS[:2]
    return {name: _least_squares(counted(hand), points) for name, hand in zip(names, hands, strict=True)}


def _least_squares(x: Numbers, points: Numbers) -> tuple[Numbers, str]:
    weights = np.asarray(np.linalg.lstsq(x, points, rcond=None)[0], np.float64)
    rest = points - x @ weights
    return weights, f"R² {1 - rest.var() / points.var():.3f}, residual {rest.std():.1f} points"


def run(given: list[str] | None = None) -> None:
    """Fit both tables of players and print the lines of COUNTS."""
    parser = parser_of(NAME, __doc__)
    parser.add_argument("--deals", type=int, default=120_000, help="deals each table is fitted to")
    parser.add_argument("--seed", type=int, default=1, help="which deals")
    chosen = parser.parse_args(given)
    for players in (3, 2):
        for name, (weights, quality) in fitted(players, chosen.deals, chosen.seed).items():
            print(f'    "{name}": ({", ".join(f"{weight:.2f}" for weight in weights)}),  # {quality}')


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    return run_command(NAME, lambda: run(arguments), stopped="stopped")


if __name__ == "__main__":
    sys.exit(main())
