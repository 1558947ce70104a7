"""`jizhu chat`: talk to the agent; with --json, one message object in and one round out per line."""

import asyncio
from collections.abc import Mapping
from contextlib import AsyncExitStack, suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

from cli import lines
from cli.options import Json, Thread, User
from memory.errors import BadInput, JizhuError
from memory.namespace import user_id
from memory.settings import load_settings

if TYPE_CHECKING:
    from graph.runner import Agent


def chat(user: User = "me", thread: Thread = None, json: Json = False) -> None:
    """Talk to jizhu.

    A new thread each time, unless --thread names one; `--thread last` continues. With --json, {"text",…} lines in and one round out for each.
    """
    if thread == "":
        raise BadInput("A thread id must not be empty.")
    settings = load_settings()
    settings.check_model(settings.model_name)
    asyncio.run(_json(user_id(user), thread) if json else _talk(user_id(user), thread))


async def _talk(user: str, thread: str | None) -> None:
    """The prompt comes at once; memory opens behind it, unless an earlier thread is to be continued."""
    from cli.conversation import Conversation

    settings = load_settings()
    async with AsyncExitStack() as stack:

        async def open_it() -> "Agent":
            runner = await asyncio.to_thread(import_module, "graph.runner")
            agent: Agent = await stack.enter_async_context(runner.open_agent(settings))
            if lines.typing():
                stack.callback(asyncio.create_task(_warm(agent)).cancel)
            return agent

        opening = asyncio.create_task(open_it())
        try:
            named = await _named(await opening, user, thread) if thread == "last" else thread
            await Conversation(opening, settings, user, named).run(resume=named is not None)
        finally:
            opening.cancel()
            await asyncio.gather(opening, return_exceptions=True)


async def _warm(agent: "Agent") -> None:
    """Load models and rules while the person types the first message. What fails here is said when it is needed."""
    from memory.judge import Rules, judge
    from memory.lexer import tag

    with suppress(JizhuError):
        await asyncio.to_thread(tag, "你好")
        await asyncio.to_thread(judge, "你好，我叫小明。", rules=Rules.load(agent.settings.rules))
        await agent.store.query_vector("你好")


async def _json(user: str, thread: str | None) -> None:
    from cli.conversation import new_thread
    from graph.runner import open_agent

    settings = load_settings()
    async with open_agent(settings) as agent:
        default = await _named(agent, user, thread) or new_thread()

        async def answer(number: int, record: lines.Record) -> Mapping[str, Any]:
            who = user_id(lines.label(record, "user") or user)
            where = await _named(agent, who, lines.label(record, "thread")) or default
            done = await agent.say(lines.text(record), user=who, thread=where, time=lines.when(record, settings.zone), files=lines.files(record))
            return {**({"id": record["id"]} if "id" in record else {}), **done.as_json(), "thread": where}

        await lines.each(lines.stdin_lines(), answer)


async def _named(agent: "Agent", user: str, thread: str | None) -> str | None:
    """The thread meant: ``last`` is the user's latest one, or a new one where there is none."""
    if thread != "last":
        return thread
    found = await agent.sessions(user)
    return str(found[0]["thread"]) if found else None
