"""A known plan gets another day without being told anew: "it's actually the 19th, they moved the flight", "make it Friday", "pushed back by five days"."""

import re
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Final

from memory.judge.judgement import Candidate
from memory.pattern import regex
from memory.record import Memory
from memory.revise.anew import with_day
from memory.revise.forms import fold, numerals
from memory.revise.hearing import Resolve, as_said, trimmed
from memory.revise.people import is_user
from memory.revise.referents import is_bare, kind_covers, noun_of
from memory.revise.sameness import abridged, content_words
from memory.revise.topics import topic

CUE: Final = regex(
    r"\bnot (?:on )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday),? (?:it[’']?s )?(?:on )?(?=[mtwfs]\w+day\b)|\b(?:(?:let[’']?s )?make (?:it|that)|(?:it|that)(?:[’']?s| is)(?: actually| now| going to be) |actually (?:it[’']?s|on)|(?:they|we)(?:[’']?ve)?(?: just)? (?:moved|pushed|changed|shifted)|"
    r"(?:push|move|shift|reschedule|postpone|delay) (?:it|that|(?:the |my |our )?[a-z]+(?: [a-z]+)?) (?:back |forward |up )?(?:to|until|till|by)|"
    r"moved|pushed|rescheduled|postponed|brought (?:forward|it|the|my|our|that)|put (?:it|the|my|our|that)|put back|put off|delayed|bumped|shifted)\b"
)
_BARE: Final = regex(
    r"^(?:(?:no|oh|sorry|wait|hang on|actually|scrap that|scratch that|and|but|so|ok(?:ay)?)[,. ]+)*(?:let[’']?s )?(?:not (?:on )?\w+day,?|make (?:it|that)|it[’']?s (?:actually|now)|that[’']?s now|actually (?:it[’']?s|on)|they|(?:it|that) (?:got|was|has been|is being) |pushed|moved)\b"
)
"""Said of what was spoken of last, with no word for it."""
_MOVE: Final = r"(?P<verb>push(?:ed)?|move|moved|put|brought|bring|shift(?:ed)?|bumped|postponed?|delay(?:ed)?|set)(?: (?:it|that|them|(?:the|my|our) [a-z]+(?: [a-z]+)?))?(?: (?P<way>back|forward|up|out|on|ahead))?"
_SHIFT: Final = regex(
    _MOVE
    + r"(?: by)? (?P<n>an?|\d{1,2}) (?P<unit>day|week|fortnight)s?(?: (?P<later>later|earlier|sooner))?\b|(?P<n2>an?|\d{1,2}) (?P<unit2>day|week)s? (?P<later2>later|earlier)\b"
)
_SHIFT_ZH: Final = regex(
    r"(?P<what>[^，,。；;]{0,14}?)(?:又|被|要|得|已经|再|临时|都|往后|往前|向后|向前)*(?P<verb>推迟|延后|延期|延迟|顺延|后延|后推|押后|拖后|提前|提早|推|挪|延|拖|赶)(?:后|前)?(?:了|大概)?"
    r"(?P<n>\d{1,2}|半|几)个?(?P<unit>天|日|周|星期|礼拜|月)(?!后|内|之|前|里)"
)
_EARLY: Final = regex(r"提前|提早|往前|向前|赶前")
_DAY: Final = regex(
    r"(?P<d>\d{1,2})(?:st|nd|rd|th)\b(?! (?:birthday|floor|time|of|january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)\b)"
)
_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKDAY: Final = regex(r"(?P<next>next )?(?P<w>" + "|".join(_WEEKDAYS) + r")\b")
_MONTHS: Final = "january|february|march|april|may|june|july|august|september|october|november|december"
_NEW_DAY: Final = regex(
    r"\b(?:not (?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day,?(?: it[’']?s)?|make (?:it|that)|(?:it|that)(?:[’']s| is) (?:actually|now|going to be)|actually|to|until|till|for|now on|instead on|is now|they[’']?(?:ve)? (?:moved|pushed|changed)[^,.]{0,24} (?:on)?)"
    r"(?: on| for)?(?: the)? (?P<x>(?:next |this )?(?:\d{1,2}(?:st|nd|rd|th)?\b|today\b|tomorrow\b|"
    + "|".join(_WEEKDAYS)
    + "|"
    + _MONTHS
    + r")[^,.!;]{0,24})"
)
"""A date right behind the words that give it: "it's actually sunny on Friday" gives none."""
_IN_VALUE: Final = regex(
    r"\s*\b(?:on |at |by )?(?:(?:next |this )?(?:" + "|".join(_WEEKDAYS) + r")|tomorrow|(?:the )?\d{1,2}(?:st|nd|rd|th)(?: of [a-z]+)?)\b",
    re.IGNORECASE,
)
_DULL: Final = frozenset({"the", "date", "day", "time", "moved", "move", "week"})


def redated(text: str, active: Sequence[Memory], taken: Sequence[Candidate], now: datetime, resolve: Resolve) -> list[Candidate]:
    """The plan that the message gives another day; nothing where no plan, or more than one, can be meant."""
    plain = numerals(fold(text[:400]))
    if (moved := _SHIFT_ZH.search(plain)) is not None:
        return _later(moved, text, active, taken, now)
    if (moved := _TO_DAY_ZH.search(fold(text[:400]))) is not None:
        return _to_day(moved, text, active, taken, now, resolve)
    if not CUE.search(plain) or "?" in plain or any(c.attribute in {"plan", "event"} and c.time for c in taken):
        return []
    plans = _coming(active, now)
    said = content_words(plain) - _DULL
    named = [p for p in plans if (content_words(p[1].value) - _DULL) & said]
    if not named and (not _BARE.match(plain) or not plans):
        return []
    old, memory = (named or plans)[0]
    new = _shifted(plain, old) or named_day(plain, old, now, resolve)
    if new is None or new == old or new < now.date():
        return []
    value = re.sub(r"\s{2,}", " ", _IN_VALUE.sub("", memory.value)).strip() or memory.value
    owner = memory.owner if not is_user(memory.owner) else "user"
    return [Candidate(attribute=memory.attribute, value=value, owner=owner, time=new.isoformat(), replaces=memory.value, clause=text)]


_IT: Final = regex(r"(?:it|they)(?:[’']s|[’']re| is| are)? (?:now |going to be )?")
_GOING: Final = regex(r"\b(?:fly|flying|go|going|leave|leaving|set off|setting off|travel|travelling|drive|driving|head|heading)\b")


def another_day(text: str, active: Sequence[Memory], taken: Sequence[Candidate], now: datetime) -> list[Candidate]:
    """The candidates; going on another day "instead" is the coming journey on that day, not a second one."""
    if not re.search(r"\binstead\b|\b(?:it|they)(?:[’']s|[’']re| is| are)\b", fold(text[:400])):
        return list(taken)
    plans = [m for _, m in _coming(active, now) if m.attribute == "plan" and is_user(m.owner)]
    out = []
    for c in taken:
        bare_going = c.attribute == "plan" and c.time and not _GOING.sub("", fold(c.value)).replace("on", "").strip()
        if c.attribute == "plan" and c.time and (found := _IT.match(fold(c.value))) is not None:
            words = content_words(fold(c.value)[found.end() :])
            same_doing = [m for m in plans if words and words <= content_words(m.value)]
            if len(same_doing) == 1 and c.time != same_doing[0].time:
                c = c.evolve(value=same_doing[0].value, attribute=same_doing[0].attribute, replaces=same_doing[0].value)
        elif bare_going and len(plans) == 1 and c.time != plans[0].time:
            c = c.evolve(value=plans[0].value, attribute=plans[0].attribute, replaces=plans[0].value)
        out.append(c)
    return out


_TO_DAY_ZH: Final = regex(
    r"(?:^|[，,。；;！!：:])(?P<what>[^，,。；;！!：:]{0,12}?)(?:又|被|要|得|只好|只能|已经|再|临时|都|就|统一|往后|往前|提前|时间){0,3}"
    r"(?:改|挪|调|换|推|拖|延|(?:推迟|延期|延后|顺延|提前|提早|改期|调整)(?=[到成至为在]))(?:到|成|至|为|在)(?:了)?(?P<day>[^，,。；;！!]{2,14}?)(?:了|啦|吧|再说|哈|哦)*(?=[，,。；;！!]|$)"
)
"""A new day, with or without a word for what gets it: 老师有事，改到下周五了."""


def _to_day(
    moved: re.Match[str], text: str, active: Sequence[Memory], taken: Sequence[Candidate], now: datetime, resolve: Resolve
) -> list[Candidate]:
    """The one plan that is to come and that the words can mean, on its new day."""
    new = day_of(resolve(moved["day"]))
    if new is None or new < now.date() or any(c.attribute in {"plan", "event"} and c.time for c in taken):
        return []
    plans = [m for day, m in _coming(active, now) if day != new]
    what = noun_of(trimmed(moved["what"]))
    if len(what) > 1 and not is_bare(what):
        plans = [m for m in plans if means(what, m)]
    if len(plans) != 1:
        return []
    value = with_day(plans[0].value, as_said(moved["day"], text))
    return [Candidate(attribute=plans[0].attribute, value=value, owner=plans[0].owner, time=new.isoformat(), replaces=plans[0].value, clause=text)]


def _later(moved: re.Match[str], text: str, active: Sequence[Memory], taken: Sequence[Candidate], now: datetime) -> list[Candidate]:
    """So many days or weeks later or earlier, in Chinese: 面试推迟两天; with nothing named, the plan of the nearest day."""
    plans = sorted(_coming(active, now), key=lambda p: p[0])
    what = noun_of(trimmed(moved["what"]).rpartition("说")[2])
    named = [p for p in plans if len(what) > 1 and means(what, p[1])]
    if not plans or moved["n"] in {"半", "几"} or not (named or len(what) < 2 or is_bare(what)) or (not named and len(plans) > 1):
        return []
    old, memory = (named or plans)[0]
    if any(c.time and c.attribute in {"plan", "event"} for c in taken):
        return []
    count = int(moved["n"]) * (-1 if _EARLY.search(moved[0]) else 1)
    if moved["unit"] == "月":
        index = old.year * 12 + old.month - 1 + count
        new = date(index // 12, index % 12 + 1, min(old.day, 28))
    else:
        new = old + timedelta(days=count * (1 if moved["unit"] in {"天", "日"} else 7))
    return [Candidate(attribute=memory.attribute, value=memory.value, owner=memory.owner, time=new.isoformat(), replaces=memory.value, clause=text)]


def _coming(active: Sequence[Memory], now: datetime) -> list[tuple[date, Memory]]:
    """Plans and events with the day that they are on, those that are not over."""
    return [(day, m) for m in active if m.attribute in {"plan", "event"} and (day := day_of(m.time)) is not None and day >= now.date()]


def means(what: str, memory: Memory) -> bool:
    """Whether the noun can mean the plan."""
    return topic(memory.value, what) or kind_covers(what, memory) or abridged(what, memory.value)


def day_of(iso: str | None) -> date | None:
    try:
        return date.fromisoformat((iso or "")[:10])
    except ValueError:
        return None


def _shifted(plain: str, old: date) -> date | None:
    """So many days or weeks later or earlier than planned."""
    m = _SHIFT.search(plain)
    if m is None:
        return None
    count, unit, later = m["n"] or m["n2"], m["unit"] or m["unit2"], m["later"] or m["later2"]
    days = (1 if count in {"a", "an"} else int(count)) * {"day": 1, "week": 7, "fortnight": 14}[unit]
    early = later in {"earlier", "sooner"} or (
        later is None and (m["way"] in {"forward", "up", "ahead"} or (m["verb"] in {"brought", "bring"} and m["way"] != "back"))
    )
    return old + timedelta(days=-days if early else days)


def named_day(plain: str, old: date, now: datetime, resolve: Resolve) -> date | None:
    """The day it is now on: the 19th of the plan's own month, the Friday nearest to the old day, or a date told in full."""
    if (told := _NEW_DAY.search(plain)) is None:
        return None
    if m := _DAY.match(told["x"]):
        try:
            return old.replace(day=int(m["d"]))
        except ValueError:
            return None
    if (m := _WEEKDAY.match(told["x"])) and not m["next"]:
        ahead = (_WEEKDAYS.index(m["w"]) - old.weekday() + 3) % 7 - 3
        near = old + timedelta(days=ahead)
        return near if near >= now.date() else near + timedelta(days=7)
    return day_of(resolve(told["x"]))
