"""Phase 4, what a deal is worth to each seat (§9), before anything the match makes of it."""

from typing import Any

from thousand_env.cards import set_points
from thousand_env.jit import kernel


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
def score_seat(state: Any, rules: Any, seat: int) -> int:
    """Return the score of a seat for the finished deal (K2, K3)."""
    points = deal_points(state.captured[seat], state.marriages[seat])
    if seat != state.declarer:
        return round_points(points, rules.round_to)
    return state.contract if makes_contract(points, state.contract, rules) else -state.contract
