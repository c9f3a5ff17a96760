"""Phase 2, talon and exchange (§6): the declarer takes the talon, gives a card to each defender, names the contract.

Before he gives, he may claim a redeal on a talon that all have seen (§4), write off or be baptised (§12).
"""

from typing import Any

from thousand_env import auction, match, play
from thousand_env.actions import BAPTISE, KEEP_TALON, PASS, PICK_TALON, SHOW_TALON, WRITE_OFF, bid_points, call_bit
from thousand_env.jit import kernel
from thousand_env.redeals import TALON_ASKED, talon_entitles
from thousand_env.rules import DECLARER_CHOOSES, FORCE, MIN_BID, NO_WRITE_OFF, OFFER, SHOWN
from thousand_env.scoring import is_doubled
from thousand_env.seats import next_seat
from thousand_env.state import AGAIN, CLAIM, CONTRACT, EXCHANGE, NONE, TALON

# -- the talon -------------------------------------------------------------------------------------------------------


@kernel
def take_talon(state: Any, rules: Any) -> None:
    """Let the declarer take the talon (T1), one of two in the two-hand game (H3)."""
    state.turn = state.declarer
    if rules.players == 2:
        state.phase = TALON
    else:
        pick_up(state, rules)


@kernel
def pick_talon(state: Any, rules: Any, choice: int) -> None:
    """Take the talon A or B unseen; the other one stays where it is (H3)."""
    if choice == 1:
        picked, other = state.other_talon, state.talon
        state.talon, state.other_talon = picked, other
    state.picked = 1 + choice
    pick_up(state, rules)


@kernel
def sits_on_hundred(state: Any) -> bool:
    """Whether the opener bid exactly 100 and everybody passed (A4); a contract that was granted is no bid."""
    return state.bid == MIN_BID and state.bids[state.declarer] != 0


@kernel
def pick_up(state: Any, rules: Any) -> None:
    """Move the talon into the declarer's hand, shown to all unless the deal or the hundred keeps it closed (T1, T2)."""
    state.hands[state.declarer] |= state.talon
    hundred = sits_on_hundred(state)
    if is_doubled(state, rules):
        begin_exchange(state)
    elif hundred and rules.talon_at_100 == DECLARER_CHOOSES:
        state.phase = TALON
    elif not hundred or rules.talon_at_100 == SHOWN:
        show_talon(state, rules)
    else:
        begin_exchange(state)


@kernel
def show_talon(state: Any, rules: Any) -> None:
    """Show the talon to all; it may have to be dealt again, or the declarer may ask for it (T2, R9)."""
    state.talon_open = 1
    if talon_entitles(state, rules, FORCE):
        state.phase = AGAIN
    elif talon_entitles(state, rules, OFFER):
        state.phase, state.turn = CLAIM, state.declarer
        state.asked |= TALON_ASKED
    else:
        begin_exchange(state)


@kernel
def begin_exchange(state: Any) -> None:
    """Ask the declarer for his first gift."""
    state.phase, state.turn = EXCHANGE, state.declarer


# -- the exchange ----------------------------------------------------------------------------------------------------


@kernel
def receiver(state: Any, rules: Any) -> int:
    """Return the defender who gets the next card, NONE when all have theirs (T3)."""
    seat = state.declarer
    for _ in range(rules.active - 1):
        seat = next_seat(seat, state.dealer, rules.players)
        if state.gifts[seat] == NONE:
            return seat
    return NONE


@kernel
def has_given(state: Any, rules: Any) -> bool:
    """Whether the declarer has given a card."""
    return state.gifts[next_seat(state.declarer, state.dealer, rules.players)] != NONE


@kernel
def contract_is_fixed(state: Any, rules: Any) -> bool:
    """Whether the contract may not be raised: golden and blind deals, a contract granted (T4, L7)."""
    return is_doubled(state, rules) or state.bids[state.declarer] == 0


@kernel
def may_give_up(state: Any, rules: Any) -> bool:
    """Whether the declarer may write off, or be baptised, now (T5, W2, W3, W4, G1, Z2)."""
    seat = state.declarer
    if is_doubled(state, rules) or has_given(state, rules) or (rules.write_off == NO_WRITE_OFF and not rules.baptism):
        return False
    if rules.baptism and state.baptised >> seat & 1:
        return False
    if not rules.baptism and 0 < rules.write_off_limit <= state.write_offs[seat]:
        return False
    if state.mounted[seat] > 0:
        return bool(rules.write_off_on_barrel)
    somebody_sits = False
    for other in range(rules.players):
        somebody_sits |= state.mounted[other] > 0
    return bool(rules.write_off_with_barrel) or not somebody_sits


@kernel
def legal_gifts(state: Any, rules: Any) -> int:
    """Return the cards that may be given (T3, H3)."""
    return int(state.talon if rules.players == 2 else state.hands[state.declarer])


@kernel
def legal_contracts(state: Any, rules: Any) -> int:
    """Return the contracts that may be named, as a set of bids (T4)."""
    on_barrel = state.mounted[state.declarer] > 0
    lowest = auction.lowest_raise(state.bid, on_barrel, rules)
    return 1 | auction.raises(lowest, int(state.hands[state.declarer]), rules)


@kernel
def legal_calls(state: Any, rules: Any) -> int:
    """Return what may be said about the talon, or instead of giving a card, as a set of calls (T2, H3, T5)."""
    if state.phase == TALON:
        first = PICK_TALON if rules.players == 2 and state.picked == 0 else SHOW_TALON
        return call_bit(first) | call_bit(first + 1)
    if not may_give_up(state, rules):
        return 0
    return call_bit(BAPTISE if rules.baptism else WRITE_OFF)


@kernel
def step(state: Any, rules: Any, action: int) -> None:
    """Pick, show or keep the talon, give a card or give up, name the contract."""
    if state.phase == TALON:
        step_talon(state, rules, action)
    elif state.phase == CONTRACT:
        play.begin_play(state, state.bid if action == PASS else bid_points(action))
    elif action in (WRITE_OFF, BAPTISE):
        match.give_up(state, rules)
    else:
        give(state, rules, action)


@kernel
def step_talon(state: Any, rules: Any, action: int) -> None:
    """Pick a talon (H3), or show it or keep it closed (T2)."""
    if action == SHOW_TALON:
        show_talon(state, rules)
    elif action == KEEP_TALON:
        begin_exchange(state)
    else:
        pick_talon(state, rules, action - PICK_TALON)


@kernel
def give(state: Any, rules: Any, card: int) -> None:
    """Give a card to the next defender; after the last one the contract is named (T3, T4)."""
    seat = receiver(state, rules)
    state.gifts[seat] = card
    state.hands[state.declarer] ^= 1 << card
    state.hands[seat] |= 1 << card
    if receiver(state, rules) != NONE:
        return
    if rules.raise_contract and not contract_is_fixed(state, rules):
        state.phase = CONTRACT
    else:
        play.begin_play(state, state.bid)
