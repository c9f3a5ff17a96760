"""Sampled deals: all that is known is so in each, all else is drawn fairly, and the auction goes as it was heard."""

import numpy as np
import pytest
from scipy import stats

from agents.table import play_until
from experiments.samples import ME, Place, default_auction, fitting, known_cards, measured, worlds_of
from tests.table import card_set
from thousand_env.actions import PASS, parse_action
from thousand_env.cards import FULL_PACK, NUM_CARDS
from thousand_env.errors import ThousandError
from thousand_env.jit import popcount
from thousand_env.rules import PRESETS, RuleSet
from thousand_env.state import AUCTION, EXCHANGE, check_state

SEVEN, TEN = card_set("hAKQsTd9cJ9"), card_set("hAKQsTd9cJ9sAdKcT")
PASSED_OUT = np.array([parse_action("100"), PASS, PASS])


def seats_of(players: int) -> tuple[str, ...]:
    return ("forehand", "dealer") if players == 2 else ("forehand", "middle", "dealer")


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("preset", PRESETS)
def test_what_is_known_is_so_in_every_sampled_deal(preset: str, players: int) -> None:
    hand = TEN if players == 2 else SEVEN
    talon = card_set("s9cK") if players == 2 else card_set("s9cKdJ")
    for seat in seats_of(players):
        place = Place.at(RuleSet.parse(f"{preset} players={players}"), seat)
        known = known_cards(hand, talon)
        said = default_auction(place, known)
        assert len(said) == seats_of(players).index(seat), "who sits before has spoken"
        worlds, _ = worlds_of(place, known, said, count=20, seed=3)
        for state in worlds:
            check_state(state, place.rules.array())
            assert (int(state.hands[ME]), int(state.talon)) == (hand, talon)
            assert (int(state.turn), int(state.phase)) == (ME, AUCTION)
        assert len({tuple(hands) for hands in worlds["hands"].tolist()}) > 10, "the rest differs"


def test_every_unseen_card_lies_everywhere_equally_often() -> None:
    place, known = Place.at(RuleSet()), known_cards(SEVEN)
    worlds, tried = worlds_of(place, known, PASSED_OUT[:0], count=20_000, seed=1)
    unseen = [card for card in range(NUM_CARDS) if not SEVEN >> card & 1]
    for cards in (worlds["talon"], worlds["hands"][:, 1], worlds["hands"][:, 2]):
        counts = [int((cards >> card & 1).sum()) for card in unseen]
        assert stats.chisquare(counts).pvalue > 1e-4
    assert tried >= len(worlds), "nothing was heard, so nothing was thrown away"


def test_who_listens_keeps_the_deals_in_which_the_others_would_have_spoken_so() -> None:
    place, known = Place.at(RuleSet()), known_cards(SEVEN)
    every = place.deals(known, np.arange(300))
    passed = every.copy()
    play_until(passed, place.rules.array(), place.heuristic, EXCHANGE)
    heard = (passed["bid"] == 100) & (passed["declarer"] == ME)
    assert 0.3 < heard.mean() < 0.9, "the hand bids higher itself where it is overbid"
    worlds, tried = fitting(place, known, PASSED_OUT, count=100, seed=5)
    deaf, tried_deaf = fitting(place, known, PASSED_OUT, count=100, seed=5, listens=False)
    assert abs(len(worlds) / tried - heard.mean()) < 0.35
    assert tried >= tried_deaf
    assert (worlds["declarer"] == ME).all()
    assert (deaf["phase"] == EXCHANGE).all()
    again = place.deals(known, worlds["seed"].astype(np.int64))
    play_until(again, place.rules.array(), place.heuristic, EXCHANGE)
    assert (again["bids"][:, 1:] == 0).all(), "in each of them nobody else bids"


def test_what_cannot_have_been_said_is_refused() -> None:
    place = Place.at(RuleSet(), "dealer")
    with pytest.raises(ThousandError, match="auction: 0 of"):
        worlds_of(place, known_cards(SEVEN), np.array([parse_action("300"), PASS]), count=4, seed=1)


def test_a_seat_that_never_bids_is_told_so() -> None:
    granted = Place.at(RuleSet.parse("online barrel_auction=granted"), "forehand", (300, 880, 0))
    barred = Place.at(RuleSet.parse("core negative_auction=barred"), "forehand", (-5, 0, 0))
    for place in (granted, barred):
        with pytest.raises(ThousandError, match="never asked"):
            default_auction(place, known_cards(SEVEN))


@pytest.mark.parametrize(
    ("rules", "seat", "totals", "message"),
    [
        ("core", "rear", (), "seat 'rear': expected forehand, middle, dealer at a table of 3"),
        ("core players=2", "middle", (), "seat 'middle': expected forehand or dealer at a table of 2"),
        ("core", "dealer", (1, 2), "totals 1 2: expected 3, your own first"),
        ("core", "dealer", (0, 900, 0), "total 900 of seat 1"),
        ("core", "dealer", (555, 0, 0), "total 555 of seat 0"),
    ],
)
def test_a_place_that_cannot_be_is_refused(rules: str, seat: str, totals: tuple[int, ...], message: str) -> None:
    with pytest.raises(ThousandError) as error:
        Place.at(RuleSet.parse(rules), seat, totals)
    assert message in str(error.value)


def test_experiments_play_without_what_would_change_the_cards() -> None:
    rules = measured(RuleSet.parse("classic golden=yes bonus_hands=1 bid_step=10"))
    assert rules == RuleSet.parse("classic bid_step=10").without_redeals().replace(blind=False)
    assert all(popcount(FULL_PACK & ~hand) == NUM_CARDS - 7 for hand in (SEVEN,))
