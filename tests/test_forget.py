"""Forgetting on request: what a request means, and that what it names is nowhere afterwards."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.store.base import BaseStore
from langgraph.store.memory import InMemoryStore
from psycopg import sql

from graph.runner import Agent
from memory.checkpointer import Checkpointer
from memory.embedder import Embedder
from memory.errors import AmbiguousRequest, NotFound
from memory.forget import forget
from memory.judge.judgement import Candidate, Command
from memory.record import Source
from memory.remember import remember, versions
from memory.search import recall
from memory.store import MemoryStore

pytestmark = pytest.mark.anyio
Opened = tuple[MemoryStore, Checkpointer, Embedder]
NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)

PEOPLE = (
    ("location", "青岛", "我住在青岛", "user"),
    ("location", "香港中路88号", "地址是香港中路88号", "user"),
    ("employer", "海风物流", "我在海风物流上班", "user"),
    ("occupation", "调度员", "我是调度员", "user"),
    ("contact", "13900000001", "手机号13900000001", "user"),
    ("contact", "li@mail.example", "邮箱li@mail.example", "user"),
    ("health", "胃炎", "我有胃炎", "user"),
    ("allergy", "青霉素", "我对青霉素过敏", "user"),
    ("relationship", "韩松", "我前男友叫韩松", "user"),
    ("birthday", "5月6日", "我生日是5月6日", "user"),
    ("birthday", "9月9日", "我妈生日是9月9日", "妈妈"),
    ("birthday", "2月2日", "韩松的生日是2月2日", "韩松"),
    ("likes", "攀岩", "我喜欢攀岩", "user"),
    ("pet", "团子", "我的猫叫团子", "user"),
    ("pet", "毛豆", "我的狗叫毛豆", "user"),
    ("relationship", "老何", "我同事老何爱下棋", "user"),
    ("allergy", "牡蛎", "我同事老何对牡蛎过敏", "同事老何"),
)


async def fill(store: BaseStore, facts: tuple[tuple[str, str, str, str], ...] = PEOPLE) -> None:
    for n, (attribute, value, clause, owner) in enumerate(facts):
        candidate = Candidate(attribute=attribute, value=value, clause=clause, owner=owner)
        await remember(store, "ann", [candidate], source=Source(message=f"m{n}", text=clause), now=NOW)


async def left(store: BaseStore) -> set[str]:
    return {m.value for m in await versions(store, "ann")}


@pytest.mark.parametrize(
    ("request_", "gone"),
    [
        ("忘掉我的地址", {"香港中路88号"}),
        ("把我的工作忘了吧", {"海风物流", "调度员"}),
        ("别记我的手机号", {"13900000001"}),
        ("删掉我的邮箱", {"li@mail.example"}),
        ("关于我病情的都忘掉", {"胃炎", "青霉素"}),
        ("前任的事都删了", {"韩松"}),
        ("忘记韩松", {"韩松", "2月2日"}),
        ("忘掉我妈的生日", {"9月9日"}),
        ("忘掉我的生日", {"5月6日"}),
        ("忘掉攀岩那件事", {"攀岩"}),
        ("我的狗的事忘掉", {"毛豆"}),
        ("location", {"青岛", "香港中路88号"}),
        ("忘掉我昨天的梦", set()),
        ("忘掉韩松的生日", {"2月2日"}),
        ("忘掉韩松的工作", set()),
        ("忘掉小吴的生日", set()),
        ("忘掉老何", {"老何", "牡蛎"}),
        ("忘掉我前男友的名字", {"韩松"}),
        ("忘掉老何的过敏", {"牡蛎"}),
        ("forget Dana's birthday", set()),
    ],
)
async def test_what_a_request_means(request_: str, gone: set[str]) -> None:
    store = InMemoryStore()
    await fill(store)
    before = await left(store)
    told = await forget(store, "ann", request_)
    assert {c.value for c in told} == gone
    assert before - await left(store) == gone
    assert all(c.op == "forget" and c.reason for c in told)


@pytest.mark.parametrize(
    ("request_", "gone"),
    [
        ("forget my job", {"Halden", "baker"}),
        ("please delete my email", {"a@b.example"}),
        ("forget everything about my health", {"asthma"}),
        ("forget what I said about Nora", {"Nora"}),
        ("forget everything", {"Halden", "baker", "a@b.example", "asthma", "Nora", "rowing"}),
        ("forget that I like rowing", {"rowing"}),
    ],
)
async def test_what_a_request_means_in_english(request_: str, gone: set[str]) -> None:
    store = InMemoryStore()
    await fill(
        store,
        (
            ("employer", "Halden", "I work at Halden", "user"),
            ("occupation", "baker", "I'm a baker", "user"),
            ("contact", "a@b.example", "mail me at a@b.example", "user"),
            ("health", "asthma", "I have asthma", "user"),
            ("relationship", "Nora", "my sister Nora", "user"),
            ("likes", "rowing", "I like rowing", "user"),
        ),
    )
    assert {c.value for c in await forget(store, "ann", request_)} == gone


async def test_two_of_a_kind_are_asked_about() -> None:
    store = InMemoryStore()
    await fill(store)
    with pytest.raises(AmbiguousRequest, match=r"团子.*毛豆"):
        await forget(store, "ann", "忘掉我的宠物")
    assert {c.value for c in await forget(store, "ann", "忘掉所有宠物的事")} == {"团子", "毛豆"}


async def test_by_key_command_and_attribute() -> None:
    store = InMemoryStore()
    await fill(store)
    known = {m.value: m for m in await versions(store, "ann")}
    assert [c.value for c in await forget(store, "ann", known["攀岩"].key)] == ["攀岩"]
    assert [c.value for c in await forget(store, "ann", known["团子"])] == ["团子"]
    with pytest.raises(NotFound):
        await forget(store, "ann", known["团子"])
    assert [c.value for c in await forget(store, "ann", Command(kind="forget", target="我的生日"))] == ["5月6日"]
    assert [c.value for c in await forget(store, "ann", attribute="health")] == ["胃炎"]


async def test_past_versions_go_along(counted: tuple[MemoryStore, Any]) -> None:
    store, _ = counted
    await fill(store, (("location", "烟台", "我住在烟台", "user"), ("location", "青岛", "我搬到青岛了", "user")))
    told = await forget(store, "ann", "忘掉我住在哪")
    assert {c.value for c in told} == {"烟台", "青岛"}
    assert await versions(store, "ann") == []
    assert await store.changes("ann") == []


async def grep(store: MemoryStore, needle: str) -> list[str]:
    """Tables that hold the text somewhere."""
    hits = []
    async with store.reading() as cur:
        await cur.execute("SELECT table_name AS t FROM information_schema.tables WHERE table_schema = 'public'")
        for row in await cur.fetchall():
            await cur.execute(sql.SQL("SELECT count(*) AS n FROM {} x WHERE x::text LIKE %s").format(sql.Identifier(row["t"])), (f"%{needle}%",))
            found = await cur.fetchone()
            if found and found["n"]:
                hits.append(row["t"])
    return hits


async def test_a_forgotten_value_is_in_no_table(counted: tuple[MemoryStore, Any]) -> None:
    store, _ = counted
    text = "我住在烟台，喜欢攀岩"
    facts = [Candidate(attribute="location", value="烟台", clause=text), Candidate(attribute="likes", value="攀岩", clause=text)]
    await remember(store, "ann", facts, source=Source(message="m", text=text), now=NOW)
    async with store.writing() as cur:
        for n, said in enumerate((text, "今天天气不错", "烟台的海很蓝")):
            await cur.execute("INSERT INTO episodes (user_id, id, text, time) VALUES ('ann', %s, %s, %s)", (str(n), said, NOW))
    version = await store.version("ann")
    await forget(store, "ann", "忘掉我住的城市")
    assert await left(store) == {"攀岩"}
    assert await grep(store, "烟台") == []
    assert await grep(store, "天气不错") == ["episodes"]
    assert await store.version("ann") > version


RELATIVES = (
    ("relationship", "韩梅", "我女儿叫韩梅", "user"),
    ("school", "育英小学", "女儿在育英小学上学", "女儿"),
    ("relationship", "two kids", "I have two kids", "user"),
    ("relationship", "Nora", "my boss is called Nora", "user"),
    ("relationship", "贺明", "我前男友叫贺明", "user"),
    ("birthday", "9月9日", "我爸生日是9月9日", "爸爸"),
    ("location", "梧桐路12号", "我家住梧桐路12号", "user"),
    ("location", "B2层031号", "我的车位在B2层031号", "user"),
)


@pytest.mark.parametrize(
    ("request_", "gone"),
    [
        ("everything about my kids", {"韩梅", "育英小学", "two kids"}),
        ("我孩子的事", {"韩梅", "育英小学", "two kids"}),
        ("我的家人", {"韩梅", "育英小学", "two kids", "9月9日"}),
        ("关于我爸的", {"9月9日"}),
        ("那个姓贺的", {"贺明"}),
        ("我的地址", {"梧桐路12号"}),
    ],
)
async def test_a_loose_request_takes_what_it_names_and_no_more(request_: str, gone: set[str]) -> None:
    store = InMemoryStore()
    await fill(store, RELATIVES)
    before = await left(store)
    await forget(store, "ann", request_)
    assert before - await left(store) == gone


ENGLISH_RELATIVES = (
    ("relationship", "two kids, Zoe and Al", "we have two kids, Zoe (9) and Al (6)", "user"),
    ("age", "9", "we have two kids, Zoe (9) and Al (6)", "kid Zoe"),
    ("relationship", "sister Jo", "My sister Jo came over", "user"),
    ("location", "Hull", "my sister Jo lives in Hull", "sister Jo"),
    ("location", "Ely", "my brother Dan lives in Ely", "brother Dan"),
)


@pytest.mark.parametrize(
    ("request_", "gone"),
    [
        ("everything about my kids", {"two kids, Zoe and Al", "9"}),
        ("everything about my sister", {"sister Jo", "Hull"}),
        ("what I said about Dan", {"Ely"}),
        ("everything about Jo", {"sister Jo", "Hull"}),
    ],
)
async def test_what_is_kept_of_somebody_goes_along(request_: str, gone: set[str]) -> None:
    store = InMemoryStore()
    await fill(store, ENGLISH_RELATIVES)
    before = await left(store)
    await forget(store, "ann", request_)
    assert before - await left(store) == gone


async def test_what_no_fact_was_made_of_is_forgotten_too(agent: Agent) -> None:
    await agent.say("昨天跟水管工老钱吵了一架。天气倒是不错。", thread="t")
    await agent.end("me", "t")
    assert [h for h in (await recall(agent.store, "me", "老钱", k=5)).hits if "老钱" in h.text]
    done = await agent.say("忘掉老钱的事", thread="new")
    assert "忘掉了" in done.reply
    left = [h.text for h in (await recall(agent.store, "me", "老钱", k=5)).hits]
    assert not [t for t in left if "吵了一架" in t] and any("天气" in t for t in left)
    assert "没有找到" in (await agent.say("忘掉我的地址", thread="new")).reply


async def test_to_forget_everything_takes_the_archive_too(agent: Agent) -> None:
    await agent.say("我在厦门开花店。", thread="t")
    await agent.say("今天客人特别多，站了一整天。", thread="t")
    await agent.end("me", "t")
    assert "忘掉了" in (await agent.say("把我所有的记忆都删掉", thread="new")).reply
    found = await recall(agent.store, "me", "今天客人多吗", k=5)
    assert not [h for h in found.hits if "客人" in h.text or "厦门" in h.text]


@pytest.mark.parametrize("ended", [True, False])
async def test_what_was_only_said_is_forgotten_in_threads_at_hand(agent: Agent, ended: bool) -> None:
    await agent.say("昨天跟房客老钟吵了一架。天气倒是不错。", thread="t")
    await agent.say("忘掉小邱的事", thread="t")
    if ended:
        await agent.end("me", "t")
    done = await agent.say("忘掉老钟的事", thread="new")
    assert "忘掉了" in done.reply and "吵了一架" in done.reply and "小邱" not in done.reply
    assert "没有找到" in (await agent.say("忘掉小邱的事", thread="new")).reply, "an order to forget is not what it forgets"
    assert ended or ("老钟" not in str(await agent.session("me", "t")) and "天气" in str(await agent.session("me", "t")))
    assert "吵了一架" not in str(await agent.session("me", "new"))


@pytest.mark.parametrize("request_", ["把我所有的记忆都删掉", "forget everything"])
async def test_to_forget_everything_takes_what_threads_at_hand_hold(agent: Agent, request_: str) -> None:
    await agent.say("我在厦门开花店。", thread="other")
    await agent.say("今天客人特别多，站了一整天。", thread="other")
    await agent.say("今天客人特别多，腿都酸了。", thread="this")
    assert [r for r in (await agent.say(request_, thread="this")).applied if r.get("op") == "forget"]
    assert await checkpointed(agent, "客人") == []
    await agent.say("我喜欢下雨天。", thread="this")
    await agent.end("me", "this")
    await agent.end("me", "other")
    hits = (await recall(agent.store, "me", "今天客人多吗", k=9)).hits
    assert hits and not [h for h in hits if "客人" in h.text or "厦门" in h.text]
    assert [m.value for m in await versions(agent.store, "me")] == ["下雨天"]


async def checkpointed(agent: Agent, needle: str) -> list[str]:
    """Tables of threads that hold the text, in whatever form."""
    hits = []
    async with agent.store.reading() as cur:
        for table, said in (("checkpoints", "checkpoint::text"), ("checkpoint_blobs", "blob"), ("checkpoint_writes", "blob")):
            wanted: str | bytes = needle if table == "checkpoints" else needle.encode()
            query = sql.SQL("SELECT count(*) AS n FROM {} WHERE position(%s::{} IN {}) > 0")
            kind = sql.SQL("text" if table == "checkpoints" else "bytea")
            await cur.execute(query.format(sql.Identifier(table), kind, sql.SQL(said)), (wanted,))
            found = await cur.fetchone()
            if found and found["n"]:
                hits.append(table)
    return hits


async def test_what_reaches_the_database_late_is_forgotten_too(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    write = AsyncPostgresSaver.aput_writes

    async def slowly(self: AsyncPostgresSaver, *args: Any) -> None:
        await asyncio.sleep(0.2)
        await write(self, *args)

    await agent.say("remember that my aunt's phone number is 555-0123", thread="first")
    monkeypatch.setattr(AsyncPostgresSaver, "aput_writes", slowly)
    done = await agent.say("forget my aunt's phone number", thread="second")
    assert "555-0123" in done.reply
    assert await checkpointed(agent, "555-0123") == []


@pytest.mark.parametrize(
    ("told", "request_", "gone", "stays"),
    [
        ("remember that my aunt's phone number is 555-0123. The ferry was late.", "forget my aunt's phone number", "555-0123", "ferry was late"),
        ("记住我姑姑的电话是13900001234。今天渡轮晚点了。", "忘掉我姑姑的电话", "13900001234", "渡轮晚点"),
    ],
)
@pytest.mark.parametrize("elsewhere", [True, False])
async def test_what_is_forgotten_leaves_every_conversation(
    agent: Agent, told: str, request_: str, gone: str, stays: str, elsewhere: bool
) -> None:  # fmt: skip
    await agent.say(told, thread="first")
    await agent.say("hello", thread="first")
    await agent.say(told, user="ann", thread="first")
    assert await checkpointed(agent, gone)
    done = await agent.say(request_, thread="second" if elsewhere else "first")
    assert gone in done.reply, "it says what was removed"
    session = str(await agent.session("me", "first"))
    assert gone not in session and stays in session
    assert gone in str(await agent.session("ann", "first")), "another user's words are untouched"
    await agent.checkpointer.adelete_thread("ann:first")
    assert await checkpointed(agent, gone) == []
    await agent.say("thanks", thread="first")
    await agent.end("me", "first")
    assert not [h for h in (await recall(agent.store, "me", gone, k=5)).hits if gone in h.text]


@pytest.mark.parametrize(
    ("said", "request_", "gone", "stays"),
    [
        (["我有个男朋友叫陆川，他在厦门当厨师", "我住在泉州", "/end", "我和陆川分手了"], "忘掉陆川", "厨师", "泉州"),
        (["我有个男朋友叫陆川，他在厦门当厨师", "我住在泉州", "/end", "我和陆川分手了"], "把关于陆川的一切都忘掉", "厨师", "泉州"),
        (["My wife's called Nadia, she teaches geography at a college", "Nadia got promoted", "I live in Leeds"], "forget everything about Nadia", "geography", "Leeds"),
        (["My wife's called Nadia, she teaches geography at a college", "I live in Leeds", "/end", "Nadia got promoted"], "forget Nadia", "geography", "Leeds"),
        (["我前妻叫陶静，她是护士", "我现在的老婆叫周敏，她是会计", "我下个月要和陶静去公证处"], "忘了陶静这个人吧", "公证处", "会计"),
        (["I moved out, I'm staying at my uncle's place for now", "I live in Leeds"], "don't save that I moved out", "moved out", "Leeds"),
        (["我老板叫王强，他住在苏州", "我在无锡工作"], "别保存我老板住在苏州", "苏州", "王强"),
    ],
)  # fmt: skip
async def test_somebody_is_forgotten_by_name_and_tie(agent: Agent, said: list[str], request_: str, gone: str, stays: str) -> None:
    thread = 0
    for line in said:
        if line == "/end":
            await agent.end("me", str(thread))
            thread += 1
        else:
            await agent.say(line, thread=str(thread))
    known = " ".join(f"{m.content} {m.value}" for m in await versions(agent.store, "me"))
    assert gone in known and stays in known
    done = await agent.say(request_, thread=str(thread))
    assert [r for r in done.applied if r.get("op") == "forget"]
    after = " ".join(f"{m.owner} {m.content} {m.value} {m.source.text}" for m in await versions(agent.store, "me"))
    assert gone not in after and stays in after
    name = next((n for n in ("陆川", "Nadia", "陶静") if n in request_), gone)
    assert name not in after and await grep(agent.store, name) == []
