"""The AEC environments: one game at a time behind PettingZoo's interface.

`DealEnv` is one deal from the auction to the score, and what the others build on: `PlayEnv` lets a policy bid first,
`BiddingEnv` lets one play the deal out, `MatchEnv` deals again until somebody has won. ENVIRONMENTS.md describes what
they take and give.

PettingZoo ships no types: this is the one file that inherits from it, and the one in which what it leaves unknown is
let pass.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, SupportsIndex, cast

import numpy as np
from gymnasium import Space
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from thousand_env.actions import NUM_ACTIONS
from thousand_env.engine import next_deals
from thousand_env.envs.display import Display, metadata
from thousand_env.envs.observation import ILLEGAL, act, observe_everything, observe_seat
from thousand_env.envs.openings import open_first, read_options
from thousand_env.envs.options import MAX_NUMBER, check_seed, table_rules
from thousand_env.envs.policies import CappedUniform, Policy, Uniform, decide_until
from thousand_env.envs.refusals import as_number, place_of, refusal
from thousand_env.envs.results import deal_result
from thousand_env.envs.rewards import fill_rewards_of_one, reward_kind
from thousand_env.envs.spaces import Observation, action_space, observation_space, state_space
from thousand_env.errors import IllegalAction, ThousandError
from thousand_env.features import NUM_FEATURES, NUM_HIDDEN
from thousand_env.rules import RuleSet
from thousand_env.state import NONE, OVER, PLAY, SCORED, new_states
from thousand_env.view import VIEW_DTYPE

MAX_UNPLAYED = 1000  # deals in a row that a prelude may end before their play


class DealEnv(AECEnv[str, Any, Any]):
    """One deal, from the first bid to the score. The agents are `player_0` … , clockwise.

    `rules` is a `RuleSet` or its text, for `players` if a number is given; `reward` is "points" or "advantage", in
    units of 100 points; `seed` is used until a reset gives another; `viewer` is the seat whose view is drawn, None for
    a spectator's. `states`, length 1, is the live game, for critics and analysis: reading it cheats.
    """

    metadata: dict[str, Any] = metadata("thousand_deal_v0")
    reward_modes: ClassVar[tuple[str, ...]] = ("points", "advantage")

    agents: list[str]
    possible_agents: list[str]
    agent_selection: str
    rewards: dict[str, float]
    terminations: dict[str, bool]
    truncations: dict[str, bool]
    infos: dict[str, dict[str, Any]]
    _cumulative_rewards: dict[str, float]

    def __init__(
        self,
        rules: RuleSet | str = "core",
        *,
        players: int | None = None,
        reward: str = "points",
        render_mode: str | None = None,
        viewer: int | None = None,
        seed: int = 0,
    ) -> None:
        super().__init__()
        self.rules = table_rules(rules, players)
        self.reward = reward
        self.render_mode = render_mode
        self._kind = reward_kind(reward, allowed=self.reward_modes)
        self._display = Display(render_mode, viewer, self.rules, self.metadata["render_fps"])
        self._rules = self.rules.array()
        self._seed, self._match = check_seed(seed), NONE
        self.possible_agents = [f"player_{seat}" for seat in range(self.rules.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: action_space() for agent in self.possible_agents}
        self.state_space = state_space()
        self.states = new_states(1)
        self._views = np.zeros(1, VIEW_DTYPE)
        self._mask = np.zeros(NUM_ACTIONS, np.int8)
        self._sit_down([], "")

    # -- spaces and observations -------------------------------------------------------------------------------------

    def observation_space(self, agent: str) -> Space[Any]:
        """Return what an agent may observe: `observation` and `action_mask`."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """Return the one action space of every table."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> Observation:
        """Return what an agent knows now, whoever's turn it is; the mask is all zero unless it is his.

        Raises `ThousandError` before the first reset and for an agent that is not at the table.
        """
        self._must_have_begun("observe")
        seat = self._seats.get(agent)
        if seat is None:
            raise ThousandError(f"observe: {agent!r} is not at the table; expected {', '.join(self.possible_agents)}")
        row, mask = np.empty(NUM_FEATURES, np.float32), np.empty(NUM_ACTIONS, np.int8)
        observe_seat(self.states, self._rules, seat, self._views, row, mask)
        return {"observation": row, "action_mask": mask}

    def state(self) -> NDArray[np.float32]:
        """Return the whole table as the seat to act would see it with all cards face up (seat 0 at the end)."""
        self._must_have_begun("state")
        row = np.empty(NUM_FEATURES + NUM_HIDDEN, np.float32)
        observe_everything(self.states, self._rules, max(self._turn, 0), self._views, row)
        return row

    # -- reset -------------------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal the first deal of an episode: match 0 of a new seed, or the next match of the same one.

        `options` (see ENVIRONMENTS.md) name the match, the deal, and the score sheet before it. Raises `ThousandError`
        for a seed or option that cannot be; the game then goes on as it was.
        """
        opening = read_options(options, self.rules)
        number = self._seed if seed is None else check_seed(seed)
        match = self._match + 1 if seed is None else 0
        match = match if opening.match is None else opening.match
        if match > MAX_NUMBER:
            raise ThousandError(f"reset: match {match} of seed {number}: expected one up to {MAX_NUMBER}; give a seed")
        states = new_states(1)
        open_first(states, self._rules, number, match, opening.sheet)
        self._prepare(states, opening.sheet)
        self.states, self._seed, self._match = states, number, int(states["match"][0])
        self._sit_down(self.possible_agents, self.possible_agents[int(states["turn"][0])])
        if self.render_mode == "human":
            self.render()

    def _prepare(self, states: NDArray[Any], sheet: NDArray[Any]) -> None:
        """Bring a fresh deal, opened on `sheet`, to the first decision of the agents."""

    def _sit_down(self, agents: list[str], first: str) -> None:
        self.agents = agents[:]
        self.agent_selection = first
        self._turn = self._seats.get(first, NONE)
        self._skip_agent_selection = None
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos = {agent: {} for agent in agents}

    # -- step --------------------------------------------------------------------------------------------------------

    def step(self, action: SupportsIndex | None) -> None:
        """Let `agent_selection` act; an agent whose episode is over leaves with None.

        Raises `IllegalAction` saying where, what was given and what was expected; nothing has changed then.
        """
        agent = self._mover(action)
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(None)
            return
        # Before anything is cleared: an illegal action changes nothing.
        self._turn = self._apply(action if type(action) is int else as_number(action, self.states))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.infos[agent] = {}
        if self._turn == NONE:
            self._settle()
        if self._turn != NONE:
            self.agent_selection = self.possible_agents[self._turn]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _mover(self, action: object) -> str:
        """Return the agent that is to step; raises `IllegalAction` when none is, or another, or `action` cannot be."""
        agent = self.agent_selection
        if not self.agents:
            self._must_have_begun(f"step({action!r})", IllegalAction)
            raise IllegalAction(f"step({action!r}): the episode is over and every agent has left; call reset() first")
        if self.terminations.get(agent) or self.truncations.get(agent):
            if action is not None:
                raise IllegalAction(f"step({action!r}): the episode is over; expected None, with which {agent} leaves")
        elif agent != self.possible_agents[self._turn]:
            raise IllegalAction(f"step({action!r}): {agent!r} is not to act, it is the turn of {place_of(self.states)}")
        return agent

    def _apply(self, action: int) -> int:
        """Take a legal action and return whose turn it is then, NONE when the deal is scored."""
        turn = act(self.states, self._rules, action, self._mask) if 0 <= action < NUM_ACTIONS else ILLEGAL
        if turn == ILLEGAL:
            raise refusal(self.states, self.rules, action)
        return turn

    def _settle(self) -> None:
        """Pay the scored deal, with which the episode ends."""
        self._pay()
        self._end(self.terminations)

    def _pay(self) -> None:
        """Give every seat its reward for the scored deal, and the result to read at its next turn."""
        rewards = np.empty(self.rules.players)
        fill_rewards_of_one(self.states, self._rules, self._kind, rewards)
        self.rewards = dict(zip(self.possible_agents, rewards.tolist(), strict=True))
        result = deal_result(self.states, self._rules)
        self.infos = {agent: {"deals": [*info.get("deals", []), result]} for agent, info in self.infos.items()}

    def _end(self, ends: dict[str, bool]) -> None:
        """End the episode of every agent, as a termination or a truncation."""
        ends.update(dict.fromkeys(self.agents, True))
        self.agent_selection = self.agents[0]

    # -- the rest ----------------------------------------------------------------------------------------------------

    def render(self) -> str | NDArray[np.uint8] | None:
        """Return the table as text (`ansi`) or as a picture (`rgb_array`), or draw it in a window (`human`)."""
        self._must_have_begun("render")
        return self._display.show(self.states)

    def close(self) -> None:
        """Close the window, if there is one; the environment holds nothing else but memory."""
        self._display.close()

    def _must_have_begun(self, what: str, error: type[ThousandError] = ThousandError) -> None:
        if self._match == NONE:
            raise error(f"{what}: no cards have been dealt; call reset() first")


class PlayEnv(DealEnv):
    """The play of one deal, from the first lead to the score; `prelude` bids, exchanges and names the contract.

    A deal that the prelude writes off is never played: the next match of the seed is opened in its place.
    """

    metadata: dict[str, Any] = metadata("thousand_play_v0")

    def __init__(self, rules: RuleSet | str = "core", *, prelude: Policy | None = None, **options: Any) -> None:
        super().__init__(rules, **options)
        self.prelude: Policy = CappedUniform() if prelude is None else prelude

    def _prepare(self, states: NDArray[Any], sheet: NDArray[Any]) -> None:
        for _ in range(MAX_UNPLAYED):
            decide_until(PLAY, states, self._rules, self.prelude)
            if states["phase"][0] == PLAY:
                return
            open_first(states, self._rules, int(states["seed"][0]), int(states["match"][0]) + 1, sheet)
        raise ThousandError(
            f"reset: policy {self.prelude!r} ended {MAX_UNPLAYED} deals in a row before their play, up to match "
            f"{int(states['match'][0])}; expected a prelude that leaves deals to be played"
        )


class BiddingEnv(DealEnv):
    """One deal up to its contract; `playout` then plays it out, and its score is the reward."""

    metadata: dict[str, Any] = metadata("thousand_bidding_v0")

    def __init__(self, rules: RuleSet | str = "core", *, playout: Policy | None = None, **options: Any) -> None:
        super().__init__(rules, **options)
        self.playout: Policy = Uniform() if playout is None else playout

    def _apply(self, action: int) -> int:
        before = self.states.copy()
        turn = super()._apply(action)
        if self.states["phase"][0] < PLAY:
            return turn
        try:
            decide_until(SCORED, self.states, self._rules, self.playout)
        except BaseException:
            self.states[:] = before
            raise
        return NONE


class MatchEnv(DealEnv):
    """Deals until somebody wins, or until `max_deals` of the rules cuts the match off.

    `reward` is "stake" (E2, at the end of the match), or "points" or "advantage" at the end of every deal.
    """

    metadata: dict[str, Any] = metadata("thousand_match_v0")
    reward_modes: ClassVar[tuple[str, ...]] = ("points", "advantage", "stake")

    def __init__(self, rules: RuleSet | str = "core max_deals=200", *, reward: str = "stake", **options: Any) -> None:
        super().__init__(rules, reward=reward, **options)

    def _settle(self) -> None:
        self._pay()
        if self.states["phase"][0] == OVER:
            self._end(self.truncations if self.states["winner"][0] == NONE else self.terminations)
            return
        next_deals(self.states, self._rules)
        self._turn = int(self.states["turn"][0])


class OrderedEnv(OrderEnforcingWrapper[str, Any, Any]):
    """PettingZoo's order-enforcing wrapper, but with the environment's own errors.

    The original asserts, and only logs a step that comes after the end; here both raise what `raw_env` raises.
    """

    def step(self, action: SupportsIndex | None) -> None:
        """Let the agent whose turn it is act."""
        self._has_updated = True
        self.env.step(action)

    def observe(self, agent: str) -> Any:
        """Return what an agent knows now."""
        return self.env.observe(agent)

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Return observation, reward, termination, truncation and info of the agent whose turn it is."""
        return self.env.last(observe)

    def state(self) -> Any:
        """Return the whole table."""
        return self.env.state()

    def render(self) -> Any:
        """Return the table as text or as a picture, or draw it in a window."""
        return self.env.render()

    @property
    def unwrapped(self) -> DealEnv:
        """The environment itself."""
        return cast(DealEnv, self.env)

    def __str__(self) -> str:
        return str(self.env)
