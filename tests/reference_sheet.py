"""The score sheet of the reference: what a finished deal does to a match, written from the rule book alone.

`Sheet.settle` applies one `Result` in the order of K4; `shared_stakes` is what the end of a match pays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypedDict, Unpack

Rules: TypeAlias = Mapping[str, int | bool | str]
Event: TypeAlias = tuple[str, int] | tuple[str, int, int]


@dataclass(frozen=True)
class Result:
    """A finished deal as the score sheet needs it; `score` and `tricks` are by seat."""

    deal: int
    forehand: int
    declarer: int
    contract: int
    score: Sequence[int]
    tricks: Sequence[int]

    def distance(self, seat: int) -> int:
        """S1: how many seats clockwise from forehand."""
        return (seat - self.forehand) % len(self.score)


class Columns(TypedDict, total=False):
    """The columns of a score sheet, by seat; what is left out is zero."""

    totals: Sequence[int]
    bolts: Sequence[int]
    attempts: Sequence[int]
    mounted: Sequence[int]
    falls: Sequence[int]


class Sheet:
    """The score sheet of a match: totals, bolts and the barrel, by seat.

    `mounted` is the number of the deal (from 1) after which a seat mounted the barrel, 0 while it does not sit.
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
        self.fallen: list[int] = []  # in the deal being settled
        self.winner: int | None = None

    def number(self, field: str) -> int:
        """A numeric field of the rules."""
        return int(self.rules[field])

    def needs(self) -> int:
        """L3: the smallest contract that wins from the barrel."""
        return self.number("barrel_needs") or self.number("target") - self.number("barrel_at")

    def settle(self, result: Result) -> list[Event]:
        """K4: apply a finished deal in the order of the book; returns the events in that order."""
        self.fallen = []
        free = [seat for seat in self.seats if not self.mounted[seat]]
        self.add_scores(result)
        events: list[Event] = [("bolt", seat) for seat in self.give_bolts(result)]
        events += [("fine", seat, self.number("fine")) for seat in self.fine_third_bolts()]
        events += [("win", seat) for seat in self.win_from_barrel(result)]
        self.use_attempts()
        mounted = self.mount(free, result)
        self.knock_off(result)
        events += [("fall", seat) for seat in sorted(self.fallen)]
        events += [("barrel", seat) for seat in mounted]
        events += [("dump", seat) for seat in self.dump()]
        events += [("win", seat) for seat in self.win_by_target(result)]
        self.fired.update(["K4"] * (len(events) > 1))
        return events

    def add_scores(self, result: Result) -> None:
        """L2, L4: the deal points go to every seat that is not on the barrel; a sitter's total stands still."""
        for seat in self.seats:
            if not self.mounted[seat]:
                self.totals[seat] += result.score[seat]
            elif result.score[seat]:
                self.fired["L4" if seat == result.declarer else "L2"] += 1

    def give_bolts(self, result: Result) -> list[int]:
        """B1, B2, B4: count the bolts of the deal; returns the seats that got one."""
        if self.rules["bolts"] == "off":
            return []
        cleared = [seat for seat in self.seats if result.tricks[seat] and self.bolts[seat]]
        for seat in cleared if self.rules["bolts"] == "consecutive" else []:
            self.bolts[seat] = 0
            self.fired["B2"] += 1
        blank = [seat for seat in self.seats if not result.tricks[seat]]
        bolted = [seat for seat in blank if seat != result.declarer or self.rules["declarer_bolts"]]
        for seat in bolted:
            self.bolts[seat] += 1
        self.fired.update(["B1"] * len(bolted) + ["B4"] * (blank != bolted))
        return bolted

    def fine_third_bolts(self) -> list[int]:
        """B2, L2: the third bolt costs the fine, and a sitter whom it takes below the barrel his place."""
        fined = [seat for seat in self.seats if self.bolts[seat] >= 3]
        for seat in fined:
            self.bolts[seat] = 0
            self.totals[seat] -= self.number("fine")
            self.fired["B2"] += 1
            if self.mounted[seat] and self.totals[seat] < self.number("barrel_at"):
                self.fired["L2"] += 1
                self.fall(seat, fine=0)
        return fined

    def win_from_barrel(self, result: Result) -> list[int]:
        """L3: a sitter who made a contract of at least `needs` wins and leaves the barrel."""
        seat = result.declarer
        if not self.mounted[seat] or result.score[seat] < self.needs():
            return []
        self.totals[seat] = self.number("barrel_at") + result.contract
        self.mounted[seat] = 0
        self.winner = seat
        self.fired.update(["L3", "E1"])
        return [seat]

    def use_attempts(self) -> None:
        """L4: the deal used up an attempt of every sitter; after the last he falls."""
        for seat in self.seats:
            if self.mounted[seat]:
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

    def dump(self) -> list[int]:
        """L8: a total of exactly the dump truck's number, plus or minus, becomes zero."""
        number = self.number("dump_truck")
        dumped = [seat for seat in self.seats if number and abs(self.totals[seat]) == number]
        for seat in dumped:
            self.totals[seat] = 0
        self.fired.update(["L8"] * len(dumped))
        return dumped

    def win_by_target(self, result: Result) -> list[int]:
        """E1: in a game without a barrel the target wins; among several the declarer, the highest, the first."""
        reached = [seat for seat in self.seats if self.totals[seat] >= self.number("target")]
        if self.number("barrel_at") or not reached:
            return []
        reached.sort(key=lambda seat: (seat != result.declarer, -self.totals[seat], result.distance(seat)))
        self.winner = reached[0]
        self.fired["E1"] += 1
        return [self.winner]


def shared_stakes(standing: Sequence[tuple[bool, int]], bank: int) -> list[float]:
    """E2, E3: the first place gets the bank, the last pays it; equal places share what their places earn."""
    stakes = [float(bank), *[0.0] * (len(standing) - 2), float(-bank)]
    ranked = sorted(standing, reverse=True)
    places = [[place for place, other in enumerate(ranked) if other == own] for own in standing]
    return [sum(stakes[place] for place in own) / len(own) for own in places]
