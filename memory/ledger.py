"""Versions of facts and the log of their changes, in Postgres: reading, and applying revisions inside a transaction that holds the user's lock.

A current fact is a row of the store under ``(user, category)`` as well as a version here; any other version is here only. Evidence, confidence and use
are kept apart (`memory_strength`), so that saying a known thing again rewrites neither value nor vector. Functions over a cursor; `memory.store` decides when.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from psycopg import errors, sql

from memory.binary import texts
from memory.embedder import Vectors
from memory.errors import MemoryConflict
from memory.items import Cursor, as_json
from memory.judge.judgement import Candidate
from memory.namespace import encode, user_id
from memory.record import Memory, Status, fingerprint
from memory.revise import Op, Revision
from memory.version_rows import strengthen, vectors_at_hand, write

HOLD_SECONDS: Final = 5.0  # a writer that goes silent inside its transaction loses the lock after this
_STRENGTH: Final = ("evidence", "confidence", "importance", "updated_at")


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One applied revision, as the log keeps it.

    `memory` and `closed` are the versions it wrote, as they stood after it; `previous` those that existed before it, as they stood then. `serial` orders
    changes of all users (0: nothing was written, op IGNORE). `replayed`: this message had said so already, and nothing was written now.
    """

    op: Op
    serial: int = 0
    memory: Memory | None = None
    closed: Memory | None = None
    previous: tuple[Memory, ...] = ()
    reason: str = ""
    thread: str | None = None
    message: str | None = None
    round: int | None = None
    at: datetime | None = None
    replayed: bool = False

    @property
    def key(self) -> str | None:
        """The key that `jizhu replay` reports: of the version written, else of the one closed."""
        version = self.memory or self.closed
        return version.key if version else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where revisions come from: the message's own id makes a replay harmless, thread and round let whole rounds be undone."""

    thread: str | None = None
    message: str | None = None
    round: int | None = None


@dataclass(slots=True)
class Outcome:
    """What a transaction did, or the texts whose vectors it would have needed."""

    changes: list[Change] = field(default_factory=list)
    missing: set[str] = field(default_factory=set)


def label_of(user: object) -> str:
    """The user's label as the tables keep it."""
    return encode(user_id(user))


async def lock(cur: Cursor, label: str, wait: float) -> None:
    """Take the user's lock until the transaction ends, waiting at most `wait` seconds (0: not at all). Raises MemoryConflict."""
    limits = f"{max(1, round(wait * 1000))}ms", f"{round(HOLD_SECONDS * 1000)}ms"
    how = "pg_advisory_xact_lock" if wait > 0 else "pg_try_advisory_xact_lock"
    try:
        await cur.execute(
            "SELECT set_config('lock_timeout', %s, true), set_config('idle_in_transaction_session_timeout', %s, true), "
            f"{how}(hashtextextended(%s, 1)) AS got",
            (*limits, label),
        )
    except errors.LockNotAvailable:
        raise MemoryConflict from None
    row = await cur.fetchone()
    if wait <= 0 and not (row and row["got"]):
        raise MemoryConflict


VERSION: Final = "v.record, t.evidence, t.confidence, t.importance, t.updated_at"
VERSIONS: Final = "memory_versions v LEFT JOIN memory_strength t USING (user_id, key)"


def memory_of(row: Mapping[str, Any]) -> Memory:
    """A version with what repetition has added to it: a row with the columns of VERSION."""
    return Memory.from_json({**row["record"], **{k: row[k] for k in _STRENGTH if row[k] is not None}})


async def versions(
    cur: Cursor,
    label: str,
    *,
    statuses: Collection[Status] | None = None,
    attributes: Collection[str] | None = None,
    keys: Collection[str] | None = None,
    fact: str | None = None,
) -> list[Memory]:
    """Versions in the order they were written. None means any."""
    query, params = f"SELECT {VERSION} FROM {VERSIONS} WHERE v.user_id = %s", list[Any]((label,))
    for column, wanted in (("status", statuses), ("attribute", attributes), ("key", keys)):
        if wanted is not None:
            query += f" AND v.{column} = ANY (%s::text[])"
            params.append(texts([str(w) for w in wanted]))
    if fact is not None:
        query += " AND v.fact = %s"
        params.append(fact)
    await cur.execute(query + " ORDER BY v.serial", params)
    return [memory_of(r) for r in await cur.fetchall()]


async def changes(
    cur: Cursor, label: str, *, thread: str | None = None, message: str | None = None, rounds: Collection[int] | None = None, limit: int | None = None
) -> list[Change]:
    """The log, latest first. `memory` and `closed` are shown as they are now; versions that were purged since are absent."""
    query, params = "SELECT * FROM memory_changes WHERE user_id = %s", list[Any]((label,))
    for column, wanted in (("thread", thread), ("message", message)):
        if wanted is not None:
            query += f" AND {column} = %s"
            params.append(wanted)
    if rounds is not None:
        query += " AND round = ANY (%s)"
        params.append(list(rounds))
    await cur.execute(query + " ORDER BY serial DESC LIMIT %s", [*params, limit])
    rows = await cur.fetchall()
    keys = {k for r in rows for k in (r["memory_key"], r["closed_key"], *r["before"]) if k}
    now = {m.key: m for m in await versions(cur, label, keys=keys)} if keys else {}
    return [
        Change(
            op=Op(r["op"]), serial=r["serial"], memory=now.get(r["memory_key"]), closed=now.get(r["closed_key"]), reason=r["reason"],
            previous=tuple(_earlier(now[k], old) for k, old in r["before"].items() if k in now),
            thread=r["thread"], message=r["message"], round=r["round"], at=r["at"],
        )
        for r in rows
    ]  # fmt: skip


async def apply(
    cur: Cursor,
    label: str,
    revisions: Sequence[Revision],
    *,
    origin: Origin,
    existing: Sequence[Memory],
    vectors: Mapping[str, Vectors] | None,
    extras: Mapping[str, Mapping[str, Any]] | None = None,
) -> Outcome:
    """Write these revisions. The user's lock is held, and `existing` was read under it.

    `vectors` maps contents to vectors; None when the store has no index. If a vector is missing, nothing is written and the outcome says which.
    `extras` are, by key, fields beside a memory's own that its store row and record keep (a raw put may bring some).
    """
    outcome = Outcome()
    known = {m.key: m for m in existing}
    seen = await _said_before(cur, label, origin.message)
    marks = [_mark(r.candidate) for r in revisions]
    written: dict[str, Memory] = {}
    for revision, mark in zip(revisions, marks, strict=True):
        if mark in seen:
            outcome.changes.append(Change(op=revision.op, memory=revision.memory, closed=revision.closed, reason=revision.reason, replayed=True))
        elif revision.op is Op.IGNORE:
            outcome.changes.append(Change(op=Op.IGNORE, memory=revision.memory, reason=revision.reason))
        else:
            touched = [m for m in (revision.closed, revision.memory) if m is not None]
            previous = tuple(old for m in touched if (old := written.get(m.key) or known.get(m.key)) is not None)
            written.update({m.key: m for m in touched})
            outcome.changes.append(
                Change(
                    op=revision.op, memory=revision.memory, closed=revision.closed, previous=previous, reason=revision.reason,
                    thread=origin.thread, message=origin.message, round=origin.round, at=max((m.updated_at for m in touched), default=None),
                )
            )  # fmt: skip
    weak = {k: m for k, m in written.items() if k in known and _only_strength(known[k], m)}
    full = {k: m for k, m in written.items() if k not in weak and m != known.get(k)}
    made: dict[str, Vectors] = {}
    if vectors is not None:
        contents = {m.content for m in full.values()}
        here = await vectors_at_hand(cur, label, contents - vectors.keys(), existing)
        outcome.missing = contents - vectors.keys() - here.keys()
        if outcome.missing:
            return outcome
        made = {k: here[m.content] if m.content in here else vectors[m.content] for k, m in full.items()}
    if not written:
        return outcome
    await write(cur, label, full, known, made, extras or {})
    await strengthen(cur, label, weak.values())
    outcome.changes = await _log(cur, label, outcome.changes, marks)
    await touch(cur, label)
    return outcome


async def version_of(cur: Cursor, label: str) -> int:
    """The user's version number; 0 for one without memories."""
    await cur.execute("SELECT version FROM memory_users WHERE user_id = %s", (label,))
    row = await cur.fetchone()
    return int(row["version"]) if row else 0


async def touch(cur: Cursor, label: str) -> None:
    """A new version number for the user: every cache of his is stale. It is taken from the clock, so that no number comes again: not for a user who was
    erased and comes back, nor where a crash or a standby that takes over has lost the last writes."""
    await cur.execute(
        "INSERT INTO memory_users AS u (user_id, version) VALUES (%s, extract(epoch FROM clock_timestamp()) * 1000000) "
        "ON CONFLICT (user_id) DO UPDATE SET version = greatest(u.version + 1, excluded.version)",
        (label,),
    )


async def used(cur: Cursor, label: str, keys: Sequence[str], at: datetime) -> None:
    """Count that these memories served a reply."""
    await cur.execute(
        "INSERT INTO memory_strength AS t (user_id, key, uses, used_at) SELECT v.user_id, v.key, 1, %s FROM memory_versions v "
        "WHERE v.user_id = %s AND v.key = ANY (%s) ON CONFLICT (user_id, key) DO UPDATE SET uses = t.uses + 1, used_at = excluded.used_at",
        (at, label, list(keys)),
    )


async def purge(cur: Cursor, label: str, keys: Sequence[str]) -> int:
    """Remove versions for good: text, vector, store row and every mention in the log. The number of versions removed."""
    await cur.execute("DELETE FROM store WHERE prefix >= %s AND prefix < %s AND key = ANY (%s)", (label + ".", label + "/", list(keys)))
    await cur.execute(
        "DELETE FROM memory_changes WHERE user_id = %s AND (memory_key = ANY (%s) OR closed_key = ANY (%s) OR before ?| %s)",
        (label, list(keys), list(keys), list(keys)),
    )
    await cur.execute("DELETE FROM memory_versions WHERE user_id = %s AND key = ANY (%s)", (label, list(keys)))
    removed = cur.rowcount
    await touch(cur, label)
    return removed


async def has_threads(cur: Cursor) -> bool:
    """Whether the database holds threads."""
    await cur.execute("SELECT to_regclass('checkpoints') IS NOT NULL AS there")
    found = await cur.fetchone()
    return bool(found and found["there"])


async def threads_of(cur: Cursor, label: str) -> list[str]:
    """The stored ids of the user's threads that a server named by itself; whose they are stands in their state."""
    await cur.execute("SELECT DISTINCT thread_id FROM checkpoints WHERE checkpoint->'channel_values'->>'user' = %s", (label,))
    return [r["thread_id"] for r in await cur.fetchall()]


async def erase(cur: Cursor, label: str) -> None:
    """No row of this user stays in any table: the stock ones, and every table of the schema that has a ``user_id``."""
    await cur.execute("DELETE FROM store WHERE prefix = %s OR (prefix >= %s AND prefix < %s)", (label, label + ".", label + "/"))
    await cur.execute(
        "SELECT table_name AS t, to_regclass(quote_ident(table_name)) IS NOT NULL AS visible FROM information_schema.columns "
        "WHERE column_name = 'user_id' AND table_schema = current_schema() ORDER BY table_name"
    )
    for row in await cur.fetchall():
        if row["visible"]:
            await cur.execute(sql.SQL("DELETE FROM {} WHERE user_id = %s").format(sql.Identifier(row["t"])), (label,))
    if not await has_threads(cur):
        return
    theirs = await threads_of(cur, label)
    for table in ("checkpoints", "checkpoint_blobs", "checkpoint_writes"):
        gone = sql.SQL("DELETE FROM {} WHERE starts_with(thread_id, %s) OR thread_id = ANY (%s)").format(sql.Identifier(table))
        await cur.execute(gone, (label + ":", theirs))


# --- the parts of apply


def _mark(candidate: Candidate) -> str:
    """What makes two candidates of one message the same."""
    return fingerprint(candidate.owner, candidate.attribute, candidate.value, candidate.stance.value, candidate.replaces or "")


async def _said_before(cur: Cursor, label: str, message: str | None) -> set[str]:
    if message is None:
        return set()
    await cur.execute("SELECT fingerprint FROM memory_changes WHERE user_id = %s AND message = %s", (label, message))
    return {r["fingerprint"] for r in await cur.fetchall()}


def _only_strength(old: Memory, new: Memory) -> bool:
    return old != new and old == new.evolve(**{k: getattr(old, k) for k in _STRENGTH})


def _difference(old: Memory, new: Memory) -> dict[str, Any]:
    """The fields of `old` that `new` changed, with their old values (null: absent)."""
    before, after = old.as_json(), new.as_json()
    return {k: before.get(k) for k in {*before, *after} if before.get(k) != after.get(k)}


def _earlier(now: Memory, old: Mapping[str, Any]) -> Memory:
    """`now` with the old values put back."""
    return Memory.from_json({**now.as_json(), **old})


async def _log(cur: Cursor, label: str, changes: Sequence[Change], marks: Sequence[str]) -> list[Change]:
    """Record what was applied; the changes with their serials."""
    real = [i for i, c in enumerate(changes) if c.at is not None]
    await cur.execute(
        "INSERT INTO memory_changes (user_id, op, thread, message, round, fingerprint, memory_key, closed_key, before, reason, at) "
        "SELECT %s, op, thread, message, round, fingerprint, memory_key, closed_key, before, reason, at FROM jsonb_to_recordset(%s::jsonb) "
        "AS t (nth int, op text, thread text, message text, round bigint, fingerprint text, memory_key text, closed_key text, before jsonb, "
        "reason text, at timestamptz) ORDER BY nth RETURNING serial",
        (label, as_json([_entry(i, changes[i], marks[i]) for i in real])),
    )
    serials = sorted(r["serial"] for r in await cur.fetchall())
    numbered = list(changes)
    for i, serial in zip(real, serials, strict=True):
        numbered[i] = replace(changes[i], serial=serial)
    return numbered


def _entry(nth: int, change: Change, mark: str) -> dict[str, Any]:
    """A row of the log."""
    after = {m.key: m for m in (change.closed, change.memory) if m is not None}
    return {
        "nth": nth, "op": change.op.value, "thread": change.thread, "message": change.message, "round": change.round, "fingerprint": mark,
        "memory_key": change.memory.key if change.memory else None, "closed_key": change.closed.key if change.closed else None,
        "before": {m.key: _difference(m, after[m.key]) for m in change.previous}, "reason": change.reason,
        "at": change.at.isoformat() if change.at else None,
    }  # fmt: skip
