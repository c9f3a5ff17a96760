"""What other programs say: a hundred deals they have played, and the cases of their tests, in the engine.

`data/cases.json` names the program each case comes from, and says which cases are left out and why.
"""

from __future__ import annotations

import json
from typing import Any, TypeAlias

import pytest

from tests import positions
from tests.positions import DATA, Trace, traces
from tests.table import Settled, Table, card_set
from thousand_env import auction, cards, play, scoring
from thousand_env.rules import CORE, RuleSet
from thousand_env.state import NONE, PHASE_NAMES

Case: TypeAlias = dict[str, Any]

FILE: dict[str, Any] = json.loads((DATA / "cases.json").read_text(encoding="ascii"))


def cases(kind: str) -> list[Any]:
    """The cases of a kind, as test parameters named after them."""
    return [pytest.param(case, id=case["id"]) for case in FILE["cases"] if case["kind"] == kind]


def suit(letter: str | None) -> int:
    """The suit of a letter, NONE for none."""
    return NONE if letter is None else "scdh".index(letter)


@pytest.mark.parametrize("case", cases("points"))
def test_cards_are_worth_what_others_say(case: Case) -> None:
    assert cards.set_points(card_set(case["cards"])) == case["points"]


@pytest.mark.parametrize("case", cases("marriages"))
def test_marriages_are_worth_what_others_say(case: Case) -> None:
    assert cards.marriages_value(card_set(case["cards"])) == case["value"]


@pytest.mark.parametrize("case", cases("trick"))
def test_tricks_go_to_the_seat_others_say(case: Case) -> None:
    trick, trump = [cards.parse_card(card) for card in case["trick"].split()], suit(case["trump"])
    winner = 0
    for place, card in enumerate(trick):
        if place and play.beats(card, trick[winner], trump):
            winner = place
    assert winner == case["winner"]
    assert sum(map(cards.card_points, trick)) == case.get("points", sum(map(cards.card_points, trick)))


@pytest.mark.parametrize("case", cases("legal"))
def test_a_hand_may_play_what_others_say(case: Case) -> None:
    led = suit(case["trick"][0]) if case["trick"] else NONE
    best = cards.NUM_RANKS * led if case["trick"] else NONE
    found = play.playable(card_set(case["hand"]), led, best, suit(case["trump"]), CORE.array()[0])
    assert found == card_set(case["legal"])


@pytest.mark.parametrize("case", cases("round"))
def test_points_round_as_others_say(case: Case) -> None:
    assert scoring.round_points(case["points"], case["step"]) == case["rounded"]


@pytest.mark.parametrize("case", cases("cap"))
def test_a_hand_may_bid_up_to_what_others_say(case: Case) -> None:
    assert auction.bid_limit(card_set(case["hand"]), RuleSet().array()[0]) == case["cap"]


@pytest.mark.parametrize("case", cases("declarable"))
def test_a_leader_may_declare_what_others_say(case: Case) -> None:
    rules = RuleSet.parse(case["rules"]).array()[0]
    suits = play.declarable(card_set(case["hand"]), case["tricks"], case["plays"], rules)
    assert "".join(letter for letter in "scdh" if suits >> suit(letter) & 1) == case["declarable"]


@pytest.mark.parametrize("case", cases("needs"))
def test_the_barrel_needs_what_others_say(case: Case) -> None:
    assert RuleSet.parse(case["rules"]).needs == case["needs"]


@pytest.mark.parametrize("case", cases("table"))
def test_deals_go_as_others_say(case: Case) -> None:
    table = Table(case["rules"], case["position"], case["actions"], **case.get("sheet", {}))
    state, legal = table.state, table.legal()
    expect: Case = dict(case["expect"])
    trump = int(state.trump)
    found: Case = {
        "points": table.points(),
        "trump": None if trump == NONE else "scdh"[trump],
        "phase": PHASE_NAMES[state.phase],
        "sizes": [int(hand).bit_count() for hand in table.column("hands")],
        "only": sorted(legal),
        "legal": [action for action in expect.get("legal", []) if action in legal],
        "illegal": [action for action in expect.get("illegal", []) if action not in legal],
    }
    found |= {name: int(state[name]) for name in ("turn", "declarer", "bid", "talon_open")}
    expect |= {"only": sorted(expect["only"])} if "only" in expect else {}
    assert {name: found[name] for name in expect} == expect


@pytest.mark.parametrize("case", cases("settle"))
def test_finished_deals_are_settled_as_others_say(case: Case) -> None:
    settled = Settled(case["rules"], **case.get("sheet", {}))
    expect: Case = dict(case["expect"])
    history: list[int] = []
    seat: int = expect.pop("seat", 0)
    for deal in case["deals"]:
        settled.enter(**deal)
        history.append(settled.column("totals")[seat])
    assert history == expect.pop("history", history)
    assert settled.state.winner == expect.pop("winner", settled.state.winner)
    for name, column in expect.items():
        told = [seat for seat, value in enumerate(column) if value is not None]
        assert [settled.column(name)[seat] for seat in told] == [column[seat] for seat in told], name


def test_every_case_is_played_or_left_out_for_a_reason() -> None:
    kinds = {"points", "marriages", "trick", "legal", "round", "cap", "declarable", "needs", "table", "settle"}
    assert {case["kind"] for case in FILE["cases"]} == kinds
    played = {case["id"] for case in FILE["cases"]}
    left_out = [name for group in FILE["left_out"] for name in group["ids"]]
    assert (len(played), len(left_out)) == (171, 18)
    assert played.isdisjoint(left_out)


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
