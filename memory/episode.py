"""What an episode is: an archived turn of a conversation, or a chunk of a document, as it was said and never as evidence for a fact."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memory.record import fingerprint


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """One archived turn or chunk.

    `session` is the thread (or the ingested session) it belongs to, `position` its place in it: neighbours are position ± 1. `caption` describes
    a picture shared with the turn. `source` names a file or document for chunks. `importance` is 0–1. `time` is aware.
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


def default_id(text: str, metadata: Mapping[str, Any]) -> str:
    """The id of an ingested line that names none: MD5 of its text and sorted metadata, so that the same line twice is one episode."""
    return fingerprint(text, *(f"{k}={metadata[k]}" for k in sorted(metadata)))
