"""The engine against the reference, ply by ply, over random tables, sheets, packs and ways to play."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest

from tests.differential import Mismatch, Tally, Twins, play_match, run
from tests.reference_tables import CLASSIC, CORE, ONLINE, RULES_IN_SCOPE, TYSIAC
from thousand_env.rules import FIELDS, PRESETS, RuleSet


def test_the_presets_of_the_reference_are_those_of_the_engine() -> None:
    assert {name: rules.as_dict() for name, rules in PRESETS.items()} == {
        "core": CORE,
        "classic": CLASSIC,
        "online": ONLINE,
        "tysiac": TYSIAC,
    }


def test_engine_and_reference_agree_on_every_ply_and_every_rule_fires_a_hundred_times(
    capsys: pytest.CaptureFixture[str],
) -> None:
    tally = run(seed=1, plies=300_000)
    with capsys.disabled():
        print(f"\n{tally.table()}")
    assert tally.plies >= 300_000
    assert tally.seldom() == []
    assert set(tally.fired) == set(RULES_IN_SCOPE)
    assert [agreement for agreement in agreements() if tally.tables[agreement] < 50] == []


def agreements() -> list[str]:
    """Every value of every named choice and switch, as `field=value`."""
    values = {name: definition.metadata.get("choices", (False, True)) for name, definition in FIELDS.items()}
    return [f"{name}={value}" for name in FIELDS if "range" not in FIELDS[name].metadata for value in values[name]]


@pytest.mark.slow
def test_engine_and_reference_agree_for_millions_of_plies(capsys: pytest.CaptureFixture[str]) -> None:
    seed = int(os.environ.get("THOUSAND_ENV_SOAK_SEED", "1000"))
    tally = run(seed, plies=int(os.environ.get("THOUSAND_ENV_SOAK_PLIES", "5000000")))
    with capsys.disabled():
        print(f"\nseed {seed}: {tally.table()}")
    assert tally.seldom() == []


def test_a_match_depends_on_its_seed_and_number_only() -> None:
    alone, again = Tally(), Tally()
    play_match(7, 3, alone)
    run(7, 500)
    play_match(7, 3, again)
    assert alone == again


def change(name: str, seat: int, amount: int) -> Callable[[Any], None]:
    """Something that goes wrong in one seat's field of the engine."""

    def spoil(states: Any) -> None:
        states[name][0, seat] += amount

    return spoil


def swap_two_cards(states: Any) -> None:
    """Exchange the lowest cards of two hands."""
    first, second = (int(hand & -hand) for hand in states["hands"][0, :2])
    states["hands"][0, :2] ^= first | second


def show_the_talon(states: Any) -> None:
    states["talon_open"] = 1 - states["talon_open"]


def make_trump(states: Any) -> None:
    states["trump"] = 2


def compare_for_every_seat(twins: Twins) -> None:
    """What a seat sees is compared in turn, a seat a ply."""
    for _ in twins.seats:
        twins.compare()


@pytest.mark.parametrize(
    ("spoil", "name"),
    [
        (change("totals", 1, 5), "totals"),
        (change("bolts", 2, 1), "bolts"),
        (change("falls", 0, 1), "falls"),
        (change("early", 0, 120), "early"),
        (change("offences", 2, 1), "offences"),
        (change("captured", 1, 1), "captured"),
        (change("marriages", 0, 40), "points"),
        (swap_two_cards, "legal actions|hands"),
        (show_the_talon, "sight of seat [012]"),
        (make_trump, "legal actions|trump"),
    ],
)
def test_a_difference_is_told_with_the_way_to_see_it_again(spoil: Callable[[Any], None], name: str) -> None:
    twins = Twins(RuleSet.parse("core talon_at_100=closed"), 5, 0)
    twins.deal()
    for action in ("100", "pass", "pass"):
        twins.act(action)
    spoil(twins.states)
    with pytest.raises(Mismatch, match=rf"(?s)^({name}): the engine says .*again: python -m .* --seed 5 --match 0$"):
        compare_for_every_seat(twins)
