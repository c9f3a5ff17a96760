"""Positions of every phase of the book, at two, three and four seats: written, seen by one seat, refused."""

import random
import re
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.random_matches import random_action, random_game, random_rules
from thousand_env.errors import IllegalAction, NotationError
from thousand_env.game import Game
from thousand_env.layout import Address, drawn
from thousand_env.notation import parse_position, parse_set, position_text, set_text
from thousand_env.spelling import deal_text
from thousand_env.state import NONE, PHASE_NAMES
from thousand_env.view import look

# Seat 0 is forehand and holds hearts with the marriage; the talon has two nines.
DEAL = "deal 2 hATKQJ9dA/dKQJcATKQ/cJsATKQJ9 dT9c9"
# Three nines with seat 1, five points with seat 2.
LOW = "deal 2 hATKQdATK/h9JdQJ9c9T/cAKQJsQJ9 sATK"
TWO = "deal 1 hATKQJ9dATKQ/cATKQJ9sATKQ dJ9+sJ9"
FOUR = "deal 3 hATKQJ9dA/dKQJcATKQ/cJsATKQJ9/- dT9c9"
GIVEN = f"{DEAL} | bid 0:105 1:p 2:p | give 0>1:d9 0>2:c9"


@pytest.mark.parametrize(
    ("line", "phase", "turn"),
    [
        # What comes before the auction.
        (f"classic | {DEAL}", "blind", 0),
        (f"classic | {DEAL} | look", "claim", 0),
        (f"classic | {DEAL} | noredeal 0", "claim", 1),
        (f"classic | {DEAL} | noredeal 0 1 2", "auction", 0),
        (f"classic | {DEAL} | bid 0:100", "auction", 1),
        (f"classic | {DEAL} | blind", "auction", 1),
        (f"classic | {DEAL} | blind | bid 1:125", "auction", 2),
        (f"classic | {DEAL} | blind | bid 1:125 2:p", "auction", 0),
        (f"classic | {DEAL} | blind | bid 1:p 2:p", "exchange", 0),
        (f"core blind=yes | {DEAL} | look", "auction", 0),
        (f"tysiac | {DEAL} | noredeal 0 1", "claim", 2),
        # Who is kept out passes when his turn comes.
        (f"core negative_auction=barred | totals -5 0 0 | {DEAL}", "auction", 1),
        (f"core negative_auction=barred | totals -5 0 0 | {DEAL} | bid 0:p 1:100", "auction", 2),
        (f"core negative_auction=others_pass | totals 0 0 -5 | {DEAL} | bid 0:p 1:p 2:120", "exchange", 2),
        (f"core negative_auction=others_pass | totals -5 0 -5 | {DEAL} | bid 0:100 1:p", "auction", 2),
        # The talon, claims on it, giving up.
        (f"classic | {DEAL} | bid 0:105 1:p 2:p", "claim", 0),
        (f"classic | {DEAL} | bid 0:105 1:p 2:p | noredeal 0", "exchange", 0),
        (f"classic | {DEAL} | bid 0:100 1:p 2:p", "talon", 0),
        (f"classic | {DEAL} | bid 0:100 1:p 2:p | talon open", "claim", 0),
        (f"classic | {DEAL} | bid 0:100 1:p 2:p | talon open | noredeal 0", "exchange", 0),
        (f"classic | {DEAL} | bid 0:100 1:p 2:p | talon closed", "exchange", 0),
        (f"classic | {DEAL} | bid 0:105 1:p 2:p | give 0>1:d9", "exchange", 0),
        (
            f"classic | totals -105 55 55 writeoffs 1 0 0 | {DEAL} | bid 0:105 1:p 2:p | writeoff"
            " | scored -105 +55 +55",
            "scored",
            -1,
        ),
        (
            f"core baptism=yes | bolts 0 1 2 baptised 1 0 0 | {DEAL} | bid 0:105 1:p 2:p | baptise"
            " | scored 0 0 0 bolt 1 bolt 2",
            "scored",
            -1,
        ),
        # Contracts nobody bid for.
        (f"core golden=yes | {DEAL}", "exchange", 0),
        (f"core golden=yes | {DEAL} | give 0>1:d9 0>2:c9 | play 0:120", "play", 0),
        (f"core golden=yes | deals 4 golden 0 1 1 over | {DEAL}", "auction", 0),
        (f"core barrel_auction=granted | totals 0 880 0 barrel - 1.0 - | {DEAL}", "exchange", 1),
        (
            f"core barrel_auction=granted | totals 0 880 0 barrel - 1.0 - | {DEAL} | give 1>2:d9 1>0:c9 | play 1:121",
            "play",
            1,
        ),
        (f"classic barrel_auction=granted | totals 0 880 0 barrel - 1.0 - | {DEAL} | noredeal 0 1 2", "claim", 1),
        (f"classic barrel_auction=granted | totals 0 880 0 barrel - 1.0 - | {DEAL} | noredeal 0 1 2 1", "exchange", 1),
        # Bonuses: the sheet has them too.
        (f"core bonus_hands=1 | bonuses - 1.0.0 - | {DEAL} | bid 0:100 | bonus 1:hands", "auction", 1),
        (
            f"core bonus_suits=1 bonus_card=2 | bonuses 0.0.2 - 0.1.0 | {DEAL} | bonus 0:card1 0:card3 | bid 0:100 1:p"
            " | bonus 2:suits | bid 2:p",
            "exchange",
            0,
        ),
        (f"classic bonus_hands=1 | bonuses - 1.0.0 - | {DEAL} | bonus 1:hands | noredeal 0", "claim", 1),
        (f"classic bonus_hands=1 | bonuses - 1.0.0 - | {DEAL} | bonus 1:hands | noredeal 0 1", "claim", 2),
        # What the sheet tells of the deal.
        (f"classic | redeals 2 | {DEAL} | look", "claim", 0),
        (f"classic | totals 0 0 -120 attempt 3 early 0 0 120 | {DEAL}", "blind", 0),
        (f"core enforcement=table | offences 0 2 0 | {DEAL}", "auction", 0),
        (f"core reverse_barrel=750 | deals 2 totals 0 0 -900 reverse 0 0 2 | {DEAL}", "auction", 0),
        # Two and four seats.
        (f"core players=2 | {TWO} | bid 0:100 1:p", "talon", 0),
        (f"core players=2 | {TWO} | bid 0:100 1:p | talon B", "exchange", 0),
        (f"classic players=2 | {TWO} | bid 0:100 1:p | talon B closed", "exchange", 0),
        (f"core players=2 | {TWO} | bid 0:100 1:p | talon A | give 0>1:d9", "contract", 0),
        ("core players=2 | deal 1 hATKQJ9dATKQJ/cATKQJ9sATKQJ -+d9s9 | play 0:120 | 0:hA cJ", "play", 0),
        (f"core players=4 | {FOUR} | bid 0:100 1:p", "auction", 2),
        (f"core players=4 | deals 7 totals 0 0 880 0 barrel - - 5.1 - | {FOUR}", "auction", 0),
        (
            "core players=4 | deal 1 hATKQJ9dAT/-/dKQJ9cATKQ/cJ9sATKQJ9 - | play 2:120 | 2:cA cJ dT | 2:cT c9 dA",
            "play",
            2,
        ),
        # From the first lead.
        ("classic | deal 2 hATKQJ9dAT/dKQJ9cATKQ/cJ9sATKQJ9 - | blind | play 0:120", "play", 0),
    ],
)
def test_a_position_stops_where_its_line_stops(line: str, phase: str, turn: int) -> None:
    states, rules = parse_position(line)
    assert (PHASE_NAMES[int(states[0].phase)], int(states[0].turn)) == (phase, turn)
    written = position_text(states[0], rules)
    assert written == line
    assert parse_position(written)[0].tobytes() == states.tobytes()


@pytest.mark.parametrize(
    ("line", "canonical"),
    [
        (f"classic | {DEAL} | look | noredeal 0 1 2 | bid 0:100", f"classic | {DEAL} | bid 0:100"),
        (
            f"classic | {DEAL} | bid 0:105 1:p 2:p | noredeal 0 | give 0>1:d9",
            f"classic | {DEAL} | bid 0:105 1:p 2:p | give 0>1:d9",
        ),
        (
            f"core negative_auction=barred | totals -5 0 0 | {DEAL} | bid 1:100",
            f"core negative_auction=barred | totals -5 0 0 | {DEAL} | bid 0:p 1:100",
        ),
        (
            f"core players=2 | {TWO.replace('dJ9+sJ9', 'd9J+s9J')}",
            f"core players=2 | {TWO.replace('dJ9+sJ9', 'd9J+s9J')}",
        ),
    ],
)
def test_what_a_later_line_tells_need_not_be_written(line: str, canonical: str) -> None:
    states, rules = parse_position(line)
    assert position_text(states[0], rules) == canonical


# -- one seat's view -------------------------------------------------------------------------------------------------

HIDDEN = "deal 2 ?/?/? ?"
SEEN_0 = "deal 2 hATKQJ9dA/?/? ?"


@pytest.mark.parametrize(
    ("line", "seat", "view"),
    [
        (f"classic | {DEAL}", 0, f"classic | {HIDDEN}"),
        (f"classic | {DEAL}", 1, f"classic | {HIDDEN}"),
        (f"classic | {DEAL} | look", 0, f"classic | {SEEN_0} | look"),
        (f"classic | {DEAL} | blind", 0, f"classic | {HIDDEN} | blind"),
        (f"classic | {DEAL} | blind", 1, "classic | deal 2 ?/dKQJcATKQ/? ? | blind"),
        (f"classic | {DEAL} | blind | bid 1:125", 0, f"classic | {SEEN_0} | blind | bid 1:125"),
        (
            f"classic | {DEAL} | blind | bid 1:p 2:p",
            0,
            "classic | deal 2 hATKQJ9dA/?/? dT9c9 | blind | bid 1:p 2:p",
        ),
        (f"classic | {DEAL} | blind | bid 1:p 2:p", 1, "classic | deal 2 ?/dKQJcATKQ/? ? | blind | bid 1:p 2:p"),
        # The dealer of four sees the talon and no hand.
        (f"core players=4 | {FOUR}", 3, "core players=4 | deal 3 ?/?/?/- dT9c9"),
        (f"core players=4 | {FOUR}", 0, "core players=4 | deal 3 hATKQJ9dA/?/?/- ?"),
        (
            f"core players=4 exchange=closed | {FOUR} | bid 0:100 1:p 2:p | give 0>1:d9",
            3,
            "core players=4 exchange=closed | deal 3 ?/?/?/- dT9c9 | bid 0:100 1:p 2:p | give 0>1:?",
        ),
        # Of two talons the one that was picked, to whom it was shown.
        (f"core players=2 | {TWO} | bid 0:105 1:p", 0, "core players=2 | deal 1 hATKQJ9dATKQ/? ?+? | bid 0:105 1:p"),
        (
            f"core players=2 | {TWO} | bid 0:105 1:p | talon B",
            1,
            "core players=2 | deal 1 ?/cATKQJ9sATKQ ?+sJ9 | bid 0:105 1:p | talon B",
        ),
        (
            f"core players=2 | {TWO} | bid 0:100 1:p | talon B",
            1,
            "core players=2 | deal 1 ?/cATKQJ9sATKQ ?+? | bid 0:100 1:p | talon B",
        ),
        # Bonuses are known to who used them.
        (
            f"core bonus_hands=1 | bonuses - 1.0.0 - | {DEAL} | bid 0:100 | bonus 1:hands",
            1,
            f"core bonus_hands=1 | bonuses ? 1.0.0 ? | {DEAL[:-5]}? | bid 0:100 | bonus 1:hands",
        ),
        (
            f"core bonus_hands=1 | bonuses - 1.0.0 - | {DEAL} | bid 0:100 | bonus 1:hands",
            2,
            "core bonus_hands=1 | bonuses ? ? - | deal 2 ?/?/cJsATKQJ9 ? | bid 0:100",
        ),
        (
            f"core bonus_suits=1 bonus_card=1 | bonuses 0.1.1 - - | {DEAL} | bonus 0:suits 0:card2",
            0,
            f"core bonus_suits=1 bonus_card=1 | bonuses 0.1.1 ? ? | {SEEN_0[:-1]}d9?(c1d2) | bonus 0:suits 0:card2",
        ),
    ],
)
def test_a_seat_sees_what_it_knows(line: str, seat: int, view: str) -> None:
    states, rules = parse_position(line)
    assert position_text(states[0], rules, seat=seat) == view


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.integers(0, 1 << 32))
def test_the_text_of_a_view_is_what_the_view_says(seed: int) -> None:
    rng = random.Random(seed)
    game = random_game(random_rules(rng), rng)
    for _ in range(rng.randrange(60)):
        if game.phase not in ("scored", "over"):
            with suppress(IllegalAction):
                game.play(random_action(game, rng))
    states, rules, players = game.states, game.rules, game.rules.players
    for seat in range(players):
        seen = look(states, rules.array(), np.array([seat]))[0]
        parts = [part.split() for part in game.position(seat).split(" | ")]
        deal = next(part for part in parts if part[0] == "deal")
        hands, talon = deal[2].split("/"), re.sub(r"[?+]|\(.*\)", "", deal[3])
        sits_out = players == 4 and seat == states[0].dealer
        assert hands[seat] == ("-" if sits_out else set_text(int(seen.dealt)) if seen.dealt else "?")
        peeked = bool(states[0].peeks[seat] & 1)
        others = [hand for other, hand in enumerate(hands) if other not in (seat, states[0].dealer)]
        assert all((hand != "?") == peeked for hand in others)
        if game.phase not in ("scored", "over"):
            assert (parse_set(talon) if talon else 0) == seen.talon
        shown = [entry for part in parts if part[0] == "give" for entry in part[1:] if "?" not in entry]
        assert len(shown) == sum(gift != NONE for gift in seen.gifts)


# -- refusals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            f"core redeal_three_nines=force | {LOW}",
            "found the hand of seat 1 with redeal_three_nines=force, expected one that is not dealt again (R2)",
        ),
        (
            f"core redeal_talon_nines=force barrel_auction=granted | totals 880 0 0 barrel 1.0 - - | {DEAL}",
            "found a talon with redeal_talon_nines=force, expected one that is not dealt again (R6)",
        ),
        (
            f"core redeal_talon_nines=force | {DEAL} | bid 0:105 1:p 2:p",
            "found nothing more, expected redeal: the cards are dealt again, and so another position",
        ),
        (
            f"core redeal_talon_nines=force | {DEAL} | bid 0:105 1:p 2:p | give 0>1:d9",
            "found 'give 0>1:d9', expected redeal: the cards are dealt again",
        ),
        (f"classic | {LOW} | redeal 1", "found 'redeal 1', expected blind, or that he looks, by seat 0"),
        (f"core enforcement=table | {DEAL} | offence 0 1", "found 'offence 0 1', expected a bid by seat 0: the sheet"),
        (f"core | {DEAL} | blind", "found 'blind', expected a bid by seat 0"),
        (f"classic | {DEAL} | bid 0:100 | look", "found 'look', expected a bid by seat 1"),
        (f"classic | {DEAL} | noredeal 1", "found 'noredeal 1', expected a claim or none by seat 0"),
        (f"core | {DEAL} | noredeal 0", "found 'noredeal 0', expected a bid by seat 0"),
        (f"core | {DEAL} | bonus 0:hands", "found a bonus of seat 0, expected it among the bonuses used on the sheet"),
        (f"core | {DEAL} | bonus 0:aces", "found a bonus of seat 0, expected it among the bonuses used"),
        (
            f"core bonus_hands=1 | bonuses - 1.0.0 - | {DEAL} | bonus 1:hands",
            "found 'bonus 1:hands', expected a bid by seat 0",
        ),
        (
            f"core bonus_hands=1 | bonuses - 2.0.0 - | {DEAL}",
            "found 2 of bonus_hands used by seat 1, expected at most 1",
        ),
        (f"core | bonuses x - - | {DEAL}", "found 'x', expected - or hands.suits.card"),
        (
            f"core | {DEAL} | bid 0:105 1:p 2:p | writeoff",
            "found writeoff, expected a gift by seat 0 to seat 1: c9, d9",
        ),
        (f"core golden=yes | {DEAL} | bid 0:120", "found 'bid 0:120', expected a gift by seat 0 to seat 1"),
        (f"core golden=yes | deals 3 | {DEAL}", "found golden deals not over after 3 deals, expected them golden over"),
        (
            f"core golden=yes | golden 1 0 0 | {DEAL}",
            "found 1 golden deals made, expected at most 0 after 0 deals (G1)",
        ),
        (f"core | golden 0 0 0 over | {DEAL}", "found golden deals, expected none: the table plays none (G1)"),
        (f"core | writeoffs 1 0 0 | {DEAL}", "found 1 write-offs of seat 0, expected 0 (W1)"),
        (f"classic | writeoffs 4 0 0 | {DEAL}", "found 4 write-offs of seat 0, expected at most 3 (W2)"),
        (
            f"classic | baptised 1 0 0 | {DEAL}",
            "found seat 0 baptised, expected nobody: the table does not play it (W4)",
        ),
        (f"core | reverse 1 0 0 | {DEAL}", "found 1 as the reverse barrel of seat 0 with 0, expected 0 (L9)"),
        (
            f"core reverse_barrel=500 | deals 3 totals -900 0 0 | {DEAL}",
            "found 0 as the reverse barrel of seat 0 with -900, expected 1 to 3 (L9)",
        ),
        (
            f"core reverse_barrel=500 | totals -1000 0 0 | {DEAL}",
            "found total -1000 of seat 0, expected more than -1000, which loses the match (L9)",
        ),
        (f"core | redeals 1 | {DEAL}", "found 1 redeals in a row, expected at most 0 (R10)"),
        (f"classic | redeals 3 | {DEAL}", "found 3 redeals in a row, expected at most 2 (R10)"),
        (f"core | attempt 1 | {DEAL}", "found attempt 1, expected 0: nothing is dealt again at this table (R9, D3)"),
        (f"core | early 120 0 0 | {DEAL}", "found 120 points of early fines of seat 0, expected 0"),
        (f"classic | early 100 0 0 | {DEAL}", "found 100 points of early fines of seat 0, expected a multiple of 120"),
        (f"core | offences 1 0 0 | {DEAL}", "found 1 offences of seat 0, expected at most 0 (N2)"),
        (
            f"core barrel_at=0 dump_truck=0 | totals 1001 0 0 | {DEAL}",
            "found total 1001 of seat 0, expected less than 1001 (E1)",
        ),
        # Seats.
        (f"core players=4 | {DEAL}", "found 3 hands, expected 4 with / between them"),
        (
            f"core players=4 | {FOUR.replace('deal 3', 'deal 2')}",
            "found 7 cards in the hand of seat 2, who deals, expected none",
        ),
        (
            f"core players=2 | {TWO.replace('+', '')}",
            "found the talon 'dJ9sJ9', expected two talons with + between them",
        ),
        (f"core | {DEAL.replace('dT9c9', 'dT9+c9')}", "found the talon 'dT9+c9', expected one talon"),
        (f"core players=2 | {TWO.replace('dJ9+sJ9', 'dJ+d9sJ9')}", "found 1 cards in talon A, expected 2 (H1)"),
        (
            f"core players=2 | {TWO.replace('dJ9', '-')}",
            "found 'the end', expected play seat:contract after eleven cards",
        ),
        (f"core players=2 | {TWO} | bid 0:100 1:p | talon open", "found 'talon open', expected talon A or talon B"),
        (f"core players=4 | {FOUR} | bid 0:100 1:p 3:p", "found '3:p', expected a bid by seat 2"),
        (
            f"core players=4 | deals 7 totals 0 0 880 0 barrel - - 5.2 - | {FOUR}",
            "found 2 attempts of seat 2 on the barrel, expected 1, for every deal it played (L4)",
        ),
        (
            f"core players=4 | deals 9 totals 0 0 0 880 barrel - - - 5.4 | {FOUR}",
            "found 4 attempts of seat 3, who is on the barrel, expected 3: every deal it plays uses one (L4)",
        ),
        # From the first lead.
        (
            "core golden=yes | deal 2 hATKQJ9dAT/dKQJ9cATKQ/cJ9sATKQJ9 - | play 1:120",
            "found contract 120 of seat 1, expected 120 of forehand, seat 0 (G1)",
        ),
        (
            "core | deal 2 hATKQJ9dAT/dKQJ9cATKQ/cJ9sATKQJ9 - | blind | play 0:120",
            "found blind, expected a bid: forehand may not go blind here (Z1)",
        ),
        (
            "core barrel_auction=granted | totals 0 880 0 barrel - 1.0 - | deal 2 hATKQJ9dAT/dKQJ9cATKQ/cJ9sATKQJ9 -"
            " | play 1:125",
            "found contract 125 of seat 1, expected 121 of seat 1 (L7)",
        ),
        (
            "core negative_auction=barred | totals 0 -5 0 | deal 2 hATKQJ9dAT/dKQJ9cATKQ/cJ9sATKQJ9 - | play 1:125",
            "found contract 125 of seat 1, expected a seat that may bid, by its total (A5)",
        ),
        (
            "core players=4 dealer_scores=talon | deal 1 hATKQJ9dAT/-/dKQJ9cATKQ/cJ9sATKQJ9 - | play 2:120",
            "expected the talon, whose points the dealer scores (F3)",
        ),
    ],
)
def test_a_position_that_cannot_come_about_is_refused(line: str, message: str) -> None:
    with pytest.raises(NotationError, match=re.escape(message)):
        parse_position(line)


def test_a_dealer_who_errs_at_an_address_deals_no_cards_there() -> None:
    game = Game("core dealer_errors=50", seed=2)
    assert "attempt" not in game.position()
    assert " early " in game.position()
    assert Game.from_position(game.position()).states.tobytes() == game.states.tobytes()
    erred = drawn(Address(2, 0, 0, 0), int(game.states[0].dealer), game.rules)
    with pytest.raises(
        NotationError, match=re.escape("found the address 2#0/0.0, expected another attempt: the dealer errs")
    ):
        parse_position(f"core dealer_errors=50 | {deal_text(erred)}")
