"""Whose fact is it? Spellings of one person, names tied to relations by known facts, and pronouns resolved against people mentioned lately.

Two people's facts never mix: names are one only when their forms are equal (张伟 is not 张薇), or when a known relationship fact ties them (外甥女 = 佳怡).
"""

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Final

from memory.pattern import regex
from memory.record import USER, Memory, Status
from memory.revise.forms import bare, fold

_SELF: Final = frozenset({"", "user", "self", "me", "i", "我", "本人", "用户", "自己", "咱"})
_POSSESSIVE: Final = regex(r"^(?:我们家的?|我们的?|我家的?|我的?|咱们?家?的?|俺的?|the user's|my|our|the)\s*(?=\S)")
_TIE_TAIL: Final = regex(r"(?:的|'s?)$")


@dataclass(frozen=True, slots=True)
class Relation:
    """A tie to the user: its spellings (folded), gender where the word tells, whether there is one such person, whom it covers, whether it ends with
    that person's work, and whether the word is that of a trade."""

    words: tuple[str, ...]
    gender: str | None = None
    one: bool = False
    covers: tuple[str, ...] = ()
    work: bool = False
    trade: bool = False


@lru_cache(maxsize=1)
def _table() -> tuple[tuple[Relation, ...], dict[str, Relation], dict[str, str | None]]:
    data = tomllib.loads(files("memory.revise").joinpath("people.toml").read_text("utf-8"))
    relations = tuple(
        Relation(
            tuple(fold(w) for w in r["words"]),
            r.get("gender"),
            r.get("one", False),
            tuple(fold(w) for w in r.get("covers", ())),
            r.get("work", False),
            r.get("trade", False),
        )
        for r in data["relation"]
    )
    by_word = {w: r for r in relations for w in r.words}
    pronouns = {fold(w): p.get("gender") for p in data["pronouns"] for w in p["words"]}
    return relations, by_word, pronouns


def is_user(owner: str) -> bool:
    """Whether the owner is the user."""
    return bare(owner) in _SELF


def is_pronoun(owner: str) -> bool:
    """Whether the owner is a pronoun that somebody else must be found for."""
    return fold(owner).strip() in _table()[2]


def spelled(owner: str) -> str:
    """The owner without 我的 / my and the like; the user is always ``user``."""
    if is_user(owner):
        return USER
    plain = owner.strip()
    if fold(plain) in _table()[1]:  # 我妈 may be listed whole
        return _POSSESSIVE.sub("", plain)
    return _TIE_TAIL.sub("", _POSSESSIVE.sub("", plain)) or plain


def relation(word: str) -> Relation | None:
    """The tie that a word names, if it is one."""
    return _table()[1].get(fold(spelled(word)).strip())


def relation_in(text: str, near: str = "") -> Relation | None:
    """The tie that a text names, the one nearest to `near`, outside of it if there is one (班主任是王老师); longer words win (前男友 over 男友)."""
    at = fold(text).find(fold(near)) if near else 0
    found = relations_in(text)
    outside = [f for f in found if not (near and at >= 0 and at <= f[0] < at + len(fold(near)))]
    return min(outside or found, key=lambda f: abs(f[0] - at), default=(0, None))[1]


def relations_in(text: str) -> list[tuple[int, Relation]]:
    """Every tie that a text names, with its place; the longest word at each place."""
    hay = fold(text)
    found: list[tuple[int, Relation]] = []
    for at in _words().finditer(hay):
        word = at[0]
        if not (word == "ex" or word == "boy") or hay.strip() == word or f"my {word}" in hay:
            found.append((at.start(), _table()[1][word]))
    return found


@lru_cache(maxsize=1)
def _words() -> re.Pattern[str]:
    ordered = sorted(_table()[1].items(), key=lambda item: len(item[0]), reverse=True)
    return regex("|".join(_word(w, trade=r.trade) for w, r in ordered))


_AS_A: Final = r"(?<!\ba )(?<!\ban )(?<!\bas )"


def _word(word: str, *, trade: bool) -> str:
    """The pattern that finds the word as a tie: 姑 not in 姑娘, a trade not where it is what somebody is or learns (I'm a driver, 考会计证)."""
    if word.isascii():
        return rf"(?<![a-z0-9]){_AS_A if trade else ''}{re.escape(word)}(?![a-z0-9])"
    if trade:
        return rf"(?<![当做是考学任成名位个])(?<!当了){re.escape(word)}(?![证师员课资])"
    return re.escape(word) + ("(?![娘苏息且妄])" if word == "姑" else "")


def gender(owner: str) -> str | None:
    """f, m, or None where the word does not tell."""
    tie = tie_of(owner)
    return tie.gender if tie else None


def _key(owner: str) -> str:
    tie = relation(owner)
    return tie.words[0] if tie else bare(name_in(owner) or spelled(owner))


def name_in(owner: str) -> str | None:
    """The name behind a tie: niece Elena → Elena, 同事小王 → 小王; None when there is no such pair."""
    plain = spelled(owner)
    for word in sorted(_table()[1], key=len, reverse=True):
        if fold(plain).startswith(word) and len(fold(plain)) == len(plain):
            rest = plain[len(word) :]
            if word.isascii() and rest.startswith(" ") and rest.strip():
                return rest.strip()
            if not word.isascii() and len(rest) >= 2 and not rest.startswith("的"):
                return rest
    found = _UNKNOWN_TIE.match(plain)
    return found["name"] if found else None


_UNKNOWN_TIE: Final = regex(r"[a-z][a-z-]+(?: [a-z-]+)* (?P<name>[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?)$")
"""A tie that no list holds before a name: swimming buddy Anna."""
_COUNTED: Final = regex(r"\d|[一二两俩三四五六七八九十几][个位口]|孩子|kids|children")
"""What makes a value a number of people instead of a name; 陈一诺 is a name."""
_ALSO: Final = regex(r"（小名(?P<also>[^）]{1,8})）$")


def names_of(value: str) -> list[str]:
    """The names that a relationship fact gives one person: 陈一诺（小名糖糖） → 陈一诺, 糖糖."""
    also = _ALSO.search(value)
    return [value[: also.start()], also["also"]] if also else [value]


def _spellings(value: str) -> frozenset[str]:
    """The keys of the names in a relationship fact; a Chinese name of three characters is also called without its first: 陈一诺, 一诺."""
    names = names_of(value)
    given = [n[1:] for n in names if re.fullmatch(r"[一-龥]{3}", n) and n[1] != n[2]]
    return frozenset(bare(n) for n in [*names, *given])


def tie_of(owner: str) -> Relation | None:
    """The tie that the owner's spelling begins with or is: kid Zoe → kid."""
    name = name_in(owner)
    return relation(spelled(owner)[: -len(name)].strip()) if name else relation(owner)


def circle(owner: str, known: Iterable[Memory]) -> frozenset[str]:
    """Every key the person goes by: his name, and the tie, as far as known relationship facts connect them without doubt."""
    if is_user(owner):
        return frozenset({USER})
    key = _key(owner)
    named: dict[str, set[frozenset[str]]] = {}
    for memory in known:
        called = None if is_user(memory.owner) else name_in(memory.owner)
        if called:
            first = relation(spelled(memory.owner)[: -len(called)].strip())
            named.setdefault(first.words[0] if first else "", set()).add(frozenset({bare(called)}))
        if memory.attribute == "relationship" and memory.status in {Status.ACTIVE, Status.PENDING} and is_user(memory.owner):
            tie = relation_in(memory.content or memory.source.text or "", memory.value)
            name = name_in(memory.value) or memory.value
            if tie and name and relation(memory.value) is None and not _COUNTED.search(fold(memory.value)):
                named.setdefault(tie.words[0], set()).add(_spellings(name))
    keys = {key}
    for tie_key, people in named.items():
        full = [p for p in people if not any(p < q for q in people)]
        keys |= next((p for p in full if key in p), frozenset())
        if len(full) == 1 and (key == tie_key or key in full[0]):
            keys |= {tie_key, *full[0]}
    return frozenset(keys)


def same_person(one: str, other: str, known: Sequence[Memory]) -> bool:
    """Whether two owners are one person, as far as known facts tell."""
    if is_user(one) or is_user(other):
        return is_user(one) and is_user(other)
    return _key(one) == _key(other) or bool(circle(one, known) & circle(other, known))


def among(one: str, group: str) -> bool:
    """Whether the tie of one owner is among those that a word for several names: a daughter among the kids, 哥哥 among 兄弟姐妹."""
    wide, narrow = tie_of(group), tie_of(one)
    return wide is not None and narrow is not None and any(w in wide.covers for w in narrow.words)


def mentioned(known: Iterable[Memory]) -> list[str]:
    """The people in these memories, in their order: owners, and those whom a relationship fact names."""
    people: list[str] = []
    for memory in known:
        if not is_user(memory.owner):
            people.append(memory.owner)
        elif memory.attribute == "relationship":
            tie = relation_in(memory.content or memory.source.text or "", memory.value)
            people.append(tie.words[0] if tie and relation(memory.value) is None else memory.value)
    return list(dict.fromkeys(people))


def whom(pronoun: str, recent: Sequence[Memory], known: Sequence[Memory]) -> str | None:
    """Who a pronoun means: the person mentioned last whose gender does not speak against it. `recent` and `known` are newest first."""
    wanted = _table()[2].get(fold(pronoun).strip())
    people = mentioned([*recent, *known])
    fits = [p for p in people if gender(p) in {wanted, None} or wanted is None]
    sure = [p for p in fits if gender(p) == wanted]
    return next(iter(sure or fits), None)


def gender_of_pronoun(word: str) -> str | None:
    """f, m, or None for a pronoun that does not tell; the empty string for what is no pronoun."""
    return _table()[2].get(fold(word).strip(), "")


def names_in(text: str, known: Iterable[Memory]) -> list[str]:
    """The user's people whom the text calls by name, as known facts call them (wife Anna, for Anna), in the order of the text."""
    plain, words, found = bare(text), fold(text), list[tuple[int, str]]()
    for memory in known:
        if not is_user(memory.owner):
            called = {name_in(memory.owner) or memory.owner: memory.owner}
        else:
            called = {n: n for n in names_of(memory.value)} if memory.attribute == "relationship" else {}
        for name, person in called.items():
            if len(bare(name)) < 2 or relation(name) is not None:
                continue
            latin = re.search(rf"\b{re.escape(fold(name))}\b", words) if bare(name).isascii() else None
            at = (latin.start() if latin else -1) if bare(name).isascii() else plain.find(bare(name))
            if at >= 0 and not _COUNTED.search(fold(name)):
                found.append((at, person))
    return list(dict.fromkeys(name for _, name in sorted(found)))
