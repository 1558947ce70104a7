"""Another embedding model: refused by name, moved to by `reembed`, which survives interruption."""

from datetime import UTC, datetime
from typing import Any

import numpy as np
import psycopg
import pytest

from memory.embedder import Embedder, Kind, Vectors
from memory.episode import Episode
from memory.errors import EmbedderMismatch, MemoryUnavailable
from memory.ingest import archive
from memory.open import open_memory
from memory.reembed import reembed
from memory.settings import Settings
from memory.store import MemoryStore
from tests.counting import CountingEmbedder

pytestmark = pytest.mark.anyio


class Other(Embedder):
    """Another model, wider than a b-tree row; it can be told to die."""

    name = "other"
    version = "2"
    dims = 1536

    def __init__(self, dies_after: int = 10**9) -> None:
        super().__init__()
        self.left = dies_after
        self.texts: list[str] = []

    def _embed(self, texts: list[str], kind: Kind) -> Vectors:
        self.left -= len(texts)
        if self.left < 0:
            raise KeyboardInterrupt
        self.texts += texts
        small = CountingEmbedder()._embed(texts, kind)
        return np.repeat(small, 24, axis=1)


async def fill(store: MemoryStore) -> None:
    for i in range(300):
        await store.aput(("ann", "notes"), f"n{i:03}", {"content": f"笔记 {i}"})
    await store.aput(("ann", "preference"), "k", {"content": "喜欢绿茶"})
    await store.aput(("ann", "preference"), "k", {"content": "喜欢红茶"})
    await archive(store, "ann", [Episode(id="e", user="ann", text="我在看书", speaker="我", time=datetime(2026, 1, 1, tzinfo=UTC))])


async def test_another_embedder_is_refused_with_both_names(settings: Settings) -> None:
    async with open_memory(settings, embedder=CountingEmbedder()):
        pass
    with pytest.raises(EmbedderMismatch, match=r"counting.*other.*jizhu reembed"):
        async with open_memory(settings, embedder=Other()):
            pass
    newer = CountingEmbedder()
    newer.version = "2"
    with pytest.raises(EmbedderMismatch, match=r"version 1.*version 2"):
        async with open_memory(settings, embedder=newer):
            pass
    async with open_memory(settings, embedder=CountingEmbedder()):
        pass


async def test_reembedding_moves_everything_and_goes_on_after_an_interruption(settings: Settings, database_url: str) -> None:
    async with open_memory(settings, embedder=CountingEmbedder()) as (store, _, _):
        await fill(store)
        version = await store.version("ann")
    with pytest.raises(KeyboardInterrupt):
        dying = Other(dies_after=260)
        async with open_memory(settings, embedder=dying, moving=True) as (store, _, _):
            await reembed(store, dying)
    async with open_memory(settings, embedder=CountingEmbedder()) as (store, _, _):
        [item] = await store.asearch(("ann",), query="笔记 7", limit=1)
        assert item.score is not None and item.score > 0.99, "the old vectors are still in use"
        await store.aput(("ann", "notes"), "n000", {"content": "改过的"})
    steps: list[tuple[int, int]] = []
    other = Other()
    async with open_memory(settings, embedder=other, moving=True) as (store, _, _):
        assert await reembed(store, other, lambda *x: steps.append(x)) == 303
    assert steps[-1] == (303, 303)
    assert len(other.texts) < 100 and "改过的" in other.texts, "what was made already is not made again, what changed is"
    with pytest.raises(EmbedderMismatch):
        async with open_memory(settings, embedder=CountingEmbedder()):
            pass
    async with open_memory(settings, embedder=Other()) as (store, _, _):
        assert [i.key for i in await store.asearch(("ann", "notes"), query="改过的", limit=1)] == ["n000"]
        assert [i.value["content"] for i in await store.asearch(("ann", "preference"), query="红茶")] == ["喜欢红茶"]
        assert await store.version("ann") > version
    async with await psycopg.AsyncConnection.connect(database_url) as conn:
        for table, rows in (("store_vectors", 301), ("memory_version_vectors", 1), ("episode_vectors", 1)):
            found: Any = await (await conn.execute(f"SELECT count(*), min(vector_dims(embedding)) FROM {table}")).fetchone()  # noqa: S608
            assert found == (rows, 1536), table


async def test_reembedding_wants_to_be_alone(settings: Settings) -> None:
    async with open_memory(settings, embedder=CountingEmbedder()):
        other = Other()
        async with open_memory(settings, embedder=other, moving=True) as (store, _, _):
            # both contexts are of one process here, so give the first its own name, as another process has
            async with store.connection() as conn:
                cursor = await conn.execute("SELECT application_name AS name FROM pg_stat_activity WHERE application_name LIKE 'jizhu%'")
                assert len({r["name"] for r in await cursor.fetchall()}) == 1
                await conn.execute("SET application_name = 'jizhu elsewhere'")
            with pytest.raises(MemoryUnavailable, match="Another jizhu process"):
                await reembed(store, other)
