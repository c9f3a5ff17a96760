"""Verdicts that hold whenever one looks: seldom wrong, and found by a duel at the same block in any run."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest
from numpy.typing import NDArray

from agents.arena import duel
from agents.scoreboard import main
from agents.sequential import EQUAL, LOOK, LOSES, OPEN, WINS, half_width, until_decided, verdict

RUNS, LOOKS, MARGIN = 300, 20, 1.0


@pytest.fixture(scope="module")
def noise() -> NDArray[np.float64]:
    """What blocks of two close bots scatter like, mean 0: few values, heavy tails."""
    results = duel("heuristic margin=20", "heuristic", deals=4000, seed=11).block_results
    return results - results.mean()


def share_of_runs(noise: NDArray[np.float64], mean: float, wrong: tuple[str, ...]) -> float:
    """How many runs, looked at again and again, come to a wrong decision before any other."""
    rng = np.random.default_rng(5)
    found = 0
    for _ in range(RUNS):
        blocks = rng.choice(noise, LOOK * LOOKS) + mean
        decisions = (verdict(blocks[: LOOK * (look + 1)], margin=MARGIN).decision for look in range(LOOKS))
        found += next((decision for decision in decisions if decision != OPEN), OPEN) in wrong
    return found / RUNS


@pytest.mark.parametrize("mean", [MARGIN, -MARGIN, 0.0])
def test_wrong_decisions_are_as_rare_as_promised(noise: NDArray[np.float64], mean: float) -> None:
    wrong = (WINS, LOSES) if mean == 0 else (WINS, LOSES, EQUAL)  # on the margin nothing can be decided rightly
    assert share_of_runs(noise, mean, wrong) <= 0.05


def test_an_interval_for_one_look_would_be_wrong_far_more_often(
    noise: NDArray[np.float64], monkeypatch: pytest.MonkeyPatch
) -> None:
    def for_one_look(blocks: int, deviation: float, **_: float) -> float:
        return 1.96 * deviation / blocks**0.5

    monkeypatch.setattr("agents.sequential.half_width", for_one_look)
    assert share_of_runs(noise, MARGIN, (WINS, LOSES, EQUAL)) > 0.12


@pytest.mark.parametrize(("mean", "decision"), [(4.0, WINS), (-4.0, LOSES)])
def test_a_clear_difference_is_found(noise: NDArray[np.float64], mean: float, decision: str) -> None:
    assert share_of_runs(noise, mean, (decision,)) == 1


def test_no_difference_is_found_in_time() -> None:
    blocks = np.random.default_rng(3).normal(0, 25, 20_000)
    assert verdict(blocks[:1000], margin=MARGIN).decision == OPEN
    assert verdict(blocks, margin=MARGIN).decision == EQUAL


def test_nothing_is_decided_before_the_first_look() -> None:
    clear = np.full(LOOK, 50.0)
    assert verdict(clear[:-1], margin=MARGIN).decision == OPEN
    assert f"before the first look, at {LOOK} blocks" in str(verdict(clear[:-1], margin=MARGIN))
    assert "look, at" not in str(verdict(clear, margin=MARGIN))
    assert verdict(clear, margin=MARGIN).decision == WINS


def test_the_interval_narrows_to_a_small_multiple_of_the_fixed_one() -> None:
    ratios = [half_width(blocks, 1.0) * blocks**0.5 / 1.96 for blocks in (1000, 10_000, 100_000)]
    assert all(1.3 < ratio < 2.2 for ratio in ratios)
    assert half_width(10_000, 1.0, error=0.01) > half_width(10_000, 1.0)


def test_a_duel_stops_at_the_first_look_that_decides() -> None:
    stopped = duel("heuristic", "passer", deals=5000, seed=1, batch=LOOK, enough=until_decided(margin=MARGIN))
    whole = duel("heuristic", "passer", deals=LOOK, seed=1)
    assert stopped.as_dict() == whole.as_dict()
    assert (stopped.block_results == whole.block_results).all()
    assert verdict(stopped.block_results, margin=MARGIN).decision == WINS


def test_the_command_line_says_what_was_decided(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["arena", "heuristic", "passer", "--until-decided"])
    main()
    shown = capsys.readouterr().out
    assert f"{LOOK} deals in 3 seatings" in shown
    assert "verdict        beats by more than 1 (" in shown
    monkeypatch.setattr(sys, "argv", ["arena", "passer", "passer", "--until-decided", "--margin", "2", "--json"])
    main()
    found = json.loads(capsys.readouterr().out)["verdict"]
    assert (found["decision"], found["margin"], found["blocks"]) == (EQUAL, 2, LOOK)
