"""The judge's own labelled examples, whole messages and single clauses, as they lie in memory/judge/examples."""

import hashlib
import json
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Final

from memory.record import USER

FOLDS: Final = 5
CLAUSES: Final = Path(str(resources.files("memory.judge").joinpath("examples/clauses.jsonl")))


@dataclass(frozen=True, slots=True)
class Example:
    """One labelled message. `intent` is None when only the label is known; `attribute` is what it tells about the user, empty when that is
    several things or unknown."""

    text: str
    label: str
    language: str
    intent: str | None = None
    kind: str = ""
    source: str = ""
    attribute: str = ""

    @property
    def long(self) -> bool:
        return self.label == "LONG"

    @property
    def held_out(self) -> bool:
        """Kept for calibration reports and tests; slot-made sentences are not, their siblings are trained on."""
        return self.source == "written" and _hash(self.text) % FOLDS == 0

    @property
    def fold(self) -> int:
        return _hash("fold " + self.text) % FOLDS


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "replace")).digest()[:4], "big")


def examples(language: str) -> list[Example]:
    """The examples in the package."""
    text = resources.files("memory.judge").joinpath(f"examples/{language}.jsonl").read_text(encoding="utf-8")
    rows = (json.loads(line) for line in text.splitlines() if line.strip())
    return [Example(r["text"], r["label"], language, r["intent"], r.get("kind", ""), r.get("source", ""), r.get("attribute", "")) for r in rows]


@dataclass(frozen=True, slots=True)
class ClauseExample:
    """One clause. `attribute` is empty where it tells nothing lasting, SOMEBODY where it tells something of somebody else."""

    text: str
    language: str
    attribute: str
    source: str = "read"


def clause_examples() -> list[ClauseExample]:
    """Those in the package."""
    if not CLAUSES.exists():
        return []
    rows = (json.loads(line) for line in CLAUSES.read_text(encoding="utf-8").splitlines() if line.strip())
    return [ClauseExample(r["text"], r["lang"], r["attribute"], r.get("source", "read")) for r in rows]


SPANS: Final = Path(str(resources.files("memory.judge").joinpath("examples/spans.jsonl")))


@dataclass(frozen=True, slots=True)
class SpanFact:
    """One fact of a message: the value stands at ``text[start:end]``; `stance` is is, new, over or not."""

    start: int
    end: int
    attribute: str
    stance: str
    owner: str


@dataclass(frozen=True, slots=True)
class SpanExample:
    """One message with every fact that it tells. `source` names who wrote it; "read" is what the rules read of the judge's own examples."""

    text: str
    language: str
    facts: tuple[SpanFact, ...]
    source: str

    @property
    def fold(self) -> int:
        return _hash("span " + self.text) % FOLDS


def span_examples() -> list[SpanExample]:
    """Those in the package."""
    rows = (json.loads(line) for line in SPANS.read_text(encoding="utf-8").splitlines() if line.strip())
    return [
        SpanExample(
            r["text"], r["lang"],
            tuple(SpanFact(f["at"], f["at"] + len(f["value"]), f["attribute"], f["stance"], f.get("owner", USER)) for f in r["facts"]), r["source"],
        )
        for r in rows
    ]  # fmt: skip
