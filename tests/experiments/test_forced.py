"""Forced choices: what is tried is what happens, and only the choice differs."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from agents.table import play_deals, questions
from experiments.bidding_answers import bidding
from experiments.exchange_answers import Sampling, contract_answers, declared_worlds, gift_answers, lowest_bid
from experiments.forced import at_exchange, declared, finished, try_actions, try_contracts, try_gifts, try_limits
from experiments.hand_text import read_hand
from experiments.limits import LIMITS, asked_worlds, limit_values
from experiments.openings import OPENINGS, opened
from experiments.samples import ME, Place, default_auction, known_cards, worlds_of
from tests.table import card_set
from thousand_env.actions import PASS, bid_action
from thousand_env.engine import step
from thousand_env.errors import ThousandError
from thousand_env.rules import RuleSet
from thousand_env.state import CONTRACT, EXCHANGE

SEVEN, WEAK = card_set("hAKQsTd9cJ9"), card_set("hJ9dJ9cJ9sJ")
FOREHAND, MIDDLE = Place.at(RuleSet()), Place.at(RuleSet(), "middle")
SITTER = Place.at(RuleSet(), "middle", (880, 0, 0))
HOW: Sampling = {"bid": 0, "count": 40, "seed": 2, "listens": True}


def worlds(seat: str) -> tuple[Place, NDArray[Any]]:
    """A place at the table, and sampled deals around the same seven cards there."""
    place, known = Place.at(RuleSet(), seat), known_cards(SEVEN)
    return place, worlds_of(place, known, default_auction(place, known), count=30, seed=4)[0]


def test_an_action_leads_where_the_bots_take_the_deal() -> None:
    place, deals = worlds("dealer")
    actions = [PASS, bid_action(105), bid_action(120)]
    outcomes = try_actions(deals, place, actions)
    for column, action in enumerate(actions):
        copies = deals.copy()
        step(copies, place.rules.array(), np.full(len(copies), action))
        play_deals(copies, place.rules.array(), [place.heuristic], np.zeros((len(copies), 3), np.int64))
        score = copies["score"][:, :3]
        found = outcomes[:, column]
        assert (found["score"] == score[:, ME]).all()
        assert found["value"] == pytest.approx(score[:, ME] - score[:, 1:].mean(axis=1))
        assert (found["declares"] == (copies["declarer"] == ME)).all()
        assert (found["made"] == (score[np.arange(len(copies)), copies["declarer"]] > 0)).all()


def test_each_limit_alone_brings_what_it_brings_among_others() -> None:
    place, deals = worlds("middle")
    together = try_limits(deals, place, LIMITS)
    for column, limit in enumerate(LIMITS):
        assert (try_limits(deals, place, [limit])[:, 0] == together[:, column]).all()
    assert (together["declares"][:, 0] == 0).all(), "limit 0 passes"
    assert (np.diff(together["declares"], axis=1) >= 0).all(), "who goes further declares more often"
    assert (together["bid"] <= np.maximum(LIMITS, 220)).all()


def test_a_contract_is_played_exactly() -> None:
    place, deals = worlds("middle")
    levels = [105, 120, 160]
    outcomes = try_contracts(deals, place, levels)
    assert (outcomes["contract"] == levels).all()
    assert (outcomes["declares"] == 1).all()
    assert (outcomes["made"] == (outcomes["points"] >= levels)).all()
    assert (outcomes["score"] == np.where(outcomes["made"], levels, np.negative(levels))).all()


def test_whoever_declares_freely_names_no_less_than_he_bid() -> None:
    place, deals = worlds("middle")
    outcomes = declared(deals, place, 110)
    assert (outcomes["contract"] >= 110).all()
    assert (outcomes["contract"] > 110).any(), "the hand is strong"


def test_the_heuristics_own_gifts_among_others_bring_what_it_brings() -> None:
    place = Place.at(RuleSet())
    said = np.array([bid_action(100), PASS, PASS])
    known = known_cards(SEVEN, card_set("sAdKcT"))
    deals = at_exchange(worlds_of(place, known, said, count=12, seed=1)[0], place)
    given = place.heuristic.act(*questions(deals, place.rules.array(), np.arange(len(deals))))
    after = deals.copy()
    step(after, place.rules.array(), given)
    second = place.heuristic.act(*questions(after, place.rules.array(), np.arange(len(deals))))
    outcomes = try_gifts(deals, place, np.array([[given[0], second[0]], [second[0], given[0]]]))
    assert (outcomes[:, 0] == finished(deals.copy(), place)).all()
    assert outcomes.shape == (12, 2)


def test_forehand_is_asked_again_where_somebody_raised() -> None:
    place = Place.at(RuleSet())
    hands = np.array([SEVEN, WEAK])
    deals, owners = asked_worlds(place, hands, 3, seed=1)
    assert np.bincount(owners).tolist() == [3, 3]
    assert (deals["hands"][:, ME] == hands[owners]).all()
    assert (deals["bid"] >= 105).all()
    assert (deals["turn"] == ME).all()


def test_what_a_hand_meets_does_not_depend_on_the_hands_beside_it() -> None:
    place, hands = Place.at(RuleSet()), np.array([WEAK, SEVEN])
    assert np.array_equal(limit_values(place, hands, 2, 1)[1:], limit_values(place, hands[1:], 2, 1))
    assert np.array_equal(opened(place, hands, 3, 1).openings[1:], opened(place, hands[1:], 3, 1).openings)


def test_an_opening_above_the_cap_is_the_cap() -> None:
    openings = opened(Place.at(RuleSet()), np.array([WEAK]), 40, 1).openings[0]
    cap = OPENINGS.index(120)
    assert (openings[:, cap:] == openings[:, [cap]]).all()
    assert (openings[:, 0] != openings[:, cap]).any()


# -- the declarer ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "text", "phase"),
    [
        ("core", "hAKQ sT d9 cJ9 + sA dK cT", EXCHANGE),
        ("classic players=4", "hAKQ sT d9 cJ9 sA dK cT", EXCHANGE),
        ("core", "hAKQ sTA cJ9 dA", CONTRACT),
        ("core players=2", "hAKQ sT d9 cJ9 sA dK cT + s9 hT", EXCHANGE),
        ("core players=2", "hAKQ sT d9 cJ9 sA dK cT s9", CONTRACT),
    ],
)
def test_a_declarers_cards_stand_in_every_sampled_deal(rules: str, text: str, phase: int) -> None:
    table = RuleSet.parse(rules)
    hand, place = read_hand(text, table), Place.at(table)
    deals = declared_worlds(place, hand, **HOW)
    assert len(deals) == HOW["count"]
    assert (deals["hands"][:, ME] == hand.cards).all()
    assert (deals["phase"] == phase).all()
    assert (deals["bid"] == 100).all()


def test_the_best_gifts_come_first_and_contracts_go_from_the_bid_to_the_cap() -> None:
    place, hand = Place.at(RuleSet(), "middle"), read_hand("hAKQ sT d9 cJ9 + sA dK cT", RuleSet())
    how = HOW.copy()
    how["bid"] = 115
    gifts, deals = gift_answers(place, hand, **how)
    values = [gift.value.value for gift in gifts]
    assert values == sorted(values, reverse=True)
    assert gifts[0].behind.value == 0
    assert [gift.behind.value for gift in gifts] == pytest.approx([values[0] - value for value in values])
    contracts = contract_answers(deals, place)
    assert [contract.points for contract in contracts] == list(range(115, 225, 5))
    made = [contract.made.value for contract in contracts]
    assert made[0] > 0.9 > 0.1 > made[-1]


@pytest.mark.parametrize(
    ("place", "bid", "message"),
    [
        (FOREHAND, 95, "bid 95: expected 100, or 105 to 400 in steps of 5"),
        (FOREHAND, 130, "bid 130: expected one that 7 of these cards may make (A3)"),
        (MIDDLE, 100, "bid 100: expected 105 to 400"),
        (SITTER, 120, "bid 120: expected 125 to 400"),
    ],
)
def test_a_bid_that_cannot_have_been_made_is_refused(place: Place, bid: int, message: str) -> None:
    with pytest.raises(ThousandError) as error:
        declared_worlds(place, read_hand("sA9TJ dAT cAT hA9", RuleSet()), bid=bid, count=20, seed=1, listens=True)
    assert message in str(error.value)


def test_without_a_bid_it_is_the_lowest_that_wins_something() -> None:
    assert [lowest_bid(place, 0) for place in (FOREHAND, MIDDLE, SITTER)] == [100, 105, 125]


def test_no_deals_bring_nothing() -> None:
    place, deals = worlds("forehand")
    none = deals[:0]
    assert try_actions(none, place, [bid_action(100)]).shape == (0, 1)
    assert try_contracts(none, place, [100, 105]).shape == (0, 2)


def test_a_sitter_without_a_marriage_can_only_pass() -> None:
    known = known_cards(WEAK)
    found = bidding(SITTER, known, default_auction(SITTER, known), count=10, seed=1, listens=True)
    assert [answer.points for answer in found.bids] == [0]
    assert found.best is found.bids[0]
    assert found.helps == {}
