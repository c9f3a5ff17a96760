"""Line-ups: everybody sits everywhere equally often, and no block is forgotten or played twice."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from agents.arena import evaluation_seed
from agents.lineups import ALONE, PILOT, Chunk, Plan, missing
from thousand_env.errors import ThousandError
from thousand_env.rules import RuleSet

BOTS = ("uniform", "passer", "heuristic")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_bot_of_a_lineup_sits_in_each_seat_and_next_to_each_other_equally_often(players: int) -> None:
    plan = Plan(("a", "b", "c", "d", "e"), RuleSet(players=players), "deal", 0)
    for lineup in plan.lineups:
        seatings = np.array(lineup.seatings)
        assert len(np.unique(seatings, axis=0)) == len(seatings)
        for bot in lineup.bots:
            assert len(set((seatings == bot).sum(axis=0))) == 1
            for other in lineup.bots:
                left = (seatings == bot) & (np.roll(seatings, -1, axis=1) == other)
                assert len(set(left.sum(axis=0))) == 1


@pytest.mark.parametrize(
    ("players", "bots", "kinds"),
    [
        (2, 3, {"alone": 3, "silent": 6}),
        (3, 2, {"alone": 2, "silent": 2}),
        (3, 4, {"alone": 12, "mixed": 4, "silent": 12}),
        (4, 3, {"alone": 6, "even": 3, "mixed": 3, "silent": 6}),
        (4, 5, {"alone": 20, "even": 10, "mixed": 5, "silent": 20}),
    ],
)
def test_a_league_has_every_lineup_once(players: int, bots: int, kinds: dict[str, int]) -> None:
    plan = Plan(tuple("abcde"[:bots]), RuleSet(players=players), "deal", 0)
    found = [lineup.kind for lineup in plan.lineups]
    assert {kind: found.count(kind) for kind in found} == kinds
    assert len({tuple(sorted(lineup.members)) for lineup in plan.lineups}) == len(plan.lineups)
    assert not {ALONE, "even"} & {line.kind for line in replace(plan, mixed=False, bids=False).lineups if line.bots[2:]}


def test_what_is_missing_is_every_block_that_is_not_done_once() -> None:
    rng = np.random.default_rng(1)
    for size in (1, 3, 50):
        cuts = np.unique(rng.integers(0, 100, 12)).tolist()
        done = [(low, high - low) for low, high in zip(cuts[::2], cuts[1::2], strict=False)]
        pieces = missing(done, 0, 80, size)
        blocks = [block for first, count in pieces for block in range(first, first + count)]
        kept = {block for first, count in done for block in range(first, first + count)}
        assert blocks == sorted(set(range(80)) - kept)
        assert max((count for _, count in pieces), default=1) <= size


def test_a_pilot_plays_other_deals_under_another_seed() -> None:
    plan = Plan(BOTS, RuleSet(), "deal", 7)
    assert plan.seed_of(Chunk(0, 0, 5)) == plan.seed_of(Chunk(3, PILOT - 5, 5)) == evaluation_seed(7)
    assert plan.seed_of(Chunk(0, PILOT, 5)) not in (evaluation_seed(7), 7)


@pytest.mark.parametrize(("bots", "said"), [(("passer",), "at least two"), (("passer", "passer"), "every bot once")])
def test_a_league_needs_two_different_bots(bots: tuple[str, ...], said: str) -> None:
    with pytest.raises(ThousandError, match=said):
        Plan(bots, RuleSet(), "deal", 0)
