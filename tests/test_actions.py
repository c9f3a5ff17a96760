"""The action space: numbers, names and what they mean."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thousand_env import actions
from thousand_env.actions import ACTION_TEXTS, NUM_ACTIONS, PASS, action_text, bid_action, parse_action
from thousand_env.cards import card_name, rank_of, suit_of
from thousand_env.errors import NotationError
from thousand_env.state import ACE_DECLARED, KING_DECLARED, QUEEN_DECLARED, SILENT


@given(st.integers(0, NUM_ACTIONS - 1))
def test_an_action_is_read_as_it_is_written(action: int) -> None:
    assert parse_action(action_text(action)) == action


def test_every_action_has_a_text_of_its_own() -> None:
    assert len(set(ACTION_TEXTS)) == NUM_ACTIONS == 114


def test_the_numbers_of_actions_never_change() -> None:
    texts = "s9 sJ sQ sK sT sA c9 hA sQ+ cQ+ dQ+ hQ+ sK+ hK+ sA+ hA+ pass 100 105 120 400 redeal noredeal blind look"
    numbers = [*range(7), 23, 24, 25, 26, 27, 28, 31, 32, 35, 36, 37, 38, 41, 97, 98, 99, 100, 101]
    assert [parse_action(text) for text in texts.split()] == numbers
    assert ACTION_TEXTS[102:108] == ("show", "keep", "talonA", "talonB", "writeoff", "baptise")
    assert ACTION_TEXTS[108:110] == ("bonus:hands", "bonus:suits")
    assert ACTION_TEXTS[110:] == ("bonus:card1", "bonus:card2", "bonus:card3", "bonus:card4")


def test_a_bid_action_knows_its_points() -> None:
    for points in range(100, 401, 5):
        assert actions.bid_points(bid_action(points)) == points
        assert actions.is_bid(bid_action(points))
        assert action_text(bid_action(points)) == str(points)
    assert not actions.is_bid(PASS)
    assert not actions.is_bid(bid_action(400) + 1)


def test_a_declaration_lays_its_card() -> None:
    ways = {0: SILENT, actions.DECLARE_QUEEN: QUEEN_DECLARED, actions.DECLARE_KING: KING_DECLARED}
    ways[actions.DECLARE_ACE] = ACE_DECLARED
    for first, way in ways.items():
        assert actions.way_of(first) == way
    cards = " ".join(card_name(actions.card_of(action)) for action in range(24, 36))
    assert cards == "sQ cQ dQ hQ sK cK dK hK sA cA dA hA"


def test_playing_a_card_silently_is_the_card_itself() -> None:
    for card in range(24):
        assert (actions.card_of(card), actions.way_of(card)) == (card, SILENT)
        assert (suit_of(card), rank_of(card)) == divmod(card, 6)


@pytest.mark.parametrize(("text", "action"), [("QH+", "hQ+"), ("K♥", "hK"), ("10s", "sT"), (" pass ", "pass")])
def test_an_action_may_be_spelled_like_its_card(text: str, action: str) -> None:
    assert action_text(parse_action(text)) == action


@pytest.mark.parametrize("text", ["", "fold", "101", "405", "95", "hQ++", "+", "h"])
def test_what_is_no_action_is_refused_by_name(text: str) -> None:
    with pytest.raises(NotationError, match="expected a card"):
        parse_action(text)


@pytest.mark.parametrize("text", ["hJ+", "h9+", "T♠+"])
def test_only_queen_king_and_ace_can_be_declared_with(text: str) -> None:
    with pytest.raises(NotationError, match="only a queen, a king or an ace"):
        parse_action(text)


@pytest.mark.parametrize("action", [-1, NUM_ACTIONS])
def test_a_number_outside_the_space_has_no_text(action: int) -> None:
    with pytest.raises(NotationError, match=f"action {action}: expected a number from 0 to 113"):
        action_text(action)
