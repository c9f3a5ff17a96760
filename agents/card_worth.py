"""What piles, leads and cards are worth to a player in the middle of the play, in points of his own result.

Every function takes `habits`, the weights of `agents.habits`; `worth` is what a point is worth in somebody's pile.
"""

from typing import Any

from agents.knowledge import Others, holds_both, is_master
from thousand_env.cards import (
    ACE,
    JACK,
    KING,
    MARRIAGE,
    NINE,
    NUM_RANKS,
    NUM_SUITS,
    PACK_POINTS,
    QUEEN,
    TEN,
    holds_marriage,
    marriage_value,
    marriages_in,
    rank_of,
    set_points,
    suit_cards,
    suit_of,
)
from thousand_env.jit import highest, kernel, popcount
from thousand_env.scoring import deal_points


@kernel
def points_left(view: Any, known: Others) -> int:
    """Return the most points the declarer can still get: the cards in play and every marriage he may hold."""
    left = PACK_POINTS - set_points(view.captured[0] | view.captured[1] | view.captured[2])
    for suit in range(NUM_SUITS):
        if view.declarer == 0:
            possible = holds_marriage(view.hand, suit)
        else:
            possible = holds_both(known, view.declarer, MARRIAGE << (NUM_RANKS * suit)) > 0
        left += marriage_value(suit) * possible
    return left


@kernel
def is_open(view: Any, known: Others) -> bool:
    """Whether the contract is neither made nor beyond reach."""
    needed = view.contract - deal_points(view.captured[view.declarer], view.marriages[view.declarer])
    return 0 < needed <= points_left(view, known)


@kernel
def pile_worth(view: Any, seat: int, contract_open: bool, habits: Any) -> float:
    """Return what a point in a seat's pile is worth: the declarer's counts only while his contract is open."""
    if seat == view.declarer:
        if not contract_open:
            return 0.0
        return habits.own_contract if seat == 0 else habits.their_contract
    return habits.own_pile if seat == 0 else habits.their_pile


@kernel
def best_marriage(hand: int) -> int:
    """Return the value of the best marriage in a hand, 0 without one."""
    queens = marriages_in(hand)
    return marriage_value(suit_of(highest(queens))) if queens else 0


@kernel
def winners(known: Others, hand: int) -> int:
    """Return how many cards of a hand are better than any other left of their suits."""
    count = 0
    for suit in range(NUM_SUITS):
        theirs = known.unseen & suit_cards(suit)
        beaten = (2 << highest(theirs)) - 1 if theirs else 0
        count += popcount(hand & suit_cards(suit) & ~beaten)
    return count


@kernel
def lead_worth(known: Others, hand: int, seat: int, worth: float, habits: Any) -> float:
    """Return what it is worth that a seat leads next: a marriage to declare, a threat if another's.

    `hand` is what the viewer will hold then.
    """
    if hand == 0:
        return 0.0
    if seat == 0:
        return worth * habits.lead_marriage * best_marriage(hand)
    threat = 0.0
    for suit in range(NUM_SUITS):
        pair = MARRIAGE << (NUM_RANKS * suit)
        if known.unseen & pair == pair:
            threat = max(threat, marriage_value(suit) * holds_both(known, seat, pair))
    return worth * habits.lead_threat * threat


@kernel
def rank_worth(rank: int, habits: Any) -> float:
    """Return what a card is worth in hand by its rank alone."""
    if rank == NINE:
        return 0.0
    if rank == JACK:
        return habits.keep_jack
    if rank == QUEEN:
        return habits.keep_queen
    if rank == KING:
        return habits.keep_king
    return habits.keep_ten if rank == TEN else habits.keep_ace


@kernel
def length_worth(view: Any, known: Others, card: int, habits: Any) -> float:
    """Return what the place of a card in its suit adds: trumps are kept, single cards go unless they stop a suit."""
    suit = suit_of(card)
    single = popcount(view.hand & suit_cards(suit)) == 1
    if suit == view.trump:
        return habits.keep_trump + (habits.last_trump if single else 0.0)
    if not single:
        return 0.0
    if is_master(known, card) and known.unseen & suit_cards(suit):
        return habits.keep_stopper
    return habits.keep_single


@kernel
def ten_worth(view: Any, known: Others, card: int, habits: Any) -> float:
    """Return what a card adds as a ten whose ace is out, or as the last guard of one."""
    suit, rank = suit_of(card), rank_of(card)
    mine = view.hand & suit_cards(suit)
    first = NUM_RANKS * suit
    if not known.unseen >> (first + ACE) & 1 or not mine >> (first + TEN) & 1:
        return 0.0
    if rank != TEN:
        return habits.keep_guard if popcount(mine) == 2 else 0.0
    return habits.trump_ten if suit == view.trump and popcount(mine) > 1 else 0.0


@kernel
def marriage_worth(view: Any, known: Others, card: int, worth: float, habits: Any) -> float:
    """Return what a card adds as half of a marriage still to be declared, or as the only entry to declare one.

    Without a winner to come on lead by, a marriage is a king and a queen.
    """
    suit, hand = suit_of(card), view.hand ^ (1 << card)
    has_entry = winners(known, hand) > 0
    value = 0.0
    if has_entry and rank_of(card) in (QUEEN, KING) and holds_marriage(view.hand, suit):
        value = habits.keep_pair * marriage_value(suit)
    if is_master(known, card) and not has_entry:
        value += habits.keep_entry * best_marriage(hand)
    return worth * value


@kernel
def keep_worth(view: Any, known: Others, card: int, worth: float, habits: Any) -> float:
    """Return what a card of one's own hand is worth for later; `worth` is that of the own pile."""
    value = rank_worth(rank_of(card), habits) + length_worth(view, known, card, habits)
    if is_master(known, card):
        value += habits.keep_master
    return value + ten_worth(view, known, card, habits) + marriage_worth(view, known, card, worth, habits)
