"""The memory tools: in words, never an exception; the user from the runtime; only the user's own words; also in a plain `create_agent`."""

from typing import Any

import psycopg
import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, HumanMessage, ToolCall, ToolMessage
from langgraph.prebuilt import ToolRuntime
from langgraph.store.base import BaseStore
from langgraph.store.memory import InMemoryStore

from graph.context import Context
from memory.current import current
from memory.store import MemoryStore
from tests.scripted import ScriptedModel
from tools import TOOLS, forget_memory, list_memories, recall_memory, save_memory, update_memory
from tools.runtime import user_of

pytestmark = pytest.mark.anyio


def runtime(store: BaseStore | None, *said: str, user: str = "ann", server_user: str | None = None) -> Any:
    """A tool's runtime outside a graph."""

    class Identity:
        identity = server_user

    server: Any = type("Server", (), {"user": Identity()})() if server_user else None

    return ToolRuntime(
        state={"messages": [HumanMessage(t, id=f"m{n}") for n, t in enumerate(said)]}, context=Context(user_id=user), config={}, store=store,
        stream_writer=lambda _: None, tool_call_id="t", server_info=server,
    )  # fmt: skip


async def call(tool: Any, rt: Any, **args: Any) -> ToolMessage:
    message = await tool.ainvoke({"type": "tool_call", "name": tool.name, "id": "t", "args": {**args, "runtime": rt}})
    assert isinstance(message, ToolMessage)
    return message


@pytest.fixture(params=["postgres", "plain"])
def store(request: pytest.FixtureRequest) -> BaseStore:
    if request.param == "plain":
        return InMemoryStore()
    found: MemoryStore = request.getfixturevalue("memory")[0]
    return found


async def test_save_list_update_forget(store: BaseStore) -> None:
    rt = runtime(store, "Please remember: I live in Leiden.", "Actually I live in Delft now.")
    assert "Leiden" in (await call(save_memory, rt, content="I live in Leiden")).text
    listed = (await call(list_memories, rt)).text
    assert "Leiden" in listed
    key = listed.split("]")[0].strip("[")
    assert "Delft" in (await call(update_memory, rt, key=key, value="Delft")).text
    assert [(m.attribute, m.value) for m in await current(store, "ann")] == [("location", "Delft")]
    assert "Delft" in (await call(forget_memory, rt, what="where I live")).text
    assert await current(store, "ann") == []


async def test_only_the_users_words_become_facts(store: BaseStore) -> None:
    rt = runtime(store, "What's the weather in Lima?")
    assert "Not saved" in (await call(save_memory, rt, content="I live in Lima")).text
    assert "Not saved" in (await call(save_memory, rt, content="The user lives in Lima")).text
    assert await current(store, "ann") == []


@pytest.mark.parametrize("key", ["nope", "", "a\x00b", "%", "'; drop table store; --", "k" * 5000])
async def test_an_unknown_key_is_not_found_and_leaves_no_row(store: BaseStore, key: str) -> None:
    rt = runtime(store, "my new value")
    assert "ot found" in (await call(update_memory, rt, key=key, value="my new value")).text
    assert "ot found" in (await call(forget_memory, rt, what=key or "nope")).text
    assert await current(store, "ann") == []


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        (save_memory, {"content": "  "}), (recall_memory, {"query": ""}), (recall_memory, {"query": "x", "limit": 99}), (update_memory, {"key": "k", "value": ""}),
        (forget_memory, {"what": " "}), (list_memories, {"category": "secrets"}),
    ],
)  # fmt: skip
async def test_bad_arguments_are_answered_in_words(store: BaseStore, tool: Any, args: dict[str, Any]) -> None:
    answer = await call(tool, runtime(store, "hi"), **args)
    assert answer.text and answer.artifact[0]["op"] == "refused"


@pytest.mark.parametrize("tool", TOOLS)
async def test_without_a_store_it_says_so(tool: Any) -> None:
    args = {
        "save_memory": {"content": "I live in Leiden"},
        "recall_memory": {"query": "x"},
        "update_memory": {"key": "k", "value": "v"},
        "forget_memory": {"what": "x"},
    }
    answer = await call(tool, runtime(None, "I live in Leiden"), **args.get(tool.name, {}))
    assert "out of reach" in answer.text


async def test_a_store_that_is_down_is_words(memory: Any, database_url: str) -> None:
    store = memory[0]
    await store.conn.close()
    answer = await call(save_memory, runtime(store, "I live in Leiden"), content="I live in Leiden")
    assert "out of reach" in answer.text and answer.artifact[0]["op"] == "failed"
    with psycopg.connect(database_url) as conn:
        assert conn.execute("SELECT count(*) FROM store").fetchone() == (0,)


def test_the_authenticated_user_counts_and_not_the_context() -> None:
    assert user_of(runtime(None, user="mallory", server_user="ann")) == "ann"
    assert user_of(runtime(None, user="ann")) == "ann"


async def test_another_users_memory_is_not_reachable_by_its_key(store: BaseStore) -> None:
    await call(save_memory, runtime(store, "I live in Leiden"), content="I live in Leiden")
    key = (await current(store, "ann"))[0].key
    bob = runtime(store, "Delft", user="bob")
    assert "ot found" in (await call(update_memory, bob, key=key, value="Delft")).text
    assert "ot found" in (await call(forget_memory, bob, what=key)).text
    assert "Nothing" in (await call(list_memories, bob)).text
    assert (await current(store, "ann"))[0].value == "Leiden"


async def test_in_a_plain_create_agent() -> None:
    store = InMemoryStore()
    call_save = AIMessage("", tool_calls=[ToolCall(name="save_memory", args={"content": "I'm allergic to peanuts"}, id="1", type="tool_call")])
    call_list = AIMessage("", tool_calls=[ToolCall(name="list_memories", args={}, id="2", type="tool_call")])
    model = ScriptedModel(steps=[call_save, call_list, "You are allergic to peanuts."])
    agent: Any = create_agent(model, list(TOOLS), store=store, context_schema=Context)
    out = await agent.ainvoke({"messages": [HumanMessage("Remember that I'm allergic to peanuts")]}, context=Context(user_id="ann"))
    model.done()
    assert "peanuts" in out["messages"][4].text
    assert [(m.attribute, m.value) for m in await current(store, "ann")] == [("allergy", "peanuts")]


def test_the_model_sees_no_user_and_no_runtime() -> None:
    for tool in TOOLS:
        assert set(tool.tool_call_schema.model_json_schema()["properties"]) <= {"content", "query", "limit", "key", "value", "what", "category"}  # type: ignore[union-attr]
        assert any("\u4e00" <= c <= "\u9fff" for c in tool.description)
