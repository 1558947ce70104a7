"""The small model's weights: what the shipped file holds, how it is read, and what one head makes of one text. `bench/train_judge.py` makes them.

Linear heads over the local sentence embedding and hashed n-grams. The embedding belongs to the weights: always the local model, whatever embeds the
memories.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from memory.judge.features import BUCKETS

Floats = NDArray[np.float32]

FORMAT: Final = 5
SOMEBODY: Final = "somebody"
"""The clause head's label of what is told of somebody else."""


@dataclass(frozen=True, slots=True, eq=False)
class Head:
    """The weights of one language: `dense` float32[dims, labels], `hashed` float[buckets, labels], `bias` float32[labels]."""

    dense: Floats
    hashed: Floats
    bias: Floats

    def scores(self, vector: Floats, indices: NDArray[np.int64]) -> Floats:
        """Logits of the labels for one text: `vector` is its centred embedding."""
        sparse = self.hashed[indices].sum(axis=0, dtype=np.float32) / np.sqrt(max(len(indices), 1))
        total: Floats = vector @ self.dense + sparse + self.bias
        return total


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """The shipped file: classes, the mean embedding, per language a head, a calibration line (slope, offset) and two gates: float32[GATE + 1], the
    log-odds by n-grams alone that a message is LONG, and that a clause tells something, the offset last; and for both languages `told`, what a clause
    can tell (an attribute of the user's, SOMEBODY, or nothing: an empty string), with its head (`hashed` float16[GATE, told])."""

    classes: tuple[str, ...]
    mean: Floats
    heads: Mapping[str, Head]
    lines: Mapping[str, tuple[float, float]]
    gates: Mapping[str, Floats]
    telling: Mapping[str, Floats]
    told: tuple[str, ...]
    clause: Head

    def arrays(self) -> dict[str, NDArray[Any]]:
        """As the arrays of an npz file. The n-grams' part is one for both languages."""
        out: dict[str, NDArray[Any]] = {"format": np.array(FORMAT), "classes": np.array(self.classes), "mean": self.mean}
        out |= {"told": np.array(self.told), "clause.dense": self.clause.dense, "clause.hashed": self.clause.hashed, "clause.bias": self.clause.bias}
        for language, head in self.heads.items():
            out |= {f"{language}.dense": head.dense, "hashed": head.hashed, f"{language}.bias": head.bias}
            out[f"{language}.line"] = np.array(self.lines[language], np.float64)
            out |= {f"{language}.gate": self.gates[language], f"{language}.telling": self.telling[language]}
        return out


def read_weights(arrays: Mapping[str, NDArray[Any]]) -> Weights:
    """The arrays of an npz file → Weights. Raises ValueError for another format."""
    if int(arrays["format"]) != FORMAT or arrays["hashed"].shape[0] != BUCKETS:
        raise ValueError("the small model's weights have another format than this code; train them again")
    hashed = arrays["hashed"]
    heads = {lang: Head(arrays[f"{lang}.dense"], hashed, arrays[f"{lang}.bias"]) for lang in ("zh", "en")}
    lines = {lang: (float(arrays[f"{lang}.line"][0]), float(arrays[f"{lang}.line"][1])) for lang in ("zh", "en")}
    gates = {lang: arrays[f"{lang}.gate"] for lang in ("zh", "en")}
    telling = {lang: arrays[f"{lang}.telling"] for lang in ("zh", "en")}
    clause = Head(arrays["clause.dense"], arrays["clause.hashed"], arrays["clause.bias"])
    classes, told = (tuple(str(x) for x in arrays[name]) for name in ("classes", "told"))
    return Weights(classes, arrays["mean"], heads, lines, gates, telling, told, clause)


@cache
def shipped() -> Weights:
    """The weights in this package."""
    with resources.files("memory.judge").joinpath("weights.npz").open("rb") as file, np.load(file) as arrays:
        return read_weights(arrays)
