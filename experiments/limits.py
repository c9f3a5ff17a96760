"""Limits: how far to go in the auction, asked where it matters, on sampled deals.

Forehand is asked when it has opened with a hundred and somebody, played by the heuristic, has raised. That happens in
one deal of eight or so: such deals are looked for. Another seat is asked when its turn comes.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.agent import ask
from agents.table import questions
from experiments.forced import step_rows, try_limits
from experiments.samples import ME, SAMPLES, Cards, Place, derive_all, known_cards
from thousand_env.actions import bid_action
from thousand_env.rng import derive
from thousand_env.rules import MIN_BID
from thousand_env.state import AUCTION, new_states, taken

# To pass, or to go on so far. Steps grow where only marriages get.
LIMITS = (0, 105, 110, 115, 120, 130, 140, 160, 180, 200, 220)
TRIES = 200  # deals looked at for each one wanted; some hands leave nobody anything to raise on
AT_A_TIME = 8  # deals looked at for each one wanted, at a time


def is_asked(worlds: NDArray[Any], place: Place) -> NDArray[np.bool_]:
    """Let the others speak, in place, seat 0 as opener saying a hundred first; whether it may then pass or raise."""
    opening = np.flatnonzero(worlds["turn"] == ME)
    step_rows(worlds, place, opening, np.full(len(opening), bid_action(MIN_BID)))
    while len(rows := np.flatnonzero((worlds["phase"] == AUCTION) & (worlds["turn"] != ME))):
        step_rows(worlds, place, rows, ask(place.heuristic, *questions(worlds, place.rules.array(), rows)))
    return worlds["phase"] == AUCTION


def asked_worlds(place: Place, hands: Cards, count: int, seed: int) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return up to `count` deals for each of the hands in which it is asked, and the place in `hands` of each deal.

    The deals of a hand depend on the hand and the seed alone.
    """
    keys = derive_all(derive(SAMPLES, seed), hands)
    parts, owners = [new_states(0)], [np.zeros(0, np.int64)]
    missing, size = np.full(len(hands), count), count * AT_A_TIME
    for first in range(0, count * TRIES, size):
        wanting = np.flatnonzero(missing)
        if not len(wanting):
            break
        owner = np.repeat(wanting, size)
        numbers = np.tile(first + np.arange(size), len(wanting))
        worlds = place.deals(known_cards(hands[owner]), derive_all(keys[owner], numbers))
        asked = is_asked(worlds, place).reshape(len(wanting), size)
        asked &= asked.cumsum(axis=1) <= missing[wanting, None]
        missing[wanting] -= asked.sum(axis=1)
        chosen = np.flatnonzero(asked)
        parts.append(taken(worlds, chosen))
        owners.append(owner[chosen])
    return np.concatenate(parts), np.concatenate(owners)


def limit_values(place: Place, hands: Cards, count: int, seed: int) -> NDArray[np.float64]:
    """Return what each of LIMITS brings each hand in `count` deals: (N, count, L), not numbers where none is.

    A limit above the cap of the hand (A3) is the cap.
    """
    worlds, owners = asked_worlds(place, hands, count, seed)
    order = owners.argsort(kind="stable")
    owners = owners[order]
    found = np.bincount(owners, minlength=len(hands))
    slots = np.arange(len(owners)) - np.repeat(np.cumsum(found) - found, found)
    values = np.full((len(hands), count, len(LIMITS)), np.nan)
    values[owners, slots] = try_limits(taken(worlds, order), place, LIMITS)["value"]
    return values
