"""A user's memories in the process: they find what Postgres finds, and are what Postgres has after any write."""

import random
from collections.abc import Callable
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory import candidates, resident, search
from memory.episode import Episode
from memory.forget import forget
from memory.ingest import archive
from memory.load import load, renew
from memory.open import open_memory
from memory.recall import Filter, Recalled
from memory.resident import Resident, Terms, spread
from memory.search import recall
from memory.settings import Settings
from memory.store import MemoryStore
from tests.counting import CountingEmbedder

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
THINGS = ("红茶", "绿茶", "爬山", "游泳", "hiking", "a green bicycle", "拼图", "摄影")
PLACES = ("湖边", "老街", "图书馆", "in Berlin", "公园", "码头")


def turn(n: int, text: str, user: str = "ann") -> Episode:
    return Episode(id=f"t{n}", user=user, text=text, time=NOW - timedelta(hours=n), session=str(n // 5), position=n % 5)


async def fill(store: MemoryStore, facts: int = 12, turns: int = 30) -> None:
    for n in range(facts):
        await put(store, n)
    await archive(store, "ann", [turn(n, f"第{n}次去{PLACES[n % 6]}{THINGS[n % 8]}，天气不错") for n in range(turns)])


async def put(store: MemoryStore, n: int, more: str = "") -> None:
    text = f"喜欢{THINGS[n % 8]}{n}{more}"
    await store.aput(("ann", "preference"), f"f{n}", {"attribute": "likes", "value": text[2:], "content": text})


def as_found(answer: Recalled) -> list[tuple[str, float]]:
    return [(h.id, round(h.score, 3)) for h in answer.hits]


@pytest.mark.anyio
async def test_the_process_finds_what_postgres_finds(counted: tuple[MemoryStore, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    store, _ = counted
    await fill(store)
    await put(store, 3, "，改了")  # a raw put over a fact makes a new version: the old one is superseded
    filters = (
        Filter(),
        Filter(validity="any"),
        Filter(role="user"),
        Filter(session=("2", "3")),
        Filter(attribute="likes"),
        Filter(since=NOW - timedelta(hours=9)),
    )
    questions = ("在湖边爬山怎么样？", "喜欢什么茶？", "以前喜欢什么？", "green bicycles in Berlin", "完全无关", "")
    kinds: tuple[Any, ...] = ("any", "fact", "episode")

    async def answers(running: str) -> list[list[tuple[str, float]]]:
        asked = [(q, kind, f) for q in questions for kind in kinds for f in filters]
        return [as_found(await recall(store, "ann", q, k=50, kind=kind, filter=f, now=NOW, running=running)) for q, kind, f in asked]

    here = await answers("here")
    with monkeypatch.context() as patch:
        patch.setattr(search, "KEPT", 0)
        there = await answers("there")
        for module in (resident, candidates):  # fewer are ranked than there are
            patch.setattr(module, "POOL", 11)
        there += await answers("of few")
    monkeypatch.setattr(resident, "POOL", 11)
    here += await answers("of few here")
    assert max(len(mine) for mine in here[len(here) // 2 :]) == 11
    for mine, other in zip(here, there, strict=True):
        assert dict(mine) == pytest.approx(dict(other), abs=2e-3)
        assert [score for _, score in mine] == pytest.approx([score for _, score in other], abs=2e-3)
    assert sum(bool(mine) for mine in here) > len(here) / 2


def same(a: Resident, b: Resident) -> None:
    assert a.version == b.version and list(a.memories.ids) == list(b.memories.ids)
    for mine, other, names in (
        (a.memories, b.memories, [f.name for f in fields(a.memories)]),
        (a.terms, b.terms, [f.name for f in fields(Terms)]),
        (a, b, ["superseded", "embedded", "vectors"]),
        (a.postings, b.postings, ["numbers"]),
    ):
        for name in names:
            np.testing.assert_array_equal(getattr(mine, name), getattr(other, name), err_msg=name)
    held = [sorted(zip(p.numbers.tolist(), p.holders.tolist(), p.parts.tolist(), strict=True)) for p in (a.postings, b.postings)]
    assert held[0] == held[1]


@pytest.mark.anyio
async def test_after_any_writes_only_what_changed_is_read_and_all_is_there(counted: tuple[MemoryStore, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    store, _ = counted
    chance = random.Random(7)
    await fill(store, facts=4, turns=8)

    async def superseded() -> None:
        await put(store, chance.randrange(4), f"又{chance.random()}")

    async def said() -> None:
        await archive(store, "ann", [turn(chance.randrange(100, 999), "又说了一句") for _ in range(chance.randrange(1, 4))])

    async def said_otherwise() -> None:
        await archive(store, "ann", [turn(chance.randrange(8), f"改口{chance.random()}")])

    async def deleted() -> None:
        async with store.connection() as conn:
            await conn.execute("DELETE FROM episodes WHERE id = (SELECT id FROM episodes WHERE user_id = 'ann' ORDER BY md5(id) LIMIT 1)")
            await conn.execute("UPDATE memory_users SET version = version + 1")

    async def of_another() -> None:
        await archive(store, "bob", [turn(chance.randrange(999), "跟安无关", "bob")])

    writes: tuple[Callable[[], Any], ...] = (superseded, said, said_otherwise, deleted, of_another)
    async with store.reading() as cur:
        known = await load(cur, "ann")
    for _ in range(25):
        for write in chance.sample(writes, chance.randrange(1, 4)):
            await write()
        async with store.reading() as cur:
            known = await renew(cur, "ann", known)
            same(known, await load(cur, "ann"))
    assert len(known) > 8


@pytest.mark.anyio
async def test_a_transaction_that_was_open_meanwhile_is_seen_when_it_is_done(counted: tuple[MemoryStore, Any], settings: Any) -> None:
    store, _ = counted
    await fill(store, facts=2, turns=3)
    async with await psycopg.AsyncConnection.connect(settings.database_url.get_secret_value()) as slow:
        await slow.execute("UPDATE episodes SET importance = 0.7 WHERE id = 't1'")  # has its number now, and is not done
        await archive(store, "ann", [turn(50, "另一句")])
        async with store.reading() as cur:
            known = await load(cur, "ann")
        await slow.execute("UPDATE memory_users SET version = version + 1")
        await slow.commit()
    async with store.reading() as cur:
        known = await renew(cur, "ann", known)
    assert known.memories.importance[known.memories.ids.index("t1")] == 0.7


@pytest.mark.anyio
async def test_what_is_forgotten_is_not_found_in_the_process_either(counted: tuple[MemoryStore, Any]) -> None:
    store, _ = counted
    await fill(store)
    before = await recall(store, "ann", "喜欢拼图", k=1, kind="fact", now=NOW)
    await forget(store, "ann", before.hits[0].id)
    after = await recall(store, "ann", "喜欢拼图", k=50, now=NOW)
    assert before.hits[0].id not in {h.id for h in after.hits}


@pytest.mark.anyio
async def test_a_store_without_vectors_and_an_empty_user(counted: tuple[MemoryStore, Any]) -> None:
    store, _ = counted
    async with store.connection() as conn:
        bare = MemoryStore(conn)
        await archive(bare, "eve", [turn(1, "红茶", "eve"), turn(2, "绿茶", "eve")])
        assert [h.id for h in (await recall(bare, "eve", "红茶", k=2, now=NOW)).hits] == ["t1", "t2"]
    assert (await recall(store, "nobody", "红茶", now=NOW)).hits == ()
    found = await recall(store, "eve", "绿茶", k=2, now=NOW)  # the same rows, asked with a vector
    assert [h.id for h in found.hits] == ["t2", "t1"] and "meaning" not in found.hits[0].parts
    await archive(store, "eve", [turn(3, "绿茶", "eve")])
    assert {h.id for h in (await recall(store, "eve", "绿茶", k=3, now=NOW)).hits} == {"t1", "t2", "t3"}


class Wide(CountingEmbedder):
    dims = 2000


@pytest.mark.anyio
async def test_vectors_wider_than_an_index_row(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_memory(settings, embedder=Wide()) as (store, _, _):
        await fill(store)
        here = await recall(store, "ann", "在湖边爬山怎么样？", k=5, now=NOW)
        monkeypatch.setattr(search, "KEPT", 0)
        there = await recall(store, "ann", "在湖边爬山怎么样？", k=5, now=NOW, running="x")
    assert [h.id for h in here.hits] == [h.id for h in there.hits] and here.hits[0].parts["meaning"] > 0


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 6)), max_size=20))
def test_ranges_are_spread(ranges: list[tuple[int, int]]) -> None:
    starts, counts = (np.array([r[i] for r in ranges], np.int64) for i in (0, 1))
    assert spread(starts, counts).tolist() == [n for start, count in ranges for n in range(start, start + count)]


@pytest.mark.anyio
async def test_a_server_process_that_is_younger_brings_all_memories_anew(counted: tuple[MemoryStore, Any]) -> None:
    store, _ = counted
    await fill(store)
    async with store.reading() as cur:
        known = await load(cur, "ann")
    await put(store, 99)
    async with store.reading() as cur:
        lost = replace(known, horizon="4000000000")  # the number of its transaction looks older than all that was copied
        assert len(await renew(cur, "ann", replace(lost, made=0.0))) == len(known) + 1


@pytest.mark.anyio
async def test_a_version_number_does_not_come_again(counted: tuple[MemoryStore, Any]) -> None:
    store, _ = counted
    await put(store, 1)
    before = await store.version("ann")
    await put(store, 2)
    lost = await store.version("ann")
    async with store.writing() as cur:  # as after a crash that lost the last write
        await cur.execute("UPDATE memory_users SET version = %s WHERE user_id = 'ann'", (before,))
    await put(store, 3)
    assert await store.version("ann") > lost
