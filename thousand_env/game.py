"""Game: one match, deal by deal, for people, tests and interfaces. The engine checks nothing, `Game` checks everything.

A deal ends in the phase `scored`, where its result can be looked at; `next_deal` deals the next one. The match is
`over` when somebody has won or `max_deals` are played. Who wants a single deal simply stops after the first.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thousand_env import auction, engine, play
from thousand_env.actions import (
    DECLARE_ACE,
    DECLARE_KING,
    DECLARE_QUEEN,
    NUM_ACTIONS,
    PASS,
    action_text,
    bid_points,
    card_of,
    is_bid,
    parse_action,
)
from thousand_env.cards import SUIT_LETTERS, card_name, holds_marriage, suit_cards, suit_of
from thousand_env.errors import IllegalAction
from thousand_env.notation import move_lines, position_text, read_position, score_text, trick_lines, trick_winners
from thousand_env.replay import actions_of, deal_of, lay_out, legal_actions, listing
from thousand_env.rules import RuleSet, as_rules
from thousand_env.sheet import Sheet, blank_sheet, events_of, sheet_of
from thousand_env.spelling import cards_text, set_text
from thousand_env.state import AUCTION, CONTRACT, EXCHANGE, NONE, PHASE_NAMES, PLAY, SCORED, TALON, new_states
from thousand_env.transcript import Record, write


class Game:
    """A match at the address (seed, match), by the rules given as a `RuleSet` or as text.

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
        self._ended: list[NDArray[Any]] = []  # every deal before this one, as it was scored
        self._states = new_states(1)
        engine.start_matches(self._states, self._rules.array(), np.array([seed]), np.array([match]))

    @classmethod
    def from_position(cls, text: str) -> "Game":
        """Return the game a position stands in; raises `NotationError` if it cannot come about.

        The deal can be undone to its first action. If it is scored already, the score sheet it started from is one that
        leads to the sheet in the text; the text does not say which one it was.
        """
        game = cls.__new__(cls)
        game._states, game._rules, game._start = read_position(text)
        game._ended = []
        return game

    def copy(self) -> "Game":
        """Return a game that goes its own way from here."""
        other = type(self).__new__(type(self))
        other._rules, other._start = self._rules, self._start
        other._ended, other._states = list(self._ended), self._states.copy()
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
        return self._states.copy()

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
        return [int(points) for points in engine.deal_score(self._states, self._rules.array())[0]]

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
    def winner(self) -> int | None:
        """The seat that has won the match, if any."""
        return None if self._state.winner == NONE else int(self._state.winner)

    def legal_actions(self) -> list[int]:
        """Return what the seat to act may do, in ascending order; empty when nobody is to act."""
        return legal_actions(self._states, self._rules)

    def position(self, seat: int | None = None) -> str:
        """Return the position on one line: all of it, or what a seat knows."""
        return position_text(self._state, self._rules, NONE if seat is None else seat)

    def transcript(self) -> str:
        """Return the match so far as a transcript."""
        return write(Record(self._rules, self._start, np.concatenate([*self._ended, self._states])))

    def __str__(self) -> str:
        return board(self._state, self._rules)

    def __repr__(self) -> str:
        return f"Game.from_position({self.position()!r})"

    @property
    def _state(self) -> Any:
        return self._states[0]

    # -- acting ------------------------------------------------------------------------------------------------------

    def play(self, action: int | str) -> None:
        """Act for the seat to act, with an action's number or its text.

        Raises `IllegalAction`, naming the rule that forbids it, and `NotationError` for a text that is no action;
        nothing changes then.
        """
        number = parse_action(action) if isinstance(action, str) else int(action)
        legal = self.legal_actions()
        if number not in legal:
            rule, reason = forbidden_by(self._states, self._rules, number)
            raise IllegalAction(f"{rule}: {reason}; legal: {listing(legal)}")
        engine.step(self._states, self._rules.array(), np.array([number]))

    def next_deal(self) -> None:
        """Deal the next deal of the match; raises `IllegalAction` unless this one is scored and the match goes on."""
        if self._state.phase != SCORED:
            raise IllegalAction(
                f"S2: the next deal was asked for in the phase {self.phase}; legal: in the phase scored"
            )
        self._ended.append(self._states.copy())
        engine.next_deals(self._states, self._rules.array())

    def undo(self) -> int:
        """Take back the last action and return it; a deal in which nobody has acted goes with the action before it.

        Raises `IllegalAction` when there is nothing to take back.
        """
        actions = actions_of(self._state, self._rules)
        if not actions and not self._ended:
            raise IllegalAction("N2: nothing to undo: nobody has acted yet")
        if not actions:
            self._states = self._ended.pop()
            actions = actions_of(self._state, self._rules)
        self._states = lay_out(deal_of(self._state, self._rules), self._sheet_before(), self._rules)
        for action in actions[:-1]:
            engine.step(self._states, self._rules.array(), np.array([action]))
        return actions[-1]

    def _sheet_before(self) -> Sheet:
        return sheet_of(self._ended[-1][0], self._rules) if self._ended else self._start


# -- why not ---------------------------------------------------------------------------------------------------------


def forbidden_by(states: NDArray[Any], rules: RuleSet, action: int) -> tuple[str, str]:
    """Return the id of the rule that forbids an action which is not legal in `states` (1,), and the reason in words."""
    state: Any = states[0]
    if not 0 <= action < NUM_ACTIONS:
        return "N2", f"there is no action {action}: they are numbered 0 to {NUM_ACTIONS - 1}"
    if state.phase >= SCORED:
        return "N2", f"nobody may act: the deal is {PHASE_NAMES[state.phase]}"
    if state.phase in (AUCTION, CONTRACT) and (is_bid(action) or action == PASS):
        return _forbidden_bid(state, rules, action)
    if state.phase == PLAY and action < PASS:
        return _forbidden_play(state, rules, action)
    if state.phase == EXCHANGE and action < DECLARE_QUEEN:
        return "N2", f"seat {state.turn} does not hold {action_text(action)}"
    rule = "T2" if state.phase == TALON else "N2"
    return rule, f"{action_text(action)} is no action of the phase {PHASE_NAMES[state.phase]}"


def _forbidden_bid(state: Any, rules: RuleSet, action: int) -> tuple[str, str]:
    seat, points, bid, record = int(state.turn), bid_points(action), int(state.bid), rules.array()[0]
    cap, verb = int(auction.bid_limit(state.hands[seat], record)), "bid" if state.phase == AUCTION else "name"
    if action == PASS:
        return "A1", f"seat {seat} may not pass: the opener must bid"
    facts = [
        ("T4", state.phase == CONTRACT and points < bid, f"which is below the bid of {bid}"),
        ("T4", state.phase == CONTRACT and points == bid, "the contract as bid: it is kept by pass"),
        ("A1", not bid and rules.opening == "exactly_100", "the opener bids exactly 100 here"),
        ("A2", points <= bid, f"which is no raise of {bid}"),
        ("A2", points % rules.bid_step, f"which is no multiple of {rules.bid_step}"),
        ("A3", points > cap, f"which is over the {cap} that the hand allows"),
        ("L3", state.mounted[seat], f"from the barrel only a contract of {rules.needs} or more counts"),
    ]
    return next((rule, f"seat {seat} may not {verb} {points}, {reason}") for rule, holds, reason in facts if holds)


def _forbidden_play(state: Any, rules: RuleSet, action: int) -> tuple[str, str]:
    seat, card, text = int(state.turn), int(card_of(action)), action_text(action)
    hand, led = int(state.hands[seat]), int(play.led_suit(state, rules.players))
    if not hand >> card & 1:
        return "N2", f"seat {seat} does not hold {card_name(card)}"
    if action >= DECLARE_ACE:
        return "M7", f"seat {seat} may not declare {text}: the ace marriage is not played"
    if action >= DECLARE_QUEEN:
        return _forbidden_declaration(state, action, led)
    if hand & suit_cards(led):
        return "P2", f"seat {seat} may not play {text}: it holds {SUIT_LETTERS[led]}, the suit led"
    return (
        "P2",
        f"seat {seat} may not play {text}: out of {SUIT_LETTERS[led]}, it must trump with {SUIT_LETTERS[state.trump]}",
    )


def _forbidden_declaration(state: Any, action: int, led: int) -> tuple[str, str]:
    seat, suit = int(state.turn), int(suit_of(card_of(action)))
    start = f"seat {seat} may not declare {action_text(action)}"
    if led != NONE:
        return "M2", f"{start}: a marriage is declared on lead"
    if action >= DECLARE_KING:
        return "M2", f"{start}: a marriage is declared with its queen"
    if not holds_marriage(state.hands[seat], suit):
        return "M2", f"{start}: it does not hold king and queen of {SUIT_LETTERS[suit]}"
    return "M5", f"{start}: it has won no trick yet"


# -- the board -------------------------------------------------------------------------------------------------------


def board(state: Any, rules: RuleSet) -> str:
    """Return a state as a picture for people."""
    deal = deal_of(state, rules)
    lines = [
        f"{rules}: deal {deal.address or int(state.deal)}, seat {deal.dealer} deals, phase {PHASE_NAMES[state.phase]}"
    ]
    if deal.talon:
        lines.append(f"talon  {cards_text(deal.talon)}{' (shown)' if state.talon_open else ''}")
    lines += [f"{line.partition(' ')[0]:<6} {line.partition(' ')[2]}" for line in move_lines(state, rules)]
    winners = trick_winners(state, rules.players)
    for number, trick in enumerate(trick_lines(state, rules.players), start=1):
        lines.append(f"{number}.     {trick}" + (f" -> {winners[number - 1]}" if number <= len(winners) else ""))
    if state.trump != NONE:
        lines.append(f"trump  {SUIT_LETTERS[state.trump]}")
    lines += ["", *_seats_table(state, rules)]
    if state.phase >= SCORED:
        lines += ["", f"score  {score_text(state, rules.players)}", *events_of(state, rules)]
    return "\n".join(lines)


def _seats_table(state: Any, rules: RuleSet) -> list[str]:
    states = np.array([state], dtype=state.dtype)
    points = engine.deal_score(states, rules.array())[0]
    rows = [f"{'seat':<9}{'hand':<22}{'tricks':>6}{'points':>8}{'total':>7}{'bolts':>7}  barrel"]
    for seat, column in enumerate(sheet_of(state, rules).seats):
        marks = ("D" if seat == state.declarer else "") + ("*" if seat == state.turn else "")
        barrel = f"since deal {column.mounted}, {column.attempts} attempts used" if column.mounted else "-"
        rows.append(
            f"{seat} {marks:<7}{set_text(int(state.hands[seat])):<22}{int(state.tricks[seat]):>6}{int(points[seat]):>8}"
            f"{column.total:>7}{column.bolts:>7}  {barrel}"
        )
    return rows
