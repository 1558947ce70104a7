"""resolve: the message, completed from the conversation: 它多少钱？ becomes 星河手环多少钱？"""

from typing import Any

from graph.rounds import text_of
from graph.state import State
from memory import referents

HISTORY = 6


async def resolve_references(state: State) -> dict[str, Any]:
    """Resolve what the last message points to against the thread's referents, and note what it names itself."""
    messages = state.get("messages", [])
    if not messages:
        return {"resolved": ""}
    text = text_of(messages[-1])
    history = [text_of(m) for m in messages[-1 - HISTORY : -1] if m.type in {"human", "ai"}]
    known = state.get("referents", [])
    return {"resolved": referents.resolve(text, known, history), "referents": list(referents.update(known, text))}
