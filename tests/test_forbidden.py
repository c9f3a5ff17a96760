"""Why not: every kind of action that is refused names the rule that forbids it."""

import random
import re
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.random_matches import random_action, random_game, random_rules
from thousand_env.actions import PASS, is_bid
from thousand_env.errors import IllegalAction
from thousand_env.forbidden import forbidden_by
from thousand_env.game import Game

# Seat 0 is forehand and holds hearts with the marriage; the talon has two nines.
DEAL = "deal 2 hATKQJ9dA/dKQJcATKQ/cJsATKQJ9 dT9c9"
TAKEN = f"{DEAL} | bid 0:105 1:p 2:p"
SITTER, OTHER_SITS = "deals 3 totals 880 0 0 barrel 3.0 - -", "deals 3 totals 0 880 0 barrel - 3.0 -"
TWO = "deal 1 hATKQJ9dATKQ/cATKQJ9sATKQ dJ9+sJ9 | bid 0:100 1:p"
ACES = "deal 2 hATdATcATsAT/hKQJ9dKQJ9/cKQJ9sKQJ9 - | play 0:120"
# Seat 1 can beat the ten of hearts with the ace.
BEAT = "deal 2 hTKQJdATcJ9/hA9d9cKQsATK/dKQJcATsQJ9 - | play 0:120"
# Hearts are trump; seat 2 ruffs the spade that seat 0 cannot follow either.
RUFFED = "deal 2 hAKQcTKQJ9/h9cAsATKQJ9/hTJdATKQJ9 - | play 0:120 | 0:hQ+100 h9 hJ | 0:cT cA d9 | 1:sA hT"


@pytest.mark.parametrize(
    ("position", "action", "message"),
    [
        # Going blind.
        (f"core | {DEAL}", "blind", "Z1: seat 0 may not go blind: it is not played"),
        (f"classic | {DEAL}", "100", "Z1: 100 is no action of the phase blind; legal: blind, look"),
        (f"classic | {DEAL} | look", "blind", "Z1: seat 0 may not go blind: that is said before anybody looks"),
        (f"classic | {DEAL} | bid 0:100", "blind", "Z1: seat 1 may not go blind: only forehand may, seat 0"),
        (f"classic | {SITTER} | {DEAL}", "blind", "Z1: seat 0 may not go blind: it sits on the barrel"),
        (
            f"classic negative_auction=barred | totals -5 0 0 | {DEAL}",
            "blind",
            "A5: seat 0 may not go blind: its total keeps it out of the auction",
        ),
        (
            f"classic barrel_auction=granted | {OTHER_SITS} | {DEAL}",
            "blind",
            "L7: seat 0 may not go blind: a sitter is granted the contract",
        ),
        # Claims.
        (
            f"classic | {DEAL} | look",
            "redeal",
            "R9: seat 0 may not claim a redeal: its hand meets none of redeal_forehand_nines (R1), redeal_four_nines",
        ),
        (f"classic | {DEAL} | look", "100", "R9: 100 is no action of the phase claim; legal: noredeal"),
        (f"classic | {DEAL} | bid 0:100", "redeal", "R9: seat 1 may not claim a redeal: all seats were asked before"),
        (f"classic | {DEAL} | blind", "redeal", "R9: seat 1 may not claim a redeal: who goes blind cancels claims"),
        (f"core | {DEAL}", "redeal", "N2: redeal is no action of the phase auction"),
        (f"core | {TAKEN}", "redeal", "N2: redeal is no action of the phase exchange"),
        (f"online | {DEAL} | bid 0:100 1:p 2:p", "redeal", "R9: seat 0 may not claim a redeal: the talon has not been"),
        (f"classic | {TAKEN} | noredeal 0", "redeal", "R9: seat 0 may not claim a redeal: the talon meets none of"),
        (f"classic | {TAKEN} | give 0>1:d9", "redeal", "R9: seat 0 may not claim a redeal: it has given a card"),
        (f"classic golden=yes | {DEAL}", "redeal", "R9: seat 0 may not claim a redeal: golden deals know no redeals"),
        # Bidding.
        (f"core | {SITTER} | {DEAL}", "120", "L3: seat 0 may not bid 120, from the barrel only a contract of 121 or"),
        (
            f"core | {SITTER} | {DEAL} | bid 0:100 1:p 2:p | give 0>1:d9 0>2:c9",
            "105",
            "L3: seat 0 may not name 105, from the barrel only a contract of 121 or more counts",
        ),
        # The talon.
        (f"core | {TAKEN}", "keep", "T2: seat 0 may not keep the talon: it is shown already"),
        (f"core | {DEAL} | bid 0:100 1:p 2:p", "show", "T2: seat 0 may not show the talon: it is not for the declarer"),
        (f"core | {TAKEN}", "talonA", "H3: seat 0 may not pick talonA: there is one talon"),
        (f"core players=2 | {TWO}", "show", "H3: seat 0 may not show the talon: it picks one of two first"),
        (f"core players=2 | {TWO}", "hA", "H3: hA is no action of the phase talon; legal: talonA, talonB"),
        (f"core players=2 | {TWO} | talon A", "talonB", "H3: seat 0 may not pick talonB: it has picked talon A"),
        (f"core players=2 | {TWO} | talon A", "hA", "H3: seat 0 may not give hA: it gives one of the two cards"),
        (f"core players=2 | {TWO} | talon A", "sJ", "N2: seat 0 does not hold sJ; legal: d9, dJ"),
        # Giving up.
        (f"core | {TAKEN}", "writeoff", "W1: seat 0 may not write off: it is not played"),
        (f"core | {TAKEN}", "baptise", "W4: seat 0 may not be baptised: it is not played"),
        (f"classic | {TAKEN} | give 0>1:d9", "writeoff", "T5: seat 0 may not write off: it has given a card"),
        (
            f"classic | writeoffs 3 0 0 | {TAKEN} | noredeal 0",
            "writeoff",
            "W2: seat 0 may not write off: it has written off 3 deals",
        ),
        (
            f"classic | {SITTER} | {DEAL} | bid 0:125 1:p 2:p | noredeal 0",
            "writeoff",
            "W3: seat 0 may not write off: it sits on the barrel",
        ),
        (
            f"classic | {OTHER_SITS} | {TAKEN} | noredeal 0",
            "writeoff",
            "W3: seat 0 may not write off: somebody sits on the barrel",
        ),
        (
            f"core baptism=yes | baptised 1 0 0 | {TAKEN}",
            "baptise",
            "W4: seat 0 may not be baptised: it has been in this match",
        ),
        (f"classic | {DEAL} | blind | bid 1:p 2:p", "writeoff", "Z2: seat 0 may not write off: it went blind"),
        (f"classic golden=yes | {DEAL}", "writeoff", "G1: seat 0 may not write off in a golden deal"),
        (f"classic | {DEAL} | bid 0:100", "writeoff", "N2: writeoff is no action of the phase auction"),
        # Bonuses.
        (f"core | {DEAL}", "bonus:hands", "X1: seat 0 may not use bonus:hands: it is not played"),
        (f"core bonus_card=9 | {DEAL}", "bonus:card4", "X1: seat 0 may not use bonus:card4: the talon has 3 cards"),
        (
            f"core bonus_hands=1 | bonuses 1.0.0 - - | {DEAL}",
            "bonus:hands",
            "X1: seat 0 may not use bonus:hands: it has",
        ),
        (
            f"core bonus_suits=2 | bonuses 0.1.0 - - | {DEAL} | bonus 0:suits",
            "bonus:suits",
            "X1: seat 0 may not use bonus:suits: it would tell nothing new",
        ),
        (f"core bonus_suits=2 | {TAKEN}", "bonus:suits", "X1: seat 0 may not use bonus:suits: bonuses are used before"),
        # Following suit and trumping.
        (f"core must_beat=yes | {BEAT} | 0:hT", "h9", "P2: seat 1 may not play h9: it must beat hT (must_beat)"),
        (f"core must_beat=yes | {BEAT} | 0:hT", "cK", "P2: seat 1 may not play cK: it holds h, the suit led"),
        *(
            (
                f"core marriage_first_lead=always must_trump=no must_overtrump=yes | {RUFFED}",
                card,
                f"P2: seat 0 may not play {card}: out of s, it must play a better trump than hT (must_overtrump)",
            )
            for card in ("hK", "c9")
        ),
        # Declaring.
        (
            f"core marriage_first_lead=always declare=automatic | {BEAT}",
            "hQ",
            "M2: seat 0 may not lead hQ silently: what can be declared is declared here",
        ),
        (f"online declare=automatic | {ACES} | 0:hA h9 c9", "dA", "M2: seat 0 may not lead dA silently"),
        (f"core marriage_first_lead=unbeatable | {BEAT}", "hQ+", "M5: seat 0 may not declare hQ+: it has won no trick"),
        (f"core declare_with=king_or_queen | {BEAT}", "hK+", "M5: seat 0 may not declare hK+: it has won no trick yet"),
        (f"core | {ACES}", "hA+", "M7: seat 0 may not declare hA+: the ace marriage is not played"),
        (f"online | {ACES}", "hA+", "M7: seat 0 may not declare hA+: it has won no trick yet"),
        (f"online | {ACES} | 0:hT", "hK+", "M2: seat 1 may not declare hK+: a marriage is declared on lead"),
        (
            f"online | {ACES} | 0:hA h9 c9 | 0:dA+200 d9 cJ",
            "cA+",
            "M7: seat 0 may not declare cA+: the ace marriage was",
        ),
        (f"online | {BEAT}", "dA+", "M7: seat 0 may not declare dA+: it was not given all four aces"),
        (f"online | {BEAT} | 0:hT", "hA+", "M7: seat 1 may not declare hA+: the ace marriage is declared on lead"),
    ],
)
def test_a_refusal_names_its_rule(position: str, action: str, message: str) -> None:
    game = Game.from_position(position)
    before = game.position()
    with pytest.raises(IllegalAction, match=f"^{re.escape(message)}"):
        game.play(action)
    assert game.position() == before


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.integers(0, 1 << 32))
def test_every_action_is_legal_or_has_a_reason(seed: int) -> None:
    rng = random.Random(seed)
    game = random_game(random_rules(rng), rng)
    for _ in range(rng.randrange(60)):
        if game.phase in ("scored", "over"):
            break
        with suppress(IllegalAction):
            game.play(random_action(game, rng))
    legal, before = game.legal_actions(), game.position()
    for action in {*range(-1, 115)} - {*legal}:
        rule, reason = forbidden_by(game.states, game.rules, action)
        assert re.fullmatch(r"[A-Z]\d+", rule)
        assert reason
        if game.phase in ("auction", "contract") and (is_bid(action) or action == PASS):
            assert rule in ("A1", "A2", "A3", "L3", "T4"), reason
    assert game.position() == before
