"""From a question to the best memories: what a hit is, and how scores are mixed. Pure: no I/O."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from memory.record import Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Conditions that work inside the query. Empty means "any"; `validity` chooses current facts, past ones, or both."""

    category: str | None = None
    attribute: str | None = None
    tags: tuple[str, ...] = ()
    role: str | None = None
    session: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    validity: Literal["current", "past", "any"] = "current"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One recalled fact or episode. `parts` are the ingredients of `score`; `id` is the fact's key or the episode's id."""

    id: str
    kind: Literal["fact", "episode"]
    text: str
    score: float
    parts: Mapping[str, float] = field(default_factory=dict)
    time: datetime | None = None
    session: str = ""
    role: str = ""
    memory: Memory | None = None

    def as_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {
            "id": self.id, "score": round(self.score, 4), "parts": {k: round(v, 4) for k, v in self.parts.items()}, "kind": self.kind,
            "text": self.text, "time": self.time.isoformat() if self.time else None,
        }  # fmt: skip
        if self.session:
            out["session"] = self.session
        return out


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """The answer to one question: hits, best first, and how likely they answer it (0–1)."""

    hits: tuple[Hit, ...] = ()
    answerable: float = 0.0
