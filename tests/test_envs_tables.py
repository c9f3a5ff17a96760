"""The environments at tables with more than the plain rules: claims, redeals, write-offs, fines, the dealer of four."""

from typing import Any

import numpy as np
import pytest

from tests.env_tables import TABLES, table
from thousand_env import deal_v0, match_v0
from thousand_env.actions import (
    BAPTISE,
    CLAIM_REDEAL,
    DECLINE_REDEAL,
    GO_BLIND,
    NUM_ACTIONS,
    PASS,
    WRITE_OFF,
    bid_action,
)
from thousand_env.enforcement import try_row
from thousand_env.errors import IllegalAction
from thousand_env.state import AUCTION, CLAIM, EXCHANGE, NONE, PLAY, SCORED


def begun(rules: Any, *, seed: int = 1, **options: Any) -> Any:
    env: Any = deal_v0.env(rules=rules)
    env.reset(seed=seed, options=options)
    return env


def phase(env: Any) -> int:
    return int(env.unwrapped.states["phase"][0])


def state_of(env: Any) -> Any:
    return env.unwrapped.states[0]


def play_until(env: Any, wanted: int, choices: tuple[int, ...] = (), rng: np.random.Generator | None = None) -> None:
    """Act with the first of these choices that is legal, else by chance or with the first legal action."""
    while phase(env) < wanted:
        legal = np.flatnonzero(env.last()[0]["action_mask"])
        first = next((action for action in choices if action in legal), None)
        env.step(int(legal[0] if rng is None else rng.choice(legal)) if first is None else first)


# -- claims and redeals ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_active_seat_is_asked_for_a_claim_whether_it_is_entitled_or_not(players: int) -> None:
    for match in range(20):
        env = begun(table("online", players), match=match)
        asked: list[int] = []
        while phase(env) == CLAIM:
            asked.append(env.possible_agents.index(env.agent_selection))
            env.step(DECLINE_REDEAL)
        dealer = int(state_of(env).dealer)
        clockwise = [(dealer + distance) % players for distance in range(1, players + 1)]
        assert asked == (clockwise[:3] if players == 4 else clockwise)
        assert phase(env) == AUCTION


def test_a_redeal_goes_on_within_the_episode() -> None:
    claimed = 0
    for match in range(60):
        env = begun("online", match=match)
        attempt, dealer = 0, int(state_of(env).dealer)
        while not env.terminations["player_0"]:
            mask = env.last()[0]["action_mask"]
            claimed += mask[CLAIM_REDEAL]
            attempt += mask[CLAIM_REDEAL]
            env.step(CLAIM_REDEAL if mask[CLAIM_REDEAL] else int(np.flatnonzero(mask)[0]))
            assert list(env.rewards.values()) == [0, 0, 0] or env.terminations["player_0"]
        (result,) = env.infos["player_0"]["deals"]
        assert (result["deal"], result["attempt"], state_of(env).dealer) == (0, attempt, dealer)
    assert claimed > 10


# -- results ---------------------------------------------------------------------------------------------------------


def test_the_result_of_a_deal_played_names_all_that_it_brought() -> None:
    env = begun("core", match=4)
    play_until(env, SCORED)
    (result,) = env.infos["player_1"]["deals"]
    state = state_of(env)
    assert set(result) == {
        *("match", "deal", "attempt", "declarer", "bid", "contract", "made", "written_off", "baptised", "score"),
        *("fines", "events", "totals", "bolts", "mounted", "attempts", "falls", "winner", "stakes"),
    }
    assert (result["match"], result["declarer"], result["bid"]) == (4, state.declarer, state.bid)
    assert (result["written_off"], result["baptised"], result["fines"]) == (False, False, [0, 0, 0])
    assert result["attempts"] == [0, 0, 0]


@pytest.mark.parametrize(("rules", "action"), [("core write_off=half", WRITE_OFF), ("core baptism=yes", BAPTISE)])
def test_a_deal_given_up_says_how_and_pays_what_it_costs(rules: str, action: int) -> None:
    env = begun(rules, dealer=0)
    play_until(env, SCORED, (action, PASS))
    (result,) = env.infos["player_0"]["deals"]
    assert (result["written_off"], result["baptised"]) == (action == WRITE_OFF, action == BAPTISE)
    assert (result["declarer"], result["bid"], result["contract"], result["made"]) == (1, 100, 0, False)
    assert result["score"] == ([50, -100, 50] if action == WRITE_OFF else [0, 0, 0])
    assert list(env.rewards.values()) == [score / 100 for score in result["score"]]


def test_the_attempts_on_the_barrel_are_told_by_seat() -> None:
    env: Any = match_v0.env(rules="core max_deals=20")
    env.reset(seed=1, options={"totals": [880, 0, 0], "attempts": [1, 0, 0], "deal": 5, "dealer": 0})
    while state_of(env).deal == 5:
        mask = env.last()[0]["action_mask"]
        env.step(PASS if mask[PASS] else int(mask.argmax()))
    result = env.infos["player_2"]["deals"][0]
    assert (result["attempts"], result["mounted"], result["falls"]) == ([2, 0, 0], [4, 0, 0], [0, 0, 0])


def test_a_blind_deal_pays_twice() -> None:
    env = begun("classic", dealer=0)
    play_until(env, SCORED, (GO_BLIND, PASS))
    (result,) = env.infos["player_0"]["deals"]
    assert result["score"][1] in (240, -240)
    assert env.rewards["player_1"] == result["score"][1] / 100


# -- the dealer of four ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["core", "classic", "online", "tysiac", "everything"])
def test_the_dealer_of_four_is_an_agent_who_has_no_turn_and_is_paid(name: str) -> None:
    paid = 0.0
    for match in range(10):
        env = begun(table(name, 4), match=match, dealer=2)
        assert env.agents == ["player_0", "player_1", "player_2", "player_3"]
        rng = np.random.default_rng(match)
        while not env.terminations["player_2"]:
            assert env.agent_selection != "player_2"
            seen = env.observe("player_2")
            assert not seen["action_mask"].any()
            assert env.observation_space("player_2").contains(seen)
            env.step(int(rng.choice(np.flatnonzero(env.last()[0]["action_mask"]))))
        assert env.rewards["player_2"] == state_of(env).score[2] / 100
        assert env.infos["player_2"]["deals"][0]["score"][2] == state_of(env).score[2]
        paid += abs(env.rewards["player_2"])
    assert (paid > 0) == (name == "everything")


# -- enforcement -----------------------------------------------------------------------------------------------------


def test_an_illegal_bid_counts_as_a_pass_and_is_fined_when_the_deal_is_scored() -> None:
    env = begun("core enforcement=table", dealer=0)
    env.step(bid_action(400))  # player_1 must open: it counts as the opening 100
    assert (state_of(env).bid, env.agent_selection) == (100, "player_2")
    env.step(bid_action(400))  # counts as a pass
    assert state_of(env).passed == 1 << 2
    play_until(env, SCORED)
    (result,) = env.infos["player_0"]["deals"]
    assert result["fines"] == [0, 120, 120]
    assert [words.count("fine") for words in result["events"]] == [0, 1, 1]
    assert [total - score for total, score in zip(result["totals"], result["score"], strict=True)] == [0, -120, -120]


def test_an_illegal_card_goes_back_and_the_lowest_legal_one_is_played() -> None:
    env = begun("core enforcement=table", seed=3)
    play_until(env, PLAY, (PASS,))
    env.step(int(env.last()[0]["action_mask"].argmax()))
    state = state_of(env)
    mask, hand = env.last()[0]["action_mask"], int(state.hands[state.turn])
    wrong = next(card for card in range(24) if hand >> card & 1 and not mask[card])
    legal = [int(card) for card in np.flatnonzero(mask)]
    env.step(wrong)
    points = (0, 2, 3, 4, 10, 11)
    assert state_of(env).plays[1] & 31 == min(legal, key=lambda card: (points[card % 6], card))


def test_what_is_no_action_at_all_is_refused_where_the_table_enforces_the_rules_too() -> None:
    env = begun("classic enforcement=table", dealer=0)
    for wrong in (-1, NUM_ACTIONS, "pass", 1.5, None, 3, PASS):
        before = env.unwrapped.states.tobytes()
        with pytest.raises(IllegalAction):
            env.step(wrong)
        assert env.unwrapped.states.tobytes() == before


@pytest.mark.parametrize("kind", TABLES)
def test_the_environment_takes_what_the_table_takes_and_refuses_the_rest(kind: tuple[str, int]) -> None:
    rules, taken = table(*kind).replace(enforcement="table"), 0
    env, rng = begun(rules, seed=5), np.random.default_rng(5)
    while not env.terminations["player_0"]:
        states, mask = env.unwrapped.states, env.last()[0]["action_mask"]
        for action in np.flatnonzero(mask == 0):
            twin, scratch = states.copy(), np.zeros(NUM_ACTIONS, np.int8)
            if try_row(twin[0], rules.array()[0], int(action), scratch):
                taken += 1
                continue
            with pytest.raises(IllegalAction):
                env.step(int(action))
        env.step(int(rng.choice(np.flatnonzero(mask))))
    assert taken > 0


def test_a_fine_for_writing_off_wrongly_leaves_the_turn_where_it_is() -> None:
    env = begun("core enforcement=table", dealer=0)
    play_until(env, EXCHANGE, (PASS,))
    env.step(WRITE_OFF)
    assert (phase(env), env.agent_selection, state_of(env).offences[1]) == (EXCHANGE, "player_1", 1)
    assert state_of(env).gifts[:3].tolist() == [NONE] * 3
