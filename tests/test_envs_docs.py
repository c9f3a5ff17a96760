"""ENVIRONMENTS.md says what is so: its examples run, its table is the code's."""

import inspect
from importlib import resources
from typing import Any

import pytest

import thousand_env
from tests.examples import examples_of, printed_by
from thousand_env import bidding_v0, deal_v0, match_v0, play_v0
from thousand_env.actions import NUM_ACTIONS
from thousand_env.envs.display import RENDER_MODES
from thousand_env.envs.openings import OPTIONS
from thousand_env.envs.opponents import GROUP
from thousand_env.envs.render import HEIGHT, WIDTH
from thousand_env.envs.rewards import REWARDS
from thousand_env.envs.single import SingleEnv
from thousand_env.features import FEATURES_VERSION, NUM_FEATURES, features_table
from thousand_env.state import EVENT_WORDS

TEXT = resources.files(thousand_env).joinpath("ENVIRONMENTS.md").read_text(encoding="utf-8")
EXAMPLES = examples_of(TEXT)


@pytest.mark.parametrize("example", range(len(EXAMPLES)))
def test_the_examples_print_what_stands_below_them(example: int) -> None:
    code, printed = EXAMPLES[example]
    assert printed_by(code) == printed


def test_the_examples_are_short() -> None:
    assert all(len(code.splitlines()) <= 16 for code, _ in EXAMPLES)


def test_the_table_of_the_observation_is_that_of_the_features() -> None:
    table = TEXT.partition("features.features_table() -->\n")[2].partition("\n<!-- end of features -->")[0]
    assert table == features_table()
    assert f"Version {FEATURES_VERSION}." in TEXT


def test_sizes_options_and_rewards_are_named_as_they_are() -> None:
    assert f"float32 ({NUM_FEATURES},)" in TEXT
    assert f"int8 ({NUM_ACTIONS},)" in TEXT
    assert all(f"`{name}`" in TEXT for name in (*OPTIONS, *REWARDS, *RENDER_MODES, *EVENT_WORDS))
    assert f"uint8 ({HEIGHT}, {WIDTH}, 3)" in TEXT
    assert GROUP in TEXT


def test_every_key_of_a_result_is_described() -> None:
    env: Any = deal_v0.env()
    env.reset(seed=1)
    while not env.terminations["player_0"]:
        env.step(int(env.last()[0]["action_mask"].argmax()))
    (result,) = env.infos["player_0"]["deals"]
    section = TEXT.partition("## Infos")[2].partition("\n## ")[0]
    assert all(f"`{key}`" in section for key in result)


@pytest.mark.parametrize("make", [deal_v0.raw_env, play_v0.raw_env, bidding_v0.raw_env, match_v0.raw_env, SingleEnv])
def test_every_option_of_a_constructor_is_described(make: Any) -> None:
    for parent in make.__mro__[:2]:
        names = [name for name in inspect.signature(parent).parameters if name not in ("args", "kwargs", "options")]
        assert all(f"`{name}`" in TEXT for name in names)
