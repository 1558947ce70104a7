"""trim_messages: what arrives is made sound, and what no longer fits the window leaves it."""

import uuid
from datetime import datetime
from typing import Any

from langchain_core.messages import AnyMessage, HumanMessage, RemoveMessage
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.runtime import Runtime

from graph.context import Context
from graph.rounds import rounds, text_of, window
from graph.state import State
from memory.clean import well_formed
from memory.compress import Summary, fold
from memory.guard import redacted
from memory.namespace import encode
from memory.settings import load_settings
from tools.runtime import user_of

MAX_CHARACTERS = 200_000


async def trim_messages(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """Say whose thread it is, stamp new messages with id and time, clean their text, and fold rounds that leave the window into the summary.

    What leaves is kept in `leaving` until `remember` has archived it; a run that stops in between loses nothing.
    """
    settings = load_settings()
    context = runtime.context or Context()
    messages = [_sound(m) for m in state.get("messages", [])]
    gone = window(
        messages,
        recent=context.recent_rounds or settings.recent_rounds,
        above_rounds=settings.trim_rounds,
        above_tokens=context.history_tokens or settings.history_tokens,
    )
    update: dict[str, Any] = {"user": encode(user_of(runtime)), "applied": [], "recalled": [], "judgement": {}}
    if gone:
        leaving, messages = messages[:gone], messages[gone:]
        talk = [[(m.type, redacted(text_of(m))) for m in r if m.type in {"human", "ai"}] for r in rounds(leaving)]
        update["summary"] = fold(Summary.from_json(state.get("summary")), talk).as_json()
        update["leaving"] = [*state.get("leaving", []), *leaving]
        update["trimmed"] = state.get("trimmed", 0) + gone
    if gone or messages != state.get("messages", []):
        update["messages"] = [RemoveMessage(id=REMOVE_ALL_MESSAGES), *messages]
    return update


def _sound(message: AnyMessage) -> AnyMessage:
    """A human message with an id, a time and storable text; others as they are, with an id."""
    changes: dict[str, Any] = {}
    if message.id is None:
        changes["id"] = str(uuid.uuid4())
    if isinstance(message, HumanMessage):
        text = message.text
        clean = well_formed(text)[:MAX_CHARACTERS]
        if isinstance(message.content, str) and clean != text:
            changes["content"] = clean
        if "time" not in message.additional_kwargs:
            changes["additional_kwargs"] = {**message.additional_kwargs, "time": datetime.now(load_settings().zone).isoformat()}
    return message.model_copy(update=changes) if changes else message
