"""A slow second implementation of Thousand, against which the engine is checked ply by ply.

It is written from the rule book alone and shares no code with the engine. Cards are text (`hK`), actions are text
(`hK`, `hQ+` = lead that queen and declare, `pass`, `125`, `show`, `keep`), a deal is lists of text. Read in order:
the rules of cards as plain functions, then `Match` (the phases of a deal); what a finished deal does to the match is
in `reference_sheet`. `fired` counts, by rule id, how often a rule changed or decided something.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TypeAlias, TypedDict, Unpack

from tests.reference_sheet import Columns, Event, Result, Rules, Sheet, shared_stakes

Gift: TypeAlias = tuple[int, int, str]  # giver, receiver, card
Options: TypeAlias = tuple[set[str], list[str]]  # the legal actions, and the rules that narrowed or widened them

SUITS, RANKS = "scdh", "9JQKTA"
PACK = [suit + rank for suit in SUITS for rank in RANKS]
CARD_POINTS = {"9": 0, "J": 2, "Q": 3, "K": 4, "T": 10, "A": 11}
MARRIAGE_POINTS = {"s": 40, "c": 60, "d": 80, "h": 100}
LOWEST_BID, HIGHEST_BID = 100, 400

CLASSIC: dict[str, int | bool | str] = {
    "players": 3, "first_dealer": -1, "opening": "at_least_100", "bid_step": 5, "bid_cap": True,
    "talon_at_100": "declarer_chooses", "exchange": "open", "raise_contract": True,
    "marriage_first_lead": "unbeatable", "round_to": 5, "round_declarer": False,
    "bolts": "consecutive", "declarer_bolts": True, "fine": 120, "dump_truck": 555,
    "barrel_at": 880, "barrel_needs": 0, "barrel_attempts": 3, "barrel_falls_to_zero": 3, "barrel_seats": 1,
    "barrel_tie": "all_fall", "target": 1001, "bank": 1, "max_deals": 0,
}  # fmt: skip
CORE = CLASSIC | {"talon_at_100": "closed", "marriage_first_lead": "never"}
ONLINE = CORE | {
    "exchange": "closed", "bolts": "cumulative", "target": 1000, "barrel_falls_to_zero": 0, "barrel_tie": "one_falls",
}  # fmt: skip

# The rules this reference plays; those it counts in `fired` are the same.
RULES_IN_SCOPE = [
    "C1", "C2", "C3", "S1", "S2", "D1", "A1", "A2", "A3", "A4", "T1", "T2", "T3", "T4", "P1", "P2", "P3", "P4",
    "M1", "M2", "M3", "M4", "M5", "M6", "M8", "K1", "K2", "K3", "K4", "B1", "B2", "B4",
    "L1", "L2", "L3", "L4", "L5", "L6", "L8", "E1", "E2", "E3",
]  # fmt: skip


def height(card: str) -> int:
    """C1: the place of a card within its suit, 0 for the nine to 5 for the ace."""
    return RANKS.index(card[1])


def card_points(cards: Iterable[str]) -> int:
    """C2: the points of some cards."""
    return sum(CARD_POINTS[card[1]] for card in cards)


def marriages_in(hand: Collection[str]) -> list[str]:
    """C3: the suits whose king and queen are both in the hand."""
    return [suit for suit in SUITS if suit + "K" in hand and suit + "Q" in hand]


def bid_cap(hand: Collection[str]) -> int:
    """A3: the most a hand may bid, 120 and its marriages."""
    return 120 + sum(MARRIAGE_POINTS[suit] for suit in marriages_in(hand))


def playable(hand: Collection[str], trick: Sequence[str], trump: str | None) -> set[str]:
    """P2: the cards that may follow the first card of the trick."""
    following = {card for card in hand if card[0] == trick[0][0]}
    trumps = {card for card in hand if card[0] == trump}
    return following or trumps or set(hand)


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


def rounded(points: int, step: int) -> int:
    """K3: points to the nearest multiple of `step`, halves up."""
    return (2 * points + step) // (2 * step) * step


def declarer_score(points: int, contract: int, rules: Rules) -> int:
    """K2: plus or minus the contract, whatever the points beyond it."""
    counted = rounded(points, int(rules["round_to"])) if rules["round_declarer"] else points
    return contract if counted >= contract else -contract


class Sight(TypedDict):
    """What one seat knows of the cards nobody has played."""

    hand: list[str]
    talon: list[str]
    gifts: list[Gift]


class Match:
    """One match, deal by deal, action by action.

    `talon` keeps the three cards as dealt, `captured` the cards won by seat, `marriages` the points declared by
    seat, `score` the deal's points by seat before match effects, `events` those of the last completed deal.
    """

    def __init__(self, rules: Rules, dealer: int, *, deal: int = 0, **columns: Unpack[Columns]) -> None:
        if set(rules) != set(CLASSIC) or rules["players"] != 3:
            odd = sorted(set(rules) ^ set(CLASSIC))
            raise ValueError(f"S1: {rules.get('players')} players and the odd fields {odd}, expected 3 and none")
        self.rules, self.dealer, self.deal = rules, dealer, deal
        self.sheet = Sheet(rules, **columns)
        # The sheet's own lists, never rebound.
        self.totals, self.bolts, self.attempts = self.sheet.totals, self.sheet.bolts, self.sheet.attempts
        self.mounted, self.falls, self.fired = self.sheet.mounted, self.sheet.falls, self.sheet.fired
        self.seats = self.sheet.seats
        self.winner: int | None = None
        self.truncated = False
        self.events: list[Event] = []
        self.clear_deal()
        self.ask("deal", None)

    @classmethod
    def from_play(cls, rules: Rules, leader: int, hands: Sequence[Iterable[str]], *, contract: int = 100) -> Match:
        """A match whose first deal begins at the first lead: `leader` is forehand and declarer, eight cards each."""
        match = cls(rules, (leader - 1) % 3)
        match.take_cards(hands, [], each=8)
        match.declarer, match.bid, match.contract = leader, contract, contract
        match.ask("play", leader)
        return match

    def clear_deal(self) -> None:
        """M1: a deal starts without trump, and without anything else."""
        self.hands: list[list[str]] = [[] for _ in self.seats]
        self.talon: list[str] = []
        self.talon_open = False
        self.bidding = list(self.seats)  # the seats that have not passed
        self.bid = self.contract = 0
        self.declarer: int | None = None
        self.gifts: list[Gift] = []
        self.trump: str | None = None
        self.trick: list[tuple[int, str]] = []
        self.declared: list[tuple[int, str]] = []  # seat and suit of each marriage, in order
        self.captured: list[list[str]] = [[] for _ in self.seats]
        self.tricks, self.marriages, self.score = ([0 for _ in self.seats] for _ in range(3))

    def take_cards(self, hands: Sequence[Iterable[str]], talon: Iterable[str], *, each: int) -> None:
        """C1, D1: a new deal with these cards, which must be the whole pack and `each` cards a hand."""
        lists, rest = [list(hand) for hand in hands], list(talon)
        if sorted(sum(lists, rest)) != sorted(PACK) or [len(hand) for hand in lists] != [each for _ in self.seats]:
            raise ValueError(f"D1: {lists} and the talon {rest}, expected the 24 cards, {each} a hand")
        self.fired.update(["S1", "D1"] + ["M1"] * (self.trump is not None))
        self.clear_deal()
        self.hands, self.talon = lists, rest

    def deal_cards(self, hands: Sequence[Iterable[str]], talon: Iterable[str]) -> None:
        """D1, A1: deal these cards; forehand is asked first. Raises ValueError unless a deal is due."""
        if self.phase != "deal":
            raise ValueError(f"S2: cards dealt in the phase {self.phase!r}, expected the start or after next_deal")
        self.take_cards(hands, talon, each=7)
        self.ask("auction", self.clockwise(self.dealer))

    def next_deal(self) -> None:
        """S2: the deal passes one seat clockwise. Raises ValueError unless the last deal is scored."""
        if self.phase != "scored":
            raise ValueError(f"S2: next deal asked for in the phase {self.phase!r}, expected 'scored'")
        self.deal += 1
        self.dealer = self.clockwise(self.dealer)
        self.fired["S2"] += 1
        self.ask("deal", None)

    def clockwise(self, seat: int, steps: int = 1) -> int:
        """S1: the seat so many places clockwise."""
        return (seat + steps) % len(self.seats)

    def ask(self, phase: str, seat: int | None) -> None:
        """The next decision: its phase and the seat that takes it."""
        self.phase, self.turn = phase, seat

    def points(self) -> list[int]:
        """K1: the deal points by seat so far."""
        return [card_points(self.captured[seat]) + self.marriages[seat] for seat in self.seats]

    def payoff(self) -> list[float]:
        """E2, E3: the stakes by seat; zeros while the match is going on."""
        standing = [(seat == self.winner, self.totals[seat]) for seat in self.seats]
        return shared_stakes(standing, self.sheet.number("bank") if self.phase == "over" else 0)

    def sees(self, seat: int) -> Sight:
        """T2, T3: the hidden cards a seat knows: its hand, the talon if shown or taken, the gifts open to it."""
        talon = self.talon if self.talon_open or seat == self.declarer else []
        gifts = [gift for gift in self.gifts if self.rules["exchange"] == "open" or seat in gift[:2]]
        return {"hand": list(self.hands[seat]), "talon": list(talon), "gifts": gifts}

    def legal(self) -> set[str]:
        """The legal actions of the seat to act; none between deals."""
        return set() if self.turn is None else self.options(self.turn)[0]

    def act(self, action: str) -> None:
        """Take an action of the seat to act; raises ValueError naming the rule, and changes nothing, if illegal."""
        seat = self.turn
        if seat is None:
            raise ValueError(f"N2: {action!r} in the phase {self.phase!r}, where no seat is to act")
        legal, bites = self.options(seat)
        if action not in legal:
            rule, place = self.broken_rule(seat, action), f"seat {seat} in the phase {self.phase!r}"
            raise ValueError(f"{rule}: {action!r} by {place}, expected one of {sorted(legal)}")
        self.fired.update(bites)
        steps = {"auction": self.call, "talon": self.choose, "exchange": self.give, "contract": self.name_contract}
        steps.get(self.phase, self.play)(seat, action)

    def options(self, seat: int) -> Options:
        """The legal actions of the seat to act, and the ids of the rules that bite in this decision."""
        if self.phase in ("auction", "contract"):
            return self.level_options(seat)
        if self.phase == "play":
            return self.card_options(seat)
        return {"show", "keep"} if self.phase == "talon" else set(self.hands[seat]), []

    def levels(self, *, floor: int, cap: int) -> set[int]:
        """A1, A2: the levels between floor and cap above the last bid; 100 is always open to the opener."""
        steps = range(LOWEST_BID, HIGHEST_BID + 1, self.sheet.number("bid_step"))
        above = {level for level in steps if level > self.bid and floor <= level <= cap}
        if self.bid:
            return above
        return {LOWEST_BID} if self.rules["opening"] == "exactly_100" else above | {LOWEST_BID}

    def limits(self, seat: int) -> tuple[int, int]:
        """L3, A3: the lowest and the highest level a seat may name with the cards it holds now."""
        floor = self.sheet.needs() if self.mounted[seat] else LOWEST_BID
        return floor, bid_cap(self.hands[seat]) if self.rules["bid_cap"] else HIGHEST_BID

    def level_options(self, seat: int) -> Options:
        """A1-A3, T4, L3: passing (keeping the contract, after the exchange) and the levels left by the limits."""
        floor, cap = self.limits(seat)
        levels = self.levels(floor=floor, cap=cap)
        bites = {
            "A1": not self.bid,
            "A3": levels != self.levels(floor=floor, cap=HIGHEST_BID),
            "L3": levels != self.levels(floor=LOWEST_BID, cap=cap),
            "T4": self.phase == "contract" and cap < self.bid,
        }
        legal = {str(level) for level in levels}.union(["pass"] if self.bid else [])
        return legal, [rule for rule, bitten in bites.items() if bitten]

    def call(self, seat: int, action: str) -> None:
        """A2: a bid or a pass in the auction, which ends when one seat is left."""
        if action == "pass":
            self.bidding.remove(seat)
        else:
            self.bid = int(action)
        if len(self.bidding) == 1:
            self.fired["A2"] += 1
            self.end_auction(self.bidding[0])
        else:
            following = (self.clockwise(seat, steps) for steps in self.seats[1:])
            self.ask("auction", next(other for other in following if other in self.bidding))

    def end_auction(self, declarer: int) -> None:
        """A4, T1, T2: the declarer takes the talon; at the hundred it may stay closed."""
        self.declarer = declarer
        self.hands[declarer] += self.talon
        hundred, mode = self.bid == LOWEST_BID, self.rules["talon_at_100"]
        self.talon_open = not hundred or mode == "shown"
        self.fired.update(["T1"] + ["A4"] * hundred + ["T2"] * (not self.talon_open))
        self.ask("talon" if hundred and mode == "declarer_chooses" else "exchange", declarer)

    def choose(self, seat: int, action: str) -> None:
        """T2: the declarer shows the talon of a hundred or keeps it closed."""
        self.talon_open = action == "show"
        self.ask("exchange", seat)

    def give(self, seat: int, card: str) -> None:
        """T3: one card to the next seat clockwise, then one to the seat after it."""
        receiver = self.clockwise(seat, len(self.gifts) + 1)
        self.hands[seat].remove(card)
        self.hands[receiver].append(card)
        self.gifts.append((seat, receiver, card))
        self.fired["T3"] += 1
        if len(self.gifts) == len(self.seats) - 1:
            self.contract = self.bid
            self.ask("contract" if self.rules["raise_contract"] else "play", seat)

    def name_contract(self, seat: int, action: str) -> None:
        """T4, P1: the contract is the bid or more, and the declarer leads."""
        if action != "pass":
            self.contract = int(action)
            self.fired["T4"] += 1
        self.ask("play", seat)

    def card_options(self, seat: int) -> Options:
        """P2, M2: the cards that may be played, and on lead the marriages that may be declared."""
        hand = set(self.hands[seat])
        if not self.trick:
            declarations, bites = self.declarations(seat)
            return hand | declarations, bites
        cards = playable(hand, [card for _, card in self.trick], self.trump)
        return cards, ["P2"] * (cards != hand)

    def declarations(self, seat: int) -> Options:
        """M2, M5, M6: the marriages the leader may declare; before his first trick `marriage_first_lead` decides."""
        hand, mode = self.hands[seat], self.rules["marriage_first_lead"]
        held = marriages_in(hand)
        if self.tricks[seat]:
            return {suit + "Q+" for suit in held}, []
        allowed = [suit for suit in held if mode == "always" or (mode == "unbeatable" and unbeatable(hand, suit))]
        exempt = ["M6" if mode == "unbeatable" else "M5"] * bool(allowed)
        return {suit + "Q+" for suit in allowed}, exempt + ["M5"] * (allowed != held)

    def play(self, seat: int, action: str) -> None:
        """M2, M3, M4: a card is played; `+` declares its marriage, which is trump and counts at once."""
        card = action[:2]
        if action.endswith("+"):
            self.trump = card[0]
            self.declared.append((seat, card[0]))
            self.marriages[seat] += MARRIAGE_POINTS[card[0]]
            self.fired.update(["C3", "M3", "M4"])
        self.fired.update(["M2"] * (action == card and card + "+" in self.legal()))
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        self.ask("play", self.clockwise(seat))
        if len(self.trick) == len(self.seats):
            self.end_trick()

    def end_trick(self) -> None:
        """P1, P3, P4: the winner takes the cards and leads; after the last trick the deal is scored."""
        cards = [card for _, card in self.trick]
        seat, best = self.trick[trick_winner(cards, self.trump)]
        self.fired.update(["C1"] * (sum(card[0] == best[0] for card in cards) > 1) + ["C2"] * (card_points(cards) > 0))
        self.fired.update(["P1"] * (seat != self.trick[0][0]) + ["P3"] * (best[0] != cards[0][0]))
        self.captured[seat] += cards
        self.tricks[seat] += 1
        self.trick = []
        self.ask("play", seat)
        if not self.hands[seat]:
            self.end_deal(self.declarer or 0)

    def end_deal(self, declarer: int) -> None:
        """K1, K4, E1, E3: score the deal, apply it to the match, and see whether the match is over."""
        assert sum(map(card_points, self.captured)) == 120, "P4: captured points sum to 120"
        self.drop_marriages()
        self.score = [self.seat_score(seat, points) for seat, points in enumerate(self.points())]
        self.fired.update(["P4"] + ["K1"] * any(self.marriages))
        forehand = self.clockwise(self.dealer)
        self.events = self.sheet.settle(Result(self.deal, forehand, declarer, self.contract, self.score, self.tricks))
        self.winner = self.sheet.winner
        self.truncated = self.winner is None and self.deal + 1 >= self.sheet.number("max_deals") > 0
        self.fired.update(["E2"] * (self.winner is not None) + ["E3"] * self.truncated)
        self.ask("over" if self.truncated or self.winner is not None else "scored", None)

    def drop_marriages(self) -> None:
        """M8: with marriages on the first lead, a seat without a trick loses those it declared."""
        for seat in self.seats:
            if self.rules["marriage_first_lead"] == "always" and self.marriages[seat] and not self.tricks[seat]:
                self.marriages[seat] = 0
                self.fired["M8"] += 1

    def seat_score(self, seat: int, points: int) -> int:
        """K2, K3: what the deal is worth to a seat with these deal points."""
        declares, step = seat == self.declarer, self.sheet.number("round_to")
        score = declarer_score(points, self.contract, self.rules) if declares else rounded(points, step)
        self.fired.update(["K2" if declares else "K3"] * (score != points))
        return score

    def broken_rule(self, seat: int, action: str) -> str:
        """The id of the rule an illegal action breaks; N2 when it is no action of this decision at all."""
        if self.phase in ("auction", "contract") and action.isdecimal():
            nameable = self.levels(floor=LOWEST_BID, cap=HIGHEST_BID)
            order = "T4" if self.phase == "contract" else "A2" if self.bid else "A1"
            return order if int(action) not in nameable else "A3" if int(action) > self.limits(seat)[1] else "L3"
        if self.phase == "play" and action[:2] in self.hands[seat]:
            pair = action[1:] == "Q+" and action[0] in marriages_in(self.hands[seat])
            m5 = "M6" if self.rules["marriage_first_lead"] == "unbeatable" else "M5"
            return "P2" if len(action) == 2 else m5 if pair and not self.trick else "M2"
        phase = "opening" if action == "pass" and not self.bid else self.phase
        return {"opening": "A1", "talon": "T2", "exchange": "T3"}.get(phase, "N2")
