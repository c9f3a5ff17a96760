"""The benchmarks measure what they say, and the signature pins the game."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from benchmarks import peers, tables, versus
from benchmarks.layers import LAYERS, ROOT, TABLE_LAYERS, NotHere, load_native
from benchmarks.pairs import DEAL_ROLLOUTS, INSTALL, PEERS, Pair, compiled, peer_module
from benchmarks.rollouts import RATIOS, as_json, measure, quantity, ratios, table
from benchmarks.signature import signature
from thousand_env.rollouts import deal_rollouts, play_rollouts
from thousand_env.rules import PRESETS, RuleSet


def run_python(code: str, **environment: str) -> str:
    """Return what a new Python prints."""
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout.strip()


def test_the_signature_of_the_game() -> None:
    # Only a change of the game under `core` may change this number.
    assert signature() == 2037575360806597148


def test_the_signature_is_the_same_without_compilation() -> None:
    code = "from benchmarks.signature import signature; print(signature(200, 4, 3))"
    assert run_python(code, NUMBA_DISABLE_JIT="1") == str(signature(200, 4, 3))


def test_play_rollouts_are_the_same_without_bit_deposit() -> None:
    code = "from thousand_env.rollouts import deal_rollouts, play_rollouts; print(play_rollouts(5000, 7))"
    assert run_python(code, THOUSAND_ENV_PORTABLE="1") == str(play_rollouts(5000, 7))


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc")
def test_the_rollout_in_c_comes_to_the_same_totals() -> None:
    with contextlib.ExitStack() as stack:
        assert load_native(stack)(50_000, 7) == play_rollouts(50_000, 7)


def test_every_layer_is_measured_or_said_to_be_missing() -> None:
    results, missing = measure(2)
    assert {result.layer.name for result in results} | set(missing) == {make.__name__ for make in LAYERS}
    for row in json.loads(as_json(results, missing))["results"]:
        low, high = row["spread"]
        assert 0 < low <= row["per_second"] <= high
        assert row["ns"] > 0
    assert len(table(results)) == 1 + len(results)
    assert ratios(results).keys() <= {f"{one}/{other}" for one, other in RATIOS}


def test_every_layer_is_measured_at_every_table_named() -> None:
    named = ["online players=2", "classic players=4"]
    results = tables.measure(named, 1)
    rows = json.loads(tables.as_json(results))["results"]
    assert [(row["rules"], row["layer"]) for row in rows] == [
        (rules, make.__name__) for rules in named for make in TABLE_LAYERS
    ]
    assert all(row["per_second"] > 0 for row in rows)
    assert [len(row) for row in tables.rows_of(results)] == [1 + len(TABLE_LAYERS)] * (1 + len(named))


def test_every_preset_is_measured_with_every_number_of_players() -> None:
    found = {(rules.players, rules.replace(players=3)) for rules in map(RuleSet.parse, tables.TABLES)}
    assert found == {(players, rules) for players in (2, 3, 4) for rules in PRESETS.values()}


def test_a_checkout_is_compared_with_another_layer_by_layer() -> None:
    (result,) = versus.measure(ROOT, ["clone"], 1, 3)
    (row,) = json.loads(versus.as_json([result]))["results"]
    assert row["layer"] == "clone"
    assert len(result.ratios) == 3
    assert 0 < row["spread"][0] <= row["ratio"] <= row["spread"][1]
    assert result.ratios[0] == result.theirs[0] / result.ours[0]
    assert [len(cells) for cells in versus.rows_of([result])] == [5, 5]


def test_quantities_are_easy_to_compare() -> None:
    assert [quantity(7_654_321), quantity(84_000)] == ["7.65 M", "84.0 k"]


# -- peers -----------------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore")  # the peers' own, about themselves
@pytest.mark.parametrize("peer", PEERS)
def test_both_sides_of_all_pairs_of_a_peer_play(peer: Callable[[], Iterator[Pair]]) -> None:
    try:
        pairs = list(peer())
    except NotHere as reason:
        pytest.skip(f"{peer.__name__} is missing: {reason}")
    for pair in pairs:
        for side in (pair.ours, pair.theirs):
            ended, decisions = side(50)
            assert decisions >= max(ended, 50)


def test_a_ratio_is_that_of_neighbours_in_a_round() -> None:
    pair = Pair("Thousand", "play only", DEAL_ROLLOUTS, compiled(deal_rollouts), compiled(play_rollouts))
    result = peers.compare(pair, 3)
    (row,) = json.loads(peers.as_json([result], {}))["results"]
    for counted in ("rollouts", "decisions"):
        low, high = row["spread"][f"ratio_{counted}"]
        assert 0 < low <= row[f"ratio_{counted}"] <= high
    assert row["ours_decisions"] > 28 * row["ours_rollouts"]
    assert row["theirs_decisions"] == pytest.approx(24 * row["theirs_rollouts"])
    assert [len(rows) for rows in peers.tables([result]).values()] == [1 + 2]


def test_a_peer_that_is_missing_is_named_with_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent() -> Iterator[Pair]:
        yield peer_module("no_such_peer")

    monkeypatch.setattr(peers, "PEERS", (absent,))
    assert peers.find_pairs() == ([], {"absent": f"No module named 'no_such_peer'; to install it: {INSTALL}"})
