"""A correction that gives the right value and nothing else (打错了，是A2039; no wait, third year; it's actually Foss): which known fact it means.

It means a fact that the message names, or one whose slot it names, or the latest that looks like the value: of one shape (7K2 and 5M8, 905 and 950) or
alike in letters. Pure.
"""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from difflib import SequenceMatcher
from typing import Final

from memory.judge.judgement import Candidate, Stance
from memory.record import Memory
from memory.revise.case import slot_of
from memory.revise.dates import date_in
from memory.revise.forms import bare, fold, numerals, quantity
from memory.revise.hearing import as_said
from memory.revise.sameness import Same, mentions, same
from memory.revise.schema import attribute
from memory.revise.tidy import admits

INSTEAD: Final = re.compile(
    r"(?:应该是|其实是|说错了?[，,]?是|正确的?是|我是说|我的意思是|想说的是)(?P<v>[^，,。；;！!]{1,24})|\b(?:i meant(?: to say)?|should (?:be|have (?:been|said))|i should have said|make that|rather,?) (?P<v2>[^,!?;]{2,40})"
)
_NOT_BUT: Final = re.compile(
    r"不是(?P<r>[^，,。是]{1,16})[，,]\s*(?:而|应该)?是(?P<v>[^，,。；;！!]{1,24})|\bnot (?:an? |the )?(?P<r2>[^,.;]{2,30}), (?:it[’']s|but|i[’']m|that[’']s) (?:an? |the )?(?P<v2>[^,.!?;]{2,40})"
)
_IT_IS: Final = re.compile(
    r"^(?:那|我|我们|咱|其实|应该|实际上?|真正|正确|自己|的|验出来|查出来|翻出来|看了(?:一?眼)?|一?看|核对(?:了一?下)?|确认(?:了一?下)?|而|准确说){0,5}(?:应该)?(?:是|为)(?P<v>[^，,。；;！!…]{1,24})"
    r"|^(?:sorry,? |no,? |so |and |actually,? )*(?:it|that|mine|(?:the|my) (?:right |correct |real |actual )?(?:one|number|name|date|\w+))(?:[’']s| is| was| should be) (?:actually |really |supposed to be )?(?P<v2>[^,!?;]{2,40})"
)
_RIGHT: Final = re.compile(
    r"^(?P<v>[^，,。；;！!是]{1,24}?)(?:才是?对的?|才是(?:真|正确)的|才准确?|才没错|才算对|是对的|是正确的)[，,。！!]*$|^(?:it[’']s |the )?(?P<v2>[^,!?;]{2,40}?) (?:is|was) (?:the )?(?:right|correct|actual|real)(?: one| date| number| name| day)?[.!]*$"
)
_NO: Final = re.compile(
    r"^(?:(?:ugh|oh|er+|um+|argh|sorry|hang on|hold on|wait|whoops|oops)[ ,]+)*(?:no wait|wait,? no|actually no|ugh no|oh no|no|scratch that|strike that|make that|correction|sorry)[,: ]+(?:it[’']s |make it |i meant |i[’']m (?:in )?(?:my |the )?)?(?P<v>[^,.;!?]{2,30})"
    r"|^(?:等下|等等|啊?不对|哦不|啊不|不不|更正)[，, ]*(?:是|应该是|我说的是)?(?P<v2>[^，,。；;！!…]{1,20})$"
)

_NO_ALONE: Final = re.compile(
    r"^(?:(?:ugh|oh|er+|um+|argh|sorry|hang on|hold on|wait|whoops|oops|actually)[ ,]*)*(?:no|wait|sorry|actually|correction|scratch that|strike that|等下|等等|不对|哦不|啊不|更正)[,，.。 ]*$"
)
_BARE: Final = re.compile(
    r"^(?:(?:make it|it[’']s|i meant|i[’']m(?: in)?(?: my)?|是|应该是) ?)?(?P<v>(?!not\b|i\b|we\b|you\b|that\b|the one|my\b|不|没|我|你|那|这)[^,，.。;；!！?？]{1,24})[,，.。!！]*$"
)

_OF_ONESELF: Final = re.compile(
    r"^(?:其实|不|对|啊|哦|，|,)*(?:我|俺)(?!是说|的意思|想说|说错|记错|打错|的)|^(?:actually,? |no,? |sorry,? )*i[’' ]a?m\b"
)

RECENT: Final = timedelta(days=7)
"""How long after a fact was said a correction that names nothing may still mean it by its letters."""
SHAPED: Final = timedelta(days=90)
"""The same for one that has the shape of the value: two plates or two amounts are seldom alike by chance."""

ALIKE: Final = 0.4
"""difflib ratio from which a correcting value looks like the value it corrects (Fernhill School / Fernwood School is .87, a name and a city .2)."""


def wrong(text: str) -> bool:
    """Whether the text may hold a correction that only gives a value."""
    plain = fold(text)
    return admits(text) or any(p.search(plain) for p in (INSTEAD, _NOT_BUT, _NO))


def instead(clause: str, before: str, text: str, active: Sequence[Memory], taken: Sequence[Candidate], now: datetime) -> list[Candidate]:
    """The known fact under the value that the clause gives in its place; empty where no fact is meant."""
    if any(c.stance is Stance.CORRECT and not c.loose for c in taken):
        return []
    old, new = _told(clause, before, text)
    if not new:
        return []
    for memory in active:
        if old is not None:
            meant = same(memory.attribute, old, memory.value) in {Same.EQUAL, Same.CLOSE} or mentions(memory.value, old)
        else:
            meant = _meant(new, before, text, memory, now)
        if (
            old is None
            and memory.time
            and memory.attribute in {"plan", "event"}
            and now - memory.updated_at <= SHAPED
            and (day := _day_told(new, now))
        ):
            if day == memory.time:
                continue
            return [
                Candidate(
                    attribute=memory.attribute, value=memory.value, owner=memory.owner, time=day, stance=Stance.CORRECT, replaces=memory.value, clause=text
                )
            ]  # fmt: skip
        if not meant or same(memory.attribute, new, memory.value) is Same.EQUAL:
            continue
        read = [c for c in taken if c.value and not c.loose and mentions(c.value, new)]  # what the judge read in it: of which kind it is, and whose
        if any(c.attribute != memory.attribute or (c.owner != memory.owner and _OF_ONESELF.search(clause)) for c in read):
            continue
        said = as_said(new, text)
        inside = [m for m in active if m.key != memory.key and m.owner == memory.owner and len(memory.value) > 3 and memory.value in m.value]
        swapped = [(memory, said), *((m, m.value.replace(memory.value, said)) for m in inside)]
        return [
            Candidate(attribute=m.attribute, value=value, owner=m.owner, stance=Stance.CORRECT, replaces=m.value, clause=text) for m, value in swapped
        ]
    return []


def _day_told(new: str, now: datetime) -> str | None:
    """The day, when the right value is nothing but a day: it's 13 June; 是周四."""
    found = date_in(new, now)
    return found if found is not None and len(found) == 10 and len(bare(new)) <= 14 else None


def _told(clause: str, before: str, text: str) -> tuple[str | None, str]:
    """(the wrong value where it is named, the right one)."""
    both = f"{before} {clause}"
    if (found := _NOT_BUT.search(both)) is not None and found.end() > len(before):
        return (found["r"] or found["r2"]).strip(), _clean(found["v"] or found["v2"])
    if _NO_ALONE.match(before) is not None and (alone := _BARE.match(clause)) is not None and not _OF_SOMETHING.search(clause):
        return None, "" if _SAYS_NOTHING.fullmatch(alone["v"]) else _clean(alone["v"])
    found = INSTEAD.search(clause) or _RIGHT.match(clause) or (_IT_IS.match(clause) if admits(text) else None) or _NO.match(clause)
    told = _clean(next((g for g in found.groups() if g), "")) if found is not None else ""
    return None, "" if _SAYS_NOTHING.fullmatch(told) else told


_OF_SOMETHING: Final = re.compile(r"\b(?:is|are|was|were|has|have|does|did)(?:n[’']t)?\b|[一-龥]{2,}(?:是|在|有)[一-龥]")
"""A whole statement of its own, which is no value."""
_SAYS_NOTHING: Final = re.compile(
    r"(?:(?:wait|no|yes|hang on|hold on|sorry|ok(?:ay)?|thanks?|right|never mind|nvm|nothing|等等|等下|算了|没事)[ ,]*)+"
)


def _clean(value: str) -> str:
    value = value.split("...")[0]
    return re.sub(r"[.。]$|(?:才对|才是|吧|啊|呀|哈|了)$", "", value.strip()).strip()


def _meant(new: str, before: str, text: str, memory: Memory, now: datetime) -> bool:
    age = now - memory.updated_at
    if before and mentions(before, memory.value):
        return True
    facet = attribute(memory.attribute).named(slot_of(memory)[0])
    if shaped(new, memory.value) and (age <= SHAPED or (facet is not None and facet.words is not None and bool(facet.words.search(fold(text))))):
        return True
    if re.search(r"\d", new) or re.search(r"\d", memory.value):
        return False
    return age <= (SHAPED if admits(text) else RECENT) and SequenceMatcher(None, bare(new), bare(memory.value), autojunk=False).ratio() >= ALIKE


_TOKEN: Final = re.compile(r"[a-z]*\d[a-z\d.,:-]*")
_NTH: Final = re.compile(
    r"\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|final)\b|第?[一二三四五六七八九十\d]+(?=年级|年|届|期|单元)"
)


def shaped(one: str, other: str) -> bool:
    """Whether two values look like two of a kind: codes of one shape, amounts of one kind, ordinals, blood types."""
    a, b = fold(one), fold(other)
    first, second = quantity(a), quantity(b)
    if first and second and (first.kind == second.kind):
        return True
    if _NTH.search(a) and _NTH.search(b):
        return bool(set(_NTH.sub(" ", a).split()) & set(_NTH.sub(" ", b).split())) or _NTH.sub("", a) == _NTH.sub("", b)
    if re.search(r"^(?:ab|a|b|o)型", a) and re.search(r"(?:ab|a|b|o)型", b):
        return True
    codes, others = _TOKEN.findall(numerals(a)), _TOKEN.findall(numerals(b))
    return any(_shape(x) == _shape(y) for x in codes for y in others)


def _shape(token: str) -> str:
    return re.sub(r"[a-z]", "a", re.sub(r"\d", "9", token.strip(".,:-")))
