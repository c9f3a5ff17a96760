"""Deals played out at any table are the deals of the engine: same random words, same actions, same scores."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.test_rollouts import engine_traces, rollout_keys
from thousand_env import engine, rollouts
from thousand_env.actions import DECLARE_KING, PASS
from thousand_env.rules import PRESETS, RuleSet
from thousand_env.state import NONE, PLAY, SCORED, new_states

TABLES = [f"{preset} players={players}" for preset in PRESETS for players in (2, 3, 4)]
OTHER_TRICKS = [
    *("core trump_from=next_trick", "online ace_marriage_trump=last_ace", "core declare=automatic ace_marriage=yes"),
    *("online ace_marriage_trump=led_ace players=2", "core declare_with=king_or_queen players=2", "core must_beat=yes"),
    *("core must_overtrump=yes players=4", "core must_trump=no", "tysiac must_trump=no players=2"),
    *("core marriage_first_lead=always players=4 dealer_scores=talon", "classic golden=yes baptism=yes write_off=off"),
]
ROOM = 1024  # for a trace: cards may be dealt again, and again


def opened(count: int, rules: NDArray[Any], seed: int) -> NDArray[Any]:
    states = new_states(count)
    engine.start_matches(states, rules, np.full(count, seed), np.arange(count))
    return states


def stepped(states: NDArray[Any], rules: NDArray[Any], seed: int) -> None:
    """Take one random legal action in every state."""
    masks = engine.legal_actions(states, rules)
    engine.step(states, rules, (masks * np.random.default_rng(seed).random(masks.shape)).argmax(axis=1))


@pytest.mark.parametrize("table", [*TABLES, *OTHER_TRICKS])
def test_a_deal_is_played_out_as_by_the_engine_action_for_action(table: str) -> None:
    rules, keys = RuleSet.parse(table).array(), rollout_keys(300, 41)
    states = opened(len(keys), rules, 41)
    ended = states.copy()
    traces = engine_traces(ended, rules, keys)
    assert (ended["phase"] >= SCORED).all()
    for i, key in enumerate(keys):
        trace = np.full(ROOM, -1, np.int64)
        decisions = rollouts.play_out(states[i], rules[0], key, trace)
        assert trace[:decisions].tolist() == traces[i][traces[i] >= 0].tolist()
        assert states["score"][i].tolist() == ended["score"][i].tolist()


@pytest.mark.parametrize("table", [*TABLES, *OTHER_TRICKS])
def test_a_deal_is_played_out_as_by_the_engine_wherever_it_stands(table: str) -> None:
    rules, count = RuleSet.parse(table).array(), 200
    states = opened(count, rules, 42)
    phases, on_table = set[int](), 0
    for step in range(36):
        ended, before = states.copy(), states.tobytes()
        decisions = engine.rollout(ended, rules, step)
        scores = rollouts.scores_after(states, rules, rollout_keys(count, step))
        assert states.tobytes() == before
        assert (scores == ended["score"][:, : rules["players"][0]]).all()
        assert decisions > 0 or (states["phase"] >= SCORED).all()
        phases |= set(states["phase"].tolist())
        on_table += int(((states["phase"] == PLAY) & (states["best"] != NONE)).sum())
        stepped(states, rules, step)
    assert {PLAY, SCORED} <= phases
    assert on_table > count


def test_the_deals_played_out_declare_in_every_way() -> None:
    rules = RuleSet.parse("online declare_with=king_or_queen").array()
    keys = rollout_keys(3000, 43)
    states, declared = opened(len(keys), rules, 43), set[int]()
    ended = states.copy()
    engine.rollout(ended, rules, 43)
    for i, key in enumerate(keys):
        trace = np.full(ROOM, -1, np.int64)
        rollouts.play_out(states[i], rules[0], key, trace)
        declared |= {int(action) for action in trace if DECLARE_KING <= action < PASS}
    assert (states["score"] == ended["score"]).all()
    assert declared == set(range(DECLARE_KING, PASS))
