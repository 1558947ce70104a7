"""What a Chinese clause means because of its neighbours: the rest of a list, an answer to what was asked, a correction, a thing to be remembered."""

import re
from collections.abc import Sequence

from memory.judge.clauses import fold
from memory.judge.judgement import Candidate, Stance
from memory.judge.reader import Context, Reading
from memory.judge.rules import Lexicon
from memory.judge.zh.facts import normal_form
from memory.judge.zh.frame import Frame
from memory.judge.zh.times import resolve
from memory.judge.zh.values import CHECKS, break_list, trim
from memory.record import USER

_LISTED = frozenset({"likes", "dislikes", "skill"})


def known_names(ctx: Context, lex: Lexicon) -> str:
    """A pattern of the names that the user gave his people earlier (我外甥女叫佳怡), an empty string when there are none."""
    if "names" in ctx.memo:
        return str(ctx.memo["names"])
    said = [s.text[:500] for s in ctx.history[-60:] if s.role == "user"]
    texts = [fold(t) for t in [*said, ctx.message[:500]] if "叫" in t]
    found = {m.group("name") for text in texts for m in lex.patterns["gives_name"].finditer(text)}
    ctx.memo["names"] = "(?:" + "|".join(sorted((re.escape(n) for n in found), key=len, reverse=True)) + ")" if found else ""
    return str(ctx.memo["names"])


def named(index: int, ctx: Context, before: Sequence[Reading], lex: Lexicon) -> tuple[Candidate, ...]:
    """养了一只猫，叫栗子: the clause names the pet or person of the one before; its fact grows to hold the name."""
    if not before or not before[-1].facts or ctx.clauses[index - 1].sentence != ctx.clauses[index].sentence:
        return ()
    clause, last = ctx.clauses[index], before[-1].facts[-1]
    m = lex.find("named_so", clause.plain) if last.attribute in {"pet", "relationship"} else None
    at = ctx.message.find(last.value, ctx.clauses[index - 1].start)
    if m is None or at < 0:
        return ()
    return (last.evolve(value=ctx.message[at : clause.start + m.end("v")], clause=ctx.message[ctx.clauses[index - 1].start : clause.end].strip()),)


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
    if "question" in blocked or "quoted" in blocked or any(r.facts for r in before):
        return ()
    last = index == len(ctx.clauses) - 1
    cue_here = lex.has("remember", clause.plain)
    cue_before = 0 <= ctx.first(lex, "remember") < clause.start
    text, start = clause.text, frame.tail
    if cue_here and (m := lex.find("remember", clause.plain)):
        start = max(m.end(), frame.tail if frame.subject == "none" else 0)
        start += len(clause.plain[start:]) - len(clause.plain[start:].lstrip("：:，, 我的") if frame.subject == "none" else clause.plain[start:])
    value = text[start:].strip(' ，,。！!：:~”"」')
    if not lex.has("remember_bare", fold_tail(clause.plain[start:])) and len(value) >= 3 and (cue_here or cue_before):
        pass
    elif cue_here and last and index > 0 and before[-1].intent not in {"greeting", "question"}:
        clause = ctx.clauses[index - 1]
        value = clause.text.strip(" ，,。！!：:~")
    else:
        return ()
    when = resolve(clause.plain, ctx.time)
    return (
        Candidate(attribute="other", value=value, owner=frame.owner or USER, time=when, confidence=0.9, explicit=True, clause=clause.text.strip()),
    )


def fold_tail(text: str) -> str:
    return text.strip(" ，,。！!：:~")
