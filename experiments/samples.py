"""Samples: deals that look the same to one seat, by the cards it knows and by what it heard in the auction.

The questioned seat is always seat 0. Every other card is drawn uniformly; then the auction is held again, and a deal
whose other seats, played by the heuristic, would have spoken differently is thrown away. What is left are draws from
the deals that such opponents leave possible, so that a frequency among them is a probability at a table of heuristics.

The experiments deal by a table's rules without redeals, blind or golden deals and bonuses (`measured`): a claim would
end in other cards than those in question.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.agent import Agent, ask
from agents.heuristic import Heuristic
from agents.table import questions
from thousand_env import auction, deck
from thousand_env.actions import PASS, bid_action
from thousand_env.cards import FULL_PACK
from thousand_env.engine import step, step_row
from thousand_env.errors import ThousandError
from thousand_env.jit import kernel, lowest, mulhi, nth_bit, popcount
from thousand_env.layout import HAND_CARDS
from thousand_env.match import REVERSE_AT
from thousand_env.rng import derive, word
from thousand_env.rules import MIN_BID, RuleSet
from thousand_env.seats import is_active
from thousand_env.sheet import SeatSheet, Sheet, blank_sheet, check_sheet, write_sheet
from thousand_env.state import AUCTION, MAX_SEATS, NONE, new_states, taken

ME = 0  # the questioned seat
TALON = MAX_SEATS  # the place of its cards, behind the seats
NUM_PLACES = MAX_SEATS + 1
SEATS = ("forehand", "middle", "dealer")
SAMPLES = 0x5A3  # the namespace of the seeds used here
TRIES = 500  # deals tried for each one wanted, before the auction is called impossible
BATCH = 4000  # deals tried at a time

Cards = NDArray[np.int64]


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
    size = 2 if rules.players == 2 else 3
    talon = drawn_to(known[TALON], size, rest, key)
    state.talon_order = laid(talon, 0) | laid(rest & ~talon, size)
    state.seed = key
    deck.lay_talon(state, rules)
    auction.open_auction(state, rules)


@kernel
def _deal_all(worlds: Any, base: Any, rules: Any, known: Any, hand_size: int, keys: Any) -> None:
    for i in range(worlds.shape[0]):
        worlds[i] = base[0]
        deal_around(worlds[i], rules[0], known[i], hand_size, keys[i])


@kernel
def _derive_all(keys: Any, parts: Any, derived: Any) -> None:
    for i in range(derived.shape[0]):
        derived[i] = derive(keys[i], parts[i])


def derive_all(keys: Any, parts: Any) -> Cards:
    """Return the keys of addresses extended by one number each; both broadcast to one length."""
    keys, parts = np.broadcast_arrays(np.asarray(keys, np.int64), np.asarray(parts, np.int64))
    derived = np.empty(len(keys), np.int64)
    _derive_all(np.ascontiguousarray(keys), np.ascontiguousarray(parts), derived)
    return derived


def generator(seed: int) -> np.random.Generator:
    """Return NumPy's generator for what is drawn once a run, in the namespace of the samples."""
    return np.random.default_rng(int(derive(SAMPLES, seed)) & (1 << 63) - 1)


def drawn_hands(count: int, size: int, seed: int) -> Cards:
    """Return hands (count,) of `size` cards, each equally likely."""
    keys = derive_all(derive(SAMPLES, seed), np.arange(count))
    return np.array([drawn_to(0, size, FULL_PACK, int(key)) for key in keys], np.int64)


# -- where one sits --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Place:
    """A seat at a table before the auction: the rules, who deals when one is seat 0, and the score sheet."""

    rules: RuleSet
    dealer: int
    sheet: Sheet
    play: str = "heuristic"  # who plays sampled deals out, one of `experiments.forced.PLAYERS`

    @classmethod
    def at(
        cls, rules: RuleSet, seat: str = "forehand", totals: tuple[int, ...] = (), *, play: str = "heuristic"
    ) -> "Place":
        """Return the place of `seat`, one of SEATS; `totals` begin with one's own and go on clockwise.

        With four players the dealer sits out, and "dealer" is the last of the three who play. Raises `ThousandError`.
        """
        rules = measured(rules)
        if seat not in SEATS or (seat == "middle" and rules.players == 2):
            known = "forehand or dealer" if rules.players == 2 else ", ".join(SEATS)
            raise ThousandError(f"seat {seat!r}: expected {known} at a table of {rules.players}")
        before_me = SEATS.index(seat) if rules.active == 3 else int(seat == "dealer")
        dealer = rules.players - 1 - before_me
        return cls(rules, dealer, sheet_with(totals, rules), play)

    @property
    def hand_size(self) -> int:
        """How many cards a hand is dealt."""
        return HAND_CARDS[self.rules.players]

    @property
    def heuristic(self) -> Agent:
        """The bot that bids, gives and plays for everybody."""
        return Heuristic(self.rules)

    def base(self) -> NDArray[Any]:
        """Return the place as states, shape (1,), without cards."""
        states = new_states(1)
        write_sheet(states[0], self.sheet)
        states["dealer"], states["winner"] = self.dealer, NONE
        deck.clear_deal(states[0])
        return states

    def deals(self, known: Cards, keys: Cards) -> NDArray[Any]:
        """Return deals (N,) at the first bid: the cards known at each place (N, NUM_PLACES), the rest from `keys`."""
        worlds = new_states(len(keys))
        known = np.array(np.broadcast_to(known, (len(keys), NUM_PLACES)))
        _deal_all(worlds, self.base(), self.rules.array(), known, self.hand_size, keys)
        return worlds


def sheet_with(totals: tuple[int, ...], rules: RuleSet) -> Sheet:
    """Return a sheet with these totals, none for zeros; who has the barrel's points has just mounted it."""
    if not totals:
        return blank_sheet(rules)
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


def known_cards(hands: Any, talons: Any = 0) -> Cards:
    """Return the cards that seat 0 knows, its hand and the talon, by place: (N, NUM_PLACES), one row for plain sets."""
    hands, talons = np.broadcast_arrays(np.atleast_1d(hands), np.atleast_1d(talons))
    known = np.zeros((len(hands), NUM_PLACES), np.int64)
    known[:, ME], known[:, TALON] = hands, talons
    return known


# -- the auction -----------------------------------------------------------------------------------------------------


def heard(worlds: NDArray[Any], place: Place, said: Cards, *, listens: bool) -> NDArray[Any]:
    """Return those of the worlds, after it, in which the auction can go as `said`; `listens`: in which it would."""
    rules = place.rules.array()
    for action in said:
        views, masks, keys = questions(worlds, rules, np.arange(len(worlds)))
        fits = masks[:, action] == 1
        others = fits & (worlds["turn"] != ME)
        if listens and others.any():
            rows = np.flatnonzero(others)
            fits[rows] = ask(place.heuristic, views[rows], masks[rows], keys[rows]) == action
        worlds = taken(worlds, np.flatnonzero(fits))
        step(worlds, rules, np.full(len(worlds), action))
    return worlds


def fitting(
    place: Place, known: Cards, said: Cards, *, count: int, seed: int, listens: bool = True, tries: int = TRIES
) -> tuple[NDArray[Any], int]:
    """Return up to `count` sampled deals after the auction `said`, and how many were tried, at most `tries` for each.

    With `listens` off the bids of the others tell nothing but what the cap says (A3).
    """
    key, tried, parts, found = derive(SAMPLES, seed), 0, [new_states(0)], 0
    while found < count and tried < count * tries:
        size = min(BATCH, max(2 * (count - found), tried))
        worlds = place.deals(known, derive_all(key, tried + np.arange(size)))
        parts.append(heard(worlds, place, said, listens=listens))
        tried, found = tried + size, found + len(parts[-1])
    return np.concatenate(parts)[:count], tried


def worlds_of(
    place: Place, known: Cards, said: Cards, *, count: int, seed: int, listens: bool = True
) -> tuple[NDArray[Any], int]:
    """Return what `fitting` does, or raise `ThousandError` when too few deals fit."""
    worlds, tried = fitting(place, known, said, count=count, seed=seed, listens=listens)
    if len(worlds) < count:
        raise ThousandError(
            f"auction: {len(worlds)} of {tried} sampled deals fit it, expected {count}: the heuristic in the others' "
            "places would hardly speak so; with --no-listens they may say whatever is legal"
        )
    return worlds, tried


def default_auction(place: Place, known: Cards) -> Cards:
    """Return what the others say before one's first turn if the opener bids 100 and all pass; raises if it never comes.

    It never comes where the barrel is granted the contract (L7) or negative totals keep one out (A5).
    """
    states, rules = place.deals(known, np.zeros(1, np.int64)), place.rules.array()
    said: list[int] = []
    while int(states["phase"][0]) == AUCTION and int(states["turn"][0]) != ME:
        said.append(PASS if said else int(bid_action(MIN_BID)))
        step_row(states[0], rules[0], said[-1])
    if int(states["phase"][0]) != AUCTION:
        raise ThousandError("by these totals you are never asked in this auction (A5, L7); expected a seat that bids")
    return np.array(said, np.int64)
