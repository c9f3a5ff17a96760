"""Forced choices: what follows when one seat does as it is told once, and the heuristic plays on for everybody.

The questioned seat is seat 0 of every world. Four questions can be asked of a world, and each is answered for all its
alternatives from the same cards, so that their differences are known better than they themselves are:

- what does each action bring? (`try_actions`: said now, the auction goes on)
- what does it bring to go up to each limit, raising as little as possible? (`try_limits`)
- what does each contract bring, played exactly? (`try_contracts`: bid and kept without an auction, or named)
- what does each pair of gifts bring? (`try_gifts`)

What a deal brought is an `OUTCOME`.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.bidding import bid
from agents.playouts import play_out
from experiments.samples import ME, Player, heuristic_action, player
from thousand_env import auction, exchange
from thousand_env.actions import PASS, bid_action
from thousand_env.engine import step, step_row
from thousand_env.jit import kernel, record_dtype
from thousand_env.rules import MIN_BID, RuleSet
from thousand_env.scoring import advantage, deal_points
from thousand_env.seats import active_seats, forehand_of, next_seat
from thousand_env.state import AUCTION, CONTRACT, EXCHANGE, NONE, new_states

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
def finish(state: Any, rules: Any, player: Player, outcome: Any) -> None:
    """Play the deal out and write down what it brought."""
    play_out(state, rules, player.views[0], player.mask, player.table, player.habits[0], player.room)
    note(state, rules, outcome)


@kernel
def play_to(state: Any, rules: Any, phase: int, player: Player) -> None:
    """Let the heuristic decide until a deal is in `phase`, or beyond it."""
    while state.phase < phase:
        step_row(state, rules, heuristic_action(state, rules, player))


# -- what is tried ---------------------------------------------------------------------------------------------------


@kernel
def fill_actions(worlds: Any, rules: Any, actions: Any, copies: Any, player: Player, outcomes: Any) -> None:
    """Fill `outcomes` as `try_actions` returns them."""
    for i in range(worlds.shape[0]):
        for j in range(actions.shape[0]):
            copies[0] = worlds[i]
            step_row(copies[0], rules[0], actions[j])
            finish(copies[0], rules[0], player, outcomes[i, j])


@kernel
def bid_up_to(state: Any, rules: Any, limit: int, player: Player) -> None:
    """End the auction, seat 0 raising as little as possible up to `limit` and then passing."""
    while state.phase == AUCTION:
        action = heuristic_action(state, rules, player)
        if state.turn == ME:
            action = bid(player.views[0], player.mask, limit)
        step_row(state, rules, action)


@kernel
def fill_limits(worlds: Any, rules: Any, limits: Any, copies: Any, player: Player, outcomes: Any) -> None:
    """Fill `outcomes` as `try_limits` returns them; once the others have passed, a higher limit changes nothing."""
    for i in range(worlds.shape[0]):
        won = False
        for j in range(limits.shape[0]):
            if won:
                outcomes[i, j] = outcomes[i, j - 1]
                continue
            copies[0] = worlds[i]
            bid_up_to(copies[0], rules[0], limits[j], player)
            won = copies[0].declarer == ME
            finish(copies[0], rules[0], player, outcomes[i, j])


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
def keep_contract(state: Any, rules: Any, player: Player, outcome: Any) -> None:
    """Play the deal out with the bid as contract."""
    play_to(state, rules, CONTRACT, player)
    if state.phase == CONTRACT:
        step_row(state, rules, PASS)
    finish(state, rules, player, outcome)


@kernel
def fill_contracts(worlds: Any, rules: Any, contracts: Any, copies: Any, player: Player, outcomes: Any) -> None:
    """Fill `outcomes` as `try_contracts` returns them."""
    for i in range(worlds.shape[0]):
        for j in range(contracts.shape[0]):
            copies[0] = worlds[i]
            if copies[0].phase == AUCTION:
                declare_at(copies[0], rules[0], contracts[j])
            elif copies[0].phase == CONTRACT and contracts[j] > copies[0].bid:
                step_row(copies[0], rules[0], bid_action(contracts[j]))
            keep_contract(copies[0], rules[0], player, outcomes[i, j])


@kernel
def fill_gifts(worlds: Any, rules: Any, gifts: Any, copies: Any, player: Player, outcomes: Any) -> None:
    """Fill `outcomes` as `try_gifts` returns them."""
    for i in range(worlds.shape[0]):
        for j in range(gifts.shape[0]):
            copies[0] = worlds[i]
            for place in range(gifts.shape[1]):
                step_row(copies[0], rules[0], gifts[j, place])
            finish(copies[0], rules[0], player, outcomes[i, j])


# -- asking ----------------------------------------------------------------------------------------------------------


def _ask(kernel_of: Any, worlds: NDArray[Any], rules: RuleSet, alternatives: Any) -> Outcomes:
    choices = np.ascontiguousarray(alternatives, np.int64)
    outcomes = np.zeros((len(worlds), len(choices)), OUTCOME)
    kernel_of(worlds, rules.array(), choices, new_states(1), player(), outcomes)
    return outcomes


def try_actions(worlds: NDArray[Any], rules: RuleSet, actions: Any) -> Outcomes:
    """Return what each action (A,) of seat 0, whose turn it is, leads to in each world: (W, A)."""
    return _ask(fill_actions, worlds, rules, actions)


def try_limits(worlds: NDArray[Any], rules: RuleSet, limits: Any) -> Outcomes:
    """Return what bidding up to each limit leads to: (W, L). `limits` rise; one of 0 passes whenever it may."""
    return _ask(fill_limits, worlds, rules, limits)


def try_contracts(worlds: NDArray[Any], rules: RuleSet, contracts: Any) -> Outcomes:
    """Return what it leads to that seat 0 declares at each contract and does not raise it: (W, C).

    Nobody is asked whether he would have passed. In worlds that wait for the contract it is named.
    """
    return _ask(fill_contracts, worlds, rules, contracts)


def try_gifts(worlds: NDArray[Any], rules: RuleSet, gifts: Any) -> Outcomes:
    """Return what giving cards (G, receivers), clockwise, leads to in worlds before the exchange: (W, G)."""
    return _ask(fill_gifts, worlds, rules, gifts)


def declared(worlds: NDArray[Any], rules: RuleSet, points: int) -> NDArray[Any]:
    """Return the worlds with seat 0 as declarer at a bid of `points`, waiting for the exchange."""
    copies = worlds.copy()
    _declare_all(copies, rules.array(), points, player())
    return copies


def declared_outcomes(worlds: NDArray[Any], rules: RuleSet, points: int) -> Outcomes:
    """Return what it brings (W,) that seat 0 declares at a bid of `points` and may raise the contract."""
    return played_out(declared(worlds, rules, points), rules)


def played_out(worlds: NDArray[Any], rules: RuleSet) -> Outcomes:
    """Return what it brings (W,) to play on from here."""
    outcomes = np.zeros(len(worlds), OUTCOME)
    _finish_all(worlds.copy(), rules.array(), player(), outcomes)
    return outcomes


def played_on(worlds: NDArray[Any], rules: RuleSet, phase: int) -> NDArray[Any]:
    """Return the worlds after the heuristic has decided for everybody until `phase`."""
    copies = worlds.copy()
    _play_all_to(copies, rules.array(), phase, player())
    return copies


def after_gifts(worlds: NDArray[Any], rules: RuleSet, gifts: list[int]) -> NDArray[Any]:
    """Return the worlds, which wait for the exchange, after seat 0 has given these cards, clockwise."""
    copies = worlds.copy()
    for card in gifts:
        step(copies, rules.array(), np.full(len(copies), card))
    return copies


@kernel
def _play_all_to(worlds: Any, rules: Any, phase: int, player: Player) -> None:
    for i in range(worlds.shape[0]):
        play_to(worlds[i], rules[0], phase, player)


@kernel
def _declare_all(worlds: Any, rules: Any, points: int, player: Player) -> None:
    for i in range(worlds.shape[0]):
        declare_at(worlds[i], rules[0], points)
        play_to(worlds[i], rules[0], EXCHANGE, player)


@kernel
def _finish_all(worlds: Any, rules: Any, player: Player, outcomes: Any) -> None:
    for i in range(worlds.shape[0]):
        finish(worlds[i], rules[0], player, outcomes[i])
