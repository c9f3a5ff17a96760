"""Opponents: who sits on the other chairs of a single-seat environment.

An opponent is a policy, an object whose `act` is one, or a text. Texts are read by what other packages provide in the
entry point group `thousand_env.opponents`: functions `(text, rules) -> policy`, each under its package's name.
"""

from collections.abc import Sequence
from importlib.metadata import EntryPoint, entry_points
from typing import Any, cast

from thousand_env.envs.policies import Policy
from thousand_env.errors import ThousandError
from thousand_env.rules import RuleSet

GROUP = "thousand_env.opponents"
_GIVE_A_POLICY = "expected an installed package that reads it, or a policy in its place"


def opponents_by_seat(opponents: Any, seat: int, rules: RuleSet) -> list[Policy | None]:
    """Return who decides for each seat, None for `seat` itself.

    `opponents` is one for all, or a sequence of one for each seat, of which that at `seat` is not read. Raises
    `ThousandError` naming what is none.
    """
    seats = range(rules.players)
    if isinstance(opponents, str) or not isinstance(opponents, Sequence):
        policy = _policy("opponents", opponents, rules)
        return [None if other == seat else policy for other in seats]
    several: list[Any] = list(cast(Sequence[Any], opponents))
    if len(several) != rules.players:
        expected = f"{rules.players}, one for each seat; that of seat {seat} is not read"
        raise ThousandError(f"opponents={several!r}: expected {expected}")
    return [None if other == seat else _policy(f"opponents[{other}]", several[other], rules) for other in seats]


def _policy(name: str, opponent: Any, rules: RuleSet) -> Policy:
    """Return an opponent as a policy."""
    if isinstance(opponent, str):
        opponent = _read(name, opponent, rules)
    policy: Any = getattr(opponent, "act", opponent)
    if not callable(policy):
        raise ThousandError(f"{name}={opponent!r}: expected a policy, an agent with an `act`, or the text of one")
    return cast(Policy, policy)


def _read(name: str, text: str, rules: RuleSet) -> Any:
    """Return the opponent a text names; where several packages read texts, it begins with one's name and a colon."""
    readers = {reader.name: reader for reader in entry_points(group=GROUP)}
    package, colon, rest = text.partition(":")
    if colon and package in readers:
        return _load(name, text, readers[package])(rest.strip(), rules)
    if len(readers) > 1:
        raise ThousandError(
            f"{name}={text!r}: several packages read the texts of opponents; expected a name and a colon before it, of "
            f"{', '.join(sorted(readers))}"
        )
    for reader in readers.values():
        return _load(name, text, reader)(text, rules)
    raise ThousandError(f"{name}={text!r}: no package provides the entry point {GROUP}; {_GIVE_A_POLICY}")


def _load(name: str, text: str, reader: EntryPoint) -> Any:
    """Return the function behind an entry point; raises `ThousandError` when it cannot be imported."""
    try:
        return reader.load()
    except (ImportError, AttributeError) as error:
        raise ThousandError(
            f"{name}={text!r}: {reader.value}, which reads the texts of opponents, cannot be imported ({error}); "
            f"{_GIVE_A_POLICY}"
        ) from error
