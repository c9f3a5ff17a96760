"""The auction and exchange of one deal of Thousand, paid by how the deal is then played out, for PettingZoo.

`raw_env` is the environment itself, `env` the same in PettingZoo's order-enforcing wrapper. See ENVIRONMENTS.md.
"""

from typing import Any

from thousand_env.envs.aec import BiddingEnv, OrderedEnv

__all__ = ["env", "raw_env"]

raw_env = BiddingEnv


def env(**options: Any) -> OrderedEnv:
    """Return the environment as PettingZoo's tools take it; the options are those of `raw_env`."""
    return OrderedEnv(raw_env(**options))
