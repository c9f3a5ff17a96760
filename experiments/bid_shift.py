"""Does the heuristic bid as high as it should? `python -m experiments.bid_shift [--deals N] [--seed S] [--rules R]`.

A bidder is consistent when no constant shift of its limit, nor refusing the auction with the same card play, gains
against unshifted copies of it. Each row is such a duel over the same deals.
"""

import sys

from agents.arena import duel
from experiments.command import parser_of, run_command
from thousand_env.rules import RuleSet

NAME = "bid_shift"
SHIFTS = (-40, -30, -20, -15, -10, -5, 5, 10, 15, 20, 30, 40)


def run(given: list[str] | None = None) -> None:
    """Print one duel a row: the variant's points over the copies, and how it bids."""
    parser = parser_of(NAME, __doc__)
    parser.add_argument("--deals", type=int, default=20_000, help="deals, each in every seating")
    parser.add_argument("--seed", type=int, default=11, help="which deals")
    parser.add_argument("--rules", default="core", help='the table, such as "classic players=4"')
    arguments = parser.parse_args(given)
    rules = RuleSet.parse(arguments.rules)
    played = f"{arguments.deals} × {rules.players} deals, seed {arguments.seed}, rules {rules}"
    print(f"against {rules.players - 1} copies of the heuristic, {played}")
    print(f"{'variant':24}{'advantage':>10}  {'95 %':18}{'contract':>9}{'contests':>10}{'makes':>7}")
    for variant in ("heuristic bid=no", *(f"heuristic margin={shift}" for shift in SHIFTS)):
        result = duel(variant, "heuristic", deals=arguments.deals, seed=arguments.seed, rules=rules)
        low, high = result.ci95
        print(
            f"{variant:24}{result.advantage:+10.2f}  {f'{low:+.2f} to {high:+.2f}':18}"
            f"{result.own_mean_contract or 0:9.1f}{result.own_contested or 0:10.3f}{result.own_make_rate or 0:7.3f}"
        )
        sys.stdout.flush()


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    return run_command(NAME, lambda: run(arguments), stopped="stopped")


if __name__ == "__main__":
    sys.exit(main())
