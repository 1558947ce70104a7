"""Open the memory: database (the embedded one unless DATABASE_URL is set), schema, store, checkpointer and embedder, as one context."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from typing import Any
from urllib.parse import urlsplit

import psycopg
from psycopg.types.json import Jsonb

from memory.checkpointer import Checkpointer
from memory.embedder import Embedder, OpenAIEmbedder, make_embedder
from memory.errors import EmbedderMismatch, MemoryUnavailable
from memory.migrate import fit, migrate
from memory.pool import CONNECTION, open_pool
from memory.rerank import make_reranker
from memory.settings import Settings
from memory.store import MemoryStore
from memory.version_rows import FIELD


@asynccontextmanager
async def open_memory(
    settings: Settings, *, embedder: Embedder | None = None, moving: bool = False
) -> AsyncIterator[tuple[MemoryStore, Checkpointer, Embedder]]:
    """The store, the checkpointer and the embedder on one pool, until the context ends. `embedder` replaces the one the settings name.

    `moving` accepts a database that another embedder filled: only for `memory.reembed`.

    Raises MemoryUnavailable, NewerDatabase or EmbedderMismatch, each with one sentence and never with a password.
    """
    chosen = embedder or make_embedder(settings)
    reranker = make_reranker(settings)
    async with _database(settings) as url:
        async with await _connect(url) as conn:
            await migrate(conn)
            if not moving:
                await agree(conn, chosen)
        replica = settings.database_read_url.get_secret_value() if settings.database_read_url else None
        async with open_pool(url) as pool, open_pool(replica) if replica else nullcontext() as reads:
            index: Any = {"dims": chosen.dims, "embed": chosen, "fields": [FIELD]}
            store = MemoryStore(pool, lock_wait=settings.lock_wait, replica=reads, reranker=reranker, index=index)
            checkpointer = Checkpointer(pool)
            await checkpointer.setup()
            yield store, checkpointer, chosen


@asynccontextmanager
async def _database(settings: Settings) -> AsyncIterator[str]:
    """The URL to use; the embedded server is held meanwhile."""
    if settings.database_url is not None:
        yield settings.database_url.get_secret_value()
        return
    from memory import embedded

    lease = await asyncio.to_thread(embedded.acquire, settings.data_dir)
    try:
        yield lease.url
    finally:
        await asyncio.to_thread(lease.release)


async def _connect(url: str) -> psycopg.AsyncConnection[dict[str, Any]]:
    try:
        return await psycopg.AsyncConnection.connect(url, **CONNECTION)
    except psycopg.Error as error:
        raise MemoryUnavailable(f"Postgres at {where(url)} cannot be used: {_reason(error)}.") from None


def where(url: str) -> str:
    """Host, port and database of a URL, without user and password."""
    try:
        info = psycopg.conninfo.conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        return "the address in DATABASE_URL" if not urlsplit(url).hostname else str(urlsplit(url).hostname)
    return f"{info.get('host', 'localhost')}:{info.get('port', '5432')}/{info.get('dbname', '')}"


def _reason(error: psycopg.Error) -> str:
    """The last clause of libpq's message, which names no password."""
    if isinstance(error, psycopg.ProgrammingError):
        return "its address is malformed"
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
    text = next((line for line in lines if "failed:" in line), lines[0])
    return text.rsplit("failed:", 1)[-1].replace("FATAL:", "").strip().rstrip(".")


async def agree(conn: psycopg.AsyncConnection[Any], embedder: Embedder) -> None:
    """Record the embedder in a database that has none yet; refuse another one than recorded with EmbedderMismatch."""
    cursor = await conn.execute("SELECT value FROM memory_meta WHERE name = 'embedder'")
    row = await cursor.fetchone()
    if row is None:
        mine = await asyncio.to_thread(lambda: embedder.identity)
        cursor = await conn.execute(
            "SELECT vector_dims(embedding) AS dims FROM store_vectors WHERE vector_dims(embedding) <> %s LIMIT 1", (mine["dims"],)
        )
        if (other := await cursor.fetchone()) is not None:  # a database of langgraph's own store, which does not say
            raise EmbedderMismatch(
                f"This database was filled by an embedder of {other['dims']} dimensions, but {embedder.name} has {mine['dims']}: "
                "set JIZHU_EMBEDDINGS to that one, or run `jizhu reembed`."
            )
        await fit(conn, mine["dims"])
        await conn.execute("INSERT INTO memory_meta (name, value) VALUES ('embedder', %s) ON CONFLICT DO NOTHING", (Jsonb(mine),))
        cursor = await conn.execute("SELECT value FROM memory_meta WHERE name = 'embedder'")
        row = await cursor.fetchone()
    recorded = row["value"] if row else {}
    if isinstance(embedder, OpenAIEmbedder) and recorded.get("name") == embedder.name:
        embedder.expect(recorded["dims"])
    same = (recorded.get("name"), recorded.get("version")) == (embedder.name, embedder.version)
    if not same or recorded.get("dims") != await asyncio.to_thread(lambda: embedder.dims):
        raise EmbedderMismatch(
            f"This database was filled with the embedder {recorded.get('name')} (version {recorded.get('version')}), but {embedder.name} "
            f"(version {embedder.version}) is configured: set JIZHU_EMBEDDINGS back, or run `jizhu reembed`."
        )
