"""Transcripts: golden deals, round trips, and every fault at its line."""

import os
import random
import re
import subprocess
import sys
from collections.abc import Callable
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.random_matches import TABLES, random_record
from thousand_env import engine
from thousand_env.errors import NotationError
from thousand_env.rules import RuleSet
from thousand_env.state import OVER
from thousand_env.transcript import LineError, Record, examine, read, write

GOLDEN = Path(__file__).parent / "golden"
FILES = sorted(GOLDEN.glob("*.txt"))
RULES_MD = resources.files("thousand_env").joinpath("RULES.md").read_text(encoding="utf-8")
ELSEWHERE = {
    **dict.fromkeys(("C1", "C2", "C3"), "shown in every deal"),
    "D4": "a property of all deals: test_odds",
    "R11": "a method: test_rules",
    "N1": "the fine, in B2, D2, D3, R10, N2",
    "H2": "who leads, in H1",
    "F2": "a matter of views: test_envs_hidden",
}

golden = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


def canonical(text: str) -> str:
    """A text without its comments."""
    lines = [line.partition(";")[0].rstrip() for line in text.splitlines() if not line.startswith(";")]
    return "\n".join(lines) + "\n"


def faults_of(text: str) -> list[str]:
    return [str(fault) for fault in examine(text)[1]]


# -- golden deals ----------------------------------------------------------------------------------------------------


def test_there_is_a_golden_deal_for_every_rule() -> None:
    rules = set(re.findall(r"^- \*\*([A-Z]\d+)\*\* ", RULES_MD, re.M))
    assert {path.stem.partition("_")[0] for path in FILES} == rules - set(ELSEWHERE)


@golden
def test_a_golden_deal_went_as_it_says(path: Path) -> None:
    assert faults_of(path.read_text()) == []


@golden
def test_a_golden_deal_is_written_as_it_was_read(path: Path) -> None:
    text = path.read_text()
    assert write(*read(text)) == canonical(text)


@golden
def test_a_golden_deal_explains_itself(path: Path) -> None:
    assert path.read_text().startswith(f"; {path.stem.partition('_')[0]}: ")


def test_golden_deals_went_so_without_compilation() -> None:
    command = [sys.executable, "-m", "thousand_env", "check", str(GOLDEN)]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(GOLDEN.parent.parent)}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert (result.returncode, result.stderr) == (0, "")
    assert f" of {len(FILES)} files" in result.stdout


def final(name: str) -> Record:
    return read((GOLDEN / f"{name}.txt").read_text())[-1]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("T2_closed_at_100", False),
        ("T2_shown_at_100", True),
        ("T2_shown_above_100", True),
        ("T2_declarer_chooses_open", True),
        ("T2_declarer_chooses_closed", False),
    ],
)
def test_the_talon_is_shown_or_not(name: str, shown: bool) -> None:
    assert bool(final(name).states[0].talon_open) == shown


@pytest.mark.parametrize(
    ("name", "stakes"),
    [
        ("L3_win", [1.0, 0.0, -1.0]),
        ("E2_equal_last_places", [10.0, -5.0, -5.0]),
        ("E1_win_from_the_barrel", [1.0, 0.0, -1.0]),
        ("E3_max_deals", [1.0, -1.0, 0.0]),
    ],
)
def test_the_end_of_a_match_pays_its_stakes(name: str, stakes: list[float]) -> None:
    record = final(name)
    assert record.states[-1].phase == OVER
    assert list(engine.payoffs(record.states[-1:], record.rules.array())[0]) == stakes


# -- corrupt copies --------------------------------------------------------------------------------------------------

Corruption = Callable[[str], str]


def another_winner(line: str) -> str:
    return re.sub(r"-> (\d)", lambda match: f"-> {(int(match[1]) + 1) % 3}", line)


def another_number(line: str) -> str:
    return re.sub(r"-?\d+$", lambda match: str(int(match[0]) + 5), line)


def another_card(line: str) -> str:
    first, _, rest = line.partition(":")
    cards = rest.split(" -> ")[0].split()
    return line.replace(f" {cards[-1]}", f" {cards[0].partition('+')[0]}") if first else line


@golden
@pytest.mark.parametrize(
    ("word", "corrupt"),
    [("8.", another_winner), ("1.", another_card), ("score", another_number), ("total", another_number)],
    ids=["winner", "card", "score", "total"],
)
def test_a_corrupt_copy_is_refused_at_its_line(path: Path, word: str, corrupt: Corruption) -> None:
    lines = canonical(path.read_text()).splitlines()
    places = [number for number, line in enumerate(lines) if line.startswith(word)]
    if not places:  # a deal alone has no total, one given up or unfinished no tricks
        assert word == "total" or {"writeoff", "baptise", "unfinished"} & {line.split()[0] for line in lines if line}
        return
    place = places[-1]
    lines[place] = corrupt(lines[place])
    _, faults = examine("\n".join(lines))
    assert [fault.line for fault in faults] == [place + 1]
    with pytest.raises(NotationError, match=f"^line {place + 1}: found .*, expected "):
        read("\n".join(lines))


@golden
def test_a_lost_line_is_missed(path: Path) -> None:
    lines = canonical(path.read_text()).splitlines()
    for lost, line in enumerate(lines):
        optional = not line or line.startswith(("start bolts", "total", "bonus")) or "start totals -" in line
        if optional or line.startswith("rules"):
            continue
        rest = "\n".join(lines[:lost] + lines[lost + 1 :])
        assert examine(rest)[1], f"{path.name} without {line!r}"


# -- round trips -----------------------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.sampled_from(TABLES), st.integers(0, 1 << 32), st.integers(1, 4))
def test_a_random_match_is_read_as_it_is_written(table: str, seed: int, deals: int) -> None:
    record = random_record(RuleSet.parse(table), random.Random(seed), deals)
    text = write(record)
    (again,) = read(text)
    assert (again.rules, again.start) == (record.rules, record.start)
    assert again.states.tobytes() == record.states.tobytes()
    assert write(again) == text


def test_several_records_stand_in_one_text() -> None:
    records = [random_record(RuleSet.parse(table), random.Random(1), 2) for table in TABLES]
    text = write(*records)
    assert write(*read(text)) == text
    assert [str(record.rules) for record in read(text)] == [str(record.rules) for record in records]


def test_only_a_match_keeps_totals() -> None:
    alone, match = (GOLDEN / "K2_one_short.txt").read_text(), (GOLDEN / "B1_no_trick.txt").read_text()
    assert [record.keeps_totals for record in [*read(alone), *read(match)]] == [False, True]


def test_reading_is_lenient_about_spelling_and_spaces() -> None:
    text = canonical((GOLDEN / "D1_address.txt").read_text())
    sloppy = (
        text.replace("hAKQJ9cJsA", "♥AKQ9JsAcJ").replace("1:cT dA cA -> 0", "1:10c  DA   A♣->0").replace("+100", "+")
    )
    sloppy = sloppy.replace("cTsTQ", "sQsTcT").replace("+185", "185").replace("\n", " ; as told\r\n\r\n")
    assert write(*read(sloppy)) == text


# -- faults ----------------------------------------------------------------------------------------------------------

MATCH = canonical((GOLDEN / "L4_three_attempts.txt").read_text())


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (
            "rules core",
            "rules cor",
            "line 1: rules 'cor': 'cor' is not a preset; expected one of core, classic, online",
        ),
        ("rules core\n", "", "line 1: found 'start totals 880 0 0 barrel 5.0 - -', expected rules and a preset"),
        (
            "barrel 5.0",
            "barrel 5.3",
            "line 2: found 3 attempts of seat 0, who is on the barrel, expected less than 3 (L4)",
        ),
        ("totals 880", "totals 900", "line 2: found total 900 of seat 0, who is on the barrel, expected 880 (L1)"),
        ("deal  2", "deal  5", "line 3: found seat '5', expected 0 to 2"),
        ("deal  2", "deal", "line 3: found 2 words after deal, expected dealer, hands, talon"),
        ("deal  2", "redeal 2", "line 3: found 'redeal 2 hATKQJ9dAT/dKQJ9cATKQ/cJ9sATKQJ9 -', expected deal"),
        ("play  0:100", "play  3:100", "line 4: found seat '3', expected 0 to 2"),
        ("play  0:100", "play  0:105", "line 4: found contract 105 of a seat on the barrel, expected 125 or more (L3)"),
        ("1.    0:hA d9 c9 -> 0", "2.    0:hA d9 c9 -> 0", "line 5: found trick 2., expected trick 1."),
        ("1.    0:hA d9 c9 -> 0", "1.    0:hA d9 c9", "line 5: found no winner at the end of the trick, expected -> 0"),
        ("1.    0:hA d9 c9 -> 0", "1.    0:hA d9 -> 0", "line 5: found '->', expected a card by seat 2"),
        ("1.    0:hA d9 c9 -> 0", "1.    1:hA d9 c9 -> 0", "line 5: found '1:hA', expected a card by seat 0"),
        ("1.    0:hA d9 c9 -> 0", "1.    0:hA hT c9 -> 0", "line 5: found hT, expected a card by seat 1: cQ, cK, cT,"),
        ("1.    0:hA d9 c9 -> 0", "1.", "line 5: found '1.', expected a card by seat 0"),
        ("bolt  1", "bolt  0", "line 14: found 'bolt 0', expected 'bolt 1'"),
        ("bolt  1\nbolt  2", "bolt  2\nbolt  1", "line 14: found 'bolt 2', expected 'bolt 1'"),
        ("bolt  1\n", "", "line 14: found 'bolt 2', expected 'bolt 1'"),
        ("bolt  2\ntotal 880", "bolt  2\nwin   0\ntotal 880", "line 16: found 'win 0', expected 'total 880 0 0'"),
        ("total 880 0 0\n", "", "line 15: found nothing more, expected total 880 0 0"),
        ("total 880 0 0", "total 880 0", "line 16: found 'total 880 0', expected 'total 880 0 0'"),
        ("score +100 0 0", "score", "line 13: found 'score', expected 'score +100 0 0'"),
        (
            "score +100 0 0",
            "scores +100",
            "line 13: found 'scores +100', expected score +100 0 0; the words are rules,",
        ),
        ("score +100 0 0", "golden", "line 13: found 'golden', expected score +100 0 0"),
        ("deal  0", "deal  1", "line 18: found dealer 1, expected seat 0 to deal (S2)"),
        (
            "total 880 0 0\n",
            "total 880 0 0\nunfinished\n",
            "line 17: found 'unfinished', expected the next deal or rules",
        ),
    ],
)
def test_a_fault_is_found_in_its_line_and_alone(old: str, new: str, fault: str) -> None:
    assert MATCH.count(old) >= 1
    faults = faults_of(MATCH.replace(old, new, 1))
    assert len(faults) == 1
    assert faults[0].startswith(fault)


def test_every_wrong_claim_is_listed() -> None:
    text = MATCH.replace("-> 0", "-> 1", 1).replace("score +100 0 0", "score +100 5 0").replace("fall  0", "fall  1")
    assert [fault.line for fault in examine(text)[1]] == [5, 13, 45]


def test_a_fault_in_one_deal_leaves_the_others_checked() -> None:
    text = MATCH.replace("0:hA d9 c9", "0:hA d9 d9", 1).replace("8.    0:c9 cA cT -> 1", "8.    0:c9 cA cT -> 2")
    text = text.replace("score 0 0 +120", "score 0 0 +125")
    assert [fault.line for fault in examine(text)[1]] == [5, 27, 42]


def test_a_fault_at_the_start_is_reported_once() -> None:
    text = write(random_record(RuleSet(), random.Random(11), 4))
    assert text.count("deal  ") == 4
    assert [fault.line for fault in examine(text.replace("start totals ", "start totals 5 "))[1]] == [2]


def test_a_fault_in_one_record_leaves_the_others_checked() -> None:
    good = canonical((GOLDEN / "K2_one_short.txt").read_text())
    records, faults = examine(f"rules nothing\n{good}\n{good.replace('-100', '+100')}\n{good}")
    assert len(records) == 2
    assert [fault.line for fault in faults] == [1, 26]


def test_no_deal_follows_the_end_of_a_match() -> None:
    won = canonical((GOLDEN / "L3_win.txt").read_text())
    deal = won[won.index("deal") :].replace("deal  2", "deal  0")
    assert faults_of(f"{won}\n{deal}") == ["line 21: found another deal, expected the next rules: the match is over"]


def test_the_deals_of_a_match_share_its_address() -> None:
    record = random_record(RuleSet(), random.Random(3), 2)
    text = write(record)
    seed = re.findall(r"(\S+)#", text)[-1]
    other = text[::-1].replace(f"{seed}#"[::-1], "7#"[::-1], 1)[::-1]
    assert re.fullmatch(r"line \d+: found the address 7#.*, expected the match of .*", faults_of(other)[0])


def test_an_unfinished_deal_must_say_so_and_come_last() -> None:
    lines = MATCH.splitlines()[:6]
    assert faults_of("\n".join(lines)) == ["line 6: found nothing more, expected a card by seat 0"]
    assert faults_of("\n".join([*lines, "unfinished"])) == []
    rest = MATCH.splitlines()[17:]
    assert "line 7: found 'unfinished', expected it of the last deal only" in faults_of(
        "\n".join([*lines, "unfinished", *rest])
    )


def test_a_finished_deal_may_not_say_unfinished() -> None:
    text = canonical((GOLDEN / "K2_one_short.txt").read_text()).replace("score -100 +20 0", "unfinished")
    assert faults_of(text) == ["line 12: found 'unfinished', expected score -100 +20 0"]


@pytest.mark.parametrize("text", ["", "\n\n", "; nothing but a comment\n"])
def test_an_empty_text_is_no_transcript(text: str) -> None:
    assert faults_of(text) == ["line 1: found nothing more, expected rules and a preset, as in: rules classic"]


def test_a_line_error_knows_its_line() -> None:
    error = LineError(7, "found this, expected that")
    assert (error.line, error.message, str(error)) == (
        7,
        "found this, expected that",
        "line 7: found this, expected that",
    )


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.sampled_from(FILES), st.integers(0, 1 << 32))
def test_no_damage_to_a_text_raises_anything_but_a_fault(path: Path, seed: int) -> None:
    rng, text = random.Random(seed), path.read_text()
    for _ in range(rng.randrange(1, 5)):
        place = rng.randrange(len(text))
        text = text[:place] + rng.choice(["", "\n", " ", "9", "-", "?", "->", "hK", "٣", "\x00"]) + text[place + 1 :]
    records, faults = examine(text)
    assert faults or write(*read(write(*records))) == write(*records)
