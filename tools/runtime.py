"""What every tool needs from its runtime: who the user is, what was said, where memory is; and how a failure is put into words.

`user_of` is the one place where identity is decided. On a server with authentication it is the authenticated user; the context is only believed
where there is no authentication, and the model is never asked.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import wraps
from typing import Any, ParamSpec, Protocol

import psycopg
from langchain.tools import ToolRuntime
from langchain_core.messages import AnyMessage, HumanMessage
from langgraph.store.base import BaseStore
from psycopg_pool import PoolTimeout

from graph.context import Context
from graph.state import State
from memory.errors import BadInput, ForModel, ForUser, JizhuError, MemoryUnavailable
from memory.instants import instant
from memory.namespace import user_id
from memory.record import Source
from memory.settings import load_settings

Runtime = ToolRuntime[Context, State]
Report = tuple[str, list[dict[str, Any]]]
P = ParamSpec("P")

DEFAULT_USER = "me"


class OfRun(Protocol):
    """What `user_of` and `store_of` read; graph nodes' Runtime and tools' ToolRuntime both have it."""

    @property
    def context(self) -> Any: ...
    @property
    def server_info(self) -> Any: ...

    @property
    def store(self) -> BaseStore | None: ...


def user_of(runtime: OfRun) -> str:
    """The user whose memory this run may touch. Raises BadInput for an id that is empty or too long."""
    user = getattr(runtime.server_info, "user", None)
    if user is not None:
        return user_id(user.identity)
    context = runtime.context
    if isinstance(context, Mapping):
        return user_id(context.get("user_id", DEFAULT_USER))
    return user_id(getattr(context, "user_id", DEFAULT_USER))


def store_of(runtime: OfRun) -> BaseStore:
    """The store of this run. Raises MemoryUnavailable when the graph runs without one."""
    if runtime.store is None:
        raise MemoryUnavailable("There is no memory store in this run.")
    return runtime.store


def said(runtime: Runtime) -> list[HumanMessage]:
    """The user's own messages in this thread, oldest first."""
    messages: Sequence[AnyMessage] = (runtime.state or {}).get("messages", [])
    return [m for m in messages if isinstance(m, HumanMessage)]


def time_of(message: AnyMessage | None) -> datetime:
    """When a message was said: its own time where it has one that can be read, else now, in the configured zone."""
    stamp = message.additional_kwargs.get("time") if message is not None else None
    if stamp is not None:
        with suppress(BadInput):
            return instant(stamp, load_settings().zone)
    return datetime.now(load_settings().zone)


def source_of(runtime: Runtime, message: AnyMessage | None, text: str | None = None) -> Source:
    """Which message of which thread a change comes from."""
    thread = (runtime.config.get("configurable") or {}).get("thread_id")
    return Source(thread=str(thread) if thread else None, message=message.id if message is not None else None, text=text)


def in_words(tool: Callable[P, Awaitable[Report]]) -> Callable[P, Awaitable[Report]]:
    """Let a tool answer the model in words where memory cannot do what was asked: it never raises into the graph."""

    @wraps(tool)
    async def answer(*args: P.args, **kwargs: P.kwargs) -> Report:
        try:
            return await tool(*args, **kwargs)
        except (ForModel, ForUser) as error:
            return str(error), [{"op": "refused", "error": type(error).__name__, "reason": str(error)}]
        except JizhuError as error:
            return f"Memory is out of reach: {error}", [{"op": "failed", "error": type(error).__name__, "reason": str(error)}]
        except (psycopg.Error, PoolTimeout, OSError) as error:
            return "Memory is out of reach right now; nothing was changed.", [{"op": "failed", "error": type(error).__name__, "reason": "database"}]

    return answer
