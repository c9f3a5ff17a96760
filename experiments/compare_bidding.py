"""Which way of bidding is best, the cards being played by one and the same player?

    python -m experiments.compare_bidding --deals 12000 --seed 1 --policy runs/default
    python -m experiments.compare_bidding --strategies heuristic points "mc worlds=400" "ismcts simulations=200"

Strategies of bidding (`experiments.strategies`) meet at tables at which everybody's cards are played by the heuristic,
in a *tournament*, each against copies of each other one, and each against the *population* of all others: every seat
beside it follows one that is drawn for this deal, each other one with the same chance. Which are drawn depends on the
deal alone, so that two strategies meet the same opponents but where one would meet itself. Every deal is played with
the strategy in every seat, with the same cards and the same random keys. The deal is the unit of all intervals.

- advantage: own points minus the mean of the others', a deal; also by the seat one bids from
- declares: the share of deals declared; contested: of the auctions opened by others, in how many it bids at all
- contract, made: the mean contract of the deals declared, and the share of them that was made
- over-payment: by how many points the contract was above what the cards then made (K1), 0 where it was made, on average
  over the deals declared; left over: by how many points a contract that was made was below them, on the same average
- made and over-payment *above 100*: the same of the deals it bid more than 100 for; forehand has no choice about 100

In a deal given up nobody learns what the cards would have made: it counts as declared and not made at its bid, and is
left out of over-payment, of what was left over, and of the figures above 100. With four players the dealer's is one of
the seats, though he sits out.
"""

import sys
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import tyro
from numpy.typing import NDArray

from agents.arena import DEAL, evaluation_seed, play_games
from agents.tally import TALLY_DTYPE, count_deals
from experiments.bidding_report import POPULATION, PRICE_NAMES, TALLY_NAMES, report
from experiments.command import run_command
from experiments.parts import Columns, Options, run_parts
from experiments.samples import derive_all
from experiments.strategies import DEFAULT, LEARNED, Strategy, known, seated, strategies_of
from thousand_env.errors import ThousandError
from thousand_env.jit import kernel, record_dtype
from thousand_env.rng import derive
from thousand_env.rules import MIN_BID, RuleSet
from thousand_env.scoring import deal_points, makes_contract

NAME = "compare_bidding"
DEALS_A_PART = 50
PRICE_DTYPE = record_dtype([(name, np.int64) for name in PRICE_NAMES])
_DRAWN = 0xB1D5  # the namespace of the numbers by which a population is drawn
_LOOKED_AT, _LOOKED_AT_SEED = 4, 0  # deals by which a strategy is known again

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Comparison(Options):
    """Options of the experiment."""

    deals: int = 12_000
    """deals, each played in every seating of every line-up"""
    strategies: tuple[str, ...] = DEFAULT
    """bots whose bids are compared, such as "heuristic margin=10", and never, points, simulation, learned"""
    worlds: int = 100
    """worlds for each decision of `simulation`"""
    policy: str = ""
    """folder of a trained network, for `learned`"""
    rules: str = "core"
    """the table: a preset and differences, such as "classic players=4" """

    def sized(self) -> "Comparison":
        """Return these options, or with `quick` their small form."""
        return replace(self, deals=8, worlds=3) if self.quick else self

    @property
    def table(self) -> RuleSet:
        """The rules."""
        return RuleSet.parse(self.rules)

    @property
    def compared(self) -> tuple[Strategy, ...]:
        """The strategies."""
        return tuple(strategies_of(self.strategies, worlds=self.worlds, policy=self.policy))


# -- who meets whom --------------------------------------------------------------------------------------------------


class Games(NamedTuple):
    """Games (G,): the deal, the strategy in question, whom it meets, and where it sits; `seats` (G, players)."""

    deal: Numbers
    strategy: Numbers
    against: Numbers  # the number of a strategy, or POPULATION
    own: Numbers
    seats: Numbers


def drawn(deals: Numbers, strategies: int, others: int, seed: int) -> Numbers:
    """Return whom each strategy meets in the population of the others: (deals, strategies, others).

    For each of the other seats all strategies are put in a random order, and the first that is another one sits there.
    """
    keys = derive_all(derive(_DRAWN, seed), np.repeat(deals, others * strategies))
    places = np.tile(np.arange(others * strategies), len(deals))
    order = derive_all(keys, places).reshape(len(deals), 1, others, strategies).argsort(axis=-1)
    own = np.arange(strategies)[:, None]
    return np.where(order[..., 0] == own, order[..., 1], order[..., 0])


def games_of(deals: Numbers, strategies: int, players: int, seed: int) -> Games:
    """Return every game of some deals: the tournament's and those against populations, in every seating."""
    one, other = np.nonzero(~np.eye(strategies, dtype=bool))
    copies = np.broadcast_to(other[:, None], (len(deals), len(one), players - 1))
    opponents = np.concatenate([copies, drawn(deals, strategies, players - 1, seed)], axis=1)
    strategy = np.concatenate([one, np.arange(strategies)])
    against = np.concatenate([other, np.full(strategies, POPULATION)])
    deal, lineup, own = (part.ravel() for part in np.indices((len(deals), len(strategy), players)))
    seats = np.empty((len(deal), players), np.int64)
    rows = np.arange(len(deal))
    seats[rows, own] = strategy[lineup]
    for place in range(players - 1):
        seats[rows, (own + 1 + place) % players] = opponents[deal, lineup, place]
    return Games(deals[deal], strategy[lineup], against[lineup], own, seats)


# -- what they show --------------------------------------------------------------------------------------------------


@kernel
def note_price(state: Any, rules: Any, own: int, price: Any) -> None:
    """Write down what a deal that was played cost seat `own`, if it declared."""
    if state.declarer != own or state.contract == 0:
        return
    points = deal_points(state.captured[own], state.marriages[own])
    made = makes_contract(points, state.contract, rules)
    price.played = 1
    price.overpaid = 0 if made else state.contract - points
    price.left_over = max(0, points - state.contract) if made else 0
    if state.bids[own] != 0 and state.bid > MIN_BID:
        price.above, price.above_made, price.above_overpaid = 1, made, price.overpaid


@kernel
def _note_all(states: Any, rules: Any, own: Any, prices: Any) -> None:
    for i in range(states.shape[0]):
        note_price(states[i], rules[0], own[i], prices[i])


def played(games: Games, strategies: tuple[Strategy, ...], rules: RuleSet, seed: int) -> Columns:
    """Play the games and return what the strategies in question did in them: columns (G,)."""
    tallies, prices = np.zeros(len(games.deal), TALLY_DTYPE), np.zeros(len(games.deal), PRICE_DTYPE)
    table = rules.array()

    def scored(states: NDArray[Any], rows: Numbers) -> None:
        count_deals(states, table, rows, games.own, tallies)

    states, _ = play_games(
        seated(strategies, rules), games.seats, rules, seed=evaluation_seed(seed), blocks=games.deal, mode=DEAL,
        scored=scored,
    )  # fmt: skip
    _note_all(states, table, games.own, prices)
    columns: Columns = {"deal": games.deal, "strategy": games.strategy, "against": games.against}
    columns["seat"] = (games.own - states["dealer"] - 1) % rules.players  # 0 is forehand
    columns |= {name: tallies[name] for name in TALLY_NAMES} | {name: prices[name] for name in PRICE_NAMES}
    return {name: column.astype(np.int32) for name, column in columns.items()}


def part(options: Comparison, number: int) -> Columns:
    """Return what the strategies did in the deals of one part."""
    deals = np.arange(number * DEALS_A_PART, min((number + 1) * DEALS_A_PART, options.deals))
    strategies, rules = options.compared, options.table
    return played(games_of(deals, len(strategies), rules.players, options.seed), strategies, rules, options.seed)


def marks(options: Comparison) -> dict[str, int]:
    """Return what each strategy wins in some deals against the others: another network behind a path shows in it."""
    strategies, rules = options.compared, options.table
    games = games_of(np.arange(_LOOKED_AT), len(strategies), rules.players, _LOOKED_AT_SEED)
    points = played(games, strategies, rules, _LOOKED_AT_SEED)["points"]
    return {one.name: int(points[games.strategy == number].sum()) for number, one in enumerate(strategies)}


def main(arguments: list[str] | None = None) -> int:
    """Play, or go on playing, and report."""

    def work() -> None:
        options = tyro.cli(
            Comparison, prog=f"python -m experiments.{NAME}", args=arguments, description=f"{__doc__}\n{known()}"
        ).sized()
        if options.deals < 2:
            raise ThousandError(f"deals={options.deals}: expected at least 2, an interval needs two")
        folder, strategies, rules = options.folder(NAME), options.compared, options.table
        columns = run_parts(
            partial(part, options), -(-options.deals // DEALS_A_PART), folder=folder,
            settings={**options.settings(), "points in some deals": marks(options)}, workers=options.workers,
            title=NAME,
        )  # fmt: skip
        print(f"{options.deals} deals × {rules.players} seatings, seed {options.seed}, rules {rules}")
        if LEARNED in options.strategies and not options.policy:
            print(f"{LEARNED} is left out: --policy names the folder of its network")
        report(columns, [strategy.name for strategy in strategies], rules.players, folder)

    return run_command(NAME, work)


if __name__ == "__main__":
    sys.exit(main())
