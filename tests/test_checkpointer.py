"""The checkpointer: langgraph's own conformance suite, several processes, and threads by user."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from langchain_core.messages import AnyMessage, HumanMessage
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.graph import START, MessagesState, StateGraph
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool

from memory.checkpointer import Checkpointer
from memory.namespace import thread_id
from tests.conftest import Opened

pytestmark = pytest.mark.anyio


def pooled(url: str) -> AsyncConnectionPool[Any]:
    return AsyncConnectionPool(url, kwargs={"autocommit": True, "prepare_threshold": None, "row_factory": dict_row}, open=False, max_size=4)


async def test_it_conforms(empty_database_url: str) -> None:
    @checkpointer_test(name="jizhu")
    async def ours() -> AsyncIterator[Checkpointer]:
        async with pooled(empty_database_url) as pool:
            checkpointer = Checkpointer(pool)
            await checkpointer.setup()
            yield checkpointer

    report = await validate(ours)
    assert all(result.detected and result.passed for result in report.results.values()), report.to_dict()
    assert len(report.results) >= 8


async def test_four_setups_at_once(empty_database_url: str) -> None:
    async def setup() -> None:
        async with pooled(empty_database_url) as pool:
            await Checkpointer(pool).setup()

    await asyncio.gather(*(setup() for _ in range(4)))


async def test_setup_completes_a_database_of_the_stock_class(empty_database_url: str) -> None:
    async with pooled(empty_database_url) as pool:
        await AsyncPostgresSaver(pool).setup()
        await Checkpointer(pool).setup()
        async with pool.connection() as conn:
            cursor = await conn.execute("SELECT count(*) AS n FROM checkpoint_migrations")
            assert (await cursor.fetchone())["n"] == len(Checkpointer.MIGRATIONS)


def echo(state: MessagesState) -> dict[str, list[AnyMessage]]:
    return {"messages": [HumanMessage("echo", id="e")]}


async def test_threads_belong_to_users(memory: Opened) -> None:
    _, checkpointer, _ = memory
    graph = StateGraph(MessagesState).add_node("echo", echo).add_edge(START, "echo").compile(checkpointer=checkpointer)
    for user, thread in (("ann", "t"), ("ann", "第二"), ("ann:t", "t"), ("ann.b", "t"), ("anna", "t")):
        config: Any = {"configurable": {"thread_id": thread_id(user, thread)}}
        await graph.ainvoke({"messages": [HumanMessage("hi", id="h")]}, config)
    await graph.ainvoke({"messages": [HumanMessage("hi", id="h")]}, {"configurable": {"thread_id": "5f0c8a1e-of-a-server"}})
    assert [(t.user, t.thread) for t in await checkpointer.threads("ann")] == [("ann", "第二"), ("ann", "t")]
    assert [(t.user, t.thread) for t in await checkpointer.threads("ann:t")] == [("ann:t", "t")]
    [found, _] = await checkpointer.threads("ann")
    assert found.checkpoints == 3 and found.updated_at.tzinfo is not None
    await checkpointer.forget_thread("ann", "t")
    await checkpointer.forget_thread("ann", "never")
    assert [t.thread for t in await checkpointer.threads("ann")] == ["第二"]
    assert len(await checkpointer.threads("ann:t")) == len(await checkpointer.threads("ann.b")) == 1


async def test_erasing_a_user_takes_his_threads_and_nobody_elses(memory: Opened, database_url: str) -> None:
    store, checkpointer, _ = memory
    graph = StateGraph(MessagesState).add_node("echo", echo).add_edge(START, "echo").compile(checkpointer=checkpointer)
    for user in ("ann", "ann:t", "annb"):
        config: Any = {"configurable": {"thread_id": thread_id(user, "t")}}
        await graph.ainvoke({"messages": [HumanMessage(f"I am {user}!", id="h")]}, config)
    await store.erase("ann")
    assert await checkpointer.threads("ann") == []
    assert len(await checkpointer.threads("ann:t")) == len(await checkpointer.threads("annb")) == 1
    async with store.reading() as cur:
        for table in ("checkpoints", "checkpoint_blobs", "checkpoint_writes"):
            await cur.execute(f"SELECT count(*) AS n FROM {table} WHERE thread_id LIKE 'ann:%'")  # noqa: S608
            assert (await cur.fetchone())["n"] == 0  # type: ignore[index]
