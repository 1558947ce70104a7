"""The class of a clause that states no fact: greeting, chitchat, question, transient, task or other, and how sure that is."""

import re
from typing import Final

from memory.judge.en.frame import Frame
from memory.judge.rules import Lexicon
from memory.pattern import regex

_OPENED: Final = regex(
    r"(?:(?:well|hi|hello|hey|ok|okay|so|and|but|also|oh|ah|um|hmm|yes|yeah|no|nah|wow|haha|lol|now|then|alright|great|cool|right|just|actually|sorry|thanks)[\s,!.]+)+"
)

_IS: Final = regex(r"\b(?:is|are|am|feels?|feeling|'s|'re)\s+")

Verdict = tuple[str, float, str]


def short_class(low: str, mark: str, frame: Frame, lex: Lexicon) -> Verdict:
    """(class, confidence, name of the reason)."""
    text = re.sub(r"[^\w\s',/-]+", " ", low).strip(" ,'-")
    text = re.sub(r"\s+", " ", text)
    if not any(c.isalnum() for c in text):
        return "chitchat", 0.97, "why_reply"
    bare = text.strip(" ,.!")
    if lex.has("greeting", bare) or lex.has("farewell", bare):
        return "greeting", 0.98, "why_greeting"
    core = _OPENED.sub("", bare, count=1) if _OPENED.match(bare) else bare
    if lex.has("greeting", core) or lex.has("farewell", core):
        return "greeting", 0.96, "why_greeting"
    if frame.kind == "question" or "?" in mark or "asked" in frame.flags:
        return "question", 0.97, "why_question"
    if lex.has("thanks", bare):
        return "chitchat", 0.95, "why_thanks"
    if lex.has("reply", bare) or lex.has("address", bare):
        return "chitchat", 0.95, "why_reply"
    if lex.has("task", bare) and not (
        frame.kind == "first" and lex.has("lasting", low) and not re.search(r"\b(?:need|want|like|looking|help)\b", low)
    ):
        return "task", 0.95, "why_task"
    if lex.has("passing_taste", bare):
        return "chitchat", 0.95, "why_reply"
    if lex.has("trouble", bare):
        return "transient", 0.95, "why_transient"
    if frame.kind == "first" and "be" in frame.flags and lex.has("state", low[frame.at :]):
        return "transient", 0.97, "why_transient"
    if frame.kind in {"mine", "thing"} and (m := _IS.search(low)) and lex.has("state", low[m.end() :]):
        return "transient", 0.95, "why_transient"
    if frame.kind == "first" and "be" in frame.flags and lex.has("gerund", low[frame.at :]) and not lex.has("lasting", low):
        return "transient", 0.9, "why_transient"
    if lex.has("reaction", bare):
        return "chitchat", 0.9, "why_reply"
    words = len(bare.split())
    lasting = lex.has("lasting", low)
    if lex.has("transient", low) and not lasting:
        return "transient", 0.9, "why_transient"
    if frame.kind in {"first", "mine", "person"}:
        if lasting:
            return "other", 0.6, "why_unsure"
        return ("transient" if "past" in frame.flags or "be" in frame.flags else "chitchat"), 0.75, "why_nothing"
    if words <= 3:
        return "chitchat", 0.88, "why_reply"
    if frame.kind == "fragment" and lasting:
        return "other", 0.68, "why_unsure"
    return "chitchat", 0.82, "why_nothing"
