"""A known habit gets another day of the week or part of the day: 瑜伽课改成周日了, 跑步改到晚上了, "moved my runs to Thursdays". Pure."""

import re
from collections.abc import Sequence
from typing import Final

from memory.judge.judgement import Candidate
from memory.pattern import regex
from memory.record import USER, Memory
from memory.revise.forms import fold
from memory.revise.hearing import as_said, facts_of, trimmed
from memory.revise.referents import is_bare, noun_of
from memory.revise.sameness import content_words, mentions

_PART: Final = r"(?:凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|睡前|夜里)"
_DAY: Final = r"(?:周|星期|礼拜)[一二三四五六日天末](?!号)"
_DAYS_EN: Final = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_MOVED: Final = regex(
    rf"(?P<what>[^，,。；;]{{1,14}}?)(?:以后|之后|现在|从此|都|也|已经|又|给|被|要)*(?<![没不未别])(?:改|换|变|调|挪|移|调整)(?:成|到|为|至|在)了?(?:每个?)?(?P<day>{_DAY})?(?P<part>{_PART})?(?=了|啦|上课|[，,。；;!！]|$)"
    rf"|(?P<what2>[^，,。；;]{{1,14}}?)(?:以后|现在|如今|往后)(?:都|就)?(?:是|在)(?:每个?)?(?P<day2>{_DAY})(?P<part2>{_PART})?(?=了|啦|[，,。；;!！]|$)"
    rf"|(?P<what3>(?:my |our |the )?[a-z'’ -]{{2,30}}?)(?: is|[’']s| are| happens?)(?: now)? (?:on )?(?P<day3>{_DAYS_EN})(?: now| instead| from now on)"
    rf"|(?P<what5>(?:my |our |the )?[a-z'’ -]{{2,30}}?)(?: has| have|[’']s)?(?: now| been)? (?:moved|changed|switched|shifted) to (?P<day5>{_DAYS_EN})\b"
    rf"|\b(?:moved|switched|changed|shifted) (?P<what4>(?:my |our |the )?[a-z' -]{{2,30}}?) to (?P<day4>{_DAYS_EN})\b"
)
_OLD_DAY: Final = regex(rf"{_DAY}|\b{_DAYS_EN}\b", re.IGNORECASE)
_OLD_PART: Final = regex(rf"{_PART}(?:[零一二两三四五六七八九十\d]{{1,3}}点(?:半|钟|一刻)?)?")
_AT: Final = regex(rf"每(?:天|日)|{_DAY}")
_REGULAR: Final = regex(rf"每(?:天|晚|早|日|个?(?:周|星期|礼拜))|天天|{_DAY}|\b(?:every|each|usually|always)\b|\b{_DAYS_EN}\b", re.IGNORECASE)


_ONCE: Final = regex(
    r"(?:这|本|下|上)(?:一)?(?:个)?(?:周|星期|礼拜|次|回|节)(?!起|开始)|明[天早晚]|今[天早晚]|后天|临时|暂时|\b(?:this|next|last) (?:week|time|one)\b|\b(?:tomorrow|today|tonight|just once|for now)\b"
)


def moved_once(clause: str) -> bool:
    """Whether something regular is on another day for this once (这周的游泳改到周五): the habit stays what it is."""
    return _ONCE.search(fold(clause)) is not None and _MOVED.search(fold(clause)) is not None


def reweekly(clause: str, text: str, owner: str, active: Sequence[Memory]) -> list[Candidate]:
    """The regular habit of that owner's that the clause names, on its new day or in its new part of the day; nothing where none or several fit."""
    plain = fold(clause)
    found = _MOVED.search(plain)
    if found is None or _ONCE.search(plain):
        return []
    said = {name: next((v for n in ("", "2", "3", "4", "5") if (v := found.groupdict().get(name + n))), "") for name in ("what", "day", "part")}
    if not (said["day"] or said["part"]):
        return []
    what = noun_of(trimmed(said["what"]))
    pool = [m for o in dict.fromkeys((owner, USER)) for m in facts_of(active, o, frozenset({"habit"})) if _REGULAR.search(m.value)]
    meant = pool if not what or is_bare(what) else [m for m in pool if _names(what, m)]
    if len({m.key for m in meant}) != 1:
        return []
    value = _moved(meant[0].value, said["day"], said["part"], text)
    if value is None or value == meant[0].value:
        return []
    return [Candidate(attribute="habit", value=value, owner=meant[0].owner, replaces=meant[0].value, clause=text)]


def _names(what: str, memory: Memory) -> bool:
    """Whether the words name what is done: 笛子课 of 晚上去上课, runs of "run on Tuesdays"."""
    value = fold(memory.value)
    if mentions(memory.value, what) or mentions(what, memory.value) or content_words(what) & content_words(value):
        return True
    return any(c in value for c in what if c in "课班会训练操拳琴舞球泳跑")


def _moved(value: str, day: str, part: str, text: str) -> str | None:
    """The habit with another day, or another part of the day (whose hour then falls away); None where it has none to change."""
    old_day = _OLD_DAY.search(value)
    if day:
        if old_day is None:
            return None
        told = as_said(day, text)
        told = told.rstrip("s") if old_day[0].lower().endswith("day") else told
        value = value[: old_day.start()] + told + value[old_day.end() :]
    if part:
        old = _OLD_PART.search(value)
        if old is not None:
            value = value[: old.start()] + part + value[old.end() :]
        elif (at := _AT.search(value)) is not None:
            value = value[: at.end()] + part + value[at.end() :]
        else:
            return None
    return value
