"""The main job: train a bot by self-play and see it beat the baselines.

    python -m train.run
    python -m train.run --run runs/second --seed 2
    python -m train.run --run runs/second --resume       after Ctrl-C, or worse

A run's folder holds checkpoints, TensorBoard events (`tensorboard --logdir runs`) and the final table as `result.json`.
"""

import json
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import tyro
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from agents.network import find_checkpoint, read_meta
from thousand_env.errors import ThousandError
from thousand_env.rules import RuleSet
from train.config import Config
from train.loop import BASELINES, Run
from train.report import Measurement, measure, print_table

RESULT_FILE = "result.json"


def main(arguments: list[str] | None = None) -> int:
    """Train as the command line says; return the exit status."""
    console = Console(stderr=True)
    try:
        config = tyro.cli(Config, prog="python -m train.run", args=arguments, description=__doc__)
        run = Run.resume(config) if config.resume else Run.start(config)
        train_with_progress(run, console)
        if not run.finished:
            console.print(f"stopped; go on with: python -m train.run --run {run.config.run} --resume")
            return 130
        console.print(speed_line(run), highlight=False)
        finish(run, Console(width=max(110, Console().width)))
    except KeyboardInterrupt:
        console.print("stopped; what the last checkpoint holds is kept")
        return 130
    except ThousandError as error:
        console.print(f"train.run: {error}", style="red", markup=False, highlight=False)
        return 1
    return 0


def train_with_progress(run: Run, console: Console) -> None:
    """Train, showing a bar; the first Ctrl-C stops after the iteration, with a checkpoint."""

    def ask_to_stop(_signal: int, _frame: FrameType | None) -> None:
        run.stop = True
        console.print("stopping after this iteration ...")

    before = signal.signal(signal.SIGINT, ask_to_stop)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}"),
    )
    try:
        with Progress(*columns, console=console) as bar:
            total = run.config.warm_start + run.config.compared + run.config.decisions
            task = bar.add_task("decisions", total=total, note="")

            def report(progress: dict[str, Any], scalars: dict[str, float]) -> None:
                completed = sum(progress[name] for name in ("imitated", "compared", "decisions"))
                bar.update(task, completed=completed, note=_note(progress, scalars))

            run.train(report)
    finally:
        signal.signal(signal.SIGINT, before)


def _note(progress: dict[str, Any], scalars: dict[str, float]) -> str:
    stage = "PPO" if progress["decisions"] else "comparison" if progress["compared"] else "imitation"
    note = f"{stage}, {scalars['speed/decisions per second']:.0f}/s, contract {scalars['deals/mean contract']:.0f}"
    against = [m for m in progress["measurements"] if m["baseline"] == BASELINES[0]]
    return note + (f", {against[-1]['advantage']:+.1f} a deal against heuristics" if against else "")


def speed_line(run: Run) -> str:
    """Return how fast this process has learned, and the most memory it took where the system tells (Unix)."""
    speed = run.self_play_decisions / max(run.self_play_seconds, 1e-9)
    line = f"self-play with learning: {speed:,.0f} decisions/s"
    try:
        import resource
    except ImportError:
        return line
    units = 1 << 20 if sys.platform == "darwin" else 1 << 10  # of ru_maxrss, in a MiB
    return line + f"; peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / units:,.0f} MiB"


def finish(run: Run, console: Console) -> list[Measurement]:
    """Measure the final checkpoint, print the table and write it beside the checkpoint."""
    config = run.config
    console.print(f"run {config.run}, seed {config.seed}, rules {run.rules}: final checkpoint")
    found = [
        measure(run.learner.actor, baseline, run.rules, config.final_deals, config.seed, with_bids=True)
        for baseline in BASELINES
    ]
    print_table(found, console)
    meta = read_meta(find_checkpoint(config.run))
    console.print(f"weights {meta['weights_sha256'][:16]}", highlight=False)
    path = Path(config.run) / RESULT_FILE
    result = {"weights_sha256": meta["weights_sha256"], "measurements": [m.as_dict() for m in found]}
    path.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    table = "" if run.rules == RuleSet() else f' --rules "{run.rules}"'
    console.print(f'play it: python -m agents.arena "policy path={config.run}" heuristic{table}')
    return found


if __name__ == "__main__":
    sys.exit(main())
