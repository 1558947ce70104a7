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
    cursor = await conn.execute("SELECT value FROM memory_meta WHERE name = 'layout'")
    row = await cursor.fetchone()
    if row is not None and (row["value"] if isinstance(row, dict) else row[0]) == wanted:
        return
    for table in TABLES:
        for statement in _narrow(table) if wanted == "narrow" else _wide(table):
            await conn.execute(statement.encode())
    for kind, op in OPERATORS.items():
        await conn.execute(_nearest(kind, op, wide=wanted == "wide").encode())
        await conn.execute(_pages(kind).encode())
    await conn.execute(
        "INSERT INTO memory_meta (name, value) VALUES ('layout', %s) ON CONFLICT (name) DO UPDATE SET value = excluded.value", (Jsonb(wanted),)
    )


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
    "cosine": "1 + sum(piece <#> pieces[part + 1]) / nullif(max(norm), 0)",
    "l2": "sqrt(sum(power(piece <-> pieces[part + 1], 2)))",
    "inner_product": "sum(piece <#> pieces[part + 1])",
}


def _pages(kind: str) -> str:
    """The function ``page_items_<kind>``: a page of items by closeness. Its plan is kept, which a statement sent anew each time would pay for."""
    return f"""
        CREATE OR REPLACE FUNCTION page_items_{kind}(exact text, low text, high text, query halfvec, page bigint, skip bigint)
        RETURNS TABLE (prefix text, key text, value jsonb, created_at timestamptz, updated_at timestamptz, ttl_minutes float8, d float8)
        LANGUAGE plpgsql STABLE ROWS 10 SET enable_seqscan = off SET enable_bitmapscan = off SET plan_cache_mode = force_generic_plan AS $$
        #variable_conflict use_column
        DECLARE dead bigint;
        BEGIN
            -- expired but not swept yet: their vectors are still there and take places among the nearest (OFFSET: by the index on expires_at)
            SELECT count(*) INTO dead FROM (SELECT s.prefix FROM store s WHERE s.expires_at <= now() OFFSET 0) e
                WHERE e.prefix = exact OR (e.prefix >= low AND e.prefix < high);
            RETURN QUERY SELECT s.prefix, s.key, s.value, s.created_at, s.updated_at, s.ttl_minutes, n.d
                FROM nearest_items_{kind}(exact, low, high, query, page + skip + dead) n JOIN store s ON s.prefix = n.prefix AND s.key = n.key
                WHERE s.expires_at IS NULL OR s.expires_at > now() ORDER BY n.d, n.prefix, n.key LIMIT page OFFSET skip;
        END $$
    """


def _nearest(kind: str, op: str, *, wide: bool) -> str:
    """The function ``nearest_items_<kind>(exact, low, high, query, wanted)``: the `wanted` nearest items of one namespace and of those in [low, high).

    An item may have several vectors: then the best counts, and more rows are read until enough different items are among them.
    """
    distances = f"SELECT prefix, key, field_name, (embedding {op} query)::float8 AS d FROM store_vectors WHERE %s"
    if wide:
        whole = _FROM_PARTS[kind]
        distances = f"SELECT prefix, key, field_name, {whole} AS d FROM store_vectors_parts WHERE %s GROUP BY prefix, key, field_name"
    near = " UNION ALL ".join(f"({distances % scope})" for scope in ("prefix = exact", "prefix >= low AND prefix < high"))
    return f"""
        CREATE OR REPLACE FUNCTION nearest_items_{kind}(exact text, low text, high text, query halfvec, wanted bigint)
        RETURNS TABLE (prefix text, key text, d float8) LANGUAGE plpgsql STABLE ROWS 10
        SET enable_seqscan = off SET enable_bitmapscan = off SET plan_cache_mode = force_generic_plan AS $$
        #variable_conflict use_column
        DECLARE
            pieces halfvec[] := ARRAY(SELECT subvector(query, i * {PART} + 1, {PART}) FROM generate_series(0, (vector_dims(query) - 1) / {PART}) i);
            rows bigint := wanted;
            owners text[]; keys text[]; ds float8[];
        BEGIN
            LOOP
                SELECT array_agg(n.o), array_agg(n.k), array_agg(n.d) INTO owners, keys, ds FROM (
                    SELECT prefix AS o, key AS k, d FROM ({near}) a ORDER BY d, prefix, key LIMIT rows
                ) n;
                EXIT WHEN coalesce(cardinality(ds), 0) < rows
                    OR (SELECT count(DISTINCT (o, k)) FROM unnest(owners, keys) AS t (o, k)) >= wanted;
                rows := rows * 4;
            END LOOP;
            RETURN QUERY SELECT o, k, min(x) FROM unnest(owners, keys, ds) AS t (o, k, x) GROUP BY o, k ORDER BY min(x), o, k LIMIT wanted;
        END $$
    """
