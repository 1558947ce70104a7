"""What a line of an ingest may hold, and what becomes of one that cannot be: it alone is reported, and nobody's data is the worse for it."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from memory.documents import document
from memory.episode import Episode
from memory.errors import BadInput, MemoryUnavailable
from memory.ingest import BATCH, LONGEST, ingest
from memory.instants import instant
from memory.recall import Filter
from memory.search import recall
from memory.store import MemoryStore
from memory.times import spans

pytestmark = pytest.mark.anyio
NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
Counted = tuple[MemoryStore, Any]


def line(text: str, **more: Any) -> dict[str, Any]:
    return {"user": "ann", "text": text, **more}


async def rows(store: MemoryStore, query: str, *params: str) -> list[dict[str, Any]]:
    async with store.reading() as cur:
        await cur.execute(query, params)
        return [dict(r) for r in await cur.fetchall()]


@pytest.mark.parametrize("time", ["9999-12-31T23:59:59-14:00", "0001-01-01", "9999-12-31", "0999-06-01T00:00:00Z", 20260101, ["2026-01-01"], "soon"])
def test_a_time_that_some_zone_cannot_show_is_refused(time: object) -> None:
    with pytest.raises(BadInput, match="time"):
        instant(time, UTC)


def test_an_episode_at_the_end_of_time_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="between"):
        Episode(id="a", user="ann", text="x", time=datetime.max.replace(tzinfo=UTC))
    assert spans("昨天", instant("8999-12-31", UTC))


async def test_a_bad_line_costs_only_itself(counted: Counted) -> None:
    store, _ = counted
    bad: list[dict[str, Any]] = [
        line("x", time="9999-12-31T23:59:59"), line("x", time="0001-01-01T00:00:00+14:00"),
        *(line("x", **{name: "z" * 513}) for name in ("id", "session", "source")),
        *(line("x", **{name: value}) for name in ("id", "session", "source") for value in ({"a": 1}, [1], True, "a\x00b", "\ud83d")),
        *(line("x", **{name: value}) for name in ("speaker", "caption") for value in ({"a": 1}, [1])),
        *(line("x", role=value) for value in ("boss", "x\n## User profile", ["user"], 1, "document")),
    ]  # fmt: skip
    done = await ingest(store, [line("前", id="0"), *bad, line("后", id="z")], now=NOW)
    assert (done.ingested, [e.split(":")[0] for e in done.errors]) == (2, [f"line {n}" for n in range(2, len(bad) + 2)])
    assert all(e.endswith(".") and "psycopg" not in e for e in done.errors)
    assert {h.text for h in (await recall(store, "ann", "前后", k=9, now=NOW)).hits} == {"前", "后"}


async def test_roles_have_their_usual_other_names(counted: Counted) -> None:
    store, _ = counted
    await ingest(store, [line(f"第{n}句", id=str(n), role=r) for n, r in enumerate(("human", "ai", None, "", "tool", "other"))], now=NOW)
    assert [r["role"] for r in await rows(store, "SELECT role FROM episodes ORDER BY id")] == ["user", "assistant", "user", "user", "tool", "other"]


async def test_identities_stay_as_they_are_and_are_found_by(counted: Counted) -> None:
    store, _ = counted
    given = ["re <a1@x>", "re <b2@x>", " k", "k", "a\nb", 0, "<CAF1@mail.example>"]
    done = await ingest(store, [line(f"第{n}封信", id=i, session=i) for n, i in enumerate(given)], now=NOW)
    assert done.ingested == len(given)
    for n, one in enumerate(given):
        [hit] = (await recall(store, "ann", "信", k=9, now=NOW, filter=Filter(session=(str(one),)))).hits
        assert (hit.id, hit.session, hit.text) == (str(one), str(one), f"第{n}封信")


async def test_a_turn_that_is_cut_is_counted(counted: Counted) -> None:
    store, _ = counted
    done = await ingest(store, [line("长" * (LONGEST + 5), id="a"), line("短", id="b")], now=NOW)
    assert (done.ingested, done.cut, done.errors) == (2, 1, [])
    assert [r["n"] for r in await rows(store, "SELECT length(text) AS n FROM episodes ORDER BY id")] == [LONGEST, 1]


async def test_a_locked_user_costs_only_his_lines(counted: Counted) -> None:
    store, _ = counted
    store.lock_wait = 0.05
    given = [line(f"{user}{n}", user=user, id=str(n)) for n in range(2) for user in ("ann", "bob")]
    async with store.writing("ann"):
        done = await ingest(store, [*given, line("一段", source="a.md"), line("二段", user="bob", source="b.md")], now=NOW)
    assert (done.ingested, [e.split(":")[0] for e in done.errors]) == (3, ["line 1", "line 3", "a.md"])
    again = await ingest(store, [*given, line("一段", source="a.md")], now=NOW)
    assert (again.ingested, again.skipped, again.errors) == (3, 2, [])


async def test_ingests_at_once_take_different_places(counted: Counted) -> None:
    store, _ = counted
    files = [[line(f"{name} {n}", id=f"{name}{n}", session="s") for n in range(BATCH // 2 + 7)] for name in "xy"]
    files.append(files[0])
    done = await asyncio.gather(*(ingest(store, f, now=NOW) for f in files))
    assert (sum(d.ingested for d in done), sum(d.skipped for d in done)) == (2 * len(files[0]), len(files[0]))
    [row] = await rows(store, "SELECT count(DISTINCT position) AS n, max(position) AS last FROM episodes")
    assert row == {"n": 2 * len(files[0]), "last": 2 * len(files[0]) - 1}


# --- documents


async def texts(store: MemoryStore, source: str = "a.md") -> list[str]:
    return [r["text"] for r in await rows(store, "SELECT text FROM episodes WHERE source = %s ORDER BY role, position, id", source)]


def chunk(text: object, **more: Any) -> dict[str, Any]:
    return {"user": "ann", "source": "a.md", "text": text, **more}


async def test_a_document_leaves_turns_that_name_its_source(counted: Counted) -> None:
    store, _ = counted
    noted = [chunk("螺丝是M8", id=0), chunk("注", speaker="Ann"), chunk("会上说的", session="s"), chunk("编号一", id=1)]
    assert (await ingest(store, noted, now=NOW)).ingested == 4
    for version in (["旧的一段", "另一段"], ["新的一段"], []):
        done = await ingest(store, [chunk(t) for t in version] or [chunk("")], now=NOW)
        assert done.errors == []
        assert sorted(await texts(store)) == sorted([*version, "螺丝是M8", "注", "会上说的", "编号一"])


@pytest.mark.parametrize("bad", [{"error": "Not JSON."}, chunk(5), chunk("三", time="soon"), {"source": "a.md", "text": "三"}, [1]])
async def test_a_document_with_a_bad_line_loses_nothing(counted: Counted, bad: Any) -> None:
    store, _ = counted
    first = [chunk(t) for t in ("一", "二", "三", "四")]
    await ingest(store, [*first, chunk("旧", source="b.md")], now=NOW)
    done = await ingest(store, [chunk("新"), first[3], first[0], bad], now=NOW)
    assert (done.ingested, done.skipped, done.retired) == (1, 2, 0)
    assert done.errors[0].startswith("line 4:") and done.errors[1] == "a.md: not all of it could be read, so 2 older chunks of it stay."
    assert await texts(store) == ["新", "四", "一", "二", "三"]
    mended = await ingest(store, [chunk("新"), first[3], first[0]], now=NOW)
    assert (mended.retired, mended.errors, await texts(store)) == (2, [], ["新", "四", "一"])


async def test_a_bad_line_of_another_document_keeps_nothing(counted: Counted) -> None:
    store, _ = counted
    await ingest(store, [chunk("一"), chunk("二")], now=NOW)
    done = await ingest(store, [chunk("一"), chunk(5, source="b.md"), chunk(5, user="bob"), line("", id="turn")], now=NOW)
    assert (done.retired, len(done.errors), await texts(store)) == (1, 3, ["一"])


@pytest.mark.parametrize("nothing", ["", "\u200b", "  \n"])
async def test_an_emptied_document_is_gone(counted: Counted, nothing: str) -> None:
    store, _ = counted
    await ingest(store, [chunk("一"), chunk("二")], now=NOW)
    done = await ingest(store, [chunk(nothing)], now=NOW)
    assert (done.retired, done.errors, await texts(store)) == (2, [], [])
    assert (await ingest(store, [chunk("一"), chunk("二")], now=NOW)).ingested == 2


async def test_a_long_document_is_kept_to_its_end(counted: Counted, monkeypatch: pytest.MonkeyPatch) -> None:
    store, _ = counted
    text = "\n\n".join(f"第{n}章 " + "说明" * 150 for n in range(LONGEST // 300 + 20))
    done = await ingest(store, [chunk(text)], now=NOW)
    assert (done.cut, done.errors) == (0, []) and "".join("".join(await texts(store)).split()) == "".join(text.split())
    monkeypatch.setattr("memory.documents.LONGEST", 10)
    cut = await document(store, "ann", "b.md", ["一二三四五六", "七八九十百千", "万"], time=NOW)
    assert (cut.cut, await texts(store, "b.md")) == (2, ["一二三四五六", "七八九十"])


async def test_of_two_versions_at_once_one_stays(counted: Counted) -> None:
    store, _ = counted
    versions = {v: [f"{v} 段{n}" for n in range(20)] for v in ("甲", "乙", "丙")}
    for _ in range(3):
        await asyncio.gather(*(document(store, "ann", "a.md", parts, time=NOW) for parts in versions.values()))
        assert await texts(store) in versions.values()
    assert (await document(store, "ann", "a.md", versions["甲"], time=NOW)).errors == [] and await texts(store) == versions["甲"]


async def test_a_document_whose_chunks_are_all_gone_can_come_again(counted: Counted) -> None:
    store, _ = counted
    given = [chunk("一"), chunk("二")]
    await ingest(store, given, now=NOW)
    async with store.writing("ann") as cur:
        await cur.execute("DELETE FROM episodes")
    assert (await ingest(store, given, now=NOW)).ingested == 2


async def test_what_was_begun_is_written_when_a_later_batch_fails(counted: Counted, monkeypatch: pytest.MonkeyPatch) -> None:
    store, _ = counted
    embed = store.vectors_of

    async def once(texts: Sequence[str]) -> list[Any]:
        monkeypatch.setattr(store, "vectors_of", failing)
        return await embed(texts)

    async def failing(texts: Sequence[str]) -> list[Any]:
        raise MemoryUnavailable("The embedding model is out of reach.")

    monkeypatch.setattr(store, "vectors_of", once)
    with pytest.raises(MemoryUnavailable):
        await ingest(store, [line(f"{n}", id=str(n)) for n in range(BATCH + 1)], now=NOW)
    assert [r["n"] for r in await rows(store, "SELECT count(*) AS n FROM episodes")] == [BATCH]
