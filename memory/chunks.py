"""Cutting a document into chunks that can be found and embedded alone. Pure."""

from collections.abc import Iterator
from typing import Final

from memory.pattern import regex

SIZE: Final = 400  # characters, at most; an embedding looks at 512

_PARAGRAPH: Final = regex(r"\n\s*\n")
_SENTENCE: Final = regex(r"(?<=[。！？!?；;])|(?<=\.)\s+|\n")


def chunks(text: str, size: int = SIZE) -> list[str]:
    """Pieces of at most `size` characters, cut at paragraphs, else sentences, else anywhere. A change in one place changes few pieces: every paragraph
    is cut for itself, and only short neighbours are joined."""
    out: list[str] = []
    for paragraph in _PARAGRAPH.split(text):
        out.extend(_packed(paragraph.strip(), size))
    return out


def _packed(paragraph: str, size: int) -> Iterator[str]:
    held = ""
    for piece in _SENTENCE.split(paragraph):
        for start in range(0, len(piece), size):
            part = piece[start : start + size]
            if held and len(held) + len(part) + 1 > size:
                yield held
                held = ""
            held = f"{held} {part.strip()}".strip() if held.isascii() else held + part
    if held.strip():
        yield held.strip()
