"""Whole deals and matches of the reference, and deals that another engine has played."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Unpack

import pytest

from tests.positions import Trace, dealt, lead, led, traces, turned
from tests.reference import CLASSIC, CORE, ONLINE, PACK, RULES_IN_SCOPE, Match, card_points
from tests.reference_sheet import Columns, Rules

SAFE = "hATKQsATK/hJ9sJ9cATK/cQJdATKQJ sQc9d9"  # seat 0 wins every trick


@pytest.mark.parametrize(
    ("rules", "bid", "leads", "total"),
    [
        (ONLINE, "120", "hA hT hK hQ sA sT sK sQ", 1000),
        (CLASSIC, "125", "hQ+ hA hT hK sA sT sK sQ", 1005),
    ],
)
def test_a_sitter_with_an_unbeatable_hand_wins_the_match(rules: Rules, bid: str, leads: str, total: int) -> None:
    columns: Columns = {"totals": (880, 300, 200), "mounted": (1, 0, 0), "attempts": (2, 0, 0)}
    match = led(dealt(rules, 2, SAFE, f"{bid} pass pass c9 d9 pass", **columns), leads)
    assert (match.phase, match.winner, match.totals) == ("over", 0, [total, 300, 200])
    assert match.events == [("bolt", 1), ("bolt", 2), ("win", 0)]
    assert match.payoff() == [1, 0, -1]
    assert match.legal() == set()


def test_the_winner_is_paid_whatever_the_other_totals() -> None:
    rules = CLASSIC | {"barrel_at": 0, "target": 300}
    match = dealt(rules, 2, SAFE, "125 pass pass c9 d9 pass", totals=(200, 400, 350))
    led(match, "hQ+ hA hT hK sA sT sK sQ")
    assert (match.totals, match.winner, match.payoff()) == ([325, 400, 350], 0, [1, 0, -1])


@pytest.mark.parametrize(("mounted", "truncated"), [((0, 0, 0), True), ((1, 0, 0), False)])
def test_the_last_deal_truncates_the_match_unless_it_is_won(mounted: Sequence[int], truncated: bool) -> None:
    rules = CLASSIC | {"max_deals": 1}
    match = led(dealt(rules, 2, SAFE, "125 pass pass c9 d9 pass", mounted=mounted), "hQ+ hA hT hK sA sT sK sQ")
    assert (match.phase, match.truncated, match.winner) == ("over", truncated, None if truncated else 0)
    assert match.payoff() == [1, -0.5, -0.5]


def replayed(trace: Trace, rules: Rules, contract: int) -> Match:
    """Play the deal, comparing the legal cards before and the tricks after every ply."""
    hands = [turned(hand).split() for hand in trace["hands"]]
    match = Match.from_play(rules, trace["leader"], hands, contract=contract)
    tricks: list[list[int]] = []
    for legal, action in zip(trace["legal"], turned(trace["plays"]).split(), strict=True):
        assert {card[:2] for card in match.legal()} == set(turned(legal).split())
        before, seats = [card_points(pile) for pile in match.captured], list(match.tricks)
        match.act(action)
        won = [(seat, card_points(match.captured[seat]) - before[seat]) for seat in range(3)]
        tricks += [list(trick) for trick in won if match.tricks[trick[0]] > seats[trick[0]]]
    assert tricks == trace["tricks"]
    return match


def test_the_deals_of_another_engine_replay_to_the_same_score() -> None:
    assert len(traces()) == 100
    for trace in traces():
        for contract, exact, with_rounding in trace["scores"]:
            match = replayed(trace, CORE, contract)
            assert [card_points(pile) for pile in match.captured] == trace["captured"]
            assert (match.tricks, match.marriages) == (trace["tricks_won"], trace["marriage_points"])
            assert match.score == exact
            assert replayed(trace, CORE | {"round_declarer": True}, contract).score == with_rounding


def random_match(rules: Rules, seed: int, deals: int, **columns: Unpack[Columns]) -> Match:
    """A match of random deals and random actions, checked after every deal."""
    generator = random.Random(seed)
    match = Match(rules, generator.randrange(3), **columns)
    for _ in range(deals):
        pack = generator.sample(PACK, 24)
        match.deal_cards([pack[:7], pack[7:14], pack[14:21]], pack[21:])
        while match.turn is not None:
            eager = [action for action in sorted(match.legal()) if action[-1] == "+" or action == "pass"]
            legal = eager if eager and generator.random() < 0.7 else sorted(match.legal())
            match.act(generator.choice(legal))
        check_settled(match)
        if match.phase == "over":
            break
        match.next_deal()
    return match


def check_settled(match: Match) -> None:
    assert sum(match.points()) == 120 + sum(match.marriages)
    assert sum(match.tricks) == 8
    assert not any(match.hands)
    sitters = [seat for seat in range(3) if match.mounted[seat]]
    assert all(match.totals[seat] == match.rules["barrel_at"] for seat in sitters)
    assert len(sitters) <= int(match.rules["barrel_seats"])
    assert sum(match.payoff()) == 0


def test_random_matches_keep_the_books_and_make_every_rule_bite() -> None:
    fired: Counter[str] = Counter()
    matches = [
        (CLASSIC, (790, 800, 810)),
        (ONLINE | {"barrel_seats": 2, "declarer_bolts": False}, (780, 780, 780)),
        (CORE | {"marriage_first_lead": "always", "barrel_at": 0, "target": 300, "dump_truck": 100}, (0, 0, 0)),
        (CLASSIC | {"max_deals": 5, "round_to": 10, "dump_truck": 550}, (450, 450, 0)),
    ]
    for rules, totals in matches:
        for seed in range(8):
            fired += random_match(rules, seed, 12, totals=totals, falls=(2, 1, 2)).fired
    fired += lead(CLASSIC, 0, "hATKQsATKQ/hJ9sJ9cATKQ/cJ9dATKQJ9", "hQ+").fired
    assert [rule for rule in RULES_IN_SCOPE if not fired[rule]] == []
    assert set(fired) == set(RULES_IN_SCOPE)
