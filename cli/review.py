"""`jizhu review`: memories that wait for a person's word, held by the guard or not yet sure, with the reason."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from cli.memories import Key, show_changes
from cli.opened import with_store
from cli.options import Json
from cli.output import console, emit, plain, say
from memory.namespace import user_id
from memory.settings import load_settings

if TYPE_CHECKING:
    from memory.corrections import Label, Source
    from memory.record import Memory
    from memory.remember import Change
    from memory.store import MemoryStore

app = typer.Typer(help="Held and pending memories, with the reason.", no_args_is_help=True)
Whose = Annotated[str | None, typer.Option("--user", "-u", metavar="U", help="of this user only; default: of everybody")]


@app.command("list")
def list_waiting(user: Whose = None, json: Json = False) -> None:
    """What waits for approval, of one user or of everybody."""
    who = user_id(user) if user is not None else None

    async def read(store: "MemoryStore") -> "list[Memory]":
        from memory.review import waiting

        return await waiting(store, who)

    found = with_store(read)
    if json:
        for memory in found:
            emit(memory.as_json())
        return
    if not found:
        say("Nothing waits.", style="dim")
    for memory in found:
        owner = "" if memory.owner == "user" else f"{plain(memory.owner)}: "
        console().print(f"{memory.key}  {plain(memory.user)}  {memory.status.value}  {owner}{memory.attribute} {plain(memory.value)}")
        console().print(f"  {plain(memory.reason)}", style="dim")


@app.command()
def approve(key: Key, user: Whose = None, json: Json = False) -> None:
    """Let it hold from now on."""

    async def accept(store: "MemoryStore") -> "list[Change]":
        from memory.history import approve as approve_version

        who = await _owner(store, key, user)
        version = await _version(store, who, key)
        changes = await approve_version(store, who, key)
        learn(version, "LONG", "approve")
        return changes

    show_changes(with_store(accept), json)


@app.command()
def reject(key: Key, user: Whose = None, json: Json = False) -> None:
    """Turn it down for good."""

    async def refuse(store: "MemoryStore") -> "list[Change]":
        from memory.history import reject as reject_version

        who = await _owner(store, key, user)
        version = await _version(store, who, key)
        changes = await reject_version(store, who, key)
        learn(version, "SHORT", "reject")
        return changes

    show_changes(with_store(refuse), json)


async def _owner(store: "MemoryStore", key: str, user: str | None) -> str:
    from memory.review import owner_of

    return user_id(user) if user is not None else await owner_of(store, key)


async def _version(store: "MemoryStore", user: str, key: str) -> "Memory | None":
    return next((m for m in await store.versions(user) if m.key == key), None)


def learn(version: "Memory | None", label: "Label", source: "Source") -> None:
    """Keep the decision as an example for the judge's training, unless its words are a secret."""
    from memory.corrections import corrections_file, keep
    from memory.guard import secret

    text = version.source.text if version is not None else None
    if version is not None and text and version.source.channel == "user" and secret(text) is None:
        keep(corrections_file(load_settings()), user=version.user, text=text, label=label, source=source, at=datetime.now(UTC))
