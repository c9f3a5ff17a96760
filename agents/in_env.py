"""Bots in the loop of a PettingZoo environment, where whoever is to act is asked for one action at a time.

>>> from agents import load
>>> from thousand_env import deal_v0
>>> env, bot = deal_v0.env(), load("heuristic")
>>> env.reset(seed=7)
>>> while not any(env.terminations.values()):
...     env.step(decide(bot, env))
>>> env.rewards
{'player_0': 0.95, 'player_1': -1.0, 'player_2': 0.55}
"""

import numpy as np

from agents.agent import Agent, ask
from agents.table import questions
from thousand_env.envs.aec import DealEnv, OrderedEnv
from thousand_env.errors import ThousandError
from thousand_env.state import NONE


def decide(bot: Agent, env: DealEnv | OrderedEnv) -> int:
    """Return what a bot, built for the rules of the environment, does for the agent to act.

    It is asked by its view, not by the observation, and with the key of the decision: it plays as in the arena. Raises
    `ThousandError` where nobody is to act, and as `ask` does.
    """
    game = env if isinstance(env, DealEnv) else env.unwrapped
    if not game.agents or game.states["turn"][0] == NONE:
        raise ThousandError("decide: found nobody to act, expected a game that has begun and is not over")
    return int(ask(bot, *questions(game.states, game.rules.array(), np.array([0])))[0])
