"""How the heuristic bot bids, and which contract it names."""

import math
from typing import Any

from agents.hand_value import EIGHT, ELEVEN, SEVEN, TEN_OF_TWO, hand_value
from thousand_env.actions import BONUS_HANDS, FIRST_BID, NUM_LEVELS, PASS, bid_action, bid_points
from thousand_env.cards import ACES, marriages_value
from thousand_env.jit import kernel
from thousand_env.play import ACE_MARRIAGE_VALUE
from thousand_env.rules import ALWAYS, DEDUCT, MIN_BID
from thousand_env.state import BLIND_CHOSEN, NONE

CAUTION = 20  # points by which the limit stays below what the hand is worth: the others, left alone, often fail
CAUTION_OF_TWO = 70  # of two, who passes scores all he wins; one who never bids wins more points, but fewer matches
DARING = 40  # points by which it exceeds it on the barrel, where a failed contract is not subtracted
LET_BLIND_FAIL = 40  # points by which it stays lower while somebody plays blind: he mostly fails, and pays double
SPREAD = 20.0  # standard deviation of the points made around those expected


@kernel
def next_bid(points: int, mask: Any) -> int:
    """Return the action of the lowest legal bid over `points`, NONE without one."""
    for action in range(max(FIRST_BID, bid_action(points) + 1), FIRST_BID + NUM_LEVELS):
        if mask[action]:
            return action
    return NONE


@kernel
def expected_points(hand: int, weights: Any, rules: Any) -> float:
    """Return the points a declarer can expect of a hand: its value, and what the table's rules on marriages add.

    The ace marriage counts where it is played (M7), and a marriage needs no entry where it may be led at once (M5).
    """
    expected = hand_value(hand, weights)
    if rules.ace_marriage and hand & ACES == ACES:
        expected += ACE_MARRIAGE_VALUE
    if rules.marriage_first_lead == ALWAYS and hand & ACES == 0:
        expected -= weights.no_entry * marriages_value(hand)
    return expected


@kernel
def points_of_kept(hand: int, players: int, table: Any, rules: Any) -> float:
    """Return the points a declarer can expect of the hand he kept after the exchange."""
    return expected_points(hand, table[ELEVEN if players == 2 else EIGHT], rules)


@kernel
def counts_failures(view: Any, rules: Any) -> bool:
    """Whether a failed contract is subtracted: not from a sitter, unless the table says so (L4)."""
    return view.mounted[0] == 0 or rules.barrel_failed_contract == DEDUCT


@kernel
def limit_of(view: Any, expected: float, rules: Any) -> float:
    """Return how far a hand is worth bidding of which so many points are expected: less caution, more on the barrel."""
    if not counts_failures(view, rules):
        return expected + DARING
    return expected - (CAUTION_OF_TWO if view.players == 2 else CAUTION)


@kernel
def bid_limit(view: Any, table: Any, rules: Any) -> float:
    """Return how far the hand is worth bidding by the points that it can expect to make."""
    question = TEN_OF_TWO if view.players == 2 else SEVEN
    return limit_of(view, expected_points(view.hand, table[question], rules), rules)


@kernel
def bid(view: Any, mask: Any, limit: float) -> int:
    """Open at 100, raise as little as possible up to the limit, else pass: the contract may be raised later."""
    if view.bid == 0:
        return bid_action(MIN_BID) if mask[bid_action(MIN_BID)] else next_bid(MIN_BID, mask)
    raised = next_bid(view.bid, mask)
    if view.blind == BLIND_CHOSEN:
        limit -= LET_BLIND_FAIL
    if raised == NONE or bid_points(raised) > limit:
        return PASS
    return raised


@kernel
def peek_or_bid(view: Any, mask: Any, limit: float) -> int:
    """Look at the opponents' hands before a bid, if that bonus is left: it costs nothing, and the play remembers."""
    action = bid(view, mask, limit)
    return BONUS_HANDS if action != PASS and mask[BONUS_HANDS] else action


@kernel
def make_chance(expected: float, contract: int) -> float:
    """Return the chance to make a contract with a hand of which so many points are expected."""
    return 0.5 * math.erfc((contract - expected) / (SPREAD * math.sqrt(2.0)))


@kernel
def promise_of(expected: float, contract: int) -> float:
    """Return what a contract promises, its points being won when made and lost when failed."""
    return contract * (2.0 * make_chance(expected, contract) - 1.0)


@kernel
def contract_of_sitter(view: Any, mask: Any, rules: Any) -> int:
    """Name the lowest contract that wins the match from the barrel, where every higher one wins no more (L3).

    That is the bid if it wins, else the lowest legal raise; PASS, keeping the bid, also where the cap forbids any.
    """
    raised = next_bid(view.bid, mask)
    return PASS if view.bid >= rules.needs or raised == NONE else raised


@kernel
def best_contract(view: Any, mask: Any, expected: float, rules: Any) -> int:
    """Name the contract that promises most to a hand expected to make so much, on the barrel the lowest that wins."""
    if view.mounted[0] > 0:
        return contract_of_sitter(view, mask, rules)
    best, promise = PASS, promise_of(expected, view.bid)
    for action in range(FIRST_BID, FIRST_BID + NUM_LEVELS):
        if mask[action] and promise_of(expected, bid_points(action)) > promise:
            best, promise = action, promise_of(expected, bid_points(action))
    return best


@kernel
def name_contract(view: Any, mask: Any, table: Any, rules: Any) -> int:
    """Name the contract that promises most by the points that the hand kept can expect to make."""
    return best_contract(view, mask, points_of_kept(view.hand, view.players, table, rules), rules)
