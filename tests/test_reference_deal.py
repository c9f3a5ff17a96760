"""The reference at other tables: golden deals, write-offs, two and four players, other ways to play, and fines."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from tests.positions import acted, cards, dealt, lead, led
from tests.reference import Match
from tests.reference_cards import playable
from tests.reference_offences import lowest
from tests.reference_sheet import Columns
from tests.reference_tables import CORE, TYSIAC, Rules

PLAIN = "hQdTcAKQJs9/hTdAKJcTsAJ/hAJ9c9sTKQ hKdQ9"  # marriages: clubs at seat 0, spades at seat 2, hearts via the talon
SAFE = "hATKQsATK/hJ9sJ9cATK/cQJdATKQJ sQc9d9"  # seat 0 wins every trick
FILLED = "hKQsA9c9JQdJ/h9TAsTJd9cTA/hJsKQdTQKAcK"  # eight cards each
LOST = "hATKQJsAT/cATKQdATJ/s9JKQd9Kh9"  # seat 2 makes no contract


def win_all(match: Match, leads: str = "hA hT hK hQ sA sT sK sQ") -> Match:
    """Seat 0 takes every trick of SAFE, having given away the nines."""
    return led(acted(match, "c9 d9"), leads)


# -- golden deals -----------------------------------------------------------------------------------------------------

GOLDEN = CORE | {"golden": True, "redeal_low_hand": "force", "blind": True, "write_off": "half"}


def test_a_golden_deal_goes_straight_to_forehand_at_120_and_is_doubled() -> None:
    match = dealt(GOLDEN, 2, SAFE)
    assert (match.phase, match.turn, match.talon_open) == ("exchange", 0, False)
    assert match.legal() == set(match.hands[0])
    win_all(match)
    assert (match.contract, match.score, match.totals) == (120, [240, 0, 0], [240, 0, 0])
    assert (match.bolts, match.sheet.golden_made) == ([0, 2, 2], [1, 0, 0])
    assert match.phase == "scored"


@pytest.mark.parametrize(("doubles", "score"), [(True, 280), (False, 200)])
def test_points_of_a_golden_deal_are_doubled_and_marriages_as_agreed(doubles: bool, score: int) -> None:
    rules = CORE | {"golden": True, "golden_doubles_marriages": doubles}
    match = led(lead(rules, 0, FILLED, "dJ d9 dA dQ+ c9 sJ"), "dT dK sK")
    while match.turn is not None:
        match.act(min(match.legal()))
    assert match.points() == [6, 56, 58 + 80]
    assert match.score == [-200, 2 * 55, score]


@pytest.mark.parametrize(
    ("mode", "made", "zero", "goes_on"),
    [
        ("zero", (0, 0, 0), True, False), ("repeat", (0, 0, 0), True, True),
        ("zero", (0, 1, 0), False, False), ("repeat", (0, 1, 0), False, False),
    ],
)  # fmt: skip
def test_a_golden_round_without_a_contract_made_begins_at_zero(
    mode: str, made: Sequence[int], zero: bool, goes_on: bool
) -> None:
    rules = CORE | {"golden": True, "golden_none_made": mode}
    match = Match(rules, 1, deal=2, totals=(0, 700, 100), bolts=(1, 0, 0), golden_made=made)
    match.deal_cards([cards(hand) for hand in LOST.split("/")], cards("dQcJ9"))
    led(acted(match, "sQ dK"), "s9")
    while match.turn is not None:
        match.act(min(match.legal()))
    assert match.score[2] == -240
    assert match.totals[2] == (0 if zero else -140)
    assert (match.bolts == [0, 0, 0]) == zero
    assert match.sheet.golden_over != goes_on
    assert match.mounted == [0, 0, 0]
    match.next_deal()
    match.deal_cards([cards(hand) for hand in LOST.split("/")], cards("dQcJ9"))
    assert match.phase == ("exchange" if goes_on else "auction")


def test_nobody_mounts_or_wins_before_the_last_golden_deal_is_scored() -> None:
    rules = CORE | {"golden": True, "barrel_at": 500, "target": 700, "dump_truck": 495, "reverse_barrel": 500}
    match = dealt(rules, 2, SAFE, totals=(500, -1100, 495))
    assert win_all(match).totals == [740, -1100, 0]
    assert (match.events, match.phase) == ([("bolt", 1), ("bolt", 2), ("dump", 2)], "scored")
    last = Match(rules, 1, deal=2, totals=(0, 600, 640), golden_made=(1, 0, 0))
    last.deal_cards([cards(hand) for hand in LOST.split("/")], cards("dQcJ9"))
    led(acted(last, "sQ dK"), "s9")
    while last.turn is not None:
        last.act(min(last.legal()))
    assert (last.totals[1:], last.mounted) == ([500, 400], [0, 3, 0])


# -- write-offs and baptism -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "bid", "score"),
    [
        ({"write_off": "half"}, "105", [-105, 55, 55]), ({"write_off": "half"}, "115", [-115, 60, 60]),
        ({"write_off": "half", "round_to": 10}, "105", [-105, 50, 50]), ({"write_off": "sixty"}, "170", [-120, 60, 60]),
    ],
)  # fmt: skip
def test_a_write_off_shares_the_contract_or_costs_120(fields: Rules, bid: str, score: list[int]) -> None:
    match = dealt({**CORE, **fields}, 2, PLAIN, f"{bid} pass pass writeoff", bolts=(1, 2, 0))
    assert (match.phase, match.score, match.totals, match.bolts) == ("scored", score, score, [1, 2, 0])
    assert (match.sheet.write_offs, match.events, match.points()) == ([1, 0, 0], [], [0, 0, 0])


SITTING = Columns(totals=(880, 0, 0), mounted=(1, 0, 0), attempts=(1, 0, 0))


@pytest.mark.parametrize(
    ("fields", "columns", "may"),
    [
        ({}, {}, True), ({"write_off_limit": 2}, {"write_offs": (2, 0, 0)}, False),
        ({"write_off_limit": 3}, {"write_offs": (2, 5, 5)}, True), ({}, SITTING, True),
        ({"write_off_on_barrel": False}, SITTING, False), ({"write_off_with_barrel": False}, SITTING, True),
        ({"write_off_with_barrel": False}, {"totals": (0, 880, 0), "mounted": (0, 1, 0)}, False),
        ({"write_off": "off", "baptism": True}, {"baptised": (0, 1, 1)}, True),
        ({"write_off": "off", "baptism": True}, {"baptised": (1, 0, 0)}, False),
        ({"write_off": "off", "baptism": True, "write_off_on_barrel": False}, SITTING, False),
    ],
)  # fmt: skip
def test_write_offs_and_baptisms_have_their_limits(fields: Rules, columns: Columns, may: bool) -> None:
    match = dealt({**CORE, "write_off": "half", **fields}, 2, PLAIN, "125 pass pass", **columns)
    assert bool(match.legal() & {"writeoff", "baptise"}) == may
    assert not acted(match, "d9").legal() & {"writeoff", "baptise"}


def test_a_sitters_write_off_uses_an_attempt_or_takes_him_off() -> None:
    rules = CORE | {"write_off": "half"}
    match = dealt(rules, 2, PLAIN, "125 pass pass writeoff", **SITTING)
    assert (match.totals, match.attempts, match.mounted[0]) == ([880, 65, 65], [2, 0, 0], 1)
    deducted = dealt(rules | {"barrel_failed_contract": "deduct"}, 2, PLAIN, "125 pass pass writeoff", **SITTING)
    assert (deducted.totals, deducted.falls, deducted.events) == ([755, 65, 65], [1, 0, 0], [("fall", 0)])


def test_a_baptism_bolts_the_others() -> None:
    match = dealt(CORE | {"baptism": True}, 2, PLAIN, "105 pass pass baptise", bolts=(2, 2, 0))
    assert (match.score, match.totals, match.bolts) == ([0, 0, 0], [0, -120, 0], [2, 0, 1])
    assert (match.sheet.baptised, match.events) == ([1, 0, 0], [("bolt", 1), ("bolt", 2), ("fine", 1, 120)])


# -- two players ------------------------------------------------------------------------------------------------------

TWO = CORE | {"players": 2, "talon_at_100": "declarer_chooses"}


def two(actions: str, rules: Rules = TWO) -> Match:
    """Seat 0 is forehand with eight top cards; A is cT s9, B is d9 c9."""
    match = Match(rules, 1)
    match.deal_cards([cards("hATKQsATKQcAK"), cards("hJ9dATKQJcQJsJ")], cards("cTs9") + cards("d9c9"))
    return acted(match, actions)


def test_of_two_players_the_declarer_picks_a_talon_and_gives_one_of_its_cards() -> None:
    match = two("110 pass")
    assert (match.phase, match.turn, match.legal()) == ("talon", 0, {"talonA", "talonB"})
    assert match.sees(0)["talon"] == []
    acted(match, "talonB")
    assert (match.phase, match.legal(), match.sees(1)["talon"]) == ("exchange", {"d9", "c9"}, ["d9", "c9"])
    acted(match, "d9 pass")
    assert [len(hand) for hand in match.hands] == [11, 11]
    assert (match.phase, match.contract, match.turn) == ("play", 110, 0)


def test_at_the_hundred_of_two_players_the_talon_picked_is_shown_or_kept() -> None:
    match = two("100 pass talonA")
    assert (match.phase, match.legal()) == ("talon", {"show", "keep"})
    assert (match.sees(0)["talon"], match.sees(1)["talon"]) == (["cT", "s9"], [])
    assert acted(match, "keep").phase == "exchange"


def test_the_other_talon_goes_to_the_last_trick() -> None:
    match = led(two("110 pass talonB c9 pass"), "hA hT hK hQ sA sT sK sQ cA cK")
    before = sum(match.points())
    led(match, "d9")
    assert match.tricks == [10, 1]
    assert (before, sum(match.points()), match.captured[1][-2:]) == (100, 120, ["cT", "s9"])


def test_of_two_players_a_write_off_is_the_opponents_whole() -> None:
    assert two("125 pass talonA writeoff", TWO | {"write_off": "half"}).totals == [-125, 125]
    assert two("125 pass talonA writeoff", TWO | {"write_off": "sixty"}).totals == [-120, 60]


# -- four players -----------------------------------------------------------------------------------------------------

FOUR = CORE | {"players": 4, "dealer_scores": "talon"}
SAFE4 = SAFE.replace(" ", "/- ")


@pytest.mark.parametrize(
    ("fields", "paid"), [({}, 5), ({"dealer_scores": "none"}, 0), ({"dealer_scores": "fixed", "dealer_fixed": 30}, 30)]
)
def test_the_dealer_of_four_sits_out_and_scores_as_agreed(fields: Rules, paid: int) -> None:
    match = dealt({**FOUR, **fields}, 3, SAFE4, "125", bolts=(0, 0, 0, 2))
    assert match.turn == 1
    assert (match.sees(3)["hand"], match.sees(3)["talon"], match.sees(2)["talon"]) == ([], ["sQ", "c9", "d9"], [])
    led(acted(match, "pass pass c9 d9 pass"), "hA hT hK hQ sA sT sK sQ")
    assert match.score == [-125, 0, 0, paid]
    assert match.bolts == [0, 1, 1, 2]


def test_the_dealer_of_four_is_paid_for_a_write_off_and_not_on_the_barrel() -> None:
    rules = FOUR | {"dealer_scores": "fixed", "write_off": "half"}
    match = dealt(rules, 3, SAFE4, "125 pass pass writeoff")
    assert match.totals == [-125, 65, 65, 25]
    sits = dealt(rules, 3, SAFE4, "125 pass pass writeoff", totals=(0, 0, 0, 880), mounted=(0, 0, 0, 1))
    assert (sits.totals, sits.attempts) == ([-125, 65, 65, 880], [0, 0, 0, 0])
    doubled = dealt(rules | {"golden": True}, 3, SAFE4)
    assert win_all(doubled).score == [240, 0, 0, 50]


def test_cards_are_given_and_played_around_the_dealer_of_four() -> None:
    match = dealt(FOUR, 1, "cQJdATKQJ/-/hATKQsATK/hJ9sJ9cATK sQc9d9", "125 pass pass c9 d9 pass")
    assert match.gifts == [(2, 3, "c9"), (2, 0, "d9")]
    acted(match, "hA")
    assert match.turn == 3
    assert acted(match, "h9").turn == 0


# -- other ways to play -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "hand", "trick", "trump", "legal"),
    [
        ("must_beat", "h9TA", "hK", None, "hTA"), ("must_beat", "h9J", "hK", None, "h9J"),
        ("must_beat", "h9TA", "hK s9", "s", "h9TA"), ("must_beat", "h9TA", "hK", "h", "hTA"),
        ("must_beat", "h9Ts9", "hA hK", None, "h9T"), ("must_overtrump", "s9TA", "hA sK", "s", "sTA"),
        ("must_overtrump", "s9QdA", "hA sK", "s", "s9Q"), ("must_overtrump", "s9dA", "hA", "s", "s9"),
        ("must_overtrump off", "s9AdA", "hA sK", "s", "sA"), ("must_overtrump off", "s9QdA", "hA sK", "s", "s9QdA"),
        ("off", "s9dA", "hA", "s", "s9dA"), ("must_beat", "s9TdA", "hA sK", "s", "s9T"),
    ],
)  # fmt: skip
def test_tables_may_ask_to_beat_and_to_overtrump(
    fields: str, hand: str, trick: str, trump: str | None, legal: str
) -> None:
    rules = CORE | {
        "must_beat": "beat" in fields,
        "must_overtrump": "over" in fields,
        "must_trump": "off" not in fields,
    }
    assert playable(cards(hand), trick.split(), trump, rules) == set(cards(legal))


def test_declaring_may_be_automatic_and_with_the_king_too() -> None:
    match = lead(CORE | {"declare": "automatic"}, 0, FILLED, "sA sT sK")
    assert match.legal() == {"hK", "hQ+", "s9", "c9", "cJ", "cQ", "dJ"}
    match = lead(CORE | {"declare_with": "king_or_queen"}, 0, FILLED, "sA sT sK")
    assert {"hK", "hQ", "hK+", "hQ+"} <= match.legal()
    match = lead(TYSIAC, 0, FILLED)
    assert match.legal() == {"hK+", "hQ+", "sA", "s9", "c9", "cJ", "cQ", "dJ"}
    assert acted(match, "hK+").marriages == [100, 0, 0]


def test_a_marriage_may_be_trump_from_the_next_trick_on() -> None:
    hands = "hKQsA9c9JQdJ/dQKATsTJd9cT/hJ9TAsKQcKA"
    match = lead(CORE | {"trump_from": "next_trick"}, 0, hands, "sA sT sK hQ+")
    assert (match.trump, match.marriages[0]) == (None, 100)
    acted(match, "dQ hA")
    assert (match.trump, match.turn) == ("h", 2)


ACES = "hA9dA9cA9sA9/hJQdJQcJQsJQ/hKTdKTcKTsKT"


@pytest.mark.parametrize(("mode", "trump"), [("none", None), ("led_ace", "d"), ("last_ace", None)])
def test_who_was_given_all_aces_declares_them_once_after_a_trick(mode: str, trump: str | None) -> None:
    match = lead(CORE | {"ace_marriage": True, "ace_marriage_trump": mode}, 0, ACES)
    assert match.legal() == set(cards("hA9dA9cA9sA9"))
    led(match, "hA")
    assert {action for action in match.legal() if "+" in action} == {"dA+", "cA+", "sA+"}
    acted(match, "dA+")
    assert (match.trump, match.marriages) == (trump, [200, 0, 0])
    acted(match, "dJ dK")
    assert not [action for action in match.legal() if "+" in action]
    led(match, "cA sA")
    assert match.trump == ("s" if mode == "last_ace" else trump)


def test_a_last_ace_is_no_trump_before_the_declaration_and_three_aces_are_no_marriage() -> None:
    rules = CORE | {"ace_marriage": True, "ace_marriage_trump": "last_ace"}
    assert led(lead(rules, 0, ACES), "hA dA cA sA").trump is None
    three = "hA9dA9cA9sJ9/hJQdJQcJQsAQ/hKTdKTcKTsKT"
    assert "dA+" not in led(lead(rules, 0, three), "hA").legal()


# -- fines at the table -----------------------------------------------------------------------------------------------

TABLE = CORE | {"enforcement": "table"}
POOR = "hATKQsATK/h9d9c9s9hJdJcJ/cQKAdATKQ sQJcT"  # seat 1 holds six points


@pytest.mark.parametrize(
    ("actions", "illegal", "as_if"),
    [
        ("", "pass", "100"), ("", "400", "100"), ("110", "110", "pass"), ("110", "400", "pass"),
        ("110 pass pass d9 dT", "400", "pass"), ("110 pass pass d9 dT pass", "cQ+", "cQ"),
        ("110 pass pass d9 dT pass", "cA+", "cA"), ("110 pass pass d9 dT pass cA", "dA", "cT"),
        ("110 pass pass d9 dT pass cA cT", "hA", "c9"),
    ],
)  # fmt: skip
def test_an_illegal_action_at_the_table_counts_as_another_and_is_fined(actions: str, illegal: str, as_if: str) -> None:
    match, same = dealt(TABLE, 2, PLAIN, actions), dealt(TABLE, 2, PLAIN, actions)
    seat = match.turn
    acted(match, illegal)
    acted(same, as_if)
    assert (match.phase, match.turn, match.hands, match.bid) == (same.phase, same.turn, same.hands, same.bid)
    assert match.offences == [int(other == seat) for other in range(3)]


def test_the_lowest_legal_card_is_the_cheapest_then_the_first_by_suit() -> None:
    assert lowest({"hQ+", "dJ", "cJ", "sK", "hQ"}) == "cJ"
    assert lowest({"hK+", "hQ+", "hQ", "writeoff"}) == "hQ"
    assert lowest({"hQ+", "hK+"}) == "hQ+"


def test_a_seat_that_may_not_write_off_is_fined_and_still_to_act() -> None:
    match = dealt(TABLE | {"baptism": True}, 2, PLAIN, "110 pass pass writeoff writeoff")
    assert (match.phase, match.turn, match.offences) == ("exchange", 0, [2, 0, 0])
    acted(match, "d9")
    with pytest.raises(ValueError, match=r"^W1"):
        match.act("writeoff")
    acted(match, "dT pass cA cT c9")
    while match.turn is not None:
        match.act(min(match.legal()))
    assert match.totals[0] == match.score[0] - 240
    assert ("fine", 0, 240) in match.events


def test_a_false_claim_declines_and_its_fine_outlives_a_redeal() -> None:
    match = dealt(TABLE | {"redeal_low_hand": "offer"}, 2, POOR, "redeal")
    assert (match.phase, match.turn, match.offences) == ("claim", 1, [1, 0, 0])
    acted(match, "redeal")
    assert (match.phase, match.offences) == ("deal", [1, 0, 0])


@pytest.mark.parametrize(
    ("actions", "nonsense"),
    [
        ("", "hQ"), ("", "104"), ("", "redeal"), ("", "bonus:hands"), ("110 pass pass", "sA"),
        ("110 pass pass", "pass"), ("110 pass pass d9 dT pass", "hT"), ("110 pass pass d9 dT pass cA", "cT+"),
        ("110 pass pass d9 dT pass", "s9+"), ("110 pass pass d9 dT pass cA", "dK+"),
    ],
)  # fmt: skip
def test_what_is_no_action_at_all_raises_even_at_the_table(actions: str, nonsense: str) -> None:
    match = dealt(TABLE, 2, PLAIN, actions)
    with pytest.raises(ValueError, match=re.escape(repr(nonsense))):
        match.act(nonsense)
    assert match.offences == [0, 0, 0]
