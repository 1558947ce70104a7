"""Tenants of very different size, and stores filled with their rows: what the benchmarks of search and of growth share.

Texts are ``row:N`` and ``query:N`` with known vectors, so that no embedding model is measured.
"""

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
from langchain_core.embeddings import Embeddings
from langgraph.store.base import PutOp
from langgraph.store.postgres import AsyncPostgresStore
from numpy.typing import NDArray

from memory.binary import literal
from memory.pool import open_pool
from memory.store import MemoryStore

TOP = 10
FRESH = 5000
STRICT = "-c hnsw.iterative_scan=strict_order -c hnsw.ef_search=200"
Array = NDArray[np.float32]


@dataclass
class Data:
    """Rows, the tenant of each, and queries with the class of tenant they ask."""

    vectors: Array
    tenants: NDArray[np.int32]
    queries: Array
    asked: list[tuple[str, int]]  # (class, tenant) of each query

    def best(self, query: int) -> tuple[set[int], float]:
        """Rows that count as right, and how many there are at most."""
        rows = np.flatnonzero(self.tenants == self.asked[query][1])
        scores = self.vectors[rows] @ self.queries[query]
        tenth = np.sort(scores)[-min(TOP, len(scores))]
        return set(rows[scores >= tenth - 0.001].tolist()), min(TOP, len(rows))


class Lookup(Embeddings):
    """Texts are ``row:N`` and ``query:N``; their vectors are known, so that no model is measured."""

    def __init__(self, data: Data) -> None:
        self.data = data

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.vector(t) for t in texts]

    def embed_query(self, text: str) -> list[float]:
        return self.vector(text)

    async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
        return self.embed_documents(texts)

    async def aembed_query(self, text: str) -> list[float]:
        return self.vector(text)

    def vector(self, text: str) -> list[float]:
        kind, _, number = text.partition(":")
        found: list[float] = (self.data.vectors if kind == "row" else self.data.queries)[int(number)].tolist()
        return found


def load(folder: Path) -> Data:
    lines = [json.loads(line) for line in (folder / "queries.jsonl").read_text().splitlines()]
    number = {"user-big": 0, "user-mid": 1}
    asked = [(q["class"], number[q["user"]] if q["user"] in number else int(q["user"].rsplit("-", 1)[1])) for q in lines]
    return Data(np.load(folder / "vectors.npy").astype(np.float32), np.load(folder / "users.npy"), np.load(folder / "queries.npy"), asked)


def synthetic(rows: int, dims: int, seed: int = 7) -> Data:
    """Unit vectors around topics that all tenants share; queries are noisy copies of a tenant's own rows."""
    rng = np.random.default_rng(seed)
    big, mid = round(rows * 0.05), round(rows * 0.01)
    tenants = np.concatenate([np.zeros(big), np.ones(mid), 2 + np.arange(rows - big - mid) // 50]).astype(np.int32)
    rng.shuffle(tenants)
    centres = rng.standard_normal((max(64, int(rows**0.5)), dims)).astype(np.float32)
    centres /= np.linalg.norm(centres, axis=1, keepdims=True)

    def around(base: Array) -> Array:
        found = base + rng.standard_normal(base.shape, dtype=np.float32) * 0.35 / dims**0.5
        return found / np.linalg.norm(found, axis=1, keepdims=True)  # type: ignore[no-any-return]

    vectors = around(centres[rng.integers(0, len(centres), rows)])
    asked, sources = [], []
    for kind, choices in (("big", [0]), ("mid", [1]), ("small", range(2, int(tenants.max()) + 1))):
        for tenant in rng.choice(np.asarray(choices), 50):
            asked.append((kind, int(tenant)))
            sources.append(rng.choice(np.flatnonzero(tenants == tenant)))
    return Data(vectors, tenants, around(vectors[sources]), asked)


def name(tenant: int) -> str:
    return f"user-{tenant}"


@asynccontextmanager
async def database(url: str, label: str) -> AsyncIterator[str]:
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as conn:
        await conn.execute(f"DROP DATABASE IF EXISTS {label} WITH (FORCE)")
        await conn.execute(f"CREATE DATABASE {label}")
        yield url.replace("/postgres?", f"/{label}?", 1)
        await conn.execute(f"DROP DATABASE {label} WITH (FORCE)")


@asynccontextmanager
async def ours_at(url: str, data: Data) -> AsyncIterator[MemoryStore]:
    """Our store on the pool that the product uses."""
    async with open_pool(url) as pool:
        yield MemoryStore(pool, index=index(data))


@asynccontextmanager
async def stock_at(url: str, data: Data, options: str = "") -> AsyncIterator[AsyncPostgresStore]:
    """langgraph's store as `from_conn_string` opens it with a pool: connections are not looked at before use."""
    kwargs = {"options": options} if options else {}
    async with AsyncPostgresStore.from_conn_string(url, pool_config={"min_size": 1, "max_size": 4, "kwargs": kwargs}, index=index(data)) as store:
        yield store


def index(data: Data) -> Any:
    return {"dims": data.vectors.shape[1], "embed": Lookup(data), "fields": ["content"]}


def puts(data: Data, rows: Sequence[int]) -> list[PutOp]:
    return [PutOp((name(int(data.tenants[i])), "docs"), str(i), {"content": f"row:{i}"}) for i in rows]


async def fill_ours(store: AsyncPostgresStore, data: Data) -> None:
    for at in range(0, len(data.tenants), 5000):
        await store.abatch(puts(data, range(at, min(at + 5000, len(data.tenants)))))


async def fill_stock(url: str, data: Data) -> None:
    """COPY, then the index: row by row through its own interface would take the stock store an hour."""
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as conn, conn.cursor() as cur:
        await conn.execute("DROP INDEX store_vectors_embedding_idx")
        async with cur.copy("COPY store (prefix, key, value) FROM STDIN") as copy:
            for i, tenant in enumerate(data.tenants):
                await copy.write_row((f"{name(int(tenant))}.docs", str(i), json.dumps({"content": f"row:{i}"})))
        async with cur.copy("COPY store_vectors (prefix, key, field_name, embedding) FROM STDIN") as copy:
            for i, tenant in enumerate(data.tenants):
                await copy.write_row((f"{name(int(tenant))}.docs", str(i), "content", literal(data.vectors[i])))
        await conn.execute("SET maintenance_work_mem = '1GB'")
        await conn.execute("CREATE INDEX store_vectors_embedding_idx ON store_vectors USING hnsw (embedding vector_cosine_ops)")
        await conn.execute("ANALYZE")


def grown(data: Data, seed: int = 11) -> Data:
    """The data with more rows for the biggest tenant."""
    rng = np.random.default_rng(seed)
    own = data.vectors[rng.choice(np.flatnonzero(data.tenants == 0), FRESH)]
    more = own + rng.standard_normal(own.shape, dtype=np.float32) * 0.35 / own.shape[1] ** 0.5
    more /= np.linalg.norm(more, axis=1, keepdims=True)
    tenants = np.concatenate([data.tenants, np.zeros(FRESH, np.int32)])
    return Data(np.concatenate([data.vectors, more]), tenants, data.queries, data.asked)


async def size(url: str) -> str:
    async with await psycopg.AsyncConnection.connect(url) as conn:
        row = await (await conn.execute("SELECT pg_size_pretty(pg_database_size(current_database()))")).fetchone()
        return str(row[0]) if row else "?"
