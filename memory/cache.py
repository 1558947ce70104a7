"""What was answered lately, kept in the process for as long as it is true: bounded, with a time to live, keyed by the version of the user's memories.

Every write of a user's memories, by whichever process, gives the user a new version; a look-up reads the version first, so a stale answer is never served.
Keys begin with the user, so nobody gets another's.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final, Generic, TypeVar

T = TypeVar("T")

ENTRIES: Final = 1000
SECONDS: Final = 300.0


class Cache(Generic[T]):
    """Least recently used first out. Not for use by several threads at once. `clock` is monotonic, in seconds; `entries` bounds the sum of sizes."""

    def __init__(self, entries: int = ENTRIES, seconds: float = SECONDS, clock: Callable[[], float] = time.monotonic) -> None:
        self.entries, self.seconds, self._clock = entries, seconds, clock
        self._kept: OrderedDict[Hashable, tuple[float, int, T]] = OrderedDict()
        self._size = 0
        self.hits = self.misses = 0

    def get(self, key: Hashable) -> T | None:
        """What was kept under this key, unless it is too old."""
        found = self._kept.get(key)
        if found is None or self._clock() - found[0] > self.seconds:
            self.drop(key)
            self.misses += 1
            return None
        self._kept.move_to_end(key)
        self.hits += 1
        return found[2]

    def put(self, key: Hashable, value: T, size: int = 1) -> None:
        self.drop(key)
        self._kept[key] = (self._clock(), size, value)
        self._size += size
        while self._size > self.entries:
            self.drop(next(iter(self._kept)))

    def drop(self, key: Hashable) -> None:
        found = self._kept.pop(key, None)
        self._size -= found[1] if found else 0

    def __len__(self) -> int:
        return len(self._kept)
