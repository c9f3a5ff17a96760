"""Rollouts are the engine's own deals: same hands and same random words, same actions, same scores."""

import os
import subprocess
import sys
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from thousand_env import engine, rollouts
from thousand_env.cards import CARD_POINTS, FULL_PACK, NUM_CARDS, NUM_SUITS, set_points
from thousand_env.jit import add, mix, mulhi
from thousand_env.rng import derive, word
from thousand_env.rules import CORE, FIELDS, RuleSet
from thousand_env.state import PLAY, SCORED, new_states
from thousand_env.unranking import (
    NUM_DEALS,
    NUM_EVEN_DEALS,
    deal_hands,
    deal_hands_and_talon,
    fill_hands,
    fill_hands_and_talons,
    fraction_of,
)

EVERY_RULE = [
    *("core", "core talon_at_100=declarer_chooses marriage_first_lead=unbeatable", "core exchange=closed target=1000"),
    *("core opening=exactly_100", "core bid_step=20", "core bid_cap=no", "core raise_contract=no"),
    *("core talon_at_100=declarer_chooses opening=exactly_100", "core marriage_first_lead=always"),
    *("core marriage_first_lead=unbeatable", "core round_to=10", "core round_declarer=yes round_to=10"),
]
NO_TRACE: Any = None


def rollout_keys(count: int, seed: int) -> NDArray[np.int64]:
    return np.array([derive(seed, i) for i in range(count)], np.int64)


def fractions_of(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.array([word(int(key), rollouts.DEAL_WORD) for key in keys], np.int64)


def even_states(keys: NDArray[np.int64]) -> NDArray[Any]:
    """Return the play rollouts of `keys` as states of the engine: eight cards each, seat 0 to lead."""
    states = fresh_states(len(keys), "core")
    hands = np.zeros((len(keys), 3), np.int32)
    fill_hands(fractions_of(keys), hands)
    states["hands"][:, :3] = states["dealt"][:, :3] = hands
    states["talon"] = states["turn"] = states["leader"] = states["declarer"] = 0
    states["phase"], states["contract"], states["bid"] = PLAY, 100, 100
    return states


def deal_states(keys: NDArray[np.int64], rules: str) -> NDArray[Any]:
    """Return the deal rollouts of `keys` as states of the engine: seat 0 is forehand."""
    states = fresh_states(len(keys), rules)
    hands = np.zeros((len(keys), 4), np.int32)
    fill_hands_and_talons(fractions_of(keys), hands)
    states["hands"][:, :3] = states["dealt"][:, :3] = hands[:, :3]
    states["talon"] = hands[:, 3]
    return states


def fresh_states(count: int, rules: str) -> NDArray[Any]:
    states = new_states(count)
    table = RuleSet.parse(rules).replace(first_dealer=2).array()
    engine.start_matches(states, table, np.zeros(count, np.int64), np.arange(count))
    return states


def engine_traces(states: NDArray[Any], rules: NDArray[Any], keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Play the states to their end by the engine's masks and steps alone; return every action, -1 after the last."""
    traces = np.full((len(states), rollouts.MAX_DECISIONS), -1)
    for decision in range(rollouts.MAX_DECISIONS):
        masks = engine.legal_actions(states, rules)
        counts = masks.sum(axis=1)
        if not counts.any():
            break
        draws = [mulhi(word(int(key), decision), int(n)) for key, n in zip(keys, counts, strict=True)]
        # The n-th legal action is the first one that has n + 1 legal actions up to it.
        actions = (masks.cumsum(axis=1) == np.array(draws)[:, None] + 1).argmax(axis=1)
        traces[:, decision] = np.where(counts > 0, actions, -1)
        engine.step(states, rules, actions)
    return traces


def deal_points(states: NDArray[Any]) -> NDArray[np.int32]:
    return engine.deal_score(states, CORE.array())


def checksum(results: NDArray[np.int32]) -> int:
    """Return the checksum of rollouts, one at a time in their order, from what the engine came to."""
    folded = 0
    for row in results.tolist():
        folded = mix(add(folded, sum((number & 0xFFFF) << (16 * seat) for seat, number in enumerate(row))))
    return folded


# -- dealing ---------------------------------------------------------------------------------------------------------


def test_the_number_of_deals_is_the_number_of_ways_to_deal() -> None:
    assert comb(24, 8) * comb(16, 8) == NUM_EVEN_DEALS
    assert comb(24, 7) * comb(17, 7) * comb(10, 3) == NUM_DEALS


def test_every_first_hand_has_its_own_numbers() -> None:
    for deals, hand_size, fill, columns in (
        (NUM_EVEN_DEALS, 8, fill_hands, 3),
        (NUM_DEALS, 7, fill_hands_and_talons, 4),
    ):
        ways = comb(24, hand_size)
        fractions = np.array([fraction_of(number * (deals // ways), deals) for number in range(ways)], np.int64)
        hands = np.zeros((ways, columns), np.int32)
        fill(fractions, hands)
        assert len(np.unique(hands[:, 0])) == ways
        assert (np.bitwise_count(hands[:, 0]) == hand_size).all()


@pytest.mark.parametrize("first", [0, 1, 123_456, 346_103])
def test_every_deal_of_a_first_hand_has_its_own_number(first: int) -> None:
    for deals, ways, fill, columns in (
        (NUM_EVEN_DEALS, comb(16, 8), fill_hands, 3),
        (NUM_DEALS, comb(17, 7) * comb(10, 3), fill_hands_and_talons, 4),
    ):
        numbers = np.arange(0, ways, 1 if ways < 20_000 else 7)
        fractions = np.array([fraction_of(first * ways + int(number), deals) for number in numbers], np.int64)
        hands = np.zeros((len(numbers), columns), np.int64)
        fill(fractions, hands)
        assert len(np.unique(hands[:, 0])) == 1
        assert len(np.unique(hands[:, 1] << 24 | hands[:, 2])) == len(numbers)
        assert (np.bitwise_or.reduce(hands, axis=1) == FULL_PACK).all()
        assert (np.bitwise_count(hands).sum(axis=1) == NUM_CARDS).all()


def test_a_number_outlives_the_way_through_its_fraction() -> None:
    for number in (0, 1, 987_654_321, NUM_EVEN_DEALS - 1):
        assert mulhi(fraction_of(number, NUM_EVEN_DEALS), NUM_EVEN_DEALS) == number


def test_every_card_is_as_likely_in_every_hand() -> None:
    hands = np.zeros((200_000, 4), np.int32)
    fill_hands_and_talons(fractions_of(rollout_keys(len(hands), 11)), hands)
    counts = np.array([[(hands[:, seat] >> card & 1).sum() for card in range(NUM_CARDS)] for seat in range(4)])
    for row, size in zip(counts, (7, 7, 7, 3), strict=True):
        expected = len(hands) * size / NUM_CARDS
        # The cards of a hand are drawn without replacement, which shrinks the statistic by this factor.
        spread = (1 - size / NUM_CARDS) * NUM_CARDS / (NUM_CARDS - 1)
        assert stats.chi2.sf(((row - expected) ** 2 / expected).sum() / spread, NUM_CARDS - 1) > 1e-4


def test_the_points_of_a_dealt_hand_are_spread_as_an_exact_count_says() -> None:
    ways = np.zeros((9, 121))  # of choosing so many cards with so many points
    ways[0, 0] = 1
    for points in CARD_POINTS * NUM_SUITS:
        for size in range(8, 0, -1):
            ways[size, points:] += ways[size - 1, : 121 - points]
    hands = np.zeros((200_000, 3), np.int32)
    fill_hands(fractions_of(rollout_keys(len(hands), 12)), hands)
    for seat in range(3):
        seen = np.bincount([set_points(int(hand)) for hand in hands[:50_000, seat]], minlength=121)
        expected = ways[8] / ways[8].sum() * seen.sum()
        common = expected >= 5
        seen_bins = np.append(seen[common], seen[~common].sum())
        assert stats.chisquare(seen_bins, np.append(expected[common], expected[~common].sum())).pvalue > 1e-4


# -- draw for draw ---------------------------------------------------------------------------------------------------


def test_a_play_rollout_is_the_engine_action_for_action() -> None:
    keys = rollout_keys(3000, 21)
    states = even_states(keys)
    hands = states["hands"].copy()
    traces = engine_traces(states, CORE.array(), keys)
    assert (states["phase"] == SCORED).all()
    points = deal_points(states)
    trace = np.full(rollouts.MAX_DECISIONS, -1, np.int64)
    for i, key in enumerate(keys):
        dealt = deal_hands(word(int(key), rollouts.DEAL_WORD))
        assert dealt == tuple(hands[i, :3])
        assert rollouts.play_points(dealt, key, trace) == tuple(points[i])
        assert (trace == traces[i]).all()


@pytest.mark.parametrize("rules", EVERY_RULE)
def test_a_deal_rollout_is_the_engine_action_for_action(rules: str) -> None:
    table, keys = RuleSet.parse(rules).array(), rollout_keys(600, 22)
    states = deal_states(keys, rules)
    traces = engine_traces(states, table, keys)
    for i, key in enumerate(keys):
        trace = np.full(rollouts.MAX_DECISIONS, -1, np.int64)
        *hands, talon = deal_hands_and_talon(word(int(key), rollouts.DEAL_WORD))
        scores, decisions = rollouts.deal_scores((hands[0], hands[1], hands[2]), talon, table[0], key, trace)
        assert scores == tuple(states["score"][i, :3])
        assert (trace == traces[i]).all()
        assert decisions == (traces[i] >= 0).sum()


def test_many_play_rollouts_add_up_to_the_rollouts_of_the_engine() -> None:
    keys = rollout_keys(20_000, 23)
    states = even_states(keys)
    decisions = engine.rollout(states, CORE.array(), 23)
    totals = rollouts.play_rollouts(len(keys), 23)
    assert totals.points == tuple(deal_points(states).sum(axis=0))
    assert totals.checksum == checksum(deal_points(states))
    assert totals.decisions == decisions
    assert totals.rollouts == len(keys)


@pytest.mark.parametrize("rules", EVERY_RULE)
def test_many_deal_rollouts_add_up_to_the_rollouts_of_the_engine(rules: str) -> None:
    keys = rollout_keys(10_000, 24)
    states = deal_states(keys, rules)
    decisions = engine.rollout(states, RuleSet.parse(rules).array(), 24)
    totals = rollouts.deal_rollouts(len(keys), 24, RuleSet.parse(rules))
    assert totals.points == tuple(states["score"][:, :3].sum(axis=0))
    assert totals.checksum == checksum(states["score"][:, :3])
    assert totals.decisions == decisions


def other_values(name: str) -> list[Any]:
    """Return values of a field that `core` does not have."""
    metadata, value = FIELDS[name].metadata, getattr(CORE, name)
    if "choices" in metadata:
        return [choice for choice in metadata["choices"] if choice != value]
    if "range" not in metadata:
        return [not value]
    numbers = metadata["range"]
    return [number for number in {numbers[0], numbers[len(numbers) // 3], numbers[-1]} if number != value]


@pytest.mark.parametrize("name", FIELDS)
def test_a_rollout_honours_every_field_of_the_rules(name: str) -> None:
    for value in other_values(name):
        try:
            rules = CORE.replace(**{name: value})
        except ValueError:
            continue  # a barrel above the target, or another contradiction
        if rules.plain:
            states = deal_states(rollout_keys(500, 25), str(rules))
        else:
            states = new_states(500)
            engine.start_matches(states, rules.array(), np.full(500, 25), np.arange(500))
        decisions = engine.rollout(states, rules.array(), 25)
        totals = rollouts.deal_rollouts(500, 25, rules)
        assert totals.points == tuple(states["score"][:, : rules.players].sum(axis=0))
        assert totals.decisions == decisions


# -- from a state ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [*EVERY_RULE, "core barrel_needs=150 barrel_attempts=0"])
def test_a_state_rolls_out_as_in_the_engine_wherever_it_stands(rules: str) -> None:
    table, count = RuleSet.parse(rules).array(), 300
    states = new_states(count)
    engine.start_matches(states, table, np.full(count, 31), np.arange(count))
    states["totals"][::2, 1], states["mounted"][::2, 1] = table["barrel_at"], 1
    phases, bids_on_barrel = set[int](), 0
    for step in range(60):
        keys, before = rollout_keys(count, 1000 + step), states.tobytes()
        scores = rollouts.scores_after(states, table, keys)
        assert states.tobytes() == before
        rolled = states.copy()
        engine.rollout(rolled, table, 1000 + step)
        assert (scores == rolled["score"][:, :3]).all()
        phases |= set(states["phase"].tolist())
        bids_on_barrel += int(((states["mounted"][:, 1] > 0) & (states["turn"] == 1) & (states["phase"] < PLAY)).sum())
        masks = engine.legal_actions(states, table)
        engine.step(states, table, (masks * np.random.default_rng(step).random(masks.shape)).argmax(axis=1))
        if step % 20 == 19:
            engine.next_deals(states, table)
    assert {PLAY, SCORED} <= phases
    assert bids_on_barrel > 100


def test_a_traced_state_rolls_out_action_for_action() -> None:
    table, keys = CORE.array(), rollout_keys(300, 32)
    states = deal_states(keys, "core")
    for step in range(30):
        played = states.copy()
        traces = engine_traces(played, table, keys)
        trace, scores = np.full(rollouts.MAX_DECISIONS, -1, np.int64), np.zeros(3, np.int64)
        for i in range(step, len(keys), 30):
            trace[:] = -1
            decisions = rollouts.roll_out(states[i], table[0], keys[i], scores, trace)
            assert (trace == traces[i]).all()
            assert decisions == (traces[i] >= 0).sum()
            assert scores.tolist() == played["score"][i, :3].tolist()
        engine.step(states, table, engine.legal_actions(states, table).argmax(axis=1))


# -- without compilation ---------------------------------------------------------------------------------------------

_UNCOMPILED = """
import numpy as np
from thousand_env import engine, rollouts
from thousand_env.rules import CLASSIC, CORE

states = engine.new_states(40)
engine.start_matches(states, CORE.array(), np.full(40, 3), np.arange(40))
scores = []
for step in range(12):
    scores.append(rollouts.scores_after(states, CORE.array(), np.arange(40) + step).tolist())
    masks = engine.legal_actions(states, CORE.array())
    engine.step(states, CORE.array(), (masks.cumsum(axis=1) * masks).argmax(axis=1))
print(rollouts.play_rollouts(300, 5), rollouts.deal_rollouts(300, 5), rollouts.deal_rollouts(200, 5, CLASSIC), scores)
"""


def run_python(code: str, **environment: str) -> str:
    """Return what a new Python prints."""
    root = Path(__file__).resolve().parent.parent
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout


def test_rollouts_are_the_same_without_compilation() -> None:
    assert run_python(_UNCOMPILED, NUMBA_DISABLE_JIT="1") == run_python(_UNCOMPILED, NUMBA_DISABLE_JIT="0")
