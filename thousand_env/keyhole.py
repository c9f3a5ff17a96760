"""Keyhole: a position as one seat knows it, with `?` for the rest. What a seat knows, `view` decides.

Such a line is for looking at; it cannot be read back.
"""

from typing import Any

from thousand_env.cards import NUM_SUITS, SUIT_LETTERS, card_name
from thousand_env.layout import Deal
from thousand_env.moves import move_lines
from thousand_env.replay import gifts_of
from thousand_env.rules import RuleSet
from thousand_env.spelling import EMPTY, HIDDEN, set_text
from thousand_env.state import MAX_SEATS, SCORED
from thousand_env.view import peeked_cards, sees_gift, sees_hand, sees_talon, suits_told


def seen_deal_text(state: Any, deal: Deal, rules: RuleSet, viewer: int) -> str:
    """Return the line of a deal with the hands and talon cards that a seat has seen."""
    hands = [_hand_text(state, hand, seat, viewer) for seat, hand in enumerate(deal.hands)]
    return f"deal {deal.dealer} {'/'.join(hands)} {_talons_text(state, deal, rules, viewer)}"


def _hand_text(state: Any, hand: int, seat: int, viewer: int) -> str:
    if hand == 0:
        return EMPTY  # the dealer of four
    seen = sees_hand(state, viewer) if seat == viewer else state.peeks[viewer] & 1
    return set_text(hand) if seen else HIDDEN


def _talons_text(state: Any, deal: Deal, rules: RuleSet, viewer: int) -> str:
    """Return the talon, or two; after it in brackets how many cards of which suit a bonus told of: `hK?(s2h1)`."""
    record = rules.array()[0]
    seen = int(peeked_cards(state, viewer)) | (int(state.talon) if sees_talon(state, record, viewer) else 0)
    if state.phase >= SCORED and state.contract:
        seen |= int(state.other_talon)  # the winner of the last trick has turned it up (H4)
    talons = [deal.talon] if rules.players != 2 else [deal.talon[:2], deal.talon[2:] or deal.other]
    told = int(suits_told(state, viewer))
    counts = [(letter, told >> (3 * suit) & 7) for suit, letter in zip(range(NUM_SUITS), SUIT_LETTERS, strict=True)]
    suits = "".join(f"{letter}{count}" for letter, count in counts if count)
    return "+".join(_talon_text(talon, seen) for talon in talons) + (f"({suits})" if suits else "")


def _talon_text(talon: tuple[int, ...], seen: int) -> str:
    known = sum(1 << card for card in talon if seen >> card & 1)
    if known.bit_count() == len(talon):
        return set_text(known)
    return (set_text(known) if known else "") + HIDDEN


def seen_move_lines(state: Any, rules: RuleSet, viewer: int) -> list[str]:
    """Return what happened between deal and first lead, without the gifts a seat did not see and others' bonuses."""
    seen = state.copy()
    for seat in range(MAX_SEATS):
        if seat != viewer:
            seen.peeks[seat] = 0
    record = rules.array()[0]
    gifts = [
        f"{state.declarer}>{receiver}:{card_name(card) if sees_gift(state, record, viewer, receiver) else HIDDEN}"
        for receiver, card in gifts_of(state, rules)
    ]
    lines = move_lines(seen, rules)
    return [f"give {' '.join(gifts)}" if line.startswith("give ") else line for line in lines]
