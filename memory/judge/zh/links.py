"""What a Chinese clause means because of its neighbours: the rest of a list, an answer to what was asked, a correction, a thing to be remembered."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from memory.judge.clauses import Clause, fold
from memory.judge.judgement import Candidate, Stance
from memory.judge.reader import Context, Reading
from memory.judge.rules import Lexicon
from memory.judge.zh.facts import normal_form
from memory.judge.zh.frame import Frame
from memory.judge.zh.times import resolve
from memory.judge.zh.values import CHECKS, break_list, trim
from memory.pattern import Pattern, regex
from memory.record import USER

_LISTED = frozenset({"likes", "dislikes", "skill"})
_NUMBERED = regex(r"^(?:[一两二三四五六七八九十几俩]|\d+)+(?:只|条|个|头|匹)?")
_OF_PET = frozenset({"age", "name", "birthday"})
_AIMS = frozenset({"occupation", "employer", "school", "location", "possession", "pet", "habit"})


def _names_in(plain: str, gives_name: Pattern) -> tuple[str, ...]:
    groups = ("name", "name2", "name3", "name4", "name5", "name6", "name7")
    return tuple(next(g for g in m.group(*groups) if g) for m in gives_name.finditer(plain))


@lru_cache(maxsize=4096)
def _given(text: str, gives_name: Pattern) -> tuple[str, ...]:
    """The names that one earlier message of the user gave his people."""
    return _names_in(fold(text), gives_name)


def known_names(ctx: Context, lex: Lexicon) -> str:
    """A pattern of the names that the user gave his people earlier (我外甥女叫佳怡), an empty string when there are none."""
    if "names" in ctx.memo:
        return str(ctx.memo["names"])
    gives_name = lex.patterns["gives_name"]
    found = {name for s in ctx.history[-60:] if s.role == "user" for name in _given(s.text[:500], gives_name)}
    found.update(_names_in(ctx.plain[:500], gives_name))
    found |= {n[1:] for n in found if n and len(n) == 3 and n[0] in lex.sets["surname"] and n[1] != n[2]}  # 陈一诺 is called 一诺
    ctx.memo["names"] = "(?:" + "|".join(sorted((re.escape(n) for n in found), key=len, reverse=True)) + ")" if found else ""
    return str(ctx.memo["names"])


_INTRODUCED: Final = regex(r"叫做?(?P<name>[一-龥a-zA-Z·]{2,8})$|^(?P<before>[一-龥a-zA-Z]{2,4})是[我俺咱]")


def introduced(facts: Sequence[Candidate]) -> str | None:
    """The name of whom the clause makes known, told of further without a subject: 我表弟叫思远，人在青岛."""
    for fact in facts:
        if fact.attribute == "relationship" and fact.stance is Stance.ASSERT and (m := _INTRODUCED.search(fact.value)) is not None:
            return m["name"] or m["before"]
        if fact.attribute == "relationship" and re.fullmatch(r"[一-龥]{2,3}", fact.value) and re.search(rf"[跟和与]{fact.value}", fact.clause):
            return fact.value  # 我跟王磊合租
    return None


def someone(clause: Clause, ctx: Context, lex: Lexicon) -> str:
    """The name that a clause begins with, as a pattern; empty where it begins with none. A surname alone is not enough: LAC must see a person too."""
    m = lex.find("someone", clause.plain)
    if m is None:
        return ""
    name = m.group("name")
    start = clause.start + m.start("name")
    sure = m.group("twice") is not None or name.isascii() or name[0] in "小阿老大"
    return re.escape(name) if sure or any(e.kind == "PER" and e.start == start for e in ctx.entities) else ""


def named(index: int, ctx: Context, before: Sequence[Reading], lex: Lexicon) -> tuple[Candidate, ...]:
    """养了一只猫，叫栗子: the clause names the pet or person of the one before; its fact grows to hold the name."""
    if not before or ctx.clauses[index - 1].sentence != ctx.clauses[index].sentence:
        return ()
    if lex.has("bare_animal", ctx.clauses[index - 1].plain):
        return _animal(index, ctx, lex)
    clause = ctx.clauses[index]
    m, short = lex.find("named_so", clause.plain), lex.find("nicknamed", clause.plain)
    if (one := lex.find("one_of_them", clause.plain)) is not None and (told := _told(index, ctx, before)) is not None:
        return _each(one, clause, told[1], lex)
    if m is not None and (child := lex.find("born", ctx.clauses[index - 1].plain)) is not None:
        owner = str(before[-1].state.get("owner") or USER)  # 我妹妹生了个儿子，叫小满: the name is the child's
        value = f"{child.group('v')}叫{clause.text[m.start('v') : m.end('v')]}"
        return (
            Candidate(attribute="relationship" if owner == USER else "other", owner=owner, value=value, confidence=0.88, clause=clause.text.strip()),
        )
    found = m or short
    told = _told(index, ctx, before) if found is not None else None
    if found is None or told is None:
        return ()
    lead, last = told
    name = clause.text[found.start("v") : found.end("v")]
    first = ctx.message.find(last.clause) if last.clause else -1
    span = ctx.message[first if first >= 0 else ctx.clauses[lead].start : clause.end].strip()
    if short is not None and "叫" in last.value:
        return (last.evolve(value=f"{last.value}，小名{name}", clause=span),)
    if last.attribute == "relationship":
        return (last.evolve(value=f"{last.value}叫{name}", clause=span),)
    return (last.evolve(value=f"{last.value}，叫{name}", clause=span),)


def _child(which: str, kin: str) -> str:
    """老大 is a tie by itself, 大的 is one of the kin."""
    return which if which[0] == "老" else f"{which[0] if which[0] in '大小' else which}{kin}"


def _each(m: re.Match[str], clause: Clause, told: Candidate, lex: Lexicon) -> tuple[Candidate, ...]:
    """两个女儿，大的叫欣欣，小的叫甜甜 · 两只猫，一只叫年糕一只叫汤圆: each child under a tie of its own, each animal as one."""
    pairs = [(clause.text[slice(*m.span(a))], clause.text[slice(*m.span(b))]) for a, b in (("which", "v"), ("which2", "w")) if m.group(a)]
    tie = lex.find("kin_mention", told.value)
    if told.attribute == "pet" or tie is None:
        kind = _NUMBERED.sub("", told.value).split("，")[0]
        return tuple(told.evolve(value=f"{kind}，叫{name}", clause=clause.text.strip()) for _, name in pairs)
    kin = (tie.group("a") or tie.group("b")).lstrip("大小")
    return tuple(told.evolve(value=f"{_child(which, kin)}叫{name}", clause=clause.text.strip()) for which, name in pairs if which[0] != "一")


def _told(index: int, ctx: Context, before: Sequence[Reading]) -> tuple[int, Candidate] | None:
    """The animal or person of the user's that a clause of this sentence told of, and that clause's index."""
    for at in range(index - 1, max(index - 5, -1), -1):
        if ctx.clauses[at].sentence != ctx.clauses[index].sentence:
            return None
        for fact in reversed(before[at].facts):
            if fact.attribute in {"pet", "relationship"} and fact.owner == USER:
                return at, fact
    return None


def until(index: int, ctx: Context, before: Sequence[Reading], lex: Lexicon) -> tuple[Candidate, ...]:
    """下周三去上海出差，住到周五: the clause tells when the plan before it ends; the plan grows to hold it."""
    if not before or not before[-1].facts or ctx.clauses[index - 1].sentence != ctx.clauses[index].sentence:
        return ()
    clause, last = ctx.clauses[index], before[-1].facts[-1]
    if last.attribute != "plan" or not lex.has("until_day", clause.plain.strip()):
        return ()
    return (last.evolve(value=f"{last.value}，{clause.text.strip()}", clause=ctx.message[ctx.clauses[index - 1].start : clause.end].strip()),)


def _animal(index: int, ctx: Context, lex: Lexicon) -> tuple[Candidate, ...]:
    """一条狗，叫旺财: an animal without a verb, and its name."""
    clause, lead = ctx.clauses[index], ctx.clauses[index - 1]
    m = lex.find("named_so", clause.plain)
    if m is None or not lex.has("bare_animal", lead.plain):
        return ()
    value = ctx.message[lead.start : clause.start + m.end("v")]
    return (Candidate(attribute="pet", value=value, confidence=0.9, clause=value),)


def of_pet(facts: tuple[Candidate, ...], frame: Frame, before: Sequence[Reading], lex: Lexicon) -> tuple[Candidate, ...]:
    """养了只猫，快一岁了: the age and name of a clause without a subject are the animal's that was just told of, no fact of the user's."""
    told = next((r.facts[-1] for r in reversed(before[-2:]) if r.facts), None)
    if (
        told is None
        or frame.subject != "none"
        or not (told.attribute == "pet" or (told.attribute == "event" and lex.has("animal", fold(told.value))))
    ):
        return facts
    return tuple(f for f in facts if f.attribute not in _OF_PET)


def of_mother(index: int, ctx: Context, facts: tuple[Candidate, ...], frame: Frame, before: Sequence[Reading], lex: Lexicon) -> tuple[Candidate, ...]:
    """老婆怀孕28周了。产检说有点贫血: what is found at the check-ups of who was just said to be pregnant is hers."""
    if frame.subject != "none" or not any(f.owner == USER for f in facts) or not lex.has("check_up", ctx.clauses[index].plain):
        return facts
    mother = next((f.owner for r in reversed(before) for f in r.facts if lex.has("pregnant", f.value)), USER)
    return tuple(f.evolve(owner=mother) if f.owner == USER and f.attribute == "health" else f for f in facts)


def still_planned(index: int, ctx: Context, facts: tuple[Candidate, ...], frame: Frame, before: Sequence[Reading]) -> tuple[Candidate, ...]:
    """打算年底辞职，回老家开一间民宿: what a clause without a subject goes on with after a plan is planned too, not so already."""
    told = before[-1].facts[-1] if before and before[-1].facts else None
    if (
        told is None
        or told.attribute != "plan"
        or told.stance is not Stance.ASSERT
        or frame.subject != "none"
        or frame.flags & {"now", "past", "habitual"}
    ):
        return facts
    clause = ctx.clauses[index]
    if ctx.clauses[index - 1].sentence != clause.sentence or "了" in clause.plain or not any(f.attribute in _AIMS for f in facts):
        return facts
    value = clause.text[frame.body :].strip()
    return (told.evolve(value=value, normal=None, confidence=0.86, clause=clause.text.strip()),)


def topic(index: int, ctx: Context, before: Sequence[Reading], lex: Lexicon) -> tuple[Candidate, ...]:
    """香菜，我不吃 · 花生？我过敏: what stands alone in front is what the next clause is about."""
    if not before or before[-1].facts:
        return ()
    clause, lead = ctx.clauses[index], ctx.clauses[index - 1]
    if lex.has("no_topic", lead.plain) or not 1 <= len(lead.plain.strip()) <= 10:
        return ()
    for attribute, pattern in lex.group("topic_"):
        if pattern.search(clause.plain):
            spans = break_list(lead.plain, trim(lead.plain, (0, len(lead.plain)), lex), lex)
            return tuple(
                Candidate(attribute=attribute, value=lead.text[a:b], normal=normal_form(attribute, lead.text[a:b], lead.plain[a:b]), confidence=0.86)
                for a, b in spans
            )
    return ()


def wished(index: int, ctx: Context, before: Sequence[Reading], lex: Lexicon) -> tuple[Candidate, ...]:
    """我海鲜过敏，点菜时避开: a wish that follows from a lasting fact lasts as long as it does; so does one that 以后都这样 closes."""
    clause = ctx.clauses[index]
    lasting = ctx.first(lex, "standing") > clause.start or any(
        f.stance is Stance.ASSERT and f.attribute not in {"event", "progress"} for r in before[-3:] for f in r.facts
    )
    m = lex.find("wish", clause.plain) if lasting else None
    if m is None or lex.has("wish_not", clause.plain):
        return ()
    a, b = trim(clause.plain, m.span("v"), lex, whole=True)
    return (Candidate(attribute="instruction", value=clause.text[a:b], confidence=0.84),) if b - a >= 3 else ()


def set_right(index: int, ctx: Context, lex: Lexicon) -> tuple[Candidate, ...]:
    """不是三月，是五月，我生日你老记错: the right value stands in one clause, what it is of in another."""
    clause = ctx.clauses[index]
    m = lex.find("is_not", clause.plain)
    if m is None:
        return ()
    near = [c for i, c in enumerate(ctx.clauses) if abs(i - index) <= 2 and i != index]
    of = [(a, c) for c in near for a, p in lex.group("names_") if p.search(c.plain) and lex.has("mine_wrong", c.plain)]
    value = clause.text[m.start("v") : m.end("v")]
    if not of or not lex.has(f"is_{of[0][0]}", value) or any("?" in c.mark or "？" in c.mark for c in near):
        return ()
    wrong = clause.text[m.start("r") : m.end("r")] if m.group("r") else None
    for c in near:
        if wrong is None and (n := lex.find("not_but", c.plain)) is not None:
            wrong = c.text[n.start("r") : n.end("r")]
    return (Candidate(attribute=of[0][0], value=value, stance=Stance.CORRECT, replaces=wrong, confidence=0.88),)


def continued(index: int, ctx: Context, before: Sequence[Reading], frame: Frame, lex: Lexicon) -> tuple[Candidate, ...]:
    """我喜欢弹琴，听歌，摄影: short clauses after a list's first item are items too."""
    if not before or not before[-1].facts or ctx.clauses[index - 1].sentence != ctx.clauses[index].sentence:
        return ()
    clause, last = ctx.clauses[index], before[-1].facts[-1]
    if last.attribute == "dislikes" and lex.has("allergic", clause.plain):
        return (last.evolve(attribute="allergy", confidence=0.9, clause=clause.text.strip()),)
    if last.attribute not in _LISTED or frame.subject != "none" or last.stance is not Stance.ASSERT or lex.has("no_item", clause.plain):
        return ()
    a, b = trim(clause.plain, (0, len(clause.plain)), lex)
    if not 1 <= b - a <= 10:
        return ()
    return tuple(
        last.evolve(value=clause.text[s:e], normal=normal_form(last.attribute, clause.text[s:e], clause.plain[s:e]), clause=clause.text.strip())
        for s, e in break_list(clause.plain, (a, b), lex)
    )


def answered(index: int, ctx: Context, frame: Frame, lex: Lexicon) -> tuple[Candidate, ...]:
    """你住在哪？— 杭州: a short reply takes its attribute from the assistant's question."""
    asked = _asked_oneself(index, ctx, lex)
    if not asked:
        asked = ctx.last_said("assistant")[-80:] if ctx.history else ""
        if not asked or index > 1 or (index == 1 and len(ctx.clauses[0].plain) > 6) or not (asked.rstrip("。！~ ").endswith(("？", "?", "吗", "呢"))):
            return ()
    clause = ctx.clauses[index]
    if frame.subject not in {"none", "self"} or lex.has("no_answer", clause.plain):
        return ()
    for attribute, pattern in lex.group("asked_"):
        if not pattern.search(asked):
            continue
        a, b = trim(clause.plain, (frame.body if attribute != "habit" else frame.tail, len(clause.plain)), lex, whole=attribute == "habit")
        limit = 30 if attribute == "habit" else 12
        check = CHECKS.get(
            {"name": "person_name", "location": "place", "hometown": "place", "age": "age"}.get(attribute, "content"), CHECKS["content"]
        )
        if "介绍" in asked:
            check = CHECKS["occupation"]
        if 1 <= b - a <= limit and check(clause.plain, (a, b), ctx, lex, clause.start):
            value = clause.text[a:b]
            return (
                Candidate(
                    attribute=attribute,
                    value=value,
                    normal=normal_form(attribute, value, clause.plain[a:b]),
                    confidence=0.8,
                    clause=clause.text.strip(),
                ),
            )
    return ()


def _asked_oneself(index: int, ctx: Context, lex: Lexicon) -> str:
    """你猜我多大？四十七 · 爱好？也就钓鱼: the question that the user answers himself, an empty string where there is none."""
    for clause in reversed(ctx.clauses[max(0, index - 2) : index]):
        if lex.has("asks_oneself", clause.plain) and (
            "猜" in clause.plain
            or "介绍" in clause.plain
            or "问我" in clause.plain
            or "?" in clause.mark
            or "？" in clause.mark
            or "：" in clause.mark
        ):
            return clause.plain
    return ""


def corrected(index: int, ctx: Context, before: Sequence[Reading], facts: tuple[Candidate, ...], lex: Lexicon) -> tuple[Candidate, ...]:
    """说错了，其实是B，不是A: facts of a message that takes something back correct what was said; `replaces` is A where the message names it."""
    if not facts:
        return facts
    clause = ctx.clauses[index]
    cue = ctx.first(lex, "correction") >= 0
    out = []
    for fact in facts:
        if fact.stance is Stance.ASSERT:
            denied = next(
                (
                    f.value
                    for r in before[-8:]
                    for f in r.facts
                    if f.stance is Stance.NEGATE and (f.attribute, f.owner) == (fact.attribute, fact.owner)
                ),
                None,
            )
            after = ctx.clauses[index + 1] if index + 1 < len(ctx.clauses) else None
            m = lex.find("not_but", after.plain) if after is not None and after.sentence == clause.sentence else None
            if after is not None and m is not None:
                denied = denied or after.text[m.start("r") : m.end("r")]
            if cue or m is not None:
                fact = fact.evolve(stance=Stance.CORRECT, replaces=fact.replaces or denied)
            elif denied is not None:
                fact = fact.evolve(replaces=fact.replaces or denied)
        out.append(fact)
    return tuple(out)


def remembered(index: int, ctx: Context, before: Sequence[Reading], frame: Frame, blocked: frozenset[str], lex: Lexicon) -> tuple[Candidate, ...]:
    """What the user asks to be remembered and no rule could read: kept in his own words."""
    clause = ctx.clauses[index]
    cue = ctx.first(lex, "remember")
    if "question" in blocked or "quoted" in blocked or any(r.facts and ctx.clauses[n].end > cue for n, r in enumerate(before)):
        return ()  # what the order was about is read already
    last = index == len(ctx.clauses) - 1
    sentence = ctx.same_sentence(index - 1) if index else []
    cue_here = lex.has("remember", clause.plain)
    cue_before = 0 <= cue < clause.start
    text, start = clause.text, frame.tail
    if cue_here and (m := lex.find("remember", clause.plain)):
        start = max(m.end(), frame.tail if frame.subject == "none" else 0)
        start += len(clause.plain[start:]) - len(clause.plain[start:].lstrip("：:，, 我的") if frame.subject == "none" else clause.plain[start:])
    value = text[start:].strip(' ，,。！!：:~”"」')
    if not lex.has("remember_bare", fold_tail(clause.plain[start:])) and len(value) >= 3 and (cue_here or cue_before):
        if index + 1 < len(ctx.clauses) and _FIGURE.match(ctx.clauses[index + 1].plain):  # 每月25号交房租，3200
            value = ctx.message[clause.start + text.find(value) : ctx.clauses[index + 1].end].strip(" ，,。！!")
    elif cue_here and last and index > 0 and not any(r.facts for r in before) and before[-1].intent not in {"greeting", "question"}:
        clause = ctx.clauses[index - 1]
        first = sentence[0].start if clause.end - sentence[0].start <= 60 else clause.start
        value = ctx.message[first : clause.end].strip(" ，,。！!：:~")
    else:
        return ()
    when = resolve(clause.plain, ctx.time)
    return (
        Candidate(attribute="other", value=value, owner=frame.owner or USER, time=when, confidence=0.9, explicit=True, clause=clause.text.strip()),
    )


_FIGURE: Final = regex(r"^\s*(?:一共|总共|每次|大概|是)?\s*[\d.,]+\s*(?:万|千)?(?:元|块钱?|刀|美元|斤|个|次|点)?\s*$")


def fold_tail(text: str) -> str:
    return text.strip(" ，,。！!：:~")
