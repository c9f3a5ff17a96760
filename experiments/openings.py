"""Openings: what each opening bid brings forehand, hand by hand, on the same sampled deals."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from experiments.forced import bid_actions, declared, finished
from experiments.samples import SAMPLES, Cards, Place, derive_all, known_cards
from thousand_env.auction import bid_limit
from thousand_env.engine import step
from thousand_env.rng import derive
from thousand_env.rules import MIN_BID
from thousand_env.state import taken

OPENINGS = (100, 105, 110, 120, 140, 160, 180, 200, 220)


class Opened(NamedTuple):
    """What hands bring: N hands, D deals each."""

    openings: NDArray[np.float64]  # (N, D, len(OPENINGS)), values
    declared: NDArray[Any]  # (N, D), the OUTCOME of declaring at 100 uncontested


def opened(place: Place, hands: Cards, deals: int, seed: int) -> Opened:
    """Return what each of OPENINGS brings each hand, and what it brings to declare at 100, in `deals` sampled deals.

    An opening above the cap of the hand (A3) is the cap. Everybody goes on as the heuristic, the hand itself too.
    """
    keys = derive_all(derive(SAMPLES, seed), hands)
    numbers = np.tile(np.arange(deals), len(hands))
    worlds = place.deals(known_cards(np.repeat(hands, deals)), derive_all(np.repeat(keys, deals), numbers))
    caps = np.repeat([int(bid_limit(int(hand), place.rules.array()[0])) for hand in hands], deals)
    values = np.zeros((len(worlds), len(OPENINGS)))
    for column, opening in enumerate(OPENINGS):
        fresh = np.flatnonzero(caps > OPENINGS[column - 1]) if column else np.arange(len(worlds))
        copies = taken(worlds, fresh)
        step(copies, place.rules.array(), bid_actions(np.minimum(opening, caps[fresh])))
        values[:, column] = values[:, column - 1]
        values[fresh, column] = finished(copies, place)["value"]
    shape = len(hands), deals
    return Opened(values.reshape(*shape, -1), declared(worlds, place, MIN_BID).reshape(shape))
