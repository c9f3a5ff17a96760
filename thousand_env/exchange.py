"""Phase 2, talon and exchange (§6): the declarer takes the talon, gives a card to each defender, names the contract."""

from typing import Any

from thousand_env import auction, play
from thousand_env.actions import KEEP_TALON, PASS, SHOW_TALON, bid_points
from thousand_env.cards import NUM_CARDS
from thousand_env.jit import kernel
from thousand_env.rules import DECLARER_CHOOSES, MIN_BID, SHOWN
from thousand_env.state import CONTRACT, EXCHANGE, NONE, TALON


@kernel
def take_talon(state: Any, rules: Any) -> None:
    """Move the talon into the declarer's hand, shown to all unless he sits on the hundred (T1, T2, A4)."""
    state.hands[state.declarer] |= state.talon
    state.talon_open = state.bid > MIN_BID or rules.talon_at_100 == SHOWN
    state.turn = state.declarer
    state.phase = EXCHANGE
    if state.bid == MIN_BID and rules.talon_at_100 == DECLARER_CHOOSES:
        state.phase = TALON


@kernel
def receiver(state: Any, rules: Any) -> int:
    """Return the defender who gets the next card, NONE when both have theirs (T3)."""
    for distance in range(1, rules.players):
        seat = (state.declarer + distance) % rules.players
        if state.gifts[seat] == NONE:
            return seat
    return NONE


@kernel
def fill_legal(state: Any, rules: Any, mask: Any) -> None:
    """Mark what the declarer may do between auction and play in `mask` (NUM_ACTIONS,), which is all zero before."""
    hand = state.hands[state.declarer]
    if state.phase == TALON:
        mask[SHOW_TALON] = mask[KEEP_TALON] = 1
    elif state.phase == EXCHANGE:
        for card in range(NUM_CARDS):
            mask[card] = hand >> card & 1
    else:
        mask[PASS] = 1
        on_barrel = state.mounted[state.declarer] > 0
        auction.fill_raises(auction.lowest_raise(state.bid, on_barrel, rules), hand, rules, mask)


@kernel
def step(state: Any, rules: Any, action: int) -> None:
    """Show or keep the talon, give a card, or name the contract."""
    if state.phase == TALON:
        state.talon_open = action == SHOW_TALON
        state.phase = EXCHANGE
    elif state.phase == EXCHANGE:
        give(state, rules, action)
    else:
        play.begin_play(state, state.bid if action == PASS else bid_points(action))


@kernel
def give(state: Any, rules: Any, card: int) -> None:
    """Give a card to the next defender; after the last one the contract is named (T3, T4)."""
    seat = receiver(state, rules)
    state.gifts[seat] = card
    state.hands[state.declarer] ^= 1 << card
    state.hands[seat] |= 1 << card
    if receiver(state, rules) != NONE:
        return
    if rules.raise_contract:
        state.phase = CONTRACT
    else:
        play.begin_play(state, state.bid)
