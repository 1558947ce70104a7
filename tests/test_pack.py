"""The index of vectors after bulk loads: rebuilt when half empty, by one process at a time, and usable meanwhile."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import numpy as np
import pytest
from langgraph.store.base import PutOp

from memory.embedder import Embedder, Kind, Vectors
from memory.pack import FEWEST, pack
from memory.pool import open_pool
from memory.store import MemoryStore

pytestmark = pytest.mark.anyio

FULL = 6000 * (2 * 384 + 60)  # bytes of 6,000 rows


class Random(Embedder):
    name, version, dims = "random", "1", 384

    def _embed(self, texts: list[str], kind: Kind) -> Vectors:
        return np.random.default_rng(len(texts)).standard_normal((len(texts), self.dims), dtype=np.float32)


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[MemoryStore]:
    async with open_pool(url) as pool:
        store = MemoryStore(pool, index={"dims": 384, "embed": Random(), "fields": ["content"]})
        await store.setup()
        yield store


async def bytes_of_index(store: MemoryStore) -> int:
    async with store.reading() as cur:
        await cur.execute("SELECT pg_relation_size('store_vectors_pkey') AS n, (SELECT count(*) FROM pg_index WHERE NOT indisvalid) AS broken")
        row = await cur.fetchone()
        assert row is not None and row["broken"] == 0
        return int(row["n"])


async def load(store: MemoryStore, first: int, size: int) -> None:
    await store.abatch([PutOp((f"u{n % 3}", "docs"), f"{n:06}", {"content": f"text {n}"}) for n in range(first, first + size)])


async def test_a_bulk_load_leaves_a_full_index(database_url: str) -> None:
    async with opened(database_url) as store:
        for first in range(0, 6000, 500):  # too few at a time for the store to tidy up
            await load(store, first, 500)
        assert await bytes_of_index(store) > 1.6 * FULL, "rows in the order of their keys leave pages half full"
        async with store.connection() as conn:
            await conn.execute("INSERT INTO memory_meta (name, value) VALUES ('packing', to_jsonb(clock_timestamp()))")
            await conn.execute("ANALYZE store_vectors")
            assert not await pack(conn, 384), "somebody is at it"
            await conn.execute("UPDATE memory_meta SET value = to_jsonb(now() - interval '1 hour') WHERE name = 'packing'")
        asked = asyncio.gather(*(store.asearch(("u1", "docs"), query=f"question {n}") for n in range(40)))
        await load(store, 6000, 1000)
        assert all(len(found) == 10 for found in await asked)
        assert await bytes_of_index(store) < 1.4 * FULL
        async with store.connection() as conn:
            assert not await pack(conn, 384), "it is full"
            assert await (await conn.execute("SELECT 1 FROM memory_meta WHERE name = 'packing'")).fetchone() is None
        assert len(await store.asearch(("u0", "docs"), query="question", limit=3000)) == 2334


async def test_a_rebuild_that_was_cut_short_leaves_nothing_and_a_small_one_is_not_worth_it(database_url: str) -> None:
    async with opened(database_url) as store:
        await load(store, 0, 1000)
        async with store.connection() as conn:
            assert not await pack(conn, 384) and FEWEST > 1000
        for first in range(1000, 6000, 500):
            await load(store, first, 500)
        async with store.connection() as conn:
            await conn.execute("CREATE INDEX store_vectors_pkey_ccnew ON store_vectors (prefix)")
            await conn.execute("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'store_vectors_pkey_ccnew'::regclass")
            await conn.execute("ANALYZE store_vectors")
            assert await pack(conn, 384)
        assert await bytes_of_index(store) < 1.4 * FULL
