"""`ismcts`: information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012, the single-observer form).

One tree of actions is grown over many worlds: each simulation draws a world, walks down by the actions legal in it,
adds one node and is played out by the heuristic. A node counts how often its action was open to choice, so that actions
legal in few worlds are not starved. Below the root a node widens slowly (progressive unpruning: Chaslot, Winands, van
den Herik, Uiterwijk and Bouzy 2008): first comes what the heuristic would do, then by and by the rest, since an action
is worth little to know while all that may follow it are tried alike. The tree sees every action, gifts given face down
as well: what a seat cannot have seen steers its choices there.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.belief import worlds_of
from agents.budget import batches
from agents.habits import habits
from agents.hand_value import weights
from agents.heuristic import decide
from agents.monte_carlo import keep_candidates
from agents.playouts import play_out
from thousand_env import engine
from thousand_env.actions import NUM_ACTIONS
from thousand_env.jit import kernel, record_dtype
from thousand_env.rules import RuleSet
from thousand_env.scoring import advantage
from thousand_env.state import SCORED
from thousand_env.view import VIEW_DTYPE, look_row

POINTS = 100.0  # outcomes are weighed in units of 100 points
MAX_DEPTH = 512  # decisions of a deal, a few redeals included
WIDENING = 10  # visits of a node before its second action is tried
_BATCH = 20  # simulations between two looks at the clock

NODE_DTYPE = record_dtype(
    [
        ("action", np.int32),
        ("seat", np.int32),  # who took it
        ("child", np.int32),  # the first one, 0 without any: the root is nobody's child
        ("sibling", np.int32),  # the next one
        ("visits", np.int32),
        ("open", np.int32),  # how often it could have been taken
        ("total", np.float64),  # outcomes for the seat that took it, summed
    ]
)


@kernel
def best_child(nodes: Any, parent: int, mask: Any, exploration: float, untried: Any) -> int:
    """Return the legal child with the highest upper confidence bound, 0 without one; fill what is still `untried`."""
    for action in range(NUM_ACTIONS):
        untried[action] = mask[action]
    best, bound = 0, -math.inf
    child = nodes[parent].child
    while child:
        node = nodes[child]
        if mask[node.action]:
            untried[node.action] = 0
            node.open += 1
            found = node.total / node.visits + exploration * math.sqrt(math.log(node.open) / node.visits)
            if found > bound:
                best, bound = child, found
        child = node.sibling
    return best


@kernel
def add_child(nodes: Any, parent: int, child: int, action: int, seat: int) -> None:
    """Make `child` a node for an action that was just tried for the first time."""
    node = nodes[child]
    node.action, node.seat, node.sibling = action, seat, nodes[parent].child
    node.child, node.visits, node.open, node.total = 0, 0, 1, 0.0
    nodes[parent].child = child


@kernel
def may_widen(tried: int, visits: int) -> bool:
    """Whether a node of so many visits, so many actions of which have been tried, may try another one.

    >>> [min(visits for visits in range(100) if may_widen(tried, visits)) for tried in range(4)]
    [0, 10, 40, 90]
    """
    return tried * tried * WIDENING <= visits


@kernel
def simulate(
    state: Any, rules: Any, exploration: float, nodes: Any, used: int, path: Any, view: Any, mask: Any, untried: Any,
    table: Any, habits: Any, room: Any,
) -> int:  # fmt: skip
    """Play a world out, down the tree and on by the heuristic, and return how many nodes the tree has then."""
    depth, parent = 0, 0
    while state.phase < SCORED and depth < MAX_DEPTH:
        engine.legal_row(state, rules, mask)
        keep_candidates(mask, state.phase)
        child = best_child(nodes, parent, mask, exploration, untried)
        left = engine.count_legal(untried)
        grows = left > 0 and (depth == 0 or may_widen(engine.count_legal(mask) - left, nodes[parent].visits))
        if grows:
            child, used = used, used + 1
            look_row(state, rules, state.turn, view)
            action = decide(view, mask, rules, 0, table, habits, room)
            if not untried[action]:
                action = engine.nth_legal(untried, 0)
            add_child(nodes, parent, child, action, state.turn)
        engine.step_row(state, rules, nodes[child].action)
        path[depth] = parent = child
        depth += 1
        if grows:
            break
    play_out(state, rules, view, mask, table, habits, room)
    for i in range(depth):
        node = nodes[path[i]]
        node.visits += 1
        node.total += advantage(state, rules, node.seat) / POINTS
    return used


@kernel
def _simulate_all(
    worlds: Any, rules: Any, exploration: float, nodes: Any, used: int, path: Any, views: Any, mask: Any, untried: Any,
    table: Any, habits: Any, room: Any,
) -> int:  # fmt: skip
    for i in range(worlds.shape[0]):
        used = simulate(
            worlds[i], rules[0], exploration, nodes, used, path, views[0], mask, untried, table, habits[0], room
        )
    return used


@kernel
def most_visited(nodes: Any) -> int:
    """Return the action of the root's child that was chosen most often."""
    child = best = nodes[0].child
    while child:
        if nodes[child].visits > nodes[best].visits:
            best = child
        child = nodes[child].sibling
    return nodes[best].action


@dataclass(frozen=True)
class Ismcts:
    """Searches one tree over many worlds.

    `simulations` are made for each decision, every one in a world of its own, as likely as the auction makes it; with
    `belief` off all worlds are equally likely. `exploration` is the constant of the confidence bound in hundredths.
    When `ms` is not 0 there are as many simulations as so many milliseconds allow; a seed then no longer tells the
    moves.
    """

    rules: RuleSet
    simulations: int = 500
    exploration: int = 70
    belief: bool = True
    ms: int = 0

    def __str__(self) -> str:
        budget = f"ms={self.ms}" if self.ms else f"simulations={self.simulations}"
        exploration = "" if self.exploration == 70 else f" exploration={self.exploration}"
        return f"ismcts {budget}{exploration}{'' if self.belief else ' belief=no'}"

    def act(self, views: NDArray[Any], masks: NDArray[np.int8], keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the action chosen most often in the search from each view."""
        search = Search(self.rules.array(), self.exploration / 100)
        actions = masks.argmax(axis=1).astype(np.int64)
        for i in np.flatnonzero(masks.sum(axis=1) > 1):
            search.plant()
            for count, key in batches(self.simulations, self.ms, _BATCH, int(keys[i])):
                search.grow(worlds_of(views[i : i + 1], search.rules, count, key, belief=self.belief))
            actions[i] = most_visited(search.nodes)
        return actions


class Search:
    """A tree and the room to grow it."""

    def __init__(self, rules: NDArray[Any], exploration: float) -> None:
        self.rules, self.exploration, self.used = rules, exploration, 1
        self.nodes, self.path = np.zeros(1, NODE_DTYPE), np.zeros(MAX_DEPTH, np.int64)
        self.views, self.room = np.zeros(1, VIEW_DTYPE), np.zeros(1, np.int64)
        self.mask, self.untried = np.zeros(NUM_ACTIONS, np.int8), np.zeros(NUM_ACTIONS, np.int8)
        self.table, self.habits = weights(), habits()

    def plant(self) -> None:
        """Begin a new tree: a root without children."""
        self.used, self.nodes[0] = 1, np.zeros((), NODE_DTYPE)

    def grow(self, worlds: NDArray[Any]) -> None:
        """Simulate each of the worlds (N,), which are played out in place."""
        if self.used + len(worlds) > len(self.nodes):
            self.nodes = np.concatenate([self.nodes, np.zeros(self.used + len(worlds), NODE_DTYPE)])
        self.used = _simulate_all(
            worlds, self.rules, self.exploration, self.nodes, self.used, self.path, self.views, self.mask,
            self.untried, self.table, self.habits, self.room,
        )  # fmt: skip
