"""Time expressions in English and the day, month or year they mean (`dates`), worked out from the message's own time.

What has no calendar form ("soon", "every Tuesday") is still found, so that it can be cut from a value, but gets no date.
"""

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Final, Literal, Protocol

from memory.judge.en.dates import DAYS, HOLIDAYS, MONTHS, calculated, coming, day_month, edge, holiday, month_year, offset, relative_unit, shift, side
from memory.judge.en.numbers import CARDINAL, COUNT, ORDINAL, number, ordinal
from memory.pattern import regex

Kind = Literal["date", "recurring", "duration", "clock", "vague", "now"]

_MONTH: Final = r"(?:" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")\b\.?"
_LONG_DAY: Final = r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
_DAY: Final = r"(?:" + "|".join(sorted(DAYS, key=len, reverse=True)) + r")\b"
_YEAR: Final = r"(?:19|20)\d\d"
_UNIT: Final = r"(?:day|night|week|fortnight|month|year|yr|decade|hour|hr|minute|min)s?"
_REL: Final = r"(?:next|this coming|this|coming|last|past|the coming|the next|the last|the past|upcoming)"
_PART: Final = r"(?:early |late |mid[- ]?|(?:the )?(?:end|start|beginning|middle) of )"

_PATTERNS: Final[tuple[tuple[str, str], ...]] = (
    ("iso", r"(?P<iso>\b\d{4}[-/]\d{1,2}[-/]\d{1,2}\b)"),
    ("calc", rf"(?P<calc>(?:\bon |\bby )?the last day of (?P<cl>this|the|next) month|(?:\bon )?the (?P<ck>first|second|third|fourth|last) (?P<cw>{_LONG_DAY}) (?:of|in) (?P<cm>(?:this|next|the) month|{_MONTH})|\b(?P<cn>a|two|three|2|3) (?P<cu>week|fortnight)s? (?P<cd>today|tomorrow)|\b(?P<ct>today|tomorrow) (?P<cf>week|fortnight)\b|(?:\bon )?(?:the )?(?P<can>{_LONG_DAY}) after next)"),
    ("span", rf"(?P<span>\b(?:(?:from|between) (?P<sp1>(?:{_MONTH} )?{_YEAR}) (?:to|until|till|and|through|—) ?(?P<sp2>(?:{_MONTH} )?{_YEAR})|(?P<sp3>{_YEAR}) ?(?:to|until|till|through|—|–|-) ?(?P<sp4>{_YEAR})(?![-/\d])))"),
    ("dmy", rf"(?P<dmy>(?:\bon |\bby |\buntil |\bsince )?(?:{_DAY},? )?(?:the )?(?P<dd>\b\d{{1,2}}(?:st|nd|rd|th)?|\b{ORDINAL})(?: day)?(?: of)? (?P<dm>{_MONTH})(?:,? (?P<dy>{_YEAR}))?)"),
    ("mdy", rf"(?P<mdy>(?:\bon |\bby |\buntil |\bsince )?(?:{_DAY},? )?\b(?P<mm>{_MONTH}) (?:the )?(?P<md>{ORDINAL}|\d{{1,2}})\b(?![:.]?\d)(?:,? (?P<my>{_YEAR}))?)"),
    ("slash", r"(?P<slash>\b(?P<s1>\d{1,2})/(?P<s2>\d{1,2})(?:/(?P<s3>\d{4}|\d{2}))?\b)"),
    ("nthof", rf"(?P<nthof>(?:\bon )?the (?P<no>{ORDINAL}) of (?P<nm>this|next) month|next month on the (?P<no2>{ORDINAL}))"),
    ("edge", r"(?P<edge>(?:at |by |until )?(?:the )?(?P<ed>end|start|beginning|middle) of (?P<er>the|this|next|last) (?P<eu>week|month|year))"),
    ("mrel", rf"(?P<mrel>\b(?:(?P<mq>in|by|until|till|since|during|next|last|this|this coming|come|around|from|for|back in) )?(?P<mpart>{_PART})?(?P<mon>{_MONTH})(?:,? (?:of )?(?P<mory>{_YEAR}|this year|next year|last year))?)"),
    ("tomorrow", r"(?P<tomorrow>(?:the )?day after tomorrow|overmorrow|(?:the )?day before yesterday|tomorrow(?: (?:morning|afternoon|evening|night|arvo))?|(?:tmrw|tmr|tomoz|tomoro|tmw)\b|yesterday(?: (?:morning|afternoon|evening))?|today|(?:late )?tonight|tonite|2nite|this (?:morning|afternoon|evening|arvo)|last night|the other day)"),
    ("fromday", rf"(?P<fromday>(?:a|(?P<fn>{CARDINAL})) weeks? (?:from|on) (?P<fd>tomorrow|today|{_DAY})|(?P<fd2>{_LONG_DAY}) week\b)"),
    ("every", rf"(?P<every>\b(?:on )?{_DAY} (?:mornings|afternoons|evenings|nights|lunchtimes)\b|\b(?:every|each) (?:single |other |second )?(?:day|morning|afternoon|evening|night|week|weekend|month|year|spring|summer|autumn|fall|winter|time|weekday|{_DAY})s?(?: (?:morning|afternoon|evening|night)s?)?|\b(?:once|twice|thrice|{CARDINAL} times|a few times|several times) (?:a|every|per) (?:day|week|month|year|night)|\b(?:on )?(?:weekdays|weekends|weeknights|{_LONG_DAY}s)(?: (?:morning|afternoon|evening|night)s?)?|\bin the (?:mornings?|afternoons?|evenings?)|\b(?:daily|nightly|weekly|fortnightly|monthly|yearly|annually)\b|\bat (?:night|weekends|the weekend)|\bmornings only)"),
    ("weekday", rf"(?P<weekday>\b(?:(?P<wq>on|by|until|till|since|{_REL}) )?(?P<wd>{_DAY})(?: (?:morning|afternoon|evening|night|arvo|lunchtime))?)"),
    ("relunit", rf"(?P<relunit>\b(?P<rq>{_REL}) (?P<ru>week|weekend|month|year|spring|summer|autumn|fall|winter|semester|term|quarter|decade)\b|(?:the )?(?P<ru2>week|month|year|weekend) (?P<rq2>after next|before last))"),
    ("inn", rf"(?P<inn>\b(?:in|within) (?:about |around |just |the next )?(?P<in>{COUNT}) (?P<iu>{_UNIT})(?:'s? time)?\b(?! old))"),
    ("fromnow", rf"(?P<fromnow>(?<!\d )\b(?P<gn>{COUNT}) (?P<gu>{_UNIT}) (?P<gd>from now|from today|later|ago|back|earlier)\b)"),
    ("since", rf"(?P<since>\bsince (?:about |around |the )?(?P<sy>{_YEAR}|childhood|birth|college|school|university|i was [a-z0-9-]+(?: years old)?))"),
    ("dur", rf"(?P<dur>\bfor (?:about |around |over |almost |nearly |more than |the (?:past|last|next) |at least )?(?:{COUNT}) (?:\w+ )?(?:{_UNIT})(?: or so| now| already)?\b|\bfor (?:years|ages|decades|months|weeks|a while|a bit|now|long|ever|good|life)\b|\bover the (?:past|last|next) (?:{COUNT} )?{_UNIT}\b|\bdurin?g? the (?:summer|winter|spring|autumn|week|weekend|day)s?\b)"),
    ("year", rf"(?P<year>\b(?P<yq>in|by|until|till|during|back in|around|as of|of|before|after) (?P<yy>{_YEAR})\b)"),
    ("nth", rf"(?P<nth>\b(?:on|by|until|from) the (?P<nn>{ORDINAL})\b(?! (?:floor|day|time|of (?!the month)|night|try|page|week|hole|date|anniversary)))"),
    ("holiday", r"(?P<holiday>\b(?P<hq>(?:(?:on|at|for|this|next|by|after|before|over|around|last) )?)(?P<hn>" + "|".join(sorted((re.escape(h) for h in HOLIDAYS), key=len, reverse=True)) + r"|thanksgiving|easter(?: sunday)?)\b)"),
    ("now", r"(?P<now>\bright now\b|\bat the (?:moment|minute)\b|\bthese days\b|\bas of now\b|\bas we speak\b|\b(?:now|currently|nowadays|presently|rn|atm|lately|recently)\b)"),
    ("clock", rf"(?P<clock>\b(?:at |around |by |from |until |before |after )?(?:about |around )?(?:\d{{1,2}}(?::\d\d)? ?(?:am|pm|a\.m\.?|p\.m\.?)|\d{{1,2}}:\d\d\b|(?:{CARDINAL}) o'?clock|noon\b|midnight\b)(?: sharp)?|\bat (?:half (?:past )?|quarter (?:to|past) )?(?:\d{{1,2}}|{'|'.join(['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'])})\b(?! ?(?:%|percent|[a-z]+s\b))(?: (?:in the (?:morning|afternoon|evening)|at night))?)"),
    ("vague", r"(?P<vague>\bsoon\b|\bsomeday\b|\bsome day\b|\bone day\b|\beventually\b|\bin the (?:near )?future\b|\bnext time\b|\bback then\b|\b(?:many )?years ago\b|\bwhen i was (?:a |an )?(?:\w+ ){0,2}(?:kid|child|boy|girl|teenager|teen|student|trainee|apprentice|bachelor|young|younger|little|small|single|\d{1,2}|(?:at|in) (?:uni|university|school|college|my (?:teens|twenties|thirties|forties)))\b|\bas a (?:kid|child|teenager|teen|student|boy|girl|youngster|young (?:man|woman|lad|girl)|trainee|apprentice)\b|\bgrowing up\b|\bonce upon a time\b|\byears back\b|\bin my (?:youth|childhood|teens|twenties|thirties|forties|(?:student|uni|university|school|college|younger|single|bachelor) (?:days|years))\b|\bback in (?:the day|my day|the (?:sixties|seventies|eighties|nineties|noughties|[6-9]0s))\b|\bin the (?:sixties|seventies|eighties|nineties|noughties|[6-9]0s)\b|\bformerly\b|\bpreviously\b)"),
)  # fmt: skip
_LEADS: Final = [
    "on", "by", "in", "at", "the", "a", "an", "for", "from", "between", "since", "until", "till", "before", "after", "around", "about", "over",
    "within", "during", "durin", "next", "last", "this", "past", "coming", "upcoming", "come", "early", "late", "mid", "end", "start",
    "beginning", "middle", "of", "back", "as", "when", "formerly", "previously", "soon", "someday", "some", "one", "day", "eventually",
    "years", "many", "every", "each", "once", "twice", "thrice", "several", "few", "couple", "half", "daily", "nightly", "weekly",
    "growing", "fortnightly", "monthly", "yearly", "annually", "weekdays", "weekends", "weeknights", "mornings", "month", "week", "year", "weekend",
    "overmorrow", "tomorrow", "tmrw", "tmr", "tomoz", "tomoro", "tmw", "yesterday", "today", "tonight", "tonite", "2nite", "right", "now",
    "currently", "nowadays", "presently", "rn", "atm", "lately", "recently", "these", "noon", "midnight", "thanksgiving", "easter",
]  # fmt: skip
_LEAD: Final = "|".join(sorted(sorted({*_LEADS, *(h.split()[0] for h in HOLIDAYS)} - {"new"}), key=len, reverse=True))
_FIND: Final = regex(
    rf"(?<![a-z0-9])(?=\d|(?:{_LEAD}|{_DAY}|{_LONG_DAY}s|{_MONTH}|new year'?s?|{CARDINAL}|{ORDINAL})(?![a-z0-9]))(?:"
    + "|".join(p for _, p in _PATTERNS)
    + ")"
)
_HINT: Final = regex(
    r"\d|\b(?:"
    + "|".join(sorted((*MONTHS, *DAYS), key=len, reverse=True))
    + r")s?\b|day|night|week|month|year|tm|tomo|now|moment|minute|recent|lately|"
    r"current|every|each|once|twice|times a|morn|noon|even|spring|summer|autumn|fall|winter|term|ago|from|since|for|soon|time|christmas|xmas|easter|"
    r"thanksgiving|halloween|valentine|back|growing|in the |upon|\brn\b|\batm\b|when i|as a|in my|former|previous|present|clock|weekly|annual|\bat |\bin "
)
_SIGN: Final = {"ago": -1, "back": -1, "earlier": -1, "from now": 1, "from today": 1, "later": 1}


@dataclass(frozen=True, slots=True)
class When:
    """One time expression: where it stands, what it means. `iso` is a day, month or year, or None; `sign` is −1 past, 0 now, +1 future."""

    start: int
    end: int
    kind: Kind
    iso: str | None = None
    until: str | None = None
    sign: int = 0
    since: bool = False
    to: bool = False


@lru_cache(maxsize=1024)
def find(low: str, now: datetime | None, *, past: bool = False) -> tuple[When, ...]:
    """All time expressions of a folded clause, left to right. Without `now` only absolute dates get a form. `past`: the clause tells of the past."""
    if not _HINT.search(low):
        return ()
    today = now.date() if now is not None else None
    out: list[When] = []
    for m in _FIND.finditer(low):
        name = m.lastgroup
        for key, _ in _PATTERNS:
            if m[key] is not None:
                name = key
                break
        try:
            when = _resolve(name or "", m, today, past)
        except (ValueError, OverflowError):
            continue
        if when is not None:
            out.append(when)
    return tuple(out)


def _resolve(name: str, m: re.Match[str], today: date | None, past: bool) -> When | None:
    a, b = m.span()
    text = m[0]
    since, to = text.startswith("since "), text.startswith(("until ", "till ", "by "))

    def dated(iso: str | None, sign: int = 0, until: str | None = None) -> When:
        return When(a, b, "date", iso, until, sign, since, to)

    match name:
        case "iso":
            y, mo, d = (int(x) for x in re.split("[-/]", text))
            return dated(date(y, mo, d).isoformat(), side(date(y, mo, d), today))
        case "calc":
            return dated(None if today is None else calculated(m, today).isoformat(), 1)
        case "span":
            return dated(month_year(m["sp1"] or m["sp3"]), -1, month_year(m["sp2"] or m["sp4"]))
        case "dmy" | "mdy":
            month = MONTHS[(m["dm"] or m["mm"]).rstrip(".")]
            day = ordinal(m["dd"] or m["md"])
            return None if day is None else dated(*day_month(day, month, m["dy"] or m["my"], today, past))
        case "slash":
            one, two = int(m["s1"]), int(m["s2"])
            if one > 12 and two <= 12:
                one, two = two, one
            if not 1 <= one <= 12 or (not m["s3"] and not re.search(r"\b(?:on|by|born|birthday)\b", m.string)):
                return None
            year = m["s3"] and (m["s3"] if len(m["s3"]) == 4 else ("19" if int(m["s3"]) > 40 else "20") + m["s3"])
            return dated(*day_month(two, one, year, today, past))
        case "nthof":
            day = ordinal(m["no"] or m["no2"])
            if day is None or today is None:
                return dated(None, 1)
            y, mo = shift(today, 0 if m["nm"] == "this" else 1)
            return dated(date(y, mo, day).isoformat(), 1)
        case "edge":
            return dated(edge(m["ed"], m["er"], m["eu"], today), -1 if m["er"] == "last" else 1)
        case "mrel":
            return _month(m, today, past, dated)
        case "tomorrow":
            return _near_day(text, today, dated)
        case "fromday":
            if today is None:
                return dated(None, 1)
            weeks = int(number(m["fn"] or "a") or 1) if not m["fd2"] else 1
            base = m["fd"] or m["fd2"]
            start = today if base == "today" else today + timedelta(1) if base == "tomorrow" else coming(today, DAYS[base])
            return dated((start + timedelta(7 * weeks)).isoformat(), 1)
        case "weekday":
            return _weekday(m, today, past, dated)
        case "relunit":
            return dated(*relative_unit(m["ru"] or m["ru2"], m["rq"] or m["rq2"], today))
        case "inn" | "fromnow":
            n, unit = number(m["in"] or m["gn"]), (m["iu"] or m["gu"]).rstrip("s")
            sign = 1 if name == "inn" else _SIGN[m["gd"]]
            if name == "inn" and unit in {"hour", "hr", "minute", "min"}:
                return When(a, b, "clock", sign=1)
            if name == "inn" and past:
                return When(a, b, "duration")
            return dated(offset(n, unit, sign, today), sign)
        case "since":
            return dated(m["sy"] if m["sy"][:2] in {"19", "20"} else None, -1)
        case "year":
            year = m["yy"]
            return dated(year, 0 if today is None else (int(year) > today.year) - (int(year) < today.year))
        case "nth":
            day = ordinal(m["nn"])
            if day is None or today is None:
                return dated(None, 1)
            y, mo = today.year, today.month
            if (day < today.day) is not past:
                y, mo = shift(today, -1 if past else 1) if day != today.day else (y, mo)
            return dated(date(y, mo, day).isoformat(), -1 if past else 1)
        case "holiday":
            return dated(*holiday(m["hn"], m["hq"].strip(), today, past))
        case "every":
            return When(a, b, "recurring")
        case "dur":
            return When(a, b, "duration")
        case "clock":
            return When(a, b, "clock")
        case "now":
            return When(a, b, "now")
        case _:
            return When(a, b, "vague", sign=1 if re.search(r"soon|day$|eventually|future|next time", text) else -1)


def _month(m: re.Match[str], today: date | None, past: bool, dated: "_Dated") -> When | None:
    name, lead, year = m["mon"].rstrip("."), (m["mq"] or ""), m["mory"]
    word = name in {"may", "march", "mar", "sun", "dec", "sep", "jan", "jun"}
    if word and not lead and not m["mpart"] and not year:
        return None
    month = MONTHS[name]
    if year and year[0].isdigit():
        sign = 0 if today is None else ((int(year), month) > (today.year, today.month)) - ((int(year), month) < (today.year, today.month))
        return dated(f"{year}-{month:02d}", sign)
    if today is None:
        return dated(None, -1 if past or lead == "last" else 1)
    y = today.year
    if year:
        y += {"next year": 1, "last year": -1}.get(year, 0)
    elif lead == "last":
        y -= month >= today.month
    elif lead == "next":
        y += month <= today.month
    elif lead in {"since", "back in"} or past:
        y -= month > today.month
    else:
        y += month < today.month
    return dated(f"{y}-{month:02d}", (y, month) > (today.year, today.month) or -int((y, month) < (today.year, today.month)))


def _near_day(text: str, today: date | None, dated: "_Dated") -> When:
    days = 0
    if "after tomorrow" in text or text == "overmorrow":
        days = 2
    elif "before yesterday" in text:
        days = -2
    elif text == "the other day":
        return dated(None, -1)
    elif text.startswith("t") and text[:3] in {"tom", "tmr", "tmw"}:
        days = 1
    elif text.startswith("yesterday") or text == "last night":
        days = -1
    return dated((today + timedelta(days)).isoformat() if today is not None else None, (days > 0) - (days < 0))


def _weekday(m: re.Match[str], today: date | None, past: bool, dated: "_Dated") -> When | None:
    lead, name = m["wq"] or "", m["wd"]
    if not lead and len(name) <= 4:
        return None  # sun, sat, wed and mon are words of their own
    day = DAYS[name]
    back = "last" in lead or "past" in lead or lead == "since" or (past and lead not in {"next", "this coming", "coming"})
    if today is None:
        return dated(None, -1 if back else 1)
    monday = today - timedelta(today.weekday())
    if back:
        return dated((today - timedelta((today.weekday() - day - 1) % 7 + 1)).isoformat(), -1)
    if "next" in lead:
        return dated((monday + timedelta(7 + day)).isoformat(), 1)
    if lead == "this" and day >= today.weekday():
        return dated((monday + timedelta(day)).isoformat(), 1)
    return dated(coming(today, day).isoformat(), 1)


class _Dated(Protocol):
    """The shape of the local helper that fills in where an expression stands."""

    def __call__(self, iso: str | None, sign: int = 0, until: str | None = None) -> When: ...
