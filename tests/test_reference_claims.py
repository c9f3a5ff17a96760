"""The reference before the auction and around the talon: redeals, fines of chance, blind bids, grants, bonuses."""

from __future__ import annotations

import pytest

from tests.positions import acted, cards
from tests.reference import Match
from tests.reference_cards import PACK, height
from tests.reference_sheet import Columns
from tests.reference_tables import CORE, ONLINE, QUIET, Rules


def around(*, players: int = 3, talon: str = "", **hands: str) -> tuple[list[list[str]], list[str]]:
    """Hands (by the names `seat0` …) and a talon of these cards, filled up from the top of the pack; the last deals."""
    size, active = (10, 2) if players == 2 else (7, 3)
    given = [cards(hands.get(f"seat{seat}", "")) for seat in range(active)]
    named = [card for hand in [*given, cards(talon)] for card in hand]
    rest = [card for card in sorted(PACK, key=lambda card: -height(card)) if card not in named]
    filled = [hand + [rest.pop(0) for _ in range(size - len(hand))] for hand in given]
    return filled + [[] for _ in range(players - active)], cards(talon) + rest


def opened(rules: Rules, actions: str = "", *, talon: str = "", deal: int = 0, **hands: str) -> Match:
    """A deal with these cards, forehand being seat 0, after some actions."""
    players = int(rules["players"])
    match = Match(rules, players - 1, deal=deal)
    match.deal_cards(*around(players=players, talon=talon, **hands))
    return acted(match, actions)


def forced(**fields: str) -> dict[str, int | bool | str]:
    return CORE | fields


# -- redeals ----------------------------------------------------------------------------------------------------------

TWO_NINES, FOUR_NINES, THREE_NINES = "h9d9", "h9d9c9s9", "h9d9c9"


@pytest.mark.parametrize(
    ("rule", "field", "hand", "holds"),
    [
        ("R1", "redeal_forehand_nines", TWO_NINES, True), ("R1", "redeal_forehand_nines", "h9", False),
        ("R2", "redeal_three_nines", THREE_NINES, True), ("R2", "redeal_three_nines", TWO_NINES, False),
        ("R3", "redeal_four_nines", FOUR_NINES, True), ("R3", "redeal_four_nines", THREE_NINES, False),
        ("R4", "redeal_four_jacks", "hJdJcJsJ", True), ("R4", "redeal_four_jacks", "hJdJcJ", False),
        ("R5", "redeal_low_hand", "h9d9c9sJhJhQdQ", True), ("R5", "redeal_low_hand", "h9d9hJdJcJsQhK", False),
    ],
)  # fmt: skip
def test_a_hand_may_be_claimed_on_or_is_dealt_again_by_force(rule: str, field: str, hand: str, holds: bool) -> None:
    match = opened(forced(**{field: "force"}), seat0=hand)
    assert (match.phase, match.fired[rule]) == (("deal", 1) if holds else ("auction", 0))
    offered = opened(forced(**{field: "offer"}), seat0=hand)
    assert (offered.phase, offered.turn) == ("claim", 0)
    assert offered.legal() == ({"redeal", "noredeal"} if holds else {"noredeal"})


def test_the_points_below_which_a_hand_is_claimed_on_are_agreed() -> None:
    hand = "h9d9hJdJcJsQhK"  # 13
    rules = forced(redeal_low_hand="offer")
    assert opened(rules, seat0=hand).legal() == {"noredeal"}
    assert "redeal" in opened(rules | {"redeal_hand_below": 14}, seat0=hand).legal()


def test_nines_of_another_hand_than_forehands_are_no_claim_on_two_nines() -> None:
    match = opened(forced(redeal_forehand_nines="offer"), "noredeal", seat1=TWO_NINES)
    assert (match.turn, match.legal()) == (1, {"noredeal"})
    acted(match, "noredeal noredeal")
    assert (match.phase, match.turn) == ("auction", 0)


def test_every_seat_is_asked_until_one_claims_and_the_same_dealer_deals_again() -> None:
    match = opened(ONLINE, "noredeal", seat1=THREE_NINES)
    assert (match.turn, match.legal()) == (1, {"redeal", "noredeal"})
    acted(match, "redeal")
    assert (match.phase, match.turn, match.dealer, match.deal) == ("deal", None, 2, 0)
    assert (match.sheet.redeal_run, match.fired["R2"]) == (1, 1)
    match.deal_cards(*around(seat1=THREE_NINES))
    acted(match, "noredeal noredeal noredeal")
    assert (match.phase, match.turn, match.sheet.redeal_run) == ("auction", 0, 1)


@pytest.mark.parametrize(
    ("rule", "field", "talon", "holds"),
    [
        ("R6", "redeal_talon_nines", "h9d9hA", True), ("R6", "redeal_talon_nines", "h9hTdA", False),
        ("R7", "redeal_low_talon", "h9hJdJ", True), ("R7", "redeal_low_talon", "h9hJdQ", False),
        ("R8", "redeal_talon_jacks", "hJdJcJ", True), ("R8", "redeal_talon_jacks", "hJdJc9", False),
        ("R12", "redeal_talon_jacks_and_nine", "hJdJc9", True), ("R12", "redeal_talon_jacks_and_nine", "hJdJcJ", False),
        ("R12", "redeal_talon_jacks_and_nine", "hJd9c9", False),
    ],
)  # fmt: skip
def test_the_declarer_may_claim_on_a_talon_or_it_is_dealt_again_by_force(
    rule: str, field: str, talon: str, holds: bool
) -> None:
    match = opened(forced(**{field: "force"}), "105 pass pass", talon=talon)
    assert (match.phase, match.fired[rule]) == (("deal", 1) if holds else ("exchange", 0))
    offered = opened(forced(**{field: "offer"}), "105 pass pass", talon=talon)
    assert (offered.phase, offered.turn) == ("claim" if holds else "exchange", 0)
    if holds:
        assert offered.legal() == {"redeal", "noredeal"}
        assert offered.sees(1)["talon"] == cards(talon)
        assert acted(offered, "redeal").phase == "deal"


@pytest.mark.parametrize(
    ("mode", "actions", "phase"),
    [
        ("closed", "", "exchange"), ("shown", "", "claim"), ("declarer_chooses", "keep", "exchange"),
        ("declarer_chooses", "show", "claim"), ("shown", "noredeal", "exchange"),
    ],
)  # fmt: skip
def test_a_talon_that_stays_closed_cannot_be_claimed_on(mode: str, actions: str, phase: str) -> None:
    rules = CORE | {"talon_at_100": mode, "redeal_talon_nines": "offer"}
    match = opened(rules, f"100 pass pass {actions}", talon="h9d9c9")
    assert (match.phase, match.turn) == (phase, 0)


def test_of_two_players_the_talon_picked_decides_and_its_jacks_never() -> None:
    rules = CORE | {"players": 2, "redeal_talon_nines": "offer", "redeal_talon_jacks_and_nine": "force"}
    nines = opened(rules, "105 pass", talon="h9d9hAsA")
    assert acted(nines, "talonA").phase == "claim"
    assert opened(rules, "105 pass talonB", talon="h9d9hAsA").phase == "exchange"
    assert opened(rules | {"redeal_low_talon": "force"}, "105 pass talonA", talon="hJd9hAsA").phase == "deal"
    assert opened(rules, "105 pass talonA", talon="hJdJh9sA").phase == "exchange"


def test_the_third_redeal_in_a_row_fines_the_dealer_at_once() -> None:
    rules = forced(redeal_four_nines="force") | {"triple_redeal_fine": True}
    match = Match(rules, 2, totals=(0, 0, 880), mounted=(0, 0, 4), falls=(0, 0, 1))
    for _ in range(3):
        assert match.totals == [0, 0, 880]
        match.deal_cards(*around(seat1=FOUR_NINES))
    assert (match.totals, match.mounted, match.falls) == ([0, 0, 760], [0, 0, 0], [0, 0, 2])
    assert (match.sheet.redeal_run, match.sheet.early, match.fired["R10"]) == (0, [0, 0, 120], 1)


def test_chance_fines_the_dealer_or_the_cutter_while_cards_are_awaited() -> None:
    match = Match(CORE, 0, totals=(0, 0, 880), mounted=(0, 0, 1), falls=(0, 0, 2))
    match.fine_early(0)
    match.fine_early(2)
    assert (match.totals, match.falls, match.sheet.redeal_run) == ([-120, 0, 0], [0, 0, 0], 0)
    with pytest.raises(ValueError, match=r"^D3: seat 1"):
        match.fine_early(1)
    golden = Match(CORE | {"golden": True}, 0)
    golden.fine_early(0)
    assert golden.totals == [-240, 0, 0]


# -- negative totals, grants ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "totals", "bidding"),
    [
        ("normal", (-5, 0, 0), [0, 1, 2]), ("others_pass", (0, -5, 0), [1]), ("others_pass", (0, -5, -5), [1, 2]),
        ("others_pass", (-5, -5, -5), [0, 1, 2]), ("barred", (-5, 0, 0), [1, 2]), ("barred", (-5, 0, -5), [1]),
        ("barred", (-5, -5, -5), [0, 1, 2]),
    ],
)  # fmt: skip
def test_negative_totals_decide_who_bids(mode: str, totals: tuple[int, ...], bidding: list[int]) -> None:
    match = Match(CORE | {"negative_auction": mode, "blind": True}, 2, totals=totals)
    match.deal_cards(*around())
    assert match.phase == ("blind" if 0 in bidding else "auction")
    if match.phase == "blind":
        match.act("look")
    asked: list[int | None] = []
    while match.phase == "auction":
        asked.append(match.turn)
        match.act("pass" if "pass" in match.legal() else "100")
    assert asked == bidding
    assert match.declarer == bidding[0]


SITS: Columns = {"totals": (0, 880, 880), "mounted": (0, 4, 2)}


def test_a_contract_is_granted_to_the_nearest_sitter_without_raise_or_blind_bid() -> None:
    rules = CORE | {"barrel_auction": "granted", "blind": True, "barrel_seats": 2}
    match = Match(rules, 2, **SITS)
    match.deal_cards(*around())
    assert (match.phase, match.turn, match.bid, match.talon_open) == ("exchange", 1, 121, True)
    acted(match, " ".join(match.hands[1][:2]))
    assert (match.phase, match.contract) == ("play", 121)


def test_a_granted_hundred_shows_its_talon_and_hands_are_claimed_on_before() -> None:
    rules = CORE | {"barrel_auction": "granted", "barrel_needs": 100, "redeal_talon_nines": "offer"}
    match = Match(rules, 2, totals=(880, 0, 0), mounted=(1, 0, 0))
    match.deal_cards(*around(talon="h9d9"))
    assert (match.phase, match.turn, match.talon_open) == ("claim", 0, True)
    claims = Match(rules | {"redeal_four_jacks": "offer"}, 2, totals=(880, 0, 0), mounted=(1, 0, 0))
    claims.deal_cards(*around(talon="h9d9"))
    assert (claims.phase, claims.declarer) == ("claim", None)


# -- blind ------------------------------------------------------------------------------------------------------------

BLIND = CORE | {"blind": True, "write_off": "half", "redeal_talon_nines": "offer", "redeal_forehand_nines": "force"}


def test_forehand_may_go_blind_before_anybody_looks() -> None:
    match = opened(BLIND, seat0=TWO_NINES)
    assert (match.phase, match.turn, match.legal()) == ("blind", 0, {"blind", "look"})
    assert [match.sees(seat)["hand"] for seat in range(3)] == [[], [], []]
    acted(match, "blind")
    assert (match.phase, match.turn, match.bid) == ("auction", 1, 120)  # R9: no claim, by force or else
    assert (match.sees(0)["hand"], len(match.sees(1)["hand"])) == ([], 7)
    assert opened(BLIND, "look", seat0=TWO_NINES).phase == "deal"
    assert opened(BLIND, "look").phase == "auction"


def test_an_unlit_blind_deal_is_doubled_closed_and_fixed_at_120() -> None:
    match = opened(BLIND | {"blind_bonus": 50}, "blind pass pass", seat0="hATKQsATK", talon="sQc9d9")
    assert (match.phase, match.turn, match.talon_open) == ("exchange", 0, False)
    assert len(match.sees(0)["hand"]) == 10
    assert "writeoff" not in match.legal()
    acted(match, "c9 d9")
    assert (match.phase, match.contract) == ("play", 120)
    while match.turn is not None:
        match.act(max(match.legal(), key=lambda card: "9JQKTA".index(card[1])))
    assert match.points() == [120, 0, 0]
    assert match.score == [290, 0, 0]


def test_an_overbid_lights_the_blind_seat() -> None:
    match = opened(BLIND, "blind 125", seat1="hKQ", talon="h9d9")
    assert len(match.sees(0)["hand"]) == 7
    assert match.turn == 2
    acted(match, "pass pass")
    assert (match.phase, match.declarer, match.talon_open) == ("claim", 1, True)
    acted(match, "noredeal")
    assert "writeoff" in match.legal()


def test_a_blind_bid_is_no_ones_who_sits() -> None:
    match = Match(BLIND, 2, totals=(880, 0, 0), mounted=(1, 0, 0))
    match.deal_cards(*around())
    assert match.phase == "auction"


# -- bonuses ----------------------------------------------------------------------------------------------------------


def test_bonuses_show_what_they_say_on_the_seats_own_turn_and_are_used_up() -> None:
    rules = CORE | {"bonus_hands": 1, "bonus_suits": 1, "bonus_card": 2, "redeal_four_nines": "offer"}
    match = opened(rules, talon="h9d9hK")
    bonuses = {"bonus:hands", "bonus:suits", "bonus:card1", "bonus:card2", "bonus:card3"}
    assert match.legal() == {"noredeal"} | bonuses
    acted(match, "bonus:hands bonus:card3 bonus:suits noredeal noredeal noredeal")
    assert match.sees(0)["others"] == {1: match.hands[1], 2: match.hands[2]}
    assert (match.sees(0)["talon"], match.sees(0)["suits"]) == (["hK"], ["d", "h", "h"])
    assert match.sees(1)["others"] == {}
    assert (match.phase, match.turn) == ("auction", 0)
    assert match.legal() & bonuses == {"bonus:card1", "bonus:card2"}
    acted(match, "bonus:card1 100")
    assert match.sheet.bonuses == [[1, 1, 2], [0, 0, 0], [0, 0, 0]]
    assert match.legal() >= bonuses


def test_of_two_players_four_talon_cards_may_be_seen() -> None:
    match = opened(CORE | QUIET | {"players": 2, "bonus_card": 9}, "bonus:card4 105 pass talonA", talon="h9d9sAhK")
    assert match.sees(0)["talon"] == ["h9", "d9", "hK"]
