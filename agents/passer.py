"""The bot that refuses the auction: no player, but the yardstick that shows what bidding is worth."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.agent import Agent
from agents.uniform import any_action
from thousand_env.actions import PASS, bid_action
from thousand_env.jit import kernel
from thousand_env.rules import MIN_BID, RuleSet
from thousand_env.state import AUCTION


@kernel
def pass_or_open(mask: Any) -> int:
    """Return the pass where it is legal, else the opening at 100."""
    return PASS if mask[PASS] else bid_action(MIN_BID)


@kernel
def _act_all(masks: Any, keys: Any, actions: Any) -> None:
    for i in range(masks.shape[0]):
        if masks[i, PASS] or masks[i, bid_action(MIN_BID)]:
            actions[i] = pass_or_open(masks[i])
        else:
            actions[i] = any_action(masks[i], keys[i])


@dataclass(frozen=True)
class Passer:
    """Bids 100 when it must, else passes and keeps the contract; gives and plays any card."""

    rules: RuleSet

    def __str__(self) -> str:
        return "passer"

    def act(self, views: NDArray[Any], masks: NDArray[np.int8], keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the pass, the opening at 100, or a card drawn uniformly from the key."""
        actions = np.empty(len(views), np.int64)
        _act_all(masks, keys, actions)
        return actions


@dataclass(frozen=True)
class PassingBids:
    """Another bot with its mouth shut: it opens at 100 when it must, else passes; all else is that bot's own."""

    agent: Agent

    def __str__(self) -> str:
        return f"passing bids ({self.agent})"

    def act(self, views: NDArray[Any], masks: NDArray[np.int8], keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return forced passing in the auction, the bot's own action elsewhere."""
        bidding = views["phase"] == AUCTION
        actions = np.where(masks[:, PASS], PASS, bid_action(MIN_BID)).astype(np.int64)
        others = np.flatnonzero(~bidding)
        if len(others):
            actions[others] = self.agent.act(views[others], masks[others], keys[others])
        return actions
