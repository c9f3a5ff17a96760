"""The engine as a whole: batches, uniform play, invariants along random play, and no seat is special."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.generator import random_rules, random_sheet
from tests.table import Table, write_sheet
from thousand_env import deck, engine
from thousand_env.actions import NUM_ACTIONS
from thousand_env.errors import ThousandError
from thousand_env.jit import mulhi
from thousand_env.rng import derive, word
from thousand_env.rules import PRESETS, RuleSet
from thousand_env.state import AUCTION, MAX_PLAYS, NONE, OVER, PLAY, SCORED, check_state, new_states

CORE = RuleSet().array()


def started(count: int, rules: NDArray[Any] = CORE, seed: int = 41) -> NDArray[Any]:
    """The first deals of matches 0, 1, 2 …"""
    states = new_states(count)
    engine.start_matches(states, rules, np.full(count, seed), np.arange(count))
    return states


def random_actions(states: NDArray[Any], rules: NDArray[Any], rng: np.random.Generator) -> NDArray[np.int64]:
    """A legal action for every state, 0 where nobody may act."""
    masks = engine.legal_actions(states, rules)
    return (masks * rng.random(masks.shape)).argmax(axis=1)


def walk(states: NDArray[Any], rules: NDArray[Any], rng: np.random.Generator) -> Iterator[None]:
    """Play all states to the end of their deals at random, and yield after every action."""
    while (states["phase"] < SCORED).any():
        engine.step(states, rules, random_actions(states, rules, rng))
        yield


# -- batches ---------------------------------------------------------------------------------------------------------


def test_a_batch_of_one_is_the_single_game() -> None:
    rng, batch = np.random.default_rng(1), started(30)
    alone = [batch[i : i + 1].copy() for i in range(30)]
    while (batch["phase"] < SCORED).any():
        actions = random_actions(batch, CORE, rng)
        engine.step(batch, CORE, actions)
        for i, state in enumerate(alone):
            engine.step(state, CORE, actions[i : i + 1])
    assert batch.tobytes() == b"".join(state.tobytes() for state in alone)


def test_between_deals_nobody_may_act_and_actions_change_nothing() -> None:
    states = started(20)
    engine.rollout(states, CORE, 5)
    before = states.copy()
    assert not engine.legal_actions(states, CORE).any()
    engine.step(states, CORE, np.zeros(20))
    assert states.tobytes() == before.tobytes()


def test_only_scored_states_are_dealt_anew() -> None:
    states = started(20)
    engine.rollout(states[:10], CORE, 5)
    waiting = states[10:].copy()
    states["phase"][:3] = OVER
    over = states[:3].copy()
    engine.next_deals(states, CORE)
    assert states[10:].tobytes() == waiting.tobytes()
    assert states[:3].tobytes() == over.tobytes()
    assert states["deal"].tolist() == [0] * 3 + [1] * 7 + [0] * 10
    assert (states["phase"][3:10] == AUCTION).all()


def test_masks_are_filled_in_place_and_hold_zeros_and_ones() -> None:
    states, masks = started(50), np.full((50, NUM_ACTIONS), 7, np.int8)
    engine.fill_legal(states, CORE, masks)
    assert (masks == engine.legal_actions(states, CORE)).all()
    assert set(np.unique(masks)) == {0, 1}


def test_deal_points_are_told_at_any_time() -> None:
    table = Table("core", "2 hKQsA9c9JQdJ/h9TAsTJd9cTA/hJsKQdTQKAcK -", "sA sT sK hQ+")
    assert engine.deal_score(table.states, table.array).tolist() == [[125, 0, 0]]


# -- uniform play ----------------------------------------------------------------------------------------------------


def test_a_rollout_takes_the_nth_legal_action_of_the_key_of_its_place() -> None:
    states = started(8)
    played = states.copy()
    decisions = engine.rollout(played, CORE, 77)
    count = 0
    for place in range(8):
        key, number = derive(77, place), 0
        while states["phase"][place] < SCORED:
            legal = np.flatnonzero(engine.legal_actions(states[place : place + 1], CORE)[0])
            action = legal[mulhi(word(key, number), len(legal))]
            engine.step(states[place : place + 1], CORE, np.array([action]))
            number += 1
        count += number
    assert states.tobytes() == played.tobytes()
    assert decisions == count


def test_rollouts_of_the_same_seed_are_the_same_and_of_another_are_not() -> None:
    once, again, other = started(50), started(50), started(50)
    engine.rollout(once, CORE, 1)
    engine.rollout(again, CORE, 1)
    engine.rollout(other, CORE, 2)
    assert once.tobytes() == again.tobytes() != other.tobytes()


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_every_finished_deal_has_gathered_the_pack_and_scored_it(rules: RuleSet) -> None:
    states = started(500, rules.array())
    engine.rollout(states, rules.array(), 3)
    assert (states["phase"] == SCORED).all()
    states = states[states["contract"] > 0]  # those not written off
    points = engine.deal_score(states, rules.array())
    assert (points.sum(axis=1) == 120 + states["marriages"].sum(axis=1)).all()
    assert (states["tricks"].sum(axis=1) == 8).all()
    assert not states["hands"].any()
    declarers = np.arange(len(states)), states["declarer"]
    assert ((states["score"][declarers] > 0) == (points[declarers] >= states["contract"])).all()


# -- invariants ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_every_state_of_random_play_is_sound(rules: RuleSet) -> None:
    rng, states = np.random.default_rng(6), started(12, rules.array())
    states["totals"][:, :3] = rng.integers(600, 880, (12, 3))
    for _ in range(4):
        for _ in walk(states, rules.array(), rng):
            for state in states:
                check_state(state, rules.array())
        engine.next_deals(states, rules.array())


def test_matches_end_with_a_win_or_after_the_last_deal() -> None:
    rules = RuleSet.parse("online barrel_needs=100 max_deals=6").array()
    states = started(2000, rules)
    states["totals"][:, :3] = 870
    for deal in range(6):
        engine.rollout(states, rules, deal)
        engine.next_deals(states, rules)
    assert (states["phase"] == OVER).all()
    won = states["winner"] != NONE
    assert 10 < won.sum() < 200
    assert (states["deal"][~won] == 5).all()
    stakes = engine.payoffs(states, rules)
    assert (stakes[won, states["winner"][won]] == 1).all()
    assert np.allclose(stakes.sum(axis=1), 0)


@pytest.mark.parametrize(
    ("field", "seat", "value", "fact"),
    [
        ("hands", 0, 0, "every card is in one place"),
        ("mounted", 1, 1, "a seat on the barrel has exactly its points"),
        ("turn", None, NONE, "somebody is to act until the deal is scored"),
    ],
)
def test_an_unsound_state_is_told_by_the_fact_that_does_not_hold(
    field: str, seat: int | None, value: int, fact: str
) -> None:
    states = started(1)
    states[field][0 if seat is None else (0, seat)] = value
    with pytest.raises(ThousandError, match=rf"^state: expected that {fact}; that does not hold"):
        check_state(states[0], CORE)


# -- no seat is special ----------------------------------------------------------------------------------------------


def turned(states: NDArray[Any]) -> NDArray[Any]:
    """The same table with everybody moved one seat clockwise."""
    other = states.copy()
    for name in states.dtype.names or ():
        column = states[name]
        if column.ndim == 2 and name != "plays":
            other[name][:, :3] = np.roll(column[:, :3], 1, axis=1)
    for name in ("turn", "dealer", "winner", "declarer", "leader", "best_seat"):
        other[name] = np.where(states[name] == NONE, NONE, (states[name] + 1) % 3)
    for name in ("passed", "baptised", "golden_made"):
        seats = states[name] & 7
        other[name] = states[name] & ~7 | (seats << 1 | seats >> 2) & 7
    plays: NDArray[np.int32] = states["plays"]
    counts: NDArray[np.int32] = states["num_plays"]
    played = np.arange(MAX_PLAYS) < counts[:, None]
    other["plays"] = np.where(played, plays & 255 | ((plays >> 8) + 1) % 3 << 8, 0)
    return other


@pytest.mark.parametrize("seed", range(12))
def test_everybody_one_seat_further_plays_the_same_game(seed: int) -> None:
    rng = np.random.default_rng(seed)
    chance = {"players": 3, "dealer_errors": 0, "cut_ceremony": False, "cut_single_card": False}
    rules = random_rules(random.Random(seed)).without_redeals().replace(**chance, dealer_scores="none")
    array, states = rules.array(), started(40, rules.array())
    for state in states:
        state.deal = 3
        write_sheet(state, random_sheet(random.Random(int(state.match)), rules, 3))
        deck.begin_deal(state, array[0])
    other = turned(states)
    while (states["phase"] < SCORED).any():
        assert (engine.legal_actions(states, array) == engine.legal_actions(other, array)).all()
        actions = random_actions(states, array, rng)
        engine.step(states, array, actions)
        engine.step(other, array, actions)
        assert other.tobytes() == turned(states).tobytes()
    assert (engine.payoffs(other, array) == np.roll(engine.payoffs(states, array), 1, axis=1)).all()


def test_perft_counts_sequences_and_ended_deals_once() -> None:
    table = Table("core", "2 hKQsA9c9JQdJ/h9TAsTJd9cTA/hJsKQdTQKAcK -")
    assert [engine.perft(table.states, table.array, depth) for depth in range(3)] == [1, 8, 17]
    engine.rollout(table.states, table.array, 1)
    assert [engine.perft(table.states, table.array, depth) for depth in range(4)] == [1, 1, 1, 1]


def test_the_phase_of_play_is_the_longest_of_a_deal() -> None:
    states, plays = started(100), 0
    engine_states = states.copy()
    for _ in walk(engine_states, CORE, np.random.default_rng(2)):
        plays += int((engine_states["phase"] == PLAY).sum())
    assert plays > 100 * 20
