"""Search the user's memories."""

from typing import Annotated

from langchain_core.tools import tool

from memory.errors import BadArgument
from memory.language import language_of
from memory.lines import flat, hit_line
from memory.search import recall
from tools.runtime import Report, Runtime, in_words, said, store_of, time_of, user_of


@tool("recall_memory", response_format="content_and_artifact")
@in_words
async def recall_memory(
    query: Annotated[str, "What to look for, as a full question or a few words. 要查找的内容。"],
    runtime: Runtime,
    limit: Annotated[int, "How many results, 1 to 20. 条数。"] = 5,
) -> Report:
    """Search this user's long-term memories and earlier conversations. Use it when the memories you were given do not answer the question.

    在该用户的长期记忆和以往对话中查找。只有已给出的记忆不足以回答时才调用。
    """
    if not query.strip():
        raise BadArgument("Nothing to look for: query is empty.")
    if not 1 <= limit <= 20:
        raise BadArgument("limit must be between 1 and 20.")
    messages = said(runtime)
    found = await recall(store_of(runtime), user_of(runtime), query, k=limit, now=time_of(messages[-1] if messages else None))
    lang = language_of(query)
    if not found.hits:
        return "Nothing found.", []
    return "\n".join(f"[{flat(h.id)}] {hit_line(h, lang)[2:]}" for h in found.hits), [h.as_json() for h in found.hits]
