"""One peer asked the same questions, in a Python where it is installed: ``PYTHON bench/peer.py langmem|mem0 URL FOLDER WRITES``.

Run by `bench.store --peers PYTHON`; it imports nothing of ours. FOLDER has vectors.npy, tenants.npy, queries.npy and asked.json ([[class, tenant], …]).
langmem's tools work on langgraph's store, which is filled already; mem0 (``infer=False``, pgvector) fills its own table, in bulk, below its interface, which
takes one memory at a time. Prints one JSON line: keys found and milliseconds of each question, and how long WRITES single writes took.
"""

import asyncio
import json
import os
import sys
import time
import uuid
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

TOP = 10


class Known:
    """Vectors of the texts ``row:N`` and ``query:N``, as both libraries ask for them."""

    def __init__(self, folder: Path) -> None:
        self.rows = np.load(folder / "vectors.npy", mmap_mode="r")
        self.queries = np.load(folder / "queries.npy")

    def embed(self, text: str, *more: Any) -> list[float]:
        which, _, number = text.partition(":")
        found: list[float] = (self.rows if which == "row" else self.queries)[int(number)].tolist()
        return found

    def embed_batch(self, texts: list[str], *more: Any) -> list[list[float]]:
        return [self.embed(t) for t in texts]

    async def __call__(self, texts: list[str]) -> list[list[float]]:
        return self.embed_batch(texts)


def name(tenant: int) -> str:
    return f"user-{tenant}"


async def langmem(url: str, known: Known, asked: list[tuple[str, int]], writes: int) -> dict[str, Any]:
    from langgraph.store.postgres import AsyncPostgresStore
    from langmem import create_manage_memory_tool, create_search_memory_tool  # type: ignore[import-untyped]

    index: Any = {"dims": known.rows.shape[1], "embed": known, "fields": ["content"]}
    async with AsyncPostgresStore.from_conn_string(url, pool_config={"min_size": 1, "max_size": 4}, index=index) as store:
        space = ("{langgraph_user_id}", "docs")
        search = create_search_memory_tool(space, store=store)
        manage = create_manage_memory_tool(space, store=store, schema=str)
        found, ms = [], []
        for turn in range(2):
            for n, (_, tenant) in enumerate(asked):
                start = time.perf_counter()
                answer = await search.ainvoke({"query": f"query:{n}", "limit": TOP}, {"configurable": {"langgraph_user_id": name(tenant)}})
                if turn:
                    ms.append((time.perf_counter() - start) * 1000)
                    found.append([int(item["key"]) for item in json.loads(answer)])
        start = time.perf_counter()
        for n in range(writes):
            await manage.ainvoke({"content": f"row:{n}", "action": "create"}, {"configurable": {"langgraph_user_id": "writer"}})
        return {"found": found, "ms": ms, "seconds": time.perf_counter() - start}


def mem0(url: str, known: Known, asked: list[tuple[str, int]], tenants: Any, writes: int) -> dict[str, Any]:
    Memory = import_module("mem0").Memory  # no package of ours: it is in the peers' Python

    config = {
        "vector_store": {"provider": "pgvector", "config": {"connection_string": url, "embedding_model_dims": known.rows.shape[1]}},
        "embedder": {"provider": "openai", "config": {"api_key": "none"}},
        "llm": {"provider": "openai", "config": {"api_key": "none"}},
        "history_db_path": str(Path(os.environ["MEM0_DIR"]) / "history.db"),
    }
    memory = Memory.from_config(config)
    memory.embedding_model = known
    start = time.perf_counter()
    for at in range(0, len(tenants), 2000):
        rows = range(at, min(at + 2000, len(tenants)))
        payloads = [{"data": f"row:{i}", "user_id": name(int(tenants[i])), "text_lemmatized": f"row:{i}"} for i in rows]
        memory.vector_store.insert([known.embed(p["data"]) for p in payloads], payloads, [str(uuid.UUID(int=i)) for i in rows])
    loaded = time.perf_counter() - start
    found, ms = [], []
    for turn in range(2):
        for n, (_, tenant) in enumerate(asked):
            start = time.perf_counter()
            answer = memory.search(f"query:{n}", filters={"user_id": name(tenant)}, top_k=TOP, threshold=0.0)
            if turn:
                ms.append((time.perf_counter() - start) * 1000)
                found.append([uuid.UUID(r["id"]).int for r in answer["results"]])
    start = time.perf_counter()
    for n in range(writes):
        memory.add(f"row:{n}", user_id="writer", infer=False)
    return {"found": found, "ms": ms, "seconds": time.perf_counter() - start, "loaded": loaded}


def main() -> None:
    which, url, folder, writes = sys.argv[1], sys.argv[2], Path(sys.argv[3]), int(sys.argv[4])
    asked = [(kind, tenant) for kind, tenant in json.loads((folder / "asked.json").read_text())]
    if which == "langmem":
        result = asyncio.run(langmem(url, Known(folder), asked, writes))
    else:
        os.environ.update(MEM0_TELEMETRY="False", MEM0_DIR=str(folder / "mem0"))
        result = mem0(url, Known(folder), asked, np.load(folder / "tenants.npy"), writes)
    print("\n" + json.dumps(result))


if __name__ == "__main__":
    main()
