"""Whatever a user is called, changing one's own memories (pin, restore, undo, forget, approve, reject, erase) touches nobody else's, and nobody else's key
can be named."""

import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from psycopg import sql

from memory import history
from memory.episode import Episode
from memory.errors import NotFound
from memory.forget import forget
from memory.ingest import archive
from memory.ledger import label_of
from memory.namespace import encode
from memory.record import Memory, Status
from memory.revise import Op, Revision
from memory.store import MemoryStore
from tests.test_tenants import NOW, USERS

pytestmark = pytest.mark.anyio

Counted = tuple[MemoryStore, Any]
TABLES = ("memory_versions", "memory_strength", "memory_changes", "memory_version_vectors", "episodes", "memory_words")
LATER = NOW + timedelta(days=300)


async def fill(store: MemoryStore, user: str, n: int) -> None:
    """A fact with a past version, one that waits, and a turn; all users have the same keys and say nearly the same."""
    for value in (f"茉莉花茶{n}", f"碧螺春{n}"):
        await store.aput((encode(user), "preference"), "same", {"attribute": "likes", "value": value, "content": f"喜欢{value}"})
    [old] = [m for m in await store.versions(user) if m.key == "same"]

    def waits(_: object) -> list[Revision]:
        pending = old.evolve(key="waits", fact="waits", status=Status.PENDING, value=f"龙井{n}", content=f"喜欢龙井{n}")
        return [Revision(op=Op.ADD, candidate=history._candidate(pending), memory=pending, reason="may be")]

    def says(_: object) -> list[Revision]:
        said = old.evolve(key="said", fact="said", value=f"普洱{n}", content=f"喜欢普洱{n}")
        return [Revision(op=Op.ADD, candidate=history._candidate(said), memory=said, reason="said")]

    await store.commit(user, waits)
    await store.commit(user, says, thread="t", message="m", round=1)
    await archive(store, user, [Episode(id="same", user=user, text=f"我喜欢碧螺春{n}。", time=NOW)])


async def everything(store: MemoryStore) -> dict[str, list[str]]:
    """Every row of every user, by label."""
    found: dict[str, list[str]] = {label_of(u): [] for u in USERS}
    async with store.reading() as cur:
        for table in TABLES:
            await cur.execute(sql.SQL("SELECT user_id AS label, to_jsonb(t) AS row FROM {} t ORDER BY t::text").format(sql.Identifier(table)))
            for r in await cur.fetchall():
                found[r["label"]].append(table + json.dumps(r["row"]))
        await cur.execute("SELECT split_part(prefix, '.', 1) AS label, to_jsonb(s) AS row FROM store s ORDER BY s::text")
        for r in await cur.fetchall():
            found[r["label"]].append(json.dumps(r["row"]))
    return found


async def test_what_one_user_changes_is_only_his(counted: Counted) -> None:
    store, _ = counted
    for n, user in enumerate(USERS):
        await fill(store, user, n)
    past = {u: next(m.key for m in await store.versions(u) if m.status is Status.SUPERSEDED) for u in USERS}
    before = await everything(store)
    for n, user in list(enumerate(USERS))[::3]:
        other = USERS[(n + 1) % len(USERS)]
        steps: list[tuple[str, Callable[[], Awaitable[object]]]] = [
            ("pin", partial(history.pin, store, user, "same")),
            ("restore", partial(history.restore, store, user, past[user], now=LATER)),
            ("undo", partial(history.undo, store, user, now=LATER)),
            ("approve", partial(history.approve, store, user, "waits", now=LATER)),
            ("undo messages", partial(history.undo_messages, store, user, ["m"], now=LATER)),
            ("used", partial(store.used, user, ["same"], LATER)),
            ("forget", partial(forget, store, user, "same", now=LATER)),
            ("forget by attribute", partial(forget, store, user, attribute="likes", now=LATER)),
        ]  # fmt: skip
        for name, step in steps:
            await step()
            after = await everything(store)
            mine = label_of(user)
            assert {k: v for k, v in after.items() if k != mine} == {k: v for k, v in before.items() if k != mine}, (name, user)
            assert after[mine] != before[mine], (name, user, "did nothing")
            before = after
        assert not any("碧螺春" in row or "茉莉花茶" in row for row in before[label_of(user)]), (user, "forgotten, and still there")
        # what is somebody else's cannot be named; and an empty word changes nothing
        for refused in (history.history, history.restore, history.pin, history.approve, history.reject):
            with pytest.raises(NotFound):
                await refused(store, user, past[other])
        assert await forget(store, user, past[other]) == [] and await history.undo_messages(store, user, ["nobody's"]) == []
        assert await everything(store) == before


async def test_a_key_that_all_have_shows_each_his_own_history(counted: Counted) -> None:
    store, _ = counted
    for n, user in enumerate(USERS):
        await fill(store, user, n)
    for n, user in enumerate(USERS):
        told: list[Memory] = await history.history(store, user, "same")
        assert [m.content for m in told] == [f"喜欢茉莉花茶{n}", f"喜欢碧螺春{n}"]
        await history.reject(store, user, "waits", now=datetime(2027, 1, 1, tzinfo=UTC))
        assert {m.status for m in await store.versions(user) if m.key == "waits"} == {Status.ARCHIVED}
    for user in USERS[::2]:
        await store.erase(user)
    left = await everything(store)
    assert all(bool(left[label_of(u)]) == (n % 2 == 1) for n, u in enumerate(USERS))
