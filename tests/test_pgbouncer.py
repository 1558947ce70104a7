"""Everything that memory does, behind a pooler in transaction mode: our own strict one always, and PgBouncer where it is installed."""

import asyncio
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest
from langgraph.store.base import GetOp, PutOp
from psycopg.conninfo import conninfo_to_dict

from graph.runner import Agent
from memory import embedded
from memory.documents import document
from memory.episode import Episode
from memory.errors import MemoryConflict
from memory.ingest import archive
from memory.open import open_memory
from memory.search import recall
from memory.settings import Settings
from memory.store import MemoryStore
from tests.counting import CountingEmbedder
from tests.pooler import Pooler, pooling

pytestmark = pytest.mark.anyio

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
PGBOUNCER = shutil.which("pgbouncer", path="/usr/sbin:/usr/local/sbin:/usr/local/bin:/usr/bin:/opt/homebrew/bin:/opt/homebrew/opt/pgbouncer/bin")


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def bouncer(database_url: str) -> Iterator[str]:
    """PgBouncer in transaction mode, two server connections; the address of the database through it."""
    at = conninfo_to_dict(database_url)
    port = _free_port()
    url = f"postgresql://{at['user']}@127.0.0.1:{port}/{at['dbname']}"
    with tempfile.TemporaryDirectory(prefix="jizhu-test-") as folder:
        Path(folder).chmod(0o755)  # it does not run as root
        ini = Path(folder, "pgbouncer.ini")
        ini.write_text(
            f"[databases]\n{at['dbname']} = host={at['host']} port={at['port']} user={at['user']}\n"
            f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = any\npool_mode = transaction\n"
            "default_pool_size = 2\nserver_reset_query_always = 1\nserver_reset_query = DISCARD ALL\n"
        )
        process = subprocess.Popen([str(PGBOUNCER), str(ini)], user=embedded._system_user(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            for _ in range(200):
                assert process.poll() is None, "PgBouncer ended at once"
                try:
                    psycopg.connect(url).close()
                    break
                except psycopg.OperationalError:
                    time.sleep(0.05)
            yield url
        finally:
            process.terminate()
            process.wait(10)


@pytest.fixture(params=["ours", *(["pgbouncer"] if PGBOUNCER else [])])
async def pooled(request: pytest.FixtureRequest, database_url: str) -> AsyncIterator[tuple[Settings, Pooler | None]]:
    """Settings that lead through a pooler, and the pooler when it is ours."""
    async with AsyncExitStack() as stack:
        pooler: Pooler | None = None
        if request.param == "ours":
            at = conninfo_to_dict(database_url)
            pooler, port = await stack.enter_async_context(pooling(f"{at['host']}/.s.PGSQL.{at['port']}"))
            url = f"postgresql://{at['user']}@127.0.0.1:{port}/{at['dbname']}"
        else:
            url = stack.enter_context(bouncer(database_url))
        yield Settings(_env_file=None, DATABASE_URL=url, JIZHU_TIMEZONE="Asia/Shanghai", JIZHU_MODEL="offline"), pooler  # type: ignore[call-arg]


async def test_the_pooler_keeps_no_session(pooled: tuple[Settings, Pooler | None]) -> None:
    """The premise of the other tests: what a session would remember is gone by the next statement."""
    url = pooled[0].database_url
    assert url is not None
    async with await psycopg.AsyncConnection.connect(url.get_secret_value(), autocommit=True) as conn:
        await conn.execute("SET work_mem = '9MB'")
        assert await (await conn.execute("SHOW work_mem")).fetchone() != ("9MB",)
        with pytest.raises(psycopg.errors.InvalidSqlStatementName):
            await conn.execute("SELECT 1", prepare=True)


async def test_the_store(pooled: tuple[Settings, Pooler | None]) -> None:
    settings, pooler = pooled
    async with open_memory(settings, embedder=CountingEmbedder()) as (store, _, _):
        await store.abatch([PutOp(("ann", "docs"), str(i), {"content": f"第{i}条笔记", "n": i}) for i in range(1200)])
        assert len(await store.asearch(("ann", "docs"), query="第7条笔记", limit=20, offset=5)) == 20
        assert [i.key for i in await store.asearch(("ann", "docs"), filter={"n": {"$gte": 1198}})] == ["1199", "1198"]
        assert [i.key for i in await store.asearch(("ann", "docs"), query="笔记", filter={"n": 3})] == ["3"]
        await store.aput(("ann", "docs"), "short", {"content": "会过期"}, ttl=10)
        assert await store.aget(("ann", "docs"), "short", refresh_ttl=True)
        assert await store.abatch([PutOp(("ann", "docs"), "7", None), GetOp(("ann", "docs"), "7")]) == [None, None]
        assert await store.alist_namespaces() == [("ann", "docs")]
        await asyncio.gather(*(store.aput(("ann", "preference"), f"k{i}", {"content": f"喜欢第{i}种茶"}) for i in range(12)))
        assert len(await store.versions("ann")) == 12
        task = asyncio.create_task(store.asearch(("ann", "docs"), query="取消", limit=1000))
        await asyncio.sleep(0.005)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert len(await store.asearch(("ann", "docs"), query="笔记", limit=3)) == 3
        await store.erase("ann")
        assert await store.alist_namespaces() == [] and await store.versions("ann") == []
    if pooler is not None:
        assert len(pooler.transactions) == 3 and min(pooler.transactions.values()) > 10, "the transactions were spread"


@pytest.mark.parametrize("pool_config", [None, {"min_size": 1, "max_size": 3}])
async def test_a_store_from_a_connection_string(pooled: tuple[Settings, Pooler | None], pool_config: Any) -> None:
    assert pooled[0].database_url is not None
    async with MemoryStore.from_conn_string(pooled[0].database_url.get_secret_value(), pool_config=pool_config) as store:
        await asyncio.gather(*(store.aput(("u", "docs"), str(i), {"n": i}) for i in range(10)))
        assert len(await store.asearch(("u", "docs"), limit=20)) == 10


async def test_recall_and_documents(pooled: tuple[Settings, Pooler | None]) -> None:
    async with open_memory(pooled[0], embedder=CountingEmbedder()) as (store, _, _):
        await archive(
            store, "ann", [Episode(id=str(i), user="ann", text=f"第{i}天去了湿地公园", time=NOW, session="s", position=i) for i in range(30)]
        )
        await document(store, "ann", "a.md", ["第一段讲茶。", "第二段讲水。"], time=NOW)
        await document(store, "ann", "a.md", ["第一段讲茶。", "第二段讲器。"], time=NOW)
        await store.aput(("ann", "preference"), "tea", {"content": "喜欢喝龙井茶"})
        assert (await recall(store, "ann", "喜欢喝什么茶", k=5, now=NOW)).hits[0].id == "tea"
        assert [h.id for h in (await recall(store, "ann", "第7天去了哪", k=1, kind="episode", now=NOW)).hits] == ["7"]
        assert not any("水" in h.text for h in (await recall(store, "ann", "第二段讲什么", k=50, now=NOW)).hits)


async def test_a_users_lock(pooled: tuple[Settings, Pooler | None]) -> None:
    """It belongs to a transaction: it holds others off, also behind the pooler, and is free afterwards."""
    async with open_memory(pooled[0], embedder=CountingEmbedder()) as (store, _, _):
        async with store.writing("ann"):
            with pytest.raises(MemoryConflict):
                async with store.writing("ann", wait=0):
                    pass
        async with store.writing("ann", wait=0):
            pass


async def test_rounds_of_the_agent(pooled: tuple[Settings, Pooler | None]) -> None:
    async with open_memory(pooled[0]) as (store, checkpointer, _):
        agent = Agent(store, checkpointer, pooled[0])
        await agent.say("我叫林青，住在绍兴，对芒果过敏", user="ann", thread="t")
        await agent.say("我搬到嘉兴了", user="ann", thread="t")
        other: Any = await asyncio.gather(*(agent.say("我喜欢下围棋", user=f"u{i}", thread="t") for i in range(4)))
        assert len(other) == 4
        now = {m.attribute: m.value for m in await store.versions("ann", statuses={"active"})}  # type: ignore[arg-type]
        assert (now["name"], now["location"], now["allergy"]) == ("林青", "嘉兴", "芒果")
        await agent.undo("ann", "t")
        now = {m.attribute: m.value for m in await store.versions("ann", statuses={"active"})}  # type: ignore[arg-type]
        assert now["location"] == "绍兴"
        assert {m.value for i in range(4) for m in await store.versions(f"u{i}")} == {"下围棋"}
