"""README.md says what is so: its examples print what stands below them, the files it names exist."""

import re
from pathlib import Path

import pytest

from tests.examples import examples_of, printed_by

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = examples_of(TEXT)


@pytest.mark.parametrize("example", range(len(EXAMPLES)))
def test_the_examples_print_what_stands_below_them(example: int) -> None:
    code, printed = EXAMPLES[example]
    assert printed_by(code) == printed


def test_the_files_it_names_exist() -> None:
    named = set(re.findall(r"\b(?:thousand_env|tests|train|benchmarks)/[\w/.]*\w\b(?!-)", TEXT))
    assert named
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []
