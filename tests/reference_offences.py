"""What the reference's table makes of an action that is not legal: the rule it breaks, or what it counts as (N2)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from tests.reference_cards import HIGHEST_BID, LOWEST_BID, PACK, card_points, marriages_in
from tests.reference_tables import Rules

FINE_ONLY = ""  # the fine, and still his turn


@dataclass(frozen=True)
class Offence:
    """An action that is not legal, and the decision in which it was tried."""

    action: str
    phase: str
    hand: Collection[str]
    legal: Collection[str]
    on_lead: bool = False
    given: bool = False  # a card has been given away

    def counts_as(self) -> str | None:
        """N2: the legal action it counts as, or FINE_ONLY; None when it is no action of this decision at all."""
        if self.phase == "claim" and self.action == "redeal":
            return "noredeal"
        if self.phase == "exchange" and self.action in ("writeoff", "baptise"):
            return None if self.given else FINE_ONLY
        if self.phase in ("auction", "contract") and (self.action == "pass" or self.is_level()):
            return "pass" if "pass" in self.legal else str(LOWEST_BID)
        if self.phase in ("exchange", "play"):
            return self.card_instead()
        return None

    def is_level(self) -> bool:
        """A2: whether the action is a bid that somebody could make."""
        return self.action in map(str, range(LOWEST_BID, HIGHEST_BID + 1, 5))

    def card_instead(self) -> str | None:
        """N2: the silent lead instead of a declaration, his lowest legal card instead of another he holds."""
        card = self.action[:2]
        declares = self.action[2:] == "+" and card[1] in "QKA"
        if card not in self.hand or not (declares or self.action == card):
            return None
        if not declares:
            return lowest(self.legal)
        if self.phase != "play" or not self.on_lead:
            return None
        return card if card in self.legal else lowest(self.legal)

    def broken_rule(self, rules: Rules) -> str:
        """The id of the rule an action other than a bid breaks; N2 when it is no action of this decision at all."""
        if self.phase == "play" and self.action[:2] in self.hand:
            pair = self.action[1:] == "Q+" and self.action[0] in marriages_in(self.hand)
            m5 = "M6" if rules["marriage_first_lead"] == "unbeatable" else "M5"
            silent = "M2" if self.on_lead else "P2"
            return silent if len(self.action) == 2 else m5 if pair and self.on_lead else "M2"
        if self.phase == "exchange":
            return {"writeoff": "W1", "baptise": "W4"}.get(self.action, "T3")
        opening = self.phase == "auction" and self.action == "pass"
        return "A1" if opening else {"talon": "T2", "claim": "R9", "blind": "Z1"}.get(self.phase, "N2")


def lowest(legal: Collection[str]) -> str:
    """N2: of the legal cards the one with the fewest points, then the lowest, silent rather than declared."""
    cards = [action for action in legal if action[:2] in PACK]
    return min(cards, key=lambda action: (card_points([action[:2]]), PACK.index(action[:2]), len(action)))
