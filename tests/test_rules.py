"""RuleSet: fields, presets, text; and RULES.md, which lists them."""

import json
import pickle
import re
from importlib import resources
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from thousand_env.errors import RuleError
from thousand_env.rules import FIELDS, PRESETS, RuleSet, as_rules, value_text

RULES_MD = resources.files("thousand_env").joinpath("RULES.md").read_text(encoding="utf-8")


def field_values(name: str) -> st.SearchStrategy[Any]:
    metadata = FIELDS[name].metadata
    if "choices" in metadata:
        return st.sampled_from(metadata["choices"])
    numbers = metadata.get("range")
    return st.booleans() if numbers is None else st.sampled_from([*numbers[:40], numbers[-1]])


@st.composite
def rule_sets(draw: st.DrawFn) -> RuleSet:
    names = draw(st.sets(st.sampled_from(sorted(FIELDS)), max_size=6))
    changes = {name: draw(field_values(name)) for name in sorted(names)}
    try:
        return PRESETS[draw(st.sampled_from(sorted(PRESETS)))].replace(**changes)
    except RuleError:
        assume(False)
        raise


@given(rule_sets())
def test_rules_are_read_as_they_are_written(rules: RuleSet) -> None:
    assert RuleSet.parse(str(rules)) == rules


@given(rule_sets())
def test_rules_go_through_json_and_pickle(rules: RuleSet) -> None:
    assert RuleSet(**json.loads(json.dumps(rules.as_dict()))) == rules
    assert pickle.loads(pickle.dumps(rules)) == rules


@given(rule_sets())
def test_kernels_read_the_same_values(rules: RuleSet) -> None:
    array = rules.array()
    assert array.shape == (1,)
    for name, definition in FIELDS.items():
        value, choices = getattr(rules, name), definition.metadata.get("choices")
        assert array[name][0] == (choices.index(value) if choices else value)


def test_the_text_of_rules_is_the_nearest_preset_and_the_difference() -> None:
    assert [str(preset) for preset in PRESETS.values()] == ["core", "classic", "online", "tysiac"]
    assert str(RuleSet.parse("core bolts=cumulative")) == "core bolts=cumulative"
    assert str(PRESETS["core"].replace(**PRESETS["classic"].as_dict())) == "classic"


def test_names_may_stand_for_numbers() -> None:
    rules = RuleSet.parse("core first_dealer=lot barrel_attempts=unlimited barrel_falls_to_zero=off dump_truck=off")
    assert (rules.first_dealer, rules.barrel_attempts, rules.barrel_falls_to_zero, rules.dump_truck) == (-1, 0, 0, 0)


@pytest.mark.parametrize(
    ("text", "needs"),
    [("classic", 121), ("online", 120), ("core barrel_needs=200", 200), ("core barrel_at=900", 101)],
)
def test_the_barrel_needs_what_is_missing_to_the_target(text: str, needs: int) -> None:
    assert RuleSet.parse(text).needs == RuleSet.parse(text).array()["needs"][0] == needs


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is not a preset"),
        ("poker", "'poker' is not a preset; expected one of core, classic, online, tysiac"),
        ("core bolts", "'bolts' is not field=value"),
        ("core bidcap=no", "'bidcap' is no field; expected bid_cap"),
        ("core jokers=2", "'jokers' is no field; the fields are players, "),
        ("core bolts=sometimes", "bolts=sometimes: expected one of off, consecutive, cumulative"),
        ("core bid_cap=maybe", "bid_cap=maybe: expected yes or no"),
        ("core fine=lots", "fine=lots: expected a number"),
        ("core fine=7", "fine=7: expected a number from 5 to 1000 in steps of 5"),
        ("core first_dealer=4", "first_dealer=4: expected a number from -1 to 3, or lot"),
        ("core players=5", "players=5: expected a number from 2 to 4"),
        ("core first_dealer=3", "first_dealer=3 with players=3: expected a seat at the table (S2)"),
        ("core target=880", "target=880 with barrel_at=880: expected the target above the barrel (L3)"),
        ("core target=2000", "barrel_needs=0 with target=2000 with barrel_at=880: expected a contract of 100 to 400"),
        ("core dump_truck=880", "dump_truck=880 with barrel_at=880: expected the dump truck below the barrel (L8)"),
        ("core barrel_at=0 target=501", "dump_truck=555 with target=501: expected the dump truck below the target"),
        ("core baptism=yes write_off=half", "baptism=yes with write_off=half: expected one of them off (W4)"),
        ("core dealer_scores=talon", "dealer_scores=talon with players=3: expected four players"),
        ("core cut_single_card=yes", "cut_single_card=yes with cut_ceremony=no: expected the ceremony"),
    ],
)
def test_rules_that_cannot_be_played_are_refused_by_field(text: str, message: str) -> None:
    with pytest.raises(RuleError, match=re.escape(message)):
        RuleSet.parse(text)


def test_one_call_switches_all_redeals_off() -> None:
    rules = RuleSet.parse("classic").without_redeals()
    assert rules == RuleSet.parse("classic redeal_forehand_nines=off redeal_four_nines=off redeal_low_hand=off "
        "redeal_talon_nines=off redeal_low_talon=off redeal_talon_jacks_and_nine=off")  # fmt: skip


@pytest.mark.parametrize(("text", "active"), [("core", 3), ("core players=2", 2), ("core players=4", 3)])
def test_with_four_players_three_play(text: str, active: int) -> None:
    assert RuleSet.parse(text).active == RuleSet.parse(text).array()["active"][0] == active


def test_an_unknown_field_is_refused_by_name() -> None:
    with pytest.raises(RuleError, match="jokers: no such field; the fields are players, first_dealer"):
        RuleSet().replace(jokers=2)


def test_a_switch_is_no_number_and_a_number_no_switch() -> None:
    with pytest.raises(RuleError, match="bid_cap=1: expected yes or no"):
        RuleSet(bid_cap=1)  # pyright: ignore[reportArgumentType] the mistake under test
    with pytest.raises(RuleError, match="fine=True: expected a number"):
        RuleSet(fine=True)


def test_rules_are_a_value() -> None:
    assert RuleSet.parse("core fine=100") == RuleSet(fine=100)
    assert len({RuleSet(), RuleSet.parse("core"), RuleSet(fine=100)}) == 2
    assert as_rules("online") == as_rules(PRESETS["online"]) == PRESETS["online"]
    assert list(RuleSet().differences(RuleSet(fine=100))) == [("fine", 120, 100)]


# -- RULES.md --------------------------------------------------------------------------------------------------------


def described(name: str) -> str:
    """The values of a field as the table of RULES.md names them."""
    metadata = FIELDS[name].metadata
    if "range" not in metadata:
        return ", ".join(metadata.get("choices", ("yes", "no")))
    numbers = metadata["range"]
    text = f"{numbers.start} to {numbers[-1]}" if len(numbers) > 1 else str(numbers.start)
    text += f" in steps of {numbers.step}" if numbers.step > 1 else ""
    return text + "".join(f" ({value}: {word})" for word, value in metadata["named"].items())


def test_the_table_in_rules_md_lists_every_field_as_it_is() -> None:
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in re.findall(r"^\| `.*$", RULES_MD, re.M)]
    expected = [
        [
            f"`{name}`",
            field.metadata["rule"],
            described(name),
            *(value_text(name, getattr(p, name)) for p in PRESETS.values()),
        ]
        for name, field in FIELDS.items()
    ]
    assert rows == expected


def test_rules_md_explains_the_rule_of_every_field_and_names_the_field_there() -> None:
    text = RULES_MD.partition("## The fields")[0]
    for name, field in FIELDS.items():
        assert f"- **{field.metadata['rule']}** " in text, name
        assert f"`{name}" in text, name


def test_every_rule_id_is_defined_once() -> None:
    ids = re.findall(r"^- \*\*([A-Z]\d+)\*\* ", RULES_MD, re.M)
    assert len(ids) == len(set(ids)) > 80
