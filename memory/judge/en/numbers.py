"""English numerals: "twenty-three", "two dozen", "1,200", "a couple of" → numbers; ordinals → numbers."""

import re
from typing import Final

_UNITS: Final = {w: i for i, w in enumerate(
    ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
)}  # fmt: skip
_TENS: Final = {w: 10 * i for i, w in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2)} | {"fourty": 40}
_ORDINALS: Final = {w: i for i, w in enumerate(
    ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth"], 1
)} | {"twentieth": 20, "thirtieth": 30}  # fmt: skip

_ONES: Final = "|".join(w for w, i in _UNITS.items() if 1 <= i <= 9)
CARDINAL: Final = (
    r"(?:\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?|(?:" + "|".join(_TENS) + r")(?:[- ]?(?:" + _ONES + r"))?|"
    + "|".join(sorted(_UNITS, key=len, reverse=True)) + r")"
)  # fmt: skip
"""Regular expression for a cardinal, digits or words, up to 99 in words."""
COUNT: Final = r"(?:" + CARDINAL + r"(?: hundred)?|an?|a couple(?: of)?|a few|several|half a dozen|(?:a|two|three) dozen)"
"""Regular expression for how many: a cardinal or "a", "a couple of", "several"."""
ORDINAL: Final = (
    r"(?:\d{1,2}(?:st|nd|rd|th)|(?:twenty|thirty)[- ](?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)|" + "|".join(_ORDINALS) + r")"
)
"""Regular expression for an ordinal up to 31."""

_COUNTS: Final = {
    "a": 1,
    "an": 1,
    "a couple": 2,
    "a couple of": 2,
    "half a dozen": 6,
    "a dozen": 12,
    "two dozen": 24,
    "three dozen": 36,
    "a hundred": 100,
}


def number(text: str) -> int | float | None:
    """The number a numeral says, None for "several", "a few" and anything else."""
    t = text.strip().replace(",", "")
    if t in _COUNTS:
        return _COUNTS[t]
    if t.endswith(" hundred"):
        head = number(t.removesuffix(" hundred"))
        return None if head is None else head * 100
    if re.fullmatch(r"\d{1,12}", t) and t.isascii():
        return int(t)
    if re.fullmatch(r"\d{1,12}\.\d{1,6}", t) and t.isascii():
        return float(t)
    if t in _UNITS:
        return _UNITS[t]
    parts = [p for p in re.split(r"[- ]", t) if p]
    if len(parts) == 1 and t not in _TENS:  # twentythree
        parts = next(([w, t[len(w) :]] for w in _TENS if t.startswith(w)), parts)
    if len(parts) == 2 and parts[0] in _TENS and 1 <= _UNITS.get(parts[1], 0) <= 9:
        return _TENS[parts[0]] + _UNITS[parts[1]]
    return _TENS.get(t)


def ordinal(text: str) -> int | None:
    """The number of an ordinal: 3rd, third, twenty-first."""
    t = text.strip()
    if m := re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)?", t):
        return int(m[1])
    if t in _ORDINALS:
        return _ORDINALS[t]
    parts = re.split(r"[- ]", t)
    if len(parts) == 2 and parts[0] in _TENS and parts[1] in _ORDINALS:
        return _TENS[parts[0]] + _ORDINALS[parts[1]]
    return None
