"""`jizhu export`, `import`, `erase` and `reembed`: a user's memory as a file, taken in again, removed whole; a database moved to another model."""

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli import lines
from cli.conversation import history_file
from cli.opened import with_store
from cli.options import Json
from cli.output import aside, complain, emit, plain, say
from memory.corrections import corrections_file, forget
from memory.errors import BadInput
from memory.namespace import user_id
from memory.settings import load_settings

if TYPE_CHECKING:
    from memory.store import MemoryStore

Whose = Annotated[str, typer.Option("--user", "-u", metavar="U", help="whose memory")]


def export_user(user: Whose, json: Json = False) -> None:
    """Everything of one user.

    JSON lines on stdout; the last one holds the SHA-256 of those before it.
    """
    who = user_id(user)

    async def write(store: "MemoryStore") -> None:
        from memory.portability import export

        async for line in export(store, who, corrections=corrections_file(load_settings())):
            sys.stdout.buffer.write(line.encode())
        sys.stdout.buffer.flush()

    with_store(write)


def import_user(file: Annotated[Path, typer.Argument(metavar="FILE", help="what `jizhu export` wrote")], json: Json = False) -> None:
    """Take an export in.

    A file that is cut short or changed is refused before anything is written.
    """

    async def read(store: "MemoryStore") -> None:
        from memory.portability import import_file

        done = (await import_file(store, file, corrections=corrections_file(load_settings()))).as_json()
        if json:
            emit(done)
        else:
            say(f"{plain(done['user'])}: " + ", ".join(f"{n:,} {what}" for what, n in done.items() if what != "user") + " taken in.")

    with_store(read)


def erase_user(user: Whose, yes: Annotated[bool, typer.Option("--yes", help="do not ask")] = False, json: Json = False) -> None:
    """Remove a user whole.

    Facts, history, episodes, files, vectors, conversations, and what was typed. There is no way back.
    """
    who = user_id(user)
    if not yes:
        if not lines.typing():
            raise BadInput("erase removes a user for good: give --yes, or run it on a terminal.")
        if not typer.confirm(f"Erase everything that is remembered of {plain(who)}, for good?", err=True):
            raise typer.Abort

    async def remove(store: "MemoryStore") -> None:
        await store.erase(who)

    with_store(remove)
    history_file(load_settings().data_dir, who).unlink(missing_ok=True)
    forget(corrections_file(load_settings()), user=who)
    if json:
        emit({"erased": who})
    else:
        say(f"{plain(who)} is erased.")


def reembed_all(json: Json = False) -> None:
    """Move to another embedding model.

    Every vector is made anew with the configured one; goes on where an interrupted run stopped.
    """
    asyncio.run(_reembed(json))


async def _reembed(json: bool) -> None:
    from rich.progress import Progress

    from memory.open import open_memory
    from memory.reembed import reembed

    with Progress(console=aside(), transient=True, disable=not aside().is_terminal) as bar:
        task = bar.add_task("reembed", total=None)
        async with open_memory(load_settings(), moving=True) as (store, _, embedder):
            count = await reembed(store, embedder, lambda done, total: bar.update(task, completed=done, total=total))
    if json:
        emit({"vectors": count, "embedder": embedder.name})
    else:
        complain(f"{count:,} vectors are made with {embedder.name} now.")
