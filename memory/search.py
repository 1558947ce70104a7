"""Hybrid search over one user's facts and episodes: `recall`, the one way anything is looked up for a reply.

On a `MemoryStore` a few short reads, no write: statistics while the question is embedded, and the texts of the hits. The memories of users who were asked
for lately are kept in the process (`memory.resident`), and what passes a filter is asked of Postgres; those of users who have too many are found by Postgres
in one scan of exactly this user's rows (`memory.candidates`). Both give the same. Answers are kept in a cache; everything kept is dropped or renewed when the user's
version changes. On any other store a plain search, ranked by the same function.
"""

import asyncio
import logging
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np
from langgraph.store.base import BaseStore

from memory import ledger
from memory.answerable import answerable
from memory.cache import Cache
from memory.candidates import Kind, Statistics, best, fed_back, mean, passing, statistics, statuses
from memory.database import retried
from memory.embedder import Vectors
from memory.errors import MemoryUnavailable
from memory.items import Cursor
from memory.load import load, renew
from memory.namespace import namespace
from memory.query import Query, understand
from memory.recall import CENTRE, FEEDBACK_HITS, POOL, Filter, Hit, Memories, Pool, Ranking, Recalled, idf, rank, share, standing
from memory.record import Memory, Status, fingerprint
from memory.rerank import CANDIDATES, Reranker
from memory.resident import Resident, View
from memory.searchable import fact_terms, fact_text
from memory.store import MemoryStore
from memory.words import weights

log = logging.getLogger(__name__)
JUDGED: Final = 5  # hits that are looked at for whether they answer the question
KEPT_SECONDS: Final = 3600.0
KEPT: Final = 128_000_000  # bytes of users' memories that are kept in the process; 1,000 with vectors of 384 dimensions take 2.3 MB
LARGEST: Final = 1 / 8  # of KEPT: what one user may take, 7,000 such memories; whoever has more is searched by Postgres
TEXT: Final = 750  # bytes of a memory beside its vector


@retried
async def recall(
    store: BaseStore,
    user: object,
    query: str,
    *,
    history: Sequence[str] = (),
    k: int = 3,
    kind: Kind = "any",
    filter: Filter = Filter(),  # noqa: B008  (frozen)
    now: datetime | None = None,
    running: str = "",
) -> Recalled:
    """The user's k memories that bear on `query`, best first; always k when that many pass the filter.

    `history` holds earlier turns of the conversation, oldest first. `now` (aware) is the time of the question; `running` the session that is going on,
    whose fresh turns are lifted. Raises BadInput for a bad user id, MemoryUnavailable when Postgres cannot be reached.
    """
    now = now or datetime.now(UTC)
    asked = understand(query, history, now)
    if k <= 0:
        return Recalled()
    if not isinstance(store, MemoryStore):
        return await _plain(store, user, asked, k=k, kind=kind, filter=filter, now=now)
    label = ledger.label_of(user)
    caches = _CACHES.setdefault(store, _Caches())
    key = _key(store, label, asked, k, kind, filter, now, running)
    known, vectors = await asyncio.gather(_known(store, caches, label, asked, key, kind, filter), _vectors(store, asked))
    if known.answer is not None:
        return known.answer
    of_user, view = known.statistics, known.view
    idfs = {t: idf(of_user.texts, of_user.having.get(t, 0)) for t in asked.words}
    words = {t: w * idfs[t] for t, w in asked.words.items() if t in of_user.having}
    vector = _centred(vectors, known.mean)
    async with store.recalling() as cur:
        if view:
            view, pool = view.matched(words, vector)
        else:
            pool = await best(cur, label, words, vector, kind, filter, past=asked.past)
        beside = standing(pool.memories, asked, now=now, running=running)
        ranking = rank(pool, beside)
        if len(pool.memories) > FEEDBACK_HITS and words:
            more = view.fed_back(asked, ranking, of_user.texts) if view else await fed_back(cur, label, asked, pool, ranking, of_user.texts)
            pool = replace(pool, words=pool.words + more)
            ranking = rank(pool, beside)
        hits = await _hits(cur, label, pool.memories, ranking, max(k, JUDGED, CANDIDATES if store.reranker else 0))
    if store.reranker:
        hits = await _reranked(store.reranker, asked.text, hits)
    found = Recalled(hits=tuple(hits[:k]), answerable=_answerable(asked, pool, ranking, hits, idfs))
    if of_user.version:
        caches.answers.put((of_user.version, key), found)
    return found


def _centred(vectors: Sequence[Vectors], mean: Vectors | None) -> Vectors | None:
    """The mean of the question's vectors, less a share of the user's mean: texts of one user crowd around it, which hides what tells them apart."""
    if not vectors:
        return None
    together: Vectors = np.mean(np.stack(vectors), axis=0)
    return together if mean is None or mean.shape != together.shape else together - CENTRE * mean


async def _reranked(reranker: Reranker, query: str, hits: Sequence[Hit]) -> list[Hit]:
    """The first CANDIDATES in the reranker's order, the rest behind them. A reranker that fails leaves the order as it was."""
    first, rest = hits[:CANDIDATES], hits[CANDIDATES:]
    try:
        scores = await reranker.score(query, [h.text for h in first])
    except MemoryUnavailable as error:
        log.warning("not reranked: %s", error)
        return list(hits)
    order = sorted(range(len(first)), key=lambda i: -scores[i])
    placed = [(first[i], first[place].score) for place, i in enumerate(order)]  # the scores stay, the memories move
    return [replace(h, score=score, parts={**h.parts, "rerank": score - h.score}) for h, score in placed] + list(rest)


class _Caches:
    """Of one store: answers and the mean vector of users, under a version of the user's memories; the memories of users, with the version they belong to."""

    def __init__(self) -> None:
        self.answers: Cache[Recalled] = Cache()
        self.means: Cache[Vectors] = Cache()
        self.residents: Cache[Resident] = Cache(entries=KEPT, seconds=KEPT_SECONDS)


_CACHES: Final[WeakKeyDictionary[MemoryStore, _Caches]] = WeakKeyDictionary()


def _key(store: MemoryStore, label: str, query: Query, k: int, kind: Kind, filter: Filter, now: datetime, running: str) -> tuple[str, str]:
    """User, and the MD5 of all else that the answer depends on. Within a minute, the time is taken to stand still."""
    embedder = getattr(store.embeddings, "name", "")
    asked = (query.text.strip(), query.texts, sorted(query.words.items()), k, kind, filter, now.timestamp() // 60, running, embedder)
    return label, fingerprint(repr(asked))


@dataclass(frozen=True, slots=True)
class _Known:
    """What is had before the question's vector is: the answer, if it was asked before; else what searching rests on. Without a view Postgres searches."""

    statistics: Statistics
    answer: Recalled | None = None
    mean: Vectors | None = None
    view: View | None = None


async def _known(store: MemoryStore, caches: _Caches, label: str, query: Query, key: Hashable, kind: Kind, filter: Filter) -> _Known:
    """Read while the question is embedded."""
    dims = store.index_config["dims"] if store.index_config else 0
    async with store.recalling() as cur:
        found = await statistics(cur, label, query.words)
        if found.version and (answer := caches.answers.get((found.version, key))) is not None:
            return _Known(found, answer)
        if found.texts * (TEXT + 4 * dims) <= KEPT * LARGEST:
            resident = await _resident(cur, caches, label, found.version)
            return _Known(found, mean=resident.mean, view=await _view(cur, label, resident, kind, filter, past=query.past))
        centre = caches.means.get(found.version)
        if centre is None and store.embeddings:
            centre = await mean(cur, label)
            if centre is not None and found.version:
                caches.means.put(found.version, centre)
        return _Known(found, mean=centre)


async def _view(cur: Cursor, label: str, resident: Resident, kind: Kind, filter: Filter, *, past: bool) -> View:
    """What passes the filter; Postgres says what does, unless all of a kind do."""
    if filter != Filter(validity=filter.validity):
        return resident.these(*await passing(cur, label, kind, filter, past=past))
    looked_at = statuses(filter, past=past)
    return resident.view(facts=kind != "episode", turns=kind != "fact", current=Status.ACTIVE in looked_at, superseded=Status.SUPERSEDED in looked_at)


async def _resident(cur: Cursor, caches: _Caches, label: str, version: Hashable) -> Resident:
    """The user's memories, at this version or a later one."""
    kept = caches.residents.get(label)
    if kept is not None and kept.version == version:
        return kept
    found = await load(cur, label) if kept is None else await renew(cur, label, kept)
    if found.version:
        caches.residents.put(label, found, size=found.size)
    return found


async def _vectors(store: MemoryStore, query: Query) -> list[Vectors]:
    return [await store.query_vector(t) for t in query.texts] if store.embeddings else []


def _answerable(query: Query, pool: Pool, ranking: Ranking, hits: Sequence[Hit], idfs: Mapping[int, float]) -> float:
    texts = [fact_text(h.memory) if h.memory else h.text for h in hits[:JUDGED]]
    speakers = sorted(pool.memories.speakers)
    return answerable(query.text, texts, speakers=speakers, share=share(query, pool, ranking.order[:3].tolist(), idfs))


_TEXTS: Final = f"""
SELECT v.key AS fact, NULL AS id, {ledger.VERSION}, NULL AS text, NULL AS caption, NULL AS session, NULL AS role, NULL::timestamptz AS time
FROM {ledger.VERSIONS} WHERE v.user_id = %(label)s AND v.key = ANY (%(keys)s)
UNION ALL SELECT NULL, id, NULL, NULL, NULL, NULL, NULL, text, caption, session, role, time
FROM episodes WHERE user_id = %(label)s AND id = ANY (%(ids)s)
"""


async def _hits(cur: Cursor, label: str, memories: Memories, ranking: Ranking, k: int) -> list[Hit]:
    """The k best with their texts, in order."""
    best = ranking.order[:k].tolist()
    keys = [memories.ids[i] for i in best if memories.fact[i]]
    ids = [memories.ids[i] for i in best if not memories.fact[i]]
    await cur.execute(_TEXTS, {"label": label, "keys": keys, "ids": ids})
    rows = await cur.fetchall()
    facts = {r["fact"]: ledger.memory_of(r) for r in rows if r["id"] is None}
    turns = {r["id"]: r for r in rows if r["id"] is not None}
    hits = []
    for i in best:
        id, score, parts = memories.ids[i], float(ranking.score[i]), ranking.parts_of(i)
        if memories.fact[i] and (m := facts.get(id)) is not None:
            hits.append(_fact_hit(m, score, parts))
        elif not memories.fact[i] and (row := turns.get(id)) is not None:
            text = f"{row['text']} [{row['caption']}]" if row["caption"] else row["text"]
            hits.append(Hit(id=id, kind="episode", text=text, score=score, parts=parts, time=row["time"], session=row["session"], role=row["role"]))
    return hits


def _fact_hit(m: Memory, score: float, parts: Mapping[str, float]) -> Hit:
    return Hit(
        id=m.key, kind="fact", text=m.content or m.value, score=score, parts=parts, time=m.recorded_at, session=m.source.thread or "", memory=m
    )


async def _plain(store: BaseStore, user: object, query: Query, *, k: int, kind: Kind, filter: Filter, now: datetime) -> Recalled:
    """Facts of any other store: its own search for the meaning, words counted here."""
    if kind == "episode" or filter.validity == "past":
        return Recalled()
    found = await store.asearch(namespace(user, filter.category), query=query.text, limit=POOL)
    facts: list[tuple[Memory, float]] = []
    for item in found:
        try:
            memory = Memory.from_json(item.value)
        except (TypeError, ValueError, KeyError):
            continue
        if memory.status is Status.ACTIVE and _passes(memory, filter):
            facts.append((memory, item.score or 0.0))
    having: dict[int, int] = {}
    counted = [weights(fact_terms(m)) for m, _ in facts]
    for terms in counted:
        for t in terms:
            having[t] = having.get(t, 0) + 1
    idfs = {t: idf(len(facts), having.get(t, 0)) for t in query.words}
    n = len(facts)
    memories = Memories(
        ids=[m.key for m, _ in facts], fact=np.ones(n, bool),
        time=np.array([m.recorded_at.timestamp() for m, _ in facts], float), session=[""] * n, position=np.zeros(n, np.int64), speaker=[""] * n,
        role=[""] * n, importance=np.array([m.importance for m, _ in facts], float), current=np.ones(n, bool), asks=np.zeros(n),
    )  # fmt: skip
    pool = Pool(
        memories=memories, meaning=np.array([score for _, score in facts], float),
        words=np.array([sum(w * idfs[t] * terms.get(t, 0.0) for t, w in query.words.items()) for terms in counted], float),
    )  # fmt: skip
    ranking = rank(pool, standing(memories, query, now=now))
    hits = [_fact_hit(facts[i][0], float(ranking.score[i]), ranking.parts_of(i)) for i in ranking.order[: max(k, JUDGED)].tolist()]
    return Recalled(hits=tuple(hits[:k]), answerable=_answerable(query, pool, ranking, hits, idfs))


def _passes(m: Memory, filter: Filter) -> bool:
    return (
        (filter.attribute is None or m.attribute == filter.attribute) and set(filter.tags) <= set(m.tags) and filter.role in {None, "user"}
        and (filter.session is None or m.source.thread in filter.session)
        and (filter.since is None or m.recorded_at >= filter.since) and (filter.until is None or m.recorded_at <= filter.until)
    )  # fmt: skip
