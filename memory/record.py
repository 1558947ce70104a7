"""What a memory is: one version of one fact, frozen, with aware times.

A fact is (owner, attribute, value) about a user or the user's people. Every version of it is a `Memory` with a key of its own; versions of one fact share `fact`.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from enum import StrEnum
from operator import attrgetter
from typing import Any, Final, Self

USER: Final = "user"  # the owner of facts about the user
_TIMES: Final = ("valid_from", "valid_to", "recorded_at", "updated_at")
_TIMES_OF: Final = attrgetter(*_TIMES)

CATEGORIES: Final[Mapping[str, str]] = {
    "name": "identity", "age": "identity", "birthday": "identity", "occupation": "identity", "employer": "identity", "school": "identity",
    "location": "identity", "hometown": "identity", "contact": "identity", "health": "identity", "allergy": "identity", "skill": "identity",
    "possession": "identity", "likes": "preference", "dislikes": "preference", "habit": "preference", "plan": "event", "event": "event",
    "relationship": "relationship", "pet": "relationship", "instruction": "instruction", "progress": "progress", "other": "other",
}  # fmt: skip
"""Attribute → category, as the specification fixes them."""


class Status(StrEnum):
    """Where a version stands. Only `active` ones are in the store's namespaces."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    PENDING = "pending"
    HELD = "held"
    ARCHIVED = "archived"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Which message a fact came from. `channel` is user, tool, document, web, import or operator; `text` is the clause itself."""

    channel: str = USER
    thread: str | None = None
    message: str | None = None
    text: str | None = None

    def as_json(self) -> dict[str, str]:
        return {name: v for name, v in zip(_SOURCE, _OF_SOURCE(self), strict=True) if v is not None}


_SOURCE: Final = tuple(f.name for f in fields(Source))
_OF_SOURCE: Final = attrgetter(*_SOURCE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One version of one fact.

    `value` is the shortest span in the user's words; `normal` a number, ISO date or simplified form where it differs; `time` the event's own time
    (``2026-02-03`` or ``2026-02``). `valid_from`/`valid_to` say when it was true, `recorded_at` when it was learned. `confidence` and `importance`
    are 0–1; `evidence` counts how often it was said. All datetimes are aware.
    """

    key: str
    fact: str
    user: str
    category: str
    attribute: str
    value: str
    content: str
    owner: str = USER
    tags: tuple[str, ...] = ()
    normal: str | int | float | None = None
    time: str | None = None
    status: Status = Status.ACTIVE
    confidence: float = 1.0
    importance: float = 0.6
    evidence: int = 1
    pinned: bool = False
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    recorded_at: datetime
    updated_at: datetime
    source: Source = field(default_factory=Source)
    reason: str = ""

    def __post_init__(self) -> None:
        for name, when in zip(_TIMES, _TIMES_OF(self), strict=True):
            if when is not None and when.tzinfo is None:
                raise ValueError(f"{name} must be an aware datetime")

    def evolve(self, **changes: Any) -> Self:
        """A copy with these fields changed."""
        return replace(self, **changes)

    @property
    def fingerprint(self) -> str:
        """MD5 over owner, attribute and value: equal fingerprints propose sameness, the text confirms it."""
        return fingerprint(self.owner, self.attribute, self.value)

    def as_json(self) -> dict[str, Any]:
        """The JSON object that `jizhu memories` prints and that the store keeps as the item's value."""
        out: dict[str, Any] = dict(zip(_NAMES, _OF_MEMORY(self), strict=True))
        for name in _TIMES:
            if (when := out[name]) is not None:
                out[name] = when.isoformat()
        for name in ("normal", "time"):
            if out[name] is None:
                del out[name]
        out.update(tags=list(self.tags), status=self.status.value, source=self.source.as_json())
        return out

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """The inverse of `as_json`; unknown keys are ignored."""
        values = {k: data[k] for k in _NAMES if k in data}
        for name in _TIMES:
            if isinstance(values.get(name), str):
                values[name] = datetime.fromisoformat(values[name])
        values["tags"] = tuple(values.get("tags") or ())
        values["status"] = Status(values.get("status", "active"))
        values["source"] = Source(**(values.get("source") or {}))
        return cls(**values)


_NAMES: Final = tuple(f.name for f in fields(Memory))
_OF_MEMORY: Final = attrgetter(*_NAMES)


def fingerprint(*parts: str) -> str:
    """MD5 hex of the parts, for telling content apart cheaply; no security rests on it."""
    return hashlib.md5("\x1f".join(parts).encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()
