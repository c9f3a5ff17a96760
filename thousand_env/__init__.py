"""Thousand (Тысяча): a research gym for the auction and trick-taking card game.

Importing it registers the single-seat environments with Gymnasium: `gymnasium.make("thousand_env/Deal-v0")`.
"""

import gymnasium

from thousand_env.errors import IllegalAction, NotationError, RuleError, ThousandError
from thousand_env.rules import RuleSet

__version__ = "0.1.0"

__all__ = ["IllegalAction", "NotationError", "RuleError", "RuleSet", "ThousandError", "__version__"]

for _name in ("Deal", "Play", "Bidding", "Match"):
    gymnasium.register(  # pyright: ignore[reportUnknownMemberType]  # Gymnasium leaves the type of its kwargs open
        f"thousand_env/{_name}-v0", entry_point=f"thousand_env.envs.single:Single{_name}Env"
    )
