"""resolve: the message, completed from the conversation: 它多少钱？ becomes 星河手环多少钱？"""

import asyncio
from typing import Any

from graph.rounds import text_of
from graph.state import State
from memory import referents
from memory.guard import redacted
from memory.judge import Rules, commands
from memory.settings import load_settings

HISTORY = 6


async def resolve_references(state: State) -> dict[str, Any]:
    """Resolve what the last message points to against the thread's referents, and note what it names itself."""
    messages = state.get("messages", [])
    if not messages:
        return {"resolved": ""}
    text = text_of(messages[-1])
    history = [text_of(m) for m in messages[-1 - HISTORY : -1] if m.type in {"human", "ai"}]
    known = state.get("referents", [])
    resolved = text if await asyncio.to_thread(_orders, text) else referents.resolve(text, known, history)
    return {"resolved": resolved, "referents": list(referents.update(known, redacted(text)))}


def _orders(text: str) -> bool:
    """Whether memory is ordered to do something, which is meant as it is said."""
    return bool(commands(text, rules=Rules.load(load_settings().rules)))
