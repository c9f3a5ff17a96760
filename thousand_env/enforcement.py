"""Actions that may be illegal, which the engine itself never checks: refused, or taken as the table takes them (N2).

With `enforcement=table` the seat is fined and something else counts. An action that is no action at all - out of range,
of another phase, a card not in the hand - is always refused.
"""

from typing import Any

from thousand_env.actions import (
    BAPTISE,
    CLAIM_REDEAL,
    DECLARE_QUEEN,
    DECLINE_REDEAL,
    NUM_ACTIONS,
    PASS,
    WRITE_OFF,
    bid_action,
    card_of,
    is_bid,
)
from thousand_env.cards import card_points
from thousand_env.engine import legal_row, step_row
from thousand_env.exchange import has_given
from thousand_env.jit import kernel
from thousand_env.rules import MIN_BID, TABLE
from thousand_env.state import AUCTION, CLAIM, CONTRACT, EXCHANGE, NONE, PLAY

STAY = -2  # only the fine counts: the seat is still to act


@kernel
def try_row(state: Any, rules: Any, action: int, mask: Any) -> bool:
    """Apply an action that may be illegal; return whether it was taken, as it is or as the table takes it (N2).

    `mask` (NUM_ACTIONS,) is filled with what was legal. A refused action changes nothing.
    """
    legal_row(state, rules, mask)
    if 0 <= action < NUM_ACTIONS and mask[action]:
        step_row(state, rules, action)
        return True
    counted = counts_as(state, rules, action, mask)
    if counted == NONE:
        return False
    state.offences[state.turn] += 1
    if counted != STAY:
        step_row(state, rules, counted)
    return True


@kernel
def counts_as(state: Any, rules: Any, action: int, mask: Any) -> int:
    """Return the legal action that an illegal one counts as, STAY for none, NONE if it is refused.

    `mask` (NUM_ACTIONS,) holds what is legal.
    """
    if rules.enforcement != TABLE or action < 0 or action >= NUM_ACTIONS:
        return NONE
    if state.phase == AUCTION and (is_bid(action) or action == PASS):
        return PASS if mask[PASS] else bid_action(MIN_BID)
    if state.phase == CONTRACT and is_bid(action):
        return PASS
    if state.phase == CLAIM and action == CLAIM_REDEAL:
        return DECLINE_REDEAL
    if state.phase == EXCHANGE and action in (WRITE_OFF, BAPTISE) and not has_given(state, rules):
        return STAY
    if (state.phase in (PLAY, EXCHANGE)) and action < PASS and state.hands[state.turn] >> card_of(action) & 1:
        return card_instead(state, rules, action, mask)
    return NONE


@kernel
def card_instead(state: Any, rules: Any, action: int, mask: Any) -> int:
    """Return what a card of the hand counts as: a declaration as the silent lead, a card as the lowest legal one."""
    if action >= DECLARE_QUEEN:
        if state.phase != PLAY or state.num_plays % rules.active > 0:
            return NONE
        if mask[card_of(action)]:
            return card_of(action)
    return lowest_card(mask)


@kernel
def lowest_card(mask: Any) -> int:
    """Return the legal action whose card has the fewest points, of equals the lowest card, silent before declared."""
    best = NONE
    for action in range(PASS):
        if mask[action] and (best == NONE or lower(card_of(action), card_of(best))):
            best = action
    return best


@kernel
def lower(card: int, other: int) -> bool:
    """Whether a card has fewer points than another, or as many and a lower place in the pack."""
    if card_points(card) != card_points(other):
        return card_points(card) < card_points(other)
    return card < other
