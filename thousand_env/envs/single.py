"""Single-seat environments: one agent at the table, the others played by opponents, behind Gymnasium's interface.

Each is a PettingZoo environment of `envs.aec` in which opponents step for every seat but one. Importing `thousand_env`
registers them: `gymnasium.make("thousand_env/Deal-v0", seat=1, opponents=policy)`. ENVIRONMENTS.md describes them.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, SupportsFloat, SupportsIndex

import gymnasium
import numpy as np
from numpy.typing import NDArray

from thousand_env.engine import legal_actions
from thousand_env.envs.aec import BiddingEnv, DealEnv, MatchEnv, PlayEnv
from thousand_env.envs.display import metadata
from thousand_env.envs.opponents import opponents_by_seat
from thousand_env.envs.options import one_of, whole_number
from thousand_env.envs.policies import Policy, Question, Uniform, wrong_answer
from thousand_env.envs.spaces import Observation, action_space, observation_space
from thousand_env.errors import IllegalAction, ThousandError
from thousand_env.rules import RuleSet

ILLEGAL_MODES = ("raise", "replace")
MAX_SEED = 2**63 - 1
MAX_UNDECIDED = 1000  # episodes in a row that may end without a decision of the seat

Opponent = Policy | str


class SingleEnv(gymnasium.Env[Observation, np.int64]):
    """One seat of a table; what all the single-seat environments have in common.

    `seat` is whom the agent plays, `opponents` who decides for the others: one for all, or a sequence by seat.
    `illegal` is "raise", or "replace": an illegal action then counts as a legal one drawn from the decision's key.
    Further options are those of the PettingZoo environment.
    """

    metadata: dict[str, Any] = metadata("thousand_single")
    table_type: ClassVar[type[DealEnv]]

    def __init__(
        self,
        rules: RuleSet | str | None = None,
        *,
        players: int | None = None,
        seat: int = 0,
        opponents: Opponent | Sequence[Opponent | None] | None = None,
        illegal: str = "raise",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if "seed" in options:
            raise ThousandError("seed: expected in reset(seed=...), where Gymnasium has it, not in the constructor")
        chosen = {} if rules is None else {"rules": rules}
        self.table = self.table_type(**chosen, players=players, render_mode=render_mode, **options)
        self.rules, self.render_mode = self.table.rules, render_mode
        self.seat = whole_number("seat", seat, 0, self.rules.players - 1)
        self.illegal = one_of("illegal", illegal, ILLEGAL_MODES)
        self.observation_space = observation_space()
        self.action_space = action_space()
        self._policies = opponents_by_seat(Uniform() if opponents is None else opponents, self.seat, self.rules)
        self._agent, self._rules = f"player_{self.seat}", self.rules.array()
        self._question, self._seeded = Question(), False
        self._earned = 0.0
        self._deals: list[dict[str, Any]] = []

    # -- Gymnasium ---------------------------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal, let the opponents act up to the seat's first decision, and return what it observes then, and infos.

        Match 0 of a new seed, or the next match of the same one; the first reset without a seed draws one. An episode
        that ends without a decision of the seat is passed over; what the seat earns before its first decision is paid
        by the first step. Raises `ThousandError` for a seed or option that cannot be, and `IllegalAction` for an
        opponent's answer.
        """
        number = None if seed is None else whole_number("seed", seed, 0, MAX_SEED)
        if number is None and not self._seeded:
            number = int(self.np_random.integers(MAX_SEED))
        self.table.reset(seed=number, options=options)
        super().reset(seed=seed)
        self._seeded = True
        for _ in range(MAX_UNDECIDED):
            self._earned, self._deals = 0.0, []
            self._let_others_act()
            if not self._ended:
                return self._observation(), self._infos()
            self.table.reset(options=_without_match(options))
        raise ThousandError(
            f"reset: seat {self.seat} had nothing to decide in {MAX_UNDECIDED} episodes in a row; expected rules and "
            "options under which it has"
        )

    def step(self, action: SupportsIndex) -> tuple[Observation, SupportsFloat, bool, bool, dict[str, Any]]:
        """Act for the seat, and let the opponents act up to its next decision, or the end of the episode.

        Return observation, reward of all that was scored meanwhile, terminated, truncated and infos. Raises
        `IllegalAction` for an illegal action, with which nothing changes, unless `illegal` is "replace"; and naming the
        policy for an opponent's answer, after which the environment must be reset.
        """
        if self._ended:
            raise IllegalAction(f"step({action!r}): the episode is over; call reset()")
        infos: dict[str, Any] = {}
        try:
            self._act(action)
        except IllegalAction:
            if not self._is_replaced(action):
                raise
            infos["replaced"] = self._question.put(self.states, self._rules, Uniform())
            self._act(infos["replaced"])
        self._let_others_act()
        ends = self.table.terminations[self._agent], self.table.truncations[self._agent]
        earned, self._earned = self._earned, 0.0
        return self._observation(), earned, *ends, infos | self._infos()

    def render(self) -> Any:
        """Return the table as text (`ansi`) or as a picture (`rgb_array`), or draw it in a window (`human`)."""
        return self.table.render()

    def close(self) -> None:
        """Close the window, if there is one."""
        self.table.close()

    # -- parts -------------------------------------------------------------------------------------------------------

    @property
    def states(self) -> NDArray[Any]:
        """The live game, length 1, for critics and analysis: reading it cheats."""
        return self.table.states

    @property
    def _ended(self) -> bool:
        table = self.table
        return table.terminations.get(self._agent, False) or table.truncations.get(self._agent, False)

    def _act(self, action: Any) -> None:
        """Let the seat to act take an action, and note what it brings the seat of the agent."""
        self.table.step(action)
        self._earned += self.table.rewards[self._agent]
        self._deals += self.table.infos[self._agent].pop("deals", [])

    def _let_others_act(self) -> None:
        """Ask the opponents until the seat is to act, or the episode has ended."""
        while not self._ended and (turn := int(self.states["turn"][0])) != self.seat:
            policy = self._policies[turn]
            assert policy is not None, "only the agent's own seat has none"
            action = self._question.put(self.states, self._rules, policy)
            try:
                self._act(action)
            except IllegalAction as error:
                if self._is_legal(action):
                    raise  # it is the playout's answer that was refused
                raise wrong_answer(policy, action, self.states, self._rules) from error

    def _is_replaced(self, action: Any) -> bool:
        """Whether a legal action counts in place of this one, which was refused: it is an action, but illegal here."""
        if self.illegal != "replace" or not self.table.agents or not self.action_space.contains(action):
            return False
        return not self._is_legal(action)

    def _is_legal(self, action: Any) -> bool:
        """Whether the seat to act may act so; a number that is no action is not."""
        return self.action_space.contains(action) and bool(legal_actions(self.states, self._rules)[0, int(action)])

    def _observation(self) -> Observation:
        return self.table.observe(self._agent)

    def _infos(self) -> dict[str, Any]:
        """Return the results of the deals that the seat has not been told of yet."""
        deals, self._deals = self._deals, []
        return {"deals": deals} if deals else {}


def _without_match(options: Mapping[str, Any] | None) -> dict[str, Any]:
    return {name: value for name, value in (options or {}).items() if name != "match"}


class SingleDealEnv(SingleEnv):
    """One seat of one deal, from the first bid to the score."""

    metadata: dict[str, Any] = metadata("thousand_env/Deal-v0")
    table_type = DealEnv


class SinglePlayEnv(SingleEnv):
    """One seat of the play of one deal; `prelude` bids before."""

    metadata: dict[str, Any] = metadata("thousand_env/Play-v0")
    table_type = PlayEnv


class SingleBiddingEnv(SingleEnv):
    """One seat of the auction and exchange of one deal; `playout` plays after."""

    metadata: dict[str, Any] = metadata("thousand_env/Bidding-v0")
    table_type = BiddingEnv


class SingleMatchEnv(SingleEnv):
    """One seat of a match."""

    metadata: dict[str, Any] = metadata("thousand_env/Match-v0")
    table_type = MatchEnv
