"""Standing wishes to the assistant ("always …", "don't call me …", "keep your answers short") as instructions; orders for now are not."""

import re
from typing import Final

from memory.judge.en.frame import Frame
from memory.judge.en.values import trim
from memory.judge.judgement import Candidate
from memory.judge.rules import Lexicon
from memory.pattern import regex

_ANSWERS: Final = regex(
    r"\b(?:bullet points|short lists|gave me|kept|used|answers?|replies|reply|responses?|explanations?|summaries|tone|brief|concise|short|detail\w*|direct|honest|polite|formal|casual|simple|examples?|emojis?|language|speak|talk|write|respond|explain|use|keep|blunt|(?:call|address) me)\b"
)
_NOW_ONLY: Final = regex(r"\b(?:this|that|the (?:draft|report|list|plan|email|text)|now|first|it to be)\b")
_YOU_TO: Final = regex(r"i\S*(?: would)? (?:like|prefer|want|need|expect|appreciate) you to (?:always |never )?(\w+)")
_MANNERS: Final = frozenset(
    ["speak", "talk", "call", "address", "be", "keep", "use", "treat", "reply", "respond", "answer", "refer", "stop", "avoid"]
)
_IMPERATIVE: Final = regex(r"(?:please |just |kindly |only |can you |could you |you (?:should|must|can) )*(?P<w>[a-z-]+)")


def instructions(text: str, low: str, frame: Frame, lex: Lexicon, *, sentence: str) -> list[Candidate]:
    """Instructions in one clause. `sentence` is the folded sentence around it, where "from now on" may stand."""
    at = low.rindex("only", 0, frame.start) if low[: frame.start].rstrip().endswith("only") else frame.start
    rest = low[at:]
    if (frame.kind == "question" and not re.match(r"(?:can|could|would|will) you", rest)) or lex.has("once", sentence):
        return []
    if (
        (m := lex.find("always_order", rest))
        and (frame.kind in {"fragment", "question", "order"} or re.match(r"(?:i want|i need|i'd like|i would like|you )", rest))
    ) and (
        not re.match(
            r"(?:i|you|we|he|she|they|it|my|been|eat|eats|drink|drinks|smoked|tried|heard|seen|had|have been|was|wanted|loved|hated|thought|liked|wear|go to the|enjoyed)\b",
            m["v"],
        )
        or frame.kind != "fragment"
    ):
        return [_made(text, at + _wish(rest), len(low), low)]
    asked = low[low.index("no") if low[:at].strip(" ,.") == "no" else at :]
    if (m := lex.find("unless_asked", asked)) and not lex.has("prohibition_not", low):
        return [_made(text, len(low) - len(asked) + m.start("v"), len(low), low)]
    if low[:at].strip(" ,.") == "no" and (m := lex.find("prohibition", low.lstrip())) and not lex.has("prohibition_not", low):
        return [_made(text, 0, len(low), low)]
    if m := lex.find("when_asked", rest):
        return [_made(text, at + m.start("v"), len(low), low)]
    if (lex.has("standing", sentence) or lex.has("standing_apart", sentence)) and (m := lex.find("all_should", rest) or lex.find("bounded", rest)):
        return [_made(text, at + m.start("v"), len(low), low)]
    if (m := lex.find("prohibition", rest)) and not lex.has("prohibition_not", low):
        a, b = m.span("v")
        return [_made(text, at + a, at + b, low)]
    if (m := lex.find("wants_style", rest)) and _about_answers(m["v"], rest, lex.has("standing", low)) and not lex.has("style_not", low):
        return [_made(text, at + m.start("v"), len(low), low)]
    if (m := lex.find("style", rest)) and frame.kind in {"fragment", "question", "order", "first"}:
        lasting = lex.has("style_lasting", rest) or lex.has("standing", sentence)
        if (
            lasting
            and not (lex.has("style_not", low) and not lex.has("standing", sentence))
            and not re.search(r"\b(?:now|today|tonight|this one)\b(?! on)", low.replace("from now on", ""))
        ):
            return [_made(text, at + m.start("v"), at + m.end("v"), low)]
    if (lex.has("standing", low) or lex.has("standing_apart", sentence)) and (
        (frame.kind in {"fragment", "order"} and "neg" not in frame.flags)
        or (frame.kind == "question" and re.match(r"(?:can|could|would|will) you", rest))
    ):
        m2 = _IMPERATIVE.match(rest)
        word = m2["w"] if m2 else ""
        if (
            word in lex.sets["task_verbs"]
            or word
            in {
                "refer",
                "respond",
                "reply",
                "greet",
                "sign",
                "begin",
                "default",
                "treat",
                "address",
                "assume",
                "pronounce",
                "include",
                "prioritise",
                "prioritize",
                "warn",
                "double-check",
                "round",
                "limit",
            }
        ) and not re.search(r"\b(?:remind me|wake me|alarm|timer|set a)\b", rest):
            return [_made(text, at + _wish(rest), len(low), low)]
    if "explicit" not in frame.flags and (m := lex.find("remember_to", rest)):
        value = m["v"]
        if re.match(
            r"(?:always|never|use|call|address|reply|answer|respond|speak|write|keep|avoid|include|check|ask|be|not|greet|mention|recommend|suggest|leave|skip)\b",
            value,
        ) and not re.search(r"\b(?:today|tonight|tomorrow|this)\b", value):
            return [_made(text, at + m.start("v"), len(low), low)]
    if m := lex.find("contact_time", rest):
        a, b = m.span("v")
        return [
            Candidate(
                attribute="habit" if "only" in m["v"] and not m["v"].startswith(("email", "e-mail", "text", "phone", "whatsapp")) else "instruction",
                value=text[at + a : at + b].strip(),
                confidence=0.85,
            )
        ]
    return []


def wish(text: str, low: str, between: str, lex: Lexicon) -> list[Candidate]:
    """A wish that the fact of the clause before explains ("I've got dyslexia so keep paragraphs short"); `between` is what joins the two."""
    m = lex.find("wish", low)
    if m is None or lex.has("wish_not", low) or not (re.search(r"\bso\b|\bplease\b|\bpls\b|\balways\b", between + " " + low)):
        return []
    return [_made(text, m.start("v"), len(low), low).evolve(confidence=0.84)]


def _about_answers(wish: str, rest: str, standing: bool) -> bool:
    """Whether "I'd like you to …" or "I prefer your …" is about all answers, not about the piece of work at hand."""
    if _NOW_ONLY.search(wish) or not _ANSWERS.search(wish):
        return False
    asked = _YOU_TO.match(rest)
    return asked is None or standing or asked[1] in _MANNERS


def _wish(rest: str) -> int:
    """Where the wish itself begins, after please and "I want you to"."""
    m = re.match(
        r"(?:(?:please|pls|and|but|so|also|ok|okay|just|kindly|i want you to|i need you to|i'd like you to|i would like you to|could you|can you|would you|will you|remember to|make sure to|make sure you|be sure to|you should|you must)[ ,:]+)*",
        rest,
    )
    return m.end() if m else 0


def _made(text: str, a: int, b: int, low: str) -> Candidate:
    b = trim(low, a, b)[1] if not re.search(r"(?:instead|again|only)\W*\Z", low[a:b]) else b
    return Candidate(attribute="instruction", value=text[a:b].strip(" .,!"), confidence=0.9)
