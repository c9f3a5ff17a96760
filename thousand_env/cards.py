"""Cards, suits and sets of cards (C1–C3).

A card is an int, 6 * suit + rank; a set of cards is an int with bit `card` set. Written in octal, a suit is exactly two
digits of a set:

    bit   23 22 21 20 19 18 | 17 16 15 14 13 12 | 11 10  9  8  7  6 |  5  4  3  2  1  0
    rank   A  T  K  Q  J  9 |  A  T  K  Q  J  9 |  A  T  K  Q  J  9 |  A  T  K  Q  J  9
    suit       hearts       |      diamonds     |       clubs       |      spades
    octal       0o77        |       _77         |        _77        |       _77

The larger card of a suit wins; suits rise with the value of their marriages.
"""

from thousand_env.errors import NotationError
from thousand_env.jit import highest, kernel, popcount

NUM_SUITS, NUM_RANKS, NUM_CARDS = 4, 6, 24
SPADES, CLUBS, DIAMONDS, HEARTS = range(NUM_SUITS)
NINE, JACK, QUEEN, KING, TEN, ACE = range(NUM_RANKS)

SUIT_LETTERS, RANK_LETTERS = "scdh", "9JQKTA"
SUIT_SYMBOLS = "♠♣♦♥"

FULL_PACK = 0o77_77_77_77
SUIT = 0o77  # the six cards of spades; SUIT << 6 * suit is any suit
MARRIAGE = 0o14  # queen and king of spades
NINES, JACKS, QUEENS, KINGS, TENS, ACES = (0o01_01_01_01 << rank for rank in range(NUM_RANKS))

PACK_POINTS = 120
MAX_CONTRACT = 400
CARD_POINTS = (0, 2, 3, 4, 10, 11)  # by rank (C2)

_POINTS_BY_RANK = 0xBA_43_20  # CARD_POINTS, four bits a rank


@kernel
def card_points(card: int) -> int:
    """Return the points of a card (C2)."""
    return (_POINTS_BY_RANK >> (4 * (card % NUM_RANKS))) & 15


@kernel
def set_points(cards: int) -> int:
    """Return the points of a set of cards (C2)."""
    return (
        11 * popcount(cards & ACES)
        + 10 * popcount(cards & TENS)
        + 4 * popcount(cards & KINGS)
        + 3 * popcount(cards & QUEENS)
        + 2 * popcount(cards & JACKS)
    )


@kernel
def suit_of(card: int) -> int:
    """Return the suit of a card, 0 … 3."""
    return card // NUM_RANKS


@kernel
def rank_of(card: int) -> int:
    """Return the rank of a card, 0 (nine) … 5 (ace)."""
    return card % NUM_RANKS


@kernel
def highest_card(cards: int) -> int:
    """Return the largest card of a set that is not empty; within one suit, its best card."""
    return highest(cards)


@kernel
def suit_cards(suit: int) -> int:
    """Return the set of the six cards of a suit."""
    return SUIT << (NUM_RANKS * suit)


@kernel
def holds_marriage(hand: int, suit: int) -> bool:
    """Whether the hand holds king and queen of the suit."""
    pair = MARRIAGE << (NUM_RANKS * suit)
    return hand & pair == pair


@kernel
def marriage_value(suit: int) -> int:
    """Return what a marriage in the suit is worth (C3): 40, 60, 80, 100."""
    return 40 + 20 * suit


@kernel
def marriages_in(hand: int) -> int:
    """Return the queens of the marriages a hand holds, as a set."""
    return hand & (hand >> 1) & QUEENS


@kernel
def marriages_value(hand: int) -> int:
    """Return what all marriages in a hand are worth together."""
    value = 0
    for suit in range(NUM_SUITS):
        if holds_marriage(hand, suit):
            value += marriage_value(suit)
    return value


# -- text ------------------------------------------------------------------------------------------------------------


def card_name(card: int) -> str:
    """Return the two letters of a card.

    >>> card_name(6 * HEARTS + KING)
    'hK'
    """
    if not 0 <= card < NUM_CARDS:
        raise NotationError(f"card {card}: expected a number from 0 to 23")
    suit, rank = divmod(int(card), NUM_RANKS)
    return SUIT_LETTERS[suit] + RANK_LETTERS[rank]


def parse_card(text: str) -> int:
    """Return the card written as `hK`, `KH`, `K♥` or `h10`.

    >>> [parse_card(spelling) for spelling in ("hK", "KH", "K♥", "s10")]
    [21, 21, 21, 4]
    """
    letters = text.strip().replace("10", "T")
    if len(letters) == 2:
        for suit_letter, rank_letter in (letters, letters[::-1]):
            suit = SUIT_LETTERS.find(suit_letter.lower())
            suit = SUIT_SYMBOLS.find(suit_letter) if suit < 0 else suit
            rank = RANK_LETTERS.find(rank_letter.upper())
            if suit >= 0 and rank >= 0:
                return NUM_RANKS * suit + rank
    raise NotationError(f"card {text!r}: expected a suit (s c d h) and a rank (9 J Q K T A), as in hK")
