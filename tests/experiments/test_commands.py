"""The commands, in their small form, from the command line to the files, and what they say to a mistake."""

import csv
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from experiments import (
    bid_shift,
    calibration,
    compare_bidding,
    fit_habits,
    fit_hand_value,
    hand,
    opening_table,
    point_count,
    talon_price,
)
from experiments.opening_table import TABLE
from experiments.parts import read_columns
from thousand_env.spelling import set_text

Main = Callable[[list[str]], int]

COMMANDS: dict[str, tuple[Main, set[str]]] = {
    talon_price.NAME: (talon_price.main, {"variance.csv", "limits.csv", "talon_price.png"}),
    opening_table.NAME: (opening_table.main, {"rules.csv", "opening_table.png", TABLE}),
    calibration.NAME: (calibration.main, {"scores.csv", "bins.csv", "calibration.png"}),
    compare_bidding.NAME: (
        compare_bidding.main,
        {"strategies.csv", "seats.csv", "tournament.csv", "compare_bidding.png"},
    ),
}
SEVEN = "hAKQ sT d9 cJ9"


@pytest.mark.parametrize("name", COMMANDS)
def test_an_experiment_runs_to_its_end_and_not_twice(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main, files = COMMANDS[name]
    arguments = ["--quick", "--workers", "1", "--out", str(tmp_path)]
    assert main(arguments) == 0
    said = capsys.readouterr().out
    assert files < {path.name for path in tmp_path.iterdir()}
    part = tmp_path / "part-00000.parquet"
    written = part.stat().st_mtime_ns
    assert main(arguments) == 0
    assert capsys.readouterr().out == said, "what is stored tells the same"
    assert part.stat().st_mtime_ns == written
    assert main([*arguments, "--seed", "2"]) == 1
    assert "was begun with seed=1; this is seed=2" in capsys.readouterr().err


def test_a_hand_is_found_in_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = ["--out", str(tmp_path)]
    assert opening_table.main(["--find", SEVEN, *out]) == 1
    assert "found no table" in capsys.readouterr().err
    assert opening_table.main(["--quick", "--workers", "1", *out]) == 0
    table = read_columns(tmp_path / TABLE)
    assert len(table["hand"]) == len(table["opening_values"]) == 120
    line = opening_table.line_of(int(table["hand"][7]), tmp_path)
    assert line["opening"] == table["opening"][7]
    assert "open with" in opening_table.line_text(line)
    assert opening_table.main(["--find", f"{SEVEN} sA", *out]) == 1
    assert "expected the seven cards" in capsys.readouterr().err
    assert hand.main([set_text(int(table["hand"][7])), "--quick", "--table", str(tmp_path)]) == 0
    assert opening_table.line_text(line) in " ".join(capsys.readouterr().out.split())


def test_ctrl_c_is_no_traceback(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def press(*_arguments: object, **_named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(calibration, "run_parts", press)
    assert calibration.main(["--quick", "--out", str(tmp_path)]) == 130
    assert capsys.readouterr().err == "calibration: stopped; the same command goes on from here\n"


@pytest.mark.parametrize("module", [bid_shift, fit_habits, fit_hand_value, point_count])
def test_a_command_without_parts_explains_itself(module: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        module.main(["--help"])
    said = capsys.readouterr().out
    assert left.value.code == 0
    assert said.startswith(f"usage: python -m {module.__name__} ")
    assert (module.__doc__ or "").strip() in said


@pytest.mark.parametrize("module", [bid_shift, fit_habits])
def test_rules_that_are_none_are_answered_in_one_line(module: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert module.main(["--rules", "russian"]) == 1
    assert capsys.readouterr().err.startswith(f"{module.NAME}: rules 'russian': 'russian' is not a preset")


def test_a_hand_before_the_auction_is_answered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture, table = tmp_path / "hand.png", tmp_path / "hand.csv"
    arguments = [SEVEN, "--quick", "--plot", str(picture), "--csv", str(table), "--totals", "300", "0", "-40"]
    assert hand.main(arguments) == 0
    said = capsys.readouterr().out
    assert "580 points to the barrel" in said
    assert "heuristic: bids 100, and goes on up to 130 if raised" in said
    lines = table.read_text().splitlines()
    assert [line.split(",")[0] for line in lines] == ["bid", *map(str, range(100, 225, 5))]
    assert picture.stat().st_size > 0


def test_a_hand_on_the_barrel_is_told_what_wins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "hand.csv"
    arguments = [SEVEN, "--quick", "--seat", "dealer", "--totals", "880", "300", "0", "--csv", str(table)]
    assert hand.main(arguments) == 0
    assert "you are on the barrel: a contract of 121 or more wins" in capsys.readouterr().out
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert [row["bid"] for row in rows][:2] == ["0", "125"], "a pass is bid 0, and less than 125 may not be bid"
    assert float(rows[0]["wins"]) == 0 < float(rows[1]["wins"]) <= float(rows[1]["stands"])


@pytest.mark.parametrize(
    ("text", "shows"), [(f"{SEVEN} + sA dK cT", "behind the best"), ("hAKQ sTA cJ9 dA", "contracts, played exactly")]
)
def test_a_declarers_hand_is_answered(
    text: str, shows: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture, table = tmp_path / "hand.png", tmp_path / "hand.csv"
    assert hand.main([text, "--quick", "--plot", str(picture), "--csv", str(table)]) == 0
    assert shows in capsys.readouterr().out
    assert table.read_text().startswith("contract,value,value_low,value_high,made")
    assert picture.stat().st_size > 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["hAKX sT d9 cJ9"], "hand: hand 'hAKX sT d9 cJ9': found 'X' at place 4"),
        ([SEVEN, "--rules", "russian"], "'russian' is not a preset"),
        ([SEVEN, "--auction", "100 q"], "auction '100 q': action 'q'"),
        ([SEVEN, "--auction", "100"], "it is not your turn"),
        ([SEVEN, "--quick", "--totals", "300", "0", "0", "--bots", "shark"], "bot 'shark'"),
        ([SEVEN, "--bid", "120"], "--bid 120: found 7 cards (dealt), where it changes nothing, expected 8 (after"),
        ([f"{SEVEN} + sA dK cT", "--auction", "100 p"], "--auction '100 p': found 10 cards (with the talon), where"),
        ([f"{SEVEN} dA", "--bots", "heuristic", "mc"], "--bots heuristic mc: found 8 cards (after the exchange), "),
    ],
)
def test_a_mistake_is_answered_in_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert hand.main(arguments) == 1
    shown = capsys.readouterr()
    assert message in shown.err
    assert len([line for line in shown.err.splitlines() if "compiling kernels" not in line]) == 1
    assert shown.out == ""
