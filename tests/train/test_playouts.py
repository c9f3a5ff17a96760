"""Playouts: what an alternative would have brought, and that a network learns to prefer what brings more."""

from pathlib import Path

import torch

import agents
from tests.train.test_runs import tiny
from thousand_env.actions import FIRST_BID, NUM_LEVELS
from thousand_env.rules import RuleSet
from thousand_env.state import AUCTION
from train.learner import Learner
from train.loop import agent_chooser
from train.playouts import MOST_BIDS
from train.ppo import centred, masked_log_softmax
from train.selfplay import Collector, Experience


def compared(deals: int = 12, rules: str = "core") -> Experience:
    """The experience of deals that the heuristic plays, with the worths of its alternatives."""
    table = RuleSet.parse(rules)
    return Collector(table.array(), deals).compare(5, agent_chooser(agents.load("heuristic", table)))


def worths_of(experience: Experience) -> torch.Tensor:
    assert experience.worths is not None
    return experience.worths


def test_what_the_heuristic_did_is_worth_what_its_deal_brought() -> None:
    experience = compared()
    taken = worths_of(experience).gather(1, experience.actions.unsqueeze(1)).squeeze(1)
    trajectory = experience.ends.flip(0).cumsum(0).flip(0)  # counts down from deal to deal, and from seat to seat
    brought = experience.rewards[experience.ends].flip(0)[trajectory - 1]
    tried = ~taken.isnan()  # all but a few contracts far above the bid
    assert tried.float().mean() > 0.95
    assert torch.allclose(taken[tried], brought[tried], atol=1e-6)


def test_legal_actions_are_tried_but_of_the_bids_only_the_lowest() -> None:
    experience = compared()
    tried, bids = ~worths_of(experience).isnan(), slice(FIRST_BID, FIRST_BID + NUM_LEVELS)
    assert not (tried & ~experience.masks).any()
    assert (tried[:, bids].sum(1) == experience.masks[:, bids].sum(1).clamp(max=MOST_BIDS)).all()
    play = experience.in_play
    assert torch.equal(tried[play], experience.masks[play])
    auction = experience.phases == AUCTION
    assert (tried[auction].sum(1) > MOST_BIDS).any(), "to pass is tried too"


def test_a_network_comes_to_prefer_what_brought_more(tmp_path: Path) -> None:
    learner = Learner(tiny(tmp_path, width=64))
    experience = compared(24)
    advantages = centred(worths_of(experience))

    def expected() -> float:
        with torch.inference_mode():
            log_probs = masked_log_softmax(learner.actor(experience.features), experience.masks)
        return float((log_probs.exp() * advantages).sum(1).mean())

    before = expected()
    for key in range(60):
        learner.compare(experience, key, "", 0.0)
    assert before < 0.05 < 0.15 < expected()
