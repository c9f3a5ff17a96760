"""Strategies of bidding: each is a value, and whoever follows one plays his cards as everybody does.

A strategy answers what is asked in the phases blind, auction and contract: how to bid, and which contract to name. All
else - claims, the talon, the gifts, giving up, the play - is the heuristic's at every seat. A strategy is written as
any bot is (`agents.spec`), whose bids it then has, or as one of the words in `WORDS`.
"""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from textwrap import indent
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.agent import Agent
from agents.spec import SpecError, bots_help, load
from experiments.point_count import PointCount
from thousand_env.rules import RuleSet
from thousand_env.state import AUCTION, BLIND, CONTRACT

BIDDING = (BLIND, AUCTION, CONTRACT)
PLAYER = "heuristic"  # who plays everybody's cards
NEVER, POINTS, SIMULATION, LEARNED = "never", "points", "simulation", "learned"
WORDS = {
    NEVER: "opens with 100 when it must, else passes",
    POINTS: "counts points, marriages and aces (experiments/point_count.py)",
    SIMULATION: "mc with the worlds of --worlds",
    LEARNED: "the network of --policy",
}
HEURISTICS = tuple(f"heuristic{f' margin={margin}' if margin else ''}" for margin in (-40, -20, 0, 20, 40))
DEFAULT = (NEVER, *HEURISTICS, POINTS, SIMULATION, LEARNED)


# -- who sits at the table -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class AskedOnce:
    """A bot that is asked every different question of a batch once.

    Its answer to a question depends on nothing else, unless it thinks by the clock, and in deals that are played again
    with others in the other seats most of the questions of an auction are the same.
    """

    agent: Agent

    def __str__(self) -> str:
        return str(self.agent)

    def act(self, views: NDArray[Any], masks: NDArray[np.int8], keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the bot's action for each view."""
        parts = [np.ascontiguousarray(part) for part in (views, masks, keys)]
        rows = np.hstack([part.view(np.uint8).reshape(len(views), -1) for part in parts])
        _, first, which = np.unique(rows.view(f"V{rows.shape[1]}").ravel(), return_index=True, return_inverse=True)
        return self.agent.act(views[first], masks[first], keys[first])[which]


@dataclass(frozen=True)
class BidsOf:
    """The bids and contracts of one bot, everything else of another."""

    bidder: Agent
    player: Agent

    def __str__(self) -> str:
        return f"bids of ({self.bidder}), else {self.player}"

    def act(self, views: NDArray[Any], masks: NDArray[np.int8], keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the bidder's action in the phases of BIDDING, the player's in the others."""
        actions = np.empty(len(views), np.int64)
        bidding = np.isin(views["phase"], BIDDING)
        for agent, rows in ((self.bidder, np.flatnonzero(bidding)), (self.player, np.flatnonzero(~bidding))):
            if len(rows):
                actions[rows] = agent.act(views[rows], masks[rows], keys[rows])
        return actions


# -- what may be said of a strategy ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Strategy:
    """A way to bid: its name in tables, and the bot that bids so, `points` or a spec."""

    name: str
    bidder: str

    def at(self, rules: RuleSet) -> Agent:
        """Return who bids so and plays as everybody does; raises `SpecError`."""
        bidder = PointCount(rules) if self.bidder == POINTS else load(self.bidder, rules)
        return BidsOf(AskedOnce(bidder), load(PLAYER, rules))


def strategies_of(texts: Sequence[str], *, worlds: int, policy: str) -> list[Strategy]:
    """Return the strategies that texts name, `learned` only where there is a `policy`.

    Raises `SpecError` for fewer than two and for one that is named twice, `Strategy.at` for one that nobody knows.
    """
    bidders = {
        NEVER: "heuristic bid=no",
        SIMULATION: f"mc worlds={worlds}",
        LEARNED: f"policy path={shlex.quote(policy)}",
    }
    found = [Strategy(text, bidders.get(text, text)) for text in texts if policy or text != LEARNED]
    twice = [strategy.name for strategy in found if found.count(strategy) > 1]
    if twice or len(found) < 2:
        raise SpecError(f"strategies {', '.join(texts) or 'none'}: expected two different ones or more, each once")
    return found


def known() -> str:
    """Return what may be said of a strategy, and of the bots whose bids one may have, a line each."""
    words = "\n".join(f"{word}: {meaning}" for word, meaning in WORDS.items())
    indented = [indent(text, "    ") for text in (words, bots_help())]
    return "strategies beside the bids of bots:\n\n{}\n\nbots:\n\n{}".format(*indented)


@cache
def seated(strategies: tuple[Strategy, ...], rules: RuleSet) -> tuple[Agent, ...]:
    """Return a bot for each strategy; raises `SpecError` for one that nobody knows."""
    try:
        return tuple(strategy.at(rules) for strategy in strategies)
    except SpecError as error:
        raise SpecError(f"strategy of {error}; strategies beside the bids of bots are {', '.join(WORDS)}") from None
