"""What the small model sees of a text besides its embedding: hashed n-grams.

Chinese: 1–4-grams of characters. English: 1–3-grams of words and 3–4-grams of characters. All of the folded text, digits as 0, cut to `MAX_CHARS`.
An n-gram counts once; the vector of a text has length 1. The same function serves training and judging, so the hash (CRC-32, modulo `BUCKETS`) is part
of the weights' version.
"""

import zlib
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memory.judge.clauses import fold
from memory.pattern import regex

MAX_CHARS: Final = 256
BUCKETS: Final = 2**15
GATE: Final = 2**13
"""Buckets where fewer do: in the gates and in the clause head. A divisor of `BUCKETS`, so that a wide bucket lies in one of these."""

_DIGIT: Final = regex(r"\d")
_SPACE: Final = regex(r"\s+")
_TOKEN: Final = regex(r"[a-z']+|0+|[^\sa-z0]")


def clean(text: str) -> str:
    """The form in which text is embedded and hashed: folded (a 啦 is heard as one), spaces joined, cut. Part of the weights' version."""
    return _SPACE.sub(" ", fold(text, closing=False)).strip()[:MAX_CHARS]


def grams(text: str, language: str) -> set[str]:
    """The n-grams of a text, each marked with the language."""
    text = _DIGIT.sub("0", clean(text))
    if language == "zh":
        edged = f"^{text}$"
        return {"zh" + edged[i : i + n] for n in (1, 2, 3, 4) for i in range(len(edged) - n + 1)}
    words = ["^", *_TOKEN.findall(text), "$"]
    found = {"enw" + " ".join(words[i : i + n]) for n in (1, 2, 3) for i in range(len(words) - n + 1)}
    spaced = f" {text} "
    return found | {"en" + spaced[i : i + n] for n in (3, 4) for i in range(len(spaced) - n + 1)}


def _hashed(text: str, language: str, into: int) -> set[int]:
    return {zlib.crc32(g.encode("utf-8", "replace")) % into for g in grams(text, language)}


@lru_cache(maxsize=512)
def buckets(text: str, language: str) -> NDArray[np.int64]:
    """The hashed n-grams: indices below `BUCKETS`, sorted, each once, not to be changed. A text without any still has its edges."""
    return np.array(sorted(_hashed(text, language, BUCKETS)), dtype=np.int64)


@lru_cache(maxsize=1024)
def few_buckets(text: str, language: str) -> NDArray[np.int64]:
    """The same in `GATE` buckets."""
    return np.array(sorted(_hashed(text, language, GATE)), dtype=np.int64)
