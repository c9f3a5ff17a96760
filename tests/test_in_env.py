"""A bot in the loop of an environment plays as it does at a table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agents import load
from agents.in_env import decide
from agents.table import play_deals
from thousand_env import deal_v0, match_v0
from thousand_env.errors import IllegalAction, ThousandError


@pytest.mark.parametrize("spec", ["uniform", "heuristic"])
@pytest.mark.parametrize("table", ["core", "classic players=4", "online players=2"])
def test_a_bot_plays_the_deal_it_plays_at_a_table(table: str, spec: str) -> None:
    env, bot = deal_v0.env(rules=table), load(spec, table)
    env.reset(seed=3)
    states, rules = env.unwrapped.states.copy(), env.unwrapped.rules
    play_deals(states, rules.array(), [bot], np.zeros((1, rules.players), np.int64))
    while not any(env.terminations.values()):
        env.step(decide(bot, env))
    assert env.unwrapped.states.tobytes() == states.tobytes()


def test_a_bot_plays_a_match_to_its_end() -> None:
    env, bot = match_v0.env(rules="core max_deals=5"), load("heuristic", "core max_deals=5")
    env.reset(seed=3)
    while not any([*env.terminations.values(), *env.truncations.values()]):
        env.step(decide(bot, env.unwrapped))
    assert env.unwrapped.states["deal"][0] == 4


def test_nobody_can_be_asked_before_a_game_or_after_it() -> None:
    env, bot = deal_v0.env(), load("passer")
    with pytest.raises(ThousandError, match="nobody to act"):
        decide(bot, env)
    env.reset(seed=1)
    while not any(env.terminations.values()):
        env.step(decide(bot, env))
    with pytest.raises(ThousandError, match="nobody to act"):
        decide(bot, env)


def test_an_answer_that_is_illegal_is_named() -> None:
    class Stubborn:
        def act(self, views: Any, masks: Any, keys: Any) -> Any:  # noqa: ARG002 an agent's signature
            return np.array([0])

    env = deal_v0.env()
    env.reset(seed=1)
    with pytest.raises(IllegalAction, match="is illegal in the view"):
        decide(Stubborn(), env)
