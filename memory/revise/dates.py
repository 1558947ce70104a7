"""The date an expression of time means, in either language, worked out from the message's own time."""

from datetime import datetime

from memory.judge.en.times import find
from memory.judge.zh.times import resolve
from memory.revise.forms import fold


def date_in(text: str, said: datetime) -> str | None:
    """The ISO date (day, month or year) of the first time expression in the text, or None."""
    plain = fold(text)
    return resolve(plain, said) or next((w.iso for w in find(plain, said) if w.iso), None)
