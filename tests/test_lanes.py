"""Games side by side are the games of the engine and those played one at a time, card for card."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.test_rollouts import checksum, even_states, rollout_keys
from thousand_env import engine, lanes, rollouts
from thousand_env.actions import DECLARE_QUEEN
from thousand_env.cards import suit_of
from thousand_env.jit import lowest, mulhi
from thousand_env.lanes import LANES
from thousand_env.rng import derive, word
from thousand_env.rules import CORE
from thousand_env.unranking import deal_hands

# Of seed 1, games in which the upper bits of a word draw another card than the whole word does, by their number.
DOUBTFUL = (22_125_483, 38_026_095, 54_203_458)


def dealt(first: int, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return keys and rows of LANES games that are dealt and not begun."""
    keys, rows = lanes.scratch()
    lanes.address(first, seed, keys)
    lanes.clear(rows)
    lanes.deal(keys, rows)
    return keys, rows


def lane_cards(rows: NDArray[np.int32], row: int) -> list[int]:
    """Return the card of every lane in a row of cards."""
    return [lowest(int(card)) for card in rows[row : row + LANES]]


def lane_points(rows: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the points, int32 (3, LANES), that were counted."""
    return rows[lanes.POINTS0 : lanes.POINTS0 + 3 * LANES].reshape(3, LANES)


def draw(states: NDArray[Any], keys: NDArray[np.int64], decision: int) -> list[int]:
    """Step the engine by the legal actions that the random words draw; return the actions."""
    masks = engine.legal_actions(states, CORE.array())
    actions = [
        int(np.flatnonzero(mask)[mulhi(word(int(key), decision), int(mask.sum()))])
        for mask, key in zip(masks, keys, strict=True)
    ]
    engine.step(states, CORE.array(), np.array(actions))
    return actions


def points_alone(first: int, number: int, seed: int) -> NDArray[np.int32]:
    """Return the deal points, int32 (3, number), of rollouts played one at a time."""
    points = np.zeros((3, number), np.int32)
    for i in range(number):
        key = derive(seed, first + i)
        points[:, i] = rollouts.play_points(deal_hands(word(key, rollouts.DEAL_WORD)), key, None)
    return points


@pytest.mark.parametrize("seed", [41, 42, 43, 44, 45, 46])
def test_every_lane_plays_the_cards_that_the_engine_draws(seed: int) -> None:
    keys, rows = dealt(0, seed)
    assert keys.tolist() == rollout_keys(LANES, seed).tolist()
    states = even_states(keys)
    assert (states["hands"][:, :3] == rows[: 3 * LANES].reshape(3, LANES).T).all()
    for trick in range(7):
        lanes.draw_words(keys, 3 * trick, rows)
        lanes.lead(lanes.narrow(8 - trick), rows)
        declared = rows[lanes.DECLARED : lanes.DECLARED + LANES] != 0
        led = [
            DECLARE_QUEEN + suit_of(card) if declares else card
            for card, declares in zip(lane_cards(rows, lanes.LED), declared, strict=True)
        ]
        assert led == draw(states, keys, 3 * trick)
        lanes.choose(rows)
        lanes.follow(rows)
        assert lane_cards(rows, lanes.MIDDLE) == draw(states, keys, 3 * trick + 1)
        assert lane_cards(rows, lanes.LAST) == draw(states, keys, 3 * trick + 2)
        lanes.take(rows)
    lanes.play_last(rows)
    for card, row in enumerate((lanes.LED, lanes.MIDDLE, lanes.LAST)):
        assert lane_cards(rows, row) == draw(states, keys, 21 + card)
    lanes.take(rows)
    lanes.count(rows)
    assert (engine.deal_score(states, CORE.array()) == lane_points(rows).T).all()


def test_games_side_by_side_end_as_games_played_alone() -> None:
    for first, number, seed in ((0, 20_000, 47), (1 << 40, 5000, 47), (3, 5000, (1 << 63) - 1), (5, 5000, -1)):
        assert (lanes.rollout_points(first, number, seed) == points_alone(first, number, seed)).all()


@pytest.mark.parametrize("count", [0, 1, LANES - 1, LANES, LANES + 1, 3 * LANES + 7])
def test_any_number_of_rollouts_adds_up(count: int) -> None:
    alone, totals = points_alone(0, count, 48), rollouts.play_rollouts(count, 48)
    assert totals == (count, tuple(alone.sum(axis=1)), 24 * count, checksum(alone.T))


def test_chunks_and_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    count = 2 * rollouts.CHUNK + 77
    totals = rollouts.play_rollouts(count, 49)
    assert totals.points == tuple(lanes.rollout_points(0, count, 49).sum(axis=1))
    assert rollouts.play_rollouts(count, 49, threads=2) == totals
    monkeypatch.setattr(rollouts, "CHUNK", LANES + 3)
    assert rollouts.play_rollouts(count, 49) == totals
    assert rollouts.play_rollouts(count, 49, threads=3) == totals
    assert rollouts.play_rollouts(0, 49, threads=2) == rollouts.play_rollouts(0, 49)
    with pytest.raises(ValueError, match="threads 0: expected at least 1"):
        rollouts.play_rollouts(count, 49, threads=0)


@pytest.mark.parametrize("number", DOUBTFUL)
def test_a_game_that_the_upper_bits_get_wrong_is_played_again(number: int) -> None:
    keys, rows = dealt(number, 1)
    lanes.play(keys, rows)
    lanes.count(rows)
    alone = points_alone(number, LANES, 1)
    assert rows[lanes.DOUBT] != 0
    assert (lane_points(rows)[:, 0] != alone[:, 0]).any()
    assert (lane_points(rows)[:, 1:] == alone[:, 1:]).all()
    lanes.replay(keys, rows)
    assert (lane_points(rows) == alone).all()
