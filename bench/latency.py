"""Hybrid recall for one user with 1,000 memories: milliseconds from call to hits. ``python -m bench.latency``.

Half facts, half turns, the local embedder, k = 3. Printed: with the question's embedding (never asked before), without (its vector is known), from the cache
of answers, after a write, and the first question after a start, when the process knows nothing of the user; these two without embedding. Medians, and the quickest, which is what a machine with nothing else to do would take.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from langgraph.store.base import PutOp

from memory.episode import Episode
from memory.ingest import archive
from memory.open import open_memory
from memory.search import recall
from memory.settings import Settings
from memory.store import MemoryStore

THINGS = ("爬山", "游泳", "摄影", "拼图", "桌游", "陶艺", "书法", "观鸟", "骑行", "烘焙", "钓鱼", "露营")
PLACES = ("湖边", "山脚下", "老街", "图书馆", "菜市场", "体育馆", "河滩", "公园北门", "地铁口", "码头")
NOW = datetime.now(UTC)


async def fill(store: MemoryStore, memories: int) -> None:
    facts = [f"喜欢{THINGS[n % len(THINGS)]}第{n}种" for n in range(memories // 2)]
    await store.abatch([PutOp(("u", "preference"), f"f{n}", {"attribute": "likes", "value": t[2:], "content": t}) for n, t in enumerate(facts)])
    turns = [
        Episode(
            id=str(n), user="u", text=f"第{n}次去{PLACES[n % 10]}{THINGS[n // 10 % 12]}，天气不错", time=NOW - timedelta(hours=n), session=str(n // 20),
            position=n % 20,
        )
        for n in range(memories - memories // 2)
    ]  # fmt: skip
    await archive(store, "u", turns)


async def times(questions: list[str], ask: Callable[[str], Awaitable[object]]) -> list[float]:
    took = []
    for question in questions:
        start = time.perf_counter()
        await ask(question)
        took.append((time.perf_counter() - start) * 1000)
    return took


def show(what: str, took: list[float]) -> None:
    print(f"  {what:36} median {statistics.median(took):7.2f} ms, quickest {min(took):7.2f} ms", flush=True)


async def main(home: Path, memories: int, questions: int) -> None:
    settings = Settings(_env_file=None, JIZHU_HOME=home)  # type: ignore[call-arg]
    async with open_memory(settings) as (store, _, embedder):
        await fill(store, memories)
        await store.tidy("store_vectors", "memory_versions", "episodes", "episode_vectors", "memory_words")

        async def ask(question: str) -> object:
            return await recall(store, "u", question, k=3, now=NOW)

        new = [f"{PLACES[n % 10]}的{THINGS[n % 12]}是第几次？{n}" for n in range(questions)]
        known = [f"在{PLACES[n % 10]}{THINGS[n % 12]}怎么样？{n}" for n in range(questions)]
        for question in known:
            await store.query_vector(question)
        await times(["热身一", "热身二", "热身三"], ask)
        print(f"recall, {memories:,} memories, {questions} questions")
        show("with the question's embedding", await times(new, ask))
        show("without embedding", await times(known, ask))
        show("answer in the cache", await times(known, ask))
        misses = []
        for n, question in enumerate(known[:20]):
            await archive(store, "u", [Episode(id=f"later{n}", user="u", text="又说了一句", time=NOW)])
            misses += await times([question], ask)
        show("after a write", misses)
        firsts = []
        for question in known[:10]:
            async with open_memory(settings, embedder=embedder) as (fresh, _, _):
                await fresh.aget(("u", "preference"), "f0")  # connects
                firsts += await times([question], lambda q, to=fresh: recall(to, "u", q, k=3, now=NOW))  # type: ignore[misc]
        show("first after a start", firsts)


def run() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, default=1000)
    parser.add_argument("--questions", type=int, default=60)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="jizhu-bench-") as folder:
        Path(folder).chmod(0o755)  # as root, the server's user must be able to enter
        asyncio.run(main(Path(folder), given.memories, given.questions))


if __name__ == "__main__":
    run()
