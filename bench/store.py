"""Vector search among many tenants of very different size: our store beside langgraph's, in one run on one embedded Postgres.

    python -m bench.store --data DIR     # a directory with vectors.npy, users.npy, queries.npy, queries.jsonl
    python -m bench.store --rows 20000   # or synthetic tenants: one with 5 % of the rows, one with 1 %, the rest with 50 rows each

Prints, per store and class of tenant, recall@10 (a row counts when its exact score is within .001 of the tenth's), rows returned, and milliseconds from
call to result (p50, p99); then the same right after 5,000 more inserts for the biggest tenant, without VACUUM; then loading time and size on disk.
Stores: ours; langgraph's AsyncPostgresStore with its default index; the same with ``hnsw.iterative_scan = strict_order`` and ``ef_search = 200``.
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
from langchain_core.embeddings import Embeddings
from langgraph.store.base import PutOp
from langgraph.store.postgres import AsyncPostgresStore
from numpy.typing import NDArray
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool

from memory import embedded
from memory.items import literal
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


@dataclass
class Result:
    """Per class of tenant: recall, rows returned and milliseconds of each query."""

    recall: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    rows: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    ms: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))


async def ask(store: AsyncPostgresStore, data: Data) -> Result:
    result = Result()
    for query in range(len(data.asked)):  # warm caches and plans, the same for every store
        await store.asearch((name(data.asked[query][1]), "docs"), query=f"query:{query}", limit=TOP)
    for query, (kind, tenant) in enumerate(data.asked):
        start = time.perf_counter()
        found = await store.asearch((name(tenant), "docs"), query=f"query:{query}", limit=TOP)
        result.ms[kind].append((time.perf_counter() - start) * 1000)
        right, possible = data.best(query)
        result.recall[kind].append(len({int(item.key) for item in found} & right) / possible)
        result.rows[kind].append(len(found))
    return result


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
async def opened(cls: type[AsyncPostgresStore], url: str, data: Data, options: str = "") -> AsyncIterator[AsyncPostgresStore]:
    kwargs: dict[str, Any] = {"autocommit": True, "prepare_threshold": None, "row_factory": dict_row, "options": options}
    pool: AsyncConnectionPool[Any] = AsyncConnectionPool(
        url, kwargs=kwargs, min_size=1, max_size=4, check=AsyncConnectionPool.check_connection, open=False
    )
    async with pool:
        yield cls(pool, index={"dims": data.vectors.shape[1], "embed": Lookup(data), "fields": ["content"]})


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


def show(label: str, result: Result) -> None:
    for kind, ms in result.ms.items():
        recall, rows = np.mean(result.recall[kind]), np.mean(result.rows[kind])
        print(f"{label:34} {kind:6} {recall:9.4f} {rows:6.1f} {np.median(ms):8.2f} {np.percentile(ms, 99):8.2f}", flush=True)


async def size(url: str) -> str:
    async with await psycopg.AsyncConnection.connect(url) as conn:
        row = await (await conn.execute("SELECT pg_size_pretty(pg_database_size(current_database()))")).fetchone()
        return str(row[0]) if row else "?"


async def main(data: Data, url: str, stock: bool) -> None:
    print(f"{len(data.tenants):,} rows of {data.vectors.shape[1]} dimensions, {int(data.tenants.max()) + 1:,} tenants")
    print(f"{'store':34} {'tenant':6} {'recall@10':>9} {'rows':>6} {'p50 ms':>8} {'p99 ms':>8}")
    more = grown(data)
    notes = []
    async with database(url, "bench_ours") as ours:
        start = time.perf_counter()
        async with opened(MemoryStore, ours, data) as store:
            await store.setup()
            await fill_ours(store, data)
            notes.append(f"ours: loaded in {time.perf_counter() - start:.1f} s through abatch, {await size(ours)} on disk")
            show("ours", await ask(store, data))
        async with opened(MemoryStore, ours, more) as store:
            start = time.perf_counter()
            await store.abatch(puts(more, range(len(data.tenants), len(more.tenants))))
            notes.append(f"ours: {FRESH:,} more in {time.perf_counter() - start:.1f} s")
            show(f"ours, {FRESH:,} fresh rows", await ask(store, more))
    if stock:
        async with database(url, "bench_stock") as theirs:
            start = time.perf_counter()
            async with opened(AsyncPostgresStore, theirs, data) as store:
                await store.setup()
                await fill_stock(theirs, data)
                notes.append(f"stock: loaded in {time.perf_counter() - start:.1f} s by COPY and CREATE INDEX, {await size(theirs)} on disk")
                show("stock, default", await ask(store, data))
            async with opened(AsyncPostgresStore, theirs, data, STRICT) as store:
                show("stock, strict_order, ef 200", await ask(store, data))
    print("\n".join(notes))


def run() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="directory with vectors.npy, users.npy, queries.npy, queries.jsonl")
    parser.add_argument("--rows", type=int, default=20_000, help="rows of synthetic data (default 20,000)")
    parser.add_argument("--dims", type=int, default=384, help="dimensions of synthetic data (default 384)")
    parser.add_argument("--ours", action="store_true", help="leave the stock store out")
    chosen = parser.parse_args()
    data = load(chosen.data) if chosen.data else synthetic(chosen.rows, chosen.dims)
    with tempfile.TemporaryDirectory(prefix="jizhu-bench-") as folder:
        Path(folder).chmod(0o755)
        lease = embedded.acquire(Path(folder))
        try:
            asyncio.run(main(data, lease.url, not chosen.ours))
        finally:
            lease.release()


if __name__ == "__main__":
    run()
