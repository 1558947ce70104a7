"""Does what the database holds agree with itself: every current fact in the store with its vector, nothing there that no version backs.

Reads only. `inspect` counts; a count above zero in `faults` means that something outside jizhu wrote or deleted rows, or that a vector is missing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, LiteralString

from memory.store import MemoryStore

_COUNTS: Final[Mapping[str, LiteralString]] = {
    "users": "SELECT count(*) AS n FROM memory_users",
    "facts": "SELECT count(*) AS n FROM memory_versions WHERE status = 'active'",
    "versions": "SELECT count(*) AS n FROM memory_versions",
    "episodes": "SELECT count(*) AS n FROM episodes",
    "threads": "SELECT count(DISTINCT thread_id) AS n FROM checkpoints",
}
_FAULTS: Final[Mapping[str, LiteralString]] = {
    "current facts that are missing in the store": "SELECT count(*) AS n FROM memory_versions v WHERE v.status = 'active' AND NOT EXISTS "
    "(SELECT FROM store s WHERE s.prefix = v.user_id || '.' || v.category AND s.key = v.key)",
    "past or waiting facts that are still in the store": "SELECT count(*) AS n FROM memory_versions v WHERE v.status <> 'active' AND EXISTS "
    "(SELECT FROM store s WHERE s.prefix = v.user_id || '.' || v.category AND s.key = v.key)",
    "current facts without a vector": "SELECT count(*) AS n FROM memory_versions v WHERE v.status = 'active' AND EXISTS "
    "(SELECT FROM store s WHERE s.prefix = v.user_id || '.' || v.category AND s.key = v.key) AND NOT EXISTS "
    "(SELECT FROM store_vectors e WHERE e.prefix = v.user_id || '.' || v.category AND e.key = v.key)",
    "episodes without a vector": "SELECT count(*) AS n FROM episodes e WHERE NOT EXISTS "
    "(SELECT FROM episode_vectors v WHERE v.user_id = e.user_id AND v.key = e.id)",
}


@dataclass(frozen=True, slots=True)
class Inspection:
    """What is there, and what does not fit together. `vector_version` is pgvector's."""

    server_version: str
    vector_version: str
    counts: Mapping[str, int]
    faults: Mapping[str, int]


async def inspect(store: MemoryStore) -> Inspection:
    """Counts everything; several scans, for an operator, not for every turn."""
    async with store.reading() as cur:

        async def one(query: LiteralString) -> object:
            await cur.execute(query)
            row = await cur.fetchone()
            return next(iter(row.values())) if row else None

        version = str(await one("SELECT split_part(current_setting('server_version'), ' ', 1)"))
        vector = str(await one("SELECT extversion FROM pg_extension WHERE extname = 'vector'"))
        counts = {name: int(str(await one(query))) for name, query in _COUNTS.items()}
        faults = {name: n for name, query in _FAULTS.items() if (n := int(str(await one(query))))}
    return Inspection(version, vector, counts, faults)
