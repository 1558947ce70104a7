"""Items in the stock tables: writing, reading, searching, listing. Plain functions over a cursor; `memory.store` decides when and with which vectors.

Search is exact within its namespace: it reads the namespace's range of the vectors' index and never an approximate index over all tenants.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

import orjson
from langgraph.store.base import Item, MatchCondition, SearchItem
from psycopg import AsyncCursor
from psycopg.rows import DictRow

from memory import bulk, filters
from memory.binary import Packed, halfvec, halfvecs, literal, texts
from memory.embedder import Vectors
from memory.pattern import regex

Cursor = AsyncCursor[DictRow]

ALIVE: Final = "(s.expires_at IS NULL OR s.expires_at > now())"
LONG_TTL: Final = 1e7  # minutes; a longer one, or one that is no number, is left to Postgres to judge
MANY: Final = 50  # rows from which on new ones are copied: fewer are written in one statement, which costs fewer round trips


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One item ready to be written: the value as JSON (`dumped`), and the vector of each indexed field. `ttl` in minutes; `keep_ttl`: an item that has
    one keeps it."""

    prefix: str
    key: str
    value: bytes
    vectors: Mapping[str, Vectors] = field(default_factory=dict)
    ttl: float | None = None
    keep_ttl: bool = False


def prefix_of(namespace: Sequence[str]) -> str:
    return ".".join(namespace)


# Rows travel as one JSON parameter: arrays of texts would be escaped element by element, which takes longer than the rest of the write.
_PUT: Final = """
WITH input AS (
    SELECT * FROM jsonb_to_recordset(%(rows)s::jsonb) AS t (prefix text, key text, value jsonb, ttl float8, keep boolean)
), vector AS (
    SELECT * FROM jsonb_to_recordset(%(vectors)s::jsonb) AS t (prefix text, key text, field_name text, embedding text)
), item AS (
    INSERT INTO store AS s (prefix, key, value, created_at, updated_at, expires_at, ttl_minutes)
    SELECT prefix, key, value, clock_timestamp(), clock_timestamp(), now() + make_interval(secs => ttl * 60), ttl
    FROM input ORDER BY prefix, key
    ON CONFLICT (prefix, key) DO UPDATE SET
        value = excluded.value,
        created_at = CASE WHEN s.expires_at <= now() THEN excluded.created_at ELSE s.created_at END,
        updated_at = excluded.updated_at,
        ttl_minutes = CASE WHEN (SELECT keep FROM input i WHERE i.prefix = s.prefix AND i.key = s.key) THEN s.ttl_minutes ELSE excluded.ttl_minutes END,
        expires_at = CASE WHEN (SELECT keep FROM input i WHERE i.prefix = s.prefix AND i.key = s.key)
            THEN now() + make_interval(secs => s.ttl_minutes * 60) ELSE excluded.expires_at END
), stale AS (
    DELETE FROM store_vectors v USING input i
    WHERE v.prefix = i.prefix AND v.key = i.key
        AND NOT EXISTS (SELECT 1 FROM vector n WHERE n.prefix = v.prefix AND n.key = v.key AND n.field_name = v.field_name)
)
INSERT INTO store_vectors AS v (prefix, key, field_name, embedding)
SELECT prefix, key, field_name, embedding::halfvec FROM vector ORDER BY prefix, key, field_name
ON CONFLICT (prefix, key, field_name) DO UPDATE SET embedding = excluded.embedding, updated_at = CURRENT_TIMESTAMP
    WHERE v.embedding IS DISTINCT FROM excluded.embedding
"""


async def put(cur: Cursor, rows: Sequence[Row], *, copied: bool = True) -> None:
    """Write items with their vectors: one by one in effect, in few statements. Vectors of fields that are gone go too. No (prefix, key) may occur twice.

    Of MANY rows those that are new are copied, which is several times as fast, but raises UniqueViolation when another transaction brings one of them at
    the same time: then the caller starts anew with `copied` false.
    """
    rest = await _copied(cur, rows) if copied and len(rows) >= MANY else rows
    if not rest:
        return
    vectors = [{"prefix": r.prefix, "key": r.key, "field_name": name, "embedding": literal(v)} for r in rest for name, v in r.vectors.items()]
    items = [{"prefix": r.prefix, "key": r.key, "value": orjson.Fragment(r.value), "ttl": r.ttl, "keep": r.keep_ttl} for r in rest]
    await cur.execute(_PUT, {"rows": as_json(items), "vectors": as_json(vectors)})


async def _copied(cur: Cursor, rows: Sequence[Row]) -> list[Row]:
    """Append the items that are new and plain; the others."""
    await cur.execute(
        "SELECT clock_timestamp() AS now, array(SELECT n - 1 FROM unnest(%s::text[], %s::text[]) WITH ORDINALITY AS t (prefix, key, n) "
        "WHERE EXISTS (SELECT FROM store s WHERE s.prefix = t.prefix AND s.key = t.key)) AS there",
        (texts([r.prefix for r in rows]), texts([r.key for r in rows])),
    )
    found = await cur.fetchone()
    assert found is not None
    there, began = set(found["there"]), found["now"]
    there |= {i for i, r in enumerate(rows) if r.ttl is not None and not 0 <= r.ttl <= LONG_TTL}
    ordered = sorted((i for i in range(len(rows)) if i not in there), key=lambda i: (rows[i].prefix, rows[i].key))
    new = [rows[i] for i in ordered]
    times = [bulk.timestamp(began + timedelta(microseconds=i)) for i in ordered]  # a later put of the batch is the newer one
    ids = [(bulk.text(r.prefix), bulk.text(r.key)) for r in new]
    ends = [(None, None) if r.ttl is None else (bulk.timestamp(began + timedelta(minutes=r.ttl)), bulk.double(r.ttl)) for r in new]
    await bulk.copy(
        cur, "store", ("prefix", "key", "value", "created_at", "updated_at", "expires_at", "ttl_minutes"),
        [(*at, bulk.jsonb(r.value), when, when, *end) for at, r, when, end in zip(ids, new, times, ends, strict=True)],
    )  # fmt: skip
    fields = [(*at, bulk.text(name)) for at, r in zip(ids, new, strict=True) for name in r.vectors]
    packed = halfvecs([v for r in new for v in r.vectors.values()])
    await bulk.copy(
        cur, "store_vectors", ("prefix", "key", "field_name", "embedding"), [(*at, vector) for at, vector in zip(fields, packed, strict=True)]
    )
    return [rows[i] for i in sorted(there)]


def dumped(value: object) -> bytes:
    """JSON of a clean value, integers of any size included."""
    try:
        return orjson.dumps(value)
    except TypeError:
        return json.dumps(value, ensure_ascii=False).encode()


def as_json(value: object) -> str:
    """`dumped` as a parameter of a statement."""
    return dumped(value).decode()


_LONG: Final = regex(r"\d{16}")


def parsed(text: str) -> Any:
    """JSON as Postgres writes it. Four times as fast as the standard library, which is asked where a number may be longer than 64 bits."""
    return json.loads(text) if _LONG.search(text) else orjson.loads(text)


async def delete(cur: Cursor, keys: Sequence[tuple[str, str]]) -> None:
    """Remove items, by (prefix, key); their vectors follow."""
    await cur.execute(
        "DELETE FROM store s USING unnest(%s::text[], %s::text[]) AS t (prefix, key) WHERE s.prefix = t.prefix AND s.key = t.key",
        ([p for p, _ in keys], [k for _, k in keys]),
    )


async def get(cur: Cursor, keys: Sequence[tuple[str, str]]) -> dict[tuple[str, str], DictRow]:
    """The items that exist and have not expired."""
    await cur.execute(
        f"SELECT s.prefix, s.key, s.value, s.created_at, s.updated_at, s.ttl_minutes FROM store s "
        f"JOIN unnest(%s::text[], %s::text[]) AS t (prefix, key) ON s.prefix = t.prefix AND s.key = t.key WHERE {ALIVE}",
        ([p for p, _ in keys], [k for _, k in keys]),
    )
    return {(r["prefix"], r["key"]): r for r in await cur.fetchall()}


async def refresh(cur: Cursor, keys: Sequence[tuple[str, str]]) -> None:
    """Start the time to live of these items anew, unless they have expired already."""
    await cur.execute(
        "UPDATE store s SET expires_at = now() + make_interval(secs => s.ttl_minutes * 60) FROM unnest(%s::text[], %s::text[]) AS t (prefix, key) "
        "WHERE s.prefix = t.prefix AND s.key = t.key AND s.expires_at > now()",
        ([p for p, _ in keys], [k for _, k in keys]),
    )


def scope(namespace: Sequence[str], alias: str) -> list[tuple[str, list[str]]]:
    """Conditions for the namespace itself and for its children, each one range of an index on ``prefix``; one always-true for the empty namespace."""
    if not namespace:
        return [("TRUE", [])]
    prefix = prefix_of(namespace)
    # "/" follows "." bytewise, so this range holds exactly what begins with "<prefix>."
    return [(f"{alias}.prefix = %s", [prefix]), (f"({alias}.prefix >= %s AND {alias}.prefix < %s)", [prefix + ".", prefix + "/"])]


async def newest(
    cur: Cursor, namespace: Sequence[str], filter: Mapping[str, Any] | None, limit: int, offset: int, *, without_vector: bool = False
) -> list[DictRow]:
    """Items of the namespace and its children, latest change first."""
    spaces = scope(namespace, "s")
    condition, params = filters.where(filter)
    bare = "AND NOT EXISTS (SELECT 1 FROM store_vectors v WHERE v.prefix = s.prefix AND v.key = s.key)" if without_vector else ""
    await cur.execute(
        f"SELECT s.prefix, s.key, s.value, s.created_at, s.updated_at, s.ttl_minutes, NULL::float8 AS score FROM store s "
        f"WHERE ({' OR '.join(sql for sql, _ in spaces)}) AND {condition} AND {ALIVE} {bare} "
        f"ORDER BY s.updated_at DESC, s.prefix, s.key LIMIT %s OFFSET %s",
        [*(p for _, ps in spaces for p in ps), *params, limit, offset],
    )
    return await cur.fetchall()


async def nearest(
    cur: Cursor, namespace: Sequence[str], vector: Vectors, filter: Mapping[str, Any] | None, limit: int, offset: int, distance: str = "cosine"
) -> list[DictRow]:
    """Items by their best vector's closeness, each once; then, where the page has room, those without a vector, with no score.

    `score` is cosine similarity, negative distance (l2) or inner product.
    """
    where: list[str | Packed] = [*span(namespace), halfvec(vector)]
    if not filter:
        await cur.execute(
            f"SELECT prefix, key, value::text AS value, created_at, updated_at, ttl_minutes, d FROM first_items_{distance}(%s, %s, %s, %s::halfvec, %s, %s)",
            [*where, limit, offset],
        )
        found = await cur.fetchall()
        if len(found) == limit:
            return scored(found, distance)
    found, matching = await _nearest_that_match(cur, where, filter or {}, limit, offset, distance)
    if len(found) < limit:
        found += await newest(cur, namespace, filter, limit - len(found), max(0, offset - matching), without_vector=True)
    return found


def span(namespace: Sequence[str]) -> tuple[str, str, str]:
    """The prefix of the namespace itself, and the first and the end of what its children begin with."""
    exact = prefix_of(namespace)
    return (exact, exact + ".", exact + "/") if namespace else ("", "", chr(0x10FFFF))


def scored(page: list[DictRow], distance: str) -> list[DictRow]:
    """Rows with their values as JSON text and a distance `d`: with values and scores."""
    for row in page:
        row["value"], row["score"] = parsed(row["value"]), 1 - row["d"] if distance == "cosine" else -row["d"]
    return page


async def _nearest_that_match(
    cur: Cursor, where: Sequence[str | Packed], filter: Mapping[str, Any], limit: int, offset: int, distance: str
) -> tuple[list[DictRow], int]:
    """A page of the nearest items that pass the filter, and how many of those looked at passed it.

    Candidates are ranked by vector first; when the filter leaves too few of them, four times as many are taken, until the page is full or there are no more.
    """
    condition, params = filters.where(filter)
    score = "1 - d" if distance == "cosine" else "-d"
    sql = (
        f"WITH near AS MATERIALIZED (SELECT * FROM nearest_items_{distance}(%s, %s, %s, %s::halfvec, %s)), page AS ("
        f"SELECT s.prefix, s.key, s.value, s.created_at, s.updated_at, s.ttl_minutes, {score} AS score, row_number() OVER (ORDER BY d, prefix, key) AS nth "
        f"FROM near JOIN store s USING (prefix, key) WHERE {condition} AND {ALIVE}) "
        f"SELECT page.*, c.near, c.kept FROM (SELECT (SELECT count(*) FROM near) AS near, (SELECT count(*) FROM page) AS kept) c "
        f"LEFT JOIN page ON page.nth > %s AND page.nth <= %s ORDER BY page.nth"
    )
    wanted = (limit + offset) * 4
    while True:
        await cur.execute(sql, [*where, wanted, *params, offset, offset + limit])
        rows = await cur.fetchall()
        near, kept = rows[0]["near"], rows[0]["kept"]
        if kept >= limit + offset or near < wanted:
            return [r for r in rows if r["key"] is not None], kept
        wanted *= 4


async def namespaces(cur: Cursor, conditions: Iterable[MatchCondition], max_depth: int | None, limit: int, offset: int) -> list[tuple[str, ...]]:
    """Distinct namespaces in order, cut to `max_depth` labels. Steps from namespace to namespace through the index: the cost does not grow with items."""
    start, end = "", None
    where, params = ["TRUE"], list[Any]()
    for condition in conditions:
        path = list(condition.path)
        fixed = path[: path.index("*")] if "*" in path else path
        if condition.match_type == "prefix" and fixed and prefix_of(fixed) > start:
            start, end = prefix_of(fixed), prefix_of(fixed) + "/"
        at = f"labels[1:{len(path)}]" if condition.match_type == "prefix" else f"labels[cardinality(labels) - {len(path) - 1}:]"
        where.append(f"cardinality(labels) >= {len(path)}")
        for i, label in enumerate(path, start=1):
            if label != "*":
                where.append(f"({at})[{i}] = %s")
                params.append(label)
    upper = " AND prefix < %s" if end else ""
    step = [end] if end else []
    await cur.execute(
        f"WITH RECURSIVE walk AS ("
        f"(SELECT prefix FROM store WHERE prefix >= %s{upper} ORDER BY prefix LIMIT 1) UNION ALL "
        f"SELECT (SELECT s.prefix FROM store s WHERE s.prefix > walk.prefix{upper.replace('prefix', 's.prefix')} ORDER BY s.prefix LIMIT 1) FROM walk "
        f"WHERE walk.prefix IS NOT NULL"
        f"), split AS (SELECT string_to_array(prefix, '.') AS labels, prefix FROM walk WHERE prefix IS NOT NULL "
        f"AND EXISTS (SELECT 1 FROM store s WHERE s.prefix = walk.prefix AND {ALIVE})) "
        f"SELECT DISTINCT labels[1:coalesce(%s::int, cardinality(labels))] AS labels FROM split WHERE {' AND '.join(where)} "
        f"ORDER BY labels LIMIT %s OFFSET %s",
        [start, *step, *step, max_depth, *params, limit, offset],
    )
    return [tuple(r["labels"]) for r in await cur.fetchall()]


def as_item(row: Mapping[str, Any]) -> Item:
    return Item(**_fields(row))


def as_search_item(row: Mapping[str, Any]) -> SearchItem:
    return SearchItem(**_fields(row), score=row["score"])


def _fields(row: Mapping[str, Any]) -> dict[str, Any]:
    created: datetime = row["created_at"]
    return {
        "namespace": tuple(row["prefix"].split(".")),
        "key": row["key"],
        "value": row["value"],
        "created_at": created,
        "updated_at": row["updated_at"],
    }
