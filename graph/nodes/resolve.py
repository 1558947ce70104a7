"""resolve: the message, completed from the conversation: 它多少钱？ becomes 星河手环多少钱？"""

import re
from typing import Any

from graph.rounds import text_of
from graph.state import State
from memory import referents

HISTORY = 6
_ORDER = re.compile(
    r"(?:别|不用|不要|无需|不必)(?:再|帮我|给我)?(?:记|存|保存|保留)|忘(?:了|掉|记)|\b(?:don[’']?t|do not|no need to) (?:save|remember|keep|store|note)|\bforget\b",
    re.I,
)  # what memory is ordered to do is meant as it is said


async def resolve_references(state: State) -> dict[str, Any]:
    """Resolve what the last message points to against the thread's referents, and note what it names itself."""
    messages = state.get("messages", [])
    if not messages:
        return {"resolved": ""}
    text = text_of(messages[-1])
    history = [text_of(m) for m in messages[-1 - HISTORY : -1] if m.type in {"human", "ai"}]
    known = state.get("referents", [])
    resolved = text if _ORDER.search(text) else referents.resolve(text, known, history)
    return {"resolved": resolved, "referents": list(referents.update(known, text))}
