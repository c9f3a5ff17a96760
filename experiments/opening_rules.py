"""What the opening table comes to: a short list of rules for the opening and for the first raise, tried on other hands.

Two thirds of the hands are fitted to, the others tell how good the rules are: how often they say what the table says,
and how many points they bring over doing the same with every hand. The table's own answer for a hand is picked by the
points it is then measured by, so the points of the answers are no yardstick.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from experiments.figures import Figure, drawing, mean, plot_figures, save, share, write_csv
from experiments.limits import LIMITS
from experiments.openings import OPENINGS
from experiments.parts import Columns
from experiments.rule_list import Rule, actions_of, facts_of, fit_list
from thousand_env.cards import SUIT_SYMBOLS, marriages_in

MOST_RULES = 6
FITTED_TO = 2 / 3
MOST_HANDS = 30_000  # that a list is fitted to: more would change the last digits only

QUESTIONS = {"opening": OPENINGS, "limit": LIMITS, "raise": LIMITS}
WORDS = {"opening": "open with {}", "limit": "go on up to {}", "raise": "raise up to {}"}
ASKED = {
    "opening": "forehand's opening",
    "limit": "forehand, having opened with 100 and been raised",
    "raise": "middle, over forehand's 100",
}


def report_rules(columns: Columns, folder: Path, seed: int) -> None:
    """Fit both lists, print them with what they bring, and write them and a picture into the folder."""
    rows: list[list[object]] = []
    for question, levels in QUESTIONS.items():
        rows.extend(_report(question, columns, levels, seed))
    header = ["question", "place", "when", "then", "share of hands", "low", "high"]
    write_csv(folder / "rules.csv", header, rows)
    plot(columns, folder / "opening_table.png")
    print(f"\nwritten to {folder}")


def _report(question: str, columns: Columns, levels: Sequence[int], seed: int) -> list[list[object]]:
    values = columns[f"{question}_values"].astype(np.float64)
    known = np.flatnonzero(~np.isnan(values[:, 0]))
    order = np.random.default_rng(seed).permutation(known)
    fitted, held_out = np.split(order, [int(FITTED_TO * len(order))])
    fitted = fitted[:MOST_HANDS]
    hands = columns["hand"].astype(np.int64)
    rules = fit_list(facts_of(hands[fitted]), values[fitted], MOST_RULES)
    facts = facts_of(hands)
    actions = actions_of(rules, facts)
    gains = _taken(values, actions)[held_out] - values[held_out, rules[-1].action]
    same = np.array(levels)[actions[held_out]] == columns[question][held_out]
    print(f"\n{ASKED[question]}, fitted to {len(fitted)} hands, tried on {len(held_out)} others:")
    print(f"  says what the table says: {share(same).percent}; brings {mean(gains)} over the last line alone")
    rows: list[list[object]] = []
    for place, (rule, fits) in enumerate(zip(rules, _first_fits(rules, facts), strict=True)):
        print(f"  {place + 1}. {rule!s}: {action_words(question, levels[rule.action])}  ({100 * fits.value:.1f} %)")
        rows.append([question, place + 1, str(rule), levels[rule.action], fits])
    return rows


def action_words(question: str, level: int) -> str:
    """Return in words what a rule says."""
    return WORDS[question].format(level) if level else "pass"


def _taken(values: NDArray[np.float64], actions: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.take_along_axis(values, actions[:, None], axis=1)[:, 0]


def _first_fits(rules: Sequence[Rule], facts: dict[str, NDArray[np.bool_]]) -> list[Figure]:
    """Return for each rule the share of hands that it decides."""
    numbered = [Rule(rule.facts, place) for place, rule in enumerate(rules)]
    deciding = actions_of(numbered, facts)
    return [share(deciding == place) for place in range(len(rules))]


# -- the picture -----------------------------------------------------------------------------------------------------


def best_marriages(hands: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the suit of each hand's best marriage, -1 without one."""
    return np.array(
        [int(marriages_in(int(hand))).bit_length() // 6 if marriages_in(int(hand)) else -1 for hand in hands]
    )


def plot(columns: Columns, path: Path) -> None:
    """Draw what each alternative brings over the lowest, by the best marriage held."""
    marriages = best_marriages(columns["hand"].astype(np.int64))
    paper, panels = drawing(15, panels=len(QUESTIONS))
    for axes, (question, levels) in zip(panels, QUESTIONS.items(), strict=True):
        values = columns[f"{question}_values"].astype(np.float64)
        for suit in range(-1, len(SUIT_SYMBOLS)):
            chosen = values[(marriages == suit) & ~np.isnan(values[:, 0])]
            if len(chosen) > 1:
                gains = [mean(chosen[:, k] - chosen[:, 0]) for k in range(len(levels))]
                plot_figures(axes, range(len(levels)), gains, SUIT_SYMBOLS[suit] if suit >= 0 else "none")
        axes.set_xticks(range(len(levels)), [str(level) if level else "pass" for level in levels])
        axes.set_xlabel(ASKED[question])
    panels[0].set_ylabel("points over the lowest bid, or over passing")
    panels[0].legend(title="best marriage")
    save(paper, path)
