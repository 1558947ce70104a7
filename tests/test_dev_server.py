"""`langgraph dev` serves the graph on the same Postgres: no blocking call, memories survive its restart, one user does not see another's."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from langgraph_sdk import get_client

from memory.open import open_memory
from memory.settings import Settings

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parent.parent


@contextmanager
def serving(folder: Path, database_url: str) -> Iterator[tuple[str, Path]]:
    """(URL, log) of a development server, stopped with the block."""
    config = json.loads((ROOT / "langgraph.json").read_text())
    config["dependencies"] = [str(ROOT)]
    config["env"] = {"DATABASE_URL": database_url, "JIZHU_MODEL": "offline"}
    (folder / "langgraph.json").write_text(json.dumps(config))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = folder / "server.log"
    command = [sys.executable, "-m", "langgraph_cli", "dev", "--no-browser", "--no-reload", "--host", "127.0.0.1", "--port", str(port)]
    quiet = {"LANGGRAPH_NO_VERSION_CHECK": "true", "LANGGRAPH_CLI_NO_ANALYTICS": "1", "PYTHONPATH": str(ROOT), "LANGSMITH_TRACING": "false"}
    with log.open("ab") as out:
        server = subprocess.Popen(command, cwd=folder, env={**os.environ, **quiet}, stdout=out, stderr=out, start_new_session=True)
    try:
        url = f"http://127.0.0.1:{port}"
        for _ in range(300):
            if server.poll() is not None:
                raise AssertionError(log.read_text()[-3000:])
            try:
                if httpx.get(f"{url}/ok", timeout=2).status_code == 200:
                    break
            except httpx.HTTPError:
                time.sleep(0.2)
        else:
            raise AssertionError(log.read_text()[-3000:])
        yield url, log
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(server.pid, signal.SIGKILL)
            server.wait()


async def say(url: str, text: str, user: str, thread: str) -> str:
    context: Any = {"user_id": user}
    given: Any = {"messages": [{"role": "user", "content": text}]}
    async with get_client(url=url) as client:
        runs: Any = client.runs
        out = await runs.wait(thread, "agent", input=given, context=context, if_not_exists="create")
    assert isinstance(out, dict)
    return str(out["messages"][-1]["content"])


async def test_memories_survive_a_restart_of_the_server(tmp_path: Path, database_url: str) -> None:
    first, second, third = ("11111111-1111-4111-8111-11111111111" + c for c in "123")
    with serving(tmp_path, database_url) as (url, log):
        assert "张三" in await say(url, "我叫张三，是一名护士。", "a", first)
        assert "BlockingError" not in log.read_text() and "Traceback" not in log.read_text()
    with serving(tmp_path, database_url) as (url, log):
        assert "护士" in await say(url, "我的职业是什么？", "a", second)
        assert "护士" not in await say(url, "我的职业是什么？", "b", third)
        async with get_client(url=url) as client:
            found = await client.store.search_items(("a", "identity"))
        assert {i["value"]["value"] for i in found["items"]} == {"张三", "护士"}
        assert "BlockingError" not in log.read_text() and "Traceback" not in log.read_text()
    async with open_memory(Settings(_env_file=None, DATABASE_URL=database_url)) as (store, _, _):  # type: ignore[call-arg]
        await store.erase("a")
    with psycopg.connect(database_url) as conn:
        for table in ("checkpoints", "checkpoint_blobs", "checkpoint_writes"):
            left = {r[0] for r in conn.execute(f"SELECT thread_id FROM {table}")}  # noqa: S608
            assert left == {third}, f"{table} keeps threads of an erased user, or lost those of another"
