"""What remains of rounds that left the window: a running summary of a thread. Pure; extractive, so it works without a model.

The summary keeps, per round, the sentences that carry most (entities, numbers, decisions); `Summary` holds finished paragraphs and the partial one of
rounds that do not fill a paragraph yet.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

from memory.pattern import regex
from memory.tokens import count_tokens, cut_to_tokens

PARAGRAPH_ROUNDS: Final = 10
PARAGRAPH_TOKENS: Final = 200
CHAPTER_PARAGRAPHS: Final = 5
CHAPTER_TOKENS: Final = 100

_SENTENCE: Final = regex(r"[^。！？!?\n]+[。！？!?]*|\S")
_DECISION: Final = regex(r"决定|选择|因为|所以|因此|结论|方案|\b(?:decid\w*|chose\w*|because|therefore|plan)\b", re.IGNORECASE)
_PROTECTED: Final = regex(
    r"https?://[^\s，。；）)]+|[\w.+-]+@[\w-]+\.[\w.]+|[A-Za-z]+-?\d[\w-]*|\d+(?:[.:/-]\d+)*\s*(?:%|元|块|美元|人|天|号|日|月|年|点|斤|kg|km)?|\b[A-Z][a-z]+(?: [A-Z][a-z]+)*\b"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """A running summary, oldest first: chapters, then paragraphs, then the partial paragraph; `rounds` counts what it covers."""

    chapters: tuple[str, ...] = ()
    paragraphs: tuple[str, ...] = ()
    partial: tuple[str, ...] = ()
    rounds: int = 0

    @property
    def text(self) -> str:
        return "\n".join([*self.chapters, *self.paragraphs, *([" ".join(self.partial)] if self.partial else [])])

    def as_json(self) -> dict[str, Any]:
        return {"chapters": list(self.chapters), "paragraphs": list(self.paragraphs), "partial": list(self.partial), "rounds": self.rounds}

    @classmethod
    def from_json(cls, data: Mapping[str, Any] | None) -> Self:
        data = data or {}
        return cls(
            chapters=tuple(data.get("chapters", ())), paragraphs=tuple(data.get("paragraphs", ())), partial=tuple(data.get("partial", ())),
            rounds=data.get("rounds", 0),
        )  # fmt: skip

    def without(self, *values: str) -> Self:
        """The summary without every sentence that holds one of the values: what forgetting asks for."""
        return type(self)(
            chapters=_without(self.chapters, values), paragraphs=_without(self.paragraphs, values), partial=_without(self.partial, values),
            rounds=self.rounds,
        )  # fmt: skip


def fold(summary: Summary, rounds: Sequence[Sequence[tuple[str, str]]]) -> Summary:
    """The summary after these rounds (each a list of (role, text)) left the window, oldest first.

    Every 10 rounds become a paragraph of at most 200 tokens, every 5 paragraphs a chapter of at most 100 that replaces them.
    """
    chapters, paragraphs, partial, covered = list(summary.chapters), list(summary.paragraphs), list(summary.partial), summary.rounds
    for turns in rounds:
        partial.append(_digest(turns))
        covered += 1
        if len(partial) >= PARAGRAPH_ROUNDS:
            paragraphs.append(extract(partial, PARAGRAPH_TOKENS))
            partial = []
        if len(paragraphs) >= CHAPTER_PARAGRAPHS:
            chapters.append(extract(paragraphs, CHAPTER_TOKENS))
            paragraphs = []
    return Summary(chapters=tuple(chapters), paragraphs=tuple(paragraphs), partial=tuple(partial), rounds=covered)


def extract(texts: Sequence[str], limit: int) -> str:
    """An extractive summary: the sentences with most importance per token, in their order, within `limit` tokens."""
    sentences = [s.strip() for t in texts for s in _SENTENCE.findall(t) if s.strip()]
    order = sorted(range(len(sentences)), key=lambda i: (-importance(sentences[i]) / (4 + count_tokens(sentences[i])), i))
    chosen, used = set[int](), 0
    for i in order:
        size = count_tokens(sentences[i]) + 1
        if used + size <= limit:
            chosen.add(i)
            used += size
    return " ".join(sentences[i] for i in sorted(chosen)) or cut_to_tokens(" ".join(sentences), limit)


def importance(text: str, role: str = "user") -> float:
    """Importance of a turn, 0–1: entities .1 each up to .3; tokens/1000 up to .2; assistant .2; a number of two or more digits .15; decision words .15."""
    entities = len(set(_PROTECTED.findall(text)))
    return (
        min(0.3, 0.1 * entities)
        + min(0.2, count_tokens(text) / 1000)
        + (0.2 if role == "assistant" else 0.0)
        + (0.15 if re.search(r"\d{2,}", text) else 0.0)
        + (0.15 if _DECISION.search(text) else 0.0)
    )


def _digest(turns: Sequence[tuple[str, str]]) -> str:
    """One round in at most 40 tokens: its most telling sentences, each with who said it."""
    sentences = [f"{role}: {s.strip()}" for role, text in turns for s in _SENTENCE.findall(text[:4000]) if len(s.strip()) > 1]
    return extract(sentences, 40) if sentences else ""


def _without(texts: Sequence[str], values: Sequence[str]) -> tuple[str, ...]:
    kept = ("".join(s for s in _SENTENCE.findall(t) if not any(v and v in s for v in values)).strip() for t in texts)
    return tuple(t for t in kept if t)
