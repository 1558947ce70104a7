"""tools: the one ToolNode, for calls of the model and for what the judge settled."""

from typing import Any

from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.prebuilt import ToolNode

from graph.state import State
from tools import TOOLS

tool_node = ToolNode(TOOLS, handle_tool_errors="The tool failed; nothing was changed.")


async def call_tools(state: State, config: RunnableConfig) -> dict[str, Any]:
    """Answer the model's calls; what they did joins what was applied in this round."""
    result = await tool_node.ainvoke(state, config)
    messages: list[ToolMessage] = result["messages"] if isinstance(result, dict) else result
    return {"messages": messages, "applied": [*state.get("applied", []), *reports(messages)]}


def reports(messages: list[ToolMessage]) -> list[dict[str, Any]]:
    """What the tools reported done: the artifacts of writing tools; of one that broke, that it failed."""
    writing = [m for m in messages if m.name in {"save_memory", "update_memory", "forget_memory"}]
    return [
        r
        for m in writing
        for r in (
            m.artifact if isinstance(m.artifact, list) else [{"op": "failed", "error": "ToolError", "reason": "tool"}] if m.status == "error" else []
        )
    ]


def last_calls(state: State) -> list[Any]:
    """The tool calls of the last message, if it is a reply that makes some."""
    messages = state.get("messages", [])
    return messages[-1].tool_calls if messages and isinstance(messages[-1], AIMessage) else []
