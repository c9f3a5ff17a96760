"""The vector environment against the AEC environments, and its own contract."""

import copy
import itertools
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from tests.env_tables import TABLES, table
from thousand_env import deal_v0, match_v0
from thousand_env.actions import GO_BLIND, NUM_ACTIONS, PASS, bid_action
from thousand_env.enforcement import try_row
from thousand_env.errors import IllegalAction, ThousandError
from thousand_env.features import NUM_FEATURES
from thousand_env.replay import listing
from thousand_env.state import EVENT_WORDS
from thousand_env.vector import VectorEnv

MODES: dict[str, Any] = {"deal": deal_v0, "match": match_v0}


def any_legal(masks: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int64]:
    return (rng.random(masks.shape) * masks).argmax(axis=1)


def rows_of(results: dict[str, Any]) -> dict[int, int]:
    """Return the row of each game that results tell of."""
    return {int(game): row for row, game in enumerate(results["games"])}


def check_row(i: int, env: Any, observations: NDArray[Any], infos: dict[str, Any]) -> None:
    """Check that game i shows what its AEC twin shows the seat to act."""
    seen, _, _, _, _ = env.last()
    assert env.agent_selection == f"player_{infos['seats'][i]}"
    assert (observations[i] == seen["observation"]).all()
    assert (infos["action_mask"][i] == seen["action_mask"]).all()


def check_deal(row: int, deals: dict[str, Any], result: dict[str, Any]) -> None:
    """Check one row of `deals` or `final_info` against the result that the AEC twin told."""
    for name in ("match", "deal", "attempt", "declarer", "bid", "contract", "written_off", "baptised"):
        assert deals[name][row] == result[name]
    for name in ("score", "fines", "totals", "bolts", "mounted", "attempts", "falls"):
        assert deals[name][row].tolist() == result[name]
    assert (deals["winner"][row] if deals["winner"][row] >= 0 else None) == result["winner"]
    words = [[word for bit, word in enumerate(EVENT_WORDS) if events >> bit & 1] for events in deals["events"][row]]
    assert words == result["events"]


def check_end(env: Any, row: int, infos: dict[str, Any], result: dict[str, Any]) -> None:
    """Check that a finished game ended with what its AEC twin ended with."""
    final = infos["final_info"]
    for seat, agent in enumerate(env.possible_agents):
        assert (infos["final_obs"][row, seat] == env.observe(agent)["observation"]).all()
    check_deal(row, final, result)
    assert "stakes" not in final or final["stakes"][row].tolist() == result["stakes"]


def may_try(states: NDArray[Any], rules: NDArray[Any], action: int) -> bool:
    """Whether the table takes an action of the seat to act in one game, as it is or as something else (N2)."""
    return bool(try_row(states.copy()[0], rules[0], action, np.zeros(NUM_ACTIONS, np.int8)))


def tries(env: VectorEnv, masks: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return legal actions, and for some games illegal ones where the table plays on with them."""
    actions, wanted, rules = any_legal(masks, rng), rng.integers(0, NUM_ACTIONS, len(masks)), env.rules.array()
    for i in np.flatnonzero(rng.random(len(masks)) < 0.3):
        if may_try(env.states[i : i + 1], rules, int(wanted[i])):
            actions[i] = wanted[i]
    return actions


REWARDS_OF = {"deal": ("points", "advantage"), "match": ("stake", "points", "advantage")}


@pytest.mark.parametrize(("name", "players"), TABLES)
@pytest.mark.parametrize("mode", MODES)
def test_it_equals_the_aec_environment_on_the_same_deals_and_actions(mode: str, name: str, players: int) -> None:
    rules, games, ended = table(name, players, max_deals=2 if mode == "match" else 0), 4, 0
    reward = REWARDS_OF[mode][players % len(REWARDS_OF[mode])]
    vector = VectorEnv(games, rules, mode=mode, reward=reward)
    twins = [MODES[mode].env(rules=rules, reward=reward) for _ in range(games)]
    matches = list(range(games))
    for i in range(games):
        twins[i].reset(seed=21, options={"match": i})
    observations, infos = vector.reset(seed=21)
    rng = np.random.default_rng(0)
    for _ in range(170):
        for i in range(games):
            check_row(i, twins[i], observations, infos)
        actions = tries(vector, infos["action_mask"], rng)
        observations, rewards, terminations, truncations, infos = vector.step(actions)
        deal_rows, final_rows = rows_of(infos["deals"]), rows_of(infos["final_info"])
        for i, env in enumerate(twins):
            deal = int(env.unwrapped.states["deal"][0])
            env.step(int(actions[i]))
            assert rewards[i].tolist() == pytest.approx(list(env.rewards.values()))
            assert (terminations[i], truncations[i]) == (env.terminations["player_0"], env.truncations["player_0"])
            over = bool(terminations[i] or truncations[i])
            assert (i in deal_rows) == (over or env.unwrapped.states["deal"][0] > deal)
            assert (i in final_rows) == over
            if i in deal_rows:
                check_deal(deal_rows[i], infos["deals"], env.infos["player_0"]["deals"][-1])
                assert infos["deals"]["match"][deal_rows[i]] == matches[i]
            if over:
                check_end(env, final_rows[i], infos, env.infos["player_0"]["deals"][-1])
                matches[i] += games
                env.reset(seed=21, options={"match": matches[i]})
                ended += 1
    assert ended > games


def test_a_game_is_the_same_whoever_plays_beside_it() -> None:
    alone, together = VectorEnv(1), VectorEnv(6)
    _, infos = alone.reset(seed=3, options={"match": 4})
    _, others = together.reset(seed=3)
    while True:
        action = infos["action_mask"].argmax(axis=1)
        seen, _, ended, _, infos = alone.step(action)
        seen_too, _, ended_too, _, others = together.step(others["action_mask"].argmax(axis=1))
        assert ended[0] == ended_too[4]
        if ended[0]:
            break
        assert (seen[0] == seen_too[4]).all()


def dealt(env: VectorEnv) -> list[list[int]]:
    return env.states["dealt"].tolist()


def test_game_i_plays_the_matches_i_and_every_nth_after_it() -> None:
    env = VectorEnv(3)
    _, infos = env.reset(seed=5)
    assert env.states["match"].tolist() == [0, 1, 2]
    seen: dict[int, list[int]] = {0: [0], 1: [1], 2: [2]}
    for _ in range(100):
        _, _, ended, _, infos = env.step(infos["action_mask"].argmax(axis=1))
        for i in np.flatnonzero(ended):
            seen[int(i)].append(int(env.states["match"][i]))
    assert all(numbers == list(range(i, i + 3 * len(numbers), 3)) for i, numbers in seen.items())


def test_a_reset_without_a_seed_goes_on_with_unused_matches() -> None:
    env, other = VectorEnv(3, seed=5), VectorEnv(3)
    env.reset()
    first = dealt(env)
    env.reset()
    assert env.states["match"].tolist() == [3, 4, 5]
    env.reset(seed=5)
    assert dealt(env) == first
    other.reset(seed=5, options={"match": 3})
    env.reset()
    assert dealt(other) == dealt(env)


def test_the_score_sheet_of_the_options_holds_for_every_episode_until_the_next_reset() -> None:
    env = VectorEnv(2)
    _, infos = env.reset(seed=5, options={"totals": [100, 200, 300], "bolts": [0, 1, 0], "dealer": 1})
    for _ in range(80):
        _, _, _, _, infos = env.step(infos["action_mask"].argmax(axis=1))
        assert env.states["totals"][:, :3].tolist() == [[100, 200, 300]] * 2
        assert env.states["dealer"].tolist() == [1, 1]
    assert env.states["match"].min() > 1
    env.reset()
    assert env.states["totals"].max() == 0


def test_an_illegal_action_anywhere_in_the_batch_changes_nothing() -> None:
    env = VectorEnv(5)
    _, infos = env.reset(seed=1)
    rng = np.random.default_rng(1)
    for _ in range(60):
        actions, before = any_legal(infos["action_mask"], rng), env.states.tobytes()
        for game, wrong in ((4, int(np.flatnonzero(infos["action_mask"][4] == 0)[0])), (2, NUM_ACTIONS), (0, -1)):
            spoiled = actions.copy()
            spoiled[game] = wrong
            with pytest.raises(IllegalAction, match=f"^game {game}: player_{infos['seats'][game]}, ") as refused:
                env.step(spoiled)
            legal = [int(action) for action in np.flatnonzero(infos["action_mask"][game])]
            assert str(refused.value).endswith(f"legal: {listing(legal)}")
        assert env.states.tobytes() == before
        _, _, _, _, infos = env.step(actions)


@pytest.mark.parametrize("actions", [np.zeros(2, np.int64), np.zeros(3), np.zeros((3, 1), np.int64), [True] * 3, 7])
def test_actions_of_another_shape_or_kind_are_refused(actions: Any) -> None:
    env = VectorEnv(3)
    env.reset(seed=1)
    with pytest.raises(IllegalAction, match=r"expected whole numbers of shape \(3,\)"):
        env.step(actions)


def test_actions_of_any_integer_type_are_taken() -> None:
    env = VectorEnv(3)
    for kind in (np.int8, np.uint8, np.int32, np.int64):
        _, infos = env.reset(seed=1)
        env.step(infos["action_mask"].argmax(axis=1).astype(kind))
    _, infos = env.reset(seed=1)
    strided: NDArray[np.int64] = np.repeat(infos["action_mask"].argmax(axis=1), 2)[::2]
    env.step(strided)


def test_with_copy_the_arrays_are_the_callers() -> None:
    env = VectorEnv(3)
    observations, infos = env.reset(seed=1)
    kept = observations.copy(), infos["action_mask"].copy(), infos["seats"].copy()
    _, rewards, _, _, later = env.step(infos["action_mask"].argmax(axis=1))
    env.step(later["action_mask"].argmax(axis=1))
    assert all(
        (one == other).all()
        for one, other in zip(kept, (observations, infos["action_mask"], infos["seats"]), strict=True)
    )
    assert rewards.base is None


def test_without_copy_the_arrays_are_filled_anew_and_writing_into_them_does_no_harm() -> None:
    env, twin = VectorEnv(3, copy=False), VectorEnv(3)
    observations, infos = env.reset(seed=1)
    _, expected = twin.reset(seed=1)
    for _ in range(70):
        actions = expected["action_mask"].argmax(axis=1)
        infos["action_mask"][:] = 1
        with pytest.raises(IllegalAction):
            env.step(np.full(3, NUM_ACTIONS - 1))
        observations[:] = np.nan
        again, rewards, _, _, infos = env.step(actions)
        other, other_rewards, _, _, expected = twin.step(actions)
        assert again is observations
        assert (again == other).all()
        assert (rewards == other_rewards).all()
        assert (infos["action_mask"] == expected["action_mask"]).all()


def test_what_finished_is_always_the_callers() -> None:
    env = VectorEnv(2, copy=False)
    _, infos = env.reset(seed=1)
    kept: list[tuple[Any, Any]] = []
    for _ in range(100):
        _, _, ended, _, infos = env.step(infos["action_mask"].argmax(axis=1))
        if ended.any():
            kept.append((infos, copy.deepcopy({name: infos[name] for name in ("deals", "final_info", "final_obs")})))
    for mine, before in kept:
        for name in ("score", "totals", "games", "winner"):
            assert (mine["deals"][name] == before["deals"][name]).all()
        assert (mine["final_obs"] == before["final_obs"]).all()
    assert len(kept) > 2


def test_spaces_contain_what_they_promise() -> None:
    env = VectorEnv(4, mode="match", rules="classic max_deals=2")
    observations, infos = env.reset(seed=2)
    rng, rewards = np.random.default_rng(2), np.zeros(0)
    for _ in range(150):
        actions = any_legal(infos["action_mask"], rng)
        assert env.observation_space.contains(observations)
        assert env.action_space.contains(actions)
        observations, rewards, terminations, truncations, infos = env.step(actions)
        assert not (terminations & truncations).any()
        assert infos["action_mask"].any(axis=1).all()
        assert all(env.single_observation_space.contains(row) for seats in infos["final_obs"] for row in seats)
    assert (observations.dtype, observations.shape) == (np.float32, (4, NUM_FEATURES))
    assert (rewards.dtype, rewards.shape) == (np.float32, (4, 3))
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_number_of_players_may_be_given_beside_the_rules(players: int) -> None:
    env = VectorEnv(2, "online", players=players)
    _, infos = env.reset(seed=1)
    _, rewards, _, _, infos = env.step(infos["action_mask"].argmax(axis=1))
    assert env.rules.players == players
    assert rewards.shape == (2, players)
    assert infos["final_obs"].shape == (0, players, NUM_FEATURES)


def test_nothing_moves_before_a_reset_or_after_closing() -> None:
    env = VectorEnv(2)
    with pytest.raises(IllegalAction, match=r"no cards have been dealt; call reset\(\) first"):
        env.step(np.zeros(2, np.int64))
    env.reset(seed=1)
    env.close()
    assert env.closed
    for forbidden in (env.reset, lambda: env.step(np.zeros(2, np.int64))):
        with pytest.raises(ThousandError, match="the environment is closed"):
            forbidden()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_envs": 0}, "num_envs=0: expected a whole number from 1"),
        ({"num_envs": 2.5}, r"num_envs=2\.5: expected a whole number from 1"),
        ({"num_envs": 2, "mode": "play"}, "mode='play': expected one of deal, match"),
        ({"num_envs": 2, "reward": "stake"}, "reward='stake': expected one of points, advantage"),
        ({"num_envs": 2, "rules": "klassik"}, "'klassik' is not a preset"),
        ({"num_envs": 2, "seed": 0.5}, r"seed=0\.5: expected a whole number"),
        ({"num_envs": 2, "players": 1}, "players=1: expected a whole number from 2 to 4"),
    ],
)
def test_a_constructor_names_the_option_that_cannot_be(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ThousandError, match=message):
        VectorEnv(**options)


def test_a_reset_that_cannot_be_leaves_the_games_as_they_were() -> None:
    env = VectorEnv(2)
    env.reset(seed=1)
    before = env.states.tobytes()
    for options in ({"match": 2**31 - 2}, {"totals": [0]}, {"seat": 0}):
        with pytest.raises(ThousandError):
            env.reset(seed=2, options=options)
        assert env.states.tobytes() == before


def by_pickle(env: VectorEnv) -> VectorEnv:
    return pickle.loads(pickle.dumps(env))


@pytest.mark.parametrize("duplicate", [copy.deepcopy, by_pickle])
def test_a_copy_plays_on_as_the_original(duplicate: Callable[[VectorEnv], VectorEnv]) -> None:
    env = VectorEnv(3, mode="match", rules="core max_deals=2")
    _, infos = env.reset(seed=1)
    for _ in range(45):
        _, _, _, _, infos = env.step(infos["action_mask"].argmax(axis=1))
    twin = duplicate(env)
    for _ in range(45):
        actions = infos["action_mask"].argmax(axis=1)
        mine, his = env.step(actions), twin.step(actions)
        assert all((one == other).all() for one, other in zip(mine[:4], his[:4], strict=True))
        infos = mine[4]
    assert env.states.tobytes() == twin.states.tobytes()


def test_a_pass_is_never_an_action_of_the_wrong_phase() -> None:
    env = VectorEnv(8)
    _, infos = env.reset(seed=1)
    for _ in range(8):
        passing = infos["action_mask"][:, PASS] == 1
        actions = np.where(passing, PASS, infos["action_mask"].argmax(axis=1))
        _, _, _, _, infos = env.step(actions)
    assert (env.states["contract"] > 0).any()


def test_the_exact_sum_of_rewards_is_that_of_the_scores() -> None:
    env = VectorEnv(16, mode="match", rules="core max_deals=4", reward="points")
    _, infos = env.reset(seed=1)
    rng = np.random.default_rng(1)
    paid, scored = np.zeros(3), np.zeros(3)
    for _, _ in itertools.product(range(10), range(30)):
        _, rewards, _, _, infos = env.step(any_legal(infos["action_mask"], rng))
        paid += rewards.sum(axis=0)
        scored += infos["deals"]["score"].sum(axis=0)
    assert (scored != 0).all()
    assert paid == pytest.approx(scored / 100, rel=1e-5)


# -- enforcement -----------------------------------------------------------------------------------------------------


def test_a_table_plays_on_with_what_an_illegal_action_counts_as_and_fines_it() -> None:
    env = VectorEnv(3, "core enforcement=table")
    _, infos = env.reset(seed=1)
    openers = infos["seats"].copy()
    _, _, _, _, infos = env.step(np.array([bid_action(400), PASS, bid_action(400)]))
    assert env.states["bid"].tolist() == [100, 100, 100]
    assert env.states["offences"][np.arange(3), openers].tolist() == [1, 1, 1]
    fines = np.zeros((3, 3), np.int64)
    while not fines.any(axis=1).all():
        _, _, _, _, infos = env.step(infos["action_mask"].argmax(axis=1))
        for row, game in enumerate(infos["final_info"]["games"]):
            fines[game] = infos["final_info"]["fines"][row] if not fines[game].any() else fines[game]
    assert fines[np.arange(3), openers].tolist() == [120, 120, 120]


def test_what_is_no_action_is_refused_at_every_table_and_changes_nothing() -> None:
    env = VectorEnv(2, "core enforcement=table")
    _, infos = env.reset(seed=1)
    legal, before = infos["action_mask"].argmax(axis=1), env.states.tobytes()
    for wrong in (-1, NUM_ACTIONS, GO_BLIND):
        with pytest.raises(IllegalAction, match=r"^game 1: player_"):
            env.step(np.array([legal[0], wrong]))
    assert env.states.tobytes() == before
