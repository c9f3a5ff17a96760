"""A hand as a player types it: read in any spelling, and refused with the place of what is wrong."""

import pytest

from experiments.hand_text import DEALT, KEPT, WITH_TALON, read_hand
from tests.table import card_set
from thousand_env.errors import NotationError
from thousand_env.rules import RuleSet

THREE, TWO = RuleSet(), RuleSet(players=2)
SEVEN = "hAKQ sT d9 cJ9"


@pytest.mark.parametrize(
    "text",
    [SEVEN, "hakqstd9cj9", "h A,K,Q s10 d9 c J 9", "♥AKQ ♠T ♦9 ♣J9", "AH KH QH TS 9D JC 9C", "A♥K♥Q♥ 10s 9d jc 9c"],
)
def test_a_hand_is_read_in_any_spelling(text: str) -> None:
    assert read_hand(text, THREE) == (card_set("hAKQsTd9cJ9"), 0, DEALT)


def test_cards_behind_a_plus_are_those_of_the_talon() -> None:
    hand = read_hand(f"{SEVEN} + sA dK cT", THREE)
    assert hand == (card_set("hAKQsTd9cJ9sAdKcT"), card_set("sAdKcT"), WITH_TALON)


@pytest.mark.parametrize(
    ("text", "rules", "stage"),
    [
        ("hAKQ sT d9 cJ9 sA dK cT", THREE, WITH_TALON),
        ("hAKQ sT d9 cJ9 sA", THREE, KEPT),
        ("hAKQ sT d9 cJ9 sA dK cT", TWO, DEALT),
        ("hAKQ sT d9 cJ9 sA dK cT s9", TWO, KEPT),
        ("hAKQ sT d9 cJ9 sA dK cT + s9 hT", TWO, WITH_TALON),
    ],
)
def test_the_number_of_cards_tells_how_far_the_deal_has_come(text: str, rules: RuleSet, stage: str) -> None:
    assert read_hand(text, rules).stage == stage


@pytest.mark.parametrize(
    ("text", "rules", "found"),
    [
        ("hAKX sT d9 cJ9", THREE, "'X' at place 4, expected a rank"),
        ("xAKQ sT d9 cJ9", THREE, "'x' at place 1, expected a suit"),
        ("hAKQ sT d9 hK9", THREE, "hK again at place 13, expected each card once: it stands at place 3"),
        ("hAKQ sT d c", THREE, "the suit d without a card at place 9"),
        ("hAKQ sT d9 c", THREE, "the suit c without a card at place 12"),
        ("AH KH Q", THREE, "the end at place 8, expected a suit, s c d h, behind Q"),
        ("AH KH QS ZS", THREE, "'Z' at place 10, expected a rank"),
        ("AH KZ", THREE, "'Z' at place 5, expected a suit"),
        ("hAKQ sT d9 cJ", THREE, "found 6 cards, expected 7 (dealt), 8 (after the exchange), 10 (with the talon)"),
        (SEVEN, TWO, "found 7 cards, expected 10 (dealt), 11 (after the exchange), 12 (with the talon)"),
        ("", THREE, "found 0 cards"),
        (f"{SEVEN} + sA dK", THREE, "found 9 cards"),
        (f"{SEVEN} sA + dK cT", THREE, "2 of 10 cards behind + at place 19, expected the 3 of the talon"),
        (f"{SEVEN} + sA + dK cT", THREE, "a second + at place 21"),
        (f"+ {SEVEN}", THREE, "7 of 7 cards behind + at place 1"),
        (f"{SEVEN} sA dK cT s9 hT", TWO, "found no +, expected one before the two cards of the talon"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(text: str, rules: RuleSet, found: str) -> None:
    with pytest.raises(NotationError) as error:
        read_hand(text, rules)
    assert found in str(error.value)
    assert str(error.value).startswith(f"hand {text!r}: found ")
