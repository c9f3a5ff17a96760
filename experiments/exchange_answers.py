"""Answers for the declarer: which cards to give, and which contract to name, against sampled hands of the others.

The cards of the declarer are known, but not always which of them came from the talon, or what he has given: then that
is drawn too, a few times. It matters little: the bid must have been possible with the seven cards, and defenders who
were shown the talon remember it.
"""

from dataclasses import dataclass
from itertools import permutations
from typing import Any, NamedTuple, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from experiments.figures import Figure, mean, share
from experiments.forced import after_gifts, at_exchange, try_contracts, try_gifts
from experiments.hand_text import KEPT, Hand
from experiments.samples import ME, Cards, Place, default_auction, generator, known_cards, worlds_of
from thousand_env import auction
from thousand_env.actions import PASS, bid_action
from thousand_env.cards import FULL_PACK, MAX_CONTRACT, NUM_CARDS
from thousand_env.errors import ThousandError
from thousand_env.rng import derive
from thousand_env.rules import MIN_BID

SPLITS = 20  # ways to divide the declarer's cards that are drawn where the text does not say
SCREENED = 10  # gifts of which more is asked than the first look told
FIRST_LOOK = 10  # the part of the sample for the first look: one in so many


@dataclass(frozen=True)
class GiftAnswer:
    """What a gift brings: cards clockwise from the declarer, the contract being named by the heuristic afterwards."""

    cards: tuple[int, ...]
    value: Figure
    made: Figure
    contract: float  # on average
    behind: Figure  # how much less it brings than the best, on the same deals


class ContractAnswer(NamedTuple):
    """What one contract brings, played exactly."""

    points: int
    value: Figure
    made: Figure
    wins: Figure  # how often it wins the match


# -- sampling --------------------------------------------------------------------------------------------------------


class Sampling(TypedDict):
    """How deals are sampled: the bid, 0 for the lowest; how many; from which seed; whether bids tell something."""

    bid: int
    count: int
    seed: int
    listens: bool


def declared_worlds(place: Place, hand: Hand, **how: Unpack[Sampling]) -> NDArray[Any]:
    """Return sampled deals in which seat 0 declares with this hand and is to give, or to name the contract."""
    bid, count = lowest_bid(place, how["bid"]), how["count"]
    rng = generator(how["seed"])
    certain = bool(hand.talon) and hand.stage != KEPT
    splits = 1 if certain else min(SPLITS, count)
    parts: list[NDArray[Any]] = []
    for number in range(splits):
        dealt, talon, gifts = _split(place, hand, bid, rng)
        size = count // splits + (number < count % splits)
        said = _auction(place, known_cards(dealt, talon), bid)
        seed = int(derive(how["seed"], number))
        worlds, _ = worlds_of(place, known_cards(dealt, talon), said, count=size, seed=seed, listens=how["listens"])
        parts.append(after_gifts(at_exchange(worlds, place), place, gifts))
    return np.concatenate(parts)


def lowest_bid(place: Place, bid: int) -> int:
    """Return the bid asked for, or if that is 0 the lowest with which this place can declare (A1, A2, L3)."""
    rules, opens = place.rules, not len(default_auction(place, known_cards(0)))
    on_barrel = place.sheet.seats[ME].mounted > 0
    least = int(auction.lowest_raise(MIN_BID, on_barrel, rules.array()[0]))
    fits = (opens and bid == MIN_BID) or (least <= bid <= MAX_CONTRACT and (bid - least) % rules.bid_step == 0)
    if bid and not fits:
        hundred = f"{MIN_BID}, or " if opens else ""
        raise ThousandError(f"bid {bid}: expected {hundred}{least} to {MAX_CONTRACT} in steps of {rules.bid_step}")
    return bid or (MIN_BID if opens else least)


def _auction(place: Place, known: Cards, bid: int) -> Cards:
    before = [int(action) for action in default_auction(place, known)]
    passes = place.rules.active - 1 - sum(action == PASS for action in before)
    return np.array([*before, bid_action(bid), *[PASS] * passes], np.int64)


def _split(place: Place, hand: Hand, bid: int, rng: np.random.Generator) -> tuple[int, int, list[int]]:
    """Return the hand as dealt, the talon and the gifts; drawn where the text does not say."""
    if hand.talon:
        return hand.cards & ~hand.talon, hand.talon, []
    mine, others = _cards(hand.cards), _cards(FULL_PACK & ~hand.cards)
    for _ in range(1000):
        gifts = [int(card) for card in rng.choice(others, place.rules.active - 1, False)] if hand.stage == KEPT else []
        if place.rules.players == 2:
            bought = [int(rng.choice(mine)), *gifts]
        else:
            bought = [int(card) for card in rng.choice([*mine, *gifts], 3, False)]
        talon = sum(1 << card for card in bought)
        dealt = (hand.cards | sum(1 << card for card in gifts)) & ~talon
        if auction.bid_limit(dealt, place.rules.array()[0]) >= bid:
            return dealt, talon, gifts
    raise ThousandError(f"bid {bid}: expected one that {place.hand_size} of these cards may make (A3)")


def _cards(cards: int) -> list[int]:
    return [card for card in range(NUM_CARDS) if cards >> card & 1]


# -- answers ---------------------------------------------------------------------------------------------------------


def gift_answers(place: Place, hand: Hand, **how: Unpack[Sampling]) -> tuple[list[GiftAnswer], NDArray[Any]]:
    """Return the most promising gifts, the best first, and the sampled deals after that one.

    A first look at every gift picks SCREENED of them, other deals tell how good those are: what they bring is not what
    they were picked by. The best is the best of the second look, whose figures a little luck may still have raised.
    """
    first = how.copy()
    first["count"], first["seed"] = max(SPLITS, how["count"] // FIRST_LOOK), int(derive(how["seed"], 1))
    look, worlds = declared_worlds(place, hand, **first), declared_worlds(place, hand, **how)
    from_cards = hand.talon if place.rules.players == 2 else hand.cards
    gifts = np.array(list(permutations(_cards(from_cards), place.rules.active - 1)), np.int64)
    promise = try_gifts(look, place, gifts)["value"].mean(axis=0)
    chosen = gifts[np.argsort(-promise)[:SCREENED]]
    outcomes = try_gifts(worlds, place, chosen)
    order = np.argsort(-outcomes["value"].mean(axis=0))
    best = outcomes[:, order[0]]
    answers = [
        GiftAnswer(
            tuple(int(card) for card in chosen[k]), mean(outcomes["value"][:, k]), share(outcomes["made"][:, k]),
            float(outcomes["contract"][:, k].mean()), mean(best["value"] - outcomes["value"][:, k]),
        )
        for k in order
    ]  # fmt: skip
    return answers, after_gifts(worlds, place, list(answers[0].cards))


def contract_answers(worlds: NDArray[Any], place: Place) -> list[ContractAnswer]:
    """Return what every contract brings from the bid to the cap of the kept hand; worlds that wait for the contract."""
    bid, rules = int(worlds["bid"][0]), place.rules
    cap = max(bid, int(auction.bid_limit(int(worlds["hands"][0, 0]), rules.array()[0])))
    levels = list(range(bid, cap + 1, rules.bid_step)) if rules.raise_contract else [bid]
    outcomes = try_contracts(worlds, place, levels)
    return [
        ContractAnswer(
            points, mean(outcomes["value"][:, k]), share(outcomes["made"][:, k]), share(outcomes["won"][:, k])
        )
        for k, points in enumerate(levels)
    ]  # fmt: skip
