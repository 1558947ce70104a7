"""The small model with its local embedding, loaded at first use: one per process, shared by every caller."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from memory.judge.model import LinearModel
from memory.judge.weights import Floats, shipped
from memory.sentence_model import sentence_model


@cache
def small_model() -> LinearModel:
    """The shipped tier 2. Neither the weights nor the embedding model are read before they are needed."""
    return LinearModel(shipped, local_embed)


def local_embed(texts: Sequence[str]) -> Floats:
    """Unit query vectors of the local model, ``float32[len(texts), 384]``. Blocks: call it from a thread."""
    safe = [t.replace("\0", " ").encode("utf-8", "ignore").decode("utf-8") for t in texts]
    distinct = sorted(set(safe), key=len)  # neighbours of one length make dense batches
    rows = {t: i for i, t in enumerate(distinct)}
    vectors = np.asarray(sentence_model().query(distinct), np.float32)
    return vectors[[rows[t] for t in safe]]
