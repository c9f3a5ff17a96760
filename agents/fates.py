"""What may have become of each card, from all that a view tells.

The *fate* of a card is where it was dealt and whether the declarer gave it away: so many fates, one for each card, are
a world, and no two worlds have the same. A fate tells in whose hand the card was at the first lead; what a seat has
shown, said or failed to play therefore strikes fates out, card by card. What no single card decides is left to
numbers: how many cards each place holds, and the marriages that a bid or a contract took for granted (A3, T4).
"""

from typing import Any

import numpy as np

from agents.recall import can_declare, knows_forehand, recall, seat_at
from thousand_env.actions import LEVEL_STEP
from thousand_env.cards import ACE, ACES, FULL_PACK, KING, NUM_RANKS, NUM_SUITS, PACK_POINTS, TEN, suit_of
from thousand_env.deck import draw_card
from thousand_env.jit import highest, kernel, lowest, mix, mullo, popcount, record_dtype
from thousand_env.play import declarable
from thousand_env.redeals import any_hand_entitles, hand_entitles
from thousand_env.rng import word
from thousand_env.rules import AUTOMATIC, FORCE, MIN_BID, UNBEATABLE
from thousand_env.scoring import is_golden
from thousand_env.seats import is_active, next_seat
from thousand_env.state import BLIND, BLIND_CHOSEN, BLIND_LIT, MAX_SEATS, NONE, PLAY, SILENT
from thousand_env.view import gift_unseen, look_row, sees_hand, sees_talon, talon_is_taken

# Fates 0 … 3: dealt to that seat, and kept.
IN_TALON, IN_OTHER_TALON = 4, 5
GIVEN = 6  # and 7: dealt to the declarer, who gave it to the first, or the second, seat after him
GIVEN_FROM_TALON = 8  # and 9
NUM_FATES = 10

# Places to be filled: cards dealt to seats 0 … 3, the talon and the other one, the two gifts.
FIRST_GIFT, NUM_PLACES = 6, 8
AT_LEAD = MAX_SEATS  # of `needs`: the declarer's hand at the first lead; before it the hands as dealt
NUM_NEEDS = MAX_SEATS + 1
UNIT = 20  # points: marriages are worth 2 to 5 units

# What can only be asked of a whole world: bits of `checks`.
NOT_FORCED, FOREHAND, FIRST_LEAD = 1, 2, 4  # FOREHAND: who that was is known

PLAN_DTYPE = record_dtype(
    [
        ("may", np.int32, (NUM_FATES,)),  # for each fate the cards that may have met it
        ("room", np.int32, (NUM_PLACES,)),  # cards that each place takes
        ("needs", np.int32, (NUM_NEEDS,)),  # marriages a hand must have held, in units
        ("told", np.int32, (NUM_SUITS,)),  # talon cards of each suit, NONE where nobody told (X1)
        ("played", np.int32, (MAX_SEATS,)),
        ("held", np.int32, (MAX_SEATS,)),  # cards known to be in each hand now
        ("lacks", np.int32, (MAX_SEATS,)),  # unplayed cards that a seat cannot hold now
        ("not_four_aces", np.int32),  # seats, a bit each
        ("receivers", np.int32, (2,)),
        ("peeked", np.int32, (2,)),  # cards of talon A, or of the only one, and of B that a bonus showed (X1)
        ("taken", np.int32),  # the declarer has taken the talon
        ("from_lead", np.int32),  # the deal is known from its first lead on, with the hands of that moment
        ("checks", np.int32),
    ]
)


@kernel
def fill_plan(view: Any, rules: Any, state: Any, scratch: Any, plan: Any) -> None:
    """Fill `plan` with what may have become of each card, and `state` with what is public.

    `scratch` is a view that is overwritten.
    """
    plan.not_four_aces = recall(view, rules, state, plan.lacks)
    plan.taken = talon_is_taken(state, rules)
    plan.from_lead = state.phase == PLAY and view.given == 0
    plan.receivers[0] = plan.receivers[1] = NONE
    if state.declarer != NONE:
        plan.receivers[0] = next_seat(state.declarer, state.dealer, rules.players)
        if rules.active > 2:
            plan.receivers[1] = next_seat(plan.receivers[0], state.dealer, rules.players)
    fill_room(view, rules, state, plan)
    fill_held(view, rules, state, plan)
    for fate in range(NUM_FATES):
        plan.may[fate] = may_meet(view, rules, state, plan, fate)
    peek_by_bonus(view, rules, state, plan)
    see_by_bonus(view, rules, state, scratch, plan)
    fill_needs(view, rules, state, plan)
    fill_checks(view, rules, state, plan)


# -- fates -----------------------------------------------------------------------------------------------------------


@kernel
def dealt_to(fate: int, declarer: int) -> int:
    """Return the place a card of this fate was dealt to."""
    if fate < GIVEN:
        return fate
    return declarer if fate < GIVEN_FROM_TALON else IN_TALON


@kernel
def gift_of(fate: int) -> int:
    """Return whether a card of this fate was the first gift or the second, 0 or 1; NONE if it was none."""
    return (fate - GIVEN) & 1 if fate >= GIVEN else NONE


@kernel
def holder_of(fate: int, state: Any, plan: Any) -> int:
    """Return the seat that took up a card of this fate, NONE for a talon that nobody did."""
    if fate < MAX_SEATS:
        return fate
    if fate < GIVEN:
        return state.declarer if fate == IN_TALON and plan.taken else NONE
    return plan.receivers[gift_of(fate)]


@kernel
def may_meet(view: Any, rules: Any, state: Any, plan: Any, fate: int) -> int:
    """Return the cards that may have met a fate."""
    gift = gift_of(fate)
    given = gift != NONE and plan.room[FIRST_GIFT + gift] > 0
    if gift != NONE and (not given or (rules.players == 2 and fate < GIVEN_FROM_TALON)):
        return 0  # with two players the gift comes from the talon (H3)
    cards = may_be_dealt(view, rules, dealt_to(fate, state.declarer), plan)
    cards &= may_be_taken_up(view, rules, plan, holder_of(fate, state, plan))
    for number in range(2):
        receiver = plan.receivers[number]
        if receiver != NONE and state.gifts[receiver] != NONE:
            card = 1 << state.gifts[receiver]
            cards &= card if number == gift else ~card
    return cards


@kernel
def may_be_dealt(view: Any, rules: Any, place: int, plan: Any) -> int:
    """Return the cards that may have been dealt to a seat or a talon."""
    if plan.room[place] == 0:
        return 0
    if place == 0 and is_known(view, rules):
        return view.dealt
    if place == IN_TALON:
        return view.talon if sees_talon(view, rules, 0) else FULL_PACK & ~(view.dealt | view.other_talon)
    return FULL_PACK & ~view.dealt & ~view.talon & (FULL_PACK if place == IN_OTHER_TALON else ~view.other_talon)


@kernel
def is_known(view: Any, rules: Any) -> bool:
    """Whether the viewer plays and has seen the own hand."""
    return is_active(view, rules, 0) and sees_hand(view, 0)


@kernel
def may_be_taken_up(view: Any, rules: Any, plan: Any, holder: int) -> int:
    """Return the cards that a seat may hold, or have played; for nobody (NONE) those that nobody took up for sure."""
    cards = FULL_PACK
    for seat in range(rules.players):
        if seat != holder:
            cards &= ~(plan.played[seat] | plan.held[seat])
    if holder == NONE:
        return cards
    if holder == 0 and is_known(view, rules):
        return plan.held[0] | plan.played[0]
    return cards & ~(plan.lacks[holder] & ~plan.played[holder])


# -- from the view ---------------------------------------------------------------------------------------------------


@kernel
def fill_room(view: Any, rules: Any, state: Any, plan: Any) -> None:
    """Fill how many cards each place takes (D1, H1, T3)."""
    two = rules.players == 2
    for place in range(NUM_PLACES):
        plan.room[place] = 0
    for seat in range(rules.players):
        if is_active(state, rules, seat):
            plan.room[seat] = 10 if two else 7
            if plan.from_lead:
                plan.room[seat] += 1
    plan.room[IN_TALON] = 0 if plan.from_lead else 2 if two else 3
    plan.room[IN_OTHER_TALON] = 2 if two else 0
    for number in range(min(view.given, 2)):
        plan.room[FIRST_GIFT + number] = 1
    for suit in range(NUM_SUITS):
        plan.told[suit] = view.talon_suits >> (3 * suit) & 7 if view.talon_suits else NONE


@kernel
def fill_held(view: Any, rules: Any, state: Any, plan: Any) -> None:
    """Fill the cards each seat has played, and those known to be in its hand (M2, M6, M7)."""
    for seat in range(MAX_SEATS):
        plan.played[seat] = plan.held[seat] = 0
    for place in range(rules.players):
        seat = seat_at(place, state.dealer, rules.players)
        plan.played[seat], plan.held[seat] = view.played[place], view.held[place]
        if view.four_aces == place:
            plan.held[seat] |= ACES & ~plan.played[seat]
    if state.num_plays > 0 and state.plays[0] >> 5 & 7 != SILENT and rules.marriage_first_lead == UNBEATABLE:
        seat, suit = state.declarer, suit_of(state.plays[0] & 31)
        best = (1 << ACE | 1 << TEN | 1 << KING) << (NUM_RANKS * suit)  # of an unbeatable hand
        plan.held[seat] |= best & ~plan.played[seat]


@kernel
def peek_by_bonus(view: Any, rules: Any, state: Any, plan: Any) -> None:
    """Note which talon cards a bonus showed; the view does not tell their places, so they lie first (X1)."""
    plan.peeked[0] = 0 if sees_talon(view, rules, 0) else view.talon
    plan.peeked[1] = view.other_talon
    if view.picked == 2:
        plan.peeked[0], plan.peeked[1] = plan.peeked[1], plan.peeked[0]
    if view.talon_suits:
        state.peeks[0] |= 2
    state.peeks[0] |= ((1 << popcount(plan.peeked[0])) - 1) << 2
    state.peeks[0] |= ((1 << popcount(plan.peeked[1])) - 1) << 4


@kernel
def lay_order(state: Any, rules: Any, plan: Any) -> None:
    """Fill the order in which the talon was laid: what a bonus showed first, the rest by chance (X1)."""
    first, second = state.talon, state.other_talon
    if state.picked == 2:
        first, second = second, first
    fraction = word(state.seed, NONE)
    state.talon_order = in_order(first, plan.peeked[0], fraction)
    if rules.players == 2:
        state.talon_order |= in_order(second, plan.peeked[1], mix(fraction)) << 10


@kernel
def in_order(cards: int, first: int, fraction: int) -> int:
    """Return cards in an order drawn by a random word, some of them before the others, five bits a card."""
    order, later = 0, cards & ~first
    for place in range(popcount(cards)):
        group = first if first else later
        card = draw_card(group, fraction)
        fraction = mullo(fraction, popcount(group))
        order |= lowest(card) << (5 * place)
        first, later = first & ~card, later & ~card
    return order


@kernel
def see_by_bonus(view: Any, rules: Any, state: Any, scratch: Any, plan: Any) -> None:
    """Strike out fates by the hands that a bonus showed, as far as the view still knows of them (X1)."""
    if view.bonuses & 255 == 0:
        return
    for number in range(view.given):
        receiver = plan.receivers[number]
        state.gifts[receiver] = max(state.gifts[receiver], 0)  # for an unseen card: that one was given is seen
    lay_order(state, rules, plan)
    look_row(state, rules, 0, scratch)  # what would be known without the bonus
    shown = 0
    for place in range(1, rules.players):
        shown |= view.held[place] & ~scratch.held[place]
    for place in range(1, rules.players):
        seat = seat_at(place, state.dealer, rules.players)
        by_bonus = view.held[place] & ~scratch.held[place]
        hides = seat == state.declarer and gift_unseen(state, rules, 0)
        if shown and not hides:
            plan.may[seat] &= view.held[place] | plan.played[seat]
        for fate in range(NUM_FATES):
            if fate != seat:
                plan.may[fate] &= ~by_bonus
    if shown:
        state.peeks[0] |= 1


@kernel
def units(points: int) -> int:
    """Return the marriages that a bid of `points` takes, in units (A3)."""
    return max(0, (points - PACK_POINTS + UNIT - 1) // UNIT)


@kernel
def fill_needs(view: Any, rules: Any, state: Any, plan: Any) -> None:
    """Fill the marriages hands must have held: as dealt for the bids, at the lead for a higher contract (A3, T4)."""
    for place in range(NUM_NEEDS):
        plan.needs[place] = 0
    if not rules.bid_cap or plan.from_lead:
        return
    for seat in range(rules.players):
        if state.bids[seat] and not (seat == 0 and is_known(view, rules)):
            plan.needs[seat] = units(MIN_BID + LEVEL_STEP * highest(state.bids[seat]))
    if state.contract > state.bid and state.declarer != 0:
        plan.needs[AT_LEAD] = units(state.contract)


# -- what only a whole world can answer ------------------------------------------------------------------------------


@kernel
def fill_checks(view: Any, rules: Any, state: Any, plan: Any) -> None:
    """Note which questions are left to `is_forced` and `leads_as_seen`."""
    plan.checks = 0
    blind = state.blind in (BLIND_CHOSEN, BLIND_LIT)  # who goes blind cancels redeals of hands (R9)
    forced = (
        rules.redeal_forehand_nines == FORCE
        or rules.redeal_three_nines == FORCE
        or rules.redeal_four_nines == FORCE
        or rules.redeal_four_jacks == FORCE
        or rules.redeal_low_hand == FORCE
    )
    if forced and state.phase > BLIND and not blind and not plan.from_lead and not is_golden(state, rules):
        plan.checks |= NOT_FORCED
        if knows_forehand(view, rules, state):
            plan.checks |= FOREHAND
    if state.num_plays == 0 or rules.marriage_first_lead != UNBEATABLE or state.declarer == 0:
        return
    card, way = state.plays[0] & 31, state.plays[0] >> 5 & 7
    if way != SILENT or (rules.declare == AUTOMATIC and can_declare(card, rules)):
        plan.checks |= FIRST_LEAD


@kernel
def is_forced(state: Any, rules: Any, plan: Any) -> bool:
    """Whether one of the hands, which are as dealt, would have been dealt again by itself (R1–R5).

    Where the view does not tell who was forehand, R1 is left out.
    """
    if not plan.checks & NOT_FORCED:
        return False
    if plan.checks & FOREHAND:
        return any_hand_entitles(state, rules, FORCE)
    forced, dealer = False, state.dealer
    for seat in range(rules.players):
        if seat != dealer:
            state.dealer = seat  # whoever deals is not forehand
            forced |= hand_entitles(state, rules, seat, FORCE)
    state.dealer = dealer
    return forced


@kernel
def leads_as_seen(state: Any, rules: Any, plan: Any) -> bool:
    """Whether hands as of the first lead agree with the marriages and aces that were declared or not (M5–M7)."""
    for seat in range(rules.players):
        if plan.not_four_aces >> seat & 1 and state.hands[seat] & ACES == ACES:
            return False
    if not plan.checks & FIRST_LEAD:
        return True
    suits = declarable(state.hands[state.declarer], 0, 0, rules)
    declared = state.plays[0] >> 5 & 7 != SILENT
    return (suits >> suit_of(state.plays[0] & 31) & 1 == 1) == declared
