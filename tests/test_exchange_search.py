"""Gifts and contracts over worlds: every way is found, and is worth the mean of its plays."""

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import agents
from agents.exchange_search import best_exchanges
from agents.solver import UNROUNDED, Solver
from agents.table import play_until
from thousand_env import engine
from thousand_env.actions import PASS, bid_action
from thousand_env.cards import FULL_PACK, NUM_CARDS
from thousand_env.errors import ThousandError
from thousand_env.rules import RuleSet
from thousand_env.state import CONTRACT, EXCHANGE, new_states, taken


def after_the_talon(rules: RuleSet, seed: int) -> NDArray[Any]:
    """A state (1,) in which the declarer is asked for his first gift."""
    states = new_states(50)
    engine.start_matches(states, rules.array(), np.full(50, seed), np.arange(50))
    play_until(states, rules.array(), agents.load("heuristic", rules), EXCHANGE)
    return taken(states, np.flatnonzero(states["phase"] == EXCHANGE)[:1])


def worlds_of(state: NDArray[Any], rules: RuleSet, count: int, seed: int) -> NDArray[Any]:
    """Copies of a state with the cards of the others dealt anew."""
    worlds, rng = np.repeat(state, count), np.random.default_rng(seed)
    declarer = int(state["declarer"][0])
    others = [seat for seat in range(rules.players) if seat != declarer and state["hands"][0, seat]]
    each = int(state["hands"][0, others[0]]).bit_count()
    unknown = FULL_PACK & ~int(state["hands"][0, declarer])
    for i in range(count):
        cards = rng.permutation([1 << card for card in range(NUM_CARDS) if unknown >> card & 1])
        for number, seat in enumerate(others):
            worlds["hands"][i, seat] = cards[number * each : (number + 1) * each].sum()
        worlds["other_talon"][i] = cards[len(others) * each :].sum()
    return worlds


def played_worth(worlds: NDArray[Any], solver: Solver, actions: tuple[int, ...]) -> float:
    """The mean worth of the play after some actions."""
    states = worlds.copy()
    for action in actions:
        engine.step(states, solver.rules.array(), np.full(len(states), action))
    return float(solver.solve(states, UNROUNDED).mean())


@pytest.mark.parametrize("table", ["core raise_contract=no", "classic players=4 raise_contract=no", "tysiac players=2"])
def test_every_exchange_is_worth_the_mean_of_its_plays(table: str) -> None:
    rules = RuleSet.parse(table).without_redeals()
    solver, worlds = Solver(rules), worlds_of(after_the_talon(rules, 4), rules, 2, 1)
    ways = best_exchanges(worlds, solver, UNROUNDED)
    cards = int(worlds["talon"][0]) if rules.players == 2 else int(worlds["hands"][0, worlds["declarer"][0]])
    choices = [card for card in range(NUM_CARDS) if cards >> card & 1]
    assert {way.gifts for way in ways} == set(permutations(choices, rules.active - 1))
    assert [way.value for way in ways] == sorted((way.value for way in ways), reverse=True)
    bid = int(worlds["bid"][0])
    for way in ways[::17]:
        named = [PASS if way.contract == bid else bid_action(way.contract)] if rules.raise_contract else []
        assert way.value == played_worth(worlds, solver, (*way.gifts, *named))


def test_what_is_kept_is_exact_and_begins_with_what_looks_best() -> None:
    rules = RuleSet.parse("core raise_contract=no")
    solver, worlds = Solver(rules), worlds_of(after_the_talon(rules, 9), rules, 2, 2)
    everything = best_exchanges(worlds, solver, UNROUNDED)
    kept = best_exchanges(worlds, solver, UNROUNDED, keep=20)
    assert len(kept) == 20
    assert set(kept) <= set(everything)
    assert kept[0] == everything[0]


def test_the_contract_alone_can_be_asked_for() -> None:
    rules = RuleSet()
    state = after_the_talon(rules, 2)
    worlds = worlds_of(state, rules, 2, 3)
    gifts = [card for card in range(NUM_CARDS) if state["hands"][0, state["declarer"][0]] >> card & 1][:2]
    for gift in gifts:
        engine.step(worlds, rules.array(), np.full(2, gift))
    assert (worlds["phase"] == CONTRACT).all()
    ways = best_exchanges(worlds, Solver(rules))
    legal = engine.legal_actions(worlds[:1], rules.array())[0]
    assert sorted(way.contract for way in ways)[0] == worlds["bid"][0]
    assert len(ways) == legal.sum()
    assert all(way.gifts == () for way in ways)


def test_worlds_must_agree_on_what_the_declarer_knows() -> None:
    rules = RuleSet()
    worlds = worlds_of(after_the_talon(rules, 2), rules, 3, 3)
    odd = worlds.copy()
    odd["hands"][2, odd["declarer"][2]] ^= 3
    with pytest.raises(ThousandError, match="world 2: found the hand"):
        best_exchanges(odd, Solver(rules))
    worlds["phase"][1] = CONTRACT
    with pytest.raises(ThousandError, match="world 1: found the phase contract, expected exchange or contract"):
        best_exchanges(worlds, Solver(rules))
