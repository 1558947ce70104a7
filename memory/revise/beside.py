"""What stands beside a candidate among the known facts: the one it says again, those that cannot be true beside it, the plans it makes true. Pure."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from memory.pattern import regex
from memory.record import Memory
from memory.revise.case import Case, slot_of
from memory.revise.cues import says
from memory.revise.forms import bare, fold
from memory.revise.hearing import table
from memory.revise.periods import start_of
from memory.revise.referents import meant
from memory.revise.sameness import Same, mentions, same
from memory.revise.topics import topic


def alike(case: Case, memory: Memory) -> bool:
    """Whether the fact has the candidate's value, perhaps in more or fewer words."""
    return same(memory.attribute, case.candidate.value, memory.value) in {Same.EQUAL, Same.CLOSE}


def twin_of(case: Case) -> Memory | None:
    """The active fact that this candidate says again, perhaps at another time."""
    c = case.candidate
    best: Memory | None = None
    for memory in case.current:
        if memory.attribute == c.attribute:
            degree = same(c.attribute, c.value, memory.value)
        elif memory.attribute in case.schema.twins:
            degree = same(c.attribute, c.value, memory.value)
            if degree is Same.CLOSE and not {c.attribute, memory.attribute} <= {"plan", "event"}:
                continue
            if memory.attribute == "plan" and c.attribute == "event" and came_true(case, memory):
                continue
        else:
            continue
        if (
            degree is Same.EQUAL
            and c.attribute == "relationship"
            and slot_of(memory)[0] != case.slot[0]
            and not {"", "marital"} & {slot_of(memory)[0], case.slot[0]}
        ):
            continue  # 王芳 the landlady and 王芳 the teacher
        if degree is Same.EQUAL:
            return memory
        if (
            degree is Same.CLOSE
            and c.attribute == "occupation"
            and (_RISEN.search(case.text) or (fuller(c.value, memory.value) and _NOW.search(case.text)))
        ):
            continue  # 财务 and 财务总监: promoted
        if degree is Same.CLOSE and best is None:
            best = memory
    if best is None and c.attribute in {"plan", "event"} and says("change", case.text):
        moved = [
            m for m in case.current if m.attribute in {"plan", "event"} and (mentions(m.source.text or "", c.value) or mentions(case.text, m.value))
        ]
        best = moved[0] if moved else None
    return best


_NOW: Final = regex(r"\bnow(?:adays)?\b|\bthese days\b|\bcurrently\b|\b(?:became|retrained|switched)\b")
_RISEN: Final = regex(r"升|提拔|晋|\bpromoted\b|\bnow\b.{0,12}\b(?:senior|head|lead|chief|director)\b")


def rivals_of(case: Case) -> list[Memory]:
    """Active facts that cannot be true beside the candidate, the one it follows first."""
    c = case.candidate
    name, one = case.slot
    changed = says("change", case.text) or says("again", case.text) or (says("over", case.text) and c.attribute != "relationship")
    more = says("more", case.text)
    found: list[Memory] = []
    if c.replaces:
        found += meant(c.replaces, c.attribute, [m for m in case.family() if not alike(case, m)])
    for memory in case.current:
        if memory in found:
            continue
        if memory.attribute in case.schema.opposite and same(memory.attribute, c.value, memory.value) is not Same.DIFFERENT:
            found.append(memory)
            continue
        if memory.attribute != c.attribute and memory.attribute not in case.schema.twins:
            continue
        other, _ = slot_of(memory)
        degree = same(c.attribute, c.value, memory.value)
        if degree is Same.CONFLICT and (other == name or (not name and changed)) and not more:
            found.append(memory)
        elif other != name or (not name and memory.attribute != c.attribute):
            continue
        elif one == "always" or (one == "change" and ((changed and not more) or _poles(case, memory))):
            found.append(memory)
    if c.attribute == "relationship" and len(found) > 1:
        found = _of_one_trade(case, found)
    if not found and changed and not more and one is None and c.attribute in {"instruction", "progress"} and says("change", case.text):
        found += [m for m in case.current if m.attribute == c.attribute and not slot_of(m)[0]][:1]
    return found


_TRADE: Final = regex(r"([一-龥]{2})(?:老师|教练|医生|师傅|律师)|\b(\w+) (?:teacher|coach|doctor|tutor|instructor)")


def _of_one_trade(case: Case, rivals: Sequence[Memory]) -> list[Memory]:
    """Of several people with one tie (two teachers), the one whom the message names, or who has the same trade (语文老师)."""
    said = case.source.text or case.text
    named = [m for m in rivals if mentions(said, m.value)]
    trade = _TRADE.search(fold(case.text))
    word = next((g for g in trade.groups() if g), "") if trade else ""
    return named or [m for m in rivals if word and word in fold(f"{m.content} {m.source.text or ''}")] or list(rivals[:1])


def _poles(case: Case, memory: Memory) -> bool:
    facet = case.schema.named(case.slot[0])
    if facet is None or not facet.poles:
        return False
    new, old = facet.pole(case.candidate.value), facet.pole(memory.value)
    return new is not None and old is not None and new != old


def ahead(memory: Memory) -> bool:
    """Whether an event was still to come when it was told."""
    start = start_of(memory.time, memory.recorded_at.tzinfo)
    return memory.attribute == "event" and start is not None and start > memory.recorded_at


def came_true(case: Case, plan: Memory) -> bool:
    """Whether the candidate tells that the plan took place."""
    c = case.candidate
    if plan.recorded_at >= case.now or says("unreal", case.text):
        return False
    if c.attribute == "employer" and topic(plan.value, "new job"):
        return True
    future = c.attribute == "event" and (start := start_of(c.time, case.now.tzinfo)) is not None and start > case.now
    if future or not (says("done", case.text) or table().done.search(fold(case.text)) or says("change", case.text) or _due(plan, case.now)):
        return False
    return topic(plan.value, c.value) or topic(plan.value, case.text)


def _due(plan: Memory, now: datetime) -> bool:
    start = start_of(plan.time, now.tzinfo)
    return start is not None and start <= now + timedelta(days=1)


def fuller(new: str, old: str) -> bool:
    """Whether the new value holds the old one and more."""
    a, b = bare(new), bare(old)
    return len(a) > len(b) + 1 and b in a
