"""The bonuses of the reference: what a seat may look at once or oftener a match, and what it has seen (X1)."""

from __future__ import annotations

from collections.abc import Sequence

from tests.reference_cards import SUITS
from tests.reference_sheet import Sheet
from tests.reference_tables import Rules

KINDS = ("bonus_hands", "bonus_suits", "bonus_card")


class Peeks:
    """What bonuses have shown in one attempt at a deal: hands, suits of the talon and talon cards, by seat."""

    def __init__(self, rules: Rules, sheet: Sheet) -> None:
        self.rules, self.sheet = rules, sheet
        self.used: list[set[str]] = [set() for _ in sheet.seats]
        self.hands: list[dict[int, list[str]]] = [{} for _ in sheet.seats]
        self.suits: list[list[str]] = [[] for _ in sheet.seats]
        self.cards: list[list[str]] = [[] for _ in sheet.seats]

    def offered(self, seat: int) -> set[str]:
        """X1: the bonuses a seat has left and that tell it something new."""
        cards = 4 if self.rules["players"] == 2 else 3
        kinds = {"bonus:hands": 0, "bonus:suits": 1} | {f"bonus:card{card + 1}": 2 for card in range(cards)}
        left = [int(self.rules[kind]) - used for kind, used in zip(KINDS, self.sheet.bonuses[seat], strict=True)]
        return {action for action, kind in kinds.items() if left[kind] > 0 and action not in self.used[seat]}

    def use(self, seat: int, action: str, hands: Sequence[list[str]], talon: Sequence[str]) -> None:
        """X1: look at the opponents' hands, the suits of the talon's cards or one of them."""
        self.used[seat].add(action)
        kind = 2 if "card" in action else ("bonus:hands", "bonus:suits").index(action)
        self.sheet.bonuses[seat][kind] += 1
        if action == "bonus:hands":
            self.hands[seat] = {other: list(hand) for other, hand in enumerate(hands) if other != seat}
        elif action == "bonus:suits":
            self.suits[seat] = sorted((card[0] for card in talon), key=SUITS.index)
        else:
            self.cards[seat].append(talon[int(action[-1]) - 1])
