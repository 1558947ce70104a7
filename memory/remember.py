"""The one write path: candidates → clean → guard → revise → store. Chat, tools, command line and replays all write through `remember`.

On a MemoryStore everything happens in one small transaction under the user's lock, embeddings outside it. Any other BaseStore gets the same decisions
over get, search, put and delete, one writer per user and process; it keeps current facts where MemoryStore does, other versions beside them.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal
from weakref import WeakValueDictionary

from langgraph.store.base import BaseStore

from memory.clean import clean_text, well_formed
from memory.guard import MAX_VALUE, SECRET, inspect, redacted, secret
from memory.judge.clauses import own_words
from memory.judge.judgement import Candidate, Stance
from memory.namespace import encode, namespace, user_id
from memory.record import CATEGORIES, USER, Memory, Source, Status
from memory.revise import Op, Revision, applied, revise
from memory.revise.birthdays import born, dated
from memory.revise.case import Case
from memory.revise.dates import date_in
from memory.revise.notice import notice, tells
from memory.revise.people import spelled
from memory.revise.phrase import phrase
from memory.revise.tidy import tidy
from memory.settings import load_settings
from memory.store import MemoryStore

_VERSIONS: Final = "%versions"  # root of past, pending and held versions on other stores; no encoded user is called so
_PAGE: Final = 1_000
MOST: Final = 100  # facts of one message; what tells more is a list or a flood, and stays in the archived turn
_writers: WeakValueDictionary[tuple[int, str], asyncio.Lock] = WeakValueDictionary()


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What a caller is told about one candidate's effect. `key` is the version written, else the one closed; None when nothing was. `said` is the clause
    that the fact was read from; `valid_to` when the version written was over, if it was over when it was told; `closed` what a superseding version replaced."""

    op: Op | Literal["forget"]
    key: str | None
    attribute: str
    value: str
    owner: str
    reason: str
    content: str = ""
    said: str = ""
    time: str | None = None
    tags: tuple[str, ...] = ()
    scope: Literal["long", "session"] = "long"
    valid_to: str | None = None
    closed: Memory | None = None

    def as_json(self) -> dict[str, Any]:
        return {
            "op": str(self.op), "key": self.key, "attribute": self.attribute, "value": self.value, "owner": self.owner, "content": self.content,
            "said": self.said, "time": self.time, "tags": list(self.tags), "reason": self.reason, "scope": self.scope,
            "valid_to": self.valid_to, "closed": {f: getattr(self.closed, f) for f in ("attribute", "value", "owner", "content", "time", "tags")} if self.closed else None,
        }  # fmt: skip


async def remember(
    store: BaseStore, user: str, candidates: Sequence[Candidate], *, source: Source, now: datetime, round: int | None = None
) -> list[Change]:
    """Let these candidates, said at `now`, change what is known about `user`; every effect is reported, also that of doing nothing.

    `source.text` is the whole message and `source.message` its id, with which a repeated call changes nothing. Call it for messages without candidates
    too: what they say about known facts (他上周辞职了) is noticed here. A naive `now` is in the settings' zone.
    Raises BadInput for a user id that cannot be, MemoryConflict when another writer holds the user's lock too long, MemoryUnavailable.
    """
    who = user_id(user)
    said = own_words(source.text or "")
    listens = source.channel == USER
    if not candidates and not (listens and tells(said)):
        return []
    when = now if now.tzinfo else now.replace(tzinfo=load_settings().zone)
    source = _clean(source)

    def decide(existing: Sequence[Memory]) -> list[Revision]:
        known, out = list(existing), list[Revision]()
        told = tidy(dated(candidates[:MOST], known, said, when), said)
        if listens:
            told = notice(said, known, told, now=when, resolve=lambda text: date_in(text, when))
        told += born(told, known, said, when)
        for candidate, verdict, reason in (_checked(c, source, said) for c in told):
            if verdict == "allow":
                found = revise(known, candidate, user=who, now=when, source=source)
            else:
                found = (_stopped(known, candidate, verdict, reason, who, when, source),)
            known = applied(known, found)
            out += found
        return out

    return [told(r) for r in await commit(store, who, decide, source=source, round=round)]


async def commit(store: BaseStore, user: str, decide: Any, *, source: Source, round: int | None = None) -> list[Revision]:
    """Run `decide` over the user's versions and write what it says; the revisions that were made.

    `decide` is pure: versions → revisions. A revision that this message has brought before is reported as IGNORE.
    """
    if isinstance(store, MemoryStore):
        made: list[Revision] = []

        def watched(existing: Sequence[Memory]) -> list[Revision]:
            made[:] = decide(existing)
            return made

        changes = await store.commit(user, watched, thread=source.thread, message=source.message, round=round)
        return [_again(r) if c.replayed else r for r, c in zip(made, changes, strict=True)]
    async with _writers.setdefault((id(asyncio.get_running_loop()), user), asyncio.Lock()):
        existing = await versions(store, user)
        revisions: list[Revision] = decide(existing)
        await _write(store, user, existing, applied(existing, revisions))
        return revisions


async def versions(store: BaseStore, user: str) -> list[Memory]:
    """Every version of the user's facts, of every status, on any store."""
    if isinstance(store, MemoryStore):
        return await store.versions(user)
    found: list[Memory] = []
    for prefix in (namespace(user), (_VERSIONS, encode(user))):
        for start in range(0, 100 * _PAGE, _PAGE):
            page = await store.asearch(prefix, limit=_PAGE, offset=start)
            found += [Memory.from_json(item.value) for item in page if {"key", "fact", "recorded_at", "content"} <= item.value.keys()]
            if len(page) < _PAGE:
                break
    return found


async def delete(store: BaseStore, user: str, gone: Sequence[Memory]) -> None:
    """Remove these versions for good, on any store."""
    if isinstance(store, MemoryStore):
        await store.purge(user, [m.key for m in gone])
        return
    for memory in gone:
        await store.adelete(_place(user, memory), memory.key)


async def _write(store: BaseStore, user: str, before: Sequence[Memory], after: Sequence[Memory]) -> None:
    """Bring another store from one state to the other. New rows are written before old ones go, so that nothing is lost between."""
    was = {m.key: m for m in before}
    changed = [m for m in after if was.get(m.key) != m]
    for memory in sorted(changed, key=lambda m: m.status is not Status.ACTIVE):
        await store.aput(_place(user, memory), memory.key, memory.as_json())
    for memory in changed:
        old = was.get(memory.key)
        if old is not None and _place(user, old) != _place(user, memory):
            await store.adelete(_place(user, old), memory.key)


def _place(user: str, memory: Memory) -> tuple[str, ...]:
    return namespace(user, memory.category) if memory.status is Status.ACTIVE else (_VERSIONS, encode(user))


# cleaning and the guard


def _clean(source: Source) -> Source:
    """The source as it may be stored: ids that Postgres can hold, and a text cut to what a fact's origin needs, without secrets."""
    thread, message = (well_formed(i) if i is not None else None for i in (source.thread, source.message))
    return Source(channel=source.channel, thread=thread, message=message, text=redacted(clean_text(source.text or "")[:MAX_VALUE]) or None)


def _checked(candidate: Candidate, source: Source, said: str) -> tuple[Candidate, Literal["allow", "review", "block"], str]:
    """The candidate made clean, and the guard's word on it."""
    c = candidate.evolve(
        attribute=candidate.attribute if candidate.attribute in CATEGORIES else "other",
        value=clean_text(candidate.value),
        owner=spelled(clean_text(candidate.owner)),
        content=clean_text(candidate.content),
        clause=clean_text(candidate.clause)[:MAX_VALUE],
        replaces=clean_text(candidate.replaces) if candidate.replaces is not None else None,
    )
    c = c.evolve(content=c.content or phrase(c))
    zh = any("\u4e00" <= char <= "\u9fff" for char in (source.text or c.clause or c.value)[:500])
    if len(c.value) > MAX_VALUE or len(c.content) > 2 * MAX_VALUE:
        reason = f"一条事实最多 {MAX_VALUE} 字" if zh else f"a fact may have at most {MAX_VALUE} characters"
        return c.evolve(value=c.value[:MAX_VALUE], content=c.content[:MAX_VALUE]), "block", reason
    if not c.value and c.stance is Stance.ASSERT and not c.time:
        return c, "block", "没有可记的内容" if zh else "there is nothing in it to remember"
    kind = secret(f"{c.value}\n{c.content}\n{c.clause}")
    if kind is not None and (c.attribute != "instruction" or any(char.isdigit() for char in c.value)):  # "ask for no password" is none
        if not c.explicit:
            return c, "block", f"不保存敏感信息（{kind}），除非你明确要求" if zh else f"a secret ({kind}) is not kept unless you insist"
        c = c.evolve(tags=tuple(dict.fromkeys([*c.tags, SECRET])))
    ruling = max((inspect(t, source.channel) for t in (f"{c.value}\n{c.content}\n{c.clause}", said)), key=lambda r: r.score)
    if ruling.verdict == "allow":
        return c, "allow", ""
    joined = ("，" if zh else ", ").join(ruling.reasons)
    return c, ruling.verdict, f"安全检查：{joined}" if zh else f"guard: {joined}"


def _stopped(
    known: Sequence[Memory], candidate: Candidate, verdict: Literal["review", "block"], reason: str, user: str, now: datetime, source: Source
) -> Revision:
    """What becomes of a candidate that the guard stops: held for a person to decide, or nothing."""
    case = Case(known, candidate, user, now, source)
    if verdict == "block" or any(m.key == case.key for m in known):
        return case.ignore(reason)
    return case.hold(case.version(status=Status.HELD), reason)


def _again(revision: Revision) -> Revision:
    reason = "这条消息已处理过" if any("\u4e00" <= c <= "\u9fff" for c in revision.reason) else "this message has been taken in already"
    return Revision(op=Op.IGNORE, candidate=revision.candidate, reason=reason)


def told(revision: Revision) -> Change:
    """What a caller is told about a revision."""
    written = revision.memory
    version = written or revision.closed
    c = revision.candidate
    return Change(
        op=revision.op, key=version.key if version else None, attribute=version.attribute if version else c.attribute,
        value=version.value if version else c.value, owner=version.owner if version else c.owner, reason=revision.reason,
        content=version.content if version else c.content, said=(version.source.text or "") if version else "", time=version.time if version else c.time, tags=version.tags if version else c.tags,
        valid_to=written.valid_to.isoformat() if written and written.status is Status.SUPERSEDED and written.valid_to else None,
        closed=revision.closed if revision.op is Op.SUPERSEDE else None,
    )  # fmt: skip
