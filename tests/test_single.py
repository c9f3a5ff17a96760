"""The single-seat environments: Gymnasium's own checker, and the same game as their PettingZoo twins."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from numpy.typing import NDArray

from tests.env_tables import TABLES, table
from thousand_env import bidding_v0, deal_v0, match_v0, play_v0
from thousand_env.actions import NUM_ACTIONS, PASS, bid_action
from thousand_env.envs.display import RENDER_MODES
from thousand_env.envs.policies import Question, Uniform
from thousand_env.envs.single import SingleBiddingEnv, SingleDealEnv, SingleMatchEnv, SinglePlayEnv
from thousand_env.errors import IllegalAction, ThousandError
from thousand_env.rules import RuleSet
from thousand_env.state import NONE, PLAY

ENVS = {"Deal": SingleDealEnv, "Play": SinglePlayEnv, "Bidding": SingleBiddingEnv, "Match": SingleMatchEnv}
TWINS: dict[str, Any] = {"Deal": deal_v0, "Play": play_v0, "Bidding": bidding_v0, "Match": match_v0}


@pytest.fixture(autouse=True)
def without_a_display(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows are opened on no screen, and nobody waits for the time their pictures are due."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    for module in TWINS.values():
        monkeypatch.setitem(module.raw_env.metadata, "render_fps", 0)


def rules_for(name: str, preset: str, players: int) -> RuleSet:
    return table(preset, players, max_deals=3 if name == "Match" else 0)


def made(name: str, **options: Any) -> Any:
    rules: dict[str, Any] = {"rules": "core max_deals=3"} if name == "Match" else {}
    return gymnasium.make(f"thousand_env/{name}-v0", **rules | options)


def any_typed(env: Any) -> Any:
    """Return an environment without its types, to give it what they forbid."""
    return env


def any_legal(mask: NDArray[np.int8], rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


def episode(env: Any, rng: np.random.Generator) -> tuple[float, list[dict[str, Any]], tuple[bool, bool], int]:
    """Play to the end from what a reset returned; return what was paid and told, how it ended, how many decisions."""
    observation, infos = env.reset()
    paid, told, ends, decisions = 0.0, list(infos.get("deals", [])), (False, False), 0
    while not any(ends):
        observation, reward, *flags, infos = env.step(any_legal(observation["action_mask"], rng))
        paid, told, decisions, ends = paid + reward, told + infos.get("deals", []), decisions + 1, tuple(flags)
    return paid, told, ends, decisions


# -- Gymnasium -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("preset", "players"), TABLES)
@pytest.mark.parametrize("name", ENVS)
def test_gymnasiums_checker_passes(name: str, preset: str, players: int) -> None:
    rules = rules_for(name, preset, players)
    check_env(made(name, rules=rules, seat=players - 1, illegal="replace").unwrapped)


@pytest.mark.parametrize("name", ENVS)
def test_they_are_registered_and_made_with_gymnasiums_wrappers(name: str) -> None:
    env = made(name, players=4, seat=2)
    assert type(env.unwrapped) is ENVS[name]
    assert env.spec.id == f"thousand_env/{name}-v0" == env.unwrapped.metadata["name"]
    assert env.unwrapped.metadata["render_modes"] == list(RENDER_MODES)
    assert (env.unwrapped.rules.players, env.unwrapped.seat) == (4, 2)
    assert env.action_space == gymnasium.spaces.Discrete(NUM_ACTIONS)
    observation, _ = env.reset(seed=1)
    env.action_space.seed(1)
    ended = False
    while not ended:
        observation, _, over, cut, _ = env.step(int(env.action_space.sample(observation["action_mask"])))
        ended = over or cut


def test_many_run_in_gymnasiums_vector_environment() -> None:
    envs = gymnasium.make_vec("thousand_env/Deal-v0", 3, vectorization_mode="sync", vector_kwargs={}, rules="classic")
    observations, _ = envs.reset(seed=5)
    rng = np.random.default_rng(5)
    for _ in range(40):
        actions = (rng.random((3, NUM_ACTIONS)) * observations["action_mask"]).argmax(axis=1)
        ended: Any
        observations, _, ended, _, _ = envs.step(actions)
        if ended.any():
            break
    assert observations["observation"].shape[0] == 3
    envs.close()


# -- the same game as PettingZoo's ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("preset", "players"), TABLES)
@pytest.mark.parametrize("name", ENVS)
def test_a_seat_sees_is_paid_and_is_told_what_its_agent_is_at_the_pettingzoo_table(
    name: str, preset: str, players: int
) -> None:
    rules, seat = rules_for(name, preset, players), players - 1
    env, twin = ENVS[name](rules, seat=seat, reward="points"), TWINS[name].env(rules=rules, reward="points")
    question, agent = Question(), f"player_{seat}"
    for number in range(3):
        rng, paid, told = np.random.default_rng(number), 0.0, list[dict[str, Any]]()
        observation, infos = env.reset(seed=number)
        twin.reset(seed=number, options={"match": int(env.states["match"][0])})
        earned, heard, ended, decisions = 0.0, list(infos.get("deals", [])), False, 0
        for mover in twin.agent_iter():
            seen, reward, over, cut, info = twin.last()
            if mover == agent:
                paid, told = paid + reward, told + info.get("deals", [])
            if over or cut:
                twin.step(None)
                continue
            if mover != agent:
                twin.step(question.put(twin.unwrapped.states, rules.array(), Uniform()))
                continue
            assert all((observation[key] == seen[key]).all() for key in seen)
            assert told == heard
            assert paid == pytest.approx(earned) or decisions == 0  # what was earned before is paid by the first step
            action = any_legal(seen["action_mask"], rng)
            twin.step(action)
            observation, reward, over, cut, infos = env.step(np.int64(action))
            earned, heard, ended = earned + float(reward), heard + infos.get("deals", []), over or cut
            decisions += 1
        assert ended
        assert (paid, told) == (pytest.approx(earned), heard)
        assert env.states.tobytes() == twin.unwrapped.states.tobytes()


def test_a_match_pays_its_seat_the_stake_and_a_truncation_is_none_of_its_ends() -> None:
    env = made("Match", seat=1)
    env.reset(seed=2)
    paid, told, ends, _ = episode(env, np.random.default_rng(2))
    assert ends == (False, True)
    assert paid == told[-1]["stakes"][1]
    assert [result["deal"] for result in told] == [0, 1, 2]


def test_points_of_a_match_are_paid_with_the_next_decision_or_the_end() -> None:
    env = made("Match", reward="points", seat=2, rules="online max_deals=4", players=4)
    env.reset(seed=2)
    paid, told, _, _ = episode(env, np.random.default_rng(2))
    assert paid == pytest.approx(sum(result["score"][2] for result in told) / 100)
    assert len(told) == 4


# -- opponents -------------------------------------------------------------------------------------------------------


class Named:
    """An opponent that takes the first or the last legal action, and remembers which seats it was asked for."""

    def __init__(self, last: bool = False) -> None:
        self.last, self.asked = last, 0

    def act(self, views: NDArray[Any], masks: NDArray[np.int8], _keys: NDArray[np.int64], /) -> NDArray[np.int64]:
        assert (views["turn"] == 0).all()
        self.asked += 1
        return np.array([np.flatnonzero(masks[0])[-1 if self.last else 0]])


def test_opponents_are_one_for_all_or_one_for_each_seat() -> None:
    one, first, second = Named(), Named(), Named(last=True)
    for opponents, asked in ((one, [one]), ([first, None, second.act], [first, second]), (one.act, [one])):
        env = made("Deal", seat=1, opponents=opponents)
        env.reset(seed=1)
        episode(env, np.random.default_rng(1))
        assert all(opponent.asked > 8 for opponent in asked)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seat": 3}, "seat=3: expected a whole number from 0 to 2"),
        ({"seat": 2, "players": 2}, "seat=2: expected a whole number from 0 to 1"),
        ({"opponents": [Uniform(), Uniform()]}, "expected 3, one for each seat; that of seat 0 is not read"),
        ({"opponents": [None, None, Uniform()]}, r"opponents\[1\]=None: expected a policy, an agent with an `act`"),
        ({"opponents": 5}, "opponents=5: expected a policy"),
        ({"illegal": "ignore"}, "illegal='ignore': expected one of raise, replace"),
        ({"seed": 1}, r"seed: expected in reset\(seed=\.\.\.\)"),
        ({"reward": "stake"}, "reward='stake': expected one of points, advantage"),
        ({"rules": "klassik"}, "'klassik' is not a preset"),
    ],
)
def test_a_constructor_names_the_option_that_cannot_be(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ThousandError, match=message):
        SingleDealEnv(**options)


def test_an_opponent_that_answers_nonsense_is_named() -> None:
    env = SingleDealEnv(opponents=Refused(), seat=0)
    with pytest.raises(IllegalAction, match=r"policy .*Refused.* answered .*114.*expected an integer array"):
        env.reset(seed=1, options={"dealer": 1})


# -- resets ----------------------------------------------------------------------------------------------------------


def test_a_seed_fixes_the_episodes_that_follow_and_without_one_a_seed_is_drawn() -> None:
    env, other = SingleDealEnv(), SingleDealEnv()
    env.reset(seed=3)
    env.reset()
    other.reset(seed=3, options={"match": 1})
    assert env.states["dealt"].tolist() == other.states["dealt"].tolist()
    fresh = {int(one.states["seed"][0]) for one in (SingleDealEnv(), SingleDealEnv()) if one.reset()}
    assert len(fresh) == 2


@pytest.mark.parametrize("seed", [-1, 1.5, True, 2**63])
def test_a_seed_that_cannot_be_is_named(seed: Any) -> None:
    with pytest.raises(ThousandError, match=r"seed=.*: expected a whole number from 0 to"):
        SingleDealEnv().reset(seed=seed)


def test_an_option_that_cannot_be_leaves_the_game_as_it_was() -> None:
    env = SingleDealEnv()
    env.reset(seed=3)
    before = env.states.tobytes()
    with pytest.raises(ThousandError, match="dealer=3"):
        env.reset(seed=4, options={"dealer": 3})
    assert env.states.tobytes() == before


def test_episodes_in_which_the_seat_decides_nothing_are_passed_over() -> None:
    env, matches = SingleDealEnv("core players=4", seat=2), list[int]()
    env.reset(seed=1)
    for _ in range(30):
        assert env.states["turn"][0] == 2 != env.states["dealer"][0]
        matches.append(int(env.states["match"][0]))
        env.reset()
    assert matches == sorted(set(matches))
    assert 31 < matches[-1] < 60


def test_deals_of_a_match_in_which_the_seat_decides_nothing_are_played_by_the_others() -> None:
    env = SingleMatchEnv("core players=4 max_deals=8", seat=1)
    env.reset(seed=1, options={"dealer": 1})
    assert (env.states["deal"][0], env.states["match"][0]) == (1, 0)


def test_a_seat_that_never_decides_is_told_so_instead_of_waiting_for_ever() -> None:
    env = SingleDealEnv("core players=4", seat=2)
    with pytest.raises(ThousandError, match="seat 2 had nothing to decide in 1000 episodes in a row"):
        env.reset(seed=1, options={"dealer": 2})


# -- steps -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ENVS)
def test_an_illegal_action_raises_and_changes_nothing(name: str) -> None:
    env = made(name, seat=1).unwrapped
    observation, _ = env.reset(seed=3)
    before = env.states.tobytes()
    wrong = int(np.flatnonzero(observation["action_mask"] == 0)[0])
    for action in (wrong, -1, NUM_ACTIONS, 1.5, None, "pass"):
        with pytest.raises(IllegalAction, match="player_1, "):
            env.step(action)
    assert env.states.tobytes() == before
    env.step(int(observation["action_mask"].argmax()))


def test_an_illegal_action_can_count_as_a_legal_one_drawn_from_the_decisions_key() -> None:
    env, twin = any_typed(SingleDealEnv(illegal="replace")), SingleDealEnv()
    observation, _ = env.reset(seed=3)
    twin.reset(seed=3)
    wrong = int(np.flatnonzero(observation["action_mask"] == 0)[0])
    *_, infos = env.step(wrong)
    assert observation["action_mask"][infos["replaced"]] == 1
    *_, others = twin.step(infos["replaced"])
    assert env.states.tobytes() == twin.states.tobytes()
    assert "replaced" not in others
    for action in (-1, NUM_ACTIONS, 1.5, None):
        with pytest.raises(IllegalAction):
            env.step(action)


def test_what_the_seat_earns_before_its_first_decision_is_paid_by_its_first_step() -> None:
    rules = "core players=4 dealer_scores=fixed max_deals=3"
    env = SingleMatchEnv(rules, seat=1, reward="points")
    observation, infos = env.reset(seed=1, options={"dealer": 1})
    assert infos["deals"][0]["score"][1] == 25
    _, reward, *_ = env.step(int(observation["action_mask"].argmax()))
    assert reward == 0.25


def test_a_playout_that_answers_nonsense_is_not_taken_for_an_illegal_action() -> None:
    env = SingleBiddingEnv(playout=Refused(), illegal="replace")
    observation, _ = env.reset(seed=1)
    with pytest.raises(IllegalAction, match=r"policy .*Refused.* answered"):
        play_on(env, observation)


def play_on(env: Any, observation: Any) -> None:
    """Act with a pass where that is legal, else with the first legal action, until the end."""
    ended = False
    while not ended:
        mask = observation["action_mask"]
        observation, _, ended, _, _ = env.step(PASS if mask[PASS] else int(mask.argmax()))


class Refused(Uniform):
    """A policy that answers no action."""

    def __call__(self, *_question: Any) -> Any:
        return np.array([NUM_ACTIONS])


def test_a_table_that_fines_illegal_actions_takes_them_itself() -> None:
    env = SingleDealEnv("core enforcement=table first_dealer=2", illegal="replace")
    env.reset(seed=3)
    *_, infos = env.step(bid_action(400))
    assert "replaced" not in infos
    assert env.states["offences"][0, 0] == 1


def test_nothing_can_be_asked_before_the_first_reset_or_after_the_end() -> None:
    env = SingleDealEnv(render_mode="ansi", illegal="replace")
    with pytest.raises(IllegalAction, match=r"no cards have been dealt; call reset\(\) first"):
        env.step(PASS)
    with pytest.raises(ThousandError, match=r"no cards have been dealt; call reset\(\) first"):
        env.render()
    env.reset(seed=1)
    episode(env, np.random.default_rng(0))
    with pytest.raises(IllegalAction, match=r"the episode is over; call reset\(\)"):
        env.step(PASS)


def test_the_mask_is_never_empty_before_the_end_and_empty_there() -> None:
    env, rng = SingleMatchEnv("classic max_deals=3 players=4"), np.random.default_rng(4)
    observation, _ = env.reset(seed=4)
    ended = False
    while not ended:
        assert observation["action_mask"].any()
        observation, _, over, cut, _ = env.step(any_legal(observation["action_mask"], rng))
        assert env.observation_space.contains(observation)
        ended = over or cut
    assert not observation["action_mask"].any()
    assert env.states["turn"][0] == NONE


def test_preludes_and_playouts_are_those_of_the_tables() -> None:
    play = SinglePlayEnv("classic", prelude=Uniform(), seat=1)
    play.reset(seed=1)
    assert play.states["phase"][0] == PLAY
    playout = Named()
    bidding = SingleBiddingEnv("core", playout=playout.act)
    bidding.reset(seed=1)
    episode(bidding, np.random.default_rng(0))
    assert playout.asked == 24


def by_pickle(env: Any) -> Any:
    return pickle.loads(pickle.dumps(env))


@pytest.mark.parametrize("duplicate", [copy.deepcopy, by_pickle])
def test_a_copy_plays_on_as_the_original(duplicate: Callable[[Any], Any]) -> None:
    env = SingleDealEnv("classic", seat=1, render_mode="human")
    observation, _ = env.reset(seed=6)
    twin = duplicate(env)
    ended = False
    while not ended:
        action = int(observation["action_mask"].argmax())
        observation, reward, ended, _, _ = env.step(action)
        seen, paid, *_ = twin.step(action)
        assert (seen["observation"] == observation["observation"]).all()
        assert paid == reward
    assert env.states.tobytes() == twin.states.tobytes()
