"""The keyhole, in positions: who sees the talon, who sees the gifts, and from where (T1–T3)."""

from __future__ import annotations

import numpy as np
import pytest

from tests.table import Table, card_set, set_text
from thousand_env import view
from thousand_env.cards import card_name
from thousand_env.errors import ThousandError
from thousand_env.rules import CORE
from thousand_env.state import MAX_PLAYS, NONE, new_states

# Marriages: clubs at seat 0, none at seat 1, spades at seat 2, hearts by the talon. Seat 0 is forehand.
PLAIN = "2 hQdTcAKQJs9/hTdAKJcTsAJ/hAJ9c9sTKQ hKdQ9"
TALON = card_set("hKdQ9")


def talons(table: Table) -> list[int]:
    """What each seat has seen of the talon."""
    return [int(table.look(seat).talon) for seat in range(3)]


def gifts(table: Table, viewer: int) -> list[str]:
    """The gifts a seat knows, by receiver: a card, or `?`."""
    seen = table.look(viewer).gifts
    by_receiver = [int(seen[(seat - viewer) % 3]) for seat in range(3)]
    return [card_name(card) if card != NONE else "?" for card in by_receiver]


def held(table: Table, viewer: int) -> list[str]:
    """The cards a seat knows to be in each hand."""
    known = table.look(viewer).held
    return [set_text(known[(seat - viewer) % 3]) for seat in range(3)]


# -- the talon -------------------------------------------------------------------------------------------------------


def test_nobody_sees_the_talon_before_the_auction_is_over() -> None:
    assert talons(Table("classic", PLAIN, "100 105")) == [0, 0, 0]


@pytest.mark.parametrize("rules", ["core", "classic", "online"])
def test_everybody_sees_a_talon_that_was_bid_for(rules: str) -> None:
    assert talons(Table(rules, PLAIN, "105 pass pass")) == [TALON] * 3


def test_only_the_declarer_sees_a_talon_that_stays_closed_at_the_hundred() -> None:
    assert talons(Table("online", PLAIN, "100 pass pass")) == [TALON, 0, 0]
    assert talons(Table("online", PLAIN, "100 pass pass s9 d9 pass cA cT c9")) == [TALON, 0, 0]
    assert talons(Table("online talon_at_100=shown", PLAIN, "100 pass pass")) == [TALON] * 3


def test_a_declarer_looks_at_the_talon_before_he_chooses_whether_to_show_it() -> None:
    table = Table("classic", PLAIN, "100 pass pass")
    assert talons(table) == [TALON, 0, 0]
    assert talons(table.act("show")) == [TALON] * 3
    assert talons(Table("classic", PLAIN, "100 pass pass keep")) == [TALON, 0, 0]


def test_a_talon_shown_is_remembered_to_the_last_card() -> None:
    table = Table("core", PLAIN, "105 pass pass hK d9 pass cA cT c9 cK dJ sT cQ sJ sK")
    assert talons(table) == [TALON] * 3


# -- gifts -----------------------------------------------------------------------------------------------------------


def test_given_cards_are_seen_by_all_when_the_exchange_is_open() -> None:
    table = Table("core", PLAIN, "105 pass pass cJ d9")
    assert [gifts(table, seat) for seat in range(3)] == [["?", "cJ", "d9"]] * 3


def test_a_given_card_is_seen_by_giver_and_receiver_only_when_the_exchange_is_closed() -> None:
    table = Table("online", PLAIN, "105 pass pass cJ d9")
    assert [gifts(table, seat) for seat in range(3)] == [["?", "cJ", "d9"], ["?", "cJ", "?"], ["?", "?", "d9"]]


@pytest.mark.parametrize("rules", ["core", "online"])
def test_that_a_card_was_given_is_seen_by_all(rules: str) -> None:
    table = Table(rules, PLAIN, "105 pass pass cJ")
    assert [int(table.look(seat).given) for seat in range(3)] == [1, 1, 1]
    assert [int(table.act("d9").look(seat).given) for seat in range(1)] == [2]


# -- what that tells of the hands ------------------------------------------------------------------------------------


def test_a_shown_talon_and_open_gifts_tell_where_these_cards_are() -> None:
    table = Table("core", PLAIN, "105 pass pass")
    assert held(table, 1) == ["d9 dQ hK", set_text(table.state.hands[1]), ""]
    table.act("cJ d9 pass")
    assert held(table, 1) == ["dQ hK", set_text(table.state.hands[1]), "d9"]
    assert held(table, 2) == ["dQ hK", "cJ", set_text(table.state.hands[2])]
    table.act("dQ dA d9")
    assert held(table, 1) == ["hK", set_text(table.state.hands[1]), ""]


def test_after_a_closed_exchange_nobody_is_sure_what_the_declarer_kept() -> None:
    table = Table("online", PLAIN, "105 pass pass cJ d9 pass")
    assert held(table, 1) == ["", set_text(table.state.hands[1]), ""]
    assert held(table, 2) == ["", "", set_text(table.state.hands[2])]
    assert held(table, 0) == [set_text(table.state.hands[0]), "cJ", "d9"]


def test_of_a_closed_talon_the_defenders_know_the_open_gifts_only() -> None:
    table = Table("core", PLAIN, "100 pass pass cJ d9 pass")
    assert held(table, 1) == ["", set_text(table.state.hands[1]), "d9"]


# -- from where ------------------------------------------------------------------------------------------------------


def test_seats_are_counted_from_the_viewer() -> None:
    table = Table("core", PLAIN, "105 110 pass", totals=(10, 20, 30), bolts=(0, 1, 2))
    seen = table.look(1)
    assert (seen.turn, seen.dealer, seen.declarer) == (2, 1, 0)
    assert seen.totals.tolist() == [20, 30, 10, 0]
    assert seen.bolts.tolist() == [1, 2, 0, 0]
    assert seen.passed == 0b010  # seat 2 is the next
    assert seen.bids.tolist() == [1 << 2, 0, 1 << 1, 0]


def test_nobody_is_nobody_from_every_seat() -> None:
    table = Table("core", PLAIN, "105")
    assert {int(table.look(seat).winner) for seat in range(3)} == {NONE}
    assert {int(table.look(seat).leader) for seat in range(3)} == {NONE}
    assert [view.relative(seat, 2, 0, 3) for seat in (NONE, 0, 1, 2)] == [NONE, 1, 2, 0]
    assert [view.relative_mask(0b011, viewer, 0, 3) for viewer in range(3)] == [0b011, 0b101, 0b110]


def test_plays_are_seen_in_order_with_relative_seats() -> None:
    table = Table("core", PLAIN, "105 pass pass cJ d9 pass cA cT c9")
    seen = table.look(2)
    assert [(card_name(int(play) & 31), int(play) >> 8) for play in seen.plays[: seen.num_plays]] == [
        ("cA", 1), ("cT", 2), ("c9", 0),
    ]  # fmt: skip
    assert not seen.plays[seen.num_plays :].any()
    assert [set_text(cards) for cards in seen.played[:3]] == ["c9", "cA", "cT"]
    assert (seen.trump, len(seen.plays)) == (NONE, MAX_PLAYS)


def test_own_hand_is_seen_as_dealt_and_as_it_is() -> None:
    table = Table("core", PLAIN, "105 pass pass cJ d9 pass cA")
    assert set_text(table.look(0).dealt) == "s9 cJ cQ cK cA dT hQ"
    assert set_text(table.look(0).hand) == "s9 cQ cK dQ dT hQ hK"
    assert set_text(table.look(1).hand) == "sJ sA cJ cT dJ dK dA hT"


def test_many_seats_are_looked_at_in_one_call() -> None:
    table = Table("core", PLAIN, "105 pass pass cJ d9 pass cA")
    views = view.look(np.repeat(table.states, 3), table.array, np.arange(3))
    assert [row.tobytes() for row in views] == [table.look(seat).tobytes() for seat in range(3)]


def test_there_must_be_one_viewer_a_state() -> None:
    states = new_states(3)
    for viewers in (np.array(0), np.zeros(2), np.zeros((3, 1))):
        with pytest.raises(ThousandError, match=r"viewers of shape .* for states of shape \(3,\): expected \(N,\)"):
            view.look(states, CORE.array(), viewers)
    with pytest.raises(ThousandError, match="expected"):
        view.look(states.reshape(1, 3), CORE.array(), np.zeros(1))
