"""What keeps a Chinese clause from stating a fact, and the class of clauses that state none."""

from typing import Final

from memory.judge.clauses import Clause
from memory.judge.reader import Context
from memory.judge.rules import Lexicon
from memory.judge.zh.asking import asks, asks_across
from memory.judge.zh.frame import STRANGER, Frame
from memory.pattern import regex

_UNSURE = 0.6
_FIRM = 0.96
_SLEEPS: Final = regex(r"\W*(?:就|准备|打算|要|也|都|全程|晚上|到时候?){0,2}住(?![院校])")


def blocks(index: int, ctx: Context, frame: Frame, lex: Lexicon) -> frozenset[str]:
    """Names of what forbids facts in this clause: question, hypothetical, quoted, roleplay, sarcasm, once, stranger, slot."""
    clause = ctx.clauses[index]
    plain = clause.plain
    found: set[str] = set()
    if is_question(clause, lex) or _half_asked(index, ctx):
        found.add("question")
    if _hypothetical(index, ctx, lex):
        found.add("hypothetical")
    if clause.quoted and "professional" not in frame.flags and not told_user(clause, ctx, lex):
        found.add("quoted")
    if 0 <= ctx.first(lex, "fiction") < clause.end and ctx.first(lex, "fiction_not") < 0:
        found.add("roleplay")
    if lex.has("sarcasm", plain) or ctx.first(lex, "sarcasm_message") >= 0:
        found.add("sarcasm")
    if clause.quoted and 0 <= ctx.first(lex, "task_message") < clause.start + 8:
        found.add("quoted")
    if ("once" in frame.flags and not lex.has("once_not", plain)) or lex.has("once", plain) or _still_once(index, ctx, frame, lex):
        found.add("once")
    if frame.subject == "none" and _lodged(index, ctx, lex):
        found.add("journey")
    if frame.owner == STRANGER:
        found.add("stranger")
    if frame.subject != "self" and 0 <= ctx.first(lex, "writes_for") < clause.start:
        found.add("stranger")
    if frame.subject != "self" and 0 <= ctx.first(lex, "plot") < clause.end:
        found.add("stranger")  # what a film or a book tells of
    if frame.subject in {"none", "pronoun", "other"} and 0 <= ctx.first(lex, "rumour") < clause.end:
        found.add("stranger")
    if lex.has("slot", plain.strip()):
        found.add("slot")
    if lex.has("of_you", plain):
        found.add("stranger")  # 我猜你住在上海
    if lex.has("no_fact", plain) or _joked(index, ctx, lex):
        found.add("phrase")
    return frozenset(found)


def _still_once(index: int, ctx: Context, frame: Frame, lex: Lexicon) -> bool:
    """就今天别用敬语了，跟我随便聊: an order after one for this once, in the same sentence, is for this once too."""
    last = ctx.clauses[index - 1] if index else None
    if last is None or last.sentence != ctx.clauses[index].sentence or frame.subject != "none" or frame.flags & {"habitual"}:
        return False
    return lex.has("once", last.plain) and not lex.has("once_not", last.plain + ctx.clauses[index].plain)


def _lodged(index: int, ctx: Context, lex: Lexicon) -> bool:
    """去厦门玩三天，住曾厝垵: where one sleeps on a journey is no home."""
    clause = ctx.clauses[index]
    if not _SLEEPS.match(clause.plain):
        return False
    after = ctx.clauses[index + 1 : index + 2]
    return any(lex.has("goes_away", c.plain) for c in ctx.clauses[max(0, index - 2) : index]) or any(lex.has("stays_days", c.plain) for c in after)


def _joked(index: int, ctx: Context, lex: Lexicon) -> bool:
    """备孕三胎，哈哈开玩笑的: what the next clause takes back as a joke."""
    after = [c for c in ctx.clauses[index + 1 : index + 3] if not lex.has("laughs", c.plain)]
    return bool(after) and lex.has("was_joke", after[0].plain)


def told_user(clause: Clause, ctx: Context, lex: Lexicon) -> bool:
    """Whether the quotation this clause stands in is what a doctor, employer or school told the user."""
    at = max(ctx.plain.rfind(mark, 0, clause.start + 1) for mark in '“「"')
    return (
        at >= 0
        and lex.has("professional_quote", ctx.plain[max(0, at - 24) : at + 1])
        and not clause.plain.strip(' “「"').startswith(("我", "他", "她"))
    )


def is_question(clause: Clause, lex: Lexicon) -> bool:
    plain = clause.plain
    if lex.has("rhetorical", plain):
        return False
    if "？" in clause.mark or "?" in clause.mark:
        return not lex.has("question_not", plain)
    return (asks(plain) or lex.has("question", plain)) and not lex.has("question_not", plain)


def _half_asked(index: int, ctx: Context) -> bool:
    clause = ctx.clauses[index]
    if clause.plain.startswith("不过"):
        return index > 0 and ctx.clauses[index - 1].end == clause.start and asks_across(ctx.clauses[index - 1].plain, clause.plain)
    after = ctx.clauses[index + 1 : index + 2]
    return bool(after) and after[0].start == clause.end and asks_across(clause.plain, after[0].plain)


def _hypothetical(index: int, ctx: Context, lex: Lexicon) -> bool:
    """如果 and its like hold until a clause of reason or contrast in the same sentence."""
    clause = ctx.clauses[index]
    live = False
    for other in ctx.clauses[max(0, index - 6) : index + 1]:
        if other.sentence != clause.sentence:
            continue
        if lex.has("hypothetical_end", other.plain):
            live = False
        if lex.has("hypothetical", other.plain) and not lex.has("hypothetical_not", other.plain):
            live = True
    return live


def short_class(index: int, ctx: Context, frame: Frame, blocked: frozenset[str], lex: Lexicon) -> tuple[str, float, str]:
    """(class, confidence, why) of a clause without facts. Low confidence where it looks as if it told something about the user."""
    clause = ctx.clauses[index]
    plain = clause.plain.strip()
    texts = lex.texts

    def verdict(intent: str, confidence: float, why: str) -> tuple[str, float, str]:
        return intent, confidence, texts.get(why, why)

    if not any(c.isalnum() for c in plain):
        return verdict("chitchat", 0.97, "why_marks")
    if lex.has("greeting", plain):
        return verdict("greeting", 0.99, "why_greeting")
    if lex.has("thanks", plain):
        return verdict("chitchat", 0.98, "why_thanks")
    if "question" in blocked:
        return verdict("question", 0.93, "why_question")
    if lex.has("task", plain):
        return verdict("task", 0.9, "why_task")
    if "slot" in blocked or lex.has("passing_firm", plain):
        return verdict("task", _FIRM, "why_task")
    if "stranger" in blocked and (max(ctx.first(lex, "hearsay"), ctx.first(lex, "rumour")) >= 0 or lex.has("of_you", plain)):
        return verdict("chitchat", _FIRM, "why_stranger")
    if ("sarcasm" in blocked and (lex.has("sarcasm", plain) or ctx.first(lex, "sarcasm_message") >= 0)) or "chain" in frame.flags:
        return verdict("chitchat", _FIRM, "why_stranger" if "chain" in frame.flags else "why_sarcasm")
    if "quoted" in blocked and len(clause.text) < len(ctx.message.strip(' “”"「」')):
        return verdict("chitchat", _FIRM, "why_quoted")
    if "hypothetical" in blocked and any(is_question(c, lex) for c in ctx.clauses[index:]):
        return verdict("question", _FIRM, "why_hypothetical")
    if "hypothetical" in blocked and lex.has("hypothetical_firm", ctx.plain[ctx.same_sentence(index)[0].start : clause.end]):
        return verdict("chitchat", _FIRM, "why_hypothetical")
    if lex.has("stands_at", plain) and any(lex.has("asks_near", c.plain) for c in ctx.clauses):
        return verdict("transient", _FIRM, "why_transient")
    if "journey" in blocked:
        return verdict("transient", _FIRM, "why_transient")
    if "phrase" in blocked or ("roleplay" in blocked and ctx.first(lex, "fiction_firm") >= 0):
        return verdict("chitchat", _FIRM, "why_nothing" if "phrase" in blocked else "why_roleplay")
    for name, intent in (
        ("hypothetical", "chitchat"),
        ("quoted", "chitchat"),
        ("roleplay", "chitchat"),
        ("sarcasm", "chitchat"),
        ("stranger", "chitchat"),
    ):
        if name in blocked:
            return verdict(intent, 0.88, f"why_{name}")
    if "once" in blocked:
        return verdict("task", 0.88, "why_once")
    if lex.has("transient", plain) or frame.flags & {"today"}:
        return verdict("transient", 0.9, "why_transient")
    if lex.has("reply", plain) or len(plain) <= 4:
        return verdict("chitchat", 0.92, "why_reply")
    if frame.subject in {"self", "kin"} and lex.has("telling", plain):
        return verdict("other", _UNSURE, "why_unsure")
    if frame.subject in {"self", "kin"}:
        return verdict("chitchat", 0.75, "why_nothing")
    return verdict("chitchat", 0.85, "why_nothing")
