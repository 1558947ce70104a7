"""Named entities: persons, places and organisations by LAC, dates and ids by rules.

LAC (`memory.lexer`) reads Chinese only: Latin runs are never shown to it. Offsets are characters of the text given.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memory import lexer
from memory.pattern import regex

_HAN_RUN: Final = regex(
    r"[\u3400-\u9fff\uf900-\ufaff0-9０-９A-Za-z·．.、，,：:（）()—-]*[\u3400-\u9fff\uf900-\ufaff][\u3400-\u9fff\uf900-\ufaff0-9０-９A-Za-z·、，,：:]*"
)
_DATE: Final = regex(
    r"(?:\d{4}|[〇零一二三四五六七八九]{4})[年/.-](?:(?:\d{1,2}|[一二三四五六七八九十]{1,3})(?:[月/.-](?:(?:\d{1,2}|[一二三四五六七八九十]{1,3})[日号]?)?)?)?"
    r"|(?:\d{1,2}|[一二三四五六七八九十]{1,3})月(?:\d{1,2}|[一二三四五六七八九十]{1,3})[日号]|(?:\d{1,2}|[一二三四五六七八九十]{1,3})月份?"
    r"|(?:大?后|明)天|(?:下|上)+个?(?:周|星期|礼拜)[一二三四五六日天末]?|(?:周|星期|礼拜)[一二三四五六日天]|(?:下|上)+个?月(?:\d{1,2}|[一二三四五六七八九十]{1,3})?[日号]?|(?:明|后|去|前)年"
    r"|(?i:\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]*\.? \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\btomorrow\b|\bnext (?:week|month|year)\b)"
)
_ID: Final = regex(
    r"(?<![A-Za-z0-9])(?:[A-Z]{1,5}-?\d{3,}(?:-\d+)*|PRD-[\d-]+|\d{8,}|[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)(?![A-Za-z0-9])"
)
_MAX: Final = 400
"""Characters of one run that LAC is shown; its cost grows with length."""


@dataclass(frozen=True, slots=True)
class Entity:
    """`kind` is PER, LOC, ORG, DATE or ID."""

    text: str
    kind: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def dates_and_ids(text: str) -> tuple[Entity, ...]:
    """What rules find: real dates (bare 今天 or 现在 is none) and order or product ids, e-mails, long numbers."""
    found = [Entity(m.group(), "DATE", m.start()) for m in _DATE.finditer(text)]
    found += [Entity(m.group(), "ID", m.start()) for m in _ID.finditer(text)]
    return tuple(sorted(found, key=lambda e: e.start))


def names(text: str, near: Sequence[tuple[int, int]] | None = None) -> tuple[Entity, ...]:
    """Persons, places and organisations that LAC finds in the Chinese runs of the text; only in runs that reach into one of the spans `near`, if given."""
    found: list[Entity] = []
    for run in _HAN_RUN.finditer(text):
        at = run.start()
        if near is not None and not any(start < run.end() and at < end for start, end in near):
            continue
        for word, tag in lexer.tag(run.group()[:_MAX]):
            if tag in {"PER", "LOC", "ORG"} and word.strip():
                found.append(Entity(word, tag, at))
            at += len(word)
    return tuple(found)


def find_entities(text: str, near: Sequence[tuple[int, int]] | None = None) -> tuple[Entity, ...]:
    """All entities of the text, in order; overlapping finds are kept once, rules before LAC, which reads as `names` says."""
    ruled = dates_and_ids(text)
    taken = [(e.start, e.end) for e in ruled]
    named = [e for e in names(text, near) if not any(s < e.end and e.start < t for s, t in taken)]
    return tuple(sorted([*ruled, *named], key=lambda e: e.start))
