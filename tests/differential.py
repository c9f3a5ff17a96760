"""The engine and the reference play the same matches, and after every action all they say is compared.

`python -m tests.differential --plies 100000 --seed 1` prints how often each rule fired. A match depends on the seed and
on its own number only, so that `--match 17` plays again the one in which the two differed.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn, cast

import numpy as np

from tests.generator import (
    Pack,
    choose,
    random_rights,
    random_rules,
    random_sheet,
    random_style,
    stacked_pack,
    tried,
)
from tests.reference import Match
from tests.reference_facts import (
    Facts,
    Reading,
    cards_in_order,
    engine_facts,
    engine_sight,
    names,
    reference_facts,
    reference_sight,
)
from tests.reference_sheet import Columns
from tests.reference_tables import RULES_IN_SCOPE
from thousand_env import auction, deck, engine
from thousand_env.actions import NUM_ACTIONS, parse_action
from thousand_env.cards import parse_card
from thousand_env.enforcement import try_row
from thousand_env.rules import RuleSet
from thousand_env.state import AGAIN, GOLDEN_OVER, new_states

__all__ = ["Mismatch", "Tally", "Twins", "main", "names", "play_match", "run"]

DEALS_A_MATCH = 6
ENOUGH = 100  # how often every rule must fire
ALL_COLUMNS = ("totals", "bolts", "attempts", "mounted", "falls", "reverse", "write_offs")


class Mismatch(AssertionError):
    """The engine and the reference differ; the text says where, in what, and how to see it again."""


@dataclass
class Tally:
    """What a run has played; `fired` counts by rule id, `tables` by the value of each named choice and switch."""

    matches: int = 0
    deals: int = 0
    plies: int = 0
    fired: Counter[str] = field(default_factory=Counter[str])
    tables: Counter[str] = field(default_factory=Counter[str])

    def seldom(self) -> list[str]:
        """The rules in scope that fired less than `ENOUGH` times."""
        return [rule for rule in RULES_IN_SCOPE if self.fired[rule] < ENOUGH]

    def table(self) -> str:
        """The counts as text, six rules a line."""
        cells = [f"{rule:>3}{self.fired[rule]:9}" for rule in RULES_IN_SCOPE]
        lines = ["  ".join(cells[start : start + 6]) for start in range(0, len(cells), 6)]
        return "\n".join([f"{self.matches} matches, {self.deals} deals, {self.plies} plies; rules fired:", *lines])


class Twins:
    """One match in the engine and in the reference, taken from deal to deal and action to action together."""

    def __init__(self, rules: RuleSet, seed: int, number: int, *, deal: int = 0) -> None:
        self.rules, self.seed, self.number = rules, seed, number
        self.array, self.states = rules.array(), new_states(1)
        engine.start_matches(self.states, self.array, np.array([seed]), np.array([number]))
        self.states["deal"] = deal
        self.reference = Match(rules.as_dict(), int(self.states["dealer"][0]), deal=deal)
        self.record: list[str] = []  # the deal's sheet, pack and actions, for a mismatch
        self.voids: list[set[str]] = []  # the suits each seat has shown to be out of
        self.mask = np.zeros(NUM_ACTIONS, np.int8)
        self.plies = 0
        self.seats = range(rules.players)

    def next_deal(self) -> int:
        """The number of the deal to come."""
        return self.reference.deal + (self.reference.phase == "scored")

    def active(self) -> list[int]:
        """F1: the seats that play the deal to come, from forehand."""
        match = self.reference
        dealer = match.dealer + self.next_deal() - match.deal
        return [match.clockwise(dealer, steps) for steps in range(1, self.rules.active + 1)]

    # -- dealing -------------------------------------------------------------------------------------------------------

    def deal(self, sheet: Columns | None = None, pack: Pack | None = None, *, run: int = 0) -> None:
        """Deal the next deal, on another score sheet, with another pack and after so many redeals where given."""
        match = self.reference
        goes_on = match.phase == "scored"
        if goes_on:
            engine.next_deals(self.states, self.array)
            match.next_deal()
        if sheet or pack or run or not goes_on:
            self.begin_again(self.full_sheet(sheet or {}), pack, run=run)
        place = f"deal {match.deal} dealer {match.dealer} run {run}"
        self.record = [f"sheet {self.full_sheet({})} {place}", f"pack {pack}"]
        if pack:
            match.deal_cards(pack.hands, pack.talon)
        self.follow(1 if pack else 0)
        self.compare()

    def begin_again(self, sheet: Columns, pack: Pack | None, *, run: int) -> None:
        """Begin the deal at hand from its first attempt, on this sheet and perhaps with this pack."""
        state = self.states[0]
        self.write_sheet(sheet)
        state.attempt, state.redeal_run = 0, run
        self.reference.sheet.redeal_run = run
        deck.clear_fines(state)
        if pack:
            self.stack(pack)
        else:
            deck.begin_deal(state, self.array[0])

    def seek_a_third_nine(self) -> None:
        """D2: take this match's next deal from a match in which the cutter shows three nines in a row."""
        others = self.states.copy()
        record, early = others[0], others["early"][0]
        record.deal, record.attempt = self.next_deal(), 0
        for number in range(self.number << 12, (self.number << 12) + 1000):
            early[:], others["match"] = 0, number
            deck.clear_deal(record)
            deck.deal_cut_pack(record, self.array[0])
            if early.any():
                self.states["match"] = number
                return

    def full_sheet(self, sheet: Columns) -> Columns:
        """Every column of the score sheet: those given, and the others as the reference has them."""
        mine = self.reference.sheet
        full: Columns = {
            **{name: list(getattr(mine, name)) for name in ALL_COLUMNS},  # pyright: ignore[reportAssignmentType]
            "baptised": list(mine.baptised),
            "golden_made": list(mine.golden_made),
            "bonuses": [list(used) for used in mine.bonuses],
            "golden_over": mine.golden_over,
        }
        return {**full, **sheet}

    def write_sheet(self, sheet: Columns) -> None:
        """Put a score sheet before both."""
        state, mine = self.states[0], self.reference.sheet
        for name in ALL_COLUMNS:
            column = list(sheet.get(name, []))
            state[name][: len(column)] = column
            getattr(mine, name)[:] = column
        mine.baptised[:], mine.golden_made[:] = sheet.get("baptised", []), sheet.get("golden_made", [])
        mine.bonuses[:] = [list(used) for used in sheet.get("bonuses", [])]
        mine.golden_over = sheet.get("golden_over", False)
        state.baptised = in_bits(mine.baptised)
        state.golden_made = in_bits(mine.golden_made) | GOLDEN_OVER * mine.golden_over
        packed = [hands | suits << 8 | cards << 16 for hands, suits, cards in mine.bonuses]
        state["bonuses"][: len(packed)] = packed

    def stack(self, pack: Pack) -> None:
        """Put a pack into the engine's deal, as its first attempt."""
        state = self.states[0]
        deck.clear_deal(state)
        for seat, hand in enumerate(pack.hands):
            state["hands"][seat] = state["dealt"][seat] = card_set(hand)
        size = 2 if self.rules.players == 2 else 3
        state.talon, state.other_talon = card_set(pack.talon[:size]), card_set(pack.talon[size:])
        state.talon_order = sum(parse_card(card) << 5 * place for place, card in enumerate(pack.talon))
        auction.open_deal(state, self.array[0])
        if state.phase == AGAIN:
            deck.deal_again(state, self.array[0])

    def follow(self, attempt: int) -> None:
        """Take the reference from this attempt at the deal to the one the engine has come to."""
        reached = int(self.states["attempt"][0])
        while self.reference.phase == "deal":
            if attempt > reached:
                self.fail("attempt", reached, f"at least {attempt}")
            self.follow_one(attempt, self.states if attempt == reached else None)
            attempt += 1
        if attempt - 1 != reached and attempt:
            self.fail("attempt", reached, attempt - 1)
        self.voids = [set() for _ in self.reference.seats]

    def follow_one(self, attempt: int, states: Any) -> None:
        """Hand one attempt to the reference: the dealer's error, or the cutter's fine and the cards."""
        match, others = self.reference, self.states.copy()
        record = others[0]
        deck.clear_deal(record)
        record.attempt = attempt
        if self.rules.dealer_errors and deck.dealer_errs(record, self.array[0]):
            match.fine_early(match.dealer)
            return
        if self.rules.cut_ceremony:
            record.early[:] = 0
            deck.deal_cut_pack(record, self.array[0])
            cutter = match.clockwise(match.dealer, -1)
            for _ in range(int(record.early[cutter]) // match.sheet.fine(match.deal)):
                match.fine_early(cutter)
        else:
            deck.deal_pack(record, self.array[0])
        read = Reading(others if states is None else states, self.rules.players)
        hands = [sorted(names(hand)) for hand in read.seats("dealt")]
        match.deal_cards(hands, cards_in_order(read.number("talon_order"), 24 - sum(map(len, hands))))

    # -- acting --------------------------------------------------------------------------------------------------------

    def act(self, action: str) -> None:
        """Take one legal action in both and compare what comes of it."""
        self.record.append(action)
        before = int(self.states["attempt"][0])
        engine.step(self.states, self.array, np.array([parse_action(action)]))
        self.take(action)
        self.compare_after(before)

    def attempt(self, action: str) -> None:
        """N2: try an action that is not legal in both, which take it as another or refuse it alike."""
        self.record.append(f"{action}?")
        before = int(self.states["attempt"][0])
        taken = try_row(self.states[0], self.array[0], parse_action(action), self.mask)
        try:
            self.take(action)
        except ValueError as error:
            if taken:
                self.fail("illegal action", "taken", f"refused: {error}")
        else:
            if not taken:
                self.fail("illegal action", "refused", "taken")
        self.compare_after(before)

    def take(self, action: str) -> None:
        """P2: take an action in the reference; who does not follow is void, and out of trumps if he had to trump."""
        match, seat = self.reference, self.reference.turn or 0
        before, led, trump = set(match.hands[seat]), match.trick[:1], match.trump
        match.act(action)
        laid = {card[0] for card in before - set(match.hands[seat])}
        if led and not laid & {led[0][1][0]}:
            self.voids[seat] |= {led[0][1][0]}
            self.voids[seat] |= {trump} if trump and self.rules.must_trump and trump not in laid else set()

    # -- comparing -----------------------------------------------------------------------------------------------------

    def compare_after(self, attempt: int) -> None:
        """Compare after a ply that began in an attempt at the deal and may have ended it."""
        if self.reference.phase == "deal":
            self.follow(attempt + 1)
        self.compare()

    def compare(self) -> None:
        """Raise `Mismatch` unless both say the same of everything."""
        self.plies += 1
        mine = engine_facts(self.states, self.array, self.rules)
        self.compare_facts(mine, reference_facts(self.reference, self.voids))
        seat = self.plies % len(self.seats)  # one seat a ply: it takes long
        sight, other = engine_sight(self.states, self.array, seat), reference_sight(self.reference, seat)
        if sight != other:
            self.fail(f"sight of seat {seat}", sight, other)

    def compare_facts(self, mine: Facts, theirs: Facts) -> None:
        """Raise `Mismatch` at the first fact that differs."""
        if mine == theirs:
            return
        for name, fact in mine.items():
            other = theirs[name]
            if fact != other:
                self.fail(name, *((named(fact), named(other)) if name in ("hands", "captured") else (fact, other)))

    def fail(self, name: str, mine: object, theirs: object) -> NoReturn:
        """Raise `Mismatch`."""
        found = f"{name}: the engine says {mine}, the reference {theirs}"
        again = f"again: python -m tests.differential --seed {self.seed} --match {self.number}"
        actions = f"actions {' '.join(self.record[2:])}"
        raise Mismatch("\n".join([found, f"rules {self.rules}", *self.record[:2], actions, again]))


def named(sets: object) -> list[list[str]]:
    """Sets of cards as text."""
    return [sorted(names(cards)) for cards in cast(list[int], sets)]


def card_set(cards: Iterable[str]) -> int:
    """A set of cards as the engine keeps it."""
    return sum(1 << parse_card(card) for card in cards)


def in_bits(column: Sequence[int]) -> int:
    """A column of zeros and ones as a set of seats."""
    return sum(1 << seat for seat, value in enumerate(column) if value)


# -- runs --------------------------------------------------------------------------------------------------------------


def play_match(seed: int, number: int, tally: Tally) -> None:
    """Play one random match of up to `DEALS_A_MATCH` deals in both, most deals on a score sheet drawn anew."""
    rng = random.Random(f"match {number} of seed {seed}")
    rules = random_rules(rng)
    twins = Twins(rules, seed, number, deal=rng.choice([0, 0, 0, 2, 6]))
    match = twins.reference
    for _ in range(DEALS_A_MATCH):
        play_deal(rng, twins)
        tally.deals += 1
        if match.phase == "over":
            break
    tally.matches += 1
    tally.plies += twins.plies
    tally.fired += match.fired
    tally.tables.update(f"{name}={value}" for name, value in rules.as_dict().items() if isinstance(value, (bool, str)))


def play_deal(rng: random.Random, twins: Twins) -> None:
    """Deal and play one deal, on a sheet, with a pack and in a style of its own."""
    rules, match, deal = twins.rules, twins.reference, twins.next_deal()
    sheet: Columns | None = None
    if rng.random() < 0.85 or (deal and match.phase == "deal"):
        sheet = random_sheet(rng, rules, deal)
        sheet = {**sheet, **random_rights(rng, rules, deal, sheet)}
    active = twins.active()
    sitters = [seat for seat in active if (sheet or {}).get("mounted", match.mounted)[seat]]
    pack = stacked_pack(rng, rules, active, rng.choice([*active, *sitters]))
    style = random_style(rng, rules, pack)
    if rules.cut_ceremony and not pack and rng.random() < 0.3:
        twins.seek_a_third_nine()
    twins.deal(sheet, pack, run=2 if pack and pack.claimable and rng.random() < 0.5 else 0)
    while match.turn is not None:
        illegal = tried(rng, match) if rng.random() < style.cheats else None
        if illegal:
            twins.attempt(illegal)
        else:
            twins.act(choose(rng, match, style))


def run(seed: int, plies: int) -> Tally:
    """Play matches until so many plies are compared; raises `Mismatch` at the first difference."""
    tally = Tally()
    while tally.plies < plies:
        play_match(seed, tally.matches, tally)
    return tally


def main() -> None:
    """Run from the command line and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plies", type=int, default=100_000, help="how many plies to compare")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--match", type=int, help="play this match of the seed only")
    arguments = parser.parse_args()
    if arguments.match is None:
        tally = run(arguments.seed, arguments.plies)
    else:
        tally = Tally()
        play_match(arguments.seed, arguments.match, tally)
    print(tally.table())
    if arguments.match is None and tally.seldom():
        raise SystemExit(f"fired less than {ENOUGH} times: {', '.join(tally.seldom())}")


if __name__ == "__main__":
    main()
