"""What the committed checkpoint plays on fixed deals: `python -m tests.policy_moves` writes the file the test reads.

The file changes only when a checkpoint is replaced. If it would change otherwise, the action space or the features have
moved, and every network trained before is lost.
"""

from pathlib import Path

import numpy as np

from agents.agent import ask
from agents.policy import Policy
from agents.table import questions
from thousand_env.actions import action_text
from thousand_env.engine import new_states, start_matches, step
from thousand_env.rules import CORE
from thousand_env.state import SCORED

DATA = Path(__file__).parent / "data"
CHECKPOINT = DATA / "policy"
MOVES = DATA / "policy_moves.txt"
DEALS, SEED = 200, 20_000


def play() -> list[str]:
    """Return a line for each deal: the actions of the policy in all three seats, in order."""
    policy = Policy.from_path(str(CHECKPOINT))
    states, rules = new_states(DEALS), CORE.array()
    start_matches(states, rules, np.full(DEALS, SEED), np.arange(DEALS))
    lines: list[list[str]] = [[] for _ in range(DEALS)]
    while len(playing := np.flatnonzero(states["phase"] < SCORED)):
        actions = ask(policy, *questions(states, rules, playing))
        for deal, action in zip(playing.tolist(), actions.tolist(), strict=True):
            lines[deal].append(action_text(action))
        everywhere = np.zeros(DEALS, np.int64)
        everywhere[playing] = actions
        step(states, rules, everywhere)
    return [" ".join(line) for line in lines]


def main() -> None:
    """Write what the checkpoint plays."""
    MOVES.write_text("\n".join(play()) + "\n", encoding="utf-8")
    print(f"{MOVES}: {DEALS} deals")


if __name__ == "__main__":
    main()
