"""The values that judging produces: text → Judgement (clauses, candidates, session facts, commands), each able to show itself.

They are frozen and free of I/O, so chat, command line, notebook, tests and Studio share one object.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Any, Final, Literal, Self

from memory.record import CATEGORIES, USER

LONG_CLASSES: Final = frozenset(
    {"personal_info", "preference", "important_event", "relationship", "instruction", "correction", "complaint", "return"}
)
"""Classes whose clauses may become long-term facts; complaint and return come from the customer-service pack."""
SHORT_CLASSES: Final = frozenset({"greeting", "chitchat", "question", "transient", "task", "other"})

MemoryType = Literal["LONG", "SHORT"]
Tier = Literal["rules", "model", "llm"]


class Stance(StrEnum):
    """What a clause says about the fact it names."""

    ASSERT = "assert"  # it is so
    NEGATE = "negate"  # it is not, or no longer, so: 不再喝咖啡了, 日本旅行取消了
    PAST = "past"  # it was so: 以前住上海
    CORRECT = "correct"  # what was said before was wrong: 我之前说的不对，其实是…


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A fact that a clause proposes, before it meets what is already known.

    `replaces` is the old value when the clause names it (不是A，是B). `valid_from`/`valid_to` are ISO dates, months or years as far as the clause
    tells. `owner` may be a pronoun (他, she) or a definite noun when the clause leaves open who is meant: revision resolves it against known people.
    `temporary` marks states that must not overwrite stable facts (这周在成都出差). `explicit` means the user asked for it to be remembered;
    `loose` that no rule could read the clause and the value is its predicate as it stands; `learnt` that the span reader found the value;
    `turned` that by its word something has changed: the value is new, or over.
    """

    attribute: str
    value: str
    owner: str = USER
    normal: str | int | float | None = None
    time: str | None = None
    content: str = ""
    stance: Stance = Stance.ASSERT
    replaces: str | None = None
    valid_from: str | None = None
    valid_to: str | None = None
    temporary: bool = False
    explicit: bool = False
    tags: tuple[str, ...] = ()
    confidence: float = 1.0
    importance: float = 0.6
    clause: str = ""
    reason: str = ""
    loose: bool = False
    learnt: bool = False
    turned: bool = False

    @property
    def category(self) -> str:
        return CATEGORIES.get(self.attribute, "other")

    @property
    def current(self) -> bool:
        """Whether it would be active: said to be so, or to be so after all; not denied, not past."""
        return self.stance in {Stance.ASSERT, Stance.CORRECT}

    def evolve(self, **changes: Any) -> Self:
        return replace(self, **changes)

    def as_json(self) -> dict[str, Any]:
        """What the command line prints and the graph's state keeps: the fixed keys, then whatever differs from its default."""
        out: dict[str, Any] = {"owner": self.owner, "attribute": self.attribute, "value": self.value}
        for f in fields(self):
            value = getattr(self, f.name)
            if f.name not in out and value != f.default:
                out[f.name] = list(value) if isinstance(value, tuple) else value.value if isinstance(value, Stance) else value
        return out

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """The inverse of `as_json`; unknown keys are ignored."""
        values = {f.name: data[f.name] for f in fields(cls) if f.name in data}
        values["tags"] = tuple(values.get("tags") or ())
        values["stance"] = Stance(values.get("stance", "assert"))
        return cls(**values)


@dataclass(frozen=True, slots=True)
class SessionFact:
    """Something that matters in this thread only: the city asked about, the step of a form, a choice made for now."""

    attribute: str
    value: str

    def as_json(self) -> dict[str, str]:
        return {"attribute": self.attribute, "value": self.value}


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """Something the user orders done with memory: forget (忘掉我的地址), skip (别记这个), undo (回到上一步)."""

    kind: Literal["forget", "skip", "undo"]
    target: str = ""
    attribute: str | None = None
    steps: int = 1

    def as_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "target": self.target, "attribute": self.attribute, "steps": self.steps}


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseVerdict:
    """One clause, judged. `parts` add up to `score`; `open` means that a dearer tier should still be asked."""

    text: str
    intent: str
    memory_type: MemoryType
    score: float
    parts: Mapping[str, float]
    confidence: float
    tier: Tier = "rules"
    reason: str = ""
    open: bool = False
    facts: tuple[Candidate, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "text": self.text, "intent": self.intent, "memory_type": self.memory_type, "score": round(self.score, 3),
            "parts": {k: round(v, 3) for k, v in self.parts.items()}, "confidence": round(self.confidence, 3), "tier": self.tier,
            "reason": self.reason, "facts": [f.as_json() for f in self.facts],
        }  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A whole message, judged. `facts` would be active, `pending` wait for confirmation, `hints` are dropped unless they
    fit a known fact, `session` stay in the thread."""

    memory_type: MemoryType
    intent: str
    score: float
    parts: Mapping[str, float]
    confidence: float
    tier: Tier
    reason: str
    facts: tuple[Candidate, ...] = ()
    pending: tuple[Candidate, ...] = ()
    hints: tuple[Candidate, ...] = ()
    session: tuple[SessionFact, ...] = ()
    commands: tuple[Command, ...] = ()
    clauses: tuple[ClauseVerdict, ...] = field(default=())

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """All that remembering wants to hear."""
        return *self.facts, *self.pending, *self.hints

    @property
    def open(self) -> bool:
        """Whether a dearer tier should still be asked about some clause."""
        return any(c.open for c in self.clauses)

    def as_json(self) -> dict[str, Any]:
        return {
            "memory_type": self.memory_type, "intent": self.intent, "score": round(self.score, 3),
            "parts": {k: round(v, 3) for k, v in self.parts.items()}, "confidence": round(self.confidence, 3), "tier": self.tier,
            "facts": [f.as_json() for f in self.facts if f.current], "pending": [f.as_json() for f in self.pending],
            "retired": [f.as_json() for f in self.facts if not f.current], "session": [f.as_json() for f in self.session], "commands": [c.as_json() for c in self.commands],
            "clauses": [c.as_json() for c in self.clauses], "reason": self.reason,
        } | ({"hints": [f.as_json() for f in self.hints]} if self.hints else {})  # fmt: skip


FOUND: Final = ("facts", "pending", "retired", "hints")  # where the JSON of a judgement holds its candidates


def candidates_of(judged: Mapping[str, Any]) -> list[Candidate]:
    """Every candidate of a judgement's JSON, what is so and what is no longer so, in the order of the message's clauses."""
    place = {str(c["text"]).strip(): n for n, c in enumerate(judged.get("clauses", ()))}
    found = [Candidate.from_json(f) for kind in FOUND for f in judged.get(kind, ())]
    return sorted(found, key=lambda c: place.get(c.clause, len(place)))
