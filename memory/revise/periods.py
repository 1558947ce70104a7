"""When something was true: dates, months and years as candidates tell them, turned into aware times in the zone of the message."""

from datetime import datetime, timedelta, tzinfo
from typing import Final

from memory.pattern import regex

_ISO: Final = regex(r"^(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?")


def start_of(text: str | None, zone: tzinfo | None) -> datetime | None:
    """The first moment of an ISO year, month or day (a full timestamp as it stands); None when it is not one."""
    return _moment(text, zone, end=False)


def end_of(text: str | None, zone: tzinfo | None) -> datetime | None:
    """The last second of an ISO year, month or day: "2018" ends as 2018 does."""
    return _moment(text, zone, end=True)


def _moment(text: str | None, zone: tzinfo | None, *, end: bool) -> datetime | None:
    if not text:
        return None
    if "T" in text or " " in text.strip():
        try:
            exact = datetime.fromisoformat(text.strip())
        except ValueError:
            return None
        return exact if exact.tzinfo else exact.replace(tzinfo=zone)
    found = _ISO.match(text.strip())
    if not found:
        return None
    year, month, dom = int(found[1]), int(found[2] or 0), int(found[3] or 0)
    try:
        start = datetime(year, month or 1, dom or 1, tzinfo=zone)
        if not end:
            return start
        if dom:
            after = start + timedelta(days=1)
        elif month:
            after = datetime(year + month // 12, month % 12 + 1, 1, tzinfo=zone)
        else:
            after = datetime(year + 1, 1, 1, tzinfo=zone)
    except (ValueError, OverflowError):
        return None
    return after - timedelta(seconds=1)


def overlap(a: tuple[datetime | None, datetime | None], b: tuple[datetime | None, datetime | None]) -> bool:
    """Whether two periods touch; None is open."""
    return not ((a[1] and b[0] and a[1] < b[0]) or (b[1] and a[0] and b[1] < a[0]))
