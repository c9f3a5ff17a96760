"""What the differential run plays: random agreements, score sheets, packs and ways to play.

Uniform play from an empty sheet hardly ever sees the barrel, an unbeatable hand or the end of a match. So tables,
sheets, packs and styles are drawn such that the rare rules come up too; each keeps a share that is plainly uniform.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from tests.reference import Match
from tests.reference_cards import HAND_CONDITIONS, PACK, SUITS, TALON_CONDITIONS, height, marriages_in
from tests.reference_sheet import Columns
from thousand_env.actions import ACTION_TEXTS
from thousand_env.errors import RuleError
from thousand_env.rules import FIELDS, PRESETS, REDEAL_CHOICES, RuleSet

# Values at which rules meet often.
LIKELY: dict[str, list[int]] = {
    "dealer_errors": [0, 0, 0, 10, 30],
    "redeal_hand_below": [13, 14, 15, 16, 20],
    "redeal_talon_below": [4, 5, 6, 9],
    "fine": [5, 60, 120, 120, 300],
    "barrel_at": [0, 500, 700, 880, 880, 900],
    "barrel_needs": [0, 100, 120, 125, 140],
    "barrel_attempts": [0, 1, 2, 3],
    "barrel_falls_to_zero": [0, 1, 2, 3],
    "dump_truck": [0, 100, 300, 495, 495],
    "reverse_barrel": [0, 500, 750],
    "target": [600, 1000, 1001, 1020],
    "blind_bonus": [0, 50, 120],
    "write_off_limit": [0, 1, 3],
    "bonus_hands": [0, 0, 1],
    "bonus_suits": [0, 0, 1],
    "bonus_card": [0, 0, 1, 3],
    "bank": [1, 6, 100],
    "max_deals": [0, 0, 1, 2, 4],
}
# Tables at which as much as possible is agreed on.
EVERYTHING = [
    "classic players=2 golden=yes golden_none_made=repeat enforcement=table reverse_barrel=500 ace_marriage=yes "
    "ace_marriage_trump=last_ace bonus_hands=1 bonus_suits=1 bonus_card=2 barrel_at=500 target=650 dump_truck=300 "
    "barrel_skippable=yes cut_ceremony=yes dealer_errors=5 redeal_low_talon=force blind_bonus=30",
    "classic players=3 golden=yes enforcement=table reverse_barrel=750 negative_auction=others_pass write_off=sixty "
    "barrel_auction=granted barrel_failed_contract=deduct trump_from=next_trick cut_ceremony=yes cut_single_card=yes "
    "redeal_low_hand=force redeal_talon_nines=force bonus_hands=1 declare_with=king_or_queen must_beat=yes",
    "online players=4 golden=yes blind=yes write_off=off baptism=yes enforcement=table dealer_scores=talon "
    "negative_auction=barred reverse_barrel=500 barrel_skippable=yes barrel_seats=2 must_overtrump=yes "
    "ace_marriage_trump=led_ace declare=automatic redeal_four_nines=force triple_redeal_fine=yes dealer_errors=5",
    "tysiac players=4 dealer_scores=fixed blind=yes blind_bolts=count bolts=cumulative golden_doubles_marriages=no "
    "golden=yes golden_none_made=repeat barrel_seats=1 barrel_auction=granted dump_truck=300 must_trump=no",
]
BASES = [*PRESETS, *PRESETS, "classic marriage_first_lead=always declarer_bolts=no", *EVERYTHING]


def random_rules(rng: random.Random) -> RuleSet:
    """A preset, a table with much agreed on, or either with a few fields or every field at random."""
    base = RuleSet.parse(rng.choice(BASES))
    number = rng.choice([0, 3, 10, len(FIELDS)])
    while True:
        fields = rng.sample(sorted(FIELDS), number)
        changes = {name: random_value(rng, name) for name in fields} | {
            "players": rng.choice([2, 3, 3, base.players, 4])
        }
        try:
            return base.replace(**changes)
        except RuleError:
            continue  # a target below the barrel, say


def random_value(rng: random.Random, name: str) -> Any:
    """Any value of a field, for some of them more often a likely one."""
    metadata = FIELDS[name].metadata
    if metadata.get("choices") == REDEAL_CHOICES:
        return rng.choice(["off", "off", "offer", "force"])
    if "choices" in metadata:
        return rng.choice(metadata["choices"])
    if "range" not in metadata:
        return rng.random() < 0.5
    if name in LIKELY and rng.random() < 0.9:
        return rng.choice(LIKELY[name])
    return rng.choice(metadata["range"])


# -- score sheets ------------------------------------------------------------------------------------------------------


def random_sheet(rng: random.Random, rules: RuleSet, deal: int) -> Columns:
    """The columns by seat as they may stand before the deal number `deal`: seats far off, near and on the barrel."""
    seats, golden = range(rules.players), rules.golden and deal < rules.players
    room = min(rng.choice([0, 1, 1, 2, 3]), rules.barrel_seats, rules.players)
    sitters = rng.sample(seats, room) if deal and rules.barrel_at and not golden else []
    last_golden = rules.golden and deal % rules.players == rules.players - 1
    jumps = rules.barrel_skippable or not rules.barrel_at
    crowd = rng.random() < (0.4 if last_golden or jumps else 0.1)  # all are about to mount, or to win
    free = [near_top(rng, rules) if crowd else random_total(rng, rules) for _ in seats]
    totals = [rules.barrel_at if seat in sitters else free[seat] for seat in seats]
    deep = [rules.reverse_barrel > 0 and not golden and total <= -880 for total in totals]
    attempts, falls = rules.barrel_attempts or 9, rules.barrel_falls_to_zero or 9
    return {
        "totals": totals,
        "bolts": [rng.randrange(3) if rules.bolts != "off" else 0 for _ in seats],
        "mounted": [rng.randint(1, deal) if seat in sitters else 0 for seat in seats],
        "attempts": [rng.randrange(attempts) if seat in sitters else 0 for seat in seats],
        "falls": [rng.choice([falls - 1, rng.randrange(falls)]) for _ in seats],
        "reverse": [rng.choice([1, 2, 3, 3]) if deep[seat] else 0 for seat in seats],
        "write_offs": [rng.randrange((rules.write_off_limit or 3) + 1) for _ in seats],
    }


def random_rights(rng: random.Random, rules: RuleSet, deal: int, sheet: Columns) -> Columns:
    """The rest of a sheet before the deal number `deal`: baptisms, bonuses and the golden deals."""
    seats, place = range(rules.players), deal % rules.players
    again = rules.golden_none_made == "repeat" and rng.random() < 0.4  # golden deals may still go on
    again = again and not any([*sheet.get("mounted", []), *sheet.get("reverse", [])])
    limits = (rules.bonus_hands, rules.bonus_suits, rules.bonus_card)
    return {
        "baptised": [int(rng.random() < 0.2) for _ in seats],
        "bonuses": [[rng.randrange(min(limit, 3) + 1) for limit in limits] for _ in seats],
        "golden_made": [int(place > 0 and rng.random() < 0.2) for _ in seats],
        "golden_over": rules.golden and deal >= rules.players and not again,
    }


def near_top(rng: random.Random, rules: RuleSet) -> int:
    """A total from which a deal may lead to the barrel, or over it to the target."""
    top = rng.choice([rules.barrel_at, rules.barrel_at, rules.target]) or rules.target
    return min(top - rng.choice([5, 10, 20, 30, 60, 100]), (rules.barrel_at or rules.target) - 1)


def random_total(rng: random.Random, rules: RuleSet) -> int:
    """A total below the barrel: just below it, near a number that matters or anywhere, in steps of five or not."""
    top = rules.barrel_at or rules.target
    near = rng.choice([top, top, rules.dump_truck, rules.dump_truck, -rules.dump_truck, -880, -1000])
    one_deal_off = near - rng.choice([5, 10, 15, 20, 25, 30, 40, 60, 100, -100, 120, -120])
    wide = rng.choice([rng.randint(-1200, top), rng.randint(-300, top)])
    total = rng.choice([near + rng.randint(-130, 130), wide, *[one_deal_off] * 4])
    return max(min(total, top - 1), -999 if rules.reverse_barrel else -2000)


# -- packs -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pack:
    """A stacked pack; `holder` is the seat it is made for, which plays to win with it, or to lose if hopeless."""

    hands: list[list[str]]
    talon: list[str]
    holder: int
    hopeless: bool = False
    claimable: bool = False  # on its own: at this table the cards may or must be dealt again


def stacked_pack(rng: random.Random, rules: RuleSet, order: Sequence[int], holder: int) -> Pack | None:
    """A pack in which something rare lies, for the active seats `order`; None to leave it to chance."""
    sure = {"never": 0.1, "unbeatable": 0.25, "always": 0.1}[rules.marriage_first_lead]
    hopeless = 0.6 if rules.marriage_first_lead == "always" else 0.1 * (not rules.declarer_bolts)
    kinds = {"sure": sure, "hopeless": hopeless, "aces": 0.3 * rules.ace_marriage, "claims": 0.3, "": 0.35}
    kind = rng.choices(list(kinds), list(kinds.values()))[0]
    if not kind:
        return None
    if kind == "claims":
        return claimed_pack(rng, rules, order, holder)
    marriage, side, third = rng.sample(SUITS, 3)
    cards = [suit + rank for suit in (marriage, side) for rank in "ATKQ"]
    cards += [third + "A", third + "T"] if rules.players == 2 else rng.sample([c for c in PACK if c[1] in "9J"], 2)
    if kind == "hopeless":
        cards = [suit + rank for suit in SUITS for rank in "9J"] + [marriage + rank for rank in "KQ"]
    elif kind == "aces":
        cards = [suit + "A" for suit in SUITS]
    rng.shuffle(cards)
    each = 10 if rules.players == 2 else 7
    return filled(rng, rules, order, {holder: cards[:each]}, cards[each:], holder=holder, hopeless=kind == "hopeless")


def claimed_pack(rng: random.Random, rules: RuleSet, order: Sequence[int], holder: int) -> Pack | None:
    """R1-R8, R12: a pack with a hand or a talon on which the cards are dealt again at this table."""
    nines, jacks = [[suit + rank for suit in rng.sample(SUITS, 4)] for rank in "9J"]
    hands = {"R1": nines[:2], "R2": nines[:3], "R3": nines, "R4": jacks, "R5": nines + jacks[:3]}
    talons = {"R6": nines[:2], "R7": jacks[:2], "R8": jacks[:3], "R12": jacks[:2] + nines[:1]}
    fields = HAND_CONDITIONS | TALON_CONDITIONS
    played = [rule for rule, field in fields.items() if getattr(rules, field) != "off"]
    if rules.players == 2:
        played = [rule for rule in played if rule not in ("R8", "R12")]
    if not played:
        return None
    rare = {"R4": 9, "R8": 25, "R12": 9}
    rule = rng.choices(played, [rare.get(rule, 1) for rule in played])[0]
    hand, talon = hands.get(rule, []), talons.get(rule, [])
    seat = order[0] if rule == "R1" else holder
    pack = filled(rng, rules, order, {seat: hand}, rng.sample(talon, len(talon)), holder=holder)
    return replace(pack, claimable=True)


def filled(
    rng: random.Random,
    rules: RuleSet,
    order: Sequence[int],
    hands: dict[int, list[str]],
    talon: list[str],
    *,
    holder: int,
    hopeless: bool = False,
) -> Pack:
    """A pack with these cards in these hands and in the talon, the others anywhere."""
    named = {card for hand in [*hands.values(), talon] for card in hand}
    rest = [card for card in rng.sample(PACK, 24) if card not in named]
    each, size = (10, 4) if rules.players == 2 else (7, 3)
    full: list[list[str]] = []
    for seat in range(rules.players):
        hand = hands.get(seat, [])
        full.append(hand + [rest.pop() for _ in range(each - len(hand))] if seat in order else [])
    return Pack(full, talon + [rest.pop() for _ in range(size - len(talon))], holder, hopeless)


# -- play --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Style:
    """How the seats play one deal: how likely each habit shows in a decision, and who plays to win or to lose.

    With every habit but the claims at zero the play is uniform.
    """

    claims: float = 0.3  # deal again
    passes: float = 0  # pass, or keep the contract
    bids_low: float = 0  # name the lowest level
    declares: float = 0
    plays_well: float = 0  # lead and win high, give away low
    goes_blind: float = 0.5
    peeks: float = 0.3
    gives_up: float = 0.1  # write off or baptise
    cheats: float = 0  # try what is illegal
    bidder: int | None = None  # the seat to which the others leave the auction
    losers: frozenset[int] = frozenset()


def random_style(rng: random.Random, rules: RuleSet, pack: Pack | None) -> Style:
    """Uniform play, or habits of every strength; some seats may play to lose, all but one may leave the auction."""
    cheats = rng.choice([0, 0.02, 0.2] if rules.enforcement == "table" else [0, 0, 0.02])
    if rng.random() < 0.2:
        return Style(cheats=cheats)
    losers = frozenset(rng.sample(range(rules.players), rng.choice([0, 0, 1, 1, 2])))
    claims, passes, bids_low, declares, plays_well, goes_blind = (rng.random() for _ in range(6))
    gives_up = rng.choice([0, 0.9, 0.9] if rules.baptism or rules.players == 2 else [0, 0.1, 0.1, 0.5])
    bidder = None
    if pack and pack.claimable:
        claims, goes_blind, passes, bids_low = rng.choice([1, claims]), goes_blind / 3, passes / 2, 0
    elif pack and rng.random() < 0.8:
        losers = losers | {pack.holder} if pack.hopeless else losers - {pack.holder}
        bidder, claims, gives_up, plays_well = pack.holder, rng.choice([0, claims]), 0, 1
        declares = max(declares, plays_well)
    return Style(
        claims, passes, bids_low, declares, plays_well, goes_blind, gives_up=gives_up, cheats=cheats, bidder=bidder,
        losers=losers,
    )  # fmt: skip


def choose(rng: random.Random, match: Match, style: Style) -> str:
    """A legal action for the seat to act."""
    legal, seat = sorted(match.legal()), match.turn or 0
    bonuses = [action for action in legal if action.startswith("bonus:")]
    if bonuses and rng.random() < style.peeks:
        return rng.choice(bonuses)
    legal = [action for action in legal if action not in bonuses]
    if match.phase in ("auction", "contract"):
        return choose_level(rng, legal, style, seat, sits=match.mounted[seat] > 0)
    if match.phase in ("blind", "claim"):
        wants = style.goes_blind if match.phase == "blind" else style.claims
        bold, meek = ("blind", "look") if match.phase == "blind" else ("redeal", "noredeal")
        return bold if bold in legal and rng.random() < wants else meek
    if match.phase == "talon":
        return rng.choice(legal)
    return choose_card(rng, match, style, legal, seat)


def choose_card(rng: random.Random, match: Match, style: Style, legal: list[str], seat: int) -> str:
    """A card to give away or to play, or the end of the deal before the exchange."""
    endings = [action for action in legal if action in ("writeoff", "baptise")]
    if endings and rng.random() < style.gives_up:
        return endings[0]
    legal = [action for action in legal if action not in endings]
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


def tried(rng: random.Random, match: Match) -> str | None:
    """N2: an action that is not legal, most often one that a table would take as another; None if chance finds none."""
    hand = match.hands[match.turn or 0]
    near = {
        "auction": ["pass", "redeal", *[str(level) for level in range(100, 401, 20)]],
        "contract": [str(level) for level in range(100, 401, 20)],
        "claim": ["redeal", "pass"],
        "exchange": ["writeoff", "baptise", *hand],
        "play": [*hand, *[card + "+" for card in hand if card[1] in "QKA"]],
    }
    action = rng.choice(near.get(match.phase, ACTION_TEXTS) if rng.random() < 0.8 else ACTION_TEXTS)
    return None if action in match.legal() else action
