"""The memories of one user, kept in the process as numpy's arrays: what Postgres would compute for a question, computed here. Pure: no I/O.

A question then costs a look at the user's version and the texts of the hits; after a write, the rows that were written since (`memory.load`).
"""

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from memory.embedder import Vectors
from memory.query import Query
from memory.recall import FEEDBACK_HITS, Floats, Memories, Pool, Ranking, farthest, feedback

Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Terms:
    """BM25's part of every term of every memory: how many terms each memory has, then their numbers and parts, memory by memory."""

    counts: NDArray[np.int64]
    numbers: NDArray[np.int32]
    parts: NDArray[np.float32]

    def taken(self, places: Places) -> "Terms":
        counts = self.counts[places]
        within = spread((np.cumsum(self.counts) - self.counts)[places], counts)
        return Terms(counts, self.numbers[within], self.parts[within])


@dataclass(frozen=True, kw_only=True)
class Resident:
    """All memories of a user at one `version`: facts, whatever their status, then turns, each in the order of their ids. `vectors` has zeros for what is not
    `embedded`, and no columns where nothing is. `horizon`: all that was written by transactions before this one is here."""

    version: Hashable
    horizon: str
    memories: Memories
    superseded: NDArray[np.bool_]
    terms: Terms
    embedded: NDArray[np.bool_]
    vectors: Vectors
    _views: dict[tuple[bool, bool, bool, bool], tuple[Places, Memories]] = field(default_factory=dict, repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.memories)

    @property
    def size(self) -> int:
        """Bytes, about: an id, and shares in its row's other columns, take 300."""
        return self.vectors.nbytes + 2 * (self.terms.numbers.nbytes + self.terms.parts.nbytes) + 300 * len(self)

    @cached_property
    def mean(self) -> Vectors | None:
        """The mean vector of current facts and turns; None when there are none."""
        counted = self.embedded & self.memories.current
        together: Vectors = counted.astype(np.float32) @ self.vectors
        return together / np.float32(counted.sum()) if counted.any() else None

    def view(self, *, facts: bool, turns: bool, current: bool, superseded: bool) -> "View":
        """Facts that are current or superseded, and turns."""
        key = (facts, turns, current, superseded)
        if key not in self._views:
            m = self.memories
            places = np.flatnonzero((m.fact & facts & ((m.current & current) | (self.superseded & superseded))) | (~m.fact & turns))
            self._views[key] = places, m if len(places) == len(m) else m.taken(places)
        return View(self, *self._views[key])

    def these(self, facts: Iterable[str], turns: Iterable[str]) -> "View":
        """Those of these facts and turns that are here."""
        found = [self._at(id, fact=True) for id in facts] + [self._at(id, fact=False) for id in turns]
        places = np.array(sorted(at for at, there in found if there), np.intp)
        return View(self, places, self.memories.taken(places))

    @cached_property
    def _facts(self) -> int:
        return int(self.memories.fact.sum())

    def _at(self, id: str, *, fact: bool) -> tuple[int, bool]:
        """The place of this fact or turn, or the one it would have; and whether it is there."""
        low, high = (0, self._facts) if fact else (self._facts, len(self))
        at = bisect_left(self.memories.ids, id, low, high)
        return at, at < high and self.memories.ids[at] == id

    def closeness(self, vector: Vectors | None) -> Floats:
        """The inner product of every memory's vector and this one; NaN for what has none."""
        if vector is None or self.vectors.shape[1] != len(vector):
            return np.full(len(self), np.nan)
        found = self.vectors @ vector.astype(np.float16).astype(np.float32)  # in half precision, as Postgres has it
        return np.where(self.embedded, found.astype(np.float64), np.nan)

    def bm25(self, words: Mapping[int, float]) -> Floats:
        """Of every memory."""
        numbers, holders, parts = self._postings
        asked = np.fromiter(words, np.int32, len(words))
        first = np.searchsorted(numbers, asked)
        having = np.searchsorted(numbers, asked, side="right") - first
        within = spread(first, having)
        weights = np.repeat(np.fromiter(words.values(), np.float64, len(words)), having)
        found: Floats = np.bincount(holders[within], weights * parts[within], len(self)).astype(np.float64)
        return found

    def brought(self, places: Places) -> dict[int, tuple[float, int]]:
        """Each term of these memories: the sum of its parts, and how many of the user's texts hold it."""
        taken = self.terms.taken(places)
        terms, which = np.unique(taken.numbers, return_inverse=True)
        sums = np.bincount(which, taken.parts.astype(np.float64), len(terms))
        numbers = self._postings[0]
        having = np.searchsorted(numbers, terms, side="right") - np.searchsorted(numbers, terms)
        return {t: (part, n) for t, part, n in zip(terms.tolist(), sums.tolist(), having.tolist(), strict=True)}

    @cached_property
    def _postings(self) -> tuple[NDArray[np.int32], Places, NDArray[np.float32]]:
        """The terms in order, the place of the memory that holds each, and its part."""
        order = np.argsort(self.terms.numbers)
        holders = np.repeat(np.arange(len(self)), self.terms.counts)
        return self.terms.numbers[order], holders[order], self.terms.parts[order]

    def renewed(self, changed: "Resident") -> "Resident | None":
        """These memories with those in `changed` as they are there, at its version. None when their vectors are of different embedders."""
        if len({n for n in (self.vectors.shape[1], changed.vectors.shape[1]) if n}) > 1:
            return None
        places, new, into = np.arange(len(self)), list[int](), list[int]()
        for i, (id, fact) in enumerate(zip(changed.memories.ids, changed.memories.fact.tolist(), strict=True), len(self)):
            at, there = self._at(id, fact=fact)
            if there:
                places[at] = i
            else:
                new.append(i)
                into.append(at)
        places = np.insert(places, into, new)
        return self._with(changed).taken(places)

    def taken(self, places: Places) -> "Resident":
        """These memories, in this order."""
        return Resident(
            version=self.version, horizon=self.horizon, memories=self.memories.taken(places), superseded=self.superseded[places],
            terms=self.terms.taken(places), embedded=self.embedded[places], vectors=self.vectors[places],
        )  # fmt: skip

    def _with(self, other: "Resident") -> "Resident":
        """These memories, then the other's, at its version."""
        m, n = self.memories, other.memories
        both = Memories(
            ids=[*m.ids, *n.ids], fact=np.concatenate((m.fact, n.fact)), time=np.concatenate((m.time, n.time)), session=[*m.session, *n.session],
            position=np.concatenate((m.position, n.position)), speaker=[*m.speaker, *n.speaker], role=[*m.role, *n.role],
            importance=np.concatenate((m.importance, n.importance)), current=np.concatenate((m.current, n.current)),
            asks=np.concatenate((m.asks, n.asks)),
        )  # fmt: skip
        terms = Terms(
            np.concatenate((self.terms.counts, other.terms.counts)), np.concatenate((self.terms.numbers, other.terms.numbers)),
            np.concatenate((self.terms.parts, other.terms.parts)),
        )  # fmt: skip
        return Resident(
            version=other.version, horizon=other.horizon, memories=both, superseded=np.concatenate((self.superseded, other.superseded)),
            terms=terms, embedded=np.concatenate((self.embedded, other.embedded)),
            vectors=np.concatenate((self._as_wide(other), other._as_wide(self))),
        )  # fmt: skip

    def _as_wide(self, other: "Resident") -> Vectors:
        """Vectors with as many columns as the other's, where none here has a vector."""
        dims = other.vectors.shape[1]
        return self.vectors if self.vectors.shape[1] or not dims else np.zeros((len(self), dims), np.float32)


@dataclass(frozen=True, slots=True)
class View:
    """The memories that one question looks at: their places among all of the user's, and their columns."""

    resident: Resident
    places: Places
    memories: Memories

    def pool(self, words: Mapping[int, float], vector: Vectors | None) -> Pool:
        """How they match a question's words, with their weights, and its vector."""
        resident, places = self.resident, self.places
        return Pool(memories=self.memories, words=resident.bm25(words)[places], meaning=farthest(resident.closeness(vector)[places]))

    def fed_back(self, query: Query, ranking: Ranking, texts: int) -> Floats:
        """What the words of the first hits add to each memory's BM25."""
        words = feedback(query, self.resident.brought(self.places[ranking.order[:FEEDBACK_HITS]]), texts)
        return self.resident.bm25(words)[self.places]


def spread(starts: NDArray[np.integer], counts: NDArray[np.integer]) -> Places:
    """The places of ranges, one after the other: from each start, as many as its count."""
    ends = np.cumsum(counts)
    found: Places = np.repeat(starts - (ends - counts), counts) + np.arange(int(ends[-1]) if len(ends) else 0)
    return found
