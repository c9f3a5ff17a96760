"""Perft: how many sequences of legal actions lead on from a position, as chess programs count them.

A line of `perft/*.txt` is the rules, the address of the deal (seed#match/deal.attempt), the actions that lead to the
position, and the counts: `core 7#0/0.0 100 pass pass ;D1 10 ;D2 90`. A sequence that ends the deal counts once.
`python -m tests.perft_counts` counts every line again with the engine and writes the files anew.
"""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.reference import Match
from tests.reference_facts import cards_in_order, names
from thousand_env import deck, engine
from thousand_env.actions import parse_action
from thousand_env.rules import RuleSet
from thousand_env.state import check_state, new_states

FOLDER = Path(__file__).parent / "perft"


@dataclass(frozen=True)
class Line:
    """A line of a perft file; `counts` maps depths to counts."""

    rules: RuleSet
    address: tuple[int, int, int, int]
    actions: tuple[str, ...]
    counts: dict[int, int]

    @classmethod
    def parse(cls, text: str) -> Line:
        """Read a line."""
        found = re.fullmatch(r"(.+?) (\d+)#(\d+)/(\d+)\.(\d+)((?: [^ ;]+)*)((?: ;D\d+ \d+)*)", text)
        assert found, f"perft line {text!r}: expected rules seed#match/deal.attempt actions ;D1 count ..."
        rules, seed, match, deal, attempt, actions, counts = found.groups()
        depths = {int(depth): int(count) for depth, count in re.findall(r"D(\d+) (\d+)", counts)}
        address = (int(seed), int(match), int(deal), int(attempt))
        return cls(RuleSet.parse(rules), address, tuple(actions.split()), depths)

    def __str__(self) -> str:
        seed, match, deal, attempt = self.address
        counts = [f";D{depth} {count}" for depth, count in self.counts.items()]
        return " ".join([str(self.rules), f"{seed}#{match}/{deal}.{attempt}", *self.actions, *counts])

    def at_rest(self) -> NDArray[Any]:
        """The match at the address in the engine, a batch of one, before the cards are dealt."""
        states, rules = new_states(1), self.rules.array()
        seed, match, deal, attempt = self.address
        engine.start_matches(states, rules, np.array([seed]), np.array([match]))
        states["dealer"] = (states["dealer"] + deal) % self.rules.players
        states["deal"], states["attempt"] = deal, attempt
        return states

    def states(self) -> NDArray[Any]:
        """The position in the engine, a batch of one."""
        states, rules = self.at_rest(), self.rules.array()
        deck.begin_deal(states[0], rules[0])
        for action in self.actions:
            number = parse_action(action)
            assert engine.legal_actions(states, rules)[0, number], f"perft line {self}: {action} is not legal"
            engine.step(states, rules, np.array([number]))
        check_state(states[0], rules)
        return states

    def reference(self) -> AddressedMatch:
        """The position in the reference."""
        match = AddressedMatch(self)
        for action in self.actions:
            match.act(action)
        return match

    def counted(self, depth: int) -> int:
        """The engine's count."""
        return engine.perft(self.states(), self.rules.array(), depth)


class AddressedMatch(Match):
    """A match of the reference that is given the cards the engine deals at an address, and after a redeal the next."""

    def __init__(self, line: Line) -> None:
        self.address, self.table = line.at_rest(), line.rules.array()
        super().__init__(line.rules.as_dict(), int(self.address["dealer"][0]), deal=line.address[2])
        self.take_pack()

    def act(self, action: str) -> None:
        super().act(action)
        self.take_pack()

    def take_pack(self) -> None:
        """Deal, again while a hand forces it."""
        state = self.address[0]
        while self.phase == "deal":
            deck.deal_pack(state, self.table[0])
            hands = [sorted(names(hand)) for hand in state.dealt.tolist()[: len(self.seats)]]
            talon = cards_in_order(int(state.talon_order), 24 - sum(map(len, hands)))
            self.deal_cards(hands, talon)
            state.attempt += 1


def reference_perft(match: Match, depth: int) -> int:
    """The reference's count."""
    if depth == 0 or match.turn is None:
        return 1
    legal = match.legal()
    if depth == 1:
        return len(legal)
    total = 0
    for action in legal:
        child = copy.deepcopy(match)
        child.act(action)
        total += reference_perft(child, depth - 1)
    return total


def read(name: str) -> list[Line]:
    """The lines of a perft file."""
    lines = (FOLDER / name).read_text(encoding="ascii").splitlines()
    return [Line.parse(line) for line in lines if line and not line.startswith(";")]


def rewrite(path: Path) -> None:
    """Count every line of a file again; comments stay."""
    lines = path.read_text(encoding="ascii").splitlines()
    for number, text in enumerate(lines):
        if text and not text.startswith(";"):
            line = Line.parse(text)
            counts = {depth: line.counted(depth) for depth in line.counts}
            lines[number] = str(Line(line.rules, line.address, line.actions, counts))
    path.write_text("\n".join(lines) + "\n", encoding="ascii")


if __name__ == "__main__":
    for file in sorted(FOLDER.glob("*.txt")):
        rewrite(file)
