"""Features: a view as the numbers a network reads.

`FEATURES` is the one table of what stands where: name, width, bounds, meaning. Seats are relative, 0 the viewer, so a
row of four reads "mine, next, after next, and the four-hand dealer". Tables that do not use a rule leave its features
at zero, so that a network trained at one table loads at another.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thousand_env.actions import LEVEL_STEP
from thousand_env.cards import (
    FULL_PACK,
    MAX_CONTRACT,
    NUM_CARDS,
    NUM_SUITS,
    PACK_POINTS,
    holds_marriage,
    set_points,
    suit_of,
)
from thousand_env.jit import highest, kernel, lowest
from thousand_env.play import cards_in_trick
from thousand_env.rules import MIN_BID
from thousand_env.state import KING_DECLARED, MAX_SEATS, NONE, NUM_PHASES, QUEEN_DECLARED
from thousand_env.view import relative

FEATURES_VERSION = 1
_LEVELS = 16


class Feature(NamedTuple):
    """One entry of the table: `width` numbers from `low` to `high`."""

    name: str
    width: int
    low: float
    high: float
    meaning: str


def _bits(name: str, width: int, meaning: str) -> Feature:
    return Feature(name, width, 0.0, 1.0, meaning)


FEATURES: tuple[Feature, ...] = (
    _bits("phase", NUM_PHASES, "one-hot: blind, claim, auction, talon, exchange, contract, play, scored, over"),
    _bits("players", 3, "one-hot: two, three, four players"),
    _bits("to_act", MAX_SEATS, "one-hot: seat to act"),
    _bits("dealer", MAX_SEATS, "one-hot: seat that dealt"),
    _bits("hand", NUM_CARDS, "own cards"),
    _bits("marriages_held", NUM_SUITS, "suits whose king and queen are in the own hand"),
    _bits("held", 3 * NUM_CARDS, "cards known to be in the hand of seat 1, 2, 3"),
    _bits("unseen", NUM_CARDS, "cards whose place is unknown"),
    _bits("talon", NUM_CARDS, "talon cards seen by the viewer"),
    _bits("talon_open", 1, "the talon was shown to all"),
    Feature("talon_suits", NUM_SUITS, 0.0, 1.0, "cards of each suit a bonus saw in the talon, in thirds"),
    Feature("bid", 1, 0.0, 1.0, "highest bid, or contract once named, over 400"),
    _bits("bid_levels", _LEVELS, "thermometer of the same: at least 100, 110, … 250"),
    Feature("bids", MAX_SEATS, 0.0, 1.0, "highest bid of each seat over 400"),
    _bits("passed", MAX_SEATS, "seats that passed"),
    _bits("declarer", MAX_SEATS, "one-hot: declarer, or highest bidder so far"),
    _bits("given", 3, "one-hot: cards the declarer has given: 0, 1, 2"),
    _bits("gift", NUM_CARDS, "card given to the viewer"),
    _bits("trump", NUM_SUITS, "one-hot: trump"),
    _bits("leader", MAX_SEATS, "one-hot: leader of the trick on the table"),
    _bits("led", NUM_SUITS, "one-hot: suit led to it"),
    _bits("trick", 3 * NUM_CARDS, "its cards, by seat 1, 2, 3"),
    _bits("winning", MAX_SEATS, "one-hot: seat now winning it"),
    Feature("trick_points", 1, 0.0, 1.0, "points on the table over 33"),
    _bits("played", MAX_SEATS * NUM_CARDS, "cards played in this deal, by seat"),
    _bits("declared", MAX_SEATS * NUM_SUITS, "marriages declared, by seat"),
    _bits("voids", 3 * NUM_SUITS, "suits seat 1, 2, 3 has shown to be out of"),
    Feature("tricks", MAX_SEATS, 0.0, 1.0, "tricks won by each seat, over 12"),
    Feature("captured", MAX_SEATS, 0.0, 1.0, "points captured by each seat, over 120"),
    Feature("marriage_points", MAX_SEATS, 0.0, 1.5, "points declared by each seat, over 400"),
    Feature("needed", 1, -1.0, 1.0, "contract minus the declarer's deal points, over 400; 0 before the play"),
    Feature("totals", MAX_SEATS, -2.0, 2.0, "total of each seat over 1000"),
    Feature("bolts", MAX_SEATS, 0.0, 1.0, "bolts of each seat, in thirds"),
    _bits("barrel", MAX_SEATS, "seats on the barrel"),
    _bits("oldest", MAX_SEATS, "one-hot: the seat that has sat there longest"),
    Feature("attempts", MAX_SEATS, 0.0, 1.0, "barrel attempts used, in thirds"),
    Feature("falls", MAX_SEATS, 0.0, 1.0, "falls from the barrel, in thirds"),
    Feature("reverse", MAX_SEATS, 0.0, 1.0, "deals on the reverse barrel, in thirds"),
    Feature("write_offs", MAX_SEATS, 0.0, 1.0, "write-offs used, in thirds"),
    _bits("baptised", MAX_SEATS, "seats that were baptised"),
    _bits("golden_made", MAX_SEATS, "seats that made their golden contract"),
    _bits("blind", 3, "one-hot: blind play possible, chosen, lit by an overbid"),
    _bits("asked", MAX_SEATS, "seats asked for a redeal claim"),
    Feature("redeal_run", 1, 0.0, 1.0, "redeals in a row by this dealer, in thirds"),
    _bits("four_aces", MAX_SEATS, "one-hot: seat that declared the ace marriage"),
    Feature("bonuses", 3, 0.0, 1.0, "own information bonuses used (hands, suits, card), in quarters"),
    Feature("deal", 1, 0.0, 1.0, "completed deals of the match, over 100"),
)

NUM_FEATURES = sum(feature.width for feature in FEATURES)
FEATURES_LOW = np.concatenate([np.full(f.width, f.low, np.float32) for f in FEATURES])
FEATURES_HIGH = np.concatenate([np.full(f.width, f.high, np.float32) for f in FEATURES])


def offset_of(name: str) -> int:
    """Return where a feature begins in the row; raises `KeyError` for an unknown name."""
    start = 0
    for feature in FEATURES:
        if feature.name == name:
            return start
        start += feature.width
    raise KeyError(name)


_PHASE, _PLAYERS, _TO_ACT, _DEALER = map(offset_of, ("phase", "players", "to_act", "dealer"))
_HAND, _MARRIAGES_HELD, _HELD, _UNSEEN = map(offset_of, ("hand", "marriages_held", "held", "unseen"))
_TALON, _TALON_OPEN, _TALON_SUITS = map(offset_of, ("talon", "talon_open", "talon_suits"))
_BID, _BID_LEVELS, _BIDS, _PASSED, _DECLARER = map(offset_of, ("bid", "bid_levels", "bids", "passed", "declarer"))
_GIVEN, _GIFT, _TRUMP, _LEADER, _LED = map(offset_of, ("given", "gift", "trump", "leader", "led"))
_TRICK, _WINNING, _TRICK_POINTS = map(offset_of, ("trick", "winning", "trick_points"))
_PLAYED, _DECLARED, _VOIDS, _TRICKS = map(offset_of, ("played", "declared", "voids", "tricks"))
_CAPTURED, _MARRIAGE_POINTS, _NEEDED = map(offset_of, ("captured", "marriage_points", "needed"))
_TOTALS, _BOLTS, _BARREL, _OLDEST, _ATTEMPTS = map(offset_of, ("totals", "bolts", "barrel", "oldest", "attempts"))
_FALLS, _REVERSE, _WRITE_OFFS, _BAPTISED = map(offset_of, ("falls", "reverse", "write_offs", "baptised"))
_GOLDEN_MADE, _BLIND, _ASKED, _REDEAL_RUN = map(offset_of, ("golden_made", "blind", "asked", "redeal_run"))
_FOUR_ACES, _BONUSES, _DEAL = map(offset_of, ("four_aces", "bonuses", "deal"))

_THIRD = 1 / 3


@kernel
def mark(row: Any, start: int, bits: int) -> None:
    """Set a number of the row to 1 for each set bit."""
    while bits:
        row[start + lowest(bits)] = 1
        bits &= bits - 1


@kernel
def mark_one(row: Any, start: int, place: int) -> None:
    """Set one number of the row to 1, none when `place` is NONE."""
    if place != NONE:
        row[start + place] = 1


@kernel
def thirds(count: int) -> float:
    """Return a count in thirds, at most 1."""
    return min(count, 3) * _THIRD


@kernel
def encode_row(view: Any, row: Any) -> None:
    """Fill `row`, float32 (NUM_FEATURES,), from a view."""
    row[:] = 0
    encode_table(view, row)
    encode_cards(view, row)
    encode_auction(view, row)
    encode_trick(view, row)
    for seat in range(view.players):
        encode_play(view, seat, row)
        encode_sheet(view, seat, row)


@kernel
def encode_table(view: Any, row: Any) -> None:
    """Who sits where, and what phase the deal is in."""
    row[_PHASE + view.phase] = 1
    row[_PLAYERS + view.players - 2] = 1
    mark_one(row, _TO_ACT, view.turn)
    mark_one(row, _DEALER, view.dealer)
    mark(row, _BAPTISED, view.baptised)
    mark(row, _GOLDEN_MADE, view.golden_made)
    mark(row, _ASKED, view.asked)
    mark_one(row, _BLIND, view.blind - 1)
    mark_one(row, _FOUR_ACES, view.four_aces)
    row[_REDEAL_RUN] = thirds(view.redeal_run)
    for bonus in range(3):
        row[_BONUSES + bonus] = min(view.bonuses >> (8 * bonus) & 255, 4) / 4
    row[_DEAL] = min(view.deal, 100) / 100


@kernel
def encode_cards(view: Any, row: Any) -> None:
    """Which cards the viewer holds, has seen, or knows the place of."""
    seen = view.hand | view.talon | view.other_talon
    for seat in range(1, view.players):
        mark(row, _HELD + NUM_CARDS * (seat - 1), view.held[seat])
        seen |= view.held[seat]
    for seat in range(view.players):
        seen |= view.played[seat]
        if view.gifts[seat] != NONE:
            seen |= 1 << view.gifts[seat]
    mark(row, _HAND, view.hand)
    mark(row, _UNSEEN, FULL_PACK & ~seen)
    mark(row, _TALON, view.talon | view.other_talon)
    row[_TALON_OPEN] = view.talon_open
    mark_one(row, _GIFT, view.gifts[0])
    for suit in range(NUM_SUITS):
        row[_MARRIAGES_HELD + suit] = holds_marriage(view.hand, suit)
        row[_TALON_SUITS + suit] = thirds(view.talon_suits >> (3 * suit) & 7)


@kernel
def encode_auction(view: Any, row: Any) -> None:
    """Bids, contract and how far the exchange is."""
    level = max(view.bid, view.contract)
    row[_BID] = level / MAX_CONTRACT
    for step in range(_LEVELS):
        row[_BID_LEVELS + step] = level >= MIN_BID + 10 * step
    mark(row, _PASSED, view.passed)
    mark_one(row, _DECLARER, view.declarer)
    row[_GIVEN + view.given] = 1


@kernel
def encode_trick(view: Any, row: Any) -> None:
    """The trick on the table."""
    mark_one(row, _TRUMP, view.trump)
    mark_one(row, _LEADER, view.leader)
    mark_one(row, _WINNING, view.best_seat)
    start = view.num_plays - cards_in_trick(view.num_plays, min(view.players, 3))
    cards = 0
    for i in range(start, view.num_plays):
        card, seat = view.plays[i] & 31, view.plays[i] >> 8
        if i == start:
            row[_LED + suit_of(card)] = 1
        if seat > 0:
            row[_TRICK + NUM_CARDS * (seat - 1) + card] = 1
        cards |= 1 << card
    row[_TRICK_POINTS] = set_points(cards) / 33
    for i in range(view.num_plays):
        if (view.plays[i] >> 5 & 7) in (QUEEN_DECLARED, KING_DECLARED):
            row[_DECLARED + NUM_SUITS * (view.plays[i] >> 8) + suit_of(view.plays[i] & 31)] = 1


@kernel
def encode_play(view: Any, seat: int, row: Any) -> None:
    """What a seat has bid, played and won in this deal."""
    if view.bids[seat] != 0:
        row[_BIDS + seat] = (MIN_BID + LEVEL_STEP * highest(view.bids[seat])) / MAX_CONTRACT
    mark(row, _PLAYED + NUM_CARDS * seat, view.played[seat])
    if seat > 0:
        mark(row, _VOIDS + NUM_SUITS * (seat - 1), view.voids[seat])
    captured = set_points(view.captured[seat])
    row[_TRICKS + seat] = view.tricks[seat] / 12
    row[_CAPTURED + seat] = captured / PACK_POINTS
    row[_MARRIAGE_POINTS + seat] = view.marriages[seat] / MAX_CONTRACT
    if seat == view.declarer and view.contract > 0:
        missing = (view.contract - captured - view.marriages[seat]) / MAX_CONTRACT
        row[_NEEDED] = max(-1.0, missing)


@kernel
def encode_sheet(view: Any, seat: int, row: Any) -> None:
    """Where a seat stands in the match."""
    row[_TOTALS + seat] = max(-2.0, min(2.0, view.totals[seat] / 1000))
    row[_BOLTS + seat] = thirds(view.bolts[seat])
    row[_ATTEMPTS + seat] = thirds(view.attempts[seat])
    row[_FALLS + seat] = thirds(view.falls[seat])
    row[_REVERSE + seat] = thirds(view.reverse[seat])
    row[_WRITE_OFFS + seat] = thirds(view.write_offs[seat])
    if view.mounted[seat] == 0:
        return
    row[_BARREL + seat] = 1
    oldest = True
    for other in range(view.players):
        if view.mounted[other] > 0 and view.mounted[other] < view.mounted[seat]:
            oldest = False
    row[_OLDEST + seat] = oldest


@kernel
def _encode_all(views: Any, rows: Any) -> None:
    for i in range(views.shape[0]):
        encode_row(views[i], rows[i])


def encode(views: NDArray[Any]) -> NDArray[np.float32]:
    """Return the features of views (N,): float32 (N, NUM_FEATURES), laid out as `FEATURES` says."""
    rows = np.empty((len(views), NUM_FEATURES), np.float32)
    _encode_all(views, rows)
    return rows


# -- the whole table, for `state()` and for critics in training; never for an agent that plays ------------------------

NUM_HIDDEN = (MAX_SEATS + 1) * NUM_CARDS


@kernel
def encode_hidden_row(state: Any, rules: Any, viewer: int, row: Any) -> None:
    """Fill `row`, float32 (NUM_HIDDEN,), with all hands, the viewer's first, the talon last and before it another one.

    The two-hand game's second talon stands where the third hand would.
    """
    row[:] = 0
    for seat in range(rules.players):
        place = relative(seat, viewer, state.dealer, rules.players)
        mark(row, NUM_CARDS * place, state.hands[seat])
    if rules.players == 2:
        mark(row, 2 * NUM_CARDS, state.other_talon)
    mark(row, NUM_CARDS * MAX_SEATS, state.talon)


@kernel
def _encode_hidden_all(states: Any, rules: Any, viewers: Any, rows: Any) -> None:
    for i in range(states.shape[0]):
        encode_hidden_row(states[i], rules[0], viewers[i], rows[i])


def encode_hidden(states: NDArray[Any], rules: NDArray[Any], viewers: NDArray[Any]) -> NDArray[np.float32]:
    """Return all hands and the talon: float32 (N, NUM_HIDDEN). This cheats: for `state()` and training critics only."""
    rows = np.empty((len(states), NUM_HIDDEN), np.float32)
    _encode_hidden_all(states, rules, np.ascontiguousarray(viewers, np.int64), rows)
    return rows


def features_table() -> str:
    """Return the table of features as Markdown: place, name, bounds, meaning."""
    lines = ["| place | name | from | to | meaning |", "|---|---|---|---|---|"]
    start = 0
    for f in FEATURES:
        place = f"{start}" if f.width == 1 else f"{start}–{start + f.width - 1}"
        lines.append(f"| {place} | `{f.name}` | {f.low:g} | {f.high:g} | {f.meaning} |")
        start += f.width
    return "\n".join(lines)
