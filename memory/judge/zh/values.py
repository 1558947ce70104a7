"""Where a Chinese value begins and ends: trimming particles and measure words, breaking lists, and the named tests that fact rules ask for."""

import re
from collections.abc import Callable
from typing import Final

from memory.judge.reader import Context
from memory.judge.rules import Lexicon
from memory.judge.zh.numbers import number

Span = tuple[int, int]
_EDGE: Final = " \t，,、：:。.!！?？~～“”\"'‘’「」『』（）()\u200d\ufe0f"


def trim(plain: str, span: Span, lex: Lexicon, *, whole: bool = False) -> Span:
    """The span without surrounding punctuation, leading measure words and trailing particles; `whole` keeps what may be a clause of its own
    (an instruction, a plan) uncut inside."""
    start, end = span
    if not whole and (cut := lex.patterns["value_stop"].search(plain, start + 1, end)):
        end = cut.start()
    while start < end and plain[start] in _EDGE:
        start += 1
    while whole and start < end and plain[start] in "的了着":
        start += 1
    if not whole and (m := lex.patterns["value_head"].match(plain, start, end)):
        start = m.end()
    changed = True
    while changed and start < end:
        changed = False
        while start < end and (plain[end - 1] in _EDGE or (not plain[end - 1].isalnum() and ord(plain[end - 1]) > 0x2000)):
            end -= 1
            changed = True
        if (m := lex.patterns["value_tail"].search(plain, start, end)) and m.start() > start:
            end = m.start()
            changed = True
    if end - start > 2 and plain[start] == "《" and "》" not in plain[start:end]:
        start += 1  # its closing mark went with the punctuation behind
    return start, end


def break_list(plain: str, span: Span, lex: Lexicon) -> list[Span]:
    """弹琴、画画和读诗 → three spans. 和 joins a list only where it does not mean "together with"."""
    start, end = span
    text = plain[start:end]
    together = "一起" in text or "之间" in text or text[:1] in "在和跟从用为给被把与"
    joints = list(re.finditer("、", text) if together else lex.patterns["list_joint"].finditer(text))
    spans, at = [], 0
    for joint in joints:
        if joint.start() > at:
            spans.append((start + at, start + joint.start()))
        at = joint.end()
    if at < len(text):
        spans.append((start + at, end))
    good = [s for s in (trim(plain, s, lex) for s in spans) if s[0] < s[1]]
    return good or [span]


def _person_name(plain: str, span: Span, ctx: Context, lex: Lexicon, offset: int) -> bool:
    text = plain[span[0] : span[1]]
    if lex.has("no_name", text):
        return False
    if re.fullmatch(r"[a-z][a-z .'-]{0,30}", text):
        return True
    if not re.fullmatch(r"[一-龥·]{1,6}", text):
        return False
    surnames, doubles = lex.sets["surname"], lex.sets["double_surname"]
    if (len(text) in {3, 4} and text[:2] in doubles) or (len(text) in {2, 3} and text[0] in surnames) or "·" in text:
        return True
    return len(text) in {2, 3}


def _full_name(plain: str, span: Span, ctx: Context, lex: Lexicon, offset: int) -> bool:
    """A name that must look like one (我是姚国栋): a surname, no common word, and LAC says it is a person."""
    text = plain[span[0] : span[1]]
    if lex.has("no_name", text) or lex.has("occupation_word", text):
        return False
    surnames, doubles = lex.sets["surname"], lex.sets["double_surname"]
    if not (
        (len(text) in {3, 4} and text[:2] in doubles)
        or (len(text) in {2, 3} and text[0] in surnames)
        or re.fullmatch(r"(?:小|阿|老)[一-龥]{1,2}", text)
    ):
        return False
    return any(e.kind == "PER" and e.start == offset + span[0] and e.end >= offset + span[1] for e in ctx.entities)


def _place(plain: str, span: Span, ctx: Context, lex: Lexicon, offset: int) -> bool:
    text = plain[span[0] : span[1]]
    if lex.has("no_place", text):
        return False
    if lex.has("place_word", text) or re.fullmatch(r"[a-z][a-z ]{2,20}", text):
        return True
    return any(e.kind in {"LOC", "ORG"} and e.start < offset + span[1] and offset + span[0] < e.end for e in ctx.entities)


def _city(plain: str, span: Span, ctx: Context, lex: Lexicon, offset: int) -> bool:
    text = plain[span[0] : span[1]]
    return lex.has("city_only", text) and not lex.has("no_place", text)


def _org(plain: str, span: Span, ctx: Context, lex: Lexicon, offset: int) -> bool:
    text = plain[span[0] : span[1]]
    return not lex.has("no_org", text) and not lex.has("city_only", text)


def _occupation(plain: str, span: Span, ctx: Context, lex: Lexicon, offset: int) -> bool:
    text = plain[span[0] : span[1]]
    return lex.has("occupation_word", text) and not lex.has("no_occupation", text)


def _age(plain: str, span: Span, ctx: Context, lex: Lexicon, offset: int) -> bool:
    found = re.search(r"[\d零〇一二两三四五六七八九十百]+", plain[span[0] : span[1]])
    value = number(found.group()) if found else None
    return value is not None and 0 < value < 130


def _content(plain: str, span: Span, ctx: Context, lex: Lexicon, offset: int) -> bool:
    """Says something: not a bare pronoun, question word or particle."""
    text = plain[span[0] : span[1]].strip()
    return bool(text) and not lex.has("no_content", text)


Check = Callable[[str, Span, Context, Lexicon, int], bool]
CHECKS: Final[dict[str, Check]] = {
    "person_name": _person_name, "full_name": _full_name, "place": _place, "city": _city, "org": _org, "occupation": _occupation, "age": _age,
    "content": _content,
}  # fmt: skip
