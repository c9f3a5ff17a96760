"""The signature of the game: one number over fixed deals under `core`, printed by `python -m benchmarks.signature`.

It changes when a card, an action or a score of those deals does and at nothing else: only a change of the game under
`core` may change it, an optimisation may not.
"""

import argparse

import numpy as np

from thousand_env import engine
from thousand_env.jit import add, mix
from thousand_env.rollouts import deal_rollouts, play_rollouts
from thousand_env.rules import CORE

ROLLOUTS = 20_000
MATCHES, DEALS = 64, 10


def signature(rollouts: int = ROLLOUTS, matches: int = MATCHES, deals: int = DEALS) -> int:
    """Return the signature over so many rollouts of either kind and so many matches of so many deals."""
    numbers = [play_rollouts(rollouts, 1).checksum, deal_rollouts(rollouts, 1).checksum]
    states, rules = engine.new_states(matches), CORE.array()
    engine.start_matches(states, rules, np.full(matches, 1), np.arange(matches))
    for deal in range(deals):
        numbers.append(engine.rollout(states, rules, deal))
        for field in ("dealt", "captured", "marriages", "score", "totals", "bolts"):
            numbers.extend(states[field].ravel().tolist())
        engine.next_deals(states, rules)
    return fold(numbers)


def fold(numbers: list[int]) -> int:
    """Return a number of 63 bits that depends on every one of `numbers` and on their order."""
    folded = 0
    for number in numbers:
        folded = mix(add(folded, number))
    return folded & (1 << 63) - 1


if __name__ == "__main__":
    argparse.ArgumentParser(prog="python -m benchmarks.signature", description=__doc__).parse_args()
    print(signature())
