"""One memory as one dated line, for people and models alike: memories are shown as data, newlines folded, never as something to obey."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from memory.guard import masked
from memory.language import Language, label
from memory.pattern import regex
from memory.recall import Hit
from memory.record import USER, Memory
from memory.tokens import cut_to_tokens

LINE_TOKENS: Final = 120  # no single memory takes more of a context than this
_SAID_WHOLE: Final = frozenset({"relationship", "pet", "contact", "health", "possession", "other"})
_LABELLED: Final = regex(r"^(?:宠物|健康|其他|家人朋友|拥有|pet|health|other|people|owns)\s*[:：]\s*")
_PAST: Final[dict[Language, str]] = {"zh": "曾经", "en": "formerly"}
_ROLES: Final[dict[Language, dict[str, str]]] = {"zh": {"user": "用户", "assistant": "助手"}, "en": {"user": "User", "assistant": "Assistant"}}


def in_short(fact: Memory | Mapping[str, Any]) -> str:
    """What stands behind a fact's label: its value, or its sentence where the value alone does not say what it is of (女儿叫豆豆). Secrets are masked.

    `fact` is a memory or what a tool reported of one.
    """
    get = fact.get if isinstance(fact, Mapping) else lambda name: getattr(fact, name)
    value, content, tags = str(get("value") or ""), str(get("content") or ""), get("tags") or ()
    if get("attribute") in _SAID_WHOLE and content and value in content:
        owner = str(get("owner") or USER)  # named beside the label already
        value = _LABELLED.sub("", content if owner == USER else re.sub(rf"^{re.escape(owner)}\s*[:：]\s*", "", content))
    return masked(value, tags)


def memory_line(memory: Memory, lang: Language) -> str:
    """One fact as one dated line: ``- 2026-11-30 妈妈 过敏：花生``."""
    owner = "" if memory.owner == USER else f"{flat(memory.owner)} "
    colon = "：" if lang == "zh" else ": "
    when = f" ({flat(memory.time)})" if memory.time and memory.time not in memory.value else ""
    past = f" ({_PAST[lang]})" if memory.valid_to is not None else ""
    return (
        f"- {_day(memory.valid_from or memory.recorded_at)} {owner}{flat(label(memory.attribute, lang))}{colon}{_value(in_short(memory))}{when}{past}"
    )


def hit_line(hit: Hit, lang: Language) -> str:
    """A recalled fact like any fact; an episode as what was said, when, by whom."""
    if hit.memory is not None:
        return memory_line(hit.memory, lang)
    who = flat(_ROLES[lang].get(hit.role, hit.role))
    return f"- {_day(hit.time)} {who}: {_value(hit.text)}" if who else f"- {_day(hit.time)} {_value(hit.text)}"


def _value(text: str) -> str:
    return flat(cut_to_tokens(text, LINE_TOKENS))


def flat(text: str) -> str:
    """The text on one line: nothing in it can pass for a heading or a new entry."""
    return " ".join(text.split())


def _day(when: datetime | None) -> str:
    return when.date().isoformat() if when else "?"
