"""Whole deals and matches of the reference, and deals that another engine has played."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Unpack

import pytest

from tests import reference_tables
from tests.positions import PROFILES, Trace, cards, dealt, lead, led, traces
from tests.reference import Match
from tests.reference_cards import PACK, card_points
from tests.reference_sheet import Columns
from tests.reference_tables import CORE, QUIET, RULES_IN_SCOPE, Rules
from thousand_env.rules import RuleSet

CLASSIC, ONLINE = reference_tables.CLASSIC | QUIET, reference_tables.ONLINE | QUIET

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
    match = lead(rules, trace["leader"], trace["hands"], contract=contract)
    tricks: list[list[int]] = []
    for legal, action in zip(trace["legal"].split(), trace["plays"].split(), strict=True):
        assert {card[:2] for card in match.legal()} == set(cards(legal))
        before, seats = [card_points(pile) for pile in match.captured], list(match.tricks)
        match.act(action)
        won = [(seat, card_points(match.captured[seat]) - before[seat]) for seat in range(3)]
        tricks += [list(trick) for trick in won if match.tricks[trick[0]] > seats[trick[0]]]
    assert tricks == trace["tricks"]
    return match


@pytest.mark.parametrize("profile", PROFILES)
def test_the_deals_of_another_engine_replay_to_the_same_score(profile: str) -> None:
    rules = RuleSet.parse(PROFILES[profile]).as_dict()
    assert len(traces(profile)) == 100
    for trace in traces(profile):
        for contract, exact, with_rounding in trace["scores"]:
            match = replayed(trace, rules, contract)
            assert [card_points(pile) for pile in match.captured] == trace["captured"]
            assert (match.tricks, match.marriages) == (trace["tricks_won"], trace["marriage_points"])
            assert match.score == exact
            assert replayed(trace, rules | {"round_declarer": True}, contract).score == with_rounding


def random_match(rules: Rules, seed: int, deals: int, **columns: Unpack[Columns]) -> Match:
    """A match of random deals and random actions, with fines of chance, checked after every deal."""
    generator = random.Random(seed)
    match = Match(rules, generator.randrange(int(rules["players"])), **columns)
    while match.deal < deals and match.phase != "over":
        if match.phase == "scored":
            match.next_deal()
        if generator.random() < 0.1:
            match.fine_early(generator.choice([match.dealer, match.clockwise(match.dealer, -1)]))
        match.deal_cards(*random_cards(match, generator))
        while match.turn is not None:
            match.act(random_action(match, generator))
        if match.phase != "deal":
            check_settled(match)
    return match


def random_cards(match: Match, generator: random.Random) -> tuple[list[list[str]], list[str]]:
    """A pack dealt at random: seven or ten cards an active seat, the rest to the talon."""
    pack = generator.sample(PACK, 24)
    each = 10 if len(match.seats) == 2 else 7
    hands = [[pack.pop() for _ in range(each if seat in match.order else 0)] for seat in match.seats]
    return hands, pack


def random_action(match: Match, generator: random.Random) -> str:
    """Any action, more often a declaration, a pass or a declined claim, at some tables also an illegal one."""
    legal = sorted(match.legal())
    if match.rules["enforcement"] == "table" and match.phase == "play" and generator.random() < 0.05:
        return generator.choice(match.hands[match.turn or 0])
    eager = [action for action in legal if action[-1] == "+" or action in ("pass", "noredeal")]
    return generator.choice(eager if eager and generator.random() < 0.7 else legal)


def check_settled(match: Match) -> None:
    """P4, T3, E2 and the barrel's places, which hold at every table."""
    assert all(match.declarer in gift[:2] for seat in match.seats for gift in match.sees(seat)["gifts"])
    if match.contract:
        assert sum(match.points()) == 120 + sum(match.marriages)
        assert sum(match.tricks) == (11 if len(match.seats) == 2 else 8)
        assert not any(match.hands)
    sitters = [seat for seat in match.seats if match.mounted[seat]]
    assert all(match.totals[seat] == match.rules["barrel_at"] for seat in sitters)
    assert len(sitters) <= int(match.rules["barrel_seats"])
    assert sum(match.payoff()) == pytest.approx(0)


EVERYTHING = CORE | {
    "redeal_forehand_nines": "offer", "redeal_low_hand": "force", "redeal_hand_below": 24,
    "redeal_talon_nines": "force", "triple_redeal_fine": True, "negative_auction": "barred", "bonus_card": 9,
    "ace_marriage": True, "golden": True, "golden_none_made": "repeat", "blind": True, "reverse_barrel": 500,
    "baptism": True, "enforcement": "table", "barrel_at": 500, "barrel_skippable": True, "target": 800,
    "dump_truck": 300,
}  # fmt: skip
TABLES: list[tuple[Rules, Sequence[int]]] = [
    (reference_tables.CLASSIC | {"write_off_limit": 1}, (790, 800, 810)),
    (reference_tables.ONLINE | {"barrel_seats": 2, "declarer_bolts": False}, (780, 780, 780)),
    (CORE | {"marriage_first_lead": "always", "barrel_at": 0, "target": 300, "dump_truck": 100}, (0, 0, 0)),
    (CLASSIC | {"max_deals": 5, "round_to": 10, "dump_truck": 550}, (450, 450, 0)),
    (reference_tables.TYSIAC | {"players": 2}, (800, 800)),
    (EVERYTHING, (0, 0, 0)),
    (EVERYTHING | {"players": 2, "golden": False, "redeal_low_hand": "offer"}, (440, -700)),
    (EVERYTHING | {"players": 4, "dealer_scores": "fixed", "golden_none_made": "zero"}, (0, 0, 0, 0)),
    (reference_tables.CLASSIC | {"players": 4, "barrel_auction": "granted", "dealer_scores": "talon"}, (860, 0, 0, 0)),
]
SELDOM = {"R2", "R3", "R4", "R8", "R12", "M6", "M8"}  # stacked packs bring these in the differential run


def test_random_matches_keep_the_books_and_make_nearly_every_rule_bite() -> None:
    fired: Counter[str] = Counter()
    for rules, totals in TABLES:
        for seed in range(10):
            fired += random_match(rules, seed, 12, totals=totals, falls=[2 for _ in totals]).fired
    assert set(fired) <= set(RULES_IN_SCOPE)
    assert set(RULES_IN_SCOPE) - set(fired) <= SELDOM


CHANCE = {"first_dealer", "cut_ceremony", "cut_single_card", "dealer_errors"}  # not the reference's business


class Noting(dict[str, int | bool | str]):
    """Rules that note which of their fields were asked for."""

    asked: set[str]

    def __getitem__(self, field: str) -> int | bool | str:
        self.asked.add(field)
        return super().__getitem__(field)


def test_every_agreement_is_read() -> None:
    asked: set[str] = set()
    for rules, totals in TABLES:
        noting = Noting(rules)
        noting.asked = asked
        for seed in range(6):
            random_match(noting, seed, 8, totals=totals)
    assert set(CORE) - asked == CHANCE
