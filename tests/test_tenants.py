"""A user sees only what is his, on every path and whatever the users are called; a few rows of his are found among very many of others."""

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from langgraph.store.base import PutOp

from memory.documents import document
from memory.episode import Episode
from memory.ingest import archive, ingest
from memory.namespace import encode
from memory.portability import export, import_file
from memory.recall import Filter
from memory.search import recall
from memory.store import MemoryStore

pytestmark = pytest.mark.anyio

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
USERS = (
    "ann", "ann.b", "an", "Ann", "ann%", "ann_", "an_", "%", "_", ".", "..", "ann/", "ann:", "ann|", " ann", "ann ", "ann\n", "langgraph", "%6Canggraph",
    "1", "01", "1.0", "用户", "用户.", "ﾊﾝｶｸ", "🙂", "a" * 512, "x' OR '1'='1", "'; DROP TABLE store; --", "{user}", "ann@example.org", "null", "*",
)  # fmt: skip
Counted = tuple[MemoryStore, Any]


async def fill(store: MemoryStore, user: str, n: int) -> None:
    """One of each: a fact, an item, turns, a document. All users say nearly the same, and use the same keys."""
    await store.aput((encode(user), "preference"), f"f{n}", {"attribute": "likes", "value": f"茉莉花茶{n}", "content": f"喜欢茉莉花茶{n}"})
    await store.aput((encode(user), "docs"), "same", {"content": f"茉莉花茶的笔记{n}"})
    await archive(store, user, [Episode(id="same", user=user, text=f"茉莉花茶真香{n}", time=NOW, session="s")])
    await document(store, user, "tea.md", [f"茉莉花茶要这样泡{n}。"], time=NOW)


async def seen(store: MemoryStore, user: object, n: int) -> set[str]:
    """Every text that any read shows this user."""
    label, keys = encode(str(user)), ["same", "f0", f"f{n}", f"f{(n + 1) % len(USERS)}"]
    found = {h.text for kind in ("any", "fact", "episode") for h in (await recall(store, user, "茉莉花茶", k=99, kind=kind, now=NOW)).hits}
    found |= {h.text for h in (await recall(store, user, "茉莉花茶", k=99, now=NOW, filter=Filter(session=("s", "tea.md")))).hits}
    found |= {m.content for m in await store.versions(user)} | {m.content for key in keys for m in await store.history(user, key)}
    found |= {c.memory.content for c in await store.changes(user) if c.memory}
    searches: tuple[Mapping[str, Any], ...] = ({}, {"query": "茉莉花茶"}, {"query": "茉莉花茶", "filter": {"content": {"$exists": True}}})
    for how in searches:
        found |= {i.value["content"] for i in await store.asearch((label,), limit=99, **how)}
    for namespace in await store.alist_namespaces(prefix=(label,)):
        assert namespace[0] == label
        found |= {i.value["content"] for i in await store.asearch(namespace, limit=99)}
    for key in keys:
        for category in ("docs", "preference"):
            if item := await store.aget((label, category), key):
                found.add(item.value["content"])
    return found


def own(n: int) -> set[str]:
    return {f"喜欢茉莉花茶{n}", f"茉莉花茶的笔记{n}", f"茉莉花茶真香{n}", f"茉莉花茶要这样泡{n}。"}


async def test_every_path_of_every_user(counted: Counted, tmp_path: Path) -> None:
    store, _ = counted
    for n, user in enumerate(USERS):
        await fill(store, user, n)
    for n, user in enumerate(USERS):
        assert await seen(store, user, n) == own(n), user
    one = USERS.index("1")
    assert await seen(store, 1, one) == own(one), "1 and '1' are one user"
    # what one user does to keys that others have too touches nobody else
    for n, user in enumerate(USERS[:8]):
        label = encode(user)
        await store.adelete((label, "docs"), "same")
        await store.adelete((label, "preference"), f"f{(n + 1) % len(USERS)}")
        await store.purge(user, [f"f{(n + 1) % len(USERS)}", f"f{n}"])
        await store.used(user, [f"f{(n + 1) % len(USERS)}"], NOW)
        await document(store, user, "tea.md", ["改了。"], time=NOW)
        assert await seen(store, user, n) == {f"茉莉花茶真香{n}", "改了。"}, user
    for n, user in list(enumerate(USERS))[8:]:
        assert await seen(store, user, n) == own(n), user
    # an export holds one user; brought in elsewhere, it is his and nobody's else
    path = tmp_path / "export.jsonl"
    with path.open("w", encoding="utf-8") as file:
        async for line in export(store, "用户"):
            file.write(line)
    assert [u for n, u in enumerate(USERS) if f'"茉莉花茶真香{n}"' in path.read_text(encoding="utf-8")] == ["用户"]
    for user in ("用户", "%", "langgraph"):
        await store.erase(user)
        assert await seen(store, user, 0) == set()
    await import_file(store, path)
    for n, user in list(enumerate(USERS))[8:]:
        assert await seen(store, user, n) == (set() if user in {"%", "langgraph"} else own(n)), user


async def test_lines_of_many_users_reach_only_theirs(counted: Counted) -> None:
    store, _ = counted
    done = await ingest(store, [{"user": u, "id": "same", "text": f"第{n}位来过", "session": "s"} for n, u in enumerate(USERS)])
    assert (done.ingested, done.errors) == (len(USERS), [])
    for n, user in enumerate(USERS):
        assert [h.text for h in (await recall(store, user, "来过", k=9, now=NOW)).hits] == [f"第{n}位来过"]


async def test_the_cache_answers_nobody_else(counted: Counted) -> None:
    store, _ = counted
    for n, user in enumerate(USERS[:12]):
        await archive(store, user, [Episode(id="same", user=user, text=f"茶{n}", time=NOW)])
    for _ in range(2):
        for n, user in enumerate(USERS[:12]):
            assert [h.text for h in (await recall(store, user, "茶", now=NOW)).hits] == [f"茶{n}"]


async def test_twenty_rows_among_two_hundred_thousand(counted: Counted) -> None:
    """Of items and of turns; the others' rows are written straight into the tables, nearer to the question than the user's own."""
    store, embedder = counted
    near = "[" + ",".join(str(float(x)) for x in embedder.embed(["茉莉花茶"], "query")[0]) + "]"
    async with store.writing() as cur:
        await cur.execute("SET LOCAL session_replication_role = replica")  # no triggers: nobody recalls these
        other = "SELECT 'other' || i %% 4000 || '.docs', i::text"
        await cur.execute(f"INSERT INTO store (prefix, key, value) {other}, '{{}}' FROM generate_series(1, 200000) i", ())
        await cur.execute(
            f"INSERT INTO store_vectors (prefix, key, field_name, embedding) {other}, 'content', %s::halfvec FROM generate_series(1, 200000) i",
            (near,),
        )
        turn = "SELECT 'other' || i %% 4000, i::text"
        await cur.execute(f"INSERT INTO episodes (user_id, id, text, time) {turn}, '茉莉花茶', now() FROM generate_series(1, 200000) i", ())
        await cur.execute(f"INSERT INTO episode_vectors (user_id, key, embedding) {turn}, %s::halfvec FROM generate_series(1, 200000) i", (near,))
    await store.abatch([PutOp(("ann", "docs"), str(n), {"content": f"第{n}种花"}) for n in range(20)])
    await archive(store, "bob", [Episode(id=str(n), user="bob", text=f"第{n}种花", time=NOW) for n in range(20)])
    assert len({i.key for i in await store.asearch(("ann", "docs"), query="茉莉花茶", limit=10)}) == 10
    assert len({i.key for i in await store.asearch(("ann",), query="茉莉花茶", limit=50)}) == 20
    assert len({h.id for h in (await recall(store, "bob", "茉莉花茶", k=10, now=NOW)).hits}) == 10


async def test_cancelled_work_leaves_no_half_and_no_lock(counted: Counted) -> None:
    store, _ = counted
    turns = [Episode(id=str(n), user="ann", text=f"第{n}天", time=NOW, session="s", position=n) for n in range(300)]
    for delay in (0.0, 0.002, 0.01, 0.05):
        work: list[asyncio.Task[Any]] = [
            asyncio.create_task(archive(store, "ann", turns)),
            asyncio.create_task(recall(store, "ann", "第7天", k=5, now=NOW)),
            asyncio.create_task(store.abatch([PutOp(("ann", "preference"), f"{delay}-{n}", {"content": f"喜欢{n}"}) for n in range(50)])),
        ]
        await asyncio.sleep(delay)
        for task in work:
            task.cancel()
        await asyncio.gather(*work, return_exceptions=True)
        async with store.reading() as cur:
            await cur.execute("SELECT (SELECT count(*) FROM episodes) AS turns, (SELECT count(*) FROM episode_vectors) AS vectors")
            assert await cur.fetchone() in ({"turns": 0, "vectors": 0}, {"turns": 300, "vectors": 300})
            await cur.execute("SELECT count(*) AS n FROM store s FULL JOIN memory_versions v ON s.key = v.key WHERE s.key IS NULL OR v.key IS NULL")
            assert await cur.fetchone() == {"n": 0}
        async with store.writing("ann", wait=2):
            pass
    await archive(store, "ann", turns)
    assert (await recall(store, "ann", "第7天", k=1, kind="episode", now=NOW)).hits[0].id == "7"
