"""Bots: they know the gym, not the training. `load` turns a line of text into any of them."""

from agents.agent import Agent
from agents.spec import SpecError, load

__all__ = ["Agent", "SpecError", "load"]
