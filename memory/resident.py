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
from memory.recall import FEEDBACK_HITS, POOL, Floats, Memories, Pool, Ranking, farthest, feedback, scaled, stretched

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


@dataclass(frozen=True, slots=True)
class Postings:
    """The numbers of terms in order, each with the place of a memory that holds it and its part there."""

    numbers: NDArray[np.int32]
    holders: Places
    parts: NDArray[np.float32]

    @staticmethod
    def of(terms: Terms) -> "Postings":
        order = np.argsort(terms.numbers)
        return Postings(terms.numbers[order], np.repeat(np.arange(len(terms.counts)), terms.counts)[order], terms.parts[order])

    def moved(self, places: Places) -> "Postings":
        """With each memory at its new place; -1: it is gone."""
        holders = places[self.holders]
        left = holders >= 0
        return Postings(self.numbers[left], holders[left], self.parts[left])

    def merged(self, other: "Postings") -> "Postings":
        """Both, in order: cheaper than to sort them again."""
        into = np.searchsorted(self.numbers, other.numbers)
        return Postings(
            np.insert(self.numbers, into, other.numbers), np.insert(self.holders, into, other.holders), np.insert(self.parts, into, other.parts)
        )


@dataclass(frozen=True, kw_only=True)
class Resident:
    """All memories of a user at one `version`: facts, whatever their status, then turns, each in the order of their ids. `vectors` has zeros for what is not
    `embedded`, and no columns where nothing is. `horizon`: all that was written by transactions before this one is here. `made`: when, by the server's clock."""

    version: Hashable
    horizon: str
    made: float
    memories: Memories
    superseded: NDArray[np.bool_]
    terms: Terms
    postings: Postings
    embedded: NDArray[np.bool_]
    vectors: Vectors
    _views: dict[tuple[bool, bool, bool, bool], tuple[Places, Memories]] = field(default_factory=dict, repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.memories)

    @property
    def size(self) -> int:
        """Bytes, about: an id, and shares in its row's other columns, take 300."""
        return self.vectors.nbytes + 3 * (self.terms.numbers.nbytes + self.terms.parts.nbytes) + 300 * len(self)

    @cached_property
    def mean(self) -> Vectors | None:
        """The mean vector of current facts and turns; None when there are none."""
        counted = int((self.embedded & self.memories.current).sum())
        together: Vectors = self.vectors.sum(axis=0) - self.vectors[~self.memories.current].sum(axis=0)
        return together / np.float32(counted) if counted else None

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
        # the question in half precision, as Postgres has it; not by BLAS, whose threads wait for each other where another process wants a core
        found = np.einsum("ij,j->i", self.vectors, vector.astype(np.float16).astype(np.float32))
        return np.where(self.embedded, found.astype(np.float64), np.nan)

    def bm25(self, words: Mapping[int, float]) -> Floats:
        """Of every memory."""
        numbers, holders, parts = self.postings.numbers, self.postings.holders, self.postings.parts
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
        numbers = self.postings.numbers
        having = np.searchsorted(numbers, terms, side="right") - np.searchsorted(numbers, terms)
        return {t: (part, n) for t, part, n in zip(terms.tolist(), sums.tolist(), having.tolist(), strict=True)}

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
        return self._merged(changed, np.insert(places, into, new))

    def _merged(self, other: "Resident", places: Places) -> "Resident":
        """These memories and then the other's, in the order of these places; at its version."""
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
        mine = places < len(self)
        moved = np.full(len(self) + len(other), -1, np.intp)
        moved[places] = np.arange(len(places))
        vectors = np.zeros((len(places), max(self.vectors.shape[1], other.vectors.shape[1])), np.float32)
        for part, of, at in ((mine, self.vectors, places[mine]), (~mine, other.vectors, places[~mine] - len(self))):
            if of.shape[1]:
                vectors[part] = of[at]
        return Resident(
            version=other.version, horizon=other.horizon, made=other.made, memories=both.taken(places), terms=terms.taken(places), vectors=vectors,
            postings=self.postings.moved(moved[: len(self)]).merged(other.postings.moved(moved[len(self) :])),
            superseded=np.concatenate((self.superseded, other.superseded))[places], embedded=np.concatenate((self.embedded, other.embedded))[places],
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class View:
    """The memories that one question looks at: their places among all of the user's, and their columns."""

    resident: Resident
    places: Places
    memories: Memories

    def matched(self, words: Mapping[int, float], vector: Vectors | None) -> "tuple[View, Pool]":
        """How they match a question's words, with their weights, and its vector; of more than POOL, the best by words and meaning."""
        bm25, closeness = self.resident.bm25(words)[self.places], self.resident.closeness(vector)[self.places]
        if len(self.places) <= POOL:
            return self, Pool(memories=self.memories, words=bm25, meaning=farthest(closeness))
        score = scaled(bm25) + stretched(farthest(closeness))
        best = np.sort(np.argsort(-score, kind="stable")[:POOL])
        chosen = View(self.resident, self.places[best], self.memories.taken(best))
        return chosen, Pool(memories=chosen.memories, words=bm25[best], meaning=farthest(closeness[best]))

    def fed_back(self, query: Query, ranking: Ranking, texts: int) -> Floats:
        """What the words of the first hits add to each memory's BM25."""
        words = feedback(query, self.resident.brought(self.places[ranking.order[:FEEDBACK_HITS]]), texts)
        return self.resident.bm25(words)[self.places]


def spread(starts: NDArray[np.integer], counts: NDArray[np.integer]) -> Places:
    """The places of ranges, one after the other: from each start, as many as its count."""
    ends = np.cumsum(counts)
    found: Places = np.repeat(starts - (ends - counts), counts) + np.arange(int(ends[-1]) if len(ends) else 0)
    return found
