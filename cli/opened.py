"""Memory, opened for one command."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

from memory.settings import load_settings

if TYPE_CHECKING:
    from memory.store import MemoryStore

T = TypeVar("T")


def with_store(work: "Callable[[MemoryStore], Awaitable[T]]") -> T:
    """Runs `work` on the configured memory. Raises MemoryUnavailable and its kin with one sentence."""

    async def run() -> T:
        from memory.open import open_memory

        async with open_memory(load_settings()) as (store, _, _):
            return await work(store)

    return asyncio.run(run())
