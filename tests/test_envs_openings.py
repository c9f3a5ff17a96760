"""Score sheets in the options of a reset: what can stand on one is taken, what cannot is refused."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.env_tables import TABLES, table
from thousand_env import engine, match_v0
from thousand_env.envs.openings import NUMBERS, open_first, read_options
from thousand_env.envs.sheets import COLUMNS
from thousand_env.errors import ThousandError
from thousand_env.rules import RuleSet
from thousand_env.sheet import BONUS_KINDS
from thousand_env.state import GOLDEN_OVER, SCORED, new_states
from thousand_env.vector import VectorEnv


def columns_of(state: Any, players: int) -> dict[str, list[int]]:
    """The score sheet of a state as options."""
    columns = {name: state[name][:players].tolist() for name in COLUMNS[: COLUMNS.index("baptised")]}
    for name in ("baptised", "golden_made"):
        columns[name] = [int(state[name]) >> seat & 1 for seat in range(players)]
    for place, name in enumerate(BONUS_KINDS):
        columns[name] = [int(used) >> 8 * place & 255 for used in state.bonuses[:players]]
    return columns


def opened(rules: RuleSet, match: int, options: dict[str, Any]) -> NDArray[Any]:
    """The game that a reset with these options begins."""
    states = new_states(1)
    open_first(states, rules.array(), 5, match, read_options(options, rules).sheet)
    return states


def near_the_barrel(rules: RuleSet, match: int) -> dict[str, Any]:
    """Options with which the barrel and the reverse barrel come up soon; golden deals must be behind for that."""
    rng = np.random.default_rng(match)
    totals = (rules.barrel_at - 5 * rng.integers(1, 30, rules.players)).tolist()
    totals[match % rules.players] = -860
    return {"totals": totals, "deal": 4} if rules.barrel_at and match % 3 else {}


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_every_sheet_that_comes_about_can_be_written_and_leads_to_the_same_deal(name: str, players: int) -> None:
    rules, sitters, deals = table(name, players), 0, 0
    for match in range(60):
        states = opened(rules, match, near_the_barrel(rules, match))
        for number in range(12):
            engine.rollout(states, rules.array(), 100 * match + number)
            state = states[0]
            if state.phase != SCORED:
                break
            options: dict[str, Any] = {**columns_of(state, players), "deal": int(state.deal) + 1}
            options |= {"dealer": (int(state.dealer) + 1) % players}
            if rules.golden:
                options["golden_over"] = int(bool(state.golden_made & GOLDEN_OVER))
            engine.next_deals(states, rules.array())
            assert opened(rules, match, options).tobytes() == states.tobytes()
            deals, sitters = deals + 1, sitters + any(options["mounted"])
            if players < 4:
                del options["mounted"]
                assert opened(rules, match, options).tobytes() == states.tobytes()
    assert deals > 100
    assert sitters > 5


def test_with_four_players_a_mount_is_found_for_any_number_of_attempts() -> None:
    rules = RuleSet.parse("core players=4 barrel_attempts=0")
    for attempts in range(12):
        for deal in range(attempts + attempts // 3 + 1, 20):
            sheet = read_options({"totals": [880, 0, 0, 0], "attempts": [attempts, 0, 0, 0], "deal": deal}, rules).sheet
            assert sheet["mounted"][0, 0] == deal - attempts - attempts // 3


def test_every_option_reaches_the_state_of_the_vector_environment_too() -> None:
    rules = RuleSet.parse("classic write_off_limit=0 reverse_barrel=500 bonus_hands=3 bonus_suits=2 bonus_card=9")
    env = VectorEnv(3, rules)
    options = {"totals": [880, -900, 0], "attempts": [2, 0, 0], "deal": 7, "falls": [1, 0, 2], "write_offs": [0, 4, 0]}
    env.reset(seed=1, options={**options, "bonus_hands": [1, 0, 3], "bonus_card": [0, 9, 0], "dealer": 1})
    for state in env.states:
        assert state.mounted[:3].tolist() == [5, 0, 0]
        assert state.reverse[:3].tolist() == [0, 1, 0]
        assert state.write_offs[:3].tolist() == [0, 4, 0]
        assert state.bonuses[:3].tolist() == [1, 9 << 16, 3]


def test_what_happened_before_the_deal_is_told_by_attempt_and_redeal_run() -> None:
    rules = RuleSet.parse("online")
    state = opened(rules, 3, {"deal": 2, "attempt": 4, "redeal_run": 2})[0]
    assert (state.attempt, state.redeal_run) == (4, 2)
    assert opened(rules, 3, {"deal": 2, "attempt": 3})["dealt"].tolist() != [state.dealt.tolist()]


def test_fines_of_the_deal_that_the_options_replace_are_forgotten() -> None:
    rules = RuleSet.parse("core dealer_errors=60")
    for match in range(30):
        fresh = opened(rules, match, {"totals": [0, 0, 0]})[0]
        assert (fresh.totals == -fresh.early).all()


@pytest.mark.parametrize(
    ("rules", "options", "message"),
    [
        ("core", {"mounted": [1, 0, 0], "deal": 2}, "total 0 of seat 0, who is on the barrel, expected 880"),
        ("core", {"totals": [880, 0, 0], "mounted": [3, 0, 0], "deal": 2}, "deal 3 as the mount .* expected 1 to 2"),
        (
            "core",
            {"totals": [880, 0, 0], "mounted": [1, 0, 0], "deal": 3},
            "0 attempts of seat 0.* expected 2: every deal",
        ),
        (
            "core",
            {"totals": [880, 0, 0], "attempts": [3, 0, 0], "deal": 6},
            "3 attempts of seat 0.*less than 3 ",
        ),
        ("core", {"write_offs": [0, 1, 0]}, "1 write-offs of seat 1, expected 0"),
        ("classic", {"write_offs": [0, 4, 0]}, "4 write-offs of seat 1, expected at most 3"),
        ("core", {"baptised": [0, 0, 1]}, "seat 2 baptised, expected nobody"),
        ("core baptism=yes", {"baptised": [0, 0, 2]}, "baptised of seat 2=2: expected a whole number from 0 to 1"),
        ("core", {"bonus_hands": [1, 0, 0]}, "1 of bonus_hands used by seat 0, expected at most 0"),
        ("core", {"reverse": [1, 0, 0]}, "1 as the reverse barrel of seat 0 with 0, expected 0"),
        (
            "core reverse_barrel=500",
            {"totals": [-900, 0, 0]},
            "1 as the reverse barrel of seat 0 with -900, expected 0",
        ),
        ("core reverse_barrel=500", {"totals": [-1000, 0, 0], "deal": 1}, "total -1000 of seat 0, expected more than"),
        ("core barrel_at=0", {"totals": [1001, 0, 0]}, "total 1001 of seat 0, expected less than 1001"),
        ("core barrel_at=0", {"falls": [1, 0, 0]}, r"1 falls of seat 0, expected less than 1 \(L5\)"),
        (
            "core barrel_at=0",
            {"mounted": [1, 0, 0], "deal": 1},
            "a barrel of seat 0, who is on the barrel, expected none",
        ),
        ("core", {"golden_made": [1, 0, 0]}, "golden deals, expected none"),
        ("core", {"golden_over": 1}, "golden deals, expected none"),
        ("core golden=yes", {"golden_over": 1, "deal": 2}, "golden deals over after 2 deals, expected the first 3"),
        ("core golden=yes", {"golden_over": 0, "deal": 3}, "golden deals not over after 3 deals"),
        (
            "core golden=yes",
            {"golden_made": [1, 1, 0], "deal": 1},
            "2 golden deals made, expected at most 1 after 1",
        ),
        ("core golden=yes", {"totals": [880, 0, 0], "mounted": [2, 0, 0], "deal": 4}, "deal 2 as the mount .* 3 to 4"),
        ("classic", {"redeal_run": 3, "attempt": 5}, "redeal_run=3: expected a whole number from 0 to 2"),
        ("core", {"redeal_run": 1}, "redeal_run=1: expected at most the `attempt`, which is 0"),
        ("core bolts=off", {"bolts": [1, 0, 0]}, "1 bolts of seat 0, expected at most 0"),
        ("core players=4", {"totals": [0, 0, 0]}, "expected 4 numbers, one for each seat"),
        ("core players=2", {"dealer": 2}, "dealer=2: expected a whole number from 0 to 1"),
    ],
)
def test_what_cannot_stand_on_a_sheet_is_named(rules: str, options: dict[str, Any], message: str) -> None:
    env: Any = match_v0.raw_env(rules)
    env.reset(seed=1)
    before = env.states.tobytes()
    with pytest.raises(ThousandError, match=message):
        env.reset(seed=2, options=options)
    assert env.states.tobytes() == before


def test_a_golden_sheet_has_no_barrel() -> None:
    rules = RuleSet.parse("core golden=yes golden_none_made=repeat")
    state = opened(rules, 0, {"totals": [1200, 880, 0], "deal": 4, "golden_over": 0})[0]
    assert (state.mounted[:3].tolist(), state.golden_made, state.bid) == ([0, 0, 0], 0, 120)


def test_the_names_of_the_options_are_those_of_numbers_and_columns() -> None:
    assert set(NUMBERS) == {"match", "deal", "attempt", "dealer", "redeal_run", "golden_over"}
    assert set(COLUMNS) >= {"totals", "bolts", "mounted", "attempts", "falls", "reverse", "write_offs"}
