"""The bot that plays by a player's rules of thumb, each small enough to argue with.

`agents.bidding` values the hand and names the contract, `agents.giving` chooses the cards to give, `agents.card_play`
plays; `agents.knowledge` is what it has worked out about the others' hands.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.bidding import bid, bid_limit, name_contract
from agents.card_play import play_card
from agents.giving import give
from agents.habits import habits
from agents.hand_value import weights
from thousand_env.actions import DECLINE_REDEAL, KEEP_TALON, LOOK, PASS
from thousand_env.engine import nth_legal
from thousand_env.errors import ThousandError
from thousand_env.jit import kernel
from thousand_env.rules import RuleSet
from thousand_env.state import AUCTION, CONTRACT, EXCHANGE, PLAY

_NEVER_BIDS = -10_000


@kernel
def decline(mask: Any) -> int:
    """Look at the cards, claim nothing, keep the talon closed: what is not about the cards is left alone."""
    for action in (LOOK, DECLINE_REDEAL, KEEP_TALON, PASS):
        if mask[action]:
            return action
    return nth_legal(mask, 0)


@kernel
def decide(view: Any, mask: Any, margin: int, table: Any, habits: Any, room: Any) -> int:
    """Return the action of the seat to act.

    `table` are the weights for the questions of `agents.hand_value` in their order, `room` (1,) is scratch.
    """
    if view.phase == PLAY:
        return play_card(view, mask, habits)
    if view.phase == AUCTION:
        return bid(view, mask, bid_limit(view, table[0]) + margin)
    if view.phase == EXCHANGE:
        return give(view, table, room)
    if view.phase == CONTRACT:
        return name_contract(view, mask, table[1])
    return decline(mask)


@kernel
def _act_all(views: Any, masks: Any, margin: int, table: Any, habits: Any, room: Any, actions: Any) -> None:
    for i in range(views.shape[0]):
        actions[i] = decide(views[i], masks[i], margin, table, habits[0], room)


@dataclass(frozen=True)
class Heuristic:
    """Plays by a player's rules of thumb.

    `margin` points are added to its limit in every auction; with `bid` off it only opens at 100 when it must. `table`
    and `habits` are its weights, for experiments.
    """

    rules: RuleSet
    margin: int = 0
    bid: bool = True
    table: NDArray[Any] = field(default_factory=weights, repr=False, compare=False)
    habits: NDArray[Any] = field(default_factory=habits, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.rules.players != 3:
            raise ThousandError(f"heuristic: players={self.rules.players}: it knows only tables of three")

    def __str__(self) -> str:
        margin = f" margin={self.margin}" if self.margin else ""
        return f"heuristic{margin}{'' if self.bid else ' bid=no'}"

    def act(self, views: NDArray[Any], masks: NDArray[np.int8], keys: NDArray[np.int64]) -> NDArray[np.int64]:  # noqa: ARG002 it leaves nothing to chance
        """Return the action of a careful player for each view."""
        actions = np.empty(len(views), np.int64)
        margin = self.margin if self.bid else _NEVER_BIDS
        _act_all(views, masks, margin, self.table, self.habits, np.zeros(1, np.int64), actions)
        return actions
