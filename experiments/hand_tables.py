"""How the answers about a hand are shown: tables, CSV files and pictures."""

import math
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from experiments.bidding_answers import Bidding
from experiments.exchange_answers import ContractAnswer, GiftAnswer
from experiments.figures import Figure, drawing, plot_figures, save, with_interval, write_csv
from experiments.samples import ME, Cards, Place
from thousand_env.actions import action_text
from thousand_env.cards import card_name

SHOWN_CARDS = 8  # talon cards that help most, and least
NONE_TEXT = "–"


def points_text(figure: Figure) -> str:
    """Return points with half the width of their interval."""
    return NONE_TEXT if math.isnan(figure.value) else f"{figure.value:+.1f} ± {(figure.high - figure.low) / 2:.1f}"


def share_text(figure: Figure) -> str:
    """Return a share in percent with half the width of its interval."""
    if math.isnan(figure.value):
        return NONE_TEXT
    return f"{100 * figure.value:.0f} ± {50 * (figure.high - figure.low):.0f} %"


def match_lines(place: Place) -> list[str]:
    """Return what the score sheet means for this deal."""
    rules, mine = place.rules, place.sheet.seats[ME]
    lines: list[str] = []
    if mine.mounted:
        wins = (
            f"you are on the barrel: a contract of {rules.needs} or more wins the match, a smaller one brings nothing"
        )
        lines.append(f"{wins} (L2, L3)")
    elif rules.barrel_at and mine.total:
        missing = rules.barrel_at - mine.total
        lines.append(f"you need {missing} points to the barrel at {rules.barrel_at} (L1)")
    for seat, column in enumerate(place.sheet.seats):
        if seat != ME and column.mounted:
            after = "next after you" if seat == 1 else f"{seat} seats after you"
            lines.append(f"the player {after} is on the barrel: he wins with a contract of {rules.needs} or more (L3)")
    return lines


# -- before the auction ----------------------------------------------------------------------------------------------


def print_bidding(found: Bidding, rules: str, said: Cards, console: Console) -> None:
    """Print what every bid brings."""
    before = " ".join(action_text(int(action)) for action in said) or "nothing"
    table = Table(title=f"{len(found.worlds)} sampled deals, {before} said before, rules {rules}")
    wins = any(answer.wins.value > 0 for answer in found.bids)
    headers = ("bid", "said", "stands", "value", "made", "exactly", "made exactly", *(["wins"] if wins else []))
    for header in headers:
        table.add_column(header, justify="right")
    for answer in found.bids:
        cells = [
            str(answer.points or "pass"), points_text(answer.said), share_text(answer.stands),
            points_text(answer.value), share_text(answer.made), points_text(answer.exactly),
            share_text(answer.exactly_made), share_text(answer.wins),
        ]  # fmt: skip
        if not answer.points:
            cells[2:7] = [NONE_TEXT] * 5
        table.add_row(*cells[: len(headers)], style="bold" if answer is found.best else "")
    console.print(table)


def print_talon(found: Bidding, console: Console) -> None:
    """Print which cards of the talon help and which do not."""
    order = sorted(found.helps, key=lambda card: -found.helps[card].value)
    console.print(f"declared at the lowest bid it brings {points_text(found.base)}; with a card in the talon:")
    table = Table()
    for header in ("helps", "by", "does not", "by"):
        table.add_column(header, justify="right")
    shown = min(SHOWN_CARDS, len(order) // 2)
    for good, bad in zip(order[:shown], order[::-1][:shown], strict=True):
        texts = [(card_name(card), points_text(found.helps[card])) for card in (good, bad)]
        table.add_row(*texts[0], *texts[1])
    console.print(table)


def intention_text(first: int, limit: int) -> str:
    """Return in words what a bot would do."""
    text = action_text(first)
    if not limit:
        return text
    return f"bids {text}" + (f", and goes on up to {limit} if raised" if limit > int(text) else ", no more if raised")


def write_bidding(found: Bidding, path: Path) -> None:
    """Write what every bid brings as CSV."""
    names = ("said", "stands", "value", "made", "exactly", "exactly_made", "wins")
    header = ["bid", *(column for name in names for column in with_interval(name))]
    write_csv(path, header, [[answer.points, *(getattr(answer, name) for name in names)] for answer in found.bids])


def plot_bidding(found: Bidding, hand: str, path: Path) -> None:
    """Draw what bids bring and how often they are made, and what the cards of the talon add."""
    paper, (left, middle, right) = drawing(15, panels=3)
    bids = [answer for answer in found.bids if answer.points]
    levels = [answer.points for answer in bids]
    plot_figures(left, levels, [answer.said for answer in bids], "said")
    standing = [answer for answer in bids if not math.isnan(answer.value.value)]
    plot_figures(left, [answer.points for answer in standing], [answer.value for answer in standing], "if it stands")
    left.set_xlabel("bid")
    left.set_ylabel("own score minus the mean of the others'")
    left.legend()
    plot_figures(middle, levels, [answer.stands for answer in bids], "stands")
    made = [answer.exactly_made for answer in standing]
    plot_figures(middle, [answer.points for answer in standing], made, "made, not raised")
    middle.set_ylim(0, 1)
    middle.set_xlabel("bid")
    middle.legend()
    order = sorted(found.helps, key=lambda card: found.helps[card].value)
    plot_figures(right, range(len(order)), [found.helps[card] for card in order], "")
    right.set_xticks(range(len(order)), [card_name(card) for card in order])
    right.set_ylabel("points that a card in the talon adds")
    paper.suptitle(hand)
    save(paper, path)


# -- after it --------------------------------------------------------------------------------------------------------


def print_gifts(gifts: Sequence[GiftAnswer], console: Console) -> None:
    """Print the most promising gifts, the best first."""
    table = Table(title="gifts, clockwise")
    for header in ("give", "value", "made", "contract", "behind the best"):
        table.add_column(header, justify="right")
    for gift in gifts:
        cards = " ".join(map(card_name, gift.cards))
        behind = points_text(gift.behind) if gift is not gifts[0] else NONE_TEXT
        table.add_row(cards, points_text(gift.value), share_text(gift.made), f"{gift.contract:.0f}", behind)
    console.print(table)
    console.print("with the first of these gifts:")


def print_contracts(contracts: Sequence[ContractAnswer], console: Console) -> None:
    """Print what every contract brings."""
    table = Table(title="contracts, played exactly")
    wins = any(contract.wins.value > 0 for contract in contracts)
    for header in ("contract", "value", "made", *(["wins"] if wins else [])):
        table.add_column(header, justify="right")
    best = max(contracts, key=lambda contract: contract.value.value)
    for contract in contracts:
        cells = [points_text(contract.value), share_text(contract.made), *([share_text(contract.wins)] if wins else [])]
        table.add_row(str(contract.points), *cells, style="bold" if contract is best else "")
    console.print(table)


def write_contracts(contracts: Sequence[ContractAnswer], path: Path) -> None:
    """Write what every contract brings as CSV."""
    header = ["contract", *(column for name in ("value", "made", "wins") for column in with_interval(name))]
    write_csv(path, header, contracts)


def plot_contracts(contracts: Sequence[ContractAnswer], hand: str, path: Path) -> None:
    """Draw what contracts bring, and how often they are made."""
    paper, (left, right) = drawing(11, panels=2)
    levels = [contract.points for contract in contracts]
    plot_figures(left, levels, [contract.value for contract in contracts], "")
    left.set_ylabel("own score minus the mean of the others'")
    plot_figures(right, levels, [contract.made for contract in contracts], "")
    right.set_ylabel("made")
    right.set_ylim(0, 1)
    for axes in (left, right):
        axes.set_xlabel("contract")
    paper.suptitle(hand)
    save(paper, path)
