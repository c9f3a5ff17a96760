"""Training runs: experience is what was played, a resumed run is the same run, and a killed one goes on."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import agents
from agents.arena import duel
from agents.network import Actor, find_checkpoint, load_actor, read_meta, save_actor
from agents.policy import BATCH, Policy, choose
from thousand_env import engine
from thousand_env.errors import ThousandError
from thousand_env.features import NUM_FEATURES
from thousand_env.rules import RuleSet
from thousand_env.state import SCORED, new_states
from thousand_env.view import look
from train import checkpoint
from train.config import Config
from train.learner import Learner
from train.loop import Run, agent_chooser
from train.pool import Pool
from train.run import main
from train.selfplay import Collector, Experience, advantage_rewards, lone_seats, network_chooser

ROOT = Path(__file__).parents[2]
CORE = RuleSet().array()


def tiny(folder: Path, **changes: Any) -> Config:
    """Return a run of a few iterations: two of imitation, one of comparison, six of PPO."""
    config = Config(
        run=folder,
        decisions=2400,
        warm_start=600,
        compared=400,
        deals=24,
        width=16,
        minibatch=128,
        pool_size=2,
        snapshots=4,
        evaluations=1,
        evaluation_deals=4,
        final_deals=4,
        checkpoints=6,
    )
    return replace(config, **changes)


def collect(against_pool: int, table: str = "core") -> Experience:
    torch.manual_seed(0)
    learner = network_chooser(Actor(16), exploration=0.5)
    opponent = agent_chooser(agents.load("uniform", table))
    return Collector(RuleSet.parse(table).array(), 12).collect(5, learner, opponent, against_pool)


def silent(*_: object) -> None:
    """Report nothing."""


TABLES = ("core", "classic players=2", "online players=4 bonus_hands=1 bonus_card=1", "tysiac")


def test_every_trajectory_is_one_seat_of_one_deal_and_ends_in_its_result() -> None:
    experience = collect(0)
    assert int(experience.ends.sum()) == 12 * 3
    expected = advantage_rewards(experience.states, CORE).ravel()
    assert experience.rewards[experience.ends].tolist() == pytest.approx(expected.tolist())
    assert not experience.rewards[~experience.ends].any()


def test_every_seat_of_two_decides_and_the_dealer_of_four_does_not() -> None:
    assert int(collect(0, "core players=2").ends.sum()) == 12 * 2
    table = "core players=4 dealer_scores=fixed"
    experience = collect(0, table)
    assert int(experience.ends.sum()) == 12 * 3
    rewards = advantage_rewards(experience.states, RuleSet.parse(table).array())
    dealers = experience.states["dealer"]
    expected = [rewards[deal, seat] for deal in range(12) for seat in range(4) if seat != dealers[deal]]
    assert experience.rewards[experience.ends].tolist() == pytest.approx(expected)


@pytest.mark.parametrize("table", TABLES)
def test_an_iteration_plays_every_deal_to_its_end(table: str) -> None:
    assert (collect(0, table).states["phase"] >= SCORED).all()


@pytest.mark.parametrize("table", TABLES)
def test_actions_taken_were_legal_and_never_forced(table: str) -> None:
    experience = collect(4, table)
    assert experience.masks.gather(1, experience.actions.unsqueeze(1)).all()
    assert (experience.masks.sum(1) > 1).all()


def test_against_a_past_self_only_one_seat_learns() -> None:
    assert int(collect(12).ends.sum()) == 12
    assert int(collect(6).ends.sum()) == 6 + 6 * 3
    assert int(collect(12, "core players=4").ends.sum()) == 12
    assert int(collect(6, "core players=2").ends.sum()) == 6 + 6 * 2


def test_the_dealer_of_four_never_learns_alone_and_the_others_do_in_turn() -> None:
    dealers = np.repeat(np.arange(4), 3)
    assert lone_seats(dealers, 4).tolist() == [1, 2, 3, 2, 3, 0, 3, 0, 1, 0, 1, 2]
    assert lone_seats(dealers, 3)[:4].tolist() == [0, 1, 2, 0]


def test_deals_longer_than_expected_find_room(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = collect(4, "online redeal_hand_below=30")
    monkeypatch.setattr("train.selfplay.PER_DEAL", 1)
    grown = collect(4, "online redeal_hand_below=30")
    assert (usual.states["attempt"] > 0).any()
    for name in ("features", "hidden", "masks", "actions", "log_probs", "rewards", "ends"):
        assert torch.equal(getattr(grown, name), getattr(usual, name))


def test_rewards_of_a_deal_sum_to_zero_in_units_of_a_hundred_points() -> None:
    states = new_states(1)
    states["score"][0, :3] = [120, 20, -20]
    rewards = advantage_rewards(states, CORE)
    assert rewards[0].tolist() == pytest.approx([1.2, -0.3, -0.9])


def test_an_action_does_not_depend_on_who_else_is_asked() -> None:
    torch.manual_seed(1)
    states = new_states(BATCH + 7)
    engine.start_matches(states, CORE, np.zeros(len(states)), np.arange(len(states)))
    views, masks = look(states, CORE, states["turn"]), engine.legal_actions(states, CORE)
    keys = np.arange(len(states))
    for sample in (False, True):
        policy = Policy(Actor(32), sample=sample)
        together = policy.act(views, masks, keys)
        alone = [policy.act(views[i : i + 1], masks[i : i + 1], keys[i : i + 1])[0] for i in range(len(states))]
        assert together.tolist() == alone


def test_sampled_actions_follow_the_probabilities() -> None:
    count = 20_000
    logits = np.tile(np.log(np.array([0.5, 0.25, 0.25] + [1.0] * 111, np.float32)), (count, 1))
    masks = np.zeros(logits.shape, np.int8)
    masks[:, :3] = 1
    actions, log_probs = choose(logits, masks, np.arange(count), sample=True)
    shares = np.bincount(actions, minlength=3) / count
    assert shares[:3] == pytest.approx([0.5, 0.25, 0.25], abs=0.02)  # over five standard errors
    assert log_probs == pytest.approx(np.log([0.5, 0.25, 0.25])[actions])


def test_a_resumed_run_ends_with_the_weights_of_an_uninterrupted_one(tmp_path: Path) -> None:
    budgets = {"warm_start": 1200, "compared": 1200}
    whole = Run.start(tiny(tmp_path / "whole", **budgets))
    whole.train(silent)

    run = Run.start(tiny(tmp_path / "broken", **budgets))
    stages: set[str] = set()
    for stop in (2, 5, 8):

        def stop_early(progress: dict[str, Any], scalars: dict[str, float], run: Run = run, stop: int = stop) -> None:
            run.stop = progress["iteration"] == stop
            stages.update(name.partition("/")[0] for name in scalars)

        run.train(stop_early)
        assert not run.finished
        run = Run.resume(Config(run=tmp_path / "broken", resume=True))
    run.train(silent)
    assert {"warm start", "comparison", "loss"} <= stages, "the run was to be stopped in each of its stages"
    hashes = [read_meta(find_checkpoint(tmp_path / name))["weights_sha256"] for name in ("whole", "broken")]
    assert hashes[0] == hashes[1]
    assert run.progress == whole.progress


def test_a_checkpoint_brings_back_learner_pool_and_progress(tmp_path: Path) -> None:
    run = Run.start(tiny(tmp_path))
    run.train(silent)
    config, learner, pool, progress = checkpoint.load(tmp_path)
    assert config == run.config
    assert progress == run.progress
    assert len(pool.members) == len(run.pool.members) == 2
    for name in ("actor", "critic"):
        saved, loaded = (one.optimisers[name].state_dict()["state"] for one in (run.learner, learner))
        assert all(torch.equal(loaded[i][part], saved[i][part]) for i in saved for part in saved[i])


def test_a_checkpoint_says_what_table_it_was_trained_at(tmp_path: Path) -> None:
    checkpoint.save(tmp_path, Learner(tiny(tmp_path)), Pool(tiny(tmp_path)), {"iteration": 7})
    meta = json.loads((tmp_path / "checkpoint-000007" / "checkpoint.json").read_text())
    assert RuleSet(**meta["rules"]) == RuleSet()
    assert meta["config"]["seed"] == 1
    assert meta["features_version"] == 1


def test_half_a_checkpoint_is_never_found(tmp_path: Path) -> None:
    (tmp_path / ".checkpoint-000009.partial").mkdir()
    (tmp_path / "checkpoint-000008").mkdir()
    with pytest.raises(ThousandError, match="expected a checkpoint folder"):
        find_checkpoint(tmp_path)


def test_weights_that_are_not_those_of_the_json_are_refused(tmp_path: Path) -> None:
    save_actor(tmp_path, Actor(16), {})
    meta = json.loads((tmp_path / "checkpoint.json").read_text())
    (tmp_path / "checkpoint.json").write_text(json.dumps(meta | {"weights_sha256": "0"}))
    with pytest.raises(ThousandError, match="hash"):
        load_actor(tmp_path)


def test_weights_of_another_feature_version_are_refused(tmp_path: Path) -> None:
    save_actor(tmp_path, Actor(16), {"features_version": 0})
    with pytest.raises(ThousandError, match="features_version is 0, expected 1"):
        load_actor(tmp_path)


def test_a_number_that_is_not_finite_stops_the_run_and_names_the_batch(tmp_path: Path) -> None:
    learner = Learner(tiny(tmp_path))
    loss = (learner.actor(torch.zeros(1, NUM_FEATURES)) * float("nan")).sum()
    with pytest.raises(ThousandError, match="iteration 3, batch 2: actor loss nan"):
        learner.descend("actor", loss, "iteration 3, batch 2")


def test_imitation_learns_what_the_teacher_does(tmp_path: Path) -> None:
    learner = Learner(tiny(tmp_path, width=64, minibatch=64))
    teacher = agent_chooser(agents.load("heuristic", "core"))
    experience = Collector(CORE, 24).collect(3, teacher, teacher, 0)
    losses = [learner.imitate(experience, key, "", 0.0)["imitation"] for key in range(250)]
    assert losses[-1] < losses[0] / 3


@pytest.mark.parametrize("table", ["classic players=2", "online players=4", "tysiac"])
def test_a_run_goes_to_its_end_at_any_table(tmp_path: Path, capsys: pytest.CaptureFixture[str], table: str) -> None:
    sizes = "--decisions 1200 --warm-start 600 --compared 300 --deals 24 --width 16 --minibatch 128 --evaluations 1"
    small = "--evaluation-deals 4 --final-deals 4"
    assert main(["--run", str(tmp_path), "--rules", table, *sizes.split(), *small.split()]) == 0
    result = json.loads((tmp_path / "result.json").read_text())
    assert [m["rules"] for m in result["measurements"]] == [table, table]
    assert f'--rules "{table}"' in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("players", [2, 4])
def test_a_network_trained_at_a_table_of_three_plays_at_another(players: int) -> None:
    policy = f"policy path={ROOT}/tests/data/policy"
    result = duel(policy, "passer", deals=100, seed=1, rules=f"core players={players}")
    assert result.decisions > 0
    if players == 4:  # the same deals and decisions, but for the seat that sits out
        assert result.ci95[0] > 0


def test_a_second_run_does_not_overwrite_the_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "checkpoint-000001").mkdir()
    assert main(["--run", str(tmp_path)]) == 1
    assert "holds a run already" in " ".join(capsys.readouterr().err.split())


def test_a_bad_value_is_named_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["--run", str(tmp_path), "--rules", "poker"])
    assert "'poker' is not a preset" in " ".join(capsys.readouterr().err.split())


def _command(folder: Path, *more: str) -> list[str]:
    sizes = "--decisions 4000 --warm-start 600 --deals 24 --width 16 --minibatch 128 --evaluations 1 --checkpoints 20"
    small = "--compared 600 --evaluation-deals 4 --final-deals 4"
    return [sys.executable, "-m", "train.run", "--run", str(folder), *sizes.split(), *small.split(), *more]


def _wait_for_checkpoint(folder: Path, process: "subprocess.Popen[str]") -> None:
    deadline = time.monotonic() + 120
    while not list(folder.glob("checkpoint-*")):
        assert process.poll() is None, "the run ended before its first checkpoint"
        assert time.monotonic() < deadline, "no checkpoint in two minutes"
        time.sleep(0.01)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_stopped_or_killed_run_goes_on_to_the_same_end(tmp_path: Path, number: signal.Signals) -> None:
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": ROOT}
    process = subprocess.Popen(_command(tmp_path / "stopped"), **quiet)
    _wait_for_checkpoint(tmp_path / "stopped", process)
    os.kill(process.pid, number)
    process.wait(timeout=120)
    assert process.returncode != 0
    subprocess.run([*_command(tmp_path / "stopped"), "--resume"], **quiet, check=True, timeout=300)
    subprocess.run(_command(tmp_path / "whole"), **quiet, check=True, timeout=300)
    results = [json.loads((tmp_path / name / "result.json").read_text()) for name in ("stopped", "whole")]
    assert results[0] == results[1]
