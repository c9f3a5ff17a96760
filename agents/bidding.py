"""How the heuristic bot bids, and which contract it names."""

import math
from typing import Any

from agents.hand_value import hand_value
from thousand_env.actions import FIRST_BID, NUM_LEVELS, PASS, bid_action, bid_points
from thousand_env.jit import kernel
from thousand_env.rules import MIN_BID
from thousand_env.state import NONE

CAUTION = 20  # points by which the limit stays below what the hand is worth: the others, left alone, often fail
DARING = 40  # points by which it exceeds it on the barrel, where a failed contract is not subtracted
SPREAD = 20.0  # standard deviation of the points made around those expected


@kernel
def next_bid(points: int, mask: Any) -> int:
    """Return the action of the lowest legal bid over `points`, NONE without one."""
    for action in range(max(FIRST_BID, bid_action(points) + 1), FIRST_BID + NUM_LEVELS):
        if mask[action]:
            return action
    return NONE


@kernel
def bid_limit(view: Any, seven: Any) -> float:
    """Return how far the hand is worth bidding: what it can expect to make, less caution."""
    limit = hand_value(view.hand, seven) - CAUTION
    if view.mounted[0] > 0:
        limit += CAUTION + DARING
    return limit


@kernel
def bid(view: Any, mask: Any, limit: float) -> int:
    """Open at 100, raise as little as possible up to the limit, else pass: the contract may be raised later."""
    if view.bid == 0:
        return bid_action(MIN_BID) if mask[bid_action(MIN_BID)] else next_bid(MIN_BID, mask)
    raised = next_bid(view.bid, mask)
    if raised == NONE or bid_points(raised) > limit:
        return PASS
    return raised


@kernel
def make_chance(expected: float, contract: int) -> float:
    """Return the chance to make a contract with a hand of which so many points are expected."""
    return 0.5 * math.erfc((contract - expected) / (SPREAD * math.sqrt(2.0)))


@kernel
def name_contract(view: Any, mask: Any, eight: Any) -> int:
    """Name the contract that promises most, its points being won when made and lost when failed.

    On the barrel only a contract that wins counts, so any legal raise (L3) is better than none.
    """
    expected = hand_value(view.hand, eight)
    best, promise = PASS, view.bid * (2.0 * make_chance(expected, view.bid) - 1.0)
    if view.mounted[0] > 0:
        promise = -math.inf
    for action in range(FIRST_BID, FIRST_BID + NUM_LEVELS):
        points = bid_points(action)
        if mask[action] and points * (2.0 * make_chance(expected, points) - 1.0) > promise:
            best, promise = action, points * (2.0 * make_chance(expected, points) - 1.0)
    return best
