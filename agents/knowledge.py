"""What a player can work out from his view during the play: who may hold what, and how likely."""

from typing import Any, NamedTuple

from thousand_env.cards import FULL_PACK, NUM_CARDS, NUM_SUITS, suit_cards, suit_of
from thousand_env.jit import kernel, popcount
from thousand_env.play import above
from thousand_env.state import NONE

LEFT_OVER = 2  # cards of the two-hand game's other talon (H4)


class Others(NamedTuple):
    """The opponents' hands as far as they are known: seat 1 plays after the viewer, seat 2 before him.

    In the two-hand game the talon nobody picked lies where seat 2 would sit: it holds two cards and plays none.
    """

    unseen: int  # cards in their hands, and in the talon nobody picked
    next_may: int  # cards seat 1 may hold
    last_may: int
    next_free: int  # how many of the cards both may hold are seat 1's
    free: int  # how many cards both may hold
    opponents: int


@kernel
def in_trick(view: Any) -> int:
    """Return how many cards lie in the trick on the table; with four players the dealer plays none."""
    return view.num_plays % min(view.players, 3)


@kernel
def void_cards(view: Any, seat: int) -> int:
    """Return the cards of the suits a seat has shown to be out of."""
    cards = 0
    for suit in range(NUM_SUITS):
        if view.voids[seat] >> suit & 1:
            cards |= suit_cards(suit)
    return cards


@kernel
def first_hand_size(players: int) -> int:
    """Return how many cards a seat holds at the first lead: eight, of two players eleven (T3, H3)."""
    return (NUM_CARDS - LEFT_OVER) // 2 if players == 2 else NUM_CARDS // 3


@kernel
def others(view: Any) -> Others:
    """Return what is known of the opponents' hands from the cards played and shown, the voids and the hands' sizes."""
    unseen = FULL_PACK & ~(view.hand | view.played[0] | view.played[1] | view.played[2])
    next_may = unseen & ~view.held[2] & ~void_cards(view, 1)
    last_may = unseen & ~view.held[1] & ~void_cards(view, 2)
    next_free = first_hand_size(view.players) - popcount(view.played[1]) - popcount(next_may & ~last_may)
    return Others(unseen, next_may, last_may, next_free, popcount(next_may & last_may), min(view.players, 3) - 1)


@kernel
def may_hold(known: Others, seat: int) -> int:
    """Return the cards a seat may hold."""
    return known.next_may if seat == 1 else known.last_may


@kernel
def lacks(known: Others, seat: int, cards: int) -> float:
    """Return the chance that a seat holds none of `cards`."""
    possible = may_hold(known, seat) & cards
    if possible == 0:
        return 1.0
    if possible & ~may_hold(known, 3 - seat):
        return 0.0
    slots = known.next_free if seat == 1 else known.free - known.next_free
    chance = 1.0
    for i in range(popcount(possible)):
        chance *= max(0, known.free - slots - i) / max(1, known.free - i)
    return chance


@kernel
def beats_chance(known: Others, seat: int, card: int, led: int, trump: int) -> float:
    """Return the chance that a seat yet to play can beat `card`, which is winning a trick of the suit `led`."""
    if seat > known.opponents:
        return 0.0
    void = lacks(known, seat, suit_cards(led))
    over = 1.0 - lacks(known, seat, above(card))
    if suit_of(card) != led:
        return void * over
    if trump == NONE or led == trump:
        return over
    return over + void * (1.0 - lacks(known, seat, suit_cards(trump)))


@kernel
def is_master(known: Others, card: int) -> bool:
    """Whether no other hand holds a better card of the suit."""
    return known.unseen & above(card) == 0


@kernel
def holds_both(known: Others, seat: int, cards: int) -> float:
    """Return the chance that a seat holds both cards of a pair."""
    first = cards & -cards
    return max(0.0, 1.0 - lacks(known, seat, first) - lacks(known, seat, cards ^ first) + lacks(known, seat, cards))
