"""The play of the reference: the eight or eleven tricks of one deal, with their marriages and trumps.

`Play.options` says what the seat to act may lay, `Play.lay` lays it; when no seat is to act any more all is captured.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

from tests.reference_cards import (
    ACE_MARRIAGE,
    MARRIAGE_POINTS,
    card_points,
    marriages_in,
    number_of,
    playable,
    trick_winner,
    unbeatable,
)
from tests.reference_tables import Rules

Options: TypeAlias = tuple[set[str], list[str]]  # the legal actions, and the rules that narrowed or widened them


class Play:
    """The tricks of one deal, from the first lead on; `hands` are the seats' own lists, and the play takes from them.

    `order` is the active seats clockwise, `marriages` the points declared, `declared` the seat and suit of each
    marriage, `last` what goes to the winner of the last trick.
    """

    def __init__(self, rules: Rules, hands: Sequence[list[str]], order: Sequence[int], fired: Counter[str]) -> None:
        self.rules, self.hands, self.order, self.fired = rules, hands, order, fired
        self.turn: int | None = None
        self.trump: str | None = None
        self.coming: str | None = None  # the suit that is trump from the next trick on
        self.trick: list[tuple[int, str]] = []
        self.declared: list[tuple[int, str]] = []
        self.four_aces: int | None = None  # the seat that was given them all
        self.ace_declared = False
        self.captured: list[list[str]] = [[] for _ in hands]
        self.tricks, self.marriages = [0 for _ in hands], [0 for _ in hands]
        self.last: list[str] = []

    def begin(self, leader: int, last: Sequence[str]) -> None:
        """P1, M7, H4: the declarer leads to the first trick."""
        self.turn, self.last = leader, list(last)
        with_aces = [seat for seat in self.order if number_of("A", self.hands[seat]) == 4]
        self.four_aces = with_aces[0] if with_aces else None

    def points(self) -> list[int]:
        """K1: the deal points by seat so far."""
        return [card_points(pile) + declared for pile, declared in zip(self.captured, self.marriages, strict=True)]

    # -- what may be played --------------------------------------------------------------------------------------------

    def options(self, seat: int) -> Options:
        """P2, M2: the cards that may be played, and on lead what may be declared."""
        hand = set(self.hands[seat])
        if self.trick:
            cards = playable(hand, [card for _, card in self.trick], self.trump, self.rules)
            return cards, ["P2"] * (cards != hand)
        declarations, bites = self.declarations(seat)
        silent = hand
        if self.rules["declare"] == "automatic":
            silent = {card for card in hand if card + "+" not in declarations}
        return silent | declarations, bites

    def declarations(self, seat: int) -> Options:
        """M2, M5-M7: what the leader may declare; before his first trick `marriage_first_lead` decides."""
        hand, mode = self.hands[seat], self.rules["marriage_first_lead"]
        held = marriages_in(hand)
        if self.tricks[seat]:
            return self.of_marriages(held) | self.of_aces(seat), []
        allowed = [suit for suit in held if mode == "always" or (mode == "unbeatable" and unbeatable(hand, suit))]
        exempt = ["M6" if mode == "unbeatable" else "M5"] * bool(allowed)
        return self.of_marriages(allowed), exempt + ["M5"] * (allowed != held)

    def of_marriages(self, suits: Sequence[str]) -> set[str]:
        """M2: the leads that declare marriages in these suits."""
        ranks = "QK" if self.rules["declare_with"] == "king_or_queen" else "Q"
        return {suit + rank + "+" for suit in suits for rank in ranks}

    def of_aces(self, seat: int) -> set[str]:
        """M7: the leads that declare the ace marriage, once a deal."""
        if not self.rules["ace_marriage"] or seat != self.four_aces or self.ace_declared:
            return set()
        return {card + "+" for card in self.hands[seat] if card[1] == "A"}

    # -- what is played ------------------------------------------------------------------------------------------------

    def lay(self, seat: int, action: str) -> None:
        """M2: a card is played; `+` declares."""
        card = action[:2]
        if action != card:
            self.declare(seat, card)
        elif not self.trick and card + "+" in self.options(seat)[0]:
            self.fired["M2"] += 1
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        self.turn = self.order[(self.order.index(seat) + 1) % len(self.order)]
        if len(self.trick) == len(self.order):
            self.end_trick()

    def declare(self, seat: int, card: str) -> None:
        """M3, M4, M7: the points count at once; the suit of a marriage is trump now or from the next trick on."""
        suit = card[0]
        if card[1] == "A":
            self.ace_declared = True
            self.marriages[seat] += ACE_MARRIAGE
            self.trump = suit if self.rules["ace_marriage_trump"] == "led_ace" else self.trump
            self.fired["M7"] += 1
            return
        self.declared.append((seat, suit))
        self.marriages[seat] += MARRIAGE_POINTS[suit]
        if self.rules["trump_from"] == "next_trick":
            self.coming = suit
        else:
            self.trump = suit
        self.fired.update(["C3", "M3", "M4"])

    def end_trick(self) -> None:
        """P1, P3: the winner takes the cards and leads."""
        cards = [card for _, card in self.trick]
        seat, best = self.trick[trick_winner(cards, self.trump)]
        self.fired.update(["C1"] * (sum(card[0] == best[0] for card in cards) > 1) + ["C2"] * (card_points(cards) > 0))
        self.fired.update(["P1"] * (seat != self.trick[0][0]) + ["P3"] * (best[0] != cards[0][0]))
        self.captured[seat] += cards
        self.tricks[seat] += 1
        self.turn_trump()
        self.trick = []
        self.turn = seat
        if not self.hands[seat]:
            self.end(seat)

    def turn_trump(self) -> None:
        """M3, M7: a suit declared for the next trick is trump now; the fourth ace of one who declared them later."""
        if self.coming:
            self.trump, self.coming = self.coming, None
        fourth = [card[0] for seat, card in self.trick if card[1] == "A" and seat == self.four_aces]
        if not fourth or not self.ace_declared or self.rules["ace_marriage_trump"] != "last_ace":
            return
        if not number_of("A", self.hands[self.four_aces or 0]):
            self.trump = fourth[0]
            self.fired["M7"] += 1

    def end(self, seat: int) -> None:
        """P4, H4: the last trick brings what lies beside; all 120 points are captured."""
        self.turn = None
        self.captured[seat] += self.last
        self.fired.update(["P4"] + ["H4"] * bool(self.last))
        self.last = []
        if sum(map(card_points, self.captured)) != 120:
            raise ValueError(f"P4: captured {self.captured}, expected 120 points")

    def drop_marriages(self) -> None:
        """M8: with marriages on the first lead, a seat without a trick loses those it declared."""
        for seat in self.order:
            if self.rules["marriage_first_lead"] == "always" and self.marriages[seat] and not self.tricks[seat]:
                self.marriages[seat] = 0
                self.fired["M8"] += 1
