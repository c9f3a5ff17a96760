"""How much a searching bot thinks: so many worlds, or for so many milliseconds."""

import time
from collections.abc import Iterator

from thousand_env.rng import derive


def batches(count: int, ms: int, size: int, key: int) -> Iterator[tuple[int, int]]:
    """Yield how many worlds to search next, and the key to draw them by: `count` at once, or `size` while time is left.

    >>> list(batches(100, 0, 10, 7))
    [(100, 7)]
    """
    if not ms:
        yield count, key
        return
    until, number = time.monotonic() + ms / 1000, 0
    while number == 0 or time.monotonic() < until:
        yield size, int(derive(key, number))
        number += 1
