"""A person talks to jizhu: rounds, threads, users, undo, the end of a session; on real Postgres, with the offline model."""

import pytest

from graph.runner import Agent, Round
from memory.current import current
from memory.errors import BadInput
from memory.search import recall

pytestmark = pytest.mark.anyio

WALK = (
    "你好，我叫张三", "你好！今天深圳天气怎么样？", "我不喜欢推荐太贵的东西，我是个学生", "那你们的产品有什么推荐吗？", "它多少钱？", "谢谢，再见！",
)  # fmt: skip


async def facts(agent: Agent, user: str) -> set[tuple[str, str]]:
    return {(m.attribute, m.value) for m in await current(agent.store, user)}


async def walk(agent: Agent, user: str = "u", thread: str = "walk") -> list[Round]:
    return [await agent.say(text, user=user, thread=thread) for text in WALK]


async def test_the_customer_service_walk(agent: Agent) -> None:
    rounds = await walk(agent)
    assert await facts(agent, "u") == {("name", "张三"), ("dislikes", "太贵的东西"), ("occupation", "学生")}
    assert {"scope": "session", "attribute": "city", "value": "深圳"} in rounds[1].stored
    assert "太贵的东西" in rounds[3].context and ("价格" in rounds[3].reply or "太贵" in rounds[3].reply)
    assert "离线" in rounds[0].reply and not any("（我现在是离线" in r.reply for r in rounds[1:])
    assert "深圳" in (await agent.session("u", "walk"))["session"].values()
    await agent.end("u", "walk")
    with pytest.raises(BadInput):
        await agent.session("u", "walk")
    assert "深圳" not in (await agent.say("我住在哪？", user="u", thread="next")).reply
    assert "学生" in (await agent.say("我的职业是什么？", user="u", thread="next")).reply


async def test_references_are_resolved_also_when_only_the_assistant_named_the_thing(agent: Agent) -> None:
    await agent.say("我想看看星河手环。", thread="a")
    assert (await agent.say("它多少钱？", thread="a")).resolved == "星河手环多少钱？"
    assert (await agent.say("那个有红色的吗？", thread="a")).resolved.startswith("星河手环")
    assert "星河手环" in (await agent.session("me", "a"))["referents"]
    await agent.graph.aupdate_state(
        agent._config("me", "b"), {"messages": [("human", "有什么推荐？"), ("ai", "可以看看星河手环。")]}, as_node="generate_reply"
    )
    await agent.graph.ainvoke(None, agent._config("me", "b"))
    assert (await agent.say("它多少钱？", thread="b")).resolved == "星河手环多少钱？"


async def test_two_users_share_no_thread_and_no_memory(agent: Agent) -> None:
    for user, name in (("1", "张三"), ("10", "李四"), ("a%", "王五"), ("a", "赵六"), ("x@y.example", "孙七")):
        await agent.say(f"我叫{name}。", user=user, thread="t")
    assert await facts(agent, "1") == {("name", "张三")} and await facts(agent, "a") == {("name", "赵六")}
    assert "孙七" in (await agent.say("我叫什么名字？", user="x@y.example", thread="t2")).reply
    assert (await agent.session("1", "t"))["rounds"] == 1
    assert [s["thread"] for s in await agent.sessions("a%")] == ["t"]


async def test_undo_goes_back_whole_rounds_with_their_memories(agent: Agent) -> None:
    await agent.say("我叫张三。", thread="t")
    await agent.say("我喜欢打篮球。", thread="t")
    await agent.say("今天真累。", thread="t")
    undone = await agent.undo("me", "t", 2)
    assert undone["undone"] == 2 and not undone["at_start"]
    assert await facts(agent, "me") == {("name", "张三")}
    assert [m["text"] for m in (await agent.session("me", "t"))["messages"] if m["role"] == "user"] == ["我叫张三。"]
    await agent.say("我喜欢爬山。", thread="t")
    undone = await agent.undo("me", "t", 9)
    assert undone["at_start"] and undone["undone"] == 2
    assert await facts(agent, "me") == set()


async def test_a_resolved_fact_is_recalled_in_another_thread(agent: Agent) -> None:
    await agent.say("I'm a nurse at Riverside Clinic.", user="ann", thread="1")
    assert "nurse" in (await agent.say("What's my job?", user="ann", thread="2")).reply


async def test_forgetting_reaches_the_running_thread(agent: Agent) -> None:
    await agent.say("我住在杭州市西湖区文三路。", thread="t")
    gone = await agent.say("忘掉我的地址", thread="t")
    assert "忘掉" in gone.reply and not {v for a, v in await facts(agent, "me") if a == "location"}
    reply = await agent.say("我住在哪？", thread="t")
    assert "杭州" not in reply.reply and "杭州" not in reply.context.split("## 最近对话")[0]


@pytest.mark.parametrize(
    "text",
    [
        "a\x00b",
        "lone \ud800 surrogate",
        "长" * 200_000,
        "word " * 40_000,
        "{braces} {0} %s $x",
        "<b>bold</b><script>x</script>",
        "🙂👨‍👩‍👧",
        "",
        "   ",
        "\n\n",
    ],
)
async def test_any_text_gets_an_answer(agent: Agent, text: str) -> None:
    done = await agent.say(text, thread="odd")
    assert done.reply
    done.as_json()


async def test_two_thousand_messages_in_a_thread(agent: Agent) -> None:
    messages = [(role, f"{n} {role}") for n in range(1000) for role in ("human", "ai")]
    await agent.graph.aupdate_state(agent._config("me", "long"), {"messages": messages, "judged_through": "x"}, as_node="remember")
    done = await agent.say("我叫张三。", thread="long")
    assert done.reply
    assert (await agent.session("me", "long"))["trimmed"] > 1900


async def test_a_thread_is_trimmed_and_what_left_is_kept_as_episodes(agent: Agent) -> None:
    for n in range(12):
        await agent.say(f"第{n}个问题：今天吃什么好呢？", thread="t")
    seen = await agent.session("me", "t")
    assert seen["trimmed"] > 0 and seen["rounds"] <= 10 and seen["summary"]["rounds"] > 0


@pytest.mark.parametrize(
    "bad",
    [{"user": ""}, {"user": "u" * 513}, {"user": "a\x00"}, {"thread": ""}, {"thread": "t\ud800"}, {"time": "yesterday"}, {"files": [{"name": "a"}]}],
)
async def test_bad_input_is_a_sentence(agent: Agent, bad: dict[str, object]) -> None:
    with pytest.raises(BadInput):
        await agent.say("hi", **bad)  # type: ignore[arg-type]


async def test_files_live_in_the_thread(agent: Agent) -> None:
    done = await agent.say("看看这个文件", thread="f", files=[{"name": "a.txt", "text": "会议在三号楼"}])
    assert "会议在三号楼" in done.context
    assert (await agent.session("me", "f"))["files"][0]["name"] == "a.txt"
    assert "会议" not in (await agent.say("你好", thread="g")).context


async def test_each_question_is_answered_for_itself(agent: Agent) -> None:
    await agent.say("我女儿上小学三年级。", thread="t")
    await agent.say("我爸爸有高血压。", thread="t")
    await agent.say("我女儿上几年级？", thread="q")
    reply = (await agent.say("我爸爸身体怎么样？", thread="q")).reply
    assert "高血压" in reply and "三年级" not in reply


async def test_a_secret_is_kept_only_on_request_and_then_masked_in_listings(agent: Agent) -> None:
    assert "没有保存" in (await agent.say("我的银行卡密码是886622。", thread="s")).reply or not await facts(agent, "me")
    await agent.say("我的密码是abc123，帮我记住", thread="s")
    kept = await current(agent.store, "me")
    assert all("secret" in m.tags for m in kept if "abc123" in m.value)
    await agent.say("顺便，我喜欢徒步，wifi密码是lake5566。", thread="s")
    await agent.end("me", "s")
    found = await recall(agent.store, "me", "银行卡和wifi的密码", k=20)
    assert any("徒步" in h.text for h in found.hits)
    assert not any(code in f"{h.text}{h.memory.source.text if h.memory else ''}" for h in found.hits for code in ("886622", "lake5566"))


async def test_thirty_rounds_of_repetition_leave_the_count_unchanged(agent: Agent) -> None:
    said = ("我住在苏州。", "我喜欢吃桂花糕。", "我在哪里住？", "我家就在苏州。", "你还记得我喜欢吃什么吗？")
    for text in said[:2]:
        await agent.say(text, thread="first")
    before = await agent.store.versions("me")
    assert {(m.attribute, m.value) for m in before} == {("location", "苏州"), ("likes", "吃桂花糕")}
    replies = [(await agent.say(said[n % len(said)], thread=f"t{n % 3}")).reply for n in range(30)]
    assert any("桂花糕" in r for r in replies)  # it was recalled and said by the assistant
    after = await agent.store.versions("me")
    assert {m.key for m in after} == {m.key for m in before}
    assert all(m.evidence > 5 for m in after)
