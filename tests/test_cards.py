"""Cards and suits: points, marriages, text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thousand_env import cards
from thousand_env.cards import (
    CLUBS,
    DIAMONDS,
    FULL_PACK,
    HEARTS,
    NUM_CARDS,
    SPADES,
    SUIT_SYMBOLS,
    card_name,
    parse_card,
)
from thousand_env.errors import NotationError
from thousand_env.notation import parse_set


def test_a_pack_is_worth_120_points_and_each_suit_30() -> None:
    assert [cards.set_points(cards.suit_cards(suit)) for suit in range(4)] == [30, 30, 30, 30]
    assert cards.set_points(FULL_PACK) == cards.PACK_POINTS == 120


def test_the_ten_ranks_between_ace_and_king() -> None:
    worth = {name: cards.card_points(parse_card(name)) for name in ("hA", "hT", "hK", "hQ", "hJ", "h9")}
    assert worth == {"hA": 11, "hT": 10, "hK": 4, "hQ": 3, "hJ": 2, "h9": 0}
    assert list(worth) == [card_name(card) for card in reversed(range(18, 24))]


def test_the_points_of_a_set_are_those_of_its_cards() -> None:
    assert cards.set_points(parse_set("hAKQcT9")) == 11 + 4 + 3 + 10 + 0


def test_marriages_rise_from_spades_to_hearts() -> None:
    assert [cards.marriage_value(suit) for suit in (SPADES, CLUBS, DIAMONDS, HEARTS)] == [40, 60, 80, 100]


def test_all_marriages_together_are_worth_280() -> None:
    assert cards.marriages_value(FULL_PACK) == 280


@pytest.mark.parametrize(
    ("hand", "value", "queens"),
    [("hKQ", 100, "hQ"), ("hKdQ", 0, "-"), ("hKQsKQJ", 140, "hQsQ"), ("cQdK", 0, "-"), ("hK9dKQcAK", 80, "dQ")],
)
def test_a_marriage_is_king_and_queen_of_one_suit(hand: str, value: int, queens: str) -> None:
    assert cards.marriages_value(parse_set(hand)) == value
    assert cards.marriages_in(parse_set(hand)) == parse_set(queens)


def test_the_highest_card_of_a_suit_is_its_best() -> None:
    assert card_name(cards.highest_card(parse_set("dQT9"))) == "dT"


@given(st.integers(0, NUM_CARDS - 1))
def test_a_card_is_read_as_it_is_written(card: int) -> None:
    assert parse_card(card_name(card)) == card


@given(st.integers(0, NUM_CARDS - 1), st.booleans(), st.booleans(), st.booleans())
def test_a_card_is_read_in_any_spelling(card: int, symbol: bool, rank_first: bool, ten: bool) -> None:
    suit, rank = card_name(card)
    parts = [SUIT_SYMBOLS["scdh".index(suit)] if symbol else suit, "10" if ten and rank == "T" else rank]
    text = "".join(reversed(parts) if rank_first else parts)
    assert parse_card(text) == parse_card(text.swapcase()) == parse_card(f" {text} ") == card


@pytest.mark.parametrize("text", ["", "h", "hX", "xK", "hKQ", "h1", "KK", "hh", "♥", "?"])
def test_what_is_no_card_is_refused_by_name(text: str) -> None:
    with pytest.raises(NotationError, match="expected a suit") as error:
        parse_card(text)
    assert repr(text) in str(error.value)


@pytest.mark.parametrize("card", [-1, 24, 100])
def test_a_number_outside_the_pack_has_no_name(card: int) -> None:
    with pytest.raises(NotationError, match=f"card {card}: expected a number from 0 to 23"):
        card_name(card)
