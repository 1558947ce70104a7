"""Hybrid search over one user's facts and episodes: `recall`, the one way anything is looked up for a reply.

On a `MemoryStore` a few short reads: statistics (the version of the user's memories, how many texts hold each word), one scan of exactly this user's rows
that computes BM25 and closeness of meaning for each, and the texts of the hits. An answer is kept in a cache until the version changes. No approximate index, no other user's row, no write. On any other
store a plain search, ranked by the same function.
"""

import asyncio
import logging
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import compress, repeat
from typing import Any, Final, Literal
from weakref import WeakKeyDictionary

import numpy as np
import orjson
from langgraph.store.base import BaseStore
from numpy.typing import NDArray
from psycopg import sql
from psycopg.rows import tuple_row

from memory import ledger
from memory.answerable import answerable
from memory.binary import halfvec, sparsevec, vector_of
from memory.cache import Cache
from memory.database import retried
from memory.embedder import Vectors
from memory.errors import MemoryUnavailable
from memory.items import Cursor
from memory.namespace import namespace
from memory.query import Query, understand
from memory.recall import CENTRE, FEEDBACK_HITS, Filter, Hit, Pool, Ranking, Recalled, feedback, idf, rank, share
from memory.record import Memory, Status, fingerprint
from memory.rerank import CANDIDATES, Reranker
from memory.searchable import fact_terms, fact_text
from memory.store import MemoryStore
from memory.words import weights

log = logging.getLogger(__name__)
Kind = Literal["any", "fact", "episode"]

JUDGED: Final = 5  # hits that are looked at for whether they answer the question
POOL: Final = 2000  # candidates that are ranked; a user with fewer memories has all of them ranked
SAMPLE: Final = 1000  # vectors of each kind whose mean stands for the user's


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
    statistics, vectors = await asyncio.gather(_statistics(store, label, asked), _vectors(store, asked))
    key = _key(store, statistics, asked, k, kind, filter, now, running)
    if statistics.version and (known := caches.answers.get(key)) is not None:
        return known
    mean = caches.means.get(statistics.version)
    async with store.recalling() as cur:
        if mean is None and vectors:
            mean = await _mean(cur, label)
            if mean is not None and statistics.version:
                caches.means.put(statistics.version, mean)
        idfs = {t: idf(statistics.texts, statistics.having.get(t, 0)) for t in asked.words}
        words = {t: w * idfs[t] for t, w in asked.words.items() if t in statistics.having}
        pool = await _pool(cur, label, words, _centred(vectors, mean), kind, filter, asked, everything=statistics.texts <= POOL)
        ranking = rank(pool, asked, now=now, running=running)
        if len(pool) > FEEDBACK_HITS and words:
            pool = replace(pool, words=pool.words + await _feedback(cur, label, asked, pool, ranking, statistics.texts))
            ranking = rank(pool, asked, now=now, running=running)
        hits = await _hits(cur, label, pool, ranking, max(k, JUDGED, CANDIDATES if store.reranker else 0))
    if store.reranker:
        hits = await _reranked(store.reranker, asked.text, hits)
    found = Recalled(hits=tuple(hits[:k]), answerable=_answerable(asked, pool, ranking, hits, idfs))
    if statistics.version:
        caches.answers.put(key, found)
    return found


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
    """Of one store: answers, and the mean vector of users, both under a version of the user's memories."""

    def __init__(self) -> None:
        self.answers: Cache[Recalled] = Cache()
        self.means: Cache[Vectors] = Cache()


_CACHES: Final[WeakKeyDictionary[MemoryStore, _Caches]] = WeakKeyDictionary()


def _key(
    store: MemoryStore, statistics: "_Statistics", query: Query, k: int, kind: Kind, filter: Filter, now: datetime, running: str
) -> tuple[Hashable, str]:
    """User and version, and the MD5 of all else that the answer depends on. Within a minute, the time is taken to stand still."""
    embedder = getattr(store.embeddings, "name", "")
    asked = (query.text.strip(), query.texts, sorted(query.words.items()), k, kind, filter, now.timestamp() // 60, running, embedder)
    return statistics.version, fingerprint(repr(asked))


async def _vectors(store: MemoryStore, query: Query) -> list[Vectors]:
    return [await store.query_vector(t) for t in query.texts] if store.embeddings else []


def _answerable(query: Query, pool: Pool, ranking: Ranking, hits: Sequence[Hit], idfs: Mapping[int, float]) -> float:
    texts = [fact_text(h.memory) if h.memory else h.text for h in hits[:JUDGED]]
    speakers = sorted(set(pool.speaker) - {""})
    return answerable(query.text, texts, speakers=speakers, share=share(query, pool, ranking.order[:3].tolist(), idfs))


@dataclass(frozen=True, slots=True)
class _Statistics:
    """What a user's memories look like as a whole: their version (None for a user without any), how many texts, how many hold each word."""

    version: Hashable
    texts: int
    having: Mapping[int, int]


_STATISTICS: Final = """
SELECT (SELECT array[version::float8, extract(epoch FROM created_at)] FROM memory_users WHERE user_id = %(label)s) AS version,
    array_agg(term) AS terms, array_agg(texts) AS counts
FROM memory_words WHERE user_id = %(label)s AND term = ANY (%(terms)s) AND texts > 0
"""


async def _statistics(store: MemoryStore, label: str, query: Query) -> _Statistics:
    async with store.recalling() as cur:
        await cur.execute(_STATISTICS, {"label": label, "terms": [0, *query.words]})
        row = await cur.fetchone()
    having = dict(zip(row["terms"] or (), row["counts"] or (), strict=True)) if row else {}
    version = (label, *row["version"]) if row and row["version"] else None
    return _Statistics(version, having.pop(0, 0), having)


_MEAN: Final = """
SELECT avg(embedding)::text AS mean FROM (
    (SELECT embedding FROM store_vectors WHERE prefix >= %(first)s AND prefix < %(last)s LIMIT %(n)s)
    UNION ALL (SELECT embedding FROM episode_vectors WHERE user_id = %(label)s LIMIT %(n)s)
) v
"""


async def _mean(cur: Cursor, label: str) -> Vectors | None:
    await cur.execute(_MEAN, {"first": label + ".", "last": label + "/", "label": label, "n": SAMPLE})
    row = await cur.fetchone()
    return vector_of(row["mean"]) if row and row["mean"] else None


def _centred(vectors: Sequence[Vectors], mean: Vectors | None) -> Vectors | None:
    """The mean of the question's vectors, less a share of the user's mean: texts of one user crowd around it, which hides what tells them apart."""
    if not vectors:
        return None
    together: Vectors = np.mean(np.stack(vectors), axis=0)
    return together if mean is None or mean.shape != together.shape else together - CENTRE * mean


_FACTS: Final = """
SELECT true AS fact, m.key AS id, -(m.terms <#> q.words) AS words, {meaning} AS meaning,
    date_part('epoch', (m.record->>'recorded_at')::timestamptz) AS time, coalesce(m.record->'source'->>'thread', '') AS session, 0 AS position,
    '' AS speaker, '' AS role, (m.record->>'importance')::float8 AS importance, m.status = 'active' AS current, 0 AS asks
FROM q, memory_versions m
    LEFT JOIN store_vectors v ON v.prefix = m.user_id || '.' || m.category AND v.key = m.key AND v.field_name = 'content'
    LEFT JOIN memory_version_vectors o ON o.user_id = m.user_id AND o.key = m.key
WHERE m.user_id = %(label)s AND m.status = ANY (%(statuses)s) AND {where}
"""
_EPISODES: Final = """
SELECT false AS fact, m.id, -(m.terms <#> q.words) AS words, {meaning} AS meaning, date_part('epoch', m.time) AS time, m.session, m.position,
    m.speaker, m.role, m.importance, true AS current, m.asks
FROM q, episodes m LEFT JOIN episode_vectors v ON v.user_id = m.user_id AND v.key = m.id
WHERE m.user_id = %(label)s AND {where}
"""
# whoever has more memories than are ranked gets the best by words and meaning
_BEST: Final = """
, scored AS (
    SELECT *, words / nullif(max(words) OVER (), 0) AS w, (meaning - min(meaning) OVER ()) / nullif(max(meaning) OVER () - min(meaning) OVER (), 0) AS n
    FROM found
), best AS (SELECT * FROM scored ORDER BY coalesce(w, 0) + coalesce(n, 0) DESC, id LIMIT %(pool)s)
"""
_COLUMNS: Final = """
WITH q AS MATERIALIZED (SELECT %(words)s::sparsevec AS words, %(vector)s::halfvec AS vector), found AS ({parts}){best}
SELECT json_agg(id)::text, json_agg(session)::text, json_agg(speaker)::text, json_agg(role)::text, array_agg(fact), array_agg(current), array_agg(position),
    array_agg(coalesce(words, 0)), array_agg(coalesce(meaning, 'NaN')), array_agg(time), array_agg(coalesce(importance, 0)), array_agg(asks::float8)
FROM {source}
"""


async def _pool(
    cur: Cursor, label: str, words: Mapping[int, float], vector: Vectors | None, kind: Kind, filter: Filter, query: Query, *, everything: bool
) -> Pool:
    """The user's memories that pass the filter, with what ranking needs: all of them, or the POOL best."""
    params: dict[str, Any] = {
        "label": label, "words": sparsevec(words), "vector": halfvec(vector) if vector is not None else None, "pool": POOL,
        "statuses": _statuses(filter, query), "category": filter.category, "attribute": filter.attribute, "tags": list(filter.tags),
        "role": filter.role, "sessions": list(filter.session), "since": filter.since, "until": filter.until,
    }  # fmt: skip
    parts = []
    if kind != "episode" and filter.role in {None, "user"}:
        meaning = "-(coalesce(v.embedding, o.embedding) <#> q.vector)" if vector is not None else "NULL::float8"
        parts.append(sql.SQL(_FACTS).format(meaning=sql.SQL(meaning), where=_where(filter, fact=True)))
    if kind != "fact" and not (filter.category or filter.attribute or filter.tags):
        meaning = "-(v.embedding <#> q.vector)" if vector is not None else "NULL::float8"
        parts.append(sql.SQL(_EPISODES).format(meaning=sql.SQL(meaning), where=_where(filter, fact=False)))
    row: tuple[Any, ...] = (None,) * 12
    if parts:
        statement = sql.SQL(_COLUMNS).format(
            parts=sql.SQL(" UNION ALL ").join(parts), best=sql.SQL("" if everything else _BEST), source=sql.SQL("found" if everything else "best")
        )
        async with cur.connection.cursor(row_factory=tuple_row, binary=True) as columns:
            await columns.execute(statement, params)
            row = await columns.fetchone() or row
    ids, session, speaker, role = (orjson.loads(column or "[]") for column in row[:4])
    fact, current = (np.array(column or (), bool) for column in row[4:6])
    bm25, closeness, time, importance, asks = (np.array(column or (), float) for column in row[7:])
    least = np.nanmin(closeness) if np.isfinite(closeness).any() else 0.0
    return Pool(
        ids=ids, fact=fact, words=bm25, meaning=np.nan_to_num(closeness, nan=least), time=time, session=session,
        position=np.array(row[6] or (), np.int64), speaker=speaker, role=role, importance=importance, current=current, asks=asks,
    )  # fmt: skip


_BROUGHT: Final = """
WITH hits AS (
    SELECT terms FROM episodes WHERE user_id = %(label)s AND id = ANY (%(ids)s)
    UNION ALL SELECT terms FROM memory_versions WHERE user_id = %(label)s AND key = ANY (%(keys)s)
), parts AS (
    SELECT split_part(e, ':', 1)::integer AS term, split_part(e, ':', 2)::float8 AS part
    FROM hits, string_to_table(btrim(split_part(terms::text, '/', 1), '{}'), ',') e WHERE e <> ''
)
SELECT term, sum(part) AS part, max(texts) AS texts FROM parts JOIN memory_words w USING (term) WHERE w.user_id = %(label)s GROUP BY term
"""
_MORE: Final = """
SELECT (SELECT json_object_agg(key, words) FROM (
    SELECT key, -(terms <#> %(words)s::sparsevec) AS words FROM memory_versions WHERE user_id = %(label)s
) m WHERE words > 0)::text AS facts, (SELECT json_object_agg(id, words) FROM (
    SELECT id, -(terms <#> %(words)s::sparsevec) AS words FROM episodes WHERE user_id = %(label)s
) m WHERE words > 0)::text AS episodes
"""


async def _feedback(cur: Cursor, label: str, query: Query, pool: Pool, ranking: Ranking, texts: int) -> NDArray[np.float64]:
    """What the words of the first hits add to each memory's BM25."""
    first = ranking.order[:FEEDBACK_HITS].tolist()
    keys, ids = [pool.ids[i] for i in first if pool.fact[i]], [pool.ids[i] for i in first if not pool.fact[i]]
    await cur.execute(_BROUGHT, {"label": label, "ids": ids, "keys": keys})
    brought = {r["term"]: (r["part"], r["texts"]) for r in await cur.fetchall()}
    added = np.zeros(len(pool))
    if words := feedback(query, brought, texts):
        await cur.execute(_MORE, {"label": label, "words": sparsevec(words)})
        found = await cur.fetchone()
        assert found is not None
        for kind, column in ((True, found["facts"]), (False, found["episodes"])):
            values: dict[str, float] = orjson.loads(column or "{}")
            places = pool.fact == kind
            added[places] = np.fromiter(map(values.get, compress(pool.ids, places.tolist()), repeat(0.0)), np.float64)
    return added


def _statuses(filter: Filter, query: Query) -> list[str]:
    """A question about how it was sees past versions too, unless the filter says otherwise."""
    validity = filter.validity if filter.validity != "auto" else "any" if query.past else "current"
    return {"current": [Status.ACTIVE.value], "past": [Status.SUPERSEDED.value], "any": [Status.ACTIVE.value, Status.SUPERSEDED.value]}[validity]


def _where(filter: Filter, *, fact: bool) -> sql.Composable:
    """Conditions that are asked for, on memory_versions or episodes."""
    when = "(m.record->>'recorded_at')::timestamptz" if fact else "m.time"
    conditions = []
    if fact:
        conditions += ["m.category = %(category)s"] if filter.category else []
        conditions += ["m.attribute = %(attribute)s"] if filter.attribute else []
        conditions += ["m.record->'tags' ?& %(tags)s::text[]"] if filter.tags else []
        conditions += ["m.record->'source'->>'thread' = ANY (%(sessions)s)"] if filter.session else []
    else:
        conditions += ["m.role = %(role)s"] if filter.role else []
        conditions += ["m.session = ANY (%(sessions)s)"] if filter.session else []
    conditions += [f"{when} >= %(since)s"] if filter.since else []
    conditions += [f"{when} <= %(until)s"] if filter.until else []
    return sql.SQL(" AND ".join(conditions) or "TRUE")


_TEXTS: Final = f"""
SELECT v.key AS fact, NULL AS id, {ledger.VERSION}, NULL AS text, NULL AS caption, NULL AS session, NULL AS role, NULL::timestamptz AS time
FROM {ledger.VERSIONS} WHERE v.user_id = %(label)s AND v.key = ANY (%(keys)s)
UNION ALL SELECT NULL, id, NULL, NULL, NULL, NULL, NULL, text, caption, session, role, time
FROM episodes WHERE user_id = %(label)s AND id = ANY (%(ids)s)
"""


async def _hits(cur: Cursor, label: str, pool: Pool, ranking: Ranking, k: int) -> list[Hit]:
    """The k best with their texts, in order."""
    best = ranking.order[:k].tolist()
    keys = [pool.ids[i] for i in best if pool.fact[i]]
    ids = [pool.ids[i] for i in best if not pool.fact[i]]
    await cur.execute(_TEXTS, {"label": label, "keys": keys, "ids": ids})
    rows = await cur.fetchall()
    facts = {r["fact"]: ledger.memory_of(r) for r in rows if r["id"] is None}
    turns = {r["id"]: r for r in rows if r["id"] is not None}
    hits = []
    for i in best:
        id, score, parts = pool.ids[i], float(ranking.score[i]), ranking.parts_of(i)
        if pool.fact[i] and (m := facts.get(id)) is not None:
            hits.append(_fact_hit(m, score, parts))
        elif not pool.fact[i] and (row := turns.get(id)) is not None:
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
    pool = Pool(
        ids=[m.key for m, _ in facts], fact=np.ones(n, bool), meaning=np.array([score for _, score in facts], float),
        words=np.array([sum(w * idfs[t] * terms.get(t, 0.0) for t, w in query.words.items()) for terms in counted], float),
        time=np.array([m.recorded_at.timestamp() for m, _ in facts], float), session=[""] * n, position=np.zeros(n, np.int64), speaker=[""] * n,
        role=[""] * n, importance=np.array([m.importance for m, _ in facts], float), current=np.ones(n, bool), asks=np.zeros(n),
    )  # fmt: skip
    ranking = rank(pool, query, now=now)
    hits = [_fact_hit(facts[i][0], float(ranking.score[i]), ranking.parts_of(i)) for i in ranking.order[: max(k, JUDGED)].tolist()]
    return Recalled(hits=tuple(hits[:k]), answerable=_answerable(query, pool, ranking, hits, idfs))


def _passes(m: Memory, filter: Filter) -> bool:
    return (
        (filter.attribute is None or m.attribute == filter.attribute) and set(filter.tags) <= set(m.tags) and filter.role in {None, "user"}
        and (not filter.session or m.source.thread in filter.session)
        and (filter.since is None or m.recorded_at >= filter.since) and (filter.until is None or m.recorded_at <= filter.until)
    )  # fmt: skip
