"""Between deals (§10, §11, §12, §17): bolts, barrel, dump truck, golden deals, and who has won.

The effects of a finished deal fall in the order of K4: deal points, bolts and their penalty, fines, a win from the
barrel, attempts and falls, mounts and knock-offs, the dump truck, the reverse barrel, a win by the target.
"""

from typing import Any

from thousand_env.jit import kernel, popcount
from thousand_env.rules import ALL_FALL, BOLT_COUNT, BOLT_PENALTY, CONSECUTIVE, DEDUCT, NO_BOLTS, REPEAT
from thousand_env.scoring import is_golden, score_deal, write_off_score
from thousand_env.seats import is_active
from thousand_env.state import (
    BARREL_EVENT,
    BLIND_CHOSEN,
    BOLT_EVENT,
    DUMP_EVENT,
    FALL_EVENT,
    FINE_EVENT,
    GOLDEN_OVER,
    NONE,
    OVER,
    REVERSE_EVENT,
    SCORED,
    WIN_EVENT,
)

BOLTS_FOR_FINE = 3
REVERSE_AT, LOST_AT = -880, -1000  # L9
REVERSE_DEALS = 3


# -- a deal ends -----------------------------------------------------------------------------------------------------


@kernel
def finish_deal(state: Any, rules: Any) -> None:
    """Score the deal played out and enter it on the score sheet."""
    score_deal(state, rules)
    if is_golden(state, rules) and state.score[state.declarer] > 0:
        state.golden_made |= 1 << state.declarer
    won = wins_from_barrel(state, rules)
    enter_points(state, rules)
    for seat in range(rules.players):
        if is_active(state, rules, seat):
            count_tricks(state, rules, seat)
    settle(state, rules, won)


@kernel
def give_up(state: Any, rules: Any) -> None:
    """End the deal before its play: the declarer writes off (W1, W2), or is baptised, the others get a bolt (W4)."""
    if rules.baptism:
        state.baptised |= 1 << state.declarer
        enter_points(state, rules)
        for seat in range(rules.players):
            if is_active(state, rules, seat) and seat != state.declarer:
                enter_bolts(state, rules, seat)
    else:
        state.write_offs[state.declarer] += 1
        for seat in range(rules.players):
            state.score[seat] = write_off_score(state, rules, seat)
        enter_points(state, rules)
    settle(state, rules, False)


@kernel
def settle(state: Any, rules: Any, won: bool) -> None:
    """Let the effects that follow points and bolts fall, and end the match if it is decided (K4)."""
    golden = is_golden(state, rules)
    for seat in range(rules.players):
        if state.offences[seat] > 0:
            impose_fine(state, rules, seat, state.offences[seat] * rules.fine * (2 if golden else 1))
    if won and state.mounted[state.declarer] > 0:
        win(state, rules)
    if golden and state.deal % rules.players == rules.players - 1:
        end_golden_round(state, rules)
    closed = golden and not state.golden_made & GOLDEN_OVER  # no mounting or win before the last golden deal (G1)
    if not closed:
        use_attempts(state, rules)
        mount(state, rules)
        knock_off(state, rules)
    dump(state, rules)
    if not closed:
        decide(state, rules, turn_reverse(state, rules))
    state.turn = NONE
    state.phase = SCORED
    if state.winner != NONE or (rules.max_deals > 0 and state.deal + 1 >= rules.max_deals):
        state.phase = OVER


@kernel
def end_golden_round(state: Any, rules: Any) -> None:
    """End the golden deals; if nobody made one, all totals and bolts go to zero, and they may begin again (G2)."""
    made = state.golden_made & (GOLDEN_OVER - 1)
    if made == 0:
        for seat in range(rules.players):
            state.totals[seat] = state.bolts[seat] = 0
    if made != 0 or rules.golden_none_made != REPEAT:
        state.golden_made |= GOLDEN_OVER


# -- points, bolts and fines -----------------------------------------------------------------------------------------


@kernel
def wins_from_barrel(state: Any, rules: Any) -> bool:
    """Whether the declarer sits on the barrel and made a contract that wins from there (L3)."""
    declarer = state.declarer
    return state.mounted[declarer] > 0 and state.score[declarer] >= rules.needs


@kernel
def enter_points(state: Any, rules: Any) -> None:
    """Add the scores to the totals; a seat on the barrel keeps exactly its points (L2), or falls by them (L4)."""
    for seat in range(rules.players):
        if state.mounted[seat] == 0:
            state.totals[seat] += state.score[seat]
        elif seat == state.declarer and state.score[seat] < 0 and rules.barrel_failed_contract == DEDUCT:
            fall(state, rules, seat, -state.score[seat])


@kernel
def count_tricks(state: Any, rules: Any, seat: int) -> None:
    """Mark a deal without a trick, unless the declarer gets none; one with a trick may clear the count (B1, B2, B4)."""
    if rules.bolts == NO_BOLTS:
        return
    if state.tricks[seat] > 0:
        if rules.bolts == CONSECUTIVE:
            state.bolts[seat] = 0
    elif seat != state.declarer or rules.declarer_bolts:
        enter_bolts(state, rules, seat)


@kernel
def enter_bolts(state: Any, rules: Any, seat: int) -> None:
    """Give a bolt, two where they count twice; the third costs the fine and the count goes on behind it (B2, B3)."""
    if rules.bolts == NO_BOLTS:
        return
    blind = state.blind == BLIND_CHOSEN
    twice = is_golden(state, rules) or (blind and rules.blind_bolts == BOLT_COUNT)
    state.bolts[seat] += 2 if twice else 1
    state.events[seat] |= BOLT_EVENT
    if state.bolts[seat] < BOLTS_FOR_FINE:
        return
    state.bolts[seat] -= BOLTS_FOR_FINE
    double = blind and rules.blind_bolts == BOLT_PENALTY and seat == state.declarer
    impose_fine(state, rules, seat, 2 * rules.fine if double else rules.fine)


@kernel
def impose_fine(state: Any, rules: Any, seat: int, points: int) -> None:
    """Take a fine off a total; a seat on the barrel falls by it, without a second fine (L2)."""
    state.fined[seat] += points
    state.events[seat] |= FINE_EVENT
    if state.mounted[seat] > 0:
        fall(state, rules, seat, points)
    else:
        state.totals[seat] -= points


@kernel
def impose_early_fine(state: Any, rules: Any, seat: int) -> None:
    """Take a fine that falls before a deal is played, at once (D2, D3, R10); golden deals double it (G1)."""
    points = 2 * rules.fine if is_golden(state, rules) else rules.fine
    state.early[seat] += points
    if state.mounted[seat] > 0:
        fall(state, rules, seat, points)
        state.events[seat] = 0  # events are what the scored deal brings
    else:
        state.totals[seat] -= points


# -- the barrel ------------------------------------------------------------------------------------------------------


@kernel
def fall(state: Any, rules: Any, seat: int, points: int) -> None:
    """Count a fall from the barrel, so many points below it, or to zero for the last one allowed (L4, L5)."""
    state.mounted[seat] = state.attempts[seat] = 0
    state.totals[seat] = rules.barrel_at - points
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
    """Use up one attempt of every seat on the barrel that played; after the last one it falls (L4)."""
    for seat in range(rules.players):
        if state.mounted[seat] > 0 and is_active(state, rules, seat):
            state.attempts[seat] += 1
            if state.attempts[seat] == rules.barrel_attempts:
                fall(state, rules, seat, rules.fine)


@kernel
def jumps_count(rules: Any) -> bool:
    """Whether a total wins by reaching the target at this table (L1, E1)."""
    return rules.barrel_at == 0 or rules.barrel_skippable


@kernel
def reaches_target(state: Any, rules: Any, seat: int) -> bool:
    """Whether a total wins by the target: in a game without a barrel, or by a jump over it (L1, E1)."""
    return jumps_count(rules) and state.mounted[seat] == 0 and state.totals[seat] >= rules.target


@kernel
def mounting_seats(state: Any, rules: Any) -> int:
    """Return the seats, a bit each, that reached the barrel in this deal (L1)."""
    seats = 0
    if rules.barrel_at == 0:
        return seats
    for seat in range(rules.players):
        reached = state.mounted[seat] == 0 and state.totals[seat] >= rules.barrel_at
        if reached and seat != state.winner and not reaches_target(state, rules, seat):
            seats |= 1 << seat
    return seats


@kernel
def mount(state: Any, rules: Any) -> None:
    """Seat on the barrel who reached it; if they are too many, `barrel_tie` decides who falls (L1, L6)."""
    seats, places = mounting_seats(state, rules), rules.barrel_seats
    if seats == 0:
        return
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
            fall(state, rules, seat, rules.fine)


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
        fall(state, rules, longest_sitter(state, rules), rules.fine)
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


# -- the dump truck, the reverse barrel, the target ------------------------------------------------------------------


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
def turn_reverse(state: Any, rules: Any) -> bool:
    """Move seats on, off and through the reverse barrel; return whether one has lost the match (L9).

    `reverse` is 0 off it, 1 when it was just reached, and one more for every deal played there since.
    """
    if rules.reverse_barrel == 0:
        return False
    lost = False
    for seat in range(rules.players):
        if state.totals[seat] > REVERSE_AT:
            state.reverse[seat] = 0
        elif state.totals[seat] <= LOST_AT:
            lost = True
        elif state.reverse[seat] == 0:
            state.reverse[seat] = 1
            state.events[seat] |= REVERSE_EVENT
        elif is_active(state, rules, seat):
            state.reverse[seat] += 1
            if state.reverse[seat] > REVERSE_DEALS:
                state.reverse[seat] = 0
                state.totals[seat] = -rules.reverse_barrel
                state.events[seat] |= REVERSE_EVENT
    return lost


@kernel
def decide(state: Any, rules: Any, lost: bool) -> None:
    """Name who wins by the target or by another's loss: the declarer, the highest total, the first hand (E1, L9)."""
    if state.winner != NONE or not (lost or jumps_count(rules)):
        return
    top = state.totals[0]
    for seat in range(rules.players):
        top = max(top, state.totals[seat])
    best = NONE
    for distance in range(1, rules.players + 1):
        seat = (state.dealer + distance) % rules.players
        if not (reaches_target(state, rules, seat) or (lost and state.totals[seat] == top)):
            continue
        beaten = best != state.declarer and state.totals[seat] > state.totals[best]
        if best == NONE or seat == state.declarer or beaten:
            best = seat
    if best != NONE:
        state.winner = best
        state.events[best] |= WIN_EVENT


# -- stakes ----------------------------------------------------------------------------------------------------------


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
