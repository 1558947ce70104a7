"""One conversation at a terminal: reads messages, shows rounds, survives Ctrl-C.

On a terminal, prompt_toolkit reads (with history); otherwise lines come from stdin and are echoed, so that a transcript reads like a chat.
"""

import asyncio
import os
import secrets
import shlex
import signal
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cli import lines, slash
from cli.output import plain
from cli.screen import Screen
from cli.words import machine_language
from memory.errors import JizhuError
from memory.language import language_of
from memory.record import fingerprint
from memory.settings import Settings

if TYPE_CHECKING:
    from prompt_toolkit.history import History

    from graph.runner import Agent

PROMPT: Final = "› "


class Interrupted(Exception):
    """Ctrl-C at the prompt. No KeyboardInterrupt: raised in a task, that one ends the event loop and the program with it."""


def new_thread() -> str:
    """A thread id that reads as a date and does not collide."""
    return f"{datetime.now().astimezone():%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"


class Conversation:
    """The state of a chat: who, which thread, files waiting for the next message, memories last listed.

    `opening` is memory being opened: the prompt is there meanwhile, and the first message waits for it.
    """

    agent: "Agent"

    def __init__(self, opening: "asyncio.Task[Agent]", settings: Settings, user: str, thread: str | None) -> None:
        self.opening, self.settings, self.user = opening, settings, user
        self.screen = Screen(machine_language())
        self.files: list[dict[str, str]] = []
        self.listed: list[str] = []
        self.begin(thread)

    def begin(self, thread: str | None = None) -> None:
        """Turn to a thread; without a name, a new one."""
        self.thread = thread or new_thread()
        self.said = False

    async def ready(self) -> None:
        """Wait until memory is open. Raises what opening it raised."""
        self.agent = await asyncio.shield(self.opening)

    async def run(self, *, resume: bool) -> None:
        """Until the end of input, /quit, or Ctrl-C twice. `resume`: the thread may hold earlier rounds."""
        await self.greet(resume)
        async for line in self.typed() if lines.typing() else self.piped():
            text = line.strip()
            if not text:
                continue
            if text.startswith("/"):
                await self.ready()
                if not await slash.run(self, text):
                    break
            else:
                await self.round(line)
        if lines.typing():
            who = "" if self.user == "me" else f" --user {shlex.quote(plain(self.user))}"
            self.screen.line(self.screen.words("bye", user=who))

    async def greet(self, resume: bool) -> None:
        model = self.settings.model_name
        shown = self.screen.words("offline") if model == "offline" else model
        self.screen.line(self.screen.words("title"), style="bold")
        self.screen.line(self.screen.words("where", user=plain(self.user), thread=plain(self.thread), model=shown))
        if resume:
            await self.ready()
            with suppress(JizhuError):
                rounds = (await self.agent.session(self.user, self.thread))["rounds"]
                self.said = bool(rounds)
                self.screen.line(self.screen.words("continued", rounds=rounds))
        self.screen.line(self.screen.words("hint") + "\n")

    async def round(self, text: str) -> None:
        """One message and its reply. Ctrl-C ends the reply, not the chat; an error is one line."""
        self.screen.lang = language_of(text)
        files, self.files = self.files, []
        task = asyncio.create_task(self._round(text, files))
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGINT, task.cancel)
        self.screen.wait()
        try:
            await task
        except asyncio.CancelledError:
            if (this := asyncio.current_task()) is not None and this.cancelling():
                raise
            self.screen.stop_waiting()
            self.screen.line("\n" + self.screen.words("cancelled"))
        except JizhuError as error:
            if self.opening.done() and self.opening.exception() is not None:
                raise
            self.screen.stop_waiting()
            self.files = files
            self.screen.line(plain(error), style="red")
        finally:
            self.screen.stop_waiting()
            loop.remove_signal_handler(signal.SIGINT)
        self.screen.line("")

    async def _round(self, text: str, files: list[dict[str, str]]) -> None:
        await self.ready()
        self.said = True
        async for piece in self.agent.stream(text, user=self.user, thread=self.thread, files=files):
            if isinstance(piece, str):
                self.screen.piece(piece)
            else:
                self.screen.after(text, piece)
                self.untype([str(r["value"]) for r in piece.applied if r.get("op") == "forget" and r.get("value")])

    def untype(self, values: list[str]) -> None:
        """What was forgotten does not stay among what was typed before."""
        drop_from_history(history_file(self.settings.data_dir, self.user), values)

    async def piped(self) -> AsyncIterator[str]:
        """Messages from stdin, echoed."""
        async for raw in lines.arriving(lines.stdin_lines()):
            text = raw.decode("utf-8", "replace")
            if text.strip():
                self.screen.line(PROMPT + plain(text), style="bold")
            yield text

    async def typed(self) -> AsyncIterator[str]:
        """Messages from the keyboard. Ctrl-C clears the line; on an empty line it asks, and a second one leaves, like Ctrl-D."""
        from prompt_toolkit import PromptSession
        from prompt_toolkit.formatted_text import FormattedText

        session: PromptSession[str] = PromptSession(history=self._history(), interrupt_exception=Interrupted)
        leaving = False
        while True:
            try:
                asking = asyncio.ensure_future(session.prompt_async(FormattedText([("bold", PROMPT)])))
                if not self.opening.done():
                    await asyncio.wait({asking, self.opening}, return_when=asyncio.FIRST_COMPLETED)
                if self.opening.done() and self.opening.exception() is not None:
                    asking.cancel()
                    await asyncio.gather(asking, return_exceptions=True)
                    await self.opening
                yield await asking
                leaving = False
            except Interrupted:
                if leaving and not session.default_buffer.text:
                    return
                leaving = not session.default_buffer.text
                if leaving:
                    self.screen.line(self.screen.words("leave"))
            except EOFError:
                return

    def _history(self) -> "History":
        """What was typed before, in a file of the user's own under the data directory; only in this process where that cannot be written."""
        from prompt_toolkit.history import FileHistory, InMemoryHistory

        path = history_file(self.settings.data_dir, self.user)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
        except OSError:
            return InMemoryHistory()
        return FileHistory(str(path))


def history_file(data_dir: Path, user: str) -> Path:
    """Where the chat keeps what this user typed; the name tells users apart on any file system."""
    return data_dir / "history" / fingerprint(user)


def drop_from_history(path: Path, values: list[str]) -> None:
    """Remove the entries that hold one of these values; an entry is a time line and the lines typed, each behind a plus sign."""
    if not values or not path.exists():
        return
    entries = path.read_text("utf-8", "replace").split("\n# ")
    kept = [e for e in entries if not any(v in e for v in values)]
    if len(kept) < len(entries):
        fresh = path.with_name(path.name + ".new")
        fresh.touch(mode=0o600)
        fresh.write_text("\n# ".join(kept), "utf-8")
        fresh.replace(path)
