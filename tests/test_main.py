"""The command line: what it prints, its exit status, and no traceback for a mistake."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from thousand_env.__main__ import main
from thousand_env.rules import FIELDS
from thousand_env.transcript import read

GOLDEN = Path(__file__).parent / "golden"
POSITION = "core | deal 2 hATKQJ9dAT/dKQJ9cATKQ/cJ9sATKQJ9 - | play 0:120"

Output = pytest.CaptureFixture[str]


# -- check -----------------------------------------------------------------------------------------------------------


def test_check_counts_what_is_without_fault(capsys: Output) -> None:
    paths = sorted(GOLDEN.glob("*.txt"))
    deals = sum(len(record.states) for path in paths for record in read(path.read_text()))
    assert main(["check", str(GOLDEN)]) == 0
    assert capsys.readouterr().out == f"no fault in {deals} deals of {len(paths)} files\n"


def test_check_lists_every_fault_with_file_and_line(capsys: Output, tmp_path: Path) -> None:
    text = (GOLDEN / "K2_one_short.txt").read_text()
    wrong, right = tmp_path / "deep" / "wrong.txt", tmp_path / "right.txt"
    wrong.parent.mkdir()
    wrong.write_text(text.replace("-> 0", "-> 2", 1).replace("+20", "+25"))
    right.write_text(text)
    assert main(["check", str(tmp_path)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"{wrong}:5: found -> 2, expected -> 0",
        f"{wrong}:13: found 'score -100 +25 0', expected 'score -100 +20 0'",
    ]


def test_check_reads_folders_for_text_files_only(capsys: Output, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("no transcript")
    assert main(["check", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "no fault in 0 deals of 0 files\n"


def test_check_says_what_it_cannot_read(capsys: Output, tmp_path: Path) -> None:
    binary, missing, empty = tmp_path / "binary.txt", tmp_path / "missing.txt", tmp_path / "empty.txt"
    binary.write_bytes(b"rules core\n\xff\xfe\x00")
    empty.write_text("")
    assert main(["check", str(binary), str(missing), str(empty)]) == 1
    output = capsys.readouterr()
    assert output.out.splitlines() == [
        f"{binary}:1: found byte 11, which is not UTF-8 text, expected a transcript",
        f"{missing}:1: found no readable file (No such file or directory), expected a transcript",
        f"{empty}:1: found nothing more, expected rules and a preset, as in: rules classic",
    ]
    assert output.err == ""


# -- show ------------------------------------------------------------------------------------------------------------


def test_show_prints_the_deals_of_a_transcript(capsys: Output) -> None:
    assert main(["show", str(GOLDEN / "L3_win.txt")]) == 0
    output = capsys.readouterr().out
    assert output.startswith("classic: deal 6, seat 2 deals, phase over\n")
    assert "bid    0:125 1:p 2:p\n" in output
    assert output.rstrip().endswith("win 0")


def test_show_prints_the_positions_of_a_file(capsys: Output, tmp_path: Path) -> None:
    path = tmp_path / "positions.txt"
    path.write_text(f"; two of them\n{POSITION}\n\n{POSITION} | 0:hA ; and its lead\n")
    assert main(["show", str(path)]) == 0
    assert capsys.readouterr().out.count("phase play") == 2


def test_show_names_the_line_of_a_position_it_cannot_show(capsys: Output, tmp_path: Path) -> None:
    path = tmp_path / "positions.txt"
    path.write_text(f"{POSITION}\n{POSITION} | 1:hA\n{POSITION}\n")
    assert main(["show", str(path)]) == 1
    output = capsys.readouterr()
    assert output.out.count("phase play") == 2
    assert f"{path}:2: position '{POSITION} | 1:hA': found '1:hA', expected a card by seat 0" in output.err


def test_show_prints_the_deal_of_a_seed(capsys: Output) -> None:
    assert main(["show", "--seed", "13", "--rules", "classic"]) == 0
    assert "classic: deal 13#0/0.0, seat 0 deals, phase blind" in capsys.readouterr().out


@pytest.mark.parametrize("rules", ["classic players=2", "online players=4 golden=yes", "core cut_ceremony=yes"])
def test_show_and_perft_know_every_table(rules: str, capsys: Output) -> None:
    assert main(["show", "--seed", "3", "--rules", rules]) == 0
    assert f"{rules}: deal 3#0/0.0" in capsys.readouterr().out
    assert main(["perft", "1", "--seed", "3", "--rules", rules]) == 0
    assert capsys.readouterr().out.startswith("0 1\n1 ")


def test_show_reports_faults_and_shows_the_rest(capsys: Output, tmp_path: Path) -> None:
    path = tmp_path / "half.txt"
    path.write_text((GOLDEN / "K2_one_short.txt").read_text() + "\nrules nothing\n")
    assert main(["show", str(path)]) == 1
    output = capsys.readouterr()
    assert "phase scored" in output.out
    assert f"{path}:15: rules 'nothing'" in output.err


# -- rules and perft -------------------------------------------------------------------------------------------------


def test_rules_prints_every_field_its_rule_its_value_and_its_meaning(capsys: Output) -> None:
    assert main(["rules", "classic", "fine=100"]) == 0
    lines = [re.split("  +", line) for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == ["field", "rule", "classic fine=100", "meaning"]
    assert [line[0] for line in lines[1:]] == list(FIELDS)
    assert ["fine", "N1", "100", "the standard fine, in points"] in lines


def test_rules_without_a_table_prints_the_presets_side_by_side(capsys: Output) -> None:
    assert main(["rules"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == ["field", "rule", "core", "classic", "online", "tysiac", "meaning"]
    assert ["target", "L3", "1001", "1001", "1000", "1000"] in [line[:6] for line in lines]


def test_rules_prints_what_differs_between_two_tables(capsys: Output) -> None:
    assert main(["rules", "--diff", "core", "core players=4 fine=60"]) == 0
    lines = [re.split("  +", line) for line in capsys.readouterr().out.splitlines()]
    assert lines == [
        ["field", "rule", "core", "core players=4 fine=60", "meaning"],
        ["players", "S1", "3", "4", "seats at the table; of four the dealer sits out"],
        ["fine", "N1", "120", "60", "the standard fine, in points"],
    ]


def test_perft_counts_from_a_position(capsys: Output) -> None:
    # Eight leads, no trump; seat 1 follows hearts with anything and diamonds with one of four.
    assert main(["perft", "2", POSITION]) == 0
    assert capsys.readouterr().out == "0 1\n1 8\n2 56\n"


def test_perft_counts_from_a_seed(capsys: Output) -> None:
    assert main(["perft", "1", "--seed", "13"]) == 0
    assert capsys.readouterr().out == "0 1\n1 25\n"  # 100, 105, … 220


# -- mistakes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show"], "show: found no file and no --seed, expected one of them"),
        (["show", "nowhere.txt"], "nowhere.txt:1: found no readable file (No such file or directory)"),
        (["show", "--seed", "1", "--rules", "poker"], "'poker' is not a preset; expected one of core, classic, online"),
        (["rules", "core", "jokers=2"], "'jokers' is no field; the fields are players, "),
        (["rules", "--diff", "core", "poker"], "'poker' is not a preset"),
        (["rules", "core", "--diff", "core", "classic"], "rules: found 'core' beside --diff, expected one of them"),
        (["perft", "2", "core | deal"], "found 0 words after deal"),
    ],
)
def test_a_mistake_gets_one_line_and_status_1(arguments: list[str], message: str, capsys: Output) -> None:
    assert main(arguments) == 1
    output = capsys.readouterr()
    assert message in output.err
    assert output.err.count("\n") == 1
    assert output.out == ""


@pytest.mark.parametrize(
    "arguments",
    [[], ["fold"], ["check"], ["perft"], ["perft", "many"], ["perft", "-1"], ["show", "--seed", "x"], ["perft", "1e9"]],
)
def test_a_wrong_call_gets_the_usage_and_status_2(arguments: list[str], capsys: Output) -> None:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    assert "usage: python -m thousand_env" in capsys.readouterr().err


def test_an_impossible_file_name_is_only_a_missing_file(capsys: Output) -> None:
    assert main(["check", "x" * 5000]) == 1
    assert ":1: found no readable file (File name too long)" in capsys.readouterr().out


def test_a_message_is_printed_in_any_encoding(tmp_path: Path) -> None:
    path = tmp_path / "letters.txt"
    path.write_text("rules Тысяча\n", encoding="utf-8")
    command = [sys.executable, "-m", "thousand_env", "check", str(path)]
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONPATH": str(GOLDEN.parent.parent)}
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, env=environment)
    assert (result.returncode, result.stderr) == (1, "")
    assert "is not a preset" in result.stdout


def test_the_module_runs_as_a_program() -> None:
    command = [sys.executable, "-m", "thousand_env", "check", "nowhere.txt"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, cwd=GOLDEN.parent.parent)
    assert (result.returncode, result.stderr) == (1, "")
    assert result.stdout.startswith("nowhere.txt:1: found no readable file")
