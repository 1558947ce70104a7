"""Where vectors lie and how the nearest are found: exactly, within one user's or namespace's range of an index.

Three tables hold vectors (`TABLES`). A b-tree on the owner includes the vector itself, so that a search reads one contiguous range and nothing of other
tenants. A b-tree row holds about 2,700 bytes; wider vectors are cut in parts of `PART` dimensions, kept by a trigger in a table with the same kind of
index, and their distances are put together from the parts.

The searches over items are SQL functions: they carry settings (never a sequential scan, a generic plan) without a transaction or a session to set them in.
"""

from dataclasses import dataclass
from typing import Any, Final

from psycopg import AsyncConnection
from psycopg.types.json import Jsonb

NARROW: Final = 1200  # dimensions whose half-precision vector still fits a b-tree row beside its keys
WIDEST: Final = 4096
PART: Final = 512


@dataclass(frozen=True, slots=True)
class Table:
    """A table with an `embedding`, and the columns of its primary key: the owner, the key, and for items the field."""

    name: str
    keys: tuple[str, ...]


ITEMS: Final = Table("store_vectors", ("prefix", "key", "field_name"))
VERSIONS: Final = Table("memory_version_vectors", ("user_id", "key"))
EPISODES: Final = Table("episode_vectors", ("user_id", "key"))
TABLES: Final = (ITEMS, VERSIONS, EPISODES)
OPERATORS: Final = {"cosine": "<=>", "l2": "<->", "inner_product": "<#>"}


async def lay_out(conn: AsyncConnection[Any], dims: int) -> None:
    """Make the layout fit vectors of `dims` dimensions, moving what is stored already. Cheap when it does. Runs in the caller's transaction."""
    if not 0 < dims <= WIDEST:
        raise ValueError(f"vectors must have 1 to {WIDEST} dimensions, not {dims}")
    wanted = "narrow" if dims <= NARROW else "wide"
    if await _layout(conn) == wanted:
        return
    for table in TABLES:
        for statement in _narrow(table) if wanted == "narrow" else _wide(table):
            await conn.execute(statement.encode())
    await _define(conn, wide=wanted == "wide")
    await conn.execute(
        "INSERT INTO memory_meta (name, value) VALUES ('layout', %s) ON CONFLICT (name) DO UPDATE SET value = excluded.value", (Jsonb(wanted),)
    )


async def define(conn: AsyncConnection[Any]) -> None:
    """Write the search functions anew, for the layout there is: after a migration they are this version's. Runs in the caller's transaction."""
    layout = await _layout(conn)
    if layout is not None:
        await _define(conn, wide=layout == "wide")


async def _layout(conn: AsyncConnection[Any]) -> str | None:
    cursor = await conn.execute("SELECT value FROM memory_meta WHERE name = 'layout'")
    row = await cursor.fetchone()
    return None if row is None else str(row["value"] if isinstance(row, dict) else row[0])


async def _define(conn: AsyncConnection[Any], *, wide: bool) -> None:
    for kind, op in OPERATORS.items():
        await conn.execute(_nearest(kind, op, wide=wide).encode())
        await conn.execute(_first(kind, op, wide=wide).encode())
        await conn.execute(_kept(kind, op).encode())


def _narrow(table: Table) -> list[str]:
    columns = ", ".join(table.keys)
    return [
        f"DROP TRIGGER IF EXISTS split ON {table.name}",
        f"DROP TRIGGER IF EXISTS resplit ON {table.name}",
        f"DROP TABLE IF EXISTS {table.name}_parts",
        # out of line, a vector would be fetched from another table for each index row that is written
        f"ALTER TABLE {table.name} ALTER embedding SET STORAGE PLAIN",
        f"ALTER TABLE {table.name} DROP CONSTRAINT {table.name}_pkey, ADD PRIMARY KEY ({columns}) INCLUDE (embedding)",
    ]


def _wide(table: Table) -> list[str]:
    columns = ", ".join(table.keys)
    owned = ", ".join(f'{k} text COLLATE "C" NOT NULL' for k in table.keys)
    fields = ", ".join(f"n.{k}" for k in table.keys)
    same = " AND ".join(f"p.{k} = n.{k}" for k in table.keys)
    split = (
        f"INSERT INTO {table.name}_parts ({columns}, part, piece, norm) SELECT {fields}, i, subvector(n.embedding, i * {PART} + 1, {PART}), "
        f"l2_norm(n.embedding) "
        f"FROM changed n, generate_series(0, (vector_dims(n.embedding) - 1) / {PART}) i"
    )
    return [
        f"ALTER TABLE {table.name} ALTER embedding SET STORAGE EXTERNAL",
        f"ALTER TABLE {table.name} DROP CONSTRAINT {table.name}_pkey, ADD PRIMARY KEY ({columns})",
        f"CREATE TABLE {table.name}_parts ({owned}, part int NOT NULL, piece halfvec NOT NULL, "
        f"norm real NOT NULL, PRIMARY KEY ({columns}, part) INCLUDE (piece, norm), FOREIGN KEY ({columns}) REFERENCES {table.name} ({columns}) ON DELETE CASCADE)",
        f"ALTER TABLE {table.name}_parts ALTER piece SET STORAGE PLAIN",
        f"CREATE OR REPLACE FUNCTION split_{table.name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        f"DELETE FROM {table.name}_parts p USING changed n WHERE {same}; {split}; RETURN NULL; END $$",
        f"CREATE TRIGGER split AFTER INSERT ON {table.name} REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION split_{table.name}()",
        f"CREATE TRIGGER resplit AFTER UPDATE ON {table.name} REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION split_{table.name}()",
        split.replace("FROM changed n", f"FROM {table.name} n"),
    ]


_FROM_PARTS: Final = {
    "cosine": "coalesce(1 + sum(piece <#> pieces[part + 1]) / nullif(max(norm), 0), 'NaN')",
    "l2": "sqrt(sum(power(piece <-> pieces[part + 1], 2)))",
    "inner_product": "sum(piece <#> pieces[part + 1])",
}


# The functions keep their plans, which a statement sent anew each time would pay for, and never read another tenant's rows, whatever the statistics say.
_SETTINGS: Final = "SET enable_seqscan = off SET enable_bitmapscan = off SET plan_cache_mode = force_generic_plan"
_PIECES: Final = (
    f"pieces halfvec[] := ARRAY(SELECT subvector(query, i * {PART} + 1, {PART}) FROM generate_series(0, (vector_dims(query) - 1) / {PART}) i);"
)


def _candidates(kind: str, op: str, rows: str, *, wide: bool) -> str:
    """A query for the `rows` nearest vectors of one namespace and of those in [low, high): columns o, k, d, one row per vector.

    The namespace itself is sorted without its name: what goes through the sort is copied for every row.
    """
    if wide:
        distance, source, grouped = _FROM_PARTS[kind], "store_vectors_parts", "GROUP BY key, field_name"
    else:
        distance, source, grouped = f"(embedding {op} query)::float8", "store_vectors", ""
    own = (
        f"SELECT exact AS o, k, d FROM (SELECT key AS k, {distance} AS d FROM {source} WHERE prefix = exact {grouped} ORDER BY d, k LIMIT {rows}) own"
    )
    children = f"SELECT prefix, key, {distance} AS d FROM {source} WHERE prefix >= low AND prefix < high {grouped.replace('BY', 'BY prefix,')}"
    return f"({own}) UNION ALL ({children} ORDER BY d, prefix, key LIMIT {rows}) ORDER BY d, o, k LIMIT {rows}"


def _first(kind: str, op: str, *, wide: bool) -> str:
    """The function ``first_items_<kind>``: a page of items by closeness, in one statement. Where items have several vectors, or some have expired, it may
    return fewer than there are: then ``nearest_items_<kind>`` has to be asked."""
    return f"""
        CREATE OR REPLACE FUNCTION first_items_{kind}(exact text, low text, high text, query halfvec, page bigint, skip bigint)
        RETURNS TABLE (prefix text, key text, value jsonb, created_at timestamptz, updated_at timestamptz, ttl_minutes float8, d float8)
        LANGUAGE plpgsql STABLE ROWS 10 {_SETTINGS} AS $$
        #variable_conflict use_column
        {f"DECLARE {_PIECES}" if wide else ""}
        BEGIN
            RETURN QUERY SELECT s.prefix, s.key, s.value, s.created_at, s.updated_at, s.ttl_minutes, n.d FROM (
                SELECT o, k, min(d) AS d FROM ({_candidates(kind, op, "2 * (page + skip)", wide=wide)}) a GROUP BY o, k
            ) n JOIN store s ON s.prefix = n.o AND s.key = n.k
            WHERE s.expires_at IS NULL OR s.expires_at > now() ORDER BY n.d, n.o, n.k LIMIT page OFFSET skip;
        END $$
    """


def _nearest(kind: str, op: str, *, wide: bool) -> str:
    """The function ``nearest_items_<kind>(exact, low, high, query, wanted)``: the `wanted` nearest items of one namespace and of those in [low, high).

    An item may have several vectors: then the best counts, and more are read until `wanted` different items are among them.
    """
    return f"""
        CREATE OR REPLACE FUNCTION nearest_items_{kind}(exact text, low text, high text, query halfvec, wanted bigint)
        RETURNS TABLE (prefix text, key text, d float8) LANGUAGE plpgsql STABLE ROWS 10 {_SETTINGS} AS $$
        #variable_conflict use_column
        DECLARE rows bigint := wanted; owners text[]; keys text[]; ds float8[]; different bigint; {_PIECES if wide else ""}
        BEGIN
            LOOP
                SELECT array_agg(n.o), array_agg(n.k), array_agg(n.d), count(DISTINCT (n.o, n.k)) INTO owners, keys, ds, different FROM (
                    {_candidates(kind, op, "rows", wide=wide)}
                ) n;
                EXIT WHEN different >= wanted OR coalesce(cardinality(ds), 0) < rows;
                rows := rows * 4;
            END LOOP;
            RETURN QUERY SELECT o, k, min(x) FROM unnest(owners, keys, ds) AS t (o, k, x) GROUP BY o, k ORDER BY min(x), o, k LIMIT wanted;
        END $$
    """


def _kept(kind: str, op: str) -> str:
    """The function ``kept_items_<kind>``: a page of items by closeness, of given vectors and of those that transactions from `since` on have written.
    `fresh` says how many the latter are."""
    return f"""
        CREATE OR REPLACE FUNCTION kept_items_{kind}(
            owners text[], keys text[], fields text[], exact text, low text, high text, since xid8, query halfvec, page bigint, skip bigint)
        RETURNS TABLE (prefix text, key text, value jsonb, created_at timestamptz, updated_at timestamptz, ttl_minutes float8, d float8, fresh bigint)
        LANGUAGE plpgsql STABLE ROWS 10 {_SETTINGS} AS $$
        #variable_conflict use_column
        BEGIN
            RETURN QUERY WITH written AS MATERIALIZED (
                SELECT v.prefix, v.key, v.field_name FROM store_vectors v WHERE v.prefix = exact AND v.written >= since
                UNION ALL SELECT v.prefix, v.key, v.field_name FROM store_vectors v WHERE v.prefix >= low AND v.prefix < high AND v.written >= since
            ), chosen AS (SELECT * FROM unnest(owners, keys, fields) AS t (prefix, key, field_name) UNION SELECT * FROM written)
            SELECT s.prefix, s.key, s.value, s.created_at, s.updated_at, s.ttl_minutes, n.d, (SELECT count(*) FROM written) FROM (
                SELECT c.prefix, c.key, min((v.embedding {op} query)::float8) AS d
                FROM chosen c JOIN store_vectors v USING (prefix, key, field_name) GROUP BY c.prefix, c.key
            ) n JOIN store s USING (prefix, key)
            WHERE s.expires_at IS NULL OR s.expires_at > now() ORDER BY n.d, s.prefix, s.key LIMIT page OFFSET skip;
        END $$
    """
