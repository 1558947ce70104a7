"""Episodes going into the store: turns that left a conversation, lines of a file, documents in chunks. In batches, idempotent by id.

What is known costs no embedding and no write. The embedding of one batch runs while the batch before it is written; no connection is held meanwhile.
"""

import asyncio
import json
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from typing import Any, Final

from langgraph.store.base import BaseStore

from memory import ledger
from memory.binary import texts
from memory.clean import clean_text, well_formed
from memory.documents import document
from memory.episode import DOCUMENT, ROLES, Episode, Ingested, default_id
from memory.episode_rows import EpisodeRow, insert, prepared
from memory.errors import BadInput, MemoryConflict
from memory.guard import redacted
from memory.instants import instant
from memory.namespace import MAX_BYTES, identifier, user_id
from memory.record import fingerprint
from memory.store import MemoryStore

BATCH: Final = 1000
LONGEST: Final = 100_000  # characters of one turn that are kept
_SAME: Final = {"human": "user", "ai": "assistant"}


async def archive(store: BaseStore, user: object, episodes: Sequence[Episode]) -> int:
    """Keep these episodes of one user; the number that was new. Stores other than MemoryStore keep no episodes: 0."""
    if not isinstance(store, MemoryStore) or not episodes:
        return 0
    label, new = ledger.label_of(user), 0
    for start in range(0, len(episodes), BATCH):
        batch = {e.id: e for e in map(_clean, episodes[start : start + BATCH])}
        fresh = await _unknown(store, label, list(batch.values()))
        new += await _write(store, label, await prepared(store, label, fresh))
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

    A naive time is in `zone`; a line without one gets `now`. Lines that have a source but no id, session or speaker are a document, which is what all of
    them say together: chunks that it had before go, unless a line that may belong to it was bad. A user whose lock cannot be had costs only his lines.
    `progress` gets the number of lines dealt with so far.
    """
    result, now = Ingested(), now or datetime.now(zone)
    documents: dict[tuple[str, str], list[Line]] = {}
    bad: set[tuple[str | None, str | None]] = set()
    waiting: list[tuple[int, Line]] = []
    pending: asyncio.Task[None] | None = None
    at = 0
    try:
        async for given in _stream(lines):
            at += 1
            try:
                line = read_line(given, zone, now)
            except BadInput as error:
                result.errors.append(f"line {at}: {error}")
                bad |= _belongs(given)
                continue
            if line.chunk:
                documents.setdefault((line.user, line.source), []).append(line)
                continue
            result.cut += len(line.text) > LONGEST
            waiting.append((at, line))
            if len(waiting) >= BATCH:
                pending = await _flush(store, waiting, result, pending)
                waiting = []
            if progress and at % 100 == 0:
                progress(at)
        pending = await _flush(store, waiting, result, pending)
        if pending:
            await pending
    finally:
        if pending and not pending.done():  # what has begun is not left half done behind an error
            await asyncio.wait([pending])
    for (user, source), parts in documents.items():
        whole = not bad & {(None, None), (None, source), (user, source)}
        try:
            result.add(await document(store, user, source, [p.text for p in parts], time=max(p.time for p in parts), whole=whole))
        except (BadInput, MemoryConflict) as error:
            result.errors.append(f"{' '.join(source.split())}: {error}")
    if progress:
        progress(at)
    return result


async def _stream(lines: AsyncIterable[Mapping[str, Any]] | Iterable[Mapping[str, Any]]) -> AsyncIterator[Mapping[str, Any]]:
    if isinstance(lines, AsyncIterable):
        async for line in lines:
            yield line
    else:
        for line in lines:
            yield line


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """An ingested line, checked. `chunk`: it is a part of a document, and may be empty."""

    user: str
    id: str
    text: str
    time: datetime
    session: str
    speaker: str
    role: str
    caption: str
    source: str
    chunk: bool

    def episode(self) -> Episode:
        return Episode(
            id=self.id, user=self.user, text=redacted(self.text[:LONGEST]), time=self.time, session=self.session, speaker=self.speaker, role=self.role,
            caption=self.caption, source=self.source,
        )  # fmt: skip


def read_line(line: Mapping[str, Any], zone: tzinfo, now: datetime) -> Line:
    """The line as it is meant; BadInput says what is wrong with it."""
    if not isinstance(line, Mapping):
        raise BadInput("An ingested line must be a JSON object.")
    if isinstance(line.get("error"), str) and "text" not in line:
        raise BadInput(line["error"])
    user, text = user_id(line.get("user")), line.get("text")
    chunk = _is_chunk(line)
    if not isinstance(text, str):
        raise BadInput("An ingested line needs a text.")
    cleaned = clean_text(text)
    if not cleaned and not chunk:
        raise BadInput("An ingested line needs a text that is not empty.")
    id, source, session = (identifier(line[k], f'"{k}"') if _has(line, k) else "" for k in ("id", "source", "session"))
    speaker, caption = (_spoken(line[k], k) if _has(line, k) else "" for k in ("speaker", "caption"))
    metadata = {k: json.dumps(v, ensure_ascii=False, sort_keys=True, default=str) for k, v in line.items() if k not in {"id", "text"}}
    return Line(
        user=user, id=id or default_id(text, metadata), text=cleaned, time=instant(line["time"], zone) if line.get("time") is not None else now,
        session=session, speaker=speaker, role=_role(line, chunk), caption=caption, source=source, chunk=chunk,
    )  # fmt: skip


def _has(line: Mapping[str, Any], name: str) -> bool:
    """Whether the line says this; null and "" say nothing, 0 does."""
    return line.get(name) not in (None, "")


def _is_chunk(line: Mapping[str, Any]) -> bool:
    return _has(line, "source") and not any(_has(line, k) for k in ("id", "session", "speaker"))


def _spoken(value: object, name: str) -> str:
    """A name or a description, on one line."""
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise BadInput(f'"{name}" must be a string.')
    return redacted(" ".join(clean_text(str(value)).split()))


def _role(line: Mapping[str, Any], chunk: bool) -> str:
    value = line.get("role") or "user"
    role = _SAME.get(value, value) if isinstance(value, str) else ""
    if role not in ROLES and not (chunk and role == DOCUMENT):
        raise BadInput(f'"role" must be one of {", ".join(sorted(ROLES))}.')
    return role


def _belongs(line: object) -> set[tuple[str | None, str | None]]:
    """The document that a bad line may be a part of, as (user, source); None is any."""
    if not isinstance(line, Mapping) or "error" in line:
        return {(None, None)}
    if not _is_chunk(line):
        return set()
    try:
        source = identifier(line["source"], "A source")
    except BadInput:
        return set()  # no document is called this
    try:
        return {(user_id(line.get("user")), source)}
    except BadInput:
        return {(None, source)}


async def _flush(
    store: MemoryStore, waiting: Sequence[tuple[int, Line]], result: Ingested, pending: asyncio.Task[None] | None
) -> asyncio.Task[None] | None:
    """Embed this batch while the one before it is written, then start to write this one."""
    by_user: dict[str, dict[str, tuple[int, Line]]] = {}
    for at, line in waiting:
        known = by_user.setdefault(line.user, {})
        result.skipped += line.id in known
        known.setdefault(line.id, (at, line))
    ready: list[tuple[str, list[EpisodeRow], dict[str, tuple[int, Line]]]] = []
    for user, lines in by_user.items():
        label = ledger.label_of(user)
        fresh = await _unknown(store, label, [line.episode() for _, line in lines.values()])
        result.skipped += len(lines) - len(fresh)
        ready.append((label, await prepared(store, label, fresh), lines))

    async def write() -> None:
        for label, rows, lines in ready:
            try:
                new = await _write(store, label, rows, placing=True)
            except (BadInput, MemoryConflict) as error:
                result.errors += [f"line {lines[r.id][0]}: {error}" for r in rows]
                continue
            result.ingested += new
            result.skipped += len(rows) - new

    if pending:
        await pending
    return asyncio.create_task(write()) if ready else None


async def _unknown(store: MemoryStore, label: str, episodes: Sequence[Episode]) -> list[Episode]:
    """Those whose id the user does not have yet."""
    async with store.reading() as cur:
        await cur.execute("SELECT id FROM episodes WHERE user_id = %s AND id = ANY (%s::text[])", (label, texts([e.id for e in episodes])))
        known = {r["id"] for r in await cur.fetchall()}
    return [e for e in episodes if e.id not in known]


def _clean(e: Episode) -> Episode:
    id = well_formed(e.id)
    return replace(
        e, id=id if len(id.encode()) <= MAX_BYTES else fingerprint(id), text=redacted(clean_text(e.text)[:LONGEST]), caption=redacted(clean_text(e.caption)),
        speaker=clean_text(e.speaker), session=well_formed(e.session), source=well_formed(e.source), entities=tuple(clean_text(n) for n in e.entities),
    )  # fmt: skip


async def _write(store: MemoryStore, label: str, rows: Sequence[EpisodeRow], *, placing: bool = False) -> int:
    if not rows:
        return 0
    async with store.writing(label) as cur:
        new = await insert(cur, label, rows, placing=placing)
        await ledger.touch(cur, label)
    return new
