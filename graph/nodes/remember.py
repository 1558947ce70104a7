"""remember: after the last token, what the round leaves behind is put away. Nothing here delays the reply."""

import logging
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.runtime import Runtime

from graph.context import Context
from graph.nodes.apply import verdicts
from graph.nodes.consult import ask_about_open
from graph.offline import is_offline
from graph.rounds import text_of
from graph.state import State
from memory import referents, threads
from memory.checkpointer import written
from memory.compress import importance
from memory.database import FAILURES
from memory.episode import Episode
from memory.errors import JizhuError
from memory.forget import Forgetting, forgetting, without_orders
from memory.hiding import cleared
from memory.ingest import archive
from memory.namespace import encode
from memory.settings import load_settings
from memory.store import MemoryStore
from tools.runtime import time_of, user_of

log = logging.getLogger(__name__)


async def remember_round(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """Settle what the judge left open, note what the assistant named, archive the turns that left the window as episodes.

    What cannot be archived now waits for the next round.
    """
    messages = state.get("messages", [])
    update: dict[str, Any] = {}
    try:
        update |= await ask_about_open(state, runtime.context or Context())
    except JizhuError as error:
        log.warning("the third tier could not be asked: %s", type(error).__name__)
    if messages and isinstance(messages[-1], AIMessage) and not is_offline(messages[-1]):
        update["referents"] = list(referents.update(state.get("referents", []), text_of(messages[-1]), "assistant"))
    orders = [c["target"] for v in verdicts(state.get("judgement") or {}) for c in v.get("commands", ()) if c["kind"] == "forget"]
    if (keep := forgetting(state.get("applied", []), orders)) is not None:
        cleaned = await _cleaned(state, runtime, keep)
        update |= cleaned
        state = {**state, "leaving": cleaned["leaving"]}
    if state.get("leaving"):
        try:
            await archive_messages(state, runtime)
            update["leaving"] = []
        except FAILURES as error:
            log.warning("archiving failed, will be tried again: %s", type(error).__name__)
    return update


async def _cleaned(state: State, runtime: Runtime[Context], keep: Forgetting) -> dict[str, Any]:
    """The thread without what this round forgot. Of the round itself, which names it, only the names go: it stays to be seen that something was forgotten."""
    messages = state.get("messages", [])
    start = max((i for i, m in enumerate(messages) if isinstance(m, HumanMessage)), default=0)
    left = [*cleared(messages[:start], keep), *cleared(messages[start:], keep.unnamed)]
    thread = runtime.execution_info.thread_id if runtime.execution_info else None
    if thread and isinstance(runtime.store, MemoryStore):
        await written(thread)
        try:
            async with runtime.store.writing() as cur:  # what the nodes of this round have written already
                await threads.clear(cur, encode(user_of(runtime)), keep if keep.whole else keep.unnamed, thread=thread)
        except FAILURES as error:
            log.warning("what was forgotten stays in this round's checkpoints: %s", type(error).__name__)
    return {
        "messages": [new for new, old in zip(left, messages, strict=True) if new is not old],
        "resolved": "",
        "judgement": {},
        **{name: cleared(state.get(name, []), keep) for name in ("leaving", "files")},
        "referents": [r for r in cleared(state.get("referents", []), keep) if not any(r in v for v in keep.values)],
        **({"summary": {}, "session": {}} if keep.whole else {}),
    }


async def archive_messages(state: State, runtime: Runtime[Context]) -> None:
    """The leaving turns as episodes of this user and thread, idempotent by message id."""
    if runtime.store is None or load_settings().episodes == "off":
        return
    user, leaving = user_of(runtime), state.get("leaving", [])
    thread = (runtime.execution_info.thread_id if runtime.execution_info else None) or ""
    await archive(runtime.store, user, episodes_of(leaving, user, thread, state.get("trimmed", 0) - len(leaving)))


def episodes_of(messages: Sequence[AnyMessage], user: str, thread: str, first: int) -> list[Episode]:
    """Turns as episodes; `first` is the place of the first message in its thread. A reply has the time of the message it answers.

    Replies composed offline are left out: they only repeat what memory holds, and would come back as if they were news. So is what has no words left, and what the user ordered forgotten.
    """
    episodes, asked = [], None
    for position, message in enumerate(messages, start=first):
        if isinstance(message, HumanMessage):
            asked = message
        text = without_orders(text_of(message)) if message.type == "human" else text_of(message)
        if message.type in {"human", "ai"} and any(map(str.isalnum, text)) and not is_offline(message):
            role = "assistant" if message.type == "ai" else "user"
            episodes.append(
                Episode(
                    id=str(message.id), user=user, text=text, time=time_of(asked), session=thread, position=position, role=role,
                    importance=importance(text, role),
                )
            )  # fmt: skip
    return episodes
