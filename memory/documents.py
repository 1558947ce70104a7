"""Documents going into the store as chunks: known by MD5, a changed one by its chunks, so that only what is new in it costs an embedding."""

import asyncio
import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from memory import ledger
from memory.chunks import SIZE, chunks
from memory.clean import clean_text
from memory.episode import DOCUMENT, Episode, Ingested
from memory.episode_rows import EpisodeRow, insert, prepared
from memory.guard import redacted
from memory.items import Cursor
from memory.namespace import identifier, user_id
from memory.record import fingerprint
from memory.store import MemoryStore

LONGEST: Final = 5_000_000  # characters of one document that are kept


async def document(store: MemoryStore, user: object, source: str, parts: Sequence[str], *, time: datetime, whole: bool = True) -> Ingested:
    """Keep a document as chunks. Known by MD5, it is not processed again; of a changed one only the new chunks are embedded, and vanished ones go.

    With `whole` False some of it could not be read: then nothing of it goes, and an error says so. Of several versions that come at once the one
    written last is kept, and nothing of the others. Raises MemoryConflict when the user's lock cannot be had.
    """
    label, source = ledger.label_of(user), identifier(source, "A source")
    md5 = hashlib.md5("\x1f".join(parts).encode("utf-8", "replace"), usedforsecurity=False).hexdigest() if whole else ""
    found, cut = await asyncio.to_thread(_cleaned, parts)
    wanted: dict[str, Episode] = {}
    seen: dict[str, int] = {}
    for text in found:
        seen[text] = seen.get(text, 0) + 1
        key = fingerprint(source, text, str(seen[text]))
        wanted[key] = Episode(
            id=key, user=user_id(user), text=text, time=time, session=source, position=len(wanted), role=DOCUMENT, source=source
        )  # fmt: skip
    ready: dict[str, EpisodeRow] = {}
    while True:
        async with store.reading() as cur:
            before, known = await _stored(cur, label, source)
        if whole and before == md5 and (known or not wanted):
            return Ingested(skipped=len(known), cut=cut)
        rows = await prepared(store, label, [e for key, e in wanted.items() if key not in known and key not in ready])
        ready |= {r.id: r for r in rows}
        async with store.writing(label) as cur:
            before, known = await _stored(cur, label, source)  # another writer may have been faster
            if whole and before == md5 and (known or not wanted):
                return Ingested(skipped=len(known), cut=cut)
            if wanted.keys() - set(known) - ready.keys():
                continue  # and took chunks away that were there
            others = [key for key in known if key not in wanted]
            gone = others if whole else []
            new = [ready[key] for key in wanted if key not in known]
            await cur.execute("DELETE FROM episodes WHERE user_id = %s AND id = ANY (%s)", (label, gone))
            await _place(cur, label, [*wanted, *(others if not whole else ())])
            await insert(cur, label, new)
            await cur.execute(
                "INSERT INTO documents (user_id, source, md5) VALUES (%s, %s, %s) "
                "ON CONFLICT (user_id, source) DO UPDATE SET md5 = excluded.md5, recorded_at = CURRENT_TIMESTAMP",
                (label, source, md5),
            )
            await ledger.touch(cur, label)
        done = Ingested(ingested=len(new), skipped=len(wanted) - len(new), retired=len(gone), cut=cut)
        if others and not whole:
            done.errors.append(f"{' '.join(source.split())}: not all of it could be read, so {len(others)} older chunks of it stay.")
        return done


def _cleaned(parts: Sequence[str]) -> tuple[list[str], int]:
    """The chunks of a document, and how many of its parts were cut because it is too long."""
    out, cut, left = list[str](), 0, LONGEST
    for part in parts:
        text = redacted(clean_text(part[:left]))
        cut += len(part) > left
        left -= min(left, len(part))
        out += chunks(text) if len(text) > SIZE else [text] if text else []
    return out, cut


async def _stored(cur: Cursor, label: str, source: str) -> tuple[str | None, list[str]]:
    """MD5 of the document as it is kept, and the ids of its chunks in order. Turns that name the same source are none of them."""
    await cur.execute("SELECT md5 FROM documents WHERE user_id = %s AND source = %s", (label, source))
    row = await cur.fetchone()
    await cur.execute("SELECT id FROM episodes WHERE user_id = %s AND source = %s AND role = %s ORDER BY position, id", (label, source, DOCUMENT))
    return row["md5"] if row else None, [r["id"] for r in await cur.fetchall()]


async def _place(cur: Cursor, label: str, ids: Sequence[str]) -> None:
    """Chunks that are there get the positions of this order."""
    await cur.execute(
        "UPDATE episodes e SET position = t.position - 1 FROM unnest(%s::text[]) WITH ORDINALITY AS t (id, position) "
        "WHERE e.user_id = %s AND e.id = t.id AND e.position <> t.position - 1",
        (list(ids), label),
    )
