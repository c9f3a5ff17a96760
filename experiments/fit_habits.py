"""How much should each rule of card play weigh? Searches the weights of `agents.habits`, one at a time.

    python -m experiments.fit_habits --deals 20000 --rounds 4 --seed 1

Each round tries every habit a step up and a step down, the variant against copies of the bot as it stands. A step
that wins on one set of deals and again on another is kept, and the next one is longer; else the step shrinks. The deals
are the arena's under seeds from 1000 * seed on, so choose others to report on.
"""

import sys

from agents.arena import duel
from agents.habits import HABITS, habits
from agents.heuristic import Heuristic
from experiments.command import parser_of, run_command
from thousand_env.rules import RuleSet

NAME = "fit_habits"
_STEP, _LONGER, _SHORTER = 0.35, 1.4, 0.6  # the first step, as a share of the weight, and what becomes of it


def bot(weights: dict[str, float], rules: RuleSet) -> Heuristic:
    """Return the heuristic bot with these weights."""
    return Heuristic(rules, habits=habits(**weights))


def gains(variant: Heuristic, standing: Heuristic, deals: int, seed: int) -> float:
    """Return by how much the variant's interval stays above zero, in points a deal; negative when it does not."""
    return duel(variant, standing, deals=deals, seed=seed, rules=standing.rules).ci95[0]


def search_round(weights: dict[str, float], steps: dict[str, float], rules: RuleSet, deals: int, seed: int) -> int:
    """Try a step of every habit, changing `weights` and `steps`; return the next unused seed."""
    for name in HABITS:
        kept = False
        for step in (steps[name], -steps[name]):
            variant = weights | {name: weights[name] + step}
            bots = bot(variant, rules), bot(weights, rules)
            kept = gains(*bots, deals, seed) > 0 and gains(*bots, deals, seed + 1) > 0
            seed += 2
            if kept:
                print(f"{name}: {weights[name]:.3g} -> {variant[name]:.3g}", flush=True)
                weights.update(variant)
                break
        steps[name] *= _LONGER if kept else _SHORTER
    return seed


def run(given: list[str] | None = None) -> None:
    """Search in rounds and print the weights that came out."""
    parser = parser_of(NAME, __doc__)
    parser.add_argument("--deals", type=int, default=20_000, help="deals a comparison")
    parser.add_argument("--rounds", type=int, default=4, help="how often every habit is tried")
    parser.add_argument("--seed", type=int, default=1, help="which deals")
    parser.add_argument("--rules", default="core", help='the table, such as "classic players=4"')
    arguments = parser.parse_args(given)
    weights = {name: weight for name, (weight, _) in HABITS.items()}
    rules = RuleSet.parse(arguments.rules)
    steps = {name: max(0.05, _STEP * abs(weight)) for name, weight in weights.items()}
    seed = 1000 * arguments.seed
    for number in range(arguments.rounds):
        seed = search_round(weights, steps, rules, arguments.deals, seed)
        print(f"round {number + 1} done", flush=True)
    for name, weight in weights.items():
        print(f"{name:16} {weight:.3g}")


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    return run_command(NAME, lambda: run(arguments), stopped="stopped")


if __name__ == "__main__":
    sys.exit(main())
