"""What the differential run plays: random agreements, score sheets, packs and ways to play.

Uniform play from an empty sheet hardly ever sees the barrel, an unbeatable hand or the end of a match. So tables,
sheets, packs and styles are drawn such that the rare rules come up too; each keeps a share that is plainly uniform.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from tests.reference import PACK, SUITS, Match, height, marriages_in
from tests.reference_sheet import Columns
from thousand_env.errors import RuleError
from thousand_env.rules import FIELDS, PRESETS, RuleSet

# Values at which the rules of the barrel, the bolts and the end of a match meet often.
LIKELY: dict[str, list[int]] = {
    "fine": [5, 60, 120, 300],
    "barrel_at": [500, 700, 880, 900],
    "barrel_needs": [0, 100, 120, 125, 140],
    "barrel_attempts": [0, 1, 2, 3],
    "barrel_falls_to_zero": [0, 1, 2, 3],
    "dump_truck": [100, 300, 495],
    "target": [600, 1000, 1001, 1020],
    "bank": [1, 6, 100],
    "max_deals": [0, 0, 1, 2, 4],
}


BASES = [*PRESETS, "classic marriage_first_lead=always declarer_bolts=no"]


def random_rules(rng: random.Random) -> RuleSet:
    """A preset as it is, a preset with a few fields changed, or a table with every field at random."""
    base = RuleSet.parse(rng.choice(BASES))
    number = rng.choice([0, 3, len(FIELDS)])
    while True:
        fields = rng.sample(sorted(FIELDS), number)
        try:
            return base.replace(**{name: random_value(rng, name) for name in fields})
        except RuleError:
            continue  # a target below the barrel, say


def random_value(rng: random.Random, name: str) -> Any:
    """Any value of a field, for some of them more often a likely one."""
    metadata = FIELDS[name].metadata
    if "choices" in metadata:
        return rng.choice(metadata["choices"])
    if "range" not in metadata:
        return rng.random() < 0.5
    if name in LIKELY and rng.random() < 0.8:
        return rng.choice(LIKELY[name])
    return rng.choice(metadata["range"])


# -- score sheets ------------------------------------------------------------------------------------------------------


def random_sheet(rng: random.Random, rules: RuleSet, deal: int) -> Columns:
    """A score sheet as it may stand before the deal number `deal`: seats far off, near and on the barrel."""
    seats = range(rules.players)
    sitters = rng.sample(seats, min(rng.choice([0, 1, 1, 2, 3]), rules.barrel_seats, len(seats))) if deal else []
    totals = [rules.barrel_at if seat in sitters else random_total(rng, rules) for seat in seats]
    attempts, falls = rules.barrel_attempts or 9, rules.barrel_falls_to_zero or 9
    return {
        "totals": totals,
        "bolts": [rng.randrange(3) if rules.bolts != "off" else 0 for _ in seats],
        "mounted": [rng.randint(1, deal) if seat in sitters else 0 for seat in seats],
        "attempts": [rng.randrange(attempts) if seat in sitters else 0 for seat in seats],
        "falls": [rng.choice([falls - 1, rng.randrange(falls)]) for _ in seats],
    }


def random_total(rng: random.Random, rules: RuleSet) -> int:
    """A total below the barrel: just below it, near the dump truck's number or anywhere, in steps of five or not."""
    near = rng.choice([rules.barrel_at, rules.dump_truck, -rules.dump_truck])
    one_deal_off = near - rng.choice([5, 10, 15, 20, 25, 30, 40, 100, -100])
    wide = rng.randint(-1200, rules.barrel_at)
    total = rng.choice([near + rng.randint(-130, 130), wide, *[one_deal_off] * 4])
    return min(total, rules.barrel_at - 1)


# -- packs -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pack:
    """A stacked pack: the ten cards that `holder` gets with the talon, then the others' cards."""

    cards: list[str]
    holder: int
    hopeless: bool


def stacked_pack(rng: random.Random, rules: RuleSet, holder: int) -> Pack | None:
    """A pack with a hand that wins every trick or a marriage in a hand that wins none; None to leave it to chance."""
    marriage, side = rng.sample(SUITS, 2)
    sure = {"never": 0.1, "unbeatable": 0.25, "always": 0.1}[rules.marriage_first_lead]
    hopeless = 0.7 if rules.marriage_first_lead == "always" else 0.1 * (not rules.declarer_bolts)
    kind = rng.random()
    if kind < sure:
        high = [suit + rank for suit in (marriage, side) for rank in "ATKQ"]
        cards = high + rng.sample([card for card in PACK if card[1] in "9J"], 2)
    elif kind < sure + hopeless:
        low = [suit + rank for suit in SUITS for rank in "9J"]
        cards = low + [marriage + rank for rank in "KQ"]
    else:
        return None
    rest = [card for card in PACK if card not in cards]
    return Pack(rng.sample(cards, len(cards)) + rng.sample(rest, len(rest)), holder, hopeless=kind >= sure)


# -- play --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Style:
    """How the seats play one deal: how likely each habit shows in a decision, and who plays to win or to lose.

    With every habit at zero the play is uniform.
    """

    passes: float = 0  # pass, or keep the contract
    bids_low: float = 0  # name the lowest level
    declares: float = 0
    plays_well: float = 0  # lead and win high, give away low
    bidder: int | None = None  # the seat to which the others leave the auction
    losers: frozenset[int] = frozenset()


def random_style(rng: random.Random, pack: Pack | None) -> Style:
    """Uniform play, or habits of every strength; some seats may play to lose, all but one may leave the auction."""
    if rng.random() < 0.2:
        return Style()
    losers = frozenset(rng.sample(range(3), rng.choice([0, 0, 1, 1, 2])))
    passes, bids_low, declares, plays_well = (rng.random() for _ in range(4))
    if pack is None or rng.random() < 0.2:
        return Style(passes, bids_low, declares, plays_well, None, losers)
    losers = losers | {pack.holder} if pack.hopeless else losers - {pack.holder}
    return Style(passes, bids_low, max(declares, plays_well), 1, pack.holder, losers)


def choose(rng: random.Random, match: Match, style: Style) -> str:
    """An action for the seat to act."""
    legal, seat = sorted(match.legal()), match.turn or 0
    if match.phase in ("auction", "contract"):
        return choose_level(rng, legal, style, seat, sits=match.mounted[seat] > 0)
    if match.phase == "talon":
        return rng.choice(legal)
    declarations = [action for action in legal if action[-1] == "+"]
    if declarations and rng.random() < style.declares:
        return rng.choice(declarations)
    if seat in style.losers:
        marriage = {suit + rank for suit in marriages_in(match.hands[seat]) for rank in "KQ"}
        return lowest(rng, [card for card in legal if card not in marriage] or legal)
    if rng.random() >= style.plays_well:
        return rng.choice(legal)
    return lowest(rng, legal) if match.phase == "exchange" else max(legal, key=height)


def lowest(rng: random.Random, cards: list[str]) -> str:
    """One of the lowest cards."""
    return min(rng.sample(cards, len(cards)), key=height)


def choose_level(rng: random.Random, legal: list[str], style: Style, seat: int, *, sits: bool) -> str:
    """Pass or name a level; a seat on the barrel more often goes for the contract that wins."""
    levels = sorted(int(action) for action in legal if action != "pass")
    passes = style.passes * (0.3 if sits else 1)
    if style.bidder is not None:
        passes = 0 if style.bidder == seat else 1
    if "pass" in legal and (not levels or rng.random() < passes):
        return "pass"
    if rng.random() < style.bids_low:
        return str(min([level for level in levels if level > 100 and sits] or levels))
    return rng.choice(legal)
