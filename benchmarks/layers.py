"""The layers that `benchmarks.rollouts` measures: a new one is a function here and its place in LAYERS.

Those of TABLE_LAYERS can be measured at any table, which `benchmarks.tables` does.
"""

import contextlib
import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from thousand_env import deal_v0, engine, rollouts
from thousand_env.actions import NUM_ACTIONS
from thousand_env.cards import NUM_CARDS
from thousand_env.engine import count_legal, nth_legal
from thousand_env.jit import kernel, mulhi
from thousand_env.rng import derive, word
from thousand_env.rules import CORE, RuleSet
from thousand_env.state import taken
from thousand_env.unranking import deal_hands, fill_hands
from thousand_env.vector import VectorEnv

SEED = 1
BATCH = 1024  # states side by side: they and their masks stay in a core's second-level cache
ROOT = Path(__file__).resolve().parent.parent
NATIVE_SOURCE = ROOT / "benchmarks" / "native" / "play_rollout.c"


@dataclass(frozen=True)
class Layer:
    """What is measured: `work` does `count` things, each of so many steps."""

    name: str
    things: str
    count: int
    step: str
    steps: int
    work: Callable[[], object]


class NotHere(Exception):
    """This machine cannot measure a layer; the message says why."""


# -- dealing and rollouts --------------------------------------------------------------------------------------------
# A function makes a layer and warms it up; what has to be ended afterwards it leaves to the stack.


def deal(_stack: contextlib.ExitStack) -> Layer:
    """Deal three hands of eight by their number."""
    passes, fractions = 64, np.random.default_rng(SEED).integers(-(1 << 63), 1 << 63, 1 << 14)
    hands = np.zeros((len(fractions), 3), np.int32)

    def work() -> None:
        for _ in range(passes):
            fill_hands(fractions, hands)

    work()
    return Layer("deal", "deals", passes * len(fractions), "card", NUM_CARDS, work)


def play_rollout(_stack: contextlib.ExitStack) -> Layer:
    """Deal three hands of eight and play the tricks."""
    count = 1_000_000
    rollouts.play_rollouts(1, SEED)
    work = partial(rollouts.play_rollouts, count, SEED)
    return Layer("play_rollout", "rollouts", count, "card", NUM_CARDS, work)


def play_rollout_two_threads(_stack: contextlib.ExitStack) -> Layer:
    """Do the same on two threads."""
    count = 2_000_000
    rollouts.play_rollouts(1, SEED)
    work = partial(rollouts.play_rollouts, count, SEED, threads=2)
    return Layer("play_rollout_two_threads", "rollouts", count, "card", NUM_CARDS, work)


def play_rollout_alone(_stack: contextlib.ExitStack) -> Layer:
    """Do the same one game after the other, not in lanes."""
    count, points = 500_000, np.zeros(3, np.int64)
    play_alone(count, SEED, points)
    if tuple(points.tolist()) != (expected := rollouts.play_rollouts(count, SEED).points):
        raise SystemExit(f"play_rollout_alone: expected {expected}, came to {points.tolist()}")
    work = partial(play_alone, count, SEED, points)
    return Layer("play_rollout_alone", "rollouts", count, "card", NUM_CARDS, work)


@kernel
def play_alone(count: int, seed: int, points: Any) -> None:
    """Add the points of so many play rollouts to those of the seats."""
    for i in range(count):
        key = derive(seed, i)
        played = rollouts.play_points(deal_hands(word(key, rollouts.DEAL_WORD)), key, None)
        for seat in range(3):
            points[seat] += played[seat]


def native_play_rollout(stack: contextlib.ExitStack) -> Layer:
    """Do the same in C, one game after the other; it must come to the same totals."""
    native, count = load_native(stack), 1_000_000
    totals, expected = native(10_000, SEED), rollouts.play_rollouts(10_000, SEED)
    if totals != expected:
        raise SystemExit(f"{NATIVE_SOURCE.name}: expected {expected}, came to {totals}")
    work = partial(native, count, SEED)
    return Layer("native_play_rollout", "rollouts", count, "card", NUM_CARDS, work)


def load_native(stack: contextlib.ExitStack) -> Callable[[int, int], rollouts.Totals]:
    """Compile the rollout in C for this machine and return it as a function like `play_rollouts`."""
    compiler = shutil.which("gcc")
    if compiler is None:
        raise NotHere("there is no gcc to compile it")
    library = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "play_rollout.so"
    command = [compiler, "-O3", "-march=native", "-shared", "-fPIC", str(NATIVE_SOURCE), "-o", str(library)]
    compiled = subprocess.run(command, capture_output=True, text=True, check=False)
    if compiled.returncode:
        raise NotHere(f"gcc failed: {compiled.stderr.strip()}")
    function = ctypes.CDLL(str(library)).play_rollouts
    function.argtypes, function.restype = [ctypes.c_uint64, ctypes.c_uint64, ctypes.c_void_p], None

    def native(count: int, seed: int) -> rollouts.Totals:
        totals = np.zeros(5, np.int64)
        function(count, seed, totals.ctypes.data)
        return rollouts.as_totals(count, totals)

    return native


def play_rollout_portable(stack: contextlib.ExitStack) -> Layer:
    """Do the same with the instructions that all processors of the kind have, which takes another process."""
    count, worker = 400_000, stack.enter_context(portable_worker())
    stack.callback(worker.terminate)
    expected = rollouts.play_rollouts(count, SEED).checksum

    def work() -> None:
        assert worker.stdin is not None
        assert worker.stdout is not None
        worker.stdin.write(f"{count}\n")
        worker.stdin.flush()
        came_to = worker.stdout.readline().strip()
        if came_to != str(expected):
            raise SystemExit(f"play_rollout_portable: expected {expected}, came to {came_to or 'an early end'}")

    work()
    return Layer("play_rollout_portable", "rollouts", count, "card", NUM_CARDS, work)


def portable_worker() -> subprocess.Popen[str]:
    """Start a process that plays as many portable rollouts as each line it reads asks for."""
    return subprocess.Popen(
        [sys.executable, "-c", "from benchmarks.layers import answer; answer()"],
        cwd=ROOT,
        env={**os.environ, "THOUSAND_ENV_PORTABLE": "1", "NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def answer() -> None:
    """Be the process that `portable_worker` starts: answer every line with a checksum."""
    for line in sys.stdin:
        print(rollouts.play_rollouts(int(line), SEED).checksum, flush=True)


def deal_rollout(_stack: contextlib.ExitStack, rules: RuleSet = CORE) -> Layer:
    """Play whole deals from the auction to the score."""
    count = 500_000 if rules.plain else 100_000
    rollouts.deal_rollouts(1, SEED, rules)
    work = partial(rollouts.deal_rollouts, count, SEED, rules)
    return Layer("deal_rollout", "rollouts", count, "card", NUM_CARDS, work)


# -- states ----------------------------------------------------------------------------------------------------------


@kernel
def choose(masks: Any, key: int, actions: Any) -> None:
    """Draw a legal action for every row of `masks` (N, NUM_ACTIONS)."""
    for i in range(masks.shape[0]):
        actions[i] = nth_legal(masks[i], mulhi(word(key, i), count_legal(masks[i])))


def engine_step(_stack: contextlib.ExitStack, rules: RuleSet = CORE) -> Layer:
    """Fill the masks of a batch, draw actions, step, and deal where a deal is over."""
    steps, table, states = 300, rules.array(), new_batch(rules)
    masks, actions = np.empty((BATCH, NUM_ACTIONS), np.int8), np.empty(BATCH, np.int64)

    def work() -> None:
        for step in range(steps):
            engine.fill_legal(states, table, masks)
            choose(masks, step, actions)
            engine.step(states, table, actions)
            engine.next_deals(states, table)

    work()
    return Layer("engine_step", "decisions", steps * BATCH, "decision", 1, work)


def new_batch(rules: RuleSet) -> Any:
    """Return BATCH states at the start of a match."""
    states = engine.new_states(BATCH)
    engine.start_matches(states, rules.array(), np.full(BATCH, SEED), np.arange(BATCH))
    return states


def clone(_stack: contextlib.ExitStack) -> Layer:
    """Copy rows picked from a batch of states."""
    passes, states, rows = 2000, new_batch(CORE), np.random.default_rng(SEED).integers(0, BATCH, BATCH)

    def work() -> None:
        for _ in range(passes):
            taken(states, rows)

    work()
    return Layer("clone", "copies", passes * BATCH, "copy", 1, work)


# -- environments ----------------------------------------------------------------------------------------------------


def vector_step(_stack: contextlib.ExitStack, rules: RuleSet = CORE) -> Layer:
    """Step the vector environment: features, masks and rewards, actions drawn from the masks."""
    steps, games, actions = 200, VectorEnv(BATCH, rules, copy=False), np.empty(BATCH, np.int64)
    _, infos = games.reset(seed=SEED)
    masks = infos["action_mask"]

    def work() -> None:
        nonlocal masks
        for step in range(steps):
            choose(masks, step, actions)
            masks = games.step(actions)[4]["action_mask"]

    work()
    return Layer("vector_step", "decisions", steps * BATCH, "decision", 1, work)


def aec_step(_stack: contextlib.ExitStack, rules: RuleSet = CORE) -> Layer:
    """Step `deal_v0.env()` with its wrapper: last() with observation and mask, the first legal action from a draw."""
    deals, env = 40, deal_v0.env(rules=rules)
    env.reset(seed=SEED)
    draws = np.random.default_rng(SEED).integers(1 << 30, size=4096)

    def work() -> int:
        steps = 0
        env.reset(seed=SEED)
        for _ in range(deals):
            while env.agents:
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                legal = observation["action_mask"].nonzero()[0]
                env.step(int(legal[draws[steps % len(draws)] % len(legal)]))
                steps += 1
            env.reset()
        return steps

    return Layer("aec_step", "steps", work(), "step", 1, work)


LAYERS: tuple[Callable[[contextlib.ExitStack], Layer], ...] = (
    deal,
    play_rollout,
    play_rollout_two_threads,
    play_rollout_alone,
    native_play_rollout,
    play_rollout_portable,
    deal_rollout,
    engine_step,
    vector_step,
    aec_step,
    clone,
)
TABLE_LAYERS: tuple[Callable[[contextlib.ExitStack, RuleSet], Layer], ...] = (
    deal_rollout,
    engine_step,
    vector_step,
    aec_step,
)
