"""What a user orders done with the conversation itself: go back (回到上一步), and not to keep what was just said (别记这个)."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from langchain_core.messages import AnyMessage, HumanMessage
from langgraph.store.base import BaseStore

from memory.forget import forget
from memory.history import undo_messages
from memory.judge import Rules, commands, judge
from memory.language import Language
from memory.revise import Op

SHORT: Final = 40  # characters; nobody wraps an order to go back in a longer message
NOT_HERE: Final[Mapping[Language, str]] = {
    "zh": "在这里我不能回退对话；终端和笔记本里可以，服务器上请用它的时间回溯（time travel）。要撤回记忆，说“忘掉……”就行。",
    "en": "I can't go back from here: terminal and notebook can, and a server has its time travel. To take a memory back, tell me to forget it.",
}


def steps_back(text: str, rules: Path | None) -> int | None:
    """How many rounds the message orders to go back; None when it is no such order, or says anything to remember besides."""
    if not text.strip() or len(text) > SHORT:
        return None
    loaded = Rules.load(rules)
    orders = commands(text, rules=loaded)
    if not orders or any(c.kind != "undo" for c in orders) or judge(text, rules=loaded).facts:
        return None
    return orders[-1].steps


def takes_back(verdict: Mapping[str, Any]) -> bool:
    """Whether the message is nothing but "don't keep that", so that it means the message before it; "forget my pay, don't keep it" says what it means."""
    orders = {c["kind"] for c in verdict.get("commands", ())}
    return orders == {"skip"} and not any(c["intent"] == "other" for c in verdict.get("clauses", ())) and not verdict.get("facts")


async def take_back(store: BaseStore, user: str, messages: Sequence[AnyMessage], order: str | None) -> list[dict[str, Any]]:
    """Remove for good what the message before the `order` (its id) wrote, and let what it had replaced be current again; reports as of the tools."""
    said = [m for m in messages if isinstance(m, HumanMessage)]
    at = next((i for i, m in enumerate(said) if m.id == order), 0)
    if at == 0:
        return []
    changes = await undo_messages(store, user, [str(said[at - 1].id)])
    removed = [gone for c in changes if c.op is Op.RETIRE and c.key for gone in await forget(store, user, c.key)]
    return [c.as_json() for c in (*removed, *(c for c in changes if c.op is not Op.RETIRE))]
