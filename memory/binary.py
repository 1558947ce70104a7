"""Vectors, and lists of texts, as Postgres takes them in binary: a tenth of the text's length, and nothing to parse or escape.

`Packed` values are parameters of any statement that says what they are (``%s::halfvec``); inside ``COPY … (FORMAT BINARY)`` their bytes are the field.
"""

import struct
from collections.abc import Collection, Mapping, Sequence
from typing import Final

import numpy as np
import orjson
from psycopg import adapters
from psycopg.abc import Buffer
from psycopg.adapt import Dumper
from psycopg.pq import Format

from memory.embedder import Vectors
from memory.words import DIMENSIONS

length: Final = struct.Struct(">i").pack  # of a field or an element
_TEXT: Final = 25  # the type's number in pg_type
_LARGEST: Final = float(np.finfo(np.float16).max)


class Packed(bytes):
    """A value in its type's binary form. The statement casts it: the type's number differs from database to database."""


class _PackedDumper(Dumper):
    format = Format.BINARY
    oid = 0

    def dump(self, obj: Buffer) -> Buffer:
        return obj


adapters.register_dumper(Packed, _PackedDumper)


def halfvec(vector: Vectors) -> Packed:
    """A vector in half precision: dimensions, two unused bytes, the elements. What half precision cannot hold becomes its largest number."""
    return halfvecs([vector])[0]


def halfvecs(vectors: Sequence[Vectors]) -> list[Packed]:
    """Vectors of one length, each as `halfvec` packs it."""
    if not len(vectors):
        return []
    packed = np.clip(np.asarray(vectors, np.float32), -_LARGEST, _LARGEST).astype(">f2")
    head = struct.pack(">hh", packed.shape[1], 0)
    return [Packed(head + row.tobytes()) for row in packed]


def literal(vector: Vectors) -> str:
    """A finite vector as pgvector reads it in text, for where a statement takes many at once; within the range of half precision."""
    return orjson.dumps(np.clip(np.asarray(vector, np.float32), -_LARGEST, _LARGEST), option=orjson.OPT_SERIALIZE_NUMPY).decode()


def vector_of(text: str) -> Vectors:
    """The vector that pgvector wrote as text."""
    return np.array(text[1:-1].split(","), np.float32)


def vectors_of(packed: bytes) -> Vectors:
    """Vectors of one length, from `halfvec`'s form, one after the other."""
    if not packed:
        return np.zeros((0, 0), np.float32)
    dims = int(np.frombuffer(packed, ">i2", 1)[0])
    return np.frombuffer(packed, ">f2").reshape(-1, dims + 2)[:, 2:].astype(np.float32)


def sparsevec(values: Mapping[int, float]) -> Packed:
    """`values` by element number, from 1: dimensions, elements, unused, then all indices (from 0) and all values in order."""
    numbers = sorted([n for n, v in values.items() if v])
    some = len(numbers)
    return Packed(struct.pack(f">iii{some}i{some}f", DIMENSIONS, some, 0, *[n - 1 for n in numbers], *[values[n] for n in numbers]))


def texts(values: Collection[str]) -> Packed:
    """text[]: dimensions, no nulls, the element's type, length and lower bound of the one dimension, then the texts."""
    if not values:
        return Packed(struct.pack(">iii", 0, 0, _TEXT))
    encoded = [v.encode("utf-8", "replace") for v in values]
    return Packed(struct.pack(">iiiii", 1, 0, _TEXT, len(encoded), 1) + b"".join([part for v in encoded for part in (length(len(v)), v)]))
