"""RuleSet: the agreements of a table, as a value (RULES.md).

Every field is an int, a bool or a named choice, and every field changes what happens at the table. Kernels read the
same fields, as int32, from the one-element array that `RuleSet.array()` returns; there a choice is its place in the
list of choices and a bool is 0 or 1.
"""

import dataclasses
import functools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thousand_env.cards import MAX_CONTRACT
from thousand_env.errors import RuleError
from thousand_env.jit import record_dtype

MIN_BID = 100
LOT = -1  # first_dealer
AT_LEAST_100, EXACTLY_100 = range(2)  # opening
CLOSED, DECLARER_CHOOSES, SHOWN = range(3)  # talon_at_100
OPEN_GIFTS, CLOSED_GIFTS = range(2)  # exchange
NEVER, UNBEATABLE, ALWAYS = range(3)  # marriage_first_lead
NO_BOLTS, CONSECUTIVE, CUMULATIVE = range(3)  # bolts
ALL_FALL, ONE_FALLS = range(2)  # barrel_tie


def _number(rule: str, default: int, low: int, high: int, step: int = 1, **named: int) -> Any:
    return field(default=default, metadata={"rule": rule, "range": range(low, high + 1, step), "named": named})


def _switch(rule: str, default: bool) -> Any:
    return field(default=default, metadata={"rule": rule})


def _choice(rule: str, default: str, *choices: str) -> Any:
    return field(default=default, metadata={"rule": rule, "choices": choices})


@dataclass(frozen=True)
class RuleSet:
    """What a table has agreed on; see RULES.md for each field's rule id and meaning.

    Raises `RuleError`, naming the field, when a value is not one the book knows.

    >>> RuleSet.parse("classic target=1000").target
    1000
    >>> print(RuleSet.parse("core exchange=closed dump_truck=off"))
    core exchange=closed dump_truck=0
    """

    players: int = _number("S1", 3, 3, 3)
    first_dealer: int = _number("S2", LOT, LOT, 2, lot=LOT)
    opening: str = _choice("A1", "at_least_100", "at_least_100", "exactly_100")
    bid_step: int = _number("A2", 5, 5, 20, step=5)
    bid_cap: bool = _switch("A3", True)
    talon_at_100: str = _choice("T2", "closed", "closed", "declarer_chooses", "shown")
    exchange: str = _choice("T3", "open", "open", "closed")
    raise_contract: bool = _switch("T4", True)
    marriage_first_lead: str = _choice("M5", "never", "never", "unbeatable", "always")
    round_to: int = _number("K3", 5, 5, 10, step=5)
    round_declarer: bool = _switch("K2", False)
    bolts: str = _choice("B2", "consecutive", "off", "consecutive", "cumulative")
    declarer_bolts: bool = _switch("B4", True)
    fine: int = _number("N1", 120, 5, 1000, step=5)
    barrel_at: int = _number("L1", 880, 500, 2000)
    barrel_needs: int = _number("L3", 0, 0, MAX_CONTRACT)
    barrel_attempts: int = _number("L4", 3, 0, 99, unlimited=0)
    barrel_falls_to_zero: int = _number("L5", 3, 0, 99, off=0)
    barrel_seats: int = _number("L6", 1, 1, 4)
    barrel_tie: str = _choice("L6", "all_fall", "all_fall", "one_falls")
    dump_truck: int = _number("L8", 555, 0, 1000, step=5, off=0)
    target: int = _number("L3", 1001, 501, 5000)
    bank: int = _number("E2", 1, 1, 1_000_000)
    max_deals: int = _number("E3", 0, 0, 1_000_000, none=0)

    def __post_init__(self) -> None:
        for name, definition in FIELDS.items():
            _check(name, definition.metadata, getattr(self, name))
        if self.target <= self.barrel_at:
            raise RuleError(
                f"target={self.target} with barrel_at={self.barrel_at}: expected the target above the barrel"
            )
        if self.dump_truck >= self.barrel_at:
            raise RuleError(
                f"dump_truck={self.dump_truck}, barrel_at={self.barrel_at}: expected the dump truck below the barrel"
            )
        if not MIN_BID <= self.needs <= MAX_CONTRACT:
            raise RuleError(f"barrel_needs={self.needs}: expected {MIN_BID} to {MAX_CONTRACT} (0 = target - barrel_at)")

    @property
    def needs(self) -> int:
        """The contract that wins from the barrel (L3), in points."""
        return self.barrel_needs or self.target - self.barrel_at

    def replace(self, **changes: Any) -> "RuleSet":
        """Return a copy with some fields changed; raises `RuleError` for an unknown field or value."""
        for name in changes:
            if name not in FIELDS:
                raise RuleError(f"{name}: no such field; the fields are {', '.join(FIELDS)}")
        return dataclasses.replace(self, **changes)

    def array(self) -> NDArray[Any]:
        """Return the rules as kernels read them: shape (1,), dtype `RULES_DTYPE`, read-only."""
        return _array(self)

    # -- text --------------------------------------------------------------------------------------------------------

    @classmethod
    def parse(cls, text: str) -> "RuleSet":
        """Return the rules written as a preset and differences, as in `classic bid_cap=no fine=100`."""
        preset, *changes = text.split() or [""]
        if preset not in PRESETS:
            raise RuleError(f"rules {text!r}: {preset!r} is not a preset; expected one of {', '.join(PRESETS)}")
        values: dict[str, Any] = {}
        for change in changes:
            name, equals, value = change.partition("=")
            if name not in FIELDS or not equals:
                raise RuleError(f"rules {text!r}: {change!r} is not field=value; the fields are {', '.join(FIELDS)}")
            values[name] = _parse_value(name, value)
        return PRESETS[preset].replace(**values)

    def differences(self, other: "RuleSet") -> Iterator[tuple[str, Any, Any]]:
        """Yield (field, own value, other value) for every field in which two tables differ."""
        for name in FIELDS:
            if getattr(self, name) != getattr(other, name):
                yield name, getattr(self, name), getattr(other, name)

    def __str__(self) -> str:
        """Return the text form: the nearest preset and the differences from it."""
        preset, base = min(PRESETS.items(), key=lambda item: sum(1 for _ in self.differences(item[1])))
        changes = [f"{name}={value_text(name, mine)}" for name, mine, _ in self.differences(base)]
        return " ".join([preset, *changes])

    def as_dict(self) -> dict[str, int | bool | str]:
        """Return field: value, ready for JSON; `RuleSet(**d)` is its inverse."""
        return dataclasses.asdict(self)


FIELDS: dict[str, "dataclasses.Field[Any]"] = {f.name: f for f in dataclasses.fields(RuleSet)}
RULES_DTYPE = record_dtype([(name, np.int32) for name in [*FIELDS, "needs"]])


def _check(name: str, metadata: Any, value: object) -> None:
    choices, numbers = metadata.get("choices"), metadata.get("range")
    if choices:
        if value not in choices:
            raise RuleError(f"{name}={value}: expected one of {', '.join(choices)}")
    elif numbers is None:
        if not isinstance(value, bool):
            raise RuleError(f"{name}={value}: expected yes or no")
    elif isinstance(value, bool) or not isinstance(value, int) or value not in numbers:
        if value in metadata["named"].values():
            return
        step = f" in steps of {numbers.step}" if numbers.step > 1 else ""
        names = "".join(f", or {word}" for word in metadata["named"])
        raise RuleError(f"{name}={value}: expected a number from {numbers.start} to {numbers[-1]}{step}{names}")


def _parse_value(name: str, text: str) -> int | bool | str:
    metadata = FIELDS[name].metadata
    if "choices" in metadata:
        return text
    if "range" not in metadata:
        if text not in ("yes", "no"):
            raise RuleError(f"{name}={text}: expected yes or no")
        return text == "yes"
    if text in metadata["named"]:
        return metadata["named"][text]
    try:
        return int(text)
    except ValueError:
        raise RuleError(f"{name}={text}: expected a number") from None


def value_text(name: str, value: object) -> str:
    """Return a field's value as the text form writes it."""
    if name == "first_dealer" and value == LOT:
        return "lot"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


@functools.lru_cache(maxsize=256)
def _array(rules: RuleSet) -> NDArray[Any]:
    array = np.zeros(1, RULES_DTYPE)
    for name, definition in FIELDS.items():
        value, choices = getattr(rules, name), definition.metadata.get("choices")
        array[name] = choices.index(value) if choices else value
    array["needs"] = rules.needs
    array.flags.writeable = False
    return array


CORE = RuleSet()
CLASSIC = RuleSet(talon_at_100="declarer_chooses", marriage_first_lead="unbeatable")
ONLINE = RuleSet(exchange="closed", bolts="cumulative", target=1000, barrel_falls_to_zero=0, barrel_tie="one_falls")
PRESETS: dict[str, RuleSet] = {"core": CORE, "classic": CLASSIC, "online": ONLINE}


def as_rules(rules: "RuleSet | str") -> RuleSet:
    """Return `rules` itself, or the rule set a text names."""
    return RuleSet.parse(rules) if isinstance(rules, str) else rules
