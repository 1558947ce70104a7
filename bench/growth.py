"""How search and writing grow: with a tenant's rows, with everybody else's, with writers. ``python -m bench.growth --plots DIR`` draws a PNG.

Ours alone, 384 dimensions, 10 hits from call to result, on one embedded Postgres: median and quickest of 30 questions after a warm-up (the quickest is what a
machine with nothing else to do would take). Rows are written straight into
the tables (COPY, in order of namespaces), in steps: tenants of 50 rows up to ``--table`` in all, with a tenant of 1,000 rows asked after each step; then one
tenant up to ``--rows``. Recall@10 of every asked tenant is checked against all its vectors.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from psycopg_pool import AsyncConnectionPool

from bench.tenants import Array, Data, Lookup, database, size
from memory import bulk, embedded
from memory.binary import halfvec
from memory.pool import open_pool
from memory.store import MemoryStore

DIMS, STEP, QUESTIONS, TOP = 384, 20_000, 30, 10
BYSTANDER = 1000  # rows of the tenant that stays as it is

Curves = dict[str, list[tuple[float, float, float | None]]]
"""What grows → how far, the median or rate, the quickest."""


def unit_vectors(count: int, seed: int) -> Array:
    rng = np.random.default_rng(seed)
    centres = np.random.default_rng(1).standard_normal((200, DIMS), dtype=np.float32) / DIMS**0.5
    found = centres[rng.integers(0, 200, count)] + 0.35 * rng.standard_normal((count, DIMS), dtype=np.float32) / DIMS**0.5
    return found / np.linalg.norm(found, axis=1, keepdims=True)  # type: ignore[no-any-return]


async def copy(pool: AsyncConnectionPool[Any], tenants: list[str], vectors: Array, first: int) -> None:
    """Rows `first`, `first` + 1, … with these tenants and vectors."""
    columns = ("prefix", "key", "field_name", "embedding")
    ids = [(bulk.text(f"{t}.docs"), bulk.text(f"{first + n:08}")) for n, t in enumerate(tenants)]
    async with pool.connection() as conn, conn.transaction(), conn.cursor() as cur:
        await cur.execute("SET LOCAL session_replication_role = replica")  # the foreign key holds by construction
        await bulk.copy(cur, "store", ("prefix", "key", "value"), [(*i, b"\x01" + b'{"content": "x"}') for i in ids])
        await bulk.copy(cur, "store_vectors", columns, [(*i, bulk.text("content"), halfvec(v)) for i, v in zip(ids, vectors, strict=True)])


async def ask(store: MemoryStore, lookup: Lookup, tenant: str, vectors: Array, first: int) -> tuple[float, float, float]:
    """(median ms, quickest ms, recall@10) over QUESTIONS noisy copies of the tenant's rows."""
    rng = np.random.default_rng(3)
    near = vectors[rng.integers(0, len(vectors), QUESTIONS)] + 0.35 * rng.standard_normal((QUESTIONS, DIMS), dtype=np.float32) / DIMS**0.5
    lookup.data.queries = near / np.linalg.norm(near, axis=1, keepdims=True)
    took, right = [], 0.0
    for turn in range(2):
        for n in range(QUESTIONS):
            start = time.perf_counter()
            found = await store.asearch((tenant, "docs"), query=f"query:{n}", limit=TOP)
            if turn:
                took.append((time.perf_counter() - start) * 1000)
                scores = vectors @ lookup.data.queries[n]
                tenth = np.partition(scores, -TOP)[-TOP]
                right += sum(scores[int(i.key) - first] >= tenth - 0.001 for i in found) / TOP
    return statistics.median(took), min(took), right / QUESTIONS


async def writers(store: MemoryStore, count: int) -> float:
    """Single puts a second, by this many writers at once, each into a namespace of its own."""
    each = max(20, 400 // count)

    async def write(who: int) -> None:
        for n in range(each):
            await store.aput((f"writer-{count}-{who}", "docs"), str(n), {"content": "row:0"})

    start = time.perf_counter()
    await asyncio.gather(*(write(who) for who in range(count)))
    return count * each / (time.perf_counter() - start)


async def main(url: str, rows: int, table: int, plots: Path | None) -> None:
    curves: Curves = {"rows of the tenant": [], "rows of all tenants": [], "writers at once": []}
    async with database(url, "bench_growth") as at, open_pool(at) as pool:
        lookup = Lookup(Data(unit_vectors(1, 0), np.zeros(1, np.int32), unit_vectors(1, 0), []))
        store = MemoryStore(pool, index={"dims": DIMS, "embed": lookup, "fields": ["content"]})
        await store.setup()
        for count in (1, 2, 4, 8, 16):
            curves["writers at once"].append((count, await writers(store, count), None))
            print(f"{count} writers: {curves['writers at once'][-1][1]:,.0f} puts a second", flush=True)
        bystander = unit_vectors(BYSTANDER, 5)
        await copy(pool, ["bystander"] * BYSTANDER, bystander, 0)
        total, own = BYSTANDER, unit_vectors(rows, 7).astype(np.float16)
        for goal in [n for n in (2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000) if n <= table]:
            while total < goal:
                some = min(STEP, goal - total)
                await copy(pool, [f"small-{(total + n) // 50:07}" for n in range(some)], unit_vectors(some, total), total)
                total += some
            await store.tidy("store_vectors", "store")
            ms, best, recall = await ask(store, lookup, "bystander", bystander, 0)
            curves["rows of all tenants"].append((total, ms, best))
            print(f"{total:,} rows in all, a tenant of {BYSTANDER:,}: {ms:.2f} ms, quickest {best:.2f}, recall@10 {recall:.4f}", flush=True)
        asked = [n for n in (1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 250_000, 500_000) if n <= rows]
        done = 0
        for goal in asked:
            for start in range(done, goal, STEP):
                end = min(goal, start + STEP)
                await copy(pool, ["grows"] * (end - start), own[start:end].astype(np.float32), total + start)
            done = goal
            await store.tidy("store_vectors", "store")
            ms, best, recall = await ask(store, lookup, "grows", own[:done].astype(np.float32), total)
            curves["rows of the tenant"].append((done, ms, best))
            print(f"a tenant of {done:,} rows: {ms:.2f} ms, quickest {best:.2f}, recall@10 {recall:.4f}", flush=True)
            if plots:
                draw(curves, plots)
        print(f"{await size(at)} on disk")


def draw(curves: Curves, folder: Path) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt
    from matplotlib.ticker import EngFormatter

    figure, axes = plt.subplots(1, 3, figsize=(13, 4), layout="constrained")
    for axis, (label, points) in zip(axes, curves.items(), strict=True):
        axis.plot([x for x, _, _ in points], [y for _, y, _ in points], marker="o", label="median")
        if not label.startswith("writers"):
            axis.plot([x for x, _, _ in points], [y for _, _, y in points], marker=".", linestyle="--", label="quickest")
            axis.legend()
        axis.set_xlabel(label)
        axis.set_ylabel("puts a second" if label.startswith("writers") else "search, ms")
        axis.set_ylim(bottom=0)
        axis.grid(alpha=0.3)
        if label.startswith("rows of all"):
            axis.set_xscale("log")
            axis.set_xticks([x for x, _, _ in points], minor=False)
            axis.set_xticks([], minor=True)
            axis.set_title(f"a tenant of {BYSTANDER:,} rows")
        elif label.startswith("writers"):
            axis.set_xticks([x for x, _, _ in points])
        axis.xaxis.set_major_formatter(EngFormatter(sep=""))
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / "growth.png", dpi=120)
    plt.close(figure)


def run() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000, help="rows of the biggest tenant (default 100,000)")
    parser.add_argument("--table", type=int, default=200_000, help="rows of all tenants together (default 200,000)")
    parser.add_argument("--plots", type=Path, help="folder for growth.png")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="jizhu-bench-") as folder:
        Path(folder).chmod(0o755)
        lease = embedded.acquire(Path(folder))
        try:
            asyncio.run(main(lease.url, chosen.rows, chosen.table, chosen.plots))
        finally:
            lease.release()


if __name__ == "__main__":
    run()
