"""The oracle: a bot that is shown states, says so, and bounds what knowing every card is worth."""

from __future__ import annotations

import numpy as np
import pytest

from agents import load
from agents.agent import ask, sees_all
from agents.arena import duel
from agents.determinize import sample
from agents.heuristic import Heuristic
from agents.oracle import Oracle
from agents.passer import PassingBids
from agents.stopwatch import Stopwatch
from agents.table import play_deals, questions
from tests.table import Table
from tests.test_monte_carlo import FIRST_LEAD, asked
from tests.test_pimc import deals_in
from thousand_env.engine import new_states, start_matches
from thousand_env.errors import ThousandError
from thousand_env.rules import CORE, RuleSet
from thousand_env.state import PLAY, SCORED


def test_the_oracle_wants_states_and_says_that_it_cheats() -> None:
    table = Table("core", FIRST_LEAD)
    with pytest.raises(ThousandError, match="oracle: found views, expected states: it cheats"):
        asked(load("oracle"), table)


def test_states_are_shown_to_a_cheat_alone() -> None:
    states = deals_in(PLAY, CORE, count=3)
    views, masks, keys = questions(states, CORE.array(), np.arange(len(states)))
    honest, oracle = Heuristic(CORE), Oracle(CORE)
    assert (ask(honest, views, masks, keys, states) == honest.act(views, masks, keys)).all()
    assert (ask(oracle, views, masks, keys, states) == oracle.act(states, masks, keys)).all()


def test_who_times_a_cheat_or_shuts_its_mouth_cheats_too() -> None:
    oracle, honest = Oracle(CORE), Heuristic(CORE)
    assert sees_all(oracle)
    assert sees_all(Stopwatch(oracle))
    assert sees_all(PassingBids(oracle))
    assert not any(map(sees_all, (honest, Stopwatch(honest), PassingBids(honest))))


def test_the_oracle_wins_far_more_than_who_must_guess() -> None:
    assert duel("oracle", "heuristic", deals=60, seed=4).ci95[0] > 15


@pytest.mark.parametrize("table", ["core", "classic players=2", "online players=4", "tysiac"])
def test_the_oracle_plays_at_every_table(table: str) -> None:
    rules = RuleSet.parse(table)
    states = new_states(6)
    start_matches(states, rules.array(), np.full(6, 8), np.arange(6))
    play_deals(states, rules.array(), [Oracle(rules)], np.zeros((6, rules.players), np.int64))  # `ask` checks it
    assert (states["phase"] == SCORED).all()


def test_the_oracle_does_otherwise_where_a_player_could_not() -> None:
    states = deals_in(PLAY, CORE, count=3)
    views, masks, keys = questions(states, CORE.array(), np.arange(len(states)))
    worlds = sample(views, CORE.array(), 30, keys)
    answers = [Oracle(CORE).act(w, np.repeat(m[None], 30, axis=0), keys) for w, m in zip(worlds, masks, strict=True)]
    assert all(len(np.unique(answer)) > 1 for answer in answers)
