"""Examples in a text: Python that prints the text block below it."""

import re
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

_EXAMPLE = re.compile(r"```python\n(.*?)```\n\n```text\n(.*?)```", re.DOTALL)


def examples_of(text: str) -> list[tuple[str, str]]:
    """The code of each example and what stands below it; every block of Python must be one."""
    examples: list[tuple[str, str]] = _EXAMPLE.findall(text)
    assert text.count("```python") == len(examples) > 0, "a block of Python has no printed text below it"
    return examples


def printed_by(code: str) -> str:
    """What some code prints."""
    names: dict[str, Any] = {}
    with redirect_stdout(StringIO()) as out:
        exec(code, names)
    return out.getvalue()
