"""The auction of the reference: who may bid, how much, who goes blind, and who is declarer without any auction.

An `Auction` is one deal's: it begins with the seats that take part and ends when one of them is left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from tests.reference_cards import HIGHEST_BID, LOWEST_BID, bid_cap
from tests.reference_play import Options
from tests.reference_sheet import Sheet
from tests.reference_tables import Rules

BLIND_BID = 120  # also the contract of a golden deal


class Auction:
    """One auction; `order` is the active seats from forehand, `bidding` those that have not passed.

    `blind` says that forehand went blind, `lit` that somebody overbid him.
    """

    def __init__(self, rules: Rules, sheet: Sheet, order: Sequence[int], fired: Counter[str]) -> None:
        self.rules, self.sheet, self.order, self.fired = rules, sheet, order, fired
        self.bidding = self.admitted()
        self.bid = 0
        self.bidder: int | None = None
        self.blind = self.lit = False

    def admitted(self) -> list[int]:
        """A5: the seats that take part: with some totals below zero only those, or only the others."""
        below = [seat for seat in self.order if self.sheet.totals[seat] < 0]
        others = [seat for seat in self.order if seat not in below]
        mode = self.rules["negative_auction"]
        if mode == "normal" or not below or not others:
            return list(self.order)
        return below if mode == "others_pass" else others

    def granted(self) -> int | None:
        """L7: the sitter who is declarer without an auction, the nearer to forehand of two."""
        sitters = [seat for seat in self.order if self.sheet.mounted[seat]]
        return sitters[0] if sitters and self.rules["barrel_auction"] == "granted" else None

    def asks_blind(self) -> bool:
        """Z1, A5, L7: whether forehand may go blind: he takes part, sits on no barrel and no sitter is granted it."""
        forehand = self.order[0]
        may = forehand in self.bidding and not self.sheet.mounted[forehand]
        return bool(self.rules["blind"]) and may and self.granted() is None

    def award(self, seat: int, points: int) -> None:
        """G1, L7: the seat is declarer at so many points, and nobody bids."""
        self.bid, self.bidder, self.bidding = points, seat, [seat]

    def go_blind(self) -> None:
        """Z1: forehand is bound to 120."""
        self.blind = True
        self.bid, self.bidder = BLIND_BID, self.order[0]
        self.fired["Z1"] += 1

    @property
    def over(self) -> bool:
        """A2: whether one seat is left, and has bid."""
        return self.bid > 0 and len(self.bidding) == 1

    @property
    def doubled(self) -> bool:
        """Z2: whether the deal is a blind one that nobody has lit."""
        return self.blind and not self.lit

    def opener(self) -> int:
        """A1, A5: the first seat to be asked."""
        self.fired.update(["A5"] * (self.bidding != list(self.order)))
        return self.bidding[0]

    def after(self, seat: int) -> int:
        """A2: the next seat clockwise that has not passed."""
        place = self.order.index(seat)
        return next(other for other in [*self.order[place + 1 :], *self.order] if other in self.bidding)

    def call(self, seat: int, action: str) -> None:
        """A2, Z2: a bid or a pass; the auction ends when one seat is left."""
        if action == "pass":
            self.bidding.remove(seat)
        else:
            self.bid, self.bidder = int(action), seat
            self.fired.update(["Z2"] * self.doubled)
            self.lit = self.lit or self.blind
        self.fired["A2"] += self.over

    # -- levels --------------------------------------------------------------------------------------------------------

    def levels(self, *, floor: int, cap: int) -> set[int]:
        """A1, A2: the levels between floor and cap above the last bid; 100 is always open to the opener."""
        step = self.sheet.number("bid_step")
        steps = range(self.bid + step if self.bid else LOWEST_BID, HIGHEST_BID + 1, step)
        above = {level for level in steps if floor <= level <= cap}
        if self.bid:
            return above
        return {LOWEST_BID} if self.rules["opening"] == "exactly_100" else above | {LOWEST_BID}

    def limits(self, seat: int, hand: Collection[str]) -> tuple[int, int]:
        """L3, A3: the lowest and the highest level a seat may name with the cards it holds now."""
        floor = self.sheet.needs() if self.sheet.mounted[seat] else LOWEST_BID
        return floor, bid_cap(hand) if self.rules["bid_cap"] else HIGHEST_BID

    def options(self, seat: int, hand: Collection[str]) -> Options:
        """A1-A3, T4, L3: passing (keeping the contract, after the exchange) and the levels left by the limits."""
        floor, cap = self.limits(seat, hand)
        levels = self.levels(floor=floor, cap=cap)
        bites = {
            "A1": not self.bid,
            "A3": levels != self.levels(floor=floor, cap=HIGHEST_BID),
            "L3": levels != self.levels(floor=LOWEST_BID, cap=cap),
            "T4": self.over and cap < self.bid,
        }
        legal = {str(level) for level in levels}.union(["pass"] if self.bid else [])
        return legal, [rule for rule, bitten in bites.items() if bitten]

    def broken_rule(self, seat: int, hand: Collection[str], level: int) -> str:
        """The id of the rule an illegal level breaks."""
        if level not in self.levels(floor=LOWEST_BID, cap=HIGHEST_BID):
            return "T4" if self.over else "A2" if self.bid else "A1"
        return "A3" if level > self.limits(seat, hand)[1] else "L3"
