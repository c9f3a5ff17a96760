"""Text for sets and positions: round trips, what one seat sees, and what is refused."""

import random
import re
from contextlib import suppress
from importlib import resources

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.random_matches import TABLES, random_action, random_game, random_rules, random_start
from thousand_env import deck, engine
from thousand_env.cards import FULL_PACK, NUM_CARDS, card_name
from thousand_env.errors import IllegalAction, NotationError
from thousand_env.notation import parse_cards, parse_position, parse_set, position_text, set_text
from thousand_env.replay import Course
from thousand_env.rules import RuleSet
from thousand_env.spelling import cards_text, parse_address
from thousand_env.state import PHASE_NAMES, SCORED, check_state, new_states
from thousand_env.transcript import read

NOTATION_MD = resources.files("thousand_env").joinpath("NOTATION.md").read_text(encoding="utf-8")

# Seat 0 can take every trick: six hearts, dA and dT.
SWEEP = "deal 2 hATKQJ9dAT/dKQJ9cATKQ/cJ9sATKQJ9 -"
SWEPT = " | 0:hA d9 c9 | 0:hT dJ s9 | 0:hQ dQ cJ | 0:hK dK sJ | 0:hJ cQ sQ | 0:h9 cK sK | 0:dA cT sT | 0:dT cA sA"
OUTCOME = "scored +100 0 0 bolt 1 bolt 2"
FULL = "deal 2 hATKQJ9dA/dKQJcATKQ/cJsATKQJ9 dT9c9"

# -- sets ------------------------------------------------------------------------------------------------------------


@given(st.integers(0, FULL_PACK))
def test_a_set_is_read_as_it_is_written(cards: int) -> None:
    assert parse_set(set_text(cards)) == cards


@given(st.integers(0, FULL_PACK), st.randoms(use_true_random=False))
def test_a_set_is_read_in_any_order_and_spelling(cards: int, rng: random.Random) -> None:
    names = [card_name(card) for card in range(NUM_CARDS) if cards >> card & 1]
    rng.shuffle(names)
    assert parse_set("".join(names) or "-") == cards
    assert parse_set("".join(name[::-1] for name in names) or "-") == cards
    assert parse_set(set_text(cards).replace("T", "10").swapcase()) == cards


@given(st.permutations(range(NUM_CARDS)))
def test_cards_in_order_keep_their_order(cards: list[int]) -> None:
    assert parse_cards(cards_text(cards[:5])) == tuple(cards[:5])


def test_sets_go_from_hearts_down_and_from_ace_down() -> None:
    assert set_text(FULL_PACK) == "hATKQJ9dATKQJ9cATKQJ9sATKQJ9"
    assert set_text(parse_set("c9 sK, h10 hA")) == "hATc9sK"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hKhK", "found hK twice in 'hKhK', expected every card once"),
        ("KA", "found cards 'KA', expected suits"),
        ("h", "found cards 'h', expected suits"),
        ("hdA", "found cards 'hdA', expected suits"),
        ("h7", "found cards 'h7', expected suits"),
        ("", "found cards '', expected suits"),
        ("?", "found hidden cards '?', expected them open"),
    ],
)
def test_what_is_no_set_is_refused_with_its_text(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=re.escape(message)):
        parse_set(text)


@pytest.mark.parametrize("cards", [-1, FULL_PACK + 1])
def test_a_number_beyond_the_pack_is_no_set(cards: int) -> None:
    with pytest.raises(NotationError, match=f"cards {cards}: expected a set"):
        set_text(cards)


@given(st.integers(-(1 << 63), (1 << 63) - 1), *[st.integers(0, (1 << 31) - 1)] * 3)
def test_an_address_is_read_as_it_is_written(seed: int, match: int, deal: int, attempt: int) -> None:
    assert parse_address(f"{seed}#{match}/{deal}.{attempt}") == (seed, match, deal, attempt)


# -- positions -------------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(0, 1 << 32))
def test_a_position_from_random_play_is_read_bit_by_bit(seed: int) -> None:
    rng = random.Random(seed)
    game = random_game(random_rules(rng), rng)
    for _ in range(rng.randrange(60)):
        if game.phase == "scored":
            game.next_deal()
        if game.phase == "over":
            break
        with suppress(IllegalAction):  # what the table does not even fine
            game.play(random_action(game, rng))
    line = game.position()
    again, rules = parse_position(line)
    assert rules == game.rules
    assert again.tobytes() == game.states.tobytes()
    assert position_text(again[0], rules) == line


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.sampled_from(TABLES), st.integers(0, 1 << 32))
def test_the_position_of_a_scored_deal_is_read_bit_by_bit(table: str, seed: int) -> None:
    rules, rng = RuleSet.parse(table), random.Random(seed)
    course = Course(random_start(rules, rng)[1], rules)
    while course.state.phase < SCORED:
        course.take(random_action(course, rng))
    again, _ = parse_position(position_text(course.state, rules))
    assert again.tobytes() == course.states.tobytes()
    check_state(again[0], rules.array())


def test_a_fresh_deal_of_the_deck_is_its_address() -> None:
    rules = RuleSet()
    states = new_states(1)
    engine.start_matches(states, rules.array(), np.array([13]), np.array([0]))
    line = "core | deal 0 dQ9cAKQ9s9/hAKQJ9cJsA/hTdATKJsKJ cTsTQ 13#0/0.0"
    assert position_text(states[0], rules) == line


def test_the_next_deal_leaves_nothing_of_the_last_one() -> None:
    played, rules = parse_position(f"core | totals 100 0 0 bolts 0 1 1 | {SWEEP} | play 0:100{SWEPT} | {OUTCOME}")
    engine.next_deals(played, rules.array())
    fresh, _ = parse_position(position_text(played[0], rules))
    assert fresh.tobytes() == played.tobytes()


@pytest.mark.parametrize(
    ("line", "phase", "turn"),
    [
        (f"core | {FULL}", "auction", 0),
        (f"core | {FULL} | bid 0:100 1:p", "auction", 2),
        (f"core talon_at_100=declarer_chooses | {FULL} | bid 0:100 1:p 2:p", "talon", 0),
        (f"core talon_at_100=declarer_chooses | {FULL} | bid 0:100 1:p 2:p | talon open", "exchange", 0),
        (f"core | {FULL} | bid 0:100 1:p 2:p | give 0>1:d9", "exchange", 0),
        (f"core | {FULL} | bid 0:100 1:p 2:p | give 0>1:d9 0>2:c9", "contract", 0),
        (f"core | {FULL} | bid 0:100 1:p 2:p | give 0>1:d9 0>2:c9 | play 0:120", "play", 0),
        (f"core | {SWEEP} | play 0:100", "play", 0),
        (f"core | {SWEEP} | play 0:100 | 0:hA d9", "play", 2),
        (f"core | totals 100 0 0 bolts 0 1 1 | {SWEEP} | play 0:100{SWEPT} | {OUTCOME}", "scored", -1),
        (f"core bolts=off max_deals=1 | totals 100 0 0 | {SWEEP} | play 0:100{SWEPT} | over +100 0 0", "over", -1),
    ],
)
def test_a_position_stops_where_its_line_stops(line: str, phase: str, turn: int) -> None:
    states, rules = parse_position(line)
    assert (PHASE_NAMES[int(states[0].phase)], int(states[0].turn)) == (phase, turn)
    written = position_text(states[0], rules)
    assert written == line
    assert parse_position(written)[0].tobytes() == states.tobytes()


def test_a_talon_without_address_keeps_the_order_it_was_laid_in() -> None:
    states, rules = parse_position("core | deal 2 hATKQJ9dA/dKQJcATKQ/cJsATKQJ9 c9dT9")
    assert position_text(states[0], rules).endswith(" c9dT9")
    assert [int(states[0].talon_order) >> shift & 31 for shift in (0, 5, 10)] == list(parse_cards("c9dT9"))


def test_cards_that_the_address_did_not_give_are_written_without_it() -> None:
    rules = RuleSet()
    states = new_states(1)
    engine.start_matches(states, rules.array(), np.array([13]), np.array([0]))
    state = states[0]
    state.hands[0], state.hands[1] = state.hands[1], state.hands[0]
    state.dealt[0], state.dealt[1] = state.dealt[1], state.dealt[0]
    assert "#" not in position_text(state, rules)


# -- one seat's view -------------------------------------------------------------------------------------------------

TOLD = "bid 1:120 2:p 0:p"


@pytest.mark.parametrize(
    ("rules", "moves", "seat", "view"),
    [
        ("core", "", 0, "deal 0 dQ9cAKQ9s9/?/? ?"),
        ("core", TOLD, 0, f"deal 0 dQ9cAKQ9s9/?/? cTsTQ | {TOLD}"),
        ("core", "bid 1:100 2:p 0:p", 0, "deal 0 dQ9cAKQ9s9/?/? ? | bid 1:100 2:p 0:p"),
        ("core", "bid 1:100 2:p 0:p", 1, "deal 0 ?/hAKQJ9cJsA/? cTsTQ | bid 1:100 2:p 0:p"),
        ("core", f"{TOLD} | give 1>2:cJ", 0, f"deal 0 dQ9cAKQ9s9/?/? cTsTQ | {TOLD} | give 1>2:cJ"),
        ("online", f"{TOLD} | give 1>2:cJ", 0, f"deal 0 dQ9cAKQ9s9/?/? cTsTQ | {TOLD} | give 1>2:?"),
        ("online", f"{TOLD} | give 1>2:cJ", 2, f"deal 0 ?/?/hTdATKJsKJ cTsTQ | {TOLD} | give 1>2:cJ"),
        ("online", f"{TOLD} | give 1>2:cJ", 1, f"deal 0 ?/hAKQJ9cJsA/? cTsTQ | {TOLD} | give 1>2:cJ"),
    ],
)
def test_a_seat_sees_its_hand_and_what_was_shown(rules: str, moves: str, seat: int, view: str) -> None:
    deal = "deal 0 dQ9cAKQ9s9/hAKQJ9cJsA/hTdATKJsKJ cTsTQ 13#0/0.0"
    states, table = parse_position(f"{rules} | {deal}{' | ' if moves else ''}{moves}")
    assert position_text(states[0], table, seat=seat) == f"{rules} | {view}"


def test_a_view_names_the_deal_without_its_address() -> None:
    rules = RuleSet()
    states = new_states(1)
    engine.start_matches(states, rules.array(), np.array([13]), np.array([0]))
    engine.rollout(states, rules.array(), 1)
    engine.next_deals(states, rules.array())
    assert " 13#0/1.0" in position_text(states[0], rules)
    assert "deals" not in position_text(states[0], rules)
    view = position_text(states[0], rules, seat=1)
    assert view.startswith("core | deals 1 ")
    assert "#" not in view


def test_a_view_cannot_be_read_back() -> None:
    with pytest.raises(NotationError, match=re.escape("found hidden cards '?', expected them open: one seat's view")):
        parse_position("core | deal 0 dQ9cAKQ9s9/?/? ?")


# -- refusals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "'' is not a preset"),
        ("poker | deal", "'poker' is not a preset"),
        ("core", "found 'the end', expected deal and its cards"),
        ("core | bolts 0 0 0", "found 'the end', expected deal and its cards"),
        (
            f"core | what 1 | {SWEEP} | play 0:100",
            "found 'what', expected each of deals, totals, bolts, barrel, falls, reverse,",
        ),
        ("core | deal 3 -/-/- -", "found seat '3', expected 0 to 2"),
        ("core | deal 0 -/- -", "found 2 hands, expected 3"),
        ("core | deal 2 hATKQJ9dAT/dKQJ9cATKQ/cJ9sATKQJ -", "found 'the end', expected play seat:contract"),
        (f"core | {SWEEP}", "expected play seat:contract after eight cards a hand"),
        (
            f"core | {SWEEP.replace('sATKQJ9', 'sATKQJ')} | play 0:100",
            "found 7 cards in the hand of seat 2, expected 8",
        ),
        (f"core | {SWEEP.replace('/cJ9', '/cJhA')} | play 0:100", "hA in the hand of seat 0 and the hand of seat 2"),
        (f"core | {FULL.replace('dT9c9', 'hA')}", "found 1 cards in the talon, expected 3"),
        (
            f"core | {FULL.replace('dT9c9', 'dT9cA')}",
            "found cA in the hand of seat 1 and the talon, expected every card",
        ),
        (f"core | {FULL} 13#0/0.0", "found dealer 2, expected seat 0 to deal (S2)"),
        (f"core | {FULL.replace('deal 2', 'deal 0')} 13#0/0.0", "expected it in the hand of seat"),
        (f"core | {FULL} 13", "expected the address seed#match/deal.attempt"),
        (f"core | deals 2 | {FULL} 13#0/1.0", "found the address 13#0/1.0, expected deal 2 of its match"),
        (f"core first_dealer=1 | {FULL}", "found dealer 2, expected seat 1 to deal (S2)"),
        (f"core | {SWEEP} 13#0/0.0 | play 0:100", "expected none: hands at the first lead are no distribution"),
        (f"core | {SWEEP} | play 0:103", "found contract 103, expected 100 to 400 in steps of 5 (A2)"),
        (f"core | {SWEEP} | play 1:100", "found contract 100 of seat 1, expected the opener, seat 0, at 100 (A1)"),
        (
            f"core | totals 0 880 0 barrel - 1.0 - | {SWEEP} | play 1:120",
            "found contract 120 of a seat on the barrel, expected 125 or more (L3)",
        ),
        (
            f"core | totals 880 0 0 | {SWEEP} | play 0:100",
            "total 880 of seat 0, who is not on the barrel, expected less",
        ),
        (f"core | totals 870 0 0 barrel 1.0 - - | {SWEEP} | play 0:100", "expected 880 (L1)"),
        (f"core | totals 0 555 0 | {SWEEP} | play 0:100", "found total 555 of seat 1, expected 0 in its place (L8)"),
        (f"core | totals 0 0 | {SWEEP} | play 0:100", "found '0 0', expected 3 numbers: totals by seat"),
        (f"core | bolts 0 3 0 | {SWEEP} | play 0:100", "found 3 bolts of seat 1, expected at most 2 (B2)"),
        (f"core | falls 3 0 0 | {SWEEP} | play 0:100", "found 3 falls of seat 0, expected less than 3 (L5)"),
        (f"core | totals 880 0 0 barrel 1.3 - - | {SWEEP} | play 0:100", "found 3 attempts of seat 0"),
        (
            f"core | deals 9 totals 880 0 0 barrel 1.0 - - | {SWEEP} | play 0:100",
            "expected 8: every deal uses one (L4)",
        ),
        (f"core | totals 880 0 0 barrel x - - | {SWEEP} | play 0:100", "found 'x', expected - or deal.attempts"),
        (
            f"core | totals 880 880 0 barrel 1.0 1.0 - | {SWEEP} | play 0:100",
            "found 2 seats on the barrel, expected at most 1 (L6)",
        ),
        (
            f"core max_deals=2 | deals 2 | {SWEEP} | play 0:100",
            "found a deal after 2 completed ones, expected at most 2",
        ),
        (f"core | {FULL} | bid 1:100", "found '1:100', expected a bid by seat 0"),
        (f"core | {FULL} | bid 0:p", "found pass, expected a bid by seat 0: 100 to 220 in steps of 5"),
        (f"core | {FULL} | bid 0:225", "found 225, expected a bid by seat 0: 100 to 220"),
        (f"core | {FULL} | bid 0:1000", "found 1000 points, expected 100 to 400 in steps of 5"),
        (f"core | {FULL} | bid", "found 'bid' alone, expected a bid by seat 0"),
        (f"core | {FULL} | give 0>1:d9", "found 'give 0>1:d9', expected a bid by seat 0"),
        (f"core | {FULL} | bid 0:100 1:p 2:p | talon open", "found 'talon open', expected a gift by seat 0 to seat 1"),
        (f"core | {FULL} | bid 0:100 1:p 2:p | give 0>2:d9", "expected a gift by seat 0 to seat 1, written 0>1:..."),
        (f"core | {FULL} | bid 0:100 1:p 2:p | give 0>1:cA", "found cA, expected a gift by seat 0 to seat 1: c9, d9"),
        (f"core | {SWEEP} | play 0:100 | 1:d9", "found '1:d9', expected a card by seat 0"),
        (f"core | {SWEEP} | play 0:100 | 0:hQ+", "found hQ+, expected a card by seat 0: dT, dA"),
        (f"core | {SWEEP} | play 0:100 | 0:hA | 1:d9", "found a new trick '1:d9', expected a card by seat 1"),
        (f"core | {SWEEP} | play 0:100 | 0:hA d9 c9 hT", "found 'hT', expected the end of the trick: 3 cards"),
        (f"core | {SWEEP} | play 0:100 | 0:hA d9 c9 | 0:hQ+80", "found 'hQ+80', expected hQ+100 (C3)"),
        (f"core | {SWEEP} | play 0:100 | ", "found nothing between two |, expected a move"),
        (f"core | {SWEEP} | play 0:100 | play 0:100", "found 'play 0:100', expected a card by seat 0"),
    ],
)
def test_a_position_that_cannot_come_about_is_refused(line: str, message: str) -> None:
    with pytest.raises(NotationError, match=re.escape(message)) as error:
        parse_position(line)
    assert str(error.value).startswith(f"position {line.strip()!r}: ")


@pytest.mark.parametrize(
    ("sheet", "outcome", "message"),
    [
        ("totals 100 0 0 bolts 0 1 1", "scored +120 0 0 bolt 1 bolt 2", "found the score 120 0 0, expected +100 0 0"),
        ("totals 100 0 0 bolts 0 1 1", "over +100 0 0 bolt 1 bolt 2", "found 'over', expected 'scored'"),
        ("totals 100 0 0 bolts 0 1 1", "scored +100 0 0 bolt 1", "expected what this deal can lead to"),
        ("totals 100 0 0 bolts 0 1 1", "scored +100 0 0 5", "found '5', expected an event: one of bolt, fine"),
        ("totals 100 0 0 bolts 0 1 1", "scored +100 0 0 bolt", "found 'bolt', expected the seat it befell"),
        ("totals 100 0 0 bolts 1 1 1", OUTCOME, "expected what this deal can lead to"),
        ("totals 100 0 0", OUTCOME, "expected what this deal can lead to"),
        ("totals 880 0 0 bolts 0 1 1", OUTCOME, "expected what this deal can lead to"),
        ("totals 880 0 0 bolts 0 1 1 barrel 1.1 - -", f"{OUTCOME} barrel 0", "expected what this deal can lead to"),
    ],
)
def test_a_scored_position_needs_a_sheet_that_leads_to_it(sheet: str, outcome: str, message: str) -> None:
    with pytest.raises(NotationError, match=re.escape(message)):
        parse_position(f"core | {sheet} | {SWEEP} | play 0:100{SWEPT} | {outcome}")


def test_a_scored_position_must_have_all_its_tricks() -> None:
    with pytest.raises(NotationError, match="found 'scored', expected a card by seat 0"):
        parse_position(f"core | totals 100 0 0 bolts 0 1 1 | {SWEEP} | play 0:100 | 0:hA d9 c9 | {OUTCOME}")


# -- NOTATION.md -----------------------------------------------------------------------------------------------------


def examples() -> list[str]:
    """The indented blocks of NOTATION.md."""
    return [
        re.sub("^    ", "", block, flags=re.M).strip() for block in re.findall(r"(?:^    .*\n)+", NOTATION_MD, re.M)
    ]


def test_the_examples_of_notation_md_can_be_read() -> None:
    deal, starts, position = examples()
    assert len(read(deal)) == 1
    states, rules = parse_position(position)
    assert position_text(states[0], rules) == position
    for start in starts.splitlines():
        table = "core reverse_barrel=500 write_off=half redeal_four_nines=offer"
        states, _ = parse_position(f"{table} | {start.removeprefix('start ')} | {SWEEP} | play 0:125")
        assert states[0].deal == 6


def test_the_deck_deals_what_the_address_says() -> None:
    rules = RuleSet()
    states, _ = parse_position("core | deal 0 dQ9cAKQ9s9/hAKQJ9cJsA/hTdATKJsKJ cTsTQ 13#0/0.0")
    state = states[0].copy()
    deck.deal_pack(state, rules.array()[0])
    assert state.tobytes() == states[0].tobytes()
