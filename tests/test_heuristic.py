"""The heuristic bot in positions: what a player does, and would be laughed at for not doing."""

from __future__ import annotations

import numpy as np
import pytest

from agents import load
from agents.hand_value import FEATURES, WEIGHTS_DTYPE, hand_value, sure_tricks
from agents.knowledge import Others, beats_chance, holds_both, lacks, others
from agents.table import questions
from tests.table import card_set
from thousand_env.actions import action_text
from thousand_env.cards import DIAMONDS, HEARTS, parse_card
from thousand_env.notation import parse_position
from thousand_env.state import NONE
from thousand_env.view import look

# Forehand is weak, seat 1 holds aces and the marriage of hearts, seat 2 next to nothing.
DEALT = "core | deal 2 hTdTQJcTKs9/hAKQdAcAsAJ/hJ9dK9cQJ9 sTKQ"
# Forehand holds the same strong hand and sits on the hundred.
STRONG = "core | deal 2 hAKQdAcAsAJ/hTdTQJcTKs9/hJ9dK9cQJ9 sTKQ | bid 0:100 1:p 2:p"
# Seat 0 is declarer with the marriage of hearts and one ace.
ONE_ACE = "core | deal 2 hKQcJ9dJ9sA9/hATdKTcKQsKT/hJ9dAQcATsQJ - | play 0:200"


def answer(position: str, spec: str = "heuristic") -> str:
    """What the bot does in a position, as text."""
    states, rules = parse_position(position)
    return action_text(int(load(spec, rules).act(*questions(states, rules.array(), np.array([0])))[0]))


def known(position: str) -> Others:
    """What the seat to act has worked out in a position."""
    states, rules = parse_position(position)
    return others(look(states, rules.array(), states["turn"])[0])


# -- bidding ---------------------------------------------------------------------------------------------------------


def test_the_opener_opens_with_a_hundred() -> None:
    assert answer(DEALT) == "100"


def test_a_strong_hand_raises_by_the_smallest_step() -> None:
    assert answer(f"{DEALT} | bid 0:100") == "105"
    assert answer(f"{DEALT} | bid 0:115") == "120"


def test_a_weak_hand_passes() -> None:
    assert answer(f"{DEALT} | bid 0:100 1:105") == "pass"
    assert answer(f"{DEALT} | bid 0:100 1:105 2:p") == "pass"


def test_a_margin_moves_the_limit_and_bid_no_silences_it() -> None:
    assert answer(f"{DEALT} | bid 0:100 1:105", "heuristic margin=200") == "110"
    assert answer(f"{DEALT} | bid 0:100", "heuristic margin=-200") == "pass"
    assert answer(f"{DEALT} | bid 0:100", "heuristic bid=no") == "pass"
    assert answer(DEALT, "heuristic bid=no") == "100"


def test_a_strong_hand_raises_its_contract_and_a_hopeless_one_keeps_it() -> None:
    named = int(answer(f"{STRONG} | give 0>1:sJ 0>2:sT"))
    assert 150 <= named <= 220
    assert answer("core | deal 2 hT9dTJcTKs9/hAKQdAcAsAJ/hJdKQ9cQJ9 sTKQ | bid 0:100 1:p 2:p | give 0>1:s9 0>2:h9") == (
        "pass"
    )


def test_on_the_barrel_only_a_winning_contract_is_named() -> None:
    weak = "deal 2 hT9dTJcTKsK/hAKQdAcAsAJ/hJdKQ9cQJ9 sTQ9 | bid 0:100 1:p 2:p | give 0>1:h9 0>2:dJ"
    assert answer(f"core | {weak}") == "pass"
    assert answer(f"core | deals 6 totals 880 300 -40 barrel 6.0 - - | {weak}") == "125"


def test_the_talon_stays_closed_where_the_declarer_may_choose() -> None:
    assert answer(STRONG.replace("core", "classic")) == "keep"


# -- giving ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "position",
    [
        "core | deal 2 hKQcJ9dJ9sA/hATdKTcKQsK/hJ9dAcATsQJ sT9dQ | bid 0:100 1:p 2:p",
        "core | deal 2 hKQcJ9dJ9sA/hATdKTcKQsK/hJ9dAcATsQJ sT9dQ | bid 0:100 1:p 2:p | give 0>1:c9",
        "core | deal 2 hKQcAQdATs9/hATdKQcKTsK/hJ9dJcJsATQ sJd9c9 | bid 0:100 1:p 2:p",
    ],
)
def test_nines_and_jacks_are_given_away_not_aces_tens_or_halves_of_marriages(position: str) -> None:
    assert answer(position)[1] in "9J"


# -- leading ---------------------------------------------------------------------------------------------------------


def test_an_ace_earns_the_right_to_declare() -> None:
    assert answer(ONE_ACE) == "sA"


def test_with_a_trick_won_the_marriage_is_declared() -> None:
    assert answer(f"{ONE_ACE} | 0:sA sT sJ") == "hQ+"


def test_sure_winners_are_cashed_before_the_marriage_is_declared() -> None:
    assert answer("core | deal 2 hKQcJ9dA9sA9/hATdKTcKQsKT/hJ9dJQcATsQJ - | play 0:200 | 0:sA sT sJ") == "dA"


def test_a_winner_is_kept_to_come_back_for_the_second_marriage() -> None:
    position = "core | deal 2 hKQcKQdA9sA9/hATdKTcJ9sKT/hJ9dJQcATsQJ - | play 0:200 | 0:sA sT sJ"
    assert answer(position).endswith("+")


def test_of_two_marriages_the_one_that_keeps_the_lead_is_declared_first() -> None:
    position = "core | deal 2 hKQcA9sTKQJ/hATdKTcKQsA9/hJ9dAJQ9cTJ - | play 0:200 | 0:cA cQ cJ"
    assert answer(position) == "sQ+"  # the ace of spades takes it, but ace or ten would take the queen of hearts


def test_the_declarer_pulls_trumps_while_others_hold_some() -> None:
    position = "core | deal 2 hAKQcJ9dJsA9/hTJdKTcKQsKT/h9dA9QcATsQJ - | play 0:200 | 0:sA sT sJ | 0:hQ+100 hJ h9"
    assert answer(position) == "hA"


# -- following -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("plays", ["0:hQ+100 h9", "0:hQ+100"])
def test_a_declared_queen_is_taken_by_the_ace_or_the_ten(plays: str) -> None:
    position = f"core | deal 2 hKQcJ9dJ9sA9/h9TdKTcKQsKT/hJAdAQcATsQJ - | play 0:200 | 0:sA sT sJ | {plays}"
    assert answer(position) in ("hA", "hT")


def test_a_trick_that_is_lost_gets_the_lowest_card() -> None:
    assert answer("core | deal 2 hKQcJ9dAKsA9/hATd9QcKQsKT/hJ9dTJcATsQJ - | play 0:200 | 0:dA d9") == "dJ"


def test_the_last_hand_takes_with_the_ten_and_keeps_the_ace() -> None:
    assert answer("core | deal 2 hKQcJ9d9KsA9/hATdJQcKQsKT/hJ9dTAcATsQJ - | play 0:200 | 0:d9 dQ") == "dT"


def test_an_ace_under_which_only_the_marriage_can_be_played_costs_the_queen() -> None:
    position = "core | deal 2 hAJ9cJ9dJ9s9/hKQdAcKsAKQJ/hTdKQTcATQsT - | play 0:100 | 0:hA"
    assert answer(position) == "hQ"


def test_a_discard_keeps_the_marriage_and_its_entry() -> None:
    position = "core | deal 2 hATJ9cAT9J/hKQdA9sKJT9/dKQJTcKQsAQ - | play 0:200 | 0:cA"
    assert answer(position) not in ("hK", "hQ", "dA")


# -- knowledge -------------------------------------------------------------------------------------------------------


def test_an_unseen_card_is_with_either_opponent() -> None:
    mine = known(ONE_ACE)
    assert lacks(mine, 1, card_set("hA")) == lacks(mine, 2, card_set("hA")) == pytest.approx(1 / 2)
    assert holds_both(mine, 1, card_set("cKQ")) == pytest.approx(8 * 7 / (16 * 15))


def test_a_seat_that_did_not_follow_is_out_of_the_suit_and_the_other_holds_the_rest() -> None:
    mine = known("core | deal 2 hKQcJ9dJ9sA9/hATdKTQcKQT/hJ9dAcAsTKQJ - | play 0:200 | 0:sA dQ sJ")
    assert lacks(mine, 1, card_set("sKQT")) == 1
    assert lacks(mine, 2, card_set("sT")) == 0
    assert holds_both(mine, 2, card_set("sKQ")) == 1


def test_a_master_is_beaten_by_a_ruff_alone() -> None:
    mine = known(f"{ONE_ACE} | 0:sA sT sJ")
    diamonds = parse_card("dJ")
    assert beats_chance(mine, 1, parse_card("hK"), HEARTS, NONE) > 0  # ace and ten are out
    assert beats_chance(mine, 1, diamonds, DIAMONDS, HEARTS) > beats_chance(mine, 1, diamonds, DIAMONDS, NONE)


# -- the value of a hand ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "tricks"),
    [("sA", 1), ("sT", 0), ("sAT", 2), ("sAT9", 2), ("sTKJ9", 0), ("sATJ9", 4), ("sAQJ9", 1), ("sATKQJ9", 6)],
)
def test_sure_tricks_are_counted_from_the_top(cards: str, tricks: int) -> None:
    assert sure_tricks(card_set(cards)) == tricks


@pytest.mark.parametrize(
    ("feature", "hand", "count"),
    [
        ("always", "hA", 1), ("ace", "hAsAc9", 2), ("ten_with_ace", "hATsT9", 1), ("ten_guarded", "hATsT9cT", 1),
        ("ten_bare", "hATsT9cT", 1), ("court", "hKQsKcJ", 3), ("winner", "hATsA9", 3), ("length", "hATJ9sA", 1),
        ("singleton", "hATsAcK", 2), ("void", "hATsA", 2), ("half", "hKcQd9", 160), ("marriage", "hKQsKQ", 140),
        ("marriage_length", "hAKQ9", 2), ("second", "hKQsKQ", 40), ("no_entry", "hKQT", 100), ("no_entry", "hKQsA", 0),
    ],
)  # fmt: skip
def test_a_feature_counts_what_it_says(feature: str, hand: str, count: int) -> None:
    unit = np.zeros(1, WEIGHTS_DTYPE)
    unit[feature] = 1.0
    assert hand_value(card_set(hand), unit[0]) == count


def test_every_feature_has_a_weight_for_every_question() -> None:
    assert all(len(weights) == 5 for weights, _ in FEATURES.values())
