"""Moves: the lines between a deal and its score, written from a state.

A line of moves is a word and its entries, `bid 2:100 0:170`, or a trick, `0:dQ dK hJ`. What a later line tells is left
out: that forehand looked, and who declined to claim a redeal.
"""

from collections.abc import Sequence
from typing import Any

from thousand_env.actions import ACTION_TEXTS
from thousand_env.auction import may_go_blind
from thousand_env.cards import card_name, marriage_value, suit_of
from thousand_env.play import ACE_MARRIAGE_VALUE
from thousand_env.redeals import TALON_ASKED, any_hand_entitles, talon_entitles
from thousand_env.replay import (
    active_in_order,
    asked_hands,
    bonuses_of,
    calls_of,
    chose_talon,
    declined,
    gave_up,
    gifts_of,
    went_blind,
)
from thousand_env.rules import FORCE, RuleSet
from thousand_env.scoring import is_golden
from thousand_env.state import ACE_DECLARED, AUCTION, CLAIM, CONTRACT, EXCHANGE, SILENT

MOVE_WORDS = (
    *("blind", "look", "bonus", "noredeal", "bid", "talon", "offence", "redeal", "writeoff", "baptise", "give", "play"),
)


def move_lines(state: Any, rules: RuleSet) -> list[str]:
    """Return what happened between deal and first lead, a line a step."""
    lines = ["blind"] if went_blind(state) else []
    lines += _auction_lines(state, rules)
    talon = _talon_words(state, rules)
    if talon:
        lines.append(f"talon {talon}")
    gifts = [f"{state.declarer}>{receiver}:{card_name(card)}" for receiver, card in gifts_of(state, rules)]
    if gifts:
        lines.append(f"give {' '.join(gifts)}")
    if gave_up(state):
        lines.append("baptise" if rules.baptism else "writeoff")
    if state.contract:
        lines.append(f"play {state.declarer}:{state.contract}")
    if state.talon and state.phase < CONTRACT and not gifts:
        lines += _answers(state, rules, told=any(not line.startswith("bonus") for line in lines))
    return lines


def _talon_words(state: Any, rules: RuleSet) -> str:
    words = ["AB"[state.picked - 1]] if state.picked else []
    if chose_talon(state, rules):
        words.append("open" if state.talon_open else "closed")
    return " ".join(words)


def _auction_lines(state: Any, rules: RuleSet) -> list[str]:
    """Return the lines of bids and bonuses; a bonus stands before what its seat said next."""
    calls = calls_of(state, rules)[int(went_blind(state)) :]
    order = active_in_order(state, rules)
    entries: list[tuple[str, str]] = []
    if asked_hands(state):
        entries += _bonus_entries(state, order)
        order = []
    for seat, points in calls:
        entries += _bonus_entries(state, [seat] if seat in order else [])
        order = [other for other in order if other != seat]
        entries.append(("bid", f"{seat}:{points or 'p'}"))
    entries += _bonus_entries(state, order)
    lines: list[str] = []
    for word, entry in entries:
        if lines and lines[-1].startswith(word):
            lines[-1] += f" {entry}"
        else:
            lines.append(f"{word} {entry}")
    return lines


def _bonus_entries(state: Any, seats: Sequence[int]) -> list[tuple[str, str]]:
    used = [(seat, action) for seat in seats for action in bonuses_of(state, seat)]
    return [("bonus", f"{seat}:{ACTION_TEXTS[action].partition(':')[2]}") for seat, action in used]


def _answers(state: Any, rules: RuleSet, told: bool) -> list[str]:
    """Return what was answered that no later line tells; `told` if one tells of the answers before the auction."""
    lines: list[str] = []
    seats = [] if told else declined(state, rules)
    if state.phase == EXCHANGE and state.asked & TALON_ASKED:
        seats = [*seats, int(state.declarer)]
    if seats:
        lines.append(f"noredeal {' '.join(map(str, seats))}")
    elif not told and _looked(state, rules):
        lines.append("look")
    return lines


def _looked(state: Any, rules: RuleSet) -> bool:
    record = rules.array()[0]
    asked = not is_golden(state, record) and may_go_blind(state, record)
    return bool(asked and state.phase in (CLAIM, AUCTION) and not bonuses_told(state, rules))


def bonuses_told(state: Any, rules: RuleSet) -> bool:
    """Whether anybody has used a bonus in this deal, and so must have looked before."""
    return any(bonuses_of(state, seat) for seat in range(rules.players))


def redeal_line(state: Any, rules: RuleSet) -> str:
    """Return the line that ends an attempt dealt again: `redeal 1` for a claim of seat 1, `redeal` if it was forced."""
    record = rules.array()[0]
    if state.bid > 0:
        forced = talon_entitles(state, record, FORCE)
    else:
        forced = any_hand_entitles(state, record, FORCE)
    return "redeal" if forced else f"redeal {state.turn}"


def trick_lines(state: Any, rules: RuleSet) -> list[str]:
    """Return the tricks so far, leader and cards: `0:dQ dK hJ`, with the value after a card that declares."""
    plays = [int(state.plays[place]) for place in range(state.num_plays)]
    tricks = [plays[first : first + rules.active] for first in range(0, len(plays), rules.active)]
    return [f"{trick[0] >> 8}:{' '.join(map(_play_text, trick))}" for trick in tricks]


def trick_winners(state: Any, rules: RuleSet) -> list[int]:
    """Return who won each complete trick: the seat that leads next, or led last."""
    leaders = [int(state.plays[place]) >> 8 for place in range(rules.active, state.num_plays, rules.active)]
    return leaders if state.num_plays % rules.active or not state.num_plays else [*leaders, int(state.leader)]


def _play_text(play: int) -> str:
    card, way = play & 31, play >> 5 & 7
    return card_name(card) + (f"+{declared_worth(card, way)}" if way != SILENT else "")


def declared_worth(card: int, way: int) -> int:
    """Return the points that a card led and declared scores at once (M4, M7)."""
    return ACE_MARRIAGE_VALUE if way == ACE_DECLARED else int(marriage_value(suit_of(card)))
