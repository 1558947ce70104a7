"""Chinese numerals: 二十三, 两百零五, 一九八五, 廿 → numbers."""

from typing import Final

from memory.pattern import regex

_DIGITS: Final = {c: i for i, c in enumerate("零一二三四五六七八九")} | {
    "〇": 0,
    "两": 2,
    "俩": 2,
    "仨": 3,
    "壹": 1,
    "贰": 2,
    "叁": 3,
    "肆": 4,
    "伍": 5,
    "陆": 6,
    "柒": 7,
    "捌": 8,
    "玖": 9,
}
_UNITS: Final = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_BIG: Final = {"万": 10_000, "亿": 100_000_000}
CHARS: Final = "零〇一二两三四五六七八九十百千万亿廿卅"
NUMBER: Final = regex(rf"\d+(?:\.\d+)?|[{CHARS}]+")


def number(text: str) -> int | None:
    """The integer a numeral stands for, None when it is not one. 一九八五 reads digit by digit."""
    text = text.strip()
    if text.isdecimal():
        try:
            return int(text) if len(text) < 19 else None
        except ValueError:
            return None
    if not text:
        return None
    text = text.replace("廿", "二十").replace("卅", "三十")
    if all(c in _DIGITS for c in text):
        value = int("".join(str(_DIGITS[c]) for c in text))
        return value if len(text) < 12 else None
    total = section = digit = 0
    for c in text:
        if c in _DIGITS:
            digit = _DIGITS[c]
        elif c in _UNITS:
            section += (digit or 1) * _UNITS[c]
            digit = 0
        elif c in _BIG:
            total += (section + digit or 1) * _BIG[c]
            section = digit = 0
        else:
            return None
    return total + section + digit
