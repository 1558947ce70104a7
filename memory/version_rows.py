"""How versions of facts become rows: the version, its words, its vector, and for a current one the store's row. Functions over a cursor that holds the user's lock."""

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson

from memory import bulk, items
from memory.binary import literal, sparsevec, texts, vector_of
from memory.embedder import Vectors
from memory.items import MANY, Cursor, Row, as_json, dumped
from memory.namespace import encode
from memory.record import Memory, Status
from memory.searchable import fact_terms
from memory.words import sparse, weights

FIELD: Final = "content"  # what a fact's vector is made of
CHUNK: Final = 500  # versions per statement


async def vectors_at_hand(cur: Cursor, label: str, contents: Collection[str], existing: Iterable[Memory]) -> dict[str, Vectors]:
    """Vectors of contents that some version has already, by content: they move, they are not made again."""
    holders = {m.key: m.content for m in existing if m.content in contents}
    if not holders:
        return {}
    keys = texts(holders)
    await cur.execute(
        "SELECT key, embedding::text AS e FROM memory_version_vectors WHERE user_id = %s AND key = ANY (%s::text[]) UNION ALL "
        "SELECT v.key, v.embedding::text FROM store_vectors v WHERE v.prefix >= %s AND v.prefix < %s AND v.key = ANY (%s::text[])",
        (label, keys, label + ".", label + "/", keys),
    )
    return {holders[r["key"]]: vector_of(r["e"]) for r in await cur.fetchall()}


async def write(
    cur: Cursor,
    label: str,
    full: Mapping[str, Memory],
    known: Mapping[str, Memory],
    vectors: Mapping[str, Vectors],
    extras: Mapping[str, Mapping[str, Any]],
) -> None:
    """Versions, store rows and vectors (by key) of everything that changed in more than strength.

    In chunks, the next of which is prepared while Postgres takes this one; a transaction that goes silent while thousands of rows are being prepared
    would count as hung.
    """

    def prepare(versions: Sequence[Memory]) -> list[_Prepared]:
        return [_Prepared(m, dumped({**extras.get(m.key, {}), **m.as_json()}), weights(fact_terms(m))) for m in versions]

    async def prepared(versions: Sequence[Memory]) -> list[_Prepared]:
        return await asyncio.to_thread(prepare, versions) if len(versions) >= MANY else prepare(versions)  # the words of many texts take a while

    versions = list(full.values())
    rows = await prepared(versions[:CHUNK])
    for end in range(CHUNK, len(versions) + CHUNK, CHUNK):
        _, rows = await asyncio.gather(_write_chunk(cur, label, rows, known, vectors), prepared(versions[end : end + CHUNK]))


async def _write_chunk(cur: Cursor, label: str, rows: Sequence["_Prepared"], known: Mapping[str, Memory], vectors: Mapping[str, Vectors]) -> None:
    versions = [r.memory for r in rows]
    if rest := await _copied(cur, label, rows) if len(rows) >= MANY else rows:
        await cur.execute(
            "INSERT INTO memory_versions AS v (user_id, key, fact, category, attribute, status, fingerprint, record, terms) "
            "SELECT %s, key, fact, category, attribute, status, fingerprint, record, terms::sparsevec FROM jsonb_to_recordset(%s::jsonb) "
            "AS t (key text, fact text, category text, attribute text, status text, fingerprint text, record jsonb, terms text) "
            "ON CONFLICT (user_id, key) DO UPDATE SET fact = excluded.fact, category = excluded.category, attribute = excluded.attribute, "
            "status = excluded.status, fingerprint = excluded.fingerprint, record = (v.record - '{normal,time}'::text[]) || excluded.record, "
            "terms = excluded.terms",
            (label, as_json([r.as_json() for r in rest])),
        )
    if again := [m.key for m in versions if m.key in known]:
        # the full record holds the strength too: what was counted beside it is now inside
        await cur.execute(
            "UPDATE memory_strength SET evidence = NULL, confidence = NULL, importance = NULL, updated_at = NULL WHERE user_id = %s AND key = ANY (%s)",
            (label, again),
        )
    # a current version is a row of the store; whatever else was there goes
    moved = [(f"{label}.{encode(old.category)}", m.key) for m in versions if (old := known.get(m.key)) and old.status is Status.ACTIVE]
    stay = {(f"{label}.{encode(m.category)}", m.key) for m in versions if m.status is Status.ACTIVE}
    if gone := [at for at in moved if at not in stay]:
        await items.delete(cur, gone)
    if current := [r for r in rows if r.memory.status is Status.ACTIVE]:
        await items.put(
            cur,
            [
                Row(
                    prefix=f"{label}.{encode(r.memory.category)}", key=r.memory.key, value=r.record,
                    vectors={FIELD: vectors[r.memory.key]} if r.memory.key in vectors else {},
                )
                for r in current
            ],
        )  # fmt: skip
        if back := [r.memory.key for r in current if r.memory.key in known]:
            await cur.execute("DELETE FROM memory_version_vectors WHERE user_id = %s AND key = ANY (%s)", (label, back))
    if past := [m for m in versions if m.status is not Status.ACTIVE and m.key in vectors]:
        await cur.execute(
            "INSERT INTO memory_version_vectors (user_id, key, embedding) SELECT %s, key, e::halfvec FROM unnest(%s::text[], %s::text[]) AS t (key, e) "
            "ON CONFLICT (user_id, key) DO UPDATE SET embedding = excluded.embedding",
            (label, [m.key for m in past], [literal(vectors[m.key]) for m in past]),
        )


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A version ready to be written: its record as JSON, and its words."""

    memory: Memory
    record: bytes
    terms: Mapping[int, float]

    def as_json(self) -> dict[str, Any]:
        m = self.memory
        return {
            "key": m.key, "fact": m.fact, "category": m.category, "attribute": m.attribute, "status": m.status.value, "fingerprint": m.fingerprint,
            "record": orjson.Fragment(self.record), "terms": sparse(self.terms),
        }  # fmt: skip

    def packed(self, user: bytes) -> tuple[bytes, ...]:
        m = self.memory
        named = (m.key, m.fact, m.category, m.attribute, m.status.value, m.fingerprint)
        return (user, *(bulk.text(v) for v in named), bulk.jsonb(self.record), sparsevec(self.terms))


_COLUMNS: Final = ("user_id", "key", "fact", "category", "attribute", "status", "fingerprint", "record", "terms")


async def _copied(cur: Cursor, label: str, rows: Sequence[_Prepared]) -> list[_Prepared]:
    """Append the versions that are new; the others. The user's lock is held, so nobody else brings one."""
    await cur.execute("SELECT key FROM memory_versions WHERE user_id = %s AND key = ANY (%s::text[])", (label, texts([r.memory.key for r in rows])))
    there = {r["key"] for r in await cur.fetchall()}
    user = bulk.text(label)
    await bulk.copy(cur, "memory_versions", _COLUMNS, [r.packed(user) for r in rows if r.memory.key not in there])
    return [r for r in rows if r.memory.key in there]


async def strengthen(cur: Cursor, label: str, versions: Iterable[Memory]) -> None:
    """One small update per version that was said again."""
    found = list(versions)
    if found:
        await cur.execute(
            "INSERT INTO memory_strength AS t (user_id, key, evidence, confidence, importance, updated_at) "
            "SELECT %s, * FROM unnest(%s::text[], %s::int[], %s::float8[], %s::float8[], %s::timestamptz[]) "
            "ON CONFLICT (user_id, key) DO UPDATE SET evidence = excluded.evidence, confidence = excluded.confidence, "
            "importance = excluded.importance, updated_at = excluded.updated_at",
            (
                label, [m.key for m in found], [m.evidence for m in found], [m.confidence for m in found], [m.importance for m in found],
                [m.updated_at for m in found],
            ),
        )  # fmt: skip
