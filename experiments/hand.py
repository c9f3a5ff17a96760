"""What is this hand worth, and what should I do with it?

    python -m experiments.hand "hAKQ sT d9 cJ9"
    python -m experiments.hand "hAKQ sT d9 cJ9" --seat dealer --auction "100 105" --totals 300 880 -40
    python -m experiments.hand "hAKQ sT d9 cJ9 + sA dK cT" --bid 120          the talon is taken: what to give
    python -m experiments.hand "hAKQJ sT d9J cJ" --bid 120                    ... and given: what to name

Cards are written as in NOTATION.md, a + before those of the talon. With seven cards (ten of two players) the answer is
about bidding, with the talon about the gifts, after the exchange about the contract.

All figures are means over sampled deals, with 95 % intervals: the other cards are drawn at random, and deals in which
the others, played by the heuristic, would not have spoken as they did are thrown away (`--no-listens` keeps them). Then
everybody plays on as the heuristic. A value is the own score minus the mean of the others' scores; it knows nothing of
the match. Where the table allows it, a hopeless hand is written off, and not made. What is shown of a bid:

- *said*: what it brings to say it now, whatever comes of it, the auction going on;
- *stands*: how often everybody then passes;
- *value*, *made*: of the deals in which it stands, the contract being named after the exchange;
- *exactly*: the same deals with the bid as contract, not raised.
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import tyro
from rich.console import Console

from agents.agent import Agent, sees_all
from agents.spec import load
from experiments import hand_tables as tables
from experiments.bidding_answers import Bidding, bidding, intentions
from experiments.command import run_command
from experiments.exchange_answers import Sampling, contract_answers, declared_worlds, gift_answers
from experiments.hand_text import DEALT, KEPT, WITH_TALON, Hand, expected_cards, read_hand
from experiments.opening_table import NAME as OPENING_TABLE
from experiments.opening_table import TABLE, line_of, line_text
from experiments.samples import Cards, Place, default_auction, known_cards
from thousand_env.actions import PASS, parse_action
from thousand_env.errors import NotationError, ThousandError
from thousand_env.rules import CORE, RuleSet

LEAST_DEALS = 20


@dataclass(frozen=True)
class Question:
    """A hand, and where it is held."""

    hand: Annotated[str, tyro.conf.Positional]
    """the cards, such as "hAKQ sT d9 cJ9\""""
    seat: Literal["forehand", "middle", "dealer"] = "forehand"
    """who speaks first, second, last"""
    rules: str = "core"
    """the table, such as "classic players=4"; redeals, blind, golden deals and bonuses are left out"""
    totals: tuple[int, ...] = ()
    """the score sheet, your own total first and then clockwise"""
    auction: str | None = None
    """what was said before your turn, such as "100 p"; by default the opener bids 100 and the others pass"""
    bid: int = 0
    """with the talon and after the exchange: your bid, by default the lowest you could have made"""
    bots: tuple[str, ...] = ("heuristic", "mc", "pimc")
    """bots that are asked what they would do, also "policy path=runs/default\""""
    play: Literal["heuristic"] = "heuristic"
    """who plays the sampled deals out"""
    listens: bool = True
    """whether the bids of the others tell something of their hands"""
    deals: int = 2000
    """sampled deals"""
    seed: int = 1
    plot: Path | None = None
    """write a picture there"""
    csv: Path | None = None
    """write the table there"""
    table: Path = Path("runs/experiments", OPENING_TABLE)
    """folder of the opening table"""
    quick: bool = False
    """few sampled deals, to see that it works"""

    @property
    def size(self) -> int:
        """How many deals are sampled."""
        return min(self.deals, 60) if self.quick else self.deals


def answer(question: Question, console: Console) -> None:
    """Print what there is to know about a hand."""
    if question.deals < LEAST_DEALS:
        raise ThousandError(f"deals={question.deals}: expected at least {LEAST_DEALS}, an interval needs them")
    rules = RuleSet.parse(question.rules)
    hand = read_hand(question.hand, rules)
    _check_options(question, hand, rules)
    place = Place.at(rules, question.seat, question.totals, play=question.play)
    bots = {spec: load(spec, place.rules) for spec in question.bots}
    for spec in filter(lambda spec: sees_all(bots[spec]), bots):
        raise ThousandError(f"--bots {spec}: it cheats, and here is no deal to show it; expected bots that do not")
    for line in tables.match_lines(place):
        console.print(line, highlight=False)
    if hand.stage == DEALT:
        answer_dealt(question, hand, place, bots, console)
    else:
        answer_declarer(question, hand, place, console)


def answer_dealt(question: Question, hand: Hand, place: Place, bots: Mapping[str, Agent], console: Console) -> None:
    """Print what each bid brings, which talon cards help, and what bots would do."""
    known = known_cards(hand.cards)
    said = default_auction(place, known) if question.auction is None else _read_auction(question.auction)
    found = bidding(place, known, said, count=question.size, seed=question.seed, listens=question.listens)
    tables.print_bidding(found, question.rules, said, console)
    if found.helps:
        tables.print_talon(found, console)
    for spec, bot in bots.items():
        first, limit = intentions(bot, found.worlds[:1], place.rules)
        console.print(f"{spec}: {tables.intention_text(first, limit)}", highlight=False, markup=False)
    if _is_in_table(question, place):
        console.print(line_text(line_of(hand.cards, question.table)), highlight=False)
    _write(question, found)


def answer_declarer(question: Question, hand: Hand, place: Place, console: Console) -> None:
    """Print what to give, if that is still to be done, and what each contract brings."""
    how: Sampling = {"bid": question.bid, "count": question.size, "seed": question.seed, "listens": question.listens}
    if hand.stage == WITH_TALON:
        gifts, worlds = gift_answers(place, hand, **how)
        tables.print_gifts(gifts, console)
    else:
        worlds = declared_worlds(place, hand, **how)
    contracts = contract_answers(worlds, place)
    tables.print_contracts(contracts, console)
    if question.plot:
        tables.plot_contracts(contracts, question.hand, question.plot)
    if question.csv:
        tables.write_contracts(contracts, question.csv)


def _check_options(question: Question, hand: Hand, rules: RuleSet) -> None:
    """Refuse an option that changes nothing at the stage of the hand, or its answer would be taken for another."""
    table, auction, bots = str(question.table), repr(question.auction), " ".join(question.bots)
    idle = {"auction": auction, "bots": bots, "table": table}, (DEALT,)
    if hand.stage == DEALT:
        idle = {"bid": str(question.bid)}, (KEPT, WITH_TALON)
    given, stages = idle
    for field in fields(Question):
        if field.name in given and getattr(question, field.name) != field.default:
            found = f"{hand.cards.bit_count()} cards ({hand.stage}), where it changes nothing"
            expected = expected_cards(rules, *stages)
            raise ThousandError(f"--{field.name} {given[field.name]}: found {found}, expected {expected}")


def _is_in_table(question: Question, place: Place) -> bool:
    """Whether the opening table, if there is one, knows the situation: no score sheet, and nothing unusual said."""
    usual = question.seat != "dealer" and question.auction is None and not question.totals
    return usual and place.rules == CORE and (question.table / TABLE).exists()


def _read_auction(text: str) -> Cards:
    words = text.replace(",", " ").split()
    try:
        return np.array([PASS if word in ("p", "-") else parse_action(word) for word in words], np.int64)
    except NotationError as error:
        raise ThousandError(f"auction {text!r}: {error}") from None


def _write(question: Question, found: Bidding) -> None:
    if question.plot and found.helps:
        tables.plot_bidding(found, question.hand, question.plot)
    if question.csv:
        tables.write_bidding(found, question.csv)


def main(arguments: list[str] | None = None) -> int:
    """Answer one question; return the exit status."""

    def work() -> None:
        question = tyro.cli(Question, prog="python -m experiments.hand", args=arguments, description=__doc__)
        answer(question, Console(width=max(110, Console().width)))

    return run_command("hand", work, stopped="stopped")


if __name__ == "__main__":
    sys.exit(main())
