"""English words of time in a question → spans (`memory.times`). Reads folded text: lower case, half-width."""

import re
from datetime import datetime, timedelta
from typing import Final

from memory.judge.en.dates import DAYS, HOLIDAYS, MONTHS, holiday_in
from memory.judge.en.numbers import COUNT, ORDINAL, number, ordinal
from memory.pattern import regex
from memory.periods import (
    Groups,
    Lead,
    Season,
    Span,
    ago,
    day_of,
    day_of_month,
    days,
    lately,
    months,
    nothing,
    placed,
    season,
    third,
    week,
    weekday,
)

_MON: Final = r"(?P<mon>" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")\b\.?"
_WD: Final = r"(?P<wd>monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
_UNIT: Final = r"(?P<u>day|night|week|fortnight|month|year)s?"
_STEP: Final = r"last|past|previous|this|current|next|coming"
_YEAR: Final = rf"(?:(?P<y>(?:19|20)\d\d)\b|(?P<ry>{_STEP}) year\b|(?P<yago>{COUNT}) years? ago\b)"
_OF_YEAR: Final = rf"(?:,? (?:of |in )?(?:the )?{_YEAR})?"
_YEAR_FIRST: Final = rf"(?:\b{_YEAR}(?:'s)?,? (?:(?:in|on|over|during|at) )?(?:the )?)"
_PART: Final = r"(?:(?P<part>early|beginning|start|first half|mid|middle|late|end|second half)(?:[ -]in|[ -]of)?[ -](?:the )?)"
_DOM: Final = rf"(?P<d>\d{{1,2}}(?:st|nd|rd|th)?|{ORDINAL})"
_SEASON: Final = r"(?P<s>spring|summer|autumn|fall|winter)"
_QUARTER: Final = r"(?:q(?P<q>[1-4])|(?P<nth>first|second|third|fourth) (?P<pu>quarter|half)(?: of)?)"
_HOLIDAY: Final = r"(?P<h>" + "|".join(sorted((re.escape(h) for h in HOLIDAYS), key=len, reverse=True)) + r"|thanksgiving|easter(?: sunday)?)\b"

HINT: Final = (
    r"\b(?:"
    + "|".join(sorted((*MONTHS, *DAYS), key=len, reverse=True))
    + r")\b|day|night|week|month|year|morning|afternoon|evening|weekend|quarter|half|"
    r"spring|summer|autumn|fall|winter|christmas|xmas|easter|thanksgiving|halloween|\bq[1-4]\b|(?:19|20)\d\d|\bthe \d{1,2}(?:st|nd|rd|th)\b"
)

_PARTS: Final = {"early": 0, "beginning": 0, "start": 0, "first half": 0, "mid": 1, "middle": 1}
_STEPS: Final = {"this": 0, "current": 0, "next": 1, "coming": 1}
_SEASONS: Final[dict[str, Season]] = {"spring": "spring", "summer": "summer", "autumn": "autumn", "fall": "autumn", "winter": "winter"}
_NEAR: Final = {"today": 0, "tonight": 0, "yesterday": -1, "tomorrow": 1}
_NAMES: Final = {"april", "may", "june", "august", "jan"}  # of people, too
_WORDS: Final = {"may", "march", "mar", "sun", "dec", "sep"}


def is_word(text: str, m: re.Match[str]) -> bool:
    """Whether a bare "may", "march", "June" of the question as written is a word or a name and no month."""
    said = m.groupdict()
    if "bare" not in said or any(said[name] for name in ("lead", "part", "y", "ry", "yago")):
        return False
    return m["mon"] in _NAMES or (m["mon"] in _WORDS and not text[m.start("mon")].isupper())


def _lead(word: str | None) -> Lead:
    return "" if word is None else "this" if _STEPS.get(word) == 0 else "next" if word in _STEPS else "last"


def _year(m: Groups, today: datetime) -> int | None:
    """The year that an expression names."""
    if m["y"]:
        return int(m["y"])
    if m["yago"]:
        return today.year - _count(m["yago"])
    return today.year + _STEPS.get(m["ry"], -1) if m["ry"] else None


def _count(text: str) -> int:
    value = number(text)
    if value is None:
        raise ValueError(text)
    return int(value)


def _nth(text: str) -> int:
    value = ordinal(text)
    if value is None:
        raise ValueError(text)
    return value


def _part(span: Span, name: str | None) -> Span:
    """Early, mid or late in a month; the same of a longer stretch by its months."""
    if name is None:
        return span
    length, part = (span.until - span.since).days, _PARTS.get(name, 2)
    if length < 32:
        return third(span, part)
    count = round(length / 30.4 / 3)
    return months(span.since, span.since.year, span.since.month + part * count, count)


def _day(m: Groups, today: datetime, joined: int | None) -> Span:
    month, day = MONTHS[m["mon"]], _nth(m["d"])
    count = 1 + max(0, int(m["end"]) - day) if m["end"] else 1  # May 4 to 6
    return placed(lambda y: day_of(today, y, month, day, count), today, _year(m, today) or joined, _lead(m["lead"]))


def _month(m: Groups, today: datetime, joined: int | None) -> Span:
    month, lead = MONTHS[m["mon"]], _lead(m["lead"] if m["lead"] in _STEP.split("|") else None)
    return _part(placed(lambda y: months(today, y, month), today, _year(m, today) or joined, lead), m["part"])


def _in_month(m: Groups, today: datetime, _: int | None) -> Span:
    """The 3rd of last month."""
    return days(months(today, today.year, today.month + _STEPS.get(m["step"], -1)).since.replace(day=_nth(m["d"])))


def _season(m: Groups, today: datetime, _: int | None) -> Span:
    return _part(season(today, _SEASONS[m["s"]], _year(m, today), _lead(m["lead"])), m["part"])


def _quarter(m: Groups, today: datetime, _: int | None) -> Span:
    size = 6 if m["pu"] == "half" else 3
    which = int(m["q"]) if m["q"] else {"first": 1, "second": 2, "third": 3, "fourth": 4}[m["nth"]]
    if which * size > 12:
        raise ValueError("no such quarter")
    return placed(lambda y: months(today, y, (which - 1) * size + 1, size), today, _year(m, today))


def _holiday(m: Groups, today: datetime, _: int | None) -> Span:
    def day(year: int) -> Span:
        then = holiday_in(m["h"], year)
        return day_of(today, year, then.month, then.day)

    return placed(day, today, _year(m, today), _lead(m["lead"] if m["lead"] in _STEP.split("|") else None))


def _unit(m: Groups, today: datetime, _: int | None) -> Span:
    """Last week, next month, the year before last, the end of this month, last quarter."""
    steps = -2 if m["before"] else 2 if m["after"] else _STEPS.get(m["step"] or "this", -1)
    match m["u"] or m["bu"]:
        case "week":
            return week(today, steps)
        case "weekend":
            over = m["step"] is None and not (m["before"] or m["after"]) and today.weekday() < 5  # "over the weekend", told on a weekday
            return week(today, steps - over, 5, 2)
        case "month":
            return _part(months(today, today.year, today.month + steps), m["part"])
        case "quarter":
            return _part(months(today, today.year, (today.month - 1) // 3 * 3 + 1 + 3 * steps, 3), m["part"])
        case _:
            return _part(months(today, today.year + steps, 1, 12), m["part"])


def _weekday(m: Groups, today: datetime, _: int | None) -> Span:
    """Friday, last Friday, Friday last week, next Friday (of the next week), the Friday before last."""
    day = DAYS[m["wd"]]
    if m["of"]:
        return week(today, _STEPS.get(m["of"], -1), day, 1)
    latest = weekday(today, day).since
    if m["before"]:
        return days(weekday(today, day).since - _days(14 if latest == today else 7))
    match m["lead"]:
        case "last" | "past" | "previous" | "this past":
            return days(latest if latest < today else latest - _days(7))
        case "this":
            return week(today, 0, day, 1)
        case "next":
            return week(today, 1, day, 1)
        case "coming" | "this coming":
            return days(latest + _days(7))
        case _:
            return days(latest)


def _days(count: int) -> timedelta:
    return timedelta(days=count)


def _ago(m: Groups, today: datetime, _: int | None) -> Span:
    unit = "day" if m["u"] == "night" else m["u"]
    if m["n"] in {"half a", "half an"}:
        return ago(today, 6, "month") if unit == "year" else ago(today, 0.5, unit)
    value = number(m["n"])
    return ago(today, None if value is None else value + 0.5 * bool(m["half"]), unit)


def _lately(m: Groups, today: datetime, _: int | None) -> Span:
    unit, count = m["u"] or m["u2"], m["n"] or "a"
    return lately(today, number(count), "day" if unit == "night" else unit)  # "few" is no number


def _near(m: Groups, today: datetime, _: int | None) -> Span:
    if m["other"]:
        return ago(today, None, "day")
    step = (-2 if m["side"] == "before" else 2) if m["side"] else -1 if m["night"] else _NEAR.get(m["day"] or "today", 0)
    return days(today + _days(step))


def _whole_year(m: Groups, today: datetime, _: int | None) -> Span:
    return _part(months(today, int(m["y"]), 1, 12), m["part"])


_DATE_DM: Final = rf"(?:{_WD},? )?(?:(?P<lead>last|this|next) )?(?:the )?(?<![\d:.]){_DOM} (?:of )?{_MON}"
_DATE_MD: Final = (
    rf"(?:{_WD},? )?(?:(?P<lead>last|this|next) )?\b{_MON} (?:the )?{_DOM}(?:(?: to |-)(?P<end>\d{{1,2}})(?:st|nd|rd|th)?)?(?![\w:/-]|\.\d)"
)
_WHEN: Final = r"(?:(?P<lead>in|of|during|since|by|until|till|from|before|after|around|back in|last|past|previous|this|next|coming|the|my|our) )?"
_IN_MONTH: Final = rf"{_WHEN}{_PART}?(?P<bare>\b){_MON}"

RULES: Final = (
    (regex(rf"{_YEAR_FIRST}{_DATE_DM}"), _day),
    (regex(rf"{_YEAR_FIRST}{_DATE_MD}"), _day),
    (regex(rf"(?<!\w){_DATE_DM}{_OF_YEAR}"), _day),
    (regex(rf"(?<!\w){_DATE_MD}{_OF_YEAR}"), _day),
    (regex(rf"{_YEAR_FIRST}{_WHEN}{_PART}?(?P<bare>\b){_MON}"), _month),
    (regex(rf"(?<!\w){_IN_MONTH}{_OF_YEAR}"), _month),
    (regex(rf"{_YEAR_FIRST}{_PART}?{_SEASON}\b"), _season),
    (regex(rf"\bthe {_DOM} of (?P<step>{_STEP}) month\b"), _in_month),
    (regex(rf"\b{_PART}?{_SEASON},? (?:of |in )?{_YEAR}"), _season),
    (regex(rf"\b{_PART}?(?P<lead>{_STEP}) {_SEASON}\b"), _season),
    (regex(rf"{_YEAR_FIRST}{_QUARTER}\b"), _quarter),
    (regex(rf"\b{_QUARTER}{_OF_YEAR}(?! of)\b"), _quarter),
    (regex(rf"{_YEAR_FIRST}{_HOLIDAY}"), _holiday),
    (regex(rf"\b{_HOLIDAY},? (?:of |in )?{_YEAR}"), _holiday),
    (regex(rf"\b(?P<lead>on|at|over|during|{_STEP}) {_HOLIDAY}"), _holiday),
    (regex(rf"\b(?:every|each) (?:other )?{_WD}"), nothing),
    (regex(rf"\b(?P<of>{_STEP}) week(?:'s)?(?:,? on)? {_WD}\b"), _weekday),
    (
        regex(
            rf"(?:\b(?P<lead>last|past|previous|next|this past|this coming|coming|this) )?\b{_WD}\b(?P<before> before last)?(?:,? (?:of )?(?P<of>{_STEP}) week\b)?"
        ),
        _weekday,
    ),
    (regex(rf"(?<![\w.])(?P<n>half an?|{COUNT}) {_UNIT}(?P<half> and a half)? (?:ago|back)\b"), _ago),
    (
        regex(
            rf"\b(?:(?:in|over|during|within|for) )?(?:the )?(?:last|past) (?P<n>few|{COUNT}) {_UNIT}\b|"
            r"\b(?:in|over|during|within|for) the (?:last|past) (?P<u2>day|week|month|year)\b"
        ),
        _lately,
    ),
    (
        regex(
            rf"\b{_PART}?(?:the )?(?:(?P<step>{_STEP}) (?P<u>week|weekend|month|quarter|year)\b|(?P<bu>week|weekend|month|year) (?:(?P<before>before last)|(?P<after>after next))\b)"
        ),
        _unit,
    ),
    (regex(r"\b(?:over|during) the (?P<u>weekend)\b"), _unit),
    (
        regex(
            r"\b(?:day (?P<side>before|after) (?:yesterday|tomorrow)|(?P<night>last night)|this (?:morning|afternoon|evening)|the (?P<other>other) (?:day|night)|(?P<day>today|tonight|yesterday|tomorrow))\b"
        ),
        _near,
    ),
    (regex(rf"\b{_PART}(?P<y>(?:19|20)\d\d)\b"), _whole_year),
    (
        regex(
            r"(?:\b(?:(?:back )?in|of|during|since|from|around|by|until|before|after|year) |(?<=\bto )|(?<=\band ))(?P<y>(?:19|20)\d\d)\b(?![-/:.]\d|,\d)"
        ),
        _whole_year,
    ),
    (
        regex(r"\bon the (?P<d>\d{1,2}(?:st|nd|rd|th))\b(?! (?:floor|page|day|try|anniversary))"),
        lambda m, today, _: day_of_month(today, _nth(m["d"])),
    ),
)
