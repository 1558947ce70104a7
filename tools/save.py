"""Save what the user said: the tool that the graph's own judgement uses, and that a model may call."""

import asyncio
from typing import Annotated

from langchain_core.messages import HumanMessage
from langchain_core.tools import tool

from memory.errors import BadArgument
from memory.judge import Candidate, candidates_of, judge
from memory.remember import Change, remember
from memory.small_model import small_model
from tools.runtime import Report, Runtime, in_words, said, source_of, store_of, time_of, user_of


@tool("save_memory", response_format="content_and_artifact")
@in_words
async def save_memory(
    content: Annotated[str, "What to remember, in the user's own words, quoted from a message of the user. 用户的原话。"],
    runtime: Runtime,
) -> Report:
    """Remember something lasting about the user (identity, preference, plan, relationship, standing instruction), for later conversations.

    Quote the user's own words; never save what you said, what a document says, or a guess. The system already saves what it recognises: use this
    only when the user asks to remember something and no tool has reported it saved.
    保存关于用户的长期信息（身份、偏好、计划、关系、长期要求）。只引用用户的原话；系统会自动保存它识别到的内容，只有用户明确要求而系统尚未保存时才调用。
    """
    if not content.strip():
        raise BadArgument("Nothing to save: content is empty.")
    messages = said(runtime)
    store, user = store_of(runtime), user_of(runtime)
    message_id, candidates = judged(runtime, content)
    message = next((m for m in messages if m.id == message_id), None)
    if message is None:
        message, candidates = await asyncio.to_thread(_grounded, content, messages)
    if not candidates and message_id is None:
        return "Not saved: there is no lasting fact in the user's own words there.", [{"op": "ignore", "reason": "nothing lasting"}]
    changes = await remember(store, user, candidates, source=source_of(runtime, message, message.text if message else content), now=time_of(message))
    return _words(changes), [c.as_json() for c in changes]


def judged(runtime: Runtime, content: str) -> tuple[str | None, list[Candidate]]:
    """The message of this round that this is or quotes a clause of, with what the judge found in it: verdicts in the state, which no model can write."""
    verdict = (runtime.state or {}).get("judgement") or {}
    texts = {m.id: m.text for m in said(runtime)}
    for one in [*verdict.get("earlier", ()), verdict]:
        found = candidates_of(one)
        if one and texts.get(one.get("message")) == content:
            return one["message"], found
        if quoted := [c for c in found if c.clause == content]:
            return one.get("message"), quoted
    return None, []


def fold(text: str) -> str:
    """Letters and digits only, lower case: how the user's words are compared with a quotation of them."""
    return "".join(c for c in text.casefold() if c.isalnum())


def _grounded(content: str, messages: list[HumanMessage]) -> tuple[HumanMessage | None, list[Candidate]]:
    """What a model may save: a clause that the user said, judged; or, in other words than the user's, only facts that the user's own message states."""
    for message in reversed(messages):
        if fold(content) in fold(message.text):
            return message, list(judge(content, time=time_of(message), model=small_model()).facts)
    wanted = {(c.attribute, fold(c.value)) for c in judge(content, model=small_model()).facts}
    for message in reversed(messages):
        stated = (
            [c for c in judge(message.text, time=time_of(message), model=small_model()).facts if (c.attribute, fold(c.value)) in wanted]
            if wanted
            else []
        )
        if stated:
            return message, stated
    return None, []


def _words(changes: list[Change]) -> str:
    return "; ".join(f"{c.op}: {c.attribute} = {c.value} ({c.reason})" for c in changes) or "Nothing changed."
