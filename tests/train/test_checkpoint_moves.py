"""A network trained once plays the same for good."""

from agents.network import read_meta
from tests.policy_moves import CHECKPOINT, MOVES, play
from thousand_env.rules import RuleSet


def test_the_committed_checkpoint_plays_its_fixed_deals_as_ever() -> None:
    assert play() == MOVES.read_text(encoding="utf-8").splitlines()


def test_it_was_trained_at_the_table_it_says() -> None:
    assert RuleSet(**read_meta(CHECKPOINT)["rules"]) == RuleSet.parse("core")
