"""The bidder who counts points: what he counts, how far he goes, and where his table comes from."""

import numpy as np
import pytest
from scipy import stats

from agents.bidding import SPREAD
from agents.table import questions
from experiments.point_count import COUNTED, COUNTS, PointCount, counted, fitted
from experiments.samples import drawn_hands
from tests.table import Table, card_set
from thousand_env.actions import action_text

HAND = "hAKQsTd9cJ9"  # 30 card points, 100 of a marriage, one ace
OTHERS = "hTJ9dKQcAsJ/dATJcTKQsK sAQ9"


def answer(table: Table) -> str:
    rows = questions(table.states, table.array, np.array([0]))
    return action_text(int(PointCount(table.rules).act(*rows)[0]))


def test_points_marriages_and_aces_are_counted() -> None:
    hands = np.array([card_set(HAND), card_set("hAsAdKQcKQJ"), 0])
    assert counted(hands).tolist() == [[1, 30, 100, 1], [1, 38, 140, 2], [1, 0, 0, 0]]


@pytest.mark.parametrize(("actions", "said"), [("", "100"), ("100 120 pass", "125"), ("100 125 pass", "pass")])
def test_he_bids_up_to_his_count_less_the_heuristics_caution(actions: str, said: str) -> None:
    assert 125 < np.dot(COUNTS["seven"], [1, 30, 100, 1]) - 20 < 130
    assert answer(Table("core", f"2 {HAND}/{OTHERS}", actions)) == said


@pytest.mark.parametrize("players", [2, 3])
def test_the_table_is_what_the_fit_finds(players: int) -> None:
    names = ("ten", "eleven") if players == 2 else ("seven", "eight")
    found = fitted(players, 15_000, 5)
    assert tuple(found) == names
    for name, size in zip(names, (10, 11) if players == 2 else (7, 8), strict=True):
        counts = counted(drawn_hands(500, size, 1))
        apart = counts @ found[name][0] - counts @ np.array(COUNTS[name])
        assert np.abs(apart).max() < 10, "other deals, other weights, the same count"
        assert np.abs(apart).mean() < 2
        assert counts.shape[1] == len(COUNTED)


def test_he_names_the_contract_that_promises_most_to_the_cards_he_kept() -> None:
    table = Table("core", f"2 {HAND}/{OTHERS}", "100 pass pass cJ c9")
    assert table.phase == "contract"
    count = np.dot(COUNTS["eight"], [1, 11 + 4 + 3 + 11 + 10 + 3, 100, 2])
    promised = {bid: bid * (2 * stats.norm.sf(bid, count, SPREAD) - 1) for bid in (100, *table.levels())}
    best = max(promised, key=promised.__getitem__)
    assert best > 100
    assert answer(table) == str(best)
