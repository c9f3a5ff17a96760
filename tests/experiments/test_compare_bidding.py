"""Bidding compared: only the bids differ, the same deals are met by all, and what they cost is counted as by hand."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from agents.agent import Agent
from agents.arena import duel
from agents.spec import load
from agents.table import play_step, questions
from experiments import compare_bidding
from experiments.bidding_report import POPULATION, PRICE_NAMES, Found, figure_text
from experiments.compare_bidding import PRICE_DTYPE, Comparison, drawn, games_of, main, note_price, part, played
from experiments.figures import NOTHING, Figure
from experiments.parts import Columns
from experiments.strategies import BIDDING, AskedOnce, BidsOf, Strategy, seated, strategies_of
from tests.policy_moves import CHECKPOINT
from tests.table import Settled
from tests.test_arena import PLAYED
from thousand_env.actions import PASS, bid_action
from thousand_env.auction import level_bit
from thousand_env.engine import new_states, start_matches
from thousand_env.notation import parse_position
from thousand_env.rules import CORE, RuleSet
from thousand_env.state import AUCTION, BLIND, CLAIM, CONTRACT, EXCHANGE, PLAY, SCORED

SEED = 3
FOUR = ("heuristic", "heuristic margin=20", "never", "points")


def named(*texts: str) -> tuple[Strategy, ...]:
    return tuple(strategies_of(texts, worlds=3, policy=str(CHECKPOINT)))


def shown(*texts: str, deals: int, rules: RuleSet = CORE) -> Columns:
    games = games_of(np.arange(deals), len(texts), rules.players, SEED)
    return played(games, named(*texts), rules, SEED)


def asked(rules: RuleSet, deals: int, agent: Agent) -> list[tuple[NDArray[Any], NDArray[np.int8], NDArray[np.int64]]]:
    """Everything that is asked in some deals in which an agent plays every seat."""
    states, found = new_states(deals), list[tuple[NDArray[Any], NDArray[np.int8], NDArray[np.int64]]]()
    start_matches(states, rules.array(), np.full(deals, SEED), np.arange(deals))
    while len(rows := np.flatnonzero(states["phase"] < SCORED)):
        found.append(questions(states, rules.array(), rows))
        play_step(states, rules.array(), [agent], np.zeros((deals, rules.players), np.int64))
    return found


# -- strategies ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", ["core", "classic players=4", "online players=2"])
def test_a_strategy_decides_where_bidding_does_and_nowhere_else(table: str) -> None:
    rules, phases = RuleSet.parse(table), set[int]()
    bidder, player = load("uniform", rules), load("heuristic", rules)
    both = BidsOf(bidder, player)
    for views, masks, keys in asked(rules, 60, both):
        bidding = np.isin(views["phase"], BIDDING)
        answers = both.act(views, masks, keys)
        assert (answers[bidding] == bidder.act(views, masks, keys)[bidding]).all()
        assert (answers[~bidding] == player.act(views, masks, keys)[~bidding]).all()
        phases |= set(views["phase"].tolist())
    assert phases >= {AUCTION, EXCHANGE, CONTRACT, PLAY}
    assert table == "core" or CLAIM in phases
    assert table != "classic players=4" or BLIND in phases


@pytest.mark.parametrize("table", ["core", "classic"])
def test_with_its_own_bids_the_heuristic_is_itself_move_for_move(table: str) -> None:
    rules = RuleSet.parse(table)
    heuristic, (itself, _) = load("heuristic", rules), seated(named("heuristic", "never"), rules)
    for question in asked(rules, 60, heuristic):
        assert (itself.act(*question) == heuristic.act(*question)).all()


class Counting:
    """A bot that counts what it is asked."""

    def __init__(self, agent: Agent) -> None:
        self.agent, self.asked = agent, 0

    def act(self, views: NDArray[Any], masks: NDArray[np.int8], keys: NDArray[np.int64]) -> NDArray[np.int64]:
        self.asked += len(views)
        return self.agent.act(views, masks, keys)


def test_who_is_asked_once_answers_as_if_asked_each_time() -> None:
    bot = load("mc worlds=3")
    counting = Counting(bot)
    again = np.array([0, 4, 0, 3, 1, 4, 2, 0])
    for question in asked(CORE, 5, load("heuristic"))[:4]:
        views, masks, keys = question[0][again], question[1][again], question[2][again]
        assert (AskedOnce(counting).act(views, masks, keys) == bot.act(views, masks, keys)).all()
    assert counting.asked == 4 * 5


def test_never_opens_when_it_must_and_else_passes() -> None:
    never, _ = seated(named("never", "heuristic"), CORE)
    opened, passed = 0, 0
    for views, masks, keys in asked(CORE, 50, never):
        answers = never.act(views, masks, keys)[views["phase"] == AUCTION]
        forced = masks[views["phase"] == AUCTION, PASS] == 0
        assert (answers == np.where(forced, bid_action(100), PASS)).all()
        opened, passed = opened + int(forced.sum()), passed + int((~forced).sum())
    assert (opened, passed) == (50, 100)


def test_the_learned_strategy_bids_as_its_network_does() -> None:
    (learned, _), network = seated(named("learned", "never"), CORE), load(f"policy path={CHECKPOINT}")
    views, masks, keys = asked(CORE, 20, load("heuristic"))[1]
    assert (views["phase"] == AUCTION).all()
    assert (learned.act(views, masks, keys) == network.act(views, masks, keys)).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--strategies", "never", "shark"], "strategy of bot 'shark': no bot has this name"),
        (["--strategies", "never", "shark"], "strategies beside the bids of bots are never, points, simulation"),
        (["--strategies", "never", "heuristic margin=x"], "margin=x: expected a whole number"),
        (["--strategies", "never", "never"], "strategies never, never: expected two different ones"),
        (["--strategies", "never", "learned"], "strategies never, learned: expected two different ones"),
        (["--strategies", "simulation", "never", "--worlds", "0"], "bot 'mc worlds=0'"),
        (["--deals", "1"], "deals=1: expected at least 2"),
    ],
)
def test_a_mistake_is_answered_in_one_line(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments, "--out", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_without_a_network_nothing_is_learned(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--deals", "2", "--strategies", "never", "learned", "points", "--workers", "1"]
    assert main([*arguments, "--out", str(tmp_path / "without")]) == 0
    assert "learned is left out: --policy names the folder" in capsys.readouterr().out
    assert main([*arguments, "--policy", str(CHECKPOINT), "--out", str(tmp_path / "with")]) == 0
    assert "left out" not in capsys.readouterr().out
    tables = [(tmp_path / folder / "strategies.csv").read_text().splitlines()[1:] for folder in ("without", "with")]
    named = [[line.split(",")[0] for line in table] for table in tables]
    assert named == [["never", "points"], ["never", "learned", "points"]]


# -- who meets whom --------------------------------------------------------------------------------------------------


def test_a_population_is_all_others_with_the_same_chance() -> None:
    strategies = 5
    met = drawn(np.arange(4000), strategies, 2, SEED)
    for own in range(strategies):
        counts = np.bincount(met[:, own].ravel(), minlength=strategies)
        assert counts[own] == 0
        assert stats.chisquare(np.delete(counts, own)).pvalue > 1e-4
        pairs = np.bincount(met[:, own, 0] * strategies + met[:, own, 1], minlength=strategies**2)
        assert stats.chisquare(pairs[pairs > 0]).pvalue > 1e-4, "the seats are drawn one without the other"
        assert np.count_nonzero(pairs) == (strategies - 1) ** 2


def test_two_strategies_meet_the_same_but_where_one_would_meet_itself() -> None:
    met = drawn(np.arange(500), 5, 2, SEED)
    one, other = met[:, 1], met[:, 3]
    assert ((one == other) | (one == 3) | (other == 1)).all()
    assert (one == other).mean() > 0.5
    assert (met[7:9] == drawn(np.array([7, 8]), 5, 2, SEED)).all(), "by the deal alone"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everybody_meets_everybody_in_every_seat(players: int) -> None:
    games = games_of(np.array([10, 11]), 3, players, SEED)
    assert len(games.deal) == 2 * (3 * 2 + 3) * players
    rows = np.arange(len(games.deal))
    assert (games.seats[rows, games.own] == games.strategy).all()
    others = np.sort(games.seats, axis=1)
    alone = games.against != POPULATION
    assert ((games.seats == games.against[:, None]).sum(axis=1)[alone] == players - 1).all()
    assert ((games.seats == games.strategy[:, None]).sum(axis=1) == 1).all()
    line = games.deal * 100 + games.strategy * 10 + games.against
    for number in np.unique(line):
        assert sorted(games.own[line == number]) == list(range(players))
        assert len(np.unique(others[line == number], axis=0)) == 1


# -- what they show --------------------------------------------------------------------------------------------------


def test_the_tournament_is_the_arenas() -> None:
    columns, rules = shown("heuristic", "heuristic margin=20", deals=30), CORE
    result = duel("heuristic margin=20", "heuristic", deals=30, seed=SEED, rules=rules)
    chosen = (columns["strategy"] == 1) & (columns["against"] == 0)
    points = np.bincount(columns["deal"][chosen], columns["points"][chosen]) / 6
    assert points == pytest.approx(result.block_results)
    showing = Found(columns, ["heuristic", "bold"], 3).showing(1, against=0)
    assert showing.advantage.value == pytest.approx(result.advantage)
    assert showing.made.value == pytest.approx(result.own_make_rate)
    assert showing.contract.value == pytest.approx(result.own_mean_contract)
    assert showing.contested.value == pytest.approx(result.own_contested)
    assert showing.declares.value > columns["above"][chosen].mean() > 0
    assert showing.made_above.value > showing.made.value, "what it chose to bid for it makes more often"


def test_who_bids_as_all_others_gains_nothing_on_any_deal() -> None:
    columns = shown("heuristic", "heuristic margin=0", "never", "heuristic bid=no", deals=20)
    points = np.zeros((4, 4, 20))
    alone = columns["against"] != POPULATION
    numbers = tuple(columns[name][alone] for name in ("strategy", "against", "deal"))
    np.add.at(points, numbers, columns["points"][alone])
    assert not points[[0, 1, 2, 3], [1, 0, 3, 2]].any()
    assert points[0, 2].any()
    assert (points[0] == points[1])[2:].all()


@pytest.mark.parametrize("table", ["core", "classic players=4", "core players=2"])
def test_the_seats_are_the_whole(table: str) -> None:
    rules = RuleSet.parse(table)
    found = Found(shown(*FOUR, deals=12, rules=rules), FOUR, rules.players)
    for number in found.strategies:
        for against in (POPULATION, (number + 1) % 4, None):
            seats = [found.showing(number, against=against, seat=seat) for seat in range(rules.players)]
            whole = found.showing(number, against=against)
            assert np.mean([seat.advantage.value for seat in seats]) == pytest.approx(whole.advantage.value)
            assert np.mean([seat.declares.value for seat in seats]) == pytest.approx(whole.declares.value)
    silent = [found.showing(2, seat=seat).declares.value for seat in range(rules.players)]
    assert silent[0] > 0
    assert not any(silent[1:]), "who never bids declares as forehand alone"
    behind = [figure.value for figure in found.behind()]
    advantages = [found.showing(number).advantage.value for number in found.strategies]
    assert behind == pytest.approx([max(advantages) - advantage for advantage in advantages])


def price_of(state: Any, own: int, rules: RuleSet = CORE) -> dict[str, int]:
    price = np.zeros(1, PRICE_DTYPE)
    note_price(state, rules.array()[0], own, price[0])
    return {name: int(price[name][0]) for name in PRICE_NAMES if price[name][0]}


def test_a_deal_is_counted_as_by_hand() -> None:
    states, _ = parse_position(PLAYED)  # seat 0 has dJ sK dT, c9 cK d9, sQ hK sJ and the marriage of hearts: 129
    assert price_of(states[0], 0) == {"played": 1, "overpaid": 41, "above": 1, "above_overpaid": 41}
    assert price_of(states[0], 1) == price_of(states[0], 2) == {}


@pytest.mark.parametrize(
    ("points", "marriage", "bid", "contract", "price"),
    [
        (99, 0, 100, 120, {"overpaid": 21}),
        (120, 0, 100, 120, {}),
        (110, 40, 100, 140, {"left_over": 10}),
        (110, 40, 120, 140, {"left_over": 10, "above": 1, "above_made": 1}),
        (110, 0, 120, 140, {"overpaid": 30, "above": 1, "above_overpaid": 30}),
    ],
)
def test_a_price_is_what_the_contract_lacked_or_left(
    points: int, marriage: int, bid: int, contract: int, price: dict[str, int]
) -> None:
    settled = Settled("core").enter([points, 120 - points, 0], contract=contract, marriages=(marriage, 0, 0))
    settled.state.bid, settled.state.bids[0] = bid, level_bit(bid)
    assert price_of(settled.state, 0) == {"played": 1, **price}


def test_who_is_granted_a_contract_has_not_bid_for_it() -> None:
    settled = Settled("core").enter([110, 10, 0], contract=120)
    settled.state.bid = 120
    assert price_of(settled.state, 0) == {"played": 1, "overpaid": 10}


def test_what_rounding_makes_was_not_paid_too_dearly() -> None:
    settled = Settled("core round_declarer=yes").enter([98, 22, 0], contract=100)
    assert price_of(settled.state, 0, settled.rules) == {"played": 1}
    assert price_of(settled.state, 0) == {"played": 1, "overpaid": 2}


def test_a_deal_given_up_cost_nothing_that_could_be_counted() -> None:
    settled = Settled("core").enter([99, 21, 0], contract=0)
    settled.state.bid, settled.state.bids[0] = 120, level_bit(120)
    assert price_of(settled.state, 0) == {}


def test_a_figure_says_how_far_it_reaches() -> None:
    assert figure_text("advantage", Figure(1.52, 1.02, 2.02)) == "+1.5 ± 0.5"
    assert figure_text("made", Figure(0.625, 0.6, 0.65)) == "62.5 ± 2.5 %"
    assert figure_text("overpaid", NOTHING) == "-"


# -- parts -----------------------------------------------------------------------------------------------------------


def test_the_size_of_a_part_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    options = Comparison(deals=5, strategies=(*FOUR, "simulation"), worlds=3)
    whole = part(options, 0)
    monkeypatch.setattr(compare_bidding, "DEALS_A_PART", 3)
    pieces = [part(options, number) for number in range(2)]
    for name, column in whole.items():
        assert (np.concatenate([piece[name] for piece in pieces]) == column).all()


def test_what_was_stopped_goes_on_to_the_same_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(compare_bidding, "DEALS_A_PART", 3)
    arguments = ["--deals", "7", "--strategies", *FOUR, "--workers", "1", "--out", str(tmp_path)]
    assert main(arguments) == 0
    said = capsys.readouterr().out
    tables = {path: path.read_bytes() for path in tmp_path.glob("*.csv")}
    for number in (0, 2):
        (tmp_path / f"part-{number:05}.parquet").unlink()
    assert main(arguments) == 0
    assert capsys.readouterr().out == said
    assert {path: path.read_bytes() for path in tables} == tables


def test_another_network_at_the_same_place_is_another_experiment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def another(*_arguments: object, **_named: object) -> Agent:
        return load("heuristic margin=60")

    arguments = ["--deals", "4", "--strategies", "never", "learned", "--workers", "1", "--out", str(tmp_path)]
    arguments += ["--policy", str(CHECKPOINT)]
    assert main(arguments) == 0
    seated.cache_clear()
    monkeypatch.setattr("agents.policy.Policy.from_path", another)
    assert main(arguments) == 1
    assert "was begun with points in some deals=" in capsys.readouterr().err
    seated.cache_clear()
