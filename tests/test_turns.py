"""One round at a time in each thread, whatever process it runs in."""

import asyncio
import time
from typing import Any

import pytest

from graph.runner import Agent
from memory import turns
from memory.checkpointer import Checkpointer
from memory.open import open_memory
from memory.settings import Settings
from tests.conftest import Opened

pytestmark = pytest.mark.anyio

LINES = ["早上好，今天有点冷", "我对虾过敏"]


async def rows(checkpointer: Checkpointer) -> list[Any]:
    async with checkpointer._cursor() as cur:
        await cur.execute("SELECT thread FROM memory_turns")
        return await cur.fetchall()


async def test_two_that_talk_in_one_thread_lose_no_turn(settings: Settings) -> None:
    async with open_memory(settings) as one, open_memory(settings) as other:  # each with its pool, as two processes have
        agents = [Agent(store, checkpointer, settings) for store, checkpointer, _ in (one, other)]

        async def talk(agent: Agent, mark: str) -> None:
            for line in LINES:
                await agent.say(f"{line}{mark}", user="u", thread="t")

        await asyncio.gather(talk(agents[0], "。"), talk(agents[1], "！"))
        said = [m["text"] for m in (await agents[0].session("u", "t"))["messages"] if m["role"] == "user"]
        assert sorted(said) == sorted(line + mark for line in LINES for mark in "。！")
        assert not await rows(one[1])


async def test_a_turn_is_waited_for_and_renewed(memory: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "LEASE", 0.4)
    monkeypatch.setattr(turns, "RENEWED", 0.1)
    checkpointer, order = memory[1], list[str]()

    async def second() -> None:
        async with checkpointer.turn("u:t"):
            order.append("second")

    async with checkpointer.turn("u:t"), checkpointer.turn("u:other"):
        waiting = asyncio.create_task(second())
        await asyncio.sleep(1)
        order.append("first")
    await waiting
    assert order == ["first", "second"]


async def test_the_turn_of_a_process_that_was_killed_ends_by_itself(memory: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "LEASE", 0.5)
    checkpointer = memory[1]
    gone = {"thread": "u:t", "user": "u", "holder": "00000000-0000-0000-0000-000000000001", "lease": 0.5}
    assert await turns._taken(checkpointer._cursor, gone)
    began = time.monotonic()
    async with checkpointer.turn("u:t"):
        assert time.monotonic() - began > 0.3
    assert not await rows(checkpointer)


async def test_who_waits_may_give_up_and_who_fails_gives_it_back(memory: Opened) -> None:
    checkpointer = memory[1]
    with pytest.raises(RuntimeError):
        async with checkpointer.turn("u:t"):
            waiting = asyncio.create_task(checkpointer.turn("u:t").__aenter__())
            await asyncio.sleep(0.1)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            raise RuntimeError
    assert not await rows(checkpointer)
