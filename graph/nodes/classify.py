"""classify_memories: the judge on every message of the user that it has not seen, beside the reply and never by it."""

import asyncio
import logging
from typing import Any

from langchain_core.messages import AnyMessage, HumanMessage

from graph.rounds import talk, text_of
from graph.state import State
from memory.judge import Rules, judge
from memory.judge.judgement import Judgement
from memory.settings import load_settings
from memory.small_model import small_model
from tools.runtime import time_of

log = logging.getLogger(__name__)
HISTORY = 6


async def classify_memories(state: State) -> dict[str, Any]:
    """Verdicts on the human messages after `judged_through`, oldest first; session facts of this thread, the newest of each attribute.

    The verdict on the last message is `judgement`; those on earlier, unseen ones (said while memory was down) stand in its `earlier`.
    """
    messages = state.get("messages", [])
    fresh = unjudged(messages, state.get("judged_through"))
    if not fresh:
        return {}
    verdicts = [(m, await asyncio.to_thread(_judge, messages, m)) for m in fresh]
    session = dict(state.get("session", {}))
    for _, verdict in verdicts:
        session.update((f.attribute, f.value) for f in verdict.session)
    dumped = [{**v.as_json(), "message": m.id, "open": v.open} for m, v in verdicts]
    return {"judgement": {**dumped[-1], "earlier": dumped[:-1]}, "session": session}


def unjudged(messages: list[AnyMessage], through: str | None) -> list[AnyMessage]:
    """The human messages behind the one with this id; all of them when it is not there."""
    at = next((i for i, m in enumerate(messages) if m.id == through), -1)
    return [m for m in messages[at + 1 :] if isinstance(m, HumanMessage)]


def history_of(messages: list[AnyMessage], at: int) -> list[dict[str, str]]:
    """What was said before the message at this place, as the judge takes it."""
    return [{"role": role, "content": text} for role, text in talk(messages[max(0, at - HISTORY) : at])]


def _judge(messages: list[AnyMessage], message: AnyMessage) -> Judgement:
    history = history_of(messages, messages.index(message))
    rules = Rules.load(load_settings().rules)
    return judge(text_of(message), history=history, time=time_of(message), rules=rules, model=small_model())
