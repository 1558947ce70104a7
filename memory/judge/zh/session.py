"""Facts of the thread only, and orders to the memory."""

import re
from collections.abc import Sequence

from memory.judge.judgement import Command, SessionFact
from memory.judge.reader import Context, Reading
from memory.judge.rules import Lexicon
from memory.judge.zh.numbers import number
from memory.judge.zh.values import trim


def session_of(ctx: Context, readings: Sequence[Reading]) -> tuple[SessionFact, ...]:
    """The city asked about, the day meant, the step of a form, a choice for now; later clauses win over earlier ones."""
    lex = ctx.rules.lexicon("zh")
    found: dict[str, SessionFact] = {}
    for clause, reading in zip(ctx.clauses, readings, strict=True):
        if clause.language == "en" or reading.facts:
            continue
        for name, pattern in lex.group("session_"):
            m = pattern.search(clause.plain)
            if m is None:
                continue
            a, b = trim(clause.plain, m.span("v"), lex)
            if a < b:
                found[name] = SessionFact(name, clause.text[a:b])
    return tuple(found.values())


def commands_of(ctx: Context) -> tuple[Command, ...]:
    """忘掉我的地址, 别记这个, 回到上一步."""
    lex = ctx.rules.lexicon("zh")
    out: list[Command] = []
    if ctx.first(lex, "command_hint") < 0:
        return ()
    for index, clause in enumerate(ctx.clauses):
        plain = clause.plain
        if clause.language == "en" or clause.quoted or lex.has("command_not", plain):
            continue
        last = ctx.clauses[index - 1] if index else None
        before = last.text.strip() if last is not None and last.sentence == clause.sentence and lex.has("forget_topic", last.plain) else ""
        if m := lex.find("command_undo", plain):
            steps = number(m.groupdict().get("n") or "") or 1
            out.append(Command(kind="undo", steps=steps))
        elif (m := lex.find("command_forget", plain)) and (m["y"] or m["z"] or m["u"] or m["t"] or m["s"] or not lex.has("command_skip", plain)):
            span = next(m.span(g) for g in ("v", "w", "x", "y", "z", "u", "t", "s") if m.span(g)[0] >= 0)
            target = clause.text[slice(*trim(plain, span, lex, whole=True))]
            if before and lex.has("forget_loosely", target):
                target = f"{before}，{target}"
            out.append(Command(kind="forget", target=target, attribute=_attribute(target, lex)))
        elif (m := lex.find("command_forget_named", plain) or lex.find("command_unkeep", plain)) and not lex.has(
            "forget_pointing", plain[slice(*_target(m))]
        ):
            target = clause.text[slice(*trim(plain, _target(m), lex, whole=True))]
            out.append(Command(kind="forget", target=target, attribute=_attribute(target, lex)))
        elif lex.has("command_forget_that", plain) and not any(c.kind == "forget" for c in out) and (said := _said(ctx, index, lex) or before):
            out.append(Command(kind="forget", target=said, attribute=_attribute(said, lex)))
        elif lex.has("command_skip", plain):
            out.append(Command(kind="skip"))
        elif before and lex.has("forget_before", plain) and not (out and out[-1].target in before):
            out.append(Command(kind="forget", target=before, attribute=_attribute(before, lex)))
    return tuple(out)


def _target(m: re.Match[str]) -> tuple[int, int]:
    return m.span("v") if m["v"] is not None else m.span("w")


def _said(ctx: Context, index: int, lex: Lexicon) -> str:
    """What the clauses before an order without an object speak of: 不该告诉你门禁密码的。删掉吧."""
    for clause in reversed(ctx.clauses[:index]):
        if m := lex.find("command_said", clause.plain):
            return clause.text[m.start("v") : m.end("v")].rstrip("的了 ")
    return ""


def _attribute(target: str, lex: Lexicon) -> str | None:
    """The attribute a target names (地址 → location), None when it names a value or everything."""
    return next((name for name, pattern in lex.group("names_") if pattern.search(target)), None)
