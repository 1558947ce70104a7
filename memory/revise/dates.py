"""The date an expression of time means, in either language, worked out from the message's own time."""

from datetime import datetime
from typing import Final

from memory.judge.clauses import fold as lined
from memory.judge.en.times import find
from memory.judge.zh.times import moments, resolve
from memory.pattern import regex
from memory.revise.forms import fold

_HOUR: Final = regex(r"(?:早上|上午|中午|下午|傍晚|晚上|晚|早)?(?:\d{1,2}|[一二三四五六七八九十]{1,3})?(?:点半?|:\d\d)?$")
_NTH: Final = regex(r"(?:on )?(?:the )?\d{1,2}(?:st|nd|rd|th)")


def date_in(text: str, said: datetime) -> str | None:
    """The ISO date (day, month or year) of the first time expression in the text, or None."""
    plain = fold(text)
    return resolve(plain, said) or next((w.iso for w in find(plain, said) if w.iso), None)


def is_day(plain: str) -> bool:
    """Whether the folded words are a day, and perhaps its hour, and nothing else."""
    if plain.isascii():
        times = find(plain, None)
        return _NTH.fullmatch(plain) is not None or (bool(times) and times[0].kind == "date" and times[0].start == 0 and times[-1].end == len(plain))
    days = moments(lined(plain), None)
    return len(days) == 1 and days[0].start == 0 and _HOUR.fullmatch(plain[days[0].end :]) is not None
