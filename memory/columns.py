"""A user's memories as columns: the SQL that gives them in one row, and what numpy makes of it.

Thousands of rows as objects would cost more than searching them; a column is one value, and numbers stay packed from Postgres to numpy.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Final

import numpy as np
import orjson
from psycopg.abc import Buffer
from psycopg.adapt import Loader
from psycopg.pq import Format
from psycopg.rows import tuple_row

from memory.items import Cursor
from memory.recall import Floats, Memories

VERSION: Final = "(SELECT array[version::float8, extract(epoch FROM created_at)] FROM memory_users WHERE user_id = %(label)s)"
STARTED: Final = "extract(epoch FROM (SELECT backend_start FROM pg_stat_get_activity(pg_backend_pid())))::float8"
"""When the server's process that answers was started. A crash ends all of them, and transactions that it lost give their numbers to others: what was copied by
numbers of transactions holds only for a process that was there when the copy was made."""
NOW: Final = "extract(epoch FROM statement_timestamp())::float8"
# of memory_versions m, and of episodes m
FACT: Final = """coalesce(date_part('epoch', (m.record->>'recorded_at')::timestamptz), 'NaN') AS time, coalesce(m.record->'source'->>'thread', '') AS session,
    0 AS position, '' AS speaker, '' AS role, coalesce((m.record->>'importance')::float8, 0) AS importance, m.status = 'active' AS current, 0 AS asks"""
EPISODE: Final = "date_part('epoch', m.time) AS time, m.session, m.position, m.speaker, m.role, m.importance, true AS current, m.asks"
# Vectors are looked up one by one: whatever the planner believes of how many there are, that is never more than so many look-ups
FACT_VECTOR: Final = """coalesce(
    (SELECT embedding FROM store_vectors v WHERE v.prefix = m.user_id || '.' || m.category AND v.key = m.key AND v.field_name = 'content'),
    (SELECT embedding FROM memory_version_vectors v WHERE v.user_id = m.user_id AND v.key = m.key))"""
EPISODE_VECTOR: Final = "(SELECT embedding FROM episode_vectors v WHERE v.user_id = m.user_id AND v.key = m.id)"
COLUMNS: Final = """json_agg(id)::text, json_agg(session)::text, json_agg(speaker)::text, json_agg(role)::text, array_agg(fact), array_agg(current),
    array_agg(position::float8), array_agg(time), array_agg(importance), array_agg(asks::float8)"""
COUNT: Final = 10  # of COLUMNS

_FLOATS: Final = 1022  # the number of float8[] in pg_type
_FLOAT: Final = np.dtype([("length", ">i4"), ("number", ">f8")])


async def one(cur: Cursor, statement: str, params: Mapping[str, Any]) -> tuple[Any, ...]:
    """The statement's only row; arrays of numbers, which have no nulls, as numpy's."""
    async with cur.connection.cursor(row_factory=tuple_row, binary=True) as columns:
        columns.adapters.register_loader(_FLOATS, _FloatsLoader)
        await columns.execute(statement.encode(), params)
        row = await columns.fetchone()
    assert row is not None
    return row


def version(label: str, found: Sequence[float] | None) -> Hashable:
    """A user's version from VERSION; None for a user without memories. One who was erased and comes back has another."""
    return (label, *map(float, found)) if found is not None else None


def memories(found: Sequence[Any]) -> Memories:
    """From COLUMNS. Sessions, speakers and roles that are equal are one object."""
    ids, *texts = (orjson.loads(column or "[]") for column in found[:4])
    one: dict[str, str] = {}
    session, speaker, role = ([one.setdefault(t, t) for t in column] for column in texts)
    fact, current = (np.array(column or (), bool) for column in found[4:6])
    position, time, importance, asks = (floats(column) for column in found[6:COUNT])
    return Memories(
        ids=ids, fact=fact, time=time, session=session, position=position.astype(np.int64), speaker=speaker, role=role, importance=importance,
        current=current, asks=asks,
    )  # fmt: skip


def floats(column: Floats | None) -> Floats:
    """An aggregate over no rows is null."""
    return np.zeros(0) if column is None else column


class _FloatsLoader(Loader):
    """An array without nulls, of at most one dimension: after 20 bytes of header, each number behind its length."""

    format = Format.BINARY

    def load(self, data: Buffer) -> Floats:
        return np.frombuffer(data, _FLOAT, offset=20)["number"].astype(np.float64) if len(data) > 20 else np.zeros(0)
