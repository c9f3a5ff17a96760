"""The cards of the reference: what they are worth, what may be played and who takes the trick, as plain functions.

Cards are text (`hK`), hands are collections of text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from tests.reference_tables import Rules

SUITS, RANKS = "scdh", "9JQKTA"
PACK = [suit + rank for suit in SUITS for rank in RANKS]
CARD_POINTS = {"9": 0, "J": 2, "Q": 3, "K": 4, "T": 10, "A": 11}
MARRIAGE_POINTS = {"s": 40, "c": 60, "d": 80, "h": 100}
ACE_MARRIAGE = 200
LOWEST_BID, HIGHEST_BID = 100, 400


def height(card: str) -> int:
    """C1: the place of a card within its suit, 0 for the nine to 5 for the ace."""
    return RANKS.index(card[1])


def card_points(cards: Iterable[str]) -> int:
    """C2: the points of some cards."""
    return sum(CARD_POINTS[card[1]] for card in cards)


def number_of(rank: str, cards: Iterable[str]) -> int:
    """How many cards of a rank there are."""
    return sum(card[1] == rank for card in cards)


def marriages_in(hand: Collection[str]) -> list[str]:
    """C3: the suits whose king and queen are both in the hand."""
    return [suit for suit in SUITS if suit + "K" in hand and suit + "Q" in hand]


def bid_cap(hand: Collection[str]) -> int:
    """A3: the most a hand may bid, 120 and its marriages."""
    return 120 + sum(MARRIAGE_POINTS[suit] for suit in marriages_in(hand))


def playable(hand: Collection[str], trick: Sequence[str], trump: str | None, rules: Rules) -> set[str]:
    """P2: the cards that may follow the first cards of the trick."""
    best = trick[trick_winner(trick, trump)]
    better = {card for card in hand if card[0] == best[0] and height(card) > height(best)}
    following = {card for card in hand if card[0] == trick[0][0]}
    trumps = {card for card in hand if card[0] == trump}
    if following:
        return better if rules["must_beat"] and best[0] == trick[0][0] and better else following
    if rules["must_overtrump"] and best[0] == trump and better:
        return better
    return trumps if rules["must_trump"] and trumps else set(hand)


def trick_winner(trick: Sequence[str], trump: str | None) -> int:
    """P3: the index of the card that takes the trick."""
    ruling = trump if any(card[0] == trump for card in trick) else trick[0][0]
    return max((height(card), index) for index, card in enumerate(trick) if card[0] == ruling)[1]


def unbeatable(hand: Collection[str], marriage: str) -> bool:
    """M6: the hand wins every trick when the queen of the suit `marriage` is declared first."""
    for suit in SUITS:
        outside = [height(card) for card in PACK if card[0] == suit and card not in hand]
        own = [card for card in hand if card[0] == suit]
        own.sort(key=lambda card: (card != marriage + "Q", -height(card)))
        if any(index < len(outside) and height(card) < max(outside) for index, card in enumerate(own)):
            return False
    return True


def rounded(points: int, step: int, among: int = 1) -> int:
    """K3, W1: an equal share of points among so many to the nearest multiple of `step`, halves up."""
    return (2 * points + among * step) // (2 * among * step) * step


# -- redeals -----------------------------------------------------------------------------------------------------------

HAND_CONDITIONS = {
    "R1": "redeal_forehand_nines",
    "R2": "redeal_three_nines",
    "R3": "redeal_four_nines",
    "R4": "redeal_four_jacks",
    "R5": "redeal_low_hand",
}
TALON_CONDITIONS = {
    "R6": "redeal_talon_nines",
    "R7": "redeal_low_talon",
    "R8": "redeal_talon_jacks",
    "R12": "redeal_talon_jacks_and_nine",
}


def hand_conditions(hand: Collection[str], rules: Rules, mode: str, *, forehand: bool) -> list[str]:
    """R1-R5: the conditions played in a mode (offer or force) that a hand as dealt meets."""
    nines = number_of("9", hand)
    met = {
        "R1": forehand and nines >= 2,
        "R2": nines >= 3,
        "R3": nines == 4,
        "R4": number_of("J", hand) == 4,
        "R5": card_points(hand) < int(rules["redeal_hand_below"]),
    }
    return [rule for rule, field in HAND_CONDITIONS.items() if rules[field] == mode and met[rule]]


def talon_conditions(talon: Collection[str], rules: Rules, mode: str) -> list[str]:
    """R6-R8, R12, H5: the conditions played in a mode that a talon of three, or one of two cards, meets."""
    nines, jacks = number_of("9", talon), number_of("J", talon)
    met = {
        "R6": nines >= 2,
        "R7": card_points(talon) < int(rules["redeal_talon_below"]),
        "R8": jacks == 3,
        "R12": jacks == 2 and nines == 1,
    }
    return [rule for rule, field in TALON_CONDITIONS.items() if rules[field] == mode and met[rule]]
