"""Matches for property tests: random legal play from random score sheets, everything drawn from one explicit seed."""

import random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thousand_env import deck
from thousand_env.actions import CLAIM_REDEAL, DECLINE_REDEAL, PASS
from thousand_env.errors import NotationError, RuleError
from thousand_env.game import Game
from thousand_env.layout import Address, drawn, lay_out
from thousand_env.notation import position_text
from thousand_env.replay import Course, legal_actions
from thousand_env.rules import FIELDS, RuleSet
from thousand_env.sheet import BONUS_KINDS, REDEALS, SeatSheet, Sheet, early_fine, in_golden_deals
from thousand_env.state import AUCTION, CLAIM, SCORED
from thousand_env.transcript import Record

# Tables at which bolts, barrels, falls, redeals and all that is rare come about often.
TABLES = (
    "core",
    "classic",
    "online",
    "tysiac",
    "core bid_step=10 opening=exactly_100 barrel_seats=2 barrel_at=500 target=620 dump_truck=380",
    "classic raise_contract=no round_to=10 barrel_attempts=1 talon_at_100=shown dump_truck=100",
    "online barrel_seats=3 barrel_attempts=0 barrel_at=500 target=640 fine=55 dump_truck=440",
    "core max_deals=3 marriage_first_lead=always bid_cap=no declarer_bolts=no round_declarer=yes",
    "core barrel_attempts=2 barrel_falls_to_zero=1 barrel_at=500 target=900 dump_truck=0 first_dealer=1 bolts=off",
    "classic players=2 barrel_at=500 target=600 dump_truck=400 redeal_low_talon=force redeal_talon_below=7 golden=yes",
    "classic players=4 dealer_scores=talon write_off_with_barrel=yes write_off_on_barrel=yes barrel_attempts=2",
    "online players=4 enforcement=table dealer_scores=fixed golden=yes golden_none_made=repeat must_beat=yes",
    "classic enforcement=table must_overtrump=yes bonus_hands=1 bonus_suits=1 bonus_card=2 write_off_limit=1",
    "online players=2 ace_marriage_trump=last_ace trump_from=next_trick declare=automatic bonus_hands=2 bonus_card=9",
    "core cut_ceremony=yes cut_single_card=yes dealer_errors=40 triple_redeal_fine=yes redeal_forehand_nines=force",
    "classic players=4 negative_auction=others_pass reverse_barrel=500 baptism=yes write_off=off fine=240",
    "online negative_auction=barred barrel_auction=granted redeal_low_talon=force reverse_barrel=750",
    "tysiac players=4 blind=yes blind_bolts=count bolts=cumulative blind_bonus=50 barrel_skippable=yes write_off=sixty",
    "core barrel_at=0 target=600 dump_truck=0 blind=yes redeal_three_nines=force redeal_talon_nines=force golden=yes",
    "core players=2 enforcement=table dealer_errors=30 cut_ceremony=yes barrel_auction=granted dump_truck=200",
)


def random_rules(rng: random.Random) -> RuleSet:
    """Return a table at which anything may be agreed on."""
    rules = RuleSet.parse(rng.choice(TABLES))
    for name in rng.sample(list(FIELDS), rng.randrange(25)):
        value = _random_value(name, rng)
        try:
            rules = rules.replace(**{name: value})
        except RuleError:
            continue
    return rules


def _random_value(name: str, rng: random.Random) -> int | bool | str:
    metadata = FIELDS[name].metadata
    if "choices" in metadata:
        return rng.choice(metadata["choices"])
    if "range" not in metadata:
        return rng.random() < 0.5
    narrow = {"dealer_errors": 40, "redeal_hand_below": 20, "redeal_talon_below": 8, "max_deals": 9}
    numbers = [number for number in metadata["range"][:2000] if number <= narrow.get(name, number)]
    return rng.choice([*metadata["named"].values(), *rng.choices(numbers, k=3), numbers[0]])


# -- score sheets ----------------------------------------------------------------------------------------------------


def random_sheet(rules: RuleSet, rng: random.Random) -> Sheet:
    """Return a sheet with its seats near the barrel or on it."""
    deals = rng.randrange(max(1, rules.max_deals - 1)) if rules.max_deals else rng.randrange(30)
    golden = rules.golden and deals < rules.players
    sheet = Sheet((), deals, golden_over=rules.golden and not golden)
    redealt = any(getattr(rules, name) != "off" for name in REDEALS)
    if redealt and rng.random() < 0.3:
        redeals = rng.randrange(3)
        sheet = Sheet((), deals, sheet.golden_over, redeals, redeals + rng.randrange(3))
    places = 0 if golden or not rules.barrel_at else min(rules.barrel_seats, rules.players)
    sitters = rng.sample(range(rules.players), rng.randrange(1 + places)) if deals >= _first_mount(rules) else []
    seats = tuple(_random_column(seat in sitters, sheet, rules, rng) for seat in range(rules.players))
    return Sheet(seats, deals, sheet.golden_over, sheet.redeals, sheet.attempt)


def _first_mount(rules: RuleSet) -> int:
    return rules.players if rules.golden else 1


def _random_column(sits: bool, sheet: Sheet, rules: RuleSet, rng: random.Random) -> SeatSheet:
    deals = sheet.deals
    column = SeatSheet(
        bolts=0 if rules.bolts == "off" else rng.randrange(3),
        falls=rng.randrange(rules.barrel_falls_to_zero or 5) if rules.barrel_at else 0,
        write_offs=0 if rules.write_off == "off" else rng.randrange(1 + (rules.write_off_limit or 3)),
        baptised=int(rules.baptism and rng.random() < 0.3),
        golden_made=int(sheet.golden_over and rng.random() < 0.3),
        bonuses=sum(rng.randrange(1 + getattr(rules, name)) << 8 * kind for kind, name in enumerate(BONUS_KINDS)),
        offences=rng.randrange(3) if rules.enforcement == "table" and rng.random() < 0.3 else 0,
    )
    if sits:
        span = rng.randrange(min(rules.barrel_attempts or 5, deals - _first_mount(rules) + 1))
        attempts = span - span // 4 if rules.players == 4 else span
        return column._replace(total=rules.barrel_at, mounted=deals - span, attempts=attempts)
    total = (rules.barrel_at or rules.target) - 5 * rng.randrange(1, 60)
    if rng.random() < 0.3:
        total = rng.choice([-5 * rng.randrange(1, 60), -990 + 5 * rng.randrange(40) if deals else 0])
    early = early_fine(sheet, rules) if rules.triple_redeal_fine and rng.random() < 0.1 else 0
    golden = in_golden_deals(sheet, rules)
    reverse = rng.randrange(1, min(3, deals) + 1) if rules.reverse_barrel and total <= -880 and not golden else 0
    return column._replace(total=0 if abs(total) == rules.dump_truck else total, reverse=reverse, early=early)


# -- deals -----------------------------------------------------------------------------------------------------------


def random_start(rules: RuleSet, rng: random.Random) -> tuple[Sheet, NDArray[Any]]:
    """Return a sheet and the states, shape (1,), of a deal from the deck that begins with it."""
    while True:
        sheet = random_sheet(rules, rng)
        address = Address(rng.randrange(-(1 << 63), 1 << 63), rng.randrange(1000), sheet.deals, sheet.attempt)
        first = int(deck.lot(rules.array()[0], address.seed, address.match))
        dealer = (first + sheet.deals) % rules.players
        try:
            return sheet, lay_out(drawn(address, dealer, rules), sheet, rules)
        except NotationError:
            continue  # the dealer errs at this address, or its cards are dealt again by themselves


def random_action(course: Course | Game, rng: random.Random) -> int:
    """Return what to do: a legal action, half of the time a pass or no claim, so that deals are played."""
    states, rules = course.states, course.rules
    legal, phase = legal_actions(states, rules), int(states[0].phase)
    if phase == AUCTION and PASS in legal and rng.random() < 0.5:
        return PASS
    if phase == CLAIM and rng.random() < 0.5:
        return DECLINE_REDEAL
    if CLAIM_REDEAL in legal and rng.random() < 0.3:
        return CLAIM_REDEAL
    if rules.enforcement == "table" and rng.random() < 0.1:
        return rng.randrange(114)
    return rng.choice(legal)


def random_record(rules: RuleSet, rng: random.Random, deals: int) -> Record:
    """Return a match of at most so many deals, the last one perhaps unfinished."""
    start, states = random_start(rules, rng)
    course = Course(states, rules)
    for left in reversed(range(deals)):
        while course.state.phase < SCORED and (left or rng.random() < 0.97):
            course.take(random_action(course, rng))
        if course.state.phase != SCORED or not left:
            break
        course.next_deal()
    return Record(rules, start, np.concatenate([*course.ended, course.states]))


def random_game(rules: RuleSet, rng: random.Random) -> Game:
    """Return a game at the beginning of a deal, of a fresh match or from a random sheet, now and then unaddressed."""
    if rng.random() < 0.3:
        return Game(rules, seed=rng.randrange(1 << 40), match=rng.randrange(50))
    _, states = random_start(rules, rng)
    if rng.random() < 0.3:
        states["seed"] = states["match"] = 0
    return Game.from_position(position_text(states[0], rules))
