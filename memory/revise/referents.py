"""Which known fact is meant: by its value, by a definite noun (那只鸟, that mailbox), or by a bare 它 / it."""

import re
import tomllib
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Final

from memory.pattern import regex
from memory.record import Memory
from memory.revise.forms import compiled, fold
from memory.revise.sameness import Same, mentions, same
from memory.revise.schema import attribute
from memory.revise.topics import topic

_POINTING: Final = regex(
    r"^(?:那|这|该|原来|原先|之前|以前|旧|老|上一?)(?:[个只条份台部辆套件张本间家门位款支]|些|种)?的?|^(?:that|this|those|these|the|my|our|his|her|their|old|previous|former)\b\s*(?:old|previous|former)?\s*"
)
_BARE: Final = frozenset(
    {
        "",
        "它",
        "它们",
        "他",
        "她",
        "那个",
        "这个",
        "那",
        "这",
        "那些",
        "这些",
        "it",
        "them",
        "that",
        "this",
        "one",
        "那件事",
        "这件事",
        "那事",
        "这事",
        "事",
    }
)


@lru_cache(maxsize=1)
def _kinds() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    data = tomllib.loads(files("memory.revise").joinpath("kinds.toml").read_text("utf-8"))
    return tuple((compiled(k["noun"]), compiled(k["covers"])) for k in data["kind"])


def is_bare(value: str) -> bool:
    """Whether the value is nothing but a pointing word."""
    return fold(value).strip() in _BARE


def noun_of(value: str) -> str:
    """The noun behind pointing words: 那只鸟 → 鸟, that mailbox → mailbox."""
    return _POINTING.sub("", fold(value)).strip()


def points(value: str) -> bool:
    """Whether the value points at something known instead of naming it."""
    return is_bare(value) or bool(_POINTING.match(fold(value)))


def meant(value: str, name: str, pool: Sequence[Memory]) -> list[Memory]:
    """The facts of `pool` (newest first) that `value` of attribute `name` means; empty when none or nothing is clear.

    A named value finds all its facts. A pointing word finds one: of the attribute itself before those of its family.
    """
    own = [m for m in pool if m.attribute == name]
    if not is_bare(value):
        hits = [m for m in pool if same(m.attribute, value, m.value) in {Same.EQUAL, Same.CLOSE}]
        hits = hits or [
            m for m in pool if not attribute(m.attribute).exact and (mentions(m.value, value) or (len(m.value) > 1 and mentions(value, m.value)))
        ]
        hits = hits or [m for m in pool if name in {"plan", "event"} and m.attribute in {"plan", "event"} and topic(m.value, value)]
        if hits:
            return hits
        noun = noun_of(value)
        if noun and not is_bare(noun):
            short = points(value) or len(noun) <= 3 or (noun.isascii() and " " not in noun)
            return (_by_noun(noun, own) or _by_noun(noun, pool)) if short else []
    candidates = own or list(pool)
    return candidates[:1]


def _by_noun(noun: str, pool: Sequence[Memory]) -> list[Memory]:
    """The newest fact that the noun covers: in the facet it names, of the kind it means, or said in the same words."""
    for memory in pool:
        facet = attribute(memory.attribute).named(slot_name(memory))
        if facet and facet.words and facet.words.search(noun):
            return [memory]
    told = [m for m in pool if mentions(m.content, noun)] or [
        m for m in pool if m.attribute in {"plan", "event"} and mentions(m.source.text or "", noun)
    ]
    if told:
        return told[:1]
    for pattern, covers in _kinds():
        if pattern.search(noun):
            fits = [m for m in pool if covers.search(fold(f"{m.value} {m.content} {m.source.text or ''}"))]
            return fits[:1]
    return []


def kind_covers(noun: str, memory: Memory) -> bool:
    """Whether the noun names a kind of thing that the fact is one of: 鸟 covers 八哥."""
    told = fold(f"{memory.value} {memory.content} {memory.source.text or ''}")
    return any(pattern.search(noun) and covers.pattern != "." and covers.search(told) for pattern, covers in _kinds())


def slot_name(memory: Memory) -> str:
    """The slot of a known fact inside its attribute."""
    row = attribute(memory.attribute)
    return row.facet(memory.value, memory.content, "" if row.narrow else memory.source.text or "")[0]
