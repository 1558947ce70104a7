"""Regular expressions that are kept compiled between processes, as Python keeps its modules.

jizhu reads with some 1,500 expressions; compiling them takes two seconds, the longest 50 ms. What the compiler made of one is a list of numbers, and making
an expression of the list again takes 20 µs. A process that compiled new ones writes them at its end to the user's cache directory, for this very Python
only; a file that is missing, old or broken is made anew. Expressions of the program and of rule files only: nothing that a user said may be kept there.
"""

import atexit
import contextlib
import importlib
import marshal
import os
import re
import sys
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import platformdirs

MOST: Final = 16_000_000
"""Bytes of numbers in the file; the built-in rules make six million. Beyond, what the last process did not use is dropped: it is of older rules."""

Key = tuple[str, int]
"""An expression and its flags."""
Code = tuple[int, bytes, int, dict[str, int]]
"""Flags, the compiler's numbers (unsigned, 32 bits), groups, the numbers of the named ones."""

_ENGINE: Final[Any] = importlib.import_module("_sre")
_COMPILER: Final[Any] = importlib.import_module("re._compiler")


class Kept:
    """The compiled expressions of earlier processes and of this one."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._codes = _read(file)
        self._used: set[Key] = set()
        self._new: set[Key] = set()

    def regex(self, text: str, flags: int) -> re.Pattern[str]:
        key = (text, int(flags))
        self._used.add(key)
        if (code := self._codes.get(key)) is not None:
            with contextlib.suppress(RuntimeError, ValueError, TypeError, OverflowError):  # what the engine says of numbers that are no program
                return _made(text, code)
        self._codes[key] = code = _compile(*key)
        self._new.add(key)
        return _made(text, code)

    def write(self) -> None:
        """Adds what is new to the file. What cannot be written is compiled again next time."""
        if not self._new:
            return
        codes = _read(self.file) | {k: self._codes[k] for k in self._new}
        if sum(len(numbers) for _, numbers, _, _ in codes.values()) > MOST:
            codes = {k: c for k, c in codes.items() if k in self._used}
        with contextlib.suppress(OSError):
            self.file.parent.mkdir(parents=True, exist_ok=True)
            written = self.file.with_name(f"{self.file.name}.{os.getpid()}")
            written.write_bytes(marshal.dumps((sys.version, codes)))
            written.replace(self.file)
            self._new.clear()


def _read(file: Path) -> dict[Key, Code]:
    try:
        version, codes = marshal.loads(file.read_bytes())
        return dict(codes) if version == sys.version else {}
    except (OSError, EOFError, ValueError, TypeError):
        return {}


def _compile(text: str, flags: int) -> Code:
    """As `re.compile` does it. Raises `re.error`."""
    parsed = _COMPILER._parser.parse(text, flags)
    code = array("I", _COMPILER._code(parsed, flags))
    return flags | parsed.state.flags, code.tobytes(), parsed.state.groups, dict(parsed.state.groupdict)


def _made(text: str, code: Code) -> re.Pattern[str]:
    flags, numbers, groups, named = code
    names: list[str | None] = [None] * groups
    for name, number in named.items():
        names[number] = name
    made: re.Pattern[str] = _ENGINE.compile(text, flags, array("I", numbers).tolist(), groups - 1, named, tuple(names))
    return made


KEPT: Final = Kept(platformdirs.user_cache_path("jizhu") / f"patterns.{sys.implementation.cache_tag}")
atexit.register(KEPT.write)


def regex(text: str, flags: int = 0) -> re.Pattern[str]:
    """`re.compile` for expressions that the program holds. Raises `re.error`."""
    return KEPT.regex(text, flags)


class Pattern:
    """An expression that is compiled when it is first used, with the methods of `re.Pattern[str]` that rules use. `text` is it after its macros were put in.

    The compiled expression's own methods take the place of these names at their first use, so that a search costs no more than with `re`.
    """

    __slots__ = ("finditer", "fullmatch", "made", "match", "search", "sub", "text")

    if TYPE_CHECKING:
        made: re.Pattern[str]
        search: Callable[..., re.Match[str] | None]
        match: Callable[..., re.Match[str] | None]
        fullmatch: Callable[..., re.Match[str] | None]
        finditer: Callable[..., Iterator[re.Match[str]]]
        sub: Callable[..., str]

    def __init__(self, text: str) -> None:
        self.text = text

    def __getattr__(self, name: str) -> Any:
        """Called while a slot is empty: compiles, and fills them all."""
        if name not in Pattern.__slots__:
            raise AttributeError(name)
        made = self.made = regex(self.text)
        self.search, self.match, self.fullmatch, self.finditer, self.sub = made.search, made.match, made.fullmatch, made.finditer, made.sub
        return getattr(self, name)

    @property
    def pattern(self) -> str:
        return self.text

    @property
    def groupindex(self) -> Any:
        return self.made.groupindex
