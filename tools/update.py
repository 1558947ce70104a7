"""Correct one memory."""

from typing import Annotated

from langchain_core.tools import tool

from memory.current import find
from memory.errors import BadArgument, NotFound
from memory.judge.judgement import Candidate, Stance
from memory.remember import remember
from tools.runtime import Report, Runtime, in_words, said, source_of, store_of, time_of, user_of
from tools.save import fold


@tool("update_memory", response_format="content_and_artifact")
@in_words
async def update_memory(
    key: Annotated[str, "Key of the memory, as recall_memory or list_memories shows it in brackets. 记忆的 key。"],
    value: Annotated[str, "The new value, in the user's own words. 新的值，用户的原话。"],
    runtime: Runtime,
) -> Report:
    """Correct one memory of this user: the old value is kept as history, the new one counts from now on.

    更正该用户的一条记忆：旧值留作历史，新值从现在起有效。
    """
    if not value.strip():
        raise BadArgument("The new value is empty; use forget_memory to remove a memory.")
    store, user, messages = store_of(runtime), user_of(runtime), said(runtime)
    known = await find(store, user, key)
    if known is None:
        raise NotFound(f"Not found: this user has no memory with the key {key!r}.")
    message = next((m for m in reversed(messages) if fold(value) in fold(m.text)), None)
    if messages and message is None:
        raise BadArgument("Not changed: the new value must be in the user's own words.")
    candidate = Candidate(
        attribute=known.attribute, owner=known.owner, value=value, stance=Stance.CORRECT, replaces=known.value, explicit=True,
        importance=known.importance, clause=value,
    )  # fmt: skip
    changes = await remember(store, user, [candidate], source=source_of(runtime, message, message.text if message else value), now=time_of(message))
    return "; ".join(f"{c.op}: {c.attribute} = {c.value}" for c in changes) or "Nothing changed.", [c.as_json() for c in changes]
