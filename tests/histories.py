"""How a state came about, acted through once more: from its dealt cards along its public history, by the engine."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thousand_env import auction, deck, engine
from thousand_env.actions import (
    DECLARE_QUEEN,
    DECLINE_REDEAL,
    FIRST_BID,
    GO_BLIND,
    KEEP_TALON,
    LOOK,
    PASS,
    PICK_TALON,
    SHOW_TALON,
    action_text,
    bid_action,
)
from thousand_env.exchange import receiver
from thousand_env.replay import went_blind
from thousand_env.state import AGAIN, AUCTION, BLIND, CLAIM, CONTRACT, EXCHANGE, NONE, TALON, new_states

SHEET = (
    "seed", "match", "deal", "attempt", "dealer", "winner", "totals", "bolts", "mounted", "attempts", "falls",
    "reverse", "write_offs", "baptised", "golden_made", "redeal_run", "bonuses", "early", "offences", "talon_order",
)  # fmt: skip


def retraced(target: Any, rules: NDArray[Any]) -> str:
    """Act from the dealt cards of a state towards it; returns what is wrong, nothing if all is as it should be.

    Bonuses, which leave no trace in time, are taken as used.
    """
    states = new_states(1)
    state: Any = states[0]
    for name in SHEET:
        state[name] = target[name]
    deck.clear_deal(state)
    state.hands[:] = target.dealt
    deck.lay_talon(state, rules[0])
    state.peeks[:] = target.peeks
    auction.open_deal(state, rules[0])
    if state.phase == AGAIN:
        return "dealt again by itself"
    while state.tobytes() != target.tobytes():
        action = next_action(state, target, rules)
        if action == NONE:
            return f"ended apart: {differences(state, target)}"
        if not engine.legal_actions(states, rules)[0, action]:
            return f"{action_text(action)} is not legal for seat {state.turn} in {state}"
        engine.step(states, rules, np.array([action]))
    return ""


def differences(state: Any, target: Any) -> str:
    """The fields in which two states differ."""
    names = state.dtype.names or ()
    return ", ".join(f"{name} {state[name]}/{target[name]}" for name in names if (state[name] != target[name]).any())


def next_action(state: Any, target: Any, rules: NDArray[Any]) -> int:
    """What the seat to act did next on the way to `target`, NONE where nothing tells."""
    if state.phase == BLIND:
        return GO_BLIND if went_blind(target) else LOOK
    if state.phase == CLAIM:
        return DECLINE_REDEAL
    if state.phase == AUCTION:
        levels = int(target.bids[state.turn]) & ~int(state.bids[state.turn])
        return FIRST_BID + (levels & -levels).bit_length() - 1 if levels else PASS
    if state.phase == TALON and rules["players"][0] == 2 and state.picked == 0:
        return PICK_TALON + int(target.picked) - 1
    if state.phase == TALON:
        return SHOW_TALON if target.talon_open else KEEP_TALON
    if state.phase == EXCHANGE:
        return int(target.gifts[receiver(state, rules[0])])
    if state.phase == CONTRACT:
        return PASS if target.contract == target.bid else bid_action(int(target.contract))
    if state.num_plays >= target.num_plays:
        return NONE
    play = int(target.plays[state.num_plays])
    card, way = play & 31, play >> 5 & 7
    return DECLARE_QUEEN + 4 * (way - 1) + card // 6 if way else card
