"""Origins: back over a scored deal, to the score sheet it may have begun with.

A state keeps the sheet as its deal left it, and a text that shows such a state is verified by finding a sheet from
which the deal leads to it. If any sheet did, one of those found here does: where the deal wiped out what was before
(the total of a seat that mounted, the attempts of one that fell) one value stands for all that act alike.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from thousand_env.match import BOLTS_FOR_FINE, LOST_AT, REVERSE_AT, REVERSE_DEALS
from thousand_env.rules import RuleSet
from thousand_env.sheet import SeatSheet, Sheet, attempts_since
from thousand_env.state import NONE

Standing = tuple[int, int, int]  # total, mounted, attempts


@dataclass(frozen=True)
class Outcome:
    """What a text says of a scored deal: its dealer, scores and events, and what its lines did to the sheet."""

    dealer: int
    score: Sequence[int]
    events: Sequence[str]
    bonuses: Sequence[int]  # that each seat used, packed as on the sheet
    wrote_off: bool = False
    baptised: bool = False


@dataclass(frozen=True)
class _Before:
    """What is supposed of the sheet before the deal, but for the seats' columns."""

    golden: bool  # whether the deal was a golden one
    zeroed: bool  # whether it ended golden deals of which nobody had made one
    gave_up: int  # the seat that wrote off or was baptised, or NONE


def sheets_before(after: Sheet, outcome: Outcome, rules: RuleSet) -> Iterator[Sheet]:
    """Yield sheets from which a deal with this outcome may have led to the sheet `after`."""
    for before in _suppositions(after, outcome, rules):
        columns = [list(_columns_before(seat, after, outcome, before, rules)) for seat in range(rules.players)]
        golden_over = after.golden_over and not before.golden
        for seats in itertools.product(*columns):
            yield replace(after, seats=seats, deals=after.deals - 1, golden_over=golden_over)


def _suppositions(after: Sheet, outcome: Outcome, rules: RuleSet) -> Iterator[_Before]:
    round_ended = after.deals % rules.players == 0
    made = any(column.golden_made for column in after.seats)
    seats = [NONE]
    if outcome.wrote_off:
        seats = [seat for seat, column in enumerate(after.seats) if column.write_offs and outcome.score[seat] < 0]
    elif outcome.baptised:
        seats = [seat for seat, column in enumerate(after.seats) if column.baptised]
    for seat in seats:
        if rules.golden and (not after.golden_over or round_ended):
            yield _Before(golden=True, zeroed=round_ended and not made, gave_up=seat)
        if not rules.golden or after.golden_over:
            yield _Before(golden=False, zeroed=False, gave_up=seat)


def _columns_before(seat: int, after: Sheet, outcome: Outcome, before: _Before, rules: RuleSet) -> Iterator[SeatSheet]:
    column, words = after.seats[seat], _events_of(seat, outcome.events)
    forehand = (outcome.dealer + 1) % rules.players
    made_it = before.golden and seat == forehand and outcome.score[seat] > 0
    gave_up = before.gave_up == seat
    column = column._replace(
        golden_made=column.golden_made - made_it,
        write_offs=column.write_offs - (gave_up and outcome.wrote_off),
        baptised=column.baptised - (gave_up and outcome.baptised),
        bonuses=column.bonuses - outcome.bonuses[seat],
    )
    if "fall" in words:
        column = column._replace(falls=(column.falls or rules.barrel_falls_to_zero) - 1)
    closed = before.golden and not after.golden_over
    for total, mounted, attempts in _standings(seat, after, outcome, before, rules):
        stands = column._replace(total=total, mounted=mounted, attempts=attempts)
        for bolts in _bolts(column.bolts, words, before.zeroed):
            for reverse in [column.reverse] if closed else _reverses(after.seats[seat], words):
                yield stands._replace(bolts=bolts, reverse=reverse)


def _events_of(seat: int, events: Sequence[str]) -> dict[str, int]:
    """Return the events of one seat: word and points, 0 where there are none."""
    parts = [event.split() for event in events]
    return {part[0]: int(part[2]) if len(part) > 2 else 0 for part in parts if part[1] == str(seat)}


def _bolts(bolts: int, words: dict[str, int], zeroed: bool) -> list[int]:
    if "bolt" not in words or zeroed:
        return [bolts] if "bolt" not in words else [0, 1, 2]
    counts = [bolts - 1, bolts - 2]  # a bolt may count twice
    return [count if count >= 0 else count + BOLTS_FOR_FINE for count in counts]


def _reverses(column: SeatSheet, words: dict[str, int]) -> list[int]:
    """Return what may have stood for the reverse barrel; `column` holds the total after the deal (L9)."""
    if "reverse" in words:
        return [0] if column.reverse else [REVERSE_DEALS]
    if column.total <= LOST_AT:
        return [column.reverse]
    if column.reverse:
        return [column.reverse - 1, column.reverse]  # less one, unless it sat out
    return [0, 1]


def _standings(seat: int, after: Sheet, outcome: Outcome, before: _Before, rules: RuleSet) -> list[Standing]:
    """Return how a seat may have stood: total, mount and attempts."""
    column, words = after.seats[seat], _events_of(seat, outcome.events)
    at, gain = rules.barrel_at, outcome.score[seat] - words.get("fine", 0)
    if before.zeroed:
        return [(0, 0, 0)]
    if "fall" in words:
        return [
            *_sitters(seat, outcome.dealer, after.deals - 1, rules),
            *((total, 0, 0) for total in _reached(at, gain)),
        ]
    if "barrel" in words:
        return [(total, 0, 0) for total in _reached(at, gain)]
    if column.mounted:
        sat_out = rules.players == 4 and seat == outcome.dealer
        return [(at, column.mounted, column.attempts - (not sat_out))]
    totals = [column.total - gain]
    if "dump" in words:
        totals = [rules.dump_truck - gain, -rules.dump_truck - gain]
    elif "reverse" in words and not column.reverse:
        totals = [
            REVERSE_AT - max(gain, 0),
            LOST_AT + 5 - min(gain, 0),
            REVERSE_AT,
            *range(LOST_AT + 5, REVERSE_AT, 20),
        ]
    standings = [(total, 0, 0) for total in totals]
    if "win" in words and at:
        standings += [(at, after.deals - 1, 0)]
    return standings


def _reached(at: int, gain: int) -> list[int]:
    """Return totals from which the deal's points lead to the barrel or beyond, two lest the dump truck takes one."""
    return [at - gain, at - gain + 1, at - 1]


def _sitters(seat: int, dealer: int, deals: int, rules: RuleSet) -> list[Standing]:
    """Return sitters that may have fallen: in the last attempt, in an earlier one, on their first, longest of all."""
    most = rules.barrel_attempts or deals + 1
    spans = {*range(min(deals, 2 * rules.barrel_attempts + 4)), *([] if rules.barrel_attempts else [deals - 1])}
    mounts = sorted(deals - span for span in spans if span >= 0)
    sitters = [(mounted, attempts_since(mounted, deals, seat, dealer, rules)) for mounted in mounts]
    sitters = [(mounted, attempts) for mounted, attempts in sitters if attempts < most]
    kept = {0, most - 2, most - 1}
    chosen = [pair for place, pair in enumerate(sitters) if place == 0 or pair[1] in kept]
    return [(rules.barrel_at, mounted, attempts) for mounted, attempts in chosen]
