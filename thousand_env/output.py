"""Where a command's output goes: to a reader, such as `head`, who may have seen enough before the end."""

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def reader_may_leave() -> Generator[None]:
    """End what is done here, or the function this decorates, without a word once nobody reads the standard output."""
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what is flushed when Python ends
