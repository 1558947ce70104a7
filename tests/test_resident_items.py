"""The vectors of a namespace in the process: a search finds what Postgres finds by looking at all of them, whoever has written since the copy was made."""

import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import numpy as np
import psycopg
import pytest
from langchain_core.embeddings import Embeddings
from langgraph.store.base import PutOp, SearchItem
from langgraph.store.postgres import AsyncPostgresStore
from psycopg.rows import DictRow

from memory import resident_items
from memory.embedder import Vectors
from memory.items import Cursor
from memory.pool import open_pool
from memory.resident_items import ResidentItems
from memory.store import MemoryStore

pytestmark = pytest.mark.anyio

SPACE = ("ann", "docs")


class Random(Embeddings):
    """Any text has its own vector; ``zero`` has none."""

    def __init__(self, dims: int) -> None:
        self.dims = dims

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(t) for t in texts]

    def embed_query(self, text: str) -> list[float]:
        if text == "zero":
            return [0.0] * self.dims
        return np.random.default_rng(list(text.encode())).standard_normal(self.dims).tolist()  # type: ignore[no-any-return]


class Watched(ResidentItems):
    """Counts the questions that a copy has answered; may be told never to keep one."""

    def __init__(self, *, keeping: bool = True) -> None:
        super().__init__()
        self.keeping, self.answered = keeping, 0

    async def nearest(self, cur: Cursor, namespace: Sequence[str], query: Vectors, limit: int, offset: int, kind: str) -> list[DictRow] | None:
        found = await super().nearest(cur, namespace, query, limit, offset, kind) if self.keeping else None
        self.answered += found is not None
        return found


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resident_items, "FEWEST", 3)
    monkeypatch.setattr(resident_items, "FRESH", 6)
    monkeypatch.setattr(resident_items, "PAYS", 0.0)


@asynccontextmanager
async def opened(url: str, watched: Watched, dims: int = 16, distance: str = "cosine") -> AsyncIterator[MemoryStore]:
    index: Any = {"dims": dims, "embed": Random(dims), "fields": ["text", "more[*]"], "distance_type": distance}
    async with open_pool(url) as pool:
        store = MemoryStore(pool, index=index)
        store._resident = watched
        await store.setup()
        yield store


def same(one: Sequence[SearchItem], other: Sequence[SearchItem]) -> bool:
    if [(i.namespace, i.key, i.value) for i in one] != [(i.namespace, i.key, i.value) for i in other]:
        return False
    mine, theirs = ([-1.0 if i.score is None else i.score for i in found] for found in (one, other))
    return np.allclose(mine, theirs, rtol=1e-4, atol=1e-4, equal_nan=True)


@pytest.mark.parametrize("distance", ["cosine", "inner_product"])
@pytest.mark.parametrize("dims", [16, 1536])
async def test_copies_find_what_postgres_finds_after_any_write(empty_database_url: str, distance: str, dims: int) -> None:
    rng = random.Random(5)
    kept = Watched()
    async with (
        opened(empty_database_url, kept, dims, distance) as store,
        opened(empty_database_url, Watched(keeping=False), dims, distance) as other,
    ):
        await store.abatch([PutOp(SPACE, str(i), {"text": f"t{i}"}) for i in range(0, 40, 2)])
        for step in range(90):
            key, space = str(rng.randrange(40)), rng.choice([SPACE, SPACE, (*SPACE, "child"), ("bob", "docs")])
            writer, what = rng.choice([store, other]), rng.random()
            if what < 0.2:
                await writer.adelete(space, key)
            elif what < 0.3:
                await writer.aput(space, key, {"text": f"gone {step}"}, ttl=0.000001)
            elif what < 0.4:
                await writer.aput(space, key, {"text": f"several {step}", "more": [f"m{step}", f"n{step}"]})
            elif what < 0.45:
                await writer.aput(space, key, {"text": f"bare {step}"}, index=False)
            else:
                await writer.aput(space, key, {"text": rng.choice(["zero", f"t{step}", "same"])})
            for limit, offset in ((3, 0), (2, 4), (40, 0)):
                query = rng.choice(["same", f"t{step}", f"m{step}", "q"])
                for of in (SPACE, SPACE[:1]):
                    expected = await other.asearch(of, query=query, limit=limit, offset=offset)
                    assert same(await store.asearch(of, query=query, limit=limit, offset=offset), expected)
        assert kept.answered > 100


async def test_only_what_is_asked_again_and_of_fitting_size_is_kept(empty_database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Watched()
    async with opened(empty_database_url, kept) as store:
        await store.abatch(
            [PutOp(SPACE, str(i), {"text": f"t{i}"}) for i in range(20)] + [PutOp(("bob", "docs"), str(i), {"text": "b"}) for i in range(2)]
        )
        for asked in range(3):
            await store.asearch(SPACE, query="t1", limit=2)
            await store.asearch(("bob", "docs"), query="t1", limit=1)
            assert kept.answered == asked
        assert await store.asearch(SPACE, query="t1", limit=0) == []
        monkeypatch.setattr(resident_items, "KEPT", 4 * 16 * 19 * 4)  # 19 vectors
        store._resident = large = Watched()
        for _ in range(3):
            assert len(await store.asearch(SPACE, query="t1", limit=2)) == 2
        assert large.answered == 0


async def test_a_writer_that_began_before_the_copy_and_one_of_langgraphs_class(empty_database_url: str) -> None:
    kept = Watched()
    async with opened(empty_database_url, kept) as store, open_pool(empty_database_url) as pool:
        await store.abatch([PutOp(SPACE, str(i), {"text": f"t{i}"}) for i in range(10)])
        async with await psycopg.AsyncConnection.connect(empty_database_url) as slow:
            await slow.execute("UPDATE store_vectors SET embedding = (SELECT embedding FROM store_vectors WHERE key = '3') WHERE key = '8'")
            for _ in range(3):
                assert [i.key for i in await store.asearch(SPACE, query="t3", limit=1)] == ["3"]
            await slow.commit()
        assert [i.key for i in await store.asearch(SPACE, query="t3", limit=2)] == ["3", "8"]
        stock = AsyncPostgresStore(pool, index={"dims": 16, "embed": Random(16), "fields": ["text"]})
        await stock.setup()
        await stock.aput(SPACE, "5", {"text": "new"})
        await stock.aput(SPACE, "new", {"text": "new"})
        assert [i.key for i in await store.asearch(SPACE, query="new", limit=2)] == ["5", "new"]
        assert kept.answered == 4


@pytest.mark.parametrize("pays", [0.0, 1000.0])
async def test_copies_are_made_anew_when_much_was_written_but_not_all_the_time(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch, pays: float
) -> None:
    monkeypatch.setattr(resident_items, "PAYS", pays)
    kept = Watched()
    async with opened(empty_database_url, kept) as store:
        await store.abatch([PutOp(SPACE, str(i), {"text": f"t{i}"}) for i in range(30)])
        for _ in range(3):  # one by one, on one connection: a younger one would do without the copy
            await store.asearch(SPACE, query="t1", limit=2)
        first = kept._copies.get("ann.docs")
        assert first
        await store.abatch([PutOp(SPACE, f"n{i}", {"text": f"n{i}"}) for i in range(8)])
        for _ in range(2):
            assert [i.key for i in await store.asearch(SPACE, query="n5", limit=1)] == ["n5"]
        second = kept._copies.get("ann.docs")
        if pays:
            assert second is None
        else:
            assert second and second.since != first.since and len(second.keys) == 38


async def test_a_copy_is_not_used_by_a_server_process_that_is_younger(empty_database_url: str) -> None:
    """After a crash, transactions that left no trace give their numbers to new ones: rows that look older than the copy are not in it."""
    kept = Watched()
    async with opened(empty_database_url, kept) as store:
        await store.abatch([PutOp(SPACE, str(i), {"text": f"t{i}"}) for i in range(10)])
        for _ in range(2):
            await store.asearch(SPACE, query="new", limit=1)
        copy = kept._copies.get("ann.docs")
        assert copy and kept.answered == 1
        kept._copies.put("ann.docs", replace(copy, made=0.0))
        await store.aput(SPACE, "new", {"text": "new"})
        async with store.connection() as conn:
            await conn.execute("ALTER TABLE store_vectors DISABLE TRIGGER rewritten")
            await conn.execute("UPDATE store_vectors SET written = '3' WHERE key = 'new'")
        for _ in range(2):
            assert [i.key for i in await store.asearch(SPACE, query="new", limit=1)] == ["new"]
        assert kept.answered == 2


async def test_distances_of_long_vectors_are_left_to_postgres(empty_database_url: str) -> None:
    kept = Watched()
    async with opened(empty_database_url, kept, distance="l2") as store:
        await store.abatch([PutOp(SPACE, str(i), {"text": f"t{i}"}) for i in range(10)])
        for _ in range(3):
            assert [i.key for i in await store.asearch(SPACE, query="t4", limit=1)] == ["4"]
        assert kept.answered == 0
