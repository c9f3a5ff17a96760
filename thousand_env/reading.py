"""Reading: the lines of moves acted through a course, every one checked.

What a text says nothing of is taken for granted when a later line tells it: that forehand looked, and that a claim for
a redeal was declined.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

from thousand_env import exchange
from thousand_env.actions import (
    ACTION_TEXTS,
    BAPTISE,
    BONUS_HANDS,
    CLAIM_REDEAL,
    DECLINE_REDEAL,
    GO_BLIND,
    KEEP_TALON,
    LEVEL_STEP,
    LOOK,
    PASS,
    PICK_TALON,
    SHOW_TALON,
    WRITE_OFF,
    bid_action,
    card_of,
    parse_action,
    way_of,
)
from thousand_env.auction import kept_out
from thousand_env.cards import MAX_CONTRACT, card_name
from thousand_env.errors import NotationError
from thousand_env.moves import declared_worth, redeal_line
from thousand_env.replay import Course, active_in_order, expected_now
from thousand_env.rules import MIN_BID
from thousand_env.sheet import MAX_OFFENCES
from thousand_env.spelling import parse_number, parse_one_card, parse_seat
from thousand_env.state import AUCTION, BLIND, CLAIM, CONTRACT, EXCHANGE, NONE, PLAY, SCORED, SILENT, TALON

TRICK = re.compile(r"\d{1,2}\.", re.ASCII)

_BONUSES = {ACTION_TEXTS[action].partition(":")[2]: action for action in range(BONUS_HANDS, BONUS_HANDS + 6)}
_TALON = {"A": PICK_TALON, "B": PICK_TALON + 1, "open": SHOW_TALON, "closed": KEEP_TALON}


class MoveReader:
    """Reads the moves of one attempt at a deal into a course, line by line; every one is checked."""

    def __init__(self, course: Course) -> None:
        self.course, self.rules = course, course.rules
        self.record = course.rules.array()[0]
        self.named = not course.state.talon  # the line `play` has been read
        self.closed = False  # the line `redeal` has been read

    @property
    def state(self) -> Any:
        """The record of the deal being read."""
        return self.course.state

    @property
    def dealt_again(self) -> bool:
        """Whether this attempt is over and the cards are dealt again."""
        return bool(self.course.ended)

    def expected(self) -> str:
        """Return in words what must come next."""
        if self.dealt_again:
            return f"{redeal_line(self.course.ended[0][0], self.rules)}: the cards are dealt again"
        if self.state.phase == PLAY and not self.named:
            return f"play {self.state.declarer}:{self.state.contract}"
        return expected_now(self.state, self.rules)

    def read(self, words: Sequence[str]) -> None:
        """Act through a line of moves; raises `NotationError` for one that cannot be."""
        word, entries = words[0], words[1:]
        alone: dict[str, Callable[[], None]] = {
            "blind": lambda: self._act_in(BLIND, GO_BLIND),
            "look": lambda: self._act_in(BLIND, LOOK),
            "writeoff": lambda: self._give_up(WRITE_OFF),
            "baptise": lambda: self._give_up(BAPTISE),
        }
        with_entries: dict[str, Callable[[str], None]] = {
            "bonus": self._read_bonus,
            "noredeal": self._read_decline,
            "bid": self._read_bid,
            "talon": self._read_talon,
            "give": self._read_gift,
            "play": self._read_contract,
        }
        if self.dealt_again and word != "redeal":
            raise NotationError(f"found {' '.join(words)!r}, expected {self.expected()}")
        if word == "redeal":
            self._read_redeal(entries)
        elif word == "offence":
            self._read_offence(entries)
        elif word in alone:
            self._expect(not entries, " ".join(words), f"{word} alone")
            alone[word]()
        elif word in with_entries:
            self._expect(len(entries) > 0, word, self.expected(), alone=True)
            for entry in entries:
                with_entries[word](entry)
        else:
            self._read_trick(words)

    def _expect(self, fact: bool, found: str, expected: str, *, alone: bool = False) -> None:
        if not fact:
            raise NotationError(f"found {found!r}{' alone' if alone else ''}, expected {expected}")

    def _expect_phase(self, found: str, *phases: int) -> None:
        fits = not self.dealt_again and self.state.phase in phases
        self._expect(fits, found, self.expected())

    def _act_in(self, phase: int, action: int) -> None:
        self._expect_phase(ACTION_TEXTS[action], phase)
        self.course.act(action)

    # -- before the auction ------------------------------------------------------------------------------------------

    def _pass_over(self, until: int = NONE) -> None:
        """Let forehand look, and everybody decline until the seat `until` is asked: the text tells of what follows."""
        while not self.dealt_again and self.state.phase == BLIND:
            self.course.act(LOOK)
        while not self.dealt_again and self.state.phase == CLAIM and self.state.bid == 0 and self.state.turn != until:
            self.course.act(DECLINE_REDEAL)

    def _pass_over_talon(self) -> None:
        """Let the declarer decline his claim on the talon as well."""
        self._pass_over()
        if not self.dealt_again and self.state.phase == CLAIM:
            self.course.act(DECLINE_REDEAL)

    def _read_bonus(self, entry: str) -> None:
        text, _, kind = entry.partition(":")
        seat = parse_seat(text, self.rules.players)
        self._expect(kind in _BONUSES, f"bonus {entry}", f"seat and one of {', '.join(_BONUSES)}")
        self._pass_over(until=seat)
        self._expect_phase(f"bonus {entry}", AUCTION, CLAIM)
        self._expect(self.state.turn == seat, f"bonus {entry}", self.expected())
        self.course.act(_BONUSES[kind])

    def _read_decline(self, entry: str) -> None:
        seat = parse_seat(entry, self.rules.players)
        if not self.dealt_again and self.state.phase == BLIND:
            self.course.act(LOOK)
        if self.state.bid == 0 and int(self.state.asked) >> seat & 1:
            return
        self._expect_phase(f"noredeal {entry}", CLAIM)
        self._expect(self.state.turn == seat, f"noredeal {entry}", self.expected())
        self.course.act(DECLINE_REDEAL)

    def _read_redeal(self, entries: Sequence[str]) -> None:
        found = " ".join(["redeal", *entries])
        self._expect(len(entries) < 2, found, "redeal and the seat that claims it")
        seat = parse_seat(entries[0], self.rules.players) if entries else NONE
        claim = self.state.phase == CLAIM and self.state.bid > 0
        if not claim and (seat != NONE or self.state.phase in (BLIND, CLAIM)):
            self._pass_over(until=seat)
        if not self.dealt_again and seat != NONE:
            self._expect_phase(found, CLAIM)
            self._expect(self.state.turn == seat, found, self.expected())
            self.course.act(CLAIM_REDEAL)
        self._expect(self.dealt_again, found, self.expected())
        truth = redeal_line(self.course.ended[0][0], self.rules)
        self._expect(found == truth and not self.closed, found, "nothing more" if self.closed else truth)
        self.closed = True

    def _read_offence(self, entries: Sequence[str]) -> None:
        found = " ".join(["offence", *entries])
        self._expect(len(entries) == 2, found, "offence, a seat and how many")
        seat, count = parse_seat(entries[0], self.rules.players), parse_number(entries[1], "how many offences")
        self._expect(self.rules.enforcement == "table", found, "none: nothing illegal is taken at this table (N2)")
        seats = active_in_order(self.state, self.rules)
        fits = seat in seats and 0 < count <= MAX_OFFENCES - int(self.state.offences[seat])
        self._expect(fits, found, f"1 to {MAX_OFFENCES} by one of the seats {', '.join(map(str, seats))}")
        self._expect(self.state.phase < SCORED, found, self.expected())
        self.state.offences[seat] += count

    # -- auction and exchange ----------------------------------------------------------------------------------------

    def _split_turn(self, entry: str) -> str:
        seat, colon, rest = entry.partition(":")
        if not colon or not rest:
            raise NotationError(f"found {entry!r}, expected {self.expected()}, written {self.state.turn}:...")
        self._expect(parse_seat(seat, self.rules.players) == self.state.turn, entry, self.expected())
        return rest

    def _level(self, text: str) -> int:
        points = parse_number(text, "points, as in 120")
        if not MIN_BID <= points <= MAX_CONTRACT or points % LEVEL_STEP:
            levels = f"{MIN_BID} to {MAX_CONTRACT} in steps of {self.rules.bid_step} (A2)"
            raise NotationError(f"found {points} points, expected {levels}")
        return int(bid_action(points))

    def _read_bid(self, entry: str) -> None:
        self._pass_over()
        seat, _, call = entry.partition(":")
        passes = call in ("p", "pass")
        if passes and self._sits_by(parse_seat(seat, self.rules.players)):
            return
        self._expect_phase(f"bid {entry}", AUCTION)
        call = self._split_turn(entry)
        self.course.act(PASS if passes else self._level(call))

    def _sits_by(self, seat: int) -> bool:
        """Whether a seat counts as having passed because its total keeps it out (A5)."""
        state: Any = self.course.ended[0][0] if self.dealt_again else self.state
        return bool(state.phase < SCORED and int(kept_out(state, self.record)) >> seat & 1)

    def _read_talon(self, entry: str) -> None:
        self._pass_over()
        self._expect_phase(f"talon {entry}", TALON)
        picks = self.rules.players == 2 and self.state.picked == 0
        words = ("A", "B") if picks else ("open", "closed")
        self._expect(entry in words, f"talon {entry}", " or ".join(f"talon {word}" for word in words))
        self.course.act(_TALON[entry])

    def _read_gift(self, entry: str) -> None:
        self._pass_over_talon()
        self._expect_phase(f"give {entry}", EXCHANGE)
        seats, _, card = entry.partition(":")
        way = f"{self.state.turn}>{exchange.receiver(self.state, self.record)}"
        if seats != way:
            raise NotationError(f"found {entry!r}, expected {self.expected()}, written {way}:...")
        self.course.act(parse_one_card(card))

    def _give_up(self, action: int) -> None:
        self._pass_over_talon()
        self._act_in(EXCHANGE, action)

    # -- play --------------------------------------------------------------------------------------------------------

    def _read_contract(self, entry: str) -> None:
        named = self.state.phase == CONTRACT
        self._expect(not self.dealt_again and not self.named, f"play {entry}", self.expected())
        self._expect_phase(f"play {entry}", CONTRACT, PLAY)
        self.named = True
        if not named:
            points = self._split_turn(entry)
            if points != str(self.state.contract):
                truth = f"{self.state.turn}:{self.state.contract}"
                raise NotationError(f"found the contract {entry}, expected {truth}, which is not raised (T4)")
            return
        action = self._level(self._split_turn(entry))
        self.course.act(PASS if action == bid_action(int(self.state.bid)) else action)

    def _read_trick(self, words: Sequence[str]) -> None:
        active = self.rules.active
        self._expect_phase(words[0], PLAY)
        self._expect(self.named, words[0], self.expected())
        if self.state.num_plays % active:
            raise NotationError(f"found a new trick {words[0]!r}, expected {self.expected()}")
        cards = [self._split_turn(words[0]), *words[1:]]
        for card in cards[:active]:
            self._read_play(card)
        if len(cards) > active:
            raise NotationError(f"found {cards[active]!r}, expected the end of the trick: {active} cards")

    def _read_play(self, word: str) -> None:
        card, plus, value = word.partition("+")
        action = parse_action(card_name(parse_one_card(card)) + plus)
        worth = declared_worth(card_of(action), way_of(action))
        if value and way_of(action) != SILENT and value != str(worth):
            raise NotationError(f"found {word!r}, expected {card}+{worth} (C3)")
        self.course.act(action)
