"""All worlds of a view the long way: part what seat 0 does not see in every way, invent every past, act it through.

Nothing is worked out here: what a past has to agree with is the view and the engine's own legal actions.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from math import comb, prod
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tests.histories import retraced
from thousand_env.cards import NUM_CARDS
from thousand_env.state import NONE
from thousand_env.view import look, talon_is_taken

Cards: TypeAlias = tuple[int, ...]


def cards_of(world: Any) -> Cards:
    """What makes a world: hands and talons as dealt, and the gifts."""
    return (*world.dealt.tolist(), int(world.talon), int(world.other_talon), *world.gifts.tolist())


def worlds_by_trial(states: NDArray[Any], rules: NDArray[Any]) -> set[Cards]:
    """All worlds of seat 0, which plays the deal in `states` (1,), at a table without bonuses."""
    worlds = np.array([world for parted in partings(states[0], rules) for world in pasts(parted, rules)], states.dtype)
    view = look(states, rules, np.zeros(1))[0].tobytes()
    alike = [back.tobytes() == view for back in look(worlds, rules, np.zeros(len(worlds)))]
    return {cards_of(world) for world in worlds[alike] if retraced(world, rules) == ""}


def number_of_trials(states: NDArray[Any], rules: NDArray[Any]) -> int:
    """How many worlds `worlds_by_trial` would try."""
    state: Any = states[0]
    sizes = [cards.bit_count() for cards in hidden(state, rules).values()]
    parted = prod(comb(sum(sizes[place:]), sizes[place]) for place in range(len(sizes)))
    return parted * sum(1 for _ in invented(state, rules))


# -- where the unseen cards are --------------------------------------------------------------------------------------


def hidden(state: Any, rules: NDArray[Any]) -> dict[str, int]:
    """The places with cards that seat 0 may not see: hands by their number, and talons nobody took."""
    places = {str(seat): int(state.hands[seat]) for seat in range(1, 4)}
    places["talon"] = 0 if talon_is_taken(state, rules[0]) else int(state.talon)
    places["other_talon"] = int(state.other_talon)
    return places


def partings(state: Any, rules: NDArray[Any]) -> Iterator[Any]:
    """Copies of a state with the unseen cards parted in every way."""
    places = hidden(state, rules)
    for parts in splits(sum(places.values()), [cards.bit_count() for cards in places.values()]):
        parted = state.copy()
        for place, cards in zip(places, parts, strict=True):
            if place.isdecimal():
                parted.hands[int(place)] = cards
            elif place == "other_talon" or cards:
                parted[place] = cards
        yield parted


def splits(cards: int, sizes: list[int]) -> Iterator[tuple[int, ...]]:
    """All ways to part cards into sets of these sizes."""
    if not sizes:
        yield ()
        return
    for chosen in itertools.combinations(listed(cards), sizes[0]):
        part = sum(1 << card for card in chosen)
        yield from ((part, *others) for others in splits(cards & ~part, sizes[1:]))


def listed(cards: int) -> list[int]:
    """The cards of a set."""
    return [card for card in range(NUM_CARDS) if cards >> card & 1]


# -- how they came there ---------------------------------------------------------------------------------------------


def pasts(parted: Any, rules: NDArray[Any]) -> Iterator[Any]:
    """Copies of a state with every talon and all gifts from which its hands may have come, dealt accordingly."""
    for talon, gifts in invented(parted, rules):
        world = parted.copy()
        hands = taken_up(parted)
        for seat, card in gifts.items():
            world.gifts[seat] = card
            hands[seat] &= ~(1 << card)
            hands[int(world.declarer)] |= 1 << card
        if talon_is_taken(parted, rules[0]):
            world.talon = talon
            hands[int(world.declarer)] &= ~talon
        world.dealt[:] = hands
        world.talon_order = laid(world)
        yield world


def invented(parted: Any, rules: NDArray[Any]) -> Iterator[tuple[int, dict[int, int]]]:
    """Every talon that the declarer may have taken with every gift he may have made, but for what seat 0 saw."""
    if not talon_is_taken(parted, rules[0]):
        yield int(parted.talon), {}
        return
    declarer, receivers = int(parted.declarer), [seat for seat in range(4) if parted.gifts[seat] != NONE]
    hands, sees_all = taken_up(parted), declarer == 0
    sees_gifts = sees_all or rules["exchange"][0] == 0
    choices = [[int(parted.gifts[seat])] if sees_gifts or seat == 0 else listed(hands[seat]) for seat in receivers]
    for gifts in itertools.product(*choices):
        had = hands[declarer] | sum(1 << card for card in gifts)
        talons = itertools.combinations(listed(had), int(parted.talon).bit_count())
        for talon in [listed(int(parted.talon))] if sees_all or parted.talon_open else talons:
            yield sum(1 << card for card in talon), dict(zip(receivers, gifts, strict=True))


def taken_up(state: Any) -> list[int]:
    """The cards that each seat holds or has played."""
    hands = state.hands.tolist()
    for play in state.plays[: state.num_plays].tolist():
        hands[play >> 8] |= 1 << (play & 31)
    return hands


def laid(state: Any) -> int:
    """The talon, or the two, as a state keeps its order, from the lowest card."""
    talons = [int(state.talon), int(state.other_talon)]
    if state.picked == 2:
        talons.reverse()
    return sum(card << 5 * place for place, card in enumerate([*listed(talons[0]), *listed(talons[1])]))
