"""`mc`: flat Monte Carlo. Every action is tried in the same sampled worlds, each played out to the end of the deal.

The worlds are those of `agents.determinize`; the action with the best mean of own score minus the others' mean wins.
In an auction a bid is worth what the deal brings after it, with the talon and the hands of each world: no more is known
of either than the view tells. Flat Monte Carlo thinks nothing over that its rollout policy does not think of, which
makes it a bound on what a search must beat (Ginsberg 2001 calls the better one partition search).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.belief import worlds_of
from agents.budget import batches
from agents.playouts import ROLLOUT_POLICIES, Playouts
from thousand_env.actions import FIRST_BID, NUM_LEVELS
from thousand_env.jit import kernel
from thousand_env.rules import RuleSet
from thousand_env.state import AUCTION

MOST_RAISES = 2  # bids tried in an auction, the lowest ones: the contract may be raised later
MOST_CONTRACTS = 24  # contracts tried, the lowest ones
_BATCH = 10  # worlds between two looks at the clock


@kernel
def keep_candidates(mask: Any, phase: int) -> None:
    """Leave in a mask the actions worth a trial: of bids and contracts only the lowest."""
    bids, most = 0, MOST_RAISES if phase == AUCTION else MOST_CONTRACTS
    for action in range(FIRST_BID, FIRST_BID + NUM_LEVELS):
        bids += mask[action]
        if bids > most:
            mask[action] = 0


def candidates(view: Any, mask: NDArray[np.int8]) -> NDArray[np.int64]:
    """Return the actions worth a trial of the legal ones, ascending."""
    kept = mask.copy()
    keep_candidates(kept, int(view.phase))
    return np.flatnonzero(kept)


@dataclass(frozen=True)
class MonteCarlo:
    """Tries every action in sampled worlds, played out by the heuristic or by any legal actions.

    `worlds` are drawn for each decision, as likely as the auction makes them, with `belief` off each as likely as any
    other. When `ms` is not 0 they are as many as so many milliseconds allow, and a seed no longer tells the moves.
    """

    rules: RuleSet
    worlds: int = 100
    rollout: str = "heuristic"
    belief: bool = True
    ms: int = 0

    def __str__(self) -> str:
        rollout = "" if self.rollout == ROLLOUT_POLICIES[0] else f" rollout={self.rollout}"
        belief = "" if self.belief else " belief=no"
        return f"mc {f'ms={self.ms}' if self.ms else f'worlds={self.worlds}'}{rollout}{belief}"

    def act(self, views: NDArray[Any], masks: NDArray[np.int8], keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the action with the best mean outcome for each view."""
        playouts = Playouts(self.rules.array())
        actions = np.empty(len(views), np.int64)
        for i in range(len(views)):
            tried = candidates(views[i], masks[i])
            actions[i] = tried[0]
            if len(tried) > 1:
                actions[i] = tried[self._sums(playouts, views[i : i + 1], tried, int(keys[i])).argmax()]
        return actions

    def _sums(self, playouts: Playouts, views: NDArray[Any], tried: NDArray[np.int64], key: int) -> NDArray[np.float64]:
        """Return the outcomes of each action tried, summed over the worlds that the budget allows."""
        sums, policy = np.zeros(len(tried)), ROLLOUT_POLICIES.index(self.rollout)
        for count, part in batches(self.worlds, self.ms, _BATCH, key):
            worlds = worlds_of(views, playouts.rules, count, part, belief=self.belief)
            sums += playouts.try_actions(worlds, tried, policy, part).sum(axis=0)
        return sums
