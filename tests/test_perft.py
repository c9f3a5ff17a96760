"""The counts of `perft/`, by the engine to the last and by the reference as deep as it can go."""

from __future__ import annotations

import pytest

from tests.perft_counts import Line, read, reference_perft

FILES = ("auction.txt", "exchange.txt", "play.txt", "players.txt", "presets.txt")
LINES = [pytest.param(line, id=f"{name[:-4]} {number}") for name in FILES for number, line in enumerate(read(name), 1)]


@pytest.mark.parametrize("line", LINES)
def test_the_engine_counts_what_is_written(line: Line) -> None:
    assert {depth: line.counted(depth) for depth in line.counts} == line.counts


def confirmed_by_the_reference(line: Line, limit: int) -> None:
    """The reference counts the same at the greatest depth with no more sequences than the limit."""
    depth = max(depth for depth, count in line.counts.items() if count <= limit)
    assert reference_perft(line.reference(), depth) == line.counts[depth]


@pytest.mark.parametrize("line", LINES)
def test_the_reference_counts_the_same(line: Line) -> None:
    confirmed_by_the_reference(line, 2_000)


@pytest.mark.slow
@pytest.mark.parametrize("line", LINES)
def test_the_reference_counts_the_same_to_a_greater_depth(line: Line) -> None:
    confirmed_by_the_reference(line, 70_000)


@pytest.mark.parametrize("line", LINES)
def test_a_line_is_written_as_it_is_read(line: Line) -> None:
    assert Line.parse(str(line)) == line


def test_the_files_hold_positions_of_every_kind() -> None:
    play = read("play.txt")
    assert min(len(read(name)) for name in FILES) >= 6
    assert {line.rules.marriage_first_lead for line in play} == {"never", "unbeatable", "always"}
    assert sum(any(action.endswith("+") for action in line.actions) for line in play) >= 5
    assert sum(line.counts[max(line.counts)] for line in play) > 100_000


def test_the_files_hold_every_preset_in_full_and_every_number_of_players() -> None:
    full = {str(line.rules) for line in read("presets.txt")}
    assert full >= {"classic", "online", "tysiac"}
    lines = read("players.txt")
    played = {(str(line.rules.replace(players=3, dealer_scores="none")), line.rules.players) for line in lines}
    assert played == {(preset, players) for preset in ("classic", "online", "tysiac") for players in (2, 4)}
    assert {action for line in read("presets.txt") for action in line.actions} >= {"blind", "redeal"}
