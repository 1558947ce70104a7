"""Refuses regular expressions whose matching time could explode.

A static reading of the parsed pattern: an unbounded repeat inside another one, or an unbounded repeat over alternatives that can begin with the same
character, backtracks exponentially. Clauses are short (see `clauses.MAX_CLAUSE`), so polynomial patterns with up to three unbounded wildcards are let pass.
"""

import re
from collections.abc import Iterable
from importlib import import_module
from typing import Any, Final

_parser: Any = import_module("re._parser")
_MANY: Final = 16
"""A repeat that may go on longer than this counts as unbounded."""
_WILD: Final = 4


def runaway(pattern: str) -> str | None:
    """Why the pattern could run away, or None."""
    try:
        tree = _parser.parse(pattern)
    except re.error as error:
        return str(error)
    wild = _wildcards(tree)
    if wild >= _WILD:
        return f"{wild} unbounded wildcards"
    return _nested(tree, inside=False)


def _children(op: str, value: Any) -> Iterable[Any]:
    if op in {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}:
        yield value[2]
    elif op == "SUBPATTERN":
        yield value[3]
    elif op == "BRANCH":
        yield from value[1]
    elif op in {"ASSERT", "ASSERT_NOT"}:
        yield value[1]
    elif op == "ATOMIC_GROUP":
        yield value
    elif op == "GROUPREF_EXISTS":
        yield from (v for v in value[1:] if v is not None)


def _nested(tree: Any, *, inside: bool) -> str | None:
    for op, value in tree:
        name = str(op)
        unbounded = name in {"MAX_REPEAT", "MIN_REPEAT"} and value[1] > _MANY
        if unbounded and inside:
            return "an unbounded repeat stands inside another"
        if unbounded and (why := _ambiguous(value[2])):
            return why
        for child in _children(name, value):
            if (why := _nested(child, inside=inside or unbounded)) is not None:
                return why
    return None


def _ambiguous(body: Any) -> str | None:
    for op, value in body:
        name = str(op)
        if name == "BRANCH":
            seen: set[Any] = set()
            for branch in value[1]:
                first = _first(branch)
                if first is None or first & seen:
                    return "repeated alternatives can begin alike"
                seen |= first
        for child in _children(name, value):
            if (why := _ambiguous(child)) is not None:
                return why
    return None


def _first(branch: Any) -> set[Any] | None:
    """The characters a branch can begin with, None when that is not a plain set."""
    for op, value in branch:
        name = str(op)
        if name == "LITERAL":
            return {value}
        if name == "IN" and all(str(o) == "LITERAL" for o, _ in value):
            return {v for _, v in value}
        if name == "SUBPATTERN":
            return _first(value[3])
        return None
    return None


def _wildcards(tree: Any) -> int:
    """How many unbounded wildcards can follow one another in one match."""
    count = 0
    for op, value in tree:
        name = str(op)
        if name in {"MAX_REPEAT", "MIN_REPEAT"} and value[1] > _MANY and str(value[2][0][0]) in {"ANY", "IN", "NOT_LITERAL"}:
            count += 1
        elif name == "BRANCH":
            count += max((_wildcards(b) for b in value[1]), default=0)
        else:
            count += sum(_wildcards(c) for c in _children(name, value))
    return count
