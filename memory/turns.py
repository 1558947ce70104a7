"""One round at a time in each thread, whatever process it runs in: two that begin from the same checkpoint would each drop what the other was told.

A lease in Postgres, renewed while the round runs, rather than a lock: a lock would hold a connection for as long as a model thinks, and PgBouncer would
lose it.
"""

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Final

import psycopg
from psycopg import AsyncCursor
from psycopg.rows import DictRow
from psycopg_pool import PoolTimeout

from memory.database import retried
from memory.errors import JizhuError

LEASE: Final = 8.0
"""Seconds that a turn lasts unless it is renewed: how long a thread waits for a process that was killed in a round."""
RENEWED: Final = LEASE / 4
LOOKS: Final = (0.02, 0.5)
"""Seconds between two looks at a thread that is taken: the first, and the most."""

_TAKE: Final = """
INSERT INTO memory_turns (thread, user_id, holder, until) VALUES (%(thread)s, %(user)s, %(holder)s, now() + %(lease)s * interval '1 second')
ON CONFLICT (thread) DO UPDATE SET holder = excluded.holder, until = excluded.until
WHERE memory_turns.until < now() OR memory_turns.holder = excluded.holder RETURNING 1
"""

Cursors = Callable[[], AbstractAsyncContextManager[AsyncCursor[DictRow]]]


@asynccontextmanager
async def turn(cursors: Cursors, stored_id: str) -> AsyncIterator[None]:
    """Waits for the thread's turn and holds it. Raises what Postgres raises when the turn cannot be had; that it cannot be given back harms nobody."""
    mine = {"thread": stored_id, "user": stored_id.partition(":")[0], "holder": uuid.uuid4(), "lease": LEASE}
    pause, most = LOOKS
    while not await _taken(cursors, mine):
        await asyncio.sleep(pause)
        pause = min(pause * 1.5, most)
    renewing = asyncio.create_task(_renew(cursors, mine))
    try:
        yield
    finally:
        renewing.cancel()
        with suppress(asyncio.CancelledError):
            await renewing
        with suppress(JizhuError, psycopg.Error, PoolTimeout):
            await _give_back(cursors, mine)


@retried
async def _taken(cursors: Cursors, mine: dict[str, object]) -> bool:
    async with cursors() as cur:
        await cur.execute(_TAKE, mine)
        return await cur.fetchone() is not None


@retried
async def _give_back(cursors: Cursors, mine: dict[str, object]) -> None:
    async with cursors() as cur:
        await cur.execute("DELETE FROM memory_turns WHERE thread = %(thread)s AND holder = %(holder)s", mine)


async def _renew(cursors: Cursors, mine: dict[str, object]) -> None:
    while True:
        await asyncio.sleep(RENEWED)
        with suppress(JizhuError, psycopg.Error, PoolTimeout):
            await _taken(cursors, mine)
