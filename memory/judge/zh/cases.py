"""Complaints and returns (customer-service pack): dated events with subject, order id and state."""

from typing import Final

from memory.judge.judgement import Candidate
from memory.judge.reader import Context
from memory.judge.rules import Lexicon

_KINDS: Final = (("complaint", "投诉"), ("return", "退换货"))
_AFTER: Final = 4
"""Clauses behind the request that may tell what it is about."""


def case_of(index: int, ctx: Context, blocked: frozenset[str], lex: Lexicon) -> tuple[Candidate, ...]:
    """我要投诉，订单 A1024 的耳机坏了: the request and what the next clauses say of it, or nothing when neither order nor state is named."""
    clause = ctx.clauses[index]
    word = next(((kind, name, w) for kind, name in _KINDS for w in lex.words.get(kind, ()) if w in clause.plain), None)
    if word is None or blocked & {"question", "hypothetical", "quoted", "roleplay", "stranger"} or not lex.has("case_asked", clause.plain):
        return ()
    kind, name, _ = word
    first = index - 1 if index and ctx.clauses[index - 1].sentence == clause.sentence else index
    start, end = ctx.clauses[first].start, clause.end
    for following in ctx.clauses[index + 1 : index + 1 + _AFTER]:
        if "？" in following.mark or "?" in following.mark or lex.has("case_other", following.plain):
            break
        end = following.end
    told, plain = ctx.message[start:end].strip(), ctx.plain[start:end]
    order = lex.find("order_id", plain)
    state = next((w for w in lex.words.get("case_state", ()) if w in plain), None)
    if order is None and state is None:
        return ()
    day = ctx.time.date().isoformat() if ctx.time is not None else None
    tags = (kind, name, *((order.group("v").upper(),) if order else ()), *((state,) if state else ()))
    content = f"{name}{f'（{day}）' if day else ''}：{told}"
    return (Candidate(attribute="event", value=told[:160], time=day, content=content, tags=tags, confidence=0.92, clause=told),)
