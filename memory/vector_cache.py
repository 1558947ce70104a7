"""NDArray[np.float32] of texts that were embedded lately: one message is looked at by several parts of a round, each of which needs its vector."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

ENTRIES: Final = 1000


class VectorCache:
    """Least recently used first out; may be used by several threads, which then embed side by side and at worst one text twice."""

    def __init__(self, embed: Callable[[list[str]], NDArray[np.float32]], entries: int = ENTRIES) -> None:
        self._embed, self._entries = embed, entries
        self._kept: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._lock = threading.Lock()

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row per text, ``float32[len(texts), dims]``; only what is not kept is embedded. At least one text. Blocks."""
        with self._lock:
            found = {t: self._kept[t] for t in texts if t in self._kept}
        missing = sorted({t for t in texts if t not in found}, key=len)  # neighbours of one length make dense batches
        if missing:
            found |= zip(missing, np.asarray(self._embed(missing), np.float32), strict=True)
        with self._lock:
            self._kept |= found
            for text in found:
                self._kept.move_to_end(text)
            while len(self._kept) > self._entries:
                self._kept.popitem(last=False)
        return np.stack([found[t] for t in texts])

    def __contains__(self, text: str) -> bool:
        return text in self._kept
