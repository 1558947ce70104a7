"""What stored conversations still say of what was forgotten: every checkpoint of a user's threads is read, and written again without those words.

A round that is running keeps its own copy until it ends; the graph clears that one (graph/nodes/remember.py).
"""

import asyncio
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final

import orjson
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from psycopg.types.json import Jsonb

from memory.hiding import cleared
from memory.items import Cursor
from memory.ledger import has_threads, threads_of

SAYS: Final = ("messages", "leaving", "summary", "session", "referents", "files", "resolved", "judgement", "__start__", "__input__")
"""The channels that hold what was said; the others hold ids and whose thread it is."""
_READ: Final = ("msgpack", "json")  # how values are written; others are nobody's words, or sealed
_PLACES: Final = (
    ("checkpoint_blobs", ("thread_id", "checkpoint_ns", "channel", "version")),
    ("checkpoint_writes", ("thread_id", "checkpoint_ns", "checkpoint_id", "task_id", "idx", "channel")),
)
_ANYTHING: Final = "…"  # of which nothing is kept where everything is forgotten; a judgement without its words is none


async def clear(cur: Cursor, label: str, keep: Callable[[str], str], *, thread: str | None = None) -> None:
    """Put every text in the user's threads, or in the one with this stored id, through `keep`, which gives it back without what was forgotten.

    Where a database has no threads, nothing.
    """
    if not await has_threads(cur):
        return
    # ids that begin so, and others; no id begins with a control character
    once = lru_cache(maxsize=None)(keep)  # one message stands in many checkpoints
    whose = (label + ":", await threads_of(cur, label)) if thread is None else ("\x01", [thread])
    for table, key in _PLACES:
        await cur.execute(
            f"SELECT {', '.join(key)}, type, blob FROM {table} WHERE (starts_with(thread_id, %s) OR thread_id = ANY (%s)) "  # noqa: S608
            "AND channel = ANY (%s) AND type = ANY (%s) AND blob IS NOT NULL",
            (*whose, list(SAYS), list(_READ)),
        )
        changed = await asyncio.to_thread(_changed, await cur.fetchall(), once)
        await cur.executemany(
            f"UPDATE {table} SET type = %s, blob = %s WHERE {' AND '.join(f'{k} = %s' for k in key)}",  # noqa: S608
            [(kind, blob, *(row[k] for k in key)) for row, kind, blob in changed],
        )
    await _clear_inline(cur, whose, once)


async def said(cur: Cursor, label: str) -> dict[str, str]:
    """What the user has said in threads that have not ended, by the messages' ids."""
    if not await has_threads(cur):
        return {}
    await cur.execute(
        "SELECT type, blob FROM checkpoint_blobs WHERE (starts_with(thread_id, %s) OR thread_id = ANY (%s)) "
        "AND channel IN ('messages', 'leaving') AND type = ANY (%s) AND blob IS NOT NULL",
        (label + ":", await threads_of(cur, label), list(_READ)),
    )
    rows = await cur.fetchall()

    def read() -> dict[str, str]:
        serde = JsonPlusSerializer()
        values = [serde.loads_typed((row["type"], bytes(row["blob"]))) for row in rows]
        return {str(m.id): m.text for v in values if isinstance(v, list) for m in v if isinstance(m, HumanMessage)}

    return await asyncio.to_thread(read)


def _changed(rows: Sequence[Any], keep: Callable[[str], str]) -> list[tuple[Any, str, bytes]]:
    """The rows that say something else afterwards, with how they are written then."""
    serde, out = JsonPlusSerializer(), list[tuple[Any, str, bytes]]()
    for row in rows:
        value = serde.loads_typed((row["type"], bytes(row["blob"])))
        left = {} if row["channel"] == "judgement" and value and not keep(_ANYTHING) else cleared(value, keep)
        if left is not value:
            out.append((row, *serde.dumps_typed(left)))
    return out


async def _clear_inline(cur: Cursor, whose: tuple[str, list[str]], keep: Callable[[str], str]) -> None:
    """A channel whose value is a mere string stands in the checkpoint itself."""
    await cur.execute(
        "SELECT thread_id, checkpoint_ns, checkpoint_id, checkpoint->'channel_values' AS told FROM checkpoints "
        "WHERE (starts_with(thread_id, %s) OR thread_id = ANY (%s)) AND checkpoint->'channel_values' ?| %s",
        (*whose, list(SAYS)),
    )
    changed = []
    for row in await cur.fetchall():
        values = row["told"] if isinstance(row["told"], dict) else orjson.loads(row["told"])
        told = {k: v for k, v in values.items() if k in SAYS and isinstance(v, str)}
        if (left := {k: cleared(v, keep) for k, v in told.items()}) != told:
            changed.append((Jsonb(left), row["thread_id"], row["checkpoint_ns"], row["checkpoint_id"]))
    await cur.executemany(
        "UPDATE checkpoints SET checkpoint = jsonb_set(checkpoint, '{channel_values}', checkpoint->'channel_values' || %s) "
        "WHERE thread_id = %s AND checkpoint_ns = %s AND checkpoint_id = %s",
        changed,
    )
