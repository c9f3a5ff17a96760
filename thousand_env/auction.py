"""Phase 1, the auction (§5): forehand opens, each seat raises or passes, the highest bidder becomes declarer."""

from typing import Any

import numpy as np

from thousand_env import exchange
from thousand_env.actions import LEVEL_STEP, PASS, bid_action, bid_points
from thousand_env.cards import MAX_CONTRACT, PACK_POINTS, marriages_value
from thousand_env.jit import kernel, popcount
from thousand_env.rules import EXACTLY_100, MIN_BID
from thousand_env.state import AUCTION, NONE


@kernel
def bid_limit(hand: int, rules: Any) -> int:
    """Return the highest bid a hand allows: 120 and its marriages (A3)."""
    if not rules.bid_cap:
        return MAX_CONTRACT
    return PACK_POINTS + marriages_value(hand)


@kernel
def round_up(points: int, step: int) -> int:
    """Return the lowest bid of the auction's steps that is not below `points`."""
    return MIN_BID + (points - MIN_BID + step - 1) // step * step


@kernel
def lowest_raise(bid: int, on_barrel: bool, rules: Any) -> int:
    """Return the lowest bid over `bid`; from the barrel only a winning one counts (A2, L3)."""
    lowest = bid + rules.bid_step
    if on_barrel:
        return max(lowest, round_up(rules.needs, rules.bid_step))
    return lowest


@kernel
def level_bit(points: int) -> int:
    """Return the bit of a bid in the level masks of `bids`."""
    return int(np.int64(1) << np.int64((points - MIN_BID) // LEVEL_STEP))


@kernel
def open_auction(state: Any, rules: Any) -> None:
    """Ask forehand to open (A1)."""
    state.phase = AUCTION
    state.turn = (state.dealer + 1) % rules.players


@kernel
def fill_raises(lowest: int, hand: int, rules: Any, mask: Any) -> None:
    """Mark every bid from `lowest` to the hand's cap."""
    for points in range(lowest, bid_limit(hand, rules) + 1, rules.bid_step):
        mask[bid_action(points)] = 1


@kernel
def fill_legal(state: Any, rules: Any, mask: Any) -> None:
    """Mark the legal bids of the seat to act in `mask` (NUM_ACTIONS,), which is all zero before."""
    hand, on_barrel = state.hands[state.turn], state.mounted[state.turn] > 0
    if state.bid > 0:
        mask[PASS] = 1
        fill_raises(lowest_raise(state.bid, on_barrel, rules), hand, rules, mask)
        return
    mask[bid_action(MIN_BID)] = 1
    if rules.opening != EXACTLY_100:
        fill_raises(lowest_raise(MIN_BID, on_barrel, rules), hand, rules, mask)


@kernel
def step(state: Any, rules: Any, action: int) -> None:
    """Bid or pass, and turn to the next seat still bidding; the last one left is declarer (A2)."""
    seat, players = state.turn, rules.players
    if action == PASS:
        state.passed |= 1 << seat
    else:
        state.bid, state.declarer = bid_points(action), seat
        state.bids[seat] |= level_bit(state.bid)
    if popcount(state.passed) == players - 1:
        state.turn = NONE
        exchange.take_talon(state, rules)
        return
    seat = (seat + 1) % players
    while state.passed >> seat & 1:
        seat = (seat + 1) % players
    state.turn = seat
