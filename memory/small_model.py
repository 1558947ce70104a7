"""The small model with its local embedding, loaded at first use: one per process, shared by every caller."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from memory.embedder import LocalEmbedder
from memory.judge.model import Floats, LinearModel, shipped


@cache
def small_model() -> LinearModel:
    """The shipped tier 2. Neither the weights nor the embedding model are read before a clause is open."""
    return LinearModel(shipped, local_embed)


def local_embed(texts: Sequence[str]) -> Floats:
    """Query vectors of the local model, ``float32[len(texts), 384]``. Blocks: call it from a thread."""
    return np.asarray(_embedder().embed(texts, "query"), np.float32)


@cache
def _embedder() -> LocalEmbedder:
    return LocalEmbedder()
