"""The agent: one round of conversation, read from top to bottom.

trim_messages → resolve → (recall ∥ classify_memories) → apply → generate_reply ⇄ tools → remember

`graph` is compiled bare, so that a LangGraph server brings its own store and checkpointer; `builder` is there for runners that compile it with theirs.
"""

from langgraph.graph import END, START, StateGraph

from graph.context import Context
from graph.nodes.apply import apply
from graph.nodes.classify import classify_memories
from graph.nodes.recall import recall_memories
from graph.nodes.remember import remember_round
from graph.nodes.reply import generate_reply, wants_tools
from graph.nodes.resolve import resolve_references
from graph.nodes.tools import call_tools
from graph.nodes.trim import trim_messages
from graph.state import State

builder = StateGraph(State, context_schema=Context)

builder.add_node("trim_messages", trim_messages)
builder.add_node("resolve", resolve_references)
builder.add_node("recall", recall_memories)
builder.add_node("classify_memories", classify_memories)
builder.add_node("apply", apply)
builder.add_node("generate_reply", generate_reply)
builder.add_node("tools", call_tools)
builder.add_node("remember", remember_round)

builder.add_edge(START, "trim_messages")
builder.add_edge("trim_messages", "resolve")
builder.add_edge("resolve", "recall")
builder.add_edge("resolve", "classify_memories")
builder.add_edge(["recall", "classify_memories"], "apply")
builder.add_edge("apply", "generate_reply")
builder.add_conditional_edges("generate_reply", wants_tools, ["tools", "remember"])
builder.add_edge("tools", "generate_reply")
builder.add_edge("remember", END)

graph = builder.compile(name="jizhu")
