"""What the engine and the reference say of one match, in the same words, so that the two can be compared.

Facts are values by name: sets and lists of texts and numbers. A `Reading` is the engine's record as plain numbers.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.reference import Match
from tests.reference_cards import SUITS
from tests.reference_sheet import Event
from thousand_env import engine, view
from thousand_env.actions import ACTION_TEXTS
from thousand_env.cards import NUM_CARDS, card_name
from thousand_env.rules import RuleSet
from thousand_env.state import EVENT_WORDS, GOLDEN_OVER, NONE, OVER, PHASE_NAMES, SCORED, STATE_DTYPE

COLUMNS = ("totals", "bolts", "mounted", "falls", "reverse", "write_offs")
BY_SEAT = (*COLUMNS, "attempts", "early", "offences", "score", "tricks", "marriages")
DONE = ("scored", "over")
BITS = {card_name(card): 1 << card for card in range(NUM_CARDS)}

Facts = dict[str, object]


@functools.lru_cache(maxsize=8192)
def names(cards: int) -> frozenset[str]:
    """The names of a set of cards."""
    return frozenset(card_name(card) for card in range(NUM_CARDS) if cards >> card & 1)


def someone(seat: int) -> int | None:
    """A seat of the engine, None for nobody."""
    return None if seat == NONE else seat


def cards_in_order(packed: int, count: int) -> list[str]:
    """The cards of a `talon_order`, as laid."""
    return [card_name(packed >> 5 * place & 31) for place in range(count)]


class Reading:
    """The fields of the one record of an array (1,) as numbers of 32 bits; those by seat are lists of so many."""

    def __init__(self, records: Any, players: int) -> None:
        self.numbers: list[int] = records.view(np.int32).tolist()
        self.offsets, self.players = offsets_of(records.dtype), players

    def number(self, name: str) -> int:
        """A field that is one number."""
        return self.numbers[self.offsets[name]]

    def seats(self, name: str) -> list[int]:
        """A field by seat."""
        start = self.offsets[name]
        return self.numbers[start : start + self.players]


@functools.cache
def offsets_of(dtype: np.dtype[Any]) -> dict[str, int]:
    """The place of each field of a record in its 32-bit numbers."""
    fields: Any = dtype.fields
    return {name: int(definition[1]) // 4 for name, definition in fields.items()}


assert STATE_DTYPE.itemsize % 4 == 0, "a record is whole 32-bit numbers"


# -- the engine --------------------------------------------------------------------------------------------------------


def engine_facts(states: Any, array: Any, rules: RuleSet) -> Facts:
    """What the engine says of the match, in the words of the reference."""
    read, players = Reading(states, rules.players), rules.players
    phase, winner = read.number("phase"), someone(read.number("winner"))
    legal: list[int] = np.flatnonzero(engine.legal_actions(states, array)[0]).tolist()
    over = phase == OVER
    return {
        "phase": PHASE_NAMES[phase],
        "turn": someone(read.number("turn")),
        "legal actions": {ACTION_TEXTS[action] for action in legal},
        "deal": (read.number("deal"), read.number("dealer")),
        "bid": (read.number("bid"), someone(read.number("declarer"))),
        "contract": read.number("contract"),
        "trump": None if read.number("trump") == NONE else SUITS[read.number("trump")],
        "hands": read.seats("hands"),
        "captured": read.seats("captured"),
        "voids": [{letter for bit, letter in enumerate(SUITS) if void >> bit & 1} for void in read.seats("voids")],
        "points": engine.deal_score(states, array)[0].tolist(),
        **engine_sheet(read, rules),
        "events": engine_events(read) if phase >= SCORED else [],
        "winner": winner,
        "truncated": over and winner is None,
        "payoff": rounded_stakes(engine.payoffs(states, array)[0].tolist()) if over else [0.0] * players,
    }


def engine_sheet(read: Reading, rules: RuleSet) -> Facts:
    """The engine's columns by seat, and what else stands on its score sheet."""
    made, over = read.number("golden_made"), bool(read.number("golden_made") & GOLDEN_OVER)
    return {
        **{name: read.seats(name) for name in BY_SEAT},
        "attempts": while_mounted(read.seats("attempts"), read.seats("mounted")),
        "baptised": bits(read.number("baptised"), read.players),
        "golden over": rules.golden and over,
        "golden made": bits(made, read.players) if rules.golden and not over else [],
        "redeal run": read.number("redeal_run") if rules.triple_redeal_fine else 0,
        "bonuses": [[used & 255, used >> 8 & 255, used >> 16 & 255] for used in read.seats("bonuses")],
    }


def bits(seats: int, players: int) -> list[int]:
    """A set of seats as a column."""
    return [seats >> seat & 1 for seat in range(players)]


def engine_events(read: Reading) -> list[Event]:
    """The events of the deal, in no order of their own: kind by kind, within a kind seat by seat."""
    by_seat, fined = read.seats("events"), read.seats("fined")
    return sorted(
        (word, seat, fined[seat]) if word == "fine" else (word, seat)
        for bit, word in enumerate(EVENT_WORDS)
        for seat in range(read.players)
        if by_seat[seat] >> bit & 1
    )


def engine_sight(states: Any, array: Any, seat: int) -> Facts:
    """What the keyhole shows one seat of the hidden cards."""
    whole = Reading(states, int(array["players"][0]))
    declarer, players = whole.number("declarer"), whole.players
    read = Reading(view.look(states, array, np.array([seat])), players)
    given, held, around = read.seats("gifts"), read.seats("held"), seen_from(seat, whole.number("dealer"), players)
    cards = {other: given[place] for place, other in enumerate(around) if given[place] != NONE}
    order = [(declarer + steps) % players for steps in range(1, players)]
    suits = read.number("talon_suits")
    return {
        "hand": names(read.number("hand")),
        "talon": names(read.number("talon") | read.number("other_talon")),
        "suits": [letter for place, letter in enumerate(SUITS) for _ in range(suits >> 3 * place & 7)],
        "gifts": [(declarer, other, card_name(cards[other])) for other in order if other in cards],
        "held": [names(held[around.index(other)]) for other in range(players)],
    }


def seen_from(seat: int, dealer: int, players: int) -> list[int]:
    """The seats clockwise from one of them; of four the dealer comes last unless he is that one."""
    around = [(seat + steps) % players for steps in range(players)]
    return around if players < 4 or seat == dealer else [other for other in around if other != dealer] + [dealer]


# -- the reference -----------------------------------------------------------------------------------------------------


def reference_facts(match: Match, voids: Sequence[set[str]]) -> Facts:
    """The same facts as the reference has them."""
    return {
        "phase": match.phase,
        "turn": match.turn,
        "legal actions": match.legal(),
        "deal": (match.deal, match.dealer),
        "bid": (match.bid, match.auction.bidder),
        "contract": match.contract,
        "trump": match.trump,
        "hands": [sum(map(BITS.__getitem__, hand)) for hand in match.hands],
        "captured": [sum(map(BITS.__getitem__, pile)) for pile in match.captured],
        "voids": list(voids),
        "points": match.points(),
        **reference_sheet(match),
        "events": sorted(match.events) if match.phase in DONE else [],
        "winner": match.winner,
        "truncated": match.truncated,
        "payoff": rounded_stakes(match.payoff()) if match.phase == "over" else [0.0] * len(match.seats),
    }


def reference_sheet(match: Match) -> Facts:
    """The reference's columns by seat, and what else stands on its score sheet."""
    sheet, golden = match.sheet, bool(match.rules["golden"])
    goes_on = sheet.golden(match.deal) if match.phase not in DONE else golden and not sheet.golden_over
    return {
        **{name: getattr(sheet, name) for name in (*COLUMNS, "early", "baptised", "bonuses")},
        "offences": match.offences,
        "score": match.score,
        "tricks": match.tricks,
        "marriages": match.marriages,
        "attempts": while_mounted(match.attempts, match.mounted),
        "golden over": golden and not goes_on,
        "golden made": sheet.golden_made if goes_on else [],
        "redeal run": sheet.redeal_run if match.rules["triple_redeal_fine"] else 0,
    }


def reference_sight(match: Match, seat: int) -> Facts:
    """What a seat knows of the hidden cards: own hand, talon, gifts, and which cards it can place in a hand."""
    sight = match.sees(seat)
    hand, talon, gifts = set(sight["hand"]), set(sight["talon"]), sight["gifts"]
    held: list[set[str]] = [set(sight["others"].get(other, [])) for other in match.seats]
    if match.declarer is not None and match.talon_taken:
        held[match.declarer] |= talon & set(match.talon)
        if len(gifts) < len(match.gifts):
            held[match.declarer] = set()  # any of it may have been given away
    for _, receiver, card in gifts:
        held[receiver].add(card)
    for declaring, suit in match.declared:
        held[declaring] |= {suit + "K", suit + "Q"}
    held = [cards & set(match.hands[other]) for other, cards in enumerate(held)]
    held[seat] = hand
    return {"hand": hand, "talon": talon, "suits": sight["suits"], "gifts": gifts, "held": held}


def while_mounted(attempts: Sequence[int], mounted: Sequence[int]) -> list[int]:
    """The attempts of the seats on the barrel; of others the count means nothing."""
    return [used if sits else 0 for used, sits in zip(attempts, mounted, strict=True)]


def rounded_stakes(stakes: Sequence[float]) -> list[float]:
    """Stakes without the last bits, in which a share of a third may differ; zero has no sign."""
    return [round(stake, 6) + 0.0 for stake in stakes]
