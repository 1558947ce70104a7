"""The store: langgraph's AsyncPostgresStore as callers know it, on the same tables, with its faults mended; and the one way facts are written.

What differs from the stock class, and why, is listed in ``tests/test_store_contract.py``. The essentials: every operation runs at once on a connection of
its own (no queue, nothing held while embedding), search is exact within its namespace, an expired item is gone, reads do not write, a bad value fails alone.

Items under ``(user, category)``, with a category of facts and a value that has ``content`` or ``value``, are facts: a raw `aput` or `adelete` there makes
a version like any other write.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext, suppress
from itertools import groupby
from typing import Any, Final, Literal, Self
from weakref import WeakValueDictionary

import psycopg
from langgraph.store.base import (
    NOT_PROVIDED,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    NamespacePath,
    NotProvided,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    _ensure_refresh,
    _ensure_ttl,
    _validate_namespace,
    get_text_at_path,
    tokenize_path,
    validate_op_namespace,
)
from langgraph.store.postgres import AsyncPostgresStore
from psycopg import sql
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from memory import items, ledger
from memory.bulk import many_objects
from memory.clean import clean_json, well_formed
from memory.database import in_words, retried
from memory.embedder import Embedder, Vectors, unit
from memory.errors import BadInput, MemoryConflict, MemoryUnavailable
from memory.facts import Facts
from memory.items import Cursor, Row
from memory.migrate import fit, migrate
from memory.pack import pack
from memory.record import CATEGORIES, Memory
from memory.rerank import Reranker
from memory.resident_items import ResidentItems
from memory.version_rows import FIELD

CHUNK: Final = 1000  # items per statement
FACTS: Final = 2000  # facts per transaction: others of the user wait for as long
BULK: Final = 1000  # items in one call after which the tables are vacuumed at once instead of when autovacuum gets to it
MOST: Final = 10**9  # items that a page may have or leave out
REPLICA_SECONDS: Final = 0.5  # a replica that gives no connection within this is passed over
FACT_CATEGORIES: Final = frozenset(CATEGORIES.values())


class MemoryStore(Facts, AsyncPostgresStore):
    """Items, facts and their versions of every user. Constructor arguments are those of AsyncPostgresStore; `lock_wait` is in seconds, `replica` a
    pool on a read replica, where recall looks first; `reranker` puts the best hits of recall in order."""

    def __init__(
        self,
        conn: Any,
        *,
        lock_wait: float = 5.0,
        replica: AsyncConnectionPool[Any] | None = None,
        reranker: Reranker | None = None,
        **stock: Any,
    ) -> None:
        super().__init__(conn, **stock)
        self.replica = replica
        self.lock_wait = lock_wait
        self.reranker = reranker
        self._seen: OrderedDict[str, tuple[int, list[Memory]]] = OrderedDict()
        self._resident = ResidentItems()
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @classmethod
    @asynccontextmanager
    async def from_conn_string(
        cls, conn_string: str, *, pipeline: bool = False, pool_config: Any = None, index: Any = None, ttl: Any = None
    ) -> AsyncIterator[Self]:
        """As the stock class's, but without prepared statements, which do not survive a pooler in transaction mode."""
        if pool_config is not None:
            pool_config = {**pool_config, "kwargs": {"prepare_threshold": None, **(pool_config.get("kwargs") or {})}}
        async with super().from_conn_string(conn_string, pipeline=pipeline, pool_config=pool_config, index=index, ttl=ttl) as store:
            if isinstance(store.conn, psycopg.AsyncConnection):
                store.conn.prepare_threshold = None
            yield store  # type: ignore[misc]

    def _ensure_task(self) -> None:
        """The stock class queues every operation behind one task; here there is none."""

    async def setup(self) -> None:
        """Bring the database to the current schema. Safe when several processes do so at once."""
        async with self.connection() as conn:
            await migrate(conn)
            if self.index_config:
                await fit(conn, int(self.index_config["dims"]))

    # --- connections

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[psycopg.AsyncConnection[Any]]:
        """A connection of one's own. Whatever goes wrong with it, inside too, becomes MemoryUnavailable."""
        with in_words():
            if isinstance(self.conn, psycopg.AsyncConnection):
                async with self.lock:
                    yield self.conn
            else:
                async with self.conn.connection() as conn:
                    yield conn

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Cursor]:
        """A cursor for one or a few reads."""
        async with self.connection() as conn, conn.cursor(row_factory=dict_row) as cur:
            yield cur

    @asynccontextmanager
    async def recalling(self) -> AsyncIterator[Cursor]:
        """A cursor for recall, which may lag: on the read replica when there is one and it answers, else as `reading`."""
        async with AsyncExitStack() as stack:
            if self.replica is not None:
                try:
                    conn = await stack.enter_async_context(self.replica.connection(timeout=REPLICA_SECONDS))
                except PoolTimeout:
                    conn = await stack.enter_async_context(self.connection())
            else:
                conn = await stack.enter_async_context(self.connection())
            stack.enter_context(in_words())
            yield await stack.enter_async_context(conn.cursor(row_factory=dict_row))

    @asynccontextmanager
    async def writing(self, user: str | None = None, wait: float | None = None) -> AsyncIterator[Cursor]:
        """A cursor in a transaction; with a user's label, under that user's lock (MemoryConflict when it cannot be had in time)."""
        wait = self.lock_wait if wait is None else wait
        async with self._turn(user, wait) as left, self.connection() as conn, conn.transaction(), conn.cursor(row_factory=dict_row) as cur:
            if user is not None:
                await ledger.lock(cur, user, left)
            yield cur

    @asynccontextmanager
    async def _turn(self, user: str | None, wait: float) -> AsyncIterator[float]:
        """This process's turn to write for a user; the seconds left to wait. Writers of one user wait here, not each with a connection that others need."""
        if user is None:
            yield wait
            return
        turn, began = self._turns.setdefault(user, asyncio.Lock()), time.monotonic()
        if turn.locked() and wait <= 0:
            raise MemoryConflict
        try:
            await asyncio.wait_for(turn.acquire(), max(wait, 0.001))
        except TimeoutError:
            raise MemoryConflict from None
        try:
            yield max(0.001, wait - (time.monotonic() - began)) if wait > 0 else wait
        finally:
            turn.release()

    # --- the stock interface

    async def aget(self, namespace: tuple[str, ...], key: str, *, refresh_ttl: bool | None = None) -> Item | None:
        op = GetOp(namespace, key, _ensure_refresh(self.ttl_config, refresh_ttl))
        return (await self._gets([op]))[0]

    async def asearch(
        self,
        namespace_prefix: tuple[str, ...],
        /,
        *,
        query: str | None = None,
        filter: dict[str, Any] | None = None,
        limit: int = 10,
        offset: int = 0,
        refresh_ttl: bool | None = None,
    ) -> list[SearchItem]:
        refresh = _ensure_refresh(self.ttl_config, refresh_ttl)
        return await self._search(SearchOp(namespace_prefix, filter, limit, offset, query, refresh))

    async def aput(
        self,
        namespace: tuple[str, ...],
        key: str,
        value: Mapping[str, Any],
        index: Literal[False] | list[str] | None = None,
        *,
        ttl: float | NotProvided | None = NOT_PROVIDED,
    ) -> None:
        """Write an item. Without `ttl` and without a default one, an item that has a time to live keeps it and starts it anew; None ends it."""
        _validate_namespace(namespace)
        op = PutOp(namespace, key, value, index, _ensure_ttl(self.ttl_config, ttl))
        await self._puts([op], keep_ttl=isinstance(ttl, NotProvided) and op.ttl is None)

    async def adelete(self, namespace: tuple[str, ...], key: str) -> None:
        await self._puts([PutOp(namespace, key, None)])

    async def alist_namespaces(
        self,
        *,
        prefix: NamespacePath | None = None,
        suffix: NamespacePath | None = None,
        max_depth: int | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> list[tuple[str, ...]]:
        given = [MatchCondition("prefix", prefix)] if prefix else []
        given += [MatchCondition("suffix", suffix)] if suffix else []
        return await self._namespaces(ListNamespacesOp(tuple(given), max_depth, limit, offset))

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Run the operations in order, so that a read sees the puts before it; neighbouring puts are embedded and written together.

        Every operation that can be done is done; if some failed, the first error is raised afterwards, with a note on how many did.
        """
        results: list[Result] = []
        failed: list[Exception] = []
        ordered = list(ops)
        at = 0
        while at < len(ordered):
            op = ordered[at]
            run = [op]
            while isinstance(op, (PutOp, GetOp)) and at + len(run) < len(ordered) and type(ordered[at + len(run)]) is type(op):
                run.append(ordered[at + len(run)])
            at += len(run)
            try:
                if isinstance(op, PutOp):
                    results += [None] * len(run)
                    await self._puts([p for p in run if isinstance(p, PutOp)])
                elif isinstance(op, GetOp):
                    results += await self._gets([g for g in run if isinstance(g, GetOp)])
                elif isinstance(op, SearchOp):
                    results.append(await self._search(op))
                else:
                    results.append(await self._namespaces(op))
            except Exception as error:
                results += [None] * (at - len(results))
                failed += error.exceptions if isinstance(error, ExceptionGroup) else [error]
        if failed:
            first = failed[0]
            first.add_note(f"{len(failed)} of {len(ordered)} operations failed; the others were done.")
            raise first
        return results

    # --- reads

    @retried
    async def _gets(self, ops: Sequence[GetOp]) -> list[Item | None]:
        for op in ops:
            validate_op_namespace(op)
        wanted = [(items.prefix_of(op.namespace), op.key) for op in ops]
        async with self.reading() as cur:
            rows = await items.get(cur, sorted({w for w in wanted if _fits(*w)}))
        await self._refresh(rows[w] for op, w in zip(ops, wanted, strict=True) if op.refresh_ttl and w in rows)
        return [items.as_item(rows[w]) if w in rows else None for w in wanted]

    @retried
    async def _search(self, op: SearchOp) -> list[SearchItem]:
        validate_op_namespace(op)
        if not _fits(*op.namespace_prefix):
            return []
        vector = await self.query_vector(op.query) if op.query and self.embeddings else None
        distance = (self.index_config or {}).get("distance_type", "cosine")
        limit, offset = _within(op.limit), _within(op.offset)
        async with self.reading() as cur:
            if vector is None:
                rows = await items.newest(cur, op.namespace_prefix, op.filter, limit, offset)
            else:
                page = None if op.filter else await self._resident.nearest(cur, op.namespace_prefix, vector, limit, offset, distance)
                rows = page or await items.nearest(cur, op.namespace_prefix, vector, op.filter, limit, offset, distance)
        if op.refresh_ttl:
            await self._refresh(rows)
        return [items.as_search_item(r) for r in rows]

    async def _refresh(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Start the time to live of what was read anew: only items that have one cost a write."""
        living = sorted({(r["prefix"], r["key"]) for r in rows if r["ttl_minutes"] is not None})
        if living:
            async with self.writing() as cur:
                await items.refresh(cur, living)

    @retried
    async def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        validate_op_namespace(op)
        if not _fits(*(label for condition in op.match_conditions or () for label in condition.path)):
            return []
        async with self.reading() as cur:
            return await items.namespaces(cur, op.match_conditions or (), op.max_depth, _within(op.limit), _within(op.offset))

    async def query_vector(self, query: str) -> Vectors:
        if isinstance(self.embeddings, Embedder):
            return await self.embeddings.aquery(query)
        assert self.embeddings is not None
        vector: Vectors = self._scaled([await self.embeddings.aembed_query(query)], 1)[0]
        return vector

    async def vectors_of(self, texts: Sequence[str]) -> list[Vectors]:
        """Vectors of texts to be stored, in one call. No connection is held."""
        if not texts or self.embeddings is None:
            return []
        if isinstance(self.embeddings, Embedder):
            return list(await self.embeddings.aembed(texts))
        return list(self._scaled(await self.embeddings.aembed_documents(list(texts)), len(texts)))

    def _scaled(self, vectors: Sequence[Sequence[float]], count: int) -> Vectors:
        import numpy as np

        dims = (self.index_config or {}).get("dims")
        if len(vectors) != count or any(len(v) != dims for v in vectors):
            raise MemoryUnavailable(
                f"The embedding model does not give one vector of {dims} dimensions for each text: check which model is configured."
            )
        found: Vectors = np.asarray(vectors, np.float32)
        if (self.index_config or {}).get("distance_type", "cosine") == "cosine":
            found = unit(found)
        return found

    # --- writes of items

    async def _puts(self, ops: Sequence[PutOp], *, keep_ttl: bool = False) -> None:
        """Puts and deletes; the last of several for one key counts. Raises an ExceptionGroup of what failed when there are several."""
        with many_objects() if len(ops) >= BULK else nullcontext():
            await self._put_all(ops, keep_ttl=keep_ttl)

    async def _put_all(self, ops: Sequence[PutOp], *, keep_ttl: bool) -> None:
        failed: list[Exception] = []
        last: dict[tuple[str, str], PutOp] = {}
        for op in ops:
            try:
                validate_op_namespace(op)
                last[items.prefix_of(op.namespace), op.key] = op._replace(value=self._checked(op))
            except Exception as error:
                failed.append(error)
        plain = {at: op for at, op in last.items() if not _is_fact(op)}
        facts = [op for at, op in last.items() if at not in plain]
        deleted = [at for at, op in plain.items() if op.value is None]
        try:
            for start in range(0, len(deleted), CHUNK):
                async with self.writing() as cur:
                    await items.delete(cur, sorted(deleted[start : start + CHUNK]))
            rows, missed = await self._rows([op for op in plain.values() if op.value is not None], keep_ttl)
            failed += missed
            for start in range(0, len(rows), CHUNK):
                failed += await self._write_rows(rows[start : start + CHUNK])
            if len(rows) >= BULK:
                await self.tidy("store_vectors", "store")
        except Exception as error:
            failed.append(error)
        for label, own in groupby(sorted(facts, key=lambda op: op.namespace[0]), key=lambda op: op.namespace[0]):
            chosen = list(own)
            for start in range(0, len(chosen), FACTS):
                failed += await self.put_facts(label, chosen[start : start + FACTS])
        if len(failed) == 1:
            raise failed[0]
        if failed:
            raise ExceptionGroup("some operations failed", failed)

    async def _write_rows(self, rows: Sequence[Row], *, copied: bool = True) -> list[Exception]:
        """Write a chunk; what failed. If Postgres refuses a value in it, each half is written for itself, so that only the bad ones fail."""
        try:
            async with self.writing() as cur:
                await items.put(cur, rows, copied=copied)
        except psycopg.errors.UniqueViolation:  # another writer brought one of the items meanwhile
            return await self._write_rows(rows, copied=False)
        except (psycopg.DataError, psycopg.errors.ProgramLimitExceeded) as error:
            if len(rows) == 1:
                return [BadInput(f"The item {rows[0].key!r} cannot be stored: {error.diag.message_primary or error}.")]
            half = len(rows) // 2
            return await self._write_rows(rows[:half], copied=copied) + await self._write_rows(rows[half:], copied=copied)
        return []

    async def tidy(self, *tables: str) -> None:
        """Vacuum and analyse after a bulk load, so that searches are index-only from the first on, and rebuild an index that it has left half empty.
        Skipped where it is not allowed or somebody does it."""
        async with self.connection() as conn:
            if conn.autocommit:
                with suppress(psycopg.errors.InsufficientPrivilege, psycopg.errors.ActiveSqlTransaction):
                    for table in tables:
                        await conn.execute(sql.SQL("VACUUM (ANALYZE, SKIP_LOCKED, INDEX_CLEANUP OFF, TRUNCATE OFF) {}").format(sql.Identifier(table)))
                    if self.index_config:
                        await pack(conn, int(self.index_config["dims"]))

    @staticmethod
    def _checked(op: PutOp) -> dict[str, Any] | None:
        if not isinstance(op.key, str) or not _fits(*op.namespace, op.key):
            raise BadInput("A store key or namespace must be valid Unicode text without NUL.")
        if op.value is None:
            return None
        if not isinstance(op.value, Mapping):
            raise TypeError(f"a store value must be a mapping, not {type(op.value).__name__}")
        cleaned: dict[str, Any] = clean_json(op.value)
        return cleaned

    async def _rows(self, ops: Sequence[PutOp], keep_ttl: bool) -> tuple[list[Row], list[Exception]]:
        """The rows to write: all their texts embedded in one call; when that fails, one item at a time, so that others are not lost."""
        texts = [self._texts(op) for op in ops]
        flat = [t for found in texts for t in found.values()]
        try:
            vectors = iter(await self.vectors_of(flat)) if flat else iter(())
        except Exception as error:
            if len(ops) == 1:
                return [], [error]
            alone = [await self._rows([op], keep_ttl) for op in ops]
            return [r for rows, _ in alone for r in rows], [e for _, missed in alone for e in missed]
        rows = [
            Row(
                prefix=items.prefix_of(op.namespace), key=op.key, value=items.dumped(op.value or {}), ttl=None if op.ttl is None else float(op.ttl), keep_ttl=keep_ttl,
                vectors={name: next(vectors) for name in found},
            )
            for op, found in zip(ops, texts, strict=True)
        ]  # fmt: skip
        return rows, []

    def _texts(self, op: PutOp) -> dict[str, str]:
        """What of the item is indexed: field name → text."""
        if not self.index_config or op.index is False:
            return {}
        fields: Any = self.index_config["__tokenized_fields"] if op.index is None else [(f, tokenize_path(f)) for f in op.index]  # type: ignore[typeddict-item]
        found: dict[str, str] = {}
        for path, tokens in fields:
            texts = get_text_at_path(op.value, tokens)
            found.update({f"{path}.{i}" if len(texts) > 1 else path: t for i, t in enumerate(texts) if t and t.strip()})
        return found


def _within(count: float) -> int:
    """A limit or an offset that Postgres can count to."""
    return int(min(max(0, count), MOST))


def _is_fact(op: PutOp) -> bool:
    if len(op.namespace) != 2 or op.namespace[1] not in FACT_CATEGORIES:
        return False
    return op.value is None or any(isinstance(op.value.get(k), str) and op.value[k].strip() for k in (FIELD, "value"))


def _fits(*labels: str) -> bool:
    """Whether Postgres can hold these texts at all; what it cannot hold, it does not have."""
    return all(isinstance(x, str) and "\x00" not in x and (x.isascii() or well_formed(x) == x) for x in labels)
