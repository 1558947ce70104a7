"""A raw put or delete in a user's category, as any caller of the store may make it, read as a statement about the user. Pure."""

import uuid
from datetime import datetime

from langgraph.store.base import PutOp

from memory.clean import clean_text
from memory.judge.judgement import Candidate
from memory.namespace import decode
from memory.record import CATEGORIES, Memory, Source, Status
from memory.revise import Op as Revise
from memory.revise import Revision


class RawWrite:
    """A raw put or delete under ``(user, category)``, read as a statement about the user."""

    def __init__(self, op: PutOp, now: datetime) -> None:
        self.op, self.now = op, now
        value = dict(op.value or {})
        category = op.namespace[1]
        attribute = str(value.get("attribute") or "")
        if CATEGORIES.get(attribute) != category:
            attribute = next((a for a, c in CATEGORIES.items() if c == category == a), "other")
        self.text = clean_text(str(value.get("value") or value.get("content") or ""))
        self.content = clean_text(str(value.get("content") or self.text))
        self.attribute = attribute
        self.extras = {k: v for k, v in value.items() if k not in Memory.__dataclass_fields__}
        self.candidate = Candidate(attribute=attribute, value=self.text, content=self.content)

    def revise(self, old: Memory | None) -> list[Revision]:
        if self.op.value is None:
            if old is None or old.status is not Status.ACTIVE:
                return []
            closed = old.evolve(status=Status.ARCHIVED, valid_to=self.now, updated_at=self.now, reason="deleted through the store")
            return [Revision(op=Revise.RETIRE, candidate=self.candidate, reason=closed.reason, closed=closed)]
        same = old is not None and (old.content, old.attribute) == (self.content, self.attribute)
        if old is not None and same and old.status is Status.ACTIVE and not self.extras:
            again = old.evolve(evidence=old.evidence + 1, updated_at=self.now)
            return [Revision(op=Revise.STRENGTHEN, candidate=self.candidate, reason="said again", memory=again)]
        memory = Memory(
            key=self.op.key, fact=old.fact if old else uuid.uuid4().hex, user=decode(self.op.namespace[0]), category=self.op.namespace[1],
            attribute=self.attribute, value=self.text, content=self.content, recorded_at=self.now, updated_at=self.now, valid_from=self.now,
            source=Source(channel="operator"), reason="written through the store",
        )  # fmt: skip
        if old is None:
            return [Revision(op=Revise.ADD, candidate=self.candidate, reason=memory.reason, memory=memory)]
        closed = old.evolve(key=uuid.uuid4().hex, status=Status.SUPERSEDED, valid_to=old.valid_to or self.now, updated_at=self.now)
        return [Revision(op=Revise.SUPERSEDE, candidate=self.candidate, reason=memory.reason, memory=memory, closed=closed)]
