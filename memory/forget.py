"""Forgetting on request: what is meant is found, and removed everywhere it could be found again; the report says what went.

Removed are the versions of the fact with their history, store rows, vectors, log entries, and the clauses that tell it in archived turns and in the
checkpoints of the user's threads. What a running round holds belongs to the graph, which clears it with what is reported here.
"""

import asyncio
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from langgraph.store.base import BaseStore

from memory import corrections, ledger, threads
from memory.corrections import corrections_file
from memory.episode import Episode
from memory.episode_rows import EpisodeRow, insert, prepared
from memory.errors import NotFound
from memory.items import Cursor
from memory.judge import commands
from memory.judge.judgement import Command
from memory.ledger import label_of
from memory.meant import everything, meant, named, names_meant
from memory.namespace import user_id
from memory.pattern import regex
from memory.record import USER, Memory, Source, Status
from memory.remember import Change, delete, versions
from memory.revise.forms import bare
from memory.revise.sameness import mentions
from memory.settings import load_settings
from memory.store import MemoryStore

_CLAUSES: Final = regex(r"[^。！？!?；;\n.]+[。！？!?；;\n.]*")


async def forget(
    store: BaseStore,
    user: str,
    what: str | Memory | Command = "",
    *,
    attribute: str | None = None,
    history: bool = True,
    source: Source | None = None,
    now: datetime | None = None,
) -> list[Change]:
    """Remove what is meant; one Change (op ``forget``) per fact removed, none when nothing like it is known.

    `what` is a key, a version, a judged command, or the user's words; `attribute` alone means all the user's facts of it. With `history` False the past
    versions of the fact stay. Raises AmbiguousRequest listing the choices, NotFound for a version that is not the user's.
    """
    who = user_id(user)
    known = await versions(store, who)
    if isinstance(what, Memory):
        if not any(m.key == what.key for m in known):
            raise NotFound("No memory has this key, for this user.")
        found = meant(known, what.key)
    elif isinstance(what, Command):
        found = meant(known, what.target, attribute=None) or (meant(known, what.attribute) if what.attribute and not what.target else [])
    elif not what:
        found = meant(known, attribute) if attribute else []
    else:
        found = meant(known, what, attribute=attribute)
    if not history:
        found = [m for m in found if m.status is not Status.SUPERSEDED]
    at = now or datetime.now(UTC)
    words = what.target if isinstance(what, Command) else what if isinstance(what, str) else ""
    if not found:
        return await _untell(store, who, words, at, source.message if source else None) if isinstance(store, MemoryStore) else []
    # the file first: if the work ends between the two, the request can be made again and finds what it means
    await asyncio.to_thread(_unlearn, who, {m.source.text for m in found if m.source.text})
    if isinstance(store, MemoryStore):
        values = list(dict.fromkeys([*(m.value for m in found if len(bare(m.value)) > 1), *names_meant(known, words)]))
        await _remove(
            store, who, [m.key for m in found], values, {bare(m.source.text) for m in found if m.source.text} - {""}, archive=everything(words)
        )
    else:
        await delete(store, who, found)
    said = source.text if source and source.text else ""
    zh = any("\u4e00" <= c <= "\u9fff" for c in said or found[0].content)
    reason = _reason(at, zh=zh)
    latest = {m.fingerprint: m for m in sorted(found, key=lambda m: m.status is Status.ACTIVE)}
    return [
        Change(
            op="forget", key=m.key, attribute=m.attribute, value=m.value, owner=m.owner, content=m.content, said=m.source.text or "", time=m.time,
            tags=m.tags, reason=reason,
        )
        for m in latest.values()
    ]  # fmt: skip


def _reason(at: datetime, *, zh: bool) -> str:
    return f"应用户要求忘掉（{at.date().isoformat()}）" if zh else f"forgotten at the user's request ({at.date().isoformat()})"


async def _untell(store: MemoryStore, user: str, request: str, at: datetime, order: str | None) -> list[Change]:
    """What no fact was made of is forgotten too: the clauses of archived turns and of threads at hand that speak of all that the request names.

    `order` is the id of the message that asks for it.
    """
    wanted = named(request)
    if not wanted:
        return []
    async with store.reading() as cur:
        await cur.execute("SELECT text FROM episodes WHERE user_id = %s AND role IN ('user', 'assistant') ORDER BY time, id", (label_of(user),))
        archived = [r["text"] for r in await cur.fetchall()]
        texts = [*archived, *(t for key, t in (await threads.said(cur, label_of(user))).items() if key != order)]
    clauses = [c.strip() for t in texts for c in _CLAUSES.findall(t) if all(w in bare(c) for w in wanted) and not commands(c)]
    found = list(dict.fromkeys(c for c in clauses if not c.endswith(("?", "？"))))
    if not found:
        return []
    await asyncio.to_thread(_unlearn, user, set(clauses))
    await _remove(store, user, [], wanted if len(wanted) == 1 else [], {bare(c) for c in clauses})
    zh = any("\u4e00" <= c <= "\u9fff" for c in request)
    return [Change(op="forget", key=None, attribute="other", value=c, owner=USER, said=c, reason=_reason(at, zh=zh)) for c in found]


def _unlearn(user: str, texts: Collection[str]) -> None:
    """Take the words out of the judge's kept corrections too."""
    path = corrections_file(load_settings())
    for text in texts if path.exists() else ():
        corrections.forget(path, user=user, text=text)


async def _remove(store: MemoryStore, user: str, keys: Sequence[str], values: Sequence[str], told: set[str], *, archive: bool = False) -> None:
    """Remove the facts with these keys, and in the same transaction what archived turns and the origins of other facts tell of them: every clause that
    mentions one of the values, or is one of those `told` (their bare forms); with `archive`, every archived turn and document."""
    label = label_of(user)
    ready = dict[str, tuple[str, EpisodeRow]]()  # episodes as they will be: id → the text they had when they were prepared, and their row
    while True:
        async with store.writing(label) as cur:
            if archive:
                await cur.execute("DELETE FROM episodes WHERE user_id = %s", (label,))
            await cur.execute("SELECT * FROM episodes WHERE user_id = %s", (label,))
            touched = [r for r in await cur.fetchall() if any(without(t, values, told) != t.strip() for t in (r["text"], r["caption"]))]
            left = {r["id"]: e for r in touched if (e := _without(user, r, values, told)) is not None}
            changed = [r["id"] for r in touched if r["id"] in left and (r["id"] not in ready or ready[r["id"]][0] != r["text"])]
            if not changed:
                await ledger.purge(cur, label, keys)
                await cur.execute("DELETE FROM episodes WHERE user_id = %s AND id = ANY (%s)", (label, [r["id"] for r in touched]))
                await insert(cur, label, [ready[key][1] for key in left])
                await _requote(cur, label, values, told)
                await threads.clear(cur, label, Forgetting(tuple(values), frozenset(told), whole=archive))
                return
        rows = await prepared(store, label, [left[key] for key in changed])
        texts = {r["id"]: r["text"] for r in touched}
        ready |= {row.id: (texts[row.id], row) for row in rows}


def _without(user: str, row: Mapping[str, Any], values: Sequence[str], told: set[str]) -> Episode | None:
    """The archived turn without what was forgotten; None when nothing is left of it."""
    text, caption = (without(row[k], values, told) for k in ("text", "caption"))
    fields = {f: row[f] for f in Episode.__dataclass_fields__ if f not in {"user", "entities", "text", "caption"}}
    entities = tuple(n for n in row["entities"] if n in text)
    return Episode(user=user, text=text, caption=caption, entities=entities, **fields) if text else None


async def _requote(cur: Cursor, label: str, values: Sequence[str], told: set[str]) -> None:
    """Take what was forgotten out of the origins that other facts quote."""
    quoting = [
        (m.key, t)
        for m in await ledger.versions(cur, label)
        if m.source.text and (t := without(m.source.text, values, told)) != m.source.text.strip()
    ]
    keys, texts = [k for k, _ in quoting], [t for _, t in quoting]
    await cur.execute(
        "UPDATE memory_versions v SET record = jsonb_set(record, '{source,text}', to_jsonb(t.text)) FROM unnest(%s::text[], %s::text[]) AS t (key, text) "
        "WHERE v.user_id = %s AND v.key = t.key",
        (keys, texts, label),
    )
    await cur.execute(
        "UPDATE store s SET value = jsonb_set(value, '{source,text}', to_jsonb(t.text)) FROM unnest(%s::text[], %s::text[]) AS t (key, text) "
        "WHERE s.prefix >= %s AND s.prefix < %s AND s.key = t.key",
        (keys, texts, label + ".", label + "/"),
    )


@dataclass(frozen=True, slots=True)
class Forgetting:
    """Takes what was forgotten out of texts. `values` are what the facts said, `told` the bare forms of the clauses they were read from; `whole`: everything."""

    values: tuple[str, ...]
    told: frozenset[str]
    whole: bool = False

    def __call__(self, text: str) -> str:
        """The text without the clauses that tell it; nothing of it where everything is forgotten."""
        return "" if self.whole else without(text, self.values, self.told)

    def unnamed(self, text: str) -> str:
        """The text without the words themselves, so that what was asked and answered about them can still be seen: 忘掉…"""
        for value in sorted(self.values, key=len, reverse=True):
            edge = r"\b" if value[:1].isascii() and value[:1].isalnum() else ""
            text = re.sub(edge + re.escape(value) + (r"\b" if edge and value[-1:].isalnum() else ""), "…", text, flags=re.IGNORECASE)
        return without(text, self.values, self.told)


def forgetting(reports: Sequence[Mapping[str, Any]], requests: Sequence[str] = ()) -> Forgetting | None:
    """What takes out of texts what these changes (as JSON), made for these requests, report forgotten; None where they report nothing."""
    gone = [r for r in reports if r.get("op") == "forget" and r.get("value")]
    values = tuple(str(r["value"]) for r in gone if len(bare(str(r["value"]))) > 1)
    return Forgetting(values, frozenset({bare(str(r.get("said") or "")) for r in gone} - {""}), any(map(everything, requests))) if gone else None


def without_orders(text: str) -> str:
    """The text without the sentences that order something forgotten: archived, they would answer questions about it."""
    return "".join(s for s in _CLAUSES.findall(text) if not any(c.kind == "forget" for c in commands(s))).strip()


def without(text: str, values: Sequence[str], told: Collection[str]) -> str:
    """The text without the clauses that mention one of the values or were the source of a fact."""
    kept = [c for c in _CLAUSES.findall(text) if bare(c) not in told and not any(mentions(c, v) for v in values)]
    return "".join(kept).strip()
