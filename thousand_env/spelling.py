"""Spelling: text for cards, sets, seats, numbers and deals, the words a line of the notation is made of.

Reading is lenient about how a card is spelled, writing is canonical, and what is written reads back as it was. Every
refusal is a `NotationError` of the form "found ..., expected ..."; who reads a line adds the place.
"""

import itertools
import re
from collections.abc import Sequence

from thousand_env.cards import (
    NUM_CARDS,
    NUM_RANKS,
    NUM_SUITS,
    RANK_LETTERS,
    SUIT_LETTERS,
    SUIT_SYMBOLS,
    card_name,
)
from thousand_env.errors import NotationError
from thousand_env.layout import Address, Deal

EMPTY, HIDDEN = "-", "?"

_ADDRESS = re.compile(r"([+-]?\d{1,19})#([+-]?\d{1,10})/(\d{1,10})\.(\d{1,10})", re.ASCII)
_NUMBER = re.compile(r"[+-]?\d{1,9}", re.ASCII)


# -- cards -----------------------------------------------------------------------------------------------------------


def set_text(cards: int) -> str:
    """Return a set of cards: suits from hearts down, ranks from ace down.

    >>> set_text(0o60_00_01_50), set_text(0)
    ('hATc9sAK', '-')
    """
    if not 0 <= cards < 1 << NUM_CARDS:
        raise NotationError(f"cards {cards}: expected a set of the {NUM_CARDS} cards, a bit each")
    return cards_text([card for card in _from_the_top() if int(cards) >> card & 1])


def _from_the_top() -> list[int]:
    return [NUM_RANKS * suit + rank for suit in reversed(range(NUM_SUITS)) for rank in reversed(range(NUM_RANKS))]


def parse_set(text: str) -> int:
    """Return the set written as `hAKc9`; suits and ranks may come in any order, a card as `KH`, `K♥` or `h10`.

    >>> parse_set("hATc9sAK") == parse_set("s A K, c9, h10 A") == 0o60_00_01_50
    True
    """
    return sum(1 << card for card in parse_cards(text))


def cards_text(cards: Sequence[int]) -> str:
    """Return cards in the order given, each suit named once where its cards follow each other; `-` for none."""
    text, suit = "", ""
    for name in map(card_name, cards):
        text += name.removeprefix(suit) if suit else name
        suit = name[0]
    return text or EMPTY


def parse_cards(text: str) -> tuple[int, ...]:
    """Return the cards a text names, in the order written; raises `NotationError` for one that comes twice."""
    letters = re.sub(r"[\s,]", "", text).replace("10", "T")
    if letters == EMPTY:
        return ()
    if letters == HIDDEN:
        raise NotationError("found hidden cards '?', expected them open: one seat's view is no full deal")
    pairs = _rank_first(letters) if letters and letters[0].upper() in RANK_LETTERS else _suit_first(letters)
    cards: list[int] = []
    for suit, rank in pairs:
        card = NUM_RANKS * suit + rank
        if suit < 0 or rank < 0:
            raise NotationError(f"found cards {text!r}, expected suits (s c d h) with ranks (9 J Q K T A), as in hAKc9")
        if card in cards:
            raise NotationError(f"found {card_name(card)} twice in {text!r}, expected every card once")
        cards.append(card)
    return tuple(cards)


def _suit(letter: str) -> int:
    return max(SUIT_LETTERS.find(letter.lower()), SUIT_SYMBOLS.find(letter))


def _rank_first(letters: str) -> list[tuple[int, int]]:
    pairs = itertools.zip_longest(letters[::2], letters[1::2], fillvalue=HIDDEN)
    return [(_suit(suit), RANK_LETTERS.find(rank.upper())) for rank, suit in pairs]


def _suit_first(letters: str) -> list[tuple[int, int]]:
    pairs: list[tuple[int, int]] = []
    suit, bare = -1, True
    for letter in letters:
        if _suit(letter) >= 0 and not (bare and suit >= 0):
            suit, bare = _suit(letter), True
        else:
            pairs.append((suit, RANK_LETTERS.find(letter.upper())))
            bare = False
    return pairs if pairs and not bare else [(-1, -1)]


def parse_one_card(text: str) -> int:
    """Return the card a text names, with every spelling that a set allows."""
    cards = parse_cards(text)
    if len(cards) != 1:
        raise NotationError(f"found {text!r}, expected one card, as in hK")
    return cards[0]


# -- numbers and seats -----------------------------------------------------------------------------------------------


def parse_number(text: str, what: str) -> int:
    """Return the number a text gives, of at most nine digits; `what` says what it should be."""
    if not _NUMBER.fullmatch(text):
        raise NotationError(f"found {text!r}, expected {what}")
    return int(text)


def parse_numbers(words: Sequence[str], count: int, what: str) -> list[int]:
    """Return as many numbers as there are seats."""
    if len(words) != count:
        raise NotationError(f"found {' '.join(words)!r}, expected {count} numbers: {what}")
    return [parse_number(word, f"a number: {what}") for word in words]


def parse_seat(text: str, players: int) -> int:
    """Return the seat a digit names."""
    if len(text) != 1 or text not in "0123"[:players]:
        raise NotationError(f"found seat {text!r}, expected 0 to {players - 1}")
    return int(text)


# -- deals -----------------------------------------------------------------------------------------------------------


def parse_address(text: str) -> Address:
    """Return the address written as seed#match/deal.attempt.

    >>> parse_address("7#0/1234.1")
    Address(seed=7, match=0, deal=1234, attempt=1)
    """
    match = _ADDRESS.fullmatch(text)
    seed, *rest = map(int, match.groups()) if match else [0]
    fits = -(1 << 63) <= seed < 1 << 63 and all(-(1 << 31) <= part < 1 << 31 for part in rest)
    if not match or not fits:
        raise NotationError(f"found {text!r}, expected the address seed#match/deal.attempt, as in 7#0/12.0")
    return Address(seed, *rest)


def deal_text(deal: Deal) -> str:
    """Return dealer, hands, talon and address of a deal: `deal 1 hQdT…/hTdA…/hAJ… hKdQ9 7#0/3.0`."""
    hands = "/".join(set_text(hand) for hand in deal.hands)
    parts = ["deal", str(deal.dealer), hands, talon_text(deal)]
    return " ".join([*parts, *([str(deal.address)] if deal.address else [])])


def talon_text(deal: Deal) -> str:
    """Return the talon of a deal, as it was laid if no address tells; two talons with + between them (H1)."""
    talons = [deal.talon] if len(deal.hands) != 2 else [deal.talon[:2], deal.talon[2:] or deal.other]
    if deal.address or not deal.talon:
        talons = [tuple(card for card in _from_the_top() if card in talon) for talon in talons]
    return "+".join(map(cards_text, talons))


def parse_deal(words: Sequence[str], players: int) -> Deal:
    """Return the deal that the words after `deal` give; its cards are not checked yet."""
    if not 3 <= len(words) <= 4:
        raise NotationError(f"found {len(words)} words after deal, expected dealer, hands, talon, perhaps address")
    hands, talons = words[1].split("/"), words[2].split("+")
    if len(hands) != players:
        raise NotationError(f"found {len(hands)} hands, expected {players} with / between them")
    if len(talons) != (2 if players == 2 else 1):
        expected = "two talons with + between them (H1)" if players == 2 else "one talon"
        raise NotationError(f"found the talon {words[2]!r}, expected {expected}")
    first, *others = map(parse_cards, talons)
    other = others[0] if others else ()
    if first and other and len(first) != 2:
        raise NotationError(f"found {len(first)} cards in talon A, expected 2 (H1)")
    return Deal(
        dealer=parse_seat(words[0], players),
        hands=tuple(parse_set(hand) for hand in hands),
        talon=first + other if first else (),
        address=parse_address(words[3]) if len(words) == 4 else None,
        other=() if first else other,
    )
