"""What a message says is no longer so, or was so once, reaches memory through the graph like any other fact."""

import pytest

from graph.runner import Agent
from memory.record import Status
from memory.remember import versions

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("told", "over", "attribute"),
    [
        ("I'm allergic to cashews.", "I'm not allergic to cashews after all, the test came back negative", "allergy"),
        ("我在云杉医院上班。", "我上周从云杉医院离职了", "employer"),
        ("我每天早上跑步。", "我现在早上不跑步了", "habit"),
        ("I work at Fernwood.", "I left Fernwood last Friday", "employer"),
        ("我喜欢喝奶茶。", "我不再喜欢喝奶茶了", "likes"),
        ("我对芒果过敏。", "去复查了，医生说我现在不过敏了", "allergy"),
        ("我对虾过敏。", "我其实不过敏", "allergy"),
    ],
)
async def test_what_is_over_is_current_no_longer(agent: Agent, told: str, over: str, attribute: str) -> None:
    await agent.say(told, thread="t")
    assert [m.status for m in await versions(agent.store, "me") if m.attribute == attribute] == [Status.ACTIVE]
    await agent.say(over, thread="t")
    assert not [m for m in await versions(agent.store, "me") if m.attribute == attribute and m.status is Status.ACTIVE]


@pytest.mark.parametrize(("told", "value"), [("我以前在宁波上班", "宁波"), ("I used to live in Porto", "Porto")])
async def test_what_was_is_kept_as_past(agent: Agent, told: str, value: str) -> None:
    await agent.say(told, thread="t")
    found = [m for m in await versions(agent.store, "me") if value in m.value]
    assert [m.status for m in found] == [Status.SUPERSEDED]
