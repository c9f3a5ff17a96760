"""Tree search over worlds: how the tree grows, what it chooses, and budgets."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from agents import load
from agents.arena import duel
from agents.heuristic import Heuristic
from agents.ismcts import NODE_DTYPE, WIDENING, Ismcts, Search, add_child, best_child, most_visited
from agents.table import play_until, questions
from tests.table import Table
from tests.test_monte_carlo import answer_alike_in_any_batch
from thousand_env.actions import NUM_ACTIONS, bid_points
from thousand_env.engine import new_states, start_matches
from thousand_env.rules import CORE
from thousand_env.state import PLAY, taken

HANDS = "2 hATKQJ9dA/dKQJcATKQ/cJsATKQJ9 dT9c9"
FIRST_LEAD = "2 hATKQJ9dAT/dKQJ9cATKQ/cJ9sATKQJ9 -"


def tree(*children: tuple[int, int, int, float]) -> NDArray[Any]:
    """A root with children: action, visits, how often it was open, outcomes summed."""
    nodes = np.zeros(len(children) + 1, NODE_DTYPE)
    for place, (action, visits, open_, total) in enumerate(children, 1):
        add_child(nodes, 0, place, action, 0)
        nodes[place]["visits"], nodes[place]["open"], nodes[place]["total"] = visits, open_, total
    return nodes


def legal(*actions: int) -> NDArray[np.int8]:
    """A mask of these actions."""
    mask = np.zeros(NUM_ACTIONS, np.int8)
    mask[list(actions)] = 1
    return mask


def test_the_child_with_the_highest_bound_is_chosen_among_the_legal() -> None:
    nodes, untried = tree((3, 4, 9, 2.0), (5, 1, 9, 0.4), (7, 5, 9, 5.0)), np.zeros(NUM_ACTIONS, np.int8)
    assert best_child(nodes, 0, legal(3, 5, 8), 0.7, untried) == 2
    bounds = [2.0 / 4 + 0.7 * math.sqrt(math.log(10) / 4), 0.4 + 0.7 * math.sqrt(math.log(10))]
    assert bounds[1] > bounds[0], "action 5 was seldom tried"
    assert np.flatnonzero(untried).tolist() == [8]
    assert nodes["open"].tolist() == [0, 10, 10, 9], "action 7 could not be taken this time"
    assert best_child(nodes, 0, legal(3, 5), 0.0, untried) == 1, "without exploration the mean decides"
    assert best_child(nodes, 0, legal(8), 0.7, untried) == 0


def test_the_action_tried_most_often_is_the_answer() -> None:
    assert most_visited(tree((3, 4, 9, 2.0), (5, 1, 9, 9.0), (7, 5, 9, 1.0))) == 7


def test_a_contract_far_above_the_bid_is_named_where_nothing_can_be_lost() -> None:
    table = Table("core", HANDS, "100 pass pass d9 c9")
    action = load("ismcts simulations=300").act(*questions(table.states, table.array, np.array([0])))
    assert bid_points(int(action[0])) >= 150


@pytest.mark.parametrize("table", ["core", "classic players=2", "online players=4", "tysiac"])
def test_answers_depend_neither_on_the_batch_nor_on_its_order(table: str) -> None:
    answer_alike_in_any_batch("ismcts simulations=8", table, 4)


def test_below_the_root_a_node_widens_as_it_is_visited() -> None:
    table = Table("core", FIRST_LEAD)
    search = Search(table.array, 0.7)
    search.plant()
    search.grow(taken(table.states, np.zeros(400, np.int64)))  # in one world the same actions are always legal
    children = np.zeros(search.used, np.int64)
    for node in range(search.used):
        child = search.nodes[node]["child"]
        while child:
            children[node] += 1
            child = search.nodes[child]["sibling"]
    assert children[0] == np.count_nonzero(questions(table.states, table.array, np.array([0]))[1])
    assert children[1:].max() > 1
    visits = search.nodes["visits"][: search.used]
    wide = np.flatnonzero(children[1:] > 1) + 1
    assert ((children[wide] - 1) ** 2 * WIDENING <= visits[wide]).all()


def test_the_first_action_tried_is_the_heuristics() -> None:
    states = new_states(20)
    start_matches(states, CORE.array(), np.full(20, 9), np.arange(20))
    play_until(states, CORE.array(), Heuristic(CORE), PLAY)
    asked = questions(states, CORE.array(), np.arange(20))
    assert Ismcts(CORE, simulations=1).act(*asked).tolist() == Heuristic(CORE).act(*asked).tolist()


def test_it_beats_what_it_plays_out_with() -> None:
    assert duel("ismcts", "heuristic", deals=100, seed=4).ci95[0] > 0


def test_a_budget_of_time_gives_a_legal_answer() -> None:
    table = Table("core", FIRST_LEAD)
    views, masks, keys = questions(table.states, table.array, np.array([0]))
    assert masks[0, load("ismcts ms=5").act(views, masks, keys)[0]] == 1
