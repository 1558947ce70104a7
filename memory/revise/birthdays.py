"""When somebody was born, from a day and an age: "turned 30 yesterday", 今天满32啦, 后天是他八岁生日. A birthday is no "yesterday". Pure."""

import re
from collections.abc import Sequence
from datetime import date, datetime
from typing import Final

from memory.judge.judgement import Candidate, Stance
from memory.pattern import regex
from memory.record import Memory, Status
from memory.revise.dates import date_in
from memory.revise.forms import fold, numerals
from memory.revise.people import same_person

_TURNED: Final = regex(
    r"生日|(?<!圆)满(?:了)?\d{1,3}(?!公里|公斤|个|天|年|分|米)|\d{1,3}岁?(?:了|啦|喽|咯)?(?:整|大寿)|\b(?:turn(?:ed|s|ing)|birthday|b-?day)\b"
)
"""Words of the day on which an age was reached."""
_OF_AGE: Final = regex(r"(?P<n>\d{1,3})岁?的?(?:生日|大寿)|(?P<n2>\d{1,3})(?:st|nd|rd|th) (?:birthday|b-?day)\b")
_REACHED: Final = regex(r"(?<!圆)满(\d{1,3})(?!公里|公斤|个|天|年|分|米|\d)|\bturn(?:ed|s|ing) (\d{1,3})\b")
_NAMED_DAY: Final = regex(
    r"\d{1,2}月|\d{1,2}[号日]|农历|正月|腊月|初[一二三四五六七八九十]|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|\d[-/.]\d"
)
"""A day that says which one it is; 后天 and "last friday" do not, a week later."""


def dated(told: Sequence[Candidate], known: Sequence[Memory], text: str, now: datetime) -> list[Candidate]:
    """The candidates with birthdays as days: 后天 as the day it is, with the year where the age is told. "40 this spring" puts no known day right."""
    days = [_dated(c, told, text, now) if c.attribute == "birthday" and c.stance is not Stance.NEGATE else c for c in told]
    owners = _with_birthday(known)
    return [c for c in days if not (c.attribute == "birthday" and _VAGUE.fullmatch(c.value) and any(same_person(c.owner, o, known) for o in owners))]


_VAGUE: Final = regex(
    r"(?:in |the |this |next |later |early |late |coming )*(?:spring|summer|autumn|fall|winter|month|year|week)|[这今明下本]?个?(?:春天?|夏天?|秋天?|冬天?|月|年|周)[初中底末]?",
    re.IGNORECASE,
)
"""A time that names no day."""


def _with_birthday(known: Sequence[Memory]) -> list[str]:
    return [m.owner for m in known if m.attribute == "birthday" and m.status is Status.ACTIVE]


def born(told: Sequence[Candidate], known: Sequence[Memory], text: str, now: datetime) -> list[Candidate]:
    """Birthdays of those whose age the message says they have just reached, on a day that it names; a birthday that is known stays."""
    said = fold(text[:400]).replace("今儿", "今天").replace("昨儿", "昨天")
    if not _TURNED.search(numerals(said)) or (day := _day(said, now)) is None or not 0 <= (now.date() - day).days <= 31:
        return []
    ages = sorted((c for c in told if c.stance is not Stance.NEGATE and _age(c) is not None), key=lambda c: c.confidence)
    days = [
        *(b.owner for b in told if b.attribute == "birthday"),
        *_with_birthday(known),
    ]
    surest = {c.owner: c for c in ages if not any(same_person(c.owner, owner, known) for owner in days)}
    return [
        Candidate(attribute="birthday", value=birth, owner=c.owner, confidence=c.confidence, clause=c.clause)
        for c in surest.values()
        if (birth := _before(day, _age(c) or 0)) is not None
    ]


def _dated(c: Candidate, told: Sequence[Candidate], text: str, now: datetime) -> Candidate:
    if _NAMED_DAY.search(numerals(fold(c.value))) and not re.search("[这本下]个?月", c.value):
        return c
    day = _day(c.time or c.value, now)
    if day is None:
        return c
    age = _age_then(c, told, text)
    return c.evolve(value=(_before(day, age) if age is not None else None) or day.strftime("%m-%d"), time=None)


def _age_then(c: Candidate, told: Sequence[Candidate], text: str) -> int | None:
    """How old the person is on that day: by the clause, by the one age that the message says is reached, by an age told of the same person."""
    if (of_age := _OF_AGE.search(numerals(fold(c.clause)))) is not None:
        return int(of_age["n"] or of_age["n2"])
    reached = _REACHED.findall(numerals(fold(text[:400])))
    if len(reached) == 1:
        return int(reached[0][0] or reached[0][1])
    return next((n for a in told if a.owner == c.owner and (n := _age(a)) is not None), None)


def _age(c: Candidate) -> int | None:
    found = re.search(r"\d{1,3}", numerals(fold(c.value))) if c.attribute == "age" else None
    return int(found[0]) if found and int(found[0]) < 130 else None


def _day(text: str, now: datetime) -> date | None:
    """The day that the text names, in full."""
    iso = date_in(text, now)
    try:
        return date.fromisoformat(iso) if iso and len(iso) == 10 else None
    except ValueError:
        return None


def _before(day: date, years: int) -> str | None:
    """The same day so many years before, as ISO; None for 29 February of a year without."""
    try:
        return day.replace(year=day.year - years).isoformat()
    except ValueError:
        return None
