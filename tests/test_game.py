"""Game: checked moves, undo, deals in a row, copies."""

import copy
import pickle
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.random_matches import random_action, random_rules
from tests.random_matches import random_game as random_start
from thousand_env.actions import action_text, parse_action
from thousand_env.errors import IllegalAction, NotationError
from thousand_env.game import Game
from thousand_env.transcript import read, write

GOLDEN = Path(__file__).parent / "golden"

# Seat 0 deals; seat 1 has five hearts with the marriage, seat 0 the club marriage, seat 2 none.
DEAL = "deal 0 dQ9cAKQ9s9/hAKQJ9cJsA/hTdATKJsKJ cTsTQ 13#0/0.0"
GIVEN = f"{DEAL} | bid 1:120 2:p 0:p | give 1>2:cJ 1>0:sQ"
# Seat 0 leads hearts; seat 1 has diamonds and clubs, seat 2 clubs and spades; spades are trump below.
LEAD = "deal 2 hKQJ9dATcAT/hATd9cKsATKQ/dKQJcQJ9sJ9 - | play 0:120"
RUFF = f"{LEAD} | 0:dA d9 dJ | 0:hQ+100 hA c9 | 1:sQ+40 s9 hJ | 1:hT"


def random_game(table: str, seed: int, steps: int) -> Game:
    """A game after some random actions, deal after deal."""
    rng = random.Random(seed)
    game = Game(table, seed=seed)
    for _ in range(steps):
        if game.phase == "scored":
            game.next_deal()
        if game.phase == "over":
            break
        game.play(rng.choice(game.legal_actions()))
    return game


def play_on(game: Game, rng: random.Random) -> int | None:
    """Deal on or act at random, at a table that fines also illegally; the action, None if it was refused."""
    if game.phase == "scored":
        game.next_deal()
    action = random_action(game, rng)
    try:
        game.play(action)
    except IllegalAction:
        return None
    return action


def act(game: Game, actions: str) -> None:
    """Play the actions of a text."""
    for action in actions.split():
        game.play(action)


# -- what is forbidden, and by which rule ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "action", "message"),
    [
        (f"core | {DEAL}", "pass", "A1: seat 1 may not pass: the opener must bid; legal: 100 to 220 in steps of 5"),
        (f"core | {DEAL}", "225", "A3: seat 1 may not bid 225, which is over the 220 that the hand allows; legal: 100"),
        (f"core opening=exactly_100 | {DEAL}", "105", "A1: seat 1 may not bid 105, the opener bids exactly 100 here"),
        (f"core | {DEAL} | bid 1:120", "120", "A2: seat 2 may not bid 120, which is no raise of 120; legal: pass"),
        (f"core | {DEAL} | bid 1:120", "100", "A2: seat 2 may not bid 100, which is no raise of 120"),
        (f"core bid_step=20 | {DEAL}", "105", "A2: seat 1 may not bid 105, which is no multiple of 20"),
        (f"core | {DEAL} | bid 1:105 2:p", "185", "A3: seat 0 may not bid 185, which is over the 180"),
        (
            f"core | deals 3 totals 0 880 0 barrel - 3.0 - | {DEAL.removesuffix(' 13#0/0.0')}",
            "120",
            "L3: seat 1 may not bid 120, from the barrel only a contract of 121 or more counts; legal: 100, 125 to 220",
        ),
        (f"core | {GIVEN}", "115", "T4: seat 1 may not name 115, which is below the bid of 120"),
        (f"core | {GIVEN}", "120", "T4: seat 1 may not name 120, the contract as bid: it is kept by pass"),
        (f"core | {GIVEN}", "225", "A3: seat 1 may not name 225, which is over the 220"),
        (f"core | {DEAL} | bid 1:120 2:p 0:p", "hT", "N2: seat 1 does not hold hT; legal: sQ, sT, sA, cJ, cT,"),
        (f"core | {DEAL} | bid 1:120 2:p 0:p", "pass", "N2: pass is no action of the phase exchange"),
        (f"classic | {DEAL} | bid 1:100 2:p 0:p", "hA", "T2: hA is no action of the phase talon; legal: show, keep"),
        (f"core | {DEAL}", "hA", "N2: hA is no action of the phase auction"),
        (f"core | {DEAL}", "redeal", "N2: redeal is no action of the phase auction"),
        (f"core | {LEAD}", "120", "N2: 120 is no action of the phase play"),
        (f"core | {LEAD}", "hA", "N2: seat 0 does not hold hA; legal: cT, cA, dT, dA, h9, hJ, hQ, hK"),
        (f"core | {LEAD}", "hQ+", "M5: seat 0 may not declare hQ+: it has won no trick yet; legal: cT"),
        (f"classic | {LEAD}", "hQ+", "M5: seat 0 may not declare hQ+: it has won no trick yet"),
        (f"core | {LEAD}", "hK+", "M2: seat 0 may not declare hK+: a marriage is declared with its queen"),
        (f"core | {LEAD}", "cA+", "M7: seat 0 may not declare cA+: the ace marriage is not played"),
        (
            f"core | {LEAD} | 0:dA d9 dJ | 0:hJ hT",
            "dQ+",
            "M2: seat 2 may not declare dQ+: a marriage is declared on lead",
        ),
        (f"core | {LEAD} | 0:dA", "cK", "P2: seat 1 may not play cK: it holds d, the suit led; legal: d9"),
        (f"core | {RUFF}", "dQ", "P2: seat 2 may not play dQ: out of h, it must trump with s; legal: sJ"),
    ],
)
def test_an_illegal_action_names_its_rule_and_changes_nothing(position: str, action: str, message: str) -> None:
    game = Game.from_position(position)
    before = game.position()
    with pytest.raises(IllegalAction, match=f"^{re.escape(message)}"):
        game.play(action)
    assert game.position() == before


def test_a_queen_alone_declares_nothing() -> None:
    game = Game.from_position("core | deal 2 hKQJ9dATcAQ/hATd9cKsATKQ/dKQJcTJ9sJ9 - | play 0:120 | 0:dA d9 dJ")
    with pytest.raises(IllegalAction, match=r"^M2: seat 0 may not declare cQ\+: it does not hold king and queen of c"):
        game.play("cQ+")


@pytest.mark.parametrize("action", [-1, 114, 10_000, -100])
def test_a_number_out_of_range_is_no_action(action: int) -> None:
    with pytest.raises(
        IllegalAction, match=f"^N2: there is no action {action}: they are numbered 0 to 113; legal: 100"
    ):
        Game().play(action)


def test_a_finished_deal_takes_no_action() -> None:
    game = random_game("core", 1, 0)
    while game.phase != "scored":
        game.play(game.legal_actions()[0])
    with pytest.raises(IllegalAction, match=r"^N2: nobody may act: the deal is scored; legal: nothing"):
        game.play("100")


def test_a_text_that_is_no_action_is_refused() -> None:
    with pytest.raises(NotationError, match="action 'fold': expected a card"):
        Game().play("fold")


# -- a deal ----------------------------------------------------------------------------------------------------------


def test_a_deal_goes_from_the_auction_to_its_score() -> None:
    game = Game("core", seed=13)
    assert (game.phase, game.turn, game.winner, game.totals) == ("auction", 1, None, [0, 0, 0])
    act(game, "120 pass pass cJ sQ 185 hA hT d9 hQ+ cJ dQ hK dJ c9 hJ sJ s9 h9 dK cQ sA sK sQ sT dT cK")
    assert (game.phase, game.deal_points, game.score) == ("play", [0, 188, 0], [0, 0, 0])
    act(game, "cT dA cA")
    assert (game.phase, game.turn, game.deal_points) == ("scored", None, [32, 188, 0])
    assert (game.score, game.totals, game.events) == ([30, 185, 0], [30, 185, 0], ["bolt 2"])
    assert (
        game.transcript() == write(*read(GOLDEN.joinpath("D1_address.txt").read_text())) + "bolt  2\ntotal 30 185 0\n"
    )


def test_the_match_of_an_address_is_always_the_same() -> None:
    assert Game("core", seed=4, match=2).position() == Game("core", seed=4, match=2).position()
    assert Game("core", seed=4, match=2).position() != Game("core", seed=4, match=3).position()


def test_the_next_deal_is_dealt_on_demand_by_the_next_seat() -> None:
    game = random_game("core", 2, 0)
    with pytest.raises(IllegalAction, match=r"^S2: the next deal was asked for in the phase auction"):
        game.next_deal()
    while game.phase != "scored":
        game.play(game.legal_actions()[-1])
    totals = game.totals
    game.next_deal()
    assert (game.phase, game.totals, game.states[0].deal) == ("auction", totals, 1)
    assert game.score == [0, 0, 0]


def test_a_match_is_over_when_somebody_has_won() -> None:
    game = Game.from_position(
        "classic | totals 880 300 -40 barrel 5.1 - - | deal 2 hATKQJ9dAT/dKQJ9cATKQ/cJ9sATKQJ9 - | play 0:125"
    )
    act(game, "hA d9 c9 hQ+ dQ cJ hK dK sJ hJ dJ sQ h9 cK sK hT cQ sT dA cT s9 dT cA sA")
    assert (game.phase, game.winner, game.totals) == ("over", 0, [1005, 300, -40])
    assert game.events == ["bolt 1", "bolt 2", "win 0"]
    with pytest.raises(IllegalAction, match=r"^S2: the next deal was asked for in the phase over"):
        game.next_deal()


# -- undo, copy, pickle ----------------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.integers(0, 1 << 32), st.integers(1, 90))
def test_undo_takes_a_game_back_step_by_step(seed: int, steps: int) -> None:
    rng = random.Random(seed)
    game, seen = random_start(random_rules(rng), rng), list[tuple[bytes, str, int]]()
    for _ in range(steps):
        if game.phase == "over":
            break
        if game.phase == "scored":
            game.next_deal()
        before = game.states.tobytes(), game.transcript()
        action = play_on(game, rng)
        if action is not None:
            seen.append((*before, action))
    for states, transcript, action in reversed(seen):
        assert game.undo() == action
        assert (game.states.tobytes(), game.transcript()) == (states, transcript)
    with pytest.raises(IllegalAction, match="nothing to undo"):
        game.undo()


def test_undo_goes_back_over_a_deal_nobody_has_acted_in() -> None:
    game = random_game("core", 6, 0)
    played: list[tuple[int, str]] = []
    while game.phase != "scored":
        played.append((game.legal_actions()[0], game.position()))
        game.play(played[-1][0])
    game.next_deal()
    assert (game.undo(), game.position()) == played[-1]


def test_undo_begins_where_the_deal_of_a_position_began() -> None:
    game = Game.from_position(f"core | {RUFF}")
    texts = [action_text(game.undo()) for _ in range(10)]
    assert texts == ["hT", "hJ", "s9", "sQ+", "c9", "hA", "hQ+", "dJ", "d9", "dA"]
    with pytest.raises(IllegalAction, match="nothing to undo"):
        game.undo()


def pickled(game: Game) -> Game:
    return pickle.loads(pickle.dumps(game))


COPIES: list[Callable[[Game], Game]] = [Game.copy, copy.copy, copy.deepcopy, pickled]


@pytest.mark.parametrize("copied", COPIES)
def test_a_copy_goes_its_own_way(copied: Callable[[Game], Game]) -> None:
    game = random_game("classic", 8, 20)
    other = copied(game)
    assert len(game.legal_actions()) > 0
    position, transcript = game.position(), game.transcript()
    assert (other.position(), other.transcript(), other.rules) == (position, transcript, game.rules)
    while other.legal_actions():
        other.play(other.legal_actions()[0])
    assert (game.position(), game.transcript()) == (position, transcript)


def test_the_states_of_a_game_are_a_copy() -> None:
    game = Game()
    game.states["turn"] = 7
    assert game.turn in (0, 1, 2)


# -- a table that fines, cards dealt again ---------------------------------------------------------------------------

NINES = "deal 2 hATKQdATK/hJ9dQJ9cT9/cAKQJsQJ9 sATK"  # seat 1 has three


@pytest.mark.parametrize(
    ("position", "action", "same_as"),
    [
        (f"core | {DEAL}", "pass", "100"),
        (f"core | {DEAL} | bid 1:120", "100", "pass"),
        (f"core | {GIVEN}", "400", "pass"),
        (f"core redeal_three_nines=offer | {NINES}", "redeal", "noredeal"),
        (f"core | {LEAD}", "hQ+", "hQ"),
        (f"core | {LEAD} | 0:dA", "cK", "d9"),
        (f"core | {RUFF}", "dQ", "sJ"),
    ],
)
def test_at_a_table_that_fines_an_illegal_action_counts_as_something_else(
    position: str, action: str, same_as: str
) -> None:
    preset, _, rest = position.partition(" | ")
    game, legal = (Game.from_position(f"{preset} enforcement=table | {rest}") for _ in range(2))
    seat = game.turn
    game.play(action)
    legal.play(same_as)
    assert game.offences == [int(other == seat) for other in range(3)]
    states = game.states
    states["offences"] = 0
    assert states.tobytes() == legal.states.tobytes()
    assert f"\noffence {seat} 1\n" in game.transcript()
    assert game.undo() == parse_action(action)
    assert game.offences == [0, 0, 0]


def test_a_write_off_that_is_not_allowed_only_costs_a_fine() -> None:
    game = Game.from_position(f"core enforcement=table | {DEAL} | bid 1:120 2:p 0:p")
    game.play("writeoff")
    assert (game.phase, game.turn, game.offences) == ("exchange", 1, [0, 1, 0])


@pytest.mark.parametrize(("action", "rule"), [("hA", "N2"), ("redeal", "N2"), ("show", "N2"), ("blind", "Z1")])
def test_what_is_no_action_at_all_is_refused_at_any_table(action: str, rule: str) -> None:
    game = Game.from_position(f"core enforcement=table | {DEAL}")
    with pytest.raises(IllegalAction, match=f"^{rule}: "):
        game.play(action)
    assert game.offences == [0, 0, 0]


def test_a_claim_brings_the_next_attempt_at_the_deal() -> None:
    game = Game.from_position("core redeal_three_nines=offer | deal 0 dQ9cAKQ9s9/hAKQJ9cJsA/hTdATKJsKJ cTsTQ 13#0/0.0")
    act(game, "noredeal noredeal")
    position, transcript = game.position(), game.transcript()
    act(game, "redeal")
    assert (game.phase, game.turn, game.totals) == ("claim", 1, [0, 0, 0])
    assert " redeals 1 | deal 0 " in game.position()
    assert game.position().endswith(" 13#0/0.1")
    assert game.transcript().splitlines()[2:5] == ["redeal 0", "", "deal  0" + game.position().partition("deal 0")[2]]
    assert action_text(game.undo()) == "redeal"
    assert (game.position(), game.transcript()) == (position, transcript)


def test_the_next_deal_follows_the_attempt_that_was_played() -> None:
    game = Game("core dealer_errors=60", seed=1)
    while game.phase != "scored":
        game.play(game.legal_actions()[-1])
    game.next_deal()
    assert (int(game.states[0].deal), int(game.states[0].dealer)) == (1, int(Game(seed=1).states[0].dealer + 1) % 3)
    (record,) = read(game.transcript())
    assert record.states[1:].tobytes() == game.states.tobytes()


# -- text ------------------------------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.integers(0, 1 << 32), st.integers(0, 120))
def test_a_game_goes_through_its_texts(seed: int, steps: int) -> None:
    rng = random.Random(seed)
    game = random_start(random_rules(rng), rng)
    for _ in range(steps):
        if game.phase != "over":
            play_on(game, rng)
    assert Game.from_position(game.position()).states.tobytes() == game.states.tobytes()
    (record,) = read(game.transcript())
    assert record.states[-1:].tobytes() == game.states.tobytes()
    assert write(record) == game.transcript()
    again = eval(repr(game), {"Game": Game})
    assert again.position() == game.position()
    assert write(*read(again.transcript())) == again.transcript()


def test_a_position_may_be_one_seats_view() -> None:
    assert Game("core", seed=13).position(seat=1) == "core | deal 0 ?/hAKQJ9cJsA/? ?"


def test_the_board_shows_the_table() -> None:
    text = str(Game.from_position(f"core | {RUFF}"))
    assert text.splitlines()[:6] == [
        "core: deal 0, seat 2 deals, phase play",
        "play   0:120",
        "1.     0:dA d9 dJ -> 0",
        "2.     0:hQ+100 hA c9 -> 1",
        "3.     1:sQ+40 s9 hJ -> 1",
        "4.     1:hT",
    ]
    assert "trump  s" in text
    assert re.search(r"^0 D +hK9dTcAT +1 +113 +0 +0 +-$", text, re.M)
    assert re.search(r"^2 \* +dKQcQJsJ +0 +0 +0 +0 +-$", text, re.M)
