"""Commands: how an experiment ends, whatever happens to it."""

import argparse
import sys
from collections.abc import Callable

from thousand_env.errors import ThousandError
from thousand_env.output import reader_may_leave

GOES_ON = "stopped; the same command goes on from here"


def parser_of(name: str, description: str | None) -> argparse.ArgumentParser:
    """Return an empty parser of `python -m experiments.NAME`, described by the docstring of its module."""
    return argparse.ArgumentParser(
        prog=f"python -m experiments.{name}",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


@reader_may_leave()
def run_command(name: str, work: Callable[[], None], *, stopped: str = GOES_ON) -> int:
    """Do the work of `python -m experiments.NAME` and return its exit status; a user's mistake is one line."""
    try:
        work()
    except KeyboardInterrupt:
        print(f"{name}: {stopped}", file=sys.stderr)
        return 130
    except ThousandError as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 1
    return 0
