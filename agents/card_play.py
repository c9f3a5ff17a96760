"""How the heuristic bot plays a card: on lead it declares, cashes and pulls; to a trick it weighs what taking costs.

A card is worth what its trick brings, plus the lead that follows, minus what the card would be worth later. The
opponents' cards are not seen but counted: a seat beats a card with the chance that it holds a better one.
"""

import math
from typing import Any

from agents.card_worth import is_open, keep_worth, lead_worth, pile_worth
from agents.knowledge import Others, beats_chance, in_trick, is_master, others
from thousand_env.actions import DECLARE_ACE, DECLARE_KING, DECLARE_QUEEN, card_of
from thousand_env.cards import (
    ACE,
    ACES,
    KING,
    NUM_CARDS,
    NUM_RANKS,
    NUM_SUITS,
    QUEEN,
    TEN,
    TENS,
    card_points,
    holds_marriage,
    marriages_in,
    rank_of,
    suit_cards,
    suit_of,
)
from thousand_env.jit import kernel, lowest, popcount
from thousand_env.play import above, beats
from thousand_env.rules import LED_ACE
from thousand_env.state import NONE, SILENT


@kernel
def trick_worth(
    view: Any, known: Others, card: int, seat: int, points: float, contract_open: bool, habits: Any
) -> float:
    """Return what it is worth that a seat takes a trick of `points` to which the viewer has played `card`."""
    worth = pile_worth(view, seat, contract_open, habits)
    return points * worth + lead_worth(known, view.hand ^ (1 << card), seat, worth, habits)


@kernel
def points_on_table(view: Any) -> int:
    """Return the points of the cards played to the trick so far."""
    points = 0
    for i in range(view.num_plays - in_trick(view), view.num_plays):
        points += card_points(view.plays[i] & 31)
    return points


@kernel
def follow_worth(view: Any, known: Others, card: int, contract_open: bool, habits: Any) -> float:
    """Return what a card is worth to the trick on the table: who will take it, and with how many points?"""
    led = suit_of(view.plays[view.num_plays - in_trick(view)] & 31)
    points = points_on_table(view) + card_points(card)
    wins = beats(card, view.best, view.trump)
    holder, best = (0, card) if wins else (view.best_seat, view.best)
    if in_trick(view) == known.opponents:
        return trick_worth(view, known, card, holder, points, contract_open, habits)
    beaten = beats_chance(known, 1, best, led, view.trump)
    held = trick_worth(view, known, card, holder, points + habits.their_low, contract_open, habits)
    lost = trick_worth(view, known, card, 1, points + habits.their_high, contract_open, habits)
    return held + beaten * (lost - held)


@kernel
def led_worth(view: Any, known: Others, card: int, contract_open: bool, habits: Any) -> float:
    """Return what a card is worth when led: of two opponents one is taken to beat what is not the best of its suit."""
    suit, points = suit_of(card), card_points(card)
    first = beats_chance(known, 1, card, suit, view.trump)
    last = beats_chance(known, 2, card, suit, view.trump)
    beaten = first + last - first * last if known.opponents == 1 or is_master(known, card) else 1.0
    held = trick_worth(view, known, card, 0, points + known.opponents * habits.their_low, contract_open, habits)
    if beaten == 0:
        return held
    points += (known.opponents - 1) * habits.their_low + habits.their_high
    lost_to_first = trick_worth(view, known, card, 1, points, contract_open, habits)
    lost_to_last = trick_worth(view, known, card, 2, points, contract_open, habits)
    lost = (first * lost_to_first + last * lost_to_last) / (first + last)
    return held + beaten * (lost - held)


@kernel
def made_trump(view: Any) -> bool:
    """Whether the trump is that of the viewer's own marriage."""
    maker = NONE
    for i in range(view.num_plays):
        if view.plays[i] >> 5 & 7 != SILENT and suit_of(view.plays[i] & 31) == view.trump:
            maker = view.plays[i] >> 8
    return maker == 0


@kernel
def lead_style(view: Any, known: Others, card: int, habits: Any) -> float:
    """Return what else speaks for leading a card: trumps to pull, a lone winner, an ace to force, a pair to spare."""
    suit, value = suit_of(card), 0.0
    mine, theirs = view.hand & suit_cards(suit), known.unseen & suit_cards(suit)
    if is_master(known, card):
        if suit == view.trump and theirs:
            value += habits.pull_trump if made_trump(view) else habits.pull_enemy
        if popcount(mine) == 1 and view.declarer != 0:
            value += habits.defend_single if view.trump == NONE else habits.defend_trump
    first = NUM_RANKS * suit
    if mine >> (first + TEN) & 1 and theirs >> (first + ACE) & 1 and rank_of(card) != TEN:
        value += habits.force_ace
    if rank_of(card) in (QUEEN, KING) and holds_marriage(view.hand, suit):
        value += habits.lead_pair
    return value


@kernel
def sure_winners(view: Any, known: Others, cards: int) -> int:
    """Return those of `cards` that win the trick when led, whatever the others hold."""
    sure = 0
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if known.unseen & above(card):
            continue
        suit = suit_of(card)
        if beats_chance(known, 1, card, suit, view.trump) + beats_chance(known, 2, card, suit, view.trump) == 0:
            sure |= 1 << card
    return sure


@kernel
def declaration(known: Others, mask: Any) -> int:
    """Return the declaration that the fewest aces and tens can take, of equals the dearest; NONE without one.

    With two marriages in hand, keeping the lead is what brings the second one home. Where the king may be led as well,
    the queen is: if it is taken, it costs a point less.
    """
    choice, fewest = NONE, NUM_CARDS
    for action in range(DECLARE_KING - 1, DECLARE_QUEEN - 1, -1):
        if mask[action]:
            takers = popcount(known.unseen & above(card_of(action)) & (ACES | TENS))
            if takers < fewest:
                choice, fewest = action, takers
    return choice


@kernel
def ace_declaration(view: Any, known: Others, mask: Any, rules: Any) -> int:
    """Return the lead that declares the ace marriage (M7), NONE without one.

    Where it makes trump it is the ace of the longest suit, else the one least likely to be trumped.
    """
    choice, best = NONE, -math.inf
    for suit in range(NUM_SUITS):
        if not mask[DECLARE_ACE + suit]:
            continue
        ace = card_of(DECLARE_ACE + suit)
        promise = -beats_chance(known, 1, ace, suit, view.trump) - beats_chance(known, 2, ace, suit, view.trump)
        if rules.ace_marriage_trump == LED_ACE:
            promise = popcount(view.hand & suit_cards(suit))
        if promise > best:
            choice, best = DECLARE_ACE + suit, promise
    return choice


@kernel
def lead(view: Any, mask: Any, known: Others, contract_open: bool, habits: Any) -> int:
    """Return the lead: sure winners beside the marriages, then the marriage to declare, else the best card.

    For each marriage beyond the first a winner is kept back, to come on lead with again.
    """
    choices, declared = view.hand, declaration(known, mask)
    if declared != NONE:
        queens = marriages_in(view.hand)
        choices = sure_winners(view, known, view.hand & ~(queens | queens << 1))
        if popcount(choices) < popcount(queens):
            return declared
    best, best_worth = NONE, -math.inf
    while choices:
        card = lowest(choices)
        choices &= choices - 1
        worth = led_worth(view, known, card, contract_open, habits) + lead_style(view, known, card, habits)
        worth -= keep_worth(view, known, card, pile_worth(view, 0, contract_open, habits), habits)
        if worth > best_worth and mask[card]:
            best, best_worth = card, worth
    return declared if best == NONE else best


@kernel
def follow(view: Any, mask: Any, known: Others, contract_open: bool, habits: Any) -> int:
    """Return the card to play to the trick on the table."""
    own_worth = pile_worth(view, 0, contract_open, habits)
    best, best_worth = NONE, -math.inf
    for card in range(NUM_CARDS):
        if mask[card]:
            worth = follow_worth(view, known, card, contract_open, habits)
            worth -= keep_worth(view, known, card, own_worth, habits)
            if worth > best_worth:
                best, best_worth = card, worth
    return best


@kernel
def play_card(view: Any, mask: Any, rules: Any, habits: Any) -> int:
    """Return the play of the seat to act; the ace marriage is declared as soon as it may be."""
    known = others(view)
    contract_open = is_open(view, known)
    if in_trick(view) > 0:
        return follow(view, mask, known, contract_open, habits)
    aces = ace_declaration(view, known, mask, rules) if rules.ace_marriage else NONE
    return aces if aces != NONE else lead(view, mask, known, contract_open, habits)
