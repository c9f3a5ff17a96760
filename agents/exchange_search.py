"""Which cards a declarer should give away and what contract he should name, over worlds whose play is solved.

He knows his own cards and none of the others': the worlds are full states that agree on what he knows, sampled or
enumerated. Every way to go on from there, a card to each opponent (in the two-hand game one of the talon's) and a
contract that the rules allow, is worth the mean over the worlds of what the play is worth with open hands (T3, T4, H3).
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.solver import POINTS, UNROUNDED, Solver
from thousand_env import engine
from thousand_env.actions import BAPTISE, WRITE_OFF
from thousand_env.cards import NUM_CARDS, PACK_POINTS
from thousand_env.errors import ThousandError
from thousand_env.state import CONTRACT, EXCHANGE, PHASE_NAMES, PLAY, copied


class Exchange(NamedTuple):
    """A way to the first lead and what it is worth to the declarer, in points of advantage."""

    gifts: tuple[int, ...]  # the cards still to be given, in the order of the receivers, clockwise from the declarer
    contract: int
    value: float


def best_exchanges(
    worlds: NDArray[Any], solver: Solver, objective: int = UNROUNDED, *, keep: int | None = None
) -> list[Exchange]:
    """Return every exchange from `worlds` (N,), best first; of equals the one of lower cards and contract.

    The worlds are states in which the declarer has seen the talon and has to give a card or to name the contract; they
    must agree on his hand. Without `keep` every exchange is solved in every world, once a contract. With it, one search
    a world and pair of gifts for the declarer's points ranks all contracts, and only the `keep` best are solved and
    returned: what is returned is exact, but a better one may have been left out.

    Raises `ThousandError` naming the first world that is in another phase or shows another hand.
    """
    _check(worlds)
    ways = _gifts_from(worlds, solver, ())
    if keep is not None:
        ways = _promising(ways, solver, keep)
    found = list[Exchange]()
    for gifts, states in ways:
        values = solver.solve(states, objective)
        found.append(Exchange(gifts, int(states[0]["contract"]), float(values.mean())))
    return sorted(found, key=lambda way: (-way.value, way.gifts, way.contract))


Way = tuple[tuple[int, ...], NDArray[Any]]  # the gifts, and the worlds at the first lead


def _check(worlds: NDArray[Any]) -> None:
    phases: list[int] = worlds["phase"].tolist()
    declarers: list[int] = worlds["declarer"].tolist()
    hands: list[int] = worlds["hands"][np.arange(len(worlds)), declarers].tolist()
    for i, (phase, declarer, hand) in enumerate(zip(phases, declarers, hands, strict=True)):
        if phase not in (EXCHANGE, CONTRACT) or phase != phases[0]:
            found = PHASE_NAMES[phase]
            raise ThousandError(f"world {i}: found the phase {found}, expected exchange or contract, the same in all")
        if (declarer, hand) != (declarers[0], hands[0]):
            found = f"the hand {hand:#o} of declarer {declarer}"
            raise ThousandError(f"world {i}: found {found}, expected that of world 0, {hands[0]:#o} of {declarers[0]}")


def _gifts_from(worlds: NDArray[Any], solver: Solver, gifts: tuple[int, ...]) -> list[Way]:
    """Return the worlds at the first lead, for all that the declarer may still do; what he may is the same in all."""
    if worlds[0]["phase"] == PLAY:
        return [(gifts, worlds)]
    table, ways = solver.rules.array(), list[Way]()
    mask = engine.legal_actions(worlds[:1], table)[0]
    mask[[WRITE_OFF, BAPTISE]] = 0
    for action in np.flatnonzero(mask):
        states = copied(worlds)
        engine.step(states, table, np.full(len(states), action))
        ways += _gifts_from(states, solver, (*gifts, int(action)) if action < NUM_CARDS else gifts)
    return ways


def _promising(ways: list[Way], solver: Solver, keep: int) -> list[Way]:
    """Return the ways that look best by the points the declarer gets when he plays for points."""
    points: dict[tuple[int, ...], NDArray[np.float64]] = {}
    ranked = list[tuple[float, int]]()
    for number, (gifts, states) in enumerate(ways):
        if gifts not in points:
            points[gifts] = solver.solve(states, POINTS)
        mine, contract = points[gifts], int(states["contract"][0])
        theirs = np.maximum(0, PACK_POINTS - mine) / (solver.rules.active - 1)
        made = mine >= contract
        ranked.append((float((contract * (2 * made - 1) - theirs).mean()), number))
    return [ways[number] for _, number in sorted(ranked, key=lambda way: (-way[0], way[1]))[:keep]]
