"""`jizhu replay FILE`: a conversation of the past, judged and remembered as if each line were said at its own time, without replies.

A line's message id is made from its content, so replaying the same file again changes nothing.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from cli import lines
from cli.options import Json
from cli.output import console, emit, plain, wants_json
from memory.errors import AmbiguousRequest, BadInput, JizhuError
from memory.namespace import thread_id, user_id
from memory.record import Source, fingerprint
from memory.settings import load_settings

if TYPE_CHECKING:
    from memory.store import MemoryStore

HISTORY: Final = 6  # earlier messages of the thread that the judge may look at
CHANGED: Final = {"add": "+", "supersede": "→", "retire": "−", "forget": "−", "hold": "?", "strengthen": "=", "ignore": "·"}


def replay(
    file: Annotated[str, typer.Argument(metavar="FILE", help='JSON lines {"user","thread"?,"time","role"?,"text"}; - is stdin')], json: Json = False
) -> None:
    """Remember a past conversation.

    Each line is judged and remembered as if said at its own time; replaying a file again changes nothing.
    """
    asyncio.run(_replay(file, wants_json(json)))


async def _replay(file: str, json: bool) -> None:
    from memory.open import open_memory

    source = lines.file_lines(file)
    async with open_memory(load_settings()) as (store, _, _):
        run = Replay(store)
        count = 0
        async for raw in lines.arriving(source):
            count += 1
            try:
                result: Mapping[str, Any] = {"line": count, **await run.line(lines.parse(raw))}
            except JizhuError as error:
                result = {"line": count, "error": str(error)}
            emit(result) if json else _show(result)


class Replay:
    """What one run knows of the conversations in the file so far."""

    def __init__(self, store: "MemoryStore") -> None:
        from memory.judge import Rules
        from memory.small_model import small_model

        self.store = store
        self.rules = Rules.load(load_settings().rules)
        self.model = small_model()
        self.talk: dict[tuple[str, str], deque[dict[str, str]]] = {}
        self.seen: Counter[str] = Counter()

    async def line(self, record: lines.Record) -> dict[str, Any]:
        """Judges and writes one line: {"memory_type", "changes"}."""
        from memory.forget import forget
        from memory.judge import judge
        from memory.remember import remember

        who = lines.label(record, "user")
        if who is None:
            raise BadInput('"user" is missing.')
        user, thread, text, role = user_id(who), lines.label(record, "thread") or "replay", lines.text(record), lines.role(record)
        time = lines.when(record, load_settings().zone) or _missing_time()
        history = self.talk.setdefault((user, thread), deque(maxlen=HISTORY))
        said = list(history)
        history.append({"role": role, "content": text})
        if role != "user":
            return {"memory_type": "SHORT", "changes": []}
        content = fingerprint(user, thread, time.isoformat(), text)
        self.seen[content] += 1
        source = Source(thread=thread_id(user, thread), message=fingerprint(content, str(self.seen[content])), text=text)
        verdict = await asyncio.to_thread(judge, text, history=said, time=time, rules=self.rules, model=self.model)
        changes = []
        if not any(c.kind == "skip" for c in verdict.commands):
            changes += await remember(self.store, user, verdict.candidates, source=source, now=time)
        for command in verdict.commands:
            if command.kind == "forget":
                try:
                    changes += await forget(self.store, user, command, source=source, now=time)
                except AmbiguousRequest as error:
                    return {"memory_type": verdict.memory_type, "changes": [c.as_json() for c in changes], "error": str(error)}
        return {"memory_type": verdict.memory_type, "changes": [c.as_json() for c in changes]}


def _missing_time() -> datetime:
    raise BadInput('"time" is missing; replay needs to know when it was said.')


def _show(result: Mapping[str, Any]) -> None:
    out = console()
    number = f"{result['line']:>5}  "
    if "error" in result:
        out.print(number + plain(result["error"]), style="red")
    for change in result.get("changes", ()):
        out.print(f"{number}{CHANGED.get(change['op'], ' ')} {change['attribute']} {plain(change['value'])}  ", end="")
        out.print(plain(change["reason"]), style="dim")
