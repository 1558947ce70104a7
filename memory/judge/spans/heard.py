"""Where the span reader's word counts: what it makes of clauses that neither the rules nor the small model read a fact in. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from memory.judge.clauses import fold
from memory.judge.judgement import LONG_CLASSES, Candidate, Stance
from memory.judge.reader import Context, Reader, Reading
from memory.judge.spans.find import Found, alike
from memory.pattern import regex
from memory.record import USER

SPAN: Final = 0.6
"""How sure the reader must be of a value that takes the place of a whole clause, which is lasting by another's word."""
KIND: Final = 0.4
"""How sure, to say what kind of fact such a clause tells, where nobody else could."""
HINT: Final = 0.12
"""How sure of a value that counts only where it fits something known: what is known then says more than the reader."""
_STANCES: Final = {"is": Stance.ASSERT, "new": Stance.ASSERT, "over": Stance.NEGATE, "not": Stance.NEGATE}
_PARTICLES: Final = frozenset("了的地得着过吧吗嘛呢啊呀啦哦哈喽咯吖耶呗里上下中内外来去")
_ONLY_WHEN: Final = regex(r"[\d一二三四五六七八九十零〇两年月日号点分时周星期礼拜天下上个本早晚中午前后半:：/.\s-]+")
_HAD: Final = frozenset({"location", "hometown", "employer", "school", "occupation", "possession", "pet", "skill"})
_AT_ONE: Final = frozenset({"location", "hometown", "employer", "occupation"})
"""A new one ends the old: a whole clause must speak of it to be it."""
_NEVER: Final = regex(r"\bnever\b|从来?[没未不]|没[^，。]{0,3}过")
"""Before what one has not: I've never set foot in Ireland."""
_ANOTHERS_NAME: Final = regex(r"\A(?!.*\b(?:i|i'm|im|my|me|name)\b).*(?:'s|s|is|are|was) (?:now )?(?:called|named)\b")
"""What is said to be called so is not the user: the bloke next door's called Len."""
_BARE_DAY: Final = regex(
    rf"\W*(?:是|就是|应该是|it[’']s |the |on )?(?:{_ONLY_WHEN.pattern}|(?:(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*|of|the|\d{{1,4}}(?:st|nd|rd|th)?|[\s,.])+)的?\W*"
)
_WITHOUT: Final = regex(r"(?:不用|不必|不需要|无需|不再)(?:再)?$")
"""Before what one need not do: it belongs to the value (上班不用打卡)."""
_OF_BIRTH: Final = regex(
    r"birth|\bborn\b|\bb-?day\b|\bturn(?:s|ed|ing)?\b|生日|诞辰|生辰|出生|生于|的生|生的|过寿|大寿|满月|\b\d{1,3} on\b|岁|属|星座|座|我(?:是)?[\d一二三四五六七八九十年月日号]{3,}的"
)
_NOT_TO: Final = regex(r"\b(?:don't|do not|dont|never|no|not|stop|avoid|without|skip)\b[^,.;!?]*$")
_AT: Final = regex(r"\b(?:at|for|with) (?:the )?$")
_WHY: Final = {"zh": "规则没有读出事实，从例子学到的判断读出了", "en": "no rule read a fact in it, but what was learnt from examples did"}


def unread(ctx: Context, readings: Sequence[Reading]) -> list[int]:
    """Clauses that may tell something though no fact was read in them: none that is asked, supposed, quoted or a greeting."""
    return [
        i
        for i, (clause, reading) in enumerate(zip(ctx.clauses, readings, strict=True))
        if all(f.loose for f in reading.facts) and not (reading.void or clause.quoted or reading.intent in {"question", "greeting"})
    ]


def heard(ctx: Context, readings: Sequence[Reading], found: Mapping[int, Sequence[Found]], reader_of: Callable[[str], Reader]) -> dict[int, Reading]:
    """The clauses whose reading the found spans change, by index."""
    return {
        index: _lasting(index, ctx, readings[index], [_at_firm(s, ctx) for s in spans], reader_of)
        if readings[index].intent in LONG_CLASSES and readings[index].facts
        else _passing(index, ctx, readings[index], spans, reader_of)
        for index, spans in found.items()
    }


def _of_birth(ctx: Context) -> bool:
    """Whether the message, or what it answers, speaks of a birth; any other date is that of something else."""
    return _OF_BIRTH.search(fold(" ".join([*(s.text for s in ctx.history[-1:]), ctx.message[:600]]))) is not None


def _lasting(index: int, ctx: Context, reading: Reading, spans: Sequence[Found], reader_of: Callable[[str], Reader]) -> Reading:
    """A clause known to last whose whole predicate stood for its value: that it lasts is no more in question, the value and the kind of fact are."""
    vague = reading.facts[0]
    told = [
        f.evolve(
            confidence=round(max(s.sure, reading.confidence), 3), attribute=vague.attribute if _alike(vague.attribute, s.attribute) else s.attribute
        )
        for s in spans
        if s.sure >= SPAN and s.stance not in {"over", "not"} and (f := _fact(index, ctx, s, reader_of))
    ]
    if told:
        return _with(index, ctx, reading, told)
    best = max(spans, key=lambda s: s.sure, default=None)
    if best is None or best.sure < KIND or len(reading.facts) > 1 or vague.owner != USER or best.stance in {"over", "not"}:
        return reading
    language = ctx.clauses[index].language
    if _alike(vague.attribute, best.attribute) or (best.attribute in _AT_ONE and not reader_of(language).holds(best.attribute, vague.value, ctx)):
        return reading
    return replace(reading, intent=ctx.rules.class_of(best.attribute), facts=(vague.evolve(attribute=best.attribute),))


def _at_firm(span: Found, ctx: Context) -> Found:
    """I fix boilers at Denby Heating: a name that the work is done at is whom it is done for."""
    named = ctx.message[span.start].isupper() and _AT.search(ctx.message[: span.start])
    return replace(span, attribute="employer") if span.attribute == "occupation" and named else span


def _alike(named: str, read: str) -> bool:
    """Whether the reader says no more of the kind of fact than the clause head, which sees the clause as a whole, has said."""
    return named == read or (named != "other" and read != "employer" and alike(named, read))


def _passing(index: int, ctx: Context, reading: Reading, spans: Sequence[Found], reader_of: Callable[[str], Reader]) -> Reading:
    told = [f for s in spans if s.sure >= HINT and (f := _fact(index, ctx, s, reader_of))]
    facts = [f for f in told if f.confidence >= ctx.rules.weights.pending]
    hints = tuple(f for f in told if f not in facts)
    return replace(_with(index, ctx, reading, facts) if facts else reading, hints=hints)


def _with(index: int, ctx: Context, reading: Reading, facts: Sequence[Candidate]) -> Reading:
    best = max(facts, key=lambda f: f.confidence)
    language = "en" if ctx.clauses[index].language == "en" else "zh"
    intent = "relationship" if best.owner != USER else ctx.rules.class_of(best.attribute)
    return replace(reading, intent=intent, confidence=best.confidence, facts=tuple(facts), why=_WHY[language], open=False)


def _fact(index: int, ctx: Context, span: Found, reader_of: Callable[[str], Reader]) -> Candidate | None:
    """The candidate under the owner that the rules see; None where they see no possible one."""
    if span.attribute == "birthday" and not _of_birth(ctx):
        if _BARE_DAY.fullmatch(fold(ctx.clauses[index].text)):
            return None  # a day alone is nobody's birthday
        span = replace(span, attribute="plan")
    loose = reader_of(ctx.clauses[index].language).propose(index, ctx, ctx.rules.class_of(span.attribute))
    if not loose:
        return None
    if span.stance in {"is", "new"} and span.attribute in _HAD and _NEVER.search(fold(ctx.message[ctx.clauses[index].start : span.start])):
        return None
    if span.attribute == "name" and loose[0].owner == USER and _ANOTHERS_NAME.match(fold(ctx.clauses[index].text)):
        return None
    before = ctx.message[ctx.clauses[index].start : span.start]
    denied = _WITHOUT.search(fold(before)) or (_NOT_TO.search(fold(before)) if span.attribute == "instruction" else None)
    start = span.start - (len(before) - denied.start() if denied is not None and span.stance in {"is", "new"} else 0)
    value = ctx.message[start : _whole(ctx.clauses[index].end, span.end, ctx.message)]
    if span.attribute in {"plan", "event"} and _ONLY_WHEN.fullmatch(value):
        value = loose[0].value  # when it is says nothing of what it is
    return loose[0].evolve(
        attribute=span.attribute, value=value, time=loose[0].time if span.attribute in {"plan", "event"} else None,
        stance=_STANCES[span.stance], turned=span.stance in {"new", "over"}, confidence=round(span.sure, 3), loose=False, learnt=True,
    )  # fmt: skip


def _whole(end: int, stop: int, message: str) -> int:
    """Where a value ends: one character that stands alone behind it belongs to it, unless it is a particle (吃氨氯地平)."""
    rest = message[stop:end].rstrip(" ，,。.！!？?~")
    return stop + 1 if len(rest) == 1 and "一" <= rest <= "龥" and rest not in _PARTICLES else stop
