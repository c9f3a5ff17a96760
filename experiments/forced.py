"""Forced choices: what follows when one seat does as it is told once, and the heuristic plays on for everybody.

The questioned seat is seat 0 of every world. Four questions can be asked of a world, and each is answered for all its
alternatives from the same cards, so that their differences are known better than they themselves are:

- what does each action bring? (`try_actions`: said now, the auction goes on)
- what does it bring to go up to each limit, raising as little as possible? (`try_limits`)
- what does each contract bring, played exactly? (`try_contracts`: bid and kept without an auction, or named)
- what does each pair of gifts bring? (`try_gifts`)

What a deal brought is an `OUTCOME`.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.agent import ask
from agents.habits import habits
from agents.hand_value import weights
from agents.playouts import play_out
from agents.table import play_until, questions
from experiments.samples import ME, Place
from thousand_env import auction, exchange
from thousand_env.actions import FIRST_BID, LEVEL_STEP, NUM_ACTIONS, NUM_LEVELS, PASS
from thousand_env.engine import step
from thousand_env.jit import kernel, record_dtype
from thousand_env.rules import MIN_BID
from thousand_env.scoring import advantage, deal_points
from thousand_env.seats import active_seats, forehand_of, next_seat
from thousand_env.state import AUCTION, CONTRACT, EXCHANGE, NONE, taken
from thousand_env.view import VIEW_DTYPE

OUTCOME = record_dtype(
    [
        ("value", np.float64),  # own score minus the mean of the others'
        ("score", np.int32),  # own score
        ("points", np.int32),  # own deal points (K1)
        ("declares", np.int32),  # whether the questioned seat was declarer
        ("bid", np.int32),  # with which the auction ended
        ("contract", np.int32),  # 0 when the deal was written off
        ("made", np.int32),  # whether the declarer, whoever he is, made it
        ("total", np.int32),  # own total after the deal
        ("won", np.int32),  # whether the questioned seat won the match by this deal
    ]
)

Outcomes = NDArray[Any]


# -- playing out -----------------------------------------------------------------------------------------------------


@kernel
def note(state: Any, rules: Any, outcome: Any) -> None:
    """Write down what a scored deal brought seat 0."""
    outcome.value = advantage(state, rules, ME)
    outcome.score, outcome.total = state.score[ME], state.totals[ME]
    outcome.points = deal_points(state.captured[ME], state.marriages[ME])
    outcome.declares = state.declarer == ME
    outcome.bid, outcome.contract = state.bid, state.contract
    outcome.made = state.score[state.declarer] > 0
    outcome.won = state.winner == ME


@kernel
def _finish_all(
    worlds: Any, rules: Any, view: Any, mask: Any, table: Any, habits: Any, room: Any, outcomes: Any
) -> None:  # fmt: skip
    for i in range(worlds.shape[0]):
        play_out(worlds[i], rules[0], view[0], mask, table, habits[0], room)
        note(worlds[i], rules[0], outcomes[i])


def _heuristic(worlds: NDArray[Any], place: Place) -> Outcomes:
    outcomes = np.zeros(len(worlds), OUTCOME)
    view, mask, room = np.zeros(1, VIEW_DTYPE), np.zeros(NUM_ACTIONS, np.int8), np.zeros(1, np.int64)
    _finish_all(worlds, place.rules.array(), view, mask, weights(), habits(), room, outcomes)
    return outcomes


# Who can play deals out, in place, and say what each brought. A better player than the heuristic comes in here.
PLAYERS: dict[str, Callable[[NDArray[Any], Place], Outcomes]] = {"heuristic": _heuristic}


def finished(worlds: NDArray[Any], place: Place) -> Outcomes:
    """Play the deals out, in place, and return what each brought (W,)."""
    return PLAYERS[place.play](worlds, place)


# -- declaring -------------------------------------------------------------------------------------------------------


@kernel
def opener_of(state: Any, rules: Any) -> int:
    """Return the seat that has to open: the first clockwise from forehand that may bid (A1, A5)."""
    seat, out = forehand_of(state, rules), auction.kept_out(state, rules)
    while out >> seat & 1:
        seat = next_seat(seat, state.dealer, rules.players)
    return seat


@kernel
def declare_at(state: Any, rules: Any, points: int) -> None:
    """Make seat 0 declarer at a bid of `points` over the opener's hundred, all others having passed."""
    opener = opener_of(state, rules)
    for seat in range(rules.players):
        state.bids[seat] = 0
    if opener != ME:
        state.bids[opener] = auction.level_bit(MIN_BID)
    state.bids[ME] = auction.level_bit(points)
    state.bid, state.declarer = points, ME
    state.passed = active_seats(state, rules) & ~(1 << ME)
    state.turn = NONE
    exchange.take_talon(state, rules)


@kernel
def _declare_all(worlds: Any, rules: Any, points: Any) -> None:
    for i in range(worlds.shape[0]):
        declare_at(worlds[i], rules[0], points[i])


def declared(worlds: NDArray[Any], place: Place, points: int) -> Outcomes:
    """Return what it brings (W,) that seat 0 declares at a bid of `points` and may raise the contract."""
    copies = worlds.copy()
    _declare_all(copies, place.rules.array(), np.full(len(copies), points))
    return finished(copies, place)


# -- what is tried ---------------------------------------------------------------------------------------------------


def _repeated(worlds: NDArray[Any], alternatives: Any) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return a copy of each world for each alternative, and the alternatives beside them."""
    choices = np.asarray(alternatives, np.int64)
    return np.repeat(worlds, len(choices)), np.tile(choices, (len(worlds),) + (1,) * (choices.ndim - 1))


def try_actions(worlds: NDArray[Any], place: Place, actions: Any) -> Outcomes:
    """Return what each action (A,) of seat 0, whose turn it is, leads to in each world: (W, A)."""
    copies, choices = _repeated(worlds, actions)
    step(copies, place.rules.array(), choices)
    return finished(copies, place).reshape(len(worlds), len(actions))


def try_limits(worlds: NDArray[Any], place: Place, limits: Any) -> Outcomes:
    """Return what bidding up to each limit leads to: (W, L). `limits` rise; one of 0 passes whenever it may."""
    copies, choices = _repeated(worlds, limits)
    bid_up_to(copies, place, choices)
    shape = len(worlds), len(limits)
    ends = np.column_stack([copies["bid"], copies["declarer"], copies["bids"]]).reshape(*shape, -1)
    new = np.ones(shape, np.bool_)  # where the auction has ended otherwise than with the limit before
    new[:, 1:] = (ends[:, 1:] != ends[:, :-1]).any(axis=2)
    outcomes = np.zeros(len(copies), OUTCOME)
    outcomes[new.ravel()] = finished(taken(copies, np.flatnonzero(new)), place)
    last = np.maximum.accumulate(np.where(new.ravel(), np.arange(len(copies)), 0))
    return outcomes[last].reshape(shape)


def bid_up_to(worlds: NDArray[Any], place: Place, limits: NDArray[np.int64]) -> None:
    """End the auctions, seat 0 raising as little as possible up to its limit (W,) and then passing."""
    while len(rows := np.flatnonzero(worlds["phase"] == AUCTION)):
        views, masks, keys = questions(worlds, place.rules.array(), rows)
        actions = ask(place.heuristic, views, masks, keys)
        mine = worlds["turn"][rows] == ME
        actions[mine] = lowest_bids(masks[mine], limits[rows[mine]])
        step_rows(worlds, place, rows, actions)


def step_rows(worlds: NDArray[Any], place: Place, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
    """Apply an action in each of the worlds `rows`, in place."""
    moved = taken(worlds, rows)
    step(moved, place.rules.array(), actions)
    worlds[rows] = moved


def lowest_bids(masks: NDArray[np.int8], limits: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the lowest legal bid for each mask, a pass where it is above the limit and one may pass."""
    bids = masks[:, FIRST_BID : FIRST_BID + NUM_LEVELS]
    lowest = FIRST_BID + bids.argmax(axis=1)
    passes = (bids.max(axis=1) == 0) | (MIN_BID + LEVEL_STEP * (lowest - FIRST_BID) > limits)
    return np.where(passes & (masks[:, PASS] == 1), PASS, lowest)


def bid_actions(points: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the actions that bid, or name, so many points (N,)."""
    return FIRST_BID + (points - MIN_BID) // LEVEL_STEP


def try_contracts(worlds: NDArray[Any], place: Place, contracts: Any) -> Outcomes:
    """Return what it leads to that seat 0 declares at each contract and does not raise it: (W, C).

    Nobody is asked whether he would have passed. In worlds that wait for the contract it is named.
    """
    copies, choices = _repeated(worlds, contracts)
    rules = place.rules.array()
    if len(copies) and copies["phase"][0] == AUCTION:
        _declare_all(copies, rules, choices)
    play_until(copies, rules, place.heuristic, CONTRACT)
    rows = np.flatnonzero(copies["phase"] == CONTRACT)
    named = np.where(choices[rows] > copies["bid"][rows], bid_actions(choices[rows]), PASS)
    step_rows(copies, place, rows, named)
    return finished(copies, place).reshape(len(worlds), len(contracts))


def try_gifts(worlds: NDArray[Any], place: Place, gifts: NDArray[np.int64]) -> Outcomes:
    """Return what giving cards (G, receivers), clockwise, leads to in worlds before the exchange: (W, G)."""
    copies, choices = _repeated(worlds, gifts)
    for card in choices.T:
        step(copies, place.rules.array(), card)
    return finished(copies, place).reshape(len(worlds), len(gifts))


def at_exchange(worlds: NDArray[Any], place: Place) -> NDArray[Any]:
    """Return the worlds with the talon taken."""
    copies = worlds.copy()
    play_until(copies, place.rules.array(), place.heuristic, EXCHANGE)
    return copies


def after_gifts(worlds: NDArray[Any], place: Place, gifts: list[int]) -> NDArray[Any]:
    """Return the worlds, which wait for the exchange, after seat 0 has given these cards, clockwise."""
    copies = worlds.copy()
    for card in gifts:
        step(copies, place.rules.array(), np.full(len(copies), card))
    return copies
