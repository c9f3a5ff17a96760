"""Phase 1, the auction (§5): forehand opens, each seat raises or passes, the highest bidder becomes declarer.

Before it come the blind (§12) and the claims for a redeal (§4); in a golden deal and where the barrel is granted the
contract, there is none.
"""

from typing import Any

import numpy as np

from thousand_env import exchange
from thousand_env.actions import (
    BONUS_CARD,
    BONUS_HANDS,
    BONUS_SUITS,
    CLAIM_REDEAL,
    DECLINE_REDEAL,
    GO_BLIND,
    LEVEL_STEP,
    LOOK,
    PASS,
    bid_action,
    bid_points,
    call_bit,
)
from thousand_env.cards import MAX_CONTRACT, PACK_POINTS, marriages_value
from thousand_env.jit import kernel, popcount
from thousand_env.redeals import any_hand_entitles, asks_hands, hand_entitles, next_asked
from thousand_env.rules import BARRED, EXACTLY_100, FORCE, GRANTED, MIN_BID, NORMAL, OFFER
from thousand_env.scoring import FIXED_CONTRACT, is_golden
from thousand_env.seats import active_seats, forehand_of, next_seat
from thousand_env.state import AGAIN, AUCTION, BLIND, BLIND_CHOSEN, BLIND_LIT, BLIND_POSSIBLE, CLAIM, NONE

TALON_PLACES = 4  # cards of the talon a bonus can choose from; the two-hand game has two talons of two


# -- what may be bid -------------------------------------------------------------------------------------------------


@kernel
def bid_limit(hand: int, rules: Any) -> int:
    """Return the highest bid a hand allows: 120 and its marriages (A3)."""
    if not rules.bid_cap:
        return MAX_CONTRACT
    return PACK_POINTS + marriages_value(hand)


@kernel
def raise_to(points: int, bid: int, step: int) -> int:
    """Return the lowest raise of `bid`, in steps of the auction, that is not below `points`."""
    return bid + max(1, (points - bid + step - 1) // step) * step


@kernel
def lowest_raise(bid: int, on_barrel: bool, rules: Any) -> int:
    """Return the lowest bid over `bid`; from the barrel only a winning one counts (A2, L3)."""
    if on_barrel:
        return raise_to(rules.needs, bid, rules.bid_step)
    return bid + rules.bid_step


@kernel
def level_bit(points: int) -> int:
    """Return the bit of a bid in the level masks of `bids`."""
    return int(np.int64(1) << np.int64((points - MIN_BID) // LEVEL_STEP))


@kernel
def kept_out(state: Any, rules: Any) -> int:
    """Return the active seats that may not bid because of negative totals, a bit each (A5)."""
    if rules.negative_auction == NORMAL:
        return 0
    active, negative = active_seats(state, rules), 0
    for seat in range(rules.players):
        negative |= (state.totals[seat] < 0) << seat
    negative &= active
    if negative in (0, active):
        return 0
    return negative if rules.negative_auction == BARRED else active & ~negative


# -- from the cards to the auction -----------------------------------------------------------------------------------


@kernel
def open_deal(state: Any, rules: Any) -> None:
    """Ask for the first decision of a deal whose cards are given out; phase AGAIN if they must be dealt again."""
    if is_golden(state, rules):
        grant(state, rules, forehand_of(state, rules), FIXED_CONTRACT)
    elif may_go_blind(state, rules):
        state.phase, state.turn, state.blind = BLIND, forehand_of(state, rules), BLIND_POSSIBLE
    else:
        ask_for_claims(state, rules)


@kernel
def may_go_blind(state: Any, rules: Any) -> bool:
    """Whether forehand may go blind: not from the barrel, nor if it may not bid (Z1, A5, L7)."""
    if not rules.blind:
        return False
    forehand = forehand_of(state, rules)
    barred = kept_out(state, rules) >> forehand & 1 == 1
    return not barred and state.mounted[forehand] == 0 and granted_seat(state, rules) == NONE


@kernel
def ask_for_claims(state: Any, rules: Any) -> None:
    """Deal again if a hand forces it, else ask for claims, else open the auction (R9)."""
    if any_hand_entitles(state, rules, FORCE):
        state.phase = AGAIN
    elif asks_hands(rules):
        state.phase, state.turn = CLAIM, forehand_of(state, rules)
    else:
        open_auction(state, rules)


@kernel
def granted_seat(state: Any, rules: Any) -> int:
    """Return the sitter that gets the contract without an auction, the nearer to forehand of two; or NONE (L7)."""
    if rules.barrel_auction != GRANTED:
        return NONE
    seat = forehand_of(state, rules)
    for _ in range(rules.active):
        if state.mounted[seat] > 0:
            return seat
        seat = next_seat(seat, state.dealer, rules.players)
    return NONE


@kernel
def open_auction(state: Any, rules: Any) -> None:
    """Ask the opener to open (A1, A5), unless a sitter is granted the contract (L7)."""
    granted = granted_seat(state, rules)
    if granted != NONE:
        grant(state, rules, granted, rules.needs)
        return
    state.phase = AUCTION
    state.passed = kept_out(state, rules)
    state.turn = forehand_of(state, rules)
    while state.passed >> state.turn & 1:
        state.turn = next_seat(state.turn, state.dealer, rules.players)


@kernel
def grant(state: Any, rules: Any, seat: int, contract: int) -> None:
    """Make a seat declarer without an auction (G1, L7)."""
    state.bid, state.declarer = contract, seat
    state.passed = active_seats(state, rules) & ~(1 << seat)
    exchange.take_talon(state, rules)


# -- bidding ---------------------------------------------------------------------------------------------------------


@kernel
def raises(lowest: int, hand: int, rules: Any) -> int:
    """Return every bid from `lowest` to the hand's cap, as a set of bids."""
    apart = int(rules.bid_step) // LEVEL_STEP
    bids = max(0, int(bid_limit(hand, rules) - lowest) // int(rules.bid_step) + 1)
    evenly = ((1 << apart * bids) - 1) // ((1 << apart) - 1)  # so many bits, so far apart: a geometric series
    return evenly << int(bid_action(lowest) - PASS)


@kernel
def legal_bids(state: Any, rules: Any) -> int:
    """Return the legal bids of the seat to act, as a set of bids."""
    hand, on_barrel = int(state.hands[state.turn]), state.mounted[state.turn] > 0
    if state.bid > 0:
        return 1 | raises(lowest_raise(state.bid, on_barrel, rules), hand, rules)
    opening = 1 << (bid_action(MIN_BID) - PASS)
    if rules.opening == EXACTLY_100:
        return opening
    return opening | raises(lowest_raise(MIN_BID, on_barrel, rules), hand, rules)


@kernel
def step(state: Any, rules: Any, action: int) -> None:
    """Bid or pass, and turn to the next seat still bidding; the last one left is declarer (A2)."""
    seat = state.turn
    if action == PASS:
        state.passed |= 1 << seat
    else:
        state.bid, state.declarer = bid_points(action), seat
        state.bids[seat] |= level_bit(state.bid)
        if state.blind == BLIND_CHOSEN:
            state.blind = BLIND_LIT  # Z2
    turn_to_next_bidder(state, rules)


@kernel
def turn_to_next_bidder(state: Any, rules: Any) -> None:
    """Turn to the next seat that has not passed; with one left the auction is over."""
    if popcount(state.passed) == rules.active - 1:
        state.turn = NONE
        exchange.take_talon(state, rules)
        return
    seat = next_seat(state.turn, state.dealer, rules.players)
    while state.passed >> seat & 1:
        seat = next_seat(seat, state.dealer, rules.players)
    state.turn = seat


# -- blind, claims and bonuses ---------------------------------------------------------------------------------------


@kernel
def legal_calls(state: Any, rules: Any) -> int:
    """Return what the seat to act may say in the phases blind and claim, as a set of calls."""
    if state.phase == BLIND:
        return call_bit(GO_BLIND) | call_bit(LOOK)
    # On the talon the declarer is asked only if he may claim.
    if state.bid > 0 or hand_entitles(state, rules, state.turn, OFFER):
        return call_bit(DECLINE_REDEAL) | call_bit(CLAIM_REDEAL)
    return call_bit(DECLINE_REDEAL)


@kernel
def step_before(state: Any, rules: Any, action: int) -> None:
    """Go blind or look (Z1); claim a redeal, or decline it and let the next seat be asked (R9)."""
    if action == GO_BLIND:
        go_blind(state, rules)
    elif action == LOOK:
        state.blind = 0
        ask_for_claims(state, rules)
    elif action == CLAIM_REDEAL:
        state.phase = AGAIN
    elif state.bid > 0:
        exchange.begin_exchange(state)
    else:
        state.asked |= 1 << state.turn
        state.turn = next_asked(state, rules)
        if state.turn == NONE:
            open_auction(state, rules)


@kernel
def go_blind(state: Any, rules: Any) -> None:
    """Bind forehand to 120 and let the others bid (Z1)."""
    seat = state.turn
    state.phase, state.blind = AUCTION, BLIND_CHOSEN
    state.passed = kept_out(state, rules)
    state.bid, state.declarer = FIXED_CONTRACT, seat
    state.bids[seat] |= level_bit(FIXED_CONTRACT)
    turn_to_next_bidder(state, rules)


@kernel
def has_bonuses(rules: Any) -> bool:
    """Whether the table plays information bonuses (X1)."""
    return rules.bonus_hands + rules.bonus_suits + rules.bonus_card > 0


@kernel
def legal_bonuses(state: Any, rules: Any) -> int:
    """Return the bonuses that the seat to act has left and that would still tell it something, as a set of calls (X1).

    They are used while hands are claimed on and bid on.
    """
    if not has_bonuses(rules) or state.phase == BLIND or (state.phase == CLAIM and state.bid > 0):
        return 0
    seat = state.turn
    used, peeks, calls = state.bonuses[seat], state.peeks[seat], 0
    if (used & 255) < rules.bonus_hands and not peeks & 1:
        calls |= call_bit(BONUS_HANDS)
    if (used >> 8 & 255) < rules.bonus_suits and not peeks & 2:
        calls |= call_bit(BONUS_SUITS)
    if (used >> 16 & 255) < rules.bonus_card:
        for place in range(TALON_PLACES if rules.players == 2 else TALON_PLACES - 1):
            if not peeks >> (2 + place) & 1:
                calls |= call_bit(BONUS_CARD + place)
    return calls


@kernel
def use_bonus(state: Any, action: int) -> None:
    """Let the seat to act see what the bonus shows; it is still its turn (X1)."""
    seat, kind = state.turn, min(action - BONUS_HANDS, 2)
    state.bonuses[seat] += 1 << (8 * kind)
    state.peeks[seat] |= 1 << (action - BONUS_HANDS)


assert BONUS_SUITS == BONUS_HANDS + 1 == BONUS_CARD - 1, "bonuses stand side by side"
