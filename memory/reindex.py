"""Words made by another version of the tokenizer (`memory.words.VERSION`) would no longer meet a question's: then those of every fact and turn are made anew.

A migration of data: in the transaction and under the lock of `memory.migrate`. The counts of words follow by the tables' triggers.
"""

from collections.abc import AsyncIterator
from typing import Any, Final

from psycopg import AsyncConnection, errors
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from memory.binary import texts
from memory.episode import Episode
from memory.record import Memory
from memory.searchable import episode_terms, fact_terms
from memory.words import VERSION, sparse, weights

BATCH: Final = 500
FIRST: Final = 1  # the version of a database that does not say

_FACTS: Final = "SELECT user_id, key, record FROM memory_versions WHERE (user_id, key) > (%s, %s) ORDER BY user_id, key LIMIT %s"
_TURNS: Final = "SELECT user_id, id AS key, text, speaker, caption, time FROM episodes WHERE (user_id, id) > (%s, %s) ORDER BY user_id, id LIMIT %s"
_WRITE: Final = (
    "SET terms = n.terms::sparsevec FROM unnest(%s::text[], %s::text[], %s::text[]) AS n (user_id, key, terms) WHERE t.user_id = n.user_id AND"
)


async def words_version(conn: AsyncConnection[Any]) -> int:
    """The version of the tokenizer that made the words of this database."""
    try:
        row = await (await conn.execute("SELECT value FROM memory_meta WHERE name = 'words'")).fetchone()
    except errors.UndefinedTable:
        return FIRST
    return int(row["value"] if isinstance(row, dict) else row[0]) if row else FIRST


async def reindex(conn: AsyncConnection[Any]) -> None:
    """Make the words of every fact and turn anew, unless this version made them."""
    if await words_version(conn) == VERSION:
        return
    async for rows in _batches(conn, _FACTS):
        found = [sparse(weights(fact_terms(Memory.from_json(r["record"])))) for r in rows]
        await conn.execute(f"UPDATE memory_versions t {_WRITE} t.key = n.key".encode(), _columns(rows, found))
    async for rows in _batches(conn, _TURNS):
        turns = (Episode(id=r["key"], user="", **{k: r[k] for k in ("text", "speaker", "caption", "time")}) for r in rows)
        await conn.execute(f"UPDATE episodes t {_WRITE} t.id = n.key".encode(), _columns(rows, [sparse(weights(episode_terms(e))) for e in turns]))
    await conn.execute("UPDATE memory_users SET version = version + 1")
    await conn.execute(
        "INSERT INTO memory_meta (name, value) VALUES ('words', %s) ON CONFLICT (name) DO UPDATE SET value = excluded.value", (Jsonb(VERSION),)
    )


async def _batches(conn: AsyncConnection[Any], query: str) -> AsyncIterator[list[dict[str, Any]]]:
    last = ("", "")
    while True:
        async with conn.cursor(row_factory=dict_row) as cur:
            await cur.execute(query.encode(), (*last, BATCH))
            rows = await cur.fetchall()
        if not rows:
            return
        yield rows
        last = (rows[-1]["user_id"], rows[-1]["key"])


def _columns(rows: list[dict[str, Any]], found: list[str]) -> tuple[Any, ...]:
    return texts([r["user_id"] for r in rows]), texts([r["key"] for r in rows]), texts(found)
