"""What the environments refuse: each mistake has its own words, and nothing changes."""

from typing import Any

import numpy as np
import pytest

from tests.env_tables import TABLES, table
from thousand_env import bidding_v0, deal_v0, match_v0, play_v0
from thousand_env.actions import NUM_ACTIONS, PASS, bid_action, parse_action
from thousand_env.errors import IllegalAction, ThousandError
from thousand_env.rules import RuleSet
from thousand_env.state import PLAY

ENVS: dict[str, Any] = {"deal": deal_v0, "play": play_v0, "bidding": bidding_v0, "match": match_v0}


def picture(env: Any) -> tuple[Any, ...]:
    """Return everything that a step may change."""
    raw = env.unwrapped
    return (raw.states.tobytes(), raw.agent_selection, dict(raw.rewards), dict(raw._cumulative_rewards),
            dict(raw.terminations), dict(raw.truncations), dict(raw.infos), list(raw.agents))  # fmt: skip


def at_the_play() -> Any:
    """Return a deal in which player_0 has led a spade and player_1 is to follow."""
    env: Any = deal_v0.env()
    env.reset(seed=3)
    while env.unwrapped.states["phase"][0] < PLAY:
        mask = env.last()[0]["action_mask"]
        env.step(PASS if mask[PASS] else int(mask.argmax()))
    env.step(int(env.last()[0]["action_mask"].argmax()))
    return env


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (NUM_ACTIONS, r"N2: there is no action 114: they are numbered 0 to 113; legal: "),
        (10**30, "N2: there is no action 1000"),
        (-1, "N2: there is no action -1"),
        (1.0, r"action 1\.0 is no whole number"),
        ("pass", "action 'pass' is no whole number"),
        (True, "action True is no whole number"),
        (None, "action None is no whole number"),
        (np.float32(3), r"no whole number"),
        (bid_action(120), "N2: 120 is no action of the phase play"),
    ],
)
def test_an_action_that_is_none_here_is_refused_with_its_reason(action: Any, message: str) -> None:
    env = at_the_play()
    before = picture(env)
    with pytest.raises(IllegalAction, match=message) as refused:
        env.step(action)
    assert picture(env) == before
    assert str(refused.value).startswith(f"{env.agent_selection}, play of deal 0 of match 0: ")


def test_a_card_of_another_hand_is_refused_and_the_legal_actions_are_named() -> None:
    env = at_the_play()
    state = env.unwrapped.states[0]
    others = next(card for card in range(24) if state.hands[(state.turn + 1) % 3] >> card & 1)
    with pytest.raises(IllegalAction, match=r"N2: seat 1 does not hold .*; legal: ") as refused:
        env.step(others)
    legal = [parse_action(text) for text in str(refused.value).rpartition("legal: ")[2].split(", ")]
    assert legal == np.flatnonzero(env.last()[0]["action_mask"]).tolist()


def test_a_card_of_the_hand_that_the_rules_forbid_is_refused() -> None:
    env = at_the_play()
    mask, state = env.last()[0]["action_mask"], env.unwrapped.states[0]
    held = [card for card in range(24) if state.hands[state.turn] >> card & 1 and not mask[card]]
    with pytest.raises(IllegalAction, match=r"P2: seat 1 may not play .*: it holds s, the suit led"):
        env.step(held[0])


def test_a_bid_over_the_cap_is_refused() -> None:
    env = deal_v0.env()
    env.reset(seed=3)
    with pytest.raises(
        IllegalAction, match=r"A3: seat 0 may not bid 400, which is over the .* that the hand allows; legal: 100 to"
    ):
        env.step(bid_action(400))


def test_whole_numbers_of_any_kind_are_taken() -> None:
    env = deal_v0.env()
    for kind in (int, np.int8, np.int32, np.int64, np.uint8):
        env.reset(seed=3)
        env.step(kind(bid_action(100)))
        assert env.unwrapped.states["bid"][0] == 100


@pytest.mark.parametrize("form", ["env", "raw_env"])
@pytest.mark.parametrize("name", ENVS)
def test_nothing_can_be_asked_before_the_first_reset(name: str, form: str) -> None:
    env = getattr(ENVS[name], form)(render_mode="ansi")
    with pytest.raises(IllegalAction, match=r"step\(36\): no cards have been dealt; call reset\(\) first"):
        env.step(PASS)
    for ask in (lambda: env.observe("player_0"), env.state, env.render):
        with pytest.raises(ThousandError, match=r"no cards have been dealt; call reset\(\) first"):
            ask()


@pytest.mark.parametrize("form", ["env", "raw_env"])
def test_after_the_end_agents_leave_with_none_and_then_nobody_steps(form: str) -> None:
    env = getattr(deal_v0, form)()
    env.reset(seed=3)
    for _ in env.agent_iter():
        seen, _, ended, _, _ = env.last()
        if ended:
            break
        env.step(int(seen["action_mask"].argmax()))
    before = picture(env)
    with pytest.raises(IllegalAction, match="the episode is over; expected None, with which player_0 leaves"):
        env.step(5)
    assert picture(env) == before
    for _ in range(3):
        env.step(None)
    with pytest.raises(IllegalAction, match=r"every agent has left; call reset\(\) first"):
        env.step(None)


def test_a_seat_that_is_not_to_act_cannot_be_made_to() -> None:
    env = deal_v0.raw_env()
    env.reset(seed=3)
    for other in ("player_2", "player_9"):
        env.agent_selection = other
        with pytest.raises(IllegalAction, match=f"'{other}' is not to act, it is the turn of player_0, auction of"):
            env.step(bid_action(100))


def test_an_agent_that_is_not_at_the_table_cannot_be_observed() -> None:
    env = deal_v0.env()
    env.reset(seed=3)
    with pytest.raises(ThousandError, match="'player_3' is not at the table; expected player_0, player_1, player_2"):
        env.observe("player_3")


@pytest.mark.parametrize(
    ("name", "rules"),
    [("deal", RuleSet.parse("core")), ("play", RuleSet.parse("core")), ("bidding", RuleSet.parse("core")),
     *[("match", table(*kind, max_deals=2).replace(enforcement="strict")) for kind in TABLES]],
)  # fmt: skip
def test_illegal_actions_at_every_step_change_nothing(name: str, rules: RuleSet) -> None:
    env = ENVS[name].env(rules=rules)
    env.reset(seed=9)
    rng = np.random.default_rng(9)
    for _ in env.agent_iter():
        seen, _, ended, cut, _ = env.last()
        if ended or cut:
            break
        before = picture(env)
        for action in np.flatnonzero(seen["action_mask"] == 0):
            with pytest.raises(IllegalAction):
                env.step(int(action))
        assert picture(env) == before
        env.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
