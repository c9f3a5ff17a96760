"""Spelling: text for cards, sets, seats, numbers, score sheets and deals, the words a line of the notation is made of.

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
from thousand_env.replay import Address, Deal
from thousand_env.sheet import SeatSheet, Sheet

EMPTY, HIDDEN = "-", "?"
SHEET_WORDS = ("deals", "totals", "bolts", "barrel", "falls")

_ADDRESS = re.compile(r"([+-]?\d{1,19})#([+-]?\d{1,10})/(\d{1,10})\.(\d{1,10})", re.ASCII)
_NUMBER = re.compile(r"[+-]?\d{1,9}", re.ASCII)
_BARREL = re.compile(r"(\d{1,9})\.(\d{1,9})", re.ASCII)


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


# -- numbers, seats, score sheets ------------------------------------------------------------------------------------


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


def sheet_text(sheet: Sheet, deals_told: int) -> str:
    """Return a score sheet, only what is not zero: `totals 880 300 -40 bolts 0 2 0 barrel 5.1 - - falls 1 0 0`.

    The number of deals is left out if it is the one told by the rest of the text.
    """
    columns = sheet.seats
    parts: list[str] = []
    if sheet.deals != deals_told:
        parts.append(f"deals {sheet.deals}")
    for word, numbers in (("totals", [c.total for c in columns]), ("bolts", [c.bolts for c in columns])):
        if any(numbers):
            parts.append(" ".join([word, *map(str, numbers)]))
    if any(column.mounted for column in columns):
        parts.append(" ".join(["barrel", *(f"{c.mounted}.{c.attempts}" if c.mounted else EMPTY for c in columns)]))
    if any(column.falls for column in columns):
        parts.append(" ".join(["falls", *(str(column.falls) for column in columns)]))
    return " ".join(parts)


def deals_told(columns: Sequence[SeatSheet], address: Address | None, completed: int) -> int:
    """Return how many deals are completed when a sheet does not say it itself.

    The address of a deal counts those before it, and it is itself `completed` (1) or not (0); without an address a
    sitter tells: he mounted after a deal, and every deal since has used an attempt.
    """
    if address is not None:
        return address.deal + completed
    return max(completed, *(column.mounted + column.attempts for column in columns))


def parse_sheet(words: Sequence[str], players: int) -> tuple[Sheet, bool]:
    """Return the score sheet some words give, and whether they give the number of deals."""
    fields: dict[str, list[str]] = {}
    for word in words:
        if word in SHEET_WORDS and word not in fields:
            fields[word] = []
        elif not fields or word in SHEET_WORDS:
            raise NotationError(f"found {word!r}, expected each of {', '.join(SHEET_WORDS)} once at most")
        else:
            fields[list(fields)[-1]].append(word)
    zeros = ["0"] * players
    totals, bolts, falls = (
        parse_numbers(fields.get(word, zeros), players, f"{word} by seat") for word in ("totals", "bolts", "falls")
    )
    barrel = [_parse_sitter(word) for word in fields.get("barrel", [EMPTY] * players)]
    if len(barrel) != players:
        raise NotationError(f"found {' '.join(fields['barrel'])!r} after barrel, expected {players} entries")
    seats = tuple(SeatSheet(totals[seat], bolts[seat], *barrel[seat], falls[seat]) for seat in range(players))
    deals = parse_numbers(fields.get("deals", ["0"]), 1, "completed deals")[0]
    return Sheet(seats, deals), "deals" in fields


def _parse_sitter(text: str) -> tuple[int, int]:
    if text == EMPTY:
        return 0, 0
    match = _BARREL.fullmatch(text)
    if not match or int(match[1]) == 0:
        raise NotationError(f"found {text!r}, expected - or deal.attempts: 5.1 is on since deal 5, one attempt used")
    return int(match[1]), int(match[2])


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
    in_order = [card for card in _from_the_top() if card in deal.talon]
    talon = cards_text(in_order if deal.address else deal.talon)
    return " ".join(["deal", str(deal.dealer), hands, talon, *([str(deal.address)] if deal.address else [])])


def parse_deal(words: Sequence[str], players: int) -> Deal:
    """Return the deal that the words after `deal` give; its cards are not checked yet."""
    if not 3 <= len(words) <= 4:
        raise NotationError(f"found {len(words)} words after deal, expected dealer, hands, talon, perhaps address")
    hands = words[1].split("/")
    if len(hands) != players:
        raise NotationError(f"found {len(hands)} hands, expected {players} with / between them")
    return Deal(
        dealer=parse_seat(words[0], players),
        hands=tuple(parse_set(hand) for hand in hands),
        talon=parse_cards(words[2]),
        address=parse_address(words[3]) if len(words) == 4 else None,
    )
