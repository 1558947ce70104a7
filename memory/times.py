"""Which days a question means: "last Friday", "in May", 5月4日, 上周三, 去年国庆 → spans of time. Pure; the day it is comes from the caller.

Unlike the judge, which reads what somebody plans and looks ahead, a question to memory looks back: what names no year is the latest that has begun
(`memory.periods`). What is said to come lies in the future. Spans only ever raise what lies in them; they never hide the rest. The grammars are in
`memory.times_zh` and `memory.times_en`; longer readings win over what they hold.
"""

import re
from collections import defaultdict
from collections.abc import Callable
from datetime import datetime
from typing import Final, NamedTuple

from memory import times_en, times_zh
from memory.judge.clauses import fold
from memory.pattern import regex
from memory.periods import Groups, Span, day_of, months, named_month

__all__ = ["Span", "spans"]

_ISO: Final = regex(r"(?<![\d.])(?P<y>\d{4})[-/.](?P<m>\d{1,2})(?:[-/.](?P<d>\d{1,2}))?(?![\d.]\d|\d)")
_HINT: Final = regex(times_zh.HINT + "|" + times_en.HINT + r"|\d{4}[-/.]\d")
_HAN: Final = regex(r"[\u4e00-\u9fff]")
_LATIN: Final = regex(r"[a-z]")
_AND: Final = regex(r"\s*(?:(?P<to>到|至|[-~—–]|to|until|till|through)|和|与|跟|及|还有|、|,|and|or)\s*")
_NEAR: Final = 12  # characters that may stand between what is joined

Reader = Callable[[Groups, datetime, int | None], Span | None]


def spans(text: str, now: datetime) -> tuple[Span, ...]:
    """The days, months or years that `text` names, left to right, in the zone of `now`; impossible dates are passed over."""
    plain = fold(text)
    if not _HINT.search(plain):
        return ()
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    rules: list[tuple[re.Pattern[str], Reader]] = [(_ISO, _iso)]
    if _HAN.search(plain):
        rules += times_zh.RULES
    if _LATIN.search(plain):
        rules += times_en.RULES
    found: list[_Found] = []
    taken = bytearray(len(plain))
    for pattern, read in rules:
        for m in pattern.finditer(plain):
            if any(taken[m.start() : m.end()]):
                continue
            near = (f for f in found if m.start() - _NEAR <= f.end < m.start() and f.read is read)
            before = next((f for f in near if _AND.fullmatch(plain, f.end, m.start())), None)
            if before is None and times_en.is_word(text, m):
                continue
            taken[m.start() : m.end()] = b"1" * (m.end() - m.start())
            one = _Found(m.start(), m.end(), read, defaultdict(lambda: None, m.groupdict()), None)
            found.append(one._replace(span=_read(one, today, before.span.since.year if before and before.span else None)))
    return _joined(plain, sorted(found), today)


class _Found(NamedTuple):
    """An expression of time in a text; without a span when it names no days."""

    start: int
    end: int
    read: Reader
    said: Groups
    span: Span | None


def _read(one: _Found, today: datetime, year: int | None) -> Span | None:
    """What it means; `year` is of what it is joined to, for one that names none."""
    try:
        return one.read(one.said, today, year)
    except (OverflowError, ValueError):
        return None


def _iso(m: Groups, today: datetime, _: int | None) -> Span:
    year, month = int(m["y"]), named_month(int(m["m"]))
    return day_of(today, year, month, int(m["d"])) if m["d"] else months(today, year, month)


def _joined(plain: str, found: list[_Found], today: datetime) -> tuple[Span, ...]:
    """The spans, each once. What is joined shares its year ("in May and June last year", 去年十一月到二月), and "from May to July" is one span."""
    out: list[Span] = []
    last: _Found | None = None
    for one in found:
        joint = _AND.fullmatch(plain, last.end, one.start) if last else None
        span = one.span
        if span and joint and last and last.span and out:
            reach = joint["to"] or plain[: last.start].endswith("between ")
            if one.read is last.read and _dated(one) and not _dated(last):
                year = span.since.year
                out[-1] = _read(last, today, year) or out[-1]
                if reach and out[-1].since > span.since:
                    out[-1] = _read(last, today, year - 1) or out[-1]
            elif reach and one.read is last.read and _dated(last) and not _dated(one) and span.since < last.span.since:
                span = _read(one, today, last.span.since.year + 1) or span
            if reach and out[-1].since < span.since:
                span = Span(out.pop().since, span.until)
        if span:
            out.append(span)
        last = one
    return tuple(dict.fromkeys(out))


def _dated(one: _Found) -> bool:
    """Whether it names its year."""
    return any(one.said[name] for name in ("y", "r", "a", "ry", "yago"))
