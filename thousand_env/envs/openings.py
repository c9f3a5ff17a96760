"""Openings: which deal an episode begins with.

A deal is addressed by (seed, match, deal, attempt). The options of `reset` choose match, deal and attempt, and may
write a score sheet as it stands before that deal. They are checked before anything changes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from numpy.typing import NDArray

from thousand_env import deck
from thousand_env.deck import REDEALS_FOR_FINE
from thousand_env.envs.options import MAX_NUMBER, whole_number
from thousand_env.envs.sheets import COLUMNS, read_sheet
from thousand_env.errors import ThousandError
from thousand_env.jit import kernel
from thousand_env.rules import RuleSet
from thousand_env.sheet import write_sheet
from thousand_env.state import NONE, new_states

NUMBERS = ("match", "deal", "attempt", "dealer", "redeal_run", "golden_over")
OPTIONS = (*NUMBERS, *COLUMNS)
NO_SHEET = new_states(0)  # the first deal of a match on a clean sheet
_TOLERATED = "options"  # PettingZoo's api_test resets with {"options": 1} to see that options are taken at all


@dataclass(frozen=True)
class Opening:
    """What the options of a reset ask for: the match's number if they name it, and the sheet if they write one."""

    match: int | None
    sheet: NDArray[Any]  # states, length 1, or 0 for the first deal of a match on a clean sheet


@kernel
def open_row(state: Any, rules: Any, seed: int, match: int, sheet: Any) -> None:
    """Deal the first deal of an episode: of a fresh match, or as `sheet` says when it is not empty."""
    deck.begin_match(state, rules, seed, match)
    if sheet.shape[0] == 0:
        return
    wanted = sheet[0]
    state.deal, state.attempt, state.redeal_run = wanted.deal, wanted.attempt, wanted.redeal_run
    first = deck.lot(rules, seed, match)
    state.dealer = wanted.dealer if wanted.dealer != NONE else (first + wanted.deal) % rules.players
    state.baptised, state.golden_made = wanted.baptised, wanted.golden_made
    for seat in range(rules.players):
        state.totals[seat], state.bolts[seat] = wanted.totals[seat], wanted.bolts[seat]
        state.mounted[seat], state.attempts[seat] = wanted.mounted[seat], wanted.attempts[seat]
        state.falls[seat], state.reverse[seat] = wanted.falls[seat], wanted.reverse[seat]
        state.write_offs[seat], state.bonuses[seat] = wanted.write_offs[seat], wanted.bonuses[seat]
        state.hands[seat] = state.dealt[seat] = 0
    deck.clear_fines(state)
    deck.begin_deal(state, rules)


@kernel
def open_first(states: Any, rules: Any, seed: int, match: int, sheet: Any) -> None:
    """Deal the first deal of an episode in a batch of one."""
    open_row(states[0], rules[0], seed, match, sheet)


def read_options(options: Mapping[str, Any] | None, rules: RuleSet) -> Opening:
    """Return the opening that options ask for; raises `ThousandError` naming the option that cannot be."""
    given = {name: value for name, value in (options or {}).items() if name != _TOLERATED}
    if not given:
        return Opening(None, NO_SHEET)
    for name in given:
        if name not in OPTIONS:
            raise ThousandError(f"options: {name!r} is not one of {', '.join(OPTIONS)}")
    most = dict.fromkeys(NUMBERS, MAX_NUMBER) | {"dealer": rules.players - 1, "golden_over": 1}
    if rules.triple_redeal_fine:
        most["redeal_run"] = REDEALS_FOR_FINE - 1
    for name in NUMBERS:
        if name in given:
            given[name] = whole_number(f"options: {name}", given[name], 0, most[name])
    match = given.pop("match", None)
    return Opening(match, _written(given, rules) if given else NO_SHEET)


def _written(given: dict[str, Any], rules: RuleSet) -> NDArray[Any]:
    """Return the deal, dealer and score sheet that options ask for, as a state of which only these count."""
    attempt, run = given.get("attempt", 0), given.get("redeal_run", 0)
    if run > attempt:
        raise ThousandError(f"options: redeal_run={run}: expected at most the `attempt`, which is {attempt} (R10)")
    states = new_states(1)
    states["dealer"] = given.get("dealer", NONE)
    write_sheet(states[0], replace(read_sheet(given, rules), attempt=attempt, redeals=run))
    return states
