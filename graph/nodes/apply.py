"""apply: what the judge settled and what the user ordered is done, through the tools, before the reply is written."""

import logging
from collections.abc import Mapping
from typing import Any

from langchain_core.messages import ToolCall
from langgraph.config import get_config
from langgraph.runtime import Runtime

from graph.context import Context
from graph.nodes.tools import reports, tool_node
from graph.orders import NOT_HERE, take_back, takes_back
from graph.rounds import text_of
from graph.state import State
from memory.compress import Summary
from memory.database import FAILURES
from memory.judge import FOUND
from memory.language import language_of
from memory.revise.notice import tells
from tools.runtime import store_of, user_of

log = logging.getLogger(__name__)


async def apply(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """Perform the verdicts of this round in the order the messages were said; the tools' answers do not enter `messages`.

    Every write carries its message's id, and a message's candidate is written once, so a resumed run repeats nothing.
    """
    verdict = state.get("judgement") or {}
    texts = {m.id: text_of(m) for m in state.get("messages", [])}
    done: list[dict[str, Any]] = []
    for one in verdicts(verdict):
        text = texts.get(one.get("message"), "")
        for call in calls(one, text):
            answer = await tool_node.ainvoke([call], get_config())
            done += reports(answer["messages"] if isinstance(answer, dict) else answer)
        if takes_back(one):
            done += await _taken_back(state, runtime, one.get("message"))
        if any(c["kind"] == "undo" for c in one.get("commands", ())):
            done.append({"op": "undo", "reason": NOT_HERE[language_of(text)]})
    update: dict[str, Any] = {"applied": done}
    if verdict:
        update["judged_through"] = verdict["message"]
    if gone := [r["value"] for r in done if r.get("op") == "forget" and r.get("value")]:
        update["summary"] = Summary.from_json(state.get("summary")).without(*gone).as_json()
        update["session"] = {k: v for k, v in state.get("session", {}).items() if not any(g in v or v in g for g in gone)}
    return update


async def _taken_back(state: State, runtime: Runtime[Context], order: str | None) -> list[dict[str, Any]]:
    try:
        return await take_back(store_of(runtime), user_of(runtime), state.get("messages", []), order)
    except FAILURES as error:
        log.warning("taking back failed: %s", type(error).__name__)
        return [{"op": "failed", "error": type(error).__name__, "reason": "database"}]


def verdicts(judgement: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The verdicts of a round, oldest message first."""
    return [*judgement.get("earlier", ()), judgement] if judgement else []


def calls(verdict: Mapping[str, Any], text: str) -> list[ToolCall]:
    """The tool calls that carry out a verdict: one save of the message (its facts, and what it says about known ones), then what was ordered forgotten.

    "Don't keep this" saves nothing.
    """
    commands = verdict.get("commands", ())
    skip = any(c["kind"] == "skip" for c in commands)
    worth = any(verdict.get(kind) for kind in FOUND) or tells(text)
    wanted: list[tuple[str, dict[str, Any]]] = [("save_memory", {"content": text})] if text and worth and not skip else []
    wanted += [("forget_memory", {"what": c["target"]}) for c in commands if c["kind"] == "forget"]
    return [ToolCall(type="tool_call", name=name, args=args, id=f"judge:{verdict['message']}:{n}") for n, (name, args) in enumerate(wanted)]
