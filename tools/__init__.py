"""What the model may do with memory: one ToolRuntime tool per file. The graph's own judgements go through the same tools."""

from collections.abc import Sequence

from langchain_core.tools import BaseTool

from tools.forget import forget_memory
from tools.list import list_memories
from tools.recall import recall_memory
from tools.save import save_memory
from tools.update import update_memory

TOOLS: Sequence[BaseTool] = (save_memory, recall_memory, update_memory, forget_memory, list_memories)

__all__ = ["TOOLS", "forget_memory", "list_memories", "recall_memory", "save_memory", "update_memory"]
