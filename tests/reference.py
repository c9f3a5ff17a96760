"""A slow second implementation of Thousand, against which the engine is checked ply by ply.

It is written from the rule book alone and shares no code with the engine. Cards are text (`hK`), actions are text
(`hK`, `hQ+` = lead that queen and declare, `pass`, `125`, `show`, `keep`), a deal is lists of text. Read in order:
`reference_tables` (the agreements), `reference_cards` (the rules of cards as plain functions), `reference_auction`,
`reference_play` and `reference_deal` (a deal), `reference_scores` and `reference_sheet` (what it is worth and what it
does to the match), then `Match` here. `fired` counts, by rule id, how often a rule changed or decided something.
Chance is not its business: the cards of every attempt at a deal are given to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypedDict, Unpack

from tests.reference_cards import card_points
from tests.reference_deal import Deal, Gift
from tests.reference_offences import FINE_ONLY, Offence
from tests.reference_scores import dealer_score, declarer_score, defender_score, doubled_score, write_off_scores
from tests.reference_sheet import Columns, Event, Result, shared_stakes
from tests.reference_tables import Rules


class Sight(TypedDict):
    """What one seat knows of the cards nobody has played; bonuses bring `others`, `suits` and single talon cards."""

    hand: list[str]
    talon: list[str]
    gifts: list[Gift]
    others: dict[int, list[str]]
    suits: list[str]


class Match(Deal):
    """One match, deal by deal, action by action.

    `score` is the deal's points by seat before match effects, `events` those of the last completed deal, `offences`
    counts the illegal actions of the deal at hand.
    """

    def __init__(self, rules: Rules, dealer: int, *, deal: int = 0, **columns: Unpack[Columns]) -> None:
        super().__init__(rules, dealer, deal, columns)
        # The sheet's own lists, never rebound.
        self.totals, self.bolts, self.attempts = self.sheet.totals, self.sheet.bolts, self.sheet.attempts
        self.mounted, self.falls = self.sheet.mounted, self.sheet.falls
        self.winner: int | None = None
        self.truncated = False
        self.events: list[Event] = []
        self.score, self.offences = [0 for _ in self.seats], [0 for _ in self.seats]

    @classmethod
    def from_play(cls, rules: Rules, leader: int, hands: Sequence[Iterable[str]], *, contract: int = 100) -> Match:
        """A match of three whose first deal begins at the first lead: `leader` is forehand and declarer."""
        match = cls(rules, (leader - 1) % 3)
        match.take_cards(hands, [], each=8)
        match.declarer = leader
        match.auction.award(leader, contract)
        match.begin_play(contract)
        return match

    # -- from deal to deal ---------------------------------------------------------------------------------------------

    def deal_cards(self, hands: Sequence[Iterable[str]], talon: Iterable[str]) -> None:
        """D1, H1: deal these cards, for two players the talons A and B one after the other.

        Raises ValueError unless cards are awaited.
        """
        if self.phase != "deal":
            raise ValueError(f"S2: cards dealt in the phase {self.phase!r}, expected the start or after next_deal")
        self.take_cards(hands, talon, each=10 if len(self.seats) == 2 else 7)
        self.open()
        self.finish()

    def next_deal(self) -> None:
        """S2: the deal passes one seat clockwise. Raises ValueError unless the last deal is scored."""
        if self.phase != "scored":
            raise ValueError(f"S2: next deal asked for in the phase {self.phase!r}, expected 'scored'")
        self.deal += 1
        self.dealer = self.clockwise(self.dealer)
        self.fired.update(["S2"] + ["M1"] * (self.trump is not None))
        self.sheet.begin_deal()
        self.clear_deal()
        self.score, self.offences = [0 for _ in self.seats], [0 for _ in self.seats]
        self.ask("deal", None)

    def fine_early(self, seat: int) -> None:
        """D2, D3: chance fines the dealer for an error of his, or the seat to his right for a third nine.

        Raises ValueError unless cards are awaited.
        """
        by_seat = {self.dealer: "D3", self.clockwise(self.dealer, -1): "D2"}
        if self.phase != "deal" or seat not in by_seat:
            raise ValueError(f"D3: seat {seat} fined in the phase {self.phase!r}, expected {by_seat} in 'deal'")
        self.fired[by_seat[seat]] += 1
        self.sheet.fine_early(seat, self.deal)

    def finish(self) -> None:
        """S2, K1: what the end of a deal brings: new cards, or a score."""
        if self.ending == "redealt":
            self.sheet.count_redeal(self.dealer, self.deal)
        elif self.ending == "played":
            self.play.drop_marriages()
            self.settle([self.seat_score(seat) for seat in self.seats])
        elif self.ending:
            self.settle(self.scores_unplayed(self.declarer or 0))

    # -- actions -------------------------------------------------------------------------------------------------------

    def legal(self) -> set[str]:
        """The legal actions of the seat to act; none between deals."""
        return set() if self.turn is None else self.options(self.turn)[0]

    def act(self, action: str) -> None:
        """Take an action of the seat to act.

        Raises ValueError naming the rule, and changes nothing, where it is illegal and does not count as another.
        """
        seat = self.turn
        if seat is None:
            raise ValueError(f"N2: {action!r} in the phase {self.phase!r}, where no seat is to act")
        legal, bites = self.options(seat)
        if action not in legal:
            action = self.offend(seat, action, legal)
        self.fired.update(bites)
        if action != FINE_ONLY:
            self.take(seat, action)
            self.finish()

    def offend(self, seat: int, action: str, legal: set[str]) -> str:
        """N2: note an illegal action and return what it counts as; raises ValueError where it is not taken."""
        lead, given = not self.play.trick, bool(self.gifts)
        offence = Offence(action, self.phase, self.hands[seat], legal, on_lead=lead, given=given)
        instead = offence.counts_as() if self.rules["enforcement"] == "table" else None
        if instead is None:
            levels = self.phase in ("auction", "contract") and action.isdecimal()
            by_level = self.auction.broken_rule(seat, self.hands[seat], int(action)) if levels else ""
            rule, place = by_level or offence.broken_rule(self.rules), f"seat {seat} in the phase {self.phase!r}"
            raise ValueError(f"{rule}: {action!r} by {place}, expected one of {sorted(legal)}")
        self.offences[seat] += 1
        self.fired["N2"] += 1
        return instead

    # -- the score -----------------------------------------------------------------------------------------------------

    def points(self) -> list[int]:
        """K1: the deal points by seat so far."""
        return self.play.points()

    def seat_score(self, seat: int) -> int:
        """K1-K3, Z2, F3: what a deal played is worth to a seat."""
        golden, doubled, rules = self.sheet.golden(self.deal), self.fixed(), self.rules
        captured, marriages = card_points(self.play.captured[seat]), self.play.marriages[seat]
        points, times = captured + marriages, 2 if doubled else 1
        if seat not in self.order:
            return times * self.dealer_points()
        if seat == self.declarer:
            score = times * declarer_score(points, self.contract, rules)
            bonus = self.sheet.number("blind_bonus") if self.auction.doubled else 0
            self.fired.update(["K2"] * (score != points) + ["Z2"] * bool(bonus))
            return score + bonus if score > 0 else score - bonus
        score = doubled_score(captured, marriages, rules, golden=golden)
        score = score if doubled else defender_score(captured, marriages, rules)
        self.fired.update(["K3"] * (score != points))
        return score

    def scores_unplayed(self, declarer: int) -> list[int]:
        """W1, W4, F3: what a deal written off or baptised is worth to the seats."""
        if self.ending == "baptised":
            self.sheet.baptised[declarer] = 1
            self.fired["W4"] += 1
            return [0 for _ in self.seats]
        self.sheet.write_offs[declarer] += 1
        self.fired.update(["W1"] + ["H5"] * (len(self.seats) == 2 and self.rules["write_off"] == "half"))
        cost, share = write_off_scores(self.auction.bid, self.rules, active=len(self.order))
        scores = [share if seat in self.order else self.dealer_points() for seat in self.seats]
        scores[declarer] = cost
        return scores

    def dealer_points(self) -> int:
        """F3: what the dealer of four gets for a single deal."""
        points = dealer_score(card_points(self.talon), self.rules)
        self.fired.update(["F3"] * (points > 0))
        return points

    def settle(self, score: list[int]) -> None:
        """K4, E1, E3: apply a finished deal to the match, and see whether the match is over."""
        self.fired.update(["K1"] * any(self.play.marriages))
        self.score = score
        result = Result(
            self.deal,
            self.order[0],
            self.declarer or 0,
            self.auction.bid if self.ending != "played" else self.contract,
            score,
            self.play.tricks,
            self.ending,
            self.auction.doubled,
            self.offences,
        )
        self.events = self.sheet.settle(result)
        self.ending = ""
        self.winner = self.sheet.winner
        self.truncated = self.winner is None and self.deal + 1 >= self.sheet.number("max_deals") > 0
        self.fired.update(["E2"] * (self.winner is not None) + ["E3"] * self.truncated)
        self.ask("over" if self.truncated or self.winner is not None else "scored", None)

    def payoff(self) -> list[float]:
        """E2, E3: the stakes by seat; zeros while the match is going on."""
        standing = [(seat == self.winner, self.totals[seat]) for seat in self.seats]
        return shared_stakes(standing, self.sheet.number("bank") if self.phase == "over" else 0)

    # -- what a seat sees ----------------------------------------------------------------------------------------------

    def sees(self, seat: int) -> Sight:
        """Z1, T2, T3, F2, X1: the hidden cards a seat knows: its hand, a talon it has seen, the gifts open to it."""
        unseen = self.phase == "blind" or (self.auction.doubled and self.order[0] == seat != self.declarer)
        looks = self.talon_open or seat not in self.order or (seat == self.declarer and self.talon_taken)
        talon = self.talon if looks else []
        gifts = [gift for gift in self.gifts if self.rules["exchange"] == "open" or seat in gift[:2]]
        return {
            "hand": [] if unseen else list(self.hands[seat]),
            "talon": talon + [card for card in self.peeks.cards[seat] if card not in talon],
            "gifts": gifts,
            "others": self.peeks.hands[seat],
            "suits": self.peeks.suits[seat],
        }

    # -- parts of the deal ---------------------------------------------------------------------------------------------

    @property
    def bid(self) -> int:
        """The last bid, 0 before the opening."""
        return self.auction.bid

    @property
    def trick(self) -> list[tuple[int, str]]:
        """The cards on the table, with the seats that played them."""
        return self.play.trick

    @property
    def trump(self) -> str | None:
        """M1: the suit of trumps."""
        return self.play.trump

    @property
    def captured(self) -> list[list[str]]:
        """The cards won by seat."""
        return self.play.captured

    @property
    def tricks(self) -> list[int]:
        """The tricks won by seat."""
        return self.play.tricks

    @property
    def marriages(self) -> list[int]:
        """M4: the points declared by seat."""
        return self.play.marriages

    @property
    def declared(self) -> list[tuple[int, str]]:
        """M2: the seat and the suit of each marriage declared, in order."""
        return self.play.declared
