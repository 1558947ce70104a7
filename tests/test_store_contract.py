"""One contract on three stores: ours, langgraph's AsyncPostgresStore and its InMemoryStore.

`AGREED` cases hold on all three. The others are the faults of the stock class that ours mends; each says what the others do:

| case | ours | AsyncPostgresStore | InMemoryStore |
|---|---|---|---|
| query search in a small namespace of a big table | exact | HNSW loses rows | exact |
| paging with a query | right at any offset | few or no rows after the first pages | right |
| an item with many vectors | takes one place | pushes others out | takes one place |
| a re-put without index, or with less text | old vectors are gone | the old text is still found | the old text is still found |
| one bad value among puts of one tick | fails alone | fails everybody's | fails alone |
| a slow embedder | others go on | others wait | others go on |
| read after put in one batch | sees it | does not | does not |
| `$gt` and the like | numbers as numbers, texts as texts | everything as text | everything as number, or ValueError |
| `$ne` on a missing field | true | false | true |
| nested filter, `$and`, `$or`, `$in` | understood | error or nothing | nested only |
| four setups at once | one does it | UniqueViolation | - |
| NUL, surrogates, NaN, dates in values | cleaned | an error | kept |
| an expired item | gone | returned, revived by the read | no TTL |
| TTL under a minute | kept | becomes 0 | no TTL |
| a re-put without ttl | keeps the item's ttl | clears it | no TTL |
| reads | write nothing unless there is a TTL to refresh | an UPDATE each | - |
| items without vector in a query search | after the others, score None | never | after the others, score None |
| 20,000 puts in one batch | done | too many parameters | done |
| queries | aembed_query | aembed_documents | aembed_query |
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

import psycopg
import pytest
from langchain_core.embeddings import Embeddings
from langgraph.store.base import BaseStore, GetOp, InvalidNamespaceError, Op, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore
from langgraph.store.postgres import AsyncPostgresStore
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool

from memory.errors import BadInput, EmbedderMismatch, MemoryUnavailable
from memory.open import open_memory
from memory.settings import Settings
from memory.store import MemoryStore
from tests.counting import CountingEmbedder

pytestmark = pytest.mark.anyio

Opener = Callable[..., AbstractAsyncContextManager[Any]]


class Letters(Embeddings):
    """Counts letters a–h: exact, tiny, and able to be slow or to refuse a text."""

    def __init__(self) -> None:
        self.documents: list[str] = []
        self.queries: list[str] = []
        self.delay = 0.0

    def _vector(self, text: str) -> list[float]:
        if "refuse" in text:
            raise RuntimeError("the embedder refuses this text")
        return [1e-6 + text.count(c) for c in "abcdefgh"]

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.documents += texts
        return [self._vector(t) for t in texts]

    def embed_query(self, text: str) -> list[float]:
        self.queries.append(text)
        return self._vector(text)

    async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
        await asyncio.sleep(self.delay)
        return self.embed_documents(texts)

    async def aembed_query(self, text: str) -> list[float]:
        await asyncio.sleep(self.delay)
        return self.embed_query(text)


def pooled(url: str, **kwargs: Any) -> AsyncConnectionPool[Any]:
    return AsyncConnectionPool(url, kwargs={"autocommit": True, "prepare_threshold": None, "row_factory": dict_row, **kwargs}, open=False, max_size=4)


def index(embed: Embeddings, fields: list[str]) -> Any:
    return {"dims": 8, "embed": embed, "fields": fields}


@pytest.fixture
def ours(database_url: str) -> Opener:
    @asynccontextmanager
    async def open_(fields: list[str] | None = None, embed: Letters | None = None, **more: Any) -> AsyncIterator[MemoryStore]:
        async with pooled(database_url) as pool:
            store = MemoryStore(pool, index=index(embed or Letters(), fields or ["text"]), **more)
            await store.setup()
            yield store

    return open_


@pytest.fixture
def stock(empty_database_url: str) -> Opener:
    @asynccontextmanager
    async def open_(fields: list[str] | None = None, embed: Letters | None = None, **more: Any) -> AsyncIterator[AsyncPostgresStore]:
        async with pooled(empty_database_url) as pool:
            store = AsyncPostgresStore(pool, index=index(embed or Letters(), fields or ["text"]), **more)
            await store.setup()
            yield store

    return open_


@pytest.fixture
def in_memory() -> Opener:
    @asynccontextmanager
    async def open_(fields: list[str] | None = None, embed: Letters | None = None) -> AsyncIterator[InMemoryStore]:
        yield InMemoryStore(index=index(embed or Letters(), fields or ["text"]))

    return open_


@pytest.fixture(params=["ours", "stock", "in_memory"])
async def any_store(request: pytest.FixtureRequest) -> AsyncIterator[BaseStore]:
    async with request.getfixturevalue(request.param)() as store:
        yield store


def keys(found: list[Any]) -> list[str]:
    return [item.key for item in found]


# --- what all three agree on


async def test_put_get_delete(any_store: BaseStore) -> None:
    assert await any_store.aget(("u", "docs"), "k") is None
    await any_store.aput(("u", "docs"), "k", {"text": "aaa", "n": 1})
    await any_store.aput(("u", "docs"), "other", {"text": "bbb"})
    first = await any_store.aget(("u", "docs"), "k")
    assert first is not None and (first.namespace, first.key, first.value) == (("u", "docs"), "k", {"text": "aaa", "n": 1})
    await any_store.aput(("u", "docs"), "k", {"text": "ab"})
    second = await any_store.aget(("u", "docs"), "k")
    assert second is not None and second.value == {"text": "ab"}
    assert second.updated_at > first.updated_at
    assert second.created_at == first.created_at or isinstance(any_store, InMemoryStore), "memory makes a new item of it"
    await any_store.adelete(("u", "docs"), "k")
    await any_store.adelete(("u", "docs"), "absent")
    assert await any_store.aget(("u", "docs"), "k") is None
    assert (await any_store.aget(("u", "docs"), "other")).value == {"text": "bbb"}  # type: ignore[union-attr]


async def test_a_namespace_is_not_its_neighbours(any_store: BaseStore) -> None:
    for user in ("user_1", "user_10", "userX1", "user%", "User_1", "用户一"):
        await any_store.aput((user, "docs"), user, {"text": "aaa"})
        await any_store.aput((user, "docs", "deep"), user + "!", {"text": "aaa"})
    for user in ("user_1", "user_10", "userX1", "user%", "User_1", "用户一"):
        assert sorted(keys(await any_store.asearch((user,)))) == sorted([user, user + "!"])
        assert sorted(keys(await any_store.asearch((user, "docs"), query="a"))) == sorted([user, user + "!"])
        assert keys(await any_store.asearch((user, "docs", "deep"), query="a")) == [user + "!"]
    assert await any_store.asearch(("user",), query="a") == []
    assert len(await any_store.asearch((), limit=50)) == 12


async def test_search_ranks_and_filters(any_store: BaseStore) -> None:
    await any_store.aput(("u", "docs"), "a", {"text": "aaa", "kind": "x"})
    await any_store.aput(("u", "docs"), "ab", {"text": "aab", "kind": "y"})
    await any_store.aput(("u", "docs"), "b", {"text": "bbb", "kind": "x"})
    found = await any_store.asearch(("u", "docs"), query="a")
    assert keys(found) == ["a", "ab", "b"]
    assert found[0].score == pytest.approx(1, abs=1e-3) and found[2].score == pytest.approx(0, abs=1e-3)
    assert keys(await any_store.asearch(("u", "docs"), query="a", filter={"kind": "x"})) == ["a", "b"]
    assert keys(await any_store.asearch(("u", "docs"), query="a", filter={"kind": {"$ne": "x"}})) == ["ab"]
    assert keys(await any_store.asearch(("u", "docs"), query="a", limit=1, offset=1)) == ["ab"]
    assert await any_store.asearch(("u", "docs"), filter={"kind": "z"}) == []


async def test_namespaces_are_listed(any_store: BaseStore) -> None:
    for namespace in (("a", "docs"), ("a", "docs", "deep"), ("b", "docs"), ("b", "notes"), ("a-b", "docs")):
        await any_store.aput(namespace, "k", {"text": "a"})
    assert sorted(await any_store.alist_namespaces()) == sorted(
        [("a", "docs"), ("a", "docs", "deep"), ("a-b", "docs"), ("b", "docs"), ("b", "notes")]
    )
    assert sorted(await any_store.alist_namespaces(max_depth=1)) == [("a",), ("a-b",), ("b",)]
    assert sorted(await any_store.alist_namespaces(prefix=("a",))) == [("a", "docs"), ("a", "docs", "deep")]
    assert sorted(await any_store.alist_namespaces(prefix=("*", "notes"))) == [("b", "notes")]
    assert sorted(await any_store.alist_namespaces(suffix=("docs",))) == [("a", "docs"), ("a-b", "docs"), ("b", "docs")]
    assert len(await any_store.alist_namespaces(limit=2)) == 2


@pytest.mark.parametrize("bad", [(), ("a.b",), ("",), ("langgraph", "x"), ("a\x00",), (UUID(int=1),)])
async def test_bad_namespaces_are_refused(any_store: BaseStore, bad: Any) -> None:
    with pytest.raises(InvalidNamespaceError):
        await any_store.aput(bad, "k", {"text": "a"})


async def test_an_empty_result_is_a_list(any_store: BaseStore) -> None:
    assert await any_store.asearch(("nobody",), query="a") == []
    assert await any_store.alist_namespaces(prefix=("nobody",)) == []
    assert await any_store.abatch([]) == []


# --- what ours mends, beside the stock class


async def test_a_users_own_rows_are_never_lost_behind_other_tenants(ours: Opener) -> None:
    async with ours() as store:
        await store.abatch([PutOp((f"other{i % 40}", "docs"), str(i), {"text": "a" * 9 + "b"}) for i in range(4000)])
        await store.abatch([PutOp(("me", "docs"), str(i), {"text": "a" + "b" * (i + 1)}) for i in range(20)])
        assert keys(await store.asearch(("me",), query="aaaaaaaaab", limit=10)) == [str(i) for i in range(10)]
        async with store.reading() as cur:
            await cur.execute("SELECT indexdef FROM pg_indexes WHERE indexdef ~ 'hnsw|ivfflat'")
            assert await cur.fetchall() == []


async def test_paging_is_right_at_any_offset(ours: Opener) -> None:
    async def pages(store: BaseStore) -> list[str]:
        await store.abatch([PutOp(("u", "docs"), f"{i:03}", {"text": "a" * 50 + "b" * i}) for i in range(95)])
        found: list[str] = []
        for offset in range(0, 110, 10):
            found += keys(await store.asearch(("u", "docs"), query="a", limit=10, offset=offset))
        return found

    async with ours() as store:
        assert await pages(store) == [f"{i:03}" for i in range(95)]
        filtered = await store.asearch(("u", "docs"), query="a", filter={"text": {"$ne": "a" * 50}}, limit=3, offset=90)
        assert keys(filtered) == ["091", "092", "093"]


async def test_an_item_with_many_vectors_takes_one_place(ours: Opener) -> None:
    async with ours(["chunks[*]"]) as store:
        await many_vectors(store)
        assert keys(await store.asearch(("u", "docs"), query="a", limit=5)) == ["long", "short0", "short1", "short2", "short3"]


async def many_vectors(store: BaseStore) -> None:
    await store.aput(("u", "docs"), "long", {"chunks": ["aaa"] * 60})
    for i in range(5):
        await store.aput(("u", "docs"), f"short{i}", {"chunks": ["ab"]})


async def test_what_the_stock_class_does_in_these_cases(stock: Opener) -> None:
    """So that the table above stays true: when one of these fails, langgraph has mended it."""
    at = ("u", "docs")
    async with stock(["text", "chunks[*]"]) as store:
        await store.abatch([PutOp(at, f"{i:03}", {"text": "a" * 50 + "b" * i}) for i in range(95)])
        assert len(await store.asearch(at, query="a", limit=10, offset=80)) < 10, "paging"
        assert await store.abatch([PutOp(at, "new", {"n": 1}), GetOp(at, "new")]) == [None, None], "a batch does not read its own puts"
        await many_vectors(store)
        await store.aput(at, "000", {"text": "c"}, index=False)
        assert keys(await store.asearch(at, query="a", limit=1)) == ["long"]
        assert len(keys(await store.asearch(at, query="a", limit=5))) < 5, "many vectors"
        assert "000" in keys(await store.asearch(at, query="a" * 50, limit=20)), "stale vectors"
        await store.aput(at, "nine", {"n": 9})
        assert "nine" in keys(await store.asearch(at, filter={"n": {"$gt": 10}})), "numbers as text"
        results: Any = await asyncio.gather(store.aput(at, "good", {"n": 1}), store.aput(at, "bad", {"n": float("nan")}), return_exceptions=True)
        assert isinstance(results[0], psycopg.Error) and await store.aget(at, "good") is None, "one bad value fails its neighbours"


async def test_old_vectors_go_with_the_old_text(ours: Opener) -> None:
    async with ours(["text", "notes[*]"]) as store:
        for again, options in (({"text": "bbb"}, {"index": False}), ({"other": 1}, {}), ({"text": "b", "notes": ["b"]}, {})):
            await store.aput(("u", "docs"), "k", {"text": "aaa", "notes": ["aaa", "aaa", "aaa"]})
            await store.aput(("u", "docs"), "k", again, **options)
            [item] = await store.asearch(("u", "docs"), query="aaa")
            assert item.score is None or item.score < 0.1, again


async def test_one_bad_value_fails_alone(ours: Opener) -> None:
    async with ours() as store:
        results: Any = await asyncio.gather(
            store.aput(("u", "docs"), "good", {"text": "a"}),
            store.aput(("u", "docs"), "bad", {"text": object()}),
            store.aput(("u", "docs"), "refused", {"text": "refuse"}),
            store.aput(("v", "docs"), "good", {"text": "a"}),
            return_exceptions=True,
        )
        good, bad, refused, other = results
        assert (good, other) == (None, None) and isinstance(bad, TypeError) and isinstance(refused, RuntimeError)
        assert await store.aget(("u", "docs"), "good") and await store.aget(("v", "docs"), "good")


async def test_one_bad_value_in_a_batch_fails_alone_and_is_told(ours: Opener) -> None:
    async with ours() as store:
        values: list[dict[str, Any]] = [{"text": "a"}, {"text": "refuse"}, {"x": b"bytes"}, {"text": "b", "huge": "x" * 300}, {"text": "c"}]
        with pytest.raises((TypeError, RuntimeError)) as caught:
            await store.abatch([PutOp(("u", "docs"), str(i), v) for i, v in enumerate(values)])
        assert "2 of 5 operations failed" in caught.value.__notes__[0]
        assert sorted(keys(await store.asearch(("u", "docs")))) == ["0", "3", "4"]


async def test_a_slow_embedder_holds_up_nobody_else(ours: Opener) -> None:
    embed = Letters()
    async with ours(embed=embed) as store:
        await store.aput(("v", "docs"), "k", {"text": "b"})
        embed.delay = 1.0
        slow = [asyncio.create_task(store.aput(("u", "docs"), str(i), {"text": "a"})) for i in range(20)]
        await asyncio.sleep(0.05)
        start = time.monotonic()
        assert await store.aget(("v", "docs"), "k")
        assert await store.asearch(("v",))
        assert time.monotonic() - start < 0.5, "20 waiting puts hold no connection of the four"
        await asyncio.gather(*slow)


async def test_a_batch_reads_its_own_writes(ours: Opener) -> None:
    at = ("u", "docs")
    ops: list[Op] = [GetOp(at, "k"), PutOp(at, "k", {"text": "a"}), GetOp(at, "k"), PutOp(at, "k", None), GetOp(at, "k"), SearchOp(at)]
    async with ours() as store:
        before, _, after, _, gone, found = await store.abatch(ops)
        assert (before, after.value, gone, found) == (None, {"text": "a"}, None, [])
        many = await store.abatch([PutOp(("u", "docs"), "k", {"n": n}) for n in range(3)])
        assert many == [None] * 3 and (await store.aget(("u", "docs"), "k")).value == {"n": 2}


FILTERS: list[tuple[dict[str, Any], set[str]]] = [
    ({"n": {"$gt": 9}}, {"ten", "half"}),
    ({"n": {"$gte": 9}}, {"nine", "ten", "half"}),
    ({"n": {"$lt": 10}}, {"nine"}),
    ({"n": {"$lte": 10, "$gt": 9}}, {"ten"}),
    ({"n": 10}, {"ten"}),
    ({"n": 10.0}, {"ten"}),
    ({"n": {"$gt": "1"}}, {"text"}),
    ({"n": {"$ne": 9}}, {"ten", "half", "text", "none"}),
    ({"n": None}, {"none"}),
    ({"meta": {"a": 2}}, {"ten"}),
    ({"meta": {"a": {"$gt": 1}}}, {"ten"}),
    ({"n": {"$in": [9, 10]}}, {"nine", "ten"}),
    ({"n": {"$nin": [9, 10]}}, {"half", "text", "none"}),
    ({"n": {"$exists": False}}, {"none"}),
    ({"$and": [{"n": {"$gt": 8}}, {"n": {"$lt": 10}}]}, {"nine"}),
    ({"$or": [{"n": 9}, {"meta": {"a": 2}}]}, {"nine", "ten"}),
    ({"$not": {"n": {"$gt": 0}}}, {"text", "none"}),
    ({"tags": ["x", "y"]}, {"half"}),
    ({"when": {"$gte": datetime(2026, 2, 1, tzinfo=UTC)}}, {"half"}),
    ({"%s": 1}, set()),
    ({"a\x00'": "\ud800"}, set()),
]


async def test_filters(ours: Opener) -> None:
    async with ours() as store:
        await store.aput(("u", "docs"), "nine", {"text": "a", "n": 9, "meta": {"a": 1}})
        await store.aput(("u", "docs"), "ten", {"text": "a", "n": 10, "meta": {"a": 2, "b": 3}})
        await store.aput(("u", "docs"), "half", {"text": "a", "n": 10.5, "tags": ["x", "y"], "when": datetime(2026, 3, 1, tzinfo=UTC)})
        await store.aput(("u", "docs"), "text", {"text": "a", "n": "9"})
        await store.aput(("u", "docs"), "none", {"text": "a", "meta": 5})
        for filter, expected in FILTERS:
            assert set(keys(await store.asearch(("u", "docs"), filter=filter))) == expected, filter
            assert set(keys(await store.asearch(("u", "docs"), query="a", filter=filter))) == expected, filter


async def test_an_unknown_operator_is_named(ours: Opener) -> None:
    async with ours() as store:
        bad: dict[str, Any]
        for bad in ({"n": {"$regex": "x"}}, {"$nor": []}, {"n": {"$in": 3}}, {"$and": 3}):
            with pytest.raises(ValueError, match=r"\$(regex|nor|in|and)"):
                await store.asearch(("u",), filter=bad)


async def test_four_setups_at_once(empty_database_url: str) -> None:
    async def setup() -> None:
        async with pooled(empty_database_url) as pool:
            await MemoryStore(pool, index=index(Letters(), ["text"])).setup()

    await asyncio.gather(*(setup() for _ in range(4)))


async def test_values_that_json_or_postgres_cannot_hold_have_an_outcome(ours: Opener) -> None:
    async with ours() as store:
        await store.aput(
            ("u", "docs"), "k",
            {"text": "a\x00b", "s": "x\ud800y", "nan": float("nan"), "inf": float("-inf"), "when": date(2026, 1, 2), "id": UUID(int=1),
             "set": {"b", "a"}, "t": (1, 2), "big": 10**30, "\x00key": {"\x00": 1}, "emoji": "👩‍👩‍👧 {x} <b>"},
        )  # fmt: skip
        item = await store.aget(("u", "docs"), "k")
        assert item is not None and item.value == {
            "text": "ab", "s": "x�y", "nan": None, "inf": None, "when": "2026-01-02", "id": str(UUID(int=1)), "set": ["a", "b"], "t": [1, 2],
            "big": 10**30, "key": {"": 1}, "emoji": "👩‍👩‍👧 {x} <b>",
        }  # fmt: skip
        with pytest.raises(BadInput):
            await store.aput(("u", "docs"), "a\x00", {"text": "a"})
        with pytest.raises(BadInput):
            await store.aput(("u\ud800", "docs"), "a", {"text": "a"})
        assert await store.aget(("u", "docs"), "a\x00") is None
        assert await store.asearch(("u\ud800",), query="a\x00\ud800") == []
        await store.aput(("u", "docs"), "long", {"text": "b" * 200_000})
        assert keys(await store.asearch(("u", "docs"), query="b")) == ["long", "k"]


async def test_a_time_to_live(ours: Opener) -> None:
    async with ours(ttl={"default_ttl": 0.01, "refresh_on_read": True}) as store:  # 0.6 s
        await store.aput(("u", "docs"), "k", {"text": "a"})
        await store.aput(("u", "docs"), "keep", {"text": "a"}, ttl=None)
        await asyncio.sleep(0.4)
        assert await store.aget(("u", "docs"), "k"), "a read starts it anew"
        await asyncio.sleep(0.4)
        assert keys(await store.asearch(("u", "docs"), query="a", refresh_ttl=False)) == ["k", "keep"]
        await asyncio.sleep(0.4)
        assert await store.aget(("u", "docs"), "k") is None
        assert keys(await store.asearch(("u", "docs"), query="a", limit=1)) == ["keep"], "what is expired takes no place"
        assert keys(await store.asearch(("u", "docs"))) == ["keep"]
        assert await store.aget(("u", "docs"), "k") is None, "a read does not revive it"
        await store.sweep_ttl()
        async with store.reading() as cur:
            await cur.execute("SELECT count(*) AS n FROM store_vectors")
            assert (await cur.fetchone())["n"] == 1


async def test_a_put_without_ttl_keeps_the_items_own(ours: Opener) -> None:
    async with ours() as store:
        await store.aput(("u", "docs"), "k", {"text": "a"}, ttl=0.005)
        await store.aput(("u", "docs"), "k", {"text": "b"})
        await asyncio.sleep(0.35)
        assert await store.aget(("u", "docs"), "k") is None
        await store.aput(("u", "docs"), "j", {"text": "a"}, ttl=0.005)
        await store.aput(("u", "docs"), "j", {"text": "b"}, ttl=None)
        await asyncio.sleep(0.35)
        assert await store.aget(("u", "docs"), "j")


async def test_reads_do_not_write(ours: Opener, database_url: str) -> None:
    async with ours() as store:
        await store.aput(("u", "docs"), "k", {"text": "a"})
    async with pooled(database_url, options="-c default_transaction_read_only=on") as pool:
        store = MemoryStore(pool, index=index(Letters(), ["text"]))
        assert await store.aget(("u", "docs"), "k")
        assert keys(await store.asearch(("u", "docs"), query="a")) == ["k"]
        assert await store.alist_namespaces() == [("u", "docs")]
        assert await store.versions("u") == []


async def test_items_without_a_vector_come_last(ours: Opener) -> None:
    async with ours() as store:
        for i in range(3):
            await store.aput(("u", "docs"), f"plain{i}", {"text": "a", "n": i}, index=False)
            await store.aput(("u", "docs"), f"near{i}", {"text": "a" + "b" * i, "n": i})
        assert keys(await store.asearch(("u", "docs"), query="a")) == ["near0", "near1", "near2", "plain2", "plain1", "plain0"]
        assert keys(await store.asearch(("u", "docs"), query="a", limit=2, offset=2)) == ["near2", "plain2"]
        assert keys(await store.asearch(("u", "docs"), query="a", limit=2, offset=4)) == ["plain1", "plain0"]
        assert keys(await store.asearch(("u", "docs"), query="a", filter={"n": 1})) == ["near1", "plain1"]


async def test_twenty_thousand_puts_in_one_batch(ours: Opener) -> None:
    async with ours() as store:
        await store.abatch([PutOp(("u", "docs"), str(i), {"n": i}) for i in range(20_000)])
        [item] = await store.asearch(("u", "docs"), filter={"n": 19_999})
        assert item.key == "19999"


async def test_questions_are_embedded_as_questions(ours: Opener) -> None:
    embed = Letters()
    async with ours(embed=embed) as store:
        await store.aput(("u", "docs"), "k", {"text": "document a"})
        await store.asearch(("u", "docs"), query="question a")
    assert (embed.documents, embed.queries) == (["document a"], ["question a"])


async def test_a_cancelled_operation_leaves_the_store_usable(ours: Opener) -> None:
    async with ours() as store:
        for delay in (0, 0.001, 0.003, 0.01):
            tasks = [asyncio.create_task(store.aput(("u", "docs"), str(i), {"text": "a"})) for i in range(20)]
            await asyncio.sleep(delay)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        await store.aput(("u", "docs"), "last", {"text": "b"})
        assert keys(await store.asearch(("u", "docs"), query="b", limit=1)) == ["last"]


@pytest.mark.parametrize("distance", ["cosine", "l2", "inner_product"])
async def test_distances_rank_as_they_say(empty_database_url: str, distance: str) -> None:
    texts = {"a": "aab", "b": "aaaaaaaabbb", "c": "b"}
    order = {"cosine": "bac", "l2": "acb", "inner_product": "bac"}[distance]
    async with pooled(empty_database_url) as pool:
        store = MemoryStore(pool, index={**index(Letters(), ["text"]), "distance_type": distance})
        await store.setup()
        for key, text in texts.items():
            await store.aput(("u", "docs"), key, {"text": text})
        found = await store.asearch(("u", "docs"), query="aaab")
        assert "".join(keys(found)) == order
        scores = [i.score for i in found if i.score is not None]
        assert len(scores) == 3 and scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("dims", [1536, 3072, 4096])
async def test_wide_vectors_are_searched_exactly_too(empty_database_url: str, dims: int) -> None:
    class Wide(Embeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [self.embed_query(t) for t in texts]

        def embed_query(self, text: str) -> list[float]:
            vector = [0.0] * dims
            for char in text:  # weight in every part of the vector
                for step in range(0, dims, 100):
                    vector[(step + ord(char)) % dims] += 1.0
            return vector

    async with pooled(empty_database_url) as pool:
        store = MemoryStore(pool, index={"dims": dims, "embed": Wide(), "fields": ["text"]})
        await store.setup()
        await store.abatch([PutOp((f"u{i % 3}", "docs"), str(i), {"text": "ab" * 5 + "c" * i}) for i in range(30)])
        await store.aput(("u0", "docs"), "29x", {"text": "zzz"})
        await store.aput(("u0", "docs"), "29x", {"text": "ab"})
        found = await store.asearch(("u0", "docs"), query="ab", limit=20)
        assert keys(found) == ["0", "29x", *(str(i) for i in range(3, 30, 3))]
        await store.adelete(("u0", "docs"), "0")
        assert keys(await store.asearch(("u0",), query="ab", limit=2)) == ["29x", "3"]
        await store.setup()
    async with pooled(empty_database_url) as pool:
        stock = AsyncPostgresStore(pool, index={"dims": dims, "embed": Wide(), "fields": ["text"]})
        await stock.setup()
        assert keys(await stock.asearch(("u0",), query="ab", limit=2)) == ["29x", "3"]


async def test_the_stock_class_opens_our_database_and_reads_it(ours: Opener, database_url: str) -> None:
    async with ours() as store:
        await store.aput(("u", "docs"), "k", {"text": "aaa"})
        await store.aput(("u", "preference"), "f", {"text": "bbb", "content": "喜欢绿茶"})
    async with pooled(database_url) as pool:
        theirs = AsyncPostgresStore(pool, index=index(Letters(), ["text"]))
        await theirs.setup()
        item = await theirs.aget(("u", "docs"), "k")
        assert item is not None and item.value == {"text": "aaa"}
        assert [i.value.get("content") for i in await theirs.asearch(("u", "preference"))] == ["喜欢绿茶"]
        assert keys(await theirs.asearch(("u", "docs"), query="a")) == ["k"]
        await theirs.aput(("u", "docs"), "theirs", {"text": "aab"}, ttl=1)
    async with ours() as store:
        assert keys(await store.asearch(("u", "docs"), query="a")) == ["k", "theirs"]
    async with await psycopg.AsyncConnection.connect(database_url) as conn:
        found = await (await conn.execute("SELECT count(*) FROM pg_indexes WHERE indexdef ~ 'hnsw'")).fetchone()
        assert found == (0,), "its setup() built no approximate index"


async def test_a_database_of_the_stock_class_is_taken_over(stock: Opener, empty_database_url: str) -> None:
    async with stock() as store:
        await store.aput(("u_1", "docs"), "a", {"text": "aaa"}, ttl=5)
        await store.aput(("u_1", "docs"), "b", {"text": "bbb"})
    async with pooled(empty_database_url) as pool:
        ours = MemoryStore(pool, index=index(Letters(), ["text"]))
        await ours.setup()
        assert keys(await ours.asearch(("u_1",), query="b")) == ["b", "a"]
        await ours.aput(("u_1", "docs"), "c", {"text": "ccc"}, ttl=0.5)
        assert keys(await ours.asearch(("u_1",), query="c", limit=1)) == ["c"]
        async with ours.reading() as cur:
            await cur.execute("SELECT indexdef FROM pg_indexes WHERE indexdef ~ 'hnsw'")
            assert await cur.fetchall() == []
    async with stock() as store:
        assert keys(await store.asearch(("u_1",), query="b", limit=1)) == ["b"]
    settings = Settings(_env_file=None, DATABASE_URL=empty_database_url)  # type: ignore[call-arg]
    with pytest.raises(EmbedderMismatch, match=r"8 dimensions.*counting has 64"):
        async with open_memory(settings, embedder=CountingEmbedder()):
            pass


async def test_one_key_names_one_memory_of_a_user(ours: Opener) -> None:
    async with ours() as store:
        await store.aput(("u", "identity"), "k", {"content": "a"})
        with pytest.raises(BadInput, match="identity already"):
            await store.aput(("u", "event"), "k", {"content": "b"})
        await store.aput(("v", "event"), "k", {"content": "b"})
        await store.aput(("u", "docs"), "k", {"content": "b"})
        assert [m.content for m in await store.versions("u")] == ["a"]


async def test_it_works_on_a_single_connection_and_without_an_index(database_url: str) -> None:
    async with MemoryStore.from_conn_string(database_url) as store:
        await asyncio.gather(*(store.aput(("u", "docs"), str(i), {"n": i}) for i in range(10)))
        assert len(await store.asearch(("u", "docs"), query="anything", limit=20)) == 10
        await asyncio.to_thread(store.put, ("u", "docs"), "sync", {"n": 99})
        assert (await asyncio.to_thread(store.get, ("u", "docs"), "sync")).value == {"n": 99}  # type: ignore[union-attr]
        await store.aput(("u", "preference"), "k", {"content": "喜欢绿茶"})
        assert [m.content for m in await store.versions("u")] == ["喜欢绿茶"]


async def test_limits_and_times_beyond_any_number_and_labels_that_are_no_text(ours: Opener) -> None:
    async with ours() as store:
        await store.aput(("u", "docs"), "k", {"text": "a"}, ttl=10**5)
        for limit in (2**63, 2.0):
            assert keys(await store.asearch(("u",), query="a", limit=limit)) == ["k"]
            assert keys(await store.asearch(("u",), limit=limit)) == ["k"]
        assert await store.alist_namespaces(prefix=("\ud83d",)) == []
        with pytest.raises(BadInput):
            await store.aput(("u", "docs"), "far", {"text": "a"}, ttl=10**20)


async def test_an_embedder_of_another_width_or_number_is_named(ours: Opener) -> None:
    class Short(Letters):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return super().embed_documents(texts)[:-1]

        def embed_query(self, text: str) -> list[float]:
            return super().embed_query(text)[:-1]

    async with ours(embed=Short()) as store:
        with pytest.raises(MemoryUnavailable, match="one vector of"):
            await store.aput(("u", "docs"), "k", {"text": "a"})
        with pytest.raises(MemoryUnavailable, match="one vector of"):
            await store.asearch(("u", "docs"), query="a")
