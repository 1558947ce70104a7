"""Classes of words that mean one thing (``concepts.toml``): further terms of a text, so that words find each other across wording and language. Pure."""

import re
import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Final

from memory.pattern import regex

MARK: Final = "#"  # begins the term of a class: no word of a text does


@lru_cache(maxsize=1)
def _table() -> tuple[dict[str, set[str]], re.Pattern[str]]:
    """Word → terms of its classes, and the pattern that finds Chinese ones, longest first."""
    classes: dict[str, str] = tomllib.loads(files("memory").joinpath("concepts.toml").read_text(encoding="utf-8"))
    table: dict[str, set[str]] = {}
    for name, listed in classes.items():
        for word in listed.split():
            table.setdefault(word, set()).add(MARK + name)
    chinese = sorted((w for w in table if not w.isascii()), key=len, reverse=True)
    return table, regex("|".join([*map(re.escape, chinese), "[a-z]+"]))


def concepts(text: str) -> set[str]:
    """The terms of the classes that occur in a folded text."""
    table, pattern = _table()
    return {term for found in pattern.finditer(text) for term in table.get(found.group(), ())}
