"""Uniformly random play in local variables: the auction, the exchange and the tricks of one deal for `rollouts`.

A card is a set of one card here, so that nothing in a trick branches on chance. Hands go by their order in the trick -
first, second, third - and turn when another seat leads. `captured` and `marriages` have 24 bits a seat, seat 0 lowest;
a seat's *place* is where its bits begin. `captured` leaves out seat 2, whose cards are the rest of the pack.

Decision i takes the n-th legal action in the order of the action space, n drawn from word i of the key, and is written
to `trace[i]`; where `trace` is None that costs nothing.
"""

from typing import Any

from thousand_env.actions import DECLARE_QUEEN, PASS, SHOW_TALON, bid_action
from thousand_env.auction import bid_limit, lowest_raise
from thousand_env.cards import (
    FULL_PACK,
    NUM_CARDS,
    NUM_RANKS,
    NUM_SUITS,
    QUEEN,
    marriage_value,
    marriages_in,
    suit_cards,
    suit_of,
)
from thousand_env.deck import draw_card
from thousand_env.jit import kernel, lowest, mulhi, popcount
from thousand_env.play import declarable
from thousand_env.rng import word
from thousand_env.rules import DECLARER_CHOOSES, EXACTLY_100, MIN_BID
from thousand_env.scoring import deal_points, makes_contract, round_points

PLACE = NUM_CARDS  # bits of a seat in `captured` and `marriages`

Hands = tuple[int, int, int]  # in the order the text says
Seats = tuple[int, int, int]  # a number for each of the seats 0, 1, 2


@kernel
def note(trace: Any, decision: int, action: int) -> None:
    """Write an action to the trace, if there is one."""
    if trace is not None:
        trace[decision] = action


# -- who leads -------------------------------------------------------------------------------------------------------


@kernel
def turn(first: int, second: int, third: int, second_leads: int, third_leads: int) -> Hands:
    """Return the hands from the next leader on: the one whose number is -1, or the first when both are 0."""
    one, two, three = first ^ second, second ^ third, third ^ first
    return (
        first ^ (one & second_leads) ^ (three & third_leads),
        second ^ (two & second_leads) ^ (one & third_leads),
        third ^ (three & second_leads) ^ (two & third_leads),
    )


@kernel
def turn_place(place: int, second_leads: int, third_leads: int) -> int:
    """Return the place of the next leader."""
    place += (PLACE & second_leads) + (2 * PLACE & third_leads)
    return place - 3 * PLACE if place >= 3 * PLACE else place


@kernel
def from_seat(seat: int, hands: Hands) -> Hands:
    """Return the hands of the seats 0, 1, 2 clockwise from `seat` on."""
    return turn(hands[0], hands[1], hands[2], -(seat == 1), -(seat == 2))


# -- the auction and the exchange ------------------------------------------------------------------------------------


@kernel
def draw_bid(bid: int, hand: int, on_barrel: bool, rules: Any, random: int) -> int:
    """Return a bid over `bid` or, for the action that comes before them all, `bid` itself (A2, A3)."""
    first = lowest_raise(bid, on_barrel, rules)
    raises = max(0, (bid_limit(hand, rules) - first) // rules.bid_step + 1)
    n = mulhi(random, 1 + raises)
    return first + (n - 1) * rules.bid_step if n > 0 else bid


@kernel
def draw_opening(hand: int, on_barrel: bool, rules: Any, random: int) -> int:
    """Return an opening bid (A1)."""
    return MIN_BID if rules.opening == EXACTLY_100 else draw_bid(MIN_BID, hand, on_barrel, rules, random)


@kernel
def bid_out(
    seat: int, passed: int, bid: int, declarer: int, hands: Hands, mounted: int, rules: Any, key: int, trace: Any
) -> tuple[int, int, int]:
    """Bid until one seat is left (A2); return the bid, the declarer and the number of decisions.

    `passed` and `mounted` are seats, a bit each; `bid` is 0 before the opening.
    """
    decision = 0
    while popcount(passed) < 2:
        if not passed >> seat & 1:
            hand, on_barrel, random = hands[seat], mounted >> seat & 1 == 1, word(key, decision)
            if bid > 0:
                named = draw_bid(bid, hand, on_barrel, rules, random)
            else:
                named = draw_opening(hand, on_barrel, rules, random)
            note(trace, decision, bid_action(named) if named > bid else PASS)
            decision += 1
            if named > bid:
                bid, declarer = named, seat
            else:
                passed |= 1 << seat
        seat = seat + 1 if seat < 2 else 0
    return bid, declarer, decision


@kernel
def take_talon(declarer: int, hands: Hands, talon: int) -> Hands:
    """Return the hands from the declarer on, the talon in his (T1)."""
    first, second, third = from_seat(declarer, hands)
    return first | talon, second, third


@kernel
def asks_to_show(bid: int, rules: Any) -> bool:
    """Whether the declarer may choose to show the talon (T2)."""
    return bid == MIN_BID and rules.talon_at_100 == DECLARER_CHOOSES


@kernel
def give(hand: int, key: int, decision: int, trace: Any) -> int:
    """Return a card, as a set, that the declarer gives away (T3)."""
    gift = draw_card(hand, word(key, decision))
    note(trace, decision, lowest(gift))
    return gift


@kernel
def exchange_out(
    asked: bool, given: int, hands: Hands, bid: int, on_barrel: bool, rules: Any, key: int, decision: int, trace: Any
) -> tuple[Hands, int, int]:
    """Give what is not `given` yet and name the contract (T3, T4); return hands, contract and the next decision.

    The hands go from the declarer on; `asked` is whether he still has to choose if the talon is shown.
    """
    first, second, third = hands
    if asked:
        note(trace, decision, SHOW_TALON + mulhi(word(key, decision), 2))
        decision += 1
    if given == 0:
        gift = give(first, key, decision, trace)
        first, second, decision = first ^ gift, second | gift, decision + 1
    if given <= 1:
        gift = give(first, key, decision, trace)
        first, third, decision = first ^ gift, third | gift, decision + 1
    if not rules.raise_contract:
        return (first, second, third), bid, decision
    contract = draw_bid(bid, first, on_barrel, rules, word(key, decision))
    note(trace, decision, bid_action(contract) if contract > bid else PASS)
    return (first, second, third), contract, decision + 1


# -- the tricks ------------------------------------------------------------------------------------------------------


@kernel
def suit_around(card: int) -> int:
    """Return all cards of the suit of `card`, both as sets."""
    return suit_cards(suit_of(lowest(card)))


@kernel
def first_queens(hand: int, rules: Any) -> int:
    """Return the queens of the marriages that may be declared on the first lead (M5)."""
    suits, queens = declarable(hand, 0, 0, rules), 0
    for suit in range(NUM_SUITS):
        queens |= (suits >> suit & 1) << (NUM_RANKS * suit + QUEEN)
    return queens


@kernel
def follow(hand: int, suit: int, trump: int, random: int) -> int:
    """Return a card played to a trick of the cards `suit`, all as sets (P2)."""
    following, trumps = hand & suit, hand & trump
    choices = trumps if trumps else hand
    choices = following if following else choices
    return draw_card(choices, random)


@kernel
def strength(card: int, suit: int, trump: int) -> int:
    """Return a number for what a card is worth in a trick of the cards `suit`: the greatest takes it (P3)."""
    return card & suit | (card & trump) << NUM_CARDS


@kernel
def takers(led: int, middle: int, last: int, trump: int) -> tuple[int, int]:
    """Return -1 for the follower that takes the trick and 0 for the other, 0 for both when the leader does."""
    suit = suit_around(led)
    lead, answer, end = strength(led, suit, trump), strength(middle, suit, trump), strength(last, suit, trump)
    third_leads = -(end > max(lead, answer))
    return -(answer > lead) & ~third_leads, third_leads


@kernel
def play_tricks(
    place: int,
    hands: Hands,
    trump: int,
    queens: int,
    captured: int,
    marriages: int,
    key: int,
    decision: int,
    trace: Any,
) -> tuple[int, int]:
    """Play the deal out from a lead; return what the seats captured and the marriages they declared.

    Place and hands go from the leader on, who may declare the marriages of `queens`; `trump` is a set of cards.
    """
    first, second, third = hands
    for _ in range(popcount(first) - 1):
        drawn = draw_card(queens << NUM_CARDS | first, word(key, decision))
        led = (drawn | drawn >> NUM_CARDS) & FULL_PACK
        if drawn > FULL_PACK:
            trump = suit_around(led)
            marriages += marriage_value(suit_of(lowest(led))) << place
        middle = follow(second, suit_around(led), trump, word(key, decision + 1))
        last = follow(third, suit_around(led), trump, word(key, decision + 2))
        note(trace, decision, DECLARE_QUEEN + suit_of(lowest(led)) if drawn > FULL_PACK else lowest(led))
        note(trace, decision + 1, lowest(middle))
        note(trace, decision + 2, lowest(last))
        decision += 3
        second_leads, third_leads = takers(led, middle, last, trump)
        first, second, third = turn(first ^ led, second ^ middle, third ^ last, second_leads, third_leads)
        place = turn_place(place, second_leads, third_leads)
        captured |= (led | middle | last) << place
        queens = marriages_in(first)  # all of them: who leads now has won a trick (M5)
    note(trace, decision, lowest(first))
    note(trace, decision + 1, lowest(second))
    note(trace, decision + 2, lowest(third))
    second_leads, third_leads = takers(first, second, third, trump)
    return captured | (first | second | third) << turn_place(place, second_leads, third_leads), marriages


# -- the score -------------------------------------------------------------------------------------------------------


@kernel
def points_of(captured: int, marriages: int) -> int:
    """Return the deal points of a seat (K1); without a trick marriages do not count (M8)."""
    return deal_points(captured, marriages & FULL_PACK if captured > 0 else 0)


@kernel
def seat_points(captured: int, marriages: int) -> Seats:
    """Return the deal points of the seats 0, 1, 2 for what `play_tricks` returns."""
    captured0, captured1 = captured & FULL_PACK, captured >> PLACE & FULL_PACK
    return (
        points_of(captured0, marriages),
        points_of(captured1, marriages >> PLACE),
        points_of(FULL_PACK ^ captured0 ^ captured1, marriages >> 2 * PLACE),
    )


@kernel
def seat_score(points: int, declares: bool, contract: int, rules: Any) -> int:
    """Return the score of a seat for its deal points (K2, K3)."""
    if not declares:
        return round_points(points, rules.round_to)
    return contract if makes_contract(points, contract, rules) else -contract


@kernel
def seat_scores(points: Seats, declarer: int, contract: int, rules: Any) -> Seats:
    """Return the scores of the seats 0, 1, 2 for their deal points."""
    return (
        seat_score(points[0], declarer == 0, contract, rules),
        seat_score(points[1], declarer == 1, contract, rules),
        seat_score(points[2], declarer == 2, contract, rules),
    )
