"""`python -m thousand_env`: check and show transcripts, print the rules of a table, count the sequences of actions.

A mistake of the user ends with one line that says what was found and what was expected, never with a traceback.
"""

import argparse
import io
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thousand_env import engine
from thousand_env.board import board
from thousand_env.errors import NotationError, ThousandError
from thousand_env.meanings import MEANINGS
from thousand_env.notation import parse_position
from thousand_env.output import reader_may_leave
from thousand_env.rules import FIELDS, PRESETS, RuleSet, value_text
from thousand_env.spelling import parse_number
from thousand_env.state import new_states
from thousand_env.transcript import LineError, Record, examine

Row = Sequence[str]


@reader_may_leave()
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status: 0, or 1 when something was found at fault."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a message quotes what it found, in any alphabet
            stream.reconfigure(errors="backslashreplace")
    options = _parser().parse_args(arguments)
    try:
        status: int = options.run(options)
    except ThousandError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m thousand_env", description="The card game Thousand.")
    commands = parser.add_subparsers(required=True, metavar="check | show | rules | perft")
    check = commands.add_parser("check", help="replay transcripts and list what is wrong in them")
    check.add_argument("files", nargs="+", type=Path, help="transcripts, or folders searched for .txt files")
    check.set_defaults(run=_check)
    show = commands.add_parser("show", help="print transcripts, positions or a deal of the deck for people")
    show.add_argument("files", nargs="*", type=Path, help="transcripts, or files with a position a line")
    _add_address(show)
    show.set_defaults(run=_show)
    rules = commands.add_parser("rules", help="print every field of a table's rules: its rule, value and meaning")
    rules.add_argument(
        "spec", nargs="*", help="a preset and differences, as in: classic bid_cap=no (default: all presets)"
    )
    rules.add_argument(
        "--diff",
        nargs=2,
        metavar=("A", "B"),
        help="print only what differs between two tables: --diff core 'core fine=60'",
    )
    rules.set_defaults(run=_rules)
    perft = commands.add_parser("perft", help="count the sequences of legal actions from a deal or a position")
    perft.add_argument("depth", type=_depth)
    perft.add_argument("position", nargs="?", help="a position; without it the deal at --seed and --match")
    _add_address(perft)
    perft.set_defaults(run=_perft)
    return parser


def _add_address(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=_integer, help="the seed of a deal from the deck")
    parser.add_argument("--match", type=_integer, default=0, help="the match of that seed (default: 0)")
    parser.add_argument("--rules", default="core", help="the rules of that deal (default: core)")


def _integer(text: str) -> int:
    try:
        return parse_number(text, "a number of at most nine digits")
    except NotationError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _depth(text: str) -> int:
    depth = _integer(text)
    if depth < 0:
        raise argparse.ArgumentTypeError(f"found {depth}, expected 0 or more")
    return depth


# -- check -----------------------------------------------------------------------------------------------------------


def _check(options: argparse.Namespace) -> int:
    files, deals, faulty = 0, 0, False
    for path in _files(options.files):
        records, faults = _examine_file(path)
        files, deals, faulty = files + 1, deals + sum(len(record.states) for record in records), faulty or bool(faults)
        for fault in faults:
            print(f"{path}:{fault.line}: {fault.message}")
    if not faulty:
        print(f"no fault in {deals} deals of {files} files")
    return int(faulty)


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        if os.path.isdir(path):  # noqa: PTH112 unlike Path.is_dir it raises nothing, whatever the name
            yield from sorted(path.rglob("*.txt"))
        else:
            yield path


def _examine_file(path: Path) -> tuple[list[Record], list[LineError]]:
    try:
        return examine(_text_of(path))
    except LineError as fault:
        return [], [fault]


def _text_of(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise LineError(1, f"found byte {error.start}, which is not UTF-8 text, expected a transcript") from None
    except OSError as error:
        raise LineError(1, f"found no readable file ({error.strerror}), expected a transcript") from None


# -- show ------------------------------------------------------------------------------------------------------------


def _show(options: argparse.Namespace) -> int:
    if not options.files and options.seed is None:
        raise NotationError("show: found no file and no --seed, expected one of them")
    if options.seed is not None:
        print(board(_dealt(options)[0], RuleSet.parse(options.rules)))
    return max([0, *(_show_file(path) for path in _files(options.files))])


def _show_file(path: Path) -> int:
    records, faults = _examine_file(path)
    if not records and _holds_positions(path):
        return _show_positions(path)
    for record in records:
        for state in record.states:
            print(board(state, record.rules), end="\n\n")
    for fault in faults:
        print(f"{path}:{fault.line}: {fault.message}", file=sys.stderr)
    return int(bool(faults))


def _show_positions(path: Path) -> int:
    status = 0
    for number, line in _lines_of(path):
        try:
            states, rules = parse_position(line)
            print(board(states[0], rules), end="\n\n")
        except NotationError as error:
            print(f"{path}:{number}: {error}", file=sys.stderr)
            status = 1
    return status


def _holds_positions(path: Path) -> bool:
    try:
        lines = _lines_of(path)
    except LineError:
        return False
    return bool(lines) and all("|" in line for _, line in lines)


def _lines_of(path: Path) -> list[tuple[int, str]]:
    lines = [line.partition(";")[0].strip() for line in _text_of(path).split("\n")]
    return [(number, line) for number, line in enumerate(lines, start=1) if line]


# -- rules and perft -------------------------------------------------------------------------------------------------


def _rules(options: argparse.Namespace) -> int:
    if options.diff and options.spec:
        raise NotationError(f"rules: found {' '.join(options.spec)!r} beside --diff, expected one of them")
    tables = [RuleSet.parse(" ".join(options.spec))] if options.spec else list(PRESETS.values())
    names: Sequence[str] = list(FIELDS)
    if options.diff:
        tables = [RuleSet.parse(spec) for spec in options.diff]
        names = [name for name, _, _ in tables[0].differences(tables[1])]
    rows: list[Row] = [["field", "rule", *map(str, tables), "meaning"]]
    for name in names:
        values = [value_text(name, getattr(table, name)) for table in tables]
        rows.append([name, FIELDS[name].metadata["rule"], *values, MEANINGS[name]])
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, _widths(rows), strict=True)).rstrip())
    return 0


def _widths(rows: Sequence[Row]) -> list[int]:
    return [max(map(len, column)) for column in zip(*rows, strict=True)]


def _perft(options: argparse.Namespace) -> int:
    if options.position is None:
        states, rules = _dealt(options), RuleSet.parse(options.rules)
    else:
        states, rules = parse_position(options.position)
    for depth in range(options.depth + 1):
        print(depth, engine.perft(states, rules.array(), depth), flush=True)
    return 0


def _dealt(options: argparse.Namespace) -> NDArray[Any]:
    states = new_states(1)
    seed = np.array([options.seed or 0])
    engine.start_matches(states, RuleSet.parse(options.rules).array(), seed, np.array([options.match]))
    return states


if __name__ == "__main__":
    sys.exit(main())
