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

UNBEATABLE_HANDS = [  # and whether they are, hearts led queen first (M6)
    ("hATKQsATKQ", True),
    ("hATKQsATK9", True),  # ace, ten and king draw the queen and the jack
    ("hATKQsAT9dA", False),  # K, Q and J are out and the nine is the third lead
    ("hATKQ9sATK", True),
    ("hATKQJcAsATK", True),
    ("hATKQcAdAsAK", False),  # the ten of spades is out
    ("hATKQsAKQJ", False),  # of T and 9 the ace draws one, the king may meet the ten
    ("hATKQ9sAQJ", False),
    ("hATKQsATQJ", True),  # K and 9 are out: ace and ten draw both
    ("hAKQJ9sATK", False),  # the queen is led first and the ten beats it
    ("hATKQJ9sAT", True),
    ("hKQdAsATcATK", False),
]


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


# What a hundred deals each were played by, and the rules that say the same.
PROFILES = {
    "follow_trump": "core",
    "next_trick": "core trump_from=next_trick",
    "strict": "core must_beat=yes must_overtrump=yes",
    "follow_only": "core must_trump=no",
}


class Trace(TypedDict):
    """A deal another engine played and a third one confirmed.

    `legal` is the set of cards before every ply, `tricks` who won which points, `scores` contract, score, and the score
    where the declarer's points are rounded too.
    """

    id: int
    leader: int
    hands: str
    plays: str
    legal: str
    tricks: list[list[int]]
    captured: list[int]
    tricks_won: list[int]
    marriage_points: list[int]
    scores: list[tuple[int, list[int], list[int]]]


def traces(profile: str) -> list[Trace]:
    """The hundred deals of a profile, marriages declared whenever their queen is led."""
    lines = (DATA / f"traces_{profile}.jsonl").read_text(encoding="ascii").splitlines()
    return [json.loads(line) for line in lines]
