"""A fact as a short sentence, for facts whose candidate brought none: whose, what, and when. Data: phrases.toml."""

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Final

from memory.judge.judgement import Candidate
from memory.pattern import regex
from memory.revise.forms import fold
from memory.revise.people import is_user, relation, relation_in
from memory.revise.schema import attribute

_CJK: Final = regex(r"[\u4e00-\u9fff]")
_DOING: Final = regex(r"[开骑坐喝吃踢叫喊抽吸戒睡穿]|(?:drive|ride|drink|earn|weigh|smok|call|address|go|wake|get)")  # words that name no thing
_SLOT: Final = regex(r"‹(.*?)›")


@lru_cache(maxsize=1)
def _table() -> Mapping[str, Mapping[str, str]]:
    table: Mapping[str, Mapping[str, str]] = tomllib.loads(files("memory.revise").joinpath("phrases.toml").read_text("utf-8"))
    return table


def phrase(candidate: Candidate) -> str:
    """The sentence: 体检（2026-06-07）, 妈妈：对花粉过敏, lives in Leeds. It holds the value, and the time where the value does not."""
    c = candidate
    language = "zh" if _CJK.search(c.clause or c.value) else "en"
    row = _table()[language]
    pattern = row.get(c.attribute, row["other"])
    if c.attribute == "age" and not c.value.strip().isdigit() and language == "en":
        pattern = "age: «»"
    word = _own_word(c)
    if (found := _SLOT.search(pattern)) is not None:
        head = word or ("" if c.attribute in {"other", "relationship", "health"} else found[1])
        pattern = pattern.replace(found[0], head) if head else "«»"
    text = pattern.replace("«»", c.value)
    if not is_user(c.owner):
        text = f"{c.owner}：{text}" if language == "zh" else f"{c.owner}: {text}"
    period = "–".join(p for p in (c.valid_from, c.valid_to) if p) if c.valid_to else ""
    when = c.time if c.time and c.time not in text else period
    if when and when not in text:
        text += f"（{when}）" if language == "zh" else f" ({when})"
    return text


def _own_word(c: Candidate) -> str:
    """The word of the clause that says which slot this is, unless the value says so itself."""
    text = c.clause or ""
    if c.attribute == "relationship":
        tie = None if relation(c.value) else relation_in(text, c.value)
        if tie is None:
            return ""
        hay = fold(text)
        return next((w for w in sorted(tie.words, key=len, reverse=True) if w in hay and w not in fold(c.value)), "")
    name, _ = attribute(c.attribute).facet(c.value, text)
    facet = attribute(c.attribute).named(name) if name else None
    if facet is None or facet.words is None or facet.words.search(fold(c.value)):
        return ""
    found = facet.words.search(fold(text))
    return found[0] if found and not _DOING.match(found[0]) else ""
