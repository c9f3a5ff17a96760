"""A million random deals at every table without an invariant broken, and random matches that come to an end."""

import os
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.env_tables import TABLES, table
from thousand_env import engine
from thousand_env.cards import FULL_PACK
from thousand_env.rules import RuleSet
from thousand_env.state import GOLDEN_OVER, NONE, OVER, SCORED, check_state, new_states
from thousand_env.vector import VectorEnv

DEALS = int(os.environ.get("SOAK_DEALS", "1_000_000"))  # at each table
LANES = 20_000
SAMPLES = 40  # of every batch, whose invariants are checked one by one

Facts = Iterator[tuple[str, NDArray[np.bool_]]]


def near_the_barrel(states: NDArray[Any], rules: RuleSet, rng: np.random.Generator) -> None:
    """Write totals a deal or two below the barrel on the sheets of fresh matches."""
    totals = rules.barrel_at - 5 * rng.integers(1, 60, (len(states), rules.players))
    totals[totals == rules.dump_truck] += 5
    states["totals"][:, : rules.players] = totals


def everywhere(facts: Any) -> NDArray[np.bool_]:
    """Return whether a fact (N, players) holds of every seat."""
    return np.all(facts, axis=1)


def deal_facts(states: NDArray[Any], rules: RuleSet) -> Facts:
    """Yield what holds of every scored deal, and where."""
    seats, played = slice(0, rules.players), states["contract"] > 0
    captured, rows = states["captured"][:, seats], np.arange(len(states))
    cards = np.bitwise_count(captured).sum(axis=1)
    yield (
        "a deal played out has captured every card once",
        ~played | ((np.bitwise_or.reduce(captured, axis=1) == FULL_PACK) & (cards == 24)),
    )
    yield "a deal given up is so only where the table allows it", played | (rules.write_off != "off") | rules.baptism
    yield "all tricks were won", ~played | (states["tricks"][:, seats].sum(axis=1) == (11 if rules.players == 2 else 8))
    yield "nobody is to act", (states["turn"] == NONE) & (states["phase"] >= SCORED)
    score = states["score"][:, seats]
    mine = np.abs(score[rows, states["declarer"]])
    blind = np.where(states["blind"] == 2, rules.blind_bonus, 0)
    expected = (mine == states["contract"]) | (mine == 2 * states["contract"] + blind)
    yield "the declarer scores the contract, once or twice", ~played | expected
    others = score.copy()
    others[rows, states["declarer"]] = 0
    yield "no defender loses points", everywhere(others >= 0)
    yield (
        "the contract is not below the bid, and no higher than 400",
        ~played | ((states["contract"] >= states["bid"]) & (states["contract"] <= 400)),
    )
    redeals = ["redeal_" in name and value != "off" for name, value in rules.as_dict().items()]
    yield (
        "deals are dealt again only where that is agreed on",
        (states["attempt"] == 0) | any(redeals) | (rules.dealer_errors > 0),
    )


def sheet_facts(states: NDArray[Any], rules: RuleSet) -> Facts:
    """Yield what holds of every score sheet after a deal, and where."""
    seats = slice(0, rules.players)
    totals, mounted, attempts = (states[name][:, seats] for name in ("totals", "mounted", "attempts"))
    golden = rules.golden & ((states["golden_made"] & GOLDEN_OVER) == 0)
    winners = np.arange(rules.players) == states["winner"][:, None]
    yield "sitters have the barrel's points", everywhere((mounted == 0) | (totals == rules.barrel_at))
    yield "no more sit than there are places", (mounted > 0).sum(axis=1) <= rules.barrel_seats
    below = (mounted > 0) | winners | (totals < rules.barrel_at)
    jumped = rules.barrel_skippable & (states["winner"] != NONE)  # several may in one deal, of whom one wins
    yield "who reached the barrel sits there or has won", everywhere(below) | golden | jumped
    most = rules.barrel_attempts or 1 << 20
    yield "attempts are within the number agreed on", everywhere(attempts < most)
    yield "attempts are those of sitters", everywhere((attempts == 0) | (mounted > 0))
    falls = rules.barrel_falls_to_zero or 1 << 20
    yield "falls are fewer than those that lead to zero", everywhere(states["falls"][:, seats] < falls)
    bolts, most_bolts = states["bolts"][:, seats], 0 if rules.bolts == "off" else 2
    yield "bolts are 0, 1 or 2", everywhere((bolts >= 0) & (bolts <= most_bolts))
    dumped = (np.abs(totals) == rules.dump_truck) & (rules.dump_truck > 0) & ~winners
    yield "no total is the dump truck's", everywhere(~dumped)
    yield (
        "the match is over with a winner, or at its last deal",
        (states["phase"] == OVER)
        == ((states["winner"] != NONE) | ((rules.max_deals > 0) & (states["deal"] + 1 >= rules.max_deals))),
    )
    limit = rules.write_off_limit or 1 << 20
    yield "write-offs are within the limit", everywhere(states["write_offs"] <= limit)


def check_all(states: NDArray[Any], rules: RuleSet) -> None:
    for facts in (deal_facts(states, rules), sheet_facts(states, rules)):
        for fact, holds in facts:
            broken = np.flatnonzero(~holds)
            assert not len(broken), f"{fact}: {len(broken)} of {len(states)}, first {states[broken[0]]}"


def check_on_the_way(states: NDArray[Any], rules: RuleSet, rng: np.random.Generator) -> None:
    """Play copies of some fresh deals action by action, and check every state."""
    some = states[rng.integers(0, len(states), SAMPLES)].copy()
    while (some["phase"] < SCORED).any():
        for state in some:
            check_state(state, rules.array())
        masks = engine.legal_actions(some, rules.array())
        assert (masks.any(axis=1) == (some["phase"] < SCORED)).all()
        engine.step(some, rules.array(), (rng.random(masks.shape) * masks).argmax(axis=1))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_million_random_deals_break_no_invariant(name: str, players: int) -> None:
    rules, rng, matches = table(name, players, max_deals=40), np.random.default_rng(players), LANES
    states, numbers = new_states(LANES), np.arange(LANES)
    seen = dict.fromkeys(("mounted", "falls", "redealt", "won", "given up"), 0)
    engine.start_matches(states, rules.array(), np.full(LANES, 11), numbers)
    near_the_barrel(states, rules, rng)
    for batch in range(-(-DEALS // LANES)):
        check_on_the_way(states, rules, rng)
        engine.rollout(states, rules.array(), batch)
        check_all(states, rules)
        for state in states[rng.integers(0, LANES, SAMPLES)]:
            check_state(state, rules.array())
        seen["mounted"] += int((states["mounted"] > 0).sum())
        seen["falls"] += int(((states["events"] & 8) > 0).sum())
        seen["redealt"] += int((states["attempt"] > 0).sum())
        seen["given up"] += int((states["contract"] == 0).sum())
        seen["won"] += int((states["winner"] != NONE).sum())
        over = states["phase"] == OVER
        if batch % 3 == 0:  # three deals suffice for a mount, a fall and a win from the barrel
            over[LANES // 2 :] = True
        fresh = new_states(int(over.sum()))
        engine.start_matches(fresh, rules.array(), np.full(len(fresh), 11), matches + np.arange(len(fresh)))
        near_the_barrel(fresh[: len(fresh) // 2], rules, rng)
        matches += len(fresh)
        engine.next_deals(states, rules.array())
        states[over] = fresh
    rare = {"given up": rules.write_off != "off" or rules.baptism, "redealt": name != "core"}
    assert all(count > 0 for kind, count in seen.items() if rare.get(kind, True)), seen


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_random_matches_end_or_are_cut_off(name: str, players: int) -> None:
    rules = table(name, players, max_deals=25)
    env, games = VectorEnv(200, rules, mode="match", copy=False), np.zeros(200, np.int64)
    _, infos = env.reset(seed=1, options={"totals": [rules.barrel_at - 15] * players, "deal": players})
    rng, cut, won = np.random.default_rng(1), 0, 0
    for _ in range(25 * 60 * 4):
        masks: NDArray[np.int8] = infos["action_mask"]
        _, rewards, terminations, truncations, infos = env.step((rng.random(masks.shape) * masks).argmax(axis=1))
        final = infos["final_info"]
        ended = terminations | truncations
        assert not (terminations & truncations).any()
        assert set(final["games"]) == set(np.flatnonzero(ended))
        assert (final["winner"] != NONE).tolist() == terminations[final["games"]].tolist()
        assert (final["deal"][final["winner"] == NONE] == 24).all()
        assert rewards[ended].sum(axis=1) == pytest.approx(0, abs=1e-5)
        games, won, cut = games + ended, won + int(terminations.sum()), cut + int(truncations.sum())
        if games.all():
            break
    assert games.all()
    assert cut > 0 or won > 0
