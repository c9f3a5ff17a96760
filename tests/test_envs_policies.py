"""Preludes, playouts and the keys they draw from."""

import itertools
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.env_tables import TABLES, table
from thousand_env import bidding_v0, engine, play_v0
from thousand_env.actions import BAPTISE, NUM_ACTIONS, PASS, WRITE_OFF
from thousand_env.envs.policies import CappedUniform, Uniform, decision_keys
from thousand_env.errors import IllegalAction, ThousandError
from thousand_env.rules import RuleSet
from thousand_env.state import CONTRACT, NONE, PLAY, SCORED, new_states
from thousand_env.view import VIEW_DTYPE, look


def fresh(seed: int, match: int = 0, preset: str = "core") -> tuple[NDArray[Any], NDArray[Any]]:
    states, rules = new_states(1), RuleSet.parse(preset).array()
    engine.start_matches(states, rules, np.array([seed]), np.array([match]))
    return states, rules


def asked_until_the_end(states: NDArray[Any], rules: NDArray[Any]) -> list[tuple[int, int]]:
    """Play a deal uniformly; return the seat and the key of every decision."""
    asked: list[tuple[int, int]] = []
    while states["phase"][0] < SCORED:
        keys = decision_keys(states)
        asked.append((int(states["turn"][0]), int(keys[0])))
        masks = engine.legal_actions(states, rules)
        engine.step(states, rules, Uniform()(look(states, rules, states["turn"]), masks, keys))
    return asked


@pytest.mark.parametrize("preset", ["core", "classic", "online"])
def test_every_decision_of_every_deal_has_its_own_key(preset: str) -> None:
    deals = [asked_until_the_end(*fresh(seed, match, preset)) for seed, match in itertools.product(range(5), range(5))]
    keys = [key for deal in deals for _, key in deal]
    assert len(set(keys)) == len(keys)
    assert asked_until_the_end(*fresh(0, 1, preset)) == deals[1]


def test_a_policy_answers_a_row_the_same_in_any_batch() -> None:
    masks = (np.random.default_rng(0).random((50, NUM_ACTIONS)) < 0.2).astype(np.int8)
    keys, views = np.arange(50), np.zeros(50, VIEW_DTYPE)
    for policy in (Uniform(), CappedUniform()):
        together = policy(views, masks, keys)
        alone = [int(policy(views[[i]], masks[[i]], keys[[i]])[0]) for i in range(50)]
        assert together.tolist() == alone
        assert (masks[np.arange(50), together] == 1).all()


def test_uniform_takes_every_legal_action_about_as_often() -> None:
    masks = np.zeros((6000, NUM_ACTIONS), np.int8)
    masks[:, [3, 36, 97]] = 1
    actions = Uniform()(np.zeros(6000, VIEW_DTYPE), masks, np.arange(6000))
    counts = [int((actions == action).sum()) for action in (3, 36, 97)]
    assert sum(counts) == 6000
    assert min(counts) > 1850


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_the_default_prelude_bids_no_more_than_120_and_leaves_the_deal_to_be_played(name: str, players: int) -> None:
    env = play_v0.raw_env(table(name, players))
    contracts: set[int] = set()
    for match in range(40):
        env.reset(seed=1, options={"match": match})
        state = env.states[0]
        contracts.add(int(state.contract))
        assert (state.match, state.deal, state.blind) == (match, 0, 0)
        assert not state.bonuses.any()
        assert not state.write_offs.any()
    assert contracts <= {100, 105, 110, 115, 120}


def test_the_default_prelude_bids_all_it_may() -> None:
    env, contracts = play_v0.raw_env("core"), set[int]()
    for match in range(60):
        env.reset(seed=1, options={"match": match})
        contracts.add(int(env.states["contract"][0]))
    assert {110, 115, 120} <= contracts


class GivesUp:
    """A prelude that writes off, or is baptised, wherever it can, every so often."""

    def __init__(self, chance: float) -> None:
        self.chance, self.rng = chance, np.random.default_rng(0)

    def __call__(self, views: NDArray[Any], masks: NDArray[np.int8], keys: NDArray[np.int64]) -> NDArray[np.int64]:
        ends = [action for action in (WRITE_OFF, BAPTISE) if masks[0, action]]
        if ends and self.rng.random() < self.chance:
            return np.array(ends)
        return CappedUniform()(views, masks, keys)

    def __repr__(self) -> str:
        return f"GivesUp({self.chance})"


@pytest.mark.parametrize("rules", ["core write_off=half", "core baptism=yes"])
def test_the_play_environment_deals_on_until_a_deal_is_played(rules: str) -> None:
    env, matches = play_v0.raw_env(rules, prelude=GivesUp(0.5)), list[int]()
    options = {"totals": [30, 20, 10], "match": 7}
    env.reset(seed=1, options=options)
    for _ in range(20):
        matches.append(int(env.states["match"][0]))
        assert (env.states["phase"][0], env.states["num_plays"][0], env.states["deal"][0]) == (PLAY, 0, 0)
        env.reset(options={"totals": [30, 20, 10]})
        assert env.states["totals"][0, :3].tolist() == [30, 20, 10]
    assert matches == sorted(set(matches))
    assert len(matches) + 7 < matches[-1] < 7 + 80


def test_a_prelude_that_leaves_no_deal_to_be_played_is_named() -> None:
    env = play_v0.raw_env("core write_off=half", prelude=GivesUp(1))
    with pytest.raises(ThousandError, match=r"policy GivesUp\(1\) ended 1000 deals in a row before their play"):
        env.reset(seed=1)


def test_a_deal_written_off_is_not_played_out_by_the_playout() -> None:
    playout = Watched()
    env = any_typed(bidding_v0.raw_env("core write_off=half", playout=playout))
    env.reset(seed=1)
    while not env.terminations["player_0"]:
        mask = env.last()[0]["action_mask"]
        env.step(WRITE_OFF if mask[WRITE_OFF] else PASS if mask[PASS] else int(mask.argmax()))
    assert playout.phases == []
    assert env.infos["player_0"]["deals"][0]["written_off"]
    assert env.rewards["player_0"] == env.states["score"][0, 0] / 100


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_the_bidding_environment_pays_the_deal_that_is_dealt_in_the_end(name: str, players: int) -> None:
    env = any_typed(bidding_v0.raw_env(table(name, players)))
    for match in range(15):
        env.reset(seed=3, options={"match": match})
        rng = np.random.default_rng(match)
        while not env.terminations["player_0"]:
            env.step(int(rng.choice(np.flatnonzero(env.last()[0]["action_mask"]))))
        assert list(env.rewards.values()) == (env.states["score"][0, :players] / 100).tolist()


def test_a_prelude_leaves_a_sitter_on_the_barrel_a_legal_bid() -> None:
    env = play_v0.raw_env()
    for match in range(20):
        env.reset(seed=1, options={"match": match, "deal": 3, "totals": [880, 0, 0]})
        assert env.states["phase"][0] == PLAY


def test_the_playout_finishes_the_deal_as_the_engine_would() -> None:
    env = any_typed(bidding_v0.raw_env())
    env.reset(seed=5)
    rules, twin, action = env.rules.array(), env.states.copy(), NONE
    while not env.terminations["player_0"]:
        mask, twin = env.last()[0]["action_mask"], env.states.copy()
        action = PASS if mask[PASS] else int(mask.argmax())
        env.step(action)
    engine.step(twin, rules, np.array([action]))
    asked_until_the_end(twin, rules)
    assert twin.tobytes() == env.states.tobytes()


def any_typed(env: Any) -> Any:
    """Return the environment without the types that PettingZoo leaves half open."""
    return env


class Watched:
    """A policy that remembers what it was asked."""

    def __init__(self) -> None:
        self.phases: list[int] = []

    def __call__(self, views: NDArray[Any], masks: NDArray[np.int8], keys: NDArray[np.int64]) -> NDArray[np.int64]:
        assert views.dtype == VIEW_DTYPE
        assert (views.shape, masks.shape, keys.shape) == ((1,), (1, NUM_ACTIONS), (1,))
        assert (masks.dtype, keys.dtype) == (np.int8, np.int64)
        assert views["turn"][0] == 0, "a view is that of the seat to act"
        self.phases.append(int(views["phase"][0]))
        return masks.argmax(axis=1)


def test_a_prelude_decides_before_the_play_and_a_playout_in_it() -> None:
    prelude, playout = Watched(), Watched()
    play, bidding = play_v0.raw_env(prelude=prelude), any_typed(bidding_v0.raw_env(playout=playout))
    play.reset(seed=1)
    assert set(prelude.phases) <= set(range(PLAY))
    bidding.reset(seed=1)
    while not bidding.terminations["player_0"]:
        assert playout.phases == []
        bidding.step(int(bidding.last()[0]["action_mask"].argmax()))
    assert playout.phases == [PLAY] * 24


@pytest.mark.parametrize(
    "answer",
    [np.array([NUM_ACTIONS]), np.array([PASS, PASS]), np.array([1.0]), np.array([-1]), None, 37, np.array([True])],
)
def test_a_policy_that_answers_nonsense_is_named_and_nothing_changes(answer: Any) -> None:
    class Nonsense:
        def __call__(self, *_question: Any) -> Any:
            return answer

        def __repr__(self) -> str:
            return "Nonsense()"

    env = play_v0.raw_env(prelude=Nonsense())
    with pytest.raises(IllegalAction, match=r"policy Nonsense\(\) answered .*auction of deal 0 .* one of 100 to"):
        env.reset(seed=1)
    bidding = any_typed(bidding_v0.raw_env(playout=Nonsense()))
    bidding.reset(seed=1)
    while bidding.states["phase"][0] < CONTRACT:
        bidding.step(int(bidding.last()[0]["action_mask"].argmax()))
    before = bidding.states.tobytes()
    with pytest.raises(IllegalAction, match=r"policy Nonsense\(\) answered .*play of deal 0"):
        bidding.step(PASS)
    assert bidding.states.tobytes() == before
    assert bidding.agents == ["player_0", "player_1", "player_2"]
