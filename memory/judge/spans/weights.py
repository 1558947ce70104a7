"""The span reader's weights: what the shipped file holds and how it is read. `bench/train_spans.py` makes them."""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from memory.judge.spans.words import Vocabulary, vocabulary
from memory.judge.weights import Floats

FORMAT: Final = 1
BUCKETS: Final = 2**15
TAGS: Final = ("B", "I", "O")
"""First token of a value, another of it, none: the labels of the chain."""
DENSE: Final = 2.0
"""Weight of the centred embedding beside the unit vector of the features; part of the format."""


@dataclass(frozen=True, slots=True, eq=False)
class SpanWeights:
    """`features` maps a token's feature to its row in `emissions` (float32[n, 3], columns as TAGS), `transitions` float32[3, 3] from row to column.

    The heads read a span: `attributes` (an empty string: no fact), `stances` and owner (the last column, log-odds of somebody else than the user) from
    hashed features, `hashed` float16[BUCKETS, columns]; the attribute also from the centred embedding of the clause, `dense` float32[dims, attributes].
    """

    vocabulary: Vocabulary
    features: Mapping[str, int]
    emissions: Floats
    transitions: Floats
    attributes: tuple[str, ...]
    stances: tuple[str, ...]
    mean: Floats
    dense: Floats
    hashed: NDArray[np.float16]
    bias: Floats

    def arrays(self) -> dict[str, NDArray[Any]]:
        """As the arrays of an npz file."""
        return {
            "format": np.array(FORMAT), "features": _packed(list(self.features)), "emissions": self.emissions, "transitions": self.transitions, "attributes": np.array(self.attributes), "stances": np.array(self.stances),
            "mean": self.mean, "dense": self.dense, "hashed": self.hashed, "bias": self.bias,
        }  # fmt: skip


def bucket(feature: str) -> int:
    return zlib.crc32(feature.encode("utf-8", "replace")) % BUCKETS


def read_span_weights(arrays: Mapping[str, NDArray[Any]]) -> SpanWeights:
    """The arrays of an npz file → weights. Raises ValueError for another format."""
    if int(arrays["format"]) != FORMAT or arrays["hashed"].shape[0] != BUCKETS:
        raise ValueError("the span reader's weights have another format than this code; train them again")
    features = {f: n for n, f in enumerate(_unpacked(arrays["features"]))}
    attributes, stances = (tuple(str(x) for x in arrays[name]) for name in ("attributes", "stances"))
    return SpanWeights(
        vocabulary(), features, arrays["emissions"], arrays["transitions"], attributes, stances, arrays["mean"], arrays["dense"],
        arrays["hashed"], arrays["bias"],
    )  # fmt: skip


def _packed(given: list[str]) -> NDArray[np.uint8]:
    return np.frombuffer("\n".join(given).encode("utf-8", "replace"), np.uint8)


def _unpacked(given: NDArray[np.uint8]) -> list[str]:
    return given.tobytes().decode("utf-8").split("\n")


@cache
def shipped_spans() -> SpanWeights:
    """The weights in this package."""
    with resources.files("memory.judge").joinpath("spans.npz").open("rb") as file, np.load(file) as arrays:
        return read_span_weights(arrays)
