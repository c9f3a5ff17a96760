"""The bot that refuses the auction: no player, but the yardstick that shows what bidding is worth."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.agent import Agent, sees_all
from thousand_env.actions import (
    BAPTISE,
    DECLINE_REDEAL,
    KEEP_TALON,
    LOOK,
    PASS,
    PICK_TALON,
    WRITE_OFF,
    bid_action,
)
from thousand_env.engine import count_legal, nth_legal
from thousand_env.jit import kernel, mulhi
from thousand_env.rng import word
from thousand_env.rules import MIN_BID, RuleSet
from thousand_env.state import AUCTION, BLIND, NONE


@kernel
def silence(mask: Any) -> int:
    """Return what says the least: pass, look, decline, keep the talon closed, else open at 100; NONE elsewhere."""
    for action in (PASS, LOOK, DECLINE_REDEAL, KEEP_TALON, bid_action(MIN_BID)):
        if mask[action]:
            return action
    return NONE


@kernel
def any_card(mask: Any, key: int) -> int:
    """Return a legal card, or one of two talons, each with the same chance; the hand is never given up."""
    count = count_legal(mask) - mask[WRITE_OFF] - mask[BAPTISE]
    return nth_legal(mask, mulhi(word(key, 0), count))


@kernel
def _act_all(masks: Any, keys: Any, actions: Any) -> None:
    for i in range(masks.shape[0]):
        actions[i] = silence(masks[i])
        if actions[i] == NONE:
            actions[i] = any_card(masks[i], keys[i])


@dataclass(frozen=True)
class Passer:
    """Bids 100 when it must, else passes; claims nothing, keeps the contract; gives and plays any card."""

    rules: RuleSet

    def __str__(self) -> str:
        return "passer"

    def act(self, views: NDArray[Any], masks: NDArray[np.int8], keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the pass or its like, the opening at 100, or a card drawn uniformly from the key."""
        actions = np.empty(len(views), np.int64)
        _act_all(masks, keys, actions)
        return actions


@dataclass(frozen=True)
class PassingBids:
    """Another bot with its mouth shut: it opens at 100 when it must, else passes, and never goes blind.

    All else is that bot's own.
    """

    agent: Agent

    @property
    def sees_all(self) -> bool:
        """Whether the bot cheats."""
        return sees_all(self.agent)

    def __str__(self) -> str:
        return f"passing bids ({self.agent})"

    def act(self, views: NDArray[Any], masks: NDArray[np.int8], keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return forced passing before and in the auction, the bot's own action elsewhere."""
        bidding = np.isin(views["phase"], (BLIND, AUCTION))
        actions = np.where(masks[:, PASS], PASS, np.where(masks[:, LOOK], LOOK, bid_action(MIN_BID))).astype(np.int64)
        others = np.flatnonzero(~bidding)
        if len(others):
            actions[others] = self.agent.act(views[others], masks[others], keys[others])
        return actions


assert min(WRITE_OFF, BAPTISE) > max(PASS, PICK_TALON + 1), "any_card counts on giving up standing behind the rest"
