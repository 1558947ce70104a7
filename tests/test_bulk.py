"""Many rows at once: they end up exactly as if each had been written alone, and a bad one fails alone."""

import asyncio
import gc
from collections.abc import Sequence
from typing import Any

import numpy as np
import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.store.base import PutOp

from memory.binary import halfvec, literal, sparsevec, texts
from memory.errors import BadInput
from memory.items import MANY
from memory.open import open_memory
from memory.settings import Settings
from memory.store import BULK, MemoryStore
from memory.version_rows import CHUNK
from memory.words import sparse, weights
from tests.counting import CountingEmbedder

pytestmark = pytest.mark.anyio

Counted = tuple[MemoryStore, CountingEmbedder]
SOME = MANY + 10


def fact(n: int, user: str = "ann", text: str = "喜欢第{}种茶") -> PutOp:
    said = text.format(n)
    return PutOp((user, "preference"), f"f{n}", {"attribute": "likes", "value": said, "content": said, "extra": [n, 2**70]})


def item(n: int, text: str = "note {}", **more: Any) -> PutOp:
    return PutOp(("ann", "notes"), f"n{n:03}", {"content": text.format(n)}, **more)


async def everything(store: MemoryStore, user: str) -> list[dict[str, Any]]:
    """What the tables hold of a user's facts, without times and random ids."""
    async with store.reading() as cur:
        await cur.execute(
            "SELECT v.key, v.category, v.attribute, v.status, v.fingerprint, v.terms::text, s.value - '{fact,user,recorded_at,updated_at,valid_from}'::text[] AS value, "
            "v.record = s.value AS same, e.embedding::text, e.field_name, c.op, c.before, c.reason, s.expires_at FROM memory_versions v "
            "JOIN store s ON s.prefix = v.user_id || '.' || v.category AND s.key = v.key JOIN store_vectors e ON e.prefix = s.prefix AND e.key = s.key "
            "JOIN memory_changes c ON c.user_id = v.user_id AND c.memory_key = v.key WHERE v.user_id = %s ORDER BY v.key",
            (user,),
        )
        return [dict(r) for r in await cur.fetchall()]


async def counts(store: MemoryStore, user: str) -> list[tuple[int, int]]:
    async with store.reading() as cur:
        await cur.execute("SELECT term, texts FROM memory_words WHERE user_id = %s ORDER BY term", (user,))
        return [(r["term"], r["texts"]) for r in await cur.fetchall()]


async def test_facts_written_together_are_as_facts_written_alone(counted: Counted) -> None:
    store, _ = counted
    await store.abatch([fact(n) for n in range(SOME)])
    for n in range(SOME):
        await store.abatch([fact(n, user="bob")])
    together, alone = await everything(store, "ann"), await everything(store, "bob")
    assert together == alone and len(together) == SOME and all(r["same"] for r in together)
    assert await counts(store, "ann") == await counts(store, "bob") != []


async def test_more_facts_than_a_chunk_arrive_in_order_with_all_their_history(counted: Counted) -> None:
    store, embedder = counted
    many = CHUNK + SOME
    await store.abatch([fact(n) for n in range(many)])
    assert [m.key for m in await store.versions("ann")] == [f"f{n}" for n in range(many)]
    asked = len(embedder.texts)
    await store.abatch([fact(n, text="喜欢第{}种酒") for n in range(0, many, 2)])
    found = await store.versions("ann")
    assert sum(m.status == "active" for m in found) == many and sum(m.status == "superseded" for m in found) == (many + 1) // 2
    assert len(embedder.texts) - asked == (many + 1) // 2, "the old versions keep the vectors they have"


async def test_a_fact_that_cannot_be_stored_fails_alone(counted: Counted) -> None:
    store, _ = counted
    rng = np.random.default_rng(0)
    hopeless = "".join(chr(c) for c in rng.integers(0x4E00, 0x9FFF, 4000))  # longer than an index entry, and not to be compressed
    ops = [fact(n) for n in range(SOME)]
    with pytest.raises(psycopg.errors.ProgramLimitExceeded):
        await store.abatch([*ops[:7], ops[7]._replace(key=hopeless), *ops[8:]])
    assert {m.key for m in await store.versions("ann")} == {op.key for op in ops} - {"f7"}


async def test_an_item_that_cannot_be_stored_fails_alone(counted: Counted) -> None:
    store, _ = counted
    hopeless = "".join(chr(c) for c in np.random.default_rng(1).integers(0x4E00, 0x9FFF, 4000))
    with pytest.raises(BadInput):
        await store.abatch([*(item(n) for n in range(SOME)), PutOp(("ann", "notes"), hopeless, {"content": "x"})])
    assert len(await store.asearch(("ann", "notes"), limit=1000)) == SOME


async def test_new_and_known_items_with_and_without_time_to_live_in_one_batch(counted: Counted) -> None:
    store, _ = counted
    await store.abatch([item(n, text="old {}") for n in range(0, SOME, 3)])
    before = {i.key: i for i in await store.asearch(("ann", "notes"), limit=1000)}
    await store.abatch([item(n, ttl=5.0 if n % 2 else None) for n in range(SOME)])
    found = {i.key: i for i in await store.asearch(("ann", "notes"), query="note", limit=1000)}
    assert {k: i.value["content"] for k, i in found.items()} == {f"n{n:03}": f"note {n}" for n in range(SOME)}
    assert all(found[k].created_at == i.created_at and found[k].updated_at > i.updated_at for k, i in before.items())
    async with store.reading() as cur:
        await cur.execute(
            "SELECT count(*) FILTER (WHERE ttl_minutes = 5 AND expires_at BETWEEN now() + interval '4 min' AND now() + interval '6 min') AS living, "
            "count(*) FILTER (WHERE ttl_minutes IS NULL AND expires_at IS NULL) AS lasting FROM store"
        )
        assert await cur.fetchone() == {"living": SOME // 2, "lasting": SOME - SOME // 2}


async def test_writers_that_bring_the_same_items_at_once_all_succeed(counted: Counted) -> None:
    store, _ = counted

    async def write(who: int) -> None:
        await store.abatch([item(n, text=f"{who} says {{}}") for n in range(SOME)])

    await asyncio.gather(*(write(who) for who in range(6)))
    found = await store.asearch(("ann", "notes"), query="says", limit=1000)
    assert len(found) == SOME and all(i.score is not None for i in found)


@pytest.mark.parametrize("listed", [[], ["a"], ["", "it's", 'quo"te', "b\\", "茶", "{NULL}", "😀"] * 9])
def test_lists_of_texts_arrive_as_they_are(postgres: str, listed: Sequence[str]) -> None:
    with psycopg.connect(postgres) as conn:
        assert conn.execute("SELECT %s::text[]", (texts(listed),)).fetchone() == (list(listed),)


def test_vectors_are_the_same_in_binary_and_in_text(database_url: str) -> None:
    vector = np.array([0.1, -2.5, 3e-6, 70_000, -1e9], np.float32)
    with psycopg.connect(database_url) as conn:
        assert conn.execute("SELECT %s::halfvec = %s::halfvec", (halfvec(vector), literal(vector))).fetchone() == (True,)
        for text in (["茶", "tea", "tea"], [], ["x"] * 500):
            words = weights(text)
            assert conn.execute("SELECT %s::sparsevec = %s::sparsevec", (sparsevec(words), sparse(words))).fetchone() == (True,)


@given(st.lists(st.text("abc茶", max_size=3), max_size=40))
def test_the_weight_of_a_word_grows_with_its_count_and_shrinks_with_length(words: list[str]) -> None:
    found, longer = weights(words), weights([*words, "z"])
    assert all(longer[n] < w for n, w in found.items())
    assert all(weights([*words, "茶"]).values())


async def test_of_items_written_together_the_last_is_the_newest(counted: Counted) -> None:
    store, _ = counted
    await store.abatch([item(n) for n in reversed(range(SOME))])
    assert [i.key for i in await store.asearch(("ann", "notes"), limit=SOME)] == [f"n{n:03}" for n in range(SOME)]


class Wide(CountingEmbedder):
    """Vectors wider than a b-tree row."""

    name = "wide"
    dims = 1536


async def test_many_wide_vectors_are_all_found(settings: Settings) -> None:
    async with open_memory(settings, embedder=Wide()) as (store, _, _):
        await store.abatch([*(item(n) for n in range(SOME)), *(fact(n) for n in range(SOME))])
        assert {i.key for i in await store.asearch(("ann", "notes"), query="note 7", limit=SOME)} == {f"n{n:03}" for n in range(SOME)}
        assert (await store.asearch(("ann", "notes"), query="note 7", limit=1))[0].value["content"] == "note 7"
        assert len(await store.asearch(("ann", "preference"), query="茶", limit=SOME + 1)) == SOME


async def test_garbage_is_looked_for_again_after_an_import_even_one_that_failed(counted: Counted) -> None:
    store, _ = counted
    ops = [PutOp(("ann", "docs"), str(n), {"content": f"茶{n}"}, index=False) for n in range(BULK)]
    await store.abatch(ops)
    assert gc.isenabled()
    with pytest.raises(BadInput):
        await store.abatch([*ops, PutOp(("ann", "docs"), "bad\x00", {"content": "茶"})])
    assert gc.isenabled()
