"""Answers from memory alone: what is known of the thing that a message asks for, or an honest "I don't know". Pure.

`say` is the wording, which is the caller's (graph/phrases.py).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Final

from graph.briefing import Briefing
from graph.questions import (
    ABOUT_ME,
    AGENDA,
    BY_MOUTH,
    BYE,
    CARE,
    DATE,
    GENERAL,
    GREETING,
    LIVE,
    MY_WAY,
    RECOMMEND,
    REQUEST,
    THANKS,
    asked,
    asked_of,
    asks,
    asks_what,
    of_me,
    person,
    questions_in,
)
from graph.scopes import RELATED, SAYS, UNKNOWN, fits
from graph.sentences import addressed, told
from graph.whose import called_in, is_of, is_tie_of, is_who, of_somebody, people_in, whom
from memory.language import Language
from memory.lines import flat
from memory.pattern import regex
from memory.query import PAST
from memory.recall import Hit
from memory.record import USER, Memory
from memory.revise.dates import date_in
from memory.revise.people import name_in, same_person
from memory.searchable import fact_terms
from memory.times import spans
from memory.words import terms

_LINE: Final = regex(r"[\n。！？!?]+|(?<=[a-z])\. ")
FILE_CHARACTERS: Final = 20_000  # of a file that are searched for an answer
LISTED: Final = 20  # facts that one answer lists
MANY: Final = 5  # questions of one message that are answered
NEAR: Final = 0.4  # share of the best word score that a hit needs to be told as an answer
CLOSE: Final = 0.75  # and of the best score
_MAY: Final = regex(
    r"(?<!不)(?:能不能|可不可以|可以|能)[吃喝](?P<zh>(?!什么|啥)[^吗么呢？?，。]+)|\b(?:can|may|could) .*?\b(?:eat|drink|have) (?P<en>[^?,.]+)", re.I
)
_CALL: Final = regex(r"[叫喊]我|称呼我|\bcall me\b|\bgo by\b", re.I)
_HEEDED: Final[Mapping[str, int]] = {"allergy": 0, "health": 0, "dislikes": 1, "instruction": 1, "habit": 2, "likes": 2}  # what harms comes first


def answer(briefing: Briefing, say: Mapping[str, str]) -> list[str]:
    """The sentences that answer the message; none where nothing is to be said."""
    if len(asked_here := questions_in(briefing.message, lambda text: whom(text, briefing))) > 1 and not ABOUT_ME.search(briefing.message):
        every = [part for one in asked_here[:MANY] for part in answer(replace(briefing, message=one), say)]
        return list(dict.fromkeys(every))
    message, lang = briefing.message, briefing.lang
    name = next((m.value for m in briefing.profile if m.attribute == "name" and m.owner == USER), "")
    called = f"，{name}" if name and lang == "zh" else f", {name}" if name else ""
    if (theirs := of_somebody(briefing)) is not None:
        return _listed(theirs, say, lang) or [say["nothing_of"]]
    if ABOUT_ME.search(message):
        return _listed(briefing.known, say, lang) or [say["nothing_yet"]]
    if (of_whom := _of_others(briefing)) is not None:
        return [_sentence(say["sep"].join(of_whom[:5]), lang) if of_whom else _recalled(replace(briefing, facts=()), say)]
    attribute = asked(message)
    if attribute is not None and attribute != "plan":
        return [_profile_answer(briefing, say, attribute)]
    if someone := _who(briefing):
        return [_sentence(say["sep"].join(someone[:MANY]), lang)]
    if GENERAL.search(message) and asks(message) and not briefing.applied and not of_me(message) and not people_in(briefing):
        found = _in_files(briefing)
        return [say["in_file"].format(*found) if found else say["cannot"]]
    if AGENDA.search(message) and asks(message) and not REQUEST.search(message) and (agenda := _agenda(briefing, say)):
        return [agenda]
    if attribute is not None:
        return [_profile_answer(briefing, say, attribute)]
    if CARE.search(message) and not people_in(briefing):
        return [say["cannot"]]
    if RECOMMEND.search(message) and not briefing.applied and not MY_WAY.search(message) and not CARE.search(message):
        heeded = sorted(_heeded(briefing), key=lambda m: (m.owner != USER, _HEEDED[m.attribute]))[:6]
        return [
            say["heed"].format(say["sep"].join(told(m, lang) for m in heeded)) + say["but"] + say["no_catalogue"] if heeded else say["no_catalogue"]
        ]
    if DATE.search(message) and asks(message) and briefing.now is not None:
        return [_sentence(say["date"].format(briefing.now.strftime("%Y-%m-%d %H:%M"), _weekday(briefing.now, lang)), lang)]
    if live := LIVE.search(message):
        return [say["live"].format(live.group())] if asks(message) else []
    if asks(message) and not briefing.applied and not THANKS.search(message):
        return [say["cannot"] if REQUEST.search(message) and not asks_what(message) else _recalled(briefing, say)]
    if BYE.search(message):
        return [say["bye"].format(called)]
    if THANKS.search(message):
        return [say["thanks"].format(called)]
    if GREETING.search(message) and not briefing.applied:
        return [say["hello"].format(called)]
    if REQUEST.search(message) and not briefing.applied:
        return [say["cannot"]]
    return []


def _listed(facts: Sequence[Memory], say: Mapping[str, str], lang: Language) -> list[str]:
    """The facts as one sentence, and how many are left out."""
    sentences = list(dict.fromkeys(told(m, lang) for m in facts))
    more = [say["more"].format(len(sentences) - LISTED)] if len(sentences) > LISTED else []
    return [say["about"].format(say["sep"].join(sentences[:LISTED])), *more] if sentences else []


def _nearest_first(briefing: Briefing) -> list[Memory]:
    """Every fact at hand that holds now, what was recalled for this message before the rest of the profile."""
    recalled = [h.memory for h in briefing.facts if h.memory is not None]
    return [m for m in {m.key: m for m in (*recalled, *briefing.known)}.values() if m.valid_to is None]


def _heeded(briefing: Briefing) -> list[Memory]:
    """What a recommendation must mind: the user's ways, those of whom the message names, and whatever would harm somebody else."""
    people = people_in(briefing)
    return [
        m
        for m in _nearest_first(briefing)
        if m.attribute in _HEEDED
        and not (m.attribute == "instruction" and _CALL.search(m.value))
        and (m.owner == USER or m.attribute == "allergy" or is_of(m.owner, people, briefing))
    ]


def _profile_answer(briefing: Briefing, say: Mapping[str, str], attribute: str) -> str:
    related = RELATED.get(attribute, (attribute,))
    past = PAST.search(briefing.message) is not None
    found = [m for m in briefing.known if m.attribute in related and m.owner == USER and (m.valid_to is not None) == past and fits(m, attribute)]
    if attribute == "name":
        return _name_answer(briefing, say, [m for m in found if m.attribute == "name"], past=past)
    if attribute == "diet":
        return _diet_answer(briefing, say, USER)
    exact = [m for m in found if m.attribute == attribute] or found
    if attribute == "likes" and (verb := BY_MOUTH.search(briefing.message)):
        word = verb["verb"] or verb["verb_en"]
        habits = [m for m in found if m.attribute == "habit" and word in m.content and not m.value.startswith("不")]
        liked = [m for m in exact if m.attribute == "likes"]
        exact = [m for m in liked if word in f"{m.value}{m.content}{m.source.text}"] + habits or liked
    if attribute == "age" and exact and exact[0].attribute == "birthday" and (years := _years(exact[0], briefing.now)) is not None:
        return _sentence(say["age"].format(age=years, birthday=exact[0].value), briefing.lang)
    if exact:
        unnamed = attribute == "pet" and _CALLED.search(briefing.message) and not any(_named_pet(m) for m in exact)
        sentence = _sentence(say["sep"].join(told(m, briefing.lang) for m in exact), briefing.lang)
        return sentence + ((" " if briefing.lang == "en" else "") + say["its_name"] if unnamed else "")
    if attribute == "medication" and (turns := _turns(briefing, attribute)):
        return say["episode"].format(say["sep"].join(turns))
    return say["unknown_past"] if past else say["unknown"].format(UNKNOWN[briefing.lang][attribute])


_CALLED: Final = regex(r"叫|名字|\bcalled\b|\bnames?\b", re.I)


def _named_pet(pet: Memory) -> bool:
    """Whether the value is a name, and no mere kind of animal (cat, 一只猫)."""
    return re.fullmatch(r"(?:an?|my|one|two|three|\d+) .*|[一两三四五几\d]+[只条个匹头].*|[猫狗鱼鸟兔]+子?|[a-z ]+", pet.value) is None


def _name_answer(briefing: Briefing, say: Mapping[str, str], names: list[Memory], *, past: bool) -> str:
    """The name, and what the user wants to be called beside it."""
    lang = briefing.lang
    wanted = [m for m in names if _CALL.search(m.source.text or "") and not re.search(r"我叫|我的名字|my name", m.source.text or "", re.I)]
    full = [m for m in names if m not in wanted]
    asked_for = [told(m, lang) for m in briefing.known if m.attribute == "instruction" and m.valid_to is None and _CALL.search(m.value)]
    called = [say["called"].format(m.value) for m in wanted] if full else [told(m, lang) for m in wanted]
    if parts := [*(told(m, lang) for m in full), *called, *asked_for]:
        return _sentence(("，" if lang == "zh" else "; ").join(dict.fromkeys(parts)), lang)
    return say["unknown_past"] if past else say["unknown"].format(UNKNOWN[lang]["name"])


def _diet_answer(briefing: Briefing, say: Mapping[str, str], who: str) -> str:
    """What somebody must not eat; where the question names a food, only what is known of that."""
    facts = [m for m in _nearest_first(briefing) if same_person(m.owner, who, briefing.known)]
    if food := _MAY.search(briefing.message):
        word = (food["zh"] or food["en"] or "").strip(" 的了点儿些").lower()
        wide = {*RELATED["diet"], "likes", "instruction", "other"}
        found = [m for m in facts if m.attribute in wide and word and word in f"{m.value} {m.content} {m.source.text}".lower()]
    else:
        found = [m for m in facts if m.attribute in RELATED["diet"] and fits(m, "diet")]
    if found:
        return _sentence(say["sep"].join(told(m, briefing.lang) for m in found[:6]), briefing.lang)
    return say["unknown_any"] if food or who != USER else say["unknown"].format(UNKNOWN[briefing.lang]["diet"])


def _of_others(briefing: Briefing) -> list[str] | None:
    """What answers a question about somebody of the user's, by name or tie, as sentences; None where the message is no such question."""
    known, lang = _nearest_first(briefing), briefing.lang
    plain = briefing.message.lower()
    for who in people_in(briefing):
        called = called_in(who, plain).lower()
        if (attribute := "name" if _HOW_MANY.search(plain) else asked_of(plain, called)) is None:
            continue
        if attribute == "diet" and (food := _MAY.search(plain)):
            word = (food["zh"] or food["en"] or "").strip(" 的了点儿些")
            return [told(m, lang) for m in known if word and word in f"{m.value} {m.content}".lower() and is_who(m.owner, who, known)]
        of = [m for m in known if m.attribute in RELATED.get(attribute, (attribute,)) and is_who(m.owner, who, known) and fits(m, attribute)]
        exact = [m for m in of if m.attribute == attribute] or of
        if attribute == "name":
            exact = exact or [m for m in known if m.attribute == "relationship" and m.owner == USER and is_tie_of(m, who)]
            named = dict.fromkeys(name for m in known if m.owner != USER and is_who(m.owner, who, known) and (name := name_in(m.owner)))
            theirs = [m for m in known if m.owner != USER and is_who(m.owner, who, known)] if _HOW_MANY.search(plain) else []
            return (
                [told(m, lang) for m in exact]
                or [told({"attribute": "name", "owner": called, "value": name}, lang) for name in named]
                or [told(m, lang) for m in theirs]
            )
        return [told(m, lang) for m in exact]
    return None


_WHO: Final = regex(
    r"^(?:我们?|咱们?)?(?:家里?|身边|认识的人里?)?(?:还)?(?:有)?(?:谁|哪个人|哪位|哪些人)(?!是|的)(?P<zh>[^，。]+)|^who (?:in my family |else )?(?!am\b|(?:is|are|was) my\b)(?P<en>[^,.]+)",
    re.IGNORECASE,
)
_LIGHT: Final = frozenset("有会能还")  # asked with, and not told with


def _who(briefing: Briefing) -> list[str]:
    """The facts, of whomever, that say all that a question with "who" says (谁对头孢过敏, who plays chess?); none where it is no such question."""
    found = _WHO.search(briefing.message)
    wanted = {t for t in terms(found["zh"] or found["en"]) if len(t) == 1 or t.isascii()} - _LIGHT if found else set[str]()
    return [told(m, briefing.lang) for m in _nearest_first(briefing) if wanted and wanted <= {*fact_terms(m)}]


_HOW_MANY: Final = regex(r"有(?:几|多少)(?:[个位口]|$)|\bhow many\b[^?]{0,30}\b(?:do|have) i\b", re.IGNORECASE)
"""Asks how many there are of somebody: those that are known are told."""


def _sentence(text: str, lang: Language) -> str:
    return f"{text}。" if lang == "zh" else f"{text[0].upper()}{text[1:]}."


def _weekday(now: datetime, lang: Language) -> str:
    return "星期" + "一二三四五六日"[now.weekday()] if lang == "zh" else f"{now:%A}"


def _years(birthday: Memory, now: datetime | None) -> int | None:
    """The age on the day `now`, where the birthday has its year."""
    try:
        born = date.fromisoformat(str(birthday.time or birthday.normal or birthday.value))
    except ValueError:
        return None
    today = (now or datetime.now().astimezone()).date()
    return today.year - born.year - ((today.month, today.day) < (born.month, born.day)) if born < today else None


def _agenda(briefing: Briefing, say: Mapping[str, str]) -> str | None:
    """Plans and events of the days that the question names; None when it names none."""
    days = _days(briefing)
    if not days:
        return None
    found = [m for m in briefing.known if m.time and m.attribute in {"plan", "event", "habit", "progress"} and _on(m.time, days)]
    return (
        _sentence(say["sep"].join(told(m, briefing.lang) for m in sorted(found, key=lambda m: str(m.time))), briefing.lang)
        if found
        else say["no_plan"]
    )


def _days(briefing: Briefing) -> list[tuple[str, str]]:
    """The days that the message names, as ISO dates: first, last."""
    if briefing.now is None:
        return []
    named = [(s.since.date().isoformat(), s.until.date().isoformat()) for s in spans(briefing.message, briefing.now)]
    single = date_in(briefing.message, briefing.now)
    return [*named, *([(single, single + "~")] if single else [])]


def _on(when: str, days: list[tuple[str, str]]) -> bool:
    """Whether an ISO day or month lies in one of the stretches; a month holds its days."""
    return any(first <= when < last or first.startswith(when) or when.startswith(first) for first, last in days)


def _recalled(briefing: Briefing, say: Mapping[str, str]) -> str:
    """What bears on a question that is not about the profile: hits that share its words, of the days and of whom it names.

    An earlier question and an instruction are no answer, and nobody's fact is another's.
    """
    if briefing.answerable >= 0.5:
        near = _near(briefing)
        days = _days(briefing)
        facts = [
            told(h.memory, briefing.lang) for h in near if h.memory is not None and not (days and h.memory.time and not _on(h.memory.time, days))
        ]
        if facts:
            return _sentence(say["sep"].join(facts[:3]), briefing.lang)
        if turns := _turns(briefing, None):
            return say["episode"].format(say["sep"].join(turns))
    if found := _in_files(briefing):
        return say["in_file"].format(*found)
    return say["cannot" if REQUEST.search(briefing.message) else "unknown_any"]


def _near(briefing: Briefing) -> list[Hit]:
    """The hits that may answer the message."""
    hits = [h for h in (*briefing.facts, *briefing.episodes) if h.kind == "fact" or not asks(h.text)]  # what was asked before is no answer
    hits = [h for h in hits if h.memory is None or h.memory.attribute != "instruction"]
    near = [h for h in hits if h.parts.get("words", 0.0) >= NEAR and h.score >= CLOSE * max(h.score for h in hits)]
    people, name = people_in(briefing), person(briefing.message)
    if people:
        return [h for h in near if _speaks_of(h, people, briefing)]
    if name:
        return [h for h in near if name.casefold() in f"{h.text} {h.memory.owner if h.memory else ''}".casefold()]
    if of_me(briefing.message):
        return [h for h in near if (h.memory.owner == USER if h.memory is not None else not people_in(replace(briefing, message=h.text)))]
    return near


def _speaks_of(hit: Hit, people: list[str], briefing: Briefing) -> bool:
    if hit.memory is not None and hit.memory.owner != USER:
        return is_of(hit.memory.owner, people, briefing)
    text = f"{hit.text} {hit.memory.content if hit.memory else ''}"
    return any(is_of(who, people, briefing) for who in people_in(replace(briefing, message=text)))


def _turns(briefing: Briefing, attribute: str | None) -> list[str]:
    """Earlier words of the user that may answer, dated, as said to the user; of an attribute, or the one that the message asks of somebody."""
    people = people_in(briefing)
    attribute = attribute or next((a for who in people if (a := asked_of(briefing.message, who))), None)
    if attribute is None and re.search(r"how old|几岁|多大", briefing.message, re.I):
        attribute = "age"
    says = SAYS.get(attribute or "")
    found = [h for h in _near(briefing) if h.memory is None and h.role != "assistant" and (says is None or says.search(h.text))]
    return [f"{h.time.date().isoformat() if h.time else ''} {addressed(h.text[:80], briefing.lang)}".strip() for h in found[:2]]


def _in_files(briefing: Briefing) -> tuple[str, str] | None:
    """(name, line) of the session's file whose line shares most of the question's words, at least half of them."""
    wanted = set(terms(briefing.message))
    best, share = None, 0.5
    for name, text in briefing.files:
        for line in _LINE.split(text[:FILE_CHARACTERS]):
            held = len(wanted & set(terms(line))) / len(wanted) if wanted and line.strip() else 0.0
            if held >= share and (best is None or held > share):
                best, share = (name, flat(line)[:200]), held
    return best
