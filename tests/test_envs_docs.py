"""ENVIRONMENTS.md says what is so: its examples run, its table is the code's."""

from importlib import resources

import pytest

import thousand_env
from tests.examples import examples_of, printed_by
from thousand_env.actions import NUM_ACTIONS
from thousand_env.envs.openings import OPTIONS
from thousand_env.envs.rewards import REWARDS
from thousand_env.features import FEATURES_VERSION, NUM_FEATURES, features_table

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
    assert all(f"`{name}`" in TEXT for name in (*OPTIONS, *REWARDS))
