"""How long a first step takes: `python -m benchmarks.startup [--json]`.

Each start is a process of its own that imports the package, makes `deal_v0.env()` and takes one step. The cold one
finds an empty cache of compiled kernels, the warm ones find what the cold one left.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WARM_STARTS = 5
PROGRAM = """
from thousand_env import deal_v0
env = deal_v0.env()
env.reset(seed=1)
env.step(int(env.last()[0]["action_mask"].argmax()))
"""


def start(cache: str) -> tuple[float, str]:
    """Return the seconds a fresh process takes to its first step, and what it said on stderr."""
    environment = {**os.environ, "THOUSAND_ENV_CACHE": cache}
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return time.perf_counter() - began, done.stderr.strip()


def main() -> None:
    """Measure one cold and several warm starts and print them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.startup", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        cold, said = start(cache)
        warm = [start(cache)[0] for _ in range(WARM_STARTS)]
    if arguments.json:
        print(json.dumps({"cold_s": cold, "warm_s": statistics.median(warm), "warm_spread_s": [min(warm), max(warm)]}))
        return
    print(f"cold: {cold:.1f} s to the first step; it says: {said or 'nothing'}")
    print(f"warm: {statistics.median(warm):.2f} s, median of {WARM_STARTS} ({min(warm):.2f} – {max(warm):.2f})")


if __name__ == "__main__":
    main()
