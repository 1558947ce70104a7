"""A known appointment gets another hour: 改到四点了, the meeting moved to 4pm. A time of day is no place and no other value. Pure."""

from collections.abc import Sequence
from typing import Final

from memory.judge.judgement import Candidate
from memory.pattern import regex
from memory.record import USER, Memory
from memory.revise.forms import fold
from memory.revise.hearing import as_said, facts_of, trimmed
from memory.revise.referents import is_bare, kind_covers, noun_of
from memory.revise.sameness import mentions

_PART: Final = r"(?:凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|今晚|明早|明晚)"
_HOUR: Final = r"(?:(?:十[一二]?|[一二两三四五六七八九]|\d{1,2})点(?:钟|半|一刻|三刻|[零一二三四五六七八九十\d]{1,3}分?)?|\d{1,2}[:：]\d{2}(?:\s?[ap]\.?m\.?)?|\d{1,2}(?:\.\d{2})?\s?[ap]\.?m\b\.?|(?:noon|midnight)\b|\d{1,2} o[’\']clock)"
CLOCK: Final = regex(rf"(?P<part>{_PART})?(?P<hour>{_HOUR})")
ONLY_CLOCK: Final = regex(rf"(?:at )?{_PART}?{_HOUR}(?:了|吧|啦|左右|整|开始|instead|now| )*[.!。！]?$")
"""A value that is nothing but a time of day."""
_MOVED: Final = regex(
    rf"(?P<what>[^，,。；;]{{0,14}}?)(?:已经|又|给|被|都|也|要)?(?<![没不未别])(?<!没有)(?<!不用)(?:改|换|变|调|挪|调整|推迟|延后|提前|延|推)(?:成|到|为|至|在|回)(?:了)?(?P<new>{_PART}?{_HOUR})(?!\d|来|起床|睡)"
    rf"|(?:(?P<what2>(?:the|my|our) [\w \'-]{{1,30}}?) (?:is|was|got|has been|[’\']s)? ?(?:now |just )?)?(?:moved|pushed|changed|rescheduled|bumped|brought forward|put back|shifted|delayed|postponed)"
    rf"(?: (?P<what3>it|that|(?:the|my|our) [\w \'-]{{1,30}}?))?(?: back| forward| up)? (?:to|until|till) (?P<new2>{_HOUR})"
)


_NOT: Final = regex(r"\b(?:not|never)\b|n[’\']t\b")


def reclocked(clause: str, text: str, owner: str, active: Sequence[Memory]) -> list[Candidate]:
    """The latest appointment of that owner's at a time of day (the one named, where the clause names one), at its new time."""
    found = _MOVED.search(clause)
    if found is None or _NOT.search(clause[: found.start("new2")] if found["new2"] else ""):
        return []
    what = noun_of(trimmed(found["what"] or found["what2"] or found["what3"] or ""))
    timed = [m for o in dict.fromkeys((owner, USER)) for m in facts_of(active, o, frozenset({"plan", "event"})) if CLOCK.search(fold(m.value))]
    timed = timed or [m for m in facts_of(active, owner, frozenset({"habit"})) if CLOCK.search(fold(m.value))][:1]
    if what and not is_bare(what) and not CLOCK.search(what) and len(what) > 1:
        timed = [m for m in timed if _names(what, m)]
    if not timed:
        return []
    memory, told = timed[0], CLOCK.search(fold(found["new"] or found["new2"]))
    old = CLOCK.search(fold(memory.value))
    if told is None or old is None or len(fold(memory.value)) != len(memory.value):
        return []
    start = old.start() if told["part"] else old.start("hour")
    value = memory.value[:start] + as_said(told[0].strip(" ."), text) + memory.value[old.end() :]
    if value == memory.value:
        return []
    return [Candidate(attribute=memory.attribute, value=value, owner=memory.owner, time=memory.time, replaces=memory.value, clause=text)]


def _names(what: str, memory: Memory) -> bool:
    """Whether the words in front name this appointment: 会议 is one of 开会."""
    return (
        mentions(memory.value, what)
        or mentions(what, memory.value)
        or kind_covers(what, memory)
        or any(c in memory.value for c in what if c in "会课班车票诊饭局")
    )
