"""The board: a state as a picture for people."""

from typing import Any

import numpy as np

from thousand_env import engine
from thousand_env.cards import SUIT_LETTERS
from thousand_env.layout import deal_of
from thousand_env.moves import move_lines, trick_lines, trick_winners
from thousand_env.notation import score_text
from thousand_env.rules import RuleSet
from thousand_env.seats import is_active
from thousand_env.sheet import SeatSheet, events_of, in_golden_deals, sheet_of
from thousand_env.spelling import set_text, talon_text
from thousand_env.state import NONE, PHASE_NAMES, SCORED


def board(state: Any, rules: RuleSet) -> str:
    """Return a state as a picture for people."""
    deal = deal_of(state, rules)
    where = f"deal {deal.address or int(state.deal)}, seat {deal.dealer} deals, phase {PHASE_NAMES[state.phase]}"
    lines = [f"{rules}: {where}"]
    if in_golden_deals(sheet_of(state, rules), rules):
        lines.append("golden")
    lines += [_padded(line) for line in _fines(state, rules)]
    if deal.talon or deal.other:
        lines.append(f"talon  {talon_text(deal)}{' (shown)' if state.talon_open else ''}")
    lines += [_padded(line) for line in move_lines(state, rules)]
    winners = trick_winners(state, rules)
    for number, trick in enumerate(trick_lines(state, rules), start=1):
        line = f"{number}. {trick}" + (f" -> {winners[number - 1]}" if number <= len(winners) else "")
        lines.append(_padded(line))
    if state.trump != NONE:
        lines.append(f"trump  {SUIT_LETTERS[state.trump]}")
    lines += ["", *_seats_table(state, rules)]
    if state.phase >= SCORED:
        lines += ["", f"score  {score_text(state, rules.players)}", *events_of(state, rules)]
    return "\n".join(lines)


def _padded(line: str) -> str:
    word, _, rest = line.partition(" ")
    return f"{word:<6} {rest}".rstrip()


def _fines(state: Any, rules: RuleSet) -> list[str]:
    """Return the fines that fell before the deal, and the illegal actions that are to be fined."""
    seats = range(rules.players)
    early = [f"fine {seat} {int(state.early[seat])}" for seat in seats if state.early[seat]]
    return early + [f"offence {seat} {int(state.offences[seat])}" for seat in seats if state.offences[seat]]


def _seats_table(state: Any, rules: RuleSet) -> list[str]:
    states = np.array([state], dtype=state.dtype)
    points = engine.deal_score(states, rules.array())[0]
    rows = [f"{'seat':<9}{'hand':<22}{'tricks':>6}{'points':>8}{'total':>7}{'bolts':>7}  barrel"]
    for seat, column in enumerate(sheet_of(state, rules).seats):
        marks = ("D" if seat == state.declarer else "") + ("*" if seat == state.turn else "")
        marks += "" if is_active(state, rules.array()[0], seat) else "-"
        rows.append(
            f"{seat} {marks:<7}{set_text(int(state.hands[seat])):<22}{int(state.tricks[seat]):>6}{int(points[seat]):>8}"
            f"{column.total:>7}{column.bolts:>7}  {_barrel_text(column)}"
        )
    return rows


def _barrel_text(column: SeatSheet) -> str:
    if column.mounted:
        return f"since deal {column.mounted}, {column.attempts} attempts used"
    return f"reverse, {column.reverse}" if column.reverse else "-"
