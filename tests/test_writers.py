"""Several writers of one user: nothing lost, nothing twice, nobody waits for ever, and a killed process leaves the old state or the new one."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest

from memory.errors import MemoryConflict, MemoryUnavailable
from memory.judge.judgement import Candidate
from memory.ledger import label_of
from memory.open import open_memory
from memory.record import Memory, Status
from memory.revise import Op, Revision
from memory.settings import Settings
from memory.store import MemoryStore
from tests.counting import CountingEmbedder

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parent.parent
NOW = datetime(2026, 3, 1, tzinfo=UTC)


def likes(value: str) -> Callable[[Sequence[Memory]], list[Revision]]:
    """Decide that the user likes this: new, or said again."""
    candidate = Candidate(attribute="likes", value=value)

    def decide(known: Sequence[Memory]) -> list[Revision]:
        old = next((m for m in known if m.value == value), None)
        if old is not None:
            return [Revision(op=Op.STRENGTHEN, candidate=candidate, reason="again", memory=old.evolve(evidence=old.evidence + 1))]
        new = Memory(
            key=os.urandom(8).hex(), fact=value, user="ann", category="preference", attribute="likes", value=value, content=f"喜欢{value}",
            recorded_at=NOW, updated_at=NOW,
        )  # fmt: skip
        return [Revision(op=Op.ADD, candidate=candidate, reason="new", memory=new)]

    return decide


WRITER = """
import asyncio, sys
from memory.open import open_memory
from memory.settings import Settings
from tests.counting import CountingEmbedder
from tests.test_writers import likes

async def main(url, numbers):
    async with open_memory(Settings(_env_file=None, DATABASE_URL=url, JIZHU_LOCK_WAIT=60), embedder=CountingEmbedder()) as (store, _, _):
        print("ready", flush=True)
        sys.stdin.readline()
        await asyncio.gather(*(store.commit("ann", likes(f"茶{n}")) for n in numbers), *(store.commit("ann", likes("一样")) for _ in range(3)))

asyncio.run(main(sys.argv[1], range(int(sys.argv[2]), int(sys.argv[2]) + 5)))
"""

HOLDER = """
import sys, time, psycopg
with psycopg.connect(sys.argv[1]) as conn:
    conn.execute("SELECT set_config('idle_in_transaction_session_timeout', '5000ms', true), pg_advisory_xact_lock(hashtextextended('ann', 1))")
    print("held", flush=True)
    time.sleep(60)
"""


def start(code: str, *arguments: str) -> "subprocess.Popen[str]":
    process = subprocess.Popen([sys.executable, "-c", code, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert process.stdout is not None and process.stdout.readline().strip() in {"ready", "held"}
    return process


@pytest.fixture
def holder(database_url: str) -> Iterator["subprocess.Popen[str]"]:
    """Another process that holds ann's lock."""
    process = start(HOLDER, database_url)
    yield process
    process.send_signal(signal.SIGCONT)
    process.kill()
    process.communicate()


async def test_writers_in_four_processes_lose_nothing_and_double_nothing(counted: tuple[MemoryStore, Any], database_url: str) -> None:
    store, _ = counted
    processes = [start(WRITER, database_url, str(n * 5)) for n in range(4)]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    for process in processes:
        await asyncio.to_thread(process.communicate)
        assert process.returncode == 0
    known = await store.versions("ann")
    assert sorted(m.value for m in known) == sorted([*(f"茶{n}" for n in range(20)), "一样"])
    assert {m.value: m.evidence for m in known}["一样"] == 12
    assert len(await store.asearch(("ann", "preference"), limit=50)) == 21
    assert len(await store.changes("ann")) == 32


async def test_a_writer_waits_only_as_long_as_allowed(counted: tuple[MemoryStore, Any], holder: "subprocess.Popen[str]") -> None:
    store, _ = counted
    for wait in (0.0, 0.4):
        began = time.monotonic()
        with pytest.raises(MemoryConflict, match="操作过于频繁"):
            await store.commit("ann", likes("绿茶"), wait=wait)
        assert wait <= time.monotonic() - began < wait + 1.5
    assert await store.versions("ann") == [] and await store.version("ann") == 0, "nothing half-written"
    await store.commit("bob", likes("绿茶"), wait=0)  # another user is not held up
    with pytest.raises(MemoryConflict):  # the one that gave up freed nothing
        await store.commit("ann", likes("绿茶"), wait=0)


async def test_many_waiting_writers_of_one_user_hold_nobody_else_up(counted: tuple[MemoryStore, Any], holder: "subprocess.Popen[str]") -> None:
    store, _ = counted
    waiting = [asyncio.create_task(store.commit("ann", likes(f"茶{n}"), wait=2)) for n in range(40)]
    await asyncio.sleep(0.3)
    began = time.monotonic()
    await store.commit("bob", likes("绿茶"), wait=0)
    await store.asearch(("bob",), query="绿茶")
    assert time.monotonic() - began < 1
    assert {type(e) for e in await asyncio.gather(*waiting, return_exceptions=True)} == {MemoryConflict}


async def test_a_killed_holders_lock_is_free_at_once(counted: tuple[MemoryStore, Any], holder: "subprocess.Popen[str]") -> None:
    store, _ = counted
    holder.kill()
    [change] = await store.commit("ann", likes("绿茶"), wait=5)
    assert change.op is Op.ADD


async def test_a_hung_holder_times_out(counted: tuple[MemoryStore, Any], holder: "subprocess.Popen[str]") -> None:
    store, _ = counted
    holder.send_signal(signal.SIGSTOP)
    [change] = await store.commit("ann", likes("绿茶"), wait=20)
    assert change.op is Op.ADD


async def test_a_writer_that_hangs_inside_its_own_transaction_loses_the_lock(
    counted: tuple[MemoryStore, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, _ = counted
    monkeypatch.setattr("memory.ledger.HOLD_SECONDS", 0.3)

    async def hang() -> None:
        async with store.writing(label_of("ann")):
            await asyncio.sleep(1.5)

    hung = asyncio.create_task(hang())
    await asyncio.sleep(0.1)
    [change] = await store.commit("ann", likes("绿茶"), wait=5)
    assert change.op is Op.ADD
    with pytest.raises(MemoryUnavailable):
        await hung


async def test_ten_parallel_saves_of_one_sentence_make_one_fact(counted: tuple[MemoryStore, Any]) -> None:
    store, embedder = counted
    await asyncio.gather(*(store.commit("ann", likes("绿茶"), wait=30) for _ in range(10)))
    [fact] = await store.versions("ann")
    assert fact.evidence == 10
    before = len(embedder.texts)
    await store.commit("ann", likes("绿茶"))
    assert len(embedder.texts) == before


class Killed(Exception):
    """Stands for the process dying at this point."""


async def test_dying_at_any_statement_leaves_the_old_state_or_the_new(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection is cut before the n-th statement of a superseding commit, for every n; the state is whole each time."""
    execute = psycopg.AsyncCursor.execute
    countdown = [-1]

    async def fatal(self: Any, query: Any, *more: Any, **options: Any) -> Any:
        countdown[0] -= query != ""  # the pool's own check
        if countdown[0] == 0:
            await self.connection.close()  # the server sees the client vanish in the middle of its transaction
            raise Killed
        return await execute(self, query, *more, **options)

    async with open_memory(settings, embedder=CountingEmbedder()) as (store, _, _):
        await store.commit("ann", likes("甲"))
        [old] = await store.versions("ann")
        new = old.evolve(key="new", value="乙", content="喜欢乙")

        def supersede(_: Sequence[Memory]) -> list[Revision]:
            closed = old.evolve(status=Status.SUPERSEDED, valid_to=NOW)
            return [Revision(op=Op.SUPERSEDE, candidate=Candidate(attribute="likes", value="乙"), reason="", memory=new, closed=closed)]

        async def state() -> tuple[Any, ...]:
            async with store.reading() as cur:
                await cur.execute(
                    "SELECT (SELECT array_agg(key || status ORDER BY serial) FROM memory_versions) AS versions, "
                    "(SELECT array_agg(key) FROM store) AS items, (SELECT array_agg(key) FROM store_vectors) AS vectors, "
                    "(SELECT array_agg(key) FROM memory_version_vectors) AS past, (SELECT count(*) FROM memory_changes) AS changes, "
                    "(SELECT count(DISTINCT version) FROM memory_users) AS users"
                )
                return tuple((await cur.fetchall())[0].values())

        before = await state()
        monkeypatch.setattr(psycopg.AsyncCursor, "execute", fatal)
        steps = 0
        while True:
            steps += 1
            countdown[0] = steps
            try:
                await store.commit("ann", supersede)
            except (Killed, MemoryUnavailable):
                countdown[0] = -1
                assert await state() == before, f"half-written when killed at statement {steps}"
            else:
                break
        countdown[0] = -1
        assert steps > 8
        versions, items, vectors, past, changes, _ = await state()
        assert versions == [f"{old.key}superseded", "newactive"] and items == vectors == ["new"] and past == [old.key]
        assert changes == 2


async def test_a_commit_survives_its_connection_being_ended(counted: tuple[MemoryStore, Any]) -> None:
    store, _ = counted
    tries = []

    def decide(known: Sequence[Memory]) -> list[Revision]:
        tries.append(1)
        return likes("绿茶")(known)

    lost = [True]
    read = store.writing

    def once_ended(*given: Any, **options: Any) -> Any:
        if lost.pop() if lost else False:
            raise MemoryUnavailable("lost") from psycopg.errors.AdminShutdown("terminating connection due to administrator command")
        return read(*given, **options)

    store.writing = once_ended  # type: ignore[method-assign]
    [change] = await store.commit("ann", decide, message="m1")
    assert change.op is Op.ADD and len(await store.versions("ann")) == 1


async def test_all_idle_connections_terminated_then_a_turn(counted: tuple[MemoryStore, Any], database_url: str) -> None:
    store, _ = counted
    await asyncio.gather(*(store.version("ann") for _ in range(8)))
    async with await psycopg.AsyncConnection.connect(database_url, autocommit=True) as conn:
        await conn.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
    works: list[Awaitable[Any]] = [
        store.commit("ann", likes("绿茶")),
        store.asearch(("ann",), query="茶"),
        store.aput(("ann", "x"), "k", {"content": "茶"}),
    ]
    await asyncio.gather(*works)
