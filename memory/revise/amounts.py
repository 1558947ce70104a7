"""Another amount of something known: an age, a weight, a dose, a rent, a distance."""

import re
from collections.abc import Sequence
from typing import Final

from memory.judge.judgement import Candidate, Stance
from memory.pattern import regex
from memory.record import USER, Memory
from memory.revise.case import slot_of
from memory.revise.forms import bare, fold, numerals, quantity
from memory.revise.hearing import as_said, facts_of, subject_of
from memory.revise.people import is_user, same_person
from memory.revise.retold import AGED, called, with_age
from memory.revise.sameness import Same, content_words, mentions, same
from memory.revise.schema import attribute

_AGE: Final = regex(
    r"(?P<n>\d{1,3}|[一二三四五六七八九十]{1,3})(?:周)?岁|\b(?:turned|turns|turning|is|[’']s|now|just turned) (?P<n2>\d{1,3})(?= (?:today|now|yesterday|on|last|this|already|years)|[.,!]|$)|(?P<n3>\d{1,3})(?:st|nd|rd|th) birthday|(?:生日|满|虚岁|周岁)[^，。\d]{0,4}?(?P<n4>\d{1,3})了?[，,。.！!～~]*$"
)


_OF_AN_ANIMAL: Final = regex(
    r"(?<!属)(?:狗|汪|猫咪?|喵|兔子?|鹦鹉|仓鼠|乌龟|宠物|毛孩子|橘猫|布偶|英短|柯基|金毛|泰迪|柴犬|边牧|二哈|哈士奇|拉布拉多|萨摩耶|博美|比熊|贵宾)(?:它|今年|现在|已经|也|都|快|才|刚|满|有|是|过){0,4}(?:\d|[一二两三四五六七八九十半])"
    r"|\b(?:my|our|the) (?:\w+ )?(?:dog|cat|puppy|kitten|rabbit|parrot|hamster|tortoise|horse|pony|hen|guinea pig)(?:[’']s| is| has| just)? (?:now |just |turned )*\d"
)
"""An animal's age: our dog is 6, 我家狗今年六岁."""
_BARE_AGE: Final = regex(r"^(?:我)?(?:都|已经|今天|终于|转眼|一下子?|就){0,2}(?P<n>\d{1,3})(?:岁)?(?:啦|了|咯|喽)[，,。！!~～]*$")


def ages(clause: str, text: str, active: Sequence[Memory], taken: Sequence[Candidate]) -> list[Candidate]:
    """A known person (or the user) has another age: 乐乐11岁了, Gran turned 89, had my 31st birthday."""
    aged = AGED.search(clause)
    pet = next((m for m in active if m.attribute == "pet" and called(m, clause)), None) if aged is not None else None
    if pet is not None and aged is not None and not any(c.attribute in {"pet", "age"} for c in taken):
        value = with_age(pet.value, aged[0])
        return (
            []
            if value == pet.value
            else [Candidate(attribute="pet", value=value, owner=pet.owner, stance=Stance.CORRECT, replaces=pet.value, clause=text)]
        )
    found = _AGE.search(clause) or _BARE_AGE.match(numerals(clause))
    if (
        found is None
        or any(c.attribute == "age" for c in taken)
        or _OF_AN_ANIMAL.search(clause)
        or re.search(r"下|明|快|即将|要|\b(?:next|soon|will|coming up|i[’']ll|tomorrow)\b", clause)
    ):
        return []
    said = next(g for g in found.groups() if g)
    owner = subject_of(clause, "", active) or (USER if re.search(r"\bmy \d|我", clause) or _follows(said, active) else "")
    known = next((m for m in active if m.attribute == "age" and owner and same_person(m.owner, owner, active)), None)
    if known is None or quantity(f"{said}岁") == quantity(f"{known.normal or known.value}岁"):
        return []
    value = f"{said}岁" if found["n"] else said
    return [Candidate(attribute="age", value=value, owner=known.owner, normal=int(numerals(said)), clause=text)]


def _follows(said: str, active: Sequence[Memory]) -> bool:
    """Whether the number is the user's next age, so that no other subject need be told: turned 30."""
    told = numerals(said)
    return any(
        m.attribute == "age"
        and is_user(m.owner)
        and (n := re.match(r"\d+", numerals(fold(str(m.normal or m.value))))) is not None
        and int(told) == int(n[0]) + 1
        for m in active
        if told.isdigit()
    )


_PACE: Final = regex(r"\b(?:up to|down to|now|these days)\b|现在|改成|压到|控制到|控制在|缩到|减少到|增加到|加到|减到|涨到|降到|提高到")


_MEASURED: Final = regex(
    r"\d{2,3}/\d{2,3}|\d+(?:,\d{3})*(?:\.\d+)?(?:\s*k)?(?:\s*(?:pounds|quid|dollars|euros))?\s+(?:an?|per|each|every)\s+(?:month|week|year|day|night|hour)\b|\d+(?:,\d{3})*(?:\.\d+)?\s*(?:[a-zμ]+|[\u4e00-\u9fff]{1,2})?\d{0,2}"
)
"""An amount with its unit, or with how often it is paid."""


_ANEW: Final = regex(r"已经|现在|改|涨|降|加|减|变|交|付|按|新|\b(?:new|now|stands? at|down to|up to|only|dropped to|went up to|is at)\b")


def figures(clause: str, before: str, text: str, owner: str, active: Sequence[Memory], taken: Sequence[Candidate]) -> list[Candidate]:
    """A bare figure that takes the place of a known one, which the clause before or this one names: 房东涨租，这个月按5200交; the loan …, it stands at 1,750."""
    plain = numerals(clause)
    number = re.search(
        r"(?<!\d月)(?<![\d:/.,a-z-])(\d+(?:,\d{3})*(?:\.\d+)?k?)(?!,?[\d:月日号点年%]| ?(?:am|pm|days?|weeks?|months?|years?|times?|天|周|个月|次|遍))",
        plain,
    )
    if number is None or _ANEW.search(f"{before} {plain}") is None:
        return []
    told = f"{before} {clause}"
    for memory in facts_of(active, owner, frozenset({"other", "health"})):
        known = quantity(memory.value)
        digits = re.search(r"\d", numerals(fold(memory.value)))
        facet = attribute(memory.attribute).named(slot_of(memory)[0])
        if (
            digits is None
            or slot_of(memory)[1] != "always"
            or any(c.attribute == memory.attribute and mentions(c.value, number[1]) and not c.loose for c in taken)
        ):
            continue
        named = bool(facet and facet.words and facet.words.search(told)) or _names_thing(told, memory)
        amount = quantity(plain)
        if not named or (known and amount and known.kind != amount.kind and known.kind not in {"cny", "gbp", "usd", "eur"}):
            continue
        span = next((m[0].strip() for m in _MEASURED.finditer(plain) if m[0].startswith(number[1])), number[1])
        span = re.sub(r"\s*[\u4e00-\u9fff]+$", "", span) if known is None else span
        if same(memory.attribute, span, memory.value) is Same.EQUAL or bare(span) == bare(memory.value):
            continue
        return [Candidate(attribute=memory.attribute, value=as_said(span, text), owner=memory.owner, replaces=memory.value, clause=text)]
    return []


def _names_thing(told: str, memory: Memory) -> bool:
    """Whether the words name the thing that the known figure is of: the car loan, the flat."""
    thing = content_words(memory.source.text or memory.content) - content_words(memory.value)
    return len({w for w in thing & content_words(told) if w.isascii() and len(w) > 2 and not w.isdigit()} - _DULL) > 0


_DULL: Final = frozenset({"now", "new", "year", "month", "week", "day", "still", "each", "every", "only", "pound", "per"})


def amounts(clause: str, text: str, owner: str, active: Sequence[Memory], taken: Sequence[Candidate]) -> list[Candidate]:
    """A known amount (weight, dose, rent) told anew by its unit and slot."""
    plain = numerals(clause)
    amount = quantity(plain)
    for memory in facts_of(active, owner, frozenset({"health", "other", "habit"})):
        name, one = slot_of(memory)
        known = quantity(memory.value)
        facet = attribute(memory.attribute).named(name) or attribute("other").named(name) or attribute("health").named(name)
        dosed = memory.attribute == "habit" and amount is not None and known is not None and amount.kind == "mass"
        paced = (
            memory.attribute == "habit" and amount is not None and known is not None and amount.kind == known.kind and _PACE.search(plain) is not None
        )
        if memory.attribute == "habit" and (again := _counted_anew(memory.value, plain, text)) and not any(mentions(c.value, again) for c in taken):
            return [Candidate(attribute="habit", value=again, owner=memory.owner, replaces=memory.value, clause=text)]
        facet = facet or (attribute("health").named("dose") if dosed else None)
        if paced:
            span = next(
                (
                    m[0].strip()
                    for m in _MEASURED.finditer(plain)
                    if (q := quantity(m[0])) is not None and amount is not None and q.kind == amount.kind
                ),
                None,
            )
            if span and same("habit", span, memory.value) is Same.CONFLICT and not any(mentions(c.value, span) for c in taken):
                return [Candidate(attribute="habit", value=as_said(span, text), owner=memory.owner, replaces=memory.value, clause=text)]
            continue
        if facet is None or (one != "always" and not dosed) or any(quantity(c.value) and slot_name(c) == name for c in taken):
            continue
        if amount and known and amount.kind == known.kind:
            span = next((m[0].strip() for m in _MEASURED.finditer(plain) if (q := quantity(m[0])) is not None and q.kind == amount.kind), None)
            worded = bool(facet.words and facet.words.search(plain)) or bool(re.search(r"(?:加|减|升|降|涨|调|提|改)到", plain))
            same_slot = worded or bool(facet.value and span and facet.value.search(span) and _alone(span, plain))
        elif known is None and amount is None and facet.words and facet.words.search(plain) and re.search(r"\d", memory.value):
            span = next((m[0] for m in re.finditer(r"[a-z]{0,4}-?\d+(?:[.-]\d+)*[a-z]?(?![a-z])", plain)), None)
            same_slot = span is not None
        else:
            continue
        if span and same_slot and same(memory.attribute, span, memory.value) is not Same.EQUAL:
            return [Candidate(attribute=memory.attribute, value=as_said(span, text), owner=memory.owner, replaces=memory.value, clause=text)]
    return []


_COUNTS: Final = regex(r"(?P<n>\d+(?:\.\d+)?|[一二两三四五六七八九十百半]+)(?P<unit>[根支包杯瓶罐碗片粒次遍页单圈组步顿局盘])")


def _counted_anew(value: str, plain: str, text: str) -> str | None:
    """A habit with another count of the same: 一天抽二十根烟 beside 压到每天8根了 → 一天抽8根烟; None where the clause tells no change of one."""
    told = _COUNTS.search(plain) if _PACE.search(plain) else None
    known = next((m for m in _COUNTS.finditer(value) if told and m["unit"] == told["unit"]), None)
    if told is None or known is None or numerals(known["n"]) == told["n"]:
        return None
    return value[: known.start("n")] + as_said(told[0], text).removesuffix(told["unit"]) + value[known.end("n") :]


def _alone(span: str, plain: str) -> bool:
    """Whether the amount stands for itself: 71公斤 at the end, or each night; not 5公斤苹果, and nothing bought, eaten or carried."""
    at = plain.find(span)
    before, after = plain[:at], plain[at + len(span) :]
    return bool(re.match(r"[\s\W]*(?:$|了|啦|each|every|a day|per|daily|at night|now|这个?|每)", after)) and not re.search(
        r"[买卖吃喝跑走搬扛举带用花送寄称]了?$|\b(?:bought|ate|ran|carr\w+|lift\w*|sold|of)\b", before
    )


def slot_name(candidate: Candidate) -> str:
    """The slot of a candidate inside its attribute."""
    return attribute(candidate.attribute).facet(candidate.value, candidate.content, candidate.clause)[0]
