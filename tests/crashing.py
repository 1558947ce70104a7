"""Run as a script: one round that dies by SIGKILL inside the node it is told. `python tests/crashing.py NODE WHEN USER THREAD TEXT`."""

import asyncio
import os
import signal
import sys
from functools import wraps
from importlib import import_module
from typing import Any

NODES = {
    "trim_messages": ("graph.nodes.trim", "trim_messages"), "resolve": ("graph.nodes.resolve", "resolve_references"),
    "recall": ("graph.nodes.recall", "recall_memories"), "classify_memories": ("graph.nodes.classify", "classify_memories"),
    "apply": ("graph.nodes.apply", "apply"), "generate_reply": ("graph.nodes.reply", "generate_reply"),
    "remember": ("graph.nodes.remember", "remember_round"),
}  # fmt: skip


def dying(node: Any, when: str) -> Any:
    """The node, killed before or after its work (its result then never reaches the checkpointer)."""

    @wraps(node)
    async def run(*args: Any, **kwargs: Any) -> Any:
        if when == "after":
            await node(*args, **kwargs)
        os.kill(os.getpid(), signal.SIGKILL)

    return run


async def main(node: str, when: str, user: str, thread: str, text: str) -> None:
    module, name = NODES[node]
    found = import_module(module)
    setattr(found, name, dying(getattr(found, name), when))
    from graph.runner import open_agent

    async with open_agent() as agent:
        await agent.say(text, user=user, thread=thread)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
