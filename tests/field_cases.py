"""Where every field of `RuleSet` shows: positions reached by legal play, and what is seen there without and with it.

Each case names a table, a field and a value; `show` plays to the position and reports one fact. `usual` and `changed`
are what the rule book says about that fact, written by hand. `python -m tests.field_cases` prints the list.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.table import Table
from thousand_env import engine
from thousand_env.actions import CLAIM_REDEAL, NUM_ACTIONS, bid_action
from thousand_env.enforcement import try_row
from thousand_env.rules import FIELDS, RuleSet, value_text
from thousand_env.state import NONE, new_states

Show = Callable[[RuleSet], Any]

# Before the auction. Seat 0 holds the marriage of clubs, seat 2 that of spades; the talon is worth 7 points.
PLAIN = "2 hQdTcAKQJs9/hTdAKJcTsAJ/hAJ9c9sTKQ hKdQ9"
NINES = "2 h9d9c9s9hJdJhQ/hTdAKQcTsAT/hAKcJKsJKQ dTcQA"  # seat 0 has four nines and 7 points
FEW = "2 hKdKhJs9c9d9hQ/hTdAQcTsATcK/hA9cJQsJKQ dTJcA"  # seat 0 has three nines and 13 points
JACKS = "2 hQdTcAKQs9c9/hJdJcJsJhTdAK/hAK9sTKQA d9QcT"  # seat 1 has four jacks
TALON_POOR = "2 hQdTcAKQJhK/hTdAKJcTsAd9/hA9c9sTKQdQ hJsJs9"  # two jacks and a nine: 4 points
TALON_FIVE = "2 hQdTcAKQJhK/hTdAKJcTsAd9/hA9c9sTKQJ hJdQs9"  # 5 points
TALON_NINES = "2 hQdTcAKQJhK/hTdAKJcTsAd9/hAJc9sTKQdQ h9sJs9"
TALON_JACKS = "2 hQdTcAKQs9hK/hTdAK9cT9sA/hA9sJTKQdQ hJdJcJ"

# From the first lead, which is seat 0's. Every seat plays its highest card.
SWEEP = "2 hAKQJT9sAcA/s9JQKTc9JQ/cKTd9JQKTA -"  # seat 0 takes all tricks: 120, 0, 0
LOST = "2 hATdJ9cJ9sJ9/hKQdATKQcAT/hJ9cKQsATKQ -"  # 30, 90, 0
CLOSE = "2 hAKQJT9sJ9/sKTAc9JQd9J/sQcKTAdQKTA -"  # 97, 23, 0
SHARE = "2 s9Jc9Jd9Jh9J/sTAcTAdQKhQK/sQKcQKdTAhTA -"  # 0, 60, 60
TRUMPS = "2 hKQsA9c9JdJ9/hATJcATKQdA/h9sTKQJdTKQ -"  # seat 0 makes hearts trump, seat 1 has no spade
RUFF = "2 hKQsATKQJ9/hATJc9dATKQ/h9cATKQJdJ9 -"
ACES = "2 hATdATcATsAT/s9Jc9Jd9Jh9J/sQKcQKdQKhQK -"

# The same sweep from before the auction: the talon's cQ and dA go to the seats 1 and 2.
TALON_SWEEP = "2 hAKQJT9sA/s9JQKTc9J/cKTd9JQKT cAcQdA"


@dataclass(frozen=True)
class Case:
    """One value of a field, and the difference it makes on the table `base`."""

    field: str
    value: Any
    where: str
    show: Show
    usual: Any
    changed: Any
    base: str = "core"

    def __str__(self) -> str:
        return f"{self.field}={value_text(self.field, self.value)}: {self.where}"

    def rules(self) -> tuple[RuleSet, RuleSet]:
        """The table without the value, and with it."""
        base = RuleSet.parse(self.base)
        return base, base.replace(**{self.field: self.value})


# -- facts -----------------------------------------------------------------------------------------------------------


def at(position: str, actions: str, fact: Callable[[Table], Any], **options: Any) -> Show:
    """A fact of the position after some actions."""
    return lambda rules: fact(Table(rules, position, actions, **options))


def result(position: str, column: str, seat: int | None = None, actions: str = "", **options: Any) -> Show:
    """A column of the state, or a seat's entry in it, after the deal was played out."""

    def fact(table: Table) -> Any:
        found = table.play_out().column(column)
        return found if seat is None else found[seat]

    return at(position, actions, fact, **options)


def legal(position: str, actions: str, *wanted: str, **options: Any) -> Show:
    """Which of some actions are legal after others."""
    return at(position, actions, lambda table: sorted(set(wanted) & table.legal()), **options)


def levels(position: str, actions: str = "", **options: Any) -> Show:
    """The first three levels that may be bid, and the last."""
    return at(position, actions, lambda table: [*table.levels()[:3], table.levels()[-1]], **options)


def phase(position: str, actions: str = "", **options: Any) -> Show:
    """The phase, the declarer so far and the bid."""
    return at(position, actions, lambda t: (t.phase, int(t.state.declarer), int(t.state.bid)), **options)


def claim(position: str, actions: str = "") -> Show:
    """The phase, whether a redeal may be claimed, and whether the cards were dealt again."""
    return at(position, actions, lambda t: (t.phase, "redeal" in t.legal(), t.state.attempt > 0), asks=True)


def fresh(fact: Callable[[Any], Any], count: int = 200) -> Show:
    """A fact of the first deals of many matches."""

    def show(rules: RuleSet) -> Any:
        states = new_states(count)
        engine.start_matches(states, rules.array(), np.full(count, 5), np.arange(count))
        return fact(states)

    return show


def dealers(states: Any) -> list[int]:
    return sorted({int(dealer) for dealer in states["dealer"]})


def hand_sizes(states: Any) -> list[int]:
    return [int(hand).bit_count() for hand in states["hands"][0]]


def fined_early(states: Any) -> bool:
    return bool(states["early"].any())


def cut_as_usual(states: Any) -> bool:
    """Whether every pack is cut as by who lifts and leaves two cards at least."""
    usual, rules = new_states(len(states)), RuleSet.parse("core cut_ceremony=yes").array()
    engine.start_matches(usual, rules, np.full(len(states), 5), np.arange(len(states)))
    return bool((usual["hands"] == states["hands"]).all())


def thrice_claimed(rules: RuleSet) -> int:
    """What the dealer has paid when one deal was claimed away three times in a row."""
    for match in range(200):
        states = new_states(1)
        engine.start_matches(states, rules.array(), np.array([1]), np.array([match]))
        while engine.legal_actions(states, rules.array())[0, CLAIM_REDEAL] and states["attempt"][0] < 3:
            engine.step(states, rules.array(), np.array([CLAIM_REDEAL]))
        if states["attempt"][0] == 3:
            return int(states["early"][0, states["dealer"][0]])
    raise AssertionError("no deal could be claimed away three times")


def seen_gift(table: Table) -> bool:
    """Whether seat 2 knows the card given to seat 1."""
    return int(table.look(2).gifts[2]) != NONE


def hundred(table: Table) -> tuple[str, bool]:
    """The phase, and whether seat 1 sees the talon."""
    return table.phase, int(table.look(1).talon) != 0


def trump(table: Table) -> int:
    return int(table.state.trump)


def bidders(rules: RuleSet) -> tuple[int, str]:
    """Who opens, and the phase after an opening at 100, when seat 0 is below zero."""
    table = Table(rules, PLAIN, totals=(-10, 0, 50))
    opener = int(table.state.turn)
    return opener, table.act("100").phase


def from_marriages(table: Table) -> int:
    """What seat 1's marriages bring it in a deal that counts twice, beside its captured points."""
    table.play_out()
    captured = table.points()[1] - 80
    return table.column("score")[1] - 2 * ((2 * captured + 5) // 10 * 5)


def next_phase(table: Table) -> str:
    """The phase in which the next deal begins."""
    table.play_out()
    engine.next_deals(table.states, table.array)
    return table.phase


def written_off(rules: RuleSet) -> list[int] | None:
    """The scores after the declarer wrote off at 105, None where he may not."""
    table = Table(rules, PLAIN, "105 pass pass")
    return table.act("writeoff").column("score") if "writeoff" in table.legal() else None


def is_taken(rules: RuleSet) -> tuple[bool, list[int]]:
    """Whether a bid over the cap is taken, and the offences noted."""
    table, mask = Table(rules, PLAIN, "100"), np.zeros(NUM_ACTIONS, np.int8)
    taken = try_row(table.state, table.array[0], bid_action(400), mask)
    return bool(taken), table.column("offences")


def dealer_of_four(rules: RuleSet) -> int:
    """What the dealer of four scores for a deal whose talon is worth 25."""
    table = Table(rules, TALON_SWEEP.replace("2 ", "3 ").replace(" cA", "/- cA"), "100 pass pass cQ dA pass")
    return table.play_out().column("score")[3]


def stakes(rules: RuleSet) -> list[float]:
    """The stakes when seat 0 wins and the others' totals are equal."""
    table = Table(rules, SWEEP, contract=120, deal=3, totals=(880, 0, 0), mounted=(1, 0, 0)).play_out()
    return engine.payoffs(table.states, table.array)[0].tolist()


# -- the cases -------------------------------------------------------------------------------------------------------

TOOK = "105 pass pass"  # seat 0 is declarer and the talon is shown
NO_CLAIM, MAY_CLAIM, DEALT_AGAIN = ("auction", False, False), ("claim", True, False), ("auction", False, True)
TALON_KEPT, TALON_CLAIM = ("exchange", False, False), ("claim", True, False)
MADE_TRUMP = "sA dA sJ hQ+ hJ h9"  # of TRUMPS: hearts are trump, seat 0 leads to the third trick
SITTER: dict[str, Any] = {"deal": 3, "totals": (880, 0, 0), "mounted": (1, 0, 0)}


def _hand_claims() -> list[Case]:
    """R1 to R5: asked where it is offered, dealt again where it is forced."""
    found: list[Case] = []
    for field, position, asked in (
        ("redeal_forehand_nines", FEW, ""),
        ("redeal_three_nines", FEW, ""),
        ("redeal_four_nines", NINES, ""),
        ("redeal_four_jacks", JACKS, "noredeal"),
        ("redeal_low_hand", NINES, ""),
    ):
        found.append(Case(field, "offer", "a claim is asked for", _offered(position, asked), NO_CLAIM, MAY_CLAIM))
        found.append(Case(field, "force", "dealt again", claim(position), NO_CLAIM, DEALT_AGAIN))
    return found


def _offered(position: str, asked: str) -> Show:
    """What `claim` says after others declined, where anybody is asked."""

    def show(rules: RuleSet) -> Any:
        table = Table(rules, position, asks=True)
        return claim(position, asked if table.phase == "claim" else "")(rules)

    return show


def _talon_claims() -> list[Case]:
    """R6 to R8 and R12: the declarer is asked, or the cards are dealt again."""
    found: list[Case] = []
    for field, position in (
        ("redeal_talon_nines", TALON_NINES),
        ("redeal_low_talon", TALON_POOR),
        ("redeal_talon_jacks", TALON_JACKS),
        ("redeal_talon_jacks_and_nine", TALON_POOR),
    ):
        offered, forced = claim(position, TOOK), claim(position, TOOK)
        found.append(Case(field, "offer", "a claim is asked for", offered, TALON_KEPT, TALON_CLAIM))
        found.append(Case(field, "force", "dealt again", forced, TALON_KEPT, DEALT_AGAIN))
    return found


CASES = [
    Case("players", 2, "hands dealt", fresh(hand_sizes), [7, 7, 7, 0], [10, 10, 0, 0], "core first_dealer=0"),
    Case("players", 4, "hands dealt", fresh(hand_sizes), [7, 7, 7, 0], [0, 7, 7, 7], "core first_dealer=0"),
    Case("first_dealer", 0, "who deals first", fresh(dealers), [0, 1, 2], [0]),
    Case("first_dealer", 1, "who deals first", fresh(dealers), [0, 1, 2], [1]),
    Case("first_dealer", 2, "who deals first", fresh(dealers), [0, 1, 2], [2]),
    Case("first_dealer", 3, "who deals first", fresh(dealers), [0, 1, 2, 3], [3], "core players=4"),
    Case("cut_ceremony", True, "a third nine is fined", fresh(fined_early, 2000), False, True),
    Case("cut_single_card", True, "the packs", fresh(cut_as_usual), True, False, "core cut_ceremony=yes"),
    Case("dealer_errors", 20, "the dealer is fined", fresh(fined_early), False, True),
    *_hand_claims(),
    Case("redeal_hand_below", 14, "a hand of 13", claim(FEW), ("claim", False, False), MAY_CLAIM,
         "core redeal_low_hand=offer"),
    *_talon_claims(),
    Case("redeal_talon_below", 6, "a talon of 5", claim(TALON_FIVE, TOOK), TALON_KEPT, TALON_CLAIM,
         "core redeal_low_talon=offer"),
    Case("triple_redeal_fine", True, "the dealer is fined", thrice_claimed, 0, 120,
         "core redeal_low_hand=offer redeal_hand_below=30"),
    Case("opening", "exactly_100", "the opening", at(PLAIN, "", lambda t: t.levels()[-1]), 180, 100),
    Case("bid_step", 10, "levels over 100", levels(PLAIN, "100"), [105, 110, 115, 120], [110, 120, 120],
         "core bid_cap=yes"),
    Case("bid_step", 15, "levels over 100", levels(PLAIN, "100"), [105, 110, 115, 120], [115, 115]),
    Case("bid_step", 20, "levels over 100", levels(PLAIN, "100"), [105, 110, 115, 120], [120, 120]),
    Case("bid_cap", False, "levels without a marriage", levels(PLAIN, "100"), [105, 110, 115, 120],
         [105, 110, 115, 400]),
    Case("negative_auction", "others_pass", "who bids", bidders, (0, "auction"), (0, "exchange")),
    Case("negative_auction", "barred", "who opens", bidders, (0, "auction"), (1, "auction")),
    Case("talon_at_100", "declarer_chooses", "phase and view", at(PLAIN, "100 pass pass", hundred),
         ("exchange", False), ("talon", False)),
    Case("talon_at_100", "shown", "phase and view", at(PLAIN, "100 pass pass", hundred), ("exchange", False),
         ("exchange", True)),
    Case("exchange", "closed", "the third seat's view", at(PLAIN, f"{TOOK} dT", seen_gift), True, False),
    Case("raise_contract", False, "after the gifts", at(PLAIN, f"{TOOK} dT d9", lambda t: t.phase), "contract", "play"),
    Case("must_trump", False, "a void seat", legal(TRUMPS, f"{MADE_TRUMP} s9", "hA", "hT", "cA", "cQ"), ["hA", "hT"],
         ["cA", "cQ", "hA", "hT"]),
    Case("must_beat", True, "who follows", legal(TRUMPS, "hK", "hA", "hT", "hJ"), ["hA", "hJ", "hT"], ["hA", "hT"]),
    Case("must_overtrump", True, "a void seat behind a ruff",
         legal(RUFF, "sA dQ d9 hQ+ hT h9 c9 cA s9 cT hK", "hA", "hJ", "dA"), ["dA", "hA", "hJ"], ["hA"],
         "core must_trump=no"),
    Case("declare", "automatic", "the silent lead", legal(TRUMPS, "sA dA sJ", "hQ", "hQ+"), ["hQ", "hQ+"], ["hQ+"]),
    Case("declare_with", "king_or_queen", "the king", legal(TRUMPS, "sA dA sJ", "hK+", "hQ+"), ["hQ+"], ["hK+", "hQ+"]),
    Case("trump_from", "next_trick", "trump in the trick", at(TRUMPS, "sA dA sJ hQ+", trump), 3, NONE),
    Case("marriage_first_lead", "unbeatable", "the first lead", legal(SWEEP, "", "hQ+"), [], ["hQ+"]),
    Case("marriage_first_lead", "always", "the first lead", legal(TRUMPS, "", "hQ+"), [], ["hQ+"]),
    Case("ace_marriage", True, "the second lead", legal(ACES, "sA sJ sK", "dA+"), [], ["dA+"]),
    Case("ace_marriage_trump", "led_ace", "trump in the trick", at(ACES, "sA sJ sK dA+", trump), NONE, 2,
         "core ace_marriage=yes"),
    Case("ace_marriage_trump", "last_ace", "trump after the fourth ace",
         at(ACES, "sA sJ sK dA+ dJ dK hA hJ hK cA cJ cK", trump), NONE, 1, "core ace_marriage=yes"),
    Case("round_to", 10, "23 points of a defender", result(CLOSE, "score", 1), 25, 20),
    Case("round_declarer", True, "97 points of 100", result(CLOSE, "score", 0), -100, 100, "core round_to=10"),
    Case("bolts", "off", "a third bolt", result(LOST, "totals", 2, bolts=(0, 0, 2)), -120, 0),
    Case("bolts", "cumulative", "a trick", result(LOST, "bolts", 1, bolts=(0, 1, 0)), 0, 1),
    Case("blind_bolts", "count", "a bolt in a blind deal",
         result(TALON_SWEEP, "bolts", actions="blind pass pass cQ dA", asks=True), [0, 1, 1], [0, 2, 2],
         "core blind=yes"),
    Case("declarer_bolts", False, "a declarer without a trick", result(SHARE, "bolts"), [1, 0, 0], [0, 0, 0]),
    Case("fine", 100, "a third bolt", result(LOST, "totals", 2, bolts=(0, 0, 2)), -120, -100),
    Case("barrel_at", 900, "a total of 890", result(LOST, "totals", 1, totals=(0, 800, 0)), 880, 890),
    Case("barrel_at", 0, "a total of 890", result(LOST, "totals", 1, totals=(0, 800, 0)), 880, 890),
    Case("barrel_skippable", True, "a total of 940", result(LOST, "totals", 1, totals=(0, 850, 0)), 880, 940,
         "core target=900 barrel_needs=120"),
    Case("barrel_needs", 130, "a sitter's levels", levels(PLAIN, **SITTER), [100, 125, 130, 180], [100, 130, 135, 180]),
    Case("barrel_attempts", 1, "a failed contract", result(LOST, "totals", 0, **SITTER), 880, 760),
    Case("barrel_failed_contract", "deduct", "a failed contract of 125",
         result(LOST, "totals", 0, contract=125, **SITTER), 880, 755),
    Case("barrel_falls_to_zero", 1, "a first fall", result(LOST, "totals", 0, **SITTER), 760, 0,
         "core barrel_attempts=1"),
    Case("barrel_seats", 2, "a second sitter", result(LOST, "totals", deal=3, totals=(0, 800, 880), mounted=(0, 0, 1)),
         [-100, 880, 760], [-100, 880, 880]),
    Case("barrel_tie", "one_falls", "two mount", result(SHARE, "totals", totals=(0, 820, 820)), [-100, 760, 760],
         [-100, 880, 760]),
    Case("barrel_auction", "granted", "a sitter", phase(PLAIN, deal=3, totals=(0, 880, 0), mounted=(0, 1, 0)),
         ("auction", NONE, 0), ("exchange", 1, 121)),
    Case("dump_truck", 0, "a total of 555", result(LOST, "totals", 1, totals=(0, 465, 0)), 0, 555),
    Case("dump_truck", 700, "a total of 700", result(LOST, "totals", 1, totals=(0, 610, 0)), 700, 0),
    Case("reverse_barrel", 500, "three deals below", result(LOST, "totals", 0, totals=(-890, 0, 0), reverse=(3, 0, 0)),
         -990, -500),
    Case("reverse_barrel", 750, "three deals below", result(LOST, "totals", 0, totals=(-890, 0, 0), reverse=(3, 0, 0)),
         -990, -750),
    Case("target", 1000, "a sitter's levels", levels(PLAIN, **SITTER), [100, 125, 130, 180], [100, 120, 125, 180]),
    Case("golden", True, "the first deal", phase(PLAIN), ("auction", NONE, 0), ("exchange", 0, 120)),
    Case("golden_doubles_marriages", False, "a defender's marriage of 80",
         at(SHARE, "c9 cA cQ dQ+", from_marriages), 160, 80, "core golden=yes"),
    Case("golden_none_made", "repeat", "the fourth deal", at(LOST, "", next_phase, deal=2), "auction", "exchange",
         "core golden=yes"),
    Case("blind", True, "the first question", phase(PLAIN, asks=True), ("auction", NONE, 0), ("blind", NONE, 0)),
    Case("blind_bonus", 50, "a blind deal made",
         result(TALON_SWEEP, "score", 0, actions="blind pass pass cQ dA", asks=True), 240, 290, "core blind=yes"),
    Case("write_off", "half", "the scores at 105", written_off, None, [-105, 55, 55]),
    Case("write_off", "sixty", "the scores at 105", written_off, None, [-120, 60, 60]),
    Case("write_off_limit", 1, "a second write-off", legal(PLAIN, TOOK, "writeoff", write_offs=(1, 0, 0)),
         ["writeoff"], [], "core write_off=half"),
    Case("write_off_on_barrel", False, "a sitter", legal(PLAIN, "100 pass pass", "writeoff", **SITTER), ["writeoff"],
         [], "core write_off=half"),
    Case("write_off_with_barrel", False, "another sits",
         legal(PLAIN, TOOK, "writeoff", deal=3, totals=(0, 880, 0), mounted=(0, 1, 0)), ["writeoff"], [],
         "core write_off=half"),
    Case("baptism", True, "the exchange", legal(PLAIN, TOOK, "baptise"), [], ["baptise"]),
    Case("enforcement", "table", "a bid over the cap", is_taken, (False, [0, 0, 0]), (True, [0, 1, 0])),
    Case("dealer_scores", "talon", "a talon of 25", dealer_of_four, 0, 25, "core players=4"),
    Case("dealer_scores", "fixed", "a talon of 25", dealer_of_four, 0, 30, "core players=4 dealer_fixed=30"),
    Case("dealer_fixed", 30, "any talon", dealer_of_four, 25, 30, "core players=4 dealer_scores=fixed"),
    Case("bonus_hands", 1, "the auction", legal(PLAIN, "", "bonus:hands"), [], ["bonus:hands"]),
    Case("bonus_suits", 1, "the auction", legal(PLAIN, "", "bonus:suits"), [], ["bonus:suits"]),
    Case("bonus_card", 1, "the auction", legal(PLAIN, "", "bonus:card1", "bonus:card3", "bonus:card4"), [],
         ["bonus:card1", "bonus:card3"]),
    Case("bank", 5, "a match won", stakes, [1.0, -0.5, -0.5], [5.0, -2.5, -2.5], "core target=980"),
    Case("max_deals", 1, "after the first deal", at(LOST, "", lambda t: t.play_out().phase), "scored", "over"),
]  # fmt: skip


def main() -> None:
    """Print where each value of each field shows."""
    width = max(map(len, FIELDS))
    for case in CASES:
        name = f"{case.field:<{width}}  {value_text(case.field, case.value)!s:<16}"
        print(f"{name} {case.where:<28} {case.usual!s:<28} -> {case.changed}")


if __name__ == "__main__":
    main()
