"""No field of `RuleSet` is decoration: each of its values changes something that legal play leads to."""

from __future__ import annotations

from typing import Any

import pytest

from tests.field_cases import CASES, Case
from thousand_env.rules import FIELDS, RuleSet


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_value_makes_the_difference_the_book_says(case: Case) -> None:
    without, with_it = case.rules()
    assert case.show(without) == case.usual
    assert case.show(with_it) == case.changed
    assert case.usual != case.changed


def values_to_show(name: str) -> set[Any]:
    """Every other choice of a field, both ways of a switch, and of a number at least one other than `core` has."""
    metadata, value = FIELDS[name].metadata, getattr(RuleSet(), name)
    if "choices" in metadata:
        return set(metadata["choices"]) - {value}
    return {not value} if "range" not in metadata else set()


@pytest.mark.parametrize("name", FIELDS)
def test_every_value_of_every_field_is_shown(name: str) -> None:
    shown = {case.value for case in CASES if case.field == name}
    assert shown - {getattr(RuleSet(), name)}
    assert values_to_show(name) <= shown
