"""Move a database to another embedding model: every vector is made anew, beside the old ones, and takes their place in one transaction at the end.

Killed at any point, the old vectors are whole and in use; the next run goes on where the last one stopped. Nobody else may use the database meanwhile:
a process with the old model would go on writing vectors that the new model cannot compare.
"""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from langgraph.store.base import get_text_at_path, tokenize_path
from psycopg import AsyncConnection, sql
from psycopg.types.json import Jsonb

from memory.binary import literal
from memory.database import APPLICATION
from memory.embedder import Embedder
from memory.episode import Episode
from memory.errors import MemoryUnavailable
from memory.migrate import LOCK
from memory.record import fingerprint
from memory.searchable import episode_text
from memory.store import MemoryStore
from memory.vectors import EPISODES, ITEMS, TABLES, VERSIONS, lay_out
from memory.version_rows import FIELD

BATCH: Final = 256

_ROWS: Final = {
    ITEMS.name: "SELECT v.prefix AS owner, v.key, v.field_name AS field, s.value FROM store_vectors v JOIN store s USING (prefix, key)",
    VERSIONS.name: "SELECT v.user_id AS owner, v.key, '' AS field, m.record AS value FROM memory_version_vectors v JOIN memory_versions m USING (user_id, key)",
    EPISODES.name: "SELECT v.user_id AS owner, v.key, '' AS field, to_jsonb(e) - 'terms' AS value FROM episode_vectors v "
    "JOIN episodes e ON e.user_id = v.user_id AND e.id = v.key",
}

Progress = Callable[[int, int], None]
_EPOCH: Final = datetime.fromtimestamp(0, UTC)  # an episode's text does not depend on its time


async def reembed(store: MemoryStore, embedder: Embedder, progress: Progress | None = None) -> int:
    """Make every vector of the store's database anew with `embedder`; the number of vectors. `progress` gets (done, all).

    The store must have been opened with ``open_memory(..., moving=True)``, which accepts a database of another model. Raises MemoryUnavailable while
    another process is connected.
    """
    async with store.connection() as conn:
        await _alone(conn)
        total = await _prepare(conn, embedder)
    done = 0
    for table in _ROWS:
        async for batch in _batches(store, table):
            missing = await _missing(store, table, batch)
            if missing:
                vectors = await embedder.aembed([text for _, text in missing])
                await _stage(store, table, missing, [literal(v) for v in vectors])
            done += len(batch)
            if progress:
                progress(done, total)
    async with store.connection() as conn, conn.transaction():
        await conn.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
        await _alone(conn)
        await _swap(conn, embedder)
    return done


Place = tuple[str, str, str]  # owner, key, field


async def _alone(conn: AsyncConnection[Any]) -> None:
    cursor = await conn.execute(
        "SELECT count(*) AS n FROM pg_stat_activity "
        "WHERE datname = current_database() AND application_name LIKE %s AND application_name <> current_setting('application_name')",
        (APPLICATION + "%",),
    )
    row = await cursor.fetchone()
    if row and row["n"]:
        raise MemoryUnavailable("Another jizhu process uses this database: stop it (server, worker, chat) before re-embedding.")


async def _prepare(conn: AsyncConnection[Any], embedder: Embedder) -> int:
    """The staging table, begun anew if an earlier run was for another model; the number of vectors to make."""
    async with conn.transaction():
        await conn.execute(
            'CREATE TABLE IF NOT EXISTS memory_reembedding (source text, owner text COLLATE "C", key text COLLATE "C", field text COLLATE "C", '
            "text_md5 text NOT NULL, embedding halfvec NOT NULL, PRIMARY KEY (source, owner, key, field))"
        )
        cursor = await conn.execute("SELECT value FROM memory_meta WHERE name = 'reembedding'")
        row = await cursor.fetchone()
        if row is None or row["value"] != embedder.identity:
            await conn.execute("TRUNCATE memory_reembedding")
            await conn.execute(
                "INSERT INTO memory_meta (name, value) VALUES ('reembedding', %s) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                (Jsonb(embedder.identity),),
            )
    total = 0
    for table in TABLES:
        counted = await (await conn.execute(sql.SQL("SELECT count(*) AS n FROM {}").format(sql.Identifier(table.name)))).fetchone()
        total += counted["n"] if counted else 0
    return total


async def _batches(store: MemoryStore, table: str) -> AsyncIterator[list[tuple[Place, str]]]:
    """(place, text) of every vector of a table, in the order of its key."""
    last: Place = ("", "", "")
    while True:
        async with store.reading() as cur:
            await cur.execute(
                f"SELECT * FROM ({_ROWS[table]}) r WHERE (owner, key, field) > (%s, %s, %s) ORDER BY owner, key, field LIMIT %s", (*last, BATCH)
            )
            rows = await cur.fetchall()
        if not rows:
            return
        yield [((r["owner"], r["key"], r["field"]), _text(table, r)) for r in rows]
        last = (rows[-1]["owner"], rows[-1]["key"], rows[-1]["field"])


def _text(table: str, row: Mapping[str, Any]) -> str:
    """The text that the row's vector stands for."""
    value = row["value"]
    if table == EPISODES.name:
        return episode_text(Episode(id=row["key"], user="", text=value["text"], speaker=value["speaker"], caption=value["caption"], time=_EPOCH))
    if table == VERSIONS.name:
        return str(value.get(FIELD, ""))
    return _field(value, row["field"])


def _field(value: Any, name: str) -> str:
    """The text at an indexed path; ``path.3`` is the fourth of several texts at ``path``."""
    texts = get_text_at_path(value, tokenize_path(name))
    if len(texts) == 1:
        return texts[0]
    path, _, place = name.rpartition(".")
    texts = get_text_at_path(value, tokenize_path(path)) if path and place.isdigit() else []
    return texts[int(place)] if place.isdigit() and int(place) < len(texts) else ""


async def _missing(store: MemoryStore, table: str, batch: Sequence[tuple[Place, str]]) -> list[tuple[Place, str]]:
    """What an earlier run has not made yet, or what has another text since."""
    async with store.reading() as cur:
        await cur.execute(
            "SELECT owner, key, field, text_md5 FROM memory_reembedding JOIN unnest(%s::text[], %s::text[], %s::text[]) AS t (owner, key, field) "
            "USING (owner, key, field) WHERE source = %s",
            ([p[0] for p, _ in batch], [p[1] for p, _ in batch], [p[2] for p, _ in batch], table),
        )
        there = {((r["owner"], r["key"], r["field"]), r["text_md5"]) for r in await cur.fetchall()}
    return [(place, text) for place, text in batch if (place, fingerprint(text)) not in there]


async def _stage(store: MemoryStore, table: str, rows: Sequence[tuple[Place, str]], vectors: Sequence[str]) -> None:
    async with store.writing() as cur:
        await cur.execute(
            "INSERT INTO memory_reembedding (source, owner, key, field, text_md5, embedding) SELECT %s, owner, key, field, md5, e::halfvec "
            "FROM unnest(%s::text[], %s::text[], %s::text[], %s::text[], %s::text[]) AS t (owner, key, field, md5, e) "
            "ON CONFLICT (source, owner, key, field) DO UPDATE SET text_md5 = excluded.text_md5, embedding = excluded.embedding",
            (table, [p[0] for p, _ in rows], [p[1] for p, _ in rows], [p[2] for p, _ in rows], [fingerprint(t) for _, t in rows], vectors),
        )


async def _swap(conn: AsyncConnection[Any], embedder: Embedder) -> None:
    """The new vectors take the place of the old ones."""
    for table in TABLES:
        fields = ("owner", "key", "field")[: len(table.keys)]
        same = sql.SQL(" AND ").join(
            sql.SQL("v.{} = r.{}").format(sql.Identifier(k), sql.Identifier(f)) for k, f in zip(table.keys, fields, strict=True)
        )
        name = sql.Identifier(table.name)
        await conn.execute(
            sql.SQL("DELETE FROM memory_reembedding r WHERE source = %s AND NOT EXISTS (SELECT FROM {} v WHERE {})").format(name, same), (table.name,)
        )
        cursor = await conn.execute(
            sql.SQL("SELECT count(*) AS n FROM {} v WHERE NOT EXISTS (SELECT FROM memory_reembedding r WHERE source = %s AND {})").format(name, same),
            (table.name,),
        )
        row = await cursor.fetchone()
        if row and row["n"]:
            raise MemoryUnavailable("Somebody wrote to the database while it was re-embedded: run `jizhu reembed` again to finish.")
    await conn.execute("TRUNCATE store_vectors, memory_version_vectors, episode_vectors CASCADE")
    await lay_out(conn, embedder.dims)
    for table in TABLES:
        columns = sql.SQL(", ").join(map(sql.Identifier, table.keys))
        source = sql.SQL(", ").join(map(sql.Identifier, ("owner", "key", "field")[: len(table.keys)]))
        await conn.execute(
            sql.SQL(
                "INSERT INTO {} ({}, embedding) SELECT {}, embedding FROM memory_reembedding WHERE source = %s ORDER BY owner, key, field"
            ).format(sql.Identifier(table.name), columns, source),
            (table.name,),
        )
    await conn.execute(
        "INSERT INTO memory_meta (name, value) VALUES ('embedder', %s) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        (Jsonb(embedder.identity),),
    )
    await conn.execute("DELETE FROM memory_meta WHERE name = 'reembedding'")
    await conn.execute("DROP TABLE memory_reembedding")
    await conn.execute("UPDATE memory_users SET version = version + 1")
