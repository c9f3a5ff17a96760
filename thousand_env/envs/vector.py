"""The vector environment: many games side by side as arrays, with no Python per game.

It speaks as `gymnasium.vector.VectorEnv` does, but is none: that class promises one agent and one reward a game, and
its wrappers add rewards up by game. Here the rows of consecutive steps belong to different seats of one game, and every
step pays every seat.
"""

import functools
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from gymnasium import Space
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from thousand_env.actions import NUM_ACTIONS
from thousand_env.engine import payoffs
from thousand_env.envs.games import observe_finished, open_games, step_games
from thousand_env.envs.openings import read_options
from thousand_env.envs.options import MAX_NUMBER, check_seed, one_of, table_rules, whole_number
from thousand_env.envs.refusals import refusal
from thousand_env.envs.results import SHEET
from thousand_env.envs.rewards import reward_kind
from thousand_env.envs.spaces import action_space, features_space
from thousand_env.errors import IllegalAction, ThousandError
from thousand_env.features import NUM_FEATURES
from thousand_env.rules import RuleSet
from thousand_env.state import OVER, new_states
from thousand_env.view import VIEW_DTYPE

# By mode: the default rules, and the rewards it pays, the default first.
DEFAULT_RULES = {"deal": "core", "match": "core max_deals=200"}
MODE_REWARDS = {"deal": ("points", "advantage"), "match": ("stake", "points", "advantage")}
BY_GAME = ("match", "deal", "attempt", "declarer", "bid", "contract", "winner")  # of a result, fields of the state

Infos = dict[str, Any]


class _Outputs:
    """The arrays one step fills; N games."""

    def __init__(self, num_envs: int, players: int) -> None:
        self.observations = np.empty((num_envs, NUM_FEATURES), np.float32)
        self.masks = np.empty((num_envs, NUM_ACTIONS), np.int8)
        self.seats = np.empty(num_envs, np.int64)
        self.rewards = np.empty((num_envs, players), np.float32)
        self.terminations = np.empty(num_envs, np.bool_)
        self.truncations = np.empty(num_envs, np.bool_)


class VectorEnv:
    """`num_envs` deals (`mode="deal"`) or matches (`mode="match"`) side by side. N is `num_envs`.

    Every row is what the seat to act in that game observes. A game that ends in a step is replaced in the same step by
    the next one: game i plays the match numbers i, i + N, i + 2N, … of the seed. With `copy=False` the arrays
    returned are those that the next step fills anew.

    >>> env = VectorEnv(2)
    >>> observations, infos = env.reset(seed=1)
    >>> observations.shape == (2, env.single_observation_space.shape[0]), infos["action_mask"].shape
    (True, (2, 114))
    >>> observations, rewards, terminations, truncations, infos = env.step(infos["action_mask"].argmax(axis=1))
    >>> rewards.shape, terminations.tolist(), len(infos["final_obs"])
    ((2, 3), [False, False], 0)
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "thousand_vector",
        "render_modes": [],
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        num_envs: int,
        rules: RuleSet | str | None = None,
        *,
        players: int | None = None,
        mode: str = "deal",
        reward: str | None = None,
        seed: int = 0,
        copy: bool = True,
    ) -> None:
        num_envs = whole_number("num_envs", num_envs, 1, MAX_NUMBER)
        mode = one_of("mode", mode, MODE_REWARDS)
        self.num_envs, self.mode, self.copy, self.closed = num_envs, mode, copy, False
        self.rules = table_rules(DEFAULT_RULES[mode] if rules is None else rules, players)
        self.reward = MODE_REWARDS[mode][0] if reward is None else reward
        self.single_observation_space = features_space()
        self.single_action_space = action_space()
        self.states = new_states(num_envs)
        self._kind = reward_kind(self.reward, allowed=MODE_REWARDS[mode])
        self._rules = self.rules.array()
        self._seed, self._next_match, self._begun = check_seed(seed), 0, False
        self._matches = np.zeros(num_envs, np.int64)
        self._sheet = new_states(0)
        self._views = np.zeros(1, VIEW_DTYPE)
        self._legal = np.zeros((num_envs, NUM_ACTIONS), np.int8)
        self._finished, self._games = new_states(num_envs), np.empty(num_envs, np.int64)
        self._outputs = _Outputs(num_envs, self.rules.players)

    @functools.cached_property
    def observation_space(self) -> Space[Any]:
        """The space of a batch of observations: float32 (N, NUM_FEATURES)."""
        return batch_space(self.single_observation_space, self.num_envs)

    @functools.cached_property
    def action_space(self) -> Space[Any]:
        """The space of a batch of actions: int64 (N,)."""
        return batch_space(self.single_action_space, self.num_envs)

    # -- reset and step ----------------------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], Infos]:
        """Open every game: on the match numbers from 0 of a new seed, or on the next unused ones of the same seed.

        Return observations (N, NUM_FEATURES), and infos with `action_mask` (N, NUM_ACTIONS) and `seats` (N,). `options`
        are those of the AEC environments: `match` is the number of game 0; the others hold for every episode until the
        next reset. Raises `ThousandError` for a seed or option that cannot be; the games then stand as they were.
        """
        self._must_be_open("reset")
        opening = read_options(options, self.rules)
        number = self._seed if seed is None else check_seed(seed)
        first = opening.match
        if first is None:
            first = self._unused_match() if seed is None else 0
        if first + self.num_envs > MAX_NUMBER:
            raise ThousandError(f"reset: match {first} of seed {number}: expected {self.num_envs} up to {MAX_NUMBER}")
        self._seed, self._sheet, self._begun = number, opening.sheet, True
        self._matches[:] = np.arange(first, first + self.num_envs)
        out = self._outputs_to_fill()
        open_games(
            self.states, self._rules, number, self._matches, self._sheet, self._views, self._legal,
            out.observations, out.masks, out.seats,
        )  # fmt: skip
        return out.observations, {"action_mask": out.masks, "seats": out.seats}

    def step(
        self, actions: NDArray[np.integer[Any]]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], Infos]:
        """Let the seat to act in every game take one action, integers (N,).

        Return observations (N, NUM_FEATURES) of whoever is to act now, rewards (N, players) of every seat for this
        step, terminations (N,), truncations (N,), and infos; see ENVIRONMENTS.md. Raises `IllegalAction` naming the
        first game whose action is illegal; no game has changed then.
        """
        chosen = self._checked(actions)
        out = self._outputs_to_fill()
        scored = step_games(
            self.states, self._rules, chosen, self.mode == "match", self._kind, self._seed, self._matches, self._sheet,
            self._views, self._legal, self._finished, self._games,
            out.observations, out.masks, out.seats, out.rewards, out.terminations, out.truncations,
        )  # fmt: skip
        if scored < 0:
            game = -1 - scored
            raise IllegalAction(f"game {game}: {refusal(self.states[game : game + 1], self.rules, int(chosen[game]))}")
        infos = {"action_mask": out.masks, "seats": out.seats, **self._results(scored)}
        return out.observations, out.rewards, out.terminations, out.truncations, infos

    def close(self) -> None:
        """Close the environment: reset and step raise `ThousandError` from now on."""
        self.closed = True

    # -- parts -------------------------------------------------------------------------------------------------------

    def _results(self, scored: int) -> Infos:
        """Return what the deals scored in this step brought, and what every seat saw of the games that ended."""
        if scored == 0:
            return self._no_results
        finished, games = self._finished[:scored].copy(), self._games[:scored].copy()
        deals = final = self._result(finished, games)
        if self.mode == "match":
            ended = finished["phase"] == OVER
            finished = finished[ended]
            final = {**self._result(finished, games[ended]), "stakes": payoffs(finished, self._rules)}
        return {"deals": deals, "final_info": final, "final_obs": self._final_observations(finished)}

    @functools.cached_property
    def _no_results(self) -> Infos:
        empty = new_states(0)
        none = self._result(empty, np.empty(0, np.int64))
        final = {**none, "stakes": payoffs(empty, self._rules)} if self.mode == "match" else none
        return {"deals": none, "final_info": final, "final_obs": self._final_observations(empty)}

    def _result(self, finished: NDArray[Any], games: NDArray[np.int64]) -> Infos:
        players, gave_up = self.rules.players, finished["contract"] == 0
        by_game = {
            name: finished[name] for name in ("match", "deal", "attempt", "declarer", "bid", "contract", "winner")
        }
        ends = {"written_off": gave_up & (not self.rules.baptism), "baptised": gave_up & self.rules.baptism}
        by_seat = {name: finished[name][:, :players] for name in ("score", "events", *SHEET)}
        fines = (finished["early"] + finished["fined"])[:, :players]
        return {"games": games, **by_game, **ends, **by_seat, "fines": fines}

    def _final_observations(self, finished: NDArray[Any]) -> NDArray[np.float32]:
        observations = np.empty((len(finished), self.rules.players, NUM_FEATURES), np.float32)
        observe_finished(finished, self._rules, self._views, observations)
        return observations

    def _outputs_to_fill(self) -> _Outputs:
        return _Outputs(self.num_envs, self.rules.players) if self.copy else self._outputs

    def _unused_match(self) -> int:
        return int(self._matches.max()) + 1 if self._begun else 0

    def _checked(self, actions: Any) -> NDArray[np.int64]:
        """Return the actions as int64 (N,); raises `IllegalAction` when they are nothing of the kind."""
        self._must_be_open("step")
        if not self._begun:
            raise IllegalAction("step: no cards have been dealt; call reset() first")
        array = np.asarray(actions)
        if array.shape != (self.num_envs,) or array.dtype.kind not in "iu":
            raise IllegalAction(
                f"step: actions of shape {array.shape} and dtype {array.dtype}; "
                f"expected whole numbers of shape ({self.num_envs},)"
            )
        return np.ascontiguousarray(array, np.int64)

    def _must_be_open(self, what: str) -> None:
        if self.closed:
            raise ThousandError(f"{what}: the environment is closed; make a new one")
