"""A correction that gives the right value and nothing else (打错了，是A2039; no wait, third year; it's actually Foss): which known fact it means.

It means a fact that the message names, or one whose slot it names, or the latest that looks like the value: of one shape (7K2 and 5M8, 905 and 950) or
alike in letters. Pure.
"""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from difflib import SequenceMatcher
from typing import Final

from memory.judge.clauses import fold as lined
from memory.judge.judgement import Candidate, Stance
from memory.judge.zh.times import moments
from memory.pattern import regex
from memory.record import Memory
from memory.revise.anew import with_day
from memory.revise.case import slot_of
from memory.revise.dates import date_in, is_day
from memory.revise.forms import bare, fold, numerals, quantity
from memory.revise.hearing import as_said
from memory.revise.people import is_user, same_person
from memory.revise.sameness import Same, mentions, same
from memory.revise.schema import attribute
from memory.revise.tidy import admits

INSTEAD: Final = regex(
    r"(?:应该?[是为]|其实是|说错了?[，,]?是|正确的?是|我是说|我的意思是|想说的是)(?P<v>[^，,。；;！!]{1,24})|\b(?:i meant(?: to say)?(?! to\b)|should (?:be|have (?:been|said))|slip of the (?:keys?|tongue|fingers?|thumbs?|pen|mind)[:,]|i should have said|make that|(?<![’'´]d )(?<!would )(?<!than )rather,?) (?P<v2>(?!you\b|i\b|we\b|not\b|than\b)[^,!?;]{2,40})"
)
_NOT_BUT: Final = regex(
    r"不是(?P<r>[^，,。是]{1,16})[，,]\s*(?:而|应该)?是(?P<v>[^，,。；;！!]{1,24})|\b(?:it|that)(?:[’']s not| isn[’']t| wasn[’']t) (?:an? |the )?(?P<r3>[^,.;]{2,30}?)(?: (?:that )?(?:i|we|he|she)\b[^,.;]{0,24})?, (?:it[’']s|but) (?:an? |the )?(?P<v3>[^,.!?;]{2,40})|\bnot (?:an? |the )?(?P<r2>[^,.;]{2,30}), (?:it[’']s|but|i[’']m|that[’']s) (?:an? |the )?(?P<v2>[^,.!?;]{2,40})"
)
_IT_IS: Final = regex(
    r"^(?:那|我|我们|咱|其实|应该|实际上?|真正|正确|自己|的|验出来|查出来|翻出来|看了(?:一?眼)?|一?看|核对(?:了一?下)?|确认(?:了一?下)?|而|准确说){0,5}(?:应该)?(?:是|为)(?P<v>[^，,。；;！!…]{1,24})"
    r"|^(?:sorry,? |no,? |so |and |actually,? )*(?:it|that|mine|(?:the|my) (?:right |correct |real |actual )?(?:one|number|name|date|\w+))(?:[’']s| is| was| should be) (?:actually |really |supposed to be )?(?P<v2>[^,!?;]{2,40})"
)
_RIGHT: Final = regex(
    r"^(?P<v>[^，,。；;！!是]{1,24}?)(?:才是?对的?|才是(?:真|正确)的|才准确?|才没错|才算对|是对的|是正确的)[，,。！!]*$|^(?:it[’']s |the )?(?P<v2>[^,!?;]{2,40}?) (?:is|was) (?:the )?(?:right|correct|actual|real)(?: one| date| number| name| day)?[.!]*$"
)
_NO: Final = regex(
    r"^(?:(?:ugh|oh|er+|um+|argh|sorry|hang on|hold on|wait|whoops|oops)[ ,]+)*(?:(?:no wait|wait,? no|actually no|ugh no|scratch that|strike that|make that|correction)[,: ]+|(?:oh no|no|sorry)(?:[,:][,: ]*| (?=it[’']s |make it |i meant |i[’']m |\d)))(?:it[’']s |make it |i meant |i[’']m (?:in )?(?:my |the )?)?(?P<v>(?!(?:i|you|we|he|she|they|that|this|there|don[’']t|can you|could you) )[^,.;!?]{2,30})"
    r"|^(?:等下|等等|啊?不对|哦不|啊不|不不|更正)[，, ]*(?:是|应该是|我说的是)?(?P<v2>[^，,。；;！!…]{1,20})$"
)

_NO_ALONE: Final = regex(
    r"^(?:(?:ugh|oh|er+|um+|argh|no|sorry|hang on|hold on|wait|whoops|oops|actually)[ ,]*)*(?:no|wait|sorry|actually|correction|scratch that|strike that|等下|等等|不对|哦不|啊不|更正)[,，.。 ]*$"
)
_ADMITTED: Final = regex(
    r"^(?:唉|哎|啊|呀|哈哈|不对|等等|抱歉|不好意思|sorry|oops|whoops|ah|oh|ugh)*[，, ]*(?:我?(?:又|刚才|之前|上次)?(?:口误|笔误|手滑|手快|打字?错字?|写错字?|说错|记错|搞错|弄错|看错|报错|打反|说反|记反|记岔|说岔)(?:字|话)?(?:了|啦)?)+(?:哈|啊|呀|咳)*[，,。！!\s]*$"
    r"|^(?:(?:ah|oh|sorry|oops|whoops|ugh|my mistake|slip of the (?:keys?|tongue|fingers?|thumbs?|pen|mind)|typo|autocorrect|misread it|wrong(?: (?:word|name|one|number|city|town|day|date|year|month|street|company|firm|school|place|person))?)[ ,.:!]*)+$"
)
"""A clause that only admits a mistake; the right value may follow by itself."""
_BARE: Final = regex(
    r"^(?:(?:make it|it[’']s|i meant|i[’']m(?: in)?(?: my)?|是|应该是) ?)?(?P<v>(?!not\b|i\b|we\b|you\b|that\b|the one|my\b|不|没|我|你|那|这)[^,，.。;；!！?？]{1,24})[,，.。!！]*$"
)

_OF_ONESELF: Final = regex(r"^(?:其实|不|对|啊|哦|，|,)*(?:我|俺)(?!是说|的意思|想说|说错|记错|打错|的)|^(?:actually,? |no,? |sorry,? )*i[’' ]a?m\b")

RECENT: Final = timedelta(days=7)
"""How long after a fact was said a correction that names nothing may still mean it by its letters."""
SHAPED: Final = timedelta(days=90)
"""The same for one that has the shape of the value: two plates or two amounts are seldom alike by chance."""

ALIKE: Final = 0.4
"""difflib ratio from which a correcting value looks like the value it corrects (Fernhill School / Fernwood School is .87, a name and a city .2)."""


NEARLY: Final = 0.8
"""The same for codes, of which a letter was left out or struck twice: lanhai66 / lanhaii66 is .94."""


def wrong(text: str) -> bool:
    """Whether the text may hold a correction that only gives a value."""
    plain = fold(text)
    return admits(text) or any(p.search(plain) for p in (INSTEAD, _NOT_BUT, _NO))


def instead(clause: str, before: str, text: str, active: Sequence[Memory], taken: Sequence[Candidate], now: datetime) -> list[Candidate]:
    """The known fact under the value that the clause gives in its place; empty where no fact is meant."""
    for part in _SENTENCE.split(clause):
        if found := _instead(part.strip(), before, text, active, taken, now):
            return found
        before = part
    return []


_CLEFT: Final = regex(
    r"\b(?:it[’']s|it is|it was) (?:an? |the )?(?P<v>[^,.!?;]{2,40}?) (?:that |which |where )?(?P<who>i|we|he|she|they) (?:actually |really |now )?(?P<verb>[a-z]{3,12}?)(?:s|es|ed|d)?(?: (?:for|at|in|with|on|to|from))?(?=[,.!?;]|$)"
)


def _cleft(clause: str, text: str, active: Sequence[Memory], now: datetime) -> Candidate | None:
    """The right value told by what is done with it (it's Morrow she works for, it's a Seat he drives): of the fact that was told with the same verb."""
    found = _CLEFT.search(clause) if admits(text) else None
    if found is None:
        return None
    own, verb = found["who"] in {"i", "we"}, regex(rf"\b{re.escape(found['verb'])}")
    told = [m for m in active if is_user(m.owner) is own and now - m.updated_at <= SHAPED and verb.search(fold(m.source.text or ""))]
    named = [m for m in told if mentions(text, m.owner)] if not own else told
    right = as_said(found["v"].strip(), text)
    meant = next((m for m in named or told if same(m.attribute, right, m.value) is not Same.EQUAL), None)
    if meant is None:
        return None
    return Candidate(attribute=meant.attribute, value=right, owner=meant.owner, stance=Stance.CORRECT, replaces=meant.value, clause=text)


_SENTENCE: Final = regex(r"(?<=[a-z\d]{2}[.])\s+")


def _instead(clause: str, before: str, text: str, active: Sequence[Memory], taken: Sequence[Candidate], now: datetime) -> list[Candidate]:
    if any(c.stance is Stance.CORRECT and not c.loose and (bare(c.clause) in bare(clause) or bare(clause) in bare(c.clause)) for c in taken):
        return []
    clause = clause if INSTEAD.search(clause) else _REPORTED.sub("", clause)
    if (cleft := _cleft(clause, text, active, now)) is not None:
        return [cleft]
    old, new = _told(clause, before, text)
    righted = {c.attribute for c in taken if c.stance is Stance.CORRECT and not c.loose}
    of, told = _noun_is(clause, text) if not new else ("", "")
    if not (new or told) and (indeed := _INDEED.search(clause)) is not None:
        truth = _clean(indeed["v"])
        beside = [m for m in active if mentions(text, m.value) and not mentions(truth, m.value) and shaped(truth, m.value)]
        old, new = (beside[0].value, truth) if len(beside) == 1 else (old, new)
    new = new or told
    if not new or _STATEMENT.search(new):
        return []
    for memory in active:
        if old is not None:
            meant = same(memory.attribute, old, memory.value) in {Same.EQUAL, Same.CLOSE} or mentions(memory.value, old)
        elif of:
            meant = (
                memory.attribute not in righted
                and not (mentions(of, memory.value) or (len(bare(of)) > 1 and mentions(memory.value, of)))
                and mentions(f"{memory.content} {memory.source.text or ''}", of)
                and now - memory.updated_at <= SHAPED
                and _fits(new, memory)
            )
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
                    attribute=memory.attribute, value=with_day(memory.value, as_said(new, text)), owner=memory.owner, time=day, stance=Stance.CORRECT, replaces=memory.value, clause=text
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


_REPORTED: Final = regex(
    r"^(?:[a-z’']+ ){0,4}?(?:says|said|reckons|insists|tells me|told me|corrected me|pointed out|reminds me|reminded me)(?: that)? (?=it\b|it[’']s|that|mine|the\b|my\b)"
    r"|^[^，,。]{0,8}?(?:跟我说|告诉我|提醒我|纠正我|说我?|骂我)(?:了|说)?(?=其实|应该|是|我|明明)|^[^，,。]{0,6}?(?:写着?|写的|显示|登记|印着?|标着?|查出来|查的|验的)(?:我|的)?(?=是)|^[^:，,。]{2,40}: "
)
"""Who says that it is otherwise, or what it was read off: my wife says it's…, 我妈纠正我说是…, on my donor card: it's…"""
_NOUN_IS: Final = regex(
    r"^(?:而|其实|真正|正确|实际|我|我们|咱|家|的){0,3}(?P<of>[^，,。；;！!是我你他她这那不]{1,8}?)(?:其实|应该|真正|实际上?|确实|明明)?(?:应该)?(?:是|：|:)(?P<v>[^，,。；;！!…]{1,24})"
    r"|^(?:actually |no |so |and |sorry )*(?:my|the|our) (?P<of2>[a-z]+(?: [a-z]+)?) (?:is|was|should be) (?:actually |really )?(?P<v2>[^,!?;]{2,40})"
)


def _noun_is(clause: str, text: str) -> tuple[str, str]:
    """(what it is of, the right value): 尾号是682, where the message admits a mistake; empty where it does not."""
    found = _NOUN_IS.match(clause) if admits(text) else None
    if found is None or admits(found[0]):
        return "", ""
    told = _clean(found["v"] or found["v2"])
    return ((found["of"] or found["of2"]).strip().removesuffix("的"), told) if told and not _SAYS_NOTHING.fullmatch(told) else ("", "")


def _fits(new: str, memory: Memory) -> bool:
    """Whether a value can stand where the known one stands: figures for figures, words of about the same length for words."""
    one, other = numerals(fold(new)), numerals(fold(memory.value))
    if re.search(r"\d", one) or re.search(r"\d", other):
        return shaped(new, memory.value)
    return len(bare(new)) <= 2 * len(bare(memory.value)) + 2


def placed(taken: Sequence[Candidate], text: str, active: Sequence[Memory], now: datetime) -> list[Candidate]:
    """The candidates; a correction that meets no fact of its owner and attribute corrects the fact that it looks like: 说错了，是四年级 after 女儿上五年级."""
    if not admits(text):
        return list(taken)
    taken = [_dated_anew(c, text, active, now) for c in taken]
    return [_renamed(c, active, now) or (_placed(c, active, now) if c.stance is Stance.CORRECT and not c.loose else c) for c in taken]


_MY_NAME: Final = regex(r"\b(?:my name|call me|i[’']m|i am|i go by)\b|我")
_ITS_NAME: Final = regex(r"(?:^|[ ,.])it[’']s [^ ]+(?: [^ ]+)?[.!]*$")


def _renamed(c: Candidate, active: Sequence[Memory], now: datetime) -> Candidate | None:
    """A bare name that puts right the name told last, be it an animal's or somebody else's: my mistake, it's Max after my dog is called Rex."""
    if c.attribute != "name" or not is_user(c.owner):
        return None
    named = next(
        (m for m in active if m.attribute in {"pet", "relationship"} and mentions(c.clause, m.value) and not _MY_NAME.search(fold(c.clause))), None
    )
    if named is not None:
        return c.evolve(attribute=named.attribute, owner=named.owner, stance=Stance.CORRECT, replaces=named.value, content="")
    if not _ITS_NAME.search(fold(c.clause)):
        return None
    last = next((m for m in active if m.attribute in _NAMED and now - m.updated_at <= SHAPED and m.value[:1].isupper()), None)
    if last is None or last.attribute == "name":
        return None
    return c.evolve(attribute=last.attribute, owner=last.owner, stance=Stance.CORRECT, replaces=last.value, content="")


def _dated_anew(c: Candidate, text: str, active: Sequence[Memory], now: datetime) -> Candidate:
    """The known plan on another day, where the correction names the day and no more than its verb or noun: 看错了，是周四飞 after 周二飞成都; 预产期是五月中."""
    if c.attribute not in {"plan", "event"} or not c.time or len(c.value) > 10 or not is_user(c.owner):
        return c
    told = moments(lined(c.value), None)
    if len(told) != 1:
        return c
    rest = _VERB_ALONE.sub("", c.value[: told[0].start] + c.value[told[0].end :])
    plans = [m for m in active if m.attribute in {"plan", "event"} and m.time and now - m.updated_at <= SHAPED]
    meant = [m for m in plans if m.time != c.time and rest and rest in m.value and not mentions(text, m.value)]
    meant = [m for m in meant if is_user(m.owner)] or (meant if len(rest) > 2 else [])  # whose it is need not be told again of what is so named
    if not rest or len(meant) != 1:
        return c
    old, day = meant[0], c.value[told[0].start : told[0].end]
    return c.evolve(attribute=old.attribute, value=with_day(old.value, day), owner=old.owner, stance=Stance.CORRECT, replaces=old.value, content="")


_VERB_ALONE: Final = regex(r"^(?:我|是|应该|才|要|得|会)+|(?:的|才对|了|应该是|是|在)$")


def _placed(c: Candidate, active: Sequence[Memory], now: datetime) -> Candidate:
    recent = [m for m in active if now - m.updated_at <= SHAPED]
    family = attribute(c.attribute).family
    mine = [m for m in recent if same_person(m.owner, c.owner, active) and (m.attribute == c.attribute or m.attribute in family)]
    if mine or not is_user(c.owner) or any(mentions(c.value, m.value) for m in recent) or _OF_ONESELF.search(fold(c.clause)):
        return c
    same_kind = [m for m in recent if m.attribute == c.attribute and (shaped(c.value, m.value) or _ratio(c.value, m.value) >= ALIKE)]
    alike = same_kind or [m for m in recent if _ratio(c.value, m.value) >= ALIKE and not re.search(r"\d", numerals(fold(m.value)))]
    if not alike:
        return c
    return c.evolve(attribute=alike[0].attribute, owner=alike[0].owner, replaces=alike[0].value, content="")


def _ratio(one: str, other: str) -> float:
    return SequenceMatcher(None, bare(one), bare(other), autojunk=False).ratio()


_INDEED: Final = regex(r"其实(?:我|她|他|它)?(?:是|在|叫|穿|住在?|用|属|念|读|姓|养|开|要|该是)(?P<v>[^，,。；;！!]{1,16})")
"""A value that is so in truth, beside the one that is known: 38挤脚，其实我穿39."""


def _day_told(new: str, now: datetime) -> str | None:
    """The day, when the right value is nothing but a day: it's 13 June; 是周四."""
    found = date_in(new, now) if is_day(fold(new)) else None
    return found if found is not None and len(found) == 10 else None


def _told(clause: str, before: str, text: str) -> tuple[str | None, str]:
    """(the wrong value where it is named, the right one)."""
    both = f"{before} {clause}"
    if (found := _NOT_BUT.search(both)) is not None and found.end() > len(before):
        return (found["r"] or found["r2"] or found["r3"]).strip(), _clean(found["v"] or found["v2"] or found["v3"])
    if before and len(before) <= 40 and re.match(r"i (?:should|meant to) (?:say|have said)\b", clause):
        return None, _clean(before.rstrip(" ,，"))  # Finch & Barlow, I should say
    if (
        (_NO_ALONE.match(before) is not None or _ADMITTED.match(before) is not None)
        and (alone := _BARE.match(clause)) is not None
        and not _OF_SOMETHING.search(clause)
    ):
        return None, "" if _SAYS_NOTHING.fullmatch(alone["v"]) else _clean(alone["v"])
    found = INSTEAD.search(clause) or _RIGHT.match(clause) or (_IT_IS.match(clause) if admits(text) else None) or _NO.match(clause)
    told = _clean(next((g for g in found.groups() if g), "")) if found is not None else ""
    return None, "" if _SAYS_NOTHING.fullmatch(told) else told


_OF_SOMETHING: Final = regex(r"\b(?:is|are|was|were|has|have|does|did)(?:n[’']t)?\b|[一-龥]{2,}(?:是|在|有)[一-龥]")
"""A whole statement of its own, which is no value."""
_STATEMENT: Final = regex(r"我(?!们?的)|没空|有事|不行|\b(?:doesn|don|can|won|isn)[’']t\b")
"""What is said of something, and no value: 不对，周四我没空."""
_SAYS_NOTHING: Final = regex(
    r"(?:(?:wait|no|yes|hang on|hold on|sorry|ok(?:ay)?|thanks?|right|never mind|nvm|nothing|wrong (?:word|name|one|number|city|town|day|date|year|month|street|company|firm|school|place|person)|等等|等下|算了|没事)[ ,]*)+"
)


def _clean(value: str) -> str:
    value = value.split("...")[0]
    return re.sub(r"[.。]$|(?:才对|才是|吧|啊|呀|哈|了)$", "", value.strip()).strip()


def _meant(new: str, before: str, text: str, memory: Memory, now: datetime) -> bool:
    age = now - memory.updated_at
    if (noun := _WRONG_NOUN.search(fold(text))) is not None and age <= RECENT and memory.attribute in _NOUNS_OF[noun["n"]] and _fits(new, memory):
        return True
    if admits(text) and age <= SHAPED and mentions(text, memory.value) and len(bare(memory.value)) > 1 and not mentions(new, memory.value):
        return True  # 其实是腰果，花生可以吃，我说错了
    if before and mentions(before, memory.value):
        return True
    facet = attribute(memory.attribute).named(slot_of(memory)[0])
    if shaped(new, memory.value) and (age <= SHAPED or (facet is not None and facet.words is not None and bool(facet.words.search(fold(text))))):
        return True
    if re.search(r"\d", new) or re.search(r"\d", memory.value):
        return admits(text) and age <= SHAPED and min(len(bare(new)), len(bare(memory.value))) > 4 and _ratio(new, memory.value) >= NEARLY
    return age <= (SHAPED if admits(text) else RECENT) and SequenceMatcher(None, bare(new), bare(memory.value), autojunk=False).ratio() >= ALIKE


_WRONG_NOUN: Final = regex(r"\bwrong (?P<n>word|name|city|town|company|firm|school)\b")
_NAMED: Final = frozenset({"name", "relationship", "pet"})
_NOUNS_OF: Final = {
    "word": frozenset({"allergy", "likes", "dislikes", "occupation", "school", "skill", "habit", "pet"}), "name": _NAMED, "city": frozenset({"location", "hometown"}),
    "town": frozenset({"location", "hometown"}), "company": frozenset({"employer"}), "firm": frozenset({"employer"}), "school": frozenset({"school"}),
}  # fmt: skip
"""Of which facts somebody speaks who took the wrong word, name or city for one."""
_TOKEN: Final = regex(r"[a-z]*\d[a-z\d.,:-]*")
_NTH: Final = regex(
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
