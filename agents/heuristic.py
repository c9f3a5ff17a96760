"""The bot that plays by a player's rules of thumb, each small enough to argue with.

`agents.bidding` values the hand and names the contract, `agents.judgement` claims redeals and gives up hopeless hands,
`agents.giving` chooses the cards to give, `agents.card_play` plays; `agents.knowledge` is what it has worked out about
the others' hands.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.bidding import bid_limit, name_contract, peek_or_bid
from agents.card_play import play_card
from agents.giving import give
from agents.habits import habits
from agents.hand_value import weights
from agents.judgement import choose_talon, claim, give_up
from thousand_env.actions import LOOK
from thousand_env.jit import kernel
from thousand_env.rules import RuleSet
from thousand_env.state import AUCTION, BLIND, CLAIM, EXCHANGE, NONE, PLAY, TALON

_NEVER_BIDS = -10_000


@kernel
def decide(view: Any, mask: Any, rules: Any, margin: int, table: Any, habits: Any, room: Any) -> int:
    """Return the action of the seat to act.

    `table` are the weights for the questions of `agents.hand_value` in their order, `room` (1,) is scratch.
    """
    if view.phase == PLAY:
        return play_card(view, mask, rules, habits)
    if view.phase == AUCTION:
        return peek_or_bid(view, mask, bid_limit(view, table, rules) + margin)
    if view.phase == EXCHANGE:
        given_up = give_up(view, mask, table, rules, room)
        return given_up if given_up != NONE else give(view, mask, table, room)
    if view.phase == BLIND:
        return LOOK
    if view.phase == CLAIM:
        return claim(view, mask, table, rules, room)
    if view.phase == TALON:
        return choose_talon(view, mask, table, rules, room)
    return name_contract(view, mask, table, rules)


@kernel
def _act_all(views: Any, masks: Any, rules: Any, margin: int, table: Any, habits: Any, room: Any, actions: Any) -> None:
    for i in range(views.shape[0]):
        actions[i] = decide(views[i], masks[i], rules[0], margin, table, habits[0], room)


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

    def __str__(self) -> str:
        margin = f" margin={self.margin}" if self.margin else ""
        return f"heuristic{margin}{'' if self.bid else ' bid=no'}"

    def act(self, views: NDArray[Any], masks: NDArray[np.int8], keys: NDArray[np.int64]) -> NDArray[np.int64]:  # noqa: ARG002 it leaves nothing to chance
        """Return the action of a careful player for each view."""
        actions = np.empty(len(views), np.int64)
        margin = self.margin if self.bid else _NEVER_BIDS
        room = np.zeros(1, np.int64)
        _act_all(views, masks, self.rules.array(), margin, self.table, self.habits, room, actions)
        return actions
