"""A regular expression that is compiled when first used: the built-in rules hold several hundred, of which one conversation needs a few."""

import re
from collections.abc import Iterator, Mapping


class Pattern:
    """Stands for `re.Pattern[str]`, with the methods that rules use. `text` is the expression after its macros were put in."""

    __slots__ = ("_made", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._made: re.Pattern[str] | None = None

    @property
    def made(self) -> re.Pattern[str]:
        """The compiled expression."""
        if self._made is None:
            self._made = re.compile(self.text)
        return self._made

    @property
    def pattern(self) -> str:
        return self.text

    @property
    def groupindex(self) -> Mapping[str, int]:
        return self.made.groupindex

    def search(self, text: str, start: int = 0, end: int = 1 << 30) -> re.Match[str] | None:
        return self.made.search(text, start, end)

    def match(self, text: str, start: int = 0, end: int = 1 << 30) -> re.Match[str] | None:
        return self.made.match(text, start, end)

    def fullmatch(self, text: str, start: int = 0, end: int = 1 << 30) -> re.Match[str] | None:
        return self.made.fullmatch(text, start, end)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        return self.made.finditer(text)

    def sub(self, new: str, text: str) -> str:
        return self.made.sub(new, text)
