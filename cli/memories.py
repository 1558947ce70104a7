"""`jizhu memories`: what is remembered of one user, with the history and the reason of each fact."""

from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli.opened import with_store
from cli.options import Json, User
from cli.output import console, emit, plain, say, table
from cli.words import machine_language
from memory.errors import BadInput, NotFound
from memory.language import label, language_of
from memory.namespace import user_id

if TYPE_CHECKING:
    from memory.record import Memory
    from memory.remember import Change
    from memory.store import MemoryStore

app = typer.Typer(help="What is remembered of one user.", no_args_is_help=True)
SHORTEST: Final = 4  # characters of a key that may stand for it
_STANDS: Final = {
    "active": "brought back",
    "pending": "waiting again",
    "held": "held again",
}  # how a version stands after an undo; any other is taken back
Key = Annotated[str, typer.Argument(metavar="KEY", help="the key of any version of a fact, or its first characters")]

Fact = Annotated[str, typer.Argument(metavar="KEY", help="a key, its first characters, or an attribute or part of a value that one fact alone has")]


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
def search(
    query: Annotated[list[str], typer.Argument(metavar="QUERY")],
    user: User = "me",
    k: Annotated[int, typer.Option("-k", min=1, max=1000, help="how many")] = 10,
    json: Json = False,
) -> None:
    """The facts that bear on QUERY, best first."""
    user = user_id(user)

    async def find(store: "MemoryStore") -> "list[Memory]":
        from memory.search import recall

        found = await recall(store, user, " ".join(query), k=k, kind="fact")
        return [h.memory for h in found.hits if h.memory is not None]

    show_list(with_store(find), json)


@app.command()
def show(key: Fact, user: User = "me", json: Json = False) -> None:
    """One memory, whole."""
    user = user_id(user)
    found = with_store(lambda store: only(store, user, key))
    if json:
        emit(found.as_json())
        return
    from memory.guard import masked

    whole = found.as_json()
    origin = {f"said {k}" if k == "text" else k: v for k, v in whole.pop("source").items()}
    for name, value in {**whole, **origin}.items():
        if value is not None and value not in ("", [], False):
            text = ", ".join(map(str, value)) if isinstance(value, list) else "yes" if value is True else str(value)
            hidden = name in {"value", "content", "said text", "normal"}
            console().print(f"{name:>12}  {plain(masked(text, found.tags) if hidden else text)}")


@app.command()
def history(key: Fact, user: User = "me", json: Json = False) -> None:
    """Every version of the fact that is meant, in the order they were learned."""
    user = user_id(user)

    async def read(store: "MemoryStore") -> "list[Memory]":
        return await store.history(user, (await only(store, user, key)).key)

    show_list(with_store(read), json, True)


@app.command()
def forget(
    key: Annotated[str | None, typer.Argument(metavar="[KEY]", help="the key of any version of the fact")] = None,
    user: User = "me",
    attribute: Annotated[str | None, typer.Option("--attribute", "-a", metavar="A", help="every fact of this attribute")] = None,
    json: Json = False,
) -> None:
    """Remove a fact with all its versions, or with --attribute all facts of one kind, everywhere it could be found again."""
    user = user_id(user)
    if (key is None) == (attribute is None):
        raise typer.BadParameter("give either KEY or --attribute A")

    async def remove(store: "MemoryStore") -> "list[Change]":
        from memory.forget import forget as forget_memory

        if attribute is not None:
            return await forget_memory(store, user, attribute=_known(attribute))
        return await forget_memory(store, user, await named(store, user, str(key)))

    show_changes(with_store(remove), json)


@app.command()
def restore(key: Key, user: User = "me", json: Json = False) -> None:
    """Make a past version current again."""
    user = user_id(user)

    async def bring_back(store: "MemoryStore") -> "list[Change]":
        from memory.history import restore as restore_version

        return await restore_version(store, user, (await named(store, user, key)).key)

    show_changes(with_store(bring_back), json)


@app.command()
def pin(key: Key, user: User = "me", off: Annotated[bool, typer.Option("--off", help="unpin")] = False, json: Json = False) -> None:
    """Pin a fact: it never decays and stands first in the profile."""
    user = user_id(user)

    async def fix(store: "MemoryStore") -> "list[Change]":
        from memory.history import pin as pin_fact

        return await pin_fact(store, user, (await named(store, user, key)).key, pinned=not off)

    show_changes(with_store(fix), json, "unpinned" if off else "pinned")


@app.command()
def undo(user: User = "me", json: Json = False) -> None:
    """Take back the last change; a second time brings it back."""
    user = user_id(user)

    async def back(store: "MemoryStore") -> "tuple[list[Change], list[Memory]]":
        from memory.history import undo as undo_last

        changes = await undo_last(store, user)
        return changes, await store.versions(user, keys=[c.key for c in changes if c.key])

    changes, versions = with_store(back)
    if json or not changes:
        show_changes(changes, json)
        return
    from memory.guard import masked

    for memory in versions:
        stands = _STANDS.get(memory.status.value, "taken back")
        lang = machine_language(language_of(memory.content))
        say(f"{stands}  {_owned(memory.owner)}{label(memory.attribute, lang)} {plain(masked(memory.value, memory.tags))}")


def show_changes(changes: "list[Change]", json: bool, done: str | None = None) -> None:
    """What a command did, one change a line; `done` is its name for people, where the operation's own says less."""
    if json:
        for change in changes:
            emit(change.as_json())
        return
    if not changes:
        say("Nothing changed.", style="dim")
    for change in changes:
        lang = machine_language(language_of(change.content, change.value))
        say(f"{done or change.op}  {_owned(change.owner)}{label(change.attribute, lang)} {plain(change.value)}")
        console().print(f"  {plain(change.reason)}", style="dim")


def _owned(owner: str) -> str:
    """Whose a fact is, before it, where it is not the user's own."""
    return "" if owner == "user" else f"{owner}: "


def _known(attribute: str) -> str:
    """The attribute of this name, or of the name that is shown for it."""
    from memory.record import CATEGORIES

    attribute = next((a for a in CATEGORIES if attribute != a and attribute in {label(a, "zh"), label(a, "en")}), attribute)
    if attribute not in CATEGORIES:
        raise typer.BadParameter(f"there is no attribute {attribute!r}; it is one of {', '.join(CATEGORIES)}")
    return attribute


def show_list(found: "list[Memory]", json: bool, statuses: bool = False) -> None:
    """Memories as JSON lines, or as a table."""
    if json:
        for memory in found:
            emit(memory.as_json())
        return
    if not found:
        say("Nothing is remembered.", style="dim")
        return
    from memory.lines import in_short

    lang = machine_language(language_of(*(m.content for m in found)))
    table(
        ["key", "attribute", "value", "since", *(["status"] if statuses else [])],
        (
            [m.key, label(m.attribute, lang), _owned(m.owner) + in_short(m) + (f" ({m.time})" if m.time else ""),
             (m.valid_from or m.recorded_at).date().isoformat(), *([m.status.value] if statuses else [])]
            for m in found
        ),
    )  # fmt: skip


async def named(store: "MemoryStore", user: str, key: str) -> "Memory":
    """The version with this key, or the only one whose key begins so. Raises NotFound, and BadInput where several do."""
    if found := await store.versions(user, keys=[key]):
        return found[0]
    alike = [m for m in await store.versions(user) if m.key.startswith(key)] if len(key) >= SHORTEST else []
    if len(alike) > 1:
        raise BadInput(f"Several memories of {user} have a key that begins with {key}: give more of it.")
    if not alike:
        raise NotFound(f"{user} has no memory with the key {key}.")
    return alike[0]


async def only(store: "MemoryStore", user: str, key: str) -> "Memory":
    """The version that `named` finds, else the current one of the only fact with this attribute (or its name for people), or whose value holds these words.

    Raises NotFound, and BadInput where several do.
    """
    try:
        return await named(store, user, key)
    except NotFound:
        every, wanted = await store.versions(user), key.casefold()
    called = [m for m in every if wanted in {m.attribute, label(m.attribute, "zh"), label(m.attribute, "en")}]
    fits = [m for m in called if m.owner == "user"] or called or [m for m in every if wanted and wanted in m.value.casefold()]
    if len({m.fact for m in fits}) > 1:
        raise BadInput(f"Several memories of {user} fit {key}: give the key of one, as `jizhu memories list` shows it.")
    if not fits:
        raise NotFound(f"{user} has no memory with the key, attribute or value {key}.")
    return max(fits, key=lambda m: (m.valid_to is None, m.recorded_at))
