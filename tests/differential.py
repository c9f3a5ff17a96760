"""The engine and the reference play the same matches, and after every action all they say is compared.

`python -m tests.differential --plies 100000 --seed 1` prints how often each rule fired. A match depends on the seed and
on its own number only, so that `--match 17` plays again the one in which the two differed.
"""

from __future__ import annotations

import argparse
import functools
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.generator import Pack, choose, random_rules, random_sheet, random_style, stacked_pack
from tests.reference import RULES_IN_SCOPE, SUITS, Event, Match
from tests.reference_sheet import Columns
from thousand_env import deck, engine, view
from thousand_env.actions import ACTION_TEXTS, parse_action
from thousand_env.cards import NUM_CARDS, card_name, parse_card
from thousand_env.rules import RuleSet
from thousand_env.state import AUCTION, EVENT_WORDS, NONE, OVER, PHASE_NAMES, SCORED, new_states

DEALS_A_MATCH = 6
ENOUGH = 100  # how often every rule must fire

SHEET = ("totals", "bolts", "mounted", "attempts", "falls")


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

    def __init__(self, rules: RuleSet, seed: int, number: int) -> None:
        self.rules, self.seed, self.number = rules, seed, number
        self.array, self.states = rules.array(), new_states(1)
        self.seats = np.arange(rules.players)
        engine.start_matches(self.states, self.array, np.array([seed]), np.array([number]))
        self.reference = Match(rules.as_dict(), int(self.states["dealer"][0]))
        self.record: list[str] = []  # the deal's sheet, pack and actions, for a mismatch
        self.voids: list[set[str]] = []  # the suits each seat has shown to be out of

    # -- moving both ---------------------------------------------------------------------------------------------------

    def deal(self, sheet: Columns | None = None, pack: Pack | None = None) -> None:
        """Deal the next deal, on another score sheet and with another pack where they are given."""
        if sheet:
            self.write_sheet(sheet)
        if self.states["phase"][0] == SCORED:
            engine.next_deals(self.states, self.array)
            self.reference.next_deal()
        else:
            deck.begin_deal(self.states[0], self.array[0])
        if pack:
            self.stack(pack)
        hands = [sorted(names(hand)) for hand in self.states["dealt"][0].tolist()[: self.rules.players]]
        talon = sorted(names(int(self.states["talon"][0])))
        self.record = [f"sheet {dict(sheet or {})}", f"dealt {hands} {talon} dealer {self.reference.dealer}"]
        self.reference.deal_cards(hands, talon)
        self.voids = [set() for _ in self.seats]
        self.compare()

    def write_sheet(self, sheet: Columns) -> None:
        """Put a score sheet before both."""
        columns: dict[str, Any] = dict(sheet)
        for name, column in columns.items():
            self.states[name][0, : len(column)] = column
            getattr(self.reference, name)[:] = column

    def stack(self, pack: Pack) -> None:
        """Put a pack into the engine's deal: seven cards to its holder, three to the talon, the rest to the others."""
        cards = [parse_card(name) for name in pack.cards]
        for place, start in enumerate((0, 10, 17)):
            hand = sum(1 << card for card in cards[start : start + 7])
            other = (pack.holder + place) % self.rules.players
            self.states["hands"][0, other] = self.states["dealt"][0, other] = hand
        self.states["talon"] = sum(1 << card for card in cards[7:10])
        self.states["talon_order"] = sum(card << 5 * place for place, card in enumerate(cards[7:10]))

    def act(self, action: str) -> None:
        """Take one action in both and compare what comes of it."""
        self.record.append(action)
        self.note_voids(action)
        engine.step(self.states, self.array, np.array([parse_action(action)]))
        self.reference.act(action)
        self.compare()

    def note_voids(self, action: str) -> None:
        """P2: who does not follow has none of the suit led, and no trump either if it does not trump."""
        match, suit = self.reference, action[0]
        if match.turn is None or not match.trick or suit == match.trick[0][1][0]:
            return
        self.voids[match.turn] |= {match.trick[0][1][0]} | ({match.trump} if match.trump not in (None, suit) else set())

    # -- comparing -----------------------------------------------------------------------------------------------------

    def compare(self) -> None:
        """Raise `Mismatch` unless both say the same of everything."""
        mine, theirs = self.engine_facts(), self.reference_facts()
        for name, fact in mine.items():
            if fact != theirs[name]:
                found = f"{name}: the engine says {fact}, the reference {theirs[name]}"
                again = f"again: python -m tests.differential --seed {self.seed} --match {self.number}"
                actions = f"actions {' '.join(self.record[2:])}"
                raise Mismatch("\n".join([found, f"rules {self.rules}", *self.record[:2], actions, again]))

    def engine_facts(self) -> dict[str, object]:
        """What the engine says of the match, in the words of the reference."""
        states, players = self.states, self.rules.players
        sheet = {name: states[name][0].tolist()[:players] for name in (*SHEET, "score", "tricks", "marriages")}
        phase, winner = int(states["phase"][0]), someone(states["winner"][0])
        legal = np.flatnonzero(engine.legal_actions(states, self.array)[0]).tolist()
        voids: list[int] = states["voids"][0].tolist()[:players]
        stakes = engine.payoffs(states, self.array)[0].tolist() if phase == OVER else [0] * players
        return {
            "phase": PHASE_NAMES[phase],
            "turn": someone(states["turn"][0]),
            "legal actions": {ACTION_TEXTS[action] for action in legal},
            "deal": (int(states["deal"][0]), int(states["dealer"][0])),
            "bid": int(states["bid"][0]),
            "declarer": someone(states["declarer"][0]) if phase > AUCTION else None,
            "contract": int(states["contract"][0]),
            "trump": None if states["trump"][0] == NONE else SUITS[states["trump"][0]],
            "hands": [names(hand) for hand in states["hands"][0].tolist()[:players]],
            "captured": [names(pile) for pile in states["captured"][0].tolist()[:players]],
            "voids": [{letter for bit, letter in enumerate(SUITS) if void >> bit & 1} for void in voids],
            "points": engine.deal_score(states, self.array)[0].tolist(),
            "sheet": sheet | {"attempts": while_mounted(sheet["attempts"], sheet["mounted"])},
            "events": self.engine_events() if phase >= SCORED else [],
            "winner": winner,
            "truncated": phase == OVER and winner is None,
            "payoff": rounded_stakes(stakes),
            "sight": self.engine_sight(),
        }

    def reference_facts(self) -> dict[str, object]:
        """The same facts as the reference has them."""
        match = self.reference
        sheet: dict[str, list[int]] = {name: list(getattr(match, name)) for name in (*SHEET, "score", "tricks")}
        sheet["marriages"] = list(match.marriages)
        done = match.phase in ("scored", "over")
        return {
            "phase": match.phase,
            "turn": match.turn,
            "legal actions": match.legal(),
            "deal": (match.deal, match.dealer),
            "bid": match.bid,
            "declarer": match.declarer,
            "contract": match.contract if match.phase in ("play", "scored", "over") else 0,
            "trump": match.trump,
            "hands": [set(hand) for hand in match.hands],
            "captured": [set(pile) for pile in match.captured],
            "voids": self.voids,
            "points": match.points(),
            "sheet": sheet | {"attempts": while_mounted(sheet["attempts"], sheet["mounted"])},
            "events": match.events if done else [],
            "winner": match.winner,
            "truncated": match.truncated,
            "payoff": rounded_stakes(match.payoff()),
            "sight": [reference_sight(match, seat) for seat in match.seats],
        }

    def engine_events(self) -> list[Event]:
        """The events of the deal in the order of K4: kind by kind, within a kind seat by seat."""
        by_seat, fine = self.states["events"][0].tolist(), self.rules.fine
        return [
            (word, seat, fine) if word == "fine" else (word, seat)
            for bit, word in enumerate(EVENT_WORDS)
            for seat in range(self.rules.players)
            if by_seat[seat] >> bit & 1
        ]

    def engine_sight(self) -> list[object]:
        """What the keyhole shows each seat of the hidden cards."""
        players = self.rules.players
        looks = view.look(np.repeat(self.states, players), self.array, self.seats)
        declarer = int(self.states["declarer"][0])
        hands, talons, held = looks["hand"].tolist(), looks["talon"].tolist(), looks["held"].tolist()
        sight: list[object] = []
        for seat in range(players):
            gifts = looks["gifts"][seat].tolist()
            around = [(declarer + distance) % players for distance in range(1, players)]
            cards = [(declarer, other, gifts[(other - seat) % players]) for other in around]
            known = [names(held[seat][(other - seat) % players]) for other in range(players)]
            sight.append(
                {
                    "hand": names(hands[seat]),
                    "talon": names(talons[seat]),
                    "gifts": [(giver, other, card_name(card)) for giver, other, card in cards if card != NONE],
                    "held": known,
                }
            )
        return sight


def reference_sight(match: Match, seat: int) -> object:
    """What a seat knows of the hidden cards: own hand, talon, gifts, and which cards it can place in a hand."""
    sight = match.sees(seat)
    hand, talon, gifts = set(sight["hand"]), set(sight["talon"]), sight["gifts"]
    held: list[set[str]] = [set() for _ in match.seats]
    for _, receiver, card in gifts:
        held[receiver].add(card)
    if match.declarer is not None and len(gifts) == len(match.gifts):
        held[match.declarer] = talon - {card for _, _, card in gifts}
    for declaring, suit in match.declared:
        held[declaring].add(suit + "K")
    held = [cards & set(match.hands[other]) for other, cards in enumerate(held)]
    held[seat] = hand
    return {"hand": hand, "talon": talon, "gifts": gifts, "held": held}


@functools.lru_cache(maxsize=4096)
def names(cards: int) -> frozenset[str]:
    """The names of a set of cards."""
    return frozenset(card_name(card) for card in range(NUM_CARDS) if cards >> card & 1)


def someone(seat: int) -> int | None:
    """A seat of the engine, None for nobody."""
    return None if seat == NONE else int(seat)


def while_mounted(attempts: Sequence[int], mounted: Sequence[int]) -> list[int]:
    """The attempts of the seats on the barrel; of others the count means nothing."""
    return [used if sits else 0 for used, sits in zip(attempts, mounted, strict=True)]


def rounded_stakes(stakes: Sequence[float]) -> list[float]:
    """Stakes without the last bits, in which a share of a third may differ; zero has no sign."""
    return [round(stake, 6) + 0.0 for stake in stakes]


# -- runs --------------------------------------------------------------------------------------------------------------


def play_match(seed: int, number: int, tally: Tally) -> None:
    """Play one random match of up to `DEALS_A_MATCH` deals in both, most deals on a score sheet drawn anew."""
    rng = random.Random(f"match {number} of seed {seed}")
    rules = random_rules(rng)
    twins = Twins(rules, seed, number)
    match = twins.reference
    for deal in range(DEALS_A_MATCH):
        sheet = random_sheet(rng, rules, deal) if rng.random() < 0.85 else None
        sitters = [seat for seat in match.seats if (sheet or {}).get("mounted", match.mounted)[seat]]
        pack = stacked_pack(rng, rules, rng.choice([*match.seats, *sitters]))
        twins.deal(sheet, pack)
        style = random_style(rng, pack)
        while match.turn is not None:
            twins.act(choose(rng, match, style))
            tally.plies += 1
        tally.deals += 1
        if match.phase == "over":
            break
    tally.matches += 1
    tally.fired += match.fired
    tally.tables.update(f"{name}={value}" for name, value in rules.as_dict().items() if isinstance(value, (bool, str)))


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
