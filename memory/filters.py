"""Filters on an item's value, as SQL over jsonb. Numbers compare as numbers, texts as texts, and never one with the other.

Understood: plain values and nested objects (equality), ``$eq $ne $gt $gte $lt $lte $in $nin $exists`` on a field, ``$and $or $not`` over filters.
"""

import json
from collections.abc import Mapping
from typing import Any, Final

from memory.clean import clean_json

_ORDER: Final = {"$gt": ">", "$gte": ">=", "$lt": "<", "$lte": "<="}


def where(filter: Mapping[str, Any] | None, column: str = "s.value") -> tuple[str, list[Any]]:
    """SQL condition and its parameters; ``TRUE`` for no filter. Raises ValueError naming an operator it does not know."""
    parts: list[str] = []
    params: list[Any] = []
    for key, wanted in (filter or {}).items():
        sql, more = _logical(key, wanted, column) if key in {"$and", "$or", "$not"} else _field(key, wanted, column)
        parts.append(sql)
        params += more
    return " AND ".join(parts) or "TRUE", params


def _logical(key: str, wanted: Any, column: str) -> tuple[str, list[Any]]:
    if key == "$not":
        sql, params = where(wanted, column)
        return f"NOT coalesce(({sql}), FALSE)", params
    if not isinstance(wanted, (list, tuple)) or not all(isinstance(w, Mapping) for w in wanted):
        raise ValueError(f"{key} takes a list of filters")
    found = [where(w, column) for w in wanted]
    joined = (" AND " if key == "$and" else " OR ").join(f"({sql})" for sql, _ in found)
    return f"({joined})" if found else ("TRUE" if key == "$and" else "FALSE"), [p for _, params in found for p in params]


def _field(key: str, wanted: Any, column: str) -> tuple[str, list[Any]]:
    if key.startswith("$"):
        raise ValueError(f"Unknown filter operator {key}; known are $and, $or and $not over filters")
    return _compare(f"{column}->%s", [_text(key)], wanted)


def _compare(place: str, at: list[Any], wanted: Any) -> tuple[str, list[Any]]:
    """Condition on the jsonb at `place`, whose own parameters are `at`."""
    if isinstance(wanted, Mapping) and any(str(k).startswith("$") for k in wanted):
        found = [_operator(place, at, str(op), value) for op, value in wanted.items()]
    elif isinstance(wanted, Mapping) and wanted:
        found = [_compare(f"{place}->%s", [*at, _text(str(k))], v) for k, v in wanted.items()]
    else:
        found = [_operator(place, at, "$eq", wanted)]
    return "(" + " AND ".join(sql for sql, _ in found) + ")", [p for _, params in found for p in params]


def _operator(place: str, at: list[Any], op: str, value: Any) -> tuple[str, list[Any]]:
    if op in {"$eq", "$ne"}:
        # a missing field equals null, so that {"$ne": 1} holds where the field is missing
        same = f"coalesce({place}, 'null'::jsonb) = %s::jsonb"
        return same if op == "$eq" else f"NOT ({same})", [*at, _json(value)]
    if op in _ORDER:
        # jsonb orders numbers numerically and texts as texts; other types never compare with them
        return f"(jsonb_typeof({place}) = jsonb_typeof(%s::jsonb) AND {place} {_ORDER[op]} %s::jsonb)", [*at, _json(value), *at, _json(value)]
    if op in {"$in", "$nin"}:
        if not isinstance(value, (list, tuple, set, frozenset)):
            raise ValueError(f"{op} takes a list")
        among = f"coalesce({place}, 'null'::jsonb) = ANY (%s::jsonb[])"
        return among if op == "$in" else f"NOT ({among})", [*at, [_json(v) for v in value]]
    if op == "$exists":
        return f"({place} IS {'NOT ' if value else ''}NULL)", [*at]
    raise ValueError(f"Unknown filter operator {op}; known are $eq, $ne, $gt, $gte, $lt, $lte, $in, $nin and $exists")


def _json(value: Any) -> str:
    return json.dumps(clean_json(value), ensure_ascii=False)


def _text(key: str) -> str:
    cleaned: str = clean_json(key)
    return cleaned
