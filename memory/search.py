"""Hybrid search over one user's facts and episodes: `recall`, the one way anything is looked up for a reply.

On a `MemoryStore` three short reads: statistics (how many of the user's texts hold each word, the mean of their vectors), one scan of exactly this user's
rows that computes BM25 and closeness of meaning for each, and the texts of the hits. No approximate index, no other user's row, no write. On any other
store a plain search, ranked by the same function.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, Literal

import numpy as np
from langgraph.store.base import BaseStore
from psycopg import sql

from memory import ledger
from memory.answerable import answerable
from memory.embedder import Vectors
from memory.items import Cursor, literal
from memory.namespace import namespace
from memory.query import Query, understand
from memory.recall import CENTRE, Candidate, Filter, Hit, Recalled, idf, rank, share
from memory.record import Memory, Status
from memory.searchable import fact_terms, fact_text
from memory.store import MemoryStore
from memory.words import sparse, weights

Kind = Literal["any", "fact", "episode"]

JUDGED: Final = 5  # hits that are looked at for whether they answer the question
POOL: Final = 2000  # candidates that are ranked; a user with fewer memories has all of them ranked
SAMPLE: Final = 1000  # vectors of each kind whose mean stands for the user's


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
    vectors = [await store.query_vector(t) for t in asked.texts] if store.embeddings else []
    async with store.reading() as cur:
        stats = await _statistics(cur, label, asked)
        idfs = {t: idf(stats.texts, stats.having.get(t, 0)) for t in asked.words}
        found = await _scan(
            cur, label, {t: w * idfs[t] for t, w in asked.words.items() if t in stats.having}, _centred(vectors, stats.mean), kind, filter, asked
        )
        ranked = rank(found, asked, now=now, running=running)
        hits = await _hits(cur, label, found, ranked[: max(k, JUDGED)])
    return Recalled(hits=tuple(hits[:k]), answerable=_answerable(asked, found, ranked, hits, idfs))


def _answerable(
    query: Query, found: Sequence[Candidate], ranked: Sequence[tuple[int, float, dict[str, float]]], hits: Sequence[Hit], idfs: Mapping[int, float]
) -> float:
    texts = [fact_text(h.memory) if h.memory else h.text for h in hits[:JUDGED]]
    speakers = sorted({c.speaker for c in found if c.speaker})
    return answerable(query.text, texts, speakers=speakers, share=share(query, found, [i for i, _, _ in ranked[:3]], idfs))


class _Statistics:
    """What a user's memories look like as a whole: how many texts, how many hold each word, and the mean of their vectors."""

    def __init__(self, texts: int, having: Mapping[int, int], mean: Vectors | None) -> None:
        self.texts, self.having, self.mean = texts, having, mean


async def _statistics(cur: Cursor, label: str, query: Query) -> _Statistics:
    await cur.execute("SELECT term, texts FROM memory_words WHERE user_id = %s AND term = ANY (%s) AND texts > 0", (label, [0, *query.words]))
    having = {r["term"]: r["texts"] for r in await cur.fetchall()}
    return _Statistics(having.pop(0, 0), having, await _mean(cur, label))


_MEAN: Final = """
SELECT avg(embedding)::text AS mean FROM (
    (SELECT embedding FROM store_vectors WHERE prefix >= %(first)s AND prefix < %(last)s LIMIT %(n)s)
    UNION ALL (SELECT embedding FROM episode_vectors WHERE user_id = %(label)s LIMIT %(n)s)
) v
"""


async def _mean(cur: Cursor, label: str) -> Vectors | None:
    await cur.execute(_MEAN, {"first": label + ".", "last": label + "/", "label": label, "n": SAMPLE})
    row = await cur.fetchone()
    return np.array(row["mean"][1:-1].split(","), np.float32) if row and row["mean"] else None


def _centred(vectors: Sequence[Vectors], mean: Vectors | None) -> Vectors | None:
    """The mean of the question's vectors, less a share of the user's mean: texts of one user crowd around it, which hides what tells them apart."""
    if not vectors:
        return None
    together: Vectors = np.mean(np.stack(vectors), axis=0)
    return together if mean is None or mean.shape != together.shape else together - CENTRE * mean


_FACTS: Final = """
SELECT 'fact' AS kind, m.key AS id, -(m.terms <#> q.words) AS words, {meaning} AS meaning, (m.record->>'recorded_at')::timestamptz AS time,
    coalesce(m.record->'source'->>'thread', '') AS session, 0 AS position, '' AS speaker, '' AS role, (m.record->>'importance')::float8 AS importance,
    m.status = 'active' AS current
FROM q, memory_versions m
    LEFT JOIN store_vectors v ON v.prefix = m.user_id || '.' || m.category AND v.key = m.key AND v.field_name = 'content'
    LEFT JOIN memory_version_vectors o ON o.user_id = m.user_id AND o.key = m.key
WHERE m.user_id = %(label)s AND m.status = ANY (%(statuses)s) AND {where}
"""
_EPISODES: Final = """
SELECT 'episode' AS kind, m.id, -(m.terms <#> q.words) AS words, {meaning} AS meaning, m.time, m.session, m.position, m.speaker, m.role, m.importance,
    true AS current
FROM q, episodes m LEFT JOIN episode_vectors v ON v.user_id = m.user_id AND v.key = m.id
WHERE m.user_id = %(label)s AND {where}
"""
_SCAN: Final = """
WITH q AS (SELECT %(words)s::sparsevec AS words, %(vector)s::halfvec AS vector),
found AS ({parts}),
-- whoever has more memories than are ranked gets the best by words and meaning
best AS (
    SELECT *, words / nullif(max(words) OVER (), 0) AS w, (meaning - min(meaning) OVER ()) / nullif(max(meaning) OVER () - min(meaning) OVER (), 0) AS n
    FROM found
)
SELECT * FROM best ORDER BY coalesce(w, 0) + coalesce(n, 0) DESC, id LIMIT %(pool)s
"""


async def _scan(
    cur: Cursor, label: str, words: Mapping[int, float], vector: Vectors | None, kind: Kind, filter: Filter, query: Query
) -> list[Candidate]:
    """Every memory that passes the filter, with what ranking needs; at most POOL."""
    params: dict[str, Any] = {
        "label": label, "words": sparse(words), "vector": literal(vector) if vector is not None else None, "pool": POOL,
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
    if not parts:
        return []
    await cur.execute(sql.SQL(_SCAN).format(parts=sql.SQL(" UNION ALL ").join(parts)), params)
    rows = await cur.fetchall()
    least = min((r["meaning"] for r in rows if r["meaning"] is not None), default=0.0)
    return [
        Candidate(
            id=r["id"], kind=r["kind"], words=r["words"] or 0.0, meaning=least if r["meaning"] is None else r["meaning"], time=r["time"],
            session=r["session"], position=r["position"], speaker=r["speaker"], role=r["role"], importance=r["importance"] or 0.0, current=r["current"],
        )
        for r in rows
    ]  # fmt: skip


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


async def _hits(cur: Cursor, label: str, found: Sequence[Candidate], best: Sequence[tuple[int, float, dict[str, float]]]) -> list[Hit]:
    """The best candidates with their texts, in order."""
    keys = [found[i].id for i, _, _ in best if found[i].kind == "fact"]
    ids = [found[i].id for i, _, _ in best if found[i].kind == "episode"]
    facts = {m.key: m for m in await ledger.versions(cur, label, keys=keys)} if keys else {}
    texts: dict[str, Mapping[str, Any]] = {}
    if ids:
        await cur.execute("SELECT id, text, caption, source FROM episodes WHERE user_id = %s AND id = ANY (%s)", (label, ids))
        texts = {r["id"]: r for r in await cur.fetchall()}
    hits = []
    for i, score, parts in best:
        c = found[i]
        if c.kind == "fact" and c.id in facts:
            m = facts[c.id]
            hits.append(
                Hit(id=c.id, kind="fact", text=m.content or m.value, score=score, parts=parts, time=m.recorded_at, session=c.session, memory=m)
            )
        elif c.kind == "episode" and c.id in texts:
            row = texts[c.id]
            text = f"{row['text']} [{row['caption']}]" if row["caption"] else row["text"]
            hits.append(Hit(id=c.id, kind="episode", text=text, score=score, parts=parts, time=c.time, session=c.session, role=c.role))
    return hits


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
    candidates = [
        Candidate(
            id=m.key, kind="fact", words=sum(w * idfs[t] * terms.get(t, 0.0) for t, w in query.words.items()), meaning=score, time=m.recorded_at,
            importance=m.importance,
        )
        for (m, score), terms in zip(facts, counted, strict=True)
    ]  # fmt: skip
    ranked = rank(candidates, query, now=now)
    hits = [
        Hit(id=m.key, kind="fact", text=m.content or m.value, score=score, parts=parts, time=m.recorded_at, memory=m)
        for i, score, parts in ranked[: max(k, JUDGED)]
        for m in [facts[i][0]]
    ]
    return Recalled(hits=tuple(hits[:k]), answerable=_answerable(query, candidates, ranked, hits, idfs))


def _passes(m: Memory, filter: Filter) -> bool:
    return (
        (filter.attribute is None or m.attribute == filter.attribute) and set(filter.tags) <= set(m.tags) and filter.role in {None, "user"}
        and (not filter.session or m.source.thread in filter.session)
        and (filter.since is None or m.recorded_at >= filter.since) and (filter.until is None or m.recorded_at <= filter.until)
    )  # fmt: skip
