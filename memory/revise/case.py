"""One candidate meeting what is known: the facts it could touch, and the versions that come out of it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property, lru_cache
from typing import Any, Final
from uuid import UUID, uuid5

from memory.judge.judgement import Candidate
from memory.pattern import regex
from memory.record import Memory, Source, Status
from memory.revise.forms import fold
from memory.revise.people import Relation, relation, relation_in, same_person
from memory.revise.periods import end_of, start_of
from memory.revise.revision import Op, Revision
from memory.revise.schema import Attribute, One, attribute

KEYS: Final = UUID("6b6b1f0e-6a0f-5a53-9a3c-1d5b6e6f7a01")
"""Namespace of version keys: one message saying one thing always makes the same key, so a replay adds nothing."""

_CJK: Final = regex(r"[\u4e00-\u9fff]")


@dataclass(frozen=True)
class Case:
    """A candidate whose owner is settled, beside everything known about its user."""

    known: Sequence[Memory]
    candidate: Candidate
    user: str
    now: datetime
    source: Source
    recent: Sequence[Memory] = ()

    @cached_property
    def schema(self) -> Attribute:
        return attribute(self.candidate.attribute)

    @cached_property
    def chinese(self) -> bool:
        return bool(_CJK.search(self.candidate.clause or self.source.text or self.candidate.value))

    @cached_property
    def text(self) -> str:
        """The words the candidate comes from."""
        return self.candidate.clause or self.source.text or self.candidate.content

    def say(self, zh: str, en: str) -> str:
        """The reason, in the candidate's language."""
        return zh if self.chinese else en

    @cached_property
    def mine(self) -> list[Memory]:
        """Every version of this owner's facts, newest first."""
        theirs = [m for m in self.known if same_person(m.owner, self.candidate.owner, self.known)]
        return sorted(theirs, key=lambda m: (m.updated_at, m.recorded_at), reverse=True)

    @cached_property
    def current(self) -> list[Memory]:
        """This owner's active facts, newest first."""
        return [m for m in self.mine if m.status is Status.ACTIVE]

    def family(self, *, pending: bool = False) -> list[Memory]:
        """Active (and pending) facts of the candidate's attribute and of those it may be confused with; recently mentioned ones first."""
        pool = [m for m in self.mine if m.attribute in self.schema.family and (m.status is Status.ACTIVE or (pending and m.status is Status.PENDING))]
        lately = {m.key: n for n, m in enumerate(self.recent)}
        return sorted(pool, key=lambda m: lately.get(m.key, len(lately)))

    # slots

    @cached_property
    def slot(self) -> tuple[str, One | None]:
        return slot(self.candidate.attribute, self.candidate.value, self.candidate.content, self.text)

    # periods

    @cached_property
    def begins(self) -> datetime | None:
        return start_of(self.candidate.valid_from, self.now.tzinfo)

    @cached_property
    def ends(self) -> datetime | None:
        return end_of(self.candidate.valid_to, self.now.tzinfo)

    def when_over(self) -> datetime:
        """When something that this message ends was over: as told, else now."""
        return min(self.ends or self.begins or self.now, self.now)

    # versions

    @cached_property
    def key(self) -> str:
        c, s = self.candidate, self.source
        said = s.message or f"{s.thread or ''}|{self.now.isoformat()}"
        parts = (self.user, said, c.owner, c.attribute, fold(c.value), c.time or "", c.valid_from or "", c.valid_to or "", c.stance.value)
        return str(uuid5(KEYS, "\x1f".join(parts)))

    def version(self, *, status: Status = Status.ACTIVE, after: Memory | None = None, **changes: Any) -> Memory:
        """The candidate as a memory; `after` is the version it follows, whose fact it continues."""
        c = self.candidate
        made = Memory(
            key=self.key, fact=after.fact if after else self.key, user=self.user, category=c.category, attribute=c.attribute, value=c.value,
            content=c.content, owner=c.owner, tags=c.tags, normal=c.normal, time=c.time, status=status, confidence=c.confidence,
            importance=c.importance, valid_from=self.begins, valid_to=self.ends if self.ends and self.ends <= self.now else None,
            recorded_at=self.now, updated_at=self.now, pinned=bool(after and after.pinned),
            source=Source(channel=self.source.channel, thread=self.source.thread, message=self.source.message, text=self.text or None),
        )  # fmt: skip
        return made.evolve(**changes) if changes else made

    def close(self, memory: Memory, when: datetime, reason: str) -> Memory:
        """`memory` as it stands once it is no longer true: over at `when`, but never before it began."""
        begun = memory.valid_from
        over = max(when, begun) if begun else when
        return memory.evolve(status=Status.SUPERSEDED, valid_to=over, updated_at=max(self.now, memory.updated_at), reason=reason)

    def mistaken(self, memory: Memory, reason: str) -> Memory:
        """`memory` as it stands once it is known never to have been true: its period is empty."""
        start = memory.valid_from or memory.recorded_at
        return memory.evolve(status=Status.SUPERSEDED, valid_from=start, valid_to=start, updated_at=max(self.now, memory.updated_at), reason=reason)

    # outcomes

    def add(self, memory: Memory, reason: str) -> Revision:
        return Revision(op=Op.ADD, candidate=self.candidate, reason=reason, memory=memory.evolve(reason=reason))

    def supersede(self, closed: Memory, memory: Memory, reason: str) -> Revision:
        return Revision(op=Op.SUPERSEDE, candidate=self.candidate, reason=reason, memory=memory.evolve(reason=reason), closed=closed)

    def retire(self, closed: Memory, reason: str) -> Revision:
        return Revision(op=Op.RETIRE, candidate=self.candidate, reason=reason, closed=closed)

    def ignore(self, reason: str) -> Revision:
        return Revision(op=Op.IGNORE, candidate=self.candidate, reason=reason)

    def hold(self, memory: Memory, reason: str) -> Revision:
        return Revision(op=Op.HOLD, candidate=self.candidate, reason=reason, memory=memory.evolve(reason=reason))

    def strengthen(self, memory: Memory) -> Revision:
        """More evidence for a known version, unless a message as new as this one has already given it."""
        if self.now <= memory.updated_at and (
            self.source.message is None or self.source.message == memory.source.message or self.now < memory.updated_at
        ):
            reason = self.say("已记录，且更近的消息确认过", "already known, and confirmed by a message at least as recent")
            return self.ignore(reason)
        reason = self.say("与已知事实相同，仅增加证据", "says what is known already: more evidence, nothing new")
        c = self.candidate
        changed = memory.evolve(
            evidence=memory.evidence + 1,
            confidence=max(memory.confidence, c.confidence),
            importance=max(memory.importance, c.importance),
            updated_at=max(memory.updated_at, self.now),
        )
        return Revision(op=Op.STRENGTHEN, candidate=c, reason=reason, memory=changed)


_STATE: Final = regex(
    r"在一起|恋爱|谈了|结婚|婚了|领证|领了证|分手|同居|合租|一起住|异地|认识了|\d+ ?年|[一两二三四五六七八九十]+年|\b(?:together|married|dating|years?)\b"
)
"""How long or how people are together; that is never who somebody is."""


@lru_cache(maxsize=16_384)
def slot(name: str, value: str, content: str, text: str) -> tuple[str, One | None]:
    """The slot of a value inside its attribute, and how many values the slot holds: always one, one per change, or any number (None)."""
    row = attribute(name)
    text = "" if row.narrow else text
    for candidate in (row, *(attribute(t) for t in row.twins if name not in {"likes", "relationship"})):
        facet, one = candidate.facet(value, content, text)
        if facet:
            return facet, one
    if name == "relationship" and not _STATE.search(fold(value)):
        tie = relation(value) or relation_in(content or text, value)
        if tie is not None:
            whose = _whose_tie(fold(content), tie) or _whose_tie(fold(text), tie)
            return f"tie {tie.words[0]}{whose}", "always" if tie.one else "change"
    return "", "always" if row.single else None


_ANOTHER: Final = regex(
    r"(?:隔壁|对面|另外?一个|别的|人家|楼上|楼下|孩子|儿子|女儿|闺女|娃)(?:的|班|组|部门)?$|\b(?:other|old|former|previous|next[- ]door) $"
)
"""What makes a tie that of another such person: 隔壁组长 is not 组长."""


def _whose_tie(told: str, tie: Relation) -> str:
    """Whose tie it is when it is not the user's own: 室友的导师 is another person's than 我的导师. Empty for the user's."""
    for word in (w for w in tie.words if w in told):
        owner = relation_in(told[: told.find(word)].removesuffix("的").removesuffix("'s ").removesuffix("’s ") + "\0", "\0")
        if other := _ANOTHER.search(told[: told.find(word)]):
            return f" {other[0]}"
        if owner is not None and re.search(r"(?:的|['’]s )$", told[: told.find(word)]):
            return f" of {owner.words[0]}"
    return ""


def slot_of(memory: Memory) -> tuple[str, One | None]:
    """The slot of a known fact."""
    return slot(memory.attribute, memory.value, memory.content, memory.source.text or "")


def told_before(memory: Memory, moment: datetime) -> bool:
    """Whether the version was known before that moment (a second's slack for messages stamped alike)."""
    return memory.recorded_at <= moment + timedelta(seconds=1)
