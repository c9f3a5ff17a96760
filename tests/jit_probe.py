"""What `test_jit` runs in processes of their own: the same text must come out however the kernels are compiled.

python -m tests.jit_probe bits | packs | deals
"""

from __future__ import annotations

import hashlib
import random
import sys
from collections.abc import Callable

import numpy as np

from thousand_env import engine, jit, view
from thousand_env.jit import kernel
from thousand_env.rules import RuleSet
from thousand_env.state import SCORED, new_states


@kernel
def popcount(bits: int) -> int:
    return jit.popcount(bits)


@kernel
def lowest(bits: int) -> int:
    return jit.lowest(bits)


@kernel
def highest(bits: int) -> int:
    return jit.highest(bits)


@kernel
def nth_bit(bits: int, n: int) -> int:
    return jit.nth_bit(bits, n)


@kernel
def mulhi(word: int, n: int) -> int:
    return jit.mulhi(word, n)


@kernel
def mullo(word: int, n: int) -> int:
    return jit.mullo(word, n)


@kernel
def mix(word: int) -> int:
    return jit.mix(word)


@kernel
def add(word: int, other: int) -> int:
    return jit.add(word, other)


def words(count: int) -> list[int]:
    """Random 64-bit words as signed numbers, among them the extremes."""
    rng = random.Random(64)
    return [0, -1, 1, 2**63 - 1, -(2**63), *(rng.getrandbits(64) - 2**63 for _ in range(count))]


def bits() -> str:
    """What the bit operations make of random words, a line a word."""
    rng, lines = random.Random(63), list[str]()
    for word in words(2000):
        number, other, size = word & 2**63 - 1 or 1, rng.getrandbits(64) - 2**63, rng.randrange(1, 2**31)
        nth = rng.randrange(number.bit_count())
        results = [popcount(number), lowest(number), highest(number), nth_bit(number, nth), mulhi(word, size)]
        results += [mullo(word, size), mullo(word, other), mix(word), add(word, other)]
        lines.append(" ".join(map(str, results)))
    return "\n".join(lines)


def packs() -> str:
    """The cards of some addresses."""
    states = new_states(50)
    engine.start_matches(states, RuleSet().array(), np.arange(50) - 25, np.arange(50))
    return hashlib.sha256(states.tobytes()).hexdigest()


def deals() -> str:
    """A hash of some deals played at random from full score sheets, action by action, with what each seat sees."""
    digest = hashlib.sha256()
    for text in ("core", "classic", "online marriage_first_lead=always barrel_needs=100 max_deals=3"):
        rules, rng, states = RuleSet.parse(text).array(), np.random.default_rng(5), new_states(4)
        engine.start_matches(states, rules, np.full(4, 5), np.arange(4))
        for _ in range(2):
            states["totals"][:, :3] = rng.integers(800, 880, (4, 3))
            states["bolts"][:, :3] = rng.integers(0, 3, (4, 3))
            while (states["phase"] < SCORED).any():
                masks = engine.legal_actions(states, rules)
                actions = (masks * rng.random(masks.shape)).argmax(axis=1)
                engine.step(states, rules, actions)
                for seat in range(3):
                    digest.update(view.look(states, rules, np.full(4, seat)).tobytes())
                digest.update(states.tobytes() + masks.tobytes() + engine.deal_score(states, rules).tobytes())
            digest.update(engine.payoffs(states, rules).tobytes())
            engine.next_deals(states, rules)
        engine.rollout(states, rules, 9)
        digest.update(states.tobytes())
    return digest.hexdigest()


TASKS: dict[str, Callable[[], str]] = {"bits": bits, "packs": packs, "deals": deals}

if __name__ == "__main__":
    print(TASKS[sys.argv[1]]())
