"""A match of Thousand: deals until somebody has won, for PettingZoo.

`raw_env` is the environment itself, `env` the same in PettingZoo's order-enforcing wrapper. See ENVIRONMENTS.md.
"""

from typing import Any

from thousand_env.envs.aec import MatchEnv, OrderedEnv

__all__ = ["env", "raw_env"]

raw_env = MatchEnv


def env(**options: Any) -> OrderedEnv:
    """Return the environment as PettingZoo's tools take it; the options are those of `raw_env`."""
    return OrderedEnv(raw_env(**options))
