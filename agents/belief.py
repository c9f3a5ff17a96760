"""How likely the auction was in a world: players bid what their hands are worth, more or less.

The model of a player is the heuristic's value of a hand with a spread around it. A bid says that the hand was worth it,
a pass that the next bid was more than it was worth, a contract above the bid that the hand after the exchange was worth
that. The forced opening says nothing, nor do a blind bid and what a seat on the barrel bids, who has other reasons.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.bidding import CAUTION, CAUTION_OF_TWO, expected_points, points_of_kept
from agents.determinize import Rules, array_of, sample, sample_weighted
from agents.hand_value import SEVEN, TEN_OF_TWO, weights
from thousand_env.actions import LEVEL_STEP
from thousand_env.jit import kernel, lowest
from thousand_env.rules import MIN_BID
from thousand_env.seats import is_active
from thousand_env.state import BLIND_CHOSEN, MAX_SEATS, PLAY

SPREAD = 15.0  # points by which players differ from the heuristic in what a hand is worth: standard deviation
FLOOR = 0.02  # the chance of any act, however odd: nobody is sure of how others think
PROPOSALS = 4  # uniform worlds for each one that is chosen by weight
MAX_ACTS = 256  # turns in an auction: of 61 levels and three seats that pass


@kernel
def chance_worth(value: float, points: float) -> float:
    """Return the chance that a player takes a hand of this value for worth so many points."""
    return FLOOR + (1.0 - 2.0 * FLOOR) * 0.5 * math.erfc((points - value) / (SPREAD * math.sqrt(2.0)))


@kernel
def auction_chance(state: Any, rules: Any, value: Any) -> float:
    """Return the chance of the bids and passes of all seats but 0, up to a factor.

    `value` (4,) holds what each seat takes its hand for, NaN where its acts say nothing. Bids rise, so the levels of
    all seats from the lowest are the bids in order, and who is skipped has passed.
    """
    players, chance = rules.players, 1.0
    named, silent = np.int64(0), 0
    for seat in range(players):
        named |= state.bids[seat]
        silent |= (0 if is_active(state, rules, seat) else 1) << seat
    turn, price = state.dealer, 0
    for _ in range(MAX_ACTS):
        turn = (turn + 1) % players
        if silent >> turn & 1:
            continue
        bid = named & -named
        if bid and state.bids[turn] & bid:
            named ^= bid
            price = MIN_BID + LEVEL_STEP * lowest(int(bid))
            if price > MIN_BID and not math.isnan(value[turn]):
                chance *= chance_worth(value[turn], price)
        elif state.passed >> turn & 1:
            silent |= 1 << turn
            if price > 0 and not math.isnan(value[turn]):
                chance *= 1.0 - chance_worth(value[turn], price + LEVEL_STEP)
        elif named == 0:
            break
    return chance


@kernel
def world_chance(state: Any, rules: Any, table: Any, value: Any) -> float:
    """Return how likely the players of seats 1, 2 … would have bid and named what they did in this world."""
    question, caution = (TEN_OF_TWO, CAUTION_OF_TWO) if rules.players == 2 else (SEVEN, CAUTION)
    declarer = state.declarer
    for seat in range(rules.players):
        says_nothing = seat == 0 or state.mounted[seat] > 0 or (state.blind == BLIND_CHOSEN and seat == declarer)
        value[seat] = math.nan
        if not says_nothing:
            value[seat] = expected_points(state.dealt[seat], table[question], rules) - caution
    chance = auction_chance(state, rules, value)
    if state.phase == PLAY and state.contract > state.bid and not math.isnan(value[declarer]):
        kept = state.hands[declarer]
        for i in range(state.num_plays):
            if state.plays[i] >> 8 == declarer:
                kept |= 1 << (state.plays[i] & 31)
        chance *= chance_worth(points_of_kept(kept, rules.players, table, rules), state.contract)
    return chance


@kernel
def _fill_chances(worlds: Any, rules: Any, table: Any, value: Any, chances: Any) -> None:
    for i in range(worlds.shape[0]):
        chances[i] = world_chance(worlds[i], rules[0], table, value)


class Belief:
    """Weighs worlds by how likely the auction was in them: `weigh` of `determinize.sample_weighted`."""

    def __init__(self) -> None:
        self.table, self.value = weights(), np.zeros(MAX_SEATS)

    def __call__(self, worlds: NDArray[Any], views: NDArray[Any], rules: NDArray[Any]) -> NDArray[np.float64]:  # noqa: ARG002 the worlds hold the public history as well
        """Return a weight for each of the worlds (N,), in which the viewer sits at seat 0."""
        chances = np.empty(len(worlds))
        _fill_chances(worlds, rules, self.table, self.value, chances)
        return chances


def believed(views: NDArray[Any], rules: Rules, count: int, keys: NDArray[np.int64]) -> NDArray[Any]:
    """Return `count` worlds for each view, states (N, count), as likely as the auction makes them.

    `views`, `rules` and `keys` are those of `determinize.sample`. Before the first bid the auction says nothing, and
    the worlds are uniform.
    """
    rules = array_of(rules)
    if not views["bids"].any():
        return sample(views, rules, count, keys)
    return sample_weighted(views, rules, count, keys, weigh=Belief(), proposals=PROPOSALS * count)


def worlds_of(views: NDArray[Any], rules: Rules, count: int, key: int, *, belief: bool) -> NDArray[Any]:
    """Return `count` worlds for the one view in `views` (1,), states (count,): `believed` ones, else uniform ones."""
    draw = believed if belief else sample
    return draw(views, rules, count, np.array([key]))[0]
