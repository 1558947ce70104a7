"""Facts in the store: reading versions and the log, and the one transaction in which they change.

`Facts` is the part of `memory.store.MemoryStore` that deals with facts and users; the store gives it cursors and vectors.
"""

import asyncio
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from typing import Any, Final

from langgraph.store.base import PutOp

from memory import ledger
from memory.database import lost_midway, retried
from memory.embedder import Vectors
from memory.errors import BadInput, MemoryConflict, MemoryUnavailable
from memory.items import Cursor
from memory.ledger import Change, Origin
from memory.namespace import decode
from memory.raw import RawWrite
from memory.record import Memory, Status
from memory.revise import Op as Revise
from memory.revise import Revision

Decide = Callable[[Sequence[Memory]], Sequence[Revision]]

TRIES: Final = 3
SEEN_USERS: Final = 32  # whose versions are kept in memory, to be used while their version number stays the same


class Facts(ABC):
    """What the store can do with the facts of a user, and with users."""

    _seen: OrderedDict[str, tuple[int, list[Memory]]]
    embeddings: Any

    @abstractmethod
    def reading(self) -> AbstractAsyncContextManager[Cursor]:
        """A cursor for one or a few reads."""

    @abstractmethod
    def writing(self, user: str | None = None, wait: float | None = None) -> AbstractAsyncContextManager[Cursor]:
        """A cursor in a transaction; with a user's label, under that user's lock."""

    @abstractmethod
    async def vectors_of(self, texts: Sequence[str]) -> list[Vectors]:
        """Vectors of texts to be stored, in one call."""

    @retried
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

    @retried
    async def history(self, user: object, key: str) -> list[Memory]:
        """Every version of the fact that this version belongs to, in the order they were learned; empty when the user has no such key."""
        label = ledger.label_of(user)
        async with self.reading() as cur:
            found = await ledger.versions(cur, label, keys=[key])
            all_of_it = await ledger.versions(cur, label, fact=found[0].fact) if found else []
        return sorted(all_of_it, key=lambda m: m.recorded_at)  # stable: equal times keep the order of writes

    @retried
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
        need vectors; then under it, if those versions have changed. `vectors` are unit vectors of contents that are known already. With a `message` id, a candidate that this
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
        existing: list[Memory] | None = None
        revisions: Sequence[Revision] = ()
        tries = 0
        while True:
            try:
                if indexed and existing is None:
                    async with self.reading() as cur:
                        existing = await read(cur)
                    revisions = decide(existing)
                    await self._embed_new(revisions, existing, vectors)
                async with self.writing(label, wait) as cur:
                    if (now := await read(cur)) != existing:  # else what was decided without the lock stands
                        existing, revisions = now, decide(now)
                    outcome = await ledger.apply(
                        cur, label, revisions, origin=origin, existing=now, vectors=vectors if indexed else None, extras=extras
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

    async def put_facts(self, label: str, ops: Sequence[PutOp]) -> list[Exception]:
        """Raw puts and deletes in a user's categories: versions like any other, in one transaction; what failed.

        An earlier version under the same key stays as history under a new one. If a text cannot be embedded or written, each half is done for itself, so that only the bad ones fail.
        """
        now = datetime.now(UTC)
        raw = [RawWrite(op, now) for op in ops]

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
            half = len(ops) // 2
            return await self.put_facts(label, ops[:half]) + await self.put_facts(label, ops[half:])
        return []

    @retried
    async def users(self) -> list[str]:
        """Every user who has facts or episodes, in order."""
        async with self.reading() as cur:
            await cur.execute("SELECT user_id FROM memory_users ORDER BY user_id")
            return [decode(r["user_id"]) for r in await cur.fetchall()]

    @retried
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
