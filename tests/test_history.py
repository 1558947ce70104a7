"""Undo, restore, pin, approve, reject: each takes effect, is logged, and can itself be taken back."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from langgraph.store.memory import InMemoryStore

from memory.errors import BadInput, NotFound
from memory.history import approve, history, pin, reject, restore, undo, undo_messages
from memory.judge.judgement import Candidate
from memory.namespace import namespace
from memory.record import Memory, Source, Status
from memory.remember import remember, versions
from memory.revise import Op
from memory.store import MemoryStore

pytestmark = pytest.mark.anyio
NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)


@pytest.fixture
def store(counted: tuple[MemoryStore, Any]) -> MemoryStore:
    return counted[0]


async def tell(store: MemoryStore | InMemoryStore, attribute: str, value: str, clause: str, day: int, **more: Any) -> str:
    candidate = Candidate(attribute=attribute, value=value, clause=clause, **more)
    changes = await remember(store, "ann", [candidate], source=Source(message=f"m{day}", thread="t", text=clause), now=NOW + timedelta(days=day))
    return changes[0].key or ""


async def current(store: MemoryStore) -> set[str]:
    return {item.value["value"] for item in await store.asearch(namespace("ann"), limit=100)}


async def test_undo_takes_back_the_last_change_and_is_undone_by_itself(store: MemoryStore) -> None:
    await tell(store, "location", "Turin", "I live in Turin", 0)
    await tell(store, "location", "Genoa", "I moved to Genoa", 5)
    told = await undo(store, "ann", now=NOW + timedelta(days=6))
    assert {c.value for c in told} == {"Turin"}
    assert await current(store) == {"Turin"}
    turin = next(m for m in await versions(store, "ann") if m.value == "Turin")
    assert turin.valid_to is None
    await undo(store, "ann", now=NOW + timedelta(days=7))
    assert await current(store) == {"Genoa"}
    await undo(store, "ann", now=NOW + timedelta(days=8))
    assert await current(store) == {"Turin"}


async def test_undo_of_an_addition_and_of_evidence(store: MemoryStore) -> None:
    await tell(store, "likes", "tea", "I like tea", 0)
    await tell(store, "likes", "tea", "I like tea", 1)
    await undo(store, "ann")
    assert [m.evidence for m in await versions(store, "ann")] == [1]
    await undo(store, "ann")
    assert [m.evidence for m in await versions(store, "ann")] == [2]
    await tell(store, "likes", "jam", "I like jam", 2)
    await undo(store, "ann")
    assert await current(store) == {"tea"}
    assert {m.value: m.status for m in await versions(store, "ann")}["jam"] is Status.ARCHIVED


async def test_undo_takes_all_that_one_message_did(store: MemoryStore) -> None:
    await tell(store, "location", "昆明", "我住在昆明", 0)
    await tell(store, "location", "翠湖北路12号", "地址是翠湖北路12号", 1)
    await tell(store, "location", "大理", "搬到大理了", 2)
    assert await current(store) == {"大理"}
    await undo(store, "ann")
    assert await current(store) == {"昆明", "翠湖北路12号"}


async def test_undo_with_nothing_to_undo(store: MemoryStore) -> None:
    assert await undo(store, "ann") == []
    with pytest.raises(BadInput, match="Postgres"):
        await undo(InMemoryStore(), "ann")


async def test_rounds_are_taken_back_by_their_messages(store: MemoryStore) -> None:
    for day, (attribute, value, clause) in enumerate(
        [
            ("likes", "tea", "I like tea"),
            ("location", "Turin", "I live in Turin"),
            ("location", "Genoa", "I moved to Genoa"),
            ("likes", "jam", "and jam"),
        ]
    ):
        await tell(store, attribute, value, clause, day)
    told = await undo_messages(store, "ann", ["m2", "m3", "m99"], now=NOW + timedelta(days=9))
    assert await current(store) == {"tea", "Turin"}
    assert {c.op for c in told} == {Op.SUPERSEDE, Op.RETIRE}
    again = await undo_messages(store, "ann", ["m2", "m3"], now=NOW + timedelta(days=10))
    assert await current(store) == {"tea", "Turin"}
    assert again == [] or all(c.op is not Op.SUPERSEDE for c in again)
    await tell(store, "likes", "jam", "and jam again", 11)
    assert await current(store) == {"tea", "Turin", "jam"}


async def test_what_stands_on_a_change_is_kept(store: MemoryStore) -> None:
    await tell(store, "location", "Turin", "I live in Turin", 0)
    await tell(store, "location", "Genoa", "I moved to Genoa", 1)
    await tell(store, "location", "Lucca", "I moved to Lucca", 2)
    await undo_messages(store, "ann", ["m1"])
    assert await current(store) == {"Lucca"}


async def test_restore_makes_a_past_version_current_and_keeps_history(store: MemoryStore) -> None:
    old = await tell(store, "location", "Turin", "I live in Turin", 0)
    await tell(store, "location", "Genoa", "I moved to Genoa", 5)
    told = await restore(store, "ann", old, now=NOW + timedelta(days=9))
    assert [c.op for c in told] == [Op.SUPERSEDE]
    assert await current(store) == {"Turin"}
    line = [(m.value, m.status) for m in await history(store, "ann", old)]
    assert line == [("Turin", Status.SUPERSEDED), ("Genoa", Status.SUPERSEDED), ("Turin", Status.ACTIVE)]
    with pytest.raises(BadInput):
        await restore(store, "ann", told[0].key or "")
    with pytest.raises(NotFound):
        await restore(store, "ann", "nothing")
    await undo(store, "ann")
    assert await current(store) == {"Genoa"}


async def test_pin_survives_in_later_versions(store: MemoryStore) -> None:
    key = await tell(store, "location", "Turin", "I live in Turin", 0)
    assert [c.op for c in await pin(store, "ann", key)] == [Op.STRENGTHEN]
    assert await pin(store, "ann", key) == []
    await tell(store, "location", "Genoa", "I moved to Genoa", 5)
    assert [m.pinned for m in await versions(store, "ann")] == [True, True]
    await pin(store, "ann", key, pinned=False)
    assert not (await history(store, "ann", key))[0].pinned


async def test_approve_and_reject(store: MemoryStore) -> None:
    await tell(store, "location", "Turin", "I live in Turin", 0)
    pending = await tell(store, "location", "Genoa", "perhaps Genoa is home now", 1, confidence=0.6)
    assert await current(store) == {"Turin"}
    told = await approve(store, "ann", pending, now=NOW + timedelta(days=2))
    assert [c.op for c in told] == [Op.SUPERSEDE]
    assert await current(store) == {"Genoa"}
    with pytest.raises(BadInput):
        await approve(store, "ann", pending)
    held = await tell(store, "name", "root", "I am the administrator", 3)
    assert [c.op for c in await approve(store, "ann", held, now=NOW + timedelta(days=4))] == [Op.ADD]
    assert await current(store) == {"Genoa", "root"}
    other = await tell(store, "likes", "surfing", "maybe surfing", 5, confidence=0.6)
    await reject(store, "ann", other)
    await tell(store, "likes", "surfing", "maybe surfing", 5, confidence=0.6)
    states: list[Memory] = [m for m in await versions(store, "ann") if m.value == "surfing"]
    assert [m.status for m in states] == [Status.ARCHIVED]
