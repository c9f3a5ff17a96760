"""Between deals (§10, §11, §17): bolts, barrel, dump truck, and who has won.

The effects of a finished deal fall in the order of K4: deal points, bolts and their penalty, a win from the barrel,
attempts and falls, mounts and knock-offs, the dump truck.
"""

from typing import Any

from thousand_env.jit import kernel, popcount
from thousand_env.rules import ALL_FALL, CONSECUTIVE, NO_BOLTS
from thousand_env.scoring import score_seat, strike_marriages
from thousand_env.state import (
    BARREL_EVENT,
    BOLT_EVENT,
    DUMP_EVENT,
    FALL_EVENT,
    FINE_EVENT,
    NONE,
    OVER,
    SCORED,
    WIN_EVENT,
)

BOLTS_FOR_FINE = 3


@kernel
def finish_deal(state: Any, rules: Any) -> None:
    """Score the finished deal, let its effects fall in the order of K4, and end the match if it is decided."""
    strike_marriages(state, rules)
    for seat in range(rules.players):
        state.score[seat] = score_seat(state, rules, seat)
    won = wins_from_barrel(state, rules)
    enter_points(state, rules)
    for seat in range(rules.players):
        enter_bolt(state, rules, seat)
    if won and state.mounted[state.declarer] > 0:
        win(state, rules)
    use_attempts(state, rules)
    mount(state, rules)
    knock_off(state, rules)
    dump(state, rules)
    state.turn = NONE
    state.phase = SCORED
    if state.winner != NONE or (rules.max_deals > 0 and state.deal + 1 >= rules.max_deals):
        state.phase = OVER


@kernel
def wins_from_barrel(state: Any, rules: Any) -> bool:
    """Whether the declarer sits on the barrel and made a contract that wins from there (L3)."""
    declarer = state.declarer
    return state.mounted[declarer] > 0 and state.score[declarer] >= rules.needs


@kernel
def enter_points(state: Any, rules: Any) -> None:
    """Add the scores to the totals; a seat on the barrel keeps exactly its points (L2, L4)."""
    for seat in range(rules.players):
        if state.mounted[seat] == 0:
            state.totals[seat] += state.score[seat]


@kernel
def enter_bolt(state: Any, rules: Any, seat: int) -> None:
    """Mark a deal without a trick; the third bolt costs the fine and clears the count (B1, B2, B4)."""
    if rules.bolts == NO_BOLTS:
        return
    if state.tricks[seat] > 0:
        if rules.bolts == CONSECUTIVE:
            state.bolts[seat] = 0
        return
    if seat == state.declarer and not rules.declarer_bolts:
        return
    state.bolts[seat] += 1
    state.events[seat] |= BOLT_EVENT
    if state.bolts[seat] == BOLTS_FOR_FINE:
        state.bolts[seat] = 0
        impose_fine(state, rules, seat)


@kernel
def impose_fine(state: Any, rules: Any, seat: int) -> None:
    """Take the fine off a total; a seat on the barrel falls by it, without a second fine (L2)."""
    state.totals[seat] -= rules.fine
    state.events[seat] |= FINE_EVENT
    if state.mounted[seat] > 0:
        fall(state, rules, seat)


@kernel
def fall(state: Any, rules: Any, seat: int) -> None:
    """Count a fall from the barrel: the fine below it, or zero for the last one allowed (L4, L5)."""
    state.mounted[seat] = state.attempts[seat] = 0
    state.totals[seat] = rules.barrel_at - rules.fine
    state.falls[seat] += 1
    state.events[seat] |= FALL_EVENT
    if state.falls[seat] == rules.barrel_falls_to_zero:
        state.falls[seat] = state.totals[seat] = 0


@kernel
def win(state: Any, rules: Any) -> None:
    """Let the declarer win from the barrel with `barrel_at` + contract (L1, L3)."""
    seat = state.declarer
    state.winner = seat
    state.totals[seat] = rules.barrel_at + state.contract
    state.mounted[seat] = state.attempts[seat] = 0
    state.events[seat] |= WIN_EVENT


@kernel
def use_attempts(state: Any, rules: Any) -> None:
    """Use up one attempt of every seat on the barrel; after the last one it falls (L4)."""
    for seat in range(rules.players):
        if state.mounted[seat] > 0:
            state.attempts[seat] += 1
            if state.attempts[seat] == rules.barrel_attempts:
                fall(state, rules, seat)


@kernel
def mounting_seats(state: Any, rules: Any) -> int:
    """Return the seats, a bit each, that reached the barrel in this deal (L1)."""
    seats = 0
    for seat in range(rules.players):
        if state.mounted[seat] == 0 and seat != state.winner and state.totals[seat] >= rules.barrel_at:
            seats |= 1 << seat
    return seats


@kernel
def mount(state: Any, rules: Any) -> None:
    """Seat on the barrel who reached it; if they are too many, `barrel_tie` decides who falls (L1, L6)."""
    seats, places = mounting_seats(state, rules), rules.barrel_seats
    if popcount(seats) > places and rules.barrel_tie == ALL_FALL:
        places = 0
    if seats >> state.declarer & 1 and places > 0:
        sit_down(state, rules, state.declarer)
        seats ^= 1 << state.declarer
        places -= 1
    for distance in range(1, rules.players + 1):
        seat = (state.dealer + distance) % rules.players
        if not seats >> seat & 1:
            continue
        if places > 0:
            sit_down(state, rules, seat)
            places -= 1
        else:
            fall(state, rules, seat)


@kernel
def sit_down(state: Any, rules: Any, seat: int) -> None:
    """Put a seat on the barrel with exactly its points (L1)."""
    state.totals[seat] = rules.barrel_at
    state.mounted[seat] = state.deal + 1
    state.attempts[seat] = 0
    state.events[seat] |= BARREL_EVENT


@kernel
def knock_off(state: Any, rules: Any) -> None:
    """Let the longest sitters fall until `barrel_seats` sit; of equals the furthest clockwise from forehand (L6)."""
    sitting = 0
    for seat in range(rules.players):
        sitting += state.mounted[seat] > 0
    while sitting > rules.barrel_seats:
        fall(state, rules, longest_sitter(state, rules))
        sitting -= 1


@kernel
def longest_sitter(state: Any, rules: Any) -> int:
    """Return the seat that mounted first, the furthest clockwise from forehand among equals."""
    longest = NONE
    for distance in range(1, rules.players + 1):
        seat = (state.dealer + distance) % rules.players
        if state.mounted[seat] > 0 and (longest == NONE or state.mounted[seat] <= state.mounted[longest]):
            longest = seat
    return longest


@kernel
def dump(state: Any, rules: Any) -> None:
    """Bring a total of exactly ± `dump_truck` back to zero (L8)."""
    if rules.dump_truck == 0:
        return
    for seat in range(rules.players):
        if abs(state.totals[seat]) == rules.dump_truck:
            state.totals[seat] = 0
            state.events[seat] |= DUMP_EVENT


@kernel
def payoff(state: Any, rules: Any, seat: int) -> float:
    """Return the stake a seat wins or loses at the end of a match (E2, E3)."""
    above, below, equal = 0, 0, 0
    for other in range(rules.players):
        if other == state.winner or (seat != state.winner and state.totals[other] > state.totals[seat]):
            above += other != seat
        elif seat == state.winner or state.totals[other] < state.totals[seat]:
            below += other != seat
        else:
            equal += 1
    gain = rules.bank / max(1, equal) if above == 0 else 0.0
    loss = rules.bank / max(1, equal) if below == 0 else 0.0
    return gain - loss
