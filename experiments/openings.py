"""Openings: what each opening bid brings forehand, hand by hand, on the same sampled deals."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from experiments.forced import OUTCOME, declare_at, finish
from experiments.samples import ME, SAMPLES, Cards, Place, Player, deal_around, known_cards, player
from thousand_env.actions import bid_action
from thousand_env.auction import bid_limit
from thousand_env.engine import step_row
from thousand_env.jit import kernel
from thousand_env.rng import derive
from thousand_env.rules import MIN_BID
from thousand_env.state import new_states

OPENINGS = (100, 105, 110, 120, 140, 160, 180, 200, 220)


class Opened(NamedTuple):
    """What hands bring: N hands, D deals each."""

    openings: NDArray[np.float64]  # (N, D, len(OPENINGS)), values
    declared: NDArray[Any]  # (N, D), the OUTCOME of declaring at 100 uncontested


@kernel
def fill_openings(
    hands: Any, base: Any, rules: Any, known: Any, hand_size: int, openings: Any, key: int, world: Any, copy: Any,
    player: Player, outcome: Any, values: Any, declared: Any,
) -> None:  # fmt: skip
    """Fill `values` and `declared` as `opened` returns them."""
    for i in range(hands.shape[0]):
        known[ME], cap = hands[i], bid_limit(hands[i], rules[0])
        for j in range(values.shape[1]):
            world[0] = base[0]
            deal_around(world[0], rules[0], known, hand_size, derive(derive(key, hands[i]), j))
            copy[0] = world[0]
            declare_at(copy[0], rules[0], MIN_BID)
            finish(copy[0], rules[0], player, declared[i, j])
            for k in range(openings.shape[0]):
                if k == 0 or openings[k - 1] < cap:
                    copy[0] = world[0]
                    step_row(copy[0], rules[0], bid_action(min(openings[k], cap)))
                    finish(copy[0], rules[0], player, outcome[0])
                values[i, j, k] = outcome[0].value


def opened(place: Place, hands: Cards, deals: int, seed: int) -> Opened:
    """Return what each of OPENINGS brings each hand, and what it brings to declare at 100, in `deals` sampled deals.

    An opening above the cap of the hand (A3) is the cap. Everybody goes on as the heuristic, the hand itself too.
    """
    values, declared = np.zeros((len(hands), deals, len(OPENINGS))), np.zeros((len(hands), deals), OUTCOME)
    fill_openings(
        hands, place.base(), place.rules.array(), known_cards(0), place.hand_size, np.array(OPENINGS),
        int(derive(SAMPLES, seed)), new_states(1), new_states(1), player(), np.zeros(1, OUTCOME), values, declared,
    )  # fmt: skip
    return Opened(values, declared)
