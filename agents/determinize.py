"""Worlds: full states that agree with everything one seat knows, each as likely as any other.

A world is a distribution of the cards and the gifts made from it. It agrees with a view when the public history could
have been played from it, every action legal, and when the viewer would then know exactly what the view says:
`view.look(worlds, rules, np.zeros(N))` gives the view back N times, since the viewer sits at seat 0 of every world and
the others sit clockwise from there. The engine plays on from a world; chance in it (a redeal, the next deal) is its
own, drawn from its seed.

Worlds are numbered (`agents.counting`), so one random word draws one of them, all with the same chance. What only a
whole world can answer (a hand that would have been dealt again by itself, an unbeatable hand, an ace led in silence) is
asked afterwards: a world that fails is drawn anew, after too many failures from the list of those that pass.

A view leaves two things open that no world can settle: at which place lay a talon card that a bonus showed (it lies
first here), and who was forehand of four where nobody opened freely (the opener, or the declarer, stands for it).

A bid, a pass or a card says more than what it rules out. How much is for a model of the players to say: a function from
worlds to weights, for `sample_weighted`.

>>> from thousand_env import engine, view
>>> rules = engine.RuleSet.parse("core").array()
>>> states = engine.new_states(1)
>>> engine.start_matches(states, rules, np.array([7]), np.array([0]))
>>> views = view.look(states, rules, states["turn"])
>>> count_worlds(views, rules)  # 17 cards: seven each for two seats, and the talon
2333760
>>> worlds = sample(views, rules, 30, np.array([5]))
>>> worlds.shape, bool((worlds["hands"][:, :, 0] == views["hand"][0]).all())
((1, 30), True)
>>> bool((view.look(worlds[0], rules, np.zeros(30)) == views[0]).all())
True
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.counting import (
    NUM_PAIRS,
    Tables,
    count_ways,
    fill_options,
    fill_rooms,
    measure,
    new_tables,
    read_off,
    settle_single,
)
from agents.fates import (
    GIVEN,
    GIVEN_FROM_TALON,
    IN_OTHER_TALON,
    IN_TALON,
    PLAN_DTYPE,
    fill_plan,
    is_forced,
    lay_order,
    leads_as_seen,
)
from thousand_env.errors import RuleError, ThousandError
from thousand_env.jit import kernel, lowest
from thousand_env.rng import below, derive, word
from thousand_env.rules import RULES_DTYPE, RuleSet, as_rules
from thousand_env.state import NONE, PHASE_NAMES, SCORED, STATE_DTYPE, new_states, taken
from thousand_env.view import VIEW_DTYPE

MAX_LISTED = 1 << 24  # worlds of a view that are gone through one by one, if so many draws for one all failed
MAX_TRIES = 1 << 22  # draws for one world of a view that has more
_DONE, _NO_WORLD, _TOO_SMALL, _STUCK = range(4)
_FIRST_ROOMS, _FIRST_WAYS = 1 << 11, 1 << 15

Rules = NDArray[Any] | RuleSet | str
"""The rules of a table: an array (1,) as the engine takes it, which costs nothing, a rule set or the text naming it."""

Weigh = Callable[[NDArray[Any], NDArray[Any], NDArray[Any]], NDArray[np.float64]]


class NoWorld(ThousandError):
    """A view that no world agrees with, or whose worlds cannot be gone through."""


class Desk(NamedTuple):
    """Where the worlds of one view at a time are worked out; one row each but for the tables."""

    states: NDArray[Any]  # what is public
    views: NDArray[Any]
    plans: NDArray[Any]
    tables: Tables


def new_desk(num_rooms: int = _FIRST_ROOMS, num_ways: int = _FIRST_WAYS) -> Desk:
    """Return a desk with tables of this size."""
    return Desk(new_states(1), np.zeros(1, VIEW_DTYPE), np.zeros(1, PLAN_DTYPE), new_tables(num_rooms, num_ways))


# -- one view --------------------------------------------------------------------------------------------------------


@kernel
def prepare(view: Any, rules: Any, desk: Any) -> int:
    """Work out and count the worlds of a view; returns how many may pass, or NONE if the tables are too small."""
    state, plan, tables = desk.states[0], desk.plans[0], desk.tables
    fill_plan(view, rules, state, desk.views[0], plan)
    if not settle_single(state, plan):
        return 0
    measure(plan, tables)
    num_rooms, num_needs = tables.sizes[0], tables.sizes[1]
    if num_rooms > tables.rooms.shape[0] or (NUM_PAIRS + 1) * num_rooms * num_needs > tables.ways.shape[0]:
        return NONE
    fill_rooms(plan, tables)
    fill_options(state, plan, tables)
    return count_ways(plan, tables)


@kernel
def may_fail(plan: Any) -> bool:
    """Whether a numbered world may fail what only a whole world can answer."""
    return plan.checks > 0 or plan.not_four_aces > 0


@kernel
def lay_world(number: int, rules: Any, desk: Any, world: Any) -> bool:
    """Give out the cards of a numbered world in `world`, a copy of what is public; return whether it passes."""
    plan, fates = desk.plans[0], desk.tables.fates
    read_off(number, plan, desk.tables)
    declarer = world.declarer
    for seat in range(rules.players):
        world.dealt[seat] = fates[seat]
    if declarer != NONE:
        world.dealt[declarer] |= fates[GIVEN] | fates[GIVEN + 1]
    world.talon = fates[IN_TALON] | fates[GIVEN_FROM_TALON] | fates[GIVEN_FROM_TALON + 1]
    world.other_talon = fates[IN_OTHER_TALON]
    for seat in range(rules.players):
        world.hands[seat] = world.dealt[seat]
    if is_forced(world, rules, plan):
        return False
    exchange(world, plan, fates)
    if not leads_as_seen(world, rules, plan):
        return False
    for seat in range(rules.players):
        world.hands[seat] &= ~plan.played[seat]
    if not plan.from_lead:
        lay_order(world, rules, plan)
    return True


@kernel
def exchange(world: Any, plan: Any, fates: Any) -> None:
    """Move the talon and the gifts into the hands that took them (T1, T3)."""
    if not plan.taken:
        return
    world.hands[world.declarer] |= world.talon
    for number in range(2):
        card = fates[GIVEN + number] | fates[GIVEN_FROM_TALON + number]
        if card:
            world.gifts[plan.receivers[number]] = lowest(card)
            world.hands[world.declarer] ^= card
            world.hands[plan.receivers[number]] |= card


# -- many views ------------------------------------------------------------------------------------------------------


@kernel
def _sample_all(
    views: Any, rules: Any, keys: Any, desk: Any, worlds: Any, first: int, first_world: int
) -> tuple[int, int, int]:
    for i in range(first, views.shape[0]):
        found = prepare(views[i], rules[0], desk)
        if found <= 0:
            return i, 0, _NO_WORLD if found == 0 else _TOO_SMALL
        max_tries = found if found <= MAX_LISTED else MAX_TRIES
        for j in range(first_world, worlds.shape[1]):
            key, tries = derive(keys[i], j), 0
            worlds[i, j] = desk.states[0]
            worlds[i, j].seed = key
            while not lay_world(below(word(key, tries), found), rules[0], desk, worlds[i, j]):
                tries += 1
                if tries == max_tries:
                    return i, j, _STUCK
        first_world = 0
    return views.shape[0], 0, _DONE


@kernel
def _list_numbers(found: int, rules: Any, desk: Any, world: Any, numbers: Any) -> int:
    count = 0
    for number in range(found):
        if lay_world(number, rules[0], desk, world[0]):
            numbers[count] = number
            count += 1
            if count == numbers.shape[0]:
                break
    return count


@kernel
def _lay_numbers(numbers: Any, rules: Any, desk: Any, worlds: Any) -> None:
    for j in range(numbers.shape[0]):
        worlds[j] = desk.states[0]
        worlds[j].seed = j
        lay_world(numbers[j], rules[0], desk, worlds[j])


@kernel
def _draw_numbers(numbers: Any, rules: Any, key: int, desk: Any, worlds: Any, first: int) -> None:
    for j in range(first, worlds.shape[0]):
        worlds[j] = desk.states[0]
        worlds[j].seed = derive(key, j)
        chosen = below(word(worlds[j].seed, MAX_LISTED), numbers.shape[0])  # no draw before took this word
        lay_world(numbers[chosen], rules[0], desk, worlds[j])


def array_of(rules: Rules) -> NDArray[Any]:
    """Return rules as an array (1,).

    >>> array_of("core players=2")["players"].tolist()
    [2]
    """
    if isinstance(rules, RuleSet | str):
        return as_rules(rules).array()
    if not isinstance(rules, np.ndarray) or rules.shape != (1,) or rules.dtype != RULES_DTYPE:  # pyright: ignore[reportUnnecessaryIsInstance] a caller need not check types
        found = f"{type(rules).__name__} of shape {np.shape(rules)}" if hasattr(rules, "shape") else repr(rules)
        raise RuleError(f"rules: found {found}, expected a RuleSet, a text such as 'core', or RuleSet.array()")
    return rules


def sample(views: NDArray[Any], rules: Rules, count: int, keys: NDArray[np.int64]) -> NDArray[Any]:
    """Return `count` worlds for each view, drawn uniformly and independently: states (N, count).

    `views` (N,) are of deals that are being played, `rules` those of their table; `keys` (N,) are all the chance
    there is: world j of a view depends on the view, its key and j alone. Raises `NoWorld` for a view that cannot be,
    and unless there is a key a view.
    """
    rules = array_of(rules)
    _check(views, rules)
    keys = np.ascontiguousarray(keys, np.int64)
    if views.ndim != 1 or keys.shape != views.shape or count < 0:
        raise NoWorld(
            f"{count} worlds, keys of shape {keys.shape} for views of shape {views.shape}: expected (N,) of both, and "
            "not less than no world"
        )
    worlds = np.empty((len(views), count), STATE_DTYPE)
    desk, i, j = new_desk(), 0, 0
    while True:
        i, j, status = _sample_all(views, rules, keys, desk, worlds, i, j)
        if status == _DONE:
            return worlds
        if status == _NO_WORLD:
            raise _no_world(views, i)
        if status == _TOO_SMALL:
            desk = _larger(desk)
        else:
            found = int(desk.tables.ways[int(desk.tables.sizes[:2].prod()) - 1])
            numbers = _passing(views[i : i + 1], rules, desk, found, found)
            _draw_numbers(numbers, rules, keys[i], desk, worlds[i], j)
            i, j = i + 1, 0


def count_worlds(views: NDArray[Any], rules: Rules) -> int:
    """Return how many worlds agree with the view in `views` (1,).

    Raises `NoWorld` if none does, or if too many would have to be gone through one by one.
    """
    rules = array_of(rules)
    desk, found = _prepared(views, rules)
    return len(_passing(views, rules, desk, found, found)) if may_fail(desk.plans[0]) else found


def enumerate_worlds(views: NDArray[Any], rules: Rules, limit: int) -> NDArray[Any]:
    """Return all worlds that agree with the view in `views` (1,): states (count,), each world once.

    Raises `NoWorld` if they are more than `limit`, or none.
    """
    rules = array_of(rules)
    desk, found = _prepared(views, rules)
    numbers = _passing(views, rules, desk, found, limit + 1)
    if len(numbers) > limit:
        raise NoWorld(f"{_name(views, 0)}: more than {limit} worlds; expected no more")
    worlds = np.empty(len(numbers), STATE_DTYPE)
    _lay_numbers(numbers, rules, desk, worlds)
    return worlds


def _prepared(views: NDArray[Any], rules: NDArray[Any]) -> tuple[Desk, int]:
    _check(views, rules)
    desk = new_desk()
    found = int(prepare(views[0], rules[0], desk))
    if found == NONE:
        desk = _larger(desk)
        found = int(prepare(views[0], rules[0], desk))
    if found == 0:
        raise _no_world(views, 0)
    return desk, found


def _larger(desk: Desk) -> Desk:
    num_rooms, num_needs = (int(size) for size in desk.tables.sizes[:2])
    return new_desk(num_rooms, (NUM_PAIRS + 1) * num_rooms * num_needs)


def _passing(views: NDArray[Any], rules: NDArray[Any], desk: Desk, found: int, limit: int) -> NDArray[np.int64]:
    """Return the numbers of the worlds that pass, at most `limit`; `found` may, as `prepare` said."""
    if not may_fail(desk.plans[0]):
        return np.arange(min(found, limit))
    numbers, world = np.empty(min(found, limit), np.int64), desk.states.copy()
    count = _list_numbers(min(found, MAX_LISTED), rules, desk, world, numbers)
    if found > MAX_LISTED and count < limit:
        raise NoWorld(f"{_name(views, 0)}: {found} worlds to go through; expected at most {MAX_LISTED}")
    if count == 0:
        raise _no_world(views, 0)
    return numbers[:count]


def _check(views: NDArray[Any], rules: NDArray[Any]) -> None:
    for i in np.flatnonzero((views["phase"] >= SCORED) | (views["players"] != rules["players"][0])):
        raise NoWorld(f"{_name(views, int(i))}: expected a deal of {rules['players'][0]} players that is being played")


def _no_world(views: NDArray[Any], i: int) -> NoWorld:
    return NoWorld(f"{_name(views, i)}: no world agrees with it; expected a view of a deal played by these rules")


def _name(views: NDArray[Any], i: int) -> str:
    view = views[i]
    return f"view {i} [{PHASE_NAMES[view.phase]}, {view.players} players, {view.num_plays} cards played]"


# -- weights ---------------------------------------------------------------------------------------------------------


def sample_weighted(
    views: NDArray[Any],
    rules: Rules,
    count: int,
    keys: NDArray[np.int64],
    *,
    weigh: Weigh,
    proposals: int,
) -> NDArray[Any]:
    """Return `count` worlds for each view, states (N, count), chosen from `proposals` uniform ones by their weight.

    `weigh(worlds, views, rules)` gets the worlds (proposals,) of one view (1,), which holds the whole public history,
    and the rules as an array (1,), and returns a weight for each: how likely the players were to do what they did, up
    to a factor. This is importance resampling: worlds come up again and again when few weigh much, and the more
    proposals, the closer to the distribution that the weights mean.
    """
    rules = array_of(rules)
    proposed = sample(views, rules, proposals, keys)
    chosen = np.empty((len(views), count), STATE_DTYPE)
    for i in range(len(views)):
        weights = np.asarray(weigh(proposed[i], views[i : i + 1], rules), np.float64)
        chosen[i] = resample(proposed[i], weights, count, int(keys[i]))
    return chosen


def resample(worlds: NDArray[Any], weights: NDArray[np.float64], count: int, key: int) -> NDArray[Any]:
    """Return `count` of `worlds` (N,), each draw with a chance in proportion to its weight (N,).

    Raises `NoWorld` unless weights are finite, none is negative and some are positive.
    """
    total = float(weights.sum())
    if weights.shape != worlds.shape or not np.isfinite(total) or total <= 0 or float(weights.min()) < 0:
        raise NoWorld(f"weights {weights} of {len(worlds)} worlds: expected one a world, none negative, not all zero")
    draws = np.array([below(word(derive(key, NONE), i), 1 << 53) for i in range(count)]) * total / (1 << 53)
    rows = np.searchsorted(np.cumsum(weights), draws, side="right")
    return taken(worlds, np.minimum(rows, np.flatnonzero(weights)[-1]))
