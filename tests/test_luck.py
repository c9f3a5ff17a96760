"""Control variates: what the cards say about a block, fixed beforehand, and never at the cost of the truth."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from rich.console import Console
from rich.progress import Progress

from agents.arena import duel, evaluation_seed
from agents.evidence import Evidence
from agents.hand_value import EIGHT, SEVEN, hand_value, weights
from agents.league import Config, League
from agents.lineups import PILOT, Chunk
from agents.luck import CONTROLS, controls_of, fit, means_of
from agents.store import Book
from thousand_env.cards import NUM_CARDS, card_name
from thousand_env.engine import new_states, start_matches
from thousand_env.rules import CORE, RuleSet


def test_the_controls_are_what_they_are_called() -> None:
    states = new_states(1)
    start_matches(states, CORE.array(), np.array([5]), np.array([3]))
    hands, talon = [int(hand) for hand in states["dealt"][0, :3]], int(states["talon"][0])
    found = dict(zip(CONTROLS, controls_of(CORE, 5, np.array([3]))[0], strict=True))
    values = [hand_value(hand, weights()[SEVEN]) for hand in hands]
    assert found["best hand"] == pytest.approx(max(values))
    assert found["worst hand"] == pytest.approx(min(values))
    assert found["hands together"] == pytest.approx(sum(values))
    assert found["best hand with the talon"] == pytest.approx(
        max(hand_value(hand | talon, weights()[EIGHT]) for hand in hands)
    )
    points = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}
    in_talon = [card_name(card) for card in range(NUM_CARDS) if talon >> card & 1]
    assert found["points in the talon"] == sum(points[name[1]] for name in in_talon)


@pytest.mark.parametrize("table", ["classic players=2", "core players=4"])
def test_every_table_has_controls(table: str) -> None:
    controls = controls_of(RuleSet.parse(table), 1, np.arange(200))
    assert np.isfinite(controls).all()
    assert (np.abs(controls) < 1000).all()
    assert (controls.std(axis=0) > 0).all()


def test_the_means_are_those_of_other_deals() -> None:
    controls = controls_of(CORE, evaluation_seed(1), np.arange(20_000))
    errors = (controls.mean(axis=0) - means_of(CORE)) / (controls.std(axis=0) / np.sqrt(20_000))
    assert (np.abs(errors) < 4).all()


def test_a_fit_finds_what_the_results_follow() -> None:
    rng = np.random.default_rng(1)
    controls, means = rng.normal(5, 2, (2000, len(CONTROLS))), np.full(len(CONTROLS), 5.0)
    true = np.arange(len(CONTROLS)) / 4
    luck = fit(7 + (controls - means) @ true + rng.normal(0, 0.1, 2000), controls, means)
    assert luck.coefficients == pytest.approx(true, abs=0.02)
    fresh = rng.normal(5, 2, (2000, len(CONTROLS)))
    adjusted = luck.adjusted(7 + (fresh - means) @ true, fresh)
    assert adjusted == pytest.approx(np.full(2000, 7), abs=0.5)


def test_luck_taken_out_leaves_the_mean_and_lessens_the_variance() -> None:
    pilot, judged = (duel("heuristic", "passer", deals=3000, seed=seed).block_results for seed in (21, 22))
    controls = [controls_of(CORE, evaluation_seed(seed), np.arange(3000)) for seed in (21, 22)]
    fair = fit(pilot, controls[0], means_of(CORE)).adjusted(judged, controls[1])
    assert 0.8 < fair.var() / judged.var() < 0.95
    long = duel("heuristic", "passer", deals=40_000, seed=23).block_results
    error = np.sqrt(fair.var() / 3000 + long.var() / 40_000)
    assert abs(fair.mean() - long.mean()) < 3 * error


def test_the_multiples_come_from_the_pilot_alone(tmp_path: Path) -> None:
    played = League(Config(("heuristic", "passer"), deals=60, pilot=100, workers=1, database=tmp_path / "league.db"))
    with Progress(console=Console(quiet=True)) as progress:
        played.play(progress)
    short, whole = (Evidence(played.plan, played.book, end) for end in (20, 60))
    fair = [evidence.fair_results(0, 1) for evidence in (short, whole)]
    assert fair[0] is not None
    assert fair[1] is not None
    assert fair[0] == pytest.approx(fair[1][:20])  # later blocks change nothing about earlier ones
    assert whole.blocks == 60
    pilot = [chunk for chunk, _, _ in played.book.games() if chunk.first >= PILOT]
    assert sum(chunk.blocks for chunk in pilot) == 2 * 100
    played.book.close()


def test_the_deals_of_a_pilot_are_not_those_that_count() -> None:
    plan = Config(("heuristic", "passer"), pilot=100).plan()
    pilot = controls_of(CORE, plan.seed_of(Chunk(0, PILOT, 500)), PILOT + np.arange(500))
    judged = controls_of(CORE, plan.seed_of(Chunk(0, 0, 500)), np.arange(500))
    assert not (pilot == judged).all(axis=1).any()


def test_without_a_pilot_nothing_is_adjusted() -> None:
    plan = Config(("heuristic", "passer")).plan()
    book = Book(None, {})
    assert Evidence(plan, book).fair_results(0, 1) is None
    book.close()
