"""What a search is for: the sides of the open game and what each point to come pays, for every objective."""

from typing import Any

from agents.open_play import MAX_ACTIVE, seat_at
from thousand_env.jit import kernel
from thousand_env.scoring import contract_score, is_doubled, makes_contract, marriages_count, sitting_out_score

POINTS, MADE, SCORE, UNROUNDED, ALONE = range(5)
OBJECTIVE_NAMES = ("points", "made", "score", "unrounded", "alone")
"""What the seats play for; `agents.solver` says what each means."""

_SLACK = 10  # points by which rounding may make a contract


@kernel
def points_needed(contract: int, rules: Any) -> int:
    """Return the fewest deal points that make a contract (K2)."""
    points = contract - _SLACK
    while not makes_contract(points, contract, rules):
        points += 1
    return points


@kernel
def declarer_points(state: Any, frame: Any) -> int:
    """Return the deal points the declarer has for sure; a marriage he may still lose does not count yet (K1, M8)."""
    return frame.taken[0] + state.marriages[state.declarer] - frame.pending


@kernel
def set_payoffs(state: Any, rules: Any, game: Any, frame: Any, objective: int) -> None:
    """Fill what is to be won in `game`, whose cards are filled, and what the declarer needs in its first frame.

    Payoffs are in points; for objectives made of scores, in points times the number of the other seats.
    """
    game.bonus = game.round_to = 0
    game.united = 1
    for seat in range(MAX_ACTIVE):
        game.side[seat], game.gain[seat], game.worth[seat] = (1 if seat == 0 else -1), int(seat == 0), int(seat == 0)
    frame.need = points_needed(state.contract, rules) - declarer_points(state, frame)
    if objective > MADE:
        _set_scores(state, rules, game, frame, objective)
    game.low_gain = game.high_gain = game.gain[0]
    for seat in range(1, game.active):
        game.low_gain, game.high_gain = min(game.low_gain, game.gain[seat]), max(game.high_gain, game.gain[seat])


@kernel
def _set_scores(state: Any, rules: Any, game: Any, frame: Any, objective: int) -> None:
    own = frame.turn if objective == ALONE else 0
    times = 2 if is_doubled(state, rules) else 1
    for seat in range(game.active):
        share = rules.players - 1 if seat == own else -1
        game.gain[seat], game.worth[seat] = share * times, share * marriages_count(state, rules)
        game.side[seat] = 1 if seat == own else -1
    game.bonus = 2 * (rules.players - 1 if own == 0 else -1) * contract_score(state, rules)
    game.gain[0] = game.worth[0] = 0
    if objective != UNROUNDED:
        game.round_to = rules.round_to
        game.united = int(game.active == 2)
    if own != 0:
        game.united = int(game.active == 2)


@kernel
def payoff_so_far(state: Any, rules: Any, game: Any, frame: Any, objective: int) -> int:
    """Return the payoff of all that has happened, the contract taken to fail."""
    if objective <= MADE:
        return declarer_points(state, frame)
    payoff = -game.bonus // 2
    for place in range(1, game.active):
        marriages = state.marriages[seat_at(state, rules, place)]
        payoff += game.gain[place] * frame.taken[place] + game.worth[place] * marriages
    if rules.players > game.active:
        payoff -= sitting_out_score(state, rules)
    return payoff
