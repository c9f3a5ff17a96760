"""Phase 0, the deal: an address (seed, match, deal, attempt) fixes the whole pack (D1, D4).

The pack is a uniform permutation drawn from the address alone; a cutting ceremony, where it is played, turns it before
it is dealt (D2). Cards go one at a time clockwise from forehand; a card is laid to the talon after each of the first
three rounds (four in the two-hand game), so that the last card dealt never goes there.
"""

from typing import Any

from thousand_env import auction, match
from thousand_env.cards import FULL_PACK, JACK, NINE, NUM_CARDS, rank_of
from thousand_env.jit import kernel, lowest, mix, mulhi, mullo, nth_bit, popcount
from thousand_env.rng import below, deal_key, derive, word
from thousand_env.rules import LOT
from thousand_env.seats import next_seat
from thousand_env.state import AGAIN, MAX_PLAYS, NONE

TALON_ROUNDS = 3
TALON_ROUNDS_OF_TWO = 4  # two talons of two: A after rounds 1 and 2, B after rounds 3 and 4 (H1)
REDEALS_FOR_FINE = 3
NINES_FOR_FINE = 3
MARRIED_PLACE = 12  # where a jack from the bottom is put (D2)

_DEALER_LOT = 0x10_7  # the part of a match's address that draws the first dealer
_ERROR, _CUT = 0xE7, 0xC7  # the parts of a deal's address that draw the dealer's errors and the cuts
_CARDS_A_WORD = 6  # one random word orders six cards: 24 * 23 * … * 19 < 2**27, so no order is favoured by 2**-37


@kernel
def draw_card(pack: int, fraction: int) -> int:
    """Return a card of the set `pack` as a mask, picked by a random word read as a fraction of 2**64."""
    return nth_bit(pack, mulhi(fraction, popcount(pack)))


@kernel
def lot(rules: Any, seed: int, match: int) -> int:
    """Return the seat that deals first (S2)."""
    if rules.first_dealer != LOT:
        return rules.first_dealer
    return below(word(derive(derive(mix(seed), match), -_DEALER_LOT), 0), rules.players)


@kernel
def deal_pack(state: Any, rules: Any) -> None:
    """Give out the cards of the state's address into `hands`, `dealt`, `talon` and `other_talon` (D1, H1)."""
    key = deal_key(state.seed, state.match, state.deal, state.attempt)
    shuffle(key, state.plays)
    deal_order(state, rules)


@kernel
def lay_talon(state: Any, rules: Any) -> None:
    """Fill the talon, or the two, from `talon_order`, and `dealt` from the hands."""
    first, second = 1 << (state.talon_order & 31), 1 << (state.talon_order >> 5 & 31)
    third = 1 << (state.talon_order >> 10 & 31)
    state.talon, state.other_talon = first | second, 0
    if rules.players == 2:
        state.other_talon = third | 1 << (state.talon_order >> 15 & 31)
    else:
        state.talon |= third
    for seat in range(rules.players):
        state.dealt[seat] = state.hands[seat]


@kernel
def clear_deal(state: Any) -> None:
    """Bring everything that belongs to one attempt at a deal back to rest; the score sheet and its fines stay."""
    for seat in range(4):
        state.bids[seat] = state.voids[seat] = state.peeks[seat] = 0
        state.captured[seat] = state.tricks[seat] = state.marriages[seat] = 0
        state.score[seat] = state.events[seat] = state.fined[seat] = 0
        state.gifts[seat] = NONE
    for place in range(MAX_PLAYS):
        state.plays[place] = 0
    state.other_talon = state.blind = state.asked = state.picked = 0
    state.bid = state.passed = state.talon_open = state.contract = state.num_plays = 0
    state.declarer = state.leader = state.trump = state.best = state.best_seat = NONE


@kernel
def clear_fines(state: Any) -> None:
    """Forget the fines of the last deal."""
    for seat in range(4):
        state.early[seat] = state.offences[seat] = 0


# -- the ceremony ----------------------------------------------------------------------------------------------------


@kernel
def shuffle(key: int, order: Any) -> None:
    """Fill `order` (24,) with the uniform permutation of the pack that `deal_pack` deals under this key."""
    pack, fraction = FULL_PACK, 0
    for place in range(NUM_CARDS):
        if place % _CARDS_A_WORD == 0:
            fraction = word(key, place // _CARDS_A_WORD)
        left = NUM_CARDS - place  # in the pack; counting them anew would hold the next draw up
        card = nth_bit(pack, mulhi(fraction, left))
        fraction = mullo(fraction, left)
        pack ^= card
        order[place] = lowest(card)


@kernel
def deal_cut_pack(state: Any, rules: Any) -> None:
    """Deal the pack after the ceremony (D2): cut, and cut again while a nine lies at the bottom.

    A third nine in a row fines the cutter and the pack is shuffled anew; a jack at the bottom is put into the middle.
    """
    key = deal_key(state.seed, state.match, state.deal, state.attempt)
    order = state.plays  # nothing is played yet: the pack lies here until it is dealt
    cutter = (state.dealer - 1) % rules.players
    fewest = 1 if rules.cut_single_card else 2
    shuffle(key, order)
    nines, cuts = 0, 0
    while True:
        cut(order, fewest + below(word(derive(key, _CUT), cuts), NUM_CARDS - 2 * fewest + 1))
        cuts += 1
        if rank_of(order[NUM_CARDS - 1]) != NINE:
            break
        nines += 1
        if nines == NINES_FOR_FINE:
            match.impose_early_fine(state, rules, cutter)
            shuffle(derive(derive(key, _CUT), cuts), order)
            nines = 0
    if rank_of(order[NUM_CARDS - 1]) == JACK:
        marry(order)
    deal_order(state, rules)


@kernel
def cut(order: Any, lifted: int) -> None:
    """Put the first `lifted` cards of the pack under the others."""
    reverse(order, 0, lifted)
    reverse(order, lifted, NUM_CARDS)
    reverse(order, 0, NUM_CARDS)


@kernel
def reverse(order: Any, start: int, end: int) -> None:
    """Turn round the part of the pack from `start` up to `end`."""
    for place in range((end - start) // 2):
        first, last = start + place, end - 1 - place
        order[first], order[last] = order[last], order[first]


@kernel
def marry(order: Any) -> None:
    """Put the bottom card into the middle of the pack (D2)."""
    jack = order[NUM_CARDS - 1]
    for place in range(NUM_CARDS - 1, MARRIED_PLACE, -1):
        order[place] = order[place - 1]
    order[MARRIED_PLACE] = jack


@kernel
def deal_order(state: Any, rules: Any) -> None:
    """Give out the pack that lies in `plays`, a card to the talon after each of the first rounds (D1, H1).

    Nothing is played yet, and `plays` is empty again then.
    """
    active = rules.active
    talon_rounds = TALON_ROUNDS_OF_TWO if active == 2 else TALON_ROUNDS
    state.talon_order = 0
    for laid in range(talon_rounds):
        state.talon_order |= state.plays[(active + 1) * laid + active] << (5 * laid)
    for seat in range(rules.players):
        state.hands[seat] = 0
    seat = state.dealer
    for first in range(active):
        seat = next_seat(seat, state.dealer, rules.players)
        state.hands[seat] = hand_from(state.plays, first, active, talon_rounds)
    lay_talon(state, rules)
    for place in range(MAX_PLAYS):
        state.plays[place] = 0


@kernel
def hand_from(order: Any, first: int, active: int, talon_rounds: int) -> int:
    """Return the hand whose first card lies at place `first` of the pack: a card of every round."""
    hand, place = 0, first
    for _ in range(talon_rounds):
        hand |= 1 << order[place]
        place += active + 1
    while place < NUM_CARDS:
        hand |= 1 << order[place]
        place += active
    return hand


# -- from deal to deal -----------------------------------------------------------------------------------------------


@kernel
def dealer_errs(state: Any, rules: Any) -> bool:
    """Whether the dealer makes a mistake at this attempt: `dealer_errors` in a hundred (D3)."""
    if rules.dealer_errors == 0:
        return False
    key = deal_key(state.seed, state.match, state.deal, state.attempt)
    return below(word(derive(key, _ERROR), 0), 100) < rules.dealer_errors


@kernel
def begin_deal(state: Any, rules: Any) -> None:
    """Deal the cards of the state's address, again where they must be, and ask for the first decision."""
    while True:
        clear_deal(state)
        if dealer_errs(state, rules):
            match.impose_early_fine(state, rules, state.dealer)
            state.attempt += 1
            continue
        if rules.cut_ceremony:
            deal_cut_pack(state, rules)
        else:
            deal_pack(state, rules)
        auction.open_deal(state, rules)
        if state.phase != AGAIN:
            return
        count_redeal(state, rules)


@kernel
def count_redeal(state: Any, rules: Any) -> None:
    """Go to the next attempt at a deal; the third redeal in a row by one dealer may fine him (R10)."""
    state.attempt += 1
    state.redeal_run += 1
    if state.redeal_run == REDEALS_FOR_FINE and rules.triple_redeal_fine:
        state.redeal_run = 0
        match.impose_early_fine(state, rules, state.dealer)


@kernel
def deal_again(state: Any, rules: Any) -> None:
    """Deal again after a claim (S2): the same dealer, the next attempt."""
    count_redeal(state, rules)
    begin_deal(state, rules)


@kernel
def begin_match(state: Any, rules: Any, seed: int, match_number: int) -> None:
    """Start a match: a clean score sheet, the first dealer, the first deal."""
    for seat in range(4):
        state.totals[seat] = state.bolts[seat] = state.mounted[seat] = state.attempts[seat] = 0
        state.falls[seat] = state.reverse[seat] = state.write_offs[seat] = state.bonuses[seat] = 0
        state.hands[seat] = state.dealt[seat] = 0
    state.baptised = state.golden_made = state.redeal_run = state.deal = state.attempt = 0
    state.seed, state.match, state.winner = seed, match_number, NONE
    state.dealer = lot(rules, seed, match_number)
    clear_fines(state)
    begin_deal(state, rules)


@kernel
def next_deal(state: Any, rules: Any) -> None:
    """Pass the deal one seat clockwise and deal again (S2)."""
    state.deal += 1
    state.attempt = state.redeal_run = 0
    state.dealer = (state.dealer + 1) % rules.players
    clear_fines(state)
    begin_deal(state, rules)
