"""Matches for property tests: random legal play from random score sheets, everything drawn from one explicit seed."""

import random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thousand_env import deck, engine
from thousand_env.actions import PASS
from thousand_env.replay import Address, drawn, lay_out, legal_actions
from thousand_env.rules import RuleSet
from thousand_env.sheet import SeatSheet, Sheet
from thousand_env.state import AUCTION, SCORED
from thousand_env.transcript import Record

# Tables at which bolts, barrels, falls and dump trucks come about often.
TABLES = (
    "core",
    "classic",
    "online",
    "core bid_step=10 opening=exactly_100 barrel_seats=2 barrel_at=500 target=620 dump_truck=380",
    "classic raise_contract=no round_to=10 barrel_attempts=1 talon_at_100=shown dump_truck=100",
    "online barrel_seats=3 barrel_attempts=0 barrel_at=500 target=640 fine=55 dump_truck=440",
    "core max_deals=3 marriage_first_lead=always bid_cap=no declarer_bolts=no round_declarer=yes",
    "core barrel_attempts=2 barrel_falls_to_zero=1 barrel_at=500 target=900 dump_truck=0 first_dealer=1 bolts=off",
)


def random_sheet(rules: RuleSet, rng: random.Random) -> Sheet:
    """Return a sheet with its seats near the barrel or on it."""
    deals = rng.randrange(max(1, rules.max_deals - 1)) if rules.max_deals else rng.randrange(30)
    sitters = rng.sample(range(rules.players), rng.randrange(1 + min(rules.barrel_seats, rules.players)))
    columns: list[SeatSheet] = []
    for seat in range(rules.players):
        bolts = 0 if rules.bolts == "off" else rng.randrange(3)
        falls = rng.randrange(rules.barrel_falls_to_zero or 5)
        attempts = rng.randrange(min(rules.barrel_attempts or 5, deals or 1))
        if seat in sitters and deals:
            columns.append(SeatSheet(rules.barrel_at, bolts, deals - attempts, attempts, falls))
            continue
        total = rules.barrel_at - 5 * rng.randrange(1, 60)
        columns.append(SeatSheet(0 if abs(total) == rules.dump_truck else total, bolts, 0, 0, falls))
    return Sheet(tuple(columns), deals)


def random_start(rules: RuleSet, rng: random.Random) -> tuple[Sheet, NDArray[Any]]:
    """Return a sheet and the states, shape (1,), of a deal from the deck that begins with it."""
    sheet = random_sheet(rules, rng)
    address = Address(rng.randrange(-(1 << 63), 1 << 63), rng.randrange(1000), sheet.deals, 0)
    first = int(deck.lot(rules.array()[0], address.seed, address.match))
    return sheet, lay_out(drawn(address, (first + sheet.deals) % rules.players, rules), sheet, rules)


def random_step(states: NDArray[Any], rules: RuleSet, rng: random.Random) -> None:
    """Act at random; in the auction pass half of the time, so that contracts are sometimes made."""
    legal = legal_actions(states, rules)
    passes = states[0].phase == AUCTION and PASS in legal and rng.random() < 0.5
    engine.step(states, rules.array(), np.array([PASS if passes else rng.choice(legal)]))


def random_record(rules: RuleSet, rng: random.Random, deals: int) -> Record:
    """Return a match of at most so many deals, the last one perhaps unfinished."""
    start, states = random_start(rules, rng)
    ended: list[NDArray[Any]] = []
    for _ in range(deals):
        while states[0].phase < SCORED and (len(ended) + 1 < deals or rng.random() < 0.97):
            random_step(states, rules, rng)
        ended.append(states.copy())
        if states[0].phase != SCORED:
            break
        engine.next_deals(states, rules.array())
    return Record(rules, start, np.concatenate(ended))
