"""What goes wrong with Postgres, in words: the one edge where psycopg's errors become ours."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import psycopg
from psycopg_pool import PoolClosed, PoolTimeout

from memory.errors import JizhuError, MemoryUnavailable

APPLICATION: Final = "jizhu"  # how every connection of ours begins its name in pg_stat_activity
FAILURES: Final = (JizhuError, psycopg.Error, PoolTimeout, OSError)  # what work with memory may raise, whatever store it is; a timeout is an OSError
LOST: Final = (psycopg.OperationalError, psycopg.errors.IdleInTransactionSessionTimeout)


@contextmanager
def in_words() -> Iterator[None]:
    """No connection, or a connection that breaks inside, becomes MemoryUnavailable with the cause attached. Errors of the statement itself pass."""
    try:
        yield
    except (PoolTimeout, PoolClosed) as error:
        raise MemoryUnavailable("The memory database cannot be reached, or all its connections are busy.") from error
    except LOST as error:
        raise MemoryUnavailable(f"The memory database ended the work: {error.diag.message_primary or type(error).__name__}.") from error


def lost_midway(error: MemoryUnavailable) -> bool:
    """Whether the connection broke after it was had: then trying again may help at once."""
    return isinstance(error.__cause__, LOST) and not isinstance(error.__cause__, (PoolTimeout, PoolClosed))
