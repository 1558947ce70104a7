"""Text and JSON made fit to store: no NUL, lone surrogates, control or zero-width characters, no NaN, no types that JSON lacks."""

import math
from collections.abc import Mapping
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from typing import Any, Final
from uuid import UUID

import nh3

from memory.pattern import regex

_CONTROL: Final = regex("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufeff\u200b\u2060-\u2064\u202a-\u202e\u2066-\u2069]")
_TAG: Final = regex(r"<\s*[/!a-zA-Z][^<>]*>")
MAX_DEPTH: Final = 64


def well_formed(text: str) -> str:
    """The text as Postgres can hold it: NUL dropped, lone surrogates replaced by U+FFFD; nothing else changes."""
    text = text.replace("\x00", "")
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def clean_text(text: str) -> str:
    """A memory's text: well formed, without control, zero-width and direction-override characters, without HTML tags, trimmed.

    Zero-width joiners stay: emoji and some scripts need them. "a < b" stays: only what looks like a tag is taken for HTML.
    """
    text = _CONTROL.sub("", well_formed(text))
    if _TAG.search(text):
        text = nh3.clean(text, tags=set(), clean_content_tags={"script", "style"})
        for entity, char in (("&lt;", "<"), ("&gt;", ">"), ("&nbsp;", " "), ("&amp;", "&")):
            text = text.replace(entity, char)
    return text.strip()


def clean_json(value: Any, depth: int = 0) -> Any:
    """The value as JSON holds it. NaN and infinities become null; dates, UUIDs, decimals, enums and sets their usual forms.

    Raises TypeError naming what has no JSON form (bytes, functions, any other object) or nests deeper than MAX_DEPTH.
    """
    if depth > MAX_DEPTH:
        raise TypeError(f"a value may nest at most {MAX_DEPTH} deep")
    if type(value) is str:
        return well_formed(value)
    if value is None or (isinstance(value, (bool, int)) and not isinstance(value, Enum)):
        return value
    if isinstance(value, Enum):
        return clean_json(value.value, depth)
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {well_formed(str(k)): clean_json(v, depth + 1) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [clean_json(v, depth + 1) for v in value]
    if isinstance(value, (set, frozenset)):
        return [clean_json(v, depth + 1) for v in sorted(value, key=str)]
    if isinstance(value, (datetime, date, time)):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, Decimal):
        return clean_json(float(value), depth) if value.as_tuple().exponent else int(value)
    raise TypeError(f"a value of type {type(value).__name__} has no JSON form")
