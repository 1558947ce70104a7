"""Decisions that a person corrected (`review`), kept as examples that the training script reads.

One JSON line per correction in a file under the data directory. The lines hold a user's words, so they leave with him: `forget` takes a user's
lines out, all of them or those with one text. Writers on one machine take turns by a file lock; a broken line is counted, never fatal.
"""

import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Final, Literal, get_args

from memory.judge.judgement import LONG_CLASSES, SHORT_CLASSES
from memory.settings import Settings

Label = Literal["LONG", "SHORT"]
Source = Literal["user", "forget", "review", "approve", "reject"]
NAME: Final = "corrections.jsonl"
MAX_TEXT: Final = 1000
"""Characters of a message that are kept; the model never looks further."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """What a message should have been: `label`, and `intent` when the person told the class (None: the label alone is known)."""

    user: str
    text: str
    label: Label
    intent: str | None = None
    source: Source = "user"
    at: str = ""

    def __post_init__(self) -> None:
        if self.label not in get_args(Label):
            raise ValueError(f"label must be LONG or SHORT, not {self.label!r}")
        if self.intent is not None and self.intent not in (LONG_CLASSES if self.label == "LONG" else SHORT_CLASSES):
            raise ValueError(f"{self.intent!r} is not a {self.label} class")


def corrections_file(settings: Settings) -> Path:
    """Where this installation keeps its corrections."""
    return settings.data_dir / NAME


def keep(path: Path, *, user: str, text: str, label: Label, intent: str | None = None, source: Source = "user", at: datetime | None = None) -> None:
    """Adds one correction. A later one about the same user's same text replaces the earlier when read. Blocks (a few ms)."""
    text = text.encode("utf-8", "replace").decode("utf-8").strip()[:MAX_TEXT]
    if not text:
        return
    add(path, [Correction(user=user, text=text, label=label, intent=intent, source=source, at=at.isoformat() if at else "")])


def add(path: Path, corrections: Sequence[Correction]) -> int:
    """Adds those that are not there already, word for word; their number. Blocks (a few ms)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o600)
    with _locked(path):
        known = read(path)[0]
        new = [c for c in corrections if c not in known]
        with path.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(asdict(c), ensure_ascii=False) + "\n" for c in new)
    return len(new)


def read(path: Path) -> tuple[list[Correction], int]:
    """All corrections, the last word on each (user, text), oldest first; and how many lines could not be read."""
    found: dict[tuple[str, str], Correction] = {}
    broken = 0
    if not path.exists():
        return [], 0
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        if not line.strip():
            continue
        try:
            one = Correction(**json.loads(line))
        except (ValueError, TypeError):
            broken += 1
            continue
        found.pop((one.user, one.text), None)
        found[one.user, one.text] = one
    return list(found.values()), broken


def forget(path: Path, *, user: str, text: str | None = None) -> int:
    """Takes out this user's corrections, or only those of one text. How many lines went."""
    if not path.exists():
        return 0
    with _locked(path):
        kept: list[str] = []
        gone = 0
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                row = json.loads(line)
                mine = row["user"] == user and (text is None or row["text"] == text.strip()[:MAX_TEXT])
            except (ValueError, TypeError, KeyError):
                mine = False
            if mine:
                gone += 1
            else:
                kept.append(line)
        if gone:
            handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{NAME}.")
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.writelines(line + "\n" for line in kept)
            Path(name).replace(path)
    return gone


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """One writer at a time on this machine, by a lock file that stays (the file itself is replaced by `forget`)."""
    with path.with_name(path.name + ".lock").open("a") as lock:
        _lock(lock)
        yield


def _lock(file: IO[str]) -> None:
    """Waits for the exclusive lock; it goes with the file handle. Where the platform has none, appends of one line are whole anyway."""
    try:
        import fcntl
    except ImportError:  # pragma: no cover - Windows
        return
    fcntl.flock(file, fcntl.LOCK_EX)
