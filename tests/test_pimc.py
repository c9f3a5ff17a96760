"""Worlds solved exactly: what actions are worth with open cards, and what `pimc` makes of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from agents import SpecError, load
from agents.arena import duel
from agents.heuristic import Heuristic
from agents.open_values import MOST_CARDS, OpenValues
from agents.pimc import Pimc
from agents.solver import MADE, POINTS, UNROUNDED, Solver
from agents.table import play_until, questions
from tests.table import Table
from tests.test_monte_carlo import FIRST_LEAD, HANDS, answer_alike_in_any_batch, asked
from thousand_env.actions import PASS, WRITE_OFF, bid_points
from thousand_env.engine import new_states, start_matches, step
from thousand_env.errors import ThousandError
from thousand_env.rules import CORE, RuleSet
from thousand_env.scoring import advantage
from thousand_env.state import CONTRACT, EXCHANGE, PLAY, SCORED, copied


def deals_in(phase: int, rules: RuleSet, count: int = 6, seed: int = 9) -> NDArray[Any]:
    """Deals that the heuristic has brought to a phase."""
    states = new_states(count)
    start_matches(states, rules.array(), np.full(count, seed), np.arange(count))
    play_until(states, rules.array(), Heuristic(rules), phase)
    return states[states["phase"] == phase]


# -- values ----------------------------------------------------------------------------------------------------------


def test_the_declarers_moves_are_worth_what_the_solver_says_and_the_defenders_lose_it() -> None:
    states = deals_in(PLAY, CORE)
    for state in states:
        legal = np.flatnonzero(questions(state.reshape(1), CORE.array(), np.array([0]))[1][0])
        found = OpenValues(CORE).solved(state.reshape(1), legal)
        assert found.tolist() == Solver(CORE).move_values(state.reshape(1), UNROUNDED)[:, legal].tolist()
        step(after := copied(state.reshape(1)), CORE.array(), legal[:1])
        legal = np.flatnonzero(questions(after, CORE.array(), np.array([0]))[1][0])
        found = OpenValues(CORE).solved(after, legal)
        assert (found == -Solver(CORE).move_values(after, UNROUNDED)[:, legal] / 2).all()


@pytest.mark.parametrize("table", ["core", "core round_declarer=yes round_to=10"])
def test_a_contract_is_worth_its_points_or_costs_them(table: str) -> None:
    rules = RuleSet.parse(table)
    states, by_rounding = deals_in(CONTRACT, rules, count=12), 0
    for state in states:
        row = state.reshape(1)
        legal = np.flatnonzero(questions(row, rules.array(), np.array([0]))[1][0])
        for action, value in zip(legal, OpenValues(rules).solved(row, legal)[0], strict=True):
            named = int(row["bid"][0]) if action == PASS else bid_points(int(action))
            step(lead := copied(row), rules.array(), np.array([action]))
            made = Solver(rules).solve(lead, MADE)[0] == 1
            assert value == (named if made else -named)
            by_rounding += made and Solver(rules).solve(lead, POINTS)[0] < named
    assert (by_rounding > 0) == rules.round_declarer


def test_gifts_are_worth_what_the_deal_comes_to_after_them() -> None:
    states = deals_in(EXCHANGE, CORE)
    cards = np.arange(24)
    for state in states:
        row = state.reshape(1)
        legal = np.intersect1d(cards, np.flatnonzero(questions(row, CORE.array(), np.array([0]))[1][0]))[:3]
        found = OpenValues(CORE).solved(row, legal)[0]
        for action, value in zip(legal, found, strict=True):
            step(after := copied(row), CORE.array(), np.array([action]))
            play_until(after, CORE.array(), Heuristic(CORE), PLAY)
            assert value == Solver(CORE).solve(after, UNROUNDED)[0]


def test_a_hand_given_up_is_worth_its_score() -> None:
    rules = RuleSet.parse("classic")
    states = deals_in(EXCHANGE, rules, count=30)
    states = states[questions(states, rules.array(), np.arange(len(states)))[1][:, WRITE_OFF] == 1]
    assert len(states)
    found = OpenValues(rules).solved(states, np.array([WRITE_OFF]))[:, 0]
    seats = states["turn"].copy()
    step(states, rules.array(), np.full(len(states), WRITE_OFF))
    assert (states["phase"] == SCORED).all()
    assert found.tolist() == [advantage(s, rules.array()[0], int(seat)) for s, seat in zip(states, seats, strict=True)]


def test_of_two_players_the_first_tricks_are_played_by_the_heuristic() -> None:
    rules = RuleSet.parse("core players=2")
    room = OpenValues(rules)
    assert room.first_solved == 2 * (11 - MOST_CARDS)
    state = deals_in(PLAY, rules)[:1]
    legal = np.flatnonzero(questions(state, rules.array(), np.array([0]))[1][0])
    step(after := copied(state), rules.array(), legal[:1])
    while after["num_plays"][0] < room.first_solved:
        step(after, rules.array(), Heuristic(rules).act(*questions(after, rules.array(), np.array([0]))))
    assert room.solved(state, legal)[0, 0] == Solver(rules).solve(after, UNROUNDED)[0]


# -- pimc ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["pimc worlds=8", "pimc worlds=8 playouts=0", "pimc worlds=8 playouts=0 caution=0"])
def test_a_contract_far_above_the_bid_is_named_where_nothing_can_be_lost(spec: str) -> None:
    table = Table("core", HANDS, "100 pass pass d9 c9")
    assert bid_points(asked(load(spec), table)) >= 150


def test_with_more_caution_fewer_actions_are_not_the_heuristics() -> None:
    states, rules = deals_in(PLAY, CORE, count=20), CORE.array()
    asked_all = questions(states, rules, np.arange(len(states)))
    usual = Heuristic(CORE).act(*asked_all)
    unusual = [
        np.count_nonzero(Pimc(CORE, worlds=2, playouts=20, caution=caution).act(*asked_all) != usual)
        for caution in (0, 200, 10**9)
    ]
    assert unusual[0] > unusual[1] > unusual[2]


def test_an_action_that_playouts_rule_out_is_not_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    views, masks, keys = questions(states := deals_in(PLAY, CORE, count=12), CORE.array(), np.arange(len(states)))
    usual, solved, before = Heuristic(CORE).act(views, masks, keys), list[list[int]](), OpenValues.solved

    def spying(self: OpenValues, worlds: NDArray[Any], actions: NDArray[np.int64]) -> NDArray[np.float64]:
        solved.append(actions.tolist())
        return before(self, worlds, actions)

    monkeypatch.setattr(OpenValues, "solved", spying)
    fewer = 0
    for i in range(len(views)):
        question = views[i : i + 1], masks[i : i + 1], keys[i : i + 1]
        solved.clear()
        Pimc(CORE, worlds=1).act(*question)
        legal = set(np.flatnonzero(masks[i]))
        assert all(usual[i] in actions and set(actions) <= legal for actions in solved)
        fewer += not solved or len(solved[0]) < len(legal)
        solved.clear()
        Pimc(CORE, worlds=1, playouts=0).act(*question)
        assert set(solved[0]) == legal
    assert fewer > len(views) / 2


@pytest.mark.parametrize("table", ["core", "classic players=2", "online players=4", "tysiac"])
def test_answers_depend_neither_on_the_batch_nor_on_its_order(table: str) -> None:
    answer_alike_in_any_batch("pimc worlds=1 playouts=4", table, 3)


@pytest.mark.parametrize("spec", ["pimc ms=5", "pimc ms=5 playouts=0"])
def test_a_budget_of_time_gives_a_legal_answer(spec: str) -> None:
    table = Table("core", FIRST_LEAD)
    assert asked(load(spec), table) in np.flatnonzero(questions(table.states, table.array, np.array([0]))[1][0])


def test_it_beats_the_heuristic() -> None:
    assert duel("pimc worlds=4 playouts=60", "heuristic", deals=100, seed=4).ci95[0] > 0


def test_a_bot_without_worlds_is_refused() -> None:
    with pytest.raises(SpecError, match="worlds=0: expected 1 to 100000"):
        load("pimc worlds=0")
    with pytest.raises(ThousandError, match="playouts=5 and worlds=9: expected no playouts, or no fewer"):
        load("pimc worlds=9 playouts=5")
