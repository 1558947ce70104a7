"""Tests on appointments and on plans that move or fall through."""

import re
from typing import Final

from memory.judge.en.checks.plans import coming
from memory.judge.en.found import Hit, Value
from memory.judge.en.times import find
from memory.judge.en.values import cut, reaction, trim
from memory.pattern import regex

OCCASION: Final = regex(
    r"\b(?:flight|trip|train|holiday|vacation|cruise|tour|honeymoon|wedding|party|exam|test|interview|appointment|surgery|operation|meeting|conference|concert|recital|show|race|marathon|deadline|presentation|graduation|funeral|court|hearing|viewing|visit|move|moving day|start date|first day|last day|due date|scan|check-?up|physio|lesson|class|course|reunion|anniversary|viva|defen[cs]e|driving test|audition|tournament|match|game|competition|gig|performance|launch|demo|"
    r"review|booking|reservation|ceremony|visa|lease|contract|rent|leave|maternity leave|results?|delivery|baby|exhibition|workshop|webinar|dinner|date|festival|camp|retreat|closing|mot|inspection|biopsy|mri|ultrasound|treatment|session|rehearsal|ferry|bus|coach|sabbatical|internship|job|semester|term|school|renewal|dentist|doctor|vet)\b"
)


def appointment(h: Hit) -> list[Value]:
    """ "I have an interview on Friday": a listed kind of appointment with a date, or without one where it is big enough."""
    a = h.group()[0]
    low = h.low
    if h.frame.kind not in {"first", "fragment", "person"} or "asked" in h.frame.flags:
        return []
    verb = low[h.frame.at : a]
    if not verb and not h.frame.flags & {"have"} and h.frame.kind != "fragment":
        return []
    if h.frame.kind == "fragment" and not (
        re.match(r"(?:got|have|booked|made|scheduled)\b", low[h.frame.start :])
        or (
            re.match(
                r"(?:my|an?)?\s*(?:[\w']+ ){0,2}(?:appointment|interview|exam|surgery|flight|wedding|driving test|deadline)\b", low[h.frame.start :]
            )
            and find(low, h.now)
        )
    ):
        return []
    if re.search(r"\bin the past\b|\bhad\b", low[h.frame.start : a]) and "past" in h.frame.flags:
        return []
    x, y, times = cut(low, a, h.now)
    phrase = low[x:y]
    m = re.search(r"\b(?:" + "|".join(sorted(h.lex.words["appointments"], key=len, reverse=True)) + r")\b", phrase)
    if not m or y - x > 80 or reaction(low, x, y):
        return []
    if re.search(
        r"\b(?:question|problem|issue|idea|plan for|list|dream|bad|good time|great time|nice|fun|great|tough|hard|long|busy|phone|video|movie|game plan|hunch|class of|bit)\b",
        phrase[: m.end()],
    ) and not find(low, h.now):
        return []
    if re.search(r"\b(?:set|make|schedule|book|cancel|need|reschedule)\b", verb) and not re.match(r"(?:booked|made|scheduled|got)", verb):
        return []
    when = coming(times)
    today = re.search(r"\b(?:today|tonight|this (?:morning|afternoon|evening))\b", low)
    big = re.search(
        r"\b(?:wedding|surgery|operation|exams?|interview|driving test|finals?|midterms?|marathon|court|viva|defen[cs]e|funeral|biopsy|scan|mri|flight|trip|graduation|deadline|audition)\b",
        m[0],
    )
    if (
        today
        and not (when and when.sign > 0)
        and not re.search(r"\b(?:interview|surgery|exam|wedding|funeral|operation|driving test|court)\b", phrase)
    ):
        return []
    if when is None and not any(w.kind in {"recurring"} for w in times) and not big:
        return []
    if re.match(r"(?:call|show|game|party|class|meeting|date|course|lesson)\Z", m[0]) and when is None:
        return []
    return [Value(x, y, time=when.iso if when else None, times=times)]


def scheduled(h: Hit) -> list[Value]:
    """ "My flight to Oslo is on 9 June": the event is the value, the date its time."""
    a, b = h.m.span("v")
    low = h.low
    x, y = trim(low, a, b)
    if x >= y or not OCCASION.search(low[x:y]) or re.search(r"\b(?:birthday|favou?rite|name|fav)\b", low[x:y]):
        return []
    times = [w for w in find(low, h.now) if w.start >= h.m.start("t") - 6 and w.kind in {"date", "clock"}]
    dated = [w for w in times if w.kind == "date"]
    if not dated or dated[0].start > h.m.start("t") + 13:
        return []
    when = dated[0]
    if re.search(r"\b(?:was|were)\b", low[y : h.m.start("t")]) and when.sign < 0:
        return []
    owner = None
    if m := re.match(r"([a-z -]+?)'s (?=\w)", low[x:y]):
        owner, x = h.frame.owner if h.frame.kind == "person" else m[1], x + m.end()
    lead = low[h.m.start() : a]
    if (
        not re.search(r"\b(?:my|our)\b", lead)
        and not h.frame.flags & {"explicit"}
        and "correction" not in low
        and not re.search(r"'s (?:\Z|)", lead)
        and re.search(r"\bthe\b", lead)
    ) and (
        not re.search(
            r"\b(?:wedding|flight|exam|surgery|interview|operation|appointment|move|trip|baby|test|train|marathon|party|conference)\b",
            low[x:y],
        )
        or h.frame.kind == "question"
    ):
        return []
    return [Value(x, y, time=when.iso, times=[when], owner=owner)]


def moved_plan(h: Hit) -> list[Value]:
    names = h.m.groupdict()
    a, b = h.m.span("w") if names.get("w") is not None else h.m.span("v")
    t = h.m.start("u") if names.get("u") is not None else h.m.start("t")
    low = h.low
    times = [w for w in find(low, h.now) if w.end > t - 4 and w.kind == "date" and w.iso]
    if not times:
        return []
    x, y = trim(low, a, b)
    if names.get("w") is not None and not re.search(r"\b(?:moved|rescheduled|postponed|pushed|brought|changed|now)\b", low):
        return []
    if x >= y or (names.get("w") is None and not OCCASION.search(low[x:y])):
        m = re.match(r"(?:it|that)\b", low[h.m.start() :])
        if not (x >= y or m):
            return []
        return [Value(a, a, time=times[0].iso, times=times, text="it")]
    return [Value(x, y, time=times[0].iso, times=times)]


def cancelled(h: Hit) -> list[Value]:
    a, b = h.group()
    x, y, _ = cut(h.low, a, h.now)
    x, y = trim(h.low, max(a, min(x, b)), min(y, b))
    if x >= y or (
        re.search(
            r"\b(?:subscription|order|light|lights|tv|alarm|power|timer|music|reminder|payment|internet|price|gloves|date|deal is)\b", h.low[x:y]
        )
        and not re.search(r"\b(?:trip|wedding)\b", h.low[x:y])
    ):
        return []
    if (h.low[h.m.start() : h.m.end()].endswith(" off") and not OCCASION.search(h.low[x:y])) or h.frame.kind == "question":
        return []
    if re.search(r"\b(?:train|bus|flight|ferry|class|lesson|meeting)\Z", h.low[x:y]) and h.m.groupdict().get("w") is None:
        return []
    if not OCCASION.search(h.low[x:y]) and not re.search(
        r"\b(?:plans?|idea|project|course|degree|engagement|picnic|barbecue|bbq|hike|weekend|outing|gathering|sleepover|marriage|dinner|lunch|date)\b",
        h.low[x:y],
    ):
        return []
    if re.match(r"(?:dropped|ditched|gave up on|abandoned|shelved)\b", h.low[h.m.start() :]) and not (
        OCCASION.search(h.low[x:y]) or re.search(r"\b(?:plan|idea|project|course|degree|class)\b", h.low[x:y])
    ):
        return []
    return [Value(x, y)]


def not_plan(h: Hit) -> list[Value]:
    if not re.search(r"\b(?:any ?more|after all|no longer)\b", h.low):
        return []
    a = h.frame.at
    x, y, times = cut(h.low, a, h.now)
    y = trim(h.low, a, min(y, re.search(r"\bafter all\b|\Z", h.low[a:]).start() + a))[1]  # type: ignore[union-attr]
    m = re.match(r"(?:going to|planning to|going|planning on|planning) ", h.low[a:])
    x = a + (m.end() if m else 0)
    return [Value(x, y, times=times)] if x < y else []
