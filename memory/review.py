"""What waits for a person's word, of one user or, for an operator, of all of them."""

from memory.errors import AmbiguousRequest, NotFound
from memory.namespace import decode
from memory.record import Memory, Status
from memory.store import MemoryStore

WAITING = frozenset({Status.PENDING, Status.HELD})


async def waiting(store: MemoryStore, user: str | None = None) -> list[Memory]:
    """Pending and held versions, of `user` or of everybody, in the order they were written by each."""
    users = [user] if user is not None else await _users(store)
    return [m for who in users for m in await store.versions(who, statuses=WAITING)]


async def owner_of(store: MemoryStore, key: str) -> str:
    """Whose memory this key is. Raises NotFound; AmbiguousRequest when several users have one of that name."""
    async with store.reading() as cur:
        await cur.execute("SELECT user_id FROM memory_versions WHERE key = %s ORDER BY user_id LIMIT 5", (key,))
        owners = [decode(row["user_id"]) for row in await cur.fetchall()]
    if not owners:
        raise NotFound(f"No memory has the key {key}.")
    if len(owners) > 1:
        raise AmbiguousRequest(f"Several users have a memory with the key {key}: say whose with --user ({', '.join(owners)}).")
    return owners[0]


async def _users(store: MemoryStore) -> list[str]:
    async with store.reading() as cur:
        await cur.execute("SELECT DISTINCT user_id FROM memory_versions WHERE status = ANY (%s) ORDER BY user_id", ([str(s) for s in WAITING],))
        return [decode(row["user_id"]) for row in await cur.fetchall()]
