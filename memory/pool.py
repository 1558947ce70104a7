"""Connections to Postgres: how each is made, and a pool that hands out none that is dead.

No prepared statements and no session state, so that PgBouncer may stand in between in transaction mode.
"""

import asyncio
import logging
import secrets
import select
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final
from weakref import WeakKeyDictionary

import psycopg
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool

from memory.database import APPLICATION

POOL_SECONDS: Final = 3.0
POOL_SIZE: Final = 10
TRUSTED_SECONDS: Final = 5.0  # after an answer, for as long as the server has not hung up, a connection is taken to be alive
CONNECTION: Final[dict[str, Any]] = {
    "autocommit": True,
    "prepare_threshold": None,
    "row_factory": dict_row,
    "connect_timeout": 5,
    "application_name": f"{APPLICATION} {secrets.token_hex(4)}",
}

# What the pool has to say is said by our errors; without a handler of the application's own it would be printed into the chat.
logging.getLogger("psycopg.pool").addHandler(logging.NullHandler())


@asynccontextmanager
async def open_pool(url: str) -> AsyncIterator[AsyncConnectionPool[Any]]:
    """An open pool. Its connections are looked at before use; it says within `POOL_SECONDS` that there are none."""
    sweeps = set[asyncio.Task[None]]()
    answered: WeakKeyDictionary[psycopg.AsyncConnection[Any], float] = WeakKeyDictionary()

    async def check(conn: psycopg.AsyncConnection[Any]) -> None:
        """Is the connection alive? One that is dead seldom died alone: then all idle ones are looked at, before the pool starts to wait between tries.

        A server that ends a connection says so or hangs up, and either can be seen here without asking; only one that vanished silently cannot, so that
        from time to time the server is asked all the same.
        """
        if time.monotonic() - answered.get(conn, -TRUSTED_SECONDS) < TRUSTED_SECONDS and _silent(conn):
            return
        try:
            await AsyncConnectionPool.check_connection(conn)
            answered[conn] = time.monotonic()
        except psycopg.Error:
            sweep = asyncio.create_task(pool.check())
            sweeps.add(sweep)
            sweep.add_done_callback(sweeps.discard)
            raise

    # reconnect_timeout: a pool that goes on trying waits longer and longer, and notices late that Postgres is back; ours gives up and
    # tries anew when it is asked for a connection.
    pool: AsyncConnectionPool[Any] = AsyncConnectionPool(
        url, kwargs=CONNECTION, min_size=1, max_size=POOL_SIZE, timeout=POOL_SECONDS, reconnect_timeout=POOL_SECONDS, check=check, open=False
    )
    async with pool:
        yield pool


def _silent(conn: psycopg.AsyncConnection[Any]) -> bool:
    """Whether nothing has come from the server since its last answer."""
    try:
        waiting = select.poll()
        waiting.register(conn.fileno(), select.POLLIN | select.POLLERR | select.POLLHUP)
        return not waiting.poll(0)
    except (psycopg.Error, OSError, ValueError):
        return False
