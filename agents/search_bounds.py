"""What is certain of a position before it is searched: cards that win whatever happens, and the bounds they give."""

from typing import Any

from agents.open_play import aces_to_declare
from thousand_env.cards import (
    ACES,
    JACKS,
    KINGS,
    NINES,
    QUEENS,
    TENS,
    highest_card,
    marriage_value,
    marriages_in,
    marriages_value,
    set_points,
    suit_cards,
    suit_of,
)
from thousand_env.jit import kernel, popcount
from thousand_env.play import ACE_MARRIAGE_VALUE
from thousand_env.state import NONE

_ONE_DOWN, _TWO_DOWN, _FOUR_DOWN = (0o01_01_01_01 * rest for rest in (0o37, 0o17, 0o03))


@kernel
def not_above(cards: int) -> int:
    """Return, for each suit, the best card in `cards` and all below it."""
    cards |= cards >> 1 & _ONE_DOWN
    cards |= cards >> 2 & _TWO_DOWN
    return cards | cards >> 4 & _FOUR_DOWN


@kernel
def masters(hand: int, others: int) -> int:
    """Return the cards of a hand that no card of the others beats in their suit."""
    return hand & ~not_above(others)


@kernel
def sure_tricks(hand: int, one: int, other: int, trump: int) -> int:
    """Return cards of the hand on lead that win a trick each, in the right order, whatever `one` and `other` play.

    With trumps enough to draw all others it draws them; else it leads its masters while whoever could trump follows.
    """
    sure = masters(hand, one | other)
    if sure == 0 or trump == NONE:
        return sure
    trumps = suit_cards(trump)
    longest = max(popcount(one & trumps), popcount(other & trumps))
    if popcount(sure & trumps) >= longest:
        return sure
    kept, rest = sure & trumps, sure & ~trumps
    while rest:
        card = highest_card(rest)
        rest ^= 1 << card
        suit = suit_cards(suit_of(card))
        rounds = popcount(kept & suit)
        if (one & trumps == 0 or popcount(one & suit) > rounds) and (
            other & trumps == 0 or popcount(other & suit) > rounds
        ):
            kept |= 1 << card
    return kept


@kernel
def fewest_points(hand: int, count: int) -> int:
    """Return the points of the `count` cheapest cards of a hand."""
    count -= popcount(hand & NINES)
    if count <= 0:
        return 0
    points = 0
    for cards, each in ((JACKS, 2), (QUEENS, 3), (KINGS, 4), (TENS, 10), (ACES, 11)):
        number = min(count, popcount(hand & cards))
        points, count = points + each * number, count - number
    return points


# -- the bounds of a position ----------------------------------------------------------------------------------------


@kernel
def set_bounds(game: Any, frame: Any) -> None:
    """Set `low` and `high` of a frame on lead, after the first trick of the deal."""
    frame.low, frame.high = game.low_gain * frame.rest, game.high_gain * frame.rest
    reach = frame.rest + widen_by_marriages(game, frame)
    cashed = narrow_by_lead(game, frame)
    mine, lost = (cashed, 0) if frame.turn == 0 else (0, cashed)
    seat, points = narrow_by_trumps(game, frame)
    if seat == 0:
        mine += points
    elif seat > 0:
        reach -= points
    if game.bonus != 0:
        widen_by_bonus(game, frame, reach, mine, lost)
    if game.round_to > 0:
        widen_by_rounding(game, frame)


@kernel
def widen_by_marriages(game: Any, frame: Any) -> int:
    """Add what marriages may bring to the bounds, and return what they may bring the declarer."""
    mine = frame.pending + marriages_of(game, frame, 0)
    widen(frame, game.worth[0] * mine)
    widen(frame, game.worth[1] * marriages_of(game, frame, 1))
    widen(frame, game.worth[2] * marriages_of(game, frame, 2))
    return mine


@kernel
def widen(frame: Any, payoff: int) -> None:
    """Add to the bounds a payoff that may come or not."""
    frame.low, frame.high = frame.low + min(0, payoff), frame.high + max(0, payoff)


@kernel
def marriages_of(game: Any, frame: Any, seat: int) -> int:
    """Return the value of all that a seat may still declare."""
    hand, value = game.hands[seat] & frame.left, 0
    if marriages_in(hand):
        value = marriages_value(hand)
    return value + ACE_MARRIAGE_VALUE if aces_to_declare(game, frame, seat) else value


@kernel
def is_out_of_reach(game: Any, frame: Any) -> bool:
    """Whether the declarer needs more points than there are for him."""
    return frame.need > frame.rest and frame.need > frame.rest + frame.pending + marriages_of(game, frame, 0)


@kernel
def narrow_by_lead(game: Any, frame: Any) -> int:
    """Tighten the leader's bound by the tricks he can cash now and a marriage after them; return its points for him."""
    leader = frame.turn
    hand, one = game.hands[leader] & frame.left, game.hands[1 if leader == 0 else 0] & frame.left
    other = frame.left ^ hand ^ one
    queens = marriages_in(hand)
    sure = sure_tricks(hand & ~(queens | queens << 1), one, other, frame.trump)
    if game.turning and game.ace_seat != NONE and game.hands[game.ace_seat] & frame.left & ACES:
        sure = 0  # an ace may turn trump between them
    count, points = popcount(sure), frame.rest
    if count < popcount(hand):
        points = set_points(sure) + fewest_points(one, count) + fewest_points(other, count)
    married = marriage_value(suit_of(highest_card(queens))) if queens else 0
    if leader == 0 and count > 0:
        married += frame.pending
    if game.side[leader] > 0:
        frame.low += (game.gain[leader] - game.low_gain) * points + max(0, game.worth[leader]) * married
    else:
        frame.high += (game.gain[leader] - game.high_gain) * points + min(0, game.worth[leader]) * married
    return points + married if leader == 0 else points


@kernel
def has_marriage(game: Any, frame: Any) -> bool:
    """Whether a seat holds a marriage."""
    left = frame.left
    return (
        marriages_in(game.hands[0] & left) | marriages_in(game.hands[1] & left) | marriages_in(game.hands[2] & left)
    ) != 0


@kernel
def narrow_by_trumps(game: Any, frame: Any) -> tuple[int, int]:
    """Tighten both bounds by the best trumps of a seat not on lead, if no other suit can become trump.

    They win a trick each, sooner or later. Return the seat, NONE if there is none, and their points.
    """
    if frame.trump == NONE or game.ace_seat != NONE:
        return NONE, 0
    trumps = frame.left & suit_cards(frame.trump)
    if trumps == 0:
        return NONE, 0
    if frame.left & frame.left >> 1 & QUEENS and has_marriage(game, frame):
        return NONE, 0
    best = 1 << highest_card(trumps)
    holder = 0 if game.hands[0] & best else 1 if game.hands[1] & best else 2
    if holder == frame.turn:
        return NONE, 0
    points = set_points(masters(game.hands[holder] & trumps, trumps & ~game.hands[holder]))
    frame.low += (game.gain[holder] - game.low_gain) * points
    frame.high += (game.gain[holder] - game.high_gain) * points
    return holder, points


@kernel
def widen_by_bonus(game: Any, frame: Any, reach: int, mine: int, lost: int) -> None:
    """Add to the bounds what the bonus can be: the declarer gets `mine` points more for sure, `reach` at most.

    On lead against him his opponents may keep him from `lost` of those.
    """
    if frame.need <= 0:
        frame.low, frame.high = frame.low + game.bonus, frame.high + game.bonus
    elif frame.need > reach:
        return
    elif game.bonus < 0:
        frame.low += game.bonus
    else:
        if frame.need <= mine:
            frame.low += game.bonus
        if frame.need <= reach - lost:
            frame.high += game.bonus


@kernel
def widen_by_rounding(game: Any, frame: Any) -> None:
    """Add to the bounds what rounding the defenders' points may change."""
    change = (abs(game.gain[1]) + abs(game.gain[2])) * (game.round_to // 2)
    frame.low, frame.high = frame.low - change, frame.high + change
