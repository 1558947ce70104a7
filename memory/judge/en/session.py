"""Facts of the thread only, orders to the memory, and customer-service cases."""

import re
from collections.abc import Sequence
from typing import Final

from memory.judge.en.numbers import number
from memory.judge.en.text import lower, plain
from memory.judge.en.times import find
from memory.judge.en.values import trim
from memory.judge.judgement import Candidate, Command, SessionFact
from memory.judge.reader import Context, Reading
from memory.judge.rules import Lexicon
from memory.pattern import regex

_NOUNS: Final = (
    ("contact", r"e-?mail|phone|number|contact|mailbox"), ("birthday", r"birthday|date of birth"), ("name", r"\bnames?\b|nickname|surname"), ("age", r"\bage\b|how old"),
    ("employer", r"company|employer|where i work"), ("occupation", r"\bjobs?\b|occupation|profession|career|\bwork\b|what i do"), ("location", r"address|where i live|location|\bcity\b|home(?!town)|house"),
    ("hometown", r"hometown|where i(?:'m| am) from|where i grew up"), ("allergy", r"allerg"), ("health", r"health|medical|illness|condition|medication|treatment|diagnos"), ("likes", r"\blikes?\b|favou?rite|hobb|preferences?|tastes?|interests"),
    ("dislikes", r"dislike|hate"), ("habit", r"habit|diet|routine"), ("relationship", r"family|wife|husband|girlfriend|boyfriend|partner|relationship|friends?|kids?|marri"), ("pet", r"\bpets?\b|\bdogs?\b|\bcats?\b"),
    ("plan", r"\bplans?\b|\btrips?\b"), ("event", r"\bevents?\b"), ("instruction", r"instruction|rules"), ("skill", r"skills?|languages?"), ("school", r"school|university|college|degree|stud(?:y|ies)"), ("possession", r"\bcar\b|possession|belongings"), ("progress", r"progress"),
    ("other", r"\b(?:salary|income|wages?|earnings|rent|mortgage|debts?|savings|pin|passwords?|passcode|passport|weight|height|blood (?:type|group)|religion)\b"),
)  # fmt: skip
_STATE: Final = regex(
    r"\b(?:broken|broke|damaged|defective|faulty|missing|never (?:arrived|came|showed up)|hasn't arrived|haven't arrived|didn't arrive|wrong (?:item|size|colou?r|one|product|model)|doesn't work|does not work|don't work|not working|stopped working|won't (?:turn on|charge|work|start)|cracked|leaking|leaks|expired|late|torn|scratched|dead|dented|too (?:small|big|large|tight)|overcharged|charged (?:me )?twice|no sound)\b"
)


def session_of(ctx: Context, readings: Sequence[Reading]) -> tuple[SessionFact, ...]:
    """The city asked about, the day meant, the step of a form, a choice for now; later clauses win over earlier ones."""
    lex = ctx.rules.lexicon("en")
    found: dict[str, SessionFact] = {}
    groups = lex.group("session_")
    for clause, reading in list(zip(ctx.clauses, readings, strict=True))[:60]:
        if clause.language == "zh" or reading.facts:
            continue
        low = lower(plain(clause.text))
        for attribute, pattern in groups:
            m = pattern.search(low)
            if m is None:
                continue
            group = "v" if m["v"] is not None else "w"
            a, b = trim(low, *m.span(group))
            if attribute == "choice" and (
                find(low[a:b], None)
                or reading.intent not in {"task", "chitchat", "transient", "other"}
                or not re.search(r"\bone\b|\bthe\b|option|version|size|colou?r|go with|take|pick|meant|make it", low)
                or re.search(r"\b(?:to|know|you|some)\b", low[a:b])
            ):
                continue
            if a < b:
                found[attribute] = SessionFact(attribute, clause.text[a:b])
    return tuple(found.values())


_TOLD_OF: Final = regex(
    r"^(?:everything|anything|whatever|all)(?: that)? (?:i|we)(?:['’]ve| have)?(?: ever)? (?:said|told you|mentioned|shared|wrote)(?: to you)? (?:about|on|regarding) (?=\S)",
    re.IGNORECASE,
)
"""Before what an order to forget names: everything I said about my knee is not everything."""


def commands_of(ctx: Context) -> tuple[Command, ...]:
    """ "Forget my address", "don't remember this", "go back two steps"."""
    lex = ctx.rules.lexicon("en")
    out: list[Command] = []
    for index, clause in enumerate(ctx.clauses[:60]):
        if clause.quoted or clause.language == "zh":
            continue
        low = lower(plain(clause.text)).strip()
        shift = len(clause.text) - len(clause.text.lstrip())
        if lex.has("command_not", low) or ("?" in clause.mark and not re.match(r"(?:can|could|would|will) you", low)):
            continue
        bare = low.strip(" .!")
        if m := lex.find("command_undo", bare):
            counted = next((m[g] for g in ("n", "m", "k") if m[g]), "")
            steps = number(counted) if counted else 1
            out.append(Command(kind="undo", steps=int(steps or 1)))
        elif lex.has("command_skip", low):
            out.append(Command(kind="skip"))
        elif m := lex.find("command_forget", low):
            group = next(g for g in ("v", "w", "x", "y") if m[g] is not None)
            a, b = m.span(group)
            while b > a and low[b - 1] in " .,!":
                b -= 1
            target = re.sub(
                r",? (?:wipe|delete|erase|remove|clear) (?:it|that|them|everything)$", "", clause.text.lstrip()[a:b] if shift else clause.text[a:b]
            )
            target = re.sub(r"^(?:about|that|the fact that) ", "", _TOLD_OF.sub("", target.strip()))
            attribute = _attribute(target.lower())
            kept = re.search(r"\b(?:forget|erase|wipe|purge|don't|do not|dont|stop|memor|about|know|remember|records?)\b", low)
            if target.lower() in {"it", "the", "me it", "all the"} or (attribute is None and not kept):
                continue
            out.append(Command(kind="forget", target=target, attribute=attribute))
        elif m := lex.find("command_unkeep", bare):
            unkept = next(m[g] for g in ("v", "w", "x", "y") if m[g] is not None)
            out.append(Command(kind="forget", target=unkept, attribute=_attribute(unkept)))
        elif m := lex.find("command_forget_named", bare):
            named = next(g for g in ("v", "w", "x", "y", "z") if m[g] is not None)
            out.append(Command(kind="forget", target=m[named], attribute=_attribute(m[named])))
        elif m := lex.find("command_forget_name", clause.text.strip()):
            out.append(Command(kind="forget", target=m["v"]))
        elif lex.has("command_forget_that", bare):
            told = next((s["v"] for c in reversed(ctx.clauses[:index]) if (s := lex.find("command_said", lower(plain(c.text)))) is not None), "")
            near = [lower(plain(c.text)).strip(" .!") for c in reversed(ctx.clauses[max(0, index - 3) : index])]
            told = told or next((topic["v"] for n in near if (topic := lex.find("forget_topic", n)) is not None), "")
            out += [Command(kind="forget", target=told, attribute=_attribute(told))] if told else []
    return tuple(out)


def _attribute(target: str) -> str | None:
    """The attribute a target names (my address → location); None when it names a value or everything."""
    m = re.match(r"(?:my|our|anything about my|everything about my)?\s*(.*)", target)
    noun = m[1] if m else target
    if not re.match(r"(?:my|our|where|what|how)\b", target) and len(noun.split()) > 3:
        return None
    return next((name for name, pattern in _NOUNS if re.search(pattern, target)), None)


def cases(index: int, ctx: Context, lows: Sequence[str], lex: Lexicon) -> list[Candidate]:
    """A complaint or a return as a dated event with subject, order id and state; only in the clause that asks for it."""
    low = lows[index]
    kind = "complaint" if lex.has("complaint", low) else "return" if lex.has("return", low) else ""
    if (
        not kind
        or ("complaint" not in lex.words and "return" not in lex.words)
        or re.search(r"\b(?:how|what|can i|if|policy|possible|could i|where|when|if|do i|will i|card|settings|account|insurance)\b", low)
    ):
        return []
    whole = " ".join(lows[max(0, index - 3) : index + 5])
    order = lex.find("order_id", whole)
    state = _STATE.search(whole)
    if order is None and state is None and not re.search(r"\b(?:about|against|the|my|a) [a-z]{3,}", low):
        return []
    day = ctx.time.date().isoformat() if ctx.time is not None else None
    times = [w for w in find(whole, ctx.time, past=True) if w.kind == "date" and w.iso and w.sign < 0]
    clause = ctx.clauses[index]
    near = [c for c in ctx.clauses[max(0, index - 1) : index + 3] if c.sentence - clause.sentence in {-1, 0, 1}]
    value = " ".join(c.text.strip() for c in near)[:160] if near else clause.text.strip()
    tags = (kind, *((order["v"].upper(),) if order else ()), *((state[0],) if state else ()))
    content = f"{kind}: {value}" + (f" ({day})" if day else "")
    return [Candidate(attribute="event", value=value, time=day or (times[0].iso if times else None), content=content, tags=tags, confidence=0.9)]
