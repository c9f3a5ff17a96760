"""RuleSet: the agreements of a table, as a value (RULES.md).

Every field is an int, a bool or a named choice, and every field changes what happens at the table. Kernels read the
same fields, as int32, from the one-element array that `RuleSet.array()` returns; there a choice is its place in the
list of choices and a bool is 0 or 1.
"""

import dataclasses
import difflib
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
BOLT_PENALTY, BOLT_COUNT = range(2)  # blind_bolts
ALL_FALL, ONE_FALLS = range(2)  # barrel_tie
ATTEMPT, DEDUCT = range(2)  # barrel_failed_contract
OPEN_AUCTION, GRANTED = range(2)  # barrel_auction
OFF, OFFER, FORCE = range(3)  # every redeal
NORMAL, OTHERS_PASS, BARRED = range(3)  # negative_auction
EXPLICIT, AUTOMATIC = range(2)  # declare
WITH_QUEEN, WITH_QUEEN_OR_KING = range(2)  # declare_with
THIS_TRICK, NEXT_TRICK = range(2)  # trump_from
NO_TRUMP, LED_ACE, LAST_ACE = range(3)  # ace_marriage_trump
ZERO, REPEAT = range(2)  # golden_none_made
NO_WRITE_OFF, HALF, SIXTY = range(3)  # write_off
NO_POINTS, TALON_POINTS, FIXED_POINTS = range(3)  # dealer_scores
STRICT, TABLE = range(2)  # enforcement


def _number(rule: str, default: int, low: int, high: int, step: int = 1, **named: int) -> Any:
    return field(default=default, metadata={"rule": rule, "range": range(low, high + 1, step), "named": named})


def _switch(rule: str, default: bool) -> Any:
    return field(default=default, metadata={"rule": rule})


def _choice(rule: str, default: str, *choices: str) -> Any:
    return field(default=default, metadata={"rule": rule, "choices": choices})


REDEAL_CHOICES = ("off", "offer", "force")


def _redeal(rule: str) -> Any:
    return _choice(rule, "off", *REDEAL_CHOICES)


@dataclass(frozen=True)
class RuleSet:
    """What a table has agreed on; see RULES.md for each field's rule id and meaning.

    Raises `RuleError`, naming the field, when a value is not one the book knows.

    >>> RuleSet.parse("classic target=1000").target
    1000
    >>> print(RuleSet.parse("core exchange=closed dump_truck=off"))
    core exchange=closed dump_truck=0
    """

    players: int = _number("S1", 3, 2, 4)
    first_dealer: int = _number("S2", LOT, LOT, 3, lot=LOT)
    cut_ceremony: bool = _switch("D2", False)
    cut_single_card: bool = _switch("D2", False)
    dealer_errors: int = _number("D3", 0, 0, 99)
    redeal_forehand_nines: str = _redeal("R1")
    redeal_three_nines: str = _redeal("R2")
    redeal_four_nines: str = _redeal("R3")
    redeal_four_jacks: str = _redeal("R4")
    redeal_low_hand: str = _redeal("R5")
    redeal_hand_below: int = _number("R5", 13, 1, 30)
    redeal_talon_nines: str = _redeal("R6")
    redeal_low_talon: str = _redeal("R7")
    redeal_talon_below: int = _number("R7", 5, 1, 15)
    redeal_talon_jacks: str = _redeal("R8")
    redeal_talon_jacks_and_nine: str = _redeal("R12")
    triple_redeal_fine: bool = _switch("R10", False)
    opening: str = _choice("A1", "at_least_100", "at_least_100", "exactly_100")
    bid_step: int = _number("A2", 5, 5, 20, step=5)
    bid_cap: bool = _switch("A3", True)
    negative_auction: str = _choice("A5", "normal", "normal", "others_pass", "barred")
    talon_at_100: str = _choice("T2", "closed", "closed", "declarer_chooses", "shown")
    exchange: str = _choice("T3", "open", "open", "closed")
    raise_contract: bool = _switch("T4", True)
    must_trump: bool = _switch("P2", True)
    must_beat: bool = _switch("P2", False)
    must_overtrump: bool = _switch("P2", False)
    declare: str = _choice("M2", "explicit", "explicit", "automatic")
    declare_with: str = _choice("M2", "queen", "queen", "king_or_queen")
    trump_from: str = _choice("M3", "this_trick", "this_trick", "next_trick")
    marriage_first_lead: str = _choice("M5", "never", "never", "unbeatable", "always")
    ace_marriage: bool = _switch("M7", False)
    ace_marriage_trump: str = _choice("M7", "none", "none", "led_ace", "last_ace")
    round_to: int = _number("K3", 5, 5, 10, step=5)
    round_declarer: bool = _switch("K2", False)
    bolts: str = _choice("B2", "consecutive", "off", "consecutive", "cumulative")
    blind_bolts: str = _choice("B3", "penalty", "penalty", "count")
    declarer_bolts: bool = _switch("B4", True)
    fine: int = _number("N1", 120, 5, 1000, step=5)
    barrel_at: int = _number("L1", 880, 500, 2000, off=0)
    barrel_skippable: bool = _switch("L1", False)
    barrel_needs: int = _number("L3", 0, 0, MAX_CONTRACT)
    barrel_attempts: int = _number("L4", 3, 0, 99, unlimited=0)
    barrel_failed_contract: str = _choice("L4", "attempt", "attempt", "deduct")
    barrel_falls_to_zero: int = _number("L5", 3, 0, 99, off=0)
    barrel_seats: int = _number("L6", 1, 1, 4)
    barrel_tie: str = _choice("L6", "all_fall", "all_fall", "one_falls")
    barrel_auction: str = _choice("L7", "open", "open", "granted")
    dump_truck: int = _number("L8", 555, 0, 1000, step=5, off=0)
    reverse_barrel: int = _number("L9", 0, 500, 750, step=250, off=0)
    target: int = _number("L3", 1001, 501, 5000)
    golden: bool = _switch("G1", False)
    golden_doubles_marriages: bool = _switch("G1", True)
    golden_none_made: str = _choice("G2", "zero", "zero", "repeat")
    blind: bool = _switch("Z1", False)
    blind_bonus: int = _number("Z2", 0, 0, 1000, step=5)
    write_off: str = _choice("W1", "off", "off", "half", "sixty")
    write_off_limit: int = _number("W2", 0, 0, 99, none=0)
    write_off_on_barrel: bool = _switch("W3", True)
    write_off_with_barrel: bool = _switch("W3", True)
    baptism: bool = _switch("W4", False)
    enforcement: str = _choice("N2", "strict", "strict", "table")
    dealer_scores: str = _choice("F3", "none", "none", "talon", "fixed")
    dealer_fixed: int = _number("F3", 25, 5, 120, step=5)
    bonus_hands: int = _number("X1", 0, 0, 99)
    bonus_suits: int = _number("X1", 0, 0, 99)
    bonus_card: int = _number("X1", 0, 0, 99)
    bank: int = _number("E2", 1, 1, 1_000_000)
    max_deals: int = _number("E3", 0, 0, 1_000_000, none=0)

    def __post_init__(self) -> None:
        for name, definition in FIELDS.items():
            _check(name, definition.metadata, getattr(self, name))
        for rule, apart, fields, expected in self._contradictions():
            if apart:
                names = " with ".join(f"{name}={value_text(name, getattr(self, name))}" for name in fields)
                raise RuleError(f"{names}: expected {expected} ({rule})")

    def _contradictions(self) -> Iterator[tuple[str, bool, tuple[str, ...], str]]:
        """Yield what cannot be agreed on together: rule, whether it is so, the fields, what was expected."""
        barrel, dump = self.barrel_at, self.dump_truck
        yield "S2", self.first_dealer >= self.players, ("first_dealer", "players"), "a seat at the table"
        yield "L3", self.target <= barrel, ("target", "barrel_at"), "the target above the barrel"
        yield "L8", 0 < barrel <= dump, ("dump_truck", "barrel_at"), "the dump truck below the barrel"
        yield "L8", dump >= self.target, ("dump_truck", "target"), "the dump truck below the target"
        needs = barrel > 0 and not MIN_BID <= self.needs <= MAX_CONTRACT
        yield "L3", needs, ("barrel_needs", "target", "barrel_at"), f"a contract of {MIN_BID} to {MAX_CONTRACT}"
        yield "W4", self.baptism and self.write_off != "off", ("baptism", "write_off"), "one of them off"
        sits_out = self.dealer_scores != "none" and self.players != 4
        yield "F3", sits_out, ("dealer_scores", "players"), "four players: no other dealer sits out"
        single = self.cut_single_card and not self.cut_ceremony
        yield "D2", single, ("cut_single_card", "cut_ceremony"), "the ceremony, of which it is a part"

    @property
    def active(self) -> int:
        """How many seats play a deal: with four players the dealer sits out (F1)."""
        return min(self.players, 3)

    @property
    def needs(self) -> int:
        """The contract that wins from the barrel (L3), in points."""
        return self.barrel_needs or self.target - self.barrel_at

    @property
    def plain(self) -> bool:
        """Whether a deal goes as under `core` but for its limits: the tables for which rollouts have a short cut."""
        core = {name: definition.default for name, definition in FIELDS.items()}
        return all(getattr(self, name) == core[name] for name in FIELDS if name not in _OF_PLAIN_TABLES)

    def replace(self, **changes: Any) -> "RuleSet":
        """Return a copy with some fields changed; raises `RuleError` for an unknown field or value."""
        for name in changes:
            if name not in FIELDS:
                raise RuleError(f"{name}: no such field; the fields are {', '.join(FIELDS)}")
        return dataclasses.replace(self, **changes)

    def without_redeals(self) -> "RuleSet":
        """Return the same table with every redeal off (R11): half of all deals could otherwise be dealt again."""
        redeals = [name for name, definition in FIELDS.items() if definition.metadata.get("choices") == REDEAL_CHOICES]
        return self.replace(**dict.fromkeys(redeals, "off"))

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
            if not equals:
                raise RuleError(f"rules {text!r}: {change!r} is not field=value; the fields are {', '.join(FIELDS)}")
            if name not in FIELDS:
                near = difflib.get_close_matches(name, FIELDS)
                known = f"expected {' or '.join(near)}" if near else f"the fields are {', '.join(FIELDS)}"
                raise RuleError(f"rules {text!r}: {name!r} is no field; {known}")
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
RULES_DTYPE = record_dtype([(name, np.int32) for name in [*FIELDS, "needs", "active", "plain"]])

# Fields that the rollouts of `random_play` read, or that matter only once the deal is scored.
_OF_PLAIN_TABLES = {
    *("first_dealer", "opening", "bid_step", "bid_cap", "talon_at_100", "exchange", "raise_contract"),
    *("marriage_first_lead", "ace_marriage_trump", "round_to", "round_declarer", "redeal_hand_below"),
    *("redeal_talon_below", "triple_redeal_fine", "bolts", "blind_bolts", "declarer_bolts", "fine", "barrel_at"),
    *("barrel_skippable", "barrel_needs", "barrel_attempts", "barrel_failed_contract", "barrel_falls_to_zero"),
    *("barrel_seats", "barrel_tie", "dump_truck", "reverse_barrel", "target", "golden_doubles_marriages"),
    *("golden_none_made", "blind_bonus", "write_off_limit", "write_off_on_barrel", "write_off_with_barrel"),
    *("enforcement", "dealer_fixed", "bank", "max_deals"),
}


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
    array["needs"], array["active"], array["plain"] = rules.needs, rules.active, rules.plain
    array.flags.writeable = False
    return array


CORE = RuleSet()
CLASSIC = RuleSet(
    redeal_forehand_nines="offer",
    redeal_four_nines="offer",
    redeal_low_hand="offer",
    redeal_talon_nines="offer",
    redeal_low_talon="offer",
    redeal_talon_jacks_and_nine="offer",
    triple_redeal_fine=True,
    talon_at_100="declarer_chooses",
    marriage_first_lead="unbeatable",
    blind=True,
    write_off="half",
    write_off_limit=3,
    write_off_on_barrel=False,
    write_off_with_barrel=False,
)
ONLINE = RuleSet(
    redeal_three_nines="offer",
    redeal_four_jacks="offer",
    redeal_low_hand="offer",
    redeal_talon_nines="offer",
    redeal_low_talon="offer",
    redeal_talon_jacks="offer",
    exchange="closed",
    ace_marriage=True,
    bolts="cumulative",
    target=1000,
    barrel_falls_to_zero=0,
    barrel_tie="one_falls",
    write_off="half",
)
TYSIAC = RuleSet(
    redeal_four_nines="offer",
    opening="exactly_100",
    bid_step=10,
    exchange="closed",
    must_beat=True,
    must_overtrump=True,
    declare="automatic",
    declare_with="king_or_queen",
    marriage_first_lead="always",
    round_to=10,
    bolts="off",
    barrel_at=900,
    barrel_needs=100,
    barrel_attempts=0,
    barrel_failed_contract="deduct",
    barrel_falls_to_zero=0,
    barrel_seats=3,
    dump_truck=0,
    target=1000,
    write_off="half",
)
PRESETS: dict[str, RuleSet] = {"core": CORE, "classic": CLASSIC, "online": ONLINE, "tysiac": TYSIAC}


def as_rules(rules: "RuleSet | str") -> RuleSet:
    """Return `rules` itself, or the rule set a text names."""
    return RuleSet.parse(rules) if isinstance(rules, str) else rules
