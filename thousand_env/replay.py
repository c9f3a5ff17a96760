"""Replay: a deal laid out from what is written about it and acted through with every action checked.

The engine checks nothing, and a text can say anything. `lay_out` refuses cards, addresses and score sheets that cannot
be; `act` refuses what the seat to act may not do. The other way round, `deal_of` and `actions_of` read from a state how
it came about: a state remembers its whole deal, so these two, the score sheet and the rules say all that it says.

Every refusal is a `NotationError` of the form "found ..., expected ..."; who reads a text adds the place.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thousand_env import auction, deck, engine, exchange, play
from thousand_env.actions import (
    DECLARE_QUEEN,
    KEEP_TALON,
    LEVEL_STEP,
    NUM_LEVELS,
    PASS,
    SHOW_TALON,
    action_text,
    bid_action,
    bid_points,
    is_bid,
)
from thousand_env.cards import MAX_CONTRACT, NUM_CARDS, NUM_SUITS, card_name, suit_of
from thousand_env.errors import NotationError
from thousand_env.rules import LOT, MIN_BID, RuleSet
from thousand_env.sheet import Sheet, check_sheet, expect
from thousand_env.state import (
    AUCTION,
    CONTRACT,
    EXCHANGE,
    NONE,
    PLAY,
    SCORED,
    SILENT,
    TALON,
    new_states,
)

HAND_CARDS, TALON_CARDS, PLAY_CARDS = 7, 3, 8  # a hand as dealt, the talon, a hand when play begins


class Address(NamedTuple):
    """Where the cards of a deal were drawn (D1); `deal` counts the completed deals before it."""

    seed: int
    match: int
    deal: int
    attempt: int

    def __str__(self) -> str:
        return f"{self.seed}#{self.match}/{self.deal}.{self.attempt}"


@dataclass(frozen=True)
class Deal:
    """The cards of a deal: hands as dealt, a set a seat, and the talon's cards in the order they were laid.

    A deal known only from its first lead has hands of eight, no talon, and its declarer and contract.
    """

    dealer: int
    hands: tuple[int, ...]
    talon: tuple[int, ...] = ()
    address: Address | None = None
    declarer: int = NONE
    contract: int = 0


# -- what may be laid out --------------------------------------------------------------------------------------------


def check_deal(deal: Deal, sheet: Sheet, rules: RuleSet) -> None:
    """Raise `NotationError` unless these are the 24 cards, dealt by the right seat and drawn at the address given."""
    expect(0 <= deal.dealer < rules.players, f"dealer {deal.dealer}", f"a seat from 0 to {rules.players - 1}")
    _check_cards(deal)
    if not deal.talon:
        expect(deal.address is None, f"the address {deal.address}", "none: eight cards a hand are no distribution")
    if deal.address is not None:
        expect(deal.address.deal == sheet.deals, f"the address {deal.address}", f"deal {sheet.deals} of its match")
    expected = first_dealer(deal, rules)
    if expected != NONE:
        expected = (expected + sheet.deals) % rules.players
        expect(deal.dealer == expected, f"dealer {deal.dealer}", f"seat {expected} to deal (S2)")
    if deal.address is not None:
        _check_address(deal, rules)


def first_dealer(deal: Deal, rules: RuleSet) -> int:
    """Return the seat that dealt first in the match of a deal, NONE where nothing tells (S2)."""
    if deal.address is None:
        return NONE if rules.first_dealer == LOT else rules.first_dealer
    return int(deck.lot(rules.array()[0], deal.address.seed, deal.address.match))


def places(deal: Deal) -> list[tuple[str, set[int]]]:
    """Return where the cards of a deal lie: the name of each place and its cards."""
    hands = [{card for card in range(NUM_CARDS) if hand >> card & 1} for hand in deal.hands]
    return [*((f"the hand of seat {seat}", hand) for seat, hand in enumerate(hands)), ("the talon", set(deal.talon))]


def _check_cards(deal: Deal) -> None:
    cards = HAND_CARDS if deal.talon else PLAY_CARDS
    for name, place in places(deal)[:-1]:
        expect(len(place) == cards, f"{len(place)} cards in {name}", str(cards))
    if deal.talon:
        expect(len(deal.talon) == TALON_CARDS, f"{len(deal.talon)} cards in the talon", str(TALON_CARDS))
    for card in range(NUM_CARDS):
        holders = [name for name, place in places(deal) if card in place]
        expect(len(holders) < 2, f"{card_name(card)} in {' and '.join(holders)}", "every card in one place")


def check_contract(deal: Deal, sheet: Sheet, rules: RuleSet) -> None:
    """Raise `NotationError` unless a deal that begins at the first lead may have this declarer and contract."""
    players, contract, declarer = rules.players, deal.contract, deal.declarer
    expect(0 <= declarer < players, f"declarer {declarer}", f"a seat from 0 to {players - 1}")
    fits = MIN_BID <= contract <= MAX_CONTRACT and (contract - MIN_BID) % rules.bid_step == 0
    levels = f"{MIN_BID} to {MAX_CONTRACT} in steps of {rules.bid_step} (A2)"
    expect(fits, f"contract {contract}", levels)
    if contract == MIN_BID:
        forehand = (deal.dealer + 1) % players
        expect(declarer == forehand, f"contract 100 of seat {declarer}", f"the opener, seat {forehand}, at 100 (A1)")
    elif sheet.seats[declarer].mounted:
        lowest = int(auction.lowest_raise(MIN_BID, True, rules.array()[0]))
        expect(contract >= lowest, f"contract {contract} of a seat on the barrel", f"{lowest} or more (L3)")


def drawn(address: Address, dealer: int, rules: RuleSet) -> Deal:
    """Return the deal that the deck gives at an address (D1)."""
    state: Any = new_states(1)[0]
    state.seed, state.match, state.deal, state.attempt = address
    state.dealer = dealer
    deck.deal_pack(state, rules.array()[0])
    return _cards_of(state, rules, address)


def _check_address(deal: Deal, rules: RuleSet) -> None:
    assert deal.address is not None
    there = places(drawn(deal.address, deal.dealer, rules))
    for (name, cards), (_, expected) in zip(places(deal), there, strict=True):
        for card in sorted(cards - expected):
            place = next(name for name, others in there if card in others)
            raise NotationError(f"found {card_name(card)} in {name}, expected it in {place} ({deal.address})")


# -- from text to state ----------------------------------------------------------------------------------------------


def lay_out(deal: Deal, sheet: Sheet, rules: RuleSet) -> NDArray[Any]:
    """Return the states, shape (1,), of a deal before its first action; raises `NotationError` if it cannot be."""
    check_sheet(sheet, rules)
    check_deal(deal, sheet, rules)
    if not deal.talon:
        check_contract(deal, sheet, rules)
    address = deal.address or Address(0, 0, sheet.deals, 0)
    talon = drawn(address, deal.dealer, rules).talon if deal.address else deal.talon
    states = new_states(1)
    state: Any = states[0]
    state.seed, state.match, state.deal, state.attempt = address
    state.dealer, state.winner = deal.dealer, NONE
    for seat, column in enumerate(sheet.seats):
        state.totals[seat], state.bolts[seat], state.mounted[seat] = column.total, column.bolts, column.mounted
        state.attempts[seat], state.falls[seat] = column.attempts, column.falls
    deck.clear_deal(state)
    for seat, hand in enumerate(deal.hands):
        state.hands[seat] = state.dealt[seat] = hand
    state.talon = sum(1 << card for card in talon)
    state.talon_order = sum(card << 5 * place for place, card in enumerate(talon))
    if talon:
        auction.open_auction(state, rules.array()[0])
    else:
        _start_at_lead(state, deal, rules)
    return states


def _start_at_lead(state: Any, deal: Deal, rules: RuleSet) -> None:
    state.declarer, state.bid = deal.declarer, deal.contract
    state.passed = ((1 << rules.players) - 1) ^ (1 << deal.declarer)
    play.begin_play(state, deal.contract)


def act(states: NDArray[Any], rules: RuleSet, action: int) -> None:
    """Apply an action of the seat to act, in place; raises `NotationError` if it may not act so."""
    legal = legal_actions(states, rules)
    if action not in legal:
        raise NotationError(f"found {action_text(action)}, expected {expected_now(states[0], rules)}: {listing(legal)}")
    engine.step(states, rules.array(), np.array([action]))


def legal_actions(states: NDArray[Any], rules: RuleSet) -> list[int]:
    """Return the legal actions of the seat to act in `states` (1,), in ascending order."""
    return [int(action) for action in np.flatnonzero(engine.legal_actions(states, rules.array())[0])]


def listing(actions: Sequence[int]) -> str:
    """Return actions as people list them, a run of bids by its ends.

    >>> listing([PASS, bid_action(100), *range(bid_action(125), bid_action(180) + 1)])
    'pass, 100, 125 to 180 in steps of 5'
    """
    texts = [action_text(action) for action in actions if not is_bid(action)]
    bids = [bid_points(action) for action in actions if is_bid(action)]
    step = min((later - earlier for earlier, later in itertools.pairwise(bids)), default=0)
    runs: list[list[int]] = []
    for points in bids:
        if runs and points - runs[-1][-1] == step:
            runs[-1].append(points)
        else:
            runs.append([points])
    for run in runs:
        texts += [f"{run[0]} to {run[-1]} in steps of {step}"] if len(run) > 2 else map(str, run)
    return ", ".join(texts) or "nothing"


def expected_now(state: Any, rules: RuleSet) -> str:
    """Return in words what a state waits for."""
    if state.phase >= SCORED:
        return "nothing more in this deal"
    if state.phase == EXCHANGE:
        return f"a gift by seat {state.turn} to seat {exchange.receiver(state, rules.array()[0])}"
    words = {AUCTION: "a bid", TALON: "the talon shown or kept", CONTRACT: "the contract", PLAY: "a card"}
    return f"{words[int(state.phase)]} by seat {state.turn}"


# -- from state to text ----------------------------------------------------------------------------------------------


def _cards_of(state: Any, rules: RuleSet, address: Address | None) -> Deal:
    talon = tuple(int(state.talon_order) >> 5 * place & 31 for place in range(TALON_CARDS if state.talon else 0))
    return Deal(int(state.dealer), tuple(int(state.dealt[seat]) for seat in range(rules.players)), talon, address)


def deal_of(state: Any, rules: RuleSet) -> Deal:
    """Return the deal of a state, with its address if its cards were drawn there."""
    deal = _cards_of(state, rules, Address(int(state.seed), int(state.match), int(state.deal), int(state.attempt)))
    if not deal.talon:
        return replace(deal, address=None, declarer=int(state.declarer), contract=int(state.contract))
    assert deal.address is not None
    dealer = (first_dealer(deal, rules) + deal.address.deal) % rules.players
    return deal if drawn(deal.address, dealer, rules) == deal else replace(deal, address=None)


def calls_of(state: Any, players: int) -> list[tuple[int, int]]:
    """Return the auction so far: (seat, points) in order, 0 points for a pass."""
    named = [(bit, seat) for bit in range(NUM_LEVELS) for seat in range(players) if int(state.bids[seat]) >> bit & 1]
    levels = [(MIN_BID + LEVEL_STEP * bit, seat) for bit, seat in named]
    calls: list[tuple[int, int]] = []
    seat, passed = (int(state.dealer) + 1) % players, 0
    while levels or passed != state.passed:
        if levels and levels[0][1] == seat:
            calls.append((seat, levels.pop(0)[0]))
        else:
            calls.append((seat, 0))
            passed |= 1 << seat
        seat = next(s % players for s in range(seat + 1, seat + 1 + players) if not passed >> s % players & 1)
    return calls


def gifts_of(state: Any, players: int) -> list[tuple[int, int]]:
    """Return the gifts made so far: (receiver, card) in order."""
    seats = [(int(state.declarer) + distance) % players for distance in range(1, players)]
    return [(seat, int(state.gifts[seat])) for seat in seats if state.declarer != NONE and state.gifts[seat] != NONE]


def chose_talon(state: Any, rules: RuleSet) -> bool:
    """Whether the declarer has decided if the talon is shown (T2)."""
    chooses = rules.talon_at_100 == "declarer_chooses" and state.bid == MIN_BID and state.talon != 0
    return chooses and state.phase > TALON


def plays_of(state: Any) -> list[int]:
    """Return the plays so far, as actions."""
    plays = [int(state.plays[place]) for place in range(state.num_plays)]
    return [play_action(entry & 31, entry >> 5 & 7) for entry in plays]


def play_action(card: int, way: int) -> int:
    """Return the action that plays a card in a way: silently, or declaring with it."""
    return card if way == SILENT else DECLARE_QUEEN + NUM_SUITS * (way - 1) + suit_of(card)


def actions_of(state: Any, rules: RuleSet) -> list[int]:
    """Return every action of the deal so far, from the layout of `deal_of(state)` on."""
    actions: list[int] = []
    if state.talon:
        actions += [bid_action(points) if points else PASS for _, points in calls_of(state, rules.players)]
        if chose_talon(state, rules):
            actions.append(SHOW_TALON if state.talon_open else KEEP_TALON)
        actions += [card for _, card in gifts_of(state, rules.players)]
        if state.contract and rules.raise_contract:
            actions.append(PASS if state.contract == state.bid else bid_action(int(state.contract)))
    return actions + plays_of(state)
