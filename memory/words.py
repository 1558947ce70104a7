"""What BM25 counts: Chinese characters and pairs of them, stemmed Latin words, ids and numbers whole.

PostgreSQL's parsers keep a run of Chinese as one token, so the terms are ours and are stored with every item. The same function makes the terms
of items and of questions; it is pure and needs no model.

An item's terms are stored as a sparse vector (pgvector's sparsevec) of BM25's term part: element number = number of the term, value =
tf·(k1+1) / (tf + k1·(1 - b + b·length/PIVOT)). A question's sparse vector holds the inverse document frequencies, so that their inner product is the
BM25 score. PIVOT stands for the mean length, which would change with every write.
"""

import unicodedata
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Final

import snowballstemmer  # type: ignore[import-untyped]

from memory.pattern import regex

VERSION: Final = 1  # of the terms; with another one, stored terms are made anew (memory.reindex)
LIMIT: Final = 8_000  # characters of one text that are indexed: a sparsevec holds 16,000 elements
DIMENSIONS: Final = 1_000_000_000
K1: Final = 0.9
B: Final = 0.4
PIVOT: Final = 50.0

_HAN: Final = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_PIECE: Final = regex(
    rf"(?P<han>[{_HAN}]+)|(?P<number>\d+(?:[.,]\d+)+(?![a-z0-9]))|(?P<ascii>[a-z0-9]+(?:[-_./@:+][a-z0-9]+)*(?:['’][a-z]+)?)|(?P<word>[^\W\d_{_HAN}]+)"
)
_JOINT: Final = regex(r"[-_./@:+]")
STOP_CHARACTERS: Final = frozenset("的了吗呢吧啊呀哦嗯呃哎是在就都也还很有和与及或被把给对从到这那哪个们着过么什怎你您我他她它之而且但如果因为所以")
STOP_WORDS: Final = frozenset(
    ["a", "an", "the", "is", "are", "was", "were", "be", "been", "being", "am", "do", "does", "did", "of", "to", "in", "on", "at", "for", "and", "or",
     "it", "its", "this", "that", "these", "those", "as", "by", "with", "from", "so", "but", "if", "then", "than", "there", "i", "me", "my", "you",
     "your", "we", "our", "us", "he", "she", "his", "her", "they", "them", "their", "him", "s", "t", "m", "re", "ve", "ll", "d", "what", "which",
     "who", "whom", "whose", "when", "where", "why", "how", "have", "has", "had", "will", "would", "can", "could", "should", "just", "not", "no"]
)  # fmt: skip


def fold(text: str) -> str:
    """Width and case away: ＡＢＣ１ and abc1 are one word."""
    return unicodedata.normalize("NFKC", text).lower()


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The English stem of a Latin word; other scripts as they are."""
    word = word.replace("’", "'").removesuffix("'s").replace("'", "")
    if not word.isascii() or len(word) < 3:
        return word
    return str(snowballstemmer.stemmer("english").stemWord(word))  # a stemmer has state: one of our own, so that threads may share the cache


def terms(text: str) -> list[str]:
    """Every term of `text`, repeated as often as it occurs. Order is of no meaning."""
    found: list[str] = []
    for piece in _PIECE.finditer(fold(text[:LIMIT])):
        token, kind = piece.group(), piece.lastgroup
        if kind == "han":
            found += [c for c in token if c not in STOP_CHARACTERS]
            found += [a + b for a, b in pairwise(token) if a not in STOP_CHARACTERS or b not in STOP_CHARACTERS]
        elif token.isalpha():
            if token not in STOP_WORDS:
                found.append(stem(token))
        elif kind == "number" or token.isdigit():
            found.append(token.replace(",", ""))
        elif kind == "word" or not any(c.isdigit() for c in token):
            found += [stem(w) for w in _JOINT.split(token) if w not in STOP_WORDS]
        else:  # an id, a date, a model number: whole, and its parts
            found.append(token)
            if _JOINT.search(token):
                found += [stem(p) for p in _JOINT.split(token) if len(p) > 1 or p.isdigit()]
    return found


@lru_cache(maxsize=100_000)
def number(term: str) -> int:
    """The element of the sparse vector that stands for this term, 1 to DIMENSIONS. Two terms of one user share one with a chance of 1 in 10⁹."""
    return zlib.crc32(term.encode("utf-8", "replace")) % (DIMENSIONS - 1) + 1


def weights(found: Iterable[str]) -> dict[int, float]:
    """BM25's term part of one item, by number of the term."""
    counts = Counter(found)
    norm = K1 * (1 - B + B * counts.total() / PIVOT)
    once = (K1 + 1) / (1 + norm)
    return {number(t): once if f == 1 else f * (K1 + 1) / (f + norm) for t, f in counts.items()}


def sparse(values: Mapping[int, float]) -> str:
    """A sparse vector as pgvector reads it."""
    return "{" + ",".join(f"{n}:{v}" for n, v in sorted(values.items()) if v) + f"}}/{DIMENSIONS}"
