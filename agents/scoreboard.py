"""The arena's command line: read the request, show progress, print what the duel showed."""

import argparse
import json
import sys
import time
from dataclasses import asdict
from typing import Any

from agents.arena import BATCH, DEAL, MATCH, MAX_DEALS, Result, bids_gain, duel
from agents.sequential import LOOK, MARGINS, Verdict, until_decided, verdict
from agents.spec import bots_help
from thousand_env.errors import ThousandError
from thousand_env.output import reader_may_leave
from thousand_env.rules import as_rules

DEALS, MOST_DEALS = 10_000, 1_000_000
_OTHERS = {2: "one", 3: "two", 4: "three"}  # copies of the opponent, by players


class Ticker:
    """Tells on stderr how far a long run is: in place on a terminal, a line every ten seconds elsewhere."""

    def __init__(self, things: str = "blocks") -> None:
        self._things = things
        self._pause = 1.0 if sys.stderr.isatty() else 10.0
        self._due = time.monotonic() + self._pause
        self._wrote = False

    def __call__(self, done: int, total: int) -> None:
        """Report that `done` of `total` things are played."""
        if time.monotonic() < self._due:
            return
        self._due = time.monotonic() + self._pause
        self._wrote = sys.stderr.isatty()
        print(f"{done} of {total} {self._things}", end="\r" if self._wrote else "\n", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Leave an empty line where the progress stood."""
        if self._wrote:
            print(" " * 40, end="\r", file=sys.stderr, flush=True)


def table(result: Result, gain: tuple[float, tuple[float, float]] | None = None, decided: Verdict | None = None) -> str:
    """Return what a duel showed as lines of text; `gain` is what `bids_gain` returned, None when it was not asked."""
    unit = "points a deal" if result.mode == DEAL else "stakes a match"
    things = "deals" if result.mode == DEAL else "matches"
    players = as_rules(result.rules).players
    lines = [
        f"{result.challenger} against {_OTHERS[players]} of {result.opponent}",
        f"{result.blocks} {things} in {players} seatings each, rules {result.rules}, seed {result.seed}",
        _line("advantage", f"{result.advantage:+.2f} {unit}, {_interval(result.ci95)}"),
        _line("", f"(a true advantage of {result.sees:.2f} would show four times in five)"),
    ]
    if result.mode == MATCH:
        lines += _match_lines(result, players)
    if decided is not None:
        lines.append(_line("verdict", str(decided)))
    if gain is not None:
        lines.append(_line("own bids", f"{gain[0]:+.2f} {unit} over forced passing, {_interval(gain[1])}"))
    return "\n".join([*lines, *_deal_lines(result)])


def _match_lines(result: Result, players: int) -> list[str]:
    chance = "" if result.win_rate_ci95 is None else _interval(result.win_rate_ci95, 3)
    return [
        _line("win rate", f"{_number(result.win_rate)}, {chance} (an equal share is {1 / players:.3f})"),
        _line("mean stake", f"{result.mean_stake:+.3f} a match"),
        _line("deals a match", f"{result.deals_a_match:.1f}"),
        _line("truncated", f"{result.truncated:.3f} of the matches, after {result.max_deals} deals"),
        _line("points", f"{result.points_a_deal:+.2f} a deal, {_interval(result.points_ci95)}"),
    ]


def _deal_lines(result: Result) -> list[str]:
    return [
        _line("mean contract", f"{result.mean_contract:.1f}, own {_number(result.own_mean_contract, 1)}"),
        _line("contested", f"{result.contested:.3f} of the deals, own {_number(result.own_contested)} as a follower"),
        _line("declarer", f"{result.declarer_share:.3f} of the deals"),
        _line(
            "make rate",
            f"{result.make_rate:.3f}, own {_number(result.own_make_rate)}, "
            f"in contested deals {_number(result.contested_make_rate)}",
        ),
        _line("bolts", f"{result.bolt_share:.3f} of the deals"),
        _line("written off", f"{result.written_off:.3f} of the deals"),
        _line("decisions", f"{result.decisions}"),
    ]


def _line(name: str, text: str) -> str:
    return f"  {name:14} {text}"


def _number(value: float | None, places: int = 3) -> str:
    return "none" if value is None else f"{value:.{places}f}"


def _interval(ends: tuple[float, float], places: int = 2) -> str:
    return f"95 % {ends[0]:.{places}f} to {ends[1]:.{places}f}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m agents.arena",
        description="Play each deal with the challenger in every seat, copies of the opponent in the others.",
        epilog="bots, and what a spec may set:\n" + bots_help(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("challenger", help='a bot, such as heuristic or "heuristic margin=10"')
    parser.add_argument("opponent", help="the bot in the other seats")
    parser.add_argument(
        "--deals",
        type=int,
        default=None,
        help=f"deals, or matches, each played in every seating: {DEALS}, or at most {MOST_DEALS} until decided",
    )
    parser.add_argument("--seed", type=int, default=0, help="which deals: they are the same for all bots")
    parser.add_argument("--mode", choices=(DEAL, MATCH), default=DEAL)
    parser.add_argument("--rules", default="core", help='a rule set, such as classic or "core bolts=off"')
    parser.add_argument("--max-deals", type=int, default=MAX_DEALS, help="where endless matches are truncated")
    parser.add_argument("--batch", type=int, default=BATCH, help="blocks played side by side; changes no figure")
    parser.add_argument(
        "--until-decided", action="store_true", help=f"look every {LOOK} blocks and stop when the margin is decided"
    )
    parser.add_argument(
        "--margin", type=float, default=None, help="the difference to decide about: 1 point a deal, 0.05 stakes a match"
    )
    parser.add_argument("--bids", action="store_true", help="measure what its bids gain over forced passing, too")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    return parser


def _run(request: argparse.Namespace, ticker: Ticker) -> str:
    margin = MARGINS[request.mode] if request.margin is None else request.margin
    if margin <= 0:
        raise ThousandError(f"margin={margin:g}: expected more than 0")
    most = MOST_DEALS if request.until_decided else DEALS
    result = duel(
        request.challenger,
        request.opponent,
        deals=most if request.deals is None else request.deals,
        seed=request.seed,
        mode=request.mode,
        rules=as_rules(request.rules),
        batch=LOOK if request.until_decided else request.batch,
        max_deals=request.max_deals,
        progress=ticker,
        enough=until_decided(margin=margin) if request.until_decided else None,
    )
    decided = verdict(result.block_results, margin=margin) if request.until_decided else None
    gain = None
    if request.bids:
        gain = bids_gain(result, request.challenger, request.opponent, batch=request.batch, progress=ticker)
    ticker.clear()
    if not request.json:
        return table(result, gain, decided)
    bids: dict[str, Any] = {} if gain is None else {"bids_gain": gain[0], "bids_gain_ci95": gain[1]}
    if decided is not None:
        bids["verdict"] = asdict(decided)
    return json.dumps(result.as_dict() | bids)


@reader_may_leave()
def main() -> None:
    """Run the command line; a mistake in it is one line on stderr and exit status 2."""
    request, ticker = _parser().parse_args(), Ticker()
    try:
        print(_run(request, ticker))
    except ThousandError as error:
        ticker.clear()
        print(f"arena: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        ticker.clear()
        print("arena: stopped, nothing to show", file=sys.stderr)
        sys.exit(130)
