"""回到上一步 and 别记这个, said in a conversation: whole rounds go back with what they wrote; what was just said is not kept."""

import pytest

from graph.orders import steps_back, takes_back
from graph.runner import Agent
from memory.current import current
from memory.judge import judge

pytestmark = pytest.mark.anyio


async def values(agent: Agent) -> set[str]:
    return {m.value for m in await current(agent.store, "me")}


@pytest.mark.parametrize(
    ("text", "steps"),
    [("回到上一步", 1), ("撤销上一步。", 1), ("go back one step", 1), ("undo that", 1), ("我们回到上一步的话题，我喜欢的是徒步", None), ("你好", None), ("", None), ("回" * 300, None)],
)  # fmt: skip
def test_an_order_to_go_back(text: str, steps: int | None) -> None:
    assert steps_back(text, None) == steps


@pytest.mark.parametrize(
    ("text", "meant"),
    [("不用记这个", True), ("刚才那个别记", True), ("don't save that", True), ("我喜欢徒步，不用记这个", False), ("我喜欢徒步", False)],
)
def test_not_to_keep_what_was_said_before(text: str, meant: bool) -> None:
    assert takes_back(judge(text).as_json()) is meant


async def test_going_back_takes_the_round_and_its_memories(agent: Agent) -> None:
    await agent.say("我叫罗岚", thread="t")
    await agent.say("我喜欢徒步", thread="t")
    done = await agent.say("回到上一步", thread="t")
    assert "徒步" in done.reply and "撤回" in done.reply
    assert await values(agent) == {"罗岚"}
    assert (await agent.session("me", "t"))["rounds"] == 1
    assert "没有" not in done.reply
    assert "开头" in (await agent.say("回到上一步", thread="t")).reply
    assert await values(agent) == set()
    assert "没有可以回退" in (await agent.say("回到上一步", thread="t")).reply.replace("还", "")


async def test_going_back_names_what_went_and_what_is_so_again(agent: Agent) -> None:
    await agent.say("我住在青岛", thread="t")
    await agent.say("我搬到烟台了", thread="t")
    gone, _, again = (await agent.say("回到上一步", thread="t")).reply.partition("重新算数")
    assert "烟台" in gone and "青岛" not in gone and "青岛" in again and "烟台" not in again


async def test_an_order_to_forget_is_not_archived(agent: Agent) -> None:
    await agent.say("我工资一万八", thread="t")
    await agent.say("把我工资那条删了吧。周末去爬山", thread="t")
    await agent.end("me", "t")
    assert "删" not in (reply := (await agent.say("我工资多少", thread="u")).reply) and "一万八" not in reply
    assert "用户: 周末去爬山" in (await agent.say("周末爬山", thread="u")).context


async def test_what_is_not_to_be_kept_goes_and_what_it_replaced_is_back(agent: Agent) -> None:
    await agent.say("我住在杭州", thread="t")
    await agent.say("我搬到苏州了", thread="t")
    reply = (await agent.say("别记这个", thread="t")).reply
    assert "杭州" in reply
    assert await values(agent) == {"杭州"}
    await agent.say("I'm allergic to walnuts", thread="t")
    assert "walnuts" in (await agent.say("don't save that", thread="t")).reply
    assert await values(agent) == {"杭州"}
    assert all("walnuts" not in m.value for m in await agent.store.versions("me"))
