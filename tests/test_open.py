"""Opening the memory."""

import pytest

from memory.checkpointer import Checkpointer
from memory.embedder import Embedder
from memory.store import MemoryStore

pytestmark = pytest.mark.anyio


async def test_what_is_put_is_found(memory: tuple[MemoryStore, Checkpointer, Embedder]) -> None:
    store, _, _ = memory
    await store.aput(("alice", "preference"), "tea", {"content": "我喜欢喝绿茶"})
    await store.aput(("alice", "preference"), "run", {"content": "I go running every morning"})
    found = await store.asearch(("alice", "preference"), query="她喜欢喝什么？")
    assert [item.key for item in found] == ["tea", "run"]
    assert found[0].value["content"] == "我喜欢喝绿茶"
    assert await store.asearch(("bob",), query="绿茶") == []
