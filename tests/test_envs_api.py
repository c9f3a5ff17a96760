"""PettingZoo's own tests, on every environment and preset."""

import functools
import importlib
import warnings
from typing import Any

import pytest

from thousand_env import bidding_v0, deal_v0, match_v0, play_v0

ENVS: dict[str, Any] = {"deal": deal_v0, "play": play_v0, "bidding": bidding_v0, "match": match_v0}
PRESETS = ("core", "classic", "online")
conformance: Any = importlib.import_module("pettingzoo.test")  # its functions have no types

# What api_test warns of, and why it is meant; nothing else may come.
ALLOWED = {
    # It knows the environments with masks, whose observations are dicts, by their names: those of PettingZoo's own.
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
    # An agent that is about to leave has no legal action, and a mask shows the hand of the seat to act alone.
    "Action mask numpy array is all zeros (no legal actions).",
}


def rules_for(name: str, preset: str) -> str:
    return f"{preset} max_deals=3" if name == "match" else preset


def make(name: str, preset: str, **options: Any) -> Any:
    env = ENVS[name].env(rules=rules_for(name, preset), **options)
    for number, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(number)
    return env


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", ENVS)
def test_api_test_passes_with_no_warning_but_the_named_ones(name: str, preset: str) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        conformance.api_test(make(name, preset), num_cycles=100)
    assert {str(warning.message) for warning in caught} <= ALLOWED


@pytest.mark.parametrize("name", ENVS)
def test_api_test_passes_on_the_raw_environment(name: str) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        conformance.api_test(ENVS[name].raw_env(rules=rules_for(name, "core")), num_cycles=100)
    assert {str(warning.message) for warning in caught} <= ALLOWED


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", ENVS)
def test_seed_test_passes(name: str, preset: str) -> None:
    conformance.seed_test(lambda: make(name, preset), num_cycles=100)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", ENVS)
def test_render_test_passes(name: str, preset: str) -> None:
    def says_where_it_stands(text: str) -> bool:
        return text.startswith(f"{make(name, preset).rules}: deal ") and "talon" in text

    conformance.render_test(functools.partial(make, name, preset), custom_tests={"ansi": says_where_it_stands})


@pytest.mark.parametrize("name", ENVS)
def test_metadata_names_the_environment_and_how_it_renders(name: str) -> None:
    env = ENVS[name].env()
    assert env.metadata["name"] == str(env) == f"thousand_{name}_v0"
    assert env.metadata["render_modes"] == ["human", "ansi"]
    assert env.metadata["is_parallelizable"] is False
