"""What a seat cannot know changes nothing of what it sees; what is public, it sees."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from thousand_env import engine
from thousand_env.actions import NUM_ACTIONS
from thousand_env.cards import NUM_CARDS
from thousand_env.envs.observation import observe_seat
from thousand_env.envs.policies import Uniform, decision_keys
from thousand_env.features import FEATURES, NUM_FEATURES, encode, offset_of
from thousand_env.rules import RuleSet
from thousand_env.state import AUCTION, MAX_SEATS, NONE, PHASE_NAMES, PLAY, SCORED, new_states
from thousand_env.view import VIEW_DTYPE, look

PRESETS = ("core", "classic", "online")
DEALS = 12


def positions(preset: str, deals: int = DEALS) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
    """Yield every position of some uniformly played deals, every third of them opened at 100 and passed."""
    rules = RuleSet.parse(preset).array()
    states = new_states(1)
    for match in range(deals):
        engine.start_matches(states, rules, np.array([77]), np.array([match]))
        while True:
            yield states, rules
            if states["phase"][0] >= SCORED:
                break
            masks = engine.legal_actions(states, rules)
            quiet = match % 3 == 0 and states["phase"][0] == AUCTION
            action = masks.argmax(axis=1) if quiet else Uniform()(look_of(states, rules), masks, decision_keys(states))
            engine.step(states, rules, action)


def look_of(states: NDArray[Any], rules: NDArray[Any]) -> NDArray[Any]:
    return look(states, rules, states["turn"])


def known_cards(state: Any, rules: Any, viewer: int) -> int:
    """Return the cards whose way a seat has followed: its own, the played, and the talon and gifts it saw."""
    known = int(state.dealt[viewer]) | int(state.hands[viewer])
    for play in state.plays[: state.num_plays]:
        known |= 1 << (int(play) & 31)
    is_declarer = viewer == state.declarer
    if state.phase > AUCTION and (state.talon_open or is_declarer):
        known |= int(state.talon)
    for seat in range(int(rules["players"][0])):
        if state.gifts[seat] != NONE and (rules["exchange"][0] == 0 or is_declarer or viewer == seat):
            known |= 1 << int(state.gifts[seat])
    return known


def reshuffled(states: NDArray[Any], known: int, rng: np.random.Generator) -> NDArray[Any]:
    """Return the same game with the cards outside `known` renamed among themselves, wherever they are or have been."""
    hidden = np.array([card for card in range(NUM_CARDS) if not known >> card & 1], np.int64)
    names = np.arange(32)
    names[hidden] = rng.permutation(hidden)

    def renamed(cards: int) -> int:
        return sum(1 << int(names[card]) for card in range(NUM_CARDS) if cards >> card & 1)

    other = states.copy()
    for field in ("hands", "dealt"):
        other[field][0] = [renamed(int(cards)) for cards in states[field][0]]
    other["talon"] = renamed(int(states["talon"][0]))
    order = int(states["talon_order"][0])
    other["talon_order"] = sum(int(names[order >> 5 * place & 31]) << 5 * place for place in range(3))
    gifts = states["gifts"][0]
    other["gifts"][0] = np.where(gifts == NONE, NONE, names[np.maximum(gifts, 0)])
    return other


def observed(states: NDArray[Any], rules: NDArray[Any], seat: int) -> tuple[bytes, bytes, bytes]:
    """Return all that a seat sees of one game: view, features, mask."""
    row, mask = np.empty(NUM_FEATURES, np.float32), np.empty(NUM_ACTIONS, np.int8)
    observe_seat(states, rules, seat, np.zeros(1, VIEW_DTYPE), row, mask)
    return look(states, rules, np.array([seat])).tobytes(), row.tobytes(), mask.tobytes()


@pytest.mark.parametrize("preset", PRESETS)
def test_hidden_cards_change_nothing_of_what_a_seat_sees(preset: str) -> None:
    rng = np.random.default_rng(1)
    changed = dict.fromkeys(range(AUCTION, SCORED + 1), 0)
    for states, rules in positions(preset):
        phase = int(states["phase"][0])
        for seat in range(3):
            other = reshuffled(states, known_cards(states[0], rules, seat), rng)
            assert observed(other, rules, seat) == observed(states, rules, seat), f"seat {seat}, {PHASE_NAMES[phase]}"
            changed[phase] += other.tobytes() != states.tobytes()
    asked = {phase for phase in changed if preset == "classic" or PHASE_NAMES[phase] not in ("talon", "scored")}
    assert all(changed[phase] > 0 for phase in asked - {SCORED}), changed


def test_the_reshuffle_is_one_that_other_seats_would_notice() -> None:
    rng, noticed = np.random.default_rng(1), 0
    for states, rules in positions("core", deals=2):
        other = reshuffled(states, known_cards(states[0], rules, 0), rng)
        noticed += observed(other, rules, 1) != observed(states, rules, 1)
    assert noticed > 20


def feature(states: NDArray[Any], rules: NDArray[Any], seat: int, name: str) -> list[float]:
    start = offset_of(name)
    width = next(feature.width for feature in FEATURES if feature.name == name)
    return encode(look(states, rules, np.array([seat])))[0, start : start + width].tolist()


def as_bits(cards: int) -> list[float]:
    return [float(cards >> card & 1) for card in range(NUM_CARDS)]


@pytest.mark.parametrize("preset", PRESETS)
def test_a_shown_talon_is_seen_by_all_and_a_closed_one_by_the_declarer(preset: str) -> None:
    shown = closed = 0
    for states, rules in positions(preset):
        state = states[0]
        for seat in range(3):
            sees = state.phase > AUCTION and (state.talon_open > 0 or seat == state.declarer)
            assert feature(states, rules, seat, "talon") == as_bits(int(state.talon) if sees else 0)
        shown += state.phase > AUCTION and state.talon_open > 0
        closed += state.phase > AUCTION and state.talon_open == 0
    assert shown
    assert closed


@pytest.mark.parametrize(("exchange", "everybody"), [("open", True), ("closed", False)])
def test_gifts_are_seen_by_all_when_the_exchange_is_open_and_by_giver_and_receiver_when_it_is_closed(
    exchange: str, everybody: bool
) -> None:
    gifts = 0
    for states, rules in positions(f"core exchange={exchange}"):
        state = states[0]
        if state.phase < PLAY or state.num_plays:
            continue
        for seat in range(3):
            view = look(states, rules, np.array([seat]))[0]
            for receiver in (receiver for receiver in range(3) if receiver != state.declarer):
                sees = everybody or seat in (receiver, state.declarer)
                place = (receiver - seat) % 3
                assert view.gifts[place] == (state.gifts[receiver] if sees else NONE)
                assert not sees or view.held[place] >> int(state.gifts[receiver]) & 1
                gifts += 1
    assert gifts


@pytest.mark.parametrize("preset", PRESETS)
def test_bids_plays_declarations_and_totals_are_seen_by_all(preset: str) -> None:
    for states, rules in positions(preset, deals=4):
        state = states[0]
        for seat in range(3):
            view = look(states, rules, np.array([seat]))[0]
            turned = [(seat + place) % 3 for place in range(3)]
            for field in ("bids", "totals", "bolts", "captured", "tricks", "marriages", "voids"):
                assert getattr(view, field)[:3].tolist() == getattr(state, field)[turned].tolist(), field
            assert (view.bid, view.contract, view.trump) == (state.bid, state.contract, state.trump)
            for mine, real in zip(view.plays[: view.num_plays], state.plays[: state.num_plays], strict=True):
                assert (mine & 255, turned[mine >> 8]) == (real & 255, real >> 8)
    assert MAX_SEATS == 4
