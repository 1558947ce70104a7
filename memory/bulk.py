"""Rows for ``COPY … (FORMAT BINARY)``: many rows in one stream, with vectors packed by numpy instead of written out as text.

Formats: https://www.postgresql.org/docs/current/sql-copy.html; vectors and lists of texts come packed from `memory.binary`.
"""

import gc
import struct
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, Final

from psycopg import AsyncCursor, sql

from memory.binary import length

_HEADER: Final = b"PGCOPY\n\xff\r\n\x00" + bytes(8)
_END: Final = b"\xff\xff"
_NULL: Final = length(-1)
_EPOCH: Final = datetime(2000, 1, 1, tzinfo=UTC)

Value = bytes | None


def text(value: str) -> bytes:
    return value.encode("utf-8", "replace")


def jsonb(written: bytes) -> bytes:
    """JSON as text, behind the version of the format."""
    return b"\x01" + written


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


@contextmanager
def many_objects() -> Iterator[None]:
    """While tens of thousands of objects are made that all stay: looking among them for garbage again and again would take a seventh of an import."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


async def copy(cur: AsyncCursor[Any], table: str, columns: Sequence[str], rows: Iterable[Sequence[Value]]) -> None:
    """Append rows to a table; values come from the functions above, in the order of `columns`. Raises UniqueViolation for a row that is there."""
    statement = sql.SQL("COPY {} ({}) FROM STDIN (FORMAT BINARY)").format(
        sql.Identifier(table), sql.SQL(", ").join(sql.Identifier(c) for c in columns)
    )
    head = struct.pack(">h", len(columns))
    async with cur.copy(statement) as stream:
        parts = [_HEADER]
        for row in rows:
            parts.append(head)
            for value in row:
                parts += (_NULL,) if value is None else (length(len(value)), value)
        await stream.write(b"".join([*parts, _END]))
