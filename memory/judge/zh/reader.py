"""The Chinese reader: clauses, their class, their facts."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from memory.judge.clauses import Clause, fold
from memory.judge.judgement import Candidate, Command, SessionFact, Stance
from memory.judge.reader import Context, Reading
from memory.judge.rules import Lexicon
from memory.judge.zh.cases import case_of
from memory.judge.zh.coming import coming
from memory.judge.zh.facts import find_facts
from memory.judge.zh.frame import STRANGER, Frame, lay_out
from memory.judge.zh.links import (
    answered,
    continued,
    corrected,
    introduced,
    known_names,
    named,
    of_mother,
    of_pet,
    remembered,
    set_right,
    someone,
    still_planned,
    topic,
    until,
    wished,
)
from memory.judge.zh.session import commands_of, session_of
from memory.judge.zh.short import blocks, short_class, told_user
from memory.judge.zh.split import split
from memory.judge.zh.times import resolve
from memory.pattern import regex
from memory.record import USER

_SETTLED: Final = 0.7
_SHARED: Final = frozenset({"employer", "school", "location", "occupation", "skill"})
"""What is so of both where it is told of the two: 我跟我弟都在钢厂上班."""
_TELLING: Final = 4
"""Characters from which a predicate that no rule could read may tell something: 我搬家 does not."""


class ZhReader:
    """Chinese, also mixed with Latin words. Stateless."""

    language = "zh"

    def split(self, sentence: str) -> list[tuple[int, int]]:
        return split(sentence)

    def read(self, index: int, ctx: Context, before: Sequence[Reading]) -> Reading:
        clause, lex = ctx.clauses[index], ctx.rules.lexicon("zh")
        if lex.deny and any(p.search(clause.plain) for p in lex.deny):
            return Reading(intent="other", confidence=0.99, why=_text(lex, "denied"))
        carried = _carried(index, ctx, before, lex)
        frame = lay_out(clause.plain, clause.text, lex, carried)
        if frame.subject == "none" and carried.get("subject"):
            frame = frame.with_flags("carried")
        blocked = blocks(index, ctx, frame, lex)
        explicit = asks_to_remember(ctx, lex)
        facts = case_of(index, ctx, blocked, lex) or (named(index, ctx, before, lex) if not blocked else ())
        if not blocked:
            facts = facts or until(index, ctx, before, lex) or set_right(index, ctx, lex) or topic(index, ctx, before, lex)
        facts = facts or of_pet(tuple(c for c, _ in find_facts(clause, frame, ctx, lex, blocked)), frame, before, lex)
        if frame.kin and {"joint"} <= frame.flags:
            facts += tuple(f.evolve(owner=frame.kin) for f in facts if f.owner == USER and f.attribute in _SHARED)
        facts = of_mother(index, ctx, facts, frame, before, lex)
        facts = still_planned(index, ctx, facts, frame, before)
        if not facts and blocked <= {"stranger"}:
            facts = wished(index, ctx, before, lex)
        if not facts and not blocked:
            facts = continued(index, ctx, before, frame, lex) or answered(index, ctx, frame, lex)
        if not blocked and not explicit and all(f.attribute == "other" or (f.attribute == "health" and f.time) for f in facts):
            facts = coming(index, ctx, before, frame, lex) or facts
        facts = corrected(index, ctx, before, facts, lex)
        if explicit and not facts:
            facts = remembered(index, ctx, before, frame, blocked, lex)
        if lex.allow and not facts and any(p.search(clause.plain) for p in lex.allow):
            facts = (Candidate(attribute="other", value=clause.text.strip(), confidence=0.99),)
        state = _state(frame, carried, clause, lex)
        if (m := lex.find("has_one", clause.plain)) is not None:
            person = clause.text[m.start("rel") : m.end("rel")]
            state |= {"subject": "kin", "owner": person, "kin": person}
        if lex.has("has_stranger", clause.plain.strip()):
            state |= {"subject": "other", "owner": STRANGER, "kin": "", "met": "yes"}
        if (met := introduced(facts)) is not None:
            opens = not any(r.facts for r, c in zip(before, ctx.clauses, strict=False) if c.sentence == clause.sentence)
            state |= {"kin": met} | ({"subject": "kin", "owner": met} if opens and frame.subject != "self" else {})
        if facts:
            best = max(facts, key=lambda f: f.confidence)
            intent = (
                best.tags[0]
                if best.tags[:1] in {("complaint",), ("return",)}
                else "correction"
                if best.stance is Stance.CORRECT
                else "relationship"
                if best.owner != USER
                else ctx.rules.class_of(best.attribute)
            )
            return Reading(
                intent=intent, confidence=best.confidence, why=_why(lex, intent, best), explicit=explicit, facts=facts, state=state,
                open=best.confidence < _SETTLED,
            )  # fmt: skip
        intent, confidence, why = short_class(index, ctx, frame, blocked, lex)
        return Reading(
            intent=intent, confidence=confidence, why=why, explicit=explicit, void=bool(blocked), state=state, open=confidence < _SETTLED
        )  # fmt: skip

    def propose(self, index: int, ctx: Context, intent: str) -> tuple[Candidate, ...]:
        return loose(index, ctx, intent)

    def holds(self, attribute: str, value: str, ctx: Context) -> bool:
        lex = ctx.rules.lexicon("zh")
        return f"holds_{attribute}" not in lex.patterns or lex.has(f"holds_{attribute}", fold(value))

    def session(self, ctx: Context, readings: Sequence[Reading]) -> tuple[SessionFact, ...]:
        return session_of(ctx, readings)

    def commands(self, ctx: Context) -> tuple[Command, ...]:
        return commands_of(ctx)


def asks_to_remember(ctx: Context, lex: Lexicon) -> bool:
    return ctx.first(lex, "remember") >= 0 and ctx.first(lex, "remember_not") < 0


def loose(index: int, ctx: Context, intent: str) -> tuple[Candidate, ...]:
    """The predicate of the clause as value: for clauses that a dearer tier calls lasting and no rule could read."""
    clause, lex = ctx.clauses[index], ctx.rules.lexicon("zh")
    frame = lay_out(clause.plain, clause.text, lex, {})
    if frame.subject in {"none", "pronoun"} and of_stranger(index, ctx, lex):
        return ()
    value = clause.text[frame.tail :].strip(" ，,。！!~") or clause.text.strip()
    if lex.has("says_nothing", clause.plain.strip()) or (len(value) < _TELLING and not value.isascii()):
        return ()
    attribute = {
        "preference": "likes", "important_event": "event", "relationship": "relationship", "instruction": "instruction", "complaint": "event", "return": "event",
    }.get(intent, "other")  # fmt: skip
    if intent == "preference":
        attribute = "dislikes" if lex.has("negative_taste", clause.plain) else "habit" if "habitual" in frame.flags else "likes"
    if intent == "important_event" and lex.has("future_hint", clause.plain):
        attribute = "plan"
    when = resolve(clause.plain, ctx.time) if attribute in {"plan", "event"} else None
    owner = USER if attribute == "instruction" else _going_on(index, ctx, lex) if frame.subject == "none" else frame.owner
    return (Candidate(attribute=attribute, value=value, owner=owner or USER, time=when, clause=clause.text.strip(), loose=True),)


def _going_on(index: int, ctx: Context, lex: Lexicon) -> str:
    """Whose doing a clause without a subject goes on to tell: that of the last subject in its sentence (妹妹跳槽了，去一家诊所做前台)."""
    for clause in reversed(ctx.clauses[max(0, index - 4) : index]):
        if clause.sentence != ctx.clauses[index].sentence:
            break
        frame = lay_out(clause.plain, clause.text, lex, {})
        if (met := lex.find("gives_name", clause.plain)) is not None and met.group("name") and met.end() == len(clause.plain):
            return clause.text[slice(*met.span("name"))]  # 楼上邻居叫张岚，退休教师
        if frame.subject != "none":
            return str(frame.owner) if frame.subject in {"kin", "named"} else USER
    return USER


def of_stranger(index: int, ctx: Context, lex: Lexicon) -> bool:
    """Whether somebody who is none of the user's people is spoken of: 昨天有个病人叫老李，对青霉素过敏."""
    for clause in reversed(ctx.clauses[max(0, index - 6) : index + 1]):
        if lex.has("has_stranger", clause.plain.strip()):
            return True
        if clause is not ctx.clauses[index] and lay_out(clause.plain, clause.text, lex, {}).subject in {"self", "kin", "named"}:
            return False
    return False


def _carried(index: int, ctx: Context, before: Sequence[Reading], lex: Lexicon) -> Mapping[str, str]:
    """What the clauses before settled: the subject within this sentence, the relative last named in the message, what this one must know."""
    clause = ctx.clauses[index]
    flags = []
    if clause.quoted and told_user(clause, ctx, lex):
        flags.append("told_user")
    if lex.has("claimed", clause.plain):
        flags.append("claimed")
    names = "|".join(filter(None, (known_names(ctx, lex), someone(clause, ctx, lex))))
    if index == 0 or not before:
        return {"flags": " ".join(flags), "names": names}
    last: Mapping[str, Any] = before[-1].state
    if last.get("stage") and ctx.clauses[index - 1].sentence == clause.sentence and not _NOT_THEN.search(clause.plain):
        flags.append("past")
    flags += [f"not_{f.attribute}" for f in before[-1].facts if f.stance is Stance.NEGATE]
    out = {"kin": str(last.get("kin") or ""), "names": names, "flags": " ".join(flags), "met": str(last.get("met") or "")}
    gone = any(f.attribute == "event" and f.owner != USER and lex.has("has_died", f.value) for f in before[-1].facts)
    if gone and _LEFT_BEHIND.match(clause.plain):
        return out
    if ctx.clauses[index - 1].sentence == ctx.clauses[index].sentence and last.get("subject"):
        out["subject"], out["owner"] = str(last["subject"]), str(last["owner"])
    return out


_LEFT_BEHIND: Final = regex(r"\W*(?:现在|如今|目前|眼下|之后|后来|从此|打那以后|家里|就?只?剩|(?:就)?(?:一个人|独自))")
"""How it goes on about the user after a death: 老伴前年走了，现在一个人住."""
_STAGE: Final = regex(
    r"^\W*(?:我|我们)?(?:小时候|年轻(?:时|那|的时候)|(?:上学|读书|念书|上(?:小学|初中|高中|大学)|小学|初中|高中|大学)(?:时|那|的时候|期间)|当年|当初|那(?:会儿|阵子|几年|时候?))"
)
"""A stage of life that is over, told first: what goes on without a subject was so then too."""
_NOT_THEN: Final = regex(r"现在|如今|目前|眼下|后来|今|最近|现|以后|之后|再|一直到|至今|还")


def _state(frame: Frame, carried: Mapping[str, str], clause: Clause, lex: Lexicon) -> dict[str, object]:
    kin = frame.kin or carried.get("kin", "")
    if frame.subject in {"kin", "named"}:
        kin = frame.owner
    elif not frame.kin and (m := lex.find("kin_mention", clause.plain)):
        group = "a" if m.group("a") else "b"
        kin = clause.text[m.start(group) : m.end(group)]
    state: dict[str, object] = {
        "kin": kin,
        "stage": bool(_STAGE.match(clause.plain)) or ("past" in carried.get("flags", "").split() and frame.subject == "none"),
        "met": carried.get("met", "") if frame.subject not in {"self", "kin", "named"} or frame.owner == STRANGER else "",
    }
    if frame.subject in {"none", "self"} and (m := lex.find("for_whom", clause.plain)) is not None:
        whom = clause.text[m.start("whom") : m.end("whom")]
        state |= {"subject": "pronoun" if m["pronoun"] else "kin", "owner": whom} | ({} if m["pronoun"] else {"kin": whom})
    elif frame.subject != "none" and "claimed" not in frame.flags:
        state |= {"subject": frame.subject, "owner": frame.owner}
    elif carried.get("subject"):
        state |= {"subject": carried["subject"], "owner": carried["owner"]}
    return state


def _text(lex: Lexicon, name: str) -> str:
    return lex.texts.get(name, name)


def _why(lex: Lexicon, intent: str, fact: Candidate) -> str:
    text = _text(lex, f"why_{intent}")
    return f"{text}：{fact.owner if fact.owner != USER else '用户'} {_text(lex, 'attribute_' + fact.attribute)}＝{fact.value}"
