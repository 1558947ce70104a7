"""The reply model over the wire: ChatOpenAI against a server that misbehaves in every way a server can. The round always ends in words."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore

from graph.agent import builder
from graph.context import Context
from graph.nodes import consult
from memory.namespace import namespace
from memory.settings import load_settings
from tests.misbehaving import Script, misbehaving_server

pytestmark = pytest.mark.anyio


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Script]:
    with misbehaving_server() as (url, script):
        for name, value in {"OPENAI_BASE_URL": url, "OPENAI_API_KEY": "sk-secret-123", "JIZHU_MODEL": "openai:m"}.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("JIZHU_MODEL_TIMEOUT", "1")
        monkeypatch.setenv("JIZHU_MODEL_RETRIES", "0")
        load_settings.cache_clear()
        yield script
    load_settings.cache_clear()


async def say(text: str, store: InMemoryStore | None = None, thread: str = "t", graph: Any = None) -> dict[str, Any]:
    graph = graph or builder.compile(store=store or InMemoryStore(), checkpointer=InMemorySaver())
    out: dict[str, Any] = await graph.ainvoke(
        {"messages": [("human", text)]}, {"configurable": {"thread_id": thread}}, context=Context(user_id="ann"), durability="sync"
    )  # fmt: skip
    return out


@pytest.mark.parametrize(
    ("behaviour", "words"),
    [
        (429, "rate limited"), (500, "nonsense"), (401, "refused the key"), ("hang", "timed out"), ("bad json", "nonsense"), ("cut", "cannot be reached"),
        ("empty", "gave no answer"), ("html", "nonsense"),
    ],
)  # fmt: skip
async def test_a_failing_model_is_said_and_nothing_is_lost(server: Script, behaviour: Any, words: str) -> None:
    server.behaviours[:] = [behaviour]
    store = InMemoryStore()
    out = await say("My name is Ann Lee.", store)
    reply = out["messages"][-1].text
    assert words in reply and "Ann Lee" in reply
    assert "sk-secret" not in reply
    assert [i.value["value"] for i in store.search(namespace("ann", "identity"))] == ["Ann Lee"]


async def test_a_refusal_is_passed_on(server: Script) -> None:
    server.behaviours[:] = ["refusal"]
    out = await say("Write something forbidden.")
    assert out["messages"][-1].text


async def test_an_invented_tool_call_is_answered_and_the_model_goes_on(server: Script) -> None:
    server.behaviours[:] = [{"name": "launch_rocket", "arguments": "{}"}, "fine"]
    out = await say("hello there")
    assert [m.type for m in out["messages"]] == ["human", "ai", "tool", "ai"]
    assert out["messages"][-1].text == "fine"


@pytest.mark.parametrize("arguments", ["{not json", '{"content": 7, "user_id": "bob"}', "{}", '{"content": ""}'])
async def test_bad_arguments_are_answered_in_words(server: Script, arguments: str) -> None:
    server.behaviours[:] = [{"name": "save_memory", "arguments": arguments}, "fine"]
    store = InMemoryStore()
    out = await say("hello there", store)
    assert out["messages"][-1].text
    assert not store.search(("bob",)) and not store.search(("ann",))


async def test_a_model_that_only_calls_tools_is_stopped(server: Script) -> None:
    server.behaviours[:] = [{"name": "list_memories", "arguments": "{}"}]
    out = await say("hello there")
    assert len(server.requests) <= 6
    assert out["messages"][-1].text


async def test_the_model_is_sent_memories_as_data_and_the_tools(server: Script) -> None:
    store, saver = InMemoryStore(), InMemorySaver()
    graph = builder.compile(store=store, checkpointer=saver)
    await say("I live in Utrecht. {braces} <b>tags</b>", graph=graph)
    await say("Where do I live?", graph=graph, thread="other")
    system = server.requests[-1]["messages"][0]
    assert system["role"] == "system" and "Utrecht" in system["content"]
    assert {t["function"]["name"] for t in server.requests[-1]["tools"]} >= {"save_memory", "forget_memory"}
    assert all("runtime" not in t["function"]["parameters"]["properties"] for t in server.requests[-1]["tools"])


@pytest.mark.parametrize("invented", [False, True])
async def test_the_third_tier_is_asked_about_open_clauses_after_the_reply(
    server: Script, monkeypatch: pytest.MonkeyPatch, invented: bool
) -> None:  # fmt: skip
    consult._cache.clear()
    for module in ("classify", "consult"):
        monkeypatch.setattr(f"graph.nodes.{module}.small_model", lambda: None)
    value = "collects tin robots" if invented else "choir"
    verdict = {
        "memory_type": "LONG", "confidence": 0.9, "extracted_info": [{"owner": "user", "attribute": "likes", "value": value}], "reason": "a standing habit",
    }  # fmt: skip
    server.behaviours[:] = ["How nice.", json.dumps(verdict)]
    store = InMemoryStore()
    out = await say("Evenings, I disappear into choir.", store)
    assert out["messages"][-1].text == "How nice." and len(server.requests) == 2
    assert "choir" in server.requests[1]["messages"][0]["content"]
    stored = [i.value["value"] for i in store.search(namespace("ann", "preference"))]
    assert stored == ([] if invented else ["choir"])
