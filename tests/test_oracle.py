"""What other programs say: the cases of their tests and four hundred deals they have played, in the engine.

`data/cases.json` names the program each case comes from, and says which cases are left out and why. Where a program
plays by another rule than the book, a case holds our result and its own, `theirs`, which the engine must not give.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest

import thousand_env
from tests import positions
from tests.dealer import packs_of_matches
from tests.positions import DATA, Trace, traces
from tests.table import Settled, Table, card_set
from thousand_env import auction, cards, engine, play, play_v0, scoring
from thousand_env.rules import RuleSet
from thousand_env.spelling import set_text
from thousand_env.state import NONE, PHASE_NAMES, new_states

Case: TypeAlias = dict[str, Any]

FILE: dict[str, Any] = json.loads((DATA / "cases.json").read_text(encoding="ascii"))
ODDS: dict[str, Any] = json.loads((DATA / "odds.json").read_text(encoding="ascii"))


def cases(kind: str) -> list[Any]:
    """The cases of a kind, as test parameters named after them."""
    return [pytest.param(case, id=case["id"]) for case in FILE["cases"] if case["kind"] == kind]


def agree(case: Case, expect: Case, look: Callable[[Case], Case]) -> None:
    """What is found is what the case says, and not what a program with another rule says.

    `look` finds what answers to the names of an expectation.
    """
    assert look(expect) == expect
    if "theirs" in case:
        assert look(case["theirs"]) != case["theirs"]


def agrees(case: Case, **found: Any) -> None:
    """The same for a case that has its answers beside its questions."""
    agree(case, {name: case[name] for name in found}, lambda expect: {name: found[name] for name in expect})


def told(found: list[int] | int | str | None, expected: Any) -> Any:
    """What is found, without what the source does not tell: a column has None there."""
    if not isinstance(found, list):
        return found
    return [None if say is None else value for value, say in zip(found, expected, strict=True)]


def suit(letter: str | None) -> int:
    """The suit of a letter, NONE for none."""
    return NONE if letter is None else "scdh".index(letter)


def winner_of(trick: Sequence[int], trump: int) -> int:
    """The place of the card that takes a trick."""
    winner = 0
    for place, card in enumerate(trick):
        if place and play.beats(card, trick[winner], trump):
            winner = place
    return winner


def rules_of(case: Case) -> Any:
    """The rules of a case as kernels read them; those of `core` where others would answer the same."""
    return RuleSet.parse(case.get("rules", "core")).array()[0]


# -- the rules of cards ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", cases("points"))
def test_cards_are_worth_what_others_say(case: Case) -> None:
    agrees(case, points=cards.set_points(card_set(case["cards"])))


@pytest.mark.parametrize("case", cases("marriages"))
def test_marriages_are_worth_what_others_say(case: Case) -> None:
    agrees(case, value=cards.marriages_value(card_set(case["cards"])))


@pytest.mark.parametrize("case", cases("trick"))
def test_tricks_go_to_the_seat_others_say(case: Case) -> None:
    trick = [cards.parse_card(card) for card in case["trick"].split()]
    found = {"winner": winner_of(trick, suit(case["trump"])), "points": sum(map(cards.card_points, trick))}
    agrees(case, **{name: found[name] for name in found if name in case})


@pytest.mark.parametrize("case", cases("legal"))
def test_a_hand_may_play_what_others_say(case: Case) -> None:
    trick, trump = [cards.parse_card(card) for card in case["trick"].split()], suit(case["trump"])
    led = cards.suit_of(trick[0]) if trick else NONE
    best = trick[winner_of(trick, trump)] if trick else NONE
    agrees(case, legal=set_text(play.playable(card_set(case["hand"]), led, best, trump, rules_of(case))))


@pytest.mark.parametrize("case", cases("round"))
def test_points_round_as_others_say(case: Case) -> None:
    agrees(case, rounded=scoring.round_points(case["points"], case["step"]))


@pytest.mark.parametrize("case", cases("cap"))
def test_a_hand_may_bid_up_to_what_others_say(case: Case) -> None:
    agrees(case, cap=auction.bid_limit(card_set(case["hand"]), rules_of(case)))


@pytest.mark.parametrize("case", cases("declarable"))
def test_a_leader_may_declare_what_others_say(case: Case) -> None:
    suits = play.declarable(card_set(case["hand"]), case["tricks"], case["plays"], rules_of(case))
    agrees(case, declarable="".join(letter for letter in "scdh" if suits >> suit(letter) & 1))


@pytest.mark.parametrize("case", cases("needs"))
def test_the_barrel_needs_what_others_say(case: Case) -> None:
    agrees(case, needs=RuleSet.parse(case["rules"]).needs)


# -- whole games -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", cases("odds"))
def test_deals_are_as_likely_as_others_count(case: Case) -> None:
    agrees(case, odds=ODDS["deals"][case["event"]])  # test_odds sees whether the dealer keeps to them


@pytest.mark.parametrize("case", cases("deal"))
def test_the_pack_is_given_out_as_others_say(case: Case) -> None:
    states = new_states(1)
    engine.start_matches(states, RuleSet().array(), np.array([7]), np.array([0]))
    pack = packs_of_matches(1, seed=7)[0].tolist()
    laid = [int(states["talon_order"][0]) >> 5 * place & 31 for place in range(3)]
    hands = [int(hand).bit_count() for hand in states["hands"][0][:3]]
    agrees(case, talon=[pack.index(card) for card in laid], hands=hands)


@pytest.mark.parametrize("case", cases("turn"))
def test_a_seat_out_of_turn_may_play_what_others_say(case: Case) -> None:
    env = play_v0.env()
    env.reset(seed=1)
    masks = {agent: env.observe(agent)["action_mask"] for agent in env.agents}
    assert masks.pop(env.agent_selection).any()
    agrees(case, legal=any(mask.any() for mask in masks.values()))


@pytest.mark.parametrize("case", cases("whole"))
def test_deals_end_as_others_say(case: Case) -> None:
    rules, states = RuleSet.parse(case["rules"]).array(), new_states(1000)
    engine.start_matches(states, rules, np.full(1000, 7), np.arange(1000))
    engine.rollout(states, rules, 7)
    declared = states["marriages"].sum(axis=1)
    assert declared.any()
    assert set((engine.deal_score(states, rules).sum(axis=1) - declared).tolist()) == {case["captured"]}
    assert np.unique(states["hands"]).tolist() == [case["hands"]]


@pytest.mark.parametrize("case", cases("table"))
def test_deals_go_as_others_say(case: Case) -> None:
    sheet, asks = case.get("sheet", {}), case.get("asks", False)
    table = Table(case["rules"], case["position"], case["actions"], asks=asks, **sheet)
    agree(case, case["expect"], lambda expect: seen(table, expect))


def seen(table: Table, expect: Case) -> Case:
    """What there is on the table of what is expected."""
    state, trump = table.state, int(table.state.trump)
    found: Case = {
        "trump": None if trump == NONE else "scdh"[trump],
        "phase": PHASE_NAMES[state.phase],
        "sizes": [int(hand).bit_count() for hand in table.column("hands")],
        "doubled": bool(scoring.is_doubled(state, table.array[0])),
        "points": table.points(),
    }
    found |= {name: table.column(name) for name in ("score", "bolts", "tricks", "marriages")}
    numbers = ("turn", "declarer", "bid", "talon_open", "contract", "dealer", "deal", "attempt")
    found |= {name: int(state[name]) for name in numbers}
    found = {name: told(found[name], expect[name]) for name in expect if name in found}
    return found | legal(table, expect)


def legal(table: Table, expect: Case) -> Case:
    """Those of the actions spoken of that are legal, illegal, or all there are."""
    actions = table.legal()
    found = {
        "only": sorted(actions),
        "legal": [action for action in expect.get("legal", []) if action in actions],
        "illegal": [action for action in expect.get("illegal", []) if action not in actions],
    }
    return {name: found[name] for name in found if name in expect}


@pytest.mark.parametrize("case", cases("settle"))
def test_finished_deals_are_settled_as_others_say(case: Case) -> None:
    settled = Settled(case["rules"], **case.get("match", {}), **case.get("sheet", {}))
    history: list[list[int]] = []
    for deal in case["deals"]:
        settled.enter(**deal)
        history.append(settled.column("totals"))
    columns = ("totals", "score", "bolts", "marriages", "mounted", "attempts", "falls", "reverse")
    found: Case = {name: settled.column(name) for name in columns} | {"winner": int(settled.state.winner)}
    found["history"] = [totals[case.get("seat", 0)] for totals in history]
    agree(case, case["expect"], lambda expect: {name: told(found[name], expect[name]) for name in expect})


# -- all of them -----------------------------------------------------------------------------------------------------

KINDS = {
    *("points", "marriages", "trick", "legal", "round", "cap", "declarable", "needs"),
    *("odds", "deal", "turn", "whole", "table", "settle"),
}


def source_ids() -> list[str]:
    """The ids of all cases there are, from ranges such as `2-3 5`."""
    ranges = re.findall(r"(\d+)(?:-(\d+))?", FILE["ids"])
    return [f"c{number:03}" for first, last in ranges for number in range(int(first), int(last or first) + 1)]


def test_every_case_is_played_or_left_out_for_a_reason() -> None:
    played = {case["id"] for case in FILE["cases"]}
    left_out = [name for group in FILE["left_out"] for name in group["ids"] if group["reason"]]
    assert {case["kind"] for case in FILE["cases"]} == KINDS
    assert sorted([*played, *left_out]) == source_ids()
    assert (len(played), len(left_out)) == (292, 8)


def test_who_differs_from_the_book_is_told_the_rule() -> None:
    book = (Path(thousand_env.__file__).parent / "RULES.md").read_text(encoding="utf-8")
    assert [case["id"] for case in FILE["cases"] if ("why" in case) != ("theirs" in case)] == []
    named = {case["why"].partition(":")[0] for case in FILE["cases"] if "why" in case}
    assert {rule for rule in named if f"**{rule}**" not in book} == set()


# -- whole deals -----------------------------------------------------------------------------------------------------


def replayed(trace: Trace, rules: str, contract: int) -> Table:
    """Play the deal, comparing the legal cards before every ply and the tricks at the end."""
    table = Table(rules, f"{(trace['leader'] - 1) % 3} {trace['hands']} -", contract=contract)
    tricks: list[list[int]] = []
    for legal, action in zip(trace["legal"].split(), trace["plays"].split(), strict=True):
        assert {card.removesuffix("+") for card in table.legal()} == set(positions.cards(legal))
        before, won = table.column("captured"), table.column("tricks")
        table.act(action)
        for seat in range(3):
            if table.column("tricks")[seat] > won[seat]:
                gathered: int = table.column("captured")[seat] ^ before[seat]
                tricks.append([seat, cards.set_points(gathered)])
    assert tricks == trace["tricks"]
    return table


@pytest.mark.parametrize("rounding", ["no", "yes"])
@pytest.mark.parametrize("profile", positions.PROFILES)
def test_a_hundred_deals_of_another_engine_replay_to_the_same_score(profile: str, rounding: str) -> None:
    rules = f"{positions.PROFILES[profile]} round_declarer={rounding}"
    assert len(traces(profile)) == 100
    for trace in traces(profile):
        for contract, exact, with_rounding in trace["scores"]:
            table = replayed(trace, rules, contract)
            assert [cards.set_points(pile) for pile in table.column("captured")] == trace["captured"]
            assert table.column("tricks") == trace["tricks_won"]
            assert table.column("marriages") == trace["marriage_points"]
            assert table.column("score") == (exact if rounding == "no" else with_rounding)
