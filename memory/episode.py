"""What an episode is: an archived turn of a conversation, or a chunk of a document, as it was said and never as evidence for a fact."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from memory.instants import showable
from memory.record import fingerprint

ROLES: Final = frozenset({"user", "assistant", "system", "tool", "other"})
"""Who speaks in a turn; `other` is a third person in the conversation."""
DOCUMENT: Final = "document"
"""The role of a document's chunks, which no turn has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """One archived turn or chunk.

    `session` is the thread (or the ingested session) it belongs to, `position` its place in it: neighbours are position ± 1. `caption` describes
    a picture shared with the turn. `source` names a file or document for chunks. `importance` is 0–1. `time` is aware, between the years 1000 and 9000.
    `id`, `session` and `source` are identities of other systems and stay as they are, whatever characters they hold.
    """

    id: str
    user: str
    text: str
    time: datetime
    session: str = ""
    position: int = 0
    speaker: str = ""
    role: str = "user"
    caption: str = ""
    source: str = ""
    entities: tuple[str, ...] = ()
    importance: float = 0.0

    def __post_init__(self) -> None:
        if self.time.tzinfo is None:
            raise ValueError("time must be an aware datetime")
        if not showable(self.time):
            raise ValueError("time must lie between the years 1000 and 9000")


@dataclass(slots=True)
class Ingested:
    """What came of an ingest: new episodes, known ones, chunks that vanished from documents, texts that were cut, and one sentence per bad line."""

    ingested: int = 0
    skipped: int = 0
    retired: int = 0
    cut: int = 0
    errors: list[str] = field(default_factory=list)

    def add(self, other: "Ingested") -> None:
        self.ingested += other.ingested
        self.skipped += other.skipped
        self.retired += other.retired
        self.cut += other.cut
        self.errors += other.errors

    def as_json(self) -> dict[str, Any]:
        return {"ingested": self.ingested, "skipped": self.skipped, "retired": self.retired, "cut": self.cut, "errors": self.errors}


def default_id(text: str, metadata: Mapping[str, Any]) -> str:
    """The id of an ingested line that names none: MD5 of its text and sorted metadata, so that the same line twice is one episode."""
    return fingerprint(text, *(f"{k}={metadata[k]}" for k in sorted(metadata)))
