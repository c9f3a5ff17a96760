"""Standings: what a league has shown so far, as one value that tables, JSON and plots all read."""

import dataclasses
import itertools
from dataclasses import dataclass
from typing import Any

from agents.arena import DEAL, MATCH
from agents.evidence import Evidence
from agents.lineups import EVEN, MIXED
from agents.ratings import rate
from agents.resampling import Figure
from agents.sequential import ERROR, Verdict, verdict
from agents.stopwatch import Times


@dataclass(frozen=True)
class Standing:
    """A bot's place in the league, over all its tables; `place` is None for a bot with late moves."""

    bot: str
    place: int | None
    rating: Figure
    advantage: Figure | None
    bids_gain: Figure | None
    shares: dict[str, Figure | None]
    wins: Figure | None
    times: Times


@dataclass(frozen=True)
class Pair:
    """What a bot gains against copies of another; `adjusted` has the luck of the cards taken out.

    `variance_left` is the share of the variance that this leaves.
    """

    bot: str
    other: str
    blocks: int
    advantage: Figure | None
    bids_gain: Figure | None
    shares: dict[str, Figure | None]
    verdict: Verdict
    adjusted: Figure | None = None
    variance_left: Figure | None = None


@dataclass(frozen=True)
class Seated:
    """A bot's advantage in a line-up of other kinds than one against copies of another."""

    lineup: str
    kind: str
    bot: str
    blocks: int
    advantage: Figure | None


@dataclass(frozen=True)
class Report:
    """All a league shows: figures with 95 % intervals, in points a deal or in stakes a match, never both."""

    mode: str
    rules: str
    seed: int
    bots: list[str]
    blocks: int
    games: int
    pilot: int
    move_ms: float
    margin: float
    standings: list[Standing]
    pairs: list[Pair]
    lineups: list[Seated]

    @property
    def unit(self) -> str:
        """What an advantage is counted in."""
        return "points a deal" if self.mode == DEAL else "stakes a match"

    def pair(self, bot: str, other: str) -> Pair:
        """Return what a bot showed against copies of another."""
        return next(pair for pair in self.pairs if (pair.bot, pair.other) == (bot, other))

    def as_dict(self) -> dict[str, Any]:
        """Return everything, ready for JSON; a figure is [value, low, high]."""
        return dataclasses.asdict(self) | {"unit": self.unit}


def report(evidence: Evidence, times: dict[int, Times], *, margin: float, pilot: int) -> Report:
    """Return what a league has shown; every line-up must have at least two blocks."""
    plan, count = evidence.plan, len(evidence.plan.bots)
    pairs = [_pair(evidence, *pair, margin) for pair in itertools.permutations(range(count), 2)]
    return Report(
        mode=plan.mode,
        rules=str(plan.rules),
        seed=plan.seed,
        bots=list(plan.bots),
        blocks=evidence.blocks,
        games=evidence.played,
        pilot=pilot,
        move_ms=plan.move_ms,
        margin=margin,
        standings=_standings(evidence, times),
        pairs=pairs,
        lineups=_seated(evidence),
    )


def decide(evidence: Evidence, bot: int, other: int, margin: float) -> Verdict:
    """Return what the blocks decide about a bot against copies of another; `ERROR` is that of all pairs together."""
    fair, bots = evidence.fair_results(bot, other), len(evidence.plan.bots)
    results = evidence.results(evidence.duel(bot, other)) if fair is None else fair
    return verdict(results, margin=margin, error=ERROR / (bots * (bots - 1)))


def _standings(evidence: Evidence, times: dict[int, Times]) -> list[Standing]:
    plan = evidence.plan
    count = len(plan.bots)
    ratings = rate(evidence.orders(), count, evidence.resamples)
    timed = [times.get(bot, Times()) + times.get(bot + count, Times()) for bot in range(count)]
    found: list[Standing] = []
    ranked = sorted(range(count), key=lambda bot: (timed[bot].late > 0, -ratings.value[bot]))
    for place, bot in enumerate(ranked, start=1):
        found.append(
            Standing(
                bot=plan.bots[bot],
                place=None if timed[bot].late else place,
                rating=Figure(*(float(part[bot]) for part in ratings)),
                advantage=evidence.advantage(evidence.everywhere(bot)),
                bids_gain=_bids_gain(evidence, bot),
                shares=evidence.shares(evidence.everywhere(bot)),
                wins=evidence.wins(evidence.everywhere(bot)) if plan.mode == MATCH else None,
                times=timed[bot],
            )
        )
    return found


def _bids_gain(evidence: Evidence, bot: int) -> Figure | None:
    others = [other for other in range(len(evidence.plan.bots)) if other != bot]
    return evidence.bids_gain(bot, others) if evidence.plan.bids else None


def _pair(evidence: Evidence, bot: int, other: int, margin: float) -> Pair:
    plan, cell = evidence.plan, evidence.duel(bot, other)
    adjusted, variance_left = evidence.fair_figures(bot, other)
    return Pair(
        bot=plan.bots[bot],
        other=plan.bots[other],
        blocks=len(evidence.results(cell)),
        advantage=evidence.advantage([cell]),
        bids_gain=evidence.bids_gain(bot, [other]) if plan.bids else None,
        shares=evidence.shares([cell]),
        verdict=decide(evidence, bot, other, margin),
        adjusted=adjusted,
        variance_left=variance_left,
    )


def _seated(evidence: Evidence) -> list[Seated]:
    plan, found = evidence.plan, list[Seated]()
    for number, lineup in enumerate(plan.lineups):
        if lineup.kind in (EVEN, MIXED):
            blocks = len(evidence.games(number).blocks)
            found += [
                Seated(plan.name(lineup), lineup.kind, plan.bots[bot], blocks, evidence.advantage([(number, bot)]))
                for bot in lineup.bots
            ]
    return found
