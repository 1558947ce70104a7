"""`jizhu memories`: what is remembered of one user, with the history and the reason of each fact."""

from typing import TYPE_CHECKING, Annotated

import typer

from cli.opened import with_store
from cli.options import Json, User
from cli.output import console, emit, plain, say, table
from memory.errors import NotFound
from memory.namespace import user_id

if TYPE_CHECKING:
    from memory.record import Memory
    from memory.store import MemoryStore

app = typer.Typer(help="What is remembered of one user.", no_args_is_help=True)
Key = Annotated[str, typer.Argument(metavar="KEY", help="the key of any version of a fact")]


@app.command("list")
def list_memories(
    user: User = "me", every: Annotated[bool, typer.Option("--all", help="past, pending, held and archived ones too")] = False, json: Json = False
) -> None:
    """What is remembered now; --all: every version."""
    user = user_id(user)

    async def read(store: "MemoryStore") -> "list[Memory]":
        from memory.record import Status

        return await store.versions(user, statuses=None if every else {Status.ACTIVE})

    show_list(with_store(read), json, every)


@app.command()
def show(key: Key, user: User = "me", json: Json = False) -> None:
    """One memory, whole."""
    user = user_id(user)
    found = with_store(lambda store: store.versions(user, keys=[key]))
    if not found:
        raise NotFound(missing(user, key))
    if json:
        emit(found[0].as_json())
        return
    for name, value in found[0].as_json().items():
        if value not in (None, "", [], {}):
            console().print(f"{name:>12}  {plain(value)}")


@app.command()
def history(key: Key, user: User = "me", json: Json = False) -> None:
    """Every version of the fact that KEY belongs to, in the order they were learned."""
    user = user_id(user)
    found = with_store(lambda store: store.history(user, key))
    if not found:
        raise NotFound(missing(user, key))
    show_list(found, json, True)


def show_list(found: "list[Memory]", json: bool, statuses: bool = False) -> None:
    """Memories as JSON lines, or as a table."""
    if json:
        for memory in found:
            emit(memory.as_json())
        return
    if not found:
        say("Nothing is remembered.", style="dim")
        return
    table(
        ["key", "attribute", "value", "since", *(["status"] if statuses else [])],
        (
            [m.key, m.attribute, ("" if m.owner == "user" else f"{m.owner}: ") + m.value + (f" ({m.time})" if m.time else ""),
             (m.valid_from or m.recorded_at).date().isoformat(), *([m.status.value] if statuses else [])]
            for m in found
        ),
    )  # fmt: skip


def missing(user: str, key: str) -> str:
    return f"{user} has no memory with the key {key}."
