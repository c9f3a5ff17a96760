"""Worlds: they agree with the view, could have been played, are all there are, and come up equally often."""

from __future__ import annotations

import hashlib
import itertools
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from math import comb
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import chisquare

from agents.determinize import NoWorld, count_worlds, enumerate_worlds, resample, sample, sample_weighted
from benchmarks.worlds import layers, measure
from tests import generator
from tests.histories import retraced
from tests.random_matches import random_action, random_rules, random_start
from tests.table import Table, card_set
from tests.trials import cards_of, listed, number_of_trials, worlds_by_trial
from thousand_env import play
from thousand_env.cards import FULL_PACK, HEARTS, PACK_POINTS, marriages_value, set_points
from thousand_env.replay import Course
from thousand_env.rules import RuleSet
from thousand_env.state import (
    AUCTION,
    BLIND,
    CLAIM,
    CONTRACT,
    EXCHANGE,
    PLAY,
    SCORED,
    TALON,
    check_state,
    new_states,
)
from thousand_env.view import look, relative

PRESETS = ("core", "classic", "online", "tysiac")


def seen(states: NDArray[Any], rules: NDArray[Any], seat: int) -> NDArray[Any]:
    """What one seat sees, shape (1,)."""
    return look(states, rules, np.array([seat]))


# -- along matches ---------------------------------------------------------------------------------------------------


def played_deals(texts: list[str], seed: int, count: int) -> Iterator[Course]:
    """Deals of these tables, or of random ones, as they are before each action."""
    for number in range(count):
        rng = random.Random(f"{seed}/{number}")
        drawn = random_rules(rng) if number % 2 else generator.random_rules(rng)
        rules = RuleSet.parse(texts[number % len(texts)]) if texts else drawn
        course = Course(random_start(rules, rng)[1], rules)
        while course.state.phase < SCORED:
            yield course
            course.take(random_action(course, rng))


def tells_forehand(states: NDArray[Any], rules: NDArray[Any]) -> bool:
    """Whether four players see in their views who was forehand, or it does not matter (R1).

    They do by the opening, unless a sitter was granted the contract (L7) or somebody was kept out (A5).
    """
    granted = bool(rules["barrel_auction"][0] == 1 and states["mounted"].any())
    kept_out = bool(rules["negative_auction"][0] > 0 and (states["totals"] < 0).any())
    return rules["players"][0] < 4 or rules["redeal_forehand_nines"][0] < 2 or not (granted or kept_out)


def assert_worlds_agree(states: NDArray[Any], rules: NDArray[Any], seat: int, key: int) -> None:
    views = seen(states, rules, seat)
    worlds = sample(views, rules, 2, np.array([key]))[0]
    assert [back.tobytes() for back in look(worlds, rules, np.zeros(2))] == 2 * [views[0].tobytes()]
    for world in worlds:
        check_state(world, rules)
        assert retraced(world, rules) == "" or not tells_forehand(states, rules)


@pytest.mark.parametrize("preset", PRESETS)
def test_worlds_give_the_view_back_and_their_past_is_legal(preset: str) -> None:
    tables = [f"{preset} players={players}" for players in (2, 3, 4)]
    phases: set[int] = set()
    for ply, course in enumerate(played_deals(tables, seed=1, count=9)):
        assert_worlds_agree(course.states, course.rules.array(), ply % course.rules.players, ply)
        phases.add(int(course.state.phase))
    assert {AUCTION, TALON, EXCHANGE, CONTRACT, PLAY} <= phases
    assert preset == "core" or CLAIM in phases
    assert preset != "classic" or BLIND in phases


def test_so_do_worlds_at_tables_where_anything_may_be_agreed_on() -> None:
    for ply, course in enumerate(played_deals([], seed=2, count=36)):
        assert_worlds_agree(course.states, course.rules.array(), ply % course.rules.players, ply)


def test_the_cards_as_they_are_make_one_of_the_worlds() -> None:
    found = 0
    for ply, course in enumerate(played_deals([], seed=3, count=36)):
        rules, seat, true = course.rules.array(), ply % course.rules.players, course.state
        try:
            worlds = enumerate_worlds(seen(course.states, rules, seat), rules, 1000)
        except NoWorld:
            continue  # too many
        dealer, seats = int(worlds["dealer"][0]), range(course.rules.players)
        at = {relative(other, seat, true.dealer, len(seats)): other for other in seats}
        here = [at[relative(other, 0, dealer, len(seats))] for other in seats]
        same = (worlds["talon"] == true.talon) & (worlds["other_talon"] == true.other_talon)
        for name in ("dealt", "hands", "gifts"):
            same &= (worlds[name][:, seats] == true[name][here]).all(axis=1)
        assert same.sum() == 1
        found += 1
    assert found > 200


# -- how many --------------------------------------------------------------------------------------------------------


# Marriages: clubs at seat 0, none at seat 1, spades at seat 2, hearts by the talon. Seat 0 is forehand.
PLAIN = "2 hQdTcAKQJs9/hTdAKJcTsAJ/hAJ9c9sTKQ hKdQ9"
LEAD = "2 hKQdTcAKQJs9/hTdAKQJcTsAJ/hAJ9d9c9sTKQ -"
OF_TWO = "1 hKQdTcAKQJs9TJ/hTAdAKJQcTsAKQ h9d9+hJc9"


@pytest.mark.parametrize(
    ("rules", "position", "actions", "seat", "worlds"),
    [
        ("core", PLAIN, "", 0, comb(17, 7) * comb(10, 7)),
        ("classic", PLAIN, "blind", 0, comb(24, 7) * comb(17, 7) * comb(10, 7)),
        ("core", PLAIN, "105 pass pass", 0, comb(14, 7)),
        ("core", PLAIN, "105 pass pass", 1, comb(14, 7)),
        ("core", PLAIN, "105 pass pass cJ d9 pass", 0, comb(14, 7)),
        # cJ, given openly, was not dealt to the other defender.
        ("core", PLAIN, "105 pass pass cJ", 1, comb(13, 7)),
        ("core", PLAIN, "105 pass pass cJ d9 pass", 1, comb(13, 7)),
        # Nobody else saw what was given: one of nine cards.
        ("online", PLAIN, "105 pass pass cJ d9 pass", 1, comb(13, 7) * 9),
        # A talon that stayed closed: any three of the ten cards that the declarer had.
        ("core", PLAIN, "100 pass pass", 1, comb(17, 7) * comb(10, 3)),
        ("core", PLAIN, "100 pass pass cJ d9 pass", 1, comb(15, 7) * comb(10, 3)),
        ("online", PLAIN, "100 pass pass cJ d9 pass", 1, comb(16, 7) * comb(10, 3) * 9),
        ("core", LEAD, "", 1, comb(16, 8)),
        ("core players=2", OF_TWO, "", 1, comb(14, 10) * comb(4, 2)),
        ("core players=2", OF_TWO, "105 pass talonB", 0, comb(12, 10)),
        ("core players=2", OF_TWO, "105 pass talonB", 1, comb(12, 10)),
        ("core players=2", OF_TWO, "100 pass talonB c9", 1, comb(13, 10) * 3),
    ],
)
def test_the_number_of_worlds(rules: str, position: str, actions: str, seat: int, worlds: int) -> None:
    table = Table(rules, position, actions, asks="blind" in actions)
    assert count_worlds(seen(table.states, table.array, seat), table.array) == worlds


# -- all there are ---------------------------------------------------------------------------------------------------

# Tables at which much can be worked out from what was done, or not done, and much is hidden.
TELLING = [
    "core",
    "online declare=automatic",
    "tysiac",
    "tysiac must_trump=no bid_cap=no",
    "classic declare=automatic declare_with=king_or_queen blind=no",
    "core must_beat=yes must_trump=no must_overtrump=yes exchange=closed",
    "core redeal_three_nines=force exchange=closed",
    "core players=2 redeal_low_hand=force redeal_hand_below=30 redeal_forehand_nines=force",
    "online players=2",
    "tysiac players=2",
]
MAX_TRIALS = 130  # of a view


@pytest.mark.parametrize("rules", TELLING)
def test_the_worlds_are_all_there_are_and_no_more(rules: str) -> None:
    compared: Counter[int] = Counter()
    for number, course in enumerate(played_deals([rules], seed=4, count=6)):
        array = course.rules.array()
        if number % 3 or number_of_trials(course.states, array) > MAX_TRIALS:
            continue
        worlds = enumerate_worlds(seen(course.states, array, 0), array, MAX_TRIALS)
        expected = worlds_by_trial(course.states, array)
        assert {cards_of(world) for world in worlds} == expected
        assert len(worlds) == len(expected)
        compared[len(worlds)] += 1
    assert compared.total() > 6
    assert len(compared) > 3


# -- what was said ---------------------------------------------------------------------------------------------------

# Seat 2 holds three marriages, up to hearts.
RICH = "2 dAKTJ9QhA/hTJcATJsAT/hKQ9cKQsKQ sJ9c9"
# An unbeatable hand, and one that is not.
SURE, LOOSE = "hAKTQcAKTQ", "hAKTQcAKQJ"


def hands_of(unseen: int, size: int) -> Iterator[int]:
    """All hands of some size from a set of cards."""
    return (sum(1 << card for card in hand) for hand in itertools.combinations(listed(unseen), size))


@pytest.mark.parametrize("bid", [105, 125, 165, 185, 205, 245, 285, 320])
def test_a_bidder_held_the_marriages_of_his_bid_before_the_talon(bid: int) -> None:
    table = Table("core", RICH, f"100 pass {bid} pass")
    unseen = FULL_PACK & ~int(table.state.dealt[1])
    hands = sum(PACK_POINTS + marriages_value(hand) >= bid for hand in hands_of(unseen & ~int(table.state.talon), 7))
    assert count_worlds(seen(table.states, table.array, 1), table.array) == hands
    table = Table("core bid_cap=no", RICH, f"100 pass {bid} pass")
    assert count_worlds(seen(table.states, table.array, 1), table.array) == comb(14, 7)


@pytest.mark.parametrize("contract", [110, 185, 245, 280])
def test_a_declarer_who_named_more_kept_the_marriages_for_it(contract: int) -> None:
    table = Table("core", PLAIN, f"105 pass pass cJ d9 {contract}")
    unseen = FULL_PACK & ~(int(table.state.dealt[1]) | card_set("hKdQd9cJ"))
    kept = sum(PACK_POINTS + marriages_value(hand | card_set("hKdQ")) >= contract for hand in hands_of(unseen, 6))
    assert count_worlds(seen(table.states, table.array, 1), table.array) == kept


@pytest.mark.parametrize(("lead", "hand", "others"), [("hQ+", SURE, "hJ9cJ9sTdT9s9"), ("hQ", LOOSE, "hJ9cT9sTdT9s9")])
def test_a_first_lead_tells_whether_the_hand_is_unbeatable(lead: str, hand: str, others: str) -> None:
    table = Table("classic declare=automatic", f"2 {hand}/dAKQJsAKQJ/{others} -", lead)
    unseen = FULL_PACK & ~int(table.state.dealt[1])
    hands = [hand for hand in hands_of(unseen, 8) if hand & card_set("hQ")]
    told = [play.unbeatable(hand, HEARTS) == (lead == "hQ+") for hand in hands]
    assert 0 < sum(told) < len(hands)
    assert count_worlds(seen(table.states, table.array, 1), table.array) == sum(told)


def test_who_goes_blind_has_no_hand_to_bid_from_and_cancels_redeals() -> None:
    rules = "classic redeal_low_hand=force redeal_hand_below=30"
    table = Table(rules, PLAIN, "blind pass pass", asks=True)
    assert count_worlds(seen(table.states, table.array, 1), table.array) == comb(17, 7) * comb(10, 3)


def test_hands_that_would_have_been_dealt_again_by_themselves_are_no_worlds() -> None:
    rules = "core redeal_low_hand=force redeal_hand_below=30"
    table = Table(rules, PLAIN, "105 pass pass")
    unseen = FULL_PACK & ~int(table.state.dealt[1] | table.state.talon)
    hands = sum(set_points(hand) >= 30 and set_points(unseen & ~hand) >= 30 for hand in hands_of(unseen, 7))
    assert 0 < hands < comb(14, 7)
    assert count_worlds(seen(table.states, table.array, 1), table.array) == hands


# -- equally often ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "position", "actions", "seat"),
    [
        ("core", PLAIN, "105 pass pass cJ d9 pass cA cT c9", 1),
        ("online", PLAIN, "105 pass pass cJ d9 pass cA cT c9 cK cJ sQ cQ dJ sK", 1),  # a gift that was not seen
        ("core", RICH, "100 pass 245 pass", 1),
        ("core players=2", OF_TWO, "100 pass talonB c9", 1),
        ("core redeal_low_hand=force redeal_hand_below=30", PLAIN, "105 pass pass", 1),
        ("classic declare=automatic", f"2 {SURE}/dAKQJsAKQJ/hJ9cJ9sTdT9s9 -", "hQ+", 1),
    ],
)
def test_every_world_comes_up_equally_often(rules: str, position: str, actions: str, seat: int) -> None:
    table = Table(rules, position, actions)
    views = seen(table.states, table.array, seat)
    worlds = [cards_of(world) for world in enumerate_worlds(views, table.array, 3000)]
    drawn = sample(views, table.array, 25 * len(worlds), np.array([11]))[0]
    columns = [drawn["dealt"], drawn["talon"][:, None], drawn["other_talon"][:, None], drawn["gifts"]]
    kinds, counts = np.unique(np.concatenate(columns, axis=1), axis=0, return_counts=True)
    assert {tuple(kind) for kind in kinds.tolist()} <= set(worlds)
    observed = np.zeros(len(worlds))
    observed[: len(counts)] = counts
    assert chisquare(observed).pvalue > 0.001


def test_a_world_depends_on_its_view_its_key_and_its_number_alone() -> None:
    table = Table("online", PLAIN, "105 pass pass cJ d9 pass")
    views, keys = look(np.repeat(table.states, 3), table.array, np.arange(3)), np.array([1, 2, 3])
    together = sample(views, table.array, 6, keys)
    for i in range(3):
        assert sample(views[i : i + 1], table.array, 4, keys[i : i + 1])[0].tobytes() == together[i, :4].tobytes()
    other = sample(views, table.array, 6, keys + 1)
    assert (other["hands"] != together["hands"]).any(axis=(1, 2)).all()
    assert len(np.unique(together["seed"])) == 18


def fingerprint() -> str:
    """A hash of worlds along some deals."""
    digest = hashlib.sha256()
    for ply, course in enumerate(played_deals(["online players=4"], seed=5, count=1)):
        views = seen(course.states, course.rules.array(), ply % course.rules.players)
        digest.update(sample(views, course.rules.array(), 2, np.array([ply])).tobytes())
    return digest.hexdigest()


def test_worlds_are_the_same_without_compilation() -> None:
    code = "from tests.test_determinize import fingerprint; print(fingerprint())"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == fingerprint()


# -- weights ---------------------------------------------------------------------------------------------------------


def test_worlds_are_chosen_in_proportion_to_their_weights() -> None:
    worlds = new_states(4)
    worlds["deal"] = np.arange(4)
    chosen = resample(worlds, np.array([1.0, 0.0, 3.0, 0.0]), 4000, key=9)
    counts = np.bincount(chosen["deal"], minlength=4)
    assert counts[[1, 3]].tolist() == [0, 0]
    assert chisquare(counts[[0, 2]], [1000, 3000]).pvalue > 0.001


def test_a_weight_is_asked_of_each_world_and_its_view() -> None:
    table = Table("core", PLAIN, "105 pass pass")
    views, ace = seen(table.states, table.array, 0), card_set("hA")

    def holds_the_ace(worlds: NDArray[Any], of: NDArray[Any], rules: NDArray[Any]) -> NDArray[np.float64]:
        assert of.tobytes() == views.tobytes()
        assert rules is table.array
        return ((worlds["hands"][:, 1] & ace) > 0).astype(np.float64)

    worlds = sample_weighted(views, table.array, 50, np.array([4]), weigh=holds_the_ace, proposals=200)[0]
    assert (worlds["hands"][:, 1] & ace > 0).all()
    assert len(np.unique(worlds["hands"][:, 1])) > 20


# -- what cannot be --------------------------------------------------------------------------------------------------


def test_a_view_that_cannot_be_is_refused() -> None:
    table = Table("core", PLAIN, "105 pass pass cJ d9 pass cA")
    views = seen(table.states, table.array, 1)
    views["held"][0, 1:3] |= card_set("hA")
    with pytest.raises(NoWorld, match=r"view 0 \[play, 3 players, 1 cards played\]: no world agrees with it"):
        sample(views, table.array, 1, np.zeros(1, np.int64))
    with pytest.raises(NoWorld, match="no world agrees"):
        count_worlds(views, table.array)


def test_a_deal_that_is_scored_leaves_nothing_to_imagine() -> None:
    table = Table("core", LEAD).play_out()
    with pytest.raises(NoWorld, match=r"view 0 \[over|scored.*expected a deal of 3 players that is being played"):
        sample(seen(table.states, table.array, 1), table.array, 1, np.zeros(1, np.int64))


def test_a_view_of_another_table_is_refused() -> None:
    table = Table("core", PLAIN)
    with pytest.raises(NoWorld, match="expected a deal of 2 players"):
        count_worlds(seen(table.states, table.array, 1), RuleSet.parse("core players=2").array())


def test_more_worlds_than_the_limit_are_refused() -> None:
    table = Table("core", PLAIN, "105 pass pass")
    assert len(enumerate_worlds(seen(table.states, table.array, 1), table.array, 3432)) == 3432
    with pytest.raises(NoWorld, match="more than 3431 worlds"):
        enumerate_worlds(seen(table.states, table.array, 1), table.array, 3431)


def test_every_view_needs_a_key() -> None:
    table = Table("core", PLAIN, "105 pass pass")
    views = np.repeat(seen(table.states, table.array, 1), 3)
    for keys, count in ((np.array([5]), 2), (np.array(5), 2), (np.arange(3), -1)):
        with pytest.raises(NoWorld, match=r"keys of shape .* for views of shape \(3,\): expected"):
            sample(views, table.array, count, keys)


@pytest.mark.parametrize("weights", [[0.0, 0.0], [1.0, -1.0], [1.0, np.nan], [1.0]])
def test_weights_that_mean_nothing_are_refused(weights: list[float]) -> None:
    with pytest.raises(NoWorld, match=r"weights .* of 2 worlds: expected one a world"):
        resample(new_states(2), np.array(weights), 1, key=1)


# -- how fast --------------------------------------------------------------------------------------------------------


def test_the_benchmark_draws_worlds_in_auction_exchange_and_play() -> None:
    results = measure(layers(RuleSet.parse("core")), 1)
    moments = ("auction", "exchange", "trick 1", "trick 3", "trick 6")
    names = [f"{moment}, {things}" for moment in moments for things in ("worlds", "views")]
    assert [result.layer.name for result in results] == names
    assert all(result.per_second > 0 for result in results)
