"""The judge: a message in, a Judgement out. Tier 1 always, tier 2 when a small model is given; what stays open is marked for tier 3.

Pure and synchronous; never raises on any text. Each clause is read in its own language, scored, and joined with the others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from memory.entities import find_entities
from memory.judge.clauses import (
    Clause,
    fold,
    has_han,
    language_of,
    latin_words,
    pasted_spans,
    pieces,
    quoted_spans,
    sentences,
    without_edges,
    without_markup,
)
from memory.judge.en.reader import EnReader
from memory.judge.judgement import LONG_CLASSES, Candidate, ClauseVerdict, Command, Judgement, SessionFact, Tier
from memory.judge.reader import Context, Opinion, Reader, Reading, Said, SmallModel
from memory.judge.rules import Rules
from memory.judge.score import score_clause
from memory.judge.spans.heard import heard, unread
from memory.judge.zh.reader import ZhReader
from memory.record import USER

MAX_CLAUSES: Final = 1500
"""Clauses read of one message; what lies beyond is archived with the turn, but not judged."""

MAX_SENTENCE: Final = 40_000
"""Characters of one sentence that are read; only pasted data has longer ones."""

READERS: Final[dict[str, Reader]] = {"zh": ZhReader(), "en": EnReader()}
_SKIPPED: Final = {"zh": "用户要求不记", "en": "the user asked not to keep it"}
_DEMOTED: Final = {"zh": "置信度不足，降级为短期", "en": "confidence too low, kept short-term"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """A judged message before it is joined: what a dearer tier needs to put its word in. Join with `assemble`."""

    ctx: Context
    readings: tuple[Reading, ...]
    tiers: tuple[Tier, ...]
    session: tuple[SessionFact, ...]
    commands: tuple[Command, ...]

    @property
    def open(self) -> tuple[int, ...]:
        """Indices of the clauses that a dearer tier should judge."""
        return tuple(i for i, r in enumerate(self.readings) if r.open)


def judge(
    text: str, *, history: Sequence[Any] = (), time: datetime | None = None, rules: Rules | None = None, model: SmallModel | None = None
) -> Judgement:
    """Judges one user message.

    `history` holds earlier messages, oldest first: mappings with ``role`` and ``content``, or message objects. `time` is when the message was said;
    relative dates stay unresolved without it.
    """
    return assemble(read(text, history=history, time=time, rules=rules, model=model))


def read(
    text: str, *, history: Sequence[Any] = (), time: datetime | None = None, rules: Rules | None = None, model: SmallModel | None = None
) -> Parts:
    """`judge` without the last step, for callers with a third tier."""
    ctx = context(text, history=history, time=time, rules=rules or Rules.load())
    readings: list[Reading] = []
    for index, clause in enumerate(ctx.clauses):
        readings.append(_reader(clause.language).read(index, ctx, readings))
    tiers: list[Tier] = ["rules"] * len(readings)
    language = language_of(ctx.message)
    parts = Parts(
        ctx=ctx,
        readings=tuple(readings),
        tiers=tuple(tiers),
        session=_reader(language).session(ctx, readings),
        commands=_commands(ctx),
    )
    return parts if model is None else _second_look(parts, model)


def commands(text: str, *, rules: Rules | None = None) -> tuple[Command, ...]:
    """What the message orders done with memory; nothing else of it is read."""
    return _commands(context(text, rules=rules or Rules.load()))


def _commands(ctx: Context) -> tuple[Command, ...]:
    return _reader(language_of(ctx.message)).commands(ctx)


OVERRULES: Final = {"SHORT": 0.8, "LONG": 0.98}
"""How sure the small model must be to overrule what the rules settled as passing or as lasting. Measured on examples that neither tier was made from."""

BESIDE: Final = 0.97
"""How sure it must be of a lasting clause that no rule could read, where the rules read another of the message: most such clauses go on about it."""

NAMED_FOR_SURE: Final = 0.6
"""How sure the model must be of an attribute that the words of the value do not show."""

SINGLE_VALUED: Final = frozenset({"name", "age", "birthday", "location", "hometown", "occupation", "employer"})
"""Attributes never taken on trust: their new value ends the old one."""

RULE_FIRM: Final = 0.8
"""Confidence from which a fact rule is as sure as the n-grams make it."""

AGREED: Final = 0.97
"""How often a clause is what the rules say when the n-grams do not doubt it: .984 of 410 passing ones, .985 of 360 lasting ones; measured on the same
examples."""


def _second_look(parts: Parts, model: SmallModel) -> Parts:
    """The small model's word on what is open, and on settled clauses where it is sure of the contrary; else the rules' word stands.

    A passing clause that even a cheap look does not doubt is surer than the rules alone could say.
    """
    asked = sorted({*parts.open, *model.doubts(parts.ctx, parts.readings)})
    if asked:
        parts = _heard(parts, model, asked)
    beside = model.beside(parts.ctx, parts.readings)
    if beside:
        parts = with_opinions(parts, list(beside), list(beside.values()), "model")
    parts = _spans_read(parts, model, asked)
    sure = parts.ctx.rules.weights.sure
    agreed = {
        i
        for i, r in enumerate(parts.readings)
        if i not in asked and i not in beside and r.confidence >= (sure if r.intent not in LONG_CLASSES else RULE_FIRM) and parts.tiers[i] == "rules"
    }
    return replace(
        parts, readings=tuple(replace(r, confidence=max(r.confidence, AGREED)) if i in agreed else r for i, r in enumerate(parts.readings))
    )


def _spans_read(parts: Parts, model: SmallModel, asked: Sequence[int]) -> Parts:
    """The span reader's facts of clauses that are still without one."""
    clauses = unread(parts.ctx, parts.readings)
    changed = heard(parts.ctx, parts.readings, model.spans(parts.ctx, clauses, asked), _reader) if clauses else {}
    readings = tuple(changed.get(i, r) for i, r in enumerate(parts.readings))
    read = {i for i, r in changed.items() if r.facts != parts.readings[i].facts}
    return replace(parts, readings=readings, tiers=tuple("model" if i in read else t for i, t in enumerate(parts.tiers)))


def _heard(parts: Parts, model: SmallModel, asked: Sequence[int]) -> Parts:
    """The model's opinions on these clauses, where they count."""
    told = any(r.intent in LONG_CLASSES and r.facts and not r.open for r in parts.readings)
    heard = {}
    for index, opinion in zip(asked, model.opinions(asked, parts.ctx, parts.readings), strict=True):
        reading = parts.readings[index]
        lasting = reading.intent in LONG_CLASSES
        contrary = lasting != (opinion.intent in LONG_CLASSES)
        if opinion.intent in LONG_CLASSES and not lasting and opinion.confidence < BESIDE and told:
            continue
        if reading.open or (contrary and opinion.confidence >= OVERRULES["LONG" if lasting else "SHORT"]):
            heard[index] = opinion
    return with_opinions(parts, list(heard), list(heard.values()), "model") if heard else parts


_OVERRULED: Final = {
    (True, "zh"): "规则没有读出事实，模型判断值得长期记住", (False, "zh"): "规则读出了事实，模型判断只与当下有关",
    (True, "en"): "no rule read a fact in it, but a model finds it worth keeping", (False, "en"): "a rule read a fact in it, but a model finds it passing",
}  # fmt: skip


def with_opinions(parts: Parts, indices: Sequence[int], opinions: Sequence[Opinion], tier: Tier) -> Parts:
    """The parts with a dearer tier's word on these clauses; they are open no longer, unless that tier is itself unsure of a lasting class."""
    readings, tiers = list(parts.readings), list(parts.tiers)
    rules = parts.ctx.rules
    for index, opinion in zip(indices, opinions, strict=True):
        old = readings[index]
        facts = old.facts
        if opinion.intent in LONG_CLASSES:
            facts = facts or _named(index, parts.ctx, opinion)
            facts = tuple(replace(f, confidence=round(opinion.confidence, 3)) for f in facts)
        unsure = opinion.confidence < rules.weights.sure
        lasting = opinion.intent in LONG_CLASSES
        why = old.why if lasting == (old.intent in LONG_CLASSES) else _OVERRULED[lasting, "en" if parts.ctx.clauses[index].language == "en" else "zh"]
        readings[index] = replace(old, intent=opinion.intent, confidence=opinion.confidence, facts=facts if lasting else (), why=why, open=unsure)
        tiers[index] = tier
    return replace(parts, readings=tuple(readings), tiers=tuple(tiers))


def _named(index: int, ctx: Context, opinion: Opinion) -> tuple[Candidate, ...]:
    """Proposals about the user under the attribute that the dearer tier named, or `other` where the value is none that the attribute can hold."""
    reader = _reader(ctx.clauses[index].language)
    out = []
    for fact in reader.propose(index, ctx, opinion.intent):
        name = opinion.attribute if opinion.attribute and fact.owner == USER else fact.attribute
        fits = reader.holds(name, fact.value, ctx) or (opinion.named >= NAMED_FOR_SURE and name not in SINGLE_VALUED)
        out.append(fact.evolve(attribute=name if fits else "other"))
    return tuple(out)


def context(text: str, *, history: Sequence[Any] = (), time: datetime | None = None, rules: Rules) -> Context:
    """Cuts the message into clauses and puts everything a reader may look at beside them. Markup is no word of the user's."""
    text = without_markup(text)
    plain = fold(text)
    quotes = [*quoted_spans(text), *pasted_spans(text)]
    clauses: list[Clause] = []
    for number, (start, end, mark) in enumerate(sentences(text)):
        if len(clauses) >= MAX_CLAUSES:
            break
        language = language_of(text[start:end])
        spans = _reader(language).split(text[start : min(end, start + MAX_SENTENCE)])
        for at, (a, b) in enumerate(spans):
            closing = mark if at == len(spans) - 1 else "，"
            for s, e in pieces(*without_edges(text, start + a, start + b)):
                words = text[s:e]
                clauses.append(
                    Clause(
                        text=words, plain=plain[s:e], start=s, mark=closing, sentence=number,
                        language=language if has_han(words) or latin_words(words) < 3 else "en",
                        quoted=any(q <= s and e <= r for q, r in quotes),
                    )
                )  # fmt: skip
    return Context(message=text, plain=plain, clauses=tuple(clauses[:MAX_CLAUSES]), rules=rules, history=tuple(_said(h) for h in history), time=time)


def assemble(parts: Parts) -> Judgement:
    """Scores the clauses and joins them."""
    rules, ctx = parts.ctx.rules, parts.ctx
    lasting = [(c.start, c.end) for c, r in zip(ctx.clauses, parts.readings, strict=True) if r.intent in LONG_CLASSES and r.facts]
    entities = find_entities(ctx.message[:2000], near=lasting)  # names elsewhere decide nothing, and a look costs a millisecond
    verdicts: list[ClauseVerdict] = []
    facts: list[Candidate] = []
    pending: list[Candidate] = []
    hints = [] if any(c.kind in {"skip", "forget"} for c in parts.commands) else [h for r in parts.readings for h in r.hints]
    skip = any(c.kind == "skip" for c in parts.commands)
    forgotten = [fold(c.target) for c in parts.commands if c.kind == "forget" and c.target]
    for clause, reading, tier in zip(ctx.clauses, parts.readings, parts.tiers, strict=True):
        if reading.facts and (skip or _ordered_gone(clause, forgotten)):
            reading = replace(reading, intent="other", facts=(), why=_SKIPPED.get(clause.language, _SKIPPED["zh"]))
        count = len({e.text for e in entities if clause.start <= e.start < clause.end})
        score, shares = score_clause(reading.intent, clause.plain, clause.language, count, rules)
        stored = [
            f.evolve(
                importance=score, clause=f.clause or clause.text.strip(), explicit=f.explicit or reading.explicit, reason=f.reason or reading.why
            )
            for f in reading.facts
        ]
        keep = [f for f in stored if f.confidence >= rules.weights.sure]
        wait = [f for f in stored if rules.weights.pending <= f.confidence < rules.weights.sure]
        long = (
            bool(keep)
            and reading.intent in LONG_CLASSES
            and reading.confidence >= rules.weights.sure
            and (score >= rules.weights.store or reading.explicit)
        )
        why = reading.why
        if reading.intent in LONG_CLASSES and not long:
            demoted = _DEMOTED.get(clause.language, _DEMOTED["zh"])
            why = f"{why}；{demoted}" if clause.language != "en" else f"{why}; {demoted}"
            wait += keep if reading.confidence >= rules.weights.pending else []
            keep = []
        facts += keep
        pending += wait
        verdicts.append(
            ClauseVerdict(
                text=clause.text.strip(), intent=reading.intent, memory_type="LONG" if long else "SHORT", score=score, parts=shares,
                confidence=reading.confidence, tier=tier, reason=why, open=reading.open, facts=tuple(keep),
            )
        )  # fmt: skip
    return replace(_join(verdicts, _once(facts), _once(pending), parts), hints=tuple(hints))


def _ordered_gone(clause: Clause, forgotten: Sequence[str]) -> bool:
    """Whether the clause names what is to be forgotten: 忘掉我妈有高血压的事 tells nothing to be kept."""
    said = clause.plain.strip()
    return any(target in said or (len(said) > 1 and said in target) for target in forgotten)


def _join(verdicts: list[ClauseVerdict], facts: tuple[Candidate, ...], pending: tuple[Candidate, ...], parts: Parts) -> Judgement:
    if not verdicts:
        return Judgement(
            memory_type="SHORT", intent="other", score=0.0, parts={"base": 0.0}, confidence=1.0, tier="rules", reason="没有文字",
            session=parts.session, commands=parts.commands,
        )  # fmt: skip
    long = [v for v in verdicts if v.memory_type == "LONG"]
    best = max(long or verdicts, key=lambda v: v.score)
    dearest: Tier = "llm" if "llm" in parts.tiers else "model" if "model" in parts.tiers else "rules"
    return Judgement(
        memory_type="LONG" if long else "SHORT", intent=best.intent, score=best.score, parts=best.parts,
        confidence=max(v.confidence for v in long) if long else min(v.confidence for v in verdicts), tier=dearest,
        reason=best.reason, facts=facts, pending=tuple(p for p in pending if p not in facts), session=parts.session, commands=parts.commands,
        clauses=tuple(verdicts),
    )  # fmt: skip


def _once(facts: list[Candidate]) -> tuple[Candidate, ...]:
    """Said twice in one message counts once; a value inside a longer one of the same owner and attribute is dropped."""
    kept: dict[tuple[str, str, str, str], Candidate] = {}
    for fact in facts:
        kept.setdefault((fact.owner, fact.attribute, fold(fact.value), fact.stance.value), fact)
    alone = list(kept.values())
    return tuple(f for f in alone if not any(_grown(f, g) for g in alone))


def _grown(fact: Candidate, other: Candidate) -> bool:
    """Whether a later clause told more of the same fact: 一只猫 → 一只猫，叫栗子."""
    same = (fact.owner, fact.attribute, fact.stance) == (other.owner, other.attribute, other.stance)
    return same and fact is not other and other.value.startswith(fact.value) and len(other.clause) > len(fact.clause)


def _reader(language: str) -> Reader:
    return READERS.get(language) or READERS["zh"]


def _said(message: Any) -> Said:
    """A mapping, a (role, text) pair, a string (a user's) or a message object."""
    if isinstance(message, str):
        return Said("user", message)
    if isinstance(message, Mapping):
        role, content = message.get("role") or message.get("type") or "user", message.get("content") or message.get("text") or ""
    elif isinstance(message, tuple) and len(message) == 2:
        role, content = message
    else:
        role, content = getattr(message, "type", None) or getattr(message, "role", "user"), getattr(message, "content", "")
    if isinstance(content, list):
        content = " ".join(c if isinstance(c, str) else str(c.get("text", "")) if isinstance(c, Mapping) else "" for c in content)
    role = {"human": "user", "ai": "assistant"}.get(str(role), str(role))
    return Said(role, str(content))
