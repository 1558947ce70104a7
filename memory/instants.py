"""A time as it comes in, from a line, a message or a call: aware, and within the years that every zone and every reader can show."""

from datetime import UTC, datetime, tzinfo
from typing import Final

from memory.errors import BadInput

EARLIEST: Final = datetime(1000, 1, 1, tzinfo=UTC)
LATEST: Final = datetime(9000, 1, 1, tzinfo=UTC)


def instant(value: object, zone: tzinfo, what: str = '"time"') -> datetime:
    """An ISO 8601 date or time, or a datetime; one without an offset is in `zone`. Raises BadInput, whose sentence begins with `what`."""
    try:
        if not isinstance(value, (str, datetime)):
            raise ValueError
        when = datetime.fromisoformat(value.strip()) if isinstance(value, str) else value
    except ValueError:
        raise BadInput(f'{what} must be an ISO 8601 date or time such as "2026-02-03T09:30:00+08:00"; got {str(value)[:40]!r}.') from None
    when = when if when.tzinfo else when.replace(tzinfo=zone)
    if not showable(when):
        raise BadInput(f"{what} must lie between the years {EARLIEST.year} and {LATEST.year}; got {str(value)[:40]!r}.")
    return when


def showable(when: datetime) -> bool:
    """Whether an aware time can be shifted into any zone: near the years 1 and 9999 that overflows, and whoever reads it fails."""
    return EARLIEST <= when < LATEST
