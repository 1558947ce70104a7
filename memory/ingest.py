"""Episodes going into the store: turns that left a conversation, lines of a file, documents in chunks. In batches, idempotent by id.

What is known costs no embedding and no write. The embedding of one batch runs while the batch before it is written; no connection is held meanwhile.
"""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from typing import Any, Final

from langgraph.store.base import BaseStore

from memory import bulk, ledger
from memory.binary import halfvecs, sparsevec, texts
from memory.chunks import SIZE, chunks
from memory.clean import clean_text
from memory.embedder import Vectors
from memory.episode import Episode, default_id
from memory.errors import BadInput
from memory.guard import redacted
from memory.items import Cursor
from memory.namespace import user_id
from memory.record import fingerprint
from memory.searchable import asks, episode_terms, episode_text
from memory.store import MemoryStore
from memory.words import weights

BATCH: Final = 1000
LONGEST: Final = 100_000  # characters of one turn that are kept


@dataclass(slots=True)
class Ingested:
    """What came of an ingest: new episodes, known ones, and one sentence per bad line."""

    ingested: int = 0
    skipped: int = 0
    retired: int = 0
    errors: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        return {"ingested": self.ingested, "skipped": self.skipped, "retired": self.retired, "errors": self.errors}


@dataclass(frozen=True, slots=True)
class EpisodeRow:
    """An episode as two tables take it."""

    id: str
    episode: tuple[bytes, ...]
    vector: tuple[bytes, ...] | None


async def archive(store: BaseStore, user: object, episodes: Sequence[Episode]) -> int:
    """Keep these episodes of one user; the number that was new. Stores other than MemoryStore keep no episodes: 0."""
    if not isinstance(store, MemoryStore) or not episodes:
        return 0
    label, new = ledger.label_of(user), 0
    for start in range(0, len(episodes), BATCH):
        batch = {e.id: _clean(e) for e in episodes[start : start + BATCH]}
        fresh = await _unknown(store, label, list(batch.values()))
        new += await _write(store, label, fresh, await _embedded(store, fresh))
    return new


async def ingest(
    store: MemoryStore,
    lines: AsyncIterable[Mapping[str, Any]] | Iterable[Mapping[str, Any]],
    *,
    zone: tzinfo = UTC,
    now: datetime | None = None,
    progress: Callable[[int], None] | None = None,
) -> Ingested:
    """Archive lines {"user","id"?,"source"?,"session"?,"speaker"?,"role"?,"time"?,"text","caption"?} as episodes; a bad one is reported, the rest goes on.

    A naive time is in `zone`; a line without one gets `now`. Lines that have a source but no id, session or speaker are a document: see `document`.
    `progress` gets the number of lines dealt with so far.
    """
    result, now = Ingested(), now or datetime.now(zone)
    documents: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    waiting: list[tuple[str, Episode]] = []
    pending: asyncio.Task[None] | None = None
    places: dict[tuple[str, str], int] = {}
    at = 0
    async for line in _stream(lines):
        at += 1
        try:
            user, episode = _episode(line, zone, now)
        except BadInput as error:
            result.errors.append(f"line {at}: {error}")
            continue
        if episode.source and not any(line.get(k) for k in ("id", "session", "speaker")):
            documents.setdefault((user, episode.source), []).append({"text": episode.text, "time": episode.time})
            continue
        waiting.append((user, episode))
        if len(waiting) >= BATCH:
            pending = await _flush(store, waiting, places, result, pending)
            waiting = []
        if progress and at % 100 == 0:
            progress(at)
    pending = await _flush(store, waiting, places, result, pending)
    if pending:
        await pending
    for (user, source), parts in documents.items():
        done = await document(store, user, source, [p["text"] for p in parts], time=max(p["time"] for p in parts))
        result.ingested += done.ingested
        result.skipped += done.skipped
        result.retired += done.retired
    if progress:
        progress(at)
    return result


async def document(
    store: MemoryStore, user: object, source: str, parts: Sequence[str], *, time: datetime, session: str = "", role: str = "document"
) -> Ingested:
    """Keep a document as chunks. Known by MD5, it is not processed again; of a changed one only the new chunks are embedded, and vanished ones go."""
    label = ledger.label_of(user)
    md5 = hashlib.md5("\x1f".join(parts).encode("utf-8", "replace"), usedforsecurity=False).hexdigest()
    async with store.reading() as cur:
        await cur.execute("SELECT md5 FROM documents WHERE user_id = %s AND source = %s", (label, source))
        row = await cur.fetchone()
        await cur.execute("SELECT id FROM episodes WHERE user_id = %s AND source = %s", (label, source))
        known = {r["id"] for r in await cur.fetchall()}
    if row and row["md5"] == md5:
        return Ingested(skipped=len(known))
    seen: dict[str, int] = {}
    wanted: dict[str, Episode] = {}
    for text in (c for part in parts for c in (chunks(part) if len(part) > SIZE else [part])):
        cleaned = redacted(clean_text(text))
        if cleaned:
            seen[cleaned] = seen.get(cleaned, 0) + 1
            key = fingerprint(source, cleaned, str(seen[cleaned]))
            wanted[key] = Episode(
                id=key, user=user_id(user), text=cleaned, time=time, session=session or source, position=len(wanted), role=role, source=source
            )
    fresh = [e for e in wanted.values() if e.id not in known]
    rows = await prepared(store, label, fresh)
    gone = sorted(known - wanted.keys())
    async with store.writing(label) as cur:
        await cur.execute("DELETE FROM episodes WHERE user_id = %s AND id = ANY (%s)", (label, gone))
        await cur.execute(
            "UPDATE episodes e SET position = t.position FROM unnest(%s::text[], %s::int[]) AS t (id, position) "
            "WHERE e.user_id = %s AND e.id = t.id AND e.position <> t.position",
            ([e.id for e in wanted.values()], [e.position for e in wanted.values()], label),
        )
        await insert(cur, label, rows)
        await cur.execute(
            "INSERT INTO documents (user_id, source, md5) VALUES (%s, %s, %s) "
            "ON CONFLICT (user_id, source) DO UPDATE SET md5 = excluded.md5, recorded_at = CURRENT_TIMESTAMP",
            (label, source, md5),
        )
        await ledger.touch(cur, label)
    return Ingested(ingested=len(fresh), skipped=len(wanted) - len(fresh), retired=len(gone))


async def _stream(lines: AsyncIterable[Mapping[str, Any]] | Iterable[Mapping[str, Any]]) -> AsyncIterator[Mapping[str, Any]]:
    if isinstance(lines, AsyncIterable):
        async for line in lines:
            yield line
    else:
        for line in lines:
            yield line


def _episode(line: Mapping[str, Any], zone: tzinfo, now: datetime) -> tuple[str, Episode]:
    """(user, episode) of a line; BadInput says what is wrong with it."""
    if not isinstance(line, Mapping):
        raise BadInput("An ingested line must be a JSON object.")
    if isinstance(line.get("error"), str) and "text" not in line:
        raise BadInput(line["error"])
    user, text = user_id(line.get("user")), line.get("text")
    if not isinstance(text, str) or not (cleaned := clean_text(text)):
        raise BadInput("An ingested line needs a text that is not empty.")
    values = {
        k: "" if (v := line.get(k)) is None or v == "" else clean_text(str(v)) for k in ("id", "source", "session", "speaker", "role", "caption")
    }
    when, metadata = now, {k: v for k, v in line.items() if k not in {"id", "text"}}
    if line.get("time") is not None:
        try:
            when = datetime.fromisoformat(str(line["time"]))
        except ValueError:
            raise BadInput(f"The time {str(line['time'])[:40]!r} is not an ISO date or time.") from None
        when = when if when.tzinfo else when.replace(tzinfo=zone)
    return user, Episode(
        id=values["id"] or default_id(text, {k: json.dumps(v, ensure_ascii=False, sort_keys=True, default=str) for k, v in metadata.items()}),
        user=user, text=redacted(cleaned[:LONGEST]), time=when, session=values["session"], speaker=values["speaker"], role=values["role"] or "user",
        caption=values["caption"], source=values["source"],
    )  # fmt: skip


async def _flush(
    store: MemoryStore,
    waiting: Sequence[tuple[str, Episode]],
    places: dict[tuple[str, str], int],
    result: Ingested,
    pending: asyncio.Task[None] | None,
) -> asyncio.Task[None] | None:
    """Embed this batch while the one before it is written, then start to write this one."""
    by_user: dict[str, dict[str, Episode]] = {}
    for user, episode in waiting:
        known = by_user.setdefault(user, {})
        result.skipped += episode.id in known
        known.setdefault(episode.id, episode)
    ready: list[tuple[str, list[Episode], Sequence[Vectors]]] = []
    for user, episodes in by_user.items():
        label = ledger.label_of(user)
        if pending:  # its rows decide what is known and which places are taken
            await pending
            pending = None
        fresh = await _unknown(store, label, list(episodes.values()))
        result.skipped += len(episodes) - len(fresh)
        placed = await _placed(store, label, fresh, places)
        ready.append((label, placed, await _embedded(store, placed)))

    async def write() -> None:
        for label, episodes, vectors in ready:
            try:
                result.ingested += await _write(store, label, episodes, vectors)
            except BadInput as error:
                result.errors.append(str(error))

    if pending:
        await pending
    return asyncio.create_task(write()) if ready else None


async def _placed(store: MemoryStore, label: str, episodes: Sequence[Episode], places: dict[tuple[str, str], int]) -> list[Episode]:
    """Each episode with its place in its session, after those that are there."""
    if new := sorted({e.session for e in episodes if e.session and (label, e.session) not in places}):
        async with store.reading() as cur:
            await cur.execute(
                "SELECT session, max(position) AS last FROM episodes WHERE user_id = %s AND session = ANY (%s) GROUP BY session", (label, new)
            )
            places.update({(label, s): -1 for s in new})
            places.update({(label, r["session"]): r["last"] for r in await cur.fetchall()})
    out = []
    for e in episodes:
        if e.session:
            places[label, e.session] += 1
            e = replace(e, position=places[label, e.session])
        out.append(e)
    return out


async def _unknown(store: MemoryStore, label: str, episodes: Sequence[Episode]) -> list[Episode]:
    """Those whose id the user does not have yet."""
    async with store.reading() as cur:
        await cur.execute("SELECT id FROM episodes WHERE user_id = %s AND id = ANY (%s::text[])", (label, texts([e.id for e in episodes])))
        known = {r["id"] for r in await cur.fetchall()}
    return [e for e in episodes if e.id not in known]


def _clean(e: Episode) -> Episode:
    return replace(
        e, id=clean_text(e.id), text=redacted(clean_text(e.text)[:LONGEST]), caption=redacted(clean_text(e.caption)), speaker=clean_text(e.speaker), session=clean_text(e.session),
        source=clean_text(e.source), entities=tuple(clean_text(n) for n in e.entities),
    )  # fmt: skip


async def _embedded(store: MemoryStore, episodes: Sequence[Episode]) -> Sequence[Vectors]:
    return await store.vectors_of([episode_text(e) for e in episodes]) if store.embeddings else []


async def prepared(store: MemoryStore, label: str, episodes: Sequence[Episode]) -> list[EpisodeRow]:
    """Episodes embedded and packed for `insert`; no connection is held."""
    return await asyncio.to_thread(_rows, label, episodes, await _embedded(store, episodes)) if episodes else []


async def _write(store: MemoryStore, label: str, episodes: Sequence[Episode], vectors: Sequence[Vectors]) -> int:
    if not episodes:
        return 0
    rows = await asyncio.to_thread(_rows, label, episodes, vectors)
    async with store.writing(label) as cur:
        new = await insert(cur, label, rows)
        await ledger.touch(cur, label)
    return new


_COLUMNS: Final = (
    "user_id",
    "id",
    "session",
    "position",
    "speaker",
    "role",
    "text",
    "caption",
    "source",
    "entities",
    "importance",
    "time",
    "asks",
    "terms",
)


def _rows(label: str, episodes: Sequence[Episode], vectors: Sequence[Vectors]) -> list[EpisodeRow]:
    """EpisodeRow for COPY; the words of many texts take a while, so call it from a thread."""
    user = bulk.text(label)
    packed = halfvecs(vectors)
    return [
        EpisodeRow(
            e.id,
            (
                user, bulk.text(e.id), bulk.text(e.session), bulk.integer(e.position), bulk.text(e.speaker), bulk.text(e.role), bulk.text(e.text),
                bulk.text(e.caption), bulk.text(e.source), texts(e.entities), bulk.double(e.importance), bulk.timestamp(e.time), bulk.real(asks(e.text)), sparsevec(weights(episode_terms(e))),
            ),
            (user, bulk.text(e.id), packed[i]) if packed else None,
        )
        for i, e in enumerate(episodes)
    ]  # fmt: skip


async def insert(cur: Cursor, label: str, rows: Sequence[EpisodeRow]) -> int:
    """Episodes with their words and vectors; ids that are there already stay as they are. The user's lock is held."""
    await cur.execute("SELECT id FROM episodes WHERE user_id = %s AND id = ANY (%s::text[])", (label, texts([r.id for r in rows])))
    known = {r["id"] for r in await cur.fetchall()}
    new = [r for r in rows if r.id not in known]
    if new:
        await bulk.copy(cur, "episodes", _COLUMNS, [r.episode for r in new])
        await bulk.copy(cur, "episode_vectors", ("user_id", "key", "embedding"), [r.vector for r in new if r.vector])
    return len(new)
