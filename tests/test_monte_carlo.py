"""Flat Monte Carlo: playouts of sampled worlds, budgets, and that it beats what it plays out with."""

from __future__ import annotations

import numpy as np
import pytest

from agents import Agent, SpecError, load
from agents.arena import duel
from agents.heuristic import Heuristic
from agents.monte_carlo import MOST_CONTRACTS, MOST_RAISES, candidates
from agents.playouts import HEURISTIC, UNIFORM, Playouts
from agents.table import play_deals, questions
from tests.table import Table
from thousand_env.actions import bid_points, is_bid
from thousand_env.engine import new_states, start_matches, step
from thousand_env.rules import CORE, RuleSet
from thousand_env.state import SCORED, copied, taken

HANDS = "2 hATKQJ9dA/dKQJcATKQ/cJsATKQJ9 dT9c9"
FIRST_LEAD = "2 hATKQJ9dAT/dKQJ9cATKQ/cJ9sATKQJ9 -"


def asked(agent: Agent, table: Table) -> int:
    """What the bot does here."""
    return int(agent.act(*questions(table.states, table.array, np.array([0])))[0])


def test_a_playout_by_the_heuristic_is_the_deal_that_it_plays() -> None:
    states, rules = new_states(20), CORE.array()
    start_matches(states, rules, np.full(20, 3), np.arange(20))
    opened = copied(states)
    worths = Playouts(rules).try_actions(opened, np.array([37]), HEURISTIC)
    assert (opened == states).all(), "what is played out are copies"
    seats = states["turn"].copy()
    play_deals(states, rules, [Heuristic(CORE)], np.zeros((20, 3), np.int64))
    own = states["score"][np.arange(20), seats]
    others = states["score"][:, :3].sum(axis=1) - own
    assert worths[:, 0].tolist() == (own - others / 2).tolist()


def test_uniform_playouts_depend_on_the_key_and_the_world_alone() -> None:
    states, rules = new_states(9), CORE.array()
    start_matches(states, rules, np.full(9, 3), np.arange(9))
    playouts = Playouts(rules)
    once = playouts.try_actions(states, np.array([37]), UNIFORM, 5)
    assert (playouts.try_actions(states, np.array([37]), UNIFORM, 5) == once).all()
    assert (playouts.try_actions(states[:1], np.array([37]), UNIFORM, 5) == once[:1]).all()
    assert (playouts.try_actions(states, np.array([37]), UNIFORM, 6) != once).any()


def test_only_the_lowest_bids_and_contracts_are_tried() -> None:
    auction = Table("core", HANDS, "100")
    views, masks, _ = questions(auction.states, auction.array, np.array([0]))
    assert [bool(is_bid(int(action))) for action in candidates(views[0], masks[0])] == [False] + [True] * MOST_RAISES
    contract = Table("core", HANDS, "100 pass pass d9 c9")
    views, masks, _ = questions(contract.states, contract.array, np.array([0]))
    tried = candidates(views[0], masks[0])
    assert sum(bool(is_bid(int(action))) for action in tried) == min(MOST_CONTRACTS, len(contract.levels()))
    lead = Table("core", FIRST_LEAD)
    views, masks, _ = questions(lead.states, lead.array, np.array([0]))
    assert candidates(views[0], masks[0]).tolist() == np.flatnonzero(masks[0]).tolist()


@pytest.mark.parametrize(("rollout", "least"), [("heuristic", 160), ("uniform", 105)])
def test_a_contract_far_above_the_bid_is_named_where_nothing_can_be_lost(rollout: str, least: int) -> None:
    table = Table("core", HANDS, "100 pass pass d9 c9")  # all hearts and the ace of diamonds: 130 points and a marriage
    assert bid_points(asked(load(f"mc worlds=12 rollout={rollout}"), table)) >= least


def answer_alike_in_any_batch(spec: str, table: str, games: int) -> None:
    """Play some deals with a bot, and ask it every question in the opposite order too."""
    rules = RuleSet.parse(table)
    agent, states = load(spec, rules), new_states(games)
    start_matches(states, rules.array(), np.full(games, 8), np.arange(games))
    for _ in range(80):
        chosen = np.flatnonzero(states["phase"] < SCORED)
        if not len(chosen):
            break
        views, masks, keys = questions(states, rules.array(), chosen)
        actions = agent.act(views, masks, keys)
        assert (masks[np.arange(len(chosen)), actions] == 1).all()
        back = agent.act(views[::-1].copy(), masks[::-1].copy(), keys[::-1].copy())[::-1]
        assert back.tolist() == actions.tolist()
        part = taken(states, chosen)
        step(part, rules.array(), actions)
        states[chosen] = part
    assert (states["phase"] >= SCORED).all()


@pytest.mark.parametrize("table", ["core", "classic players=2", "online players=4", "tysiac"])
def test_answers_depend_neither_on_the_batch_nor_on_its_order(table: str) -> None:
    answer_alike_in_any_batch("mc worlds=3", table, 6)


def test_a_budget_of_time_gives_a_legal_answer() -> None:
    table = Table("core", FIRST_LEAD)
    assert asked(load("mc ms=5"), table) in np.flatnonzero(questions(table.states, table.array, np.array([0]))[1][0])


def test_it_beats_what_it_plays_out_with() -> None:
    result = duel("mc worlds=20", "heuristic", deals=150, seed=4)
    assert result.ci95[0] > 0


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("mc worlds=0", "worlds=0: expected 1 to 100000"),
        ("mc rollout=clever", "rollout=clever: expected heuristic or uniform"),
    ],
)
def test_a_wrong_setting_is_named(spec: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        load(spec)
