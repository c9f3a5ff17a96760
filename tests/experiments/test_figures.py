"""Figures: intervals, forecasts against what happened, a regression, and rules a human can learn."""

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from experiments.figures import gap, mean, ratio, resampled, share, with_interval, write_csv
from experiments.logistic import fitted_logistic, predicted
from experiments.opening_table import Opening, answers, hands_of, means
from experiments.reliability import bins_of, brier, calibration_error
from experiments.rule_list import actions_of, facts_of, fit_list
from experiments.talon_price import explained
from tests.table import card_set
from thousand_env.cards import HEARTS, holds_marriage
from thousand_env.jit import popcount

RNG = np.random.default_rng(7)


def test_intervals_are_those_of_the_books() -> None:
    values = RNG.normal(3, 2, 500)
    low, high = stats.t.interval(0.95, 499, values.mean(), stats.sem(values))
    assert mean(values) == pytest.approx((values.mean(), low, high), abs=2e-3)
    hits = np.arange(50) < 10
    wilson = stats.binomtest(10, 50).proportion_ci(method="wilson")
    assert share(hits) == pytest.approx((0.2, wilson.low, wilson.high), abs=1e-4)
    boot = resampled(lambda rows: float(values[rows].mean()), len(values), 1)
    assert boot == pytest.approx(mean(values), abs=0.03)


def test_a_ratio_of_sums_scatters_as_its_blocks_do() -> None:
    counts = RNG.integers(0, 4, 400)
    totals = RNG.binomial(counts, 0.3) * 10.0
    found = ratio(totals, counts)
    assert found.value == totals.sum() / counts.sum()
    boot = resampled(lambda rows: float(totals[rows].sum() / counts[rows].sum()), len(counts), 1)
    assert found == pytest.approx(boot, abs=0.06)
    assert ratio(totals, np.ones(400)) == pytest.approx(mean(totals)), "blocks of one size: a mean"
    assert np.isnan(ratio(totals * 0, counts * 0).value), "nothing was counted"
    assert np.isnan(ratio(totals[:1], counts[:1]).low), "one block tells no interval"


def test_a_gap_is_how_far_some_are_above_all() -> None:
    inside = RNG.random(4000) < 0.2
    values = RNG.normal(0, 1, 4000) + 3 * inside
    found = gap(values, inside)
    assert found.value == pytest.approx(values[inside].mean() - values.mean())
    assert found.low < 3 * 0.8 < found.high
    assert np.isnan(gap(values[:1], inside[:1]).value)


def test_a_figure_takes_three_columns_of_a_table(tmp_path: Path) -> None:
    write_csv(tmp_path / "t.csv", ["bid", *with_interval("value")], [[100, mean(np.array([1.0, 3.0]))]])
    assert (tmp_path / "t.csv").read_text().splitlines() == [
        "bid,value,value_low,value_high",
        "100,2.0000,0.0400,3.9600",
    ]


# -- forecasts -------------------------------------------------------------------------------------------------------


def test_a_regression_on_one_yes_or_no_finds_the_odds() -> None:
    features = np.repeat([0.0, 1.0], [40, 60])[:, None]
    happened = np.concatenate([np.arange(40) < 10, np.arange(60) < 45]).astype(float)
    weights = fitted_logistic(features, happened)
    assert weights == pytest.approx([np.log(1 / 3), np.log(3) - np.log(1 / 3)], abs=1e-5)
    assert predicted(features[[0, -1]], weights) == pytest.approx([0.25, 0.75], abs=1e-6)


def test_the_calibration_error_is_the_gap_in_each_tenth_of_the_scale() -> None:
    chances = np.array([0.05, 0.05, 0.95, 0.95])
    made = np.array([0.0, 1.0, 1.0, 1.0])
    assert calibration_error(chances, made) == pytest.approx((2 * 0.45 + 2 * 0.05) / 4)
    assert brier(chances, made) == pytest.approx((0.05**2 + 0.95**2 + 2 * 0.05**2) / 4)
    assert [(one.size, one.made.value) for one in bins_of(chances, made)] == [(2, 0.5), (2, 1.0)]
    assert calibration_error(np.array([1.0, 0.0]), np.array([1.0, 0.0])) == 0


def test_the_variance_is_split_as_it_was_made() -> None:
    hands, talons, others = (RNG.normal(0, spread, shape) for spread, shape in (
        (3, (4000, 1, 1)), (2, (4000, 5, 1)), (1, (4000, 5, 4))
    ))  # fmt: skip
    assert explained(hands + talons + others) == pytest.approx((9 / 14, 13 / 14), abs=0.02)
    certain = np.broadcast_to(RNG.normal(0, 3, (50, 1, 1)), (50, 3, 2))
    assert explained(certain) == pytest.approx((1, 1))


# -- the table and its rules -----------------------------------------------------------------------------------------


def test_there_are_as_many_hands_as_there_are_and_a_sample_is_some_of_them() -> None:
    every, some = hands_of(Opening()), hands_of(Opening(hands=500))
    assert len(set(every.tolist())) == 346_104
    assert {popcount(int(hand)) for hand in every[::1000]} == {7}
    assert len(set(some.tolist())) == 500
    assert set(some.tolist()) < set(every.tolist())


def test_the_answer_is_the_lowest_alternative_not_clearly_worse_than_the_best() -> None:
    clear = np.tile([0.0, 10.0, 5.0], (8, 1)) + np.arange(8.0)[:, None]
    close = np.zeros((8, 3))
    close[:, 1] = np.where(np.arange(8) % 2, 9.0, -8.0)  # half a point better, surely not
    unknown = np.full((8, 3), np.nan)
    assert answers(np.stack([clear, close, unknown])).tolist() == [1, 0, 0]
    found = means(np.stack([clear, np.where(np.arange(8)[:, None] < 4, clear, np.nan), unknown]))
    assert found[:2, 0].tolist() == [3.5, 1.5]
    assert np.isnan(found[2]).all()


def test_a_rule_that_decides_is_found_and_fits_its_hands() -> None:
    hands = hands_of(Opening(hands=3000))
    hearts = np.array([holds_marriage(int(hand), HEARTS) for hand in hands])
    values = RNG.normal(0, 20, (3000, 3))
    values[:, 1] += np.where(hearts, 40, -40)
    rules = fit_list(facts_of(hands), values, most=1)
    assert (rules[0].facts, rules[0].action) == (("♥ marriage",), 1)
    assert (actions_of(rules, facts_of(hands))[hearts] == 1).all()
    assert str(rules[-1]) == "any other hand"


def test_facts_are_what_a_player_sees_in_his_hand() -> None:
    hands = [card_set("hAKQsTd9cJ9"), card_set("hJ9dJ9cJ9sJ"), card_set("sATKQJ9hA")]
    facts = {name for name, flags in facts_of(np.array(hands)).items() if flags[0]}
    assert {"♥ marriage", "1+ marriages", "1+ aces", "not 2+ aces", "30+ card points", "not 35+ card points"} <= facts
    assert {"3+ cards in the suit of the best marriage", "not 4+ cards in the longest suit"} <= facts
    assert not {"♠ marriage", "1+ tens with their ace"} & facts
