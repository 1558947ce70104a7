"""Vector search among many tenants of very different size: our store beside langgraph's, in one run on one embedded Postgres.

    python -m bench.store --data DIR     # a directory with vectors.npy, users.npy, queries.npy, queries.jsonl
    python -m bench.store --rows 20000   # or synthetic tenants: one with 5 % of the rows, one with 1 %, the rest with 50 rows each

Prints, per store and class of tenant, recall@10 (a row counts when its exact score is within .001 of the tenth's), rows returned, and milliseconds from
call to result (median, p99, and the median of the quietest round: stores take turns, round by round, so that what else the machine does hits all); then
ours right after 5,000 more inserts for the biggest tenant, without VACUUM; then loading time and size on disk. Stores: ours; langgraph's
AsyncPostgresStore with its default index; the same with ``hnsw.iterative_scan = strict_order`` and ``ef_search = 200``; with ``--peers``, langmem's
tools over langgraph's store and mem0 (``bench.peer``). Then single writes a second.
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from langgraph.store.postgres import AsyncPostgresStore

from bench.tenants import FRESH, STRICT, TOP, Data, database, fill_ours, fill_stock, grown, load, name, ours_at, puts, size, stock_at, synthetic
from memory import embedded

WRITES = 300
OURS, STOCK, BEST_STOCK = "ours", "stock, default", "stock, strict_order, ef 200"


@dataclass
class Result:
    """Per class of tenant: recall and rows returned of each query, and the milliseconds of each query of each round."""

    recall: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    rows: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    ms: dict[str, list[list[float]]] = field(default_factory=lambda: defaultdict(list))

    def median(self, kind: str) -> float:
        return float(np.median(self.ms[kind]))

    def quietest(self, kind: str) -> float:
        """The median of the round that was least disturbed."""
        return min(float(np.median(r)) for r in self.ms[kind])

    def show(self, label: str) -> None:
        for kind, ms in self.ms.items():
            recall, rows = np.mean(self.recall[kind]), np.mean(self.rows[kind])
            print(
                f"{label:28} {kind:6} {recall:9.4f} {rows:6.1f} {self.median(kind):8.2f} {np.percentile(ms, 99):8.2f} {self.quietest(kind):9.2f}",
                flush=True,
            )


async def ask(stores: Mapping[str, AsyncPostgresStore], data: Data, rounds: int) -> dict[str, Result]:
    """Every store asked every question, in turns; the first round only warms caches and plans."""
    results = {label: Result() for label in stores}
    for turn in range(rounds + 1):
        for label, store in stores.items():
            took: dict[str, list[float]] = defaultdict(list)
            for query, (kind, tenant) in enumerate(data.asked):
                start = time.perf_counter()
                found = await store.asearch((name(tenant), "docs"), query=f"query:{query}", limit=TOP)
                took[kind].append((time.perf_counter() - start) * 1000)
                if turn == 0:
                    right, possible = data.best(query)
                    results[label].recall[kind].append(len({int(item.key) for item in found} & right) / possible)
                    results[label].rows[kind].append(len(found))
            for kind, ms in took.items() if turn else ():
                results[label].ms[kind].append(ms)
    return results


async def peer(python: str, which: str, url: str, data: Data, folder: Path) -> list[str]:
    """Ask a peer that lives in another Python the same questions; prints its lines, returns notes. What cannot run says so."""
    command = [python, str(Path(__file__).with_name("peer.py")), which, url, str(folder), str(WRITES)]
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)
    out, err = await process.communicate()
    if process.returncode:
        return [f"{which}: skipped, {(err.decode().strip().splitlines() or ['it failed'])[-1][:200]}"]
    said = json.loads(out.decode().strip().splitlines()[-1])
    result, took = Result(), defaultdict[str, list[float]](list)
    for query, (kind, _) in enumerate(data.asked):
        right, possible = data.best(query)
        result.recall[kind].append(len(set(said["found"][query]) & right) / possible)
        result.rows[kind].append(len(said["found"][query]))
        took[kind].append(said["ms"][query])
    for kind, ms in took.items():
        result.ms[kind].append(ms)
    result.show(which)
    each = said["seconds"] / WRITES
    return [f"{which}: {1 / each:,.0f} writes a second, one at a time (10,000 take {each * 10_000:,.0f} s at that rate), {await size(url)} on disk"]


async def writes(store: AsyncPostgresStore) -> str:
    start = time.perf_counter()
    for n in range(WRITES):
        await store.aput(("writer", "docs"), str(n), {"content": f"row:{n}"})
    return f"{WRITES / (time.perf_counter() - start):,.0f} writes a second, one at a time"


async def main(data: Data, url: str, stock: bool, rounds: int, peers: str | None) -> None:
    print(f"{len(data.tenants):,} rows of {data.vectors.shape[1]} dimensions, {int(data.tenants.max()) + 1:,} tenants")
    notes = []
    async with AsyncExitStack() as stack:
        ours = await stack.enter_async_context(database(url, "bench_ours"))
        stores: dict[str, AsyncPostgresStore] = {OURS: await stack.enter_async_context(ours_at(ours, data))}
        start = time.perf_counter()
        await stores[OURS].setup()
        await fill_ours(stores[OURS], data)
        notes.append(f"ours: loaded in {time.perf_counter() - start:.1f} s through abatch, {await size(ours)} on disk")
        if stock:
            theirs = await stack.enter_async_context(database(url, "bench_stock"))
            stores[STOCK] = await stack.enter_async_context(stock_at(theirs, data))
            start = time.perf_counter()
            await stores[STOCK].setup()
            await fill_stock(theirs, data)
            stores[BEST_STOCK] = await stack.enter_async_context(stock_at(theirs, data, STRICT))
            notes.append(f"stock: loaded in {time.perf_counter() - start:.1f} s by COPY and CREATE INDEX, {await size(theirs)} on disk")
        print(f"{'store':28} {'tenant':6} {'recall@10':>9} {'rows':>6} {'p50 ms':>8} {'p99 ms':>8} {'quiet p50':>9}")
        results = await ask(stores, data, rounds)
        for label, result in results.items():
            result.show(label)
        if stock:
            for kind in results[OURS].ms:
                best = results[BEST_STOCK]
                print(
                    f"{kind}: ours takes {results[OURS].median(kind) / best.median(kind):.2f} of stock, strict_order; "
                    f"in the quietest rounds {results[OURS].quietest(kind) / best.quietest(kind):.2f}"
                )
        if peers and stock:
            with tempfile.TemporaryDirectory(prefix="jizhu-bench-") as there:
                folder = Path(there)
                np.save(folder / "vectors.npy", data.vectors)
                np.save(folder / "tenants.npy", data.tenants)
                np.save(folder / "queries.npy", data.queries)
                (folder / "asked.json").write_text(json.dumps(data.asked))
                notes += await peer(peers, "langmem", theirs, data, folder)
                notes += await peer(peers, "mem0", await stack.enter_async_context(database(url, "bench_mem0")), data, folder)
        elif stock:
            notes.append("langmem, mem0: skipped, no --peers")
        notes += [f"{label}: {await writes(store)}" for label, store in stores.items() if label != BEST_STOCK]
        more = grown(data)
        async with ours_at(ours, more) as store:
            start = time.perf_counter()
            for at in range(len(data.tenants), len(more.tenants), 500):  # too few at a time for the store to vacuum
                await store.abatch(puts(more, range(at, at + 500)))
            notes.append(f"ours: {FRESH:,} more in {time.perf_counter() - start:.1f} s")
            (await ask({OURS: store}, more, 1))[OURS].show(f"ours, {FRESH:,} fresh rows")
    print("\n".join(notes))


def run() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="directory with vectors.npy, users.npy, queries.npy, queries.jsonl")
    parser.add_argument("--rows", type=int, default=20_000, help="rows of synthetic data (default 20,000)")
    parser.add_argument("--dims", type=int, default=384, help="dimensions of synthetic data (default 384)")
    parser.add_argument("--rounds", type=int, default=5, help="times that every store is asked everything (default 5)")
    parser.add_argument(
        "--peers", metavar="PYTHON", help="a Python with langmem, langgraph-checkpoint-postgres, mem0ai and psycopg: they are asked too"
    )
    parser.add_argument("--ours", action="store_true", help="leave the stock store out")
    chosen = parser.parse_args()
    data = load(chosen.data) if chosen.data else synthetic(chosen.rows, chosen.dims)
    with tempfile.TemporaryDirectory(prefix="jizhu-bench-") as folder:
        Path(folder).chmod(0o755)
        lease = embedded.acquire(Path(folder))
        try:
            asyncio.run(main(data, lease.url, not chosen.ours, chosen.rounds, chosen.peers))
        finally:
            lease.release()


if __name__ == "__main__":
    run()
