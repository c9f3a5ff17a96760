"""Game: one match, deal by deal, for people, tests and interfaces. The engine checks nothing, `Game` checks everything.

A deal ends in the phase `scored`, where its result can be looked at; `next_deal` deals the next one. The match is
`over` when somebody has won or `max_deals` are played. Who wants a single deal simply stops after the first.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thousand_env import engine
from thousand_env.actions import parse_action
from thousand_env.board import board
from thousand_env.errors import IllegalAction
from thousand_env.forbidden import forbidden_by
from thousand_env.notation import position_text, read_position
from thousand_env.replay import Course, legal_actions, listing
from thousand_env.rules import RuleSet, as_rules
from thousand_env.sheet import blank_sheet, events_of
from thousand_env.state import NONE, PHASE_NAMES, SCORED, new_states
from thousand_env.transcript import Record, write

__all__ = ["Game", "board", "forbidden_by"]


class Game:
    """A match at the address (seed, match), by the rules given as a `RuleSet` or as text.

    Where the cards are dealt again, the game goes on with the next attempt at the deal; `transcript` has them all.

    >>> game = Game("core", seed=7)
    >>> game.phase, game.turn, game.legal_actions()[:3]
    ('auction', 1, [37, 38, 39])
    >>> game.play("110")
    >>> game.play("110")
    Traceback (most recent call last):
    ...
    thousand_env.errors.IllegalAction: A2: seat 2 may not bid 110, which is no raise of 110; legal: pass, 115, 120
    """

    def __init__(self, rules: RuleSet | str = "core", seed: int = 0, match: int = 0) -> None:
        self._rules = as_rules(rules)
        self._start = blank_sheet(self._rules)
        states = new_states(1)
        engine.start_matches(states, self._rules.array(), np.array([seed]), np.array([match]))
        self._course = Course(states, self._rules)

    @classmethod
    def from_position(cls, text: str) -> "Game":
        """Return the game a position stands in; raises `NotationError` if it cannot come about.

        The deal can be undone to its first action. If it is scored already, the score sheet it started from is one that
        leads to the sheet in the text; the text does not say which one it was.
        """
        game = cls.__new__(cls)
        game._course, game._start = read_position(text)
        game._rules = game._course.rules
        return game

    def copy(self) -> "Game":
        """Return a game that goes its own way from here."""
        other = type(self).__new__(type(self))
        other._rules, other._start, other._course = self._rules, self._start, self._course.copy()
        return other

    def __copy__(self) -> "Game":
        return self.copy()

    # -- looking -----------------------------------------------------------------------------------------------------

    @property
    def rules(self) -> RuleSet:
        """The agreements of the table."""
        return self._rules

    @property
    def states(self) -> NDArray[Any]:
        """The game as the engine sees it: a copy, shape (1,), dtype `STATE_DTYPE`."""
        return self._course.states.copy()

    @property
    def phase(self) -> str:
        """The phase of the deal, one of `PHASE_NAMES`."""
        return PHASE_NAMES[int(self._state.phase)]

    @property
    def turn(self) -> int | None:
        """The seat to act, None when nobody is."""
        return None if self._state.turn == NONE else int(self._state.turn)

    @property
    def deal_points(self) -> list[int]:
        """Points captured and declared in this deal so far, by seat (K1)."""
        return [int(points) for points in engine.deal_score(self._course.states, self._rules.array())[0]]

    @property
    def score(self) -> list[int]:
        """What the deal was worth to each seat once it is scored, zeros before (K2, K3)."""
        return [int(points) for points in self._state.score[: self._rules.players]]

    @property
    def totals(self) -> list[int]:
        """The totals of the match by seat."""
        return [int(points) for points in self._state.totals[: self._rules.players]]

    @property
    def events(self) -> list[str]:
        """What the scored deal brought, in the words of the notation: `fine 1 120`."""
        return events_of(self._state, self._rules)

    @property
    def offences(self) -> list[int]:
        """How many illegal actions of this deal, by seat, are to be fined or were (N2)."""
        return [int(count) for count in self._state.offences[: self._rules.players]]

    @property
    def winner(self) -> int | None:
        """The seat that has won the match, if any."""
        return None if self._state.winner == NONE else int(self._state.winner)

    def legal_actions(self) -> list[int]:
        """Return what the seat to act may do, in ascending order; empty when nobody is to act."""
        return legal_actions(self._course.states, self._rules)

    def position(self, seat: int | None = None) -> str:
        """Return the position on one line: all of it, or what a seat knows."""
        return position_text(self._state, self._rules, NONE if seat is None else seat)

    def transcript(self) -> str:
        """Return the match so far as a transcript."""
        return write(Record(self._rules, self._start, np.concatenate([*self._course.ended, self._course.states])))

    def __str__(self) -> str:
        return board(self._state, self._rules)

    def __repr__(self) -> str:
        return f"Game.from_position({self.position()!r})"

    @property
    def _state(self) -> Any:
        return self._course.state

    # -- acting ------------------------------------------------------------------------------------------------------

    def play(self, action: int | str) -> None:
        """Act for the seat to act, with an action's number or its text.

        Raises `IllegalAction`, naming the rule that forbids it, and `NotationError` for a text that is no action;
        nothing changes then. At a table that fines (`enforcement=table`, N2) an illegal action counts as something
        else, and is an offence; what is no action here at all is refused there too.
        """
        number = parse_action(action) if isinstance(action, str) else int(action)
        if not self._course.take(number):
            rule, reason = forbidden_by(self._course.states, self._rules, number)
            raise IllegalAction(f"{rule}: {reason}; legal: {listing(self.legal_actions())}")

    def next_deal(self) -> None:
        """Deal the next deal of the match; raises `IllegalAction` unless this one is scored and the match goes on."""
        if self._state.phase != SCORED:
            raise IllegalAction(
                f"S2: the next deal was asked for in the phase {self.phase}; legal: in the phase scored"
            )
        self._course.next_deal()

    def undo(self) -> int:
        """Take back the last action and return it; a deal in which nobody has acted goes with the action before it.

        Raises `IllegalAction` when there is nothing to take back.
        """
        if not self._course.past:
            raise IllegalAction("N2: nothing to undo: nobody has acted yet")
        return self._course.undo()
