"""A fact as it is told to its user: 你妈妈对花生过敏, your name is Anna. Pure; the wording is data (sentences.toml)."""

import re
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

from memory.guard import masked
from memory.language import Language
from memory.record import USER, Memory
from memory.revise.people import relation

_YOURS: Final = re.compile(r"^(?:你|您|your?\b|the\b|a\b|an\b)", re.IGNORECASE)
_COUNTED: Final = re.compile(r"^(?:an?|the|my|your|one|two|some)\b|[A-Z]|s$|\band\b|\d", re.ASCII)


@lru_cache(maxsize=1)
def _table() -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    table: Mapping[str, Mapping[str, Mapping[str, str]]] = tomllib.loads(files("graph").joinpath("sentences.toml").read_text("utf-8"))
    return table


def told(fact: Memory | Mapping[str, Any], lang: Language) -> str:
    """The sentence, in the second person, dated where the value does not say the date; `fact` is a memory or what a tool reported of one.

    Secrets are masked. A fact of somebody else names whose it is.
    """
    get = fact.get if isinstance(fact, Mapping) else lambda name: getattr(fact, name)
    attribute, owner, when, tags = str(get("attribute")), str(get("owner") or USER), get("time"), get("tags") or ()
    value, content = masked(str(get("value") or ""), tags), str(get("content") or "")
    content = masked(content, tags) if value != get("value") else content
    mine = owner == USER
    pattern = _table()[lang]["you" if mine else "they"].get(attribute, "«c»")
    if not content or (not mine and pattern == "«c»"):
        pattern, content = pattern.replace("«c»", "«v»" if mine else "«s»：«v»" if lang == "zh" else "«s»: «v»"), ""
    if "«c»" in pattern and (_YOURS.match(content) or (":" in content and lang == "en")):
        pattern = "«c»" if _YOURS.match(content) else "your «c»"
    if attribute == "age" and lang == "zh" and value.isdigit():
        value += "岁"
    text = pattern.replace("«s»", _whose(owner, lang)).replace("«a»", _counted(value)).replace("«v»", value).replace("«c»", content)
    if when and str(when) not in text and attribute != "birthday":
        text += f"（{when}）" if lang == "zh" else f" ({when})"
    if get("valid_to"):
        text += "（曾经）" if lang == "zh" else " (formerly)"
    return text


def _whose(owner: str, lang: Language) -> str:
    """A relative is the user's own (你妈妈, your mother); a named person goes by the name."""
    if relation(owner) is None or _YOURS.match(owner):
        return owner
    return f"你{owner}" if lang == "zh" else f"your {owner}"


def _counted(noun: str) -> str:
    """An occupation with its article: a nurse, an engineer; what has one, is a name or several stays."""
    if _COUNTED.search(noun) or not noun.isascii():
        return noun
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"
