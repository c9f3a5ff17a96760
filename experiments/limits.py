"""Limits: how far to go in the auction, asked where it matters, on sampled deals.

Forehand is asked when it has opened with a hundred and somebody, played by the heuristic, has raised. That happens in
one deal of eight or so: such deals are looked for. Another seat is asked when its turn comes.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.forced import OUTCOME, fill_limits
from experiments.samples import ME, SAMPLES, Cards, Place, Player, deal_around, heuristic_action, known_cards, player
from thousand_env.actions import bid_action
from thousand_env.engine import step_row
from thousand_env.jit import kernel
from thousand_env.rng import derive
from thousand_env.rules import MIN_BID
from thousand_env.state import AUCTION, new_states

# To pass, or to go on so far. Steps grow where only marriages get.
LIMITS = (0, 105, 110, 115, 120, 130, 140, 160, 180, 200, 220)
TRIES = 200  # deals looked at for each one wanted; some hands leave nobody anything to raise on


@kernel
def is_asked(state: Any, rules: Any, player: Player) -> bool:
    """Let the others speak, seat 0 as opener saying a hundred first; whether it may then pass or raise."""
    if state.turn == ME:
        step_row(state, rules, bid_action(MIN_BID))
    while state.phase == AUCTION and state.turn != ME:
        step_row(state, rules, heuristic_action(state, rules, player))
    return state.phase == AUCTION


@kernel
def find_asked(
    world: Any, base: Any, rules: Any, known: Any, hand_size: int, key: int, first: int, last: int, player: Player
) -> int:
    """Bring `world` to the first deal from number `first` on in which seat 0 is asked; return its number, or `last`."""
    for number in range(first, last):
        world[0] = base[0]
        deal_around(world[0], rules[0], known, hand_size, derive(key, number))
        if is_asked(world[0], rules[0], player):
            return number
    return last


@kernel
def fill_asked(
    hands: Any, base: Any, rules: Any, known: Any, hand_size: int, limits: Any, key: int, world: Any, copies: Any,
    player: Player, outcomes: Any, values: Any,
) -> None:  # fmt: skip
    """Fill `values` as `limit_values` returns them."""
    last = values.shape[1] * TRIES
    for i in range(hands.shape[0]):
        known[ME], number = hands[i], -1
        for j in range(values.shape[1]):
            number = find_asked(
                world, base, rules, known, hand_size, derive(key, hands[i]), number + 1, last, player
            )  # fmt: skip
            if number == last:
                break
            fill_limits(world, rules, limits, copies, player, outcomes)
            for k in range(limits.shape[0]):
                values[i, j, k] = outcomes[0, k].value


def limit_values(place: Place, hands: Cards, count: int, seed: int) -> NDArray[np.float64]:
    """Return what each of LIMITS brings each hand in `count` deals: (N, count, L), not numbers where none is.

    A limit above the cap of the hand (A3) is the cap.
    """
    values = np.full((len(hands), count, len(LIMITS)), np.nan)
    limits, outcomes = np.array(LIMITS), np.zeros((1, len(LIMITS)), OUTCOME)
    fill_asked(
        hands, place.base(), place.rules.array(), known_cards(0), place.hand_size, limits, int(derive(SAMPLES, seed)),
        new_states(1), new_states(1), player(), outcomes, values,
    )  # fmt: skip
    return values
