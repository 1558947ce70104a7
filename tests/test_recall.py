"""Recall on real Postgres: facts and episodes in one ranking, filters, tenants, and the same question on another store."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from langgraph.store.memory import InMemoryStore

from memory.episode import Episode
from memory.ingest import archive
from memory.judge.judgement import Candidate
from memory.recall import Filter
from memory.record import CATEGORIES, Memory, Source, Status
from memory.revise import Op, Revision
from memory.search import recall
from memory.store import MemoryStore

pytestmark = pytest.mark.anyio

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)


def fact(key: str, attribute: str, value: str, content: str, user: str = "ann", **more: Any) -> Memory:
    return Memory(
        key=key, fact=more.pop("fact", key), user=user, category=CATEGORIES[attribute], attribute=attribute, value=value, content=content,
        recorded_at=more.pop("at", NOW), updated_at=NOW, valid_from=NOW, **more,
    )  # fmt: skip


async def remember(store: MemoryStore, *memories: Memory) -> None:
    def decide(_: Sequence[Memory]) -> list[Revision]:
        return [Revision(op=Op.ADD, candidate=Candidate(attribute=m.attribute, value=m.value), reason="new", memory=m) for m in memories]

    await store.commit(memories[0].user, decide)


def turn(id: str, text: str, session: str = "s", position: int = 0, user: str = "ann", **more: Any) -> Episode:
    return Episode(id=id, user=user, text=text, time=more.pop("time", NOW - timedelta(days=30)), session=session, position=position, **more)


FACTS = (
    fact("home", "location", "杭州", "住在杭州"), fact("nuts", "allergy", "花生", "对花生过敏"), fact("tea", "likes", "龙井茶", "喜欢喝龙井茶", tags=("促销",)),
    fact("dog", "pet", "豆包", "养了一只叫豆包的柯基"), fact("job", "occupation", "建筑师", "职业是建筑师", source=Source(thread="t7")),
)  # fmt: skip


async def test_facts_and_episodes_come_in_one_ranking(counted: tuple[MemoryStore, Any]) -> None:
    store, _ = counted
    await remember(store, *FACTS)
    await archive(store, "ann", [turn("e1", "今天带豆包去了湿地公园"), turn("e2", "湿地公园人很多", position=1), turn("e3", "晚饭吃了面条", "other")])
    found = await recall(store, "ann", "我对什么过敏？", k=3, now=NOW)
    assert found.hits[0].id == "nuts" and found.hits[0].memory == FACTS[1]
    found = await recall(store, "ann", "我们去的湿地公园怎么样", k=2, now=NOW)
    assert {h.id for h in found.hits} == {"e1", "e2"} and all(h.kind == "episode" for h in found.hits)
    assert (await recall(store, "ann", "我对什么过敏？", now=NOW)).answerable >= 0.5
    assert (await recall(store, "ann", "我的钢琴是什么牌子的？", now=NOW)).answerable < 0.5
    everything = await recall(store, "ann", "完全无关的话题", k=50, now=NOW)
    assert len(everything.hits) == 8, "always k hits when k exist"
    assert [h.score for h in everything.hits] == sorted((h.score for h in everything.hits), reverse=True)
    assert all(abs(sum(h.parts.values()) - h.score) < 1e-9 for h in everything.hits)


async def test_filters_work_inside_the_query(counted: tuple[MemoryStore, Any]) -> None:
    store, _ = counted
    await remember(store, *FACTS)
    await archive(
        store,
        "ann",
        [
            turn("e1", "龙井茶不错", "s1"),
            turn("e2", "龙井茶上新", "s2", role="assistant"),
            turn("e3", "龙井茶", "s3", time=NOW - timedelta(days=400)),
        ],
    )

    async def ids(**filter: Any) -> set[str]:
        return {h.id for h in (await recall(store, "ann", "龙井茶", k=50, now=NOW, filter=Filter(**filter))).hits}

    assert await ids(category="preference") == {"tea"} and await ids(attribute="pet") == {"dog"} and await ids(tags=("促销",)) == {"tea"}
    assert await ids(session=("s1", "s2")) == {"e1", "e2"} and await ids(session=("t7",)) == {"job"}
    assert await ids(session=()) == set(), "an empty list passes nothing"
    assert await ids(role="assistant") == {"e2"}
    assert await ids(until=NOW - timedelta(days=365)) == {"e3"} and "e3" not in await ids(since=NOW - timedelta(days=365))
    only = await recall(store, "ann", "龙井茶", k=50, kind="fact", now=NOW)
    assert {h.kind for h in only.hits} == {"fact"} and len(only.hits) == 5


async def test_past_values_answer_questions_about_the_past_only(counted: tuple[MemoryStore, Any]) -> None:
    store, _ = counted
    old = fact("old", "location", "苏州", "住在苏州", status=Status.SUPERSEDED, valid_to=NOW)
    await remember(store, fact("new", "location", "杭州", "住在杭州", fact="old"), old)
    assert [h.id for h in (await recall(store, "ann", "我住在哪里", k=5, now=NOW)).hits] == ["new"]
    assert (await recall(store, "ann", "我以前住在哪里", k=5, now=NOW)).hits[0].id == "old"
    assert [h.id for h in (await recall(store, "ann", "where did I use to live", k=5, now=NOW, filter=Filter(validity="past"))).hits] == ["old"]
    assert [h.id for h in (await recall(store, "ann", "我以前住在哪里", k=5, now=NOW, filter=Filter(validity="current"))).hits] == ["new"]


async def test_a_user_finds_only_his_own_rows_among_many(counted: tuple[MemoryStore, Any]) -> None:
    store, _ = counted
    for user in ("ann", "ann.b", "an", "Ann", "ann%", "1"):
        await remember(store, fact(f"f-{user}", "likes", "茉莉花茶", f"{user} 喜欢茉莉花茶", user=user))
        await archive(store, user, [turn(f"e-{user}", "茉莉花茶真香", user=user)])
    for asked in ("ann", "ann.b", "an", "Ann", "ann%", 1):
        user = str(asked)
        found = await recall(store, asked, "茉莉花茶", k=10, now=NOW)
        assert {h.id for h in found.hits} == {f"f-{user}", f"e-{user}"}
    assert (await recall(store, "nobody", "茉莉花茶", k=10, now=NOW)).hits == ()


@pytest.mark.parametrize("query", ["", " ", "\x00", "\ud800", "{words} %s ' \" <b>", "🙂" * 300, "x" * 200_000, "NaN"])
async def test_any_question_is_survived(counted: tuple[MemoryStore, Any], query: str) -> None:
    store, _ = counted
    await remember(store, *FACTS)
    assert len((await recall(store, "ann", query, k=5, now=NOW)).hits) == 5


async def test_another_store_answers_too() -> None:
    store = InMemoryStore()
    for m in FACTS:
        await store.aput(("ann", m.category), m.key, m.as_json())
    found = await recall(store, "ann", "我对什么过敏？", k=2, now=NOW)
    assert found.hits[0].id == "nuts" and len(found.hits) == 2
