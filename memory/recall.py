"""From a question to the best memories: what a hit is, and how scores are mixed. Pure: no I/O.

Scores are mixed, not rank-fused: BM25 over its maximum plus closeness of meaning stretched to 0–1 (min–max). A turn's neighbours and its session lend it
support; a fact, which has neither, is lifted by as much as its own match deserves. `memory.search` brings the ingredients from the store.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from memory.query import Query
from memory.record import Memory
from memory.words import fold


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Conditions that work inside the query. Empty means "any"; `validity` chooses current facts, past ones, or both; `auto` is current
    unless the question is about how it was (以前, used to)."""

    category: str | None = None
    attribute: str | None = None
    tags: tuple[str, ...] = ()
    role: str | None = None
    session: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    validity: Literal["auto", "current", "past", "any"] = "auto"


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


Floats = NDArray[np.float64]

MEANING: Final = 1.0  # closeness of meaning beside words
CENTRE: Final = 0.65  # share of the user's mean vector taken off the question's: embeddings of one user's texts crowd around it
NEIGHBOUR: Final = 0.2  # of the turns just before and after
NEIGHBOUR_AGAIN: Final = 0.1  # a second, weaker pass reaches one turn further
SESSION: Final = 0.5  # of the best SESSION_TURNS turns' mean
SESSION_TURNS: Final = 3
SPEAKER: Final = 0.2  # the question names who said it
WHEN: Final = 0.8  # the question names a day, or the first or last conversation, and this is from it
FACT: Final = 0.3
PAST: Final = 0.5  # the question asks how it was, and this is no longer so
IMPORTANCE: Final = 0.1
RECENCY: Final = 0.1
HALF_LIFE: Final = 30.0  # days
RUNNING: Final = 3600.0  # seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One memory in the running, with what the store computed: `words` is BM25, `meaning` the centred inner product."""

    id: str
    kind: Literal["fact", "episode"]
    words: float
    meaning: float
    time: datetime | None = None
    session: str = ""
    position: int = 0
    speaker: str = ""
    role: str = ""
    importance: float = 0.0
    current: bool = True


def idf(texts: int, having: int) -> float:
    """BM25's inverse document frequency (Lucene's, never negative): of a word that `having` of `texts` hold."""
    return math.log(1 + (texts - having + 0.5) / (having + 0.5)) if texts >= having else 0.0


def share(query: Query, found: Sequence[Candidate], best: Sequence[int], idfs: Mapping[int, float]) -> float:
    """The part of the question's informative words that the best hit holds, 0–1."""
    wanted = sum(idfs.get(t, 0.0) for t in query.own)
    return min(1.0, max((found[i].words for i in best), default=0.0) / wanted) if wanted else 0.0


def rank(found: Sequence[Candidate], query: Query, *, now: datetime, running: str = "") -> list[tuple[int, float, dict[str, float]]]:
    """(index, score, parts) of every candidate, best first; equal scores keep their order. `running` is the session that is going on."""
    if not found:
        return []
    words = scaled(np.array([c.words for c in found], float))
    meaning = stretched(np.array([c.meaning for c in found], float))
    match = words + MEANING * meaning
    fact = np.array([c.kind == "fact" for c in found])
    before, after = _neighbours(found)
    nearby = _smoothed(match, before, after) - match
    session = _sessions(found, match + nearby)
    lifted = np.where(fact, match * (2 * NEIGHBOUR) + SESSION * match / max(float(match.max()), 1e-9), 0.0)
    parts: dict[str, Floats] = {
        "words": words,
        "meaning": MEANING * meaning,
        "neighbours": np.where(fact, lifted, nearby),
        "session": SESSION * session,
        "speaker": _speakers(found, query),
        "when": _when(found, query, running),
        "importance": IMPORTANCE * np.array([c.importance for c in found]),
        "time": _recency(found, now, running),
        "kind": FACT * fact + PAST * np.array([query.past and not c.current for c in found]),
    }
    score = np.sum(list(parts.values()), axis=0)
    order = np.argsort(-score, kind="stable")
    return [(int(i), float(score[i]), {k: float(v[i]) for k, v in parts.items() if v[i]}) for i in order]


def scaled(values: Floats) -> Floats:
    """Over the maximum, so that the best is 1; all zeros stay."""
    top = float(values.max(initial=0.0))
    return values / top if top > 0 else np.zeros_like(values)


def stretched(values: Floats) -> Floats:
    """To 0–1 between the least and the greatest; equal values become 0."""
    low, high = float(values.min()), float(values.max())
    return (values - low) / (high - low) if high > low else np.zeros_like(values)


def _neighbours(found: Sequence[Candidate]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The index of the turn before and after each one in its session; -1 where there is none among the candidates."""
    at = {(c.session, c.position): i for i, c in enumerate(found) if c.kind == "episode" and c.session}

    def beside(step: int) -> NDArray[np.intp]:
        return np.array([at.get((c.session, c.position + step), -1) if c.kind == "episode" else -1 for c in found], np.intp)

    return beside(-1), beside(1)


def _smoothed(score: Floats, before: NDArray[np.intp], after: NDArray[np.intp]) -> Floats:
    for share in (NEIGHBOUR, NEIGHBOUR_AGAIN):
        score = score + share * (np.where(before >= 0, score[before], 0.0) + np.where(after >= 0, score[after], 0.0))
    return score


def _sessions(found: Sequence[Candidate], score: Floats) -> Floats:
    """The mean of the session's best turns, stretched over all sessions; 0 when there is only one."""
    groups: dict[str, list[int]] = {}
    for i, c in enumerate(found):
        if c.kind == "episode" and c.session:
            groups.setdefault(c.session, []).append(i)
    out = np.zeros(len(found))
    if len(groups) > 1:
        means = stretched(np.array([np.sort(score[members])[-SESSION_TURNS:].mean() for members in groups.values()]))
        for members, mean in zip(groups.values(), means, strict=True):
            out[members] = mean
    return out


def _speakers(found: Sequence[Candidate], query: Query) -> Floats:
    """Turns of the one person whom the question names, or of the assistant when it asks what the assistant said."""
    names = {c.speaker for c in found if c.speaker and c.kind == "episode"}
    named = {n for n in names if fold(n) in query.folded and len(n) > 1} if len(names) > 1 else set()
    who = next(iter(named)) if len(named) == 1 else None
    return SPEAKER * np.array(
        [float(c.kind == "episode" and ((who is not None and c.speaker == who) or (query.role is not None and c.role == query.role))) for c in found]
    )


def _when(found: Sequence[Candidate], query: Query, running: str) -> Floats:
    """What was said on the days, or in the conversation, that the question names."""
    ends = {c.session: c.time for c in found if c.kind == "episode" and c.session and c.session != running and c.time is not None}
    meant = None
    if query.talk and ends:
        meant = (min if query.talk == "first" else max)(ends, key=lambda s: (ends[s], s))
    return WHEN * np.array(
        [
            float((meant is not None and c.session == meant) or (c.time is not None and any(s.since <= c.time < s.until for s in query.spans)))
            for c in found
        ]
    )


def _recency(found: Sequence[Candidate], now: datetime, running: str) -> Floats:
    """0.5^(age/30 days) for facts, exp(-age/3600 s) for turns of the running session, nothing for other episodes."""
    out = np.zeros(len(found))
    for i, c in enumerate(found):
        if c.time is None:
            continue
        age = max(0.0, (now - c.time).total_seconds())
        if c.kind == "fact":
            out[i] = 0.5 ** (age / 86400 / HALF_LIFE)
        elif running and c.session == running:
            out[i] = np.exp(-age / RUNNING)
    return RECENCY * out
