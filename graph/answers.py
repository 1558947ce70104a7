"""Answers from memory alone: what is known of the thing that a message asks for, or an honest "I don't know". Pure.

`say` is the wording, which is the caller's (graph/phrases.py).
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime
from typing import Final

from graph.briefing import Briefing
from graph.questions import (
    ABOUT_ME,
    AGENDA,
    BY_MOUTH,
    BYE,
    DATE,
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
    person,
)
from graph.sentences import told
from memory.language import Language
from memory.lines import flat
from memory.query import PAST
from memory.record import USER, Memory
from memory.revise.dates import date_in
from memory.revise.people import names_in, relations_in, same_person
from memory.times import spans
from memory.words import terms

_LINE: Final = re.compile(r"[\n。！？!?]+|(?<=[a-z])\. ")
FILE_CHARACTERS: Final = 20_000  # of a file that are searched for an answer
NEAR: Final = 0.4  # share of the best word score that a hit needs to be told as an answer
CLOSE: Final = 0.75  # and of the best score
_RELATED: Final[Mapping[str, tuple[str, ...]]] = {
    "occupation": ("occupation", "employer"),
    "age": ("age", "birthday"),
    "plan": ("plan", "event"),
    "likes": ("likes", "habit"),
    "allergy": ("allergy", "health"),
}
_HEEDED: Final[Mapping[str, int]] = {"allergy": 0, "health": 0, "dislikes": 1, "instruction": 1, "habit": 2, "likes": 2}  # what harms comes first
_UNKNOWN: Final[Mapping[Language, Mapping[str, str]]] = {
    "zh": {
        "name": "你叫什么名字", "age": "你的年龄", "birthday": "你的生日", "employer": "你在哪里工作", "occupation": "你的职业", "school": "你在哪里上学",
        "hometown": "你的家乡", "location": "你住在哪里", "allergy": "你对什么过敏", "dislikes": "你不喜欢什么", "likes": "你喜欢什么", "plan": "你有什么计划",
        "pet": "你有没有宠物", "skill": "你在学什么", "contact": "你的联系方式", "instruction": "你对我有什么要求",
    },
    "en": {
        "name": "your name", "age": "how old you are", "birthday": "your birthday", "employer": "where you work", "occupation": "what you do for a living",
        "school": "where you study", "hometown": "where you come from", "location": "where you live", "allergy": "what you are allergic to",
        "dislikes": "what you dislike", "likes": "what you like", "plan": "what you plan", "pet": "whether you have a pet", "skill": "what you are learning",
        "contact": "how to reach you", "instruction": "what you asked of me",
    },
}  # fmt: skip


def answer(briefing: Briefing, say: Mapping[str, str]) -> list[str]:
    """The sentences that answer the message; none where nothing is to be said."""
    message, lang = briefing.message, briefing.lang
    name = next((m.value for m in briefing.profile if m.attribute == "name" and m.owner == USER), "")
    called = f"，{name}" if name and lang == "zh" else f", {name}" if name else ""
    if ABOUT_ME.search(message):
        known = briefing.known
        return [say["about"].format(say["sep"].join(told(m, lang) for m in known[:20])) if known else say["nothing_yet"]]
    attribute = asked(message)
    if attribute is not None and attribute != "plan":
        return [_profile_answer(briefing, say, attribute)]
    if (of_whom := _of_others(briefing)) is not None:
        return [_sentence(say["sep"].join(told(m, lang) for m in of_whom[:5]), lang) if of_whom else _recalled(replace(briefing, facts=()), say)]
    if AGENDA.search(message) and asks(message) and not REQUEST.search(message) and (agenda := _agenda(briefing, say)):
        return [agenda]
    if attribute is not None:
        return [_profile_answer(briefing, say, attribute)]
    if RECOMMEND.search(message) and not briefing.applied and not MY_WAY.search(message):
        heeded = sorted((m for m in _nearest_first(briefing) if m.attribute in _HEEDED), key=lambda m: _HEEDED[m.attribute])[:6]
        return [*([say["heed"].format(say["sep"].join(told(m, lang) for m in heeded))] if heeded else []), say["no_catalogue"]]
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
    return [] if briefing.applied else [say["ok"]]


def _nearest_first(briefing: Briefing) -> list[Memory]:
    """Every fact at hand that holds now, what was recalled for this message before the rest of the profile."""
    recalled = [h.memory for h in briefing.facts if h.memory is not None]
    return [m for m in {m.key: m for m in (*recalled, *briefing.known)}.values() if m.valid_to is None]


def _profile_answer(briefing: Briefing, say: Mapping[str, str], attribute: str) -> str:
    related = _RELATED.get(attribute, (attribute,))
    past = PAST.search(briefing.message) is not None
    found = [m for m in briefing.known if m.attribute in related and m.owner == USER and (m.valid_to is not None) == past]
    exact = [m for m in found if m.attribute == attribute] or found
    if attribute == "likes" and (verb := BY_MOUTH.search(briefing.message)):
        word = verb["verb"] or verb["verb_en"]
        habits = [m for m in briefing.known if m.attribute == "habit" and m.owner == USER and word in m.content]
        exact = [m for m in exact if word in f"{m.value}{m.content}{m.source.text}"] + habits or exact
    if attribute == "age" and exact and exact[0].attribute == "birthday" and (years := _years(exact[0], briefing.now)) is not None:
        return _sentence(say["age"].format(age=years, birthday=exact[0].value), briefing.lang)
    if exact:
        return _sentence(say["sep"].join(told(m, briefing.lang) for m in exact), briefing.lang)
    return say["unknown_past"] if past else say["unknown"].format(_UNKNOWN[briefing.lang][attribute])


def _of_others(briefing: Briefing) -> list[Memory] | None:
    """What answers a question about somebody of the user's, by name or tie; None where the message is no such question."""
    known = _nearest_first(briefing)
    plain = briefing.message.lower()
    ties = sorted((w for _, tie in relations_in(plain) for w in tie.words if w in plain), key=len, reverse=True)
    for who in dict.fromkeys([*names_in(plain, known), *ties]):
        called = next((who[i:].lower() for i in range(len(who)) if who[i:].lower() in plain), who)  # 同事小王 is asked about as 小王
        if (attribute := asked_of(plain, called)) is not None:
            of = [m for m in known if m.attribute in _RELATED.get(attribute, (attribute,)) and same_person(m.owner, who, known)]
            return [m for m in of if m.attribute == attribute] or of
    return None


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
    """What bears on a question that is not about the profile: hits that share its words, of the days it names; an earlier question is no answer."""
    if briefing.answerable >= 0.5:
        hits = (*briefing.facts, *briefing.episodes)
        hits = tuple(h for h in hits if h.kind == "fact" or not asks(h.text))  # what was asked before is no answer
        near = [h for h in hits if h.parts.get("words", 0.0) >= NEAR and h.score >= CLOSE * max(h.score for h in hits)]
        if name := person(briefing.message):
            near = [h for h in near if name.casefold() in f"{h.text} {h.memory.owner if h.memory else ''}".casefold()]
        days = _days(briefing)
        facts = [
            told(h.memory, briefing.lang) for h in near if h.memory is not None and not (days and h.memory.time and not _on(h.memory.time, days))
        ]
        if facts:
            return _sentence(say["sep"].join(facts[:3]), briefing.lang)
        turns = [h for h in near if h.role != "assistant"]
        if turns:
            return say["episode"].format(say["sep"].join(f"{h.time.date().isoformat() if h.time else ''} {h.text[:80]}".strip() for h in turns[:2]))
    if found := _in_files(briefing):
        return say["in_file"].format(*found)
    return say["cannot" if REQUEST.search(briefing.message) else "unknown_any"]


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
