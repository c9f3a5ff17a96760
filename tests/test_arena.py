"""The arena: the same deals in every seating, honest counts, and a command line that never shows a traceback."""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from agents import Agent, load
from agents.arena import BATCH, Result, bids_gain, duel, evaluation_seed
from agents.scoreboard import main
from agents.table import questions
from agents.tally import SHARE, TALLY_DTYPE, bootstrap, count_deals, smallest_effect
from tests.table import Table
from thousand_env import engine
from thousand_env.errors import ThousandError
from thousand_env.notation import parse_position
from thousand_env.rules import CORE, PRESETS, RuleSet

PLAYED = (
    "core | deal 1 hQdTcAKQJs9/hTdAKJcTsAJ/hAJ9c9sTKQ hKdQ9 | bid 2:100 0:170 1:p 2:p | give 0>1:d9 0>2:cA | play 0:170"
    " | 0:dQ dK hJ | 1:dJ sK dT | 0:hQ+100 hT hA | 2:sT s9 sA | 1:cT cA cJ | 2:c9 cK d9 | 0:cQ dA h9 | 2:sQ hK sJ"
    " | scored -170 +30 +60"
)


def figures(result: Result) -> dict[str, Any]:
    """Everything a result says, blocks included."""
    return result.as_dict() | {"blocks_seen": result.block_results.tolist()}


# -- duplicate -------------------------------------------------------------------------------------------------------


TABLES = [f"{preset} players={players}" for preset in PRESETS for players in (2, 3, 4)]


@pytest.mark.parametrize("table", [*TABLES, "classic players=4 dealer_scores=talon", "classic players=2 golden=yes"])
@pytest.mark.parametrize("spec", ["uniform", "passer", "heuristic"])
def test_a_bot_gets_nothing_against_itself_on_any_block(spec: str, table: str) -> None:
    result = duel(spec, spec, deals=60, seed=3, rules=table)
    assert (result.block_results == 0).all()
    assert (result.advantage, result.ci95, result.sees) == (0, (0, 0), 0)
    assert result.declarer_share == pytest.approx(1 / RuleSet.parse(table).players)


@pytest.mark.parametrize("table", TABLES)
def test_a_bot_gets_nothing_against_itself_on_any_match(table: str) -> None:
    result = duel("heuristic", "heuristic", deals=15, seed=3, mode="match", rules=table, max_deals=40)
    assert (result.block_results == 0).all()
    assert result.win_rate == pytest.approx(1 / RuleSet.parse(table).players)
    assert result.points_a_deal == result.mean_stake == 0


@pytest.mark.parametrize("mode", ["deal", "match"])
@pytest.mark.parametrize("table", ["core", "online players=2", "classic players=4"])
def test_the_size_of_the_batch_changes_no_figure(mode: str, table: str) -> None:
    whole, parts = (
        duel("heuristic", "uniform", deals=20, seed=1, mode=mode, rules=table, batch=batch, max_deals=30)
        for batch in (BATCH, 7)
    )
    assert figures(whole) == figures(parts)


def test_the_first_blocks_of_a_longer_run_are_those_of_a_shorter_one() -> None:
    short, long = (duel("heuristic", "passer", deals=deals, seed=8) for deals in (20, 40))
    assert (short.block_results == long.block_results[:20]).all()


def test_another_seed_means_other_deals() -> None:
    one, other = (duel("heuristic", "passer", deals=30, seed=seed) for seed in (1, 2))
    assert (one.block_results != other.block_results).any()
    assert evaluation_seed(1) != evaluation_seed(2)


def played_alone(agents: list[Agent], rules: RuleSet, match: int, challenger: int, seed: int) -> NDArray[Any]:
    """The scores of one seating, played the slow way: one state, one decision at a time."""
    state = engine.new_states(1)
    engine.start_matches(state, rules.array(), np.array([evaluation_seed(seed)]), np.array([match]))
    while state["turn"][0] >= 0:
        agent = agents[int(state["turn"][0] != challenger)]
        engine.step(state, rules.array(), agent.act(*questions(state, rules.array(), np.array([0]))))
    return state["score"][0, : rules.players]


@pytest.mark.parametrize("table", ["core", "classic players=2", "classic players=4 dealer_scores=fixed"])
def test_a_block_is_the_mean_over_the_seatings_of_own_minus_the_mean_of_the_others(table: str) -> None:
    rules = RuleSet.parse(table)
    players, agents = rules.players, [load("heuristic", rules), load("uniform", rules)]
    result = duel(*agents, deals=4, seed=6, rules=rules)
    for match in range(4):
        scores = [played_alone(agents, rules, match, seat, seed=6) for seat in range(players)]
        own = [score[seat] - (score.sum() - score[seat]) / (players - 1) for seat, score in enumerate(scores)]
        assert result.block_results[match] == pytest.approx(sum(own) / players)


# -- counting --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "counts"),
    [
        (0, {"points": 2 * -170 - 90, "own_declared": 1, "own_followed": 1, "own_contested": 1, "own_contracts": 170}),
        (1, {"points": 2 * 30 + 170 - 60, "own_followed": 1}),
        (2, {"points": 2 * 60 + 170 - 30}),
    ],
)
def test_a_deal_is_counted_as_a_player_would(own: int, counts: dict[str, int]) -> None:
    states, _ = parse_position(PLAYED)
    tallies = np.zeros(1, TALLY_DTYPE)
    count_deals(states, CORE.array(), np.array([0]), np.array([own]), tallies)
    expected = {"deals": 1, "contracts": 170, "contested": 1} | counts
    assert {name: int(tallies[name][0]) for name in TALLY_DTYPE.names or () if tallies[name][0]} == expected


def test_shares_and_contracts_are_those_of_the_deals_played() -> None:
    result = duel("passer", "passer", deals=50, seed=1)
    assert (result.mean_contract, result.contested, result.own_contested) == (100, 0, 0)
    assert result.contested_make_rate is None
    assert result.declarer_share == pytest.approx(1 / 3)
    assert result.decisions == 50 * 3 * (3 + 2 + 1 + 24)


def counted(table: Table, own: int) -> dict[str, int]:
    """What a finished deal counts for the challenger in a seat, but for zeros."""
    tallies = np.zeros(1, TALLY_DTYPE)
    count_deals(table.states, table.array, np.array([0]), np.array([own]), tallies)
    return {name: int(tallies[name][0]) for name in TALLY_DTYPE.names or () if tallies[name][0]}


def test_a_deal_written_off_counts_as_a_contract_not_made_and_as_no_bolt() -> None:
    table = Table("core write_off=half", "2 hAKQdAcAsAJ/hTdTQJcTKs9/hJ9dK9cQJ9 sTKQ", "120 pass pass writeoff")
    common = {"deals": 1, "contracts": 120, "written_off": 1}
    assert counted(table, 0) == common | {"points": -360, "own_declared": 1, "own_contracts": 120}
    assert counted(table, 1) == common | {"points": 180, "own_followed": 1}


def test_the_dealer_of_four_has_points_but_no_part_in_the_deal() -> None:
    hands = "3 hAKQdAcAsAJ/hTdTQJcTKs9/hJ9dK9cQJ9/- sTKQ"
    table = Table("core players=4 dealer_scores=fixed write_off=half", hands, "120 pass pass writeoff")
    assert counted(table, 3) == {"deals": 1, "contracts": 120, "written_off": 1, "points": 3 * 25 + 120 - 60 - 60}


def test_a_golden_deal_has_no_auction_to_follow_in() -> None:
    result = duel("passer", "passer", deals=20, seed=1, rules="classic golden=yes")
    assert (result.mean_contract, result.contested, result.own_contested) == (120, 0, None)


def test_deals_written_off_are_shown_as_a_share() -> None:
    assert duel("heuristic", "heuristic", deals=20, seed=1).written_off == 0
    shares = [duel(bot, "passer", deals=200, seed=1, rules="online").written_off for bot in ("passer", "uniform")]
    assert shares[0] == 0 < shares[1] < 0.2


def test_own_bids_gain_nothing_for_a_bot_that_never_bids() -> None:
    result = duel("passer", "heuristic", deals=50, seed=1)
    assert bids_gain(result, "passer", "heuristic") == (0, (0, 0))


def test_own_bids_are_compared_with_forced_passing_on_the_same_deals() -> None:
    result = duel("heuristic", "heuristic", deals=300, seed=1)
    silent = duel("heuristic bid=no", "heuristic", deals=300, seed=1)
    gain, (low, high) = bids_gain(result, "heuristic", "heuristic", batch=77)
    assert gain == pytest.approx(-silent.advantage)  # a bot against itself has no advantage
    assert low < gain < high


def test_a_match_that_does_not_end_is_truncated_and_said_so() -> None:
    result = duel("uniform", "uniform", deals=5, seed=1, mode="match", max_deals=7)
    assert (result.truncated, result.deals_a_match, result.max_deals) == (1, 7, 7)
    assert result.rules == "core max_deals=7"
    assert duel("uniform", "uniform", deals=5, mode="match", rules="core max_deals=3").deals_a_match == 3


# -- intervals -------------------------------------------------------------------------------------------------------


def test_the_bootstrap_agrees_with_the_normal_interval_of_a_large_sample() -> None:
    values = np.random.default_rng(1).integers(-100, 100, 5000)
    low, high = bootstrap(values, np.ones(5000), seed=1)
    half = 1.96 * values.std() / np.sqrt(5000)
    assert low == pytest.approx(values.mean() - half, abs=0.15)
    assert high == pytest.approx(values.mean() + half, abs=0.15)
    assert bootstrap(values, np.ones(5000), seed=1) == (low, high)


def test_the_bootstrap_of_a_ratio_draws_whole_blocks() -> None:
    assert bootstrap(np.array([1, 2, 3]), np.array([2, 4, 6]), seed=1) == (0.5, 0.5)


@pytest.mark.parametrize("blocks", [2, 30, 1000])
def test_a_share_of_nothing_or_all_ends_where_so_many_blocks_may_well_show_no_other(blocks: int) -> None:
    weights = np.full(blocks, 36)
    low, high = bootstrap(np.zeros(blocks), weights, 1, SHARE)
    assert low == 0
    assert (1 - high) ** blocks == pytest.approx(0.025)  # the chance to see nothing of a share so large
    assert bootstrap(weights, weights, 1, SHARE) == pytest.approx((1 - high, 1))
    assert bootstrap(weights, weights, 1, (-3, 1)) == pytest.approx((1 - 4 * high, 1))


def test_a_share_inside_its_bounds_has_the_interval_of_the_blocks() -> None:
    totals, weights = np.array([0, 1, 0, 2, 3, 0]), np.full(6, 3)
    assert bootstrap(totals, weights, 1, SHARE) == bootstrap(totals, weights, 1)


def test_uneven_blocks_say_less_of_what_they_did_not_show_than_even_ones() -> None:
    even, uneven = np.full(10, 2), np.array([*[1] * 9, 11])
    assert bootstrap(np.zeros(10), uneven, 1, SHARE)[1] > bootstrap(np.zeros(10), even, 1, SHARE)[1]


def test_a_bot_that_wins_every_match_might_have_lost_some() -> None:
    result = duel("heuristic", "uniform", deals=8, seed=1, mode="match")
    assert (result.win_rate, result.advantage) == (1, 1.5)
    assert result.win_rate_ci95 == pytest.approx((0.025 ** (1 / 8), 1))
    assert result.ci95 == pytest.approx((1.5 - 3 * (1 - 0.025 ** (1 / 8)), 1.5))
    loser = duel("uniform", "heuristic", deals=8, seed=1, mode="match")
    assert loser.win_rate_ci95 is not None
    assert loser.win_rate_ci95[0] <= (loser.win_rate or 0) < loser.win_rate_ci95[1]


def test_the_smallest_effect_shrinks_with_the_root_of_the_sample() -> None:
    few = smallest_effect(np.tile([-50.0, 50.0], 50))
    assert few == pytest.approx(2.8 * 50 / 10, rel=0.01)
    assert smallest_effect(np.tile([-50.0, 50.0], 5000)) == pytest.approx(few / 10, rel=0.01)


# -- the command line ------------------------------------------------------------------------------------------------


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    monkeypatch.setattr(sys, "argv", ["arena", *arguments])
    main()


@pytest.mark.parametrize("mode", ["deal", "match"])
def test_json_holds_the_figures(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], mode: str) -> None:
    run(monkeypatch, "heuristic", "passer", "--deals", "20", "--seed", "2", "--mode", mode, "--json", "--bids")
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert (found["challenger"], found["opponent"], found["mode"]) == ("heuristic", "passer", mode)
    assert (found["seed"], found["blocks"]) == (2, 20)
    assert found["rules"] == ("core" if mode == "deal" else "core max_deals=200")
    for name in (
        "advantage",
        "mean_contract",
        "make_rate",
        "own_make_rate",
        "contested",
        "declarer_share",
        "written_off",
        "bids_gain",
    ):
        assert isinstance(found[name], float)
    low, high = found["ci95"]
    assert low <= found["advantage"] <= high
    assert ("win_rate" in found) == ("win_rate_ci95" in found) == (mode == "match")


@pytest.mark.parametrize("mode", ["deal", "match"])
@pytest.mark.parametrize(("players", "others"), [(2, "one"), (3, "two"), (4, "three")])
def test_the_table_says_what_was_played(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], mode: str, players: int, others: str
) -> None:
    rules = ("--rules", f"core players={players}")
    run(monkeypatch, "heuristic", "passer", "--deals", "20", "--mode", mode, "--bids", *rules)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"heuristic against {others} of passer"
    assert f"in {players} seatings each" in lines[1]
    words = ["advantage", "own bids", "mean contract", "contested", "declarer", "make rate", "bolts", "written off"]
    assert all(any(line.strip().startswith(word) for line in lines) for word in words)
    assert any(line.strip().startswith("win rate") for line in lines) == (mode == "match")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("heuristic", "nobody"), "bot 'nobody': no bot has this name"),
        (("heuristic", "passer", "--rules", "chess"), "'chess' is not a preset"),
        (("heuristic", "passer", "--deals", "1"), "expected at least 2 deals"),
        (("heuristic", "passer", "--batch", "0"), "1 in a batch"),
    ],
)
def test_a_mistake_is_one_line_and_status_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    with pytest.raises(SystemExit) as left:
        run(monkeypatch, *arguments)
    error = capsys.readouterr().err
    assert left.value.code == 2
    assert error.startswith("arena: ")
    assert said in error
    assert error.count("\n") == 1


def test_ctrl_c_leaves_quietly(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("agents.arena.play_deals", interrupted)
    with pytest.raises(SystemExit) as left:
        run(monkeypatch, "passer", "passer", "--deals", "2")
    assert left.value.code == 130
    assert capsys.readouterr().err == "arena: stopped, nothing to show\n"


def test_an_unknown_mode_is_refused() -> None:
    with pytest.raises(ThousandError, match="mode=night"):
        duel("passer", "passer", deals=2, mode="night")
