"""Episodes going in: idempotent, in batches, bad lines reported, documents by MD5 and by chunk."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from memory.chunks import chunks
from memory.documents import document
from memory.episode import Episode
from memory.ingest import archive, ingest
from memory.recall import Filter
from memory.search import recall
from memory.store import MemoryStore

pytestmark = pytest.mark.anyio

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
Counted = tuple[MemoryStore, Any]


def line(text: str, **more: Any) -> dict[str, Any]:
    return {"user": "ann", "text": text, "session": "s", "time": "2026-02-01T08:00:00", **more}


async def rows(store: MemoryStore, query: str) -> list[dict[str, Any]]:
    async with store.reading() as cur:
        await cur.execute(query)
        return [dict(r) for r in await cur.fetchall()]


async def test_the_same_lines_twice_are_the_same_episodes_and_cost_no_embedding(counted: Counted) -> None:
    store, embedder = counted
    lines = [line("早上去跑步", id="a"), line("下午开会"), line("晚上看书", speaker="Ann", caption="一本书")]
    first = await ingest(store, lines, zone=timezone(timedelta(hours=8)))
    assert (first.ingested, first.skipped, first.errors) == (3, 0, [])
    assert embedder.texts == ["下午开会", "早上去跑步", "Ann: 晚上看书 [一本书]"], "each text once, shortest first"
    again = await ingest(store, lines, zone=timezone(timedelta(hours=8)))
    assert (again.ingested, again.skipped, len(embedder.texts)) == (0, 3, 3)
    [one] = (await recall(store, "ann", "跑步", k=1, kind="episode", now=NOW)).hits
    assert (one.id, one.session, one.time) == ("a", "s", datetime(2026, 2, 1, tzinfo=UTC))
    assert [r["position"] for r in await rows(store, "SELECT position FROM episodes ORDER BY position")] == [0, 1, 2]
    await ingest(store, [line("第二天", id="next")])
    assert (await rows(store, "SELECT position FROM episodes WHERE id = 'next'"))[0]["position"] == 3


async def test_a_bad_line_is_reported_and_the_rest_goes_on(counted: Counted) -> None:
    store, _ = counted

    async def lines() -> AsyncIterator[dict[str, Any]]:
        for one in (
            line("好"),
            {"user": "ann"},
            line(""),
            line("x", user=""),
            line("y", time="soon"),
            {"error": "not JSON"},
            line("a\x00b\ud800<b>c</b>"),
            [1],
        ):
            yield one  # type: ignore[misc]

    done = await ingest(store, lines())
    assert done.ingested == 2 and len(done.errors) == 6
    assert [e.split(":")[0] for e in done.errors] == [f"line {n}" for n in (2, 3, 4, 5, 6, 8)]
    assert {r["text"] for r in await rows(store, "SELECT text FROM episodes")} == {"好", "ab\ufffdc"}


async def test_many_users_in_one_file_stay_apart_and_words_are_counted(counted: Counted) -> None:
    store, _ = counted
    done = await ingest(store, [line(f"第{i}次 apple pie", user=f"u{i % 7}", id=str(i)) for i in range(2100)])
    assert done.ingested == 2100
    for user in range(7):
        found = await recall(store, f"u{user}", "apple", k=1000, now=NOW)
        assert len(found.hits) == 300 and all(int(h.id) % 7 == user for h in found.hits)
    counts = await rows(store, "SELECT user_id, texts FROM memory_words WHERE term = 0 ORDER BY user_id")
    assert [c["texts"] for c in counts] == [300] * 7


async def test_archiving_is_idempotent_and_forgotten_words_are_uncounted(counted: Counted) -> None:
    store, _ = counted
    turns = [Episode(id=str(i), user="ann", text=f"turn {i}", time=NOW, session="t", position=i, entities=("湖州",) * i) for i in range(3)]
    assert await archive(store, "ann", turns) == 3 and await archive(store, "ann", turns) == 0
    assert [r["entities"] for r in await rows(store, "SELECT entities FROM episodes ORDER BY id")] == [[], ["湖州"], ["湖州", "湖州"]]
    version = await store.version("ann")
    async with store.writing("ann") as cur:
        await cur.execute("UPDATE episodes SET terms = NULL WHERE id = '0'")
        await cur.execute("DELETE FROM episodes WHERE id <> '0'")
    assert await rows(store, "SELECT DISTINCT texts FROM memory_words") == [{"texts": 0}]
    await store.erase("ann")
    assert await rows(store, "SELECT * FROM memory_words") == [] and version > 0


async def test_a_document_is_known_by_md5_and_a_changed_one_by_its_chunks(counted: Counted) -> None:
    store, embedder = counted
    parts = [f"第{i}条 规定内容编号{i * 37}。" for i in range(100)]
    first = await document(store, "ann", "rules.md", parts, time=NOW)
    assert (first.ingested, len(embedder.texts)) == (100, 100)
    again = await document(store, "ann", "rules.md", parts, time=NOW)
    assert (again.ingested, again.skipped, len(embedder.texts)) == (0, 100, 100)
    parts[50] = "第50条 已经修改。"
    changed = await document(store, "ann", "rules.md", parts, time=NOW)
    assert (changed.ingested, changed.retired, embedder.texts[100:]) == (1, 1, ["第50条 已经修改。"])
    assert (await recall(store, "ann", "第50条", k=1, now=NOW, filter=Filter(session=("rules.md",)))).hits[0].text == "第50条 已经修改。"
    # lines of a file with a source are the same document
    lines = [{"user": "ann", "source": "rules.md", "text": p} for p in parts]
    done = await ingest(store, lines)
    assert (done.ingested, done.skipped, len(embedder.texts)) == (0, 100, 102), "101 and the question"


def test_chunks_are_short_and_lose_nothing() -> None:
    text = "\n\n".join(f"第{i}段。" + "这里写了很多字。" * (i * 10) for i in range(12)) + "\n\n" + "x" * 1500
    cut = chunks(text)
    assert max(map(len, cut)) <= 400
    assert "".join("".join(cut).split()) == "".join(text.split())
    longer = chunks(text.replace("第5段。", "第5段，改过。"))
    assert len(set(longer) - set(cut)) <= 2, "a change in one place changes few chunks"
