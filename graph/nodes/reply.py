"""generate_reply: the model answers, from memories already judged. A model that fails is said, and the round goes on."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final, Literal

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.runtime import Runtime

from graph.briefing import Briefing
from graph.context import Context
from graph.models import CONTEXT_TOKENS, reply_model
from graph.nodes.recall import look_up, refreshed
from graph.nodes.tools import last_calls
from graph.offline import OfflineModel, said_before
from graph.phrases import model_failed
from graph.rounds import fit, talk, text_of
from graph.state import State
from memory.compress import Summary
from memory.errors import BadSettings
from memory.settings import load_settings
from memory.tokens import count_tokens
from prompts import render
from tools import TOOLS
from tools.runtime import time_of

log = logging.getLogger(__name__)
MAX_TOOL_ROUNDS: Final = 4
REPLY_TOKENS: Final = 1_000
TALK: Final = 10
CHANGING: Final = frozenset({"add", "supersede", "retire", "forget", "strengthen"})


async def generate_reply(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """One reply, or one set of tool calls; after `MAX_TOOL_ROUNDS` rounds of calls the model must answer."""
    briefing = await brief(state, runtime)
    messages = state.get("messages", [])
    settings, context = load_settings(), runtime.context or Context()
    try:
        model = reply_model(context.model, settings)
    except BadSettings as error:
        return {"messages": [AIMessage(str(error))], "briefing": briefing}
    if isinstance(model, OfflineModel):
        reply = await model.ainvoke(messages[-1:], briefing=briefing)
    else:
        reply = await _ask(model, messages, briefing, context.memory_tokens or settings.memory_tokens)
    return {"messages": [reply], "briefing": briefing}


async def brief(state: State, runtime: Runtime[Context]) -> Briefing:
    """The round's briefing, complete: what recall found (looked up anew after a crash) and what the thread and this round's tools add."""
    messages = state.get("messages", [])
    applied = tuple(state.get("applied", []))
    briefing = state.get("briefing") or await look_up(state, runtime)
    if applied != briefing.applied and any(r.get("op") in CHANGING for r in applied):
        briefing = await refreshed(briefing, runtime, applied)
    earlier = messages[: _round_start(messages)]
    return replace(
        briefing,
        session=state.get("session", {}),
        files=tuple((f["name"], f["text"]) for f in state.get("files", [])),
        summary=Summary.from_json(state.get("summary")).text,
        recent=tuple(talk(earlier)[-TALK:]),
        applied=applied,
        first=not said_before(earlier) and not state.get("trimmed"),
    )


def wants_tools(state: State) -> Literal["tools", "remember"]:
    """Whether the model has asked for tools that are still to be run."""
    return "tools" if last_calls(state) else "remember"


async def _ask(model: BaseChatModel, messages: list[AnyMessage], briefing: Briefing, memory_tokens: int) -> AIMessage:
    now = time_of(next((m for m in reversed(messages) if isinstance(m, HumanMessage)), None))
    system = render(
        "reply", briefing.lang, context=briefing.memory_text(memory_tokens), now=now.strftime("%Y-%m-%d %H:%M %A"), problem=_notes(briefing)
    )  # fmt: skip
    window = fit(messages, max(500, CONTEXT_TOKENS - REPLY_TOKENS - count_tokens(system) - _schema_tokens()))
    may_call = _tool_rounds(messages) < MAX_TOOL_ROUNDS
    bound = model.bind_tools(TOOLS) if may_call else model
    try:
        reply = await bound.ainvoke([SystemMessage(system), *window])
    except Exception as error:  # whatever a model's client raises must not lose the round
        log.warning("model failed: %s", type(error).__name__)
        return AIMessage(model_failed(briefing, error))
    if not isinstance(reply, AIMessage) or not (text_of(reply).strip() or (reply.tool_calls and may_call)):
        return AIMessage(model_failed(briefing, None))
    if reply.tool_calls and not may_call:
        return AIMessage(text_of(reply))
    return reply


@cache
def _schema_tokens() -> int:
    """What the descriptions of the tools take of a model's budget."""
    return sum(count_tokens(str(convert_to_openai_tool(t))) for t in TOOLS)


def _notes(briefing: Briefing) -> str:
    done = [f"- {r.get('op')}: {r.get('attribute', '')} {r.get('value', '')} {r.get('reason', '')}".strip() for r in briefing.applied]
    title = {"zh": "本轮记忆工具的报告：", "en": "Reported by the memory tools in this round:"}[briefing.lang]
    return "\n".join([briefing.problem, *([title, *done] if done else [])]).strip()


def _round_start(messages: Sequence[AnyMessage]) -> int:
    """Where the running round begins: the place of the last human message."""
    return max((i for i, m in enumerate(messages) if isinstance(m, HumanMessage)), default=0)


def _tool_rounds(messages: Sequence[AnyMessage]) -> int:
    return sum(isinstance(m, AIMessage) and bool(m.tool_calls) for m in messages[_round_start(messages) :])
