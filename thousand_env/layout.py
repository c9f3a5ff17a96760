"""Layout: the cards of a deal, from a text or from the deck, on the table with a score sheet beside them.

The engine checks nothing, and a text can say anything. `lay_out` gives out the cards that a text names and `deal_out`
lets the deck deal; both refuse cards, addresses and score sheets that cannot be. The other way round, `deal_of` reads
from a state what was laid out.

Every refusal is a `NotationError` of the form "found ..., expected ..."; who reads a text adds the place.
"""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from numpy.typing import NDArray

from thousand_env import auction, deck, play
from thousand_env.cards import MAX_CONTRACT, NUM_CARDS, card_name
from thousand_env.errors import NotationError
from thousand_env.redeals import any_hand_entitles, hand_entitles, talon_entitles
from thousand_env.rules import FIELDS, FORCE, LOT, MIN_BID, RuleSet
from thousand_env.scoring import FIXED_CONTRACT, is_golden
from thousand_env.seats import active_seats, forehand_of, next_seat
from thousand_env.sheet import REDEALS, Sheet, attempts_since, check_sheet, expect, write_sheet
from thousand_env.state import AGAIN, BLIND_CHOSEN, NONE, new_states

# By the number of players: cards of a hand as dealt, of the talons as laid, of a hand at the first lead.
HAND_CARDS, TALON_CARDS, LEAD_CARDS = {2: 10, 3: 7, 4: 7}, {2: 4, 3: 3, 4: 3}, {2: 11, 3: 8, 4: 8}


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

    A deal known only from its first lead has the hands of that moment, no talon but, with two players, the `other` one
    that nobody picked, and its declarer and contract; `blind` says that forehand went blind.
    """

    dealer: int
    hands: tuple[int, ...]
    talon: tuple[int, ...] = ()
    address: Address | None = None
    declarer: int = NONE
    contract: int = 0
    other: tuple[int, ...] = ()
    blind: bool = False


# -- what may be laid out --------------------------------------------------------------------------------------------


def check_deal(deal: Deal, sheet: Sheet, rules: RuleSet) -> None:
    """Raise `NotationError` unless these are the 24 cards, dealt by the right seat and drawn at the address given."""
    expect(0 <= deal.dealer < rules.players, f"dealer {deal.dealer}", f"a seat from 0 to {rules.players - 1}")
    _check_cards(deal, rules)
    if not deal.talon:
        expect(deal.address is None, f"the address {deal.address}", "none: hands at the first lead are no distribution")
    if deal.address is not None:
        expect(deal.address.deal == sheet.deals, f"the address {deal.address}", f"deal {sheet.deals} of its match")
    expected = first_dealer(deal, rules)
    if expected != NONE:
        expected = (expected + sheet.deals) % rules.players
        expect(deal.dealer == expected, f"dealer {deal.dealer}", f"seat {expected} to deal (S2)")
    for seat, column in enumerate(sheet.seats):
        attempts = attempts_since(column.mounted, sheet.deals, seat, deal.dealer, rules) if column.mounted else 0
        found = f"{column.attempts} attempts of seat {seat} on the barrel"
        expect(column.attempts == attempts, found, f"{attempts}, for every deal it played (L4)")
    if deal.address is not None:
        _check_address(deal, deal.address, rules)


def first_dealer(deal: Deal, rules: RuleSet) -> int:
    """Return the seat that dealt first in the match of a deal, NONE where nothing tells (S2)."""
    if deal.address is None:
        return NONE if rules.first_dealer == LOT else rules.first_dealer
    return int(deck.lot(rules.array()[0], deal.address.seed, deal.address.match))


def places(deal: Deal) -> list[tuple[str, set[int]]]:
    """Return where the cards of a deal lie: the name of each place and its cards."""
    hands = [{card for card in range(NUM_CARDS) if hand >> card & 1} for hand in deal.hands]
    talons = [("the talon", deal.talon)]
    if len(deal.hands) == 2:
        talons = [("talon A", deal.talon[:2]), ("talon B", deal.talon[2:] or deal.other)]
    named = [(f"the hand of seat {seat}", hand) for seat, hand in enumerate(hands)]
    return [*named, *((name, set(cards)) for name, cards in talons)]


def _check_cards(deal: Deal, rules: RuleSet) -> None:
    players = rules.players
    at_lead = not deal.talon
    cards = LEAD_CARDS[players] if at_lead else HAND_CARDS[players]
    for seat, (name, place) in enumerate(places(deal)[:players]):
        sits_out = players == 4 and seat == deal.dealer
        found = f"{len(place)} cards in {name}{', who deals' if sits_out else ''}"
        expect(len(place) == (0 if sits_out else cards), found, "none (F1)" if sits_out else str(cards))
    if players == 2:
        for name, place in places(deal)[players + at_lead :]:
            expect(len(place) == 2, f"{len(place)} cards in {name}", "2 (H1)")
    elif not at_lead:
        expect(len(deal.talon) == TALON_CARDS[players], f"{len(deal.talon)} cards in the talon", "3")
    for card in range(NUM_CARDS):
        holders = [name for name, place in places(deal) if card in place]
        expect(len(holders) < 2, f"{card_name(card)} in {' and '.join(holders)}", "every card in one place")


def drawn(address: Address, dealer: int, rules: RuleSet) -> Deal:
    """Return the deal that the deck gives at an address (D1)."""
    state: Any = new_states(1)[0]
    state.seed, state.match, state.deal, state.attempt = address
    state.dealer = dealer
    if rules.cut_ceremony:
        deck.deal_cut_pack(state, rules.array()[0])
    else:
        deck.deal_pack(state, rules.array()[0])
    return _cards_of(state, rules, address)


def _check_address(deal: Deal, address: Address, rules: RuleSet) -> None:
    there = places(drawn(address, deal.dealer, rules))
    for (name, cards), (_, expected) in zip(places(deal), there, strict=True):
        for card in sorted(cards - expected):
            place = next(name for name, others in there if card in others)
            raise NotationError(f"found {card_name(card)} in {name}, expected it in {place} ({address})")


# -- from text to state ----------------------------------------------------------------------------------------------


def lay_out(deal: Deal, sheet: Sheet, rules: RuleSet) -> NDArray[Any]:
    """Return the states, shape (1,), of a deal before its first action, the sheet beside it just as it is.

    Raises `NotationError` if they cannot be.
    """
    check_sheet(sheet, rules)
    check_deal(deal, sheet, rules)
    states = _with_sheet(deal, sheet)
    state: Any = states[0]
    talon = drawn(deal.address, deal.dealer, rules).talon if deal.address else deal.talon
    for seat, hand in enumerate(deal.hands):
        state.hands[seat] = state.dealt[seat] = hand
    if not talon:
        state.other_talon = sum(1 << card for card in deal.other)
        _start_at_lead(state, deal, rules)
        return states
    if deal.address is not None:
        _check_attempt(state, deal.address, sheet, rules)
    state.talon_order = sum(card << 5 * place for place, card in enumerate(talon))
    deck.lay_talon(state, rules.array()[0])
    auction.open_deal(state, rules.array()[0])
    if state.phase == AGAIN:
        raise NotationError(f"found {forced_by(state, rules)}")
    return states


def deal_out(deal: Deal, sheet: Sheet, rules: RuleSet) -> NDArray[Any]:
    """Return the states, shape (1,), of a deal with an address as the deck gives it out, from the sheet's attempt on.

    What is dealt again by itself, and the fines on the way, are on the sheet then. Raises `NotationError` if the deal
    is another one than the deck comes to.
    """
    assert deal.address is not None
    check_sheet(sheet, rules)
    check_deal(deal, sheet, rules)
    states = _with_sheet(deal, sheet)
    deck.begin_deal(states[0], rules.array()[0])
    attempt = int(states[0].attempt)
    found, expected = f"the address {deal.address}", f"attempt {attempt}, the next one that is played"
    expect(attempt == deal.address.attempt, found, f"{expected} (S2)")
    return states


def _with_sheet(deal: Deal, sheet: Sheet) -> NDArray[Any]:
    states = new_states(1)
    state: Any = states[0]
    if deal.address is not None:
        state.seed, state.match = deal.address[:2]
    state.dealer, state.winner = deal.dealer, NONE
    write_sheet(state, sheet)
    deck.clear_deal(state)
    return states


def _check_attempt(state: Any, address: Address, sheet: Sheet, rules: RuleSet) -> None:
    expect(address.attempt == sheet.attempt, f"the address {address}", f"attempt {sheet.attempt} of this deal")
    errs = bool(deck.dealer_errs(state, rules.array()[0]))
    expect(not errs, f"the address {address}", "another attempt: the dealer errs at this one (D3)")
    if not rules.cut_ceremony:
        return
    cut: Any = state.copy()
    deck.deal_cut_pack(cut, rules.array()[0])
    for seat, column in enumerate(sheet.seats):
        points = int(cut.early[seat]) - column.early
        found = f"{column.early} points of early fines of seat {seat}"
        expect(column.early >= points, found, f"{points}, which cutting these cards costs (D2)")


def forced_by(state: Any, rules: RuleSet) -> str:
    """Return in words what forces the cards of a state to be dealt again, and what was expected instead (R1-R12)."""
    record = rules.array()[0]
    on_talon = state.talon_open or not any_hand_entitles(state, record, FORCE)
    seats = [seat for seat in range(rules.players) if active_seats(state, record) >> seat & 1]
    for name in REDEALS:
        alone = rules.without_redeals().replace(**{name: "force"}).array()[0]
        if on_talon and talon_entitles(state, alone, FORCE):
            return f"a talon with {name}=force, expected one that is not dealt again ({FIELDS[name].metadata['rule']})"
        for seat in [] if on_talon else seats:
            if hand_entitles(state, alone, seat, FORCE):
                found = f"the hand of seat {seat} with {name}=force"
                return f"{found}, expected one that is not dealt again ({FIELDS[name].metadata['rule']})"
    raise AssertionError("asked of cards that nothing forces to be dealt again")


# -- a deal from its first lead --------------------------------------------------------------------------------------


def _start_at_lead(state: Any, deal: Deal, rules: RuleSet) -> None:
    record = rules.array()[0]
    _check_contract(state, deal, rules)
    if deal.blind:
        state.blind = BLIND_CHOSEN
        state.bids[deal.declarer] = auction.level_bit(deal.contract)
    state.declarer, state.bid = deal.declarer, deal.contract
    state.passed = active_seats(state, record) & ~(1 << deal.declarer)
    play.begin_play(state, deal.contract)


def _check_contract(state: Any, deal: Deal, rules: RuleSet) -> None:
    """Raise `NotationError` unless a deal that begins at the first lead may have this declarer and contract."""
    record = rules.array()[0]
    active, forehand = int(active_seats(state, record)), int(forehand_of(state, record))
    declarer, contract = deal.declarer, deal.contract
    seats = ", ".join(str(seat) for seat in range(rules.players) if active >> seat & 1)
    expect(declarer >= 0 and active >> declarer & 1 == 1, f"declarer {declarer}", f"one of the seats {seats}")
    expect(rules.dealer_scores != "talon", "hands at the first lead", "the talon, whose points the dealer scores (F3)")
    found, fixed = f"contract {contract} of seat {declarer}", f"{FIXED_CONTRACT} of forehand, seat {forehand}"
    is_fixed = contract == FIXED_CONTRACT and declarer == forehand
    granted = int(auction.granted_seat(state, record))
    if is_golden(state, record):
        expect(is_fixed and not deal.blind, found, f"{fixed} (G1)")
    elif deal.blind:
        expect(bool(auction.may_go_blind(state, record)), "blind", "a bid: forehand may not go blind here (Z1)")
        expect(is_fixed, found, f"{fixed} (Z1)")
    elif granted != NONE:
        expect((declarer, contract) == (granted, rules.needs), found, f"{rules.needs} of seat {granted} (L7)")
    else:
        _check_bid(state, deal, found, rules)


def _check_bid(state: Any, deal: Deal, found: str, rules: RuleSet) -> None:
    record, contract, step = rules.array()[0], deal.contract, rules.bid_step
    fits = MIN_BID <= contract <= MAX_CONTRACT and (contract - MIN_BID) % step == 0
    expect(fits, f"contract {contract}", f"{MIN_BID} to {MAX_CONTRACT} in steps of {step} (A2)")
    kept_out = int(auction.kept_out(state, record))
    expect(not kept_out >> deal.declarer & 1, found, "a seat that may bid, by its total (A5)")
    opener = int(forehand_of(state, record))
    while kept_out >> opener & 1:
        opener = int(next_seat(opener, state.dealer, rules.players))
    if contract == MIN_BID:
        expect(deal.declarer == opener, found, f"the opener, seat {opener}, at 100 (A1)")
    elif state.mounted[deal.declarer]:
        lowest = int(auction.lowest_raise(MIN_BID, True, record))
        expect(contract >= lowest, f"contract {contract} of a seat on the barrel", f"{lowest} or more (L3)")


# -- from state to text ----------------------------------------------------------------------------------------------


def _cards_of(state: Any, rules: RuleSet, address: Address | None) -> Deal:
    count = TALON_CARDS[rules.players] if state.talon else 0
    talon = tuple(int(state.talon_order) >> 5 * place & 31 for place in range(count))
    return Deal(int(state.dealer), tuple(int(state.dealt[seat]) for seat in range(rules.players)), talon, address)


def deal_of(state: Any, rules: RuleSet) -> Deal:
    """Return the deal of a state, with its address if its cards were drawn there."""
    deal = _cards_of(state, rules, Address(int(state.seed), int(state.match), int(state.deal), int(state.attempt)))
    if not deal.talon:
        other = tuple(card for card in range(NUM_CARDS) if int(state.other_talon) >> card & 1)
        blind = bool(state.blind == BLIND_CHOSEN)
        deal = replace(deal, address=None, other=other, blind=blind)
        return replace(deal, declarer=int(state.declarer), contract=int(state.contract))
    assert deal.address is not None
    dealer = (first_dealer(deal, rules) + deal.address.deal) % rules.players
    return deal if drawn(deal.address, dealer, rules) == deal else replace(deal, address=None)
