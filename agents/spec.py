"""One line of text names any bot: `heuristic margin=10`, `policy path=runs/first`.

`BOTS` is the one table of bots and of the parameters a spec may set. `load` reads the line, checks every value, and
says what is known when something is not.
"""

import shlex
from collections.abc import Callable
from typing import Any, NamedTuple

from agents.agent import Agent
from agents.heuristic import Heuristic
from agents.ismcts import Ismcts
from agents.monte_carlo import MonteCarlo
from agents.oracle import Oracle
from agents.passer import Passer
from agents.pimc import Pimc
from agents.playouts import ROLLOUT_POLICIES
from agents.uniform import Uniform
from thousand_env.errors import ThousandError
from thousand_env.rules import RuleSet, as_rules


class SpecError(ThousandError):
    """A text that names no bot."""


class Parameter(NamedTuple):
    """What a spec may set: the default's type says how it is written (bools are yes or no)."""

    name: str
    default: int | bool | str  # an empty text must be given
    meaning: str
    values: range | None = None
    choices: tuple[str, ...] | None = None


# How long a decision takes, alone on one core of today: a league measures it ("ms a move").
TIME_CLASSES = {"instant": "below 0.1 ms", "fast": "below 10 ms", "slow": "below a second"}


class Bot(NamedTuple):
    """How a bot is built for a rule set, what it is, how long it thinks (of TIME_CLASSES), and its parameters."""

    build: Callable[..., Agent]
    meaning: str
    time_class: str
    parameters: tuple[Parameter, ...] = ()


def _policy(rules: RuleSet, path: str, sample: bool) -> Agent:  # noqa: ARG001 a network plays at any table
    try:
        from agents.policy import Policy
    except ImportError as error:
        raise SpecError(f"bot policy needs what is not installed ({error}); pip install '.[train]' has it") from None
    return Policy.from_path(path, sample=sample)


_BELIEF = Parameter("belief", True, "no = all worlds are equally likely, whatever was bid in them")
_CLOCK = Parameter("ms", 0, "milliseconds for each decision instead of a fixed number", range(600_001))

BOTS: dict[str, Bot] = {
    "uniform": Bot(Uniform, "takes any legal action, each with the same chance", "instant"),
    "passer": Bot(Passer, "bids 100 when it must, else passes; claims nothing, gives and plays any card", "instant"),
    "heuristic": Bot(
        Heuristic,
        "plays by a player's rules of thumb",
        "instant",
        (
            Parameter("margin", 0, "points added to its limit in every auction", range(-400, 401)),
            Parameter("bid", True, "no = it never bids, it opens at 100 when it must"),
        ),
    ),
    "mc": Bot(
        MonteCarlo,
        "tries every action in sampled worlds, each played out",
        "fast",
        (
            Parameter("worlds", 100, "worlds for each decision", range(1, 100_001)),
            Parameter("rollout", "heuristic", "who plays a world out: heuristic or uniform", choices=ROLLOUT_POLICIES),
            _BELIEF,
            _CLOCK,
        ),
    ),
    "ismcts": Bot(
        Ismcts,
        "searches one tree over sampled worlds",
        "fast",
        (
            Parameter("simulations", 500, "simulations for each decision", range(1, 1_000_001)),
            Parameter("exploration", 70, "constant of the confidence bound, in hundredths", range(1001)),
            _BELIEF,
            _CLOCK,
        ),
    ),
    "pimc": Bot(
        Pimc,
        "plays actions out in sampled worlds, and solves those with a chance in some",
        "slow",
        (
            Parameter("worlds", 30, "worlds solved for each decision", range(1, 100_001)),
            Parameter("playouts", 300, "worlds played out for each decision, 0 for none", range(100_001)),
            Parameter(
                "caution", 100, "standard errors by which to beat the heuristic's action, in hundredths", range(1001)
            ),
            _BELIEF,
            _CLOCK,
        ),
    ),
    "oracle": Bot(Oracle, "cheats: sees all cards, solves every action and plays it out; an upper bound", "fast"),
    "policy": Bot(
        _policy,
        "a trained network",
        "fast",
        (
            Parameter("path", "", "a checkpoint's folder, or a run's for its newest checkpoint"),
            Parameter("sample", False, "yes = draw from its probabilities instead of taking the likeliest action"),
        ),
    ),
}


def load(spec: str, rules: RuleSet | str = "core") -> Agent:
    """Return the bot that `spec` names, built for `rules`; raises `SpecError` for anything unknown.

    >>> print(load("heuristic margin=-5", "core"))
    heuristic margin=-5
    >>> load("pass", "core")
    Traceback (most recent call last):
    agents.spec.SpecError: bot 'pass': no bot has this name; the bots are uniform, passer, heuristic, mc, ...
    """
    name, *settings = _words(spec)
    bot = BOTS[name]
    values = {item.name: item.default for item in bot.parameters}
    for setting in settings:
        key, value = _read_setting(spec, setting, bot)
        values[key] = value
    for item in bot.parameters:
        if values[item.name] == "":
            raise SpecError(f"bot {spec!r}: {item.name}= is missing: {item.meaning}")
    return bot.build(as_rules(rules), **values)


def bots_help() -> str:
    """Return what each bot is and what a spec may set, a line each."""
    lines: list[str] = []
    for name, bot in BOTS.items():
        lines.append(f"{name}: {bot.meaning} ({bot.time_class}: {TIME_CLASSES[bot.time_class]} a decision)")
        lines.extend(f"    {_parameter_help(item)}" for item in bot.parameters)
    return "\n".join(lines)


def _words(spec: str) -> list[str]:
    try:
        words = shlex.split(spec)
    except ValueError as error:
        raise SpecError(f"bot {spec!r}: {error}") from None
    if not words or words[0] not in BOTS:
        raise SpecError(f"bot {spec!r}: no bot has this name; the bots are {', '.join(BOTS)}")
    return words


def _read_setting(spec: str, setting: str, bot: Bot) -> tuple[str, Any]:
    name, equals, text = setting.partition("=")
    for item in bot.parameters:
        if equals and name == item.name:
            return name, _read_value(spec, item, text)
    known = ", ".join(item.name + "=" for item in bot.parameters) or "it has none"
    raise SpecError(f"bot {spec!r}: {setting!r} sets no parameter of this bot; known: {known}")


def _read_value(spec: str, item: Parameter, text: str) -> int | bool | str:
    if isinstance(item.default, str):
        if item.choices is not None and text not in item.choices:
            raise SpecError(f"bot {spec!r}: {item.name}={text}: expected {' or '.join(item.choices)}")
        return text
    if isinstance(item.default, bool):
        if text not in ("yes", "no"):
            raise SpecError(f"bot {spec!r}: {item.name}={text}: expected yes or no")
        return text == "yes"
    try:
        value = int(text)
    except ValueError:
        raise SpecError(f"bot {spec!r}: {item.name}={text}: expected a whole number") from None
    if item.values is not None and value not in item.values:
        raise SpecError(f"bot {spec!r}: {item.name}={text}: expected {item.values[0]} to {item.values[-1]}")
    return value


def _parameter_help(item: Parameter) -> str:
    default = {True: "yes", False: "no"}[item.default] if isinstance(item.default, bool) else str(item.default)
    return f"{item.name}={default or '...'}  {item.meaning}"
