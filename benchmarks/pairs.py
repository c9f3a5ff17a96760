"""The pairs that `benchmarks.peers` measures: a new peer is a function here and its place in PEERS."""

import importlib
import itertools
import random
import statistics
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import gymnasium
import numpy as np

from benchmarks.layers import BATCH, SEED, NotHere, choose
from thousand_env import deal_v0, engine, rollouts
from thousand_env.actions import NUM_ACTIONS
from thousand_env.game import Game
from thousand_env.rules import CORE
from thousand_env.state import SCORED
from thousand_env.vector import VectorEnv

INSTALL = "pip install -c constraints.txt -e '.[peers]'"
DEALS = 16  # that are rolled out in turn, where a peer rolls out from a state
SAMPLE = 400  # rollouts that tell how long a peer's are
SEARCH = 200  # rollouts OpenSpiel does in one call
SPIEL_BATCH = 4  # its vector environment is a loop in Python: more games are not faster

# Kinds of work, each with what does it on our side.
PLAY_ROLLOUTS = "rollouts of the play: play_rollouts"
DEAL_ROLLOUTS = "rollouts of the whole deal: deal_rollouts"
GAME_LOOP = "Python loop without observations: Game"
ENGINE_LOOP = "Python loop without observations: engine.step, a batch of one"
RAW_LOOP = "Python loop with observations: deal_v0.raw_env()"
ENV_LOOP = "Python loop with observations: deal_v0.env()"
BATCHED = f"batched steps with observations: VectorEnv({BATCH})"
WORKS = (PLAY_ROLLOUTS, DEAL_ROLLOUTS, GAME_LOOP, ENGINE_LOOP, RAW_LOOP, ENV_LOOP, BATCHED)

SPIEL_GAMES = ("skat", "hearts", "bridge(use_double_dummy_result=false)")
RLCARD_GAMES = ("doudizhu", "bridge", "limit-holdem")
PETTINGZOO_GAMES = ("leduc_holdem_v4", "texas_holdem_v4", "texas_holdem_no_limit_v6", "hanabi_v5", "connect_four_v3")

# Does so many units of work, mostly rollouts; returns how many rollouts ended and how many decisions were made.
Work = Callable[[int], tuple[int, int]]


class Pair(NamedTuple):
    """One kind of work, ours and a peer's at its game."""

    peer: str
    game: str
    work: str
    ours: Work
    theirs: Work


def peer_module(name: str) -> Any:
    """Return a module of a peer; raises `NotHere`, saying how to install it."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise NotHere(f"{error}; to install it: {INSTALL}") from None


def repeated(rollout: Callable[[], int]) -> Work:
    """Return the work of doing a rollout, which returns its decisions, so many times."""
    return lambda count: (count, sum(rollout() for _ in range(count)))


# -- our side --------------------------------------------------------------------------------------------------------


def compiled(batch: Callable[[int, int], rollouts.Totals]) -> Work:
    """Roll out in one call."""

    def work(count: int) -> tuple[int, int]:
        totals = batch(count, SEED)
        return totals.rollouts, totals.decisions

    return work


def game_loop() -> Work:
    """Play `Game`: every action is checked and can be taken back."""
    draw, matches = random.Random(SEED).random, itertools.count()

    def rollout() -> int:
        game, decisions = Game(CORE, SEED, next(matches)), 0
        while legal := game.legal_actions():
            game.play(legal[int(draw() * len(legal))])
            decisions += 1
        return decisions

    return repeated(rollout)


def engine_loop() -> Work:
    """Step the engine on a batch of one: nothing is checked."""
    draw, rules, states = random.Random(SEED).random, CORE.array(), engine.new_states(1)
    masks, actions = np.empty((1, NUM_ACTIONS), np.int8), np.empty(1, np.int64)
    seeds, match, phase = np.array([SEED]), np.array([0]), states["phase"]

    def rollout() -> int:
        decisions = 0
        match[0] += 1
        engine.start_matches(states, rules, seeds, match)
        while phase[0] < SCORED:
            engine.fill_legal(states, rules, masks)
            legal = masks[0].nonzero()[0]
            actions[0] = legal[int(draw() * len(legal))]
            engine.step(states, rules, actions)
            decisions += 1
        return decisions

    return repeated(rollout)


def env_loop(env: Any) -> Work:
    """Step an environment of PettingZoo's kind, ours or another: last() with observation and mask, then step()."""
    draw = random.Random(SEED).random
    env.reset(seed=SEED)

    def rollout() -> int:
        decisions = 0
        env.reset()
        while env.agents:
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(int(legal[int(draw() * len(legal))]))
            decisions += 1
        return decisions

    return repeated(rollout)


def batched_steps() -> Work:
    """Step the vector environment; a unit of work is a step of every game."""
    games, actions, keys = VectorEnv(BATCH, copy=False), np.empty(BATCH, np.int64), itertools.count()
    masks = games.reset(seed=SEED)[1]["action_mask"]

    def work(count: int) -> tuple[int, int]:
        nonlocal masks
        ended = 0
        for _ in range(count):
            choose(masks, next(keys), actions)
            _, _, terminated, _, infos = games.step(actions)
            masks = infos["action_mask"]
            ended += int(np.count_nonzero(terminated))
        return ended, count * BATCH

    return work


# -- peers -----------------------------------------------------------------------------------------------------------
# A function for each yields its pairs.


def colver() -> Iterator[Pair]:
    """Rust: `Env.rollout` plays a state out so many times, from the auction on or from the first card."""
    module = peer_module("colver")

    def dealt(seed: int) -> Any:
        return module.Env.deal(dealer=seed % 4, seed=seed)

    def bid_out(seed: int) -> Any:
        env = dealt(seed)
        while env.phase() == 0:
            env.step(env.action_random())
        return env

    yield Pair("colver", "Belote", PLAY_ROLLOUTS, compiled(rollouts.play_rollouts), colver_rollouts(bid_out))
    yield Pair("colver", "Belote", DEAL_ROLLOUTS, compiled(rollouts.deal_rollouts), colver_rollouts(dealt))


def colver_rollouts(start: Callable[[int], Any]) -> Work:
    """Roll out from the states `start` makes of seeds."""

    def length(env: Any) -> int:
        decisions = 0
        while not env.is_terminal():
            env.step(env.action_random())
            decisions += 1
        return decisions

    envs = [start(seed) for seed in range(DEALS)]
    mean_length = statistics.fmean(length(start(seed)) for seed in range(SAMPLE))

    def work(count: int) -> tuple[int, int]:
        each = -(-count // DEALS)
        for env in envs:
            env.rollout(each)
        return each * DEALS, round(each * DEALS * mean_length)

    return work


def open_spiel() -> Iterator[Pair]:
    """C++: rollouts without Python, loops over `State` from Python, and the vector environment."""
    spiel, observation = peer_module("pyspiel"), peer_module("open_spiel.python.observation")
    for name in SPIEL_GAMES:
        game, title = spiel.load_game(name), name.partition("(")[0]
        deals = [spiel_deal(game, random.Random(seed)) for seed in range(DEALS)]
        observer = observation.make_observation(game)
        if observer is None:
            observer = observation.make_observation(game, observation.INFO_STATE_OBS_TYPE)
        yield Pair(
            "OpenSpiel", title, DEAL_ROLLOUTS, compiled(rollouts.deal_rollouts), spiel_rollouts(spiel, game, deals)
        )
        yield Pair("OpenSpiel", title, GAME_LOOP, game_loop(), spiel_loop(deals))
        yield Pair("OpenSpiel", title, ENGINE_LOOP, engine_loop(), spiel_loop(deals))
        yield Pair("OpenSpiel", title, RAW_LOOP, env_loop(deal_v0.raw_env()), spiel_observed_loop(deals, observer))
    yield Pair("OpenSpiel", "skat", BATCHED, batched_steps(), spiel_batched_steps())


def spiel_deal(game: Any, rng: random.Random) -> Any:
    """Return a state in which the cards are dealt."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(rng.choice(state.legal_actions()))
    return state


def spiel_rollouts(spiel: Any, game: Any, deals: list[Any]) -> Work:
    """Roll out in C++: a search of one simulation is the evaluation of its root, SEARCH random rollouts."""
    evaluator = spiel.RandomRolloutEvaluator(SEARCH, SEED)
    bot = spiel.MCTSBot(game, evaluator, 1.0, 1, 1, False, SEED, False)  # uct_c, simulations, MB, solve, seed, verbose
    states, mean_length = itertools.cycle(deals), spiel_loop(deals)(SAMPLE)[1] / SAMPLE

    def work(count: int) -> tuple[int, int]:
        searches = -(-count // SEARCH)
        for _ in range(searches):
            bot.mcts_search(next(states))
        return searches * SEARCH, round(searches * SEARCH * mean_length)

    return work


def spiel_loop(deals: list[Any]) -> Work:
    """Play states out in Python."""
    draw, states = random.Random(SEED).random, itertools.cycle(deals)

    def rollout() -> int:
        state, decisions = next(states).clone(), 0
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(draw() * len(legal))])
            decisions += 1
        return decisions

    return repeated(rollout)


def spiel_observed_loop(deals: list[Any], observer: Any) -> Work:
    """Play states out in Python, and fill the observer's array for the player to act each time."""
    draw, states = random.Random(SEED).random, itertools.cycle(deals)

    def rollout() -> int:
        state, decisions = next(states).clone(), 0
        while not state.is_terminal():
            observer.set_from(state, state.current_player())
            legal = state.legal_actions()
            state.apply_action(legal[int(draw() * len(legal))])
            decisions += 1
        return decisions

    return repeated(rollout)


def spiel_batched_steps() -> Work:
    """Step `SyncVectorEnv`, with a sampler of chance that is faster than its own."""
    environments, vector = peer_module("open_spiel.python.rl_environment"), peer_module("open_spiel.python.vector_env")
    output, rng = peer_module("open_spiel.python.rl_agent").StepOutput, random.Random(SEED)

    def deal_card(state: Any) -> int:
        return rng.choice(state.legal_actions())

    def random_step(time_step: Any) -> Any:
        player = time_step.observations["current_player"]
        legal = time_step.observations["legal_actions"][player]
        return output(action=legal[int(rng.random() * len(legal))], probs=())

    envs = [environments.Environment("skat", chance_event_sampler=deal_card) for _ in range(SPIEL_BATCH)]
    games, ended_before = vector.SyncVectorEnv(envs), [True] * SPIEL_BATCH
    time_steps = games.reset(ended_before)

    def work(count: int) -> tuple[int, int]:
        nonlocal time_steps
        ended = 0
        for _ in range(count):
            time_steps, _, done, _ = games.step([random_step(time_step) for time_step in time_steps])
            ended += sum(done)
            time_steps = [env.reset() if over else step for env, over, step in zip(envs, done, time_steps, strict=True)]
        return ended, count * SPIEL_BATCH

    return work


def rlcard() -> Iterator[Pair]:
    """Python: reset() and step(), which return what the player to act sees and may do."""
    module = peer_module("rlcard")
    for name in RLCARD_GAMES:
        env = module.make(name, config={"seed": SEED})
        yield Pair("RLCard", name, RAW_LOOP, env_loop(deal_v0.raw_env()), rlcard_loop(env))


def rlcard_loop(env: Any) -> Work:
    """Step an environment of RLCard's."""
    draw = random.Random(SEED).random

    def rollout() -> int:
        state, decisions = env.reset()[0], 0
        while not env.is_over():
            legal = list(state["legal_actions"])
            state = env.step(legal[int(draw() * len(legal))])[0]
            decisions += 1
        return decisions

    return repeated(rollout)


def pettingzoo_classic() -> Iterator[Pair]:
    """Python: the environments as they are made, in their wrappers, and without them."""
    module = peer_module("pettingzoo")
    for needed in ("rlcard", "pyspiel", "pygame"):
        peer_module(needed)
    for name in PETTINGZOO_GAMES:
        wrapped, raw = (module.make("aec", f"classic/{name}") for _ in range(2))
        yield Pair("PettingZoo", name, ENV_LOOP, env_loop(deal_v0.env()), env_loop(wrapped))
        yield Pair("PettingZoo", name, RAW_LOOP, env_loop(deal_v0.raw_env()), env_loop(raw.unwrapped))


def gymnasium_vector() -> Iterator[Pair]:
    """NumPy: the vector environment of CartPole, which is written out over arrays."""
    games = gymnasium.make_vec("CartPole-v1", num_envs=BATCH, vectorization_mode="vector_entry_point")
    games.reset(seed=SEED)
    draws = itertools.cycle(np.random.default_rng(SEED).integers(0, 2, (256, BATCH)))

    def work(count: int) -> tuple[int, int]:
        ended = 0
        for _ in range(count):
            _, _, terminated, truncated, _ = games.step(next(draws))
            ended += int(np.count_nonzero(terminated | truncated))
        return ended, count * BATCH

    yield Pair("Gymnasium", "CartPole-v1", BATCHED, batched_steps(), work)


PEERS: tuple[Callable[[], Iterator[Pair]], ...] = (colver, open_spiel, rlcard, pettingzoo_classic, gymnasium_vector)
