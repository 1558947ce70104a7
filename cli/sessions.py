"""`jizhu sessions`: a user's conversations, what each holds for now, ending one, and going back in one."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from cli.options import Json, Thread, User
from cli.output import console, emit, plain, say, table
from memory.errors import BadInput
from memory.namespace import user_id
from memory.settings import load_settings

if TYPE_CHECKING:
    from graph.runner import Agent

_EXTRA: Final = {"allow_extra_args": True}  # a thread may stand alone, without its option
app = typer.Typer(help="Conversations and their short-term memory.", no_args_is_help=True)


@app.command("list")
def list_sessions(user: User = "me", json: Json = False) -> None:
    """The user's threads, the latest first."""
    who = user_id(user)
    found: list[dict[str, Any]] = _run(lambda agent: agent.sessions(who))
    if json:
        for one in found:
            emit(one)
    elif found:
        table(["thread", "last used"], ([one["thread"], str(one["updated"] or "")[:16].replace("T", " ")] for one in found))
    else:
        say("There are no sessions.", style="dim")


@app.command(context_settings=_EXTRA)
def show(context: typer.Context, user: User = "me", thread: Thread = None, json: Json = False) -> None:
    """What a thread holds: summary, session facts, referents, files, recent messages. Without --thread, the latest."""
    thread = _meant(context, thread)
    who = user_id(user)

    async def read(agent: "Agent") -> dict[str, Any]:
        return await agent.session(who, await _thread(agent, who, thread))

    found = _run(read)
    if json:
        emit(found)
        return
    from memory.compress import Summary

    out = console()
    for name, value in found.items():
        if name == "summary":
            value = Summary.from_json(value).text
        if not value:
            continue
        if isinstance(value, dict):
            value = "; ".join(f"{k}: {v}" for k, v in value.items() if v)
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            out.print(f"{name}:", style="dim")
            for item in value:
                out.print("  " + "  ".join(plain(x) for x in item.values()))
            continue
        elif isinstance(value, list):
            value = "; ".join(map(str, value))
        out.print(f"{name}: {plain(value)}")


@app.command(context_settings=_EXTRA)
def end(context: typer.Context, user: User = "me", thread: Thread = None, json: Json = False) -> None:
    """End a thread: keep what is worth keeping, archive its turns, clear the rest. Without --thread, the latest."""
    thread = _meant(context, thread)
    who = user_id(user)

    async def finish(agent: "Agent") -> dict[str, Any]:
        return await agent.end(who, await _thread(agent, who, thread))

    done = _run(finish)
    if json:
        emit(done)
    else:
        say(f"Ended {plain(done['thread'])}: {done['session_facts']} session facts cleared, {done['episodes']} turns archived.")


@app.command(context_settings=_EXTRA)
def undo(
    context: typer.Context,
    user: User = "me",
    thread: Thread = None,
    steps: Annotated[int, typer.Option("--steps", "-n", metavar="N", min=1, help="how many rounds")] = 1,
    json: Json = False,
) -> None:
    """Go back N rounds, with the memories they wrote. Without --thread, in the latest."""
    thread = _meant(context, thread)
    who = user_id(user)

    async def back(agent: "Agent") -> dict[str, Any]:
        return await agent.undo(who, await _thread(agent, who, thread), steps)

    done = _run(back)
    if json:
        emit(done)
        return
    say(f"{plain(done['thread'])}: went back {done['undone']} of {steps} rounds" + (", to the start." if done["at_start"] else "."))
    for memory in done.get("memories", ()):
        say(f"  {memory['op']}: {memory['attribute']} {plain(memory['value'])}", style="dim")


def _meant(context: typer.Context, thread: str | None) -> str | None:
    """The thread that is named, with --thread or standing alone; a number alone may as well be meant as rounds. Raises BadParameter."""
    if not context.args:
        return thread
    if thread is None and len(context.args) == 1 and not context.args[0].isdecimal():
        return context.args[0]
    raise typer.BadParameter(f"unexpected {plain(context.args[0])!r}; to name a conversation: --thread {plain(context.args[0])}")


def _run(work: "Callable[[Agent], Awaitable[Any]]") -> Any:
    async def run() -> Any:
        from graph.runner import open_agent

        async with open_agent(load_settings()) as agent:
            return await work(agent)

    return asyncio.run(run())


async def _thread(agent: "Agent", user: str, thread: str | None) -> str:
    """The thread named, or the user's latest."""
    if thread and thread != "last":
        return thread
    found = await agent.sessions(user)
    if not found:
        raise BadInput(f"{user} has no sessions.")
    return str(found[0]["thread"])
