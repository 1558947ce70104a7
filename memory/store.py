"""The store: langgraph's AsyncPostgresStore as callers know it, on the same tables, with its faults mended; and the one way facts are written.

What differs from the stock class, and why, is listed in ``tests/test_store_contract.py``. The essentials: every operation runs at once on a connection of
its own (no queue, nothing held while embedding), search is exact within its namespace, an expired item is gone, reads do not write, a bad value fails alone.

Items under ``(user, category)``, with a category of facts and a value that has ``content`` or ``value``, are facts: a raw `aput` or `adelete` there makes
a version like any other write.
"""

import asyncio
import uuid
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from datetime import UTC, datetime
from itertools import groupby
from typing import Any, Final, Literal

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
from memory.clean import clean_json, clean_text
from memory.database import in_words, lost_midway
from memory.embedder import Embedder, Vectors, unit
from memory.errors import BadInput, MemoryConflict, MemoryUnavailable
from memory.items import Cursor, Row
from memory.judge.judgement import Candidate
from memory.ledger import FIELD, Change, Origin
from memory.migrate import fit, migrate
from memory.namespace import decode
from memory.record import CATEGORIES, Memory, Source, Status
from memory.revise import Op as Revise
from memory.revise import Revision

Decide = Callable[[Sequence[Memory]], Sequence[Revision]]

CHUNK: Final = 500  # items per statement
BULK: Final = 1000  # items in one call after which the tables are vacuumed at once instead of when autovacuum gets to it
TRIES: Final = 3
REPLICA_SECONDS: Final = 0.5  # a replica that gives no connection within this is passed over
SEEN_USERS: Final = 32  # whose versions are kept in memory, to be used while their version number stays the same
FACT_CATEGORIES: Final = frozenset(CATEGORIES.values())


class MemoryStore(AsyncPostgresStore):
    """Items, facts and their versions of every user. Constructor arguments are those of AsyncPostgresStore; `lock_wait` is in seconds, `replica` a
    pool on a read replica, where recall looks first."""

    def __init__(self, conn: Any, *, lock_wait: float = 5.0, replica: AsyncConnectionPool[Any] | None = None, **stock: Any) -> None:
        super().__init__(conn, **stock)
        self.replica = replica
        self.lock_wait = lock_wait
        self._seen: OrderedDict[str, tuple[int, list[Memory]]] = OrderedDict()

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
        async with self.connection() as conn, conn.transaction(), conn.cursor(row_factory=dict_row) as cur:
            if user is not None:
                await ledger.lock(cur, user, self.lock_wait if wait is None else wait)
            yield cur

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

    async def _gets(self, ops: Sequence[GetOp]) -> list[Item | None]:
        for op in ops:
            validate_op_namespace(op)
        wanted = [(items.prefix_of(op.namespace), op.key) for op in ops]
        async with self.reading() as cur:
            rows = await items.get(cur, sorted({w for w in wanted if _fits(*w)}))
        await self._refresh(rows[w] for op, w in zip(ops, wanted, strict=True) if op.refresh_ttl and w in rows)
        return [items.as_item(rows[w]) if w in rows else None for w in wanted]

    async def _search(self, op: SearchOp) -> list[SearchItem]:
        validate_op_namespace(op)
        if not _fits(*op.namespace_prefix):
            return []
        vector = await self.query_vector(op.query) if op.query and self.embeddings else None
        distance = (self.index_config or {}).get("distance_type", "cosine")
        limit, offset = max(0, op.limit), max(0, op.offset)
        async with self.reading() as cur:
            if vector is None:
                rows = await items.newest(cur, op.namespace_prefix, op.filter, limit, offset)
            else:
                rows = await items.nearest(cur, op.namespace_prefix, vector, op.filter, limit, offset, distance)
        if op.refresh_ttl:
            await self._refresh(rows)
        return [items.as_search_item(r) for r in rows]

    async def _refresh(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Start the time to live of what was read anew: only items that have one cost a write."""
        living = sorted({(r["prefix"], r["key"]) for r in rows if r["ttl_minutes"] is not None})
        if living:
            async with self.writing() as cur:
                await items.refresh(cur, living)

    async def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        validate_op_namespace(op)
        async with self.reading() as cur:
            return await items.namespaces(cur, op.match_conditions or (), op.max_depth, max(0, op.limit), max(0, op.offset))

    async def query_vector(self, query: str) -> Vectors:
        if isinstance(self.embeddings, Embedder):
            return await self.embeddings.aquery(query)
        assert self.embeddings is not None
        vector: Vectors = self._scaled([await self.embeddings.aembed_query(query)])[0]
        return vector

    async def vectors_of(self, texts: Sequence[str]) -> list[Vectors]:
        """Vectors of texts to be stored, in one call. No connection is held."""
        if not texts or self.embeddings is None:
            return []
        if isinstance(self.embeddings, Embedder):
            return list(await self.embeddings.aembed(texts))
        return list(self._scaled(await self.embeddings.aembed_documents(list(texts))))

    def _scaled(self, vectors: Sequence[Sequence[float]]) -> Vectors:
        import numpy as np

        found: Vectors = np.asarray(vectors, np.float32)
        if (self.index_config or {}).get("distance_type", "cosine") == "cosine":
            found = unit(found)
        return found

    # --- writes of items

    async def _puts(self, ops: Sequence[PutOp], *, keep_ttl: bool = False) -> None:
        """Puts and deletes; the last of several for one key counts. Raises an ExceptionGroup of what failed when there are several."""
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
                await self._write_rows(rows[start : start + CHUNK], failed)
            if len(rows) >= BULK:
                await self.tidy("store_vectors", "store")
        except Exception as error:
            failed.append(error)
        for label, own in groupby(sorted(facts, key=lambda op: op.namespace[0]), key=lambda op: op.namespace[0]):
            chosen = list(own)
            for start in range(0, len(chosen), CHUNK):
                failed += await self._put_facts(label, chosen[start : start + CHUNK])
        if len(failed) == 1:
            raise failed[0]
        if failed:
            raise ExceptionGroup("some operations failed", failed)

    async def _write_rows(self, rows: Sequence[Row], failed: list[Exception]) -> None:
        """Write a chunk; if Postgres refuses a value in it, each row for itself, so that only the bad ones fail."""
        try:
            async with self.writing() as cur:
                await items.put(cur, rows)
        except (psycopg.DataError, psycopg.errors.ProgramLimitExceeded) as error:
            if len(rows) == 1:
                failed.append(BadInput(f"The item {rows[0].key!r} cannot be stored: {error.diag.message_primary or error}."))
                return
            for row in rows:
                await self._write_rows([row], failed)

    async def tidy(self, *tables: str) -> None:
        """Vacuum and analyse after a bulk load, so that searches are index-only from the first on. Skipped where it is not allowed or somebody does it."""
        async with self.connection() as conn:
            if conn.autocommit:
                with suppress(psycopg.errors.InsufficientPrivilege, psycopg.errors.ActiveSqlTransaction):
                    for table in tables:
                        await conn.execute(sql.SQL("VACUUM (ANALYZE, SKIP_LOCKED, INDEX_CLEANUP OFF, TRUNCATE OFF) {}").format(sql.Identifier(table)))

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
                prefix=items.prefix_of(op.namespace), key=op.key, value=op.value or {}, ttl=op.ttl, keep_ttl=keep_ttl,
                vectors={name: items.literal(next(vectors)) for name in found},
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

    # --- facts

    async def versions(
        self,
        user: object,
        *,
        statuses: Collection[Status] | None = None,
        attributes: Collection[str] | None = None,
        keys: Collection[str] | None = None,
    ) -> list[Memory]:
        """The user's versions of facts, oldest write first; by default all of them."""
        label = ledger.label_of(user)
        async with self.reading() as cur:
            if keys is not None:
                return await ledger.versions(cur, label, statuses=statuses, attributes=attributes, keys=keys)
            found = await self._versions(cur, label)
        return [m for m in found if (statuses is None or m.status in statuses) and (attributes is None or m.attribute in attributes)]

    async def _versions(self, cur: Cursor, label: str) -> list[Memory]:
        """All versions of a user: those read before, if nobody has written since."""
        now = await ledger.version_of(cur, label)
        seen = self._seen.get(label)
        if seen is not None and seen[0] == now != 0:
            self._seen.move_to_end(label)
            return seen[1]
        # the number was read first: if a write comes between, what is kept is newer than its number, and is read again the next time
        found = await ledger.versions(cur, label)
        self._seen[label] = (now, found)
        while len(self._seen) > SEEN_USERS:
            self._seen.popitem(last=False)
        return found

    async def history(self, user: object, key: str) -> list[Memory]:
        """Every version of the fact that this version belongs to, in the order they were learned; empty when the user has no such key."""
        label = ledger.label_of(user)
        async with self.reading() as cur:
            found = await ledger.versions(cur, label, keys=[key])
            all_of_it = await ledger.versions(cur, label, fact=found[0].fact) if found else []
        return sorted(all_of_it, key=lambda m: m.recorded_at)  # stable: equal times keep the order of writes

    async def changes(
        self,
        user: object,
        *,
        thread: str | None = None,
        message: str | None = None,
        rounds: Collection[int] | None = None,
        limit: int | None = None,
    ) -> list[Change]:
        """The log of the user's changes, latest first."""
        async with self.reading() as cur:
            return await ledger.changes(cur, ledger.label_of(user), thread=thread, message=message, rounds=rounds, limit=limit)

    async def commit(
        self,
        user: object,
        decide: Decide,
        *,
        attributes: Collection[str] | None = None,
        thread: str | None = None,
        message: str | None = None,
        round: int | None = None,
        vectors: Mapping[str, Vectors] | None = None,
        wait: float | None = None,
    ) -> list[Change]:
        """Read the user's versions, let `decide` (pure) say what changes, and write that in one small transaction under the user's lock.

        `decide` gets the versions of these attributes (None: all), and may be called more than once: first without the lock, to learn which contents
        need vectors; then under it. `vectors` are unit vectors of contents that are known already. With a `message` id, a candidate that this
        message has brought before changes nothing (its Change is `replayed`). Changes come in the order of the revisions. `wait` overrides `lock_wait`.

        Raises MemoryConflict when the lock cannot be had in time; then nothing is written.
        """
        label, origin = ledger.label_of(user), Origin(thread=thread, message=message, round=round)

        async def read(cur: Cursor) -> list[Memory]:
            found = await self._versions(cur, label)
            return [m for m in found if attributes is None or m.attribute in attributes]

        return await self._commit(label, decide, read, origin, dict(vectors or {}), wait)

    async def _commit(
        self,
        label: str,
        decide: Decide,
        read: Callable[[Cursor], Awaitable[list[Memory]]],
        origin: Origin,
        vectors: dict[str, Vectors],
        wait: float | None = None,
        extras: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> list[Change]:
        indexed = self.embeddings is not None
        if indexed:
            async with self.reading() as cur:
                existing = await read(cur)
            await self._embed_new(decide(existing), existing, vectors)
        tries = 0
        while True:
            try:
                async with self.writing(label, wait) as cur:
                    existing = await read(cur)
                    outcome = await ledger.apply(
                        cur, label, decide(existing), origin=origin, existing=existing, vectors=vectors if indexed else None, extras=extras
                    )
            except MemoryUnavailable as error:
                tries += 1
                if tries >= TRIES or not lost_midway(error):
                    raise
                await asyncio.sleep(0.05 * tries)
                continue
            if not outcome.missing:
                return outcome.changes
            wanted = sorted(outcome.missing)
            vectors.update(zip(wanted, await self.vectors_of(wanted), strict=True))

    async def _embed_new(self, revisions: Sequence[Revision], existing: Sequence[Memory], vectors: dict[str, Vectors]) -> None:
        known = {m.content for m in existing}
        fresh = {m.content for r in revisions for m in (r.memory, r.closed) if m is not None and r.op is not Revise.IGNORE}
        if wanted := sorted(fresh - known - vectors.keys()):
            vectors.update(zip(wanted, await self.vectors_of(wanted), strict=True))

    async def _put_facts(self, label: str, ops: Sequence[PutOp]) -> list[Exception]:
        """Raw puts and deletes in a user's categories: versions like any other, in one transaction; what failed.

        An earlier version under the same key stays as history under a new one. If a text cannot be embedded, each operation is done for itself.
        """
        now = datetime.now(UTC)
        raw = [_Raw(op, now) for op in ops]

        def decide(existing: Sequence[Memory]) -> list[Revision]:
            known = {m.key: m for m in existing}
            for op in ops:
                if (other := known.get(op.key)) is not None and other.category != op.namespace[1]:
                    raise BadInput(f"The key {op.key!r} names a memory of this user under {other.category} already: choose another key.")
            return [r for one in raw for r in one.revise(known.get(one.op.key))]

        async def read(cur: Cursor) -> list[Memory]:
            return await ledger.versions(cur, label, keys=[op.key for op in ops])

        try:
            await self._commit(label, decide, read, Origin(), {}, extras={one.op.key: one.extras for one in raw})
        except Exception as error:
            if len(ops) == 1 or isinstance(error, (MemoryConflict, MemoryUnavailable)):
                return [error] * len(ops)
            return [e for op in ops for e in await self._put_facts(label, [op])]
        return []

    # --- users

    async def users(self) -> list[str]:
        """Every user who has facts or episodes, in order."""
        async with self.reading() as cur:
            await cur.execute("SELECT user_id FROM memory_users ORDER BY user_id")
            return [decode(r["user_id"]) for r in await cur.fetchall()]

    async def version(self, user: object) -> int:
        """A number that grows with every write of the user's memories, by whichever process; 0 for a user without any."""
        async with self.reading() as cur:
            return await ledger.version_of(cur, ledger.label_of(user))

    async def used(self, user: object, keys: Sequence[str], at: datetime) -> None:
        """Count that these memories served a reply: one small update, which leaves caches valid."""
        if keys:
            async with self.writing() as cur:
                await ledger.used(cur, ledger.label_of(user), keys, at)

    async def purge(self, user: object, keys: Sequence[str]) -> int:
        """Remove these versions for good, with their vectors and every mention in the log; how many there were."""
        label = ledger.label_of(user)
        self._seen.pop(label, None)
        async with self.writing(label) as cur:
            return await ledger.purge(cur, label, keys)

    async def erase(self, user: object) -> None:
        """Remove the user whole, from every table: facts, history, episodes, vectors, items, checkpoints."""
        label = ledger.label_of(user)
        async with self.writing(label) as cur:
            await ledger.erase(cur, label)
        self._seen.pop(label, None)


class _Raw:
    """A raw put or delete under ``(user, category)``, read as a statement about the user."""

    def __init__(self, op: PutOp, now: datetime) -> None:
        self.op, self.now = op, now
        value = dict(op.value or {})
        category = op.namespace[1]
        attribute = str(value.get("attribute") or "")
        if CATEGORIES.get(attribute) != category:
            attribute = next((a for a, c in CATEGORIES.items() if c == category == a), "other")
        self.text = clean_text(str(value.get("value") or value.get("content") or ""))
        self.content = clean_text(str(value.get("content") or self.text))
        self.attribute = attribute
        self.extras = {k: v for k, v in value.items() if k not in Memory.__dataclass_fields__}
        self.candidate = Candidate(attribute=attribute, value=self.text, content=self.content)

    def revise(self, old: Memory | None) -> list[Revision]:
        if self.op.value is None:
            if old is None or old.status is not Status.ACTIVE:
                return []
            closed = old.evolve(status=Status.ARCHIVED, valid_to=self.now, updated_at=self.now, reason="deleted through the store")
            return [Revision(op=Revise.RETIRE, candidate=self.candidate, reason=closed.reason, closed=closed)]
        same = old is not None and (old.content, old.attribute) == (self.content, self.attribute)
        if old is not None and same and old.status is Status.ACTIVE and not self.extras:
            again = old.evolve(evidence=old.evidence + 1, updated_at=self.now)
            return [Revision(op=Revise.STRENGTHEN, candidate=self.candidate, reason="said again", memory=again)]
        memory = Memory(
            key=self.op.key, fact=old.fact if old else uuid.uuid4().hex, user=decode(self.op.namespace[0]), category=self.op.namespace[1],
            attribute=self.attribute, value=self.text, content=self.content, recorded_at=self.now, updated_at=self.now, valid_from=self.now,
            source=Source(channel="operator"), reason="written through the store",
        )  # fmt: skip
        if old is None:
            return [Revision(op=Revise.ADD, candidate=self.candidate, reason=memory.reason, memory=memory)]
        closed = old.evolve(key=uuid.uuid4().hex, status=Status.SUPERSEDED, valid_to=old.valid_to or self.now, updated_at=self.now)
        return [Revision(op=Revise.SUPERSEDE, candidate=self.candidate, reason=memory.reason, memory=memory, closed=closed)]


def _is_fact(op: PutOp) -> bool:
    if len(op.namespace) != 2 or op.namespace[1] not in FACT_CATEGORIES:
        return False
    return op.value is None or any(isinstance(op.value.get(k), str) and op.value[k].strip() for k in (FIELD, "value"))


def _fits(*labels: str) -> bool:
    """Whether Postgres can hold these texts at all; what it cannot hold, it does not have."""
    return all(isinstance(x, str) and "\x00" not in x and x.encode("utf-8", "replace") == x.encode("utf-8", "surrogatepass") for x in labels)
