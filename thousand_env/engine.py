"""The engine: whose turn it is decides which phase's rules apply; everything comes in batches.

A batch is an array of states (N,) and the one-element array of its rules; a single game is a batch of one. Kernels
check nothing: `Game` and the environments do.

>>> rules = RuleSet.parse("core").array()
>>> states = new_states(2)
>>> start_matches(states, rules, np.array([7, 7]), np.array([0, 1]))
>>> masks = legal_actions(states, rules)
>>> step(states, rules, masks.argmax(axis=1))
>>> [int(state.bid) for state in states], [int(state.turn) - int(state.dealer) for state in states] != [0, 0]
([100, 100], True)
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thousand_env import auction, deck, exchange, play, scoring
from thousand_env import match as match_sheet
from thousand_env.actions import BONUS_HANDS, FIRST_CALL, NUM_ACTIONS, PASS
from thousand_env.jit import kernel, lowest, mulhi, nth_bit, popcount
from thousand_env.rng import deal_key, derive, word
from thousand_env.rules import RuleSet
from thousand_env.state import (
    AGAIN,
    AUCTION,
    CLAIM,
    CONTRACT,
    EXCHANGE,
    MAX_SEATS,
    NONE,
    PLAY,
    SCORED,
    new_states,
    taken,
)

_DECISION = 0xDEC1  # the part of a deal's address under which its decisions draw

__all__ = [
    "RuleSet",
    "deal_score",
    "decision_key",
    "fill_legal",
    "legal_actions",
    "new_states",
    "next_deals",
    "payoffs",
    "perft",
    "ply",
    "rollout",
    "start_matches",
    "step",
    "warm_up",
]


# -- one state -------------------------------------------------------------------------------------------------------


@kernel
def legal_sets(state: Any, rules: Any) -> tuple[int, int, int]:
    """Return the legal actions of the seat to act as sets of plays, bids and calls; all empty when nobody may act."""
    plays, bids, calls = 0, 0, 0
    if state.phase == PLAY:
        plays = play.legal_plays(state, rules)
    elif state.phase == AUCTION:
        bids, calls = auction.legal_bids(state, rules), auction.legal_bonuses(state, rules)
    elif state.phase < AUCTION:
        calls = auction.legal_calls(state, rules) | auction.legal_bonuses(state, rules)
    elif state.phase == CONTRACT:
        bids = exchange.legal_contracts(state, rules)
    elif state.phase < PLAY:
        plays = exchange.legal_gifts(state, rules) if state.phase == EXCHANGE else 0
        calls = exchange.legal_calls(state, rules)
    return plays, bids, calls


@kernel
def legal_row(state: Any, rules: Any, mask: Any) -> None:
    """Fill `mask` (NUM_ACTIONS,) with 1 where the seat to act may act so, 0 elsewhere; all 0 when nobody may act."""
    plays, bids, calls = legal_sets(state, rules)
    for action in range(NUM_ACTIONS):
        mask[action] = 0  # faster than clearing by a slice, whose length the compiler does not know
    mark(mask, 0, plays)
    mark(mask, PASS, bids)
    mark(mask, FIRST_CALL, calls)


@kernel
def mark(mask: Any, start: int, actions: int) -> None:
    """Set a number of the mask to 1 for each action of a set that begins at action `start`."""
    while actions:
        mask[start + lowest(actions)] = 1
        actions &= actions - 1


@kernel
def draw(state: Any, rules: Any, random: int) -> int:
    """Return the legal action of the seat to act, of all of them equally likely, that a random word draws."""
    plays, bids, calls = legal_sets(state, rules)
    n = mulhi(random, popcount(plays) + popcount(bids) + popcount(calls))
    if n < popcount(plays):
        return lowest(nth_bit(plays, n))
    n -= popcount(plays)
    if n < popcount(bids):
        return PASS + lowest(nth_bit(bids, n))
    return FIRST_CALL + lowest(nth_bit(calls, n - popcount(bids)))


@kernel
def step_row(state: Any, rules: Any, action: int) -> None:
    """Apply a legal action of the seat to act; a state in which nobody may act stays as it is."""
    if state.phase == PLAY:
        play.step(state, rules, action)
    elif state.phase < PLAY:
        step_before_play(state, rules, action)


@kernel
def step_before_play(state: Any, rules: Any, action: int) -> None:
    """Apply a legal action before the play; where it means that the cards are dealt again, they are."""
    if action >= BONUS_HANDS:
        auction.use_bonus(state, action)
    elif state.phase == AUCTION:
        auction.step(state, rules, action)
    elif state.phase < AUCTION:
        auction.step_before(state, rules, action)
    else:
        exchange.step(state, rules, action)
    if state.phase == AGAIN:
        deck.deal_again(state, rules)


@kernel
def nth_legal(mask: Any, n: int) -> int:
    """Return the n-th legal action of a mask row, counting from 0."""
    for action in range(NUM_ACTIONS):
        if mask[action]:
            if n == 0:
                return action
            n -= 1
    return NONE


@kernel
def count_legal(mask: Any) -> int:
    """Return how many actions a mask row allows."""
    count = 0
    for action in range(NUM_ACTIONS):
        count += mask[action]
    return count


@kernel
def ply(state: Any) -> int:
    """Return a number that rises with every decision of a deal: all that was said, given and played, and the phase."""
    count = popcount(state.passed) + state.num_plays + state.phase + popcount(state.asked) + (state.picked > 0)
    for seat in range(MAX_SEATS):
        count += popcount(state.bids[seat]) + (state.gifts[seat] != NONE)
        count += popcount(state.peeks[seat]) + state.offences[seat]
    if state.phase == CLAIM and state.bid > 0:
        count += 2  # a claim on the talon comes after the auction
    return count


@kernel
def decision_key(state: Any) -> int:
    """Return the random key of the decision that a state asks of the seat to act."""
    key = derive(deal_key(state.seed, state.match, state.deal, state.attempt), _DECISION)
    return derive(derive(key, state.turn), ply(state))


# -- batches ---------------------------------------------------------------------------------------------------------


@kernel
def _start_all(states: Any, rules: Any, seeds: Any, matches: Any) -> None:
    for i in range(states.shape[0]):
        deck.begin_match(states[i], rules[0], seeds[i], matches[i])


@kernel
def _next_all(states: Any, rules: Any) -> None:
    for i in range(states.shape[0]):
        if states[i].phase == SCORED:
            deck.next_deal(states[i], rules[0])


@kernel
def fill_legal(states: Any, rules: Any, masks: Any) -> None:
    """Fill `masks`, int8 (N, NUM_ACTIONS), with the legal actions of the seat to act in each state."""
    for i in range(states.shape[0]):
        legal_row(states[i], rules[0], masks[i])


@kernel
def _step_all(states: Any, rules: Any, actions: Any) -> None:
    for i in range(states.shape[0]):
        step_row(states[i], rules[0], actions[i])


@kernel
def _deal_score(states: Any, rules: Any, points: Any) -> None:
    for i in range(states.shape[0]):
        for seat in range(rules[0].players):
            points[i, seat] = scoring.deal_points(states[i].captured[seat], states[i].marriages[seat])


@kernel
def _payoffs(states: Any, rules: Any, stakes: Any) -> None:
    for i in range(states.shape[0]):
        for seat in range(rules[0].players):
            stakes[i, seat] = match_sheet.payoff(states[i], rules[0], seat)


def start_matches(states: NDArray[Any], rules: NDArray[Any], seeds: NDArray[Any], matches: NDArray[Any]) -> None:
    """Start a fresh match in every state and deal its first deal (D1, S2).

    `seeds` and `matches` are integer arrays (N,), the first two parts of each deal's address.
    """
    _start_all(states, rules, np.ascontiguousarray(seeds, np.int64), np.ascontiguousarray(matches, np.int64))


def next_deals(states: NDArray[Any], rules: NDArray[Any]) -> None:
    """Deal the next deal of its match in every state whose deal is scored; the others stay as they are."""
    _next_all(states, rules)


def legal_actions(states: NDArray[Any], rules: NDArray[Any]) -> NDArray[np.int8]:
    """Return masks, int8 (N, NUM_ACTIONS): 1 where the seat to act may act so, all 0 where nobody may act."""
    masks = np.empty((len(states), NUM_ACTIONS), np.int8)
    fill_legal(states, rules, masks)
    return masks


def step(states: NDArray[Any], rules: NDArray[Any], actions: NDArray[Any]) -> None:
    """Apply one legal action (N,) in each state, in place; states in which nobody may act stay as they are.

    Nothing is checked here: an illegal action leaves a state that means nothing.
    """
    _step_all(states, rules, np.ascontiguousarray(actions, np.int64))


def deal_score(states: NDArray[Any], rules: NDArray[Any]) -> NDArray[np.int32]:
    """Return the deal points each seat has so far (K1): int32 (N, players)."""
    points = np.zeros((len(states), int(rules["players"][0])), np.int32)
    _deal_score(states, rules, points)
    return points


def payoffs(states: NDArray[Any], rules: NDArray[Any]) -> NDArray[np.float64]:
    """Return the stakes won and lost by each seat of finished matches (E2, E3): float64 (N, players)."""
    stakes = np.zeros((len(states), int(rules["players"][0])), np.float64)
    _payoffs(states, rules, stakes)
    return stakes


# -- uniform play ----------------------------------------------------------------------------------------------------


@kernel
def roll_row(state: Any, rules: Any, key: int, trace: Any = None) -> int:
    """Play uniformly random legal actions until the deal is scored; return how many.

    Decision number i takes the n-th legal action, n drawn from the i-th random word of `key`, and is written to
    `trace[i]` where there is a trace.
    """
    decisions = 0
    while state.phase < SCORED:
        action = draw(state, rules, word(key, decisions))
        if trace is not None:
            trace[decisions] = action
        step_row(state, rules, action)
        decisions += 1
    return decisions


@kernel
def _roll_all(states: Any, rules: Any, keys: Any) -> int:
    decisions = 0
    for i in range(states.shape[0]):
        decisions += roll_row(states[i], rules[0], keys[i])
    return decisions


def rollout(states: NDArray[Any], rules: NDArray[Any], seed: int) -> int:
    """Play every deal to its end with uniformly random legal actions, in place; return the number of decisions.

    The actions depend on `seed` and on the place in the batch only.
    """
    keys = np.array([derive(seed, i) for i in range(len(states))], np.int64)
    return int(_roll_all(states, rules, keys))


# -- perft -----------------------------------------------------------------------------------------------------------


def perft(states: NDArray[Any], rules: NDArray[Any], depth: int) -> int:
    """Return how many sequences of `depth` legal actions lead on from a batch of positions (a deal's end ends one)."""
    if depth == 0:
        return len(states)
    masks = legal_actions(states, rules)
    ended = int((states["phase"] >= SCORED).sum())
    parents, actions = np.nonzero(masks)
    if depth == 1:
        return len(parents) + ended
    total = ended
    for start in range(0, len(parents), 1 << 14):
        children = taken(states, parents[start : start + (1 << 14)])
        step(children, rules, actions[start : start + (1 << 14)])
        total += perft(children, rules, depth - 1)
    return total


def warm_up() -> None:
    """Compile, or load, every kernel of the engine; call it before starting worker processes."""
    rules = RuleSet().array()
    states = new_states(1)
    start_matches(states, rules, np.zeros(1, np.int64), np.zeros(1, np.int64))
    step(states.copy(), rules, legal_actions(states, rules).argmax(axis=1))
    rollout(states, rules, 0)
    payoffs(states, rules)
    deal_score(states, rules)
    next_deals(states, rules)
