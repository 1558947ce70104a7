"""Bringing a user's memories into the process (`memory.resident`), and up to date after a write: one statement each."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from memory import columns
from memory.binary import vectors_of
from memory.embedder import Vectors
from memory.items import Cursor
from memory.resident import Postings, Resident, Terms, spread

# Every row carries the transaction that wrote it (xmin). What is read now holds all that was written before the oldest transaction still running: the horizon.
# Rows written by that one or a later one may be new to who reads again; on a replica too, where it is not said which of them were done.
_ROWS: Final = f"""
SELECT {columns.VERSION}, pg_snapshot_xmin(pg_current_snapshot())::xid::text, {columns.STARTED}, {columns.NOW}, (SELECT count(*) FROM memory_versions WHERE user_id = %(label)s),
    (SELECT count(*) FROM episodes WHERE user_id = %(label)s), {columns.COLUMNS}, array_agg(superseded), array_agg(octet_length(terms)::float8),
    string_agg(terms, ''::bytea), array_agg(embedding IS NOT NULL), string_agg(embedding, ''::bytea)
FROM (
    SELECT true AS fact, m.key AS id, {columns.FACT}, m.status = 'superseded' AS superseded, coalesce(sparsevec_send(m.terms), '') AS terms,
        halfvec_send({columns.FACT_VECTOR}) AS embedding
    FROM memory_versions m WHERE m.user_id = %(label)s {{since}}
    UNION ALL SELECT false, m.id, {columns.EPISODE}, false, coalesce(sparsevec_send(m.terms), ''), halfvec_send({columns.EPISODE_VECTOR})
    FROM episodes m WHERE m.user_id = %(label)s {{since}}
) r
"""
_ALL: Final = _ROWS.replace("{since}", "")
_SINCE: Final = _ROWS.replace("{since}", "AND age(m.xmin) <= age(%(horizon)s::xid)")


async def load(cur: Cursor, label: str) -> Resident:
    """All memories of a user, and the version they belong to."""
    found, _ = _resident(label, await columns.one(cur, _ALL, {"label": label}))
    return found


async def renew(cur: Cursor, label: str, known: Resident) -> Resident:
    """The user's memories as they are now, from how they were: only what was written since is read."""
    row = await columns.one(cur, _SINCE, {"label": label, "horizon": known.horizon})
    changed, there = _resident(label, row)
    now = known.renewed(changed) if row[2] <= known.made else None
    return now if now is not None and (int(now.memories.fact.sum()), int((~now.memories.fact).sum())) == there else await load(cur, label)


def _resident(label: str, row: Sequence[Any]) -> tuple[Resident, tuple[int, int]]:
    """The memories of one row of _ROWS; and how many facts and turns there are in all."""
    version, horizon, _, made, facts, turns = row[:6]
    superseded, octets, terms, embedded, vectors = row[6 + columns.COUNT :]
    found, has_vector = columns.memories(row[6 : 6 + columns.COUNT]), np.array(embedded or (), bool)
    fact = found.fact.tolist()
    order = np.array(
        sorted(range(len(fact)), key=lambda i: (not fact[i], found.ids[i])), np.intp
    )  # cheaper here, where no wide rows are moved for it
    parts = _terms(terms or b"", columns.floats(octets).astype(np.int64)).taken(order)
    resident = Resident(
        version=columns.version(label, version), horizon=horizon, made=made, memories=found.taken(order), superseded=np.array(superseded or (), bool)[order],
        terms=parts, postings=Postings.of(parts), embedded=has_vector[order], vectors=_vectors(vectors or b"", has_vector)[order],
    )  # fmt: skip
    return resident, (facts, turns)


def _terms(packed: bytes, octets: NDArray[np.int64]) -> Terms:
    """Sparse vectors in binary: dimensions, elements, unused, then all indices (from 0) and all values; nothing for what has no terms."""
    numbers = np.frombuffer(packed, ">i4")
    lengths = octets // 4
    starts = np.cumsum(lengths) - lengths + 3
    counts = np.maximum(lengths - 3, 0) // 2
    indices = spread(starts, counts)
    parts = numbers.view(">f4")[indices + np.repeat(counts, counts)]
    return Terms(counts, (numbers[indices] + 1).astype(np.int32), parts.astype(np.float32))


def _vectors(packed: bytes, embedded: NDArray[np.bool_]) -> Vectors:
    """One for each memory; zeros for what is not embedded."""
    there = vectors_of(packed)
    found = np.zeros((len(embedded), there.shape[1]), np.float32)
    found[embedded] = there
    return found
