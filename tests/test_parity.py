"""The agent remembers what replaying the same messages does: the graph adds no judgement of its own and loses none."""

import json
from pathlib import Path
from typing import Any

import pytest
from langgraph.store.memory import InMemoryStore

from bench.change import replay
from graph.runner import Agent
from memory.record import Memory, Status
from memory.remember import versions
from memory.small_model import small_model

pytestmark = pytest.mark.anyio

SCENARIOS = [json.loads(line) for line in (Path(__file__).parent / "data" / "changes.jsonl").read_text("utf-8").splitlines()]
CHOSEN = [s for s in SCENARIOS[::24] if not s["kind"].startswith("restate")] + [s for s in SCENARIOS if s["kind"] == "forget_request"][:3]


def current(memories: list[Memory]) -> set[tuple[str, str, str]]:
    return {(m.owner, m.attribute, m.value) for m in memories if m.status is Status.ACTIVE}


@pytest.mark.parametrize("scenario", CHOSEN, ids=lambda s: s["id"])
async def test_the_agent_remembers_what_replay_does(agent: Agent, scenario: dict[str, Any]) -> None:
    replayed = await replay(InMemoryStore(), scenario, small_model())
    for turn in scenario["turns"]:
        await agent.say(turn["text"], thread="t", time=turn["time"])
    assert current(await versions(agent.store, "me")) == current(replayed.memories)
