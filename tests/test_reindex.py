"""Words that another version of the tokenizer made are made anew when the memory is opened, once, and their counts with them."""

from datetime import UTC, datetime

import pytest
from langgraph.store.base import PutOp

from memory import migrate, reindex, words
from memory.episode import Episode
from memory.ingest import archive
from memory.open import open_memory
from memory.search import recall
from memory.settings import Settings
from memory.store import MemoryStore
from tests.counting import CountingEmbedder

pytestmark = pytest.mark.anyio

NOW = datetime(2026, 3, 1, tzinfo=UTC)


async def state(store: MemoryStore) -> list[object]:
    """Words of every text, and how many texts hold each."""
    found: list[object] = []
    async with store.reading() as cur:
        for query in (
            "SELECT user_id, key, terms::text FROM memory_versions ORDER BY 1, 2",
            "SELECT user_id, id, terms::text FROM episodes ORDER BY 1, 2",
            "SELECT user_id, term, texts FROM memory_words WHERE texts > 0 ORDER BY 1, 2",
        ):
            await cur.execute(query)
            found.append(await cur.fetchall())
    return found


async def test_words_of_another_version_are_made_anew(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reindex, "BATCH", 7)  # more than one batch
    embedder = CountingEmbedder()
    async with open_memory(settings, embedder=embedder) as (store, _, _):
        await store.abatch([PutOp((u, "preference"), f"f{n}", {"content": f"喜欢第{n}种茶"}) for u in ("ann", "bob") for n in range(9)])
        await archive(store, "ann", [Episode(id=str(n), user="ann", text=f"第{n}天 tea", time=NOW, speaker="Ann", caption="a cup") for n in range(9)])
        right = await state(store)
        async with store.writing() as cur:
            await cur.execute("UPDATE memory_versions SET terms = '{7:1}/1000000000'")
            await cur.execute("UPDATE episodes SET terms = '{7:1}/1000000000'")
        assert (await recall(store, "ann", "tea", k=1, now=NOW)).hits[0].parts.get("words") is None
    asked = len(embedder.texts)
    async with open_memory(settings, embedder=embedder) as (store, _, _):
        assert await state(store) != right, "the same version: nothing is made anew"
    for module in (migrate, reindex):
        monkeypatch.setattr(module, "VERSION", words.VERSION + 1)
    async with open_memory(settings, embedder=embedder) as (store, _, _):
        assert await state(store) == right
        assert (await recall(store, "ann", "tea", k=1, now=NOW)).hits[0].parts["words"] == 1
    assert [t for t in embedder.texts[asked:] if t != "tea"] == [], "no vector is made anew"
