"""The slash commands of a chat: each a function from the conversation and what follows the command."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cli.output import plain, table
from memory.errors import AmbiguousRequest, BadInput, JizhuError
from memory.language import label

if TYPE_CHECKING:
    from cli.conversation import Conversation

LARGEST: Final = 2  # MB of a file


async def run(talk: "Conversation", line: str) -> bool:
    """Carries out ``/command rest``; False ends the chat. A mistake is answered with a sentence."""
    name, _, rest = line[1:].partition(" ")
    if name in {"quit", "exit", "q"}:
        return False
    command = COMMANDS.get(name)
    if command is None:
        talk.screen.line(talk.screen.words("unknown", command="/" + plain(name)))
        return True
    try:
        await command(talk, rest.strip())
    except JizhuError as error:
        talk.screen.line(plain(error))
    return True


async def show_help(talk: "Conversation", rest: str) -> None:
    talk.screen.line(talk.screen.words("help"), style=None)


async def memories(talk: "Conversation", rest: str) -> None:
    from memory.current import current
    from memory.lines import in_short

    found = await current(talk.agent.store, talk.user)
    if rest:
        needle = rest.casefold()
        found = [m for m in found if needle in f"{m.content} {m.value} {m.attribute} {label(m.attribute, talk.screen.lang)}".casefold()]
    talk.listed = [m.key for m in found]
    if not found:
        talk.screen.line(talk.screen.words("no_match", what=plain(rest)) if rest else talk.screen.words("no_memories"))
        return
    colon = "：" if talk.screen.lang == "zh" else ": "
    table(
        ["", "", "", ""],
        (
            [n, label(m.attribute, talk.screen.lang), ("" if m.owner == "user" else m.owner + colon) + in_short(m), m.recorded_at.date().isoformat()]
            for n, m in enumerate(found, start=1)
        ),
    )


async def forget(talk: "Conversation", rest: str) -> None:
    if not rest:
        talk.screen.line(talk.screen.words("forget_usage"))
        return
    what = talk.listed[int(rest) - 1] if rest.isdecimal() and 0 < int(rest) <= len(talk.listed) else rest
    try:
        removed = await talk.agent.forget(talk.user, what)
    except AmbiguousRequest:
        await memories(talk, rest)
        talk.screen.line(talk.screen.words("several"))
        return
    if removed:
        talk.untype([r.value for r in removed])
        talk.screen.line(talk.screen.words("forgotten", values=" · ".join(talk.screen.fact(r.as_json()) for r in removed)))
    else:
        talk.screen.line(talk.screen.words("no_match", what=plain(rest)))


async def attach(talk: "Conversation", rest: str) -> None:
    if not rest:
        talk.screen.line(talk.screen.words("file_usage"))
        return
    path = rest.strip("'\"")
    try:
        text = await asyncio.to_thread(read_text, path, talk.screen.words("not_text"), talk.screen.words("too_large", limit=LARGEST))
    except OSError as error:
        talk.screen.line(talk.screen.words("file_unreadable", name=plain(path), why=error.strerror or str(error)))
        return
    except BadInput as error:
        talk.screen.line(talk.screen.words("file_unreadable", name=plain(path), why=error))
        return
    talk.files.append({"name": Path(path).name, "text": text})
    talk.screen.line(talk.screen.words("file_added", name=plain(Path(path).name), size=f"{len(text):,}"))


def read_text(name: str, not_text: str, too_large: str) -> str:
    """A text file in UTF-8, UTF-16 with a mark, or GB 18030. Raises OSError, or BadInput with the sentence given."""
    path = Path(name).expanduser()
    if path.stat().st_size > LARGEST * 1_000_000:
        raise BadInput(too_large)
    raw = path.read_bytes()
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return raw.decode("utf-16", "replace")
    if b"\0" in raw or raw.startswith(b"%PDF"):
        raise BadInput(not_text)
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise BadInput(not_text)


async def undo(talk: "Conversation", rest: str) -> None:
    from graph.phrases import undone

    if rest and not (rest.isdecimal() and 0 < int(rest) < 10_000):
        talk.screen.line(talk.screen.words("undo_usage"))
        return
    if not talk.said:
        talk.screen.line(talk.screen.words("nothing_yet"))
        return
    done = await talk.agent.undo(talk.user, talk.thread, int(rest or 1))
    rounds = done["undone"]
    talk.screen.line(talk.screen.words("undone_start" if rounds < int(rest or 1) else "undone", rounds=rounds))
    for line, facts in zip(("undone_memories", "again_memories"), undone(done.get("memories", ())), strict=True):
        if facts:
            talk.screen.line(talk.screen.words(line, values=" · ".join(talk.screen.fact(m) for m in facts)))
    talk.said = not done.get("at_start")


async def end(talk: "Conversation", rest: str) -> None:
    if not talk.said:
        talk.screen.line(talk.screen.words("nothing_yet"))
        return
    done = await talk.agent.end(talk.user, talk.thread)
    talk.begin()
    talk.screen.line(talk.screen.words("ended", facts=done["session_facts"], episodes=done["episodes"], thread=talk.thread))


async def new(talk: "Conversation", rest: str) -> None:
    talk.begin(rest or None)
    talk.screen.line(talk.screen.words("new", thread=plain(talk.thread)))


COMMANDS: Final[dict[str, Callable[["Conversation", str], Awaitable[None]]]] = {
    "help": show_help, "memories": memories, "forget": forget, "file": attach, "undo": undo, "end": end, "new": new,
}  # fmt: skip
