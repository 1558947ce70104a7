"""The write path of facts: versions, current rows, the log, replays, locks."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from memory.judge.judgement import Candidate
from memory.record import Memory, Status
from memory.revise import Op, Revision
from memory.store import MemoryStore

pytestmark = pytest.mark.anyio

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)


def a_fact(key: str, value: str, attribute: str = "likes", user: str = "ann", **more: Any) -> Memory:
    category = {"likes": "preference", "location": "identity"}[attribute]
    return Memory(
        key=key, fact=more.pop("fact", key), user=user, category=category, attribute=attribute, value=value, content=f"{attribute}: {value}",
        recorded_at=NOW, updated_at=NOW, valid_from=NOW, **more,
    )  # fmt: skip


def add(memory: Memory) -> Revision:
    return Revision(op=Op.ADD, candidate=Candidate(attribute=memory.attribute, value=memory.value), reason="new", memory=memory)


def supersede(old: Memory, new: Memory) -> Revision:
    later = NOW + timedelta(days=1)
    closed = old.evolve(status=Status.SUPERSEDED, valid_to=later, updated_at=later)
    return Revision(op=Op.SUPERSEDE, candidate=Candidate(attribute=new.attribute, value=new.value), reason="moved", memory=new, closed=closed)


async def test_an_added_fact_is_current_versioned_and_logged(counted: tuple[MemoryStore, Any]) -> None:
    store, _ = counted
    [change] = await store.commit("ann", lambda _: [add(a_fact("k1", "绿茶"))], thread="t", message="m1", round=3)
    assert (change.op, change.key, change.serial > 0) == (Op.ADD, "k1", True)
    item = await store.aget(("ann", "preference"), "k1")
    assert item is not None and item.value["value"] == "绿茶"
    assert [m.key for m in await store.versions("ann")] == ["k1"]
    [logged] = await store.changes("ann", thread="t", rounds=[3])
    assert (logged.op, logged.message, logged.memory) == (Op.ADD, "m1", a_fact("k1", "绿茶"))
    assert await store.version("ann") > 0 and await store.version("bob") == 0
    assert await store.users() == ["ann"]


async def test_superseding_moves_the_old_version_out_of_the_namespace(counted: tuple[MemoryStore, Any]) -> None:
    store, embedder = counted
    old, new = a_fact("k1", "上海", "location"), a_fact("k2", "北京", "location", fact="k1")
    await store.commit("ann", lambda _: [add(old)])
    asked = len(embedder.texts)
    await store.commit("ann", lambda seen: [supersede(seen[0], new)])
    assert embedder.texts[asked:] == [new.content], "only the new content is embedded"
    assert [i.key for i in await store.asearch(("ann", "identity"))] == ["k2"]
    assert [i.key for i in await store.asearch(("ann",), query="上海", limit=5)] == ["k2"]
    assert [(m.value, m.status) for m in await store.history("ann", "k2")] == [("上海", Status.SUPERSEDED), ("北京", Status.ACTIVE)]
    [latest, _] = await store.changes("ann")
    assert [m.value for m in latest.previous] == ["上海"] and latest.previous[0].status is Status.ACTIVE
    # and back again: restoring needs no embedding
    calls = embedder.calls
    back = Revision(
        op=Op.SUPERSEDE, candidate=Candidate(attribute="location", value="上海"), reason="undo", memory=latest.previous[0],
        closed=new.evolve(status=Status.ARCHIVED),
    )  # fmt: skip
    await store.commit("ann", lambda _: [back])
    assert [i.value["value"] for i in await store.asearch(("ann",), query="上海")] == ["上海"]
    assert embedder.calls == calls


async def test_strengthening_writes_neither_value_nor_vector(counted: tuple[MemoryStore, Any]) -> None:
    store, embedder = counted
    await store.commit("ann", lambda _: [add(a_fact("k1", "绿茶"))])
    calls = embedder.calls
    async with store.reading() as cur:
        await cur.execute("SELECT v.ctid::text AS v, s.ctid::text AS s FROM memory_versions v JOIN store s USING (key)")
        before = await cur.fetchall()
    again = Candidate(attribute="likes", value="绿茶")
    for n in (2, 3):
        [change] = await store.commit(
            "ann",
            lambda seen, n=n: [Revision(op=Op.STRENGTHEN, candidate=again, reason="again", memory=seen[0].evolve(evidence=n))],  # type: ignore[misc]
            message=f"m{n}",
        )
        assert change.previous[0].evidence == n - 1
    async with store.reading() as cur:
        await cur.execute("SELECT v.ctid::text AS v, s.ctid::text AS s FROM memory_versions v JOIN store s USING (key)")
        assert await cur.fetchall() == before
    assert embedder.calls == calls
    assert [m.evidence for m in await store.versions("ann")] == [3]


async def test_a_message_replayed_changes_nothing(counted: tuple[MemoryStore, Any]) -> None:
    store, _ = counted

    def decide(seen: Sequence[Memory]) -> list[Revision]:
        return [add(a_fact(f"k{len(seen)}", "绿茶")), add(a_fact(f"j{len(seen)}", "红茶"))]

    await store.commit("ann", decide, message="m1")
    version = await store.version("ann")
    assert [c.replayed for c in await store.commit("ann", decide, message="m1")] == [True, True]
    assert len(await store.versions("ann")) == 2 and await store.version("ann") == version


async def test_raw_put_and_delete_make_versions(counted: tuple[MemoryStore, Any]) -> None:
    store, _ = counted
    await store.aput(("ann", "preference"), "k", {"content": "喜欢\x00<b>绿茶</b>", "score": 3})
    item = await store.aget(("ann", "preference"), "k")
    assert item is not None and (item.value["content"], item.value["score"]) == ("喜欢绿茶", 3)
    await store.aput(("ann", "preference"), "k", {"content": "喜欢红茶"})
    assert [(m.content, m.status.value) for m in await store.history("ann", "k")] == [("喜欢绿茶", "superseded"), ("喜欢红茶", "active")]
    await store.adelete(("ann", "preference"), "k")
    await store.adelete(("ann", "preference"), "nothing")
    assert await store.aget(("ann", "preference"), "k") is None
    assert {m.status.value for m in await store.versions("ann")} == {"archived", "superseded"}


async def test_erase_leaves_no_row(counted: tuple[MemoryStore, Any]) -> None:
    store, _ = counted
    for user in ("ann", "ann.b", "annb"):
        await store.commit(user, lambda _, user=user: [add(a_fact("k1", "上海", "location", user=user))], message="m")  # type: ignore[misc]
        await store.commit(user, lambda seen: [supersede(seen[0], a_fact("k2", "北京", "location", fact="k1"))], message="n")
    await store.erase("ann.b")
    async with store.reading() as cur:
        await cur.execute("SELECT table_name AS t FROM information_schema.tables WHERE table_schema = 'public'")
        for row in await cur.fetchall():
            await cur.execute(f"SELECT count(*) AS n FROM {row['t']} x WHERE x::text LIKE '%ann\\%2Eb%'")  # noqa: S608
            assert (await cur.fetchone())["n"] == 0, row["t"]  # type: ignore[index]
    assert await store.users() == ["ann", "annb"]
    assert len(await store.versions("ann")) == 2
