"""The solver finds what trying everything finds, at every table, for every objective."""

import random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from agents.solver import ALONE, MADE, POINTS, SCORE, UNROUNDED, Solver, best_moves, move_values, solve
from tests.endings import Floats, Tree, endings, first_leads, played_on, random_play_rules, whole_tree
from thousand_env import engine, scoring
from thousand_env.actions import NUM_ACTIONS, PASS
from thousand_env.cards import ACES, CARD_POINTS, NINES
from thousand_env.errors import ThousandError
from thousand_env.rules import RuleSet
from thousand_env.state import PLAY, taken

TABLES = [f"{preset} players={players}" for preset in ("core", "classic", "online", "tysiac") for players in (2, 3, 4)]
RANKS = [(NINES << rank, points) for rank, points in enumerate(CARD_POINTS)]
OBJECTIVES = (POINTS, MADE, SCORE, UNROUNDED, ALONE)


def advantage(scores: Floats, seats: NDArray[Any]) -> Floats:
    """Own score minus the mean of the others'."""
    own = scores[np.arange(len(scores)), seats]
    return own - (scores.sum(axis=1) - own) / (scores.shape[1] - 1)


def unrounded(tree: Tree, states: NDArray[Any], rules: RuleSet) -> Floats:
    """The scores of the deals a tree ends with, the defenders' points not rounded."""
    scores, table = tree.ends["score"][:, : rules.players].astype(np.float64), rules.array()[0]
    times = np.array([2 if scoring.is_doubled(state, table) else 1 for state in states])[tree.roots()]
    golden = np.array([scoring.is_golden(state, table) for state in states])[tree.roots()]
    married = times if rules.golden_doubles_marriages else np.where(golden, 1, times)
    for seat in range(rules.players):
        captured = sum(points * np.bitwise_count(tree.ends["captured"][:, seat] & cards) for cards, points in RANKS)
        defends = tree.ends["declarer"] != seat
        if rules.players == 4:
            defends &= tree.ends["dealer"] != seat
        scores[defends, seat] = (times * captured + married * tree.ends["marriages"][:, seat])[defends]
    return scores


def end_values(tree: Tree, states: NDArray[Any], rules: RuleSet, objective: int) -> Floats:
    """What the ends of the tree of some states are worth."""
    ends, declarers = tree.ends, tree.ends["declarer"]
    rows, scores = np.arange(len(ends)), ends["score"][:, : rules.players].astype(np.float64)
    if objective == POINTS:
        return engine.deal_score(ends, rules.array())[rows, declarers].astype(np.float64)
    if objective == MADE:
        return (scores[rows, declarers] > 0).astype(np.float64)
    if objective == UNROUNDED:
        scores = unrounded(tree, states, rules)
    return advantage(scores, states["turn"][tree.roots()] if objective == ALONE else declarers)


def check(states: NDArray[Any], rules: RuleSet, solver: Solver) -> None:
    """Compare every value of some states, and of their actions, with what trying everything gives."""
    tree, before = whole_tree(states, rules), states.tobytes()
    legal = engine.legal_actions(states, rules.array()) == 1
    for objective in OBJECTIVES:
        seats = states["turn"] if objective == ALONE else states["declarer"]
        values, moves = tree.values(end_values(tree, states, rules, objective), seats)
        assert solver.solve(states, objective).tolist() == pytest.approx(values), (str(rules), objective)
        found = solver.move_values(states, objective)
        assert found[legal].tolist() == pytest.approx(moves), (str(rules), objective)
        assert np.isnan(found[~legal]).all()
    assert states.tobytes() == before


@pytest.mark.parametrize("table", TABLES)
def test_endings_of_every_preset_are_solved(table: str) -> None:
    rules = RuleSet.parse(table).without_redeals()
    solver = Solver(rules)
    for cards, count in ((1, 10), (2, 40), (3, 40), (4, 6)):
        for laid in range(rules.active):
            check(endings(count, rules, 10 * cards + laid, cards=cards, laid=laid), rules, solver)


@pytest.mark.parametrize("seed", range(8))
def test_endings_are_solved_whatever_was_agreed_on(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(12):
        rules, cards = random_play_rules(rng), rng.choice((2, 3, 3, 4))
        states = endings(6, rules, rng.randrange(1 << 30), cards=cards, laid=rng.randrange(rules.active))
        check(states, rules, Solver(rules))


@pytest.mark.parametrize("table", ["core", "tysiac", "online players=2"])
def test_endings_of_five_cards_are_solved(table: str) -> None:
    rules = RuleSet.parse(table).without_redeals()
    solver = Solver(rules)
    for seed in range(4):
        check(endings(1, rules, seed, cards=5), rules, solver)


@pytest.mark.parametrize("table", ["core", "classic", "tysiac", "online players=2", "classic players=4"])
@pytest.mark.parametrize("objective", [POINTS, SCORE, UNROUNDED])
def test_a_whole_deal_played_by_its_best_moves_keeps_its_value(table: str, objective: int) -> None:
    rules = RuleSet.parse(table).without_redeals()
    solver = Solver(rules)
    states = first_leads(6, rules, 7) if objective == POINTS else endings(6, rules, 7, cards=6)
    root = states.copy()
    values = solver.solve(states, objective)
    while (states["phase"] == PLAY).any():
        assert solver.solve(states, objective).tolist() == values.tolist()
        engine.step(states, rules.array(), solver.best_moves(states, objective))
    assert values.tolist() == pytest.approx(end_values(Tree([], [], [], states), root, rules, objective))


@pytest.mark.parametrize("trump", ["led_ace", "last_ace"])
def test_aces_may_turn_trump_between_sure_tricks(trump: str) -> None:
    rules = RuleSet.parse(f"core ace_marriage=yes ace_marriage_trump={trump} declare=automatic")
    states = first_leads(4000, rules, 17)
    aces = states["hands"] & ACES
    states = taken(states, np.flatnonzero((aces == ACES).any(axis=1)))
    states = played_on(states, rules, 5, cards=4)
    assert len(states) >= 10
    check(states[:20], rules, Solver(rules))


def test_what_was_solved_before_does_not_matter() -> None:
    states, solver = first_leads(60, RuleSet(), 3), Solver()
    together = solver.solve(states)
    assert [solve(states[i : i + 1], "core")[0] for i in range(60)] == together.tolist()
    assert solver.solve(states[::-1].copy()).tolist() == together[::-1].tolist()
    assert solver.nodes > 60


def test_a_contract_is_made_when_its_points_are_reached() -> None:
    states, solver = first_leads(200, RuleSet(), 5), Solver()
    made = solver.solve(states, MADE)
    assert made.tolist() == (solver.solve(states, POINTS) >= states["contract"]).tolist()
    assert 0 < made.sum() < 200


@pytest.mark.parametrize("table", ["core", "core players=2"])
def test_rounding_changes_the_score_by_two_points_at_most(table: str) -> None:
    rules = RuleSet.parse(table)
    states, solver = endings(60, rules, 13, cards=5), Solver(rules)
    change = np.abs(solver.solve(states, SCORE) - solver.solve(states, UNROUNDED))
    assert 0 < change.max() <= 2


def test_the_declarer_takes_the_dearest_move_and_a_defender_the_cheapest() -> None:
    states = endings(50, RuleSet(), 11, cards=4, laid=1)
    values, best = move_values(states, "core"), best_moves(states, "core")
    declares = states["turn"] == states["declarer"]
    chosen = values[np.arange(50), best]
    assert (chosen[declares] == np.nanmax(values, axis=1)[declares]).all()
    assert (chosen[~declares] == np.nanmin(values, axis=1)[~declares]).all()
    assert 0 < declares.sum() < 50


def test_only_the_moves_asked_about_are_solved() -> None:
    rules = RuleSet.parse("core")
    states = played_on(first_leads(4, rules, 3), rules, 9, cards=4)
    solver = Solver(rules)
    asked: NDArray[np.int64] = np.append(np.arange(0, 24, 2), PASS)
    every, some = solver.move_values(states), solver.move_values(states, actions=asked)
    left = [action for action in range(NUM_ACTIONS) if action not in asked]
    assert np.isnan(some[:, left]).all()
    assert not np.isnan(every[:, left]).all()
    np.testing.assert_array_equal(some[:, asked], every[:, asked])


def test_only_tricks_are_solved() -> None:
    states = first_leads(3, RuleSet(), 1)
    states[1]["phase"] = 4
    with pytest.raises(ThousandError, match="state 1: found the phase exchange, expected play"):
        solve(states, "core")
    with pytest.raises(ThousandError, match="objective 7: expected one of 0 … 4, points, made, score"):
        solve(states[:1], "core", 7)
