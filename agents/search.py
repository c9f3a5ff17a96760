"""Alpha-beta over the play with open hands, one frame a card, without recursion.

The payoff of a frame is what is still to come from the trick on the table on, to the side that maximises. Fail-soft
bounds are kept in a table for the positions on lead (Knuth and Moore 1975; Reinefeld 1989 for the search of windows).
Two cards of a hand between which nobody else holds one take the same tricks: what playing one is worth differs from
the other by no more than their points differ, so most of such twins need no search.
"""

from typing import Any

from agents.open_play import end_payoff, last_trick, lay, legal_plays
from agents.search_bounds import masters, set_bounds
from agents.search_table import NO_MOVE, entry, high_of, look_up, low_of, move_of, store
from thousand_env.actions import DECLARE_QUEEN
from thousand_env.cards import (
    ACES,
    FULL_PACK,
    JACKS,
    KINGS,
    NINES,
    NUM_CARDS,
    QUEENS,
    TENS,
    card_points,
    marriages_in,
    suit_cards,
    suit_of,
)
from thousand_env.jit import highest, kernel, lowest, popcount
from thousand_env.play import beats
from thousand_env.state import NONE

INFINITE = 30_000
_MANY = 511  # more points than anybody can still need


@kernel
def search(game: Any, rules: Any, frames: Any, table: Any) -> int:
    """Return the payoff of `frames[0]`, exact inside its window, else a bound beyond it."""
    ply = 0
    enter(game, rules, frames[0], table)
    if frames[0].moves == 0:
        return frames[0].value
    while True:
        frame = frames[ply]
        action = next_action(game, frame)
        if action == NONE:
            if frame.laid == 0:
                remember(game, frame, table)
            if ply == 0:
                return frame.value
            ply -= 1
            take_in(game, frames[ply], frame.step + frame.value)
            continue
        child = frames[ply + 1]
        frame.action = action
        lay(game, rules, frame, child, action)
        child.alpha, child.beta = frame.alpha - child.step, frame.beta - child.step
        enter(game, rules, child, table)
        if child.moves == 0:
            take_in(game, frame, child.step + child.value)
        else:
            ply += 1


# -- a frame begins --------------------------------------------------------------------------------------------------


@kernel
def enter(game: Any, rules: Any, frame: Any, table: Any) -> None:
    """Begin a frame: its value if that is certain, else the moves to try."""
    game.nodes += 1
    frame.tried, frame.choice, frame.moves, frame.key = 0, NO_MOVE, 0, NONE
    if frame.laid == 0 and frame.left != game.opening and is_settled(game, frame, table):
        return
    frame.value = -INFINITE if game.side[frame.turn] > 0 else INFINITE
    frame.moves = legal_plays(game, rules, frame)
    if game.united and frame.laid == game.active - 1:
        frame.moves = without_twins(game, frame)


@kernel
def is_settled(game: Any, frame: Any, table: Any) -> bool:
    """Whether the value of a position on lead is known well enough for its window; if not, narrow the window."""
    cards = popcount(game.hands[frame.turn] & frame.left)
    if cards == 0:
        frame.value = end_payoff(game, frame, 1)
        return True
    if cards == 1 and (frame.turn != game.ace_seat or frame.told):
        frame.value = last_trick(game, frame)
        return True
    frame.key = key_of(game, frame)
    found = look_up(table, frame.key, game.stamp)
    if found:
        frame.low, frame.high, frame.choice = low_of(found), high_of(found), move_of(found)
    else:
        set_bounds(game, frame)
    if frame.low >= frame.beta or frame.low == frame.high:
        frame.value = frame.low
        return True
    if frame.high <= frame.alpha:
        frame.value = frame.high
        return True
    frame.alpha, frame.beta = max(frame.alpha, frame.low), min(frame.beta, frame.high)
    frame.floor, frame.ceiling = frame.alpha, frame.beta
    return False


@kernel
def key_of(game: Any, frame: Any) -> int:
    """Return a number for all that the future of a position on lead depends on."""
    key = frame.left | frame.turn << 24 | (frame.trump + 1) << 26 | frame.pending // 20 << 29 | frame.told << 32
    if game.bonus != 0:
        key |= min(max(frame.need, 0), _MANY) << 33
    if game.round_to > 0:
        key |= frame.taken[1] % game.round_to << 42 | frame.taken[2] % game.round_to << 46
    return key


# -- a frame ends ----------------------------------------------------------------------------------------------------


@kernel
def take_in(game: Any, frame: Any, value: int) -> None:
    """Take in what the action being tried is worth; a cut leaves no moves."""
    if frame.action < NUM_CARDS:
        frame.limits[frame.action] = value
        frame.tried |= 1 << frame.action
    if game.side[frame.turn] > 0:
        if value > frame.value:
            frame.value = value
            frame.choice = frame.action
            frame.alpha = max(frame.alpha, value)
    elif value < frame.value:
        frame.value = value
        frame.choice = frame.action
        frame.beta = min(frame.beta, value)
    if frame.alpha >= frame.beta:
        frame.moves = 0


@kernel
def remember(game: Any, frame: Any, table: Any) -> None:
    """Keep what the search of a position on lead has shown."""
    if frame.key == NONE:
        return
    low, high = frame.low, frame.high
    frame.value = min(max(frame.value, low), high)
    if frame.value > frame.floor:
        low = frame.value
    if frame.value < frame.ceiling:
        high = frame.value
    store(table, frame.key, entry(low, high, frame.choice, game.stamp))


# -- twins -----------------------------------------------------------------------------------------------------------


@kernel
def coupled(game: Any, frame: Any, hand: int) -> int:
    """Return the cards of the hand to act that are more than their rank: a marriage, aces of four."""
    queens = marriages_in(hand)
    pairs = queens | queens << 1
    return pairs | hand & ACES if game.ace_seat == frame.turn else pairs


@kernel
def without_twins(game: Any, frame: Any) -> int:
    """Return the moves of the last hand, of twins that do the same the one that gives the better points.

    The dearer card goes to a trick of one's own side, the cheaper one to a trick of the others.
    """
    hand = game.hands[frame.turn] & frame.left
    others = frame.left ^ hand
    mine = game.side[frame.turn]
    single = frame.moves & ~coupled(game, frame, hand)
    keep, rest = frame.moves, single
    before, before_wins = NONE, False
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        wins = beats(card, frame.best, frame.trump)
        if (
            before != NONE
            and before_wins == wins
            and suit_of(card) == suit_of(before)
            and others & between(before, card) == 0
        ):
            gains = wins or game.side[frame.best_seat] == mine
            keep ^= 1 << (before if gains else card)
            if not gains:
                continue
        before, before_wins = card, wins
    return keep


@kernel
def between(low: int, high: int) -> int:
    """Return the cards from `low` to `high`, as a set."""
    return (1 << high) - (1 << low)


@kernel
def twin_limit(game: Any, frame: Any, card: int) -> int:
    """Return what a card is worth at most, for who minimises at least, by the twins of it that were tried."""
    hand = game.hands[frame.turn] & frame.left
    mine = hand & suit_cards(suit_of(card)) & ~coupled(game, frame, hand)
    blockers = (frame.left ^ hand) | frame.table
    tried = frame.tried & mine
    side = game.side[frame.turn]
    limit = side * INFINITE
    if not mine >> card & 1:
        return limit
    spread = game.high_gain - game.low_gain
    above, below = tried & -(1 << card), tried & ((1 << card) - 1)
    if above:
        other = lowest(above)
        if blockers & between(card, other) == 0:
            limit = frame.limits[other] + side * spread * (card_points(other) - card_points(card))
    if below:
        other = highest(below)
        if blockers & between(other, card) == 0:
            found = frame.limits[other] + side * spread * (card_points(card) - card_points(other))
            limit = min(limit, found) if side > 0 else max(limit, found)
    return limit


@kernel
def next_action(game: Any, frame: Any) -> int:
    """Return the next action to try, NONE when none is left that could matter."""
    side = game.side[frame.turn]
    while frame.moves:
        action = pick(game, frame)
        frame.moves ^= 1 << action
        if action >= NUM_CARDS or frame.tried == 0 or game.bonus != 0 or game.round_to > 0:
            return action
        limit = twin_limit(game, frame, action)
        if side > 0 and limit <= frame.alpha:
            frame.value = max(frame.value, limit)
        elif side < 0 and limit >= frame.beta:
            frame.value = min(frame.value, limit)
        else:
            return action
        frame.limits[action] = limit
        frame.tried |= 1 << action
    return NONE


# -- the order of moves ----------------------------------------------------------------------------------------------


@kernel
def pick(game: Any, frame: Any) -> int:
    """Return the move to try next."""
    moves = frame.moves
    if frame.laid == 0:
        if frame.choice != NO_MOVE and moves >> frame.choice & 1:
            return frame.choice
        return pick_lead(game, frame)
    if moves & (moves - 1) == 0:
        return lowest(moves)
    return pick_reply(game, frame)


@kernel
def pick_lead(game: Any, frame: Any) -> int:
    """Return the lead to try next: winners, then declarations, then cheap cards."""
    moves = frame.moves
    hand = game.hands[frame.turn] & frame.left
    sure = masters(hand, frame.left ^ hand) & moves
    if sure:
        return dearest(sure)
    if moves > FULL_PACK:
        return highest(moves)
    return cheapest(moves)


@kernel
def pick_reply(game: Any, frame: Any) -> int:
    """Return the card to try next to a trick."""
    moves = frame.moves
    winning = 0
    if suit_of(frame.best) == frame.led or frame.trump != NONE:
        winning = moves & suit_cards(suit_of(frame.best)) & -(2 << frame.best)
        if frame.trump != NONE and suit_of(frame.best) != frame.trump:
            winning |= moves & suit_cards(frame.trump)
    ours = game.side[frame.best_seat] == game.side[frame.turn]
    if frame.laid == game.active - 1:
        if ours:
            return dearest(moves)
        return dearest(winning) if winning else cheapest(moves)
    if winning and not ours:
        return highest(winning)
    return cheapest(moves)


@kernel
def dearest(cards: int) -> int:
    """Return a card of most points."""
    for rank in (ACES, TENS, KINGS, QUEENS, JACKS):
        if cards & rank:
            return lowest(cards & rank)
    return lowest(cards)


@kernel
def cheapest(cards: int) -> int:
    """Return a card of fewest points."""
    for rank in (NINES, JACKS, QUEENS, KINGS, TENS):
        if cards & rank:
            return lowest(cards & rank)
    return lowest(cards)


assert DECLARE_QUEEN == NUM_CARDS
