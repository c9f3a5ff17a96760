"""One attempt at a deal in the reference, phase by phase, from the cards to the last trick or a redeal.

`Deal.options` says what the seat to act may do and `Deal.take` does it, until `ending` says how the deal ended.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from tests.reference_auction import BLIND_BID, Auction
from tests.reference_bonuses import Peeks
from tests.reference_cards import HAND_CONDITIONS, LOWEST_BID, PACK, hand_conditions, talon_conditions
from tests.reference_play import Options, Play
from tests.reference_sheet import Columns, Sheet
from tests.reference_tables import CORE, Rules

Gift: TypeAlias = tuple[int, int, str]  # giver, receiver, card


class Deal:
    """A deal on the table and the sheet it is played by.

    `order` is the active seats clockwise from forehand, `talon` keeps the cards as dealt (of two players those picked).
    `ending` is empty while the deal goes on, then redealt, played, written off or baptised.
    """

    def __init__(self, rules: Rules, dealer: int, deal: int, columns: Columns) -> None:
        if set(rules) != set(CORE):
            raise ValueError(f"rules: odd fields {sorted(set(rules) ^ set(CORE))}, expected none")
        self.rules, self.dealer = rules, dealer
        self.deal: int = deal
        self.sheet = Sheet(rules, **columns)
        self.seats, self.fired = self.sheet.seats, self.sheet.fired
        self.clear_deal()
        self.ask("deal", None)

    def clear_deal(self) -> None:
        """M1: a deal starts without trump, and without anything else."""
        around = [self.clockwise(self.dealer, steps + 1) for steps in self.seats]
        self.order = around[:3]  # F1, H2
        self.ending = ""
        self.hands: list[list[str]] = [[] for _ in self.seats]
        self.talon: list[str] = []
        self.other_talon: list[str] = []
        self.talon_taken = self.talon_open = False
        self.auction = Auction(self.rules, self.sheet, self.order, self.fired)
        self.play = Play(self.rules, self.hands, self.order, self.fired)
        self.peeks = Peeks(self.rules, self.sheet)
        self.declined = 0  # how many seats have declined a redeal
        self.contract = 0
        self.declarer: int | None = None
        self.gifts: list[Gift] = []

    def take_cards(self, hands: Sequence[Iterable[str]], talon: Iterable[str], *, each: int) -> None:
        """C1, D1, F1: a new deal with these cards, which must be the whole pack and `each` cards an active seat."""
        lists, rest = [list(hand) for hand in hands], list(talon)
        held = [each if seat in self.order else 0 for seat in self.seats]
        if sorted(sum(lists, rest)) != sorted(PACK) or [len(hand) for hand in lists] != held:
            raise ValueError(f"D1: {lists} and the talon {rest}, expected the 24 cards, {each} a hand")
        self.fired.update(["S1", "D1"])
        self.clear_deal()
        for hand, cards in zip(self.hands, lists, strict=True):
            hand += cards
        self.talon = rest
        self.fired.update({2: ["H1", "H2"], 3: [], 4: ["F1", "F2"]}[len(self.seats)])

    def clockwise(self, seat: int, steps: int = 1) -> int:
        """S1: the seat so many places clockwise."""
        return (seat + steps) % len(self.seats)

    # -- decisions -----------------------------------------------------------------------------------------------------

    def ask(self, phase: str, seat: int | None) -> None:
        """The next decision: its phase and the seat that takes it."""
        self.phase, self.turn = phase, seat

    def end(self, ending: str) -> None:
        """The deal is over: redealt, played, written off or baptised."""
        self.ending = ending
        self.ask("deal", None)

    def options(self, seat: int) -> Options:
        """The legal actions of the seat to act, and the ids of the rules that bite in this decision."""
        if self.phase == "auction":
            legal, bites = self.auction.options(seat, self.hands[seat])
            return legal | self.peeks.offered(seat), bites
        if self.phase == "contract":
            return self.auction.options(seat, self.hands[seat])
        if self.phase == "claim":
            return self.claim_options(seat), []
        if self.phase == "play":
            return self.play.options(seat)
        if self.phase == "exchange":
            return self.gift_options(seat)
        choices = {"show", "keep"} if self.talon_taken else {"talonA", "talonB"}
        return {"blind", "look"} if self.phase == "blind" else choices, []

    def take(self, seat: int, action: str) -> None:
        """Take a legal action."""
        if action.startswith("bonus:"):
            self.fired["X1"] += 1
            self.peeks.use(seat, action, self.hands, self.talon)
            return
        steps = {
            "blind": self.choose_blind,
            "claim": self.claim,
            "auction": self.call,
            "talon": self.choose_talon,
            "exchange": self.exchange,
            "contract": self.name_contract,
            "play": self.lay,
        }
        steps[self.phase](seat, action)

    # -- before the auction --------------------------------------------------------------------------------------------

    def open(self) -> None:
        """G1, Z1: a golden deal begins with the talon; else forehand may go blind, or all look."""
        if self.sheet.golden(self.deal):
            self.fired["G1"] += 1
            self.auction.award(self.order[0], BLIND_BID)
            self.end_auction()
        elif self.auction.asks_blind():
            self.ask("blind", self.order[0])
        else:
            self.look()

    def choose_blind(self, seat: int, action: str) -> None:
        """Z1: forehand goes blind, which cancels the claims (R9), or looks as the others do."""
        if action == "look":
            self.look()
            return
        self.auction.go_blind()
        self.go_on(seat)

    def look(self) -> None:
        """R9: a hand for which the table deals again by force; else every seat is asked if it may claim anything."""
        forced = self.conditions("force")
        if forced:
            self.deal_again(forced)
        elif any(self.rules[field] == "offer" for field in HAND_CONDITIONS.values()):
            self.ask("claim", self.order[0])
        else:
            self.open_auction()

    def deal_again(self, rules: Iterable[str]) -> None:
        """R1-R8, R12: the same dealer is to deal again, for these conditions."""
        self.fired.update(rules)
        self.end("redealt")

    def conditions(self, mode: str) -> list[str]:
        """R1-R5: the conditions that the hands of the active seats meet."""
        return [rule for seat in self.order for rule in self.conditions_of(seat, mode)]

    def conditions_of(self, seat: int, mode: str) -> list[str]:
        """R1-R5: the conditions that one hand meets."""
        return hand_conditions(self.hands[seat], self.rules, mode, forehand=seat == self.order[0])

    def claim_options(self, seat: int) -> set[str]:
        """R9: declining, a claim of the entitled, and before the auction the bonuses."""
        if self.declarer is not None:
            return {"redeal", "noredeal"}
        entitled = {"redeal"} if self.conditions_of(seat, "offer") else set[str]()
        return {"noredeal"} | entitled | self.peeks.offered(seat)

    def claim(self, seat: int, action: str) -> None:
        """R9: a claim deals again, a decline asks the next seat or lets the deal go on."""
        self.fired["R9"] += 1
        on_talon = self.declarer is not None
        if action == "redeal":
            met = talon_conditions(self.talon, self.rules, "offer") if on_talon else self.conditions_of(seat, "offer")
            self.deal_again(met)
        elif on_talon:
            self.ask("exchange", seat)
        else:
            self.declined += 1
            if self.declined < len(self.order):
                self.ask("claim", self.order[self.declined])
            else:
                self.open_auction()

    def open_auction(self) -> None:
        """A1, L7: the opener is asked, or the contract granted to a sitter."""
        sitter = self.auction.granted()
        if sitter is None:
            self.ask("auction", self.auction.opener())
            return
        self.fired["L7"] += 1
        self.auction.award(sitter, self.sheet.needs())
        self.end_auction()

    # -- the auction and the talon -------------------------------------------------------------------------------------

    def call(self, seat: int, action: str) -> None:
        """A2: a bid or a pass."""
        self.auction.call(seat, action)
        self.go_on(seat)

    def go_on(self, seat: int) -> None:
        """A2: the next seat is asked, or the auction is over."""
        if self.auction.over:
            self.end_auction()
        else:
            self.ask("auction", self.auction.after(seat))

    def end_auction(self) -> None:
        """T1, H3: the declarer takes the talon, or picks one of two."""
        self.declarer = self.auction.bidder
        if len(self.seats) == 2:
            self.ask("talon", self.declarer)
        else:
            self.take_talon(self.auction.bidding[0])

    def choose_talon(self, seat: int, action: str) -> None:
        """H3, T2: the declarer picks a talon unseen; he shows the talon of a hundred or keeps it closed."""
        if action in ("show", "keep"):
            self.talon_open = action == "show"
            self.open_exchange(seat)
            return
        picked = (self.talon[:2], self.talon[2:])
        self.talon, self.other_talon = picked if action == "talonA" else picked[::-1]
        self.fired["H3"] += 1
        self.take_talon(seat)

    def fixed(self) -> bool:
        """T4: whether the contract is that of a golden or blind deal."""
        return self.sheet.golden(self.deal) or self.auction.doubled

    def take_talon(self, declarer: int) -> None:
        """A4, T1, T2: the declarer takes the talon, which is shown but for golden, blind and some hundreds."""
        self.hands[declarer] += self.talon
        self.talon_taken = True
        granted = self.auction.granted() is not None
        hundred, mode = self.auction.bid == LOWEST_BID and not granted, self.rules["talon_at_100"]
        self.talon_open = not self.fixed() and (not hundred or mode == "shown")
        self.fired.update(["T1"] + ["A4"] * hundred + ["T2"] * (not self.talon_open) + ["Z2"] * self.auction.doubled)
        if hundred and mode == "declarer_chooses":
            self.ask("talon", declarer)
        else:
            self.open_exchange(declarer)

    def open_exchange(self, declarer: int) -> None:
        """R9: the exchange begins, unless a talon that all have seen is dealt again or may be claimed on."""
        if self.talon_open and (forced := talon_conditions(self.talon, self.rules, "force")):
            self.deal_again(forced)
        elif self.talon_open and talon_conditions(self.talon, self.rules, "offer"):
            self.ask("claim", declarer)
        else:
            self.ask("exchange", declarer)

    # -- the exchange and the contract ---------------------------------------------------------------------------------

    def gift_options(self, seat: int) -> Options:
        """T3, T5, H3: the cards that may be given away, and before the first one what ends the deal."""
        cards = set(self.talon if len(self.seats) == 2 else self.hands[seat])
        if self.gifts or self.fixed():
            return cards, []
        endings, bites = self.endings(seat)
        return cards | endings, bites

    def endings(self, seat: int) -> Options:
        """W1-W4: the declarer may write off or baptise, unless he has done so too often or somebody sits."""
        action = "writeoff" if self.rules["write_off"] != "off" else "baptise"
        if action == "baptise" and not self.rules["baptism"]:
            return set(), []
        limit, sheet = self.sheet.number("write_off_limit"), self.sheet
        spent = bool(sheet.baptised[seat]) if action == "baptise" else 0 < limit <= sheet.write_offs[seat]
        allowed = True
        if any(sheet.mounted):
            allowed = bool(self.rules["write_off_on_barrel" if sheet.mounted[seat] else "write_off_with_barrel"])
        bites = ["W4" if action == "baptise" else "W2"] * spent + ["W3"] * (not allowed)
        return {action} if allowed and not spent else set(), bites

    def exchange(self, seat: int, action: str) -> None:
        """T3, T5: a card to the next active seat clockwise, then one to the seat after it; or the deal ends here."""
        if action in ("writeoff", "baptise"):
            self.fired["T5"] += 1
            self.end("written off" if action == "writeoff" else "baptised")
            return
        place = self.order.index(seat) + len(self.gifts) + 1
        receiver = self.order[place % len(self.order)]
        self.hands[seat].remove(action)
        self.hands[receiver].append(action)
        self.gifts.append((seat, receiver, action))
        self.fired["T3"] += 1
        if len(self.gifts) < len(self.order) - 1:
            return
        if self.fixed() or self.auction.granted() is not None or not self.rules["raise_contract"]:
            self.begin_play(self.auction.bid)
        else:
            self.ask("contract", seat)

    def name_contract(self, _: int, action: str) -> None:
        """T4: the contract is the bid or more."""
        self.fired.update(["T4"] * (action != "pass"))
        self.begin_play(self.auction.bid if action == "pass" else int(action))

    # -- the play ------------------------------------------------------------------------------------------------------

    def begin_play(self, contract: int) -> None:
        """P1: the declarer leads."""
        self.contract = contract
        self.play.begin(self.declarer or 0, self.other_talon)
        self.ask("play", self.play.turn)

    def lay(self, seat: int, action: str) -> None:
        """P4: a card is played, until all are."""
        self.play.lay(seat, action)
        self.ask("play", self.play.turn)
        if self.play.turn is None:
            self.end("played")
