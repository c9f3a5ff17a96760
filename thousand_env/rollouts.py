"""Rollouts: deals played out at random, in local variables and so several times as fast as by stepping records.

A rollout draws from one key. Word -1 of the key deals the cards and word i makes decision i, in the order of
`engine.roll_row`: a rollout is the engine's own rollout of the same hands, action for action. Rollout i of a batch has
the key `derive(seed, i)`.

The shortest cut knows tables whose deals go as under `core` but for the limits (`RuleSet.plain`): three hands, no
redeals, no blind, and so on. At any other table `deal_rollouts` and `scores_after` step the engine up to the first
lead, on the deals addressed (seed, match i), and only the tricks are played in local variables.

- `play_points`, `play_rollouts`: eight cards each, seat 0 leads, only the tricks are played.
- `deal_scores`, `deal_rollouts`: a whole deal from the auction to the score, seat 0 is forehand.
- `roll_out`, `play_out`, `scores_after`: any state, from where it stands to the end of its deal.

>>> totals = deal_rollouts(1000, seed=1)
>>> totals.rollouts, totals.decisions > 28 * totals.rollouts
(1000, True)
"""

from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thousand_env.cards import NUM_CARDS, marriages_in, suit_cards
from thousand_env.deck import begin_match
from thousand_env.engine import draw, step_row
from thousand_env.jit import add, kernel, lowest, mix, popcount
from thousand_env.lanes import DEAL_WORD, rollout_points
from thousand_env.play import trump_turns_late
from thousand_env.random_play import (
    PLACE,
    Hands,
    Seats,
    asks_to_show,
    bid_out,
    exchange_out,
    first_queens,
    follow,
    from_seat,
    note,
    play_tricks,
    seat_points,
    seat_scores,
    suit_around,
    take_talon,
    takers,
    turn,
    turn_place,
)
from thousand_env.random_tricks import play_from_lead
from thousand_env.rng import derive, word
from thousand_env.rules import CORE, RuleSet
from thousand_env.scoring import score_deal
from thousand_env.state import AUCTION, NONE, PLAY, SCORED, TALON, copied, new_states
from thousand_env.unranking import deal_hands_and_talon

MAX_DECISIONS = 128  # room for a trace: 61 bids, 2 passes, the talon shown or kept, 2 gifts, a contract, 24 cards
CHUNK = 1 << 14  # play rollouts that a thread plays at a time: their points stay in a core's second-level cache


class Totals(NamedTuple):
    """What a batch of rollouts came to."""

    rollouts: int
    points: tuple[int, ...]  # sums by seat of the deal points, or of the scores
    decisions: int
    checksum: int  # of the points, or scores, of every rollout in order


# -- a fresh deal ----------------------------------------------------------------------------------------------------


@kernel
def play_points(hands: Hands, key: int, trace: Any) -> Seats:
    """Play three hands of eight out under `core`, seat 0 on lead; return the deal points of the seats."""
    captured, marriages = play_tricks(0, hands, 0, 0, 0, 0, key, 0, trace)
    return seat_points(captured, marriages)


@kernel
def deal_scores(hands: Hands, talon: int, rules: Any, key: int, trace: Any) -> tuple[Seats, int]:
    """Play a whole deal, seat 0 forehand and nobody on the barrel; return the scores and the number of decisions."""
    bid, declarer, decision = bid_out(0, 0, 0, NONE, hands, 0, rules, key, trace)
    asked, hands = asks_to_show(bid, rules), take_talon(declarer, hands, talon)
    hands, contract, decision = exchange_out(asked, 0, hands, bid, False, rules, key, decision, trace)
    queens = first_queens(hands[0], rules)
    captured, marriages = play_tricks(PLACE * declarer, hands, 0, queens, 0, 0, key, decision, trace)
    return seat_scores(seat_points(captured, marriages), declarer, contract, rules), decision + NUM_CARDS


# -- from a state ----------------------------------------------------------------------------------------------------


@kernel
def state_hands(state: Any) -> Hands:
    """Return the hands of the seats 0, 1, 2."""
    return int(state.hands[0]), int(state.hands[1]), int(state.hands[2])


@kernel
def mounted_seats(state: Any) -> int:
    """Return the seats on the barrel, a bit each."""
    mounted = 0
    for seat in range(3):
        mounted |= int(state.mounted[seat] > 0) << seat
    return mounted


@kernel
def deal_on(state: Any, rules: Any, key: int, trace: Any) -> tuple[int, int, int, int, int]:
    """Play on from before the play: what the seats captured, their marriages, declarer, contract, decisions."""
    hands, bid, declarer, decision = state_hands(state), int(state.bid), int(state.declarer), 0
    mounted, asked, given = mounted_seats(state), state.phase == TALON, 0
    if state.phase == AUCTION:
        seat, passed = int(state.turn), int(state.passed)
        bid, declarer, decision = bid_out(seat, passed, bid, declarer, hands, mounted, rules, key, trace)
        asked, hands = asks_to_show(bid, rules), take_talon(declarer, hands, int(state.talon))
    else:
        hands = from_seat(declarer, hands)
        for seat in range(3):
            given += int(state.gifts[seat] != NONE)
    on_barrel = mounted >> declarer & 1 == 1
    hands, contract, decision = exchange_out(asked, given, hands, bid, on_barrel, rules, key, decision, trace)
    queens = first_queens(hands[0], rules)
    captured, marriages = play_tricks(PLACE * declarer, hands, 0, queens, 0, 0, key, decision, trace)
    return captured, marriages, declarer, contract, decision + NUM_CARDS


@kernel
def finish_trick(state: Any, hands: Hands, trump: int, key: int, trace: Any) -> tuple[Hands, int, int, int]:
    """Complete the trick on the table: the hands from its taker on, his place, the trick, the next decision."""
    first, second, third = hands
    laid, decision = int(state.num_plays) % 3, 0
    led = 1 << (int(state.plays[state.num_plays - laid]) & 31)
    if laid == 2:
        middle = 1 << (int(state.plays[state.num_plays - 1]) & 31)
    else:
        middle = follow(second, suit_around(led), trump, word(key, 0))
        note(trace, 0, lowest(middle))
        second, decision = second ^ middle, 1
    last = follow(third, suit_around(led), trump, word(key, decision))
    note(trace, decision, lowest(last))
    second_leads, third_leads = takers(led, middle, last, trump)
    place = turn_place(PLACE * int(state.leader), second_leads, third_leads)
    return turn(first, second, third ^ last, second_leads, third_leads), place, led | middle | last, decision + 1


@kernel
def play_on(state: Any, rules: Any, key: int, trace: Any) -> tuple[int, int, int]:
    """Play on in the play phase: what the seats captured, their marriages, the number of decisions."""
    leader, decision = int(state.leader), 0
    place, hands = PLACE * leader, from_seat(leader, state_hands(state))
    trump = suit_cards(int(state.trump)) if state.trump != NONE else 0
    captured = int(state.captured[0]) | int(state.captured[1]) << PLACE
    marriages = int(state.marriages[0]) | int(state.marriages[1]) << PLACE | int(state.marriages[2]) << 2 * PLACE
    if state.num_plays % 3 > 0:
        hands, place, trick, decision = finish_trick(state, hands, trump, key, trace)
        captured |= trick << place
    if hands[0] > 0:
        queens = marriages_in(hands[0]) if state.num_plays > 0 else first_queens(hands[0], rules)
        captured, marriages = play_tricks(place, hands, trump, queens, captured, marriages, key, decision, trace)
    return captured, marriages, decision + 3 * popcount(hands[0])


@kernel
def roll_out(state: Any, rules: Any, key: int, scores: Any, trace: Any) -> int:
    """Play a deal out from where it stands, as `engine.roll_row` does, but leave the state as it is.

    Fills `scores` (3,) with what the seats score for the deal and returns the number of decisions.
    """
    if state.phase >= SCORED:
        scores[0], scores[1], scores[2] = state.score[0], state.score[1], state.score[2]
        return 0
    declarer, contract = int(state.declarer), int(state.contract)
    if state.phase == PLAY:
        captured, marriages, decisions = play_on(state, rules, key, trace)
    else:
        captured, marriages, declarer, contract, decisions = deal_on(state, rules, key, trace)
    scores[0], scores[1], scores[2] = seat_scores(seat_points(captured, marriages), declarer, contract, rules)
    return decisions


# -- at any table ----------------------------------------------------------------------------------------------------


@kernel
def play_out(state: Any, rules: Any, key: int, trace: Any) -> int:
    """Play a deal out from where it stands, as `engine.roll_row` does, and return the number of decisions.

    Only the scores of the state mean anything afterwards.
    """
    decisions, by_steps = 0, trump_turns_late(rules)
    while state.phase < PLAY or (state.phase == PLAY and (by_steps or state.best != NONE)):
        action = draw(state, rules, word(key, decisions))
        note(trace, decisions, action)
        step_row(state, rules, action)
        decisions += 1
    if state.phase == PLAY:
        decisions = play_from_lead(state, rules, key, decisions, trace)
        score_deal(state, rules)
    return decisions


# -- batches ---------------------------------------------------------------------------------------------------------


@kernel
def _enter(results: Seats, decisions: int, totals: Any) -> None:
    packed = 0
    for seat in range(3):
        totals[seat] += results[seat]
        packed |= (int(results[seat]) & 0xFFFF) << (16 * seat)
    totals[3] += decisions
    totals[4] = mix(add(totals[4], packed))


@kernel
def _enter_points(points: Any, totals: Any) -> None:
    for i in range(points.shape[1]):
        _enter((int(points[0, i]), int(points[1, i]), int(points[2, i])), NUM_CARDS, totals)


@kernel
def _deal_all(count: int, seed: int, rules: Any, totals: Any) -> None:
    for i in range(count):
        key = derive(seed, i)
        hand0, hand1, hand2, talon = deal_hands_and_talon(word(key, DEAL_WORD))
        scores, decisions = deal_scores((hand0, hand1, hand2), talon, rules[0], key, None)
        _enter(scores, decisions, totals)


@kernel
def _roll_all(states: Any, rules: Any, keys: Any, scores: Any) -> None:
    for i in range(states.shape[0]):
        roll_out(states[i], rules[0], keys[i], scores[i], None)


@kernel
def _play_out_all(states: Any, rules: Any, keys: Any) -> None:
    for i in range(states.shape[0]):
        play_out(states[i], rules[0], keys[i], None)


@kernel
def _match_all(count: int, seed: int, states: Any, rules: Any, totals: Any) -> None:
    players = rules[0].players
    for i in range(count):
        begin_match(states[0], rules[0], seed, i)
        totals[players] += play_out(states[0], rules[0], derive(seed, i), None)
        packed = 0
        for seat in range(players):
            totals[seat] += states[0].score[seat]
            packed |= (int(states[0].score[seat]) & 0xFFFF) << (16 * seat)
        totals[players + 1] = mix(add(totals[players + 1], packed))


def as_totals(count: int, totals: NDArray[np.int64]) -> Totals:
    """Return the totals as a kernel fills them, named."""
    *sums, decisions, checksum = (int(total) for total in totals)
    return Totals(count, tuple(sums), decisions, checksum)


def _play_chunk(first: int, count: int, seed: int, before: "Future[None] | None", totals: NDArray[np.int64]) -> None:
    points = rollout_points(first, min(CHUNK, count - first), seed)
    if before is not None:
        before.result()  # the checksum asks for the order
    _enter_points(points, totals)


def _play_on_threads(count: int, seed: int, threads: int, totals: NDArray[np.int64]) -> None:
    pool, last = ThreadPoolExecutor(threads), None
    try:
        for first in range(0, count, CHUNK):
            last = pool.submit(_play_chunk, first, count, seed, last, totals)
        if last is not None:
            last.result()
    finally:
        pool.shutdown(cancel_futures=True)  # not to play on after an interrupt


def play_rollouts(count: int, seed: int, threads: int = 1) -> Totals:
    """Deal eight cards to each seat `count` times and play the tricks under `core`; the totals are deal points.

    So many threads play at once; the totals do not depend on how many.
    """
    if threads < 1:
        raise ValueError(f"threads {threads}: expected at least 1")
    totals = np.zeros(5, np.int64)
    if threads > 1:
        _play_on_threads(count, seed, threads, totals)
    else:
        for first in range(0, count, CHUNK):
            _play_chunk(first, count, seed, None, totals)
    return as_totals(count, totals)


def deal_rollouts(count: int, seed: int, rules: RuleSet = CORE) -> Totals:
    """Play `count` whole deals; the totals are scores."""
    totals = np.zeros(rules.players + 2, np.int64)
    if rules.plain:
        _deal_all(count, seed, rules.array(), totals)
    else:
        _match_all(count, seed, new_states(1), rules.array(), totals)
    return as_totals(count, totals)


def scores_after(states: NDArray[Any], rules: NDArray[Any], keys: NDArray[Any]) -> NDArray[np.int32]:
    """Return the scores, int32 (N, players), that each deal ends with when played out at random; the states stay.

    State i draws from `keys[i]`, int64 (N,); the result is that of `engine.roll_row`.
    """
    keys, players = np.ascontiguousarray(keys, np.int64), int(rules["players"][0])
    if not rules["plain"][0]:
        ends = copied(states)
        _play_out_all(ends, rules, keys)
        return np.ascontiguousarray(ends["score"][:, :players])
    scores = np.zeros((len(states), players), np.int32)
    _roll_all(states, rules, keys, scores)
    return scores
