"""List what is remembered about the user."""

from typing import Annotated

from langchain_core.tools import tool

from memory.current import ALL_CATEGORIES, current
from memory.errors import BadArgument
from memory.language import language_of
from memory.lines import memory_line
from tools.runtime import Report, Runtime, in_words, said, store_of, user_of


@tool("list_memories", response_format="content_and_artifact")
@in_words
async def list_memories(
    runtime: Runtime,
    category: Annotated[str | None, f"One of {', '.join(ALL_CATEGORIES)}; leave out for all. 类别。"] = None,
) -> Report:
    """List what is remembered about this user now, the most important first, at most 50. Use it when the user asks what you know about them.

    列出目前记住的关于该用户的内容，重要的在前，最多 50 条。用户问“你都记得我什么”时使用。
    """
    if category is not None and category not in ALL_CATEGORIES:
        raise BadArgument(f"Unknown category {category!r}; it is one of {', '.join(ALL_CATEGORIES)}.")
    found = (await current(store_of(runtime), user_of(runtime), [category] if category else ALL_CATEGORIES, limit=50))[:50]
    messages = said(runtime)
    lang = language_of(messages[-1].text if messages else "")
    if not found:
        return "Nothing is remembered yet.", []
    return "\n".join(f"[{m.key}] {memory_line(m, lang)[2:]}" for m in found), [m.as_json() for m in found]
