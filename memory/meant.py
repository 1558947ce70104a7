"""Which memories a request means ("忘掉我的地址", "forget my job", "前任的事"): by key, attribute, value, person or topic. Pure. Topics: topics.toml."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

from memory.errors import AmbiguousRequest
from memory.pattern import regex
from memory.record import CATEGORIES, Memory, Status
from memory.revise.case import slot_of
from memory.revise.forms import bare, fold
from memory.revise.parallel import frame, shared
from memory.revise.people import is_user, name_in, names_in, names_of, relation, relation_in, relations_in, same_person, tie_of
from memory.revise.sameness import mentions
from memory.revise.schema import attribute as attribute_row

_WIDE: Final = regex(r"全|所有|都|任何|一切|内容|的事|有关|关于|相关|每|anything|everything|\ball\b|about|any of|whole|both")
_STRANGER: Final = regex(
    r"(?:^|[^一-龥]|[掉了除把请记于])(?:[小老阿][一-龥]|[一-龥]{1,2}(?:先生|女士|老师|师傅|总))的|\b(?!(?:Let|It|That|What|There|Here|Who)[’']s)[A-Z][a-z]+[’']s\b"
)
_NOISE: Final = regex(
    r"请|麻烦|帮我|把|你|忘掉|忘记|忘了|忘|删掉|删除|删了|删|清除|清空|抹掉|别再?记(?:着|住|得)?|不要再?记(?:着|住|得)?|别再提|以后|吧|了|掉|关于|有关|那几位|那几个|几位|数字|那段|这段|那茬|这茬|那档子|那回|那次|那时候|当没|听过|说过|干净|我的|我|的|事情|事|内容|那个|这个|那条|这条|记忆|信息|"
    r"\b(?:please|forget|delete|erase|wipe|remove|drop|don[’']?t|do not|keep|remember|store|about|anything|everything|all|what|that|the|my|me|i|told|you|said|it|of|to|from|your|memory|memories|fact|thing|bit|part|stuff|business|story|details?|info|information|whole|that|those|shouldn[’']t|have|had|mentioned|shared)\b|[，。,.!！?？、；;：:\"'“”]"
)


@dataclass(frozen=True, slots=True)
class _Topic:
    words: re.Pattern[str]
    attributes: frozenset[str]
    slot: str | None
    each: bool
    all: bool
    kin: bool


@lru_cache(maxsize=1)
def _topics() -> tuple[_Topic, ...]:
    data: dict[str, Any] = tomllib.loads(files("memory").joinpath("topics.toml").read_text("utf-8"))
    return tuple(
        _Topic(regex(t["words"]), frozenset(t.get("attributes", ())), t.get("slot"), t.get("each", False), t.get("all", False), t.get("kin", False))
        for t in data["topic"]
    )


def meant(known: Sequence[Memory], request: str, *, attribute: str | None = None) -> list[Memory]:
    """The versions (of every status) that the request means, with the whole history of what it names; empty when nothing fits.

    `request` is a key, an attribute's name or the user's words; `attribute` narrows it. Raises AmbiguousRequest, listing the choices, when it
    speaks of one thing and several fit.
    """
    by_key = [m for m in known if m.key == request.strip()]
    if by_key:
        return _whole(known, by_key)
    pool = [m for m in known if attribute is None or m.attribute == attribute]
    text = fold(request)
    if request.strip() in CATEGORIES:
        return [m for m in pool if m.attribute == request.strip() and is_user(m.owner)]
    ever = _ever(known)
    person = _person(ever, text) or _named(known, text)
    rest = _without(text, person)
    topics = [t for t in _topics() if t.words.search(rest)]
    named = [m for m in pool if len(bare(m.value)) > 1 and mentions(rest, m.value) and (person is None or _about(m, person, ever))]
    if named:
        return _whole(known, named)
    if person is not None:
        about = [m for m in pool if _about(m, person, ever) or _names(m, person)]
        tied = {"relationship"} if any("name" in t.attributes for t in topics) else set[str]()  # that is where somebody's name stands
        narrowed = [m for m in about if m.attribute in tied or any(m.attribute in t.attributes for t in topics)]
        if any(t.attributes and not t.kin for t in topics):  # something of the person's, never the person
            about = [m for m in about if not is_user(m.owner) and m.attribute in {"event", "other"}]
        return _whole(known, narrowed or about)
    if _STRANGER.search(request):
        return []
    pool = [m for m in pool if is_user(m.owner)]
    if topics:
        return _by_topic(known, pool, topics, request)
    if attribute is not None:
        core = bare(_NOISE.sub(" ", text))
        hits = [m for m in pool if core and (mentions(m.content, core) or core in bare(m.value))] or pool
        return _whole(known, hits)
    core = _NOISE.sub(" ", text).strip()
    slotted = [
        m
        for m in pool
        if core and (f := attribute_row(m.attribute).named(slot_of(m)[0])) is not None and f.words is not None and f.words.search(core)
    ]
    if slotted:
        return _whole(known, slotted)
    hits = [m for m in pool if len(bare(core)) > 1 and (mentions(f"{m.content} {m.value}", core) or mentions(m.source.text or "", core))]
    hits = hits or _telling(pool, core)
    current = [m for m in hits if m.status is Status.ACTIVE] or hits
    return _whole(known, _one(current, request) if len({m.fact for m in current}) > 1 else current)


def _telling(pool: Sequence[Memory], core: str) -> list[Memory]:
    """Facts told in the words that the request uses, where no fact has all of them: 门禁的密码 and 小区门禁是…; the facts that share most."""
    counted = [(shared(core, frame(m.source.text or "", m) + f" {m.value}"), m) for m in pool]
    most = max((n for n, _ in counted), default=0)
    return [m for n, m in counted if n == most] if most >= 2 else []


def everything(request: str) -> bool:
    """Whether the request means all that is remembered, of whatever kind: 把我所有的记忆都删掉, forget everything."""
    topics = [t for t in _topics() if t.words.search(fold(request))]
    return any(t.all for t in topics) and not any(t.attributes for t in topics) and not relations_in(fold(request)) and not named(request)


def named(request: str) -> list[str]:
    """The bare words that say what the request means (老李, 电话), for what no fact was made of; none where they name a mere kind (我的地址)."""
    words = [w for w in (bare(w) for w in re.split(r"(?:那|这)[件个条]|[的\s]+|[’']s\b", _NOISE.sub(" ", fold(request)))) if len(w) > 1]
    generic = any(t.words.search(fold(request)) for t in _topics()) or relations_in(fold(request))
    return words if len(words) > 1 or (words and not generic) else []


def _by_topic(known: Sequence[Memory], pool: Sequence[Memory], topics: Sequence[_Topic], request: str) -> list[Memory]:
    if any(t.all for t in topics) and not any(t.attributes for t in topics):
        return list(known)
    first = next(t for t in topics if t.attributes)
    if first.kin:
        return _whole(known, [m for m in known if is_relative(m)])
    hits = [m for m in pool if m.attribute in first.attributes and (first.slot is None or slot_of(m)[0] == first.slot)]
    if not hits and first.slot is not None:
        hits = [m for m in pool if m.attribute in first.attributes and m.attribute not in {"other", "health"}]
    current = [m for m in hits if m.status is Status.ACTIVE]
    if first.each and len({m.fact for m in current}) > 1:
        told = [m for m in current if _shares(m, request)]
        if told and len(told) < len(current):
            return _whole(known, told)
        if not _WIDE.search(fold(request)):
            return _whole(known, _one(current, request))
    return _whole(known, hits)


_NO_KIN: Final = regex(
    r"前任|前男友|前女友|前夫|前妻|朋友|同事|老板|领导|上司|同学|室友|舍友|房东|邻居|老师|导师|教练|医生|闺蜜|发小|客户|\b(?:ex|friend|colleague|boss|manager|landlord|landlady|teacher|flatmate|roommate|neighbou?r|coach|doctor|tutor|classmate|client)\b"
)


def is_relative(memory: Memory) -> bool:
    """Whether the fact is about a relative: the tie, or something of a relative's own."""
    if is_user(memory.owner):
        told = fold(f"{memory.content or memory.source.text or ''} {memory.value}")
        return memory.attribute == "relationship" and _NO_KIN.search(told) is None
    return _NO_KIN.search(fold(memory.owner)) is None


def _shares(memory: Memory, request: str) -> bool:
    core = bare(_NOISE.sub(" ", fold(request)))
    return bool(core) and (core in bare(memory.content) or core in bare(memory.source.text or ""))


def _one(current: Sequence[Memory], request: str) -> list[Memory]:
    options = list(dict.fromkeys(m.content or m.value for m in current))
    if len(options) > 1:
        listed = "；".join(options[:10])
        zh = any("\u4e00" <= c <= "\u9fff" for c in request)
        raise AmbiguousRequest(f"要忘掉哪一条？{listed}" if zh else f"Which one is meant? {listed}")
    return list(current)


def _whole(known: Sequence[Memory], found: Sequence[Memory]) -> list[Memory]:
    """The found versions, every other version of their facts, and every version that says the same."""
    facts, prints = {m.fact for m in found}, {m.fingerprint for m in found}
    return [m for m in known if m.fact in facts or m.fingerprint in prints]


def names_meant(known: Sequence[Memory], request: str) -> list[str]:
    """The names of the person whom the request means as a whole (忘掉小雅, everything about my ex), so that what was told of the person is found; none where
    it means something of the person's, or nobody."""
    text = fold(request)
    ever = _ever(known)
    person = _person(ever, text)
    if person is None or not _whole_person(text, person):
        return []
    names = [name_in(person) or person, *(n for m in ever if _about(m, person, ever) for n in _names_told(m))]
    return list(dict.fromkeys(n for n in names if len(bare(n)) > 1 and relation(n) is None))


def _names_told(memory: Memory) -> list[str]:
    """The names that a fact gives its person, by its owner or as the value of a tie."""
    if not is_user(memory.owner):
        return [n] if (n := name_in(memory.owner)) else []
    return names_of(memory.value) if memory.attribute == "relationship" and _LIKE_A_NAME.fullmatch(memory.value) else []


_LIKE_A_NAME: Final = regex(r"[一-龥]{2,4}(?:（小名[^）]{1,8}）)?|[A-Z][\w'’.-]*(?: [A-Z][\w'’.-]*){0,2}")


def _ever(known: Sequence[Memory]) -> list[Memory]:
    """The versions with every tie as if it still held: who was somebody's girlfriend is found by name and tie after the break-up too. A tie that two people had
    in turn names neither."""
    return [m.evolve(status=Status.ACTIVE) if m.attribute == "relationship" else m for m in known]


def _names(memory: Memory, person: str) -> bool:
    """Whether a fact of whomever speaks of the person by name."""
    name = name_in(person) or person
    return relation(name) is None and len(bare(name)) > 1 and mentions(f"{memory.content} {memory.value}", name)


def _person(known: Sequence[Memory], text: str) -> str | None:
    """Whom the request is about, when it names one of the user's people."""
    if called := names_in(text, [m for m in known if not is_user(m.owner)]):
        return called[0]
    core = _NOISE.sub(" ", text).strip()
    for memory in known:
        if memory.attribute != "relationship" or not is_user(memory.owner):
            continue
        names = names_of(memory.value)
        if len(names) > 1 or _LIKE_A_NAME.fullmatch(memory.value):
            name = next((n for n in names if len(bare(n)) > 1 and mentions(text, n)), None)
        else:  # 有个 girlfriend 叫 Amy: a name inside
            name = core if len(bare(core)) > 1 and relation(core) is None and not relations_in(core) and _within(memory.value, core) else None
        if name is not None and _whole_person(text, name):
            return name
    if surname := re.search(r"姓(?P<s>[一-龥])(?:的|那|这|$)", text):
        named = [m.value for m in known if m.attribute == "relationship" and is_user(m.owner) and m.value.startswith(surname["s"])]
        if named:
            return named[0]
    tie = relation_in(text)
    return tie.words[0] if tie and relations_in(text) else None


def _within(value: str, core: str) -> bool:
    """Whether a text has the words of another as its own words."""
    return re.search(rf"(?<![a-z0-9]){re.escape(core)}(?![a-z0-9])", fold(value)) is not None


def _whole_person(text: str, name: str) -> bool:
    """Whether the request means the person, and nothing of the person's."""
    return not any(t.attributes and not t.kin for t in _topics() if t.words.search(_without(text, name)))


def _people(known: Sequence[Memory]) -> list[str]:
    """The names of the user's people and animals, the longest first."""
    told = [m.value for m in known if m.attribute in {"relationship", "pet"} and is_user(m.owner)]
    names = {n for value in told for n in names_of(value) if len(bare(n)) > 1}
    return sorted(names, key=len, reverse=True)


def _named(known: Sequence[Memory], text: str) -> str | None:
    """The person whose name the request begins with or possesses something by, when it is not the name itself that is to go: 糖糖过敏的事, Tom's job."""
    for name in _people(known):
        rest = text.replace(fold(name), " ", 1)
        if mentions(text, name) and any(t.attributes and not t.kin and t.words.search(rest) for t in _topics()):
            return name
    return None


def _without(text: str, person: str | None) -> str:
    if person is None:
        return text
    tie = relation(person)
    name = name_in(person)  # 老赵, of 同事老赵
    for word in sorted([person, *([name] if name else ()), *(tie.words if tie else ())], key=len, reverse=True):
        text = text.replace(fold(word), " ")
    return text


def _about(memory: Memory, person: str, known: Sequence[Memory]) -> bool:
    if not is_user(memory.owner):
        tie = tie_of(memory.owner)
        each = tie is not None and "kids" in tie.words and _kin(tie.words[0], person)  # every one of the children
        return each or same_person(memory.owner, person, known) or _kin(memory.owner, person)
    if memory.attribute != "relationship":
        return False
    if slot_of(memory)[0] == "children":
        return _kin("孩子", person)
    tie = relation(memory.value) or relation_in(memory.content or memory.source.text or "", memory.value)
    return bool(tie and _kin(tie.words[0], person)) or any(same_person(n, person, known) for n in names_of(memory.value))


def _kin(one: str, other: str) -> bool:
    """Whether one tie is the other, or covers it: 前任 covers 前男友."""
    a, b = relation(one), relation(other)
    return a is not None and b is not None and (a is b or bool(set(a.words) & set(b.covers)) or bool(set(b.words) & set(a.covers)))
