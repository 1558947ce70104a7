"""Recall on a streaming replica: reads write nothing, so they run there; a replica that is down is passed over."""

import shlex
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from memory import embedded
from memory.open import open_memory
from memory.search import recall
from memory.settings import Settings
from tests.counting import CountingEmbedder

pytestmark = pytest.mark.anyio


@pytest.fixture
def replica(postgres: str, database_url: str) -> Iterator[str]:
    """The address of the test's database on a replica of the run's server."""
    home = Path(str(conninfo_to_dict(postgres)["host"])).parent
    binaries, user, data = embedded._installation(home), embedded._system_user(), home / "replica"
    data.mkdir(mode=0o700)
    if user:
        shutil.chown(data, user, user)
    copied = embedded._run(binaries, user, "pg_basebackup", "-h", str(home / "postgres"), "-U", "postgres", "-D", str(data), "-R", "-c", "fast")
    assert copied.returncode == 0, copied.stdout
    options = f"-k {shlex.quote(str(data))} -p 5433 -c listen_addresses= -c max_connections=200"
    started = embedded._run(binaries, user, "pg_ctl", "start", "-w", "-s", "-D", str(data), "-l", str(data / "server.log"), "-o", options)
    assert started.returncode == 0, (data / "server.log").read_text()
    yield database_url.replace(str(home / "postgres"), str(data)).replace("port=5432", "port=5433")
    embedded._run(binaries, user, "pg_ctl", "stop", "-w", "-s", "-m", "immediate", "-D", str(data))


def caught_up(url: str, key: str) -> bool:
    """Whether the fact has reached the replica, waiting a while."""
    for _ in range(100):
        with psycopg.connect(url) as conn:
            if conn.execute("SELECT 1 FROM memory_versions WHERE key = %s", (key,)).fetchone():
                return True
        time.sleep(0.1)
    return False


async def test_recall_runs_on_the_replica_and_without_it(settings: Settings, database_url: str, replica: str) -> None:
    routed = Settings(_env_file=None, DATABASE_URL=database_url, DATABASE_READ_URL=replica)  # type: ignore[call-arg]
    async with open_memory(routed, embedder=CountingEmbedder()) as (store, _, _):
        await store.aput(("ann", "preference"), "k", {"content": "喜欢绿茶"})
        assert caught_up(replica, "k")
        async with store.recalling() as cur:
            await cur.execute("SELECT pg_is_in_recovery() AS there")
            assert await cur.fetchone() == {"there": True}
        assert [h.id for h in (await recall(store, "ann", "喜欢喝什么", k=1)).hits] == ["k"]
        assert (await store.aget(("ann", "preference"), "k")) is not None
    away = replica.replace("/replica", "/nowhere")
    unrouted = Settings(_env_file=None, DATABASE_URL=database_url, DATABASE_READ_URL=away)  # type: ignore[call-arg]
    async with open_memory(unrouted, embedder=CountingEmbedder()) as (store, _, _):
        assert [h.id for h in (await recall(store, "ann", "喜欢喝什么", k=1)).hits] == ["k"]
