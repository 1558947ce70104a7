"""What goes wrong with Postgres, in words: the one edge where psycopg's errors become ours."""

import functools
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Final, ParamSpec, TypeVar

import psycopg
from psycopg_pool import PoolClosed, PoolTimeout

from memory.errors import JizhuError, MemoryUnavailable

APPLICATION: Final = "jizhu"  # how every connection of ours begins its name in pg_stat_activity
FAILURES: Final = (JizhuError, psycopg.Error, PoolTimeout, OSError)  # what work with memory may raise, whatever store it is; a timeout is an OSError
P = ParamSpec("P")
T = TypeVar("T")
LOST: Final = (psycopg.OperationalError, psycopg.errors.IdleInTransactionSessionTimeout)


@contextmanager
def in_words() -> Iterator[None]:
    """No connection, or a connection that breaks inside, becomes MemoryUnavailable with the cause attached. Errors of the statement itself pass."""
    try:
        yield
    except (PoolTimeout, PoolClosed) as error:
        raise MemoryUnavailable("The memory database cannot be reached, or all its connections are busy.") from error
    except psycopg.errors.ProgramLimitExceeded:  # a value too large for an index: an operational error by name only
        raise
    except LOST as error:
        raise MemoryUnavailable(f"The memory database ended the work: {error.diag.message_primary or type(error).__name__}.") from error


def lost_midway(error: MemoryUnavailable) -> bool:
    """Whether the connection broke after it was had: then trying again may help at once."""
    return isinstance(error.__cause__, LOST) and not isinstance(error.__cause__, (PoolTimeout, PoolClosed))


def retried(work: Callable[P, Awaitable[T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """The work, done once more from its start if the server ended the connection under it. For work that may be done twice."""

    @functools.wraps(work)
    async def twice(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return await work(*args, **kwargs)
        except MemoryUnavailable as error:
            if not lost_midway(error):
                raise
            return await work(*args, **kwargs)

    return twice
