"""Thousand (Тысяча): a research gym for the auction and trick-taking card game."""

from thousand_env.errors import IllegalAction, NotationError, RuleError, ThousandError
from thousand_env.rules import RuleSet

__version__ = "0.1.0"

__all__ = ["IllegalAction", "NotationError", "RuleError", "RuleSet", "ThousandError", "__version__"]
