"""`jizhu recall`: what a reply would be given for a question, with scores; and `jizhu ingest`: turns and documents into episodes."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from cli import lines
from cli.options import Json, User
from cli.output import aside, console, emit, plain, wants_json
from memory.errors import BadInput, JizhuError
from memory.namespace import thread_id, user_id
from memory.settings import load_settings

if TYPE_CHECKING:
    from memory.recall import Filter, Recalled

KINDS: Final = ("any", "fact", "episode")
VALIDITIES: Final = {"current": "current", "active": "current", "past": "past", "any": "any"}
FILTERS: Final = frozenset({"category", "attribute", "tags", "role", "thread", "session", "since", "until", "validity"})


def recall(
    query: Annotated[list[str] | None, typer.Argument(metavar="QUERY", help="a question; without one, JSON lines are read from stdin")] = None,
    user: User = "me",
    k: Annotated[int, typer.Option("-k", min=1, max=1000, help="how many")] = 3,
    json: Json = False,
) -> None:
    """The best memories for a question.

    {"user","id"?,"query","history"?,"time"?,"k"?,"kind"?,"filter"?} lines on stdin, or QUERY.
    """
    asyncio.run(_ask(" ".join(query), user_id(user), k, wants_json(json)) if query else _answer_lines(user))


async def _ask(query: str, user: str, k: int, json: bool) -> None:
    from memory.open import open_memory
    from memory.search import recall as search

    settings = load_settings()
    async with open_memory(settings) as (store, _, _):
        found = await search(store, user, query, k=k, now=datetime.now(settings.zone))
    if json:
        emit(_as_json(None, found))
        return
    for hit in found.hits:
        when = hit.time.date().isoformat() if hit.time else ""
        console().print(f"{hit.score:.2f}  {hit.kind:<7} {when}  {plain(hit.text)}")
        console().print("      " + "  ".join(f"{name} {value:.2f}" for name, value in hit.parts.items()), style="dim")
    console().print(f"answerable {found.answerable:.2f}", style="dim")


async def _answer_lines(user: str) -> None:
    from memory.open import open_memory
    from memory.search import recall as search

    settings = load_settings()
    async with open_memory(settings) as (store, _, _):

        async def answer(number: int, record: lines.Record) -> Mapping[str, Any]:
            who = user_id(lines.label(record, "user") or user)
            found = await search(
                store,
                who,
                lines.text(record, "query"),
                history=[m["content"] for m in lines.talk(record)],
                k=lines.count(record, "k", 3),
                kind=lines.choice(record, "kind", KINDS, "any"),  # type: ignore[arg-type]
                filter=_filter(record, who),
                now=lines.when(record, settings.zone) or datetime.now(settings.zone),
            )
            return _as_json(record.get("id"), found)

        await lines.each(lines.stdin_lines(), answer)


def _as_json(id: Any, found: "Recalled") -> dict[str, Any]:
    return {"id": id, "hits": [h.as_json() for h in found.hits], "answerable": round(found.answerable, 4)}


def _filter(record: lines.Record, user: str) -> "Filter":
    from memory.recall import Filter

    given = record.get("filter")
    if given is None:
        given = {}
    if not isinstance(given, dict):
        raise BadInput('"filter" must be an object.')
    if unknown := sorted(set(given) - FILTERS):
        raise BadInput(f'"filter" knows {", ".join(sorted(FILTERS))}; not {", ".join(unknown)}.')
    merged = {**given, **({"validity": record["validity"]} if "validity" in record else {})}
    sessions = [s for name in ("session", "thread") for s in lines.labels(merged, name)]
    anywhere = merged.get("session") is None and merged.get("thread") is None
    zone = load_settings().zone
    validity = VALIDITIES[lines.choice(merged, "validity", tuple(VALIDITIES), "current")]
    return Filter(
        category=lines.label(merged, "category"),
        attribute=lines.label(merged, "attribute"),
        tags=lines.labels(merged, "tags"),
        role=lines.label(merged, "role"),
        session=None if anywhere else tuple(dict.fromkeys([*sessions, *(thread_id(user, s) for s in sessions)])),
        since=lines.when(merged, zone, "since"),
        until=lines.when(merged, zone, "until"),
        validity=validity,  # type: ignore[arg-type]
    )


def ingest(
    file: Annotated[str, typer.Argument(metavar="FILE", help='JSON lines {"user","id"?,"session"?,"time"?,"text",…}; - is stdin')], json: Json = False
) -> None:
    """Archive turns and documents.

    Lines become episodes of their users; the same line twice is one episode.
    """
    asyncio.run(_ingest(file, wants_json(json)))


async def _ingest(file: str, json: bool) -> None:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from memory.ingest import ingest as archive
    from memory.open import open_memory

    settings = load_settings()
    source = lines.file_lines(file)
    total = await asyncio.to_thread(_count, file)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=aside(), transient=True, disable=not aside().is_terminal) as bar:
        task = bar.add_task("ingest", total=total)
        async with open_memory(settings) as (store, _, _):
            done = await archive(store, _records(lines.arriving(source)), zone=settings.zone, progress=lambda n: bar.update(task, completed=n))
    if json:
        emit(done.as_json())
        return
    console().print(
        f"{done.ingested:,} ingested, {done.skipped:,} known already, {len(done.errors):,} errors" + (f", {done.cut:,} cut" if done.cut else "")
    )
    for error in done.errors[:20]:
        console().print("  " + plain(error), style="red")


async def _records(raw: AsyncIterator[bytes]) -> AsyncIterator[Mapping[str, Any]]:
    """Parsed lines; a line that cannot be read carries its error, which is reported with its number."""
    async for line in raw:
        try:
            yield lines.parse(line)
        except JizhuError as error:
            yield {"error": str(error)}


def _count(file: str) -> int | None:
    """How many lines a file has; None for what can be read only once: stdin, a pipe."""
    path = Path(file)
    if file == "-" or not path.is_file():
        return None
    with path.open("rb") as handle:
        return sum(chunk.count(b"\n") for chunk in iter(lambda: handle.read(1 << 20), b""))
