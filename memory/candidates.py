"""What ranking needs of one user's memories, found by Postgres: statistics, the best by words and meaning, what feedback adds.

For users with more memories than the process keeps (`memory.resident`), the rows of exactly this user are scanned; no approximate index. Filters work inside
the SQL for all users.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from itertools import compress, repeat
from typing import Any, Final, Literal

import numpy as np
import orjson

from memory import columns
from memory.binary import halfvec, sparsevec, vector_of
from memory.embedder import Vectors
from memory.items import Cursor
from memory.query import Query
from memory.recall import FEEDBACK_HITS, POOL, Filter, Floats, Pool, Ranking, farthest, feedback
from memory.record import Status

Kind = Literal["any", "fact", "episode"]

SAMPLE: Final = 1000  # vectors of each kind whose mean stands for the user's


@dataclass(frozen=True, slots=True)
class Statistics:
    """What a user's memories look like as a whole: their version (None for a user without any), how many texts, how many hold each word."""

    version: Hashable
    texts: int
    having: Mapping[int, int]


_STATISTICS: Final = f"""
SELECT {columns.VERSION} AS version, array_agg(term) AS terms, array_agg(texts) AS counts
FROM memory_words WHERE user_id = %(label)s AND term = ANY (%(terms)s) AND texts > 0
"""


async def statistics(cur: Cursor, label: str, words: Mapping[int, float]) -> Statistics:
    """Of this user, and of these words (by number)."""
    await cur.execute(_STATISTICS, {"label": label, "terms": [0, *words]})
    row = await cur.fetchone()
    having = dict(zip(row["terms"] or (), row["counts"] or (), strict=True)) if row else {}
    return Statistics(columns.version(label, row["version"]) if row else None, having.pop(0, 0), having)


_MEAN: Final = """
SELECT avg(embedding)::text AS mean FROM (
    (SELECT embedding FROM store_vectors WHERE prefix >= %(first)s AND prefix < %(last)s LIMIT %(n)s)
    UNION ALL (SELECT embedding FROM episode_vectors WHERE user_id = %(label)s LIMIT %(n)s)
) v
"""


async def mean(cur: Cursor, label: str) -> Vectors | None:
    """The mean vector of the user's current facts and episodes, of at most SAMPLE of each; None when there are none."""
    await cur.execute(_MEAN, {"label": label, "first": label + ".", "last": label + "/", "n": SAMPLE})
    row = await cur.fetchone()
    return vector_of(row["mean"]) if row and row["mean"] else None


def statuses(filter: Filter, *, past: bool) -> list[str]:
    """Of the facts that are looked at. A question about how it was (`past`) sees past versions too, unless the filter says otherwise."""
    validity = filter.validity if filter.validity != "auto" else "any" if past else "current"
    return {"current": [Status.ACTIVE.value], "past": [Status.SUPERSEDED.value], "any": [Status.ACTIVE.value, Status.SUPERSEDED.value]}[validity]


def _where(filter: Filter, *, fact: bool) -> str:
    """Conditions that are asked for, on memory_versions or episodes."""
    when = "(m.record->>'recorded_at')::timestamptz" if fact else "m.time"
    conditions = ["m.user_id = %(label)s"]
    if fact:
        conditions += ["m.status = ANY (%(statuses)s)"]
        conditions += ["m.category = %(category)s"] if filter.category else []
        conditions += ["m.attribute = %(attribute)s"] if filter.attribute else []
        conditions += ["m.record->'tags' ?& %(tags)s::text[]"] if filter.tags else []
        conditions += ["m.record->'source'->>'thread' = ANY (%(sessions)s)"] if filter.session is not None else []
    else:
        conditions += ["m.role = %(role)s"] if filter.role else []
        conditions += ["m.session = ANY (%(sessions)s)"] if filter.session is not None else []
    conditions += [f"{when} >= %(since)s"] if filter.since else []
    conditions += [f"{when} <= %(until)s"] if filter.until else []
    return " AND ".join(conditions)


def _parts(kind: Kind, filter: Filter) -> tuple[bool, bool]:
    """Whether facts, and whether turns, can pass."""
    return kind != "episode" and filter.role in {None, "user"}, kind != "fact" and not (filter.category or filter.attribute or filter.tags)


def _params(label: str, filter: Filter, *, past: bool) -> dict[str, Any]:
    return {
        "label": label, "statuses": statuses(filter, past=past), "category": filter.category, "attribute": filter.attribute, "tags": list(filter.tags),
        "role": filter.role, "sessions": list(filter.session or ()), "since": filter.since, "until": filter.until,
    }  # fmt: skip


async def passing(cur: Cursor, label: str, kind: Kind, filter: Filter, *, past: bool) -> tuple[list[str], list[str]]:
    """The keys of the user's facts, and the ids of his turns, that pass the filter."""
    facts, turns = _parts(kind, filter)
    keys = f"(SELECT json_agg(m.key)::text FROM memory_versions m WHERE {_where(filter, fact=True)})" if facts else "NULL"
    ids = f"(SELECT json_agg(m.id)::text FROM episodes m WHERE {_where(filter, fact=False)})" if turns else "NULL"
    row = await columns.one(cur, f"SELECT {keys}, {ids}", _params(label, filter, past=past))
    return orjson.loads(row[0] or "[]"), orjson.loads(row[1] or "[]")


# whoever has more memories than are ranked gets the best by words and meaning
_BEST: Final = f"""
WITH found AS ({{parts}}), scored AS (
    SELECT *, words / nullif(max(words) OVER (), 0) AS w, (meaning - min(meaning) OVER ()) / nullif(max(meaning) OVER () - min(meaning) OVER (), 0) AS n
    FROM found
), best AS (SELECT * FROM scored ORDER BY coalesce(w, 0) + coalesce(n, 0) DESC, id LIMIT %(pool)s)
SELECT array_agg(coalesce(words, 0)), array_agg(coalesce(meaning, 'NaN')), {columns.COLUMNS} FROM (SELECT * FROM best ORDER BY fact DESC, id) b
"""


async def best(cur: Cursor, label: str, words: Mapping[int, float], vector: Vectors | None, kind: Kind, filter: Filter, *, past: bool) -> Pool:
    """The POOL best of the user's memories that pass the filter; facts first, in the order of their ids."""
    facts, turns = _parts(kind, filter)
    parts = []
    if facts:
        meaning = f"-({columns.FACT_VECTOR} <#> %(vector)s::halfvec)"
        parts.append(
            f"SELECT true AS fact, m.key AS id, -(m.terms <#> %(words)s::sparsevec) AS words, {meaning} AS meaning, {columns.FACT} "
            f"FROM memory_versions m WHERE {_where(filter, fact=True)}"
        )
    if turns:
        meaning = "-(v.embedding <#> %(vector)s::halfvec)"  # turns may be many: joined, not looked up
        parts.append(
            f"SELECT false AS fact, m.id, -(m.terms <#> %(words)s::sparsevec) AS words, {meaning} AS meaning, {columns.EPISODE} "
            f"FROM episodes m LEFT JOIN episode_vectors v ON v.user_id = m.user_id AND v.key = m.id WHERE {_where(filter, fact=False)}"
        )
    asked = {"words": sparsevec(words), "vector": halfvec(vector) if vector is not None else None, "pool": POOL}
    params = {**_params(label, filter, past=past), **asked}
    row = await columns.one(cur, _BEST.replace("{parts}", " UNION ALL ".join(parts)), params) if parts else (None,) * 12
    return Pool(memories=columns.memories(row[2:]), words=columns.floats(row[0]), meaning=farthest(columns.floats(row[1])))


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


async def fed_back(cur: Cursor, label: str, query: Query, pool: Pool, ranking: Ranking, texts: int) -> Floats:
    """What the words of the first hits add to each memory's BM25."""
    ids, fact = pool.memories.ids, pool.memories.fact
    first = ranking.order[:FEEDBACK_HITS].tolist()
    await cur.execute(_BROUGHT, {"label": label, "ids": [ids[i] for i in first if not fact[i]], "keys": [ids[i] for i in first if fact[i]]})
    brought = {r["term"]: (r["part"], r["texts"]) for r in await cur.fetchall()}
    added = np.zeros(len(ids))
    if words := feedback(query, brought, texts):
        await cur.execute(_MORE, {"label": label, "words": sparsevec(words)})
        found = await cur.fetchone()
        assert found is not None
        for kind, column in ((True, found["facts"]), (False, found["episodes"])):
            values: dict[str, float] = orjson.loads(column or "{}")
            places = fact == kind
            added[places] = np.fromiter(map(values.get, compress(ids, places.tolist()), repeat(0.0)), np.float64)
    return added
