"""Bring a database to the schema of this version of jizhu, safely when several processes start together.

Each file of ``memory/migrations`` is one version and runs once, all of them in one transaction under one advisory lock (so also behind PgBouncer):
a process that is killed in the middle leaves the old schema whole. Words that another tokenizer made are made anew in the same transaction. The version is the highest number in ``memory_migrations``.
"""

from importlib.resources import files
from typing import Any, Final

from psycopg import AsyncConnection, errors

from memory.errors import MemoryUnavailable, NewerDatabase
from memory.reindex import reindex, words_version
from memory.vectors import NARROW, define, lay_out
from memory.words import VERSION

LOCK: Final = 0x6A697A6875  # "jizhu"


def scripts() -> dict[int, str]:
    """Version → SQL, in order."""
    found = sorted((f for f in files("memory.migrations").iterdir() if f.name.endswith(".sql")), key=lambda f: f.name)
    return {int(f.name[:3]): f.read_text(encoding="utf-8") for f in found}


async def migrate(conn: AsyncConnection[Any]) -> None:
    """Apply what is missing. Raises NewerDatabase, or MemoryUnavailable when Postgres does not allow it."""
    wanted = scripts()
    if await _versions(conn) >= set(wanted) and await words_version(conn) == VERSION:
        await _refuse_newer(conn, max(wanted))
        return
    try:
        async with conn.transaction():
            await conn.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
            await conn.execute("CREATE TABLE IF NOT EXISTS memory_migrations (version integer PRIMARY KEY, applied_at timestamptz DEFAULT now())")
            await _refuse_newer(conn, max(wanted))
            done = await _versions(conn)
            for version, sql in wanted.items():
                if version not in done:
                    await conn.execute(sql.encode())
                    await conn.execute("INSERT INTO memory_migrations (version) VALUES (%s)", (version,))
            if done:
                await define(conn)
            else:
                await lay_out(conn, NARROW)
            await reindex(conn)
    except (errors.UndefinedFile, errors.FeatureNotSupported) as error:
        raise MemoryUnavailable("This Postgres lacks the vector extension (pgvector 0.7 or newer): install it on the server.") from error
    except errors.InsufficientPrivilege as error:
        raise MemoryUnavailable(
            f"The database user may not set up the memory tables ({error.diag.message_primary}): let an owner run jizhu doctor once, or grant it."
        ) from error


async def fit(conn: AsyncConnection[Any], dims: int) -> None:
    """Make the layout of vectors fit `dims` dimensions, one process at a time."""
    async with conn.transaction():
        await conn.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
        await lay_out(conn, dims)


async def _versions(conn: AsyncConnection[Any]) -> set[int]:
    try:
        cursor = await conn.execute("SELECT version FROM memory_migrations")
    except errors.UndefinedTable:
        return set()
    return {next(iter(row.values())) if isinstance(row, dict) else row[0] for row in await cursor.fetchall()}


async def _refuse_newer(conn: AsyncConnection[Any], newest: int) -> None:
    found = max(await _versions(conn), default=0)
    if found > newest:
        raise NewerDatabase(f"This database has schema version {found}, made by a newer jizhu; this one knows up to {newest}: upgrade jizhu.")
