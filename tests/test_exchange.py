"""Talon, exchange and contract, in positions (T1–T4, A4)."""

from __future__ import annotations

import pytest

from tests.table import Table, card_set, set_text

# Marriages: clubs at seat 0, none at seat 1, spades at seat 2, hearts by the talon. Seat 0 is forehand.
PLAIN = "2 hQdTcAKQJs9/hTdAKJcTsAJ/hAJ9c9sTKQ hKdQ9"
TALON = card_set("hKdQ9")


def test_the_declarer_takes_the_talon_into_his_hand() -> None:
    table = Table("core", PLAIN, "105 110 pass pass")
    assert table.state.turn == table.state.declarer == 1
    assert set_text(table.state.hands[1]) == "sJ sA cT d9 dJ dQ dK dA hK hT"
    assert [int(hand).bit_count() for hand in table.column("hands")] == [7, 10, 7]
    assert table.legal() == {"sJ", "sA", "cT", "d9", "dJ", "dQ", "dK", "dA", "hK", "hT"}


@pytest.mark.parametrize("rules", ["core", "classic", "online"])
def test_a_talon_won_above_100_is_shown_to_all(rules: str) -> None:
    table = Table(rules, PLAIN, "105 pass pass")
    assert (table.state.talon_open, table.state.phase) == (1, Table("core", PLAIN, "100 pass pass").state.phase)


@pytest.mark.parametrize(("mode", "shown"), [("closed", 0), ("shown", 1)])
def test_a_talon_won_at_the_hundred_stays_closed_or_is_shown(mode: str, shown: int) -> None:
    table = Table(f"core talon_at_100={mode}", PLAIN, "100 pass pass")
    assert table.state.talon_open == shown
    assert len(table.legal()) == 10  # a card is given next


@pytest.mark.parametrize(("choice", "shown"), [("show", 1), ("keep", 0)])
def test_on_the_hundred_a_classic_declarer_looks_and_then_chooses(choice: str, shown: int) -> None:
    table = Table("classic", PLAIN, "100 pass pass")
    assert (table.legal(), table.state.talon_open) == ({"show", "keep"}, 0)
    assert int(table.state.hands[0]).bit_count() == 10
    table.act(choice)
    assert (table.state.talon_open, len(table.legal())) == (shown, 11)  # ten cards to give, or the deal written off


def test_one_card_goes_to_the_next_seat_and_one_to_the_seat_after_it() -> None:
    table = Table("core", PLAIN, "105 110 pass pass cT")
    assert table.column("gifts") == [-1, -1, 7 + 3]
    assert "cT" not in table.legal()
    table.act("sJ")
    assert table.column("gifts") == [1, -1, 10]
    assert [int(hand).bit_count() for hand in table.column("hands")] == [8, 8, 8]
    assert table.column("hands")[2] & card_set("cT")
    assert table.column("hands")[0] & card_set("sJ")


def test_any_of_the_ten_cards_may_be_given_even_of_a_marriage() -> None:
    table = Table("core", PLAIN, "180 pass pass")
    assert table.legal() == {"hQ", "dT", "cA", "cK", "cQ", "cJ", "s9", "hK", "dQ", "d9"}
    table.act("cQ")
    assert table.legal() == {"hQ", "dT", "cA", "cK", "cJ", "s9", "hK", "dQ", "d9"}


def test_the_contract_may_be_raised_to_the_cap_of_the_eight_cards_kept() -> None:
    table = Table("core", PLAIN, "105 pass pass d9 dQ")  # hearts came with the talon, clubs are kept: 280
    assert table.legal() == {"pass", *map(str, range(110, 285, 5))}
    table.act("230")
    assert (table.state.contract, table.state.bid, table.state.turn) == (230, 105, 0)


def test_keeping_the_contract_makes_the_bid_the_contract() -> None:
    assert Table("core", PLAIN, "105 pass pass d9 dQ pass").state.contract == 105


def test_a_declarer_who_broke_his_marriages_keeps_his_bid() -> None:
    table = Table("core", PLAIN, "175 pass pass cQ hQ")
    assert table.legal() == {"pass"}
    assert table.act("pass").state.contract == 175


def test_without_the_cap_the_contract_may_be_raised_to_400() -> None:
    table = Table("core bid_cap=no bid_step=20", PLAIN, "100 pass pass s9 d9")
    assert table.levels() == list(range(120, 401, 20))


def test_without_raising_the_bid_is_the_contract() -> None:
    table = Table("core raise_contract=no", PLAIN, "105 pass pass d9 dQ")
    assert (table.state.contract, table.state.turn, table.legal()) == (
        105,
        0,
        {"hQ", "dT", "cA", "cK", "cQ", "cJ", "s9", "hK"},
    )


def test_a_sitter_who_opened_at_100_raises_to_what_wins_or_keeps_it() -> None:
    table = Table("classic", PLAIN, "100 pass pass keep d9 dQ", totals=(880, 0, 0), mounted=(1, 0, 0))
    assert table.legal() == {"pass", *map(str, range(125, 285, 5))}


def test_the_talon_as_dealt_is_remembered_whoever_holds_its_cards() -> None:
    table = Table("core", PLAIN, "105 pass pass hK d9 pass")
    assert table.state.talon == TALON
