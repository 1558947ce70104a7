"""Everything of one user as JSON lines, and back: export and import.

The first line names the format and the user, the last holds the SHA-256 of all lines before it, which import verifies before it writes. Vectors and word
counts are not exported: they are made again, so that a file moves to a database with another embedding model. Import is idempotent, and whole or not at
all only per batch: a file imported twice, or again after a failure, ends in the same state.
"""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import psycopg
from psycopg import sql
from psycopg.types.json import Jsonb

from memory import ledger, version_rows
from memory.corrections import add, read
from memory.errors import BadInput
from memory.exported import CHECKPOINTS, EPISODE, FORMAT, Batch, batches, read_twice, verify
from memory.ingest import archive
from memory.items import Cursor
from memory.namespace import user_id
from memory.record import Memory
from memory.store import FACT_CATEGORIES, MemoryStore

_MADE_AGAIN: Final = frozenset({"memory_users", "memory_versions", "memory_words", "episodes"})  # written through their own rooms, or counted


@dataclass(slots=True)
class Imported:
    """What an import brought in: lines by kind that were new."""

    user: str
    facts: int = 0
    episodes: int = 0
    items: int = 0
    rows: int = 0
    corrections: int = 0

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


async def export(store: MemoryStore, user: str, *, corrections: Path | None = None) -> AsyncIterator[str]:
    """The user's lines, each ending in a newline: versions of facts, items, episodes, the remaining tables row by row, what he corrected in the judge
    (from the file `corrections`), and the SHA-256."""
    who, digest = user_id(user), hashlib.sha256()
    async for record in _records(store, who, corrections):
        line = json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"
        digest.update(line.encode())
        yield line
    yield json.dumps({"sha256": digest.hexdigest()}) + "\n"


async def _records(store: MemoryStore, user: str, corrections: Path | None) -> AsyncIterator[dict[str, Any]]:
    label = ledger.label_of(user)
    yield {"jizhu": "export", "format": FORMAT, "user": user, "time": datetime.now(UTC).isoformat()}
    for memory in await store.versions(user):
        yield {"kind": "fact", **memory.as_json()}
    async with store.reading() as cur:
        await cur.execute(
            "SELECT prefix, key, value FROM store WHERE prefix = %s OR (prefix >= %s AND prefix < %s) ORDER BY prefix, key",
            (label, label + ".", label + "/"),
        )
        for row in await cur.fetchall():
            namespace = row["prefix"].split(".")[1:]
            if not (len(namespace) == 1 and namespace[0] in FACT_CATEGORIES and "fact" in row["value"]):
                yield {"kind": "item", "namespace": namespace, "key": row["key"], "value": row["value"]}
        await cur.execute("SELECT * FROM episodes WHERE user_id = %s ORDER BY session, position, id", (label,))
        for row in await cur.fetchall():
            yield {"kind": "episode", **{k: _plain(row[k]) for k in EPISODE if k != "user"}}
        for table, owned in await _tables(cur):
            mark = "checkpoint" if table in CHECKPOINTS else "row"
            where = sql.SQL("starts_with(thread_id, %s)") if table in CHECKPOINTS else sql.SQL("user_id = %s")
            columns = sql.SQL(", ").join(map(sql.Identifier, owned))
            written = sql.SQL("serial" if table == "memory_changes" else "x::text")  # a log keeps its order
            query = sql.SQL("SELECT to_jsonb(t) AS r FROM (SELECT {} FROM {} x WHERE {} ORDER BY {}) t")
            await cur.execute(query.format(columns, sql.Identifier(table), where, written), (label + ":" if table in CHECKPOINTS else label,))
            for row in await cur.fetchall():
                content = {k: v for k, v in row["r"].items() if k != "user_id"}
                if mark == "checkpoint":
                    content["thread_id"] = content["thread_id"][len(label) + 1 :]
                yield {"kind": mark, "table": table, "row": content}
    for one in read(corrections)[0] if corrections is not None else ():
        if one.user == user:
            yield {"kind": "correction", **{k: v for k, v in asdict(one).items() if k != "user"}}


async def _tables(cur: Cursor) -> list[tuple[str, list[str]]]:
    """Tables that hold rows of users, and their columns without those that Postgres fills itself."""
    await cur.execute(
        "SELECT table_name AS t, array_agg(column_name::text ORDER BY ordinal_position) AS c FROM information_schema.columns "
        "WHERE table_schema = current_schema() AND is_identity = 'NO' AND is_generated = 'NEVER' GROUP BY table_name ORDER BY table_name"
    )
    return [
        (row["t"], row["c"])
        for row in await cur.fetchall()
        if row["t"] in CHECKPOINTS or ("user_id" in row["c"] and row["t"] not in _MADE_AGAIN and not row["t"].endswith("_vectors"))
    ]


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else list(value) if isinstance(value, tuple) else value


async def import_file(store: MemoryStore, path: Path, *, corrections: Path | None = None) -> Imported:
    """Bring an exported file in; what was corrected in the judge goes into the file `corrections`, without one nowhere. Raises BadInput, before anything is
    written, when it is cut short, changed, of a newer format, or holds a line that is no record of an export."""
    try:
        with read_twice(path) as file:
            user = await asyncio.to_thread(verify, file, path.name)
            done = Imported(user)
            for batch in batches(file, user):
                try:
                    await _take_in(store, batch, done, corrections)
                except (psycopg.DataError, psycopg.IntegrityError, psycopg.errors.ProgramLimitExceeded, ValueError, TypeError) as error:
                    why = (error.diag.message_primary if isinstance(error, psycopg.Error) else None) or str(error)
                    raise BadInput(f"Lines {batch.first} to {batch.last} of {path.name} cannot be stored: {' '.join(why.split())}.") from None
            return done
    except OSError as error:
        raise BadInput(f"{path.name} cannot be read: {error.strerror or error}.") from None


async def _take_in(store: MemoryStore, batch: Batch, done: Imported, corrections: Path | None) -> None:
    label = ledger.label_of(done.user)
    if batch.kind == "fact":
        done.facts += await _facts(store, label, batch.records)
    elif batch.kind == "episode":
        done.episodes += await archive(store, done.user, batch.records)
    elif batch.kind == "item":
        for namespace, key, value in batch.records:
            await store.aput((label, *namespace), key, value)
        done.items += len(batch.records)
    elif batch.kind == "correction":
        done.corrections += add(corrections, batch.records) if corrections is not None else 0
    else:
        done.rows += await _rows(store, label, batch.records)


async def _facts(store: MemoryStore, label: str, memories: Sequence[Memory]) -> int:
    """Versions as they were, with their status and times; the contents of new ones embedded in one call."""
    async with store.reading() as cur:
        known = {m.key for m in await ledger.versions(cur, label, keys=[m.key for m in memories])}
    fresh = {m.key: m for m in memories if m.key not in known}
    contents = sorted({m.content for m in fresh.values()})
    vectors = dict(zip(contents, await store.vectors_of(contents), strict=False)) if store.embeddings else {}
    async with store.writing(label) as cur:
        made = {k: vectors[m.content] for k, m in fresh.items() if m.content in vectors}
        await version_rows.write(cur, label, fresh, {}, made, {})
        await ledger.touch(cur, label)
    return len(fresh)


async def _rows(store: MemoryStore, label: str, records: Sequence[Mapping[str, Any]]) -> int:
    """Rows of the remaining tables, where they do not stand already; tables that this database lacks are passed over."""
    new = 0
    async with store.writing(label) as cur:
        tables = dict(await _tables(cur))
        for record in records:
            columns = [c for c in tables.get(record["table"], ()) if c == "user_id" or c in record["row"]]
            if not columns:
                continue
            row = {**record["row"], "user_id": label} if "user_id" in columns else dict(record["row"])
            if "thread_id" in columns and record["table"] in CHECKPOINTS:
                row["thread_id"] = f"{label}:{row['thread_id']}"
            new += await _insert(cur, record["table"], columns, row)
    return new


async def _insert(cur: Cursor, table: str, columns: Sequence[str], row: Mapping[str, Any]) -> int:
    names = sql.SQL(", ").join(map(sql.Identifier, columns))
    name = sql.Identifier(table)
    if table == "memory_changes":  # its key is a serial of the database: the same entry is one that says the same
        same = sql.SQL(" AND ").join(sql.SQL("t.{0} IS NOT DISTINCT FROM r.{0}").format(sql.Identifier(c)) for c in columns)
        query = sql.SQL(
            "INSERT INTO {0} ({1}) SELECT {1} FROM jsonb_populate_record(NULL::{0}, %s) r WHERE NOT EXISTS (SELECT 1 FROM {0} t WHERE {2})"
        )
        await cur.execute(query.format(name, names, same), (Jsonb(row),))
        return cur.rowcount
    query = sql.SQL("INSERT INTO {0} ({1}) SELECT {1} FROM jsonb_populate_record(NULL::{0}, %s) ON CONFLICT DO NOTHING")
    await cur.execute(query.format(name, names), (Jsonb(row),))
    return cur.rowcount
