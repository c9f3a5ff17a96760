"""How much each of the heuristic bot's rules of card play weighs, in points.

`python -m experiments.fit_habits` found them by playing variants against the bot as it stood; habits that could go
without loss have gone.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thousand_env.jit import record_dtype

HABITS: dict[str, tuple[float, str]] = {
    # What a point is worth, by whose pile it falls into.
    "own_pile": (1.07, "own pile, as a defender"),
    "own_contract": (0.62, "own pile, as declarer while the contract is open"),
    "their_pile": (-0.5, "the pile of another seat"),
    "their_contract": (-0.52, "the declarer's pile while the contract is open"),
    # What it is worth to lead next.
    "lead_marriage": (0.5, "own lead, each point of a marriage to declare"),
    "lead_threat": (0.28, "another's lead, each point of a marriage he may declare"),
    # What others add to a trick.
    "their_low": (2.0, "points a seat plays on a trick it does not win"),
    "their_high": (5.6, "points a seat plays on a trick it wins"),
    # What a card is worth in hand.
    "keep_jack": (0.5, "a jack"),
    "keep_queen": (1.7, "a queen"),
    "keep_king": (1.8, "a king"),
    "keep_ten": (5.0, "a ten"),
    "keep_ace": (8.4, "an ace"),
    "keep_master": (3.0, "the best card left of a suit"),
    "keep_stopper": (5.0, "the only card left of a suit, if it is the best: it stops the others' long cards"),
    "keep_single": (-2.0, "the only card left of a suit, if it is not the best"),
    "keep_trump": (3.7, "a trump"),
    "last_trump": (13.0, "the last trump, besides"),
    "keep_guard": (5.4, "the only card beside a ten whose ace is out"),
    "trump_ten": (13.0, "a guarded ten of trumps whose ace is out, besides"),
    "keep_pair": (0.24, "king or queen of a marriage with an entry, each point of it"),
    "keep_entry": (0.28, "the only entry of a marriage, each point of it"),
    # What speaks for leading a card.
    "lead_pair": (-20.0, "half of a marriage that is still to be declared"),
    "defend_single": (8.0, "a winner alone in its suit, as a defender before there are trumps"),
    "defend_trump": (-10.0, "the same against trumps"),
    "force_ace": (4.9, "low from a ten whose ace is out"),
    "pull_trump": (7.5, "a winning trump of one's own marriage, while others hold some"),
    "pull_enemy": (4.0, "a winning trump of another's marriage"),
}

HABITS_DTYPE = record_dtype([(name, np.float64) for name in HABITS])


def habits(**changes: float) -> NDArray[Any]:
    """Return the weights as kernels read them, shape (1,), some of them changed for an experiment."""
    array = np.zeros(1, HABITS_DTYPE)
    for name, (weight, _) in HABITS.items():
        array[name] = changes.get(name, weight)
    return array
