"""The vectors of a namespace's items, kept in the process: reading thousands of them is most of a search in Postgres.

The nearest of a copy are only candidates. One statement (`memory.vectors`, ``kept_items_*``) adds what was written since the copy was made, leaves out what is
gone, and gives their distances and items, so that an answer is that of the database, whoever has written meanwhile. Where candidates may not suffice, the
caller asks Postgres for everything.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import orjson
from psycopg.rows import DictRow, tuple_row

from memory.binary import halfvec, texts, vectors_of
from memory.cache import Cache
from memory.columns import NOW, STARTED
from memory.embedder import Vectors
from memory.items import Cursor, scored, span
from memory.recall import Floats

KEPT: Final = 64_000_000  # bytes of vectors, of all namespaces
LARGEST: Final = 1 / 4  # of KEPT: what one namespace may take, 10,000 vectors of 384 dimensions
FEWEST: Final = 300  # vectors: fewer are read in Postgres in the time that the copy would save
KEPT_SECONDS: Final = 3600.0
FRESH: Final = 300  # vectors newer than the copy from which on it is made anew
PAYS: Final = 10.0  # seconds that a copy has to last; a namespace that changes faster is left to Postgres for a while

NEAR: Final = 1e-4  # by how much the product of two unit vectors computed here may differ from Postgres's
KINDS: Final = frozenset({"cosine", "inner_product"})  # of distances; the difference of long vectors (l2) would need more precision than a copy has


@dataclass(frozen=True, slots=True)
class Copy:
    """Vectors of a namespace and its children, with the owner, key and field of each. All that transactions before `since` wrote is here. `made`: when, by
    the server's clock."""

    since: str
    made: float
    owners: list[str]
    keys: list[str]
    fields: list[str]
    vectors: Vectors
    lengths: Floats

    def distances(self, query: Vectors, kind: str) -> tuple[Floats, float]:
        """As pgvector computes them, infinite where it finds none (the cosine of a zero vector); and by how much they may differ from its own."""
        # not by BLAS, whose threads wait for each other where another process wants a core
        products: Floats = np.einsum("ij,j->i", self.vectors, query).astype(np.float64)
        length = float(np.linalg.norm(query.astype(np.float64)))
        if kind == "inner_product":
            return -products, NEAR * length * float(self.lengths.max())
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.nan_to_num(1 - products / (self.lengths * length), nan=np.inf), NEAR


_LOAD: Final = f"""
SELECT pg_snapshot_xmin(pg_current_snapshot())::text, {NOW}, json_agg(prefix)::text, json_agg(key)::text, json_agg(field_name)::text,
    string_agg(halfvec_send(embedding), ''::bytea)
FROM (SELECT * FROM store_vectors WHERE prefix = %(exact)s AND vector_dims(embedding) = %(dims)s
    UNION ALL SELECT * FROM store_vectors WHERE prefix >= %(low)s AND prefix < %(high)s AND vector_dims(embedding) = %(dims)s
    LIMIT %(most)s) v
"""


class ResidentItems:
    """Copies of the namespaces that are asked more than once, least recently asked first out."""

    def __init__(self) -> None:
        self._copies: Cache[Copy] = Cache(entries=KEPT, seconds=KEPT_SECONDS)
        self._asked: Cache[bool] = Cache()  # namespaces that were asked lately; False: those that a copy does not pay for

    async def nearest(self, cur: Cursor, namespace: Sequence[str], query: Vectors, limit: int, offset: int, kind: str) -> list[DictRow] | None:
        """A page of the namespace's items, as `memory.items.nearest` gives it; None when Postgres has to look at all of them."""
        if kind not in KINDS or not limit:
            return None
        exact, low, high = span(namespace)
        copy = self._copies.get(exact) or await self._copy(cur, exact, low, high, len(query))
        if copy is None or copy.vectors.shape[1] != len(query):
            return None
        rounded = query.astype(np.float16).astype(np.float32)  # as Postgres has it
        (distances, near), most = copy.distances(rounded, kind), 2 * (limit + offset)
        best = np.argpartition(distances, most)[:most] if most < len(distances) else np.arange(len(distances))
        farthest = float(distances[best].max())
        complete = farthest - near if most < len(distances) and np.isfinite(farthest) else np.inf
        await cur.execute(
            f"SELECT prefix, key, value::text AS value, created_at, updated_at, ttl_minutes, d, fresh, {STARTED} AS started, {NOW} AS now "
            f"FROM kept_items_{kind}(%s, %s, %s, %s, %s, %s, %s::xid8, %s::halfvec, %s, %s)",
            [*(texts([column[i] for i in best.tolist()]) for column in (copy.owners, copy.keys, copy.fields)),
             exact, low, high, copy.since, halfvec(query), limit, offset],
        )  # fmt: skip
        found = await cur.fetchall()
        if len(found) < limit:
            return None
        if found[0]["started"] > copy.made:
            self._copies.drop(exact)
            return None
        if found[0]["fresh"] > FRESH:
            self._copies.drop(exact)
            self._asked.put(exact, found[0]["now"] - copy.made > PAYS)
        # what lies nearer than the farthest candidate is among the candidates or fresh
        return scored(found, kind) if found[-1]["d"] < complete else None

    async def _copy(self, cur: Cursor, exact: str, low: str, high: str, dims: int) -> Copy | None:
        """A new copy, if the namespace was asked before and is neither small nor too large."""
        asked = self._asked.get(exact)
        if asked is None:
            self._asked.put(exact, True)
        if not asked:
            return None
        most = int(KEPT * LARGEST) // (4 * dims)
        async with cur.connection.cursor(row_factory=tuple_row, binary=True) as columns:
            await columns.execute(_LOAD, {"exact": exact, "low": low, "high": high, "most": most + 1, "dims": dims})
            row = await columns.fetchone()
        assert row is not None
        since, made, owners, keys, fields = *row[:2], *(orjson.loads(column or "[]") for column in row[2:5])
        if not FEWEST <= len(keys) <= most:
            self._asked.put(exact, False)
            return None
        vectors = vectors_of(row[5])
        copy = Copy(since, made, owners, keys, fields, vectors, np.linalg.norm(vectors.astype(np.float64), axis=1))
        self._copies.put(exact, copy, vectors.nbytes)
        return copy
