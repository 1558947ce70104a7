"""The date an expression of time means, worked out from the message's own time."""

from datetime import datetime

from memory.judge.zh.times import resolve
from memory.revise.forms import fold


def date_in(text: str, said: datetime) -> str | None:
    """The ISO date (day, month or year) of the first time expression in the text, or None."""
    return resolve(fold(text), said)
