"""Alpha-beta over the play with open hands, one frame a card, without recursion.

The payoff of a frame is what is to come from the trick on the table on, to the side that maximises. Searches that leave
their window return a bound (fail-soft, Fishburn 1983); bounds are kept in a table for the positions on lead, and a lead
that cut off is tried first where it can be played again (killers, Akl and Newborn 1977).

Two cards of a hand between which nobody else holds one are twins: they take the same tricks, so what one is worth is
known from the other up to the difference of their points. Most twins need no search.
"""

from typing import Any

from agents.open_play import end_payoff, last_trick, lay, legal_plays
from agents.search_bounds import is_out_of_reach, masters, set_bounds
from agents.search_table import NO_MOVE, entry, high_of, look_up, low_of, move_of, store
from thousand_env import play
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
        action = next_action(game, rules, frame)
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
    if game.united and frame.laid == game.active - 1 and frame.moves & (frame.moves - 1):
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
        key |= (_MANY if is_out_of_reach(game, frame) else max(frame.need, 0)) << 33
    if game.round_to > 0:
        if game.round_to == 5:  # constants divide faster
            key |= frame.taken[1] % 5 << 42 | frame.taken[2] % 5 << 46
        else:
            key |= frame.taken[1] % 10 << 42 | frame.taken[2] % 10 << 46
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
        if frame.laid == 0:
            game.killers[frame.turn, popcount(frame.left) - 1] = frame.action


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
    """Return the moves of the last hand, of twins the one that gives the better points.

    The dearer card goes to a trick of one's own side, the cheaper one to a trick of the others.
    """
    moves, hand = frame.moves, game.hands[frame.turn] & frame.left
    rest, before = moves & ~coupled(game, frame, hand), NONE
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        if before == NONE or suit_of(card) != suit_of(before) or not are_twins(game, frame, hand, before, card):
            before = card
        elif gains_trick(game, frame, card):
            moves ^= 1 << before
            before = card
        else:
            moves ^= 1 << card
    return moves


@kernel
def gains_trick(game: Any, frame: Any, card: int) -> bool:
    """Whether the trick goes to the side of the last hand when it plays a card."""
    beats = play.beats(card, frame.best, frame.trump)
    return beats or game.side[frame.best_seat] == game.side[frame.turn]


@kernel
def twin_limit(game: Any, frame: Any, card: int) -> int:
    """Return what a card is worth at most, for who minimises at least, by the twins of it that were tried."""
    hand, side = game.hands[frame.turn] & frame.left, game.side[frame.turn]
    mine, limit = hand & suit_cards(suit_of(card)) & ~coupled(game, frame, hand), side * INFINITE
    if not mine >> card & 1:
        return limit
    tried = frame.tried & mine
    above, below = tried & -(1 << card), tried & ((1 << card) - 1)
    if above and are_twins(game, frame, hand, card, lowest(above)):
        limit = frame.limits[lowest(above)] + side * difference(game, card, lowest(above))
    if below and are_twins(game, frame, hand, highest(below), card):
        found = frame.limits[highest(below)] + side * difference(game, highest(below), card)
        limit = min(limit, found) if side > 0 else max(limit, found)
    return limit


@kernel
def are_twins(game: Any, frame: Any, hand: int, low: int, high: int) -> bool:
    """Whether two cards of the hand to act take the same tricks, now and later."""
    between = (1 << high) - (1 << low)
    if (frame.left ^ hand) & between:
        return False
    if frame.laid == game.active - 1:
        return play.beats(low, frame.best, frame.trump) == play.beats(high, frame.best, frame.trump)
    return frame.table & between == 0


@kernel
def twins_compare(game: Any, frame: Any) -> bool:
    """Whether a card was tried, and what a twin of it is worth does not hang on whether the declarer makes it."""
    return frame.tried != 0 and (game.bonus == 0 or frame.need <= 0 or is_out_of_reach(game, frame))


@kernel
def difference(game: Any, low: int, high: int) -> int:
    """Return the most that it can matter who captures which of two cards, the bonus apart."""
    points = card_points(high) - card_points(low)
    if game.round_to == 5:
        points = (points + 4) // 5 * 5
    elif game.round_to == 10:
        points = (points + 9) // 10 * 10
    return points * (game.high_gain - game.low_gain)


@kernel
def next_action(game: Any, rules: Any, frame: Any) -> int:
    """Return the next action to try, NONE when none is left that could matter."""
    side = game.side[frame.turn]
    while frame.moves:
        action = pick(game, rules, frame)
        frame.moves ^= 1 << action
        if action >= NUM_CARDS or not twins_compare(game, frame):
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
def pick(game: Any, rules: Any, frame: Any) -> int:
    """Return the move to try next."""
    moves = frame.moves
    if moves & (moves - 1) == 0:
        return lowest(moves)
    if frame.laid > 0:
        return pick_reply(game, rules, frame)
    if moves >> frame.choice & 1:
        return frame.choice
    killer = game.killers[frame.turn, popcount(frame.left) - 1]
    return killer if moves >> killer & 1 else pick_lead(game, frame)


@kernel
def pick_lead(game: Any, frame: Any) -> int:
    """Return the lead to try next: declarations, the dearest first, then winners, then cheap cards."""
    moves = frame.moves
    if moves > FULL_PACK:
        return highest(moves)
    sure = masters(moves, frame.left ^ (game.hands[frame.turn] & frame.left))
    return dearest(sure) if sure else cheapest(moves)


@kernel
def pick_reply(game: Any, rules: Any, frame: Any) -> int:
    """Return the card to try next to a trick: one that takes it, points for one's own side, few for the others."""
    moves = frame.moves
    ours = game.side[frame.best_seat] == game.side[frame.turn]
    taking = moves & better(frame)
    if frame.laid == game.active - 1:
        return dearest(moves) if ours else dearest(taking) if taking else cheapest(moves)
    after = frame.turn + 1 if frame.turn + 1 < game.active else 0
    theirs = play.playable(game.hands[after] & frame.left, frame.led, frame.best, frame.trump, rules) & better(frame)
    if ours and theirs == 0:
        return dearest(moves)
    if taking:
        return highest(taking)
    friend = game.side[after] == game.side[frame.turn]
    return dearest(moves) if friend and theirs else cheapest(moves)


@kernel
def better(frame: Any) -> int:
    """Return the cards that would take the trick from the best one (P3)."""
    cards = play.above(frame.best)
    if frame.trump != NONE and suit_of(frame.best) != frame.trump:
        cards |= suit_cards(frame.trump)
    return cards


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
