"""A round's own overhead: everything but the model, for a user with N memories. `python -m bench.round [--memories 1000] [--rounds 40]`."""

import argparse
import asyncio
import statistics
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from graph.runner import Agent
from memory import embedded
from memory.judge import Candidate
from memory.open import open_memory
from memory.record import Source
from memory.remember import remember
from memory.settings import Settings

TEXTS = (
    "今天下班路上堵车了",
    "那个电影怎么样？",
    "我喜欢喝乌龙茶",
    "我的职业是什么？",
    "帮我想个周末安排",
    "What should I cook tonight?",
    "I live near the old harbour.",
    "谢谢你",
)
THINGS = ("爬山", "游泳", "摄影", "拼图", "桌游", "陶艺", "书法", "观鸟", "骑行", "烘焙")


async def run(home: Path, memories: int, rounds: int) -> None:
    """Fill a fresh database and time rounds in threads of ten; prints median and p90 in milliseconds."""
    settings = Settings(_env_file=None, JIZHU_HOME=home, JIZHU_MODEL="offline")  # type: ignore[call-arg]
    async with open_memory(settings) as (store, checkpointer, _):
        now = datetime.now(UTC)
        facts = [
            Candidate(
                attribute="likes",
                value=f"{THINGS[n % 10]}第{n}种",
                content=f"喜欢{THINGS[n % 10]}第{n}种",
                clause=f"我喜欢{THINGS[n % 10]}第{n}种",
            )
            for n in range(memories)
        ]
        for at in range(0, memories, 100):
            await remember(store, "u", facts[at : at + 100], source=Source(), now=now)
        agent = Agent(store, checkpointer, settings)
        took = []
        for n in range(rounds + 5):
            began = time.perf_counter()
            await agent.say(TEXTS[n % len(TEXTS)], user="u", thread=f"t{n // 10}")
            took.append((time.perf_counter() - began) * 1000)
        warm = sorted(took[5:])
        print(
            f"round overhead, {memories} memories, {len(warm)} rounds: median {statistics.median(warm):.1f} ms, p90 {warm[int(len(warm) * 0.9)]:.1f} ms"
        )


def main() -> None:
    """Parse the command line and run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=40)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="jizhu-bench-") as folder:
        home = Path(folder)
        home.chmod(0o755)  # as root, the server's user must be able to enter
        try:
            asyncio.run(run(home, given.memories, given.rounds))
        finally:
            embedded.stop(home)


if __name__ == "__main__":
    main()
