"""A user's current facts, read through the plain store interface, so that every store serves: ours, the stock one, the in-memory one."""

import asyncio
from collections.abc import Collection

from langgraph.store.base import BaseStore

from memory.namespace import namespace
from memory.record import CATEGORIES, Memory

ALL_CATEGORIES = tuple(dict.fromkeys(CATEGORIES.values()))


async def current(store: BaseStore, user: str, categories: Collection[str] = ALL_CATEGORIES, *, limit: int = 1000) -> list[Memory]:
    """Active facts of `user` in these categories, at most `limit` of each, the most important first, then the newest."""
    pages = await asyncio.gather(*(store.asearch(namespace(user, c), limit=limit) for c in categories))
    found = [Memory.from_json(item.value) for page in pages for item in page if "attribute" in item.value]
    return sorted(found, key=lambda m: (-m.importance, -m.recorded_at.timestamp(), m.key))


async def find(store: BaseStore, user: str, key: str) -> Memory | None:
    """The active fact with this key, or None. Only this user's namespaces are looked at."""
    items = await asyncio.gather(*(store.aget(namespace(user, c), key) for c in ALL_CATEGORIES))
    return next((Memory.from_json(i.value) for i in items if i is not None and "attribute" in i.value), None)
