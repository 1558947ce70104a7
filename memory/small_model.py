"""The small model with its local embedding, loaded at first use: one per process, shared by every caller."""

from collections.abc import Sequence
from functools import cache
from typing import Final

from memory.judge.model import LinearModel
from memory.judge.weights import Floats, shipped
from memory.sentence_model import half_model
from memory.vector_cache import VectorCache


@cache
def small_model() -> LinearModel:
    """The shipped tier 2. Neither the weights nor the embedding model are read before they are needed."""
    return LinearModel(shipped, local_embed)


def local_embed(texts: Sequence[str]) -> Floats:
    """Unit query vectors of the lower half of the local model, ``float32[len(texts), 384]``; at least one text. Blocks: call it from a thread."""
    return _RECENT.vectors(list(map(for_engine, texts)))


def for_engine(text: str) -> str:
    """The text as the engine can read it: no zero byte ends it, and no half of a pair stands in it."""
    return text.replace("\0", " ").encode("utf-8", "ignore").decode("utf-8")


_RECENT: Final = VectorCache(lambda texts: half_model().query(texts))
