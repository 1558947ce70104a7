"""The third tier: a chat model is asked about clauses that rules and small model left open, after the reply, and only if one is configured."""

import asyncio
from typing import Any

from langchain_core.language_models import BaseChatModel
from langgraph.config import get_config

from graph.context import Context
from graph.models import chat_model
from graph.nodes.apply import calls, verdicts
from graph.nodes.classify import history_of
from graph.nodes.tools import tool_node
from graph.rounds import text_of
from graph.state import State
from memory.classify import TEMPERATURE, VerdictCache, consult
from memory.judge import FOUND, Rules, read
from memory.settings import load_settings
from memory.small_model import small_model
from tools.runtime import time_of

_cache = VerdictCache()


def classifier(context: Context) -> BaseChatModel | None:
    """The model that is asked, silent in streams; None where replies come from the offline model. Raises BadSettings."""
    settings = load_settings()
    name = context.model or settings.model_name
    if name == "offline":
        return None
    model = chat_model(name, settings, temperature=TEMPERATURE)
    return model.model_copy(update={"tags": ["nostream"], "disable_streaming": True})


async def ask_about_open(state: State, context: Context) -> dict[str, Any]:
    """Verdicts of the third tier, carried out through the same tools as all others; the judgement of the last message as it stands now.

    A model that fails leaves everything as the first two tiers judged it.
    """
    judgement = state.get("judgement") or {}
    doubtful = [v for v in verdicts(judgement) if v.get("open")]
    model = classifier(context) if doubtful else None
    if model is None:
        return {}
    settings, messages = load_settings(), [*state.get("leaving", []), *state.get("messages", [])]
    for one in doubtful:
        at = next((i for i, m in enumerate(messages) if m.id == one["message"]), None)
        if at is None:
            continue
        parts = await asyncio.to_thread(
            read, text_of(messages[at]), history=history_of(messages, at), time=time_of(messages[at]), rules=Rules.load(settings.rules),
            model=small_model(),
        )  # fmt: skip
        found = {**(await consult(parts, model, seconds=settings.model_timeout, cache=_cache)).as_json(), "message": one["message"], "open": False}
        known = {(f["attribute"], f["value"]) for kind in FOUND for f in one.get(kind, ())}
        fresh = {**found, "commands": [], **{kind: [f for f in found.get(kind, []) if (f["attribute"], f["value"]) not in known] for kind in FOUND}}
        for call in calls(fresh, text_of(messages[at])):
            await tool_node.ainvoke(
                {"__type": "tool_call_with_context", "tool_call": call, "state": {**state, "judgement": fresh}}, get_config()
            )  # fmt: skip
        if one.get("message") == judgement.get("message"):
            judgement = {**found, "earlier": judgement.get("earlier", [])}
    return {"judgement": judgement}
