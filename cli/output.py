"""What goes to the terminal: JSON lines for programs, calm text for people. Nothing else in cli writes to stdout.

JSON is UTF-8 whatever the locale, one object a line, flushed. Text for people never interprets what memories say: no markup, no control codes.
"""

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from memory.pattern import regex

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

_CONTROL: Final = regex("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\ud800-\udfff]")


def emit(record: Mapping[str, Any]) -> None:
    """One JSON line on stdout, flushed. Lone surrogates come out as JSON escapes, so that the line is valid UTF-8."""
    line = json.dumps(record, ensure_ascii=False, default=str, allow_nan=False)
    sys.stdout.buffer.write(line.encode("utf-8", "backslashreplace") + b"\n")
    sys.stdout.buffer.flush()


def wants_json(flag: bool) -> bool:
    """For commands that read JSON lines: asked for, or nobody is looking."""
    return flag or not sys.stdout.isatty()


@cache
def console() -> "Console":
    """Where a person reads."""
    from rich.console import Console

    wide = None if sys.stdout.isatty() else 200  # a file or pipe has no width; tables need not fold there
    return Console(highlight=False, markup=False, emoji=False, soft_wrap=True, width=wide)


@cache
def aside() -> "Console":
    """stderr: progress and asides, which never mix with results."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False, soft_wrap=True, stderr=True)


def plain(value: object) -> str:
    """One line of printable text: no control codes that a terminal would act on, no direction overrides."""
    return _CONTROL.sub("", " ".join(str(value).split()))


def say(text: "str | Text", style: str | None = None) -> None:
    """A line for a person."""
    console().print(text, style=style)


def complain(sentence: str) -> None:
    """One sentence on stderr."""
    sys.stderr.write(plain(sentence) + "\n")
    sys.stderr.flush()


def table(headings: Sequence[str], rows: Iterable[Iterable[object]]) -> None:
    """Columns without lines: the first is dim, the rest plain; long cells fold. Headings that are all empty are not shown."""
    from rich.table import Table

    view = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim", show_edge=False, show_header=any(headings))
    for number, heading in enumerate(headings):
        view.add_column(heading, style="dim" if number == 0 else None, no_wrap=number == 0, overflow="fold")
    for row in rows:
        view.add_row(*(plain(cell) for cell in row))
    console().print(view, soft_wrap=False)
