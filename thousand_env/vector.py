"""Many games of Thousand side by side, in the manner of `gymnasium.vector`. See ENVIRONMENTS.md."""

from thousand_env.envs.vector import VectorEnv

__all__ = ["VectorEnv"]
