"""Answers about bidding: what each bid brings a hand, which cards of the talon help it, how far bots would go."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.agent import Agent, ask
from agents.table import questions
from experiments.figures import NOTHING, Figure, gap, mean, share
from experiments.forced import declared, try_actions, try_contracts
from experiments.samples import ME, Cards, Place, worlds_of
from thousand_env.actions import PASS, bid_action, bid_points, is_bid
from thousand_env.cards import FULL_PACK, MAX_CONTRACT, NUM_CARDS
from thousand_env.engine import legal_actions, step
from thousand_env.errors import ThousandError
from thousand_env.rules import RuleSet
from thousand_env.state import AUCTION


@dataclass(frozen=True)
class BidAnswer:
    """What one bid brings, 0 for a pass; figures of a bid that never stands are not numbers."""

    points: int
    said: Figure
    stands: Figure
    value: Figure
    made: Figure
    exactly: Figure
    exactly_made: Figure
    wins: Figure  # how often it wins the match


@dataclass(frozen=True)
class Bidding:
    """All there is to say about a hand before the auction.

    `helps` has a figure for every card that may lie in the talon; it is empty for a hand that may but pass.
    """

    worlds: NDArray[Any]
    bids: list[BidAnswer]
    base: Figure  # declaring at the lowest bid, nobody asked
    helps: dict[int, Figure]

    @property
    def best(self) -> BidAnswer:
        """The bid, or the pass, that brings most when it is said."""
        return max(self.bids, key=lambda answer: answer.said.value)


def bidding(place: Place, known: Cards, said: Cards, *, count: int, seed: int, listens: bool) -> Bidding:
    """Sample deals in which the auction went as `said` and try every bid."""
    worlds, _ = worlds_of(place, known, said, count=count, seed=seed, listens=listens)
    if worlds["phase"][0] != AUCTION or worlds["turn"][0] != ME:
        raise ThousandError(f"auction: after {len(said)} bids and passes it is not your turn; expected your turn")
    actions = np.flatnonzero(legal_actions(worlds[:1], place.rules.array())[0])
    outcomes = try_actions(worlds, place, actions)
    bids = [_answer(int(action), outcomes[:, column], worlds, place) for column, action in enumerate(actions)]
    levels = [answer.points for answer in bids if answer.points]
    if not levels:
        return Bidding(worlds, bids, NOTHING, {})
    opened = declared(worlds, place, levels[0])
    unseen = FULL_PACK & ~int(known[0, ME])
    bought = {card: worlds["talon"] >> card & 1 == 1 for card in range(NUM_CARDS) if unseen >> card & 1}
    helps = {card: gap(opened["value"], inside) for card, inside in bought.items()}
    return Bidding(worlds, bids, mean(opened["value"]), helps)


def _answer(action: int, outcomes: NDArray[Any], worlds: NDArray[Any], place: Place) -> BidAnswer:
    points = int(bid_points(action)) if is_bid(action) else 0
    stands = (outcomes["declares"] == 1) & (outcomes["bid"] == points)
    standing = outcomes[stands]
    exactly = try_contracts(worlds[stands], place, [points])[:, 0] if points else outcomes[:0]
    return BidAnswer(
        points, mean(outcomes["value"]), share(stands), mean(standing["value"]), share(standing["made"]),
        mean(exactly["value"]), share(exactly["made"]), share(outcomes["won"]),
    )  # fmt: skip


# -- bots ------------------------------------------------------------------------------------------------------------


def intentions(agent: Agent, worlds: NDArray[Any], rules: RuleSet) -> tuple[int, int]:
    """Return the action of a bot in one world (1,) and how far it goes if somebody keeps raising, 0 if it passes.

    The next seat raises by the lowest step each time, whatever its cards: the bot sees the bids alone.
    """
    states, array = worlds.copy(), rules.array()
    first = _asked(agent, states, array)
    action, limit = first, 0
    while is_bid(action):
        limit = int(bid_points(action))
        step(states, array, np.array([action]))
        raised = limit + rules.bid_step
        if states["phase"][0] != AUCTION or raised > MAX_CONTRACT:
            break
        while int(states["turn"][0]) != ME and states["phase"][0] == AUCTION:
            raising = int(states["bid"][0]) == limit
            step(states, array, np.array([bid_action(raised) if raising else PASS]))
        action = _asked(agent, states, array)
    return first, limit


def _asked(agent: Agent, states: NDArray[Any], rules: NDArray[Any]) -> int:
    return int(ask(agent, *questions(states, rules, np.array([0])))[0])
