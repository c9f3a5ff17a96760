"""The keyhole along random play: hidden cards never change a view, and a view forgets nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from thousand_env import engine, view
from thousand_env.actions import ACTION_TEXTS
from thousand_env.cards import FULL_PACK, NUM_CARDS
from thousand_env.rules import RuleSet
from thousand_env.state import CLAIM, EXCHANGE, NONE, SCORED, TALON, new_states

TABLES = [
    "core", "classic", "online", "core talon_at_100=shown exchange=closed", "classic exchange=closed bid_cap=no",
    "online marriage_first_lead=always talon_at_100=declarer_chooses",
]  # fmt: skip


def walk(rules: NDArray[Any], rng: np.random.Generator, states: NDArray[Any]) -> Iterator[int]:
    """Play random legal actions to the end of the deal; yields before each action, and gives it to the caller."""
    while states["phase"][0] < SCORED:
        action = int(rng.choice(np.flatnonzero(engine.legal_actions(states, rules)[0])))
        yield action
        engine.step(states, rules, np.array([action]))


def dealt(rules: NDArray[Any], match: int) -> NDArray[Any]:
    """The first deal of a match."""
    states = new_states(1)
    engine.start_matches(states, rules, np.array([31]), np.array([match]))
    return states


def look(states: NDArray[Any], rules: NDArray[Any], seat: int) -> Any:
    return view.look(states, rules, np.array([seat]))[0]


# -- secrets ---------------------------------------------------------------------------------------------------------


def seen_by(states: NDArray[Any], rules: NDArray[Any], seat: int) -> int:
    """Every card whose place the seat has ever known, worked out from the state and not from its view."""
    state = states[0]
    taken = state.phase >= TALON or (state.phase == CLAIM and state.bid > 0)
    took_the_talon = taken and (state.talon_open or seat == state.declarer)
    cards = int(state.dealt[seat]) | int(state.hands[seat]) | (int(state.talon) if took_the_talon else 0)
    for play in state.plays[: state.num_plays]:
        cards |= 1 << (int(play) & 31)
    open_gifts = rules["exchange"][0] == 0
    for receiver in range(3):
        if state.gifts[receiver] != NONE and (open_gifts or seat in (receiver, int(state.declarer))):
            cards |= 1 << int(state.gifts[receiver])
    return cards


def disguised(states: NDArray[Any], hidden: int, rng: np.random.Generator) -> NDArray[Any]:
    """The same state at another address, with the hidden cards in one another's places."""
    cards = [card for card in range(NUM_CARDS) if hidden >> card & 1]
    place = {card: card for card in range(NUM_CARDS)} | dict(zip(cards, rng.permutation(cards).tolist(), strict=True))
    other = states.copy()
    other["seed"], other["match"] = 99, 98
    for name in ("hands", "dealt"):
        other[name][0] = [moved(int(hand), place) for hand in states[name][0]]
    other["talon"] = moved(int(states["talon"][0]), place)
    order = int(states["talon_order"][0])
    other["talon_order"] = sum(place[order >> 5 * at & 31] << 5 * at for at in range(3))
    other["gifts"][0] = [place.get(int(card), NONE) for card in states["gifts"][0]]
    return other


def moved(cards: int, place: dict[int, int]) -> int:
    """A set with every card replaced."""
    return sum(1 << place[card] for card in range(NUM_CARDS) if cards >> card & 1)


@pytest.mark.parametrize("text", TABLES)
def test_cards_a_seat_has_not_seen_change_neither_its_view_nor_its_mask(text: str) -> None:
    rules, rng, compared = RuleSet.parse(text).array(), np.random.default_rng(8), 0
    for match in range(12):
        states = dealt(rules, match)
        for _ in walk(rules, rng, states):
            for seat in range(3):
                hidden = FULL_PACK & ~seen_by(states, rules, seat)
                other = disguised(states, hidden, rng)
                assert look(other, rules, seat).tobytes() == look(states, rules, seat).tobytes()
                if states["turn"][0] == seat:
                    assert (engine.legal_actions(other, rules) == engine.legal_actions(states, rules)).all()
                compared += other["hands"].tobytes() != states["hands"].tobytes()
    assert compared > 500


def test_a_card_a_seat_has_seen_does_change_its_view() -> None:
    rules, rng = RuleSet.parse("core").array(), np.random.default_rng(9)
    states = dealt(rules, 0)
    for _ in range(20):
        other = disguised(states, FULL_PACK, rng)
        assert look(other, rules, 1).tobytes() != look(states, rules, 1).tobytes()


# -- memory ----------------------------------------------------------------------------------------------------------


def told(states: NDArray[Any], rules: NDArray[Any], action: int, seat: int) -> str:
    """How a seat perceives an action of the seat to act."""
    state = states[0]
    if state.phase == EXCHANGE and rules["exchange"][0] == 1:
        receiver = next((state.declarer + d) % 3 for d in (1, 2) if state.gifts[(state.declarer + d) % 3] == NONE)
        if seat not in (receiver, state.declarer):
            return f"{receiver} gets a card"
    return f"{state.turn} {ACTION_TEXTS[action]}"


@pytest.mark.parametrize("text", TABLES)
def test_a_view_tells_all_a_seat_has_perceived_and_nothing_more(text: str) -> None:
    rules, rng = RuleSet.parse(text).replace(blind=False).without_redeals().array(), np.random.default_rng(10)
    views: dict[tuple[int, bytes], tuple[str, ...]] = {}
    histories: dict[tuple[int, int, tuple[str, ...]], bytes] = {}
    for number in range(120):
        match = number % 3
        states = dealt(rules, match)
        past: list[tuple[str, ...]] = [(), (), ()]
        for action in walk(rules, rng, states):
            for seat in range(3):
                seen = look(states, rules, seat).tobytes()
                history = (str(match), *past[seat])
                assert views.setdefault((seat, seen), history) == history
                assert histories.setdefault((seat, match, past[seat]), seen) == seen
                past[seat] += (told(states, rules, action, seat),)
    assert len(views) == len(histories) > 5_000


@pytest.mark.parametrize("text", TABLES)
def test_what_a_seat_has_seen_stays_in_its_view(text: str) -> None:
    rules, rng = RuleSet.parse(text).replace(blind=False).without_redeals().array(), np.random.default_rng(11)
    for match in range(20):
        states = dealt(rules, match)
        before = [look(states, rules, seat) for seat in range(3)]
        for _ in walk(rules, rng, states):
            for seat, earlier in enumerate(before):
                before[seat] = later = look(states, rules, seat)
                assert later.dealt == earlier.dealt
                assert later.talon & earlier.talon == earlier.talon
                assert (later.bids & earlier.bids == earlier.bids).all()
                assert (later.voids & earlier.voids == earlier.voids).all()
                assert ((later.gifts == earlier.gifts) | (earlier.gifts == NONE)).all()
                assert later.plays[: earlier.num_plays].tolist() == earlier.plays[: earlier.num_plays].tolist()
