"""The cache of answers: right after every write, never another user's, bounded."""

from datetime import UTC, datetime
from typing import Any

import psycopg
import pytest

from memory.cache import Cache
from memory.episode import Episode
from memory.ingest import archive
from memory.search import recall
from memory.store import MemoryStore

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)


def turn(id: str, text: str, user: str = "ann") -> Episode:
    return Episode(id=id, user=user, text=text, time=NOW, session="s")


@pytest.mark.anyio
async def test_an_answer_is_kept_until_somebody_writes(counted: tuple[MemoryStore, Any], settings: Any) -> None:
    store, _ = counted
    await archive(store, "ann", [turn("1", "红茶"), turn("2", "绿茶")])
    first = await recall(store, "ann", "红茶", k=2, now=NOW)
    assert await recall(store, "ann", "红茶", k=2, now=NOW) is first
    assert await recall(store, "ann", "红茶", k=1, now=NOW) is not first
    assert (await recall(store, "bob", "红茶", k=2, now=NOW)).hits == ()
    # another process
    with psycopg.connect(settings.database_url.get_secret_value(), autocommit=True) as conn:
        conn.execute("DELETE FROM episodes WHERE id = '1'")
        conn.execute("UPDATE memory_users SET version = version + 1")
    assert [h.id for h in (await recall(store, "ann", "红茶", k=2, now=NOW)).hits] == ["2"]


@pytest.mark.anyio
async def test_an_erased_user_who_comes_back_gets_nothing_old(counted: tuple[MemoryStore, Any]) -> None:
    store, _ = counted
    await archive(store, "ann", [turn("1", "红茶")])
    assert len((await recall(store, "ann", "红茶", now=NOW)).hits) == 1
    await store.erase("ann")
    assert (await recall(store, "ann", "红茶", now=NOW)).hits == ()
    await archive(store, "ann", [turn("2", "绿茶")])
    assert [h.id for h in (await recall(store, "ann", "红茶", now=NOW)).hits] == ["2"]


def test_the_cache_is_bounded_in_size_and_time() -> None:
    at = 0.0
    cache: Cache[int] = Cache(entries=2, seconds=10, clock=lambda: at)
    for n in range(3):
        cache.put(n, n)
    assert (cache.get(0), cache.get(1), cache.get(2), len(cache)) == (None, 1, 2, 2)
    at = 11.0
    assert cache.get(2) is None and (cache.hits, cache.misses) == (2, 2)


def test_large_entries_leave_less_room() -> None:
    cache: Cache[int] = Cache(entries=10)
    for n in range(4):
        cache.put(n, n, size=4)
    assert [cache.get(n) for n in range(4)] == [None, None, 2, 3]
    cache.put(3, 3, size=9)
    assert (cache.get(2), cache.get(3)) == (None, 3)
    cache.put(4, 4, size=11)
    assert len(cache) == 0
