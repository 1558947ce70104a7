"""The sync face of an agent, for scripts and notebooks that do not await: the same object, run on a loop of its own."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from typing import Any

from anyio.from_thread import BlockingPortal, start_blocking_portal

from graph.runner import Agent, Round, open_agent
from memory.settings import Settings


class SyncAgent:
    """What `Agent` does, called without await. Made by `open_sync_agent`; may be used from several threads."""

    def __init__(self, agent: Agent, portal: BlockingPortal) -> None:
        self._agent, self._portal = agent, portal

    def say(
        self, text: str, *, user: str = "me", thread: str = "default", time: datetime | str | None = None, files: Sequence[Mapping[str, str]] = ()
    ) -> Round:  # fmt: skip
        """See `Agent.say`."""
        return self._portal.call(partial(self._agent.say, text, user=user, thread=thread, time=time, files=files))

    def sessions(self, user: str = "me") -> list[dict[str, Any]]:
        """See `Agent.sessions`."""
        return self._portal.call(self._agent.sessions, user)

    def session(self, user: str, thread: str) -> dict[str, Any]:
        """See `Agent.session`."""
        return self._portal.call(self._agent.session, user, thread)

    def end(self, user: str, thread: str) -> dict[str, Any]:
        """See `Agent.end`."""
        return self._portal.call(self._agent.end, user, thread)

    def undo(self, user: str, thread: str, steps: int = 1) -> dict[str, Any]:
        """See `Agent.undo`."""
        return self._portal.call(self._agent.undo, user, thread, steps)


@contextmanager
def open_sync_agent(settings: Settings | None = None) -> Iterator[SyncAgent]:
    """A `SyncAgent` on the configured Postgres, closed with the block. Raises MemoryUnavailable when it cannot be opened."""
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(open_agent(settings)) as agent:
        yield SyncAgent(agent, portal)
