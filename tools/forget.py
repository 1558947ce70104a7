"""Forget what the user wants forgotten."""

from typing import Annotated

from langchain_core.tools import tool

from memory.errors import BadArgument
from memory.forget import forget
from tools.runtime import Report, Runtime, in_words, said, source_of, store_of, time_of, user_of


@tool("forget_memory", response_format="content_and_artifact")
@in_words
async def forget_memory(
    what: Annotated[str, "What to forget, in the user's words (我的地址, my job), or the key of one memory. 要忘掉的内容或 key。"],
    runtime: Runtime,
) -> Report:
    """Forget something about this user for good, when the user asks for it. It says what was removed, or asks when more than one thing is meant.

    应用户要求，永久忘掉关于该用户的某项内容；会说明删除了什么；所指不明时会询问。
    """
    if not what.strip():
        raise BadArgument("Say what to forget.")
    messages = said(runtime)
    last = messages[-1] if messages else None
    removed = await forget(store_of(runtime), user_of(runtime), what, source=source_of(runtime, last, what), now=time_of(last))
    if not removed:
        return "Not found: nothing like that is remembered.", [{"op": "ignore", "value": what, "reason": "not found"}]
    return "Forgotten: " + "; ".join(f"{c.attribute} = {c.value}" for c in removed), [c.as_json() for c in removed]
