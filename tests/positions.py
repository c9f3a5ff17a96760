"""Positions for tests: the reference brought to them from a line of text, and deals another engine has played.

A position is `hand/hand/hand talon`, each hand a set of cards such as `hAKQcT9`.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TypedDict, Unpack

from tests.reference import Match
from tests.reference_sheet import Columns, Rules

DATA = Path(__file__).parent / "data"


def cards(text: str) -> list[str]:
    """The cards of a set such as `hAKQcT9`."""
    return [suit + rank for suit, ranks in re.findall("([scdh])([9JQKTA]+)", text) for rank in ranks]


def dealt(rules: Rules, dealer: int, position: str, actions: str = "", **columns: Unpack[Columns]) -> Match:
    """A match in its first deal, `hand/hand/hand talon`, after some actions."""
    hands, talon = position.split()
    match = Match(rules, dealer, **columns)
    match.deal_cards([cards(hand) for hand in hands.split("/")], cards(talon))
    return acted(match, actions)


def lead(rules: Rules, leader: int, hands: str, actions: str = "", contract: int = 100) -> Match:
    """A match that starts at the first lead, after some actions."""
    return acted(Match.from_play(rules, leader, [cards(hand) for hand in hands.split("/")], contract=contract), actions)


def acted(match: Match, actions: str) -> Match:
    for action in actions.split():
        match.act(action)
    return match


def led(match: Match, leads: str) -> Match:
    """One seat leads these cards, the others follow with their first legal card."""
    for card in leads.split():
        acted(match, card)
        while match.trick:
            match.act(min(match.legal()))
    return match


class Trace(TypedDict):
    """A deal another engine played and a third one confirmed; cards are rank and suit."""

    id: int
    leader: int
    hands: list[str]
    plays: str
    legal: list[str]
    tricks: list[list[int]]
    captured: list[int]
    tricks_won: list[int]
    marriage_points: list[int]
    scores: list[tuple[int, list[int], list[int]]]


def turned(text: str) -> str:
    """Cards of a trace in our spelling: `QH+ 9C` is `hQ+ c9`."""
    return re.sub("([9JQKTA])([SCDH])", lambda found: found[2].lower() + found[1], text)


def traces() -> list[Trace]:
    """The hundred deals of another engine under the rules of `core`, marriages declared whenever a queen is led."""
    lines = (DATA / "traces_follow_trump.jsonl").read_text(encoding="ascii").splitlines()
    return [json.loads(line) for line in lines]
