"""The checkpointer: AsyncPostgresSaver on a pool, with what a LangGraph server needs and the stock class lacks, and listing threads by user."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from weakref import WeakValueDictionary

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata, CheckpointTuple
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from psycopg import AsyncCursor
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool

from memory.database import in_words, retried
from memory.hiding import hidden
from memory.migrate import LOCK
from memory.namespace import encode, split_thread_id, thread_id, user_id
from memory.turns import turn

_RELAXED: ContextVar[bool] = ContextVar("relaxed", default=False)  # whether the transaction at hand may commit before it is on disk


_UNDERWAY: WeakValueDictionary[str, "_Writes"] = WeakValueDictionary()


class _Writes(set["asyncio.Future[None]"]):
    """A thread's writes that have not reached the database; kept as long as there are any."""


async def written(stored_id: str) -> None:
    """Waits until what the nodes of a thread have returned in this process is in the database: a node may begin before that of the last one is."""
    if underway := _UNDERWAY.get(stored_id):
        await asyncio.wait(underway)


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """One conversation of a user, by the name its user gave it. `updated_at` is the time of its last checkpoint."""

    user: str
    thread: str
    stored: str
    updated_at: datetime
    checkpoints: int


class Checkpointer(AsyncPostgresSaver):
    """Short-term memory of threads, in the same Postgres as the store."""

    @asynccontextmanager
    async def _cursor(self, *, pipeline: bool = False) -> AsyncIterator[AsyncCursor[DictRow]]:
        """A cursor on a connection of its own: on a pool, threads do not wait for each other as under the stock class's one lock."""
        with in_words():
            if not isinstance(self.conn, AsyncConnectionPool):
                async with super()._cursor(pipeline=pipeline) as cur:
                    yield cur
                return
            async with self.conn.connection() as conn, AsyncExitStack() as stack:
                if pipeline:
                    await stack.enter_async_context(conn.pipeline())
                    await stack.enter_async_context(conn.transaction())
                    if _RELAXED.get():
                        await conn.execute("SET LOCAL synchronous_commit = off")
                async with conn.cursor(binary=True, row_factory=dict_row) as cur:
                    yield cur

    def turn(self, stored_id: str) -> AbstractAsyncContextManager[None]:
        """The thread's turn, waited for: see `memory.turns`."""
        return turn(self._cursor, stored_id)

    @retried
    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """As the stock class; that the server ended a connection, restarted or by its administrator, is no reason to fail."""
        return await super().aget_tuple(config)

    @retried
    async def aput(
        self, config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata, new_versions: ChannelVersions
    ) -> RunnableConfig:  # fmt: skip
        """As the stock class, without secrets; only what a person said waits for the disk. See `aput_writes`."""
        checkpoint = {**checkpoint, "channel_values": hidden(checkpoint["channel_values"])}
        token = _RELAXED.set(metadata.get("source") == "loop")
        try:
            return await super().aput(config, checkpoint, metadata, new_versions)
        finally:
            _RELAXED.reset(token)

    @retried
    async def aput_writes(self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = "") -> None:
        """As the stock class, without secrets and without waiting for the disk.

        A killed process loses nothing by it. If the database's machine itself loses power, the nodes of the last half second run again from the
        message, which they may: every write of a memory is idempotent, and its own commit waits for the disk and takes these rows with it.
        """
        token, done = _RELAXED.set(True), asyncio.get_running_loop().create_future()
        underway = _UNDERWAY.setdefault(str(config["configurable"]["thread_id"]), _Writes())
        underway.add(done)
        try:
            await super().aput_writes(config, [(channel, hidden(value)) for channel, value in writes], task_id, task_path)
        finally:
            _RELAXED.reset(token)
            underway.discard(done)
            done.set_result(None)

    async def setup(self) -> None:
        """Create the stock tables. Safe when several processes do so at once, also behind PgBouncer."""
        async with self._cursor() as cur, cur.connection.transaction():
            await cur.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
            await cur.execute(self.MIGRATIONS[0])
            await cur.execute("SELECT coalesce(max(v), -1) AS v FROM checkpoint_migrations")
            row = await cur.fetchone()
            done = row["v"] if row else -1
            for version, sql in enumerate(self.MIGRATIONS):
                if version > done:
                    # the tables are new and empty here, so the index need not be built concurrently, which no transaction allows
                    await cur.execute(sql.replace(" CONCURRENTLY", "").encode())
                    await cur.execute("INSERT INTO checkpoint_migrations (v) VALUES (%s)", (version,))

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Remove what these runs wrote: their checkpoints and the writes that hang on them."""
        if not run_ids:
            return
        async with self._cursor() as cur, cur.connection.transaction():
            await cur.execute(
                "WITH gone AS (DELETE FROM checkpoints WHERE metadata->>'run_id' = ANY (%s) RETURNING thread_id, checkpoint_ns, checkpoint_id) "
                "DELETE FROM checkpoint_writes w USING gone g "
                "WHERE w.thread_id = g.thread_id AND w.checkpoint_ns = g.checkpoint_ns AND w.checkpoint_id = g.checkpoint_id",
                ([str(r) for r in run_ids],),
            )

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy every checkpoint, blob and write of a thread to another thread id."""
        async with self._cursor() as cur, cur.connection.transaction():
            for table, columns in (
                ("checkpoints", "checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata"),
                ("checkpoint_blobs", "checkpoint_ns, channel, version, type, blob"),
                ("checkpoint_writes", "checkpoint_ns, checkpoint_id, task_id, idx, channel, type, blob, task_path"),
            ):
                await cur.execute(
                    f"INSERT INTO {table} (thread_id, {columns}) SELECT %s, {columns} FROM {table} WHERE thread_id = %s ON CONFLICT DO NOTHING",  # noqa: S608
                    (str(target_thread_id), str(source_thread_id)),
                )

    async def threads(self, user: object) -> list[Thread]:
        """The user's threads, last used first."""
        prefix = encode(user_id(user)) + ":"
        async with self._cursor() as cur:
            # ids are compared bytewise whatever the database's collation; ";" follows ":"
            await cur.execute(
                "SELECT thread_id, max(checkpoint->>'ts') AS ts, count(*) AS n FROM checkpoints "
                'WHERE thread_id COLLATE "C" >= %s AND thread_id COLLATE "C" < %s GROUP BY thread_id ORDER BY ts DESC',
                (prefix, prefix[:-1] + ";"),
            )
            rows = await cur.fetchall()
        found = []
        for row in rows:
            owner, name = split_thread_id(row["thread_id"])
            when = datetime.fromisoformat(row["ts"])
            found.append(Thread(user=owner, thread=name, stored=row["thread_id"], updated_at=when, checkpoints=row["n"]))
        return found

    async def idle(self, since: datetime) -> list[Thread]:
        """Threads of all users whose last checkpoint is older than `since`; threads that a server named by itself belong to it and are left out."""
        async with self._cursor() as cur:
            await cur.execute(
                "SELECT thread_id, max(checkpoint->>'ts') AS ts, count(*) AS n FROM checkpoints GROUP BY thread_id HAVING max(checkpoint->>'ts') < %s",
                (since.astimezone(UTC).isoformat(),),
            )
            rows = [r for r in await cur.fetchall() if ":" in r["thread_id"]]
        return [
            Thread(user=split_thread_id(r["thread_id"])[0], thread=split_thread_id(r["thread_id"])[1], stored=r["thread_id"], updated_at=datetime.fromisoformat(r["ts"]), checkpoints=r["n"])
            for r in rows
        ]  # fmt: skip

    async def forget_thread(self, user: object, thread: str) -> None:
        """Remove a user's thread: all its checkpoints, with what they held."""
        await self.adelete_thread(thread_id(user, thread))
