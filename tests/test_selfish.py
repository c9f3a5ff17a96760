"""Max-n: every seat for itself, compared with the whole tree."""

import random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from agents.selfish import selfish_values
from agents.solver import SCORE, Solver
from tests.endings import Floats, Tree, endings, first_leads, random_play_rules, whole_tree
from thousand_env import engine
from thousand_env.errors import ThousandError
from thousand_env.rules import RuleSet
from thousand_env.state import EXCHANGE


def advantages(ends: NDArray[Any], players: int) -> Floats:
    scores = ends["score"][:, :players].astype(np.float64)
    return scores - (scores.sum(axis=1, keepdims=True) - scores) / (players - 1)


def everyone_for_himself(tree: Tree, players: int) -> tuple[Floats, Floats]:
    """What the states are worth to every seat, and what their actions are worth: the first best action is taken."""
    values = actions = advantages(tree.ends, players)
    for turns, parents in zip(tree.turns[::-1], tree.parents[::-1], strict=True):
        actions = values
        values = np.array([_first_best(actions[parents == i], turns[i]) for i in range(len(turns))])
    return values, actions


def _first_best(actions: Floats, seat: int) -> Floats:
    return actions[actions[:, seat].argmax()]


@pytest.mark.parametrize("seed", range(4))
def test_every_seat_takes_what_is_best_for_itself(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(10):
        rules = random_play_rules(rng)
        states = endings(4, rules, rng.randrange(1 << 30), cards=3, laid=rng.randrange(rules.active))
        values, moves = selfish_values(states, rules)
        tree = whole_tree(states, rules)
        expected, children = everyone_for_himself(tree, rules.players)
        assert values == pytest.approx(expected)
        found = moves[engine.legal_actions(states, rules.array()) == 1]
        assert found == pytest.approx(children[np.arange(len(found)), states["turn"][tree.parents[0]]])
        assert np.isfinite(moves).sum() == len(found)


def test_two_seats_are_opponents_as_the_solver_sees_them() -> None:
    rules = RuleSet.parse("classic players=2")
    states = endings(20, rules, 3, cards=4)
    values, _ = selfish_values(states, rules)
    declarers = states["declarer"]
    assert values[np.arange(20), declarers] == pytest.approx(Solver(rules).solve(states, SCORE))


def test_a_position_before_the_play_is_refused() -> None:
    states = first_leads(2, RuleSet(), 1)
    states[1]["phase"] = EXCHANGE
    with pytest.raises(ThousandError, match="state 1: found the phase exchange, expected play"):
        selfish_values(states)
