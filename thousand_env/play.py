"""Phase 3, the tricks (§7, §8): follow suit, else trump; a marriage declared on lead makes trump and scores."""

from typing import Any

from thousand_env import match
from thousand_env.actions import DECLARE_QUEEN, card_of, way_of
from thousand_env.cards import (
    JACK,
    NUM_CARDS,
    NUM_RANKS,
    NUM_SUITS,
    QUEEN,
    SUIT,
    highest_card,
    holds_marriage,
    marriage_value,
    suit_cards,
    suit_of,
)
from thousand_env.jit import kernel, popcount
from thousand_env.rules import ALWAYS, NEVER
from thousand_env.state import NONE, PLAY, SILENT


@kernel
def playable(hand: int, led: int, trump: int) -> int:
    """Return the cards a hand may play to a trick of the suit `led`, NONE on lead (P2)."""
    if led == NONE:
        return hand
    following = hand & suit_cards(led)
    if following:
        return following
    if trump != NONE and hand & suit_cards(trump):
        return hand & suit_cards(trump)
    return hand


@kernel
def beats(card: int, best: int, trump: int) -> bool:
    """Whether `card`, played later, takes the trick from the card `best` (P3)."""
    if suit_of(card) == suit_of(best):
        return card > best
    return suit_of(card) == trump


@kernel
def unbeatable(hand: int, marriage: int) -> bool:
    """Whether a hand wins every trick, led marriage queen first and every suit from the top (M6)."""
    for suit in range(NUM_SUITS):
        own = hand >> (NUM_RANKS * suit) & SUIT
        others = own ^ SUIT
        led = 0
        if suit == marriage:
            own ^= 1 << QUEEN
            if others >> (QUEEN + 1):
                return False
            led = 1
        while own:
            rank = highest_card(own)
            if led < popcount(others) and others >> rank:
                return False
            own ^= 1 << rank
            led += 1
    return True


@kernel
def declarable(hand: int, tricks: int, num_plays: int, rules: Any) -> int:
    """Return the suits, a bit each, whose marriage a seat on lead may declare (M2, M5)."""
    suits = 0
    if tricks == 0 and (num_plays > 0 or rules.marriage_first_lead == NEVER) and rules.marriage_first_lead != ALWAYS:
        return suits
    for suit in range(NUM_SUITS):
        if holds_marriage(hand, suit) and (tricks > 0 or rules.marriage_first_lead == ALWAYS or unbeatable(hand, suit)):
            suits |= 1 << suit
    return suits


@kernel
def begin_play(state: Any, contract: int) -> None:
    """Fix the contract and let the declarer lead (P1)."""
    state.phase = PLAY
    state.contract = contract
    state.turn = state.leader = state.declarer


@kernel
def led_suit(state: Any, players: int) -> int:
    """Return the suit led to the trick on the table, NONE on lead."""
    in_trick = state.num_plays % players
    if in_trick == 0:
        return NONE
    return suit_of(state.plays[state.num_plays - in_trick] & 31)


@kernel
def fill_legal(state: Any, rules: Any, mask: Any) -> None:
    """Mark the legal plays of the seat to act in `mask` (NUM_ACTIONS,), which is all zero before."""
    seat = state.turn
    led = led_suit(state, rules.players)
    cards = playable(state.hands[seat], led, state.trump)
    for card in range(NUM_CARDS):
        mask[card] = cards >> card & 1
    if led == NONE:
        suits = declarable(state.hands[seat], state.tricks[seat], state.num_plays, rules)
        for suit in range(NUM_SUITS):
            mask[DECLARE_QUEEN + suit] = suits >> suit & 1


@kernel
def step(state: Any, rules: Any, action: int) -> None:
    """Play a card, perhaps declaring; the last card of a trick gathers it, the last of the deal scores it."""
    seat, players, card, way = state.turn, rules.players, card_of(action), way_of(action)
    if way != SILENT:
        declare(state, seat, suit_of(card))
    led = led_suit(state, players)
    note_voids(state, seat, suit_of(card), led)
    state.hands[seat] ^= 1 << card
    state.plays[state.num_plays] = card | way << 5 | seat << 8
    state.num_plays += 1
    if led == NONE or beats(card, state.best, state.trump):
        state.best, state.best_seat = card, seat
    if state.num_plays % players:
        state.turn = (seat + 1) % players
    else:
        gather(state, rules)


@kernel
def declare(state: Any, seat: int, suit: int) -> None:
    """Make the suit of a declared marriage trump from this very trick and score it (M3, M4)."""
    state.trump = suit
    state.marriages[seat] += marriage_value(suit)


@kernel
def note_voids(state: Any, seat: int, suit: int, led: int) -> None:
    """Remember what a seat that did not follow has shown: none of the suit led, and no trump if it did not trump."""
    if led == NONE or suit == led:
        return
    state.voids[seat] |= 1 << led
    if state.trump != NONE and suit != state.trump:
        state.voids[seat] |= 1 << state.trump


@kernel
def gather(state: Any, rules: Any) -> None:
    """Give the trick on the table to its winner, who leads next (P1, P3)."""
    players, winner = rules.players, state.best_seat
    for place in range(state.num_plays - players, state.num_plays):
        state.captured[winner] |= 1 << (state.plays[place] & 31)
    state.tricks[winner] += 1
    state.leader = state.turn = winner
    state.best = state.best_seat = NONE
    if state.hands[winner] == 0:
        match.finish_deal(state, rules)


assert JACK < QUEEN, "an outside card above the queen breaks the marriage suit of an unbeatable hand"
