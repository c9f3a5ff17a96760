"""A player's hand, read from a text; whatever is wrong with it is named with its place in the text."""

from typing import NamedTuple

from thousand_env.cards import NUM_RANKS, RANK_LETTERS, SUIT_LETTERS, SUIT_SYMBOLS, card_name
from thousand_env.errors import NotationError
from thousand_env.rules import RuleSet

PLUS = "+"  # stands before the cards of the talon

# What a player has before him, by the number of his cards at tables of two and of more (§3, §6, §14).
DEALT, WITH_TALON, KEPT = "dealt", "with the talon", "after the exchange"
_SIZES = {2: {10: DEALT, 12: WITH_TALON, 11: KEPT}, 3: {7: DEALT, 10: WITH_TALON, 8: KEPT}}


class Hand(NamedTuple):
    """Cards as sets: all of them, and those that the text says came from the talon."""

    cards: int
    talon: int
    stage: str


def read_hand(text: str, rules: RuleSet) -> Hand:
    """Return the hand a text names, such as `hAKQ sT d9 cJ9`, or `hAKQ sT d9 cJ9 + sA dK cT` with the talon.

    Raises `NotationError` with the place, counted from 1, of a card that is none or comes twice, and for a number of
    cards that no player holds.
    """
    cards: dict[int, int] = {}
    plus = _place_of_plus(text)
    for card, place in _named_cards(text):
        if card in cards:
            raise _wrong(text, place, f"{card_name(card)} again", f"each card once: it stands at place {cards[card]}")
        cards[card] = place
    whole = sum(1 << card for card in cards)
    talon = sum(1 << card for card, place in cards.items() if place > plus > 0)
    return Hand(whole, talon, _stage(text, len(cards), talon.bit_count(), plus, rules))


def expected_cards(rules: RuleSet, *stages: str) -> str:
    """Return in words how many cards a player holds at some stages, at all of them if none is named."""
    sizes = sorted(_SIZES[min(rules.players, 3)].items())
    named = [f"{size} ({stage})" for size, stage in sizes if stage in (stages or (DEALT, WITH_TALON, KEPT))]
    return ", ".join(named)


def _stage(text: str, count: int, talon: int, plus: int, rules: RuleSet) -> str:
    sizes = _SIZES[min(rules.players, 3)]
    if count not in sizes:
        raise NotationError(f"hand {text!r}: found {count} cards, expected {expected_cards(rules)}")
    of_talon = 2 if rules.players == 2 else 3
    if plus and (sizes[count] != WITH_TALON or talon != of_talon):
        raise _wrong(text, plus, f"{talon} of {count} cards behind {PLUS}", f"the {of_talon} of the talon")
    if rules.players == 2 and sizes[count] == WITH_TALON and not plus:
        raise NotationError(f"hand {text!r}: found no {PLUS}, expected one before the two cards of the talon (H3)")
    return sizes[count]


def _place_of_plus(text: str) -> int:
    first, last = text.find(PLUS) + 1, text.rfind(PLUS) + 1
    if last > first:
        raise _wrong(text, last, f"a second {PLUS}", "one at most, before the talon")
    return first


def _named_cards(text: str) -> list[tuple[int, int]]:
    """Return cards and their places; suits come before their ranks, or, if the text begins so, behind each one."""
    letters = [(letter, place) for letter, place in _letters(text) if letter != PLUS]
    if letters and _rank(letters[0][0]) >= 0:
        return _rank_first(text, letters)
    found: list[tuple[int, int]] = []
    suit, bare = -1, 0  # `bare` is the place of a suit that has no card yet
    for letter, place in letters:
        if _suit(letter) >= 0:
            _check_not_bare(text, bare)
            suit, bare = _suit(letter), place
        elif suit < 0:
            raise _wrong(text, place, repr(letter), "a suit: s c d h")
        elif _rank(letter) < 0:
            raise _wrong(text, place, repr(letter), "a rank, 9 J Q K T A, or a suit, s c d h")
        else:
            found.append((NUM_RANKS * suit + _rank(letter), place))
            bare = 0
    _check_not_bare(text, bare)
    return found


def _check_not_bare(text: str, place: int) -> None:
    if place:
        raise _wrong(text, place, f"the suit {text[place - 1]} without a card", "ranks behind it, as in hAK")


def _rank_first(text: str, letters: list[tuple[str, int]]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for (rank, place), (suit, behind) in zip(letters[::2], [*letters[1::2], ("", len(text) + 1)], strict=False):
        if _rank(rank) < 0:
            raise _wrong(text, place, repr(rank), "a rank: 9 J Q K T A")
        if _suit(suit) < 0:
            raise _wrong(text, behind, repr(suit) if suit else "the end", f"a suit, s c d h, behind {rank}")
        found.append((NUM_RANKS * _suit(suit) + _rank(rank), place))
    return found


def _letters(text: str) -> list[tuple[str, int]]:
    """Return what counts in a text with its places; 10 is a T."""
    found: list[tuple[str, int]] = []
    place = 0
    while place < len(text):
        ten = text[place : place + 2] == "10"
        if not text[place].isspace() and text[place] != ",":
            found.append(("T" if ten else text[place], place + 1))
        place += 1 + ten
    return found


def _suit(letter: str) -> int:
    return max(SUIT_LETTERS.find(letter.lower()), SUIT_SYMBOLS.find(letter)) if letter else -1


def _rank(letter: str) -> int:
    return RANK_LETTERS.find(letter.upper())


def _wrong(text: str, place: int, found: str, expected: str) -> NotationError:
    return NotationError(f"hand {text!r}: found {found} at place {place}, expected {expected}")
