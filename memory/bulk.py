"""Rows for ``COPY … (FORMAT BINARY)``: many rows in one stream, with vectors packed by numpy instead of written out as text.

Formats: https://www.postgresql.org/docs/current/sql-copy.html; halfvec and sparsevec as pgvector receives them.
"""

import struct
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

import numpy as np
from psycopg import sql

from memory.embedder import Vectors
from memory.items import Cursor
from memory.words import DIMENSIONS

_HEADER: Final = b"PGCOPY\n\xff\r\n\x00" + bytes(8)
_END: Final = b"\xff\xff"
_TEXT: Final = 25  # the type's number in pg_type
_EPOCH: Final = datetime(2000, 1, 1, tzinfo=UTC)


def text(value: str) -> bytes:
    return value.encode("utf-8", "replace")


def texts(values: Sequence[str]) -> bytes:
    """text[]: dimensions, no nulls, the element's type, length and lower bound of the one dimension."""
    if not values:
        return struct.pack(">iii", 0, 0, _TEXT)
    packed = [text(v) for v in values]
    return struct.pack(">iiiii", 1, 0, _TEXT, len(packed), 1) + b"".join(struct.pack(">i", len(v)) + v for v in packed)


def integer(value: int) -> bytes:
    return struct.pack(">i", value)


def double(value: float) -> bytes:
    return struct.pack(">d", value)


def real(value: float) -> bytes:
    return struct.pack(">f", value)


def timestamp(value: datetime) -> bytes:
    """timestamptz: microseconds since 2000."""
    since = value - _EPOCH
    return struct.pack(">q", (since.days * 86400 + since.seconds) * 1_000_000 + since.microseconds)


def halfvec(vector: Vectors) -> bytes:
    return struct.pack(">hh", len(vector), 0) + np.asarray(vector, ">f2").tobytes()


def sparsevec(values: Mapping[int, float]) -> bytes:
    """`values` by element number, from 1."""
    ordered = sorted((n, v) for n, v in values.items() if v)
    indices = np.array([n - 1 for n, _ in ordered], ">i4").tobytes()
    return struct.pack(">iii", DIMENSIONS, len(ordered), 0) + indices + np.array([v for _, v in ordered], ">f4").tobytes()


async def copy(cur: Cursor, table: str, columns: Sequence[str], rows: Iterable[Sequence[bytes]]) -> None:
    """Append rows to a table; values come from the functions above, in the order of `columns`."""
    statement = sql.SQL("COPY {} ({}) FROM STDIN (FORMAT BINARY)").format(
        sql.Identifier(table), sql.SQL(", ").join(sql.Identifier(c) for c in columns)
    )
    head = struct.pack(">h", len(columns))
    async with cur.copy(statement) as stream:
        await stream.write(_HEADER + b"".join(head + b"".join(struct.pack(">i", len(v)) + v for v in row) for row in rows) + _END)
