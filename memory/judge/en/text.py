"""Same-length views of a message: patterns run on the folded text, values are cut from the user's own words at the same offsets.

Every function here keeps the length, so that an offset found in one view is valid in all of them.
"""

from typing import Final

from memory.pattern import regex

_FOLD: Final = {0x3000: " ", 0xA0: " ", 0x2009: " ", 0x202F: " ", 0x200B: " ", 0xFEFF: " ", 0x3002: ".", 0x3001: ","} | {
    0xFF01 + i: chr(0x21 + i) for i in range(94)
} | dict.fromkeys((0x2018, 0x2019, 0x201B, 0x60, 0xB4, 0x2032), "'") | dict.fromkeys((0x201C, 0x201D, 0x201E, 0x300C, 0x300D, 0x2033), '"') | {
    0x2013: "—", 0x2014: "—", 0x2026: ".", 0x09: " ", 0x0D: "\n",
}  # fmt: skip
_WORD: Final = regex(r"[a-z0-9]+(?:['.@_-][a-z0-9]+)*")


def plain(text: str) -> str:
    """Full-width forms, curly quotes, odd spaces and dashes made plain; one character stays one character."""
    return text.translate(_FOLD)


def lower(text: str) -> str:
    """Lower case, character by character where the whole would change length (İ)."""
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(c if len(c.lower()) != 1 else c.lower() for c in text)


def words(low: str) -> list[str]:
    """The Latin words and numbers of a folded text, contractions and ids whole."""
    return _WORD.findall(low)


def shouting(text: str) -> bool:
    """Whether capitals say nothing here: at least two words' worth of letters and (nearly) all of them upper case."""
    letters = [c for c in text if c.isalpha() and c.isascii()]
    return len(letters) >= 6 and sum(c.isupper() for c in letters) > 0.85 * len(letters)
