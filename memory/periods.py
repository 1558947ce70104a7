"""Stretches of days that words of time stand for, counted from a day `today` (its midnight). Pure arithmetic; weeks start on Monday.

What names no year is placed by `placed`: the latest such stretch that has begun, with "last" the latest that is over, with "next" the first to come.
Raises ValueError or OverflowError for what no calendar has (31 February, the year 0).
"""

from calendar import monthrange
from collections import defaultdict
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final, Literal, NamedTuple

Groups = defaultdict[str, Any]  # of a matched expression of time: name → what was said, None where nothing was
Lead = Literal["", "last", "this", "next"]
Season = Literal["spring", "summer", "autumn", "winter"]
_SEASONS: Final[dict[Season, int]] = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}  # first month; winter runs into the next year
_LENGTH: Final = {"day": 1, "week": 7, "fortnight": 14, "month": 30, "year": 365}
FEW: Final = (2, 6)  # how many "a few", 几 are
_SEARCHED: Final = 9  # years: 29 February comes every four, around 2100 every eight


class Span(NamedTuple):
    """A stretch of time: `since` is in it, `until` is not."""

    since: datetime
    until: datetime


def days(first: datetime, count: int = 1) -> Span:
    """So many days from `first` on."""
    return Span(first, first + timedelta(days=count))


def day_of(today: datetime, year: int, month: int, day: int, count: int = 1) -> Span:
    """So many days from a date on."""
    return days(today.replace(year=year, month=month, day=day), count)


def months(today: datetime, year: int, month: int, count: int = 1) -> Span:
    """So many months from `month` of `year` on; `month` may be 0 or below or over 12 (of other years)."""
    return Span(*(today.replace(year=year + (m - 1) // 12, month=(m - 1) % 12 + 1, day=1) for m in (month, month + count)))


def third(span: Span, part: int) -> Span:
    """The days 1–10, 11–20 or 21 to the end of a month, `part` 0, 1, 2."""
    return Span(span.since + timedelta(days=10 * part), span.until if part == 2 else span.since + timedelta(days=10 * part + 10))


def named_month(month: int) -> int:
    """`month`, if a year has it."""
    if not 1 <= month <= 12:
        raise ValueError(month)
    return month


def season(today: datetime, name: Season, year: int | None, lead: Lead = "") -> Span:
    """A season of three months. In January and February this winter began in the year before."""
    if name == "winter" and today.month < 3 and (lead == "this" or year == today.year):
        return months(today, today.year - 1, 12, 3)
    return placed(lambda y: months(today, y, _SEASONS[name], 3), today, year, lead)


def week(today: datetime, steps: int, weekday: int | None = None, count: int = 7) -> Span:
    """The week `steps` after this one, or `count` days of it from `weekday` (Monday is 0) on."""
    return days(today + timedelta(days=7 * steps - today.weekday() + (weekday or 0)), count)


def weekday(today: datetime, day: int) -> Span:
    """The latest such day of the week, today included."""
    return days(today - timedelta(days=(today.weekday() - day) % 7))


def day_of_month(today: datetime, day: int) -> Span:
    """The latest such day of a month, today included."""
    for back in range(4):
        first, end = months(today, today.year, today.month - back)
        if 1 <= day <= monthrange(first.year, first.month)[1] and (then := days(first.replace(day=day))).since <= today and then.until <= end:
            return then
    raise ValueError(day)


def ago(today: datetime, amount: float | None, unit: str) -> Span:
    """So many units before; None: a few. Roughly then: the vaguer the unit, the wider the span."""
    length = _LENGTH[unit]
    if amount is None:
        return Span(today - timedelta(days=FEW[1] * length), today - timedelta(days=FEW[0] * length - 1))
    middle, slack = today - timedelta(days=round(amount * length)), timedelta(days=length // 2 if amount >= 1 else length // 8)
    return Span(middle - slack, middle + slack + timedelta(days=1))


def lately(today: datetime, amount: float | None, unit: str) -> Span:
    """The last so many units, today included; None: a few."""
    return Span(today - timedelta(days=round((amount or FEW[1]) * _LENGTH[unit])), today + timedelta(days=1))


def nothing(*_: object) -> None:
    """Reads a word of time that names no days."""
    return


def placed(make: Callable[[int], Span], today: datetime, year: int | None, lead: Lead = "") -> Span:
    """What `make` builds for `year`, or for the year that is meant where none is named."""
    if year is not None or lead == "this":
        return make(today.year if year is None else year)
    for n in range(_SEARCHED):
        try:
            span = make(today.year + n if lead == "next" else today.year - n)
        except ValueError:
            continue
        if span.since > today if lead == "next" else span.until <= today if lead == "last" else span.since <= today:
            return span
    raise ValueError("no such day")
