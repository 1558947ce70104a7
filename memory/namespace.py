"""From identity to namespace and stored thread id: the one place where ids are encoded.

Store labels may not be empty nor hold a dot, and the root ``langgraph`` is reserved; user ids are anything a system issues. `encode` maps any
string to a safe label, one to one, and leaves ordinary ids (letters of any script, digits, ``_ - @ +``) as they are.
"""

import unicodedata
from functools import lru_cache
from typing import Final

from memory.errors import BadInput

MAX_BYTES: Final = 512
_PLAIN: Final = frozenset("_-@+")
_RESERVED: Final = "langgraph"


def user_id(raw: object) -> str:
    """The user id as jizhu compares it: a string, case kept, 1–512 bytes of UTF-8. Raises BadInput."""
    return identifier(raw, "A user id")


def identifier(raw: object, what: str) -> str:
    """An id that some system issued, as it stands: a string (an integer becomes one), 1–512 bytes of UTF-8 without NUL. Raises BadInput, whose sentence
    begins with `what`."""
    if isinstance(raw, bool) or not isinstance(raw, (str, int)):
        raise BadInput(f"{what} must be a string or an integer.")
    return _checked(str(raw), what)


def _checked(text: str, what: str) -> str:
    if not text:
        raise BadInput(f"{what} must not be empty.")
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        raise BadInput(f"{what} must be valid Unicode.") from None
    if "\x00" in text:
        raise BadInput(f"{what} must not hold a NUL character.")
    if size > MAX_BYTES:
        raise BadInput(f"{what} may have at most {MAX_BYTES} bytes; this one has {size}.")
    return text


@lru_cache(maxsize=4096)
def encode(label: str) -> str:
    """One-to-one, reversible: everything but letters, digits and ``_ - @ +`` becomes ``%XX`` per UTF-8 byte."""
    if label == _RESERVED:
        return "%6C" + label[1:]
    return "".join(c if c in _PLAIN or _letter(c) else "".join(f"%{b:02X}" for b in c.encode()) for c in label)


@lru_cache(maxsize=4096)
def decode(label: str) -> str:
    """The inverse of `encode`."""
    out, at = bytearray(), 0
    while at < len(label):
        if label[at] == "%":
            out += bytes.fromhex(label[at + 1 : at + 3])
            at += 3
        else:
            out += label[at].encode()
            at += 1
    return out.decode()


def _letter(char: str) -> bool:
    return char.isalnum() and unicodedata.category(char) != "Co"


def namespace(user: object, category: str | None = None) -> tuple[str, ...]:
    """``(user, category)`` as the store keys it; without a category, the prefix that holds all of the user's current facts."""
    label = encode(user_id(user))
    return (label,) if category is None else (label, encode(category))


def user_of(labels: tuple[str, ...]) -> str:
    """The user whose namespace this is."""
    return decode(labels[0])


def thread_id(user: object, thread: str) -> str:
    """The stored thread id, ``<user>:<thread>`` with both encoded: two users never share a thread, whatever they call it."""
    return f"{encode(user_id(user))}:{encode(_checked(thread, 'A thread id'))}"


def split_thread_id(stored: str) -> tuple[str, str]:
    """(user, thread) of a stored thread id made by `thread_id`; a foreign id (a server's UUID) raises ValueError."""
    user, colon, thread = stored.partition(":")
    if not colon:
        raise ValueError(stored)
    return decode(user), decode(thread)
