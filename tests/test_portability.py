"""Export, verified import, round trips onto another embedding model, and erasing."""

import hashlib
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.base import empty_checkpoint
from psycopg import sql

from memory.checkpointer import Checkpointer
from memory.embedder import Embedder
from memory.episode import Episode
from memory.errors import BadInput
from memory.ingest import archive
from memory.judge.judgement import Candidate
from memory.namespace import namespace, thread_id
from memory.open import open_memory
from memory.portability import export, import_file
from memory.record import Source
from memory.remember import remember, versions
from memory.settings import Settings
from memory.store import MemoryStore
from tests.counting import CountingEmbedder

pytestmark = pytest.mark.anyio
NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
USER = "ann.b/7 %_@x"


class WiderEmbedder(CountingEmbedder):
    """Another model, of another width."""

    name = "wider"
    dims = 96


async def fill(store: MemoryStore, checkpointer: Checkpointer, user: str = USER) -> None:
    for day, (attribute, value, clause) in enumerate(
        [
            ("location", "Turin", "I live in Turin"),
            ("location", "Genoa", "I moved to Genoa"),
            ("likes", "tea", "I like tea"),
            ("likes", "tea", "tea again"),
        ]
    ):
        candidate = Candidate(attribute=attribute, value=value, clause=clause)
        await remember(store, user, [candidate], source=Source(message=f"m{day}", thread="t", text=clause), now=NOW + timedelta(days=day))
    await remember(store, user, [Candidate(attribute="likes", value="jam", clause="jam?", confidence=0.6)], source=Source(message="m9"), now=NOW)
    await archive(store, user, [Episode(id="e1", user=user, text="I live in Turin", time=NOW, session="t", entities=("Turin",))])
    await store.aput((*namespace(user), "notes"), "n1", {"text": "a note"})
    config: Any = {"configurable": {"thread_id": thread_id(user, "t"), "checkpoint_ns": ""}}
    await checkpointer.aput(config, empty_checkpoint(), {"source": "input", "step": 1}, {})


async def lines_of(store: MemoryStore, user: str = USER) -> list[str]:
    return [line async for line in export(store, user)]


async def test_a_round_trip_keeps_everything(memory: tuple[MemoryStore, Checkpointer, Embedder], tmp_path: Path) -> None:
    store, checkpointer, _ = memory
    await fill(store, checkpointer)
    before, log = await versions(store, USER), await store.changes(USER)
    lines = await lines_of(store)
    path = tmp_path / "ann.jsonl"
    path.write_text("".join(lines), "utf-8")
    await store.erase(USER)
    assert await versions(store, USER) == []
    done = await import_file(store, path)
    assert (done.user, done.facts, done.episodes, done.items) == (USER, 4, 1, 1)
    assert await versions(store, USER) == before
    assert [(c.op, c.message, c.reason, c.previous) for c in await store.changes(USER)] == [(c.op, c.message, c.reason, c.previous) for c in log]
    again = await lines_of(store)
    assert again[1:-1] == lines[1:-1]
    twice = await import_file(store, path)
    assert (twice.facts, twice.episodes, twice.rows) == (0, 0, 0)
    assert (await lines_of(store))[1:-1] == lines[1:-1]
    assert [i.value["value"] for i in await store.asearch(namespace(USER, "identity"), query="where does she live")] == ["Genoa"]


async def test_onto_another_embedding_model(counted: tuple[MemoryStore, Any], settings: Settings, empty_database_url: str, tmp_path: Path) -> None:
    store, _ = counted
    await fill(store, Checkpointer(store.conn))
    path = tmp_path / "ann.jsonl"
    path.write_text("".join(await lines_of(store)), "utf-8")
    other = Settings(_env_file=None, DATABASE_URL=empty_database_url)  # type: ignore[call-arg]
    async with open_memory(other, embedder=WiderEmbedder()) as (target, _, _):
        await import_file(target, path)
        assert await versions(target, USER) == await versions(store, USER)
        assert [i.value["value"] for i in await target.asearch(namespace(USER, "identity"), query="Genoa")] == ["Genoa"]


async def test_a_changed_or_cut_file_is_refused_before_anything_is_written(
    memory: tuple[MemoryStore, Checkpointer, Embedder], tmp_path: Path
) -> None:
    store, checkpointer, _ = memory
    await fill(store, checkpointer)
    lines = await lines_of(store)
    await store.erase(USER)
    path = tmp_path / "ann.jsonl"
    for broken in (
        [*lines[:-1]],
        [lines[0], *lines[2:]],
        [line.replace("Genoa", "Gênes") for line in lines],
        [lines[0].replace('"format":1', '"format":2'), *lines[1:]],
        ["not json\n"],
        [],
    ):
        path.write_text("".join(broken), "utf-8")
        with pytest.raises(BadInput):
            await import_file(store, path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(BadInput):
        await import_file(store, path)
    with pytest.raises(BadInput):
        await import_file(store, tmp_path / "none.jsonl")
    assert await versions(store, USER) == []


async def test_the_last_line_is_the_sha256_of_the_rest(counted: tuple[MemoryStore, Any]) -> None:
    store, _ = counted
    lines = await lines_of(store, "nobody")
    assert json.loads(lines[0])["user"] == "nobody"
    assert list(json.loads(lines[-1])) == ["sha256"]
    assert len(lines) == 2


async def test_erasing_leaves_no_row_in_any_table(memory: tuple[MemoryStore, Checkpointer, Embedder]) -> None:
    store, checkpointer, _ = memory
    await fill(store, checkpointer)
    await fill(store, checkpointer, "other")
    label = namespace(USER)[0]

    async def rows() -> dict[str, int]:
        found = {}
        async with store.reading() as cur:
            await cur.execute("SELECT table_name AS t FROM information_schema.tables WHERE table_schema = current_schema()")
            for row in await cur.fetchall():
                query = sql.SQL("SELECT count(*) AS n FROM {} x WHERE strpos(x::text, %s) > 0").format(sql.Identifier(row["t"]))
                await cur.execute(query, (label,))
                counted = await cur.fetchone()
                found[row["t"]] = counted["n"] if counted else 0
        return found

    before = await rows()
    assert before["memory_versions"] and before["checkpoints"] and before["store"] and before["episodes"]
    await store.erase(USER)
    assert not any((await rows()).values())
    assert await versions(store, "other")


def sealed(*lines: str, user: object = USER) -> bytes:
    """A file with a right SHA-256, whatever its lines say."""
    text = json.dumps({"jizhu": "export", "format": 1, "user": user}) + "\n" + "".join(one + "\n" for one in lines)
    return (text + json.dumps({"sha256": hashlib.sha256(text.encode()).hexdigest()}) + "\n").encode()


EPISODE = '{"kind":"episode","id":"e","text":"fine","time":"2026-01-01T00:00:00+00:00"}'
ODD = [
    "[1,2]", "5", "{half", '{"kind":"bogus"}', '{"kind":["fact"]}', '{"a":1}', '{"kind":"fact"}', '{"kind":"episode","id":"x"}', "[" * 3000,
    '{"kind":"episode","id":"e2","text":5,"time":"2026-01-01"}', '{"kind":"episode","id":"e2","text":"t","time":"9999-12-31T23:59:59-14:00"}',
    '{"kind":"episode","id":"e2","text":"t","time":"2026-01-01","position":3000000000}', '{"kind":"episode","id":"e2","text":"t","time":"2026-01-01","entities":[1]}',
    '{"kind":"item","namespace":["x"],"key":"k","value":[1]}', '{"kind":"item","namespace":"x","key":"k","value":{}}',
    '{"kind":"item","namespace":["a.b"],"key":"k","value":{}}', '{"kind":"checkpoint","table":"checkpoints","row":{}}', '{"kind":"row","table":5,"row":{}}',
    '{"kind":"correction","text":"t","label":"MAYBE"}', '{"kind":"correction","text":5,"label":"LONG"}',
]  # fmt: skip


@pytest.mark.parametrize("odd", ODD)
async def test_an_odd_line_is_named_before_anything_is_written(counted: tuple[MemoryStore, Any], tmp_path: Path, odd: str) -> None:
    store, _ = counted
    path = tmp_path / "odd.jsonl"
    path.write_bytes(sealed(EPISODE, odd))
    with pytest.raises(BadInput, match=r"^Line 3\b.*\.$"):
        await import_file(store, path)
    assert len(await lines_of(store)) == 2


async def test_a_row_that_the_database_refuses_is_named(counted: tuple[MemoryStore, Any], tmp_path: Path) -> None:
    store, _ = counted
    path = tmp_path / "odd.jsonl"
    path.write_bytes(sealed('{"kind":"checkpoint","table":"checkpoints","row":{"thread_id":"t"}}', '{"kind":"row","table":"store; DROP","row":{}}'))
    with pytest.raises(BadInput, match=r"^Lines 2 to 2 of odd.jsonl cannot be stored: .*checkpoint"):
        await import_file(store, path)


async def test_empty_lines_are_passed_over(counted: tuple[MemoryStore, Any], tmp_path: Path) -> None:
    store, _ = counted
    path = tmp_path / "ann.jsonl"
    path.write_bytes(sealed("", EPISODE) + b"\n \n")
    assert (await import_file(store, path)).episodes == 1
    path.write_bytes(sealed(user=[1]))
    with pytest.raises(BadInput, match="user id"):
        await import_file(store, path)
    with pytest.raises(BadInput, match="cannot be read"):
        await import_file(store, tmp_path)
