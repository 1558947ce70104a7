"""The work ends at any await of it, and once more at each later one: what is kept is the old state or the new, and doing it again succeeds."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import psycopg
import pytest

from memory.episode import Episode
from memory.forget import forget
from memory.history import restore, undo
from memory.ingest import archive
from memory.judge.judgement import Candidate
from memory.portability import export, import_file
from memory.record import Source, Status
from memory.remember import remember, versions
from memory.store import MemoryStore
from tests.counting import CountingEmbedder

pytestmark = pytest.mark.anyio
NOW: Final = datetime(2026, 3, 1, 9, tzinfo=UTC)
USER: Final = "ann"
Work = Callable[[MemoryStore], Awaitable[Any]]


class Ended(BaseException):
    """The process ends here: nothing catches it, and an open transaction is never committed."""


class Fault:
    """Ends the work before its `at`th await on the connection or the embedder, or right after it."""

    def __init__(self) -> None:
        self.left: int | None = None
        self.after = False

    def arm(self, at: int, *, after: bool) -> None:
        self.left, self.after = at, after

    def disarm(self) -> bool:
        """Whether the work came to its end before the fault."""
        unused, self.left = self.left is not None and self.left > 0, None
        return unused

    def around(self, call: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def run(*args: Any, **kwargs: Any) -> Any:
            now = self._due()
            if now and not self.after:
                raise Ended
            out = await call(*args, **kwargs)
            if now:
                raise Ended
            return out

        return run

    def _due(self) -> bool:
        if self.left is None or self.left <= 0:
            return False
        self.left -= 1
        return self.left == 0


@pytest.fixture
async def faulty(counted: tuple[MemoryStore, CountingEmbedder], monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[MemoryStore, Fault]]:
    """A store, and the fault that every statement, row stream and embedding of it passes."""
    store, embedder = counted
    fault = Fault()
    monkeypatch.setattr(psycopg.AsyncCursor, "execute", _method(fault, psycopg.AsyncCursor.execute))
    monkeypatch.setattr(psycopg.AsyncCopy, "write", _method(fault, psycopg.AsyncCopy.write))
    monkeypatch.setattr(embedder, "aembed", fault.around(embedder.aembed))
    yield store, fault
    fault.disarm()


def _method(fault: Fault, original: Any) -> Any:
    async def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        return await fault.around(original)(self, *args, **kwargs)

    return call


async def tell(store: MemoryStore, attribute: str, value: str, clause: str, day: int) -> None:
    candidate = Candidate(attribute=attribute, value=value, clause=clause)
    await remember(store, USER, [candidate], source=Source(message=f"m{day}", thread="t", text=clause), now=NOW + timedelta(days=day))


async def begin(store: MemoryStore) -> None:
    """What is known before the work: two facts, one with a past, and archived turns that tell of them."""
    await store.erase(USER)
    await tell(store, "location", "Turin", "I live in Turin", 0)
    await tell(store, "likes", "tea", "I like tea", 1)
    await tell(store, "location", "Genoa", "I moved to Genoa", 2)
    turns = ["I like tea. The harbour is lovely.", "Rain again."]
    await archive(store, USER, [Episode(id=f"e{n}", user=USER, text=t, time=NOW, session="t", position=n) for n, t in enumerate(turns)])


async def state(store: MemoryStore) -> Sequence[str]:
    """Everything kept of the user, and how much of it a search can find."""
    lines = [line async for line in export(store, USER)]
    async with store.reading() as cur:
        counts = []
        for query in (
            "SELECT count(*) AS n FROM store s WHERE s.prefix >= 'ann.' AND s.prefix < 'ann/'",
            "SELECT count(*) AS n FROM store_vectors v WHERE v.prefix >= 'ann.' AND v.prefix < 'ann/'",
            "SELECT count(*) AS n FROM memory_version_vectors WHERE user_id = 'ann'",
            "SELECT count(*) AS n FROM episode_vectors WHERE user_id = 'ann'",
        ):
            await cur.execute(query)
            row = await cur.fetchone()
            counts.append(str(row["n"] if row else None))
    return [*lines[1:-1], *counts]


async def saying_something_new(store: MemoryStore) -> None:
    facts = [
        Candidate(attribute="location", value="Lucca", clause="I moved to Lucca"),
        Candidate(attribute="likes", value="tea", clause="and I still like tea"),
        Candidate(attribute="pet", value="Momo", clause="with my cat Momo"),
    ]
    source = Source(message="m9", thread="t", text="I moved to Lucca with my cat Momo, and I still like tea")
    await remember(store, USER, facts, source=source, now=NOW + timedelta(days=9))


async def saying_known_things(store: MemoryStore) -> None:
    await tell(store, "likes", "tea", "I like tea", 9)


async def forgetting(store: MemoryStore) -> None:
    await forget(store, USER, "tea", now=NOW + timedelta(days=9))


async def undoing(store: MemoryStore) -> None:
    await undo(store, USER, now=NOW + timedelta(days=9))


async def restoring(store: MemoryStore) -> None:
    past = next((m for m in await versions(store, USER) if m.value == "Turin" and m.status is Status.SUPERSEDED), None)
    if past is not None and not any(m.value == "Turin" and m.status is Status.ACTIVE for m in await versions(store, USER)):
        await restore(store, USER, past.key, now=NOW + timedelta(days=9))


@pytest.mark.parametrize("work", [saying_something_new, saying_known_things, forgetting, undoing, restoring], ids=lambda w: w.__name__)
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_the_work_is_done_whole_or_not_at_all(faulty: tuple[MemoryStore, Fault], work: Work, after: bool) -> None:
    store, fault = faulty
    await begin(store)
    old = await state(store)
    await work(store)
    new = await state(store)
    assert new != old
    for at in range(1, 200):
        await begin(store)
        fault.arm(at, after=after)
        try:
            await work(store)
        except Ended:
            pass
        finally:
            finished = fault.disarm()
        found = await state(store)
        assert found in (old, new), f"half done after await {at}"
        if finished:
            assert found == new
            assert at > 3
            return
        if found == old:  # what was done is not undone by asking for it again
            await work(store)
        assert await state(store) == new
    pytest.fail("the work never came to its end")


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_an_import_that_ended_goes_on_where_it_stopped(faulty: tuple[MemoryStore, Fault], after: bool, tmp_path: Path) -> None:
    store, fault = faulty
    await begin(store)
    await store.aput((USER, "notes"), "n1", {"text": "a note"})
    whole = await state(store)
    path = tmp_path / "ann.jsonl"
    path.write_text("".join([line async for line in export(store, USER)]), "utf-8")
    for at in range(1, 200):
        await store.erase(USER)
        fault.arm(at, after=after)
        try:
            await import_file(store, path)
        except Ended:
            pass
        finally:
            finished = fault.disarm()
        found = await state(store)
        assert [line for line in found if line.startswith("{")] == [line for line in whole if line in found and line.startswith("{")]
        assert int(found[-1]) == sum('"kind":"episode"' in line for line in found), f"an episode without its vector after await {at}"
        if finished:
            assert found == whole
            assert at > 3
            return
        await import_file(store, path)
        assert await state(store) == whole
    pytest.fail("the import never came to its end")
