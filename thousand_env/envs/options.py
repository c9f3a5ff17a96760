"""Options: what a caller may give an environment, checked with messages that name the option."""

import operator
from collections.abc import Iterable
from typing import Any

from thousand_env.errors import ThousandError
from thousand_env.rules import RuleSet, as_rules

MAX_NUMBER = 2**31 - 1  # of a match, a deal or an attempt


def table_rules(rules: RuleSet | str, players: int | None) -> RuleSet:
    """Return the rules of a table, for so many players if a number is given; raises `RuleError` for what cannot be."""
    if players is None:
        return as_rules(rules)
    seats = whole_number("players", players, 2, 4)
    if isinstance(rules, str):
        return RuleSet.parse(f"{rules} players={seats}")  # read at once: some agreements are for four players alone
    return rules.replace(players=seats)


def check_seed(seed: object) -> int:
    """Return a seed as an int; raises `ThousandError` for what is not one of 64 bits."""
    return whole_number("seed", seed, -(2**63), 2**63 - 1)


def whole_number(name: str, value: Any, low: int, high: int) -> int:
    """Return a number as an int; raises `ThousandError` naming it when it is none, or out of bounds."""
    try:
        number = low - 1 if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = low - 1
    if not low <= number <= high:
        raise ThousandError(f"{name}={value!r}: expected a whole number from {low} to {high}")
    return number


def one_of(name: str, value: Any, expected: Iterable[str]) -> str:
    """Return a value that is one of the expected words; raises `ThousandError` naming the option otherwise."""
    words = tuple(expected)
    if value not in words:
        raise ThousandError(f"{name}={value!r}: expected one of {', '.join(words)}")
    return value
