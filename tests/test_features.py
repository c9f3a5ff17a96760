"""Features: what stands where in a row."""

import numpy as np

from tests.table import Table
from thousand_env.cards import parse_card
from thousand_env.features import FEATURES, encode, offset_of
from thousand_env.view import look


def named(row: np.ndarray, name: str) -> list[float]:
    """The numbers of one feature."""
    width = next(feature.width for feature in FEATURES if feature.name == name)
    return row[offset_of(name) :][:width].tolist()


def test_the_trick_holds_the_cards_of_the_others_and_nothing_else_moves() -> None:
    table = Table("core", "2 hAKQJdAKsJ9/hT9dTQJ9cAsQ/cTKQJ9sATK -", "hA hT")
    for viewer, cards in ((0, {0: "hT"}), (1, {1: "hA"}), (2, {0: "hA", 1: "hT"})):
        row = encode(look(table.states, table.array, np.array([viewer])))[0]
        trick = {24 * place + parse_card(card) for place, card in cards.items()}
        assert {place for place, bit in enumerate(named(row, "trick")) if bit} == trick
        assert named(row, "led") == [0, 0, 0, 1]
        assert named(row, "leader") == [float(place == (0 - viewer) % 3) for place in range(4)]
        assert named(row, "trump") == [0, 0, 0, 0]
