"""Bots and what names them: specs, keys, legality, and answers that do not depend on the batch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from agents import Agent, SpecError, load
from agents.agent import ask, sees_all
from agents.passer import PassingBids
from agents.spec import BOTS, TIME_CLASSES, bots_help
from agents.table import play_deals, play_step, questions
from thousand_env.actions import (
    BAPTISE,
    CLAIM_REDEAL,
    FIRST_BID,
    GO_BLIND,
    NUM_ACTIONS,
    NUM_LEVELS,
    PASS,
    SHOW_TALON,
    WRITE_OFF,
    bid_action,
)
from thousand_env.engine import decision_key, new_states, next_deals, ply, start_matches
from thousand_env.errors import IllegalAction, RuleError
from thousand_env.rules import CORE, FIELDS, PRESETS, RuleSet
from thousand_env.seats import forehand_of
from thousand_env.state import AUCTION, BLIND, CONTRACT, OVER, PLAY, SCORED, taken

OWN_BOTS = (
    "uniform",
    "passer",
    "heuristic",
    "heuristic margin=20",
    "heuristic bid=no",
    "mc worlds=2",
    "ismcts simulations=5",
    "pimc worlds=1 playouts=3",
    "oracle",
)
TABLES = [f"{preset} players={players}" for preset in PRESETS for players in (2, 3, 4)]


def deals(count: int, rules: RuleSet = CORE, seed: int = 5) -> NDArray[Any]:
    """Fresh deals, each of a match of its own."""
    states = new_states(count)
    start_matches(states, rules.array(), np.full(count, seed), np.arange(count))
    return states


def alike(agent: Agent, count: int, rules: RuleSet = CORE) -> NDArray[Any]:
    """Deals played out by copies of a bot."""
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
        (
            "heuristics",
            "'heuristics': no bot has this name; the bots are uniform, passer, heuristic, mc, ismcts, pimc, oracle, "
            "policy",
        ),
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
        assert f"{name}: {bot.meaning} ({bot.time_class}: {TIME_CLASSES[bot.time_class]} a decision)" in text
        assert all(f"{item.name}=" in text and item.meaning in text for item in bot.parameters)


# -- answers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("spec", OWN_BOTS)
def test_every_answer_is_legal_at_every_table(spec: str, table: str) -> None:
    rules = RuleSet.parse(table)
    states = alike(load(spec, rules), 200, rules)  # `ask` checks every action
    assert (states["phase"] == SCORED).all()


def any_rules(rng: np.random.Generator) -> RuleSet:
    """A table that has agreed on half of everything by lot."""
    while True:
        values: dict[str, Any] = {}
        for name, definition in FIELDS.items():
            kinds = definition.metadata
            choices = kinds.get("choices") or kinds.get("range") or (False, True)
            if rng.random() < 0.5:
                values[name] = choices[int(rng.integers(len(choices)))]
        values |= {"players": int(rng.integers(2, 5)), "max_deals": 12}
        values["dealer_errors"] = values.get("dealer_errors", 0) // 4
        try:
            return RuleSet(**values)
        except RuleError:
            continue


def test_bots_play_whole_matches_at_any_table() -> None:
    rng = np.random.default_rng(1)
    for number in range(60):
        rules = any_rules(rng)
        agents = [load(spec, rules) for spec in ("uniform", "passer", "heuristic", "heuristic margin=60")]
        states, seats = deals(8, rules, seed=number), rng.integers(0, 4, (8, rules.players))
        while (states["phase"] != OVER).any():
            play_deals(states, rules.array(), agents, seats)
            next_deals(states, rules.array())


@pytest.mark.parametrize("table", ["core", "classic players=4", "online players=2 bonus_hands=1"])
@pytest.mark.parametrize("spec", OWN_BOTS)
def test_an_answer_does_not_depend_on_the_batch(spec: str, table: str) -> None:
    agent, players, rules = load(spec, table), RuleSet.parse(table).players, RuleSet.parse(table).array()
    states = deals(60, RuleSet.parse(table))
    seats = np.zeros((len(states), players), np.int64)
    for step in range(30):
        acting = np.flatnonzero(states["turn"] >= 0)
        views, masks, keys = questions(states, rules, acting)
        shown = taken(states, acting) if sees_all(agent) else views
        together = agent.act(shown, masks, keys)
        order = np.random.default_rng(step).permutation(len(acting))
        shuffled = agent.act(shown[order], masks[order], keys[order])
        alone = [int(agent.act(shown[i : i + 1], masks[i : i + 1], keys[i : i + 1])[0]) for i in range(len(acting))]
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


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_passer_never_bids_and_keeps_its_contract(players: int) -> None:
    rules = RuleSet(players=players)
    states = alike(load("passer", rules), 200, rules)
    assert states["declarer"].tolist() == [forehand_of(state, rules.array()[0]) for state in states]
    assert (states["bid"] == 100).all()
    assert (states["contract"] == 100).all()


@pytest.mark.parametrize("table", ["classic", "online players=2", "classic write_off=off baptism=yes players=4"])
def test_the_passer_claims_nothing_shows_nothing_and_never_gives_up(table: str) -> None:
    rules, seen = RuleSet.parse(table), set[int]()
    passer, states, seats = load("passer", rules), deals(300, rules), np.zeros((300, rules.players), np.int64)
    while len(acting := np.flatnonzero(states["turn"] >= 0)):
        views, masks, keys = questions(states, rules.array(), acting)
        assert not set(passer.act(views, masks, keys)) & {GO_BLIND, CLAIM_REDEAL, SHOW_TALON, WRITE_OFF, BAPTISE}
        seen.update(np.flatnonzero(masks.any(axis=0)).tolist())
        play_step(states, rules.array(), [passer], seats)
    assert CLAIM_REDEAL in seen
    assert seen & {WRITE_OFF, BAPTISE}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_passing_bids_never_go_blind(players: int) -> None:
    rules = RuleSet.parse(f"classic players={players}")
    states, silent = deals(200, rules), PassingBids(load("uniform", rules))
    assert (states["phase"] == BLIND).all()
    play_deals(states, rules.array(), [silent], np.zeros((200, players), np.int64))
    assert (states["blind"] == 0).all()
    assert (states["bid"] == 100).all()


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
