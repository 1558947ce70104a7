"""JSON lines in: read one at a time from stdin or a file, checked, with a sentence for what is wrong with a line.

`each` drives a command: one line in, one line out, in order. A bad line costs only itself.
"""

import asyncio
import json
import math
import os
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any, Final, NoReturn

from cli.output import emit
from memory.errors import BadInput, JizhuError
from memory.instants import instant
from memory.namespace import identifier

Record = dict[str, Any]
_CHUNK: Final = 1 << 16
_ROLES: Final = frozenset({"user", "assistant", "system", "tool"})


def parse(raw: bytes) -> Record:
    """The object on one line. Raises BadInput with a sentence."""
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(f"Not UTF-8 (byte {error.start}).") from None
    if not text.strip():
        raise BadInput("The line is empty; a JSON object was expected.")
    try:
        found = json.loads(text, parse_constant=_not_json)
    except json.JSONDecodeError as error:
        raise BadInput(f"Not JSON: {error.msg} (column {error.colno}).") from None
    except (ValueError, RecursionError) as error:
        raise BadInput(f"Not JSON that can be read: {error}.") from None
    if not isinstance(found, dict):
        raise BadInput("A JSON object was expected.")
    return found


def _not_json(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def split(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Lines of a byte stream, as soon as each is complete."""
    rest: list[bytes] = []
    for chunk in chunks:
        *whole, tail = chunk.split(b"\n")
        for line in whole:
            yield b"".join([*rest, line])
            rest = []
        rest.append(tail)
    if last := b"".join(rest):
        yield last


def stdin_lines() -> Iterator[bytes]:
    """Lines of stdin as they arrive; unbuffered, so that an abandoned reader holds no lock when the process ends."""
    return split(iter(lambda: os.read(0, _CHUNK), b""))


def file_lines(name: str) -> Iterator[bytes]:
    """Lines of a file, or of stdin for ``-``. Raises BadInput when it cannot be opened."""
    if name == "-":
        return stdin_lines()
    path = Path(name)
    try:
        handle = path.open("rb")
    except OSError as error:
        raise BadInput(f"Cannot read {name}: {error.strerror or error}.") from None

    def chunks() -> Iterator[bytes]:
        with handle:
            try:
                yield from iter(lambda: handle.read(_CHUNK), b"")
            except OSError as error:
                raise BadInput(f"Cannot read {name}: {error.strerror or error}.") from None

    return split(chunks())


async def arriving(lines: Iterator[bytes]) -> AsyncIterator[bytes]:
    """The same lines without blocking the event loop, each read when the one before is done. The reader is a daemon thread: Ctrl-C need not wait for a line."""
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[bytes | JizhuError | None] = asyncio.Queue()
    wanted = threading.Semaphore(0)

    def read() -> None:
        def put(item: bytes | JizhuError | None) -> None:
            loop.call_soon_threadsafe(queue.put_nowait, item)

        with suppress(RuntimeError):  # the loop has ended; nobody reads any more
            try:
                wanted.acquire()
                for line in lines:
                    put(line)
                    wanted.acquire()
                put(None)
            except JizhuError as error:
                put(error)

    threading.Thread(target=read, daemon=True, name="reader").start()
    while True:
        wanted.release()
        item = await queue.get()
        if item is None:
            return
        if isinstance(item, JizhuError):
            raise item
        yield item


async def each(lines: Iterator[bytes], handle: Callable[[int, Record], Awaitable[Mapping[str, Any]]], *, number: bool = False) -> None:
    """Prints what `handle` makes of each line; an error becomes that line's output, with its id, and with its number where `number`."""
    count = 0
    async for raw in arriving(lines):
        count += 1
        tag: Record = {"line": count} if number else {}
        try:
            record = parse(raw)
            if "id" in record:
                tag["id"] = record["id"]
            result = await handle(count, record)
        except JizhuError as error:
            result = {**tag, "error": str(error)}
        emit(result)


def each_now(lines: Iterator[bytes], handle: Callable[[int, Record], Mapping[str, Any]]) -> None:
    """`each` for commands that need no event loop."""
    for count, raw in enumerate(lines, start=1):
        tag: Record = {}
        try:
            record = parse(raw)
            if "id" in record:
                tag["id"] = record["id"]
            result = handle(count, record)
        except JizhuError as error:
            result = {**tag, "error": str(error)}
        emit(result)


# --- fields of a record; each raises BadInput with a sentence


def text(record: Mapping[str, Any], name: str = "text") -> str:
    value = record.get(name)
    if not isinstance(value, str):
        raise BadInput(f'"{name}" is missing; a string was expected.' if value is None else f'"{name}" must be a string.')
    return value


def optional_text(record: Mapping[str, Any], name: str, default: str = "") -> str:
    return default if record.get(name) is None else text(record, name)


def label(record: Mapping[str, Any], name: str) -> str | None:
    """An id: a string or an integer, compared as a string."""
    value = record.get(name)
    return None if value is None else identifier(value, f'"{name}"')


def labels(record: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """One id or a list of ids."""
    value = record.get(name)
    if isinstance(value, list):
        return tuple(x for item in value if (x := label({name: item}, name)) is not None)
    single = label(record, name)
    return () if single is None else (single,)


def when(record: Mapping[str, Any], zone: tzinfo, name: str = "time") -> datetime | None:
    """An ISO 8601 date or time; one without an offset is in `zone`."""
    value = record.get(name)
    return None if value is None else instant(value, zone, f'"{name}"')


def count(record: Mapping[str, Any], name: str, default: int, most: int = 1000) -> int:
    value = record.get(name, default)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value) or value != int(value) or not 1 <= value <= most:
        raise BadInput(f'"{name}" must be a whole number from 1 to {most}.')
    return int(value)


def choice(record: Mapping[str, Any], name: str, allowed: Sequence[str], default: str) -> str:
    value = record.get(name)
    if value is None:
        return default
    if value not in allowed:
        raise BadInput(f'"{name}" must be one of {", ".join(allowed)}.')
    return str(value)


def talk(record: Mapping[str, Any], name: str = "history") -> list[dict[str, str]]:
    """Earlier messages, oldest first: strings (the user's) or {"role", "content"}."""
    value = record.get(name)
    if value is None:
        return []
    if not isinstance(value, list):
        raise BadInput(f'"{name}" must be a list of messages.')
    out = []
    for item in value:
        if isinstance(item, str):
            item = {"role": "user", "content": item}
        if not isinstance(item, dict):
            raise BadInput(f'"{name}" holds something that is neither a string nor a message.')
        words = item.get("content", item.get("text"))
        role = item.get("role") or "user"
        if not isinstance(words, str) or not isinstance(role, str):
            raise BadInput(f'A message in "{name}" needs "role" and "content", both strings.')
        out.append({"role": {"human": "user", "ai": "assistant"}.get(role, role), "content": words})
    return out


def role(record: Mapping[str, Any], default: str = "user") -> str:
    value = optional_text(record, "role", default) or default
    value = {"human": "user", "ai": "assistant"}.get(value, value)
    if value not in _ROLES:
        raise BadInput(f'"role" must be one of {", ".join(sorted(_ROLES))}.')
    return value


def files(record: Mapping[str, Any]) -> list[dict[str, str]]:
    """Files given with a message: [{"name", "text"}]."""
    value = record.get("files")
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(f, dict) for f in value):
        raise BadInput('"files" must be a list of {"name", "text"}.')
    return [{"name": text(f, "name"), "text": text(f, "text")} for f in value]


def typing() -> bool:
    """Whether a person types at stdin and sees stdout."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
