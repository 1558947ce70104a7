"""Stories of change, end to end without a model: every turn judged and remembered at its own time, in both languages and of every kind.

The stories (data/changes.jsonl) are our own; each says which facts hold at its end and which no longer do.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from langgraph.store.memory import InMemoryStore

from bench.change import RESTATING, replay
from memory.record import Memory, Status
from memory.revise.forms import bare
from memory.revise.people import is_user

pytestmark = pytest.mark.anyio

STORIES: Final = [json.loads(line) for line in (Path(__file__).parent / "data" / "changes.jsonl").read_text("utf-8").splitlines()]
KNOWN_MISSES: Final = frozenset({"c091"})
"""Stories that rules alone do not get right; shrink this list, never grow it."""


def says(fact: Mapping[str, Any], memory: Memory, *, value_only: bool = False) -> bool:
    told = [memory.value, str(memory.normal or ""), memory.time or ""] + ([] if value_only else [memory.content])
    if is_user(memory.owner) != ("subject" not in fact):
        return False
    return any(bare(v) in bare(t) for v in [fact["value"], *fact.get("alt", [])] for t in told if t)


@pytest.mark.parametrize("story", [pytest.param(s, id=f"{s['id']}-{s['kind']}") for s in STORIES if s["id"] not in KNOWN_MISSES])
async def test_a_story_ends_as_it_should(story: dict[str, Any]) -> None:
    done = await replay(InMemoryStore(), story)
    active = [m for m in done.memories if m.status is Status.ACTIVE]
    for fact in story["expect_active"]:
        assert any(says(fact, m) for m in active), (fact, [(m.owner, m.attribute, m.value) for m in active])
    for fact in story["expect_superseded"]:
        left = [m for m in active if says(fact, m, value_only=True) and m.attribute == fact["attribute"]]
        assert not [m for m in left if not any(says(e, m) for e in story["expect_active"])], fact
        if story["kind"] == "forget_request":
            assert not [m for m in done.memories if says(fact, m)], fact
    if story["kind"] in RESTATING:
        assert not [c for _, changes in done.changes for c in changes if c.op in {"supersede", "retire"}]
