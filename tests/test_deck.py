"""The deal: an address fixes the cards, and a new deal starts from rest (D1, D4, S2)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.dealer import TALON_PLACES, packs
from tests.table import set_text
from thousand_env import deck, engine
from thousand_env.cards import FULL_PACK, card_name
from thousand_env.rules import RuleSet
from thousand_env.state import NONE, SCORED, new_states

CORE = RuleSet().array()
CARDS = ["hands", "dealt", "talon", "talon_order"]


def started(seeds: list[int], matches: list[int], rules: NDArray[Any] = CORE) -> NDArray[Any]:
    """The first deals of these matches."""
    states = new_states(len(seeds))
    engine.start_matches(states, rules, np.array(seeds), np.array(matches))
    return states


def at(seed: int, match: int, deal: int, attempt: int, dealer: int) -> Any:
    """The deal of one address."""
    state = started([seed], [match])[0]
    state.deal, state.attempt, state.dealer = deal, attempt, dealer
    deck.begin_deal(state, CORE[0])
    return state


def cards_of(state: Any) -> tuple[list[int], int]:
    return state.hands.tolist(), int(state.talon)


def test_seven_cards_go_to_each_of_three_seats_and_three_to_the_talon() -> None:
    states = started([5] * 100, list(range(100)))
    hands, talons = states["hands"][:, :3], states["talon"]
    assert (np.bitwise_count(hands) == 7).all()
    assert (np.bitwise_count(talons) == 3).all()
    assert ((hands.sum(axis=1) + talons) == FULL_PACK).all()
    assert (states["dealt"] == states["hands"]).all()
    assert (states["hands"][:, 3] == 0).all()


@pytest.mark.parametrize(
    ("address", "cards"),
    [
        ((2024, 7, 0, 0), "cQ cK cT d9 dA hQ hA/s9 sQ c9 dQ h9 hJ hK/sJ sT cJ cA dJ dK dT/sK sA hT"),
        ((7, 0, 1234, 1), "sK sA cQ d9 dT hQ hT/s9 sJ c9 cK cA dQ hA/sQ cT dJ dK dA h9 hK/sT cJ hJ"),
    ],
)
def test_an_address_deals_the_same_cards_for_ever(address: tuple[int, int, int, int], cards: str) -> None:
    state = at(*address, dealer=2)
    assert "/".join(map(set_text, [*state.hands[:3], state.talon])) == cards


def test_the_first_dealers_of_some_matches_stay_the_same_for_ever() -> None:
    assert started([2024, 7, 8, 9], [7, 0, 0, 0])["dealer"].tolist() == [2, 0, 0, 1]


def test_the_same_address_gives_the_same_cards_whatever_the_batch() -> None:
    batch = started([3] * 50, list(range(50)))
    backwards = started([3] * 50, list(range(49, -1, -1)))[::-1]
    alone = np.concatenate([started([3], [match]) for match in range(50)])
    mixed = started([8, 3, 9], [0, 17, 17])
    assert batch.tobytes() == backwards.tobytes() == alone.tobytes()
    assert mixed[1] == batch[17]


@pytest.mark.parametrize("address", [(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (-1, 0, 0, 0)])
def test_every_part_of_the_address_changes_the_cards(address: tuple[int, int, int, int]) -> None:
    assert cards_of(at(*address, dealer=0)) != cards_of(at(0, 0, 0, 0, dealer=0))


def test_a_redeal_is_the_next_attempt_of_the_same_dealer_and_wakes_no_other_deal() -> None:
    first, second = at(4, 2, 6, 0, dealer=1), at(4, 2, 6, 1, dealer=1)
    assert cards_of(first) != cards_of(second)
    assert cards_of(at(4, 2, 7, 0, dealer=2)) == cards_of(after(second))


def after(state: Any) -> Any:
    """The deal after a state, as if that deal were scored."""
    states = new_states(1)
    states[0] = state
    states["phase"] = SCORED
    engine.next_deals(states, CORE)
    return states[0]


def test_the_deal_passes_one_seat_clockwise_and_attempts_start_again() -> None:
    state = at(4, 2, 6, 3, dealer=2)
    following = after(state)
    assert (following.dealer, following.deal, following.attempt) == (0, 7, 0)
    assert following.turn == 1  # forehand, the seat to the dealer's left


def test_the_talon_is_remembered_in_the_order_in_which_it_was_laid() -> None:
    parts = [np.array([part], np.uint64) for part in (2024, 7, 0, 0)]
    laid = packs(parts[0], parts[1], parts[2], parts[3])[0, TALON_PLACES]
    order = int(started([2024], [7])["talon_order"][0])
    assert [card_name(order >> 5 * place & 31) for place in range(3)] == [card_name(card) for card in laid]


def test_the_first_dealer_is_drawn_by_lot_from_seed_and_match_or_agreed() -> None:
    seeds, matches = [0] * 60, list(range(60))
    assert set(started(seeds, matches)["dealer"].tolist()) == {0, 1, 2}
    assert set(started(matches, seeds)["dealer"].tolist()) == {0, 1, 2}
    for dealer in range(3):
        agreed = started(seeds, matches, RuleSet(first_dealer=dealer).array())
        assert set(agreed["dealer"].tolist()) == {dealer}


def test_the_lot_does_not_change_the_cards_of_an_address_only_who_gets_them() -> None:
    ours, theirs = at(1, 1, 0, 0, dealer=0), at(1, 1, 0, 0, dealer=1)
    assert ours.talon == theirs.talon
    assert [ours.hands[seat] for seat in range(3)] == [theirs.hands[(seat + 1) % 3] for seat in range(3)]


def test_a_new_deal_keeps_the_score_sheet_and_nothing_else_of_the_last() -> None:
    states = started([6] * 40, list(range(40)))
    engine.rollout(states, CORE, seed=1)
    sheet = ["totals", "bolts", "mounted", "attempts", "falls", "dealer", "deal"]
    kept = {name: states[name].copy() for name in sheet}
    engine.next_deals(states, CORE)
    fresh = started([6] * 40, list(range(40)))
    for name in sheet:
        fresh[name] = kept[name]
    fresh["deal"] += 1
    fresh["dealer"] = (fresh["dealer"] + 1) % 3
    for state in fresh:
        deck.begin_deal(state, CORE[0])
    assert states.tobytes() == fresh.tobytes()
    assert set(states["turn"].tolist()) == {0, 1, 2}
    assert (states["trump"] == NONE).all()


def test_a_new_match_forgets_the_old_one() -> None:
    states = started([6] * 20, list(range(20)))
    fresh = states.copy()
    for _ in range(4):
        engine.rollout(states, CORE, seed=2)
        engine.next_deals(states, CORE)
    engine.start_matches(states, CORE, np.full(20, 6), np.arange(20))
    assert states.tobytes() == fresh.tobytes()


@pytest.mark.parametrize("seed", [0, -1, 2**63 - 1, -(2**63), 2**40])
def test_any_64_bits_are_a_seed(seed: int) -> None:
    state = started([seed], [2**31 - 1])[0]
    assert sum(int(hand) for hand in state.hands) + int(state.talon) == FULL_PACK
