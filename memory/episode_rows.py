"""How episodes become rows: the turn or chunk, its words, its vector. Whoever inserts them holds the user's lock."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from memory import bulk
from memory.binary import halfvecs, sparsevec, texts
from memory.embedder import Vectors
from memory.episode import Episode
from memory.items import Cursor
from memory.searchable import asks, episode_terms, episode_text
from memory.store import MemoryStore
from memory.words import weights

_COLUMNS: Final = (
    "user_id", "id", "session", "position", "speaker", "role", "text", "caption", "source", "entities", "importance", "time", "asks", "terms",
)  # fmt: skip
_POSITION: Final = _COLUMNS.index("position")


@dataclass(frozen=True, slots=True)
class EpisodeRow:
    """An episode as two tables take it."""

    id: str
    session: str
    episode: tuple[bytes, ...]
    vector: tuple[bytes, ...] | None


async def prepared(store: MemoryStore, label: str, episodes: Sequence[Episode]) -> list[EpisodeRow]:
    """Episodes embedded and packed for `insert`; no connection is held."""
    if not episodes:
        return []
    vectors = await store.vectors_of([episode_text(e) for e in episodes]) if store.embeddings else []
    return await asyncio.to_thread(_rows, label, episodes, vectors)  # the words of many texts take a while


def _rows(label: str, episodes: Sequence[Episode], vectors: Sequence[Vectors]) -> list[EpisodeRow]:
    user = bulk.text(label)
    packed = halfvecs(vectors)
    return [
        EpisodeRow(
            e.id,
            e.session,
            (
                user, bulk.text(e.id), bulk.text(e.session), bulk.integer(e.position), bulk.text(e.speaker), bulk.text(e.role), bulk.text(e.text),
                bulk.text(e.caption), bulk.text(e.source), texts(e.entities), bulk.double(e.importance), bulk.timestamp(e.time), bulk.real(asks(e.text)), sparsevec(weights(episode_terms(e))),
            ),
            (user, bulk.text(e.id), packed[i]) if packed else None,
        )
        for i, e in enumerate(episodes)
    ]  # fmt: skip


async def insert(cur: Cursor, label: str, rows: Sequence[EpisodeRow], *, placing: bool = False) -> int:
    """Episodes with their words and vectors; ids that are there already stay as they are. The user's lock is held.

    With `placing` each new one comes after those that its session has, in the order of `rows`; else it has the position it was given.
    """
    await cur.execute("SELECT id FROM episodes WHERE user_id = %s AND id = ANY (%s::text[])", (label, texts([r.id for r in rows])))
    known = {r["id"] for r in await cur.fetchall()}
    new = [r for r in rows if r.id not in known]
    if placing:
        new = await _placed(cur, label, new)
    if new:
        await bulk.copy(cur, "episodes", _COLUMNS, [r.episode for r in new])
        await bulk.copy(cur, "episode_vectors", ("user_id", "key", "embedding"), [r.vector for r in new if r.vector])
    return len(new)


async def _placed(cur: Cursor, label: str, rows: Sequence[EpisodeRow]) -> list[EpisodeRow]:
    sessions = sorted({r.session for r in rows if r.session})
    await cur.execute(
        "SELECT session, max(position) + 1 AS next FROM episodes WHERE user_id = %s AND session = ANY (%s::text[]) GROUP BY session",
        (label, texts(sessions)),
    )
    free = dict.fromkeys(sessions, 0) | {r["session"]: r["next"] for r in await cur.fetchall()}
    out = []
    for row in rows:
        if row.session:
            row = replace(row, episode=(*row.episode[:_POSITION], bulk.integer(free[row.session]), *row.episode[_POSITION + 1 :]))
            free[row.session] += 1
        out.append(row)
    return out
