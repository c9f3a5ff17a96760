"""Bots and what names them: specs, keys, legality, and answers that do not depend on the batch."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from agents import Agent, SpecError, load
from agents.agent import ask
from agents.heuristic import Heuristic
from agents.passer import PassingBids
from agents.spec import BOTS, bots_help
from agents.table import play_deals, play_step, questions
from thousand_env.actions import FIRST_BID, NUM_ACTIONS, NUM_LEVELS, PASS, bid_action
from thousand_env.engine import decision_key, new_states, ply, start_matches
from thousand_env.errors import IllegalAction, ThousandError
from thousand_env.rules import CORE, PRESETS, RuleSet
from thousand_env.state import AUCTION, CONTRACT, PLAY, SCORED

OWN_BOTS = ("uniform", "passer", "heuristic", "heuristic margin=20", "heuristic bid=no")


def deals(count: int, rules: RuleSet = CORE, seed: int = 5) -> NDArray[Any]:
    """Fresh deals, each of a match of its own."""
    states = new_states(count)
    start_matches(states, rules.array(), np.full(count, seed), np.arange(count))
    return states


def alike(agent: Agent, count: int, rules: RuleSet = CORE) -> NDArray[Any]:
    """Deals played out by three copies of a bot."""
    states = deals(count, rules)
    play_deals(states, rules.array(), [agent], np.zeros((count, rules.players), np.int64))
    return states


# -- specs -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", OWN_BOTS)
def test_a_bot_is_called_by_its_spec(spec: str) -> None:
    assert str(load(spec, "core")) == spec


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("", "no bot has this name; the bots are uniform, passer"),
        ("heuristics", "'heuristics': no bot has this name; the bots are uniform, passer, heuristic, policy"),
        ("heuristic margins=3", "'margins=3' sets no parameter of this bot; known: margin=, bid="),
        ("heuristic margin", "'margin' sets no parameter"),
        ("heuristic margin=ten", "margin=ten: expected a whole number"),
        ("heuristic margin=401", "margin=401: expected -400 to 400"),
        ("heuristic bid=never", "bid=never: expected yes or no"),
        ("uniform margin=1", "known: it has none"),
        ("policy", "path= is missing"),
        ("policy 'path=", "No closing quotation"),
    ],
)
def test_a_bad_spec_is_named_with_what_is_known(spec: str, said: str) -> None:
    with pytest.raises(SpecError) as raised:
        load(spec, "core")
    assert said in str(raised.value)


def test_the_help_knows_every_bot_and_parameter() -> None:
    text = bots_help()
    for name, bot in BOTS.items():
        assert f"{name}: {bot.meaning}" in text
        assert all(f"{item.name}=" in text and item.meaning in text for item in bot.parameters)


def test_the_heuristic_knows_only_tables_of_three() -> None:
    four: Any = SimpleNamespace(players=4)  # no rule set has four players yet
    with pytest.raises(ThousandError, match="heuristic: players=4"):
        Heuristic(four)


# -- answers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("spec", OWN_BOTS)
def test_every_answer_is_legal_under_every_preset(spec: str, preset: str) -> None:
    states = alike(load(spec, preset), 300, PRESETS[preset])  # `ask` checks every action
    assert (states["phase"] == SCORED).all()


@pytest.mark.parametrize("spec", OWN_BOTS)
def test_an_answer_does_not_depend_on_the_batch(spec: str) -> None:
    agent, states, rules = load(spec, "core"), deals(60), CORE.array()
    seats = np.zeros((len(states), 3), np.int64)
    for step in range(30):
        acting = np.flatnonzero(states["turn"] >= 0)
        views, masks, keys = questions(states, rules, acting)
        together = agent.act(views, masks, keys)
        order = np.random.default_rng(step).permutation(len(acting))
        shuffled = agent.act(views[order], masks[order], keys[order])
        alone = [int(agent.act(views[i : i + 1], masks[i : i + 1], keys[i : i + 1])[0]) for i in range(len(acting))]
        assert (together[order] == shuffled).all()
        assert together.tolist() == alone
        play_step(states, rules, [agent], seats)


def test_chance_comes_from_the_key_alone() -> None:
    agent, states = load("uniform", "core"), deals(1)
    views, masks, keys = questions(np.repeat(states, 500), CORE.array(), np.arange(500))
    assert len(set(agent.act(views, masks, keys))) == 1  # the same decision
    spread = agent.act(views, masks, np.arange(500, dtype=np.int64))
    assert set(spread) == set(np.flatnonzero(masks[0]))


def test_every_decision_of_a_deal_has_its_own_key() -> None:
    states, rules, seen = deals(20), CORE.array(), set[int]()
    agents, seats = [load("uniform", "core")], np.zeros((20, 3), np.int64)
    total = 0
    while len(acting := np.flatnonzero(states["turn"] >= 0)):
        before = [ply(states[i]) for i in acting]
        seen.update(int(decision_key(states[i])) for i in acting)
        total += play_step(states, rules, agents, seats)
        assert all(ply(states[i]) > earlier for i, earlier in zip(acting, before, strict=True))
    assert len(seen) == total


def test_the_passer_never_bids_and_keeps_its_contract() -> None:
    states = alike(load("passer", "core"), 200)
    openers = (states["dealer"] + 1) % 3
    assert (states["declarer"] == openers).all()
    assert (states["bid"] == 100).all()
    assert (states["contract"] == 100).all()


def test_passing_bids_silence_a_bot_in_the_auction_only() -> None:
    bold, states, rules = load("heuristic margin=100", "core"), deals(200), CORE.array()
    silent, seats, phases = PassingBids(bold), np.zeros((200, 3), np.int64), set[int]()
    while len(acting := np.flatnonzero(states["turn"] >= 0)):
        views, masks, keys = questions(states, rules, acting)
        answers, own = silent.act(views, masks, keys), bold.act(views, masks, keys)
        bidding = views["phase"] == AUCTION
        assert np.isin(answers[bidding], [PASS, bid_action(100)]).all()
        assert (answers == own)[~bidding].all()
        phases.update(views["phase"].tolist())
        play_step(states, rules, [silent], seats)
    assert {AUCTION, CONTRACT, PLAY} <= phases
    assert (states["bid"] == 100).all()
    assert (states["contract"] > 100).any()  # the contract stays its own decision


# -- mistakes --------------------------------------------------------------------------------------------------------


class Stubborn:
    """Always answers the same."""

    def __init__(self, answer: int, times: int = 1) -> None:
        self.answer, self.times = answer, times

    def __str__(self) -> str:
        return "stubborn"

    def act(self, views: NDArray[Any], masks: NDArray[np.int8], keys: NDArray[np.int64]) -> NDArray[np.int64]:  # noqa: ARG002 it does not look
        return np.full(len(views) * self.times, self.answer, np.int64)


@pytest.mark.parametrize(
    ("agent", "said"),
    [
        (Stubborn(PASS), "stubborn: pass is illegal in the view [auction, hand"),  # forehand must open
        (Stubborn(NUM_ACTIONS), f"stubborn: action {NUM_ACTIONS} is illegal"),
        (Stubborn(-1), "stubborn: action -1 is illegal"),
        (Stubborn(FIRST_BID + NUM_LEVELS - 1), "expected one of 100 105"),
        (Stubborn(PASS, times=2), "stubborn: actions of shape (6,) for 3 views"),
    ],
)
def test_an_illegal_action_names_the_agent_the_view_and_the_action(agent: Agent, said: str) -> None:
    with pytest.raises(IllegalAction) as raised:
        ask(agent, *questions(deals(3), CORE.array(), np.arange(3)))
    assert said in str(raised.value)
