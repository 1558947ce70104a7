"""Vectors as pgvector sends and receives them in binary: a tenth of the text's length, and nothing to parse.

`Packed` values are parameters of any statement that says what they are (``%s::halfvec``); inside ``COPY … (FORMAT BINARY)`` their bytes are the field.
"""

import struct
from collections.abc import Mapping
from typing import Final

import numpy as np
from psycopg import adapters
from psycopg.abc import Buffer
from psycopg.adapt import Dumper
from psycopg.pq import Format

from memory.embedder import Vectors
from memory.words import DIMENSIONS

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
    values = np.clip(np.asarray(vector, np.float32), -_LARGEST, _LARGEST)
    return Packed(struct.pack(">hh", len(values), 0) + values.astype(">f2").tobytes())


def sparsevec(values: Mapping[int, float]) -> Packed:
    """`values` by element number, from 1: dimensions, elements, unused, then all indices (from 0) and all values in order."""
    ordered = sorted((n, v) for n, v in values.items() if v)
    indices = np.array([n - 1 for n, _ in ordered], ">i4").tobytes()
    return Packed(struct.pack(">iii", DIMENSIONS, len(ordered), 0) + indices + np.array([v for _, v in ordered], ">f4").tobytes())
