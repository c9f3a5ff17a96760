"""Samples: deals that look the same to one seat, by the cards it knows and by what it heard in the auction.

The questioned seat is always seat 0. Every other card is drawn uniformly; then the auction is held again, and a deal
whose other seats, played by the heuristic, would have spoken differently is thrown away. What is left are draws from
the deals that such opponents leave possible, so that a frequency among them is a probability at a table of heuristics.

The experiments deal by a table's rules without redeals, blind or golden deals and bonuses (`measured`): a claim would
end in other cards than those in question.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.habits import habits
from agents.hand_value import weights
from agents.heuristic import decide
from thousand_env import auction, deck
from thousand_env.actions import NUM_ACTIONS, PASS, bid_action
from thousand_env.cards import FULL_PACK
from thousand_env.engine import legal_row, step_row
from thousand_env.errors import ThousandError
from thousand_env.jit import kernel, lowest, mulhi, nth_bit, popcount
from thousand_env.layout import HAND_CARDS
from thousand_env.match import REVERSE_AT
from thousand_env.rng import derive, word
from thousand_env.rules import MIN_BID, RuleSet
from thousand_env.seats import is_active
from thousand_env.sheet import SeatSheet, Sheet, check_sheet, write_sheet
from thousand_env.state import AUCTION, MAX_SEATS, NONE, new_states
from thousand_env.view import VIEW_DTYPE, look_row

ME = 0  # the questioned seat
TALON, OTHER_TALON = MAX_SEATS, MAX_SEATS + 1  # places of cards beside the seats
NUM_PLACES = MAX_SEATS + 2
SEATS = ("forehand", "middle", "dealer")
SAMPLES = 0x5A3  # the namespace of the seeds used here
TRIES = 2000  # deals tried for each one wanted, before the auction is called impossible

Cards = NDArray[np.int64]


class Player(NamedTuple):
    """The heuristic as kernels carry it about: its weights, and the room it needs."""

    table: Any
    habits: Any
    views: Any
    mask: Any
    room: Any


def player() -> Player:
    """Return a heuristic player with room of its own."""
    mask, room = np.zeros(NUM_ACTIONS, np.int8), np.zeros(1, np.int64)
    return Player(weights(), habits(), np.zeros(1, VIEW_DTYPE), mask, room)


def measured(rules: RuleSet) -> RuleSet:
    """Return the table as the experiments play it."""
    bonuses = dict.fromkeys(("bonus_hands", "bonus_suits", "bonus_card"), 0)
    return rules.without_redeals().replace(blind=False, golden=False, **bonuses)


# -- cards -----------------------------------------------------------------------------------------------------------


@kernel
def drawn_to(cards: int, size: int, rest: int, key: int) -> int:
    """Return `cards` filled up to `size` with cards of `rest`, each set equally likely.

    The random words are numbered by what is left of the rest, so that one key serves a whole deal.
    """
    while popcount(cards) < size:
        left = popcount(rest)
        card = nth_bit(rest, mulhi(word(key, left), left))
        cards |= card
        rest ^= card
    return cards


@kernel
def laid(talon: int, first: int) -> int:
    """Return a talon in the form of `talon_order`, its cards from place `first` on."""
    order, place = 0, first
    while talon:
        order |= lowest(talon) << (5 * place)
        talon &= talon - 1
        place += 1
    return order


@kernel
def deal_around(state: Any, rules: Any, known: Any, hand_size: int, key: int) -> None:
    """Deal what is not `known` (NUM_PLACES,) at random and open the auction; the state is at rest before."""
    rest = FULL_PACK
    for place in range(NUM_PLACES):
        rest &= ~known[place]
    for seat in range(rules.players):
        size = hand_size if is_active(state, rules, seat) else 0
        state.hands[seat] = drawn_to(known[seat], size, rest, key)
        rest &= ~state.hands[seat]
    talon = drawn_to(known[TALON], 2 if rules.players == 2 else 3, rest, key)
    state.talon_order = laid(talon, 0) | laid(rest & ~talon | known[OTHER_TALON], 2 if rules.players == 2 else 3)
    deck.lay_talon(state, rules)
    auction.open_auction(state, rules)


# -- the auction -----------------------------------------------------------------------------------------------------


@kernel
def heuristic_action(state: Any, rules: Any, player: Player) -> int:
    """Return what the heuristic does in the place of the seat to act; `player.mask` has the legal actions then."""
    legal_row(state, rules, player.mask)
    look_row(state, rules, state.turn, player.views[0])
    return decide(player.views[0], player.mask, rules, 0, player.table, player.habits[0], player.room)


@kernel
def hear(state: Any, rules: Any, said: Any, listens: bool, player: Player) -> bool:
    """Say what was `said` (actions in order); whether the others could, and if one `listens` would, have said it."""
    for place in range(said.shape[0]):
        action = heuristic_action(state, rules, player)
        if not player.mask[said[place]]:
            return False
        if listens and state.turn != ME and action != said[place]:
            return False
        step_row(state, rules, said[place])
    return True


@kernel
def fill_worlds(
    worlds: Any, base: Any, rules: Any, known: Any, hand_size: int, said: Any, listens: bool, key: int, tries: int,
    player: Player,
) -> Any:  # fmt: skip
    """Fill `worlds` with deals in which the auction went as `said`; return how many were found and how many tried."""
    found, tried = 0, 0
    while found < worlds.shape[0] and tried < tries:
        worlds[found] = base[0]
        deal_around(worlds[found], rules[0], known, hand_size, derive(key, tried))
        found += hear(worlds[found], rules[0], said, listens, player)
        tried += 1
    return found, tried


# -- where one sits --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Place:
    """A seat at a table before the auction: the rules, who deals when one is seat 0, and the score sheet."""

    rules: RuleSet
    dealer: int
    sheet: Sheet

    @classmethod
    def at(cls, rules: RuleSet, seat: str = "forehand", totals: tuple[int, ...] = ()) -> "Place":
        """Return the place of `seat`, one of SEATS; `totals` begin with one's own and go on clockwise.

        With four players the dealer sits out, and "dealer" is the last of the three who play. Raises `ThousandError`.
        """
        rules = measured(rules)
        if seat not in SEATS or (seat == "middle" and rules.players == 2):
            known = "forehand or dealer" if rules.players == 2 else ", ".join(SEATS)
            raise ThousandError(f"seat {seat!r}: expected {known} at a table of {rules.players}")
        before_me = SEATS.index(seat) if rules.active == 3 else int(seat == "dealer")
        dealer = rules.players - 1 - before_me
        return cls(rules, dealer, sheet_with(totals, rules))

    @property
    def hand_size(self) -> int:
        """How many cards a hand is dealt."""
        return HAND_CARDS[self.rules.players]

    def base(self) -> NDArray[Any]:
        """Return the place as states, shape (1,), without cards."""
        states = new_states(1)
        write_sheet(states[0], self.sheet)
        states["dealer"], states["winner"] = self.dealer, NONE
        deck.clear_deal(states[0])
        return states


def sheet_with(totals: tuple[int, ...], rules: RuleSet) -> Sheet:
    """Return a sheet with these totals, none for zeros; who has the barrel's points has just mounted it."""
    if not totals:
        return Sheet((SeatSheet(),) * rules.players)
    if len(totals) != rules.players:
        raise ThousandError(f"totals {' '.join(map(str, totals))}: expected {rules.players}, your own first")
    deals = 1

    def column(total: int) -> SeatSheet:
        sits = 0 < rules.barrel_at == total
        return SeatSheet(total, mounted=deals * sits, reverse=int(rules.reverse_barrel > 0 and total <= REVERSE_AT))

    sheet = Sheet(tuple(map(column, totals)), deals)
    try:
        check_sheet(sheet, rules)
    except ThousandError as error:
        raise ThousandError(f"totals, yours being seat 0: {error}") from None
    return sheet


def known_cards(hand: int, talon: int = 0, other_talon: int = 0) -> Cards:
    """Return the cards known at each place (NUM_PLACES,) to the questioned seat."""
    known = np.zeros(NUM_PLACES, np.int64)
    known[ME], known[TALON], known[OTHER_TALON] = hand, talon, other_talon
    return known


def worlds_of(
    place: Place, known: Cards, said: Cards, *, count: int, seed: int, listens: bool = True, tries: int = TRIES
) -> tuple[NDArray[Any], int]:
    """Return `count` sampled deals after the auction `said`, and how many deals were tried.

    With `listens` off the bids of the others tell nothing but what the cap says (A3). Raises `ThousandError` when too
    few deals fit.
    """
    worlds, key = new_states(count), int(derive(SAMPLES, seed))
    found, tried = fill_worlds(
        worlds, place.base(), place.rules.array(), known, place.hand_size, said, listens, key, count * tries, player()
    )
    if found < count:
        raise ThousandError(
            f"{found} of {tried} sampled deals fit the auction; expected {count}: no heuristic player would have "
            "spoken so with many hands"
        )
    return worlds, int(tried)


def drawn_hands(count: int, size: int, seed: int) -> Cards:
    """Return hands (count,) of `size` cards, each equally likely."""
    key = derive(SAMPLES, seed)
    return np.array([drawn_to(0, size, FULL_PACK, derive(key, number)) for number in range(count)], np.int64)


def deals_around(place: Place, hands: Cards, talons: Cards | None, key: int) -> NDArray[Any]:
    """Return deals (N,) at the first bid: hands (N,) at seat 0, these talons or any, the rest drawn from `key`."""
    worlds = new_states(len(hands))
    talons = np.zeros_like(hands) if talons is None else talons
    _deal_all(worlds, place.base(), place.rules.array(), hands, talons, place.hand_size, key, known_cards(0))
    return worlds


@kernel
def _deal_all(
    worlds: Any, base: Any, rules: Any, hands: Any, talons: Any, hand_size: int, key: int, known: Any
) -> None:  # fmt: skip
    for i in range(worlds.shape[0]):
        worlds[i] = base[0]
        known[ME], known[TALON] = hands[i], talons[i]
        deal_around(worlds[i], rules[0], known, hand_size, derive(key, i))


def default_auction(place: Place, known: Cards) -> Cards:
    """Return what the others say before one's first turn if the opener bids 100 and all pass; raises if it never comes.

    It never comes where the barrel is granted the contract (L7) or negative totals keep one out (A5).
    """
    states, rules = place.base(), place.rules.array()
    deal_around(states[0], rules[0], known, place.hand_size, 0)
    said: list[int] = []
    while int(states["phase"][0]) == AUCTION and int(states["turn"][0]) != ME:
        said.append(PASS if said else int(bid_action(MIN_BID)))
        step_row(states[0], rules[0], said[-1])
    if int(states["phase"][0]) != AUCTION:
        raise ThousandError("by these totals you are never asked in this auction (A5, L7); expected a seat that bids")
    return np.array(said, np.int64)
