"""Exact token counts (o200k), offline: the tables are compiled into the bpe-openai package."""

from functools import lru_cache
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from typing import Final, Protocol, cast

CUT_MARK: Final = "…[cut]…"


class _Tokenizer(Protocol):
    def count(self, text: str) -> int: ...
    def count_till_limit(self, text: str, token_limit: int) -> int | None: ...


@lru_cache(maxsize=1)
def _tokenizer() -> _Tokenizer:
    """The compiled tokenizer itself: importing its Python package first would parse every table a second time and cost a second."""
    package = find_spec("bpe_openai")
    spec = PathFinder.find_spec("_bindings", package.submodule_search_locations if package else None)
    if spec is None or spec.loader is None:
        raise ImportError("bpe-openai is not installed")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return cast(_Tokenizer, module.tokenizer_for_encoding("o200k_base"))


def count_tokens(text: str) -> int:
    """Tokens of `text` in o200k_base; lone surrogates count as the replacement character."""
    return _tokenizer().count(_encodable(text))


def cut_to_tokens(text: str, limit: int) -> str:
    """`text` unchanged when it has at most `limit` tokens; else its beginning and end around a mark, together within `limit` (at least the mark)."""
    if len(text) <= limit or _tokenizer().count_till_limit(_encodable(text), limit) is not None:
        return text
    room = max(0, limit - count_tokens(CUT_MARK) - 2)
    return _longest(text, room * 3 // 4) + CUT_MARK + _longest(text, room - room * 3 // 4, from_end=True)


def _longest(text: str, limit: int, *, from_end: bool = False) -> str:
    """A longest beginning (or end) with at most `limit` tokens, by bisection over characters."""
    low, high = 0, min(len(text), limit * 12)
    while low < high:
        middle = (low + high + 1) // 2
        part = text[len(text) - middle :] if from_end else text[:middle]
        if _tokenizer().count_till_limit(_encodable(part), limit) is not None:
            low = middle
        else:
            high = middle - 1
    return text[len(text) - low :] if from_end else text[:low]


def _encodable(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
