"""A regular expression that is compiled when first used: the built-in rules hold several hundred, of which one conversation needs a few."""

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any


class Pattern:
    """Stands for `re.Pattern[str]`, with the methods that rules use. `text` is the expression after its macros were put in.

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
        made = self.made = re.compile(self.text)
        self.search, self.match, self.fullmatch, self.finditer, self.sub = made.search, made.match, made.fullmatch, made.finditer, made.sub
        return getattr(self, name)

    @property
    def pattern(self) -> str:
        return self.text

    @property
    def groupindex(self) -> Any:
        return self.made.groupindex
