"""The reference itself, from the cards to the play, proved on cases worked by hand."""

from __future__ import annotations

import random
import re

import pytest

from tests import reference_tables
from tests.positions import UNBEATABLE_HANDS, acted, cards, dealt, lead, led
from tests.reference import Match
from tests.reference_cards import (
    MARRIAGE_POINTS,
    PACK,
    bid_cap,
    card_points,
    playable,
    rounded,
    trick_winner,
    unbeatable,
)
from tests.reference_scores import declarer_score
from tests.reference_sheet import Columns
from tests.reference_tables import CORE, QUIET

# The presets as they play a deal without redeals, blind bids and write-offs.
CLASSIC, ONLINE = reference_tables.CLASSIC | QUIET, reference_tables.ONLINE | QUIET

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
    assert playable(cards(hand), trick.split(), trump, CORE) == set(cards(legal))


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


@pytest.mark.parametrize(("hand", "holds"), UNBEATABLE_HANDS)
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
    with pytest.raises(ValueError, match=r"^rules: odd fields"):
        Match({"players": 3}, 0)
