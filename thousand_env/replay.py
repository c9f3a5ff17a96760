"""Replay: a deal acted through with every action checked, and a state read for how it came about.

A `Course` is a match as it goes on: it remembers every action with the states it met, so that it can go back, and how
every deal before this one ended, whether it was scored or dealt again.

The other way round, `calls_of` and its neighbours read from a state what was said, given and played. A state does not
say when a bonus was used, nor what else was tried at a table that fines; all other things it says exactly.
"""

import functools
import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thousand_env import engine, exchange
from thousand_env.actions import (
    BONUS_HANDS,
    CLAIM_REDEAL,
    LEVEL_STEP,
    NUM_ACTIONS,
    action_text,
    bid_points,
    is_bid,
)
from thousand_env.enforcement import try_row
from thousand_env.errors import NotationError
from thousand_env.redeals import TALON_ASKED
from thousand_env.rules import MIN_BID, RuleSet
from thousand_env.seats import forehand_of, next_seat
from thousand_env.sheet import REDEALS
from thousand_env.state import (
    AUCTION,
    BLIND,
    BLIND_CHOSEN,
    BLIND_LIT,
    CLAIM,
    CONTRACT,
    EXCHANGE,
    NONE,
    PLAY,
    SCORED,
    TALON,
    copied,
)


class Course:
    """A match as it goes on, from a layout or a start.

    `states`, shape (1,), is where it stands; `past` every action taken, with the states it met and how many deals had
    `ended` then; an attempt at a deal that was dealt again stands among these as it was at that moment.
    """

    def __init__(self, states: NDArray[Any], rules: RuleSet) -> None:
        self.states, self.rules = states, rules
        self.ended: list[NDArray[Any]] = []
        self.past: list[tuple[int, NDArray[Any], int]] = []

    @property
    def state(self) -> Any:
        """The record of the deal being played."""
        return self.states[0]

    def copy(self) -> "Course":
        """Return a course that goes its own way from here; what lies behind is shared."""
        other = Course(copied(self.states), self.rules)
        other.ended, other.past = list(self.ended), list(self.past)
        return other

    def take(self, action: int) -> bool:
        """Take an action, as it is or as the table takes it (N2); return False and change nothing if it is refused."""
        before = copied(self.states)
        if not _try(self.states, self.rules, action):
            return False
        self.past.append((action, before, len(self.ended)))
        if self.state.attempt != before[0].attempt:
            self.ended.append(_as_it_ended(before, self.rules, action))
        return True

    def act(self, action: int) -> None:
        """Take a legal action; raises `NotationError` if the seat to act may not act so."""
        legal = legal_actions(self.states, self.rules)
        if action not in legal:
            expected = f"{expected_now(self.state, self.rules)}: {listing(legal)}"
            raise NotationError(f"found {action_text(action)}, expected {expected}")
        self.take(action)

    def next_deal(self) -> None:
        """Deal the next deal of the match, if this one is scored."""
        self.ended.append(copied(self.states))
        engine.next_deals(self.states, self.rules.array())

    def undo(self) -> int:
        """Take back the last action and return it; a deal in which nobody has acted goes with the action before it."""
        action, self.states, ended = self.past.pop()
        self.states = copied(self.states)
        del self.ended[ended:]
        return action


def _try(states: NDArray[Any], rules: RuleSet, action: int) -> bool:
    return bool(try_row(states[0], rules.array()[0], action, np.empty(NUM_ACTIONS, np.int8)))


def _as_it_ended(before: NDArray[Any], rules: RuleSet, action: int) -> NDArray[Any]:
    """Return an attempt that was dealt again as it stood then.

    That is where a seat was asked for its claim. What is dealt again by itself is taken as far as its claim would have
    been asked, so that the last bid and the talon shown are part of it.
    """
    if action == CLAIM_REDEAL and action in legal_actions(before, rules):
        return before
    ended = copied(before)
    _try(ended, _with_claims_only(rules), action)
    return ended


@functools.lru_cache(maxsize=64)
def _with_claims_only(rules: RuleSet) -> RuleSet:
    return rules.replace(**{name: "offer" for name in REDEALS if getattr(rules, name) == "force"})


# -- what may be done now --------------------------------------------------------------------------------------------


def legal_actions(states: NDArray[Any], rules: RuleSet) -> list[int]:
    """Return the legal actions of the seat to act in `states` (1,), in ascending order."""
    return [int(action) for action in np.flatnonzero(engine.legal_actions(states, rules.array())[0])]


def listing(actions: Sequence[int]) -> str:
    """Return actions as people list them, a run of bids by its ends.

    >>> listing([36, 37, *range(42, 54)])
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


_WAITS_FOR = {
    BLIND: "blind, or that he looks,",
    CLAIM: "a claim or none",
    AUCTION: "a bid",
    TALON: "the talon shown or kept",
    CONTRACT: "the contract",
    PLAY: "a card",
}


def expected_now(state: Any, rules: RuleSet) -> str:
    """Return in words what a state waits for."""
    if state.phase >= SCORED:
        return "nothing more in this deal"
    if state.phase == EXCHANGE:
        return f"a gift by seat {state.turn} to seat {exchange.receiver(state, rules.array()[0])}"
    if state.phase == TALON and rules.players == 2 and state.picked == 0:
        return f"a talon picked by seat {state.turn}"
    return f"{_WAITS_FOR[int(state.phase)]} by seat {state.turn}"


# -- how a state came about ------------------------------------------------------------------------------------------


def active_in_order(state: Any, rules: RuleSet) -> list[int]:
    """Return the seats that play a deal, clockwise from forehand."""
    seats = [int(forehand_of(state, rules.array()[0]))]
    while len(seats) < rules.active:
        seats.append(int(next_seat(seats[-1], state.dealer, rules.players)))
    return seats


def went_blind(state: Any) -> bool:
    """Whether forehand went blind in this deal, lit since or not (Z1, Z2)."""
    return state.blind in (BLIND_CHOSEN, BLIND_LIT)


def calls_of(state: Any, rules: RuleSet) -> list[tuple[int, int]]:
    """Return the auction so far: (seat, points) in order, 0 points for a pass.

    The 120 of forehand who went blind comes first. A seat kept out by its total (A5) passes when its turn comes.
    """
    named = [(bit, seat) for bit in range(64) for seat in range(rules.players) if int(state.bids[seat]) >> bit & 1]
    levels = [(MIN_BID + LEVEL_STEP * bit, seat) for bit, seat in named]
    calls: list[tuple[int, int]] = []
    if not levels or not state.talon:
        return calls
    order, passed, place = active_in_order(state, rules), 0, 0
    while levels or passed != state.passed:
        seat = order[place % len(order)]
        place += 1
        if passed >> seat & 1:
            continue
        if levels and levels[0][1] == seat:
            calls.append((seat, levels.pop(0)[0]))
        elif int(state.passed) >> seat & 1:
            calls.append((seat, 0))
            passed |= 1 << seat
        else:
            break  # the seat to act
    return calls


def bonuses_of(state: Any, seat: int) -> list[int]:
    """Return the bonuses a seat has used in this deal, as actions (X1)."""
    return [BONUS_HANDS + bit for bit in range(6) if int(state.peeks[seat]) >> bit & 1]


def asked_hands(state: Any) -> bool:
    """Whether claims on hands have been, or are being, asked for in this deal (R9)."""
    return bool(state.asked & (TALON_ASKED - 1)) or (state.phase == CLAIM and state.bid == 0)


def declined(state: Any, rules: RuleSet) -> list[int]:
    """Return the seats that declined to claim on their hand, in order."""
    return [seat for seat in active_in_order(state, rules) if int(state.asked) >> seat & 1]


def gifts_of(state: Any, rules: RuleSet) -> list[tuple[int, int]]:
    """Return the gifts made so far: (receiver, card) in order."""
    if state.declarer == NONE:
        return []
    order = active_in_order(state, rules)
    first = order.index(int(state.declarer)) + 1
    seats = (order + order)[first : first + rules.active - 1]
    return [(seat, int(state.gifts[seat])) for seat in seats if state.gifts[seat] != NONE]


def chose_talon(state: Any, rules: RuleSet) -> bool:
    """Whether the declarer has decided if the talon is shown (T2)."""
    chooses = rules.talon_at_100 == "declarer_chooses" and state.talon != 0 and state.declarer != NONE
    return bool(chooses and state.phase not in (AUCTION, TALON) and exchange.sits_on_hundred(state))


def gave_up(state: Any) -> bool:
    """Whether the declarer wrote the deal off, or was baptised (W1, W4)."""
    return bool(state.phase >= SCORED and state.contract == 0)
