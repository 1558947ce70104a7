"""What an exported file says: read once to verify it, and once more in batches of records. Nothing of one that is not whole gets as far as a record."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import IO, Any, Final

from memory.clean import clean_json
from memory.corrections import Correction
from memory.episode import Episode
from memory.errors import BadInput
from memory.instants import instant, showable
from memory.namespace import user_id
from memory.record import Memory

FORMAT: Final = 1
BATCH: Final = 200
CHECKPOINTS: Final = ("checkpoints", "checkpoint_blobs", "checkpoint_writes")
EPISODE: Final = tuple(Episode.__dataclass_fields__)


@contextmanager
def read_twice(path: Path) -> Iterator[IO[bytes]]:
    """The file, which is read once to verify it and once to take it in; what comes through a pipe is kept in a temporary file meanwhile."""
    with path.open("rb") as given:
        if path.is_file():
            yield given
            return
        with TemporaryFile() as kept:
            copyfileobj(given, kept)
            yield kept


@dataclass(frozen=True, slots=True)
class Batch:
    """Neighbouring lines of one kind, from line `first` to `last`, as `_KINDS` reads them."""

    kind: str
    first: int
    last: int
    records: Sequence[Any]


def verify(file: IO[bytes], name: str) -> str:
    """The user whose export this is. Raises BadInput when the file is not a whole, unchanged export that this version can read, to the last line."""
    digest, first, held = hashlib.sha256(), b"", list[bytes]()
    file.seek(0)
    for line in file:
        if line.strip():
            for one in held:
                digest.update(one)
            first, held = first or line, []
        held.append(line)  # the last line is not counted, nor are empty ones behind it
    try:
        head, tail = json.loads(first.decode()), json.loads((held or [b""])[0].decode())
    except (ValueError, RecursionError):
        raise BadInput(f"{name} is not an export of jizhu.") from None
    if not isinstance(head, dict) or head.get("jizhu") != "export" or not isinstance(tail, dict):
        raise BadInput(f"{name} is not an export of jizhu.")
    if head.get("format") != FORMAT:
        raise BadInput(f"{name} has format {str(head.get('format'))[:40]}; this version reads format {FORMAT}.")
    if tail.get("sha256") != digest.hexdigest():
        raise BadInput(f"{name} is cut short or was changed: its SHA-256 does not agree.")
    user = user_id(head.get("user"))
    for _ in _lines(file, user):
        pass
    return user


def batches(file: IO[bytes], user: str) -> Iterator[Batch]:
    """Neighbouring lines of one kind, at most BATCH at a time."""
    kind, first, last, records = "", 0, 0, list[Any]()
    for number, what, record in _lines(file, user):
        if records and (what != kind or len(records) >= BATCH):
            yield Batch(kind, first, last, records)
            records = []
        kind, first, last = what, first if records else number, number
        records.append(record)
    if records:
        yield Batch(kind, first, last, records)


def _lines(file: IO[bytes], user: str) -> Iterator[tuple[int, str, Any]]:
    """(number, kind, record) of all lines but the first and the last; empty ones are passed over. Raises BadInput for one that is no record of an export."""
    file.seek(0)
    held, head = None, True
    for number, raw in enumerate(file, start=1):
        if not raw.strip():
            continue
        if held is not None and not head:
            yield _record(*held, user)
        held, head = (number, raw), held is None


def _record(number: int, raw: bytes, user: str) -> tuple[int, str, Any]:
    try:
        data = clean_json(json.loads(raw.decode()))
        kind = data.pop("kind")
        return number, kind, _KINDS[kind](data, user)
    except BadInput as error:
        raise BadInput(f"Line {number}: {error}") from None
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        raise BadInput(f"Line {number} is not a record of an export.") from None


def _must(*conditions: bool) -> None:
    if not all(conditions):
        raise ValueError


def _texts(*values: object) -> bool:
    return all(isinstance(v, str) for v in values)


def _number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _fact(data: Mapping[str, Any], user: str) -> Memory:
    m = Memory.from_json({**data, "user": user})
    s = m.source
    _must(
        _texts(m.key, m.fact, m.category, m.attribute, m.value, m.content, m.owner, m.reason, *m.tags, s.channel), bool(m.key), bool(m.category),
        _texts(*(x for x in (m.time, s.thread, s.message, s.text) if x is not None)), isinstance(m.pinned, bool), type(m.evidence) is int,
        _number(m.confidence), _number(m.importance), m.normal is None or _texts(m.normal) or _number(m.normal),
        showable(m.recorded_at), showable(m.updated_at),
    )  # fmt: skip
    return m


def _episode(data: Mapping[str, Any], user: str) -> Episode:
    values = {k: data[k] for k in EPISODE if k in data}
    e = Episode(**{**values, "user": user, "entities": tuple(values.get("entities", ())), "time": instant(values["time"], UTC)})
    _must(
        _texts(e.id, e.text, e.session, e.speaker, e.role, e.caption, e.source, *e.entities), bool(e.id), type(e.position) is int,
        -(2**31) <= e.position < 2**31, _number(e.importance),
    )  # fmt: skip
    return e


def _item(data: Mapping[str, Any], user: str) -> tuple[tuple[str, ...], str, dict[str, Any]]:
    namespace, key, value = data["namespace"], data["key"], data["value"]
    _must(isinstance(namespace, list), _texts(key, *namespace), all(label and "." not in label for label in namespace), isinstance(value, dict))
    return tuple(namespace), key, value


def _row(data: Mapping[str, Any], user: str) -> Mapping[str, Any]:
    _must(_texts(data["table"]), isinstance(data["row"], dict), data["table"] not in CHECKPOINTS or _texts(data["row"]["thread_id"]))
    return data


def _correction(data: Mapping[str, Any], user: str) -> Correction:
    c = Correction(**data, user=user)
    _must(_texts(c.text, c.source, c.at))
    return c


_KINDS: Final[Mapping[str, Callable[[Mapping[str, Any], str], Any]]] = {
    "fact": _fact, "episode": _episode, "item": _item, "row": _row, "checkpoint": _row, "correction": _correction,
}  # fmt: skip
