"""The score sheet of the reference: what a finished deal does to a match, written from the rule book alone.

`Sheet.settle` applies one `Result` in the order of K4; fines that fall before a deal is played go through
`Sheet.fine_early`; `shared_stakes` is what the end of a match pays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypedDict, Unpack

from tests.reference_tables import Rules

Event: TypeAlias = tuple[str, int] | tuple[str, int, int]

LOST, REVERSE_AT, REVERSE_DEALS = -1000, -880, 3  # L9


@dataclass(frozen=True)
class Result:
    """A finished deal as the score sheet needs it; `score`, `tricks` and `offences` are by seat.

    `ending` is played, written off or baptised; `blind` means that nobody lit the blind seat.
    """

    deal: int
    forehand: int
    declarer: int
    contract: int
    score: Sequence[int]
    tricks: Sequence[int]
    ending: str = "played"
    blind: bool = False
    offences: Sequence[int] = (0, 0, 0, 0)

    def distance(self, seat: int) -> int:
        """S1: how many seats clockwise from forehand."""
        return (seat - self.forehand) % len(self.score)

    def plays(self, seat: int) -> bool:
        """F1: whether a seat is active in the deal: all but the dealer of four."""
        return self.distance(seat) < 3

    @property
    def made(self) -> bool:
        """K2: whether the declarer made his contract."""
        return self.ending == "played" and self.score[self.declarer] > 0


class Columns(TypedDict, total=False):
    """The columns of a score sheet, by seat unless said otherwise; what is left out is zero.

    `bonuses` counts those used: hands, suits and cards; `golden_over` and `redeal_run` belong to the match.
    """

    totals: Sequence[int]
    bolts: Sequence[int]
    attempts: Sequence[int]
    mounted: Sequence[int]
    falls: Sequence[int]
    reverse: Sequence[int]
    write_offs: Sequence[int]
    baptised: Sequence[int]
    golden_made: Sequence[int]
    bonuses: Sequence[Sequence[int]]
    golden_over: bool
    redeal_run: int


class Sheet:
    """The score sheet of a match: totals, bolts, the barrel and the rights used, by seat.

    `mounted` is the number of the deal (from 1) after which a seat mounted the barrel, 0 while it does not sit;
    `reverse` is 1 when a seat sits down on the reverse barrel and rises with every deal it plays there.
    """

    def __init__(self, rules: Rules, **columns: Unpack[Columns]) -> None:
        if not set(columns) <= set(Columns.__annotations__):
            raise ValueError(f"sheet: columns {sorted(columns)}, expected some of {sorted(Columns.__annotations__)}")
        self.rules = rules
        self.seats = range(int(rules["players"]))
        self.fired: Counter[str] = Counter()
        zeros = [0 for _ in self.seats]
        self.totals = list(columns.get("totals", zeros))
        self.bolts = list(columns.get("bolts", zeros))
        self.attempts = list(columns.get("attempts", zeros))
        self.mounted = list(columns.get("mounted", zeros))
        self.falls = list(columns.get("falls", zeros))
        self.reverse = list(columns.get("reverse", zeros))
        self.write_offs = list(columns.get("write_offs", zeros))
        self.baptised = list(columns.get("baptised", zeros))
        self.golden_made = list(columns.get("golden_made", zeros))
        self.bonuses = [list(used) for used in columns.get("bonuses", [[0, 0, 0] for _ in self.seats])]
        self.golden_over = columns.get("golden_over", False)
        self.redeal_run = columns.get("redeal_run", 0)
        self.early = list(zeros)  # fines of this deal that fell before it was played
        self.fallen: list[int] = []  # in the deal being settled
        self.fined: Counter[int] = Counter()
        self.winner: int | None = None

    def number(self, field: str) -> int:
        """A numeric field of the rules."""
        return int(self.rules[field])

    def needs(self) -> int:
        """L3: the smallest contract that wins from the barrel."""
        return self.number("barrel_needs") or self.number("target") - self.number("barrel_at")

    def golden(self, deal: int) -> bool:
        """G1, G2: whether a deal is golden: one of the first `players`, or of a round repeated."""
        first = deal < self.number("players") or self.rules["golden_none_made"] == "repeat"
        return bool(self.rules["golden"]) and first and not self.golden_over

    def fine(self, deal: int) -> int:
        """N1, G1: the standard penalty in a deal, twice as much in a golden one."""
        return self.number("fine") * (2 if self.golden(deal) else 1)

    # -- before the deal is played -------------------------------------------------------------------------------------

    def begin_deal(self) -> None:
        """R10: a new deal starts its own run of redeals, and nobody has been fined in it."""
        self.redeal_run = 0
        self.early[:] = [0 for _ in self.seats]

    def count_redeal(self, dealer: int, deal: int) -> None:
        """R10: the third redeal in a row fines the dealer, and the count starts again."""
        self.redeal_run += 1
        if self.rules["triple_redeal_fine"] and self.redeal_run == 3:
            self.redeal_run = 0
            self.fine_early(dealer, deal)
            self.fired["R10"] += 1

    def fine_early(self, seat: int, deal: int) -> None:
        """K4: a fine outside a completed deal falls at once."""
        self.early[seat] += self.fine(deal)
        self.impose(seat, self.fine(deal))

    def impose(self, seat: int, amount: int) -> None:
        """N1, L2: a seat pays a fine, which takes a sitter off the barrel."""
        self.fired["N1"] += 1
        self.totals[seat] -= amount
        if self.mounted[seat] and self.totals[seat] < self.number("barrel_at"):
            self.fired["L2"] += 1
            self.fall(seat, fine=0)

    # -- the completed deal --------------------------------------------------------------------------------------------

    def settle(self, result: Result) -> list[Event]:
        """K4: apply a finished deal in the order of the book; returns the events in that order."""
        self.fallen, self.fined = [], Counter()
        free = [seat for seat in self.seats if not self.mounted[seat]]
        self.add_scores(result)
        events: list[Event] = [("bolt", seat) for seat in self.give_bolts(result)]
        self.fine_third_bolts(result)
        self.fine_offences(result)
        events += [("fine", seat, self.fined[seat]) for seat in sorted(self.fined)]
        goes_on = self.golden(result.deal) and self.golden_goes_on(result)
        jumped: list[int] = []
        mounted: list[int] = []
        if not goes_on:
            events += [("win", seat) for seat in self.win_from_barrel(result)]
            jumped = self.jump(free)
            self.use_attempts(result)
            mounted = self.mount([seat for seat in free if seat not in jumped], result)
            self.knock_off(result)
        events += [("fall", seat) for seat in sorted(self.fallen)]
        events += [("barrel", seat) for seat in mounted]
        events += [("dump", seat) for seat in self.dump()]
        if not goes_on:
            events += [("reverse", seat) for seat in self.reverse_barrel(result)]
            events += [("win", seat) for seat in self.win_by_target(result, jumped)]
        self.fired.update(["K4"] * (len(events) > 1))
        return events

    def add_scores(self, result: Result) -> None:
        """L2, L4: the deal points go to every seat off the barrel; `deduct` takes a failed contract from a sitter."""
        for seat in self.seats:
            score, declares = result.score[seat], seat == result.declarer
            if not self.mounted[seat]:
                self.totals[seat] += score
            elif declares and score < 0 and self.rules["barrel_failed_contract"] == "deduct":
                self.fired["L4"] += 1
                self.totals[seat] += score
                self.fall(seat, fine=0)
            elif score:
                self.fired["L4" if declares else "L2"] += 1

    # -- bolts and fines -----------------------------------------------------------------------------------------------

    def give_bolts(self, result: Result) -> list[int]:
        """B1, B2, B4, W4: count the bolts of the deal; returns the seats that got one."""
        if self.rules["bolts"] == "off" or result.ending == "written off":
            return []
        active = [seat for seat in self.seats if result.plays(seat)]
        if result.ending == "baptised":
            blank = bolted = [seat for seat in active if seat != result.declarer]
        else:
            self.clear_bolts(seat for seat in active if result.tricks[seat])
            blank = [seat for seat in active if not result.tricks[seat]]
            bolted = [seat for seat in blank if seat != result.declarer or self.rules["declarer_bolts"]]
        weight = self.bolt_weight(result)
        for seat in bolted:
            self.bolts[seat] += weight
        self.fired.update(["B1"] * len(bolted) + ["B3"] * (bool(bolted) and weight == 2) + ["B4"] * (blank != bolted))
        return bolted

    def clear_bolts(self, seats: Iterable[int]) -> None:
        """B2: a deal with a trick clears a count that must be in a row."""
        for seat in seats:
            if self.rules["bolts"] == "consecutive" and self.bolts[seat]:
                self.bolts[seat] = 0
                self.fired["B2"] += 1

    def bolt_weight(self, result: Result) -> int:
        """B3: how often a bolt of this deal counts."""
        doubled = result.blind and self.rules["blind_bolts"] == "count"
        return 2 if doubled or self.golden(result.deal) else 1

    def fine_third_bolts(self, result: Result) -> None:
        """B2, B3: the third bolt costs the fine once, or the blind seat twice; what is over three stays."""
        for seat in [seat for seat in self.seats if self.bolts[seat] >= 3]:
            penalty = result.blind and seat == result.declarer and self.rules["blind_bolts"] == "penalty"
            self.bolts[seat] -= 3
            self.fined[seat] += self.number("fine") * (2 if penalty else 1)
            self.impose(seat, self.number("fine") * (2 if penalty else 1))
            self.fired.update(["B2"] + ["B3"] * penalty)

    def fine_offences(self, result: Result) -> None:
        """N2: every illegal action of the deal costs the fine."""
        for seat in self.seats:
            amount = result.offences[seat] * self.fine(result.deal)
            if amount:
                self.fined[seat] += amount
                self.impose(seat, amount)

    # -- golden deals --------------------------------------------------------------------------------------------------

    def golden_goes_on(self, result: Result) -> bool:
        """G1, G2: whether more golden deals follow; after a round without a contract made all begins at zero."""
        players = len(self.seats)
        self.golden_made[result.declarer] |= result.made
        if result.deal % players < players - 1:
            return True
        if any(self.golden_made):
            self.golden_over = True
            return False
        self.totals[:] = self.bolts[:] = [0 for _ in self.seats]
        self.fired["G2"] += 1
        self.golden_over = self.rules["golden_none_made"] == "zero"
        return not self.golden_over

    # -- the barrel ----------------------------------------------------------------------------------------------------

    def win_from_barrel(self, result: Result) -> list[int]:
        """L3: a sitter who made a contract of at least `needs` wins and leaves the barrel."""
        seat = result.declarer
        if not self.mounted[seat] or not result.made or result.contract < self.needs():
            return []
        self.totals[seat] = self.number("barrel_at") + result.contract
        self.mounted[seat] = 0
        self.winner = seat
        self.fired.update(["L3", "E1"])
        return [seat]

    def jump(self, free: Sequence[int]) -> list[int]:
        """L1: the seats that leap over the barrel, where it may be skipped, and win."""
        far = [seat for seat in free if self.totals[seat] >= self.number("target")]
        return far if self.number("barrel_at") and self.rules["barrel_skippable"] else []

    def use_attempts(self, result: Result) -> None:
        """L4: the deal used up an attempt of every sitter who plays; after the last he falls."""
        for seat in self.seats:
            if self.mounted[seat] and result.plays(seat):
                self.attempts[seat] += 1
                self.fired["L4"] += 1
                if self.attempts[seat] == self.number("barrel_attempts"):
                    self.fall(seat, fine=self.number("fine"))

    def mount(self, free: Sequence[int], result: Result) -> list[int]:
        """L1: seats that were `free` of the barrel sit on it from its total on; returns those who stay."""
        barrel = self.number("barrel_at")
        mounting = [seat for seat in free if barrel and self.totals[seat] >= barrel]
        staying = self.thin(mounting, result)
        for seat in mounting:
            self.totals[seat] = barrel
            self.fired["L1"] += 1
            if seat in staying:
                self.mounted[seat] = result.deal + 1
                self.attempts[seat] = 0
            else:
                self.fall(seat, fine=self.number("fine"))
        return staying

    def thin(self, mounting: list[int], result: Result) -> list[int]:
        """L6: those of the seats mounting at once that stay, by `barrel_tie`, in ascending order."""
        room = self.number("barrel_seats")
        if len(mounting) <= room:
            return mounting
        self.fired["L6"] += 1
        first = sorted(mounting, key=lambda seat: (seat != result.declarer, result.distance(seat)))
        return [] if self.rules["barrel_tie"] == "all_fall" else sorted(first[:room])

    def knock_off(self, result: Result) -> None:
        """L6: the longest sitters fall, ties the furthest clockwise from forehand first, until the others fit."""
        sitters = [seat for seat in self.seats if self.mounted[seat]]
        sitters.sort(key=lambda seat: (self.mounted[seat], -result.distance(seat)))
        for seat in sitters[: max(0, len(sitters) - self.number("barrel_seats"))]:
            self.fired["L6"] += 1
            self.fall(seat, fine=self.number("fine"))

    def fall(self, seat: int, *, fine: int) -> None:
        """L5: the seat leaves the barrel and pays `fine`; its third fall sets the total to zero instead."""
        self.fallen.append(seat)
        self.mounted[seat] = 0
        self.falls[seat] += 1
        self.totals[seat] -= fine
        if self.falls[seat] == self.number("barrel_falls_to_zero"):
            self.falls[seat] = self.totals[seat] = 0
            self.fired["L5"] += 1

    # -- the dump truck, the reverse barrel and the end ----------------------------------------------------------------

    def dump(self) -> list[int]:
        """L8: a total of exactly the dump truck's number, plus or minus, becomes zero."""
        number = self.number("dump_truck")
        dumped = [seat for seat in self.seats if number and abs(self.totals[seat]) == number]
        for seat in dumped:
            self.totals[seat] = 0
        self.fired.update(["L8"] * len(dumped))
        return dumped

    def reverse_barrel(self, result: Result) -> list[int]:
        """L9: who is deep below zero has three deals to rise; returns the seats that sit down or are set back."""
        if not self.number("reverse_barrel"):
            return []
        told: list[int] = []
        for seat in [seat for seat in self.seats if self.totals[seat] > LOST]:
            before = self.reverse[seat]
            if self.totals[seat] > REVERSE_AT:
                self.reverse[seat] = 0
            elif not before:
                self.reverse[seat] = 1
                told.append(seat)
            elif result.plays(seat):
                self.reverse[seat] += 1
            if self.reverse[seat] > REVERSE_DEALS:
                self.totals[seat], self.reverse[seat] = -self.number("reverse_barrel"), 0
                told.append(seat)
            self.fired["L9"] += self.reverse[seat] != before
        return told

    def win_by_target(self, result: Result, jumped: Sequence[int]) -> list[int]:
        """E1, L9: a jump, the target of a game without a barrel or another's ruin wins; the declarer before others."""
        if self.winner is not None:
            return []
        by_target = not self.number("barrel_at")
        able = [seat for seat in self.seats if by_target and self.totals[seat] >= self.number("target")]
        able += jumped
        if self.number("reverse_barrel") and min(self.totals) <= LOST:
            able += [seat for seat in self.seats if self.totals[seat] == max(self.totals)]
            self.fired["L9"] += 1
        if not able:
            return []
        able.sort(key=lambda seat: (seat != result.declarer, -self.totals[seat], result.distance(seat)))
        self.winner = able[0]
        self.fired["E1"] += 1
        return [self.winner]


def shared_stakes(standing: Sequence[tuple[bool, int]], bank: int) -> list[float]:
    """E2, E3: the first place gets the bank, the last pays it; equal places share what their places earn."""
    stakes = [float(bank), *[0.0] * (len(standing) - 2), float(-bank)]
    ranked = sorted(standing, reverse=True)
    places = [[place for place, other in enumerate(ranked) if other == own] for own in standing]
    return [sum(stakes[place] for place in own) / len(own) for own in places]
