"""Postgres goes away during a chat: it is said at once, nothing is lost, and what was said meanwhile is judged and stored once, in order."""

import asyncio
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest
from psycopg_pool import AsyncConnectionPool

from graph.runner import Agent
from memory import embedded
from memory.current import current
from memory.open import open_memory
from memory.settings import Settings

pytestmark = pytest.mark.anyio


@pytest.fixture
def home() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="jizhu-away-") as folder:
        path = Path(folder)
        path.chmod(0o755)
        yield path
        embedded.stop(path)


@pytest.fixture
def embedded_settings(home: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    return Settings(_env_file=None, JIZHU_HOME=home, JIZHU_MODEL="offline")  # type: ignore[call-arg]


async def test_all_connections_terminated_then_a_round(settings: Settings, database_url: str) -> None:
    async with open_memory(settings) as (store, checkpointer, _):
        agent = Agent(store, checkpointer, settings)
        await agent.say("我叫张三。", thread="t")
        with psycopg.connect(database_url, autocommit=True) as conn:
            conn.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        assert "张三" in (await agent.say("我叫什么名字？", thread="t")).reply
        assert not agent._copies[next(iter(agent._copies))].missed


@pytest.mark.parametrize("at", range(0, 30, 3))
async def test_a_connection_that_ends_inside_a_round(settings: Settings, database_url: str, at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server hangs up right after it handed out the round's connection number `at`: the round goes on where it stopped."""
    async with open_memory(settings) as (store, checkpointer, _):
        agent = Agent(store, checkpointer, settings)
        await agent.say("我叫张三。", thread="t")
        had, take = 0, AsyncConnectionPool.getconn

        async def getconn(pool: AsyncConnectionPool[psycopg.AsyncConnection[Any]], **waiting: Any) -> psycopg.AsyncConnection[Any]:
            nonlocal had
            conn = await take(pool, **waiting)
            had += 1
            if had == at + 1:
                with psycopg.connect(database_url, autocommit=True) as other:
                    other.execute("SELECT pg_terminate_backend(%s, 5000)", (conn.info.backend_pid,))
            return conn

        monkeypatch.setattr(AsyncConnectionPool, "getconn", getconn)
        said = await agent.say("我住在杭州。我叫什么名字？", thread="t")
        monkeypatch.undo()
        assert had > at
        assert "张三" in said.reply and "记忆" not in said.reply
        assert not agent._copies[next(iter(agent._copies))].missed
        assert [(m.value, m.evidence) for m in await current(store, "me") if m.attribute == "location"] == [("杭州", 1)]
        messages = (await agent.session("me", "t"))["messages"]
        assert [m["role"] for m in messages] == ["user", "assistant"] * 2


async def test_postgres_stopped_and_back(home: Path, embedded_settings: Settings) -> None:
    async with open_memory(embedded_settings) as (store, checkpointer, _):
        agent = Agent(store, checkpointer, embedded_settings)
        await agent.say("我叫张三。", thread="t")
        embedded.stop(home)
        for text in ("我住在上海。", "我搬到杭州了，现在住在杭州。"):
            began = time.monotonic()
            away = await agent.say(text, thread="t")
            assert time.monotonic() - began < 5
            assert "记忆" in away.reply and not any(s["scope"] == "long" for s in away.stored)
        assert "张三" in str((await agent.say("你好", thread="t")).context)
        embedded.start(home)
        await agent.say("我喜欢爬山。", thread="t")
        found = {(m.attribute, m.value): m.evidence for m in await current(store, "me")}
        assert found == {("name", "张三"): 1, ("location", "杭州"): 1, ("likes", "爬山"): 1}
        said = [m["text"] for m in (await agent.session("me", "t"))["messages"] if m["role"] == "user"]
        assert said == ["我叫张三。", "我住在上海。", "我搬到杭州了，现在住在杭州。", "你好", "我喜欢爬山。"]


def kill(home: Path) -> None:
    """The server and all its processes, as when memory runs out."""
    [pid_file] = home.rglob("postmaster.pid")
    server = psutil.Process(int(pid_file.read_text().split()[0]))
    processes = [server, *server.children(recursive=True)]
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(processes, timeout=10)


async def test_a_killed_server_is_started_again_for_the_next_round(home: Path, embedded_settings: Settings) -> None:
    async with open_memory(embedded_settings) as (store, checkpointer, _):
        agent = Agent(store, checkpointer, embedded_settings)
        await agent.say("我叫罗岚。", thread="t")
        await asyncio.to_thread(kill, home)
        assert "记忆" in (await agent.say("我喜欢徒步。", thread="t")).reply
        await agent.aclose()
        await agent.say("我住在泉州。", thread="t")
        assert {m.value for m in await current(store, "me")} == {"罗岚", "徒步", "泉州"}


def test_a_server_stopped_in_order_stays_so(home: Path) -> None:
    embedded.start(home)
    embedded.stop(home)
    assert embedded.revive(home) is False
    assert embedded.running(home) is None
