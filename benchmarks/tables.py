"""How fast the layers are at other tables: `python -m benchmarks.tables [--json] [--rules TEXT ...]`.

The tables are the presets with two, three and four players, unless others are named. All layers at all tables are
measured in turn, again and again, as in `benchmarks.rollouts`; a figure is the median for a second of one processor,
whatever else the machine was doing.
"""

import argparse
import contextlib
import json
import time

from benchmarks.layers import BATCH, TABLE_LAYERS
from benchmarks.rollouts import Result, in_turn, machine, quantity, show
from thousand_env.errors import RuleError
from thousand_env.rules import PRESETS, RuleSet

REPETITIONS = 5
TABLES = tuple(f"{preset} players={players}" for preset in PRESETS for players in (2, 3, 4))


def measure(tables: list[str], repetitions: int) -> dict[str, list[Result]]:
    """Measure every layer of TABLE_LAYERS at every table so often; return the results by table."""
    with contextlib.ExitStack() as stack:
        layers = [make(stack, RuleSet.parse(table)) for table in tables for make in TABLE_LAYERS]
        results = in_turn(layers, repetitions, clock=time.process_time)
    width = len(TABLE_LAYERS)
    return {table: results[place * width : (place + 1) * width] for place, table in enumerate(tables)}


def as_json(results: dict[str, list[Result]]) -> str:
    """Return the results as JSON."""
    rows = [
        {
            "rules": table,
            "layer": result.layer.name,
            "per_second": result.per_second,
            "spread": result.spread,
            "things": result.layer.things,
        }
        for table, measured in results.items()
        for result in measured
    ]
    return json.dumps({"machine": machine(), "results": rows}, indent=2)


def rows_of(results: dict[str, list[Result]]) -> list[list[str]]:
    """Return the rows of the table, the first one its head: a table of the game a row, a layer a column."""
    head = ["rules", *(make.__name__ for make in TABLE_LAYERS)]
    return [head, *([table, *(quantity(r.per_second) for r in measured)] for table, measured in results.items())]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tables", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--rules", nargs="+", metavar="TEXT", default=TABLES, help="tables, each as one text")
    parser.add_argument("--repetitions", type=int, default=REPETITIONS, help=f"of every layer ({REPETITIONS})")
    options = parser.parse_args()
    try:
        results = measure(options.rules, options.repetitions)
    except RuleError as error:
        parser.error(str(error))
    if options.json:
        print(as_json(results))
        return
    print(", ".join(f"{name} {version}" for name, version in machine().items()))
    print(f"whole uniform deals, decisions and steps for a second of one processor, batches of {BATCH} states")
    print(f"median of {options.repetitions} interleaved repetitions")
    show(rows_of(results))


if __name__ == "__main__":
    main()
