"""From a question to the best memories: what a hit is, and how scores are mixed. Pure: no I/O.

Scores are mixed, not rank-fused: BM25 over its maximum plus closeness of meaning stretched to 0–1 (min–max). A turn's neighbours and its session lend it
support; a fact, which has neither, is lifted by as much as its own match deserves. `memory.search` brings the ingredients from the store.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from memory.query import Query
from memory.record import Memory
from memory.words import fold


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Conditions that work inside the query. Empty means "any"; `validity` chooses current facts, past ones, or both; `auto` is current
    unless the question is about how it was (以前, used to). A `session` that is empty, not None, passes nothing."""

    category: str | None = None
    attribute: str | None = None
    tags: tuple[str, ...] = ()
    role: str | None = None
    session: tuple[str, ...] | None = None
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

POOL: Final = 2000  # memories that are ranked: of more, the best by words and meaning
MEANING: Final = 1.0  # closeness of meaning beside words
CENTRE: Final = 0.65  # share of the user's mean vector taken off the question's: embeddings of one user's texts crowd around it
NEIGHBOUR: Final = 0.2  # of the turns just before and after
NEIGHBOUR_AGAIN: Final = 0.1  # a second, weaker pass reaches one turn further
SESSION: Final = 0.5  # of the best SESSION_TURNS turns' mean
SESSION_TURNS: Final = 3
SPEAKER: Final = 0.2  # the question names who said it
WHEN: Final = 0.8  # the question names a day, or the first or last conversation, and this is from it
ASKS: Final = -0.4  # a turn that only asks
FEEDBACK: Final = 0.1  # weight of the best new word that the first hits bring
FEEDBACK_HITS: Final = 3
FEEDBACK_WORDS: Final = 10
FACT: Final = 0.3
PAST: Final = 0.5  # the question asks how it was, and this is no longer so
IMPORTANCE: Final = 0.1
RECENCY: Final = 0.1
HALF_LIFE: Final = 30.0  # days
RUNNING: Final = 3600.0  # seconds
NOWHERE: Final = -2  # the number of a session that no memory belongs to


@dataclass(frozen=True, kw_only=True)
class Memories:
    """The memories in the running, as columns of one length: what ranking needs of each, whatever the question.

    `fact` tells facts from episodes, `time` is in seconds since 1970 (NaN: none), `session` is "" for what has no neighbours, `current` is False for past
    versions of facts, `asks` the share of a turn that is questions.
    """

    ids: Sequence[str]
    fact: NDArray[np.bool_]
    time: Floats
    session: Sequence[str]
    position: NDArray[np.int64]
    speaker: Sequence[str]
    role: Sequence[str]
    importance: Floats
    current: NDArray[np.bool_]
    asks: Floats

    def __len__(self) -> int:
        return len(self.ids)

    def taken(self, places: NDArray[np.intp]) -> "Memories":
        """These of them, in this order."""
        at = places.tolist()
        return Memories(
            ids=[self.ids[i] for i in at], fact=self.fact[places], time=self.time[places], session=[self.session[i] for i in at],
            position=self.position[places], speaker=[self.speaker[i] for i in at], role=[self.role[i] for i in at],
            importance=self.importance[places], current=self.current[places], asks=self.asks[places],
        )  # fmt: skip

    @cached_property
    def sessions(self) -> dict[str, int]:
        """Each session's number; "" has -1."""
        return {s: n for n, s in enumerate(s for s in dict.fromkeys(self.session) if s)} | {"": -1}

    @cached_property
    def codes(self) -> NDArray[np.int64]:
        """The number of each memory's session; -1 for facts and for what belongs to none."""
        codes = np.fromiter(map(self.sessions.__getitem__, self.session), np.int64, len(self))
        return np.where(self.fact, -1, codes)

    @cached_property
    def beside(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The index of the turn before and after each one in its session; -1 where there is none."""
        order = np.lexsort((self.position, self.codes))
        left, right = order[:-1], order[1:]
        joined = (self.codes[left] >= 0) & (self.codes[left] == self.codes[right]) & (self.position[left] + 1 == self.position[right])
        before, after = np.full(len(self), -1, np.intp), np.full(len(self), -1, np.intp)
        before[right[joined]] = left[joined]
        after[left[joined]] = right[joined]
        return before, after

    @cached_property
    def speakers(self) -> frozenset[str]:
        return frozenset(self.speaker) - {""}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """Memories with how they match one question, as the store computed it: `words` is BM25, `meaning` the centred inner product."""

    memories: Memories
    words: Floats
    meaning: Floats


@dataclass(frozen=True, slots=True)
class Ranking:
    """The pool's indices, best first, with the score of each memory and what it is made of."""

    order: NDArray[np.intp]
    score: Floats
    parts: Mapping[str, Floats]

    def parts_of(self, i: int) -> dict[str, float]:
        return {name: float(values[i]) for name, values in self.parts.items() if values[i]}


def farthest(closeness: Floats) -> Floats:
    """What has no vector (NaN) is as far from the question as anything is."""
    least = np.nanmin(closeness) if np.isfinite(closeness).any() else 0.0
    return np.nan_to_num(closeness, nan=least)


def idf(texts: int, having: int) -> float:
    """BM25's inverse document frequency (Lucene's, never negative): of a word that `having` of `texts` hold."""
    return math.log(1 + (texts - having + 0.5) / (having + 0.5)) if texts >= having else 0.0


def share(query: Query, pool: Pool, best: Sequence[int], idfs: Mapping[int, float]) -> float:
    """The part of the question's informative words that the best hit holds, 0–1."""
    wanted = sum(idfs.get(t, 0.0) for t in query.own)
    return min(1.0, max((float(pool.words[i]) for i in best), default=0.0) / wanted) if wanted else 0.0


def feedback(query: Query, brought: Mapping[int, tuple[float, int]], texts: int) -> dict[int, float]:
    """Words that the first hits bring, with their weights times document frequency: pseudo-relevance feedback (RM3, Abdul-Jaleel et al. 2004).

    `brought` maps a term to the sum of its BM25 parts in the first hits and to how many of the user's `texts` hold it.
    """
    values = {t: part * idf(texts, having) for t, (part, having) in brought.items() if t not in query.words}
    best = sorted(values.items(), key=lambda v: (-v[1], v[0]))[:FEEDBACK_WORDS]
    return {t: FEEDBACK * value / best[0][1] * idf(texts, brought[t][1]) for t, value in best} if best and best[0][1] > 0 else {}


def standing(memories: Memories, query: Query, *, now: datetime, running: str = "") -> dict[str, Floats]:
    """The parts of each memory's score that do not rest on how well it matches. `running` is the session that is going on."""
    return {
        "asks": ASKS * memories.asks,
        "speaker": _speakers(memories, query),
        "when": _when(memories, query, running),
        "importance": IMPORTANCE * memories.importance,
        "time": _recency(memories, now, running),
        "kind": FACT * memories.fact + PAST * (query.past & ~memories.current),
    }


def rank(pool: Pool, beside: Mapping[str, Floats]) -> Ranking:
    """Every memory of the pool in order; equal scores keep the pool's order. `beside` are the parts that `standing` gives."""
    memories = pool.memories
    if not len(memories):
        return Ranking(np.zeros(0, np.intp), np.zeros(0), {})
    words, meaning = scaled(pool.words), stretched(pool.meaning)
    match = words + MEANING * meaning
    nearby = _smoothed(match, *memories.beside) - match
    lifted = match * (2 * NEIGHBOUR) + SESSION * match / max(float(match.max()), 1e-9)
    parts: dict[str, Floats] = {
        "words": words,
        "meaning": MEANING * meaning,
        "neighbours": np.where(memories.fact, lifted, nearby),
        "session": SESSION * _sessions(memories.codes, match + nearby),
        **beside,
    }
    score: Floats = np.sum(list(parts.values()), axis=0)
    return Ranking(np.argsort(-score, kind="stable"), score, parts)


def scaled(values: Floats) -> Floats:
    """Over the maximum, so that the best is 1; all zeros stay."""
    top = float(values.max(initial=0.0))
    return values / top if top > 0 else np.zeros_like(values)


def stretched(values: Floats) -> Floats:
    """To 0–1 between the least and the greatest; equal values become 0."""
    low, high = float(values.min()), float(values.max())
    return (values - low) / (high - low) if high > low else np.zeros_like(values)


def _smoothed(score: Floats, before: NDArray[np.intp], after: NDArray[np.intp]) -> Floats:
    for part in (NEIGHBOUR, NEIGHBOUR_AGAIN):
        score = score + part * (np.where(before >= 0, score[before], 0.0) + np.where(after >= 0, score[after], 0.0))
    return score


def _sessions(codes: NDArray[np.int64], score: Floats) -> Floats:
    """The mean of the session's best turns, stretched over all sessions; 0 when there is only one."""
    count = int(codes.max(initial=-1)) + 1
    if count < 2:
        return np.zeros(len(codes))
    order = np.lexsort((-score, codes))
    order = order[codes[order] >= 0]
    sorted_codes = codes[order]
    place = np.arange(len(order)) - np.searchsorted(sorted_codes, sorted_codes)
    top = order[place < SESSION_TURNS]
    sums = np.bincount(codes[top], weights=score[top], minlength=count)
    means = stretched(sums / np.maximum(np.bincount(codes[top], minlength=count), 1))
    return np.where(codes >= 0, means[codes], 0.0)


def _speakers(memories: Memories, query: Query) -> Floats:
    """Turns of the one person whom the question names, or of the assistant when it asks what the assistant said."""
    names = memories.speakers
    named = {n for n in names if len(n) > 1 and fold(n) in query.folded} if len(names) > 1 else set()
    who = next(iter(named)) if len(named) == 1 else None
    if who is None and query.role is None:
        return np.zeros(len(memories))
    said = [
        (who is not None and s == who) or (query.role is not None and r == query.role) for s, r in zip(memories.speaker, memories.role, strict=True)
    ]
    lifted: Floats = SPEAKER * (np.array(said) & ~memories.fact).astype(float)
    return lifted


def _when(memories: Memories, query: Query, running: str) -> Floats:
    """What was said on the days, or in the conversation, that the question names."""
    meant = np.zeros(len(memories), bool)
    for span in query.spans:
        meant |= (memories.time >= span.since.timestamp()) & (memories.time < span.until.timestamp())
    others = (memories.codes >= 0) & (memories.codes != memories.sessions.get(running, NOWHERE))
    if query.talk and others.any():
        candidates = np.flatnonzero(others)
        end = candidates[np.argmin(memories.time[candidates]) if query.talk == "first" else np.argmax(memories.time[candidates])]
        meant |= memories.codes == memories.codes[end]
    return WHEN * meant


def _recency(memories: Memories, now: datetime, running: str) -> Floats:
    """0.5^(age/30 days) for facts, exp(-age/3600 s) for turns of the running session, nothing for other episodes."""
    age = np.nan_to_num(np.maximum(0.0, now.timestamp() - memories.time), nan=np.inf)
    fresh = np.where(memories.fact, 0.5 ** (age / 86400 / HALF_LIFE), 0.0)
    if running:
        here = memories.codes == memories.sessions.get(running, NOWHERE)
        fresh = np.where(here, np.exp(-age / RUNNING), fresh)
    recent: Floats = RECENCY * fresh
    return recent
