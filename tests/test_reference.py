"""The reference itself, proved on cases worked by hand and on deals played by another engine."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict, Unpack

import pytest

from tests.reference import (
    CLASSIC,
    CORE,
    MARRIAGE_POINTS,
    ONLINE,
    PACK,
    Columns,
    Event,
    Match,
    Result,
    Rules,
    Sheet,
    bid_cap,
    card_points,
    declarer_score,
    playable,
    rounded,
    shared_stakes,
    trick_winner,
    unbeatable,
)

TRACES = Path(__file__).parent / "data" / "traces_follow_trump.jsonl"
IN_SCOPE = [
    "C1", "C2", "C3", "S1", "S2", "D1", "A1", "A2", "A3", "A4", "T1", "T2", "T3", "T4", "P1", "P2", "P3", "P4",
    "M1", "M2", "M3", "M4", "M5", "M6", "M8", "K1", "K2", "K3", "K4", "B1", "B2", "B4",
    "L1", "L2", "L3", "L4", "L5", "L6", "L8", "E1", "E2", "E3",
]  # fmt: skip


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


# -- cards, bids and tricks -------------------------------------------------------------------------------------------


def test_a_suit_is_worth_30_points_and_the_pack_120() -> None:
    assert card_points(cards("cATKQJ9")) == 30
    assert card_points(PACK) == 120
    assert len(set(PACK)) == 24


def test_marriages_are_worth_40_60_80_and_100() -> None:
    assert [MARRIAGE_POINTS[suit] for suit in "scdh"] == [40, 60, 80, 100]


@pytest.mark.parametrize(
    ("trick", "trump", "winner"),
    [
        ("cA c9 hA", None, 0), ("cA h9 cK", "h", 1), ("hA s9 hK", "s", 1), ("hA s9 hK", None, 0),
        ("cT h9 cA", "h", 1), ("cT h9 cA", "c", 2), ("cQ cJ cA", "c", 2), ("cK cA cT", None, 1),
        ("cK cA h9", "h", 2), ("cK hQ h9", "h", 1), ("sJ cA hT", "d", 0), ("h9 hK hA", None, 2),
        ("hA h9 dA", None, 0), ("hK h9 d9", None, 0), ("s9 d9 h9", None, 0), ("dQ dT", None, 1), ("sK sT", None, 1),
    ],
)  # fmt: skip
def test_the_highest_trump_or_else_the_highest_card_of_the_suit_led_wins(
    trick: str, trump: str | None, winner: int
) -> None:
    assert trick_winner(trick.split(), trump) == winner


@pytest.mark.parametrize(
    ("hand", "trick", "trump", "legal"),
    [
        ("c9KhAsT", "cA", None, "c9K"), ("sKdQ", "hA", "s", "sK"), ("h9s9", "hA", None, "h9"),
        ("d9s9", "hA", "s", "s9"), ("hAs9", "hK", "h", "hA"), ("sTd9hQsQcA", "sA", "h", "sTQ"),
        ("sTd9hQsQ", "cA", "h", "hQ"), ("sTd9sQ", "cA", "h", "sTd9sQ"), ("sTd9sQcT", "cA", "c", "cT"),
        ("cJdAh9", "dQ", "h", "dA"), ("cJdAh9", "sQ", "h", "h9"), ("cJdAh9", "sK", None, "cJdAh9"),
        ("c9AhA", "cK h9", "h", "c9A"), ("hQ9cT", "sJ", "h", "h9Q"), ("dAh9sT", "dQ", "d", "dA"),
        ("c9TQKAd9TQKAh9TQKA", "sJ s9", "h", "h9TQKA"), ("c9QKTd9QKT", "dJ dA", "d", "d9QKT"),
        ("d9h9", "dJ", None, "d9"), ("dQK", "dJ", None, "dQK"), ("c9d9", "dJ", "c", "d9"),
        ("hKQd9JQKcKT", "hT", None, "hKQ"), ("h9JQKAdAsTA", "hT dK", "d", "h9JQKA"),
        ("dQKTAcQKs9J", "h9", "d", "dQKTA"), ("d9JQcAsQKTA", "h9 dA", "d", "d9JQ"),
    ],
)  # fmt: skip
def test_a_seat_follows_suit_or_else_trumps_or_else_plays_anything(
    hand: str, trick: str, trump: str | None, legal: str
) -> None:
    assert playable(cards(hand), trick.split(), trump) == set(cards(legal))


@pytest.mark.parametrize(
    ("hand", "cap"),
    [
        ("h9dA", 120), ("sKQ", 160), ("cKQ", 180), ("dKQ", 200), ("hKQ", 220), ("sKQcKQ", 220), ("hKQsKQ", 260),
        ("hKsQ", 120), ("hQdQsKcQ", 120), ("hQdQsKAcKQ", 180), ("hQdQsKAcKdK", 200), ("hQdQsKAhKcQ", 220),
        ("hQdQKsAhKcQ", 300), ("sKQcKQdKQhKQ", 400),
    ],
)  # fmt: skip
def test_the_cap_is_120_and_the_marriages_held(hand: str, cap: int) -> None:
    assert bid_cap(cards(hand)) == cap


@pytest.mark.parametrize(
    ("points", "five", "ten"),
    [
        (10, 10, 10), (11, 10, 10), (12, 10, 10), (13, 15, 10), (15, 15, 20), (16, 15, 20), (17, 15, 20), (18, 20, 20),
        (19, 20, 20), (22, 20, 20), (23, 25, 20), (27, 25, 30), (67, 65, 70), (70, 70, 70), (73, 75, 70), (120,) * 3,
    ],
)  # fmt: skip
def test_points_round_to_the_nearest_step_halves_up(points: int, five: int, ten: int) -> None:
    assert (rounded(points, 5), rounded(points, 10)) == (five, ten)


@pytest.mark.parametrize(
    ("points", "contract", "exact", "rounding"),
    [
        (163, 120, 120, 120), (129, 130, -130, 130), (98, 100, -100, 100), (97, 100, -100, -100), (110, 100, 100, 100),
        (104, 105, -105, 105), (173, 120, 120, 120), (50, 120, -120, -120), (169, 170, -170, 170), (140, 140, 140, 140),
        (220, 130, 130, 130),
    ],
)  # fmt: skip
def test_the_declarer_scores_the_contract_or_loses_it(points: int, contract: int, exact: int, rounding: int) -> None:
    assert declarer_score(points, contract, CLASSIC) == exact
    assert declarer_score(points, contract, CLASSIC | {"round_declarer": True}) == rounding


@pytest.mark.parametrize(
    ("hand", "holds"),
    [
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
    ],
)
def test_an_unbeatable_hand_wins_every_trick(hand: str, holds: bool) -> None:
    assert unbeatable(cards(hand), "h") == holds


def test_unbeatable_hands_beat_random_defenders() -> None:
    generator = random.Random(6)
    hands = (cards("hATKQ") + generator.sample([c for c in PACK if c not in cards("hATKQ")], 4) for _ in range(3000))
    for hand in [hand for hand in hands if unbeatable(hand, "h")]:
        rest = generator.sample([card for card in PACK if card not in hand], 16)
        match = Match.from_play(CLASSIC, 0, [hand, rest[:8], rest[8:]])
        leads = sorted(hand, key=lambda card: (card != "hQ", card[0] != "h", card[0], -"9JQKTA".index(card[1])))
        for card in ["hQ+", *leads[1:]]:
            match.act(card)
            while match.trick:
                match.act(generator.choice(sorted(match.legal())))
        assert match.tricks == [8, 0, 0]


# -- from the auction to the first lead -------------------------------------------------------------------------------

PLAIN = "hQdTcAKQJs9/hTdAKJcTsAJ/hAJ9c9sTKQ hKdQ9"  # marriages: clubs at seat 0, spades at seat 2, hearts via the talon


def test_a_whole_classic_deal_is_scored_as_its_record_says() -> None:
    match = dealt(CLASSIC, 1, PLAIN, "100 170 pass pass")
    assert (match.declarer, match.bid, match.talon_open, match.phase) == (0, 170, True, "exchange")
    acted(match, "d9 cA pass")
    assert (match.contract, match.trump) == (170, None)
    acted(match, "dQ dK hJ dJ sK dT hQ+ hT hA sT s9 sA cT cA cJ c9 cK d9 cQ dA h9 sQ hK sJ")
    assert match.score == [-170, 30, 60]
    assert match.totals == [-170, 30, 60]
    assert (match.phase, match.turn, match.events) == ("scored", None, [])
    assert (match.points(), match.fired["K3"]) == ([129, 30, 61], 1)
    match.next_deal()
    assert (match.deal, match.dealer) == (1, 2)


def test_the_opener_may_not_pass_and_bids_rise_to_the_cap_in_steps() -> None:
    match = dealt(CLASSIC, 2, PLAIN)
    assert match.turn == 0
    assert match.legal() == {str(level) for level in range(100, 185, 5)}
    acted(match, "110")
    assert match.legal() == {"pass", "115", "120"}
    acted(match, "120")
    assert match.legal() == {"pass"} | {str(level) for level in range(125, 165, 5)}
    acted(match, "pass")
    acted(match, "pass")
    assert (match.declarer, match.bid) == (1, 120)


def test_the_opening_may_be_exactly_100_and_the_cap_off() -> None:
    match = dealt(CORE | {"opening": "exactly_100", "bid_cap": False, "bid_step": 10}, 2, PLAIN)
    assert match.legal() == {"100"}
    acted(match, "100")
    assert match.legal() == {"pass"} | {str(level) for level in range(110, 401, 10)}


def test_a_pass_is_final_and_every_seat_left_is_asked() -> None:
    match = dealt(CORE, 2, PLAIN, "100 pass 105 110 115")
    assert match.turn == 0
    acted(match, "120 pass")
    assert (match.declarer, match.bid) == (0, 120)


@pytest.mark.parametrize(("mode", "shown"), [("closed", False), ("shown", True)])
def test_sitting_on_the_hundred_decides_whether_the_talon_is_shown(mode: str, shown: bool) -> None:
    match = dealt(CLASSIC | {"talon_at_100": mode}, 2, PLAIN, "100 pass pass")
    assert (match.phase, match.talon_open) == ("exchange", shown)
    assert match.sees(0)["talon"] == cards("hKdQ9")
    assert match.sees(1)["talon"] == (cards("hKdQ9") if shown else [])


@pytest.mark.parametrize("choice", ["show", "keep"])
def test_a_declarer_on_the_hundred_looks_and_then_chooses(choice: str) -> None:
    match = dealt(CLASSIC, 2, PLAIN, "100 pass pass")
    assert (match.phase, match.legal(), len(match.hands[0])) == ("talon", {"show", "keep"}, 10)
    acted(match, choice)
    assert (match.phase, match.turn, match.talon_open) == ("exchange", 0, choice == "show")


def test_a_talon_bid_for_is_shown_to_everybody() -> None:
    match = dealt(ONLINE, 2, PLAIN, "105 pass pass")
    assert all(match.sees(seat)["talon"] == cards("hKdQ9") for seat in range(3))


@pytest.mark.parametrize(("exchange", "third"), [("open", [(1, 2, "cT"), (1, 0, "sJ")]), ("closed", [(1, 2, "cT")])])
def test_each_defender_gets_one_card_seen_by_all_or_by_him_alone(
    exchange: str, third: list[tuple[int, int, str]]
) -> None:
    match = dealt(CLASSIC | {"exchange": exchange}, 2, PLAIN, "105 110 pass pass cT sJ")
    assert [len(hand) for hand in match.hands] == [8, 8, 8]
    assert "cT" in match.hands[2]
    assert "sJ" in match.hands[0]
    assert match.sees(1)["gifts"] == [(1, 2, "cT"), (1, 0, "sJ")]
    assert match.sees(2)["gifts"] == third


def test_the_contract_may_be_raised_to_the_cap_of_the_eight_cards_kept() -> None:
    match = dealt(CLASSIC, 2, PLAIN, "105 pass pass d9 dQ")  # hearts came with the talon, clubs are kept
    assert match.legal() == {"pass"} | {str(level) for level in range(110, 285, 5)}
    broken = dealt(CLASSIC, 2, PLAIN, "175 pass pass cQ hQ")
    assert (broken.legal(), broken.fired["T4"]) == ({"pass"}, 0)
    acted(broken, "pass")
    assert (broken.contract, broken.fired["T4"], broken.phase) == (175, 1, "play")
    acted(match, "230")
    assert (match.contract, match.bid) == (230, 105)


def test_without_raising_the_contract_is_the_bid() -> None:
    match = dealt(CLASSIC | {"raise_contract": False}, 2, PLAIN, "105 pass pass d9 dQ")
    assert (match.phase, match.contract, match.turn) == ("play", 105, 0)


def test_a_sitter_bids_what_wins_or_opens_at_exactly_100() -> None:
    rules, sits = CLASSIC | {"barrel_seats": 2}, Columns(totals=(880, 880, 0), mounted=(1, 1, 0))
    match = dealt(rules, 2, PLAIN, **sits)
    assert match.legal() == {"100"} | {str(level) for level in range(125, 185, 5)}
    acted(match, "100")
    assert match.legal() == {"pass"}  # no marriage: the cap is 120 and 121 are needed
    acted(match, "pass 105")
    assert match.legal() == {"pass"} | {str(level) for level in range(125, 185, 5)}
    match = dealt(rules, 2, PLAIN, "100 pass pass keep d9 dQ", **sits)
    assert match.legal() == {"pass"} | {str(level) for level in range(125, 285, 5)}
    online = dealt(ONLINE, 1, PLAIN, "105", totals=(880, 880, 0), mounted=(1, 1, 0))
    assert min(online.legal()) == "120"  # as the source has it, 120 suffice


# -- the play ---------------------------------------------------------------------------------------------------------

FILLED = "hKQsA9c9JQdJ/h9TAsTJd9cTA/hJsKQdTQKAcK"


def test_a_marriage_is_declared_with_the_queen_after_a_trick_won() -> None:
    match = lead(CORE, 0, FILLED)
    assert match.legal() == set(cards("hKQsA9c9JQdJ"))
    acted(match, "sA sT sK")
    assert (match.points(), match.turn) == ([25, 0, 0], 0)
    assert {action for action in match.legal() if action.endswith("+")} == {"hQ+"}
    acted(match, "hQ+")
    assert (match.points(), match.trump) == ([125, 0, 0], "h")
    assert match.legal() == set(cards("h9TA"))
    acted(match, "hA hJ")
    assert (match.points()[0], match.turn) == (125, 1)  # the card is lost, the marriage stays


def test_a_silent_queen_scores_nothing_and_sets_no_trump() -> None:
    match = lead(CORE, 0, FILLED, "sA sT sK hQ")
    assert (match.trump, match.points(), match.fired["M2"]) == (None, [25, 0, 0], 1)


def test_a_new_marriage_replaces_the_trump() -> None:
    match = lead(CORE, 0, "hATKQdAKQc9/hJ9dTJ9cATK/cQJsATKQJ9", "hA hJ s9 dQ+ d9 sJ")
    assert (match.trump, match.marriages, match.turn) == ("d", [80, 0, 0], 0)
    acted(match, "hQ+ h9 sQ")
    assert (match.trump, match.marriages, match.turn) == ("h", [180, 0, 0], 0)


def test_the_first_lead_may_declare_never_when_unbeatable_or_always() -> None:
    safe, weak = "hATKQsATKQ/hJ9sJ9cATKQ/cJ9dATKQJ9", FILLED
    for mode, with_safe, with_weak in (
        ("never", False, False),
        ("unbeatable", True, False),
        ("always", True, True),
    ):
        rules = CORE | {"marriage_first_lead": mode}
        assert ("hQ+" in lead(rules, 0, safe).legal()) == with_safe
        assert ("hQ+" in lead(rules, 0, weak).legal()) == with_weak


def test_a_seat_that_ends_without_a_trick_loses_its_marriage() -> None:
    hands = "hKQs9Jc9Jd9J/hATJ9sATcAT/sKQcKQdATKQ"
    match = lead(CORE | {"marriage_first_lead": "always"}, 0, hands, "hQ+")
    assert match.points() == [100, 0, 0]
    led(acted(match, "hA dQ"), "hT hJ h9 sA sT cA cT")
    assert match.points() == [0, 120, 0]
    assert (match.score, match.totals) == ([-100, 120, 0], [-100, 120, 0])
    assert match.events == [("bolt", 0), ("bolt", 2)]
    assert match.fired["M8"] == 1


@pytest.mark.parametrize(
    ("actions", "illegal", "rule"),
    [
        ("", "pass", "A1"), ("", "95", "A1"), ("", "hQ", "N2"), ("", "185", "A3"), ("110", "110", "A2"),
        ("110", "112", "A2"), ("110", "125", "A3"), ("100 pass pass", "pass", "T2"), ("110 pass pass", "hT", "T3"),
        ("110 pass pass d9 dQ", "110", "T4"), ("110 pass pass d9 dQ", "285", "A3"),
        ("110 pass pass d9 dQ pass", "hT", "N2"), ("110 pass pass d9 dQ pass", "cQ+", "M6"),
        ("110 pass pass d9 dQ pass", "cA+", "M2"), ("110 pass pass d9 dQ pass cA", "hT", "P2"),
    ],
)  # fmt: skip
def test_an_illegal_action_names_its_rule_and_changes_nothing(actions: str, illegal: str, rule: str) -> None:
    match = dealt(CLASSIC, 2, PLAIN, actions)
    before = (match.phase, match.turn, match.legal(), dict(match.fired))
    with pytest.raises(ValueError, match=rf"^{rule}: '{re.escape(illegal)}' by seat"):
        match.act(illegal)
    assert (match.phase, match.turn, match.legal(), dict(match.fired)) == before


def test_cards_that_are_no_deal_and_deals_out_of_turn_are_refused() -> None:
    match = Match(CLASSIC, 0)
    with pytest.raises(ValueError, match=r"^D1:"):
        match.deal_cards([PACK[:7], PACK[7:14], PACK[13:20]], PACK[21:])
    with pytest.raises(ValueError, match=r"^S2:"):
        match.next_deal()
    with pytest.raises(ValueError, match=r"^N2:"):
        match.act("pass")
    with pytest.raises(ValueError, match=r"^S1:"):
        Match(CLASSIC | {"players": 4}, 0)


# -- the score sheet --------------------------------------------------------------------------------------------------


def settle(sheet: Sheet, score: Sequence[int], contract: int = 100, tricks: Sequence[int] = (3, 3, 2)) -> list[Event]:
    """Settle deal 6, forehand 1, declarer 0."""
    return sheet.settle(Result(6, 1, 0, contract, score, tricks))


@pytest.mark.parametrize(
    ("rules", "bolts", "tricks", "after", "events"),
    [
        (CLASSIC, (0, 2, 0), (4, 0, 4), [0, 0, 0], [("bolt", 1), ("fine", 1, 120)]),
        (CLASSIC, (1, 2, 1), (8, 0, 0), [0, 0, 2], [("bolt", 1), ("bolt", 2), ("fine", 1, 120)]),
        (CLASSIC, (0, 2, 1), (1, 1, 6), [0, 0, 0], []),
        (ONLINE, (0, 2, 1), (1, 1, 6), [0, 2, 1], []),
        (ONLINE, (2, 0, 0), (0, 4, 4), [0, 0, 0], [("bolt", 0), ("fine", 0, 120)]),
        (ONLINE | {"declarer_bolts": False}, (2, 0, 0), (0, 4, 4), [2, 0, 0], []),
        (CLASSIC | {"declarer_bolts": False}, (2, 0, 1), (0, 8, 0), [2, 0, 2], [("bolt", 2)]),
        (CLASSIC | {"bolts": "off"}, (0, 0, 0), (0, 0, 8), [0, 0, 0], []),
    ],
)
def test_every_third_bolt_costs_the_fine(
    rules: Rules, bolts: Sequence[int], tricks: Sequence[int], after: list[int], events: list[Event]
) -> None:
    sheet = Sheet(rules, totals=(300, 300, 300), bolts=bolts)
    assert settle(sheet, (-100, 0, 0), tricks=tricks) == events
    assert sheet.bolts == after
    fined = [event[1] for event in events if event[0] == "fine"]
    assert sheet.totals == [300 - 100 * (seat == 0) - 120 * (seat in fined) for seat in range(3)]


@pytest.mark.parametrize(("before", "score", "after"), [(870, 10, 880), (850, 50, 880), (800, 210, 880), (870, 5, 875)])
def test_a_total_of_880_or_more_sits_on_the_barrel_at_880(before: int, score: int, after: int) -> None:
    sheet = Sheet(CLASSIC, totals=(0, before, 0), attempts=(0, 2, 0))
    events = settle(sheet, (100, score, 0))
    assert sheet.totals == [100, after, 0]
    assert events == ([("barrel", 1)] if after == 880 else [])
    assert (sheet.mounted[1], sheet.attempts[1]) == ((7, 0) if after == 880 else (0, 2))


def test_a_sitter_has_three_deals_and_then_falls() -> None:
    sheet = Sheet(CLASSIC, totals=(0, 870, 0))
    seen: list[tuple[int, int]] = []
    for score in (30, 50, 0, 50):
        settle(sheet, (100, score, 0))
        seen.append((sheet.totals[1], sheet.attempts[1]))
    assert seen == [(880, 0), (880, 1), (880, 2), (760, 3)]
    assert (sheet.falls[1], sheet.mounted[1]) == (1, 0)


def test_attempts_may_be_without_end() -> None:
    sheet = Sheet(CLASSIC | {"barrel_attempts": 0}, totals=(0, 880, 0), mounted=(0, 1, 0))
    assert [settle(sheet, (100, 20, 0)) for _ in range(5)] == [[]] * 5


@pytest.mark.parametrize(
    ("rules", "contract", "made", "total"),
    [
        (ONLINE, 120, True, 1000), (CLASSIC, 125, True, 1005), (CLASSIC, 130, True, 1010), (CLASSIC, 120, True, 880),
        (CLASSIC, 100, True, 880), (CLASSIC, 125, False, 880), (CLASSIC | {"barrel_needs": 100}, 100, True, 980),
    ],
)  # fmt: skip
def test_a_sitter_wins_by_a_contract_that_is_high_enough_and_loses_nothing_by_another(
    rules: Rules,
    contract: int,
    made: bool,
    total: int,
) -> None:
    sheet = Sheet(rules, totals=(880, 40, 60), mounted=(2, 0, 0), attempts=(2 if total > 880 else 1, 0, 0))
    events = settle(sheet, (contract if made else -contract, 10, 10), contract)
    assert sheet.totals == [total, 50, 70]
    assert events == ([("win", 0)] if total > 880 else [])
    assert sheet.winner == (0 if total > 880 else None)


def test_the_third_fall_of_whatever_cause_sets_the_total_to_zero() -> None:
    failed = Sheet(CLASSIC, totals=(0, 880, 0), mounted=(0, 1, 0), attempts=(0, 2, 0), falls=(0, 2, 0))
    assert settle(failed, (100, 30, 0)) == [("fall", 1)]
    fined = Sheet(CLASSIC, totals=(0, 880, 0), mounted=(0, 1, 0), bolts=(0, 2, 0), falls=(0, 2, 0))
    assert settle(fined, (100, 0, 0), tricks=(4, 0, 4)) == [("bolt", 1), ("fine", 1, 120), ("fall", 1)]
    knocked = Sheet(CLASSIC, totals=(800, 880, 0), mounted=(0, 1, 0), falls=(0, 2, 0))
    assert settle(knocked, (100, 30, 0)) == [("fall", 1), ("barrel", 0)]
    tied = Sheet(CLASSIC, totals=(800, 870, 0), falls=(0, 2, 0))
    assert settle(tied, (100, 30, 0)) == [("fall", 0), ("fall", 1)]
    for sheet in (failed, fined, knocked, tied):
        assert (sheet.totals[1], sheet.falls[1], sheet.mounted[1]) == (0, 0, 0)
    online = Sheet(ONLINE, totals=(0, 880, 0), mounted=(0, 1, 0), attempts=(0, 2, 0), falls=(0, 7, 0))
    assert (settle(online, (100, 30, 0)), online.totals[1], online.falls[1]) == ([("fall", 1)], 760, 8)


def test_a_fine_takes_a_sitter_off_without_a_second_one() -> None:
    sheet = Sheet(CLASSIC, totals=(0, 880, 0), mounted=(0, 1, 0), bolts=(0, 2, 0), attempts=(0, 2, 0))
    assert settle(sheet, (100, 0, 0), tricks=(4, 0, 4)) == [("bolt", 1), ("fine", 1, 120), ("fall", 1)]
    assert (sheet.totals, sheet.falls, sheet.mounted) == ([100, 760, 0], [0, 1, 0], [0, 0, 0])


def test_a_newcomer_knocks_the_sitter_off() -> None:
    sheet = Sheet(CLASSIC, totals=(880, 870, 0), mounted=(3, 0, 0))
    assert settle(sheet, (-100, 30, 0)) == [("fall", 0), ("barrel", 1)]
    assert (sheet.totals, sheet.mounted, sheet.falls) == ([760, 880, 0], [0, 7, 0], [1, 0, 0])


def test_a_last_attempt_settles_before_a_knock_off_and_a_seat_falls_once() -> None:
    sheet = Sheet(CLASSIC, totals=(880, 870, 0), mounted=(3, 0, 0), attempts=(2, 0, 0))
    assert settle(sheet, (-100, 30, 0)) == [("fall", 0), ("barrel", 1)]
    assert (sheet.totals, sheet.falls) == ([760, 880, 0], [1, 0, 0])


@pytest.mark.parametrize(
    ("mounted", "attempts", "off"),
    [((3, 2, 0), (0, 0, 0), 1), ((2, 3, 0), (0, 0, 0), 0), ((2, 2, 0), (0, 0, 0), 0), ((2, 3, 0), (0, 2, 0), 1)],
)
def test_of_two_sitters_the_longest_is_knocked_off_and_of_equals_the_furthest_from_forehand(
    mounted: Sequence[int], attempts: Sequence[int], off: int
) -> None:
    sheet = Sheet(CLASSIC | {"barrel_seats": 2}, totals=(880, 880, 870), mounted=mounted, attempts=attempts)
    assert settle(sheet, (-100, 30, 30)) == [("fall", off), ("barrel", 2)]
    assert sheet.totals == [760 if seat == off else 880 for seat in range(3)]


@pytest.mark.parametrize(
    ("rules", "totals", "events"),
    [
        (CLASSIC, (850, 870, 0), [("fall", 0), ("fall", 1)]),
        (ONLINE, (850, 870, 0), [("fall", 1), ("barrel", 0)]),  # the declarer stays
        (ONLINE, (0, 870, 870), [("fall", 2), ("barrel", 1)]),  # the first from forehand stays
        (ONLINE | {"barrel_seats": 2}, (850, 870, 870), [("fall", 2), ("barrel", 0), ("barrel", 1)]),
        (ONLINE | {"barrel_seats": 3}, (850, 870, 870), [("barrel", 0), ("barrel", 1), ("barrel", 2)]),
    ],
)
def test_seats_that_mount_together_fall_together_or_but_for_one(
    rules: Rules, totals: Sequence[int], events: list[Event]
) -> None:
    sheet = Sheet(rules, totals=totals)
    assert settle(sheet, (100, 30, 30)) == events
    fallen = [event[1] for event in events if event[0] == "fall"]
    assert [sheet.totals[seat] for seat in fallen] == [760] * len(fallen)
    assert [sheet.falls[seat] for seat in fallen] == [1] * len(fallen)


def test_two_falling_together_leave_the_old_sitter_alone() -> None:
    sheet = Sheet(CLASSIC, totals=(880, 870, 870), mounted=(2, 0, 0))
    assert settle(sheet, (-100, 20, 20)) == [("fall", 1), ("fall", 2)]
    assert sheet.totals == [880, 760, 760]


def test_all_falls_of_a_deal_are_told_in_order_of_seats() -> None:
    sheet = Sheet(CLASSIC, totals=(870, 870, 880), mounted=(0, 0, 2), attempts=(0, 0, 2))
    assert settle(sheet, (100, 20, 20)) == [("fall", 0), ("fall", 1), ("fall", 2)]
    assert sheet.totals == [760, 760, 760]


def test_the_winner_knocks_nobody_off_and_the_rest_of_the_barrel_is_settled() -> None:
    sheet = Sheet(CLASSIC | {"barrel_seats": 2}, totals=(880, 880, 870), mounted=(2, 3, 0), attempts=(0, 1, 0))
    assert settle(sheet, (130, 20, 20), contract=130) == [("win", 0), ("barrel", 2)]
    assert (sheet.totals, sheet.mounted) == ([1010, 880, 880], [0, 3, 7])


@pytest.mark.parametrize(
    ("number", "before", "score", "after"),
    [
        (555, 435, 120, 0), (555, 455, 100, 0), (555, -435, -120, 0), (555, 530, 24, 554), (555, -530, -25, 0),
        (550, 500, 50, 0), (550, 500, 55, 555), (0, 500, 55, 555),
    ],
)  # fmt: skip
def test_the_dump_truck_empties_a_total_of_exactly_its_number(number: int, before: int, score: int, after: int) -> None:
    sheet = Sheet(CLASSIC | {"dump_truck": number}, totals=(before, 0, 0))
    assert settle(sheet, (score, 0, 0)) == ([("dump", 0)] if after == 0 else [])
    assert sheet.totals[0] == after


def test_a_fine_that_lands_on_555_is_dumped_too() -> None:
    sheet = Sheet(CLASSIC, totals=(0, 675, 0), bolts=(0, 2, 0))
    assert settle(sheet, (100, 0, 0), tricks=(4, 0, 4)) == [("bolt", 1), ("fine", 1, 120), ("dump", 1)]
    assert sheet.totals[1] == 0


@pytest.mark.parametrize(
    ("totals", "score", "winner"),
    [((950, 950, 0), (100, 60, 0), 0), ((0, 980, 990), (-100, 20, 30), 2), ((0, 980, 980), (100, 30, 30), 1)],
)
def test_without_a_barrel_the_target_wins_for_the_declarer_the_highest_or_the_first(
    totals: Sequence[int], score: Sequence[int], winner: int
) -> None:
    sheet = Sheet(ONLINE | {"barrel_at": 0}, totals=totals)
    assert settle(sheet, score) == [("win", winner)]
    assert sheet.winner == winner


@pytest.mark.parametrize(
    ("standing", "stakes"),
    [
        ([(True, 1005), (False, 300), (False, 200)], [2, 0, -2]),
        ([(False, 300), (True, 1005), (False, 300)], [-1, 2, -1]),
        ([(False, 300), (False, 500), (False, 300)], [-1, 2, -1]),
        ([(False, 500), (False, 500), (False, 300)], [1, 1, -2]),
        ([(False, 0)] * 3, [0, 0, 0]),
    ],
)
def test_the_last_pays_the_winner_and_equal_places_share(standing: list[tuple[bool, int]], stakes: list[float]) -> None:
    assert shared_stakes(standing, bank=2) == stakes


# -- whole deals and matches ------------------------------------------------------------------------------------------

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
    traces: list[Trace] = [json.loads(line) for line in TRACES.read_text(encoding="ascii").splitlines()]
    assert len(traces) == 100
    for trace in traces:
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
    assert [rule for rule in IN_SCOPE if not fired[rule]] == []
    assert set(fired) == set(IN_SCOPE)
