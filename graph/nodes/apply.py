"""apply: what the judge settled and what the user ordered is done, through the tools, before the reply is written."""

from collections.abc import Mapping
from typing import Any

from langchain_core.messages import ToolCall
from langchain_core.runnables import RunnableConfig

from graph.nodes.tools import reports, tool_node
from graph.rounds import text_of
from graph.state import State
from memory.compress import Summary
from memory.revise.notice import tells


async def apply(state: State, config: RunnableConfig) -> dict[str, Any]:
    """Perform the verdicts of this round in the order the messages were said; the tools' answers do not enter `messages`.

    Every write carries its message's id, and a message's candidate is written once, so a resumed run repeats nothing.
    """
    verdict = state.get("judgement") or {}
    texts = {m.id: text_of(m) for m in state.get("messages", [])}
    done: list[dict[str, Any]] = []
    for call in [c for one in verdicts(verdict) for c in calls(one, texts.get(one.get("message"), ""))]:
        answer = await tool_node.ainvoke([call], config)
        done += reports(answer["messages"] if isinstance(answer, dict) else answer)
    update: dict[str, Any] = {"applied": done}
    if verdict:
        update["judged_through"] = verdict["message"]
    if gone := [r["value"] for r in done if r.get("op") == "forget" and r.get("value")]:
        update["summary"] = Summary.from_json(state.get("summary")).without(*gone).as_json()
        update["session"] = {k: v for k, v in state.get("session", {}).items() if not any(g in v or v in g for g in gone)}
    return update


def verdicts(judgement: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The verdicts of a round, oldest message first."""
    return [*judgement.get("earlier", ()), judgement] if judgement else []


def calls(verdict: Mapping[str, Any], text: str) -> list[ToolCall]:
    """The tool calls that carry out a verdict: one save of the message (its facts, and what it says about known ones), then what was ordered forgotten.

    "Don't keep this" saves nothing.
    """
    commands = verdict.get("commands", ())
    skip = any(c["kind"] == "skip" for c in commands)
    worth = verdict.get("facts") or verdict.get("pending") or tells(text)
    wanted: list[tuple[str, dict[str, Any]]] = [("save_memory", {"content": text})] if text and worth and not skip else []
    wanted += [("forget_memory", {"what": c["target"]}) for c in commands if c["kind"] == "forget"]
    return [ToolCall(type="tool_call", name=name, args=args, id=f"judge:{verdict['message']}:{n}") for n, (name, args) in enumerate(wanted)]
