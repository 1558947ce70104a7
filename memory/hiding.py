"""A conversation's state without the secrets in it, and without what was forgotten: what a checkpoint keeps of keys, cards, ids and passwords is dots.

The round in which a secret is said still sees it; what is stored, and read in the next round, does not hold it.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from langchain_core.messages import BaseMessage

from memory.guard import HIDDEN, redacted, secrets_in

_SHAPE: Final = frozenset({"name", "args", "id", "type", "md5", "text", "value", "attribute"})  # keys that readers of a dict count on
LONE: Final = 6  # characters from which a secret is found where it stands alone too, without the words that tell what it is


def hidden(value: Any) -> Any:
    """The value (messages, strings, dicts and lists of them; anything else as it is) with every secret replaced by dots, the same object where there is none."""
    tokens = frozenset[str]().union(*map(_tokens, _texts(value)))
    return _without(value, sorted((t for t in tokens if len(t) >= LONE), key=len, reverse=True)) if tokens else value


@lru_cache(maxsize=4096)
def _tokens(text: str) -> frozenset[str]:
    return secrets_in(text)


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, BaseMessage):
        return _texts(value.content)
    if isinstance(value, dict):
        return [t for v in value.values() for t in _texts(v)]
    if isinstance(value, (list, tuple)):
        return [t for v in value for t in _texts(v)]
    return []


def _without(value: Any, tokens: list[str]) -> Any:
    if isinstance(value, str):
        text = redacted(value)
        for token in tokens:
            text = text.replace(token, HIDDEN)
        return text
    if isinstance(value, BaseMessage):
        return value.model_copy(update={"content": _without(value.content, tokens)})
    if isinstance(value, dict):
        return {k: _without(v, tokens) for k, v in value.items()}
    if isinstance(value, list):
        return [_without(v, tokens) for v in value]
    return tuple(_without(v, tokens) for v in value) if type(value) is tuple else value


def cleared(value: Any, keep: Callable[[str], str]) -> Any:
    """The value (as of `hidden`) with every text put through `keep`, the same object where none changes.

    A message of which nothing is left keeps its place and holds dots; of a list or a dict, an entry that was nothing but such a text goes.
    """
    if isinstance(value, str):
        text = keep(value) if value.strip() else value
        return value if text == value.strip() else text
    if isinstance(value, BaseMessage):
        found = {name: getattr(value, name) for name in ("content", "tool_calls", "artifact") if getattr(value, name, None)}
        parts = {name: cleared(part, keep) for name, part in found.items()}
        changes = {name: part or (HIDDEN if name == "content" else part) for name, part in parts.items() if part is not found[name]}
        return value.model_copy(update=changes) if changes else value
    if isinstance(value, dict):
        left = {k: cleared(v, keep) for k, v in value.items()}
        if all(left[k] is value[k] for k in value):
            return value
        return {k: v for k, v in left.items() if v is value[k] or v != "" or k in _SHAPE}
    if isinstance(value, (list, tuple)) and type(value) in {list, tuple}:
        entries = [cleared(v, keep) for v in value]
        if all(a is b for a, b in zip(entries, value, strict=True)):
            return value
        return type(value)(a for a, b in zip(entries, value, strict=True) if a is b or a != "")
    return value
