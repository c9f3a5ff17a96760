"""A command whose reader has seen enough, as `head` has, ends without a word."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import thousand_env
from thousand_env.output import reader_may_leave

ROOT = Path(thousand_env.__file__).parent.parent


@pytest.mark.parametrize(
    "command",
    [
        "thousand_env rules",
        "agents.arena passer passer --deals 2",
        "agents.league passer uniform --deals 2 --workers 1",
        "agents.league passer uniform --deals 2 --workers 1 --json",
    ],
)
def test_a_command_nobody_reads_ends_quietly(command: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    arguments = [sys.executable, "-m", *command.split()]
    done = subprocess.run(arguments, stdout=writing, stderr=subprocess.PIPE, text=True, cwd=ROOT, check=False)
    os.close(writing)
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr
    assert done.returncode in (0, 1)  # 1: rich leaves so by itself


def test_any_other_trouble_is_not_hidden() -> None:
    with pytest.raises(FileNotFoundError), reader_may_leave():
        raise FileNotFoundError
