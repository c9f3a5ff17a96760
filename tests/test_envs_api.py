"""PettingZoo's own tests, on every environment, preset and number of players."""

import functools
import importlib
import warnings
from typing import Any

import pytest

from tests.env_tables import TABLES, table
from thousand_env import bidding_v0, deal_v0, match_v0, play_v0
from thousand_env.envs.display import RENDER_MODES
from thousand_env.rules import RuleSet

ENVS: dict[str, Any] = {"deal": deal_v0, "play": play_v0, "bidding": bidding_v0, "match": match_v0}
conformance: Any = importlib.import_module("pettingzoo.test")  # its functions have no types

# What api_test warns of, and why it is meant; nothing else may come.
ALLOWED = {
    # It knows the environments with masks, whose observations are dicts, by their names: those of PettingZoo's own.
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
    # An agent that is about to leave has no legal action, and a mask shows the hand of the seat to act alone.
    "Action mask numpy array is all zeros (no legal actions).",
}


@pytest.fixture(autouse=True)
def without_a_display(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows are opened on no screen, and nobody waits for the time their pictures are due."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    for module in ENVS.values():
        monkeypatch.setitem(module.raw_env.metadata, "render_fps", 0)


def rules_for(name: str, preset: str, players: int) -> RuleSet:
    return table(preset, players, max_deals=3 if name == "match" else 0)


def make(name: str, preset: str, players: int, **options: Any) -> Any:
    env = ENVS[name].env(rules=rules_for(name, preset, players), **options)
    for number, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(number)
    return env


@pytest.mark.parametrize(("preset", "players"), TABLES)
@pytest.mark.parametrize("name", ENVS)
def test_api_test_passes_with_no_warning_but_the_named_ones(name: str, preset: str, players: int) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        conformance.api_test(make(name, preset, players), num_cycles=100)
    assert {str(warning.message) for warning in caught} <= ALLOWED


@pytest.mark.parametrize("name", ENVS)
def test_api_test_passes_on_the_raw_environment(name: str) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        conformance.api_test(ENVS[name].raw_env(rules=rules_for(name, "core", 3)), num_cycles=100)
    assert {str(warning.message) for warning in caught} <= ALLOWED


@pytest.mark.parametrize(("preset", "players"), TABLES)
@pytest.mark.parametrize("name", ENVS)
def test_seed_test_passes(name: str, preset: str, players: int) -> None:
    conformance.seed_test(lambda: make(name, preset, players), num_cycles=100)


@pytest.mark.parametrize(("preset", "players"), TABLES)
@pytest.mark.parametrize("name", ENVS)
def test_render_test_passes(name: str, preset: str, players: int) -> None:
    def says_where_it_stands(text: str) -> bool:
        return text.startswith(f"{rules_for(name, preset, players)}: deal ") and "talon" in text

    conformance.render_test(functools.partial(make, name, preset, players), custom_tests={"ansi": says_where_it_stands})


@pytest.mark.parametrize("name", ENVS)
def test_metadata_names_the_environment_and_how_it_renders(name: str) -> None:
    env = ENVS[name].env()
    assert env.metadata["name"] == str(env) == f"thousand_{name}_v0"
    assert env.metadata["render_modes"] == ["human", "ansi", "rgb_array"] == list(RENDER_MODES)
    assert env.metadata["is_parallelizable"] is False


# -- how many play ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ENVS)
def test_the_number_of_players_may_be_given_beside_the_rules(name: str) -> None:
    for players in (2, 3, 4):
        for rules in ("online", RuleSet.parse("online")):
            env = ENVS[name].env(rules=rules, players=players)
            assert env.unwrapped.rules == RuleSet.parse("online").replace(players=players)
            assert env.possible_agents == [f"player_{seat}" for seat in range(players)]


def test_agreements_for_four_players_alone_are_read_together_with_their_number() -> None:
    assert deal_v0.env(rules="classic dealer_scores=talon", players=4).unwrapped.rules.dealer_scores == "talon"
