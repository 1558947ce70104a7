"""The store and the checkpointer that a LangGraph server is given: the same Postgres as everywhere else."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from memory.checkpointer import Checkpointer
from memory.open import open_memory
from memory.settings import load_settings
from memory.store import MemoryStore


@asynccontextmanager
async def store() -> AsyncIterator[MemoryStore]:
    """The long-term memory, open while the server runs."""
    async with open_memory(load_settings()) as (memory, _, _):
        yield memory


@asynccontextmanager
async def checkpointer() -> AsyncIterator[Checkpointer]:
    """The threads' short-term memory, open while the server runs."""
    async with open_memory(load_settings()) as (_, threads, _):
        yield threads
