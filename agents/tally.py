"""What an arena counts at its tables, and how sure the counts are.

Everything is counted in whole numbers per block, so that a figure depends neither on the order nor on the size of the
batches. An interval is a bootstrap over blocks (Efron 1979): the block is what is independent, not the deal. Where all
blocks agree on the most or the least that a figure can be, a bootstrap knows nothing of what did not happen; there the
interval is that of Clopper and Pearson (1934), with the blocks as trials.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thousand_env.engine import payoffs
from thousand_env.jit import kernel, lowest, record_dtype
from thousand_env.seats import is_active
from thousand_env.state import NONE

STAKE_PARTS = 12  # a stake is counted in twelfths of the bank: two, three or four seats may share it
RESAMPLES = 2000
_DETECTABLE = 1.96 + 0.84  # standard errors: 5 % two-sided, 80 % power
_TAIL = 0.025  # the chance beyond each end of an interval

ANYTHING, SHARE = (-math.inf, math.inf), (0.0, 1.0)  # the least and the most that a figure can be

TALLY_DTYPE = record_dtype(
    [
        (name, np.int64)
        for name in (
            "deals",
            "points",  # of the challenger, times the number of the others, minus theirs
            "made",
            "contracts",  # points of all contracts; a deal given up counts with its bid
            "written_off",  # deals written off, or ended by a baptism
            "contested",  # deals in which somebody other than the opener bid
            "contested_made",
            "own_declared",
            "own_made",
            "own_contracts",
            "own_followed",  # auctions the challenger took part in and did not open
            "own_contested",  # ... in which it bid
            "own_bolts",  # deals it played and won no trick in
            "matches",
            "truncated",
            "wins",  # in twelfths: equal leaders of a truncated match share it
            "stakes",  # in twelfths of the bank, as points are counted
        )
    ]
)


@kernel
def opener(state: Any, players: int) -> int:
    """Return the seat whose first bid was the lowest of the auction, NONE in a deal without one (G1, L7)."""
    seat = NONE
    for other in range(players):
        if state.bids[other] and (seat == NONE or lowest(state.bids[other]) < lowest(state.bids[seat])):
            seat = other
    return seat


@kernel
def count_deal(state: Any, rules: Any, own: int, tally: Any) -> None:
    """Count a scored deal for the challenger in seat `own`."""
    players, first = rules.players, opener(state, rules.players)
    tally.deals += 1
    tally.contracts += max(state.contract, state.bid)
    tally.written_off += state.contract == 0
    made = state.score[state.declarer] > 0
    tally.made += made
    contested = False
    for seat in range(players):
        tally.points += state.score[seat] * (players - 1 if seat == own else -1)
        contested |= state.bids[seat] != 0 and seat != first
    tally.contested += contested
    tally.contested_made += contested and made
    if state.declarer == own:
        tally.own_declared += 1
        tally.own_made += made
        tally.own_contracts += max(state.contract, state.bid)
    if is_active(state, rules, own):
        count_part(state, first, own, tally)


@kernel
def count_part(state: Any, first: int, own: int, tally: Any) -> None:
    """Count the challenger's part in a deal it did not sit out; `first` is the opener, NONE without an auction."""
    if first not in (NONE, own):
        tally.own_followed += 1
        tally.own_contested += state.bids[own] != 0
    tally.own_bolts += state.contract > 0 and state.tricks[own] == 0


@kernel
def count_deals(states: Any, rules: Any, games: Any, own: Any, tallies: Any) -> None:
    """Count the deal just scored in each of the states `games`."""
    for i in range(games.shape[0]):
        game = games[i]
        count_deal(states[game], rules[0], own[game], tallies[game])


def count_matches(states: NDArray[Any], rules: NDArray[Any], own: NDArray[np.int64], tallies: NDArray[Any]) -> None:
    """Count the finished match in each state."""
    stakes = np.rint(payoffs(states, rules) * STAKE_PARTS / int(rules["bank"][0])).astype(np.int64)
    mine = np.take_along_axis(stakes, own[:, None], axis=1)[:, 0]
    tallies["matches"] += 1
    tallies["truncated"] += states["winner"] == NONE
    tallies["wins"] += np.maximum(mine, 0)
    tallies["stakes"] += stakes.shape[1] * mine - stakes.sum(axis=1)


def by_block(tallies: NDArray[Any], players: int) -> NDArray[Any]:
    """Return tallies summed over the seatings of each block: (N * players,) to (N,)."""
    blocks = np.zeros(len(tallies) // players, TALLY_DTYPE)
    for name in TALLY_DTYPE.names or ():
        blocks[name] = tallies[name].reshape(-1, players).sum(axis=1)
    return blocks


def bootstrap(
    totals: NDArray[Any], weights: NDArray[Any], seed: int, bounds: tuple[float, float] = ANYTHING
) -> tuple[float, float]:
    """Return the 95 % interval of sum(totals) / sum(weights), blocks (N,) drawn anew with replacement.

    `bounds` are the least and the most that a block's total / weight can be: there `beyond_seen` is the interval.
    Blocks with the same numbers are interchangeable, so a resample is one multinomial draw over the distinct ones.
    """
    rows, counts = np.unique(np.stack([totals, weights], axis=1), axis=0, return_counts=True)
    rng = np.random.default_rng([seed & 0xFFFF_FFFF, len(totals)])
    draws = rng.multinomial(len(totals), counts / len(totals), size=RESAMPLES)
    sums = draws @ rows
    ratios = sums[:, 0] / np.maximum(sums[:, 1], 1e-12)
    low, high = np.quantile(ratios, [_TAIL, 1 - _TAIL])
    return beyond_seen(totals, weights, bounds) or (float(low), float(high))


def beyond_seen(totals: NDArray[Any], weights: NDArray[Any], bounds: tuple[float, float]) -> tuple[float, float] | None:
    """Return the 95 % interval of sum(totals) / sum(weights) if that is one of the bounds, else None.

    The other end is what would still show nothing but the bound in these blocks (N,) one time in forty. Blocks count as
    if each had the greatest weight, since what was not seen may happen in the heaviest.

    >>> low, high = beyond_seen(np.full(100, 3), np.full(100, 3), SHARE) or SHARE
    >>> round(low, 4), high
    (0.9638, 1.0)
    """
    least, most = bounds
    value = totals.sum() / weights.sum()
    if least < value < most:
        return None
    reach = (most - least) * (1 - _TAIL ** float(weights.max() / weights.sum()))
    return (least, least + reach) if value <= least else (most - reach, most)


def smallest_effect(results: NDArray[np.float64]) -> float:
    """Return the smallest true mean that block results (N,) like these would show, four times in five."""
    return float(_DETECTABLE * results.std(ddof=1) / np.sqrt(len(results)))
