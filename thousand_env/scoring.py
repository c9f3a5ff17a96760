"""Phase 4, what a deal is worth to each seat (§9), before anything the match makes of it."""

from typing import Any

from thousand_env.cards import set_points
from thousand_env.jit import kernel
from thousand_env.rules import FIXED_POINTS, NO_POINTS, SIXTY
from thousand_env.seats import is_active
from thousand_env.state import BLIND_CHOSEN, GOLDEN_OVER

FIXED_CONTRACT = 120  # of golden and blind deals
WRITE_OFF_COST, WRITE_OFF_SHARE = 120, 60  # whatever the bid, where the table agreed so (W1)


# -- doubled deals ---------------------------------------------------------------------------------------------------


@kernel
def is_golden(state: Any, rules: Any) -> bool:
    """Whether this is one of the golden deals a match begins with (G1)."""
    return rules.golden and not state.golden_made & GOLDEN_OVER


@kernel
def is_doubled(state: Any, rules: Any) -> bool:
    """Whether points count twice: in a golden deal, and in a blind one nobody has lit (G1, Z2)."""
    return is_golden(state, rules) or state.blind == BLIND_CHOSEN


# -- points ----------------------------------------------------------------------------------------------------------


@kernel
def round_points(points: int, step: int) -> int:
    """Return points rounded to the nearest multiple of `step`, halves up (K3).

    >>> [round_points(points, 5) for points in (17, 18, 22, 23)], round_points(27, 10)
    ([15, 20, 20, 25], 30)
    """
    return (2 * points + step) // (2 * step) * step


@kernel
def deal_points(captured: int, marriages: int) -> int:
    """Return captured points and marriages declared (K1)."""
    return set_points(captured) + marriages


@kernel
def makes_contract(points: int, contract: int, rules: Any) -> bool:
    """Whether the declarer's deal points reach the contract (K2)."""
    if rules.round_declarer:
        points = round_points(points, rules.round_to)
    return points >= contract


@kernel
def strike_marriages(state: Any, rules: Any) -> None:
    """Strike the marriages of every seat that ended without a trick (M8)."""
    for seat in range(rules.players):
        if state.tricks[seat] == 0:
            state.marriages[seat] = 0


@kernel
def score_deal(state: Any, rules: Any) -> None:
    """Fill in what the seats score for the deal played out."""
    strike_marriages(state, rules)
    for seat in range(rules.players):
        state.score[seat] = score_seat(state, rules, seat)


@kernel
def score_seat(state: Any, rules: Any, seat: int) -> int:
    """Return the score of a seat for the deal played out (K2, K3, F3)."""
    if not is_active(state, rules, seat):
        return sitting_out_score(state, rules)
    if seat == state.declarer:
        return declarer_score(state, rules)
    if is_doubled(state, rules):
        return doubled_score(state, rules, seat)
    return round_points(deal_points(state.captured[seat], state.marriages[seat]), rules.round_to)


@kernel
def declarer_score(state: Any, rules: Any) -> int:
    """Return plus or minus the contract, twice that in a doubled deal, and what a blind one pays besides (K2, Z2)."""
    seat = state.declarer
    made = makes_contract(deal_points(state.captured[seat], state.marriages[seat]), state.contract, rules)
    return contract_score(state, rules) if made else -contract_score(state, rules)


@kernel
def contract_score(state: Any, rules: Any) -> int:
    """Return what the declarer scores if he makes his contract, and loses if not (K2, Z2)."""
    if not is_doubled(state, rules):
        return state.contract
    return 2 * state.contract + (rules.blind_bonus if state.blind == BLIND_CHOSEN else 0)


@kernel
def doubled_score(state: Any, rules: Any, seat: int) -> int:
    """Return what a defender scores in a doubled deal: captured points and marriages, each counted twice (K3, G1)."""
    marriages = marriages_count(state, rules) * state.marriages[seat]
    return 2 * round_points(set_points(state.captured[seat]), rules.round_to) + marriages


@kernel
def marriages_count(state: Any, rules: Any) -> int:
    """Return how often a defender's marriages count (K3, G1)."""
    if not is_doubled(state, rules):
        return 1
    return 1 if is_golden(state, rules) and not rules.golden_doubles_marriages else 2


@kernel
def sitting_out_score(state: Any, rules: Any) -> int:
    """Return what the dealer of four scores: nothing, the talon's points or a fixed number (F3)."""
    if rules.dealer_scores == NO_POINTS:
        return 0
    points = round_points(set_points(state.talon), rules.round_to)
    if rules.dealer_scores == FIXED_POINTS:
        points = rules.dealer_fixed
    return 2 * points if is_doubled(state, rules) else points


@kernel
def advantage(state: Any, rules: Any, seat: int) -> float:
    """Return a seat's score minus the mean of the others'."""
    others = 0
    for other in range(rules.players):
        if other != seat:
            others += state.score[other]
    return state.score[seat] - others / (rules.players - 1)


@kernel
def write_off_score(state: Any, rules: Any, seat: int) -> int:
    """Return what a seat scores when the declarer writes off (W1, H5); the dealer of four as ever (F3)."""
    if not is_active(state, rules, seat):
        return sitting_out_score(state, rules)
    if rules.write_off == SIXTY:
        return -WRITE_OFF_COST if seat == state.declarer else WRITE_OFF_SHARE
    if seat == state.declarer:
        return -state.bid
    defenders = rules.active - 1
    if defenders == 1:
        return state.bid
    return round_points(state.bid, defenders * rules.round_to) // defenders
