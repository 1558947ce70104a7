"""Days, months and years that English words for them mean, counted from a day. Weeks start on Monday, so that "next Friday" is the Friday of the next
week; a date without a year is the coming one, or the latest one when the talk is of the past. Without a day to count from only absolute dates have a form.
"""

import calendar
import re
from datetime import date, timedelta
from typing import Final

MONTHS: Final = {m: i for i, names in enumerate(
    ("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug", "september sept sep",
     "october oct", "november nov", "december dec"), 1) for m in names.split()}  # fmt: skip
DAYS: Final = {d: i for i, names in enumerate(
    ("monday mon", "tuesday tues tue", "wednesday weds wed", "thursday thurs thur thu", "friday fri", "saturday sat", "sunday sun")
) for d in names.split()}  # fmt: skip
HOLIDAYS: Final = {
    "christmas eve": (12, 24), "christmas day": (12, 25), "christmas": (12, 25), "xmas": (12, 25), "boxing day": (12, 26),
    "new year's eve": (12, 31), "new years eve": (12, 31), "new year's day": (1, 1), "new year's": (1, 1), "new year": (1, 1),
    "valentine's day": (2, 14), "valentines day": (2, 14), "valentine's": (2, 14), "halloween": (10, 31), "st patrick's day": (3, 17),
    "independence day": (7, 4), "bonfire night": (11, 5),
}  # fmt: skip


def side(day: date, today: date | None) -> int:
    """−1 before `today`, 0 on it or when it is unknown, +1 after it."""
    return 0 if today is None else (day > today) - (day < today)


def month_year(text: str) -> str:
    """ "june 2019" or "2019" → an ISO month or year."""
    month, _, year = text.rpartition(" ")
    return f"{year}-{MONTHS[month.rstrip('.')]:02d}" if month else year


def day_month(day: int, month: int, year: str | None, today: date | None, past: bool) -> tuple[str | None, int]:
    """(ISO day, side). Raises ValueError for a day that the month lacks."""
    if year:
        when = date(int(year), month, day)
        return when.isoformat(), side(when, today)
    if not 1 <= day <= calendar.monthrange(2024, month)[1]:
        raise ValueError("no such day")
    if today is None:
        return None, -1 if past else 1
    for y in range(today.year - (1 if past else 0), today.year + 9):
        if day > calendar.monthrange(y, month)[1]:
            continue
        when = date(y, month, day)
        if past and y == today.year - 1 and (month, day) <= (today.month, today.day):
            continue
        if past or when >= today:
            return when.isoformat(), -1 if past else 1
    return None, 1


def shift(today: date, months: int) -> tuple[int, int]:
    """(year, month) so many months on."""
    index = today.year * 12 + today.month - 1 + months
    return index // 12, index % 12 + 1


def coming(today: date, weekday: int) -> date:
    """The next such day of the week (Monday is 0), never `today`."""
    return today + timedelta((weekday - today.weekday() - 1) % 7 + 1)


def edge(which: str, rel: str, unit: str, today: date | None) -> str | None:
    """ "end of next month": ISO day of a week, month of a month or year."""
    if today is None:
        return None
    step = {"next": 1, "last": -1}.get(rel, 0)
    if unit == "week":
        monday = today - timedelta(today.weekday()) + timedelta(7 * step)
        return (monday + timedelta({"end": 4, "middle": 2}.get(which, 0))).isoformat()
    if unit == "month":
        y, mo = shift(today, step)
        return f"{y}-{mo:02d}"
    return f"{today.year + step}-{ {'end': 12, 'middle': 6}.get(which, 1):02d}"


def calculated(m: re.Match[str], today: date) -> date:
    """The last day of a month, its first Monday, a fortnight tomorrow, tomorrow week, the Monday after next."""
    if m["can"]:
        return today - timedelta(today.weekday()) + timedelta(14 + DAYS[m["can"]])
    if m["cd"] or m["ct"]:
        weeks = {"a": 1, "two": 2, "three": 3, "2": 2, "3": 3}[m["cn"] or "a"] * (2 if "fortnight" in (m["cu"], m["cf"]) else 1)
        return today + timedelta(weeks * 7 + ((m["cd"] or m["ct"]) == "tomorrow"))
    told = (m["cm"] or "").rstrip(".")
    if told in MONTHS:
        year, month = today.year + (MONTHS[told] < today.month), MONTHS[told]
    else:
        year, month = shift(today, 1 if "next" in (m["cl"] or told) else 0)
    days = [date(year, month, n) for n in range(1, calendar.monthrange(year, month)[1] + 1)]
    if m["cl"]:
        return days[-1]
    fits = [d for d in days if d.weekday() == DAYS[m["cw"]]]
    return fits[-1 if m["ck"] == "last" else ("first", "second", "third", "fourth").index(m["ck"])]


def relative_unit(unit: str, rel: str, today: date | None) -> tuple[str | None, int]:
    """ "next year", "month after next": (ISO form where there is one, side)."""
    step = (
        2
        if rel == "after next"
        else -2
        if rel == "before last"
        else 1
        if "next" in rel or "coming" in rel
        else -1
        if re.search("last|past", rel)
        else 0
    )
    if today is None or unit in {"spring", "autumn", "fall", "winter", "summer", "semester", "term", "quarter", "decade"}:
        return None, (step > 0) - (step < 0) or 1
    if unit == "year":
        return str(today.year + step), step
    if unit == "month":
        y, mo = shift(today, step)
        return f"{y}-{mo:02d}", step
    monday = today - timedelta(today.weekday()) + timedelta(7 * step)
    return ((monday + timedelta(5)).isoformat() if unit == "weekend" else None), step


def offset(n: int | float | None, unit: str, sign: int, today: date | None) -> str | None:
    """So many units before (`sign` −1) or after `today`: an ISO day, month or year."""
    if n is None or today is None or unit in {"hour", "hr", "minute", "min"}:
        return None
    if unit in {"day", "night"}:
        return (today + timedelta(int(n) * sign)).isoformat()
    if unit in {"week", "fortnight"}:
        return (today + timedelta(int(n) * (14 if unit == "fortnight" else 7) * sign)).isoformat()
    if unit == "month":
        y, mo = shift(today, int(n) * sign)
        return f"{y}-{mo:02d}" if 1 <= y <= 9999 else None
    years = int(n) * (10 if unit == "decade" else 1) * sign
    return str(today.year + years) if 1 <= today.year + years <= 9999 else None


def holiday(name: str, lead: str, today: date | None, past: bool) -> tuple[str | None, int]:
    """(ISO day, side) of the coming holiday of that name, or of the last one."""
    back = lead == "last" or past
    if today is None:
        return None, -1 if back else 1
    day = holiday_in(name, today.year)
    if back and day >= today:
        day = holiday_in(name, today.year - 1)
    elif not back and day < today:
        day = holiday_in(name, today.year + 1)
    return day.isoformat(), -1 if back else 1


def holiday_in(name: str, year: int) -> date:
    if name == "thanksgiving":
        first = date(year, 11, 1)
        return first + timedelta((3 - first.weekday()) % 7 + 21)
    if name.startswith("easter"):  # the anonymous Gregorian computus
        a, b, c = year % 19, year // 100, year % 100
        h = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
        k = (32 + 2 * (b % 4) + 2 * (c // 4) - h - c % 4) % 7
        n = h + k - 7 * ((a + 11 * h + 22 * k) // 451) + 114
        return date(year, n // 31, n % 31 + 1)
    month, day = HOLIDAYS[name]
    return date(year, month, day)
