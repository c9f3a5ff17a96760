"""Rewards: what a finished deal pays each seat.

`points` is the deal's score (K2, K3) in units of 100 points, `advantage` the same minus the mean of the other seats',
`stake` what the match pays when it ends (E2, E3) and 0 before.
"""

from typing import Any

from thousand_env.errors import ThousandError
from thousand_env.jit import kernel
from thousand_env.match import payoff
from thousand_env.scoring import advantage
from thousand_env.state import OVER

REWARDS = ("points", "advantage", "stake")
POINTS, ADVANTAGE, STAKE = range(len(REWARDS))
REWARD_UNIT = 100  # points


@kernel
def reward_of(state: Any, rules: Any, kind: int, seat: int) -> float:
    """Return what a scored deal pays a seat."""
    if kind == STAKE:
        return payoff(state, rules, seat) if state.phase == OVER else 0.0
    if kind == ADVANTAGE:
        return advantage(state, rules, seat) / REWARD_UNIT
    return state.score[seat] / REWARD_UNIT


@kernel
def fill_rewards(state: Any, rules: Any, kind: int, rewards: Any) -> None:
    """Fill `rewards`, float (players,), with what a scored deal pays each seat."""
    for seat in range(rules.players):
        rewards[seat] = reward_of(state, rules, kind, seat)


@kernel
def fill_rewards_of_one(states: Any, rules: Any, kind: int, rewards: Any) -> None:
    """Fill `rewards`, float (players,), with what the scored deal of one game pays each seat."""
    fill_rewards(states[0], rules[0], kind, rewards)


def reward_kind(reward: str, *, allowed: tuple[str, ...]) -> int:
    """Return the number of a reward mode; raises `ThousandError` for one this environment does not pay."""
    if reward not in allowed:
        raise ThousandError(f"reward={reward!r}: expected one of {', '.join(allowed)}")
    return REWARDS.index(reward)
