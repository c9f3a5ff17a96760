"""The AEC environments: what they pay, tell, end with, and how they are reset and copied."""

import copy
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from thousand_env import bidding_v0, deal_v0, match_v0, play_v0
from thousand_env.actions import PASS, bid_action
from thousand_env.board import board
from thousand_env.engine import payoffs
from thousand_env.errors import RuleError, ThousandError
from thousand_env.features import NUM_FEATURES, encode, encode_hidden
from thousand_env.rules import RuleSet
from thousand_env.state import CONTRACT, EXCHANGE, OVER, PLAY, SCORED
from thousand_env.view import look

ENVS: dict[str, Any] = {"deal": deal_v0, "play": play_v0, "bidding": bidding_v0, "match": match_v0}
SHORT_MATCH = "core max_deals=3"


def make(name: str, **options: Any) -> Any:
    return ENVS[name].env(**({"rules": SHORT_MATCH} if name == "match" else {}) | options)


def any_legal(mask: NDArray[np.int8], rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


def turns(env: Any, rng: np.random.Generator) -> Iterator[tuple[str, Any]]:
    """Play an episode to its end with random legal actions, yielding what `last` says before each step."""
    for agent in env.agent_iter():
        said = env.last()
        yield agent, said
        env.step(None if said[2] or said[3] else any_legal(said[0]["action_mask"], rng))


def totals_of(env: Any, seed: int) -> tuple[dict[str, float], dict[str, list[Any]]]:
    """Return what each agent was paid over an episode, and the deals it was told of."""
    paid = dict.fromkeys(env.possible_agents, 0.0)
    told: dict[str, list[Any]] = {agent: [] for agent in env.possible_agents}
    for agent, (_, reward, _, _, info) in turns(env, np.random.default_rng(seed)):
        paid[agent] += reward
        told[agent] += info.get("deals", [])
    return paid, told


# -- rewards, results, ends ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["deal", "play", "bidding"])
def test_points_pay_every_seat_its_score_in_hundreds(name: str) -> None:
    env = make(name)
    for seed in range(5):
        env.reset(seed=seed)
        paid, told = totals_of(env, seed)
        state = env.unwrapped.states[0]
        for seat, agent in enumerate(env.possible_agents):
            (result,) = told[agent]
            assert result["score"] == state.score[:3].tolist()
            assert paid[agent] == result["score"][seat] / 100


def test_advantage_pays_the_score_minus_the_mean_of_the_others() -> None:
    env = make("deal", reward="advantage")
    env.reset(seed=4)
    paid, told = totals_of(env, 4)
    first, second, third = told["player_0"][0]["score"]
    assert paid["player_0"] == pytest.approx((first - (second + third) / 2) / 100)
    assert sum(paid.values()) == pytest.approx(0)


@pytest.mark.parametrize("reward", ["points", "advantage"])
def test_a_match_pays_every_deal_when_it_is_scored(reward: str) -> None:
    env = make("match", rules="core max_deals=6", reward=reward)
    env.reset(seed=2)
    paid, told = totals_of(env, 2)
    scores = np.array([result["score"] for result in told["player_0"]]) / 100
    expected = scores if reward == "points" else scores - (scores.sum(axis=1, keepdims=True) - scores) / 2
    assert list(paid.values()) == pytest.approx(expected.sum(axis=0).tolist())


def test_every_seat_is_told_of_every_deal_once_and_in_order() -> None:
    env = make("match", rules="online max_deals=6", reward="points")
    env.reset(seed=2)
    _, told = totals_of(env, 2)
    assert told["player_0"] == told["player_1"] == told["player_2"]
    assert [result["deal"] for result in told["player_0"]] == list(range(6))
    assert [result["stakes"] is not None for result in told["player_0"]] == [False] * 5 + [True]


def test_a_reward_earned_on_the_move_of_another_seat_waits_for_its_owner() -> None:
    env = make("match", reward="points")
    env.reset(seed=5)
    rng, waiting, paid_to_others = np.random.default_rng(5), dict.fromkeys(env.possible_agents, 0.0), 0
    for agent in env.agent_iter():
        seen, reward, ended, cut, _ = env.last()
        assert reward == pytest.approx(waiting.pop(agent))
        env.step(None if ended or cut else any_legal(seen["action_mask"], rng))
        for other, earned in env.rewards.items():
            waiting[other] = waiting.get(other, 0.0) + earned
            paid_to_others += other != agent and earned != 0
    assert paid_to_others > 0


def test_a_match_cut_off_by_max_deals_is_truncated_and_ranked_by_totals() -> None:
    env = make("match")
    env.reset(seed=1)
    paid, told = totals_of(env, 1)
    states = env.unwrapped.states
    assert states["phase"][0] == OVER
    assert told["player_0"][-1]["winner"] is None
    assert list(paid.values()) == payoffs(states, env.unwrapped.rules.array())[0].tolist()
    assert max(paid, key=paid.__getitem__) == f"player_{np.argmax(states['totals'][0, :3])}"


def test_a_won_match_is_terminated_even_in_its_last_deal() -> None:
    env = make("match", rules="core barrel_at=500 target=501 barrel_needs=100 dump_truck=0 max_deals=2")
    flags: list[tuple[bool, bool]] = []
    paid: dict[str, float] = {}
    for match in range(200):
        env.reset(seed=1, options={"match": match, "totals": [500, 0, 0], "deal": 1, "dealer": 2})
        rng = np.random.default_rng(match)
        flags.clear()
        for agent in env.agent_iter():
            seen, paid[agent], ended, cut, _ = env.last()
            flags += [(ended, cut)] if ended or cut else []
            forced = PASS if seen["action_mask"][PASS] else bid_action(100)  # seat 0 opens, the others pass
            playing = env.unwrapped.states["phase"][0] in (EXCHANGE, PLAY)
            env.step(None if ended or cut else any_legal(seen["action_mask"], rng) if playing else forced)
        if env.unwrapped.states["winner"][0] == 0:
            break
    assert flags == [(True, False)] * 3
    assert paid["player_0"] == 1
    assert sum(paid.values()) == 0


def test_the_ends_of_an_episode_are_the_same_for_all_agents_and_never_both() -> None:
    for name, expected in (("deal", (True, False)), ("play", (True, False)), ("match", (False, True))):
        env = make(name)
        env.reset(seed=3)
        flags = [said[2:4] for _, said in turns(env, np.random.default_rng(3)) if said[2] or said[3]]
        assert flags == [expected] * 3
        assert env.agents == []


def test_the_play_environment_starts_at_the_first_lead_and_the_bidding_environment_ends_with_the_contract() -> None:
    play, bidding = make("play"), make("bidding")
    for seed in range(5):
        play.reset(seed=seed)
        assert play.unwrapped.states["phase"][0] == PLAY
        assert play.unwrapped.states["num_plays"][0] == 0
        assert sum(1 for _, said in turns(play, np.random.default_rng(seed)) if not said[2]) == 24
        bidding.reset(seed=seed)
        for _, said in turns(bidding, np.random.default_rng(seed)):
            assert said[2] or bidding.unwrapped.states["phase"][0] <= CONTRACT
        assert bidding.unwrapped.states["phase"][0] == SCORED


# -- observations ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ENVS)
def test_every_seat_may_be_observed_at_any_time_and_only_the_seat_to_act_has_a_mask(name: str) -> None:
    env = make(name)
    env.reset(seed=6)
    states, rules = env.unwrapped.states, env.unwrapped.rules.array()
    for agent, said in turns(env, np.random.default_rng(6)):
        alive = not (said[2] or said[3])
        for seat, other in enumerate(env.possible_agents):
            seen = env.observe(other)
            assert env.observation_space(other).contains(seen)
            assert (seen["observation"] == encode(look(states, rules, np.array([seat])))[0]).all()
            assert seen["action_mask"].any() == (alive and other == agent)


def test_state_is_the_observation_of_the_seat_to_act_and_all_the_cards() -> None:
    env = make("deal")
    env.reset(seed=6)
    for agent, said in turns(env, np.random.default_rng(6)):
        state = env.state()
        assert env.unwrapped.state_space.contains(state)
        if not said[2]:
            seat = env.possible_agents.index(agent)
            hidden = encode_hidden(env.unwrapped.states, env.unwrapped.rules.array(), np.array([seat]))[0]
            assert (state[:NUM_FEATURES] == said[0]["observation"]).all()
            assert (state[NUM_FEATURES:] == hidden).all()


def test_an_observation_is_the_callers_own() -> None:
    env = make("deal")
    env.reset(seed=6)
    seen, _, _, _, _ = env.last()
    kept = copy.deepcopy(seen)
    env.step(int(seen["action_mask"].argmax()))
    assert all((seen[key] == kept[key]).all() for key in seen)


# -- reset -----------------------------------------------------------------------------------------------------------


def cards(env: Any) -> tuple[int, ...]:
    return tuple(env.unwrapped.states["dealt"][0].tolist())


@pytest.mark.parametrize("name", ENVS)
def test_a_seed_fixes_the_deals_and_without_one_the_next_match_follows(name: str) -> None:
    env, other = make(name), make(name)
    env.reset(seed=11)
    first = cards(env)
    env.reset()
    second = cards(env)
    assert first != second
    other.reset(seed=11, options={"match": 1})
    assert cards(other) == second
    other.reset(seed=11)
    assert cards(other) == first
    assert make(name, seed=11).unwrapped.reset() is None


def test_the_seed_of_the_constructor_counts_until_a_reset_gives_another() -> None:
    env, other = make("deal", seed=11), make("deal")
    env.reset()
    other.reset(seed=11)
    assert cards(env) == cards(other)


def test_what_the_constructor_was_given_survives_a_reset() -> None:
    env = make("deal", rules="online", reward="advantage", render_mode="ansi")
    env.reset(seed=1, options={"totals": [100, 200, -50]})
    env.reset(seed=1)
    assert (str(env.rules), env.reward, env.render_mode) == ("online", "advantage", "ansi")
    assert env.unwrapped.states["totals"][0].tolist() == [0, 0, 0, 0]


def test_options_write_the_score_sheet_and_choose_the_deal() -> None:
    env = make("match", rules="core max_deals=200")
    options = {"match": 9, "deal": 4, "attempt": 1, "dealer": 2, "bolts": [0, 1, 2], "falls": [1, 0, 0]}
    env.reset(seed=3, options={**options, "totals": [880, -15, 300], "attempts": (2, 0, 0)})
    state = env.unwrapped.states[0]
    assert (state.seed, state.match, state.deal, state.attempt, state.dealer) == (3, 9, 4, 1, 2)
    assert state.totals[:3].tolist() == [880, -15, 300]
    assert state.bolts[:3].tolist() == [0, 1, 2]
    assert (state.mounted[0], state.attempts[0], state.falls[0]) == (2, 2, 1)
    assert env.agent_selection == "player_0"


def test_a_later_deal_of_a_match_is_dealt_by_the_next_seat() -> None:
    env = make("match", rules="core max_deals=3", reward="points")
    env.reset(seed=8)
    expected: dict[int, tuple[int, tuple[int, ...]]] = {}
    for _ in turns(env, np.random.default_rng(8)):
        state = env.unwrapped.states[0]
        expected[int(state.deal)] = (int(state.dealer), cards(env))
    for deal, (dealer, dealt) in expected.items():
        env.reset(seed=8, options={"deal": deal})
        assert (int(env.unwrapped.states["dealer"][0]), cards(env)) == (dealer, dealt)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seat": 1}, "'seat' is not one of match, deal, attempt, dealer, redeal_run"),
        ({"match": -1}, "match=-1: expected a whole number from 0"),
        ({"match": 1.0}, r"match=1\.0: expected a whole number"),
        ({"match": True}, "match=True: expected a whole number"),
        ({"dealer": 3}, "dealer=3: expected a whole number from 0 to 2"),
        ({"deal": 3}, "a deal after 3 completed ones, expected at most 3 deals"),
        ({"totals": [0, 0]}, r"totals=\[0, 0\]: expected 3 numbers, one for each seat"),
        ({"totals": 5}, "totals=5: expected 3 numbers"),
        ({"totals": [0, 0, 881]}, "total 881 of seat 2, who is not on the barrel, expected less than 880"),
        ({"totals": [0, 555, 0]}, "total 555 of seat 1, expected 0 in its place"),
        ({"totals": ["a", 0, 0]}, "totals of seat 0='a': expected a whole number"),
        ({"totals": [880, 880, 0], "deal": 1}, "2 seats on the barrel, expected at most 1"),
        ({"players": 2}, "'players' is not one of match, deal"),
        ({"totals": [880, 0, 0]}, "total 880 of seat 0 is the barrel, .* expected `deal` above"),
        ({"bolts": [0, 3, 0]}, "3 bolts of seat 1, expected at most 2"),
        ({"attempts": [1, 0, 0], "deal": 1}, "1 attempts of seat 0, who is not on the barrel, expected 0"),
        ({"falls": [0, 0, 3]}, "3 falls of seat 2, expected less than 3"),
    ],
)
def test_an_option_that_cannot_be_is_named_and_the_game_goes_on(options: dict[str, Any], message: str) -> None:
    env = make("match")
    env.reset(seed=1)
    before = env.unwrapped.states.tobytes()
    with pytest.raises(ThousandError, match=message):
        env.reset(seed=2, options=options)
    assert env.unwrapped.states.tobytes() == before
    env.reset()
    assert env.unwrapped.states["seed"][0] == 1


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"rules": "klassik"}, RuleError, "'klassik' is not a preset"),
        ({"reward": "stake"}, ThousandError, "reward='stake': expected one of points, advantage"),
        ({"render_mode": "svg"}, ThousandError, "render_mode='svg': expected one of human, ansi, rgb_array"),
        ({"viewer": 3, "render_mode": "rgb_array"}, ThousandError, "viewer=3: expected a whole number from 0 to 2"),
        ({"viewer": 0, "render_mode": "ansi"}, ThousandError, "viewer=0: render_mode='ansi' shows all cards"),
        ({"players": 5}, ThousandError, "players=5: expected a whole number from 2 to 4"),
        ({"players": 3, "rules": RuleSet.parse("core players=4 first_dealer=3")}, RuleError, "a seat at the table"),
        ({"seed": "x"}, ThousandError, "seed='x': expected a whole number"),
    ],
)
def test_a_constructor_names_the_option_that_cannot_be(
    wrong: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        deal_v0.env(**wrong)


def test_rules_are_taken_as_a_rule_set_too() -> None:
    assert deal_v0.raw_env(RuleSet(bid_step=10)).rules.bid_step == 10


# -- copies ----------------------------------------------------------------------------------------------------------


def by_pickle(env: Any) -> Any:
    return pickle.loads(pickle.dumps(env))


@pytest.mark.parametrize("duplicate", [copy.deepcopy, by_pickle])
@pytest.mark.parametrize("name", ENVS)
def test_a_copy_made_in_any_phase_plays_on_as_the_original(name: str, duplicate: Callable[[Any], Any]) -> None:
    env = make(name)
    env.reset(seed=12)
    copies: list[tuple[int, Any]] = []
    story: list[tuple[Any, ...]] = []
    for ply, (agent, (seen, *rest)) in enumerate(turns(env, np.random.default_rng(12))):
        if ply % 4 == 0:
            copies.append((ply, duplicate(env)))
        story.append((agent, seen["observation"].tobytes(), seen["action_mask"].tobytes(), *rest))
    actions = list(played(make(name), 12))
    for ply, twin in copies:
        for expected, action in zip(story[ply:], actions[ply:], strict=True):
            seen, *rest = twin.last()
            assert (
                twin.agent_selection,
                seen["observation"].tobytes(),
                seen["action_mask"].tobytes(),
                *rest,
            ) == expected
            twin.step(action)
        assert twin.agents == []


def played(env: Any, seed: int) -> Iterator[int | None]:
    """Yield the actions of the episode that `turns` plays with the same seed."""
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    for _, said in turns(env, copy.deepcopy(rng)):
        yield None if said[2] or said[3] else any_legal(said[0]["action_mask"], rng)


def test_a_copy_and_its_original_do_not_disturb_each_other() -> None:
    env = make("deal")
    env.reset(seed=12)
    before, twin = env.unwrapped.states.tobytes(), copy.deepcopy(env)
    twin.step(int(twin.last()[0]["action_mask"].argmax()))
    assert env.unwrapped.states.tobytes() == before


# -- text ------------------------------------------------------------------------------------------------------------


def test_a_table_is_rendered_with_hands_talon_and_trick() -> None:
    env = make("deal", render_mode="ansi")
    env.reset(seed=3)
    for _ in env.agent_iter(11):
        assert env.render() == board(env.unwrapped.states[0], env.rules)
        env.step(int(env.last()[0]["action_mask"].argmax()))
    assert "phase play" in env.render()
