"""Phase 3, the tricks (§7, §8): follow suit, else trump; a marriage declared on lead makes trump and scores."""

from typing import Any

from thousand_env import match
from thousand_env.actions import DECLARE_ACE, DECLARE_KING, DECLARE_QUEEN, card_of, way_of
from thousand_env.cards import (
    ACE,
    ACES,
    JACK,
    KING,
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
from thousand_env.rules import ALWAYS, AUTOMATIC, LAST_ACE, LED_ACE, NEVER, NEXT_TRICK, THIS_TRICK, WITH_QUEEN_OR_KING
from thousand_env.seats import next_seat
from thousand_env.state import ACE_DECLARED, NONE, PLAY, SILENT

ACE_MARRIAGE_VALUE = 200


@kernel
def above(card: int) -> int:
    """Return the cards that are better than `card` in its own suit, as a set."""
    return suit_cards(suit_of(card)) & -(2 << card)


@kernel
def playable(hand: int, led: int, best: int, trump: int, rules: Any) -> int:
    """Return the cards a hand may play to a trick of the suit `led` in which `best` is winning (P2).

    On lead `led` is NONE. A trick is ruffed when its best card is not of the suit led; the duty to beat then lapses.
    """
    if led == NONE:
        return hand
    following = hand & suit_cards(led)
    if following:
        if rules.must_beat and suit_of(best) == led and following & above(best):
            return following & above(best)
        return following
    if trump == NONE:
        return hand
    trumps = hand & suit_cards(trump)
    if rules.must_overtrump and suit_of(best) == trump and trumps & above(best):
        return trumps & above(best)
    return trumps if rules.must_trump and trumps else hand


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
def aces_to_declare(state: Any, rules: Any, seat: int) -> int:
    """Return the aces, as a set, with which a seat on lead may declare the ace marriage (M7)."""
    aces = state.hands[seat] & ACES
    if not rules.ace_marriage or state.tricks[seat] == 0 or aces == 0:
        return 0
    return aces if has_undeclared_aces(state, seat) else 0


@kernel
def has_undeclared_aces(state: Any, seat: int) -> bool:
    """Whether a seat was given all four aces and has not declared the ace marriage; nobody else ever could (M7)."""
    return was_given_aces(state, seat) and four_aces_seat(state) == NONE


@kernel
def was_given_aces(state: Any, seat: int) -> bool:
    """Whether a seat held all four aces at the start of play (M7)."""
    had = state.hands[seat] & ACES
    for place in range(state.num_plays):
        if state.plays[place] >> 8 == seat:
            had |= 1 << (state.plays[place] & 31) & ACES
    return had == ACES


@kernel
def begin_play(state: Any, contract: int) -> None:
    """Fix the contract and let the declarer lead (P1)."""
    state.phase = PLAY
    state.contract = contract
    state.turn = state.leader = state.declarer


@kernel
def cards_in_trick(num_plays: int, active: int) -> int:
    """Return how many cards lie on the table; `active` seats play."""
    return num_plays % 3 if active == 3 else num_plays % 2  # a constant divides faster


@kernel
def led_suit(state: Any, in_trick: int) -> int:
    """Return the suit led to the trick on the table, of so many cards, NONE on lead."""
    if in_trick == 0:
        return NONE
    return suit_of(state.plays[state.num_plays - in_trick] & 31)


@kernel
def legal_plays(state: Any, rules: Any) -> int:
    """Return the legal plays of the seat to act, as a set of actions."""
    seat = state.turn
    led = led_suit(state, cards_in_trick(state.num_plays, rules.active))
    cards = playable(int(state.hands[seat]), led, state.best, state.trump, rules)
    if led != NONE:
        return cards
    suits = declarable(cards, state.tricks[seat], state.num_plays, rules)
    aces = int(aces_to_declare(state, rules, seat)) if rules.ace_marriage else 0
    return leads(cards, suits, aces, rules) if suits | aces else cards


@kernel
def leads(cards: int, suits: int, aces: int, rules: Any) -> int:
    """Return the legal leads, as a set of actions: `cards`, and what may be declared, marriages and aces (M2, M7).

    Declared automatically, the same lead is no longer possible silently.
    """
    plays, told = cards, 0
    for suit in range(NUM_SUITS):
        if suits >> suit & 1:
            plays |= 1 << DECLARE_QUEEN + suit
            told |= 1 << NUM_RANKS * suit + QUEEN
            if rules.declare_with == WITH_QUEEN_OR_KING:
                plays |= 1 << DECLARE_KING + suit
                told |= 1 << NUM_RANKS * suit + KING
        plays |= (aces >> NUM_RANKS * suit + ACE & 1) << DECLARE_ACE + suit
    return plays & ~(told | aces) if rules.declare == AUTOMATIC else plays


@kernel
def step(state: Any, rules: Any, action: int) -> None:
    """Play a card, perhaps declaring; the last card of a trick gathers it, the last of the deal scores it."""
    seat, active, card, way = state.turn, rules.active, card_of(action), way_of(action)
    if way != SILENT:
        declare(state, rules, seat, suit_of(card), way)
    in_trick = cards_in_trick(state.num_plays, active)
    led = led_suit(state, in_trick)
    note_voids(state, rules, seat, suit_of(card), led)
    state.hands[seat] ^= 1 << card
    state.plays[state.num_plays] = card | way << 5 | seat << 8
    state.num_plays += 1
    if led == NONE or beats(card, state.best, state.trump):
        state.best, state.best_seat = card, seat
    if in_trick < active - 1:
        state.turn = next_seat(seat, state.dealer, rules.players)
    else:
        gather(state, rules)


@kernel
def declare(state: Any, rules: Any, seat: int, suit: int, way: int) -> None:
    """Score what is declared at once (M4, M7) and make its suit trump, if that happens in this very trick (M3)."""
    state.marriages[seat] += declared_value(suit, way)
    state.trump = trump_at_lead(state.trump, suit, way, rules)


@kernel
def declared_value(suit: int, way: int) -> int:
    """Return what a declaration scores (M4, M7)."""
    return ACE_MARRIAGE_VALUE if way == ACE_DECLARED else marriage_value(suit)


@kernel
def trump_at_lead(trump: int, suit: int, way: int, rules: Any) -> int:
    """Return the trump of the trick that a declaration leads to (M3, M7)."""
    if way == ACE_DECLARED:
        return suit if rules.ace_marriage_trump == LED_ACE else trump
    return suit if rules.trump_from == THIS_TRICK else trump


@kernel
def note_voids(state: Any, rules: Any, seat: int, suit: int, led: int) -> None:
    """Remember what a seat that did not follow has shown: none of the suit led, and no trump if it had to trump."""
    if led == NONE or suit == led:
        return
    state.voids[seat] |= 1 << led
    if rules.must_trump and state.trump != NONE and suit != state.trump:
        state.voids[seat] |= 1 << state.trump


@kernel
def gather(state: Any, rules: Any) -> None:
    """Give the trick on the table to its winner, who leads next (P1, P3)."""
    active, winner = rules.active, state.best_seat
    for place in range(state.num_plays - active, state.num_plays):
        state.captured[winner] |= 1 << (state.plays[place] & 31)
    state.tricks[winner] += 1
    if trump_turns_late(rules):
        turn_trump(state, rules)
    state.leader = state.turn = winner
    state.best = state.best_seat = NONE
    if state.hands[winner] == 0:
        state.captured[winner] |= state.other_talon  # H4
        match.finish_deal(state, rules)


@kernel
def trump_turns_late(rules: Any) -> bool:
    """Whether trump can change at the end of a trick (M3, M7)."""
    return rules.trump_from == NEXT_TRICK or (rules.ace_marriage and rules.ace_marriage_trump == LAST_ACE)


@kernel
def turn_trump(state: Any, rules: Any) -> None:
    """Change trump at the end of a trick: to the marriage it was led with (M3), or the fourth ace of four (M7)."""
    start = state.num_plays - rules.active
    led, way, last_ace = suit_of(state.plays[start] & 31), state.plays[start] >> 5 & 7, NONE
    holder = four_aces_seat(state) if rules.ace_marriage else NONE
    if holder != NONE and not state.hands[holder] & ACES:
        for place in range(start, state.num_plays):
            card = state.plays[place] & 31
            if state.plays[place] >> 8 == holder and 1 << card & ACES:
                last_ace = suit_of(card)
    state.trump = trump_after_trick(state.trump, led, way, last_ace, rules)


@kernel
def trump_after_trick(trump: int, led: int, way: int, last_ace: int, rules: Any) -> int:
    """Return the trump after a trick: the marriage it was led with (M3), or the fourth ace of four (M7).

    `last_ace` is the suit of the fourth ace, if the seat that declared the ace marriage has played it to this trick.
    """
    if last_ace != NONE and rules.ace_marriage_trump == LAST_ACE:
        return last_ace
    if rules.trump_from == NEXT_TRICK and way != SILENT and way != ACE_DECLARED:
        return led
    return trump


@kernel
def four_aces_seat(state: Any) -> int:
    """Return the seat that has declared the ace marriage in this deal, NONE while nobody has (M7)."""
    for place in range(state.num_plays):
        if state.plays[place] >> 5 & 7 == ACE_DECLARED:
            return state.plays[place] >> 8
    return NONE


assert JACK < QUEEN, "an outside card above the queen breaks the marriage suit of an unbeatable hand"
