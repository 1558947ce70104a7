"""How fast 10,000 memories come in, beside one `aput` each on langgraph's store, in one run on one embedded Postgres: ``python -m bench.imports``.

Embeddings are known vectors, so that the database is measured; ``--embed`` then does a tenth with the local model, each text once on both sides. Ours: items
and facts (each with a version, its words and its log entry) through `abatch`, turns through `memory.ingest.archive`. Milliseconds and seconds are wall time.
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import Awaitable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from langchain_core.embeddings import Embeddings
from langgraph.store.base import PutOp
from langgraph.store.postgres import AsyncPostgresStore

from bench.tenants import database, size
from memory import embedded
from memory.embedder import Embedder, Kind, LocalEmbedder, Vectors
from memory.episode import Episode
from memory.ingest import archive
from memory.pool import open_pool
from memory.store import MemoryStore

NOUNS = ("山药", "枇杷", "豆豉", "腊肉", "藕粉", "马蹄", "春笋", "莼菜", "香椿", "茼蒿")
VERBS = ("喜欢", "常买", "不吃", "会做", "爱种")


class Known(Embedder):
    """A vector for each text at once: no model is measured."""

    name, version, dims = "known", "1", 384

    def _embed(self, texts: list[str], kind: Kind) -> Vectors:
        rng = np.random.default_rng(len(texts))
        return rng.standard_normal((len(texts), self.dims), dtype=np.float32)


def text(n: int) -> str:
    return f"{VERBS[n % 5]}{NOUNS[n // 5 % 10]}，第{n}回记下来的"


def index(embed: Embeddings) -> Any:
    return {"dims": 384, "embed": embed, "fields": ["content"]}


async def timed(what: str, count: int, work: Awaitable[Any]) -> float:
    start = time.perf_counter()
    await work
    took = time.perf_counter() - start
    print(f"  {what:44} {took:8.2f} s {count / took:9,.0f} a second", flush=True)
    return took


async def ours(url: str, embed: Embedder, count: int) -> float:
    """Seconds for the facts."""
    async with database(url, "bench_import_ours") as at, open_pool(at) as pool:
        store = MemoryStore(pool, index=index(embed))
        await store.setup()
        facts = [PutOp(("ann", "preference"), f"f{n}", {"attribute": "likes", "value": text(n), "content": text(n)}) for n in range(count)]
        took = await timed(f"ours, {count:,} facts", count, store.abatch(facts))
        await timed(f"ours, {count:,} items", count, store.abatch([PutOp(("bob", "docs"), str(n), {"content": text(n)}) for n in range(count)]))
        now = datetime.now(UTC)
        turns = [Episode(id=str(n), user="cem", text=text(n), time=now, session=str(n // 100), position=n % 100) for n in range(count)]
        await timed(f"ours, {count:,} turns", count, archive(store, "cem", turns))
        assert len(await store.versions("ann")) == count
        print(f"  ours, size on disk {await size(at)}")
    return took


async def stock(url: str, embed: Embeddings, count: int) -> float:
    async with database(url, "bench_import_stock") as at:
        async with AsyncPostgresStore.from_conn_string(at, pool_config={"min_size": 1, "max_size": 4}, index=index(embed)) as store:
            await store.setup()

            async def puts() -> None:
                for n in range(count):
                    await store.aput(("ann", "preference"), f"f{n}", {"content": text(n)})

            took = await timed(f"stock, {count:,} items, one aput each", count, puts())
        print(f"  stock, size on disk {await size(at)}")
    return took


async def main(url: str, count: int, embed: bool) -> None:
    print(f"{count:,} memories, embeddings excluded")
    mine, theirs = await ours(url, Known(), count), await stock(url, Known(), count)
    print(f"  facts: {theirs / mine:.1f} times as fast as one stock aput each")
    if embed:
        some, model = count // 10, LocalEmbedder()
        print(f"{some:,} memories, with the local model")
        mine, theirs = await ours(url, model, some), await stock(url, model, some)
        print(f"  facts: {theirs / mine:.1f} times as fast as one stock aput each")


def run() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--embed", action="store_true", help="a tenth of them with the local model too")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="jizhu-bench-") as folder:
        Path(folder).chmod(0o755)
        lease = embedded.acquire(Path(folder))
        try:
            asyncio.run(main(lease.url, chosen.count, chosen.embed))
        finally:
            lease.release()


if __name__ == "__main__":
    run()
