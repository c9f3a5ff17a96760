"""The arena: what is one bot worth against another?

Every deal (or whole match) is a block: it is replayed with the challenger in each seat and copies of the opponent in
the others, with the same cards and the same random keys. A result is the challenger's points minus the mean of the
others', averaged over the seatings; intervals come from the blocks. A bot against itself gets 0 on every block. Points
are those of the deal's score line; what the match makes of them - fines, bolts, the barrel - shows in match mode.

With four players the dealer sits out: in one seating of a block it is the challenger, and his points are what the table
gives its dealer (F3). A point a deal is thus one for each deal at the table, not for each deal played.

    python -m agents.arena heuristic passer --deals 10000 --seed 1
"""

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.agent import Agent
from agents.passer import PassingBids
from agents.spec import load
from agents.table import Acted, play_deals
from agents.tally import (
    ANYTHING,
    SHARE,
    STAKE_PARTS,
    TALLY_DTYPE,
    bootstrap,
    by_block,
    count_deals,
    count_matches,
    smallest_effect,
)
from thousand_env.engine import new_states, next_deals, start_matches
from thousand_env.errors import ThousandError
from thousand_env.rng import derive
from thousand_env.rules import RuleSet, as_rules
from thousand_env.state import OVER

EVALUATION = 0xE7A1  # the namespace of evaluation seeds; training draws its deals under another number
DEAL, MATCH = "deal", "match"
BATCH = 2000
MAX_DEALS = 200
MATCH_FIGURES = ("win_rate", "win_rate_ci95", "mean_stake", "deals_a_match", "max_deals", "truncated")

Progress = Callable[[int, int], None]
Enough = Callable[[NDArray[np.float64]], bool]
Scored = Callable[[NDArray[Any], NDArray[np.int64]], None]
"""Told of (states, rows) whenever a deal is scored in those rows of the states."""


@dataclass(frozen=True)
class Result:
    """What a duel showed. Shares are from 0 to 1, "own" means the challenger's; intervals are 95 %.

    `advantage` is own minus the mean of the others, in points a deal in deal mode, in stakes a match in match mode;
    `sees` is the smallest true advantage a sample of this size would show, four times in five. `written_off` is the
    share of deals written off or ended by a baptism; they count as contracts not made.
    """

    challenger: str
    opponent: str
    mode: str
    rules: str
    seed: int
    blocks: int
    advantage: float
    ci95: tuple[float, float]
    sees: float
    points_a_deal: float
    points_ci95: tuple[float, float]
    mean_contract: float
    own_mean_contract: float | None
    contested: float
    own_contested: float | None
    declarer_share: float
    make_rate: float
    contested_make_rate: float | None
    own_make_rate: float | None
    bolt_share: float
    written_off: float
    decisions: int
    win_rate: float | None = None
    win_rate_ci95: tuple[float, float] | None = None
    mean_stake: float | None = None
    deals_a_match: float | None = None
    max_deals: int | None = None
    truncated: float | None = None
    block_results: NDArray[np.float64] = field(repr=False, compare=False, default_factory=lambda: np.zeros(0))

    def as_dict(self) -> dict[str, Any]:
        """Return everything but the blocks, ready for JSON; the match figures in match mode only."""
        left_out = {"block_results", *(MATCH_FIGURES if self.mode == DEAL else ())}
        return {item.name: getattr(self, item.name) for item in dataclasses.fields(self) if item.name not in left_out}


def duel(
    challenger: Agent | str,
    opponent: Agent | str,
    *,
    deals: int,
    seed: int = 0,
    mode: str = DEAL,
    rules: RuleSet | str = "core",
    batch: int = BATCH,
    max_deals: int = MAX_DEALS,
    progress: Progress | None = None,
    enough: Enough | None = None,
) -> Result:
    """Play `deals` blocks (whole matches in match mode) of the challenger against copies of the opponent.

    An agent may be given as its spec. Matches of rules without `max_deals` end after `max_deals` deals. `batch` is how
    many blocks are played side by side, which changes nothing but the speed; `progress` is told (done, all) blocks.
    `enough` is asked after every batch whether the block results so far (N,) are enough to stop.

    >>> duel("passer", "passer", deals=10).advantage
    0.0
    """
    if deals < 2 or batch < 1 or max_deals < 1 or mode not in (DEAL, MATCH):
        raise ThousandError(
            f"deals={deals} batch={batch} max_deals={max_deals} mode={mode}: expected at least 2 deals (an interval "
            f"needs two blocks), 1 in a batch, 1 a match, and the mode {DEAL} or {MATCH}"
        )
    rules = as_rules(rules)
    if mode == MATCH and rules.max_deals == 0:
        rules = rules.replace(max_deals=max_deals)
    agents = [load(agent, rules) if isinstance(agent, str) else agent for agent in (challenger, opponent)]
    tallies = np.zeros(deals * rules.players, TALLY_DTYPE)
    decisions, results = 0, np.zeros(0)
    for first in range(0, deals, batch):
        count = min(batch, deals - first)
        part = tallies[first * rules.players : (first + count) * rules.players]
        decisions += _play_blocks(agents, rules, seed=seed, mode=mode, first=first, tallies=part)
        if progress:
            progress(first + count, deals)
        results = np.concatenate([results, block_results(by_block(part, rules.players), rules.players, mode)])
        if enough and enough(results):
            tallies = tallies[: (first + count) * rules.players]
            break
    names = [agent if isinstance(agent, str) else str(agent) for agent in (challenger, opponent)]
    return _result(names, by_block(tallies, rules.players), rules, seed=seed, mode=mode, decisions=decisions)


def bids_gain(
    result: Result,
    challenger: Agent | str,
    opponent: Agent | str,
    *,
    batch: int = BATCH,
    progress: Progress | None = None,
) -> tuple[float, tuple[float, float]]:
    """Return what the challenger's own bids gained over forced passing, and its 95 % interval.

    `result` is its duel with the opponent; the same blocks are played again with its mouth shut, and compared in pairs.
    """
    agent = load(challenger, result.rules) if isinstance(challenger, str) else challenger
    silent = duel(
        PassingBids(agent),
        opponent,
        deals=result.blocks,
        seed=result.seed,
        mode=result.mode,
        rules=result.rules,
        batch=batch,
        progress=progress,
    )
    gains = result.block_results - silent.block_results
    return float(gains.mean()), bootstrap(gains, np.ones(len(gains)), result.seed)


def evaluation_seed(seed: int) -> int:
    """Return the seed under which the arena deals: no training run deals under it."""
    return int(derive(EVALUATION, seed))


def play_games(
    agents: Sequence[Agent],
    seats: NDArray[Any],
    rules: RuleSet,
    *,
    seed: int,
    blocks: NDArray[np.int64],
    mode: str,
    scored: Scored,
    acted: Acted | None = None,
) -> tuple[NDArray[Any], int]:
    """Play a deal, or a match, for each row of `seats` (N, players); return the last states and the decisions made.

    `seats` holds the number in `agents` of whoever sits there. The cards are those of the match `blocks[i]` (N,) under
    `seed`, the first part of every deal's address.
    """
    states, table = new_states(len(blocks)), rules.array()
    start_matches(states, table, np.full(len(blocks), seed), blocks)
    playing, decisions = np.arange(len(blocks)), 0
    while True:
        decisions += play_deals(states, table, agents, seats, acted)
        scored(states, playing)
        playing = playing[states["phase"][playing] != OVER]
        if mode == DEAL or not len(playing):
            return states, decisions
        next_deals(states, table)


def block_results(blocks: NDArray[Any], players: int, mode: str) -> NDArray[np.float64]:
    """Return the challenger's advantage on each block from its tallies (N,): points a deal, or stakes a match."""
    others = players - 1
    if mode == DEAL:
        return blocks["points"] / blocks["deals"] / others
    return blocks["stakes"] / blocks["matches"] / (STAKE_PARTS * others)


def stake_bounds(players: int) -> tuple[float, float]:
    """Return the advantage, in stakes, of a seat that loses every match, and of one that wins every match (E2).

    >>> stake_bounds(3)  # a stake won, and one lost by the two others together
    (-1.5, 1.5)
    """
    return -players / (players - 1), players / (players - 1)


def _play_blocks(
    agents: list[Agent], rules: RuleSet, *, seed: int, mode: str, first: int, tallies: NDArray[Any]
) -> int:
    """Play the blocks numbered from `first`, a tally (blocks * players,) each seating; return the decisions."""
    players, table = rules.players, rules.array()
    own = np.tile(np.arange(players), len(tallies) // players)  # the challenger's seat
    seats = (np.arange(players) != own[:, None]).astype(np.int64)
    blocks = first + np.arange(len(tallies)) // players

    def scored(states: NDArray[Any], rows: NDArray[np.int64]) -> None:
        count_deals(states, table, rows, own, tallies)

    seed = evaluation_seed(seed)
    states, decisions = play_games(agents, seats, rules, seed=seed, blocks=blocks, mode=mode, scored=scored)
    if mode == MATCH:
        count_matches(states, table, own, tallies)
    return decisions


def _result(names: list[str], blocks: NDArray[Any], rules: RuleSet, *, seed: int, mode: str, decisions: int) -> Result:
    total = {name: int(blocks[name].sum()) for name in TALLY_DTYPE.names or ()}
    others, stake = rules.players - 1, STAKE_PARTS * (rules.players - 1)

    def interval(name: str, unit: str, scale: int, bounds: tuple[float, float] = ANYTHING) -> tuple[float, float]:
        return bootstrap(blocks[name], blocks[unit] * scale, seed, bounds)

    points = total["points"] / total["deals"] / others, interval("points", "deals", others)
    advantage, results = points, block_results(blocks, rules.players, mode)
    match_figures: dict[str, Any] = {}
    if mode == MATCH:
        matches = total["matches"]
        advantage = total["stakes"] / matches / stake, interval("stakes", "matches", stake, stake_bounds(rules.players))
        match_figures = {
            "win_rate": total["wins"] / matches / STAKE_PARTS,
            "win_rate_ci95": interval("wins", "matches", STAKE_PARTS, SHARE),
            "mean_stake": advantage[0] * others / rules.players,
            "deals_a_match": total["deals"] / matches,
            "max_deals": rules.max_deals,
            "truncated": total["truncated"] / matches,
        }
    return Result(
        challenger=names[0],
        opponent=names[1],
        mode=mode,
        rules=str(rules),
        seed=seed,
        blocks=len(blocks),
        advantage=advantage[0],
        ci95=advantage[1],
        sees=smallest_effect(results),
        points_a_deal=points[0],
        points_ci95=points[1],
        mean_contract=total["contracts"] / total["deals"],
        own_mean_contract=_share(total["own_contracts"], total["own_declared"]),
        contested=total["contested"] / total["deals"],
        own_contested=_share(total["own_contested"], total["own_followed"]),
        declarer_share=total["own_declared"] / total["deals"],
        make_rate=total["made"] / total["deals"],
        contested_make_rate=_share(total["contested_made"], total["contested"]),
        own_make_rate=_share(total["own_made"], total["own_declared"]),
        bolt_share=total["own_bolts"] / total["deals"],
        written_off=total["written_off"] / total["deals"],
        decisions=decisions,
        block_results=results,
        **match_figures,
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


if __name__ == "__main__":
    from agents.scoreboard import main

    main()
