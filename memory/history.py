"""Going back: history of a fact, undo, restore, pin, and the word of a person on what waits. Each step is a change of its own, so it can be undone too.

Undo and restore change no version in place: what is taken back is archived, what it had replaced is current again.
"""

from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime
from typing import Final

from langgraph.store.base import BaseStore

from memory.errors import BadInput, NotFound
from memory.judge.judgement import Candidate
from memory.ledger import Change as Entry
from memory.namespace import user_id
from memory.record import Memory, Source, Status
from memory.remember import Change, commit, told, versions
from memory.revise import Op, Revision, applied, revise
from memory.store import MemoryStore

Decide = Callable[[Sequence[Memory]], list[Revision]]

_NO_LOG: Final = "This store keeps no log of changes: undo needs the Postgres store."


async def history(store: BaseStore, user: str, key: str) -> list[Memory]:
    """Every version of the fact that `key` belongs to, oldest first. Raises NotFound."""
    known = await versions(store, user_id(user))
    fact = _version(known, key).fact
    return sorted((m for m in known if m.fact == fact), key=lambda m: (m.recorded_at, m.valid_from or m.recorded_at))


async def undo(store: BaseStore, user: str, *, now: datetime | None = None) -> list[Change]:
    """Take back the last change: everything that the last message, or the last operation, wrote. Done twice, it is as before. Empty: nothing to undo."""
    who = user_id(user)
    log = await _log(store, who)
    last = [e for e in log if (e.message, e.at) == (log[0].message, log[0].at)] if log else []
    return await _take_back(store, who, last, now)


async def undo_messages(store: BaseStore, user: str, messages: Collection[str], *, now: datetime | None = None) -> list[Change]:
    """Take back what these messages wrote, latest first; changes that other messages made since are kept."""
    who = user_id(user)
    wanted = set(messages)
    return await _take_back(store, who, [e for e in await _log(store, who) if e.message in wanted], now)


async def restore(store: BaseStore, user: str, key: str, *, now: datetime | None = None) -> list[Change]:
    """Make a past version current again, as a new version of its fact; what contradicts it ends. Raises NotFound, BadInput if it is current."""
    who, at = user_id(user), now or datetime.now(UTC)

    def decide(known: Sequence[Memory]) -> list[Revision]:
        old = _version(known, key)
        if old.status is Status.ACTIVE:
            raise BadInput("This version is current already.")
        follows = next((m for m in known if m.fact == old.fact and m.status is Status.ACTIVE), None)
        candidate = _candidate(old).evolve(replaces=follows.value if follows else None)
        source = Source(channel="operator", thread=old.source.thread, message=f"restore:{key}:{at.isoformat()}", text=old.source.text)
        rest = [m for m in known if m.key != key or m.status is not Status.HELD]
        found = list(revise(rest, candidate, user=who, now=at, source=source))
        reason = _say(old, "恢复了以前的版本", "an earlier version was restored")
        return [
            r if r.memory is None else _with(r, r.memory.evolve(reason=reason, fact=old.fact, tags=old.tags, pinned=old.pinned), reason)
            for r in found
        ]

    return await _commit(store, who, decide)


async def pin(store: BaseStore, user: str, key: str, *, pinned: bool = True) -> list[Change]:
    """Pin a current fact, so that it never decays, or unpin it. Raises NotFound."""

    def decide(known: Sequence[Memory]) -> list[Revision]:
        old = _version(known, key)
        if old.pinned == pinned:
            return []
        reason = _say(old, "已置顶" if pinned else "已取消置顶", "pinned" if pinned else "no longer pinned")
        return [Revision(op=Op.STRENGTHEN, candidate=_candidate(old), reason=reason, memory=old.evolve(pinned=pinned))]

    return await _commit(store, user_id(user), decide)


async def approve(store: BaseStore, user: str, key: str, *, now: datetime | None = None) -> list[Change]:
    """Let a pending or held version hold; what contradicts it ends. Raises NotFound, BadInput if it does not wait."""
    who, at = user_id(user), now or datetime.now(UTC)

    def decide(known: Sequence[Memory]) -> list[Revision]:
        waiting = _waiting(known, key)
        source = Source(channel="operator", message=f"approve:{key}:{at.isoformat()}", text=waiting.source.text)
        pool = [m.evolve(status=Status.PENDING) if m.key == key else m for m in known]
        found = revise(pool, _candidate(waiting), user=who, now=max(at, waiting.updated_at), source=source)
        reason = _say(waiting, "经用户确认，现在生效", "confirmed by a person, and holds now")
        return [r if r.memory is None else _with(r, r.memory.evolve(reason=reason), reason) for r in found]

    return await _commit(store, who, decide)


async def reject(store: BaseStore, user: str, key: str, *, now: datetime | None = None) -> list[Change]:
    """Turn a pending or held version down: it is archived and never becomes current by itself. Raises NotFound, BadInput if it does not wait."""
    at = now or datetime.now(UTC)

    def decide(known: Sequence[Memory]) -> list[Revision]:
        waiting = _waiting(known, key)
        reason = _say(waiting, "用户否决", "turned down by a person")
        closed = waiting.evolve(status=Status.ARCHIVED, updated_at=max(at, waiting.updated_at), reason=reason)
        return [Revision(op=Op.RETIRE, candidate=_candidate(waiting), reason=reason, closed=closed)]

    return await _commit(store, user_id(user), decide)


# taking back


async def _log(store: BaseStore, user: str) -> list[Entry]:
    if not isinstance(store, MemoryStore):
        raise BadInput(_NO_LOG)
    return await store.changes(user)


async def _take_back(store: BaseStore, user: str, entries: Sequence[Entry], now: datetime | None) -> list[Change]:
    if not entries:
        return []
    at = now or datetime.now(UTC)
    return await _commit(store, user, lambda known: reversals(known, entries, at))


def reversals(known: Sequence[Memory], entries: Sequence[Entry], at: datetime) -> list[Revision]:
    """The revisions that take these log entries (latest first) back. A version that something else has changed since is left as it is."""
    state, out = list(known), list[Revision]()
    for entry in entries:
        now = {m.key: m for m in state}
        before = {m.key: m for m in entry.previous}
        made = now.get(entry.memory.key) if entry.memory else None
        closed = now.get(entry.closed.key) if entry.closed else None
        created = made if made is not None and made.key not in before else None
        if created is not None and created.status is Status.SUPERSEDED and entry.op is not Op.ADD:
            continue  # something newer stands on it
        changed = [m for m in (closed, made) if m is not None and m.key in before and _differ(m, before[m.key])]
        back = [before[m.key].evolve(updated_at=max(at, m.updated_at)) for m in changed]
        gone: Memory | None = None
        if created is not None and created.status is not Status.ARCHIVED:
            gone = created.evolve(status=Status.ARCHIVED, updated_at=max(at, created.updated_at), reason=_say(created, "已撤回", "taken back"))
        revived = back[0].evolve(reason=_say(back[0], "撤回了后来的改动", "a later change was taken back")) if back else None
        steps = _steps(gone, revived, back[1:])
        state = applied(state, steps)
        out += steps
    return out


def _differ(one: Memory, other: Memory) -> bool:
    return one != other.evolve(updated_at=one.updated_at, reason=one.reason)


def _steps(gone: Memory | None, revived: Memory | None, more: Sequence[Memory]) -> list[Revision]:
    out: list[Revision] = []
    if gone is not None and revived is not None:
        out.append(Revision(op=Op.SUPERSEDE, candidate=_candidate(revived), reason=revived.reason, memory=revived, closed=gone))
    elif gone is not None:
        out.append(Revision(op=Op.RETIRE, candidate=_candidate(gone), reason=gone.reason, closed=gone))
    elif revived is not None:
        current = revived.status in {Status.ACTIVE, Status.PENDING, Status.HELD}
        out.append(
            Revision(op=Op.ADD, candidate=_candidate(revived), reason=revived.reason, memory=revived)
            if current
            else Revision(op=Op.RETIRE, candidate=_candidate(revived), reason=revived.reason, closed=revived)
        )
    out += [Revision(op=Op.ADD, candidate=_candidate(m), reason=m.reason, memory=m) for m in more]
    return out


# parts


def _version(known: Sequence[Memory], key: str) -> Memory:
    found = next((m for m in known if m.key == key), None)
    if found is None:
        raise NotFound("No memory has this key, for this user.")
    return found


def _waiting(known: Sequence[Memory], key: str) -> Memory:
    found = _version(known, key)
    if found.status not in {Status.PENDING, Status.HELD}:
        raise BadInput("This memory is not waiting for anybody's word.")
    return found


def _candidate(memory: Memory) -> Candidate:
    """The version as a candidate that a person stands behind."""
    return Candidate(
        attribute=memory.attribute, value=memory.value, owner=memory.owner, normal=memory.normal, time=memory.time, content=memory.content,
        explicit=True, tags=memory.tags, importance=memory.importance, clause=memory.content,
    )  # fmt: skip


def _with(revision: Revision, memory: Memory, reason: str) -> Revision:
    return Revision(op=revision.op, candidate=revision.candidate, reason=reason, memory=memory, closed=revision.closed)


def _say(memory: Memory, zh: str, en: str) -> str:
    return zh if any("\u4e00" <= c <= "\u9fff" for c in memory.content + memory.value) else en


async def _commit(store: BaseStore, user: str, decide: Decide) -> list[Change]:
    return [told(r) for r in await commit(store, user, decide, source=Source(channel="operator"))]
