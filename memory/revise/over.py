"""What a clause says is over, or has come true: 她辞职了, 那只鸟飞走了, the trip is off, 科目三过了."""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from memory.judge.judgement import Candidate, Stance
from memory.pattern import regex
from memory.record import USER, Memory
from memory.revise.case import slot_of
from memory.revise.cues import says
from memory.revise.forms import bare, fold
from memory.revise.hearing import DENIED, DOING, End, covers, facts_of, somebody, table, trimmed, unsure
from memory.revise.people import is_user, names_of, relation_in, relations_in, same_person, tie_of
from memory.revise.referents import is_bare, kind_covers, meant, noun_of, points
from memory.revise.retold import shared
from memory.revise.sameness import Same, content_words, mentions, same
from memory.revise.schema import attribute
from memory.revise.topics import topic

STAYING: Final = regex(r"(?:(?:just |still )?stay(?:ing)?|not moving|not going anywhere)\b(?: (?:in|at|put|here|where)\b|$)")
STAYS: Final = regex(
    r"\b(?:i|we)(?:[’']?(?:m|re)| am| are)? (?:just |now |both |actually )?(?:staying|stay) (?:put|where (?:i|we)|right here)\b|\b(?:i[’']m|we[’']re|i am|we are) not moving\b(?! (?:to|until|before|in))"
)
MOVING: Final = regex(r"\b(?:mov(?:e|ing)|relocat(?:e|ing)|emigrat(?:e|ing))\b")


def ends(clause: str, before: str, text: str, owner: str, active: Sequence[Memory], taken: Sequence[Candidate]) -> list[Candidate]:
    out: list[Candidate] = []
    for row in table().ends:
        if row.attributes & _LASTING and _ONCE.search(clause) and not _FROM_NOW.search(fold(text[:400])):
            continue
        for found in row.pattern.finditer(clause):
            if DENIED.search(clause[: found.start()]):
                continue
            what = next((g for name, g in found.groupdict().items() if name.startswith("what") and g is not None), "")
            if not what and row.attributes & _LASTING and len(front := clause[: found.start()].strip()) <= 10:
                what = front  # 短视频不刷了
            whose = USER if row.attributes == {"relationship"} or not somebody(owner) else owner
            pool = [m for m in facts_of(active, whose, row.attributes) if row.slot is None or slot_of(m)[0] == row.slot]
            pool = pool or facts_of(active, whose, row.failing)
            if row.attributes == {"relationship"} and not row.work and _of_others(owner, clause, active):
                continue
            if row.work and _TO_COME.search(clause):
                continue
            if row.work:
                pool = _stopped(what, found[0], text, pool)
            if row.people:
                pool = [m for m in active if m.attribute in row.attributes and not is_user(m.owner) and mentions(what, m.owner)]
            if not pool and DOCTOR.search(fold(whose)):
                pool = facts_of(active, USER, row.attributes & {"health", "allergy"})  # what a doctor says is said of the patient
            if not pool and is_user(whose) and row.attributes & _OTHERS and not re.search(r"我|\b(?:i|my)\b", clause):
                pool = [m for m in active if m.attribute in row.attributes and mentions(clause, m.value)]
                pool = pool if len(pool) == 1 else []
                what = pool[0].value if pool else what
            meant = (
                (_named(trimmed(what), before, row, pool, whole=clause) or _named(DOING.sub("", trimmed(what)), before, row, pool, whole=clause))
                if row.about is None and not row.work
                else [m for m in pool if row.about is None or row.about.search(fold(m.value))][:1]
            )
            for memory in meant:
                if not any(covers(c, memory) and not _restates(c, row) for c in taken):
                    out.append(told_over(memory, text))
                    if row.outcome and not any(c.attribute == "event" for c in taken):
                        out.append(Candidate(attribute="event", value=_event_of(clause, text), owner=memory.owner, clause=text))
    given_up = [m for m in _given_up(clause, owner, active) if not any(covers(c, m) for c in [*taken, *out])]
    return [*out, *(told_over(m, text) for m in given_up)]


_NOT_TO_BE: Final = regex(
    r"^(?P<what>[^，,。不]{1,12}?)(?:也|就|都|还是|先|暂时|今年|这次|肯定|干脆){0,2}不(?P<doing>(?!想|会|能|用|是|要|行|好|对|在|敢|爱|喜欢)[一-龥]{1,3}?)了(?:吧|啦)?(?=[，,。！!；;]|$)"
)
"""A thing that is not to be done, told with a word for the doing: 卧室不刷漆了."""


def _given_up(clause: str, owner: str, active: Sequence[Memory]) -> list[Memory]:
    """The one plan whose doing and whose thing the clause says no to: 给卧室刷漆."""
    said = _NOT_TO_BE.search(clause)
    if said is None:
        return []
    thing = bare(trimmed(said["what"]))
    plans = [(m, bare(m.value)) for m in facts_of(active, owner if somebody(owner) else USER, frozenset({"plan"}))]
    meant = [m for m, value in plans if thing and thing in value and said["doing"] in value.replace(thing, "", 1)]
    return meant if len(meant) == 1 else []


def _of_others(owner: str, clause: str, active: Sequence[Memory]) -> bool:
    """Whether a break-up is told of somebody who is not the user's partner, and not with the user: 闺蜜分手了."""
    if is_user(owner) or re.search(r"我|\b(?:i|me|we|us|my)\b", clause):
        return False
    tie = tie_of(owner)
    if tie is not None and tie.words[0] in PARTNERS:
        return False
    return not any(
        m.attribute == "relationship"
        and same_person(m.value, owner, active)
        and (t := relation_in(m.content, m.value)) is not None
        and t.words[0] in PARTNERS
        for m in active
    )


def _stopped(what: str, said: str, text: str, ties: Sequence[Memory]) -> list[Memory]:
    """Who is the user's by his work and is said to do it no more: called by his name, or by his tie where there is one such person."""
    if "回老家" in said and not _FOR_GOOD.search(fold(text)):
        return []
    work = [(m, tie) for m in ties if (tie := relation_in(m.content or m.source.text or "", m.value)) is not None and tie.work]
    named = [m for m, _ in work if any(mentions(what, name) for name in names_of(m.value))]
    called = [t for _, t in relations_in(what)] if not named else []
    meant = [m for m, tie in work if tie in called]
    return named or (meant if len(meant) == 1 else [])


_TO_COME: Final = regex(
    r"下个?[月周]|下下|下(?:学期|半年)|明[天年]|后天|月底|年底|[要将快](?!乐|餐|递)|即将|马上|\b(?:will|going to|next|soon|tomorrow|about to|at the end of|might|plans?)\b"
)
_FOR_GOOD: Final = regex(r"停了|停课|停掉|不[教带来做干]|换人|换了")


def _restates(candidate: Candidate, row: End) -> bool:
    """Whether the judge took the very words of the ending for a fact (戒烟失败了; broke up, me and Priya)."""
    return (
        candidate.stance is Stance.ASSERT and candidate.replaces is None and row.pattern.search(fold(candidate.clause or candidate.value)) is not None
    )


def _named(what: str, before: str, row: End, pool: Sequence[Memory], *, whole: str) -> list[Memory]:
    """Which facts of the pool the words mean: by name, else by what they point at, else the only one where that is safe."""
    if not pool:
        return []
    if row.people or (row.outcome and not what and len(pool) == 1):
        return list(pool[:1])
    alike = {Same.EQUAL, Same.CLOSE}
    named = [
        m
        for m in pool
        if what
        and (
            same(m.attribute, what, m.value) in alike
            or mentions(what, m.value)
            or mentions(whole, m.value)
            or (len(bare(what)) > 1 and mentions(m.value, what))
        )
    ]
    if not named and "plan" in row.attributes:
        named = [m for m in pool if topic(m.value, whole)][:1]
    if not named and "plan" in row.attributes and what:
        sharing = [m for m in pool if m.attribute == "plan" and shared(what, m)]
        named = sharing if len(sharing) == 1 else []
    if named:
        return named
    core = noun_of(what)
    if row.attributes == {"relationship"} and (not what or is_bare(what) or what in _WE):
        partners = [m for m in pool if (tie := relation_in(m.content or m.source.text or "", m.value)) is not None and tie.words[0] in PARTNERS]
        return partners if len(partners) == 1 else []
    if what and not is_bare(what):
        told = [m for m in pool if len(bare(core)) > 1 and core and (mentions(m.content, core) or mentions(m.source.text or "", core))]
        if told:
            return told[:1]
        found = meant(what, pool[0].attribute, pool) if points(what) or len(core) <= 4 or core.isascii() else []
        return found[:1] if found and _by_kind(core, found[0]) else (list(pool[:1]) if row.only else [])
    if row.only:
        return list(pool[:1])
    if (not what or is_bare(what)) and (verb := _NO_MORE.search(whole)) is not None:
        done = [m for m in pool if verb[1] in fold(m.value) or verb[1] in fold(m.source.text or "")]
        return done if len(done) == 1 else []
    if not what and "allergy" in row.attributes and "过敏" in whole:
        allergies = [m for m in pool if m.attribute == "allergy"]
        return allergies if len(allergies) == 1 else []
    if is_bare(what) and what:
        return list(pool[:1])
    spoken = [m for m in pool if before and (mentions(before, m.value) or (m.attribute in _TASTES and shared(before, m)))]
    return spoken[:1] or (list(pool) if len(pool) == 1 and row.attributes & {"possession", "relationship", "pet"} and len(bare(whole)) <= 8 else [])


_NO_MORE: Final = regex(r"[不没](?:再)?(学|练|打|弹|拉|玩|喝|抽|吃|跑|游|唱|跳|画|追|养|教|做|开|卖)了(?=[，,。！!；;]|$)")
"""A doing that is over with nothing named: 室友说不学了 means the one thing that he learns."""
_WE: Final = frozenset({"we", "we’ve", "we've", "我们", "我俩", "俩人", "两个人"})
PARTNERS: Final = frozenset({"老公", "老婆", "爱人", "男朋友", "女朋友", "未婚夫", "未婚妻"})
"""Whom a break-up that names nobody is from: the first spellings of these ties."""
_LASTING: Final = frozenset({"habit", "likes", "skill"})
_ONCE: Final = regex(
    r"今天|今晚|今早|今儿|明天|明晚|后天|这(?:个)?周末|这周(?!起|开始)|这次|这回|本周|下(?:个)?周末|下周(?!起|开始)|(?:这|下)个?(?:周|星期|礼拜)[一二三四五六日天]|这(?:几|两)天|"
    r"\b(?:today|tonight|tomorrow|this (?:week|weekend|morning|afternoon|evening|time|once|mon|tues|wednes|thurs|fri|satur|sun)(?:day)?|next (?:week|weekend))\b"
)
"""Said of one day: what is left out this weekend is no habit given up."""
_FROM_NOW: Final = regex(
    r"以后|从此|再也|戒|彻底|从(?:今天|明天|这周|下周|今儿)|(?:今天|明天|这周|下周)(?:起|开始)|永远|每(?:周|天)|\b(?:any ?more|from (?:today|tomorrow|now|this|next)|for good|ever again|no longer|quit|gave up|given up|as of)\b"
)
DOCTOR: Final = regex(r"医生|大夫|\b(?:doctor|gp|nurse|consultant)\b")
_OTHERS: Final = frozenset({"skill", "progress", "possession", "pet"})
"""What a clause without a subject may tell of somebody whose fact it names: 围棋不学了, of the son's lessons."""
_TASTES: Final = frozenset({"likes", "habit"})


def _by_kind(core: str, memory: Memory) -> bool:
    """Whether a definite noun may stand for the fact: what it names is said in it, or of its kind."""
    return bool(meant(core, memory.attribute, [memory])) and (mentions(memory.content, core) or bool(_kind_of(core, memory)))


def _kind_of(core: str, memory: Memory) -> bool:
    facet = attribute(memory.attribute).named(slot_of(memory)[0])
    return bool(facet and facet.words and facet.words.search(core)) or kind_covers(core, memory)


def told_over(memory: Memory, text: str) -> Candidate:
    return Candidate(
        attribute=memory.attribute, value=memory.value, owner=memory.owner, stance=Stance.NEGATE, clause=text, importance=memory.importance
    )


def _half_told(plan: str, before: str, clause: str) -> bool:
    """Whether the clause before names the plan and this one its end: sign language, passed with merit; 驾照，一把过."""
    return len(bare(before)) <= 24 and (topic(plan, before) or len(content_words(plan) & content_words(f"{before} {clause}")) >= 2)


def came_true(
    clause: str, before: str, text: str, owner: str, active: Sequence[Memory], taken: Sequence[Candidate], now: datetime
) -> list[Candidate]:
    done = table().done.search(clause) is not None
    if says("unreal", clause):
        return []
    for plan in facts_of(active, owner, frozenset({"plan"})):
        if not done and (unsure(clause) or not _happened(plan, clause, now)):
            continue
        if plan.recorded_at >= now or any(c.attribute in _TOLD and c.stance is Stance.ASSERT for c in taken):
            continue
        back = _BACK.search(clause) is not None and shared(clause, plan)
        if back or topic(plan.value, clause) or _same_doing(plan.value, clause) or (before and _half_told(plan.value, before, clause)):
            value = _event_of(clause, text)
            return [Candidate(attribute="event", value=value, owner=plan.owner, time=now.date().isoformat(), replaces=plan.value, clause=text)]
    return []


_TOLD: Final = frozenset({"event", "relationship", "employer", "location", "school", "possession"})
_BACK: Final = regex(r"回来了|去过了|到家了|落地了|玩回来|\b(?:back from|home from|returned from|came back from)\b")
_PAST: Final = regex(
    r"\b(?:\w{2,}ed|was|were|went|did|had|got|came|took|made|ran|won|lost|began|bought|sold|built|met|saw|flew|drove|swam|rode|spoke|sang|gave|left|held|found|wrote|moved|this morning|yesterday|last (?:night|week|weekend|month)|finally|at last|already)\b"
)
_GENERIC: Final = frozenset({"go", "get", "take", "have", "new", "day", "week", "month", "plan", "first", "be", "start", "time", "year", "will"})


def _same_doing(plan: str, clause: str) -> bool:
    """Whether the clause tells of what the plan names, in other forms of its words: opening a stall, the stall opened."""
    return plan.isascii() and _PAST.search(clause) is not None and len((content_words(plan) & content_words(clause)) - _GENERIC) >= 2


def _happened(plan: Memory, clause: str, now: datetime) -> bool:
    """Whether the clause tells, without a word of success, that what was planned took place: in the past tense, or with 了 when its day has come."""
    if clause.isascii():
        return _same_doing(plan.value, clause)
    due = plan.time is not None and plan.time <= now.date().isoformat()[: len(plan.time)]
    return due and re.search(r"[了过](?:[，,。！!]|$)", clause) is not None and re.search(r"没|不|未", clause) is None and topic(plan.value, clause)


def _event_of(clause: str, text: str) -> str:
    trimmed = re.sub(r"[，,。；;！!？?\s]+$", "", clause)
    at = fold(text).find(trimmed)
    return text[at : at + len(trimmed)] if at >= 0 and len(fold(text)) == len(text) else trimmed
