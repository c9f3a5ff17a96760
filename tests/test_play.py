"""The play, in positions: following, trumps, marriages, unbeatable hands (P1–P4, M1–M6, M8)."""

from __future__ import annotations

import functools

import pytest

from tests.positions import UNBEATABLE_HANDS
from tests.table import Table, card_set
from thousand_env import play
from thousand_env.actions import DECLARE_QUEEN, card_of, way_of
from thousand_env.cards import CLUBS, DIAMONDS, HEARTS, NINE, SPADES, card_points, parse_card
from thousand_env.rules import CORE, RuleSet
from thousand_env.state import NONE, QUEEN_DECLARED, SCORED, SILENT

FILLED = "2 hKQsA9c9JQdJ/h9TAsTJd9cTA/hJsKQdTQKAcK -"  # seat 0 leads and holds the marriage of hearts


@pytest.mark.parametrize(
    ("hand", "led", "trump", "cards"),
    [
        ("hKs9dA", NONE, NONE, "hKs9dA"),  # on lead
        ("hKs9dA", NONE, SPADES, "hKs9dA"),
        ("hK9s9dA", HEARTS, NONE, "hK9"),  # suit is followed, with any card
        ("hK9s9dA", HEARTS, SPADES, "hK9"),
        ("s9TdA", HEARTS, SPADES, "s9T"),  # a void seat must trump
        ("s9dA", HEARTS, HEARTS, "s9dA"),  # void in the trump led
        ("s9dA", HEARTS, CLUBS, "s9dA"),  # neither suit nor trump
        ("s9dA", HEARTS, NONE, "s9dA"),
    ],
)
def test_a_seat_follows_suit_or_else_trumps_or_else_plays_anything(hand: str, led: int, trump: int, cards: str) -> None:
    best = NONE if led == NONE else 6 * led + NINE
    assert play.playable(card_set(hand), led, best, trump, CORE.array()[0]) == card_set(cards)


@pytest.mark.parametrize(
    ("card", "best", "trump", "takes"),
    [
        ("cA", "cT", NONE, True), ("cT", "cK", NONE, True), ("cK", "cT", NONE, False), ("c9", "cJ", CLUBS, False),
        ("s9", "hA", SPADES, True), ("s9", "hA", NONE, False), ("hA", "s9", SPADES, False), ("dA", "h9", SPADES, False),
        ("sJ", "s9", SPADES, True), ("s9", "sJ", SPADES, False),
    ],
)  # fmt: skip
def test_a_higher_card_of_the_suit_or_a_trump_takes_the_trick(card: str, best: str, trump: int, takes: bool) -> None:
    assert play.beats(parse_card(card), parse_card(best), trump) == takes


def test_the_winner_of_a_trick_leads_to_the_next() -> None:
    table = Table("core", FILLED)
    assert table.state.turn == table.state.leader == 0  # the declarer leads first
    table.act("hQ hA hJ")
    assert (table.state.turn, table.state.leader) == (1, 1)
    assert table.points() == [0, 16, 0]
    assert table.column("tricks") == [0, 1, 0]


def test_a_void_seat_without_trump_shows_two_voids_at_once() -> None:
    table = Table("core", "2 hAKQdJ9c9sAK/hJdAKQcAKQs9/hT9dTcTJsTQJ -", "sA s9 sJ hQ+ hJ hT sT sK")
    assert table.legal() == {"cA", "cK", "cQ", "dA", "dK", "dQ"}
    assert table.column("voids") == [0, 0, 0]
    assert table.act("dQ").column("voids") == [0, 1 << SPADES | 1 << HEARTS, 0]


def test_a_seat_that_trumps_shows_one_void() -> None:
    table = Table("core", "2 hAKQdJ9c9sAK/hTJdAKQcAKs9/h9dTcTJQsTQJ -", "sA s9 sJ hQ+ hT h9 cA cJ c9 cK cT")
    assert table.legal() == {"hA", "hK"}
    assert table.act("hK").column("voids") == [1 << CLUBS, 0, 0]


def test_plays_are_remembered_in_order_with_seat_and_way() -> None:
    table = Table("core", FILLED, "sA sT sK hQ+")
    assert [(int(played) & 31, int(played) >> 5 & 7, int(played) >> 8) for played in table.state.plays[:4]] == [
        (parse_card("sA"), SILENT, 0),
        (parse_card("sT"), SILENT, 1),
        (parse_card("sK"), SILENT, 2),
        (parse_card("hQ"), QUEEN_DECLARED, 0),
    ]


# -- marriages -------------------------------------------------------------------------------------------------------


def test_a_deal_starts_without_trump() -> None:
    assert Table("core", FILLED).state.trump == NONE


def test_a_marriage_is_declared_with_its_queen_after_a_trick_and_counts_at_once() -> None:
    table = Table("core", FILLED)
    assert not any(action.endswith("+") for action in table.legal())
    table.act("sA sT sK")
    assert {action for action in table.legal() if action.endswith("+")} == {"hQ+"}
    table.act("hQ+")
    assert (table.points(), table.state.trump) == ([125, 0, 0], HEARTS)


def test_the_marriage_is_trump_at_once_and_stays_when_its_queen_is_lost() -> None:
    table = Table("core", "2 hQJ9dJcKQsAK/hTAsTJ9d9cTA/hKsQdAKQTcJ9 -", "sA sT sQ cQ+")
    assert (table.legal(), table.state.trump) == ({"cT", "cA"}, CLUBS)
    table.act("cA c9")
    assert (table.points(), table.state.turn, table.state.trump) == ([84, 14, 0], 1, CLUBS)


def test_a_void_seat_trumps_with_the_suit_declared() -> None:
    table = Table("core", "2 hQJ9dJcKQsAK/hTAsTJ9d9cTA/hKsQdAKQTcJ9 -", "sA sT sQ cQ+ cA c9 s9")
    assert table.legal() == {"cJ"}
    table.act("cJ sK")
    assert (table.points(), table.state.turn) == ([84, 14, 6], 2)


def test_the_same_queen_led_silently_scores_nothing_and_makes_no_trump() -> None:
    table = Table("core", FILLED, "sA sT sK hQ")
    assert (table.points(), table.state.trump) == ([25, 0, 0], NONE)


def test_a_king_led_declares_nothing() -> None:
    table = Table("core", FILLED, "sA sT sK hK")
    assert (table.points(), table.state.trump) == ([25, 0, 0], NONE)


def test_a_marriage_is_declared_on_lead_only() -> None:
    table = Table("core", FILLED, "sA sT sK c9 cT cK h9 hJ")
    assert table.legal() == {"hK", "hQ"}


def test_another_marriage_replaces_the_trump_and_their_points_add_up() -> None:
    table = Table("core", "2 hATKQdAKQc9/hJ9dTJ9cATK/cQJsATKQJ9 -", "hA hJ s9 dQ+ d9 sJ")
    assert (table.state.trump, table.column("marriages")) == (DIAMONDS, [80, 0, 0])
    table.act("hQ+ h9 sQ")
    assert (table.state.trump, table.column("marriages"), table.state.turn) == (HEARTS, [180, 0, 0], 0)


def test_a_defender_who_won_a_trick_declares_too() -> None:
    table = Table("core", "2 dTcA9sA9h9JcQ/dAhQKdJ9cTKsT/dKQhATcJsKQJ -", "dT dA dQ hQ+")
    assert (table.points(), table.state.trump, table.state.turn) == ([0, 124, 0], HEARTS, 2)


SAFE = "2 hATKQsATKQ/hJ9sJ9cATKQ/cJ9dATKQJ9 -"


@pytest.mark.parametrize(
    ("mode", "weak", "safe"),
    [
        ("never", set[str](), set[str]()),
        ("unbeatable", set[str](), {"hQ+", "sQ+"}),
        ("always", {"hQ+"}, {"hQ+", "sQ+"}),
    ],
)
def test_the_first_lead_may_declare_never_when_unbeatable_or_always(mode: str, weak: set[str], safe: set[str]) -> None:
    for position, declarations in ((FILLED, weak), (SAFE, safe)):
        table = Table(f"core marriage_first_lead={mode}", position)
        assert {action for action in table.legal() if action.endswith("+")} == declarations


def test_later_leads_without_a_trick_do_not_exist_for_the_unbeatable_exception() -> None:
    array = RuleSet.parse("classic").array()[0]
    hand = card_set("hATKQsAT")
    assert play.declarable(hand, 0, 0, array) == 1 << HEARTS
    assert play.declarable(hand, 0, 3, array) == 0
    assert play.declarable(hand, 1, 3, array) == 1 << HEARTS


def test_a_seat_that_ends_without_a_trick_loses_its_marriage() -> None:
    position = "2 hKQs9Jc9Jd9J/hATJ9sATcAT/sKQcKQdATKQ -"
    table = Table("core marriage_first_lead=always", position, "hQ+")
    assert table.points() == [100, 0, 0]
    table.act("hA dQ hT dK hK hJ cQ s9 h9 cK sJ sA sQ d9 sT sK dJ cA dT c9 cT dA cJ")
    assert (table.state.phase, table.points()) == (SCORED, [0, 120, 0])
    assert table.column("score") == [-100, 120, 0]


def test_an_action_below_pass_plays_a_card_in_a_way() -> None:
    assert [(card_of(action), way_of(action)) for action in (21, DECLARE_QUEEN + HEARTS)] == [(21, 0), (20, 1)]


# -- unbeatable hands ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("hand", "holds"), UNBEATABLE_HANDS)
def test_an_unbeatable_hand_is_known_by_its_suits(hand: str, holds: bool) -> None:
    assert play.unbeatable(card_set(hand), HEARTS) == holds


def can_win(own: tuple[int, ...], out: frozenset[int]) -> bool:
    """Whether somebody who holds all of `out` can beat one of the ranks led from `own`, in this order."""
    if not own or not out:
        return False
    return any(rank > own[0] or can_win(own[1:], out - {rank}) for rank in out)


@functools.cache
def ranks(suit: int) -> list[int]:
    """The ranks in six bits, from the top."""
    return [rank for rank in range(5, -1, -1) if suit >> rank & 1]


@pytest.mark.parametrize("side", range(64))
def test_a_side_suit_is_safe_unless_an_opponent_with_all_the_rest_can_win_a_trick(side: int) -> None:
    out = frozenset(ranks(63 & ~side))
    assert play.unbeatable(card_set("hATKQ") | side, HEARTS) != can_win(tuple(ranks(side)), out)


@pytest.mark.parametrize("extra", range(16))
def test_the_marriage_suit_is_safe_unless_an_opponent_with_all_the_rest_can_win_a_trick(extra: int) -> None:
    suit = 0b1100 | extra & 3 | (extra & 12) << 2
    led = (2, *(rank for rank in ranks(suit) if rank != 2))  # the queen, then from the top
    assert play.unbeatable(suit << 18, HEARTS) != can_win(led, frozenset(ranks(63 & ~suit)))


def test_points_of_the_pack() -> None:
    assert sum(card_points(card) for card in range(24)) == 120
