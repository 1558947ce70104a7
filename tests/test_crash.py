"""kill -9 in the middle of a round: pending work is finished first, no message is lost, nothing stored is lost or stored twice."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from graph.runner import Agent
from memory.current import current
from memory.open import open_memory
from memory.settings import Settings
from tests.crashing import NODES

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parent.parent


def crash(database_url: str, node: str, when: str, text: str) -> None:
    done = subprocess.run(
        [sys.executable, "tests/crashing.py", node, when, "me", "t", text], cwd=ROOT, timeout=120, capture_output=True,
        env={**os.environ, "DATABASE_URL": database_url, "PYTHONPATH": str(ROOT), "JIZHU_MODEL": "offline"},
    )  # fmt: skip
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()


@pytest.mark.parametrize(("node", "when"), [*((n, "before") for n in sorted(NODES)), ("apply", "after"), ("remember", "after")])
async def test_a_killed_round_is_finished(settings: Settings, database_url: str, node: str, when: str) -> None:
    crash(database_url, node, when, "我叫张三，我喜欢打篮球。")
    async with open_memory(settings) as (store, checkpointer, _):
        agent = Agent(store, checkpointer, settings)
        await agent.say("我住在上海。", thread="t")
        seen = await agent.session("me", "t")
        assert [m["text"] for m in seen["messages"] if m["role"] == "user"] == ["我叫张三，我喜欢打篮球。", "我住在上海。"]
        assert [m["role"] for m in seen["messages"]] == ["user", "assistant", "user", "assistant"]
        found = await current(store, "me")
        assert sorted((m.attribute, m.value) for m in found) == [("likes", "打篮球"), ("location", "上海"), ("name", "张三")]
        assert all(m.evidence == 1 for m in found)


async def test_a_killed_round_is_finished_by_resuming(settings: Settings, database_url: str) -> None:
    crash(database_url, "apply", "after", "我叫张三。")
    async with open_memory(settings) as (store, checkpointer, _):
        agent = Agent(store, checkpointer, settings)
        out = await agent.graph.ainvoke(None, agent._config("me", "t"))
        assert out["messages"][-1].type == "ai"
        assert [(m.value, m.evidence) for m in await current(store, "me")] == [("张三", 1)]
