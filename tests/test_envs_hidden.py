"""What a seat cannot know changes nothing of what it sees; what is public, it sees."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.env_tables import EVERYTHING, TABLES, table
from thousand_env import engine
from thousand_env.actions import NUM_ACTIONS, PASS
from thousand_env.cards import FULL_PACK, NUM_CARDS, NUM_RANKS
from thousand_env.envs.observation import observe_seat
from thousand_env.envs.policies import Uniform, decision_keys
from thousand_env.features import FEATURES, NUM_FEATURES, encode, offset_of
from thousand_env.redeals import hand_entitles
from thousand_env.rules import OFFER, RuleSet
from thousand_env.state import (
    AUCTION,
    BLIND,
    BLIND_CHOSEN,
    CLAIM,
    MAX_SEATS,
    NONE,
    PHASE_NAMES,
    PLAY,
    SCORED,
    new_states,
)
from thousand_env.view import VIEW_DTYPE, look

PRESETS = ("core", "classic", "online")
DEALS = 12


def positions(rules: RuleSet, deals: int = DEALS) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
    """Yield every position of some uniformly played deals, every third of them opened at 100 and passed."""
    states, array = new_states(1), rules.array()
    for match in range(deals):
        engine.start_matches(states, array, np.array([77]), np.array([match]))
        while True:
            yield states, array
            if states["phase"][0] >= SCORED:
                break
            masks = engine.legal_actions(states, array)
            quiet = match % 3 == 0 and states["phase"][0] == AUCTION
            first = np.where(masks[:, PASS] == 1, PASS, masks.argmax(axis=1))
            action = first if quiet else Uniform()(look_of(states, array), masks, decision_keys(states))
            engine.step(states, array, action)


def look_of(states: NDArray[Any], rules: NDArray[Any]) -> NDArray[Any]:
    return look(states, rules, states["turn"])


# -- who knows what --------------------------------------------------------------------------------------------------


def sits_out(state: Any, rules: Any, seat: int) -> bool:
    return rules["players"][0] == 4 and seat == state.dealer


def talon_is_taken(state: Any, rules: Any) -> bool:
    if rules["players"][0] == 2:
        return bool(state.picked)
    return bool(state.phase > AUCTION or (state.phase == CLAIM and state.bid))  # a claim on it, or on a hand


def has_looked(state: Any, viewer: int) -> bool:
    """Whether a seat has seen its cards: nobody before forehand looks or goes blind, he not before the auction ends."""
    return state.phase != BLIND and not (
        state.blind == BLIND_CHOSEN and state.phase == AUCTION and viewer == state.declarer
    )


def gift_is_seen(state: Any, rules: Any, viewer: int, receiver: int) -> bool:
    return state.gifts[receiver] != NONE and (rules["exchange"][0] == 0 or viewer in (state.declarer, receiver))


def talon_cards(state: Any, rules: Any) -> list[int]:
    """Return the cards of the talon, or of both, as they were laid."""
    return [int(state.talon_order) >> 5 * place & 31 for place in range(4 if rules["players"][0] == 2 else 3)]


def known_cards(state: Any, rules: Any, viewer: int) -> int:
    """Return the cards whose way a seat has followed: its own, the played, what it saw of talon, gifts and bonuses."""
    seats = range(int(rules["players"][0]))
    known = int(state.dealt[viewer]) | int(state.hands[viewer]) if has_looked(state, viewer) else 0
    for seat in seats:
        known |= int(state.captured[seat])
        if gift_is_seen(state, rules, viewer, seat):
            known |= 1 << int(state.gifts[seat])
        if state.peeks[viewer] & 1:
            known |= int(state.dealt[seat])
    for play in state.plays[: state.num_plays]:
        known |= 1 << (int(play) & 31)
    if sits_out(state, rules, viewer) or (
        talon_is_taken(state, rules) and (state.talon_open or viewer == state.declarer)
    ):
        known |= int(state.talon)
    for place, card in enumerate(talon_cards(state, rules)):
        known |= (int(state.peeks[viewer]) >> (2 + place) & 1) << card
    return known


def new_names(hidden: int, rng: np.random.Generator, *, within_suits: bool) -> NDArray[np.int64]:
    """Return what each card is called when the hidden ones change names, perhaps only within their suits."""
    names = np.arange(32)
    suits = [0o77 << NUM_RANKS * suit for suit in range(4)] if within_suits else [FULL_PACK]
    for suit in suits:
        cards = np.array([card for card in range(NUM_CARDS) if hidden & suit & 1 << card], np.int64)
        names[cards] = rng.permutation(cards)
    return names


def reshuffled(states: NDArray[Any], rules: NDArray[Any], viewer: int, rng: np.random.Generator) -> NDArray[Any]:
    """Return the same game as far as a seat can know: the cards it has not seen have changed names wherever they are.

    It stands at another address, and of bonuses the others have used and seen other ones.
    """
    suits_told = bool(states["peeks"][0, viewer] & 2)
    hidden = FULL_PACK & ~known_cards(states[0], rules, viewer)
    names = new_names(hidden, rng, within_suits=suits_told)

    def renamed(cards: int) -> int:
        return sum(1 << int(names[card]) for card in range(NUM_CARDS) if cards >> card & 1)

    other = states.copy()
    other["seed"], other["match"] = 99, 98
    for field in ("hands", "dealt"):
        other[field][0] = [renamed(int(cards)) for cards in states[field][0]]
    for field in ("talon", "other_talon"):
        other[field] = renamed(int(states[field][0]))
    cards = talon_cards(states[0], rules)
    other["talon_order"] = sum(int(names[card]) << 5 * place for place, card in enumerate(cards))
    gifts = states["gifts"][0]
    other["gifts"][0] = np.where(gifts == NONE, NONE, names[np.maximum(gifts, 0)])
    for seat in range(MAX_SEATS):
        if seat != viewer:
            other["peeks"][0, seat], other["bonuses"][0, seat] = rng.integers(0, 64), rng.integers(0, 1 << 24)
    return other


def observed(states: NDArray[Any], rules: NDArray[Any], seat: int) -> tuple[bytes, bytes, bytes]:
    """Return all that a seat sees of one game: view, features, mask."""
    row, mask = np.empty(NUM_FEATURES, np.float32), np.empty(NUM_ACTIONS, np.int8)
    observe_seat(states, rules, seat, np.zeros(1, VIEW_DTYPE), row, mask)
    return look(states, rules, np.array([seat])).tobytes(), row.tobytes(), mask.tobytes()


def secrets_moved(states: NDArray[Any], other: NDArray[Any], rules: NDArray[Any], viewer: int) -> Iterator[str]:
    """Yield the names of the secrets in which a reshuffled game differs from the one that was."""
    state, twin, seats = states[0], other[0], range(int(rules["players"][0]))
    yield PHASE_NAMES[int(state.phase)]
    if not has_looked(state, viewer) and twin.hands[viewer] != state.hands[viewer]:
        yield "own hand, blind"
    taken, own = talon_is_taken(state, rules), viewer == state.declarer
    if taken and not state.talon_open and not own and twin.talon != state.talon:
        yield "closed talon"
    if rules["players"][0] == 4 and not taken and twin.talon != state.talon:
        yield "the talon that the dealer of four has seen"
    if any(twin.gifts[seat] != state.gifts[seat] for seat in seats):
        yield "closed gift"
    if state.other_talon and twin.other_talon != state.other_talon and state.picked:
        yield "the talon that nobody picked"
    if state.peeks[viewer] and twin.hands.tobytes() != state.hands.tobytes():
        yield "what a bonus left hidden"
    for seat in seats:
        declined = state.phase in (CLAIM, AUCTION) and int(state.asked) >> seat & 1 and seat != viewer
        if declined and hand_entitles(state, rules[0], seat, OFFER) != hand_entitles(twin, rules[0], seat, OFFER):
            yield "declined offer"


MOVED: dict[tuple[str, int], Counter[str]] = {}


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_hidden_cards_change_nothing_of_what_a_seat_sees(name: str, players: int) -> None:
    rng, moved = np.random.default_rng(1), Counter[str]()
    for states, rules in positions(table(name, players)):
        for seat in range(players):
            other = reshuffled(states, rules, seat, rng)
            assert observed(other, rules, seat) == observed(states, rules, seat), f"seat {seat} of {states[0]}"
            moved.update(secrets_moved(states, other, rules, seat))
    MOVED[name, players] = moved
    assert moved["auction"] > 40 or name == "golden"
    assert moved["exchange"] > 10
    assert moved["play"] > 100


SECRETS = {
    "own hand, blind": [("classic", 2), ("classic", 3), ("classic", 4), ("everything", 3)],
    "closed talon": [("core", 2), ("classic", 3), ("online", 4), ("tysiac", 3), ("golden", 3), ("golden", 4)],
    "the talon that the dealer of four has seen": [("core", 4), ("classic", 4), ("tysiac", 4), ("everything", 4)],
    "closed gift": [("online", 3), ("online", 4), ("tysiac", 4), ("everything", 3)],
    "the talon that nobody picked": [("core", 2), ("golden", 2), ("everything", 2)],
    "what a bonus left hidden": [("everything", 2), ("everything", 3), ("everything", 4)],
    "declined offer": [("classic", 2), ("classic", 3), ("online", 4), ("everything", 3)],
}


@pytest.mark.parametrize("secret", SECRETS)
def test_every_kind_of_secret_was_changed_and_not_noticed(secret: str) -> None:
    for kind in SECRETS[secret]:
        if kind not in MOVED:
            test_hidden_cards_change_nothing_of_what_a_seat_sees(*kind)
        assert MOVED[kind][secret] > 0, f"{secret} at {kind}"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_reshuffle_is_one_that_other_seats_would_notice(players: int) -> None:
    rng, noticed = np.random.default_rng(1), 0
    for states, rules in positions(table("core", players), deals=2):
        other = reshuffled(states, rules, 0, rng)
        noticed += any(observed(other, rules, seat) != observed(states, rules, seat) for seat in range(1, players))
    assert noticed > 20


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_only_the_seat_to_act_has_a_mask(name: str, players: int) -> None:
    for states, rules in positions(table(name, players), deals=3):
        for seat in range(players):
            mask = np.frombuffer(observed(states, rules, seat)[2], np.int8)
            assert mask.any() == (seat == states["turn"][0])


# -- what is seen ----------------------------------------------------------------------------------------------------


def feature(states: NDArray[Any], rules: NDArray[Any], seat: int, name: str) -> list[float]:
    start = offset_of(name)
    width = next(feature.width for feature in FEATURES if feature.name == name)
    return encode(look(states, rules, np.array([seat])))[0, start : start + width].tolist()


def as_bits(cards: int) -> list[float]:
    return [float(cards >> card & 1) for card in range(NUM_CARDS)]


@pytest.mark.parametrize("preset", PRESETS)
def test_a_shown_talon_is_seen_by_all_and_a_closed_one_by_the_declarer(preset: str) -> None:
    shown = closed = 0
    for states, rules in positions(RuleSet.parse(preset)):
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
    for states, rules in positions(RuleSet.parse(f"core exchange={exchange}")):
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
    for states, rules in positions(RuleSet.parse(preset), deals=4):
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


def test_the_dealer_of_four_sees_the_talon_from_the_start_and_no_hand() -> None:
    for states, rules in positions(table("classic", 4)):
        dealer = int(states["dealer"][0])
        assert feature(states, rules, dealer, "talon") == as_bits(int(states["talon"][0]))
        assert not any(feature(states, rules, dealer, "hand"))


def test_a_bonus_tells_its_user_and_nobody_else() -> None:
    told: Counter[str] = Counter()
    for states, rules in positions(RuleSet.parse(EVERYTHING), deals=40):
        for seat in range(3):
            state, view = states[0], look(states, rules, np.array([seat]))[0]
            peeks, taken = int(state.peeks[seat]), talon_is_taken(states[0], rules)
            if taken or state.phase == BLIND or not has_looked(state, seat):
                continue
            others = [(seat + distance) % 3 for distance in (1, 2)]
            assert [int(view.held[place]) for place in (1, 2)] == [state.dealt[other] * (peeks & 1) for other in others]
            seen = sum(1 << card for place, card in enumerate(talon_cards(state, rules)) if peeks >> (2 + place) & 1)
            assert view.talon == seen
            suits = [sum(card // NUM_RANKS == suit for card in talon_cards(state, rules)) for suit in range(4)]
            expected = suits if peeks & 2 else [0] * 4
            assert [int(view.talon_suits) >> 3 * suit & 7 for suit in range(4)] == expected
            told.update(name for bit, name in ((1, "hands"), (2, "suits"), (28, "card")) if peeks & bit)
    assert min(told[name] for name in ("hands", "suits", "card")) > 10
