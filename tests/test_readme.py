"""README.md says what is so: its examples print what stands below them, the files it names exist."""

import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES: list[tuple[str, str]] = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", TEXT, re.DOTALL)


@pytest.mark.parametrize("example", range(len(EXAMPLES)))
def test_the_examples_print_what_stands_below_them(example: int, capsys: pytest.CaptureFixture[str]) -> None:
    code, printed = EXAMPLES[example]
    names: dict[str, Any] = {}
    exec(code, names)
    assert capsys.readouterr().out == printed


def test_all_examples_are_run() -> None:
    assert TEXT.count("```python") == len(EXAMPLES) > 0


def test_the_files_it_names_exist() -> None:
    named = set(re.findall(r"\b(?:thousand_env|tests|train|benchmarks)/[\w/.]*\w", TEXT))
    assert named
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []
