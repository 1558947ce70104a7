"""Which days a question means: "last Friday", "in May", 5月4日, 上周三, 去年 → spans of time. Pure; the day it is comes from the caller.

A span without a year covers the latest such day or month that has begun. Spans only ever raise what lies in them; they never hide the rest.
"""

import calendar
import re
from datetime import datetime, timedelta
from typing import Final, NamedTuple

_MONTHS: Final = "january february march april may june july august september october november december".split()  # noqa: SIM905
_WEEKDAYS: Final = "monday tuesday wednesday thursday friday saturday sunday".split()  # noqa: SIM905
_HAN: Final = {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "日": 7, "天": 7, "七": 7, "八": 8, "九": 9, "十": 10, "几": 3}
_MONTH_EN: Final = (
    r"(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)

_ISO: Final = re.compile(r"(?<!\d)(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?(?!\d)")
_ZH_DATE: Final = re.compile(r"(?:(\d{4})\s*年)?\s*(?<!\d)(\d{1,2})\s*月(?:份)?\s*(?:(\d{1,2})\s*[日号])?")
_ZH_YEAR: Final = re.compile(r"(?<!\d)(\d{4})\s*年(?!\s*\d{1,2}\s*月)")
_EN_DATE: Final = re.compile(
    rf"\b(?:(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH_EN}|{_MONTH_EN}\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?(?!\d))(?:,?\s+(\d{{4}}))?\b", re.I
)
_EN_MONTH: Final = re.compile(rf"\b(?:in|of|during|since|last|late|early|mid)?[\s-]*{_MONTH_EN}(?:,?\s+(\d{{4}}))?\b", re.I)
_EN_YEAR: Final = re.compile(r"\b(?:in|of|during|since)\s+((?:19|20)\d{2})\b", re.I)
_ZH_WEEKDAY: Final = re.compile(r"(上上|上|这|本)?(?:周|星期|礼拜)([一二三四五六日天])")
_EN_WEEKDAY: Final = re.compile(r"\b(?:(last|this|on)\s+)?(monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b", re.I)
_DAYS: Final = (
    (re.compile(r"今天|今早|今晚|\btoday\b|\btonight\b", re.I), 0), (re.compile(r"昨天|昨晚|\byesterday\b|\blast night\b", re.I), 1),
    (re.compile(r"(?<!大)前天|\bday before yesterday\b", re.I), 2), (re.compile(r"大前天"), 3),
)  # fmt: skip
_AGO: Final = re.compile(
    r"([一二两三四五六七八九十几\d]+)\s*个?(天|周|星期|礼拜|月|年)前|\b(a|an|one|two|three|four|five|six|seven|\d+|a few|a couple of)\s+(day|week|month|year)s?\s+ago\b",
    re.I,
)
_WEEK: Final = re.compile(r"(上上|上|这|本)个?(?:周|星期|礼拜)(?![一二三四五六日天])|\b(last|this|past)\s+(week|weekend)\b", re.I)
_MONTH: Final = re.compile(r"(上上|上|这|本)个?月|\b(last|this|past)\s+month\b", re.I)
_YEAR: Final = re.compile(r"(前年|去年|今年)|\b(last|this)\s+year\b", re.I)
_WORDS_EN: Final = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "a few": 3, "a couple of": 2}


class Span(NamedTuple):
    """A stretch of time: `since` is in it, `until` is not."""

    since: datetime
    until: datetime


def spans(text: str, now: datetime) -> tuple[Span, ...]:
    """The days, months or years that `text` names, in the zone of `now`; impossible dates are passed over."""
    day = now.replace(hour=0, minute=0, second=0, microsecond=0)
    found: list[Span] = []
    try:
        found += _absolute(text, day)
        found += _relative(text, day)
    except (OverflowError, ValueError):
        return tuple(found)
    return tuple(dict.fromkeys(found))


def _absolute(text: str, day: datetime) -> list[Span]:
    out: list[Span | None] = [_date(day, m[1], m[2], m[3]) for m in _ISO.finditer(text)]
    out += [_date(day, m[1], m[2], m[3]) for m in _ZH_DATE.finditer(text)]
    out += [_date(day, m[1], None, None) for m in _ZH_YEAR.finditer(text)]
    rest = text
    for m in _EN_DATE.finditer(text):
        out.append(_date(day, m[5], str(_month(m[2] or m[3])), m[1] or m[4]))
        rest = rest.replace(m[0], " ")
    for m in _EN_MONTH.finditer(rest):
        if m[1].lower() not in {"may", "march", "mar"} or m[0].strip().lower() != m[1].lower() or m[1][0].isupper():
            out.append(_date(day, m[2], str(_month(m[1])), None))
    out += [_date(day, m[1], None, None) for m in _EN_YEAR.finditer(rest)]
    return [s for s in out if s]


def _relative(text: str, day: datetime) -> list[Span]:
    out = [_span(day - timedelta(days=n)) for pattern, n in _DAYS if pattern.search(text)]
    monday = day - timedelta(days=day.weekday())
    for m in _ZH_WEEKDAY.finditer(text):
        weeks = {"上上": 2, "上": 1}.get(m[1] or "", 0)
        then = monday - timedelta(weeks=weeks) + timedelta(days=_HAN[m[2]] - 1)
        out.append(_span(then if then <= day else then - timedelta(weeks=1)))
    for m in _EN_WEEKDAY.finditer(text):
        back = (day.weekday() - _WEEKDAYS.index(m[2].lower())) % 7 or (7 if (m[1] or "").lower() == "last" else 0)
        out.append(_span(day - timedelta(days=back)))
    for m in _AGO.finditer(text):
        amount = _amount(m[1]) if m[1] else _WORDS_EN.get(m[3].lower()) or int(m[3])
        out.append(_ago(day, amount, {"天": "day", "月": "month", "年": "year"}.get(m[2], "week") if m[2] else m[4].lower()))
    for m in _WEEK.finditer(text):
        start = monday - timedelta(weeks={"上上": 2, "上": 1}.get(m[1], 0)) if m[1] else monday - timedelta(weeks=0 if m[2].lower() == "this" else 1)
        out.append(Span(start, start + timedelta(days=7)))
    for m in _MONTH.finditer(text):
        back = {"上上": 2, "上": 1}.get(m[1], 0) if m[1] else 0 if m[2].lower() == "this" else 1
        out.append(_months(day.year, day.month - back, day))
    for m in _YEAR.finditer(text):
        back = {"前年": 2, "去年": 1}.get(m[1], 0) if m[1] else 0 if m[2].lower() == "this" else 1
        out.append(_years(day.year - back, day))
    return out


def _span(day: datetime) -> Span:
    return Span(day, day + timedelta(days=1))


def _ago(day: datetime, amount: int, unit: str) -> Span:
    """Roughly then: the vaguer the unit, the wider the span."""
    length = {"day": 1, "week": 7, "month": 30, "year": 365}[unit]
    middle, slack = day - timedelta(days=amount * length), timedelta(days=length // 2)
    return Span(middle - slack, middle + slack + timedelta(days=1))


def _amount(text: str) -> int:
    if text.isdigit():
        return int(text)
    if "十" in text:
        tens, _, ones = text.partition("十")
        return (_HAN.get(tens, 1) if tens else 1) * 10 + (_HAN.get(ones, 0) if ones else 0)
    return _HAN.get(text[0], 1)


def _month(name: str) -> int:
    return next(i for i, m in enumerate(_MONTHS, start=1) if m.startswith(name.lower()[:3]))


def _date(day: datetime, year: str | None, month: str | None, dom: str | None) -> Span | None:
    """A year, month or day; without a year, the latest that has begun."""
    try:
        if month is None:
            return _years(int(year), day) if year else None
        y = int(year) if year else day.year
        span = _exact(y, int(month), dom, day)
        return span if year or span.since <= day else _exact(y - 1, int(month), dom, day)
    except ValueError:
        return None


def _exact(year: int, month: int, dom: str | None, day: datetime) -> Span:
    if dom is None:
        if not 1 <= month <= 12:
            raise ValueError(month)
        return _months(year, month, day)
    return _span(day.replace(year=year, month=month, day=int(dom)))


def _months(year: int, month: int, day: datetime) -> Span:
    """The month; `month` may be 0 or below (of an earlier year)."""
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    start = day.replace(year=year, month=month, day=1)
    return Span(start, start + timedelta(days=calendar.monthrange(year, month)[1]))


def _years(year: int, day: datetime) -> Span:
    return Span(day.replace(year=year, month=1, day=1), day.replace(year=year + 1, month=1, day=1))
