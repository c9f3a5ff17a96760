"""Phase 0, the deal: an address (seed, match, deal, attempt) fixes the whole pack (D1, D4).

The pack is a uniform permutation drawn from the address alone. Cards go one at a time clockwise from forehand; a card
is laid to the talon after each of the first three rounds, so that the last card dealt never goes there.
"""

from typing import Any

from thousand_env import auction
from thousand_env.cards import FULL_PACK, NUM_CARDS
from thousand_env.jit import kernel, lowest, mix, mulhi, mullo, nth_bit, popcount
from thousand_env.rng import below, deal_key, derive, word
from thousand_env.rules import LOT
from thousand_env.state import MAX_PLAYS, NONE

TALON_ROUNDS = 3
_DEALER_LOT = 0x10_7  # the part of a match's address that draws the first dealer
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
    """Give out the cards of the state's address into `hands`, `dealt` and `talon` (D1)."""
    players, key = rules.players, deal_key(state.seed, state.match, state.deal, state.attempt)
    for seat in range(players):
        state.hands[seat] = 0
    talon, order, pack, fraction = 0, 0, FULL_PACK, 0
    seat, given, talon_cards = (state.dealer + 1) % players, 0, 0
    for dealt in range(NUM_CARDS):
        if dealt % _CARDS_A_WORD == 0:
            fraction = word(key, dealt // _CARDS_A_WORD)
        card = draw_card(pack, fraction)
        fraction = mullo(fraction, popcount(pack))
        pack ^= card
        if talon_cards < TALON_ROUNDS and given == players * (talon_cards + 1):
            talon |= card
            order |= lowest(card) << (5 * talon_cards)
            talon_cards += 1
        else:
            state.hands[seat] |= card
            seat, given = (seat + 1) % players, given + 1
    state.talon, state.talon_order = talon, order
    for seat in range(players):
        state.dealt[seat] = state.hands[seat]


@kernel
def clear_deal(state: Any) -> None:
    """Bring everything that belongs to one deal back to rest; the score sheet stays."""
    for seat in range(4):
        state.bids[seat] = state.voids[seat] = state.shown[seat] = state.peeks[seat] = 0
        state.captured[seat] = state.tricks[seat] = state.marriages[seat] = 0
        state.score[seat] = state.events[seat] = 0
        state.gifts[seat] = NONE
    for place in range(MAX_PLAYS):
        state.plays[place] = 0
    state.other_talon = state.blind = state.asked = state.picked = 0
    state.bid = state.passed = state.talon_open = state.contract = state.num_plays = 0
    state.declarer = state.leader = state.trump = state.best = state.best_seat = NONE


@kernel
def begin_deal(state: Any, rules: Any) -> None:
    """Deal the cards of the state's address and open the auction."""
    clear_deal(state)
    deal_pack(state, rules)
    auction.open_auction(state, rules)


@kernel
def begin_match(state: Any, rules: Any, seed: int, match: int) -> None:
    """Start a match: a clean score sheet, the first dealer, the first deal."""
    for seat in range(4):
        state.totals[seat] = state.bolts[seat] = state.mounted[seat] = state.attempts[seat] = 0
        state.falls[seat] = state.reverse[seat] = state.write_offs[seat] = state.bonuses[seat] = 0
        state.hands[seat] = state.dealt[seat] = 0
    state.baptised = state.golden_made = state.redeal_run = state.deal = state.attempt = 0
    state.seed, state.match, state.winner = seed, match, NONE
    state.dealer = lot(rules, seed, match)
    begin_deal(state, rules)


@kernel
def next_deal(state: Any, rules: Any) -> None:
    """Pass the deal one seat clockwise and deal again (S2)."""
    state.deal += 1
    state.attempt = 0
    state.dealer = (state.dealer + 1) % rules.players
    begin_deal(state, rules)
