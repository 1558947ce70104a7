"""Rebuilding the index of vectors when bulk loads have left it half empty and out of order: a search reads every page of its namespace's range.

Rows that arrive in the order of their keys leave each page half full, and the pages of one namespace scattered over the file. The rebuild runs beside readers
and writers. One process at a time does it, by a lease in `memory_meta`: a lock of the session would not survive a pooler.
"""

from contextlib import suppress
from typing import Any, Final

import psycopg
from psycopg import AsyncConnection, sql

from memory.vectors import ITEMS, NARROW

INDEX: Final = f"{ITEMS.name}_pkey"
FEWEST: Final = 5000  # rows; what is smaller is read in no time
LOOSE: Final = 1.5  # times the size that full pages would have; inserts in random order settle at about 1.4

_LOOSE: Final = """
SELECT c.reltuples >= %(fewest)s AND pg_relation_size(%(index)s::regclass) > %(loose)s * c.reltuples * %(row)s
    AND NOT EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start < now() - interval '1 s')
FROM pg_class c WHERE c.oid = %(table)s::regclass
"""
_LEASE: Final = """
INSERT INTO memory_meta AS m (name, value) VALUES ('packing', to_jsonb(clock_timestamp()))
ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE (m.value #>> '{}')::timestamptz < now() - interval '10 minutes' RETURNING name
"""


async def pack(conn: AsyncConnection[Any], dims: int) -> bool:
    """Rebuild the index if it is loose and nothing long-running would be waited for; whether it was. `conn` must be in autocommit, statistics fresh."""
    if dims > NARROW:
        return False
    row = 2 * dims + 60  # the vector, its header, namespace, key and field, the tuple's own header
    if not await _true(conn, _LOOSE, {"fewest": FEWEST, "index": INDEX, "loose": LOOSE, "row": row, "table": ITEMS.name}):
        return False
    if not await _true(conn, _LEASE, {}):
        return False
    try:
        cursor = await conn.execute(
            "SELECT c.relname::text AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid = %s::regclass AND NOT i.indisvalid",
            (ITEMS.name,),
        )
        for left in await cursor.fetchall():  # by a rebuild that was cut short
            name = left["name"] if isinstance(left, dict) else left[0]
            await conn.execute(sql.SQL("DROP INDEX CONCURRENTLY IF EXISTS {}").format(sql.Identifier(name)))
        with suppress(psycopg.errors.InsufficientPrivilege, psycopg.errors.DeadlockDetected):
            await conn.execute(sql.SQL("REINDEX INDEX CONCURRENTLY {}").format(sql.Identifier(INDEX)))
            return True
        return False
    finally:
        if not conn.closed:
            await conn.execute("DELETE FROM memory_meta WHERE name = 'packing'")


async def _true(conn: AsyncConnection[Any], query: str, params: dict[str, Any]) -> bool:
    row = await (await conn.execute(query.encode(), params)).fetchone()
    return bool(row and (next(iter(row.values())) if isinstance(row, dict) else row[0]))
