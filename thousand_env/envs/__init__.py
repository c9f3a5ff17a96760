"""Environments: the engine as PettingZoo and batch interfaces. Adapters only; nothing below imports them."""
