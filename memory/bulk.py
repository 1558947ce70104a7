"""Rows for ``COPY … (FORMAT BINARY)``: many rows in one stream, with vectors packed by numpy instead of written out as text.

Formats: https://www.postgresql.org/docs/current/sql-copy.html; vectors come packed from `memory.binary`.
"""

import struct
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final

from psycopg import sql

from memory.items import Cursor

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


async def copy(cur: Cursor, table: str, columns: Sequence[str], rows: Iterable[Sequence[bytes]]) -> None:
    """Append rows to a table; values come from the functions above, in the order of `columns`."""
    statement = sql.SQL("COPY {} ({}) FROM STDIN (FORMAT BINARY)").format(
        sql.Identifier(table), sql.SQL(", ").join(sql.Identifier(c) for c in columns)
    )
    head = struct.pack(">h", len(columns))
    async with cur.copy(statement) as stream:
        await stream.write(_HEADER + b"".join(head + b"".join(struct.pack(">i", len(v)) + v for v in row) for row in rows) + _END)
