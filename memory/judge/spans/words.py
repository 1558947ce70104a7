"""Tokens and words of a text, and classes of words that mean alike in both languages.

A token is a Chinese character, a Latin word, a figure or a mark. Chinese tokens are joined into words by the longest match in a word list (words of two to
four characters from jieba's dictionary, MIT). 9,000 Chinese and 5,000 English words have a coarse and a fine class: k-means with 64 and 400 centres over the
local embedding of the word alone, centred by language, so that what was learnt of 咖啡 is known of coffee. The list is data of its own; weights belong to it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

from memory.pattern import regex

_TOKEN: Final = regex(r"(?P<han>[\u3400-\u9fff])|(?P<word>[A-Za-z\u00c0-\u024f]+(?:['’\-][A-Za-z\u00c0-\u024f]+)*)|(?P<figure>\d+(?:[.,:]\d+)*)|\S")
_DIGIT: Final = regex(r"\d")
_STOPS: Final = frozenset("，。！？；,.!?;…~～")
LONGEST: Final = 4
"""Characters of the longest word in the list."""


@dataclass(frozen=True, slots=True)
class Token:
    """`text` is in lower case with digits as 0; `kind` is h (Han), x, Xx or X (Latin by its capitals), D and the length (figures) or p (marks)."""

    start: int
    end: int
    text: str
    kind: str

    @property
    def stop(self) -> bool:
        return self.text in _STOPS


@dataclass(frozen=True, slots=True)
class Word:
    """Tokens `first` to `last`, both included, of the clause of that number."""

    text: str
    first: int
    last: int
    clause: int


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """Every word of the list with its classes, (-1, -1) where it has none."""

    classes: Mapping[str, tuple[int, int]]

    def of(self, word: str) -> tuple[int, int] | None:
        found = self.classes.get(word)
        return None if found is None or found[0] < 0 else found


@cache
def vocabulary() -> Vocabulary:
    """The one in this package, words.txt: a line per word, with its coarse and its fine class where it has any."""
    text = resources.files("memory.judge.spans").joinpath("words.txt").read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines())
    return Vocabulary({row[0]: (int(row[1]), int(row[2])) if len(row) > 1 else (-1, -1) for row in rows})


def tokens(text: str) -> list[Token]:
    found = []
    for match in _TOKEN.finditer(text):
        said = match[0]
        if match["han"]:
            kind = "h"
        elif match["word"]:
            kind = "X" if said.isupper() and len(said) > 1 else "Xx" if said[0].isupper() else "x"
        elif match["figure"]:
            kind = f"D{min(len(said), 4)}"
        else:
            kind = "p"
        found.append(Token(match.start(), match.end(), _DIGIT.sub("0", said.lower()), kind))
    return found


def words(given: list[Token], vocabulary: Vocabulary) -> list[Word]:
    """The tokens as words, clause by clause; a stop is the last word of its clause."""
    found: list[Word] = []
    at = clause = 0
    while at < len(given):
        text, size = given[at].text, 1
        if given[at].kind == "h":
            for length in range(min(LONGEST, len(given) - at), 1, -1):
                run = given[at : at + length]
                longer = "".join(t.text for t in run)
                if run[-1].end - run[0].start == length and longer in vocabulary.classes:
                    text, size = longer, length
                    break
        found.append(Word(text, at, at + size - 1, clause))
        clause += given[at].stop
        at += size
    return found
