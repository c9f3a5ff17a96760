"""One deal of the engine on a table: laid out from a line of text, moved by texts, checked after every action.

A position is `dealer hand/hand/hand talon`, each hand a set of cards such as `hAKQcT9`; the hand of the dealer of four
is `-`, the two-hand game has two talons, `sAh9+cTcJ`. Eight cards a hand (of two players eleven) and the talon `-`
(`-+cTcJ`) are a deal that begins at the first lead, with forehand as declarer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np

from tests.positions import cards
from tests.reference_sheet import Columns
from thousand_env import auction, deck, engine, match, play, seats, view
from thousand_env.actions import ACTION_TEXTS, DECLARE_QUEEN, DECLINE_REDEAL, LOOK, NUM_ACTIONS, parse_action
from thousand_env.cards import card_name, card_points, parse_card
from thousand_env.enforcement import try_row
from thousand_env.rules import RuleSet, as_rules
from thousand_env.state import AGAIN, BLIND, BLIND_CHOSEN, CLAIM, PHASE_NAMES, PLAY, check_state, new_states


def card_set(text: str) -> int:
    """The set of cards such as `hAKQcT9`; `-` is empty."""
    return sum(1 << parse_card(card) for card in cards(text))


def set_text(card_set: int) -> str:
    """The cards of a set, one after another from the lowest: `cT hQ hA`."""
    return " ".join(card_name(card) for card in range(24) if int(card_set) >> card & 1)


class Table:
    """A deal on the table; `state` is its record."""

    def __init__(
        self,
        rules: RuleSet | str,
        position: str,
        actions: str = "",
        *,
        contract: int = 100,
        deal: int = 0,
        asks: bool = False,
        **sheet: Unpack[Columns],
    ) -> None:
        self.asks = asks  # whether going blind and claims are asked; else all look and decline
        dealer, hands, talon = position.split()
        self.rules = as_rules(rules)
        self.array, self.states = self.rules.array(), new_states(1)
        engine.start_matches(self.states, self.array, np.zeros(1), np.zeros(1))
        self.state: Any = self.states[0]
        self.state.dealer, self.state.deal = int(dealer), deal
        write_sheet(self.state, sheet)
        self.lay_out(hands.split("/"), *talon.split("+"))
        if talon[0] == "-":
            self.state.declarer, self.state.bid = seats.forehand_of(self.state, self.array[0]), contract
            play.begin_play(self.state, contract)
        else:
            auction.open_deal(self.state, self.array[0])
            if self.state.phase == AGAIN:
                deck.deal_again(self.state, self.array[0])
        check_state(self.state, self.array)
        self.pass_over()
        self.act(actions)

    def pass_over(self) -> None:
        """Look and decline where that is asked, unless it is to be asked."""
        while not self.asks and self.state.phase in (BLIND, CLAIM):
            action = LOOK if self.state.phase == BLIND else DECLINE_REDEAL
            engine.step(self.states, self.array, np.array([action]))

    def lay_out(self, hands: Sequence[str], talon: str, other: str = "-") -> None:
        """Give out these cards."""
        deck.clear_deal(self.state)
        deck.clear_fines(self.state)
        for seat, hand in enumerate(hands):
            self.state.hands[seat] = self.state.dealt[seat] = card_set(hand)
        self.state.talon, self.state.other_talon = card_set(talon), card_set(other)
        laid = [parse_card(card) for card in [*cards(talon), *cards(other)]]
        self.state.talon_order = sum(card << 5 * place for place, card in enumerate(laid))

    def attempt(self, action: str) -> Table:
        """Take an action that may be illegal, as the table takes it (N2)."""
        taken = try_row(self.state, self.array[0], parse_action(action), np.zeros(NUM_ACTIONS, np.int8))
        assert taken, f"{action} was refused"
        check_state(self.state, self.array)
        return self

    def act(self, actions: str) -> Table:
        """Take these actions, each of which must be legal."""
        for action in actions.split():
            assert action in self.legal(), f"{action} is not legal here, expected one of {sorted(self.legal())}"
            engine.step(self.states, self.array, np.array([parse_action(action)]))
            self.pass_over()
            check_state(self.state, self.array)
        return self

    def play_out(self) -> Table:
        """Play the deal to its end: every seat plays the highest card it may play in silence, hearts being highest."""
        while self.state.phase == PLAY:
            actions = [parse_action(text) for text in self.legal()]
            self.act(ACTION_TEXTS[max(action for action in actions if action < DECLARE_QUEEN)])
        return self

    @property
    def phase(self) -> str:
        """The name of the phase."""
        return PHASE_NAMES[int(self.state.phase)]

    def legal(self) -> set[str]:
        """The legal actions of the seat to act."""
        return {ACTION_TEXTS[action] for action in np.flatnonzero(engine.legal_actions(self.states, self.array)[0])}

    def levels(self) -> list[int]:
        """The bids among the legal actions, rising."""
        return sorted(int(action) for action in self.legal() if action.isdecimal())

    def column(self, name: str) -> list[int]:
        """A field of the state by seat."""
        return self.states[name][0, : self.rules.players].tolist()

    def points(self) -> list[int]:
        """The deal points by seat so far."""
        return engine.deal_score(self.states, self.array)[0].tolist()

    def look(self, seat: int) -> Any:
        """What one seat sees."""
        return view.look(self.states, self.array, np.array([seat]))[0]


def write_sheet(state: Any, sheet: Columns) -> None:
    """Put a score sheet into a state."""
    columns: dict[str, Any] = dict(sheet)
    for name, column in columns.items():
        for seat, value in enumerate(column):
            state[name][seat] = value


class Settled:
    """A score sheet, and the finished deals that were entered on it one after another."""

    def __init__(self, rules: RuleSet | str, *, dealer: int = 2, deal: int = 6, **sheet: Unpack[Columns]) -> None:
        self.rules = as_rules(rules)
        self.array, self.states = self.rules.array(), new_states(1)
        engine.start_matches(self.states, self.array, np.zeros(1), np.zeros(1))
        self.state: Any = self.states[0]
        self.state.dealer, self.state.deal = dealer, deal
        write_sheet(self.state, sheet)

    def enter(
        self,
        captured: Sequence[int],
        *,
        contract: int = 100,
        declarer: int = 0,
        marriages: Sequence[int] = (0, 0, 0),
        tricks: Sequence[int] = (3, 3, 2),
        blind: bool = False,
    ) -> Settled:
        """Enter a deal in which the seats captured so many points; the declarer of a blind one has not looked."""
        deck.clear_deal(self.state)
        for seat, pile in enumerate(piles(captured)):
            self.state.hands[seat] = 0
            self.state.captured[seat], self.state.marriages[seat] = pile, marriages[seat]
            self.state.tricks[seat] = tricks[seat]
        self.state.declarer, self.state.contract = declarer, contract
        self.state.blind = BLIND_CHOSEN if blind else 0
        match.finish_deal(self.state, self.array[0])
        return self

    def column(self, name: str) -> list[int]:
        """A field of the state by seat."""
        return self.states[name][0, : self.rules.players].tolist()

    def payoff(self) -> list[float]:
        """The stakes by seat."""
        return engine.payoffs(self.states, self.array)[0].tolist()


def piles(points: Sequence[int]) -> list[int]:
    """Sets of cards with so many points each, which together are the whole pack."""
    assert sum(points) == 120, f"captured points {list(points)}: expected 120 together"

    def place(ordered: list[int], left: list[int]) -> list[int] | None:
        if not ordered:
            return [0 for _ in left]
        for seat, missing in enumerate(left):
            worth = card_points(ordered[0])
            if worth > missing:
                continue
            found = place(ordered[1:], [*left[:seat], missing - worth, *left[seat + 1 :]])
            if found is not None:
                found[seat] |= 1 << ordered[0]
                return found
        return None

    found = place(sorted(range(24), key=card_points, reverse=True), list(points))
    assert found is not None, f"captured points {list(points)}: no cards make them"
    return found
